"""All-ins under the rules that all houses share: what they reopen, whose chips they win. Seats count from 0."""

from __future__ import annotations

import pytest

from engine.rulebooks.loading import HOUSES
from engine.table.events import Bet, Called, Raised, WentAllIn
from tests.engine.table.game import Game, cash, unraked
from tests.engine.table.play import (
    bets,
    check_down,
    fixed,
    play_on,
    posts,
    pots,
    reach,
    said,
    sit_in,
    sit_out,
    won,
)

RICH = 100_000
BIG_BET = ("planet", "akpoker", "freeguide", "modern")
"""The houses that offer pot and no limit."""
HANDS = {0: "AsAd", 1: "KsKd", 2: "QsQd", 3: "JsJd"}
DRY = "2c7d9hTs3s"


def flop(house: str, *stacks: int, **terms: object) -> Game:
    """Return a no-limit flop, blinds 50/100; everybody has put in 100 and has `stacks` left. Seat 1 opens."""
    return reach(cash(house, [100 + stack for stack in stacks], **terms).start(hands=HANDS, board=DRY), 1)  # type: ignore[arg-type]


# Short all-ins in pot and no limit.


@pytest.mark.parametrize("house", BIG_BET)
def test_a_short_all_in_does_not_reopen_the_betting(house: str) -> None:
    """AMB-25: bet 100, call, all-in 130: one yet to act may raise to 230; the bettor may only call 30 or fold."""
    game = flop(house, RICH, RICH, RICH, 130).raise_to(100).call().all_in()
    assert game.events[0] == Raised(3, 130, 130, full=False)
    assert game.options == {"fold", "call 130", f"raise 230..{RICH}"}
    assert game.call().options == {"fold", "call 30"}
    game.refuses(game.raising(230), "RAISE_NOT_REOPENED")
    assert game.call().options == {"fold", "call 30"}


def two_short_all_ins(house: str, **terms: object) -> Game:
    """Return a flop where seat 1 bet 100, 2 is all-in for 125, 3 called, 4 is all-in for 200 and 0 called."""
    game = flop(house, RICH, RICH, 125, RICH, 200, **terms).raise_to(100)
    return game.all_in().call().all_in().call()


@pytest.mark.parametrize("house", BIG_BET)
def test_two_short_all_ins_that_make_a_full_raise_reopen_it(house: str) -> None:
    """AMB-25, G-MOD-6: the bettor faces 100, a full raise; the caller of 125 faces 75, which is none."""
    game = two_short_all_ins(house)
    assert game.options == {"fold", "call 100", f"raise 300..{RICH}"}
    assert game.call().options == {"fold", "call 75"}
    assert two_short_all_ins(house).raise_to(300).options == {"fold", "call 175", f"raise 400..{RICH}"}


@pytest.mark.parametrize(("rule", "one", "two"), [("single_full_raise", False, False), ("always", True, True)])
@pytest.mark.parametrize("house", ["planet", "freeguide"])
def test_what_reopens_is_the_houses_rule(house: str, rule: str, *, one: bool, two: bool) -> None:
    """AMB-25: with `single_full_raise` no sum of short all-ins reopens the betting, with `always` each one does."""
    rules = {"betting.short_all_in_reopens": rule}
    game = flop(house, RICH, RICH, 130, rules=rules).raise_to(100).all_in().call()
    assert (game.menu.bet_or_raise is not None) == one
    assert (two_short_all_ins(house, rules=rules).menu.bet_or_raise is not None) == two


@pytest.mark.parametrize("house", BIG_BET)
def test_who_has_checked_may_not_raise_an_opening_all_in_below_the_least_bet(house: str) -> None:
    """AMB-25, section 4, "a check is an action": one yet to act may raise to 140, who has checked calls or folds."""
    game = flop(house, RICH, RICH, 40).check().all_in()
    assert game.events[:2] == (Bet(2, 40, 40, full=False), WentAllIn(2))
    assert game.options == {"fold", "call 40", f"raise 140..{RICH}"}
    assert game.call().options == {"fold", "call 40"}
    game.refuses(game.raising(140), "RAISE_NOT_REOPENED")


# Short all-ins in fixed limit.


def limit_flop(house: str, *stacks: int, rules: dict[str, str] | None = None) -> Game:
    """Return a fixed-limit flop at 10/20; everybody has put in 10 and has `stacks` left. Seat 1 has bet 10."""
    game = reach(fixed(house, [10 + stack for stack in stacks], bets=(10, 20), rules=rules).start(), 1)
    return game.raise_to(10)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("all_in", [15, 16, 19])
def test_half_a_unit_counts_as_a_raise(house: str, all_in: int) -> None:
    """AMB-25, section 4, "fixed limit after a short all-in": 16 over 10 counts as 20, and the next raise goes to 30."""
    game = limit_flop(house, RICH, RICH, all_in).all_in()
    assert game.events[0] == Raised(2, all_in, all_in, full=True)
    assert game.options == {"fold", f"call {all_in}", "raise 30..30"}
    assert game.call().options == {"fold", f"call {all_in - 10}", "raise 30..30"}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("all_in", [11, 14])
def test_less_than_half_a_unit_is_only_completed(house: str, all_in: int) -> None:
    """AMB-25, section 4: 14 over 10 may be completed to 20 by one yet to act; the bettor may only call or fold."""
    game = limit_flop(house, RICH, RICH, all_in).all_in()
    assert game.events[0] == Raised(2, all_in, all_in, full=False)
    assert game.options == {"fold", f"call {all_in}", "raise 20..20"}
    assert game.call().options == {"fold", f"call {all_in - 10}"}
    game.refuses(game.raising(20), "RAISE_NOT_REOPENED")


@pytest.mark.parametrize("house", HOUSES)
def test_only_an_all_in_that_counts_counts_to_the_cap(house: str) -> None:
    """AMB-25, AMB-24: after 10, 20, 30 an all-in to 36 is the last raise; one to 34 leaves room to complete to 40."""
    game = limit_flop(house, 36, RICH, RICH, RICH).raise_to(20).raise_to(30).all_in()
    assert game.options == {"fold", "call 26"}
    game.refuses(game.raising(40), "RAISE_CAPPED")
    game = limit_flop(house, 34, RICH, RICH, RICH).raise_to(20).raise_to(30).all_in()
    assert game.options == {"fold", "call 24", "raise 40..40"}


@pytest.mark.parametrize("house", HOUSES)
def test_an_opening_all_in_counts_as_the_unit(house: str) -> None:
    """Section 4, "fixed limit after a short all-in": 850 at unit 1600 counts as 1600, and the raise goes to 3200."""
    game = reach(fixed(house, [RICH, 800 + 850, RICH], bets=(800, 1600)).start(), 2).all_in()
    assert game.events[0] == Bet(1, 850, 850, full=True)
    assert game.options == {"fold", "call 850", "raise 3200..3200"}


@pytest.mark.parametrize(
    ("field", "value", "raise_to"),
    [("fl_after_short_all_in", "add_unit", 26), ("fl_short_all_in_counts", "full_unit", 20)],
)
@pytest.mark.parametrize("house", ["pacific", "planet", "freeguide"])
def test_the_next_level_is_the_houses_rule(house: str, field: str, value: str, raise_to: int) -> None:
    """AMB-25: over an all-in to 16, `add_unit` raises to 26; with `full_unit` it does not count and is completed."""
    game = limit_flop(house, RICH, RICH, 16, rules={f"betting.{field}": value}).all_in()
    assert game.options == {"fold", "call 16", f"raise {raise_to}..{raise_to}"}


# No raise possible.


@pytest.mark.parametrize("house", BIG_BET)
def test_where_nobody_could_answer_everything_is_a_call(house: str) -> None:
    """Section 4, "no raise possible": the menu has no raise, and all he has, 5000, is taken as a call of 300."""
    game = flop(house, 5000, 300).all_in()
    assert game.options == {"fold", "call 300"}
    game.refuses(game.raising(600), "RAISE_NOT_POSSIBLE")
    assert game.all_in().events[0] == Called(0, 300)
    assert sum(amount for amount, _ in pots(game)) == 800


# Pots.


@pytest.mark.parametrize("house", HOUSES)
def test_pots_are_built_from_contributions_folded_ones_included(house: str) -> None:
    """Section 4, "pots": 30 all-in, 200 and 200 live, 100 and 100 folded: what two claim alone is one pot."""
    game = fixed(house, [30, RICH, RICH, RICH, RICH], button=4, rules={"rake.bps": 0})
    game.start(hands={0: "AsAd", 3: "KsKd", 4: "QsQd"}, board=DRY)
    check_down(game.call().call().raise_to(200).fold().fold().call())
    assert pots(game) == [(150, (0, 3, 4)), (480, (3, 4))]
    assert won(game) == {0: 150, 3: 480}


# Dead money.


def test_an_ante_of_everybody_is_a_contribution() -> None:
    """Section 4, "dead money": who is all-in for his ante of 10 wins 10 from each, and nothing of the blinds."""
    game = cash("freeguide", [10, RICH, RICH], ante=("each", 10)).start(hands=HANDS, board=DRY)
    check_down(game)
    assert pots(game) == [(30, (0, 1, 2)), (200, (1, 2))]
    assert won(game) == {0: 30, 1: 200}


@pytest.mark.parametrize("ante", ["big_blind", "button"])
def test_an_ante_for_all_goes_whole_into_the_main_pot(ante: str) -> None:
    """Section 4, "dead money": the short stack with 40 in may win all of the ante of 100, besides 40 from each."""
    game = unraked([RICH, RICH, 40, RICH], ante=(ante, 100)).start(hands={2: "AhKh"}, board="QhJhTh2c3d")
    check_down(game)
    assert pots(game)[0] == (4 * 40 + 100, (0, 1, 2, 3))
    assert won(game)[2] == 260


@pytest.mark.parametrize("house", ["pacific", "planet", "freeguide"])
def test_a_dead_blind_goes_whole_into_the_main_pot(house: str) -> None:
    """Section 4, "dead money": seat 2 is all-in for 160; he wins that from each, and the returned player's dead 50."""
    game = sit_out(play_on(fixed(house, [RICH, RICH, 160, RICH, RICH], rules={"rake.bps": 0})), 3)
    sit_in(play_on(game, 2), 3).start(hands={2: "AhKh"}, board="QhJhTh2c3d")
    assert [post for post in posts(game) if post[2] == "dead"] == [(3, 50, "dead")]
    check_down(game.all_in())
    assert pots(game) == [(5 * 160 + 50, (0, 1, 2, 3, 4))]
    assert won(game) == {2: 850}


@pytest.mark.parametrize("house", ["pacific", "planet", "freeguide"])
@pytest.mark.parametrize(("stack", "live", "dead"), [(120, 100, 20), (90, 90, 0)])
def test_a_returning_player_who_is_short_pays_the_live_post_first(house: str, stack: int, live: int, dead: int) -> None:
    """Section 4, "dead money": of 100 live and 50 dead he pays what he can, live first, and is all-in."""
    game = sit_out(play_on(fixed(house, [RICH, RICH, RICH, stack, RICH])), 3)
    sit_in(play_on(game, 2), 3).start()
    paid = {word: amount for seat, amount, word in posts(game) if seat == 3}
    assert (paid.get("entry", 0), paid.get("dead", 0)) == (live, dead)
    assert said(game, WentAllIn) == [WentAllIn(3)]
    assert bets(game)[3] == live
