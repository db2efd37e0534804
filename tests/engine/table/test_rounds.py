"""Rules of betting rounds that all houses share (`rulebooks.md` section 4). Seats count from 0."""

from __future__ import annotations

import pytest

from engine.rulebooks.loading import HOUSES
from engine.rulebooks.rulebook import LimitType
from engine.table.events import (
    BlindPosted,
    HandEnded,
    HandShown,
    PotAwarded,
    RakeTaken,
    StreetDealt,
    UncalledBetReturned,
    WentAllIn,
)
from tests.engine.table.game import cash
from tests.engine.table.play import (
    bets,
    check_down,
    close_round,
    fixed,
    fold_out,
    hand_log,
    join,
    owed,
    play_on,
    posts,
    pots,
    reach,
    said,
    shows,
    sit_in,
    sit_out,
    won,
)

RICH = 100_000
BIG_BET = ("planet", "akpoker", "freeguide", "modern")
"""The houses that offer pot and no limit."""


# Blinds.


@pytest.mark.parametrize("house", HOUSES)
def test_in_fixed_limit_the_big_blind_is_the_small_bet(house: str) -> None:
    """Section 4, "big blind", AMB-41: it is the lower limit, and the initial pot is formed of both blinds."""
    game = fixed(house, [RICH] * 3, bets=(200, 400)).start()
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]
    assert game.hand.pot == 300


@pytest.mark.parametrize("house", BIG_BET)
@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_in_pot_and_no_limit_the_big_blind_is_as_stated(house: str, limit: LimitType) -> None:
    """Section 4, "big blind", "least bet": as the table states it; it is the least bet of every round."""
    game = cash(house, [RICH] * 3, limit=limit, blinds=(100, 200)).start()
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]
    game = reach(game, 1)
    game.refuses(game.raising(199), "BET_BELOW_MINIMUM")
    assert game.raise_to(200).menu.bet_or_raise is not None


@pytest.mark.parametrize("house", HOUSES)
def test_blinds_are_live_and_posted_before_a_card_is_dealt(house: str) -> None:
    """Section 4, "blinds": they count towards a bet, and every post comes before the first card."""
    game = fixed(house, [RICH] * 3).start()
    assert [owed(game, seat) for seat in range(3)] == [100, 50, 0]
    names = [type(event).__name__ for event in hand_log(game)]
    assert names == ["HandStarted", "ButtonMoved", "BlindPosted", "BlindPosted", "HoleCardsDealt"]


@pytest.mark.parametrize("house", HOUSES)
def test_the_big_blind_has_the_option(house: str) -> None:
    """Section 4, "round ends": a round that all have matched is not over before the big blind has used his option."""
    game = fixed(house, [RICH] * 3).start().call().call()
    assert game.to_act == 2
    assert game.options == {"fold", "check", "raise 200..200"}
    assert game.raise_to(200).to_act == 0
    assert game.call().call().hand.street == 1


@pytest.mark.parametrize("house", HOUSES)
def test_a_short_big_blind_is_all_in_and_changes_no_price(house: str) -> None:
    """AMB-49, section 4, "short blind": he posts his 30; the call stays 100 and the least raise goes to 200."""
    game = fixed(house, [RICH, RICH, 30, RICH]).start()
    assert said(game, BlindPosted)[1] == BlindPosted(2, 30, "big")
    assert said(game, WentAllIn) == [WentAllIn(2)]
    assert game.options == {"fold", "call 100", "raise 200..200"}
    check_down(game)
    assert [amount for amount, _ in pots(game)] == [120, 210]


@pytest.mark.parametrize("house", HOUSES)
def test_a_short_small_blind_is_all_in(house: str) -> None:
    """AMB-49, section 4, "short blind": his 20 are all-in, and he may win 20 from each of the others."""
    game = check_down(
        fixed(house, [RICH, 20, RICH], rules={"rake.bps": 0}).start(hands={1: "AhKh"}, board="QhJhTh2c3d")
    )
    assert pots(game) == [(60, (0, 1, 2)), (160, (0, 2))]
    assert won(game)[1] == 60


# Who acts, and when a round is over.


@pytest.mark.parametrize("house", HOUSES)
def test_the_first_round_opens_after_the_big_blind_the_others_after_the_button(house: str) -> None:
    """AMB-40, section 4, "first to act": with more than two players every house has the same order."""
    game = fixed(house, [RICH] * 5).start()
    first = [game.to_act]
    while game.hand.street < 3:
        first.append(close_round(game).to_act)
    assert first == [3, 1, 1, 1]


@pytest.mark.parametrize("house", HOUSES)
def test_a_seat_that_cannot_act_passes_the_opening_on(house: str) -> None:
    """AMB-40: the small blind is all-in, the big blind has folded: clockwise the next who can act opens the flop."""
    game = fixed(house, [RICH, 50, RICH, RICH, RICH]).start()
    game.raise_to(200).call().call().fold()
    assert game.hand.street == 1
    assert game.to_act == 3


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", [1, 2, 3])
def test_check_raise_is_allowed(house: str, street: int) -> None:
    """Section 4, "check-raise": in every round after the first."""
    game = reach(fixed(house, [RICH] * 3).start(), street)
    unit = 100 if street == 1 else 200
    assert game.check().raise_to(unit).fold().raise_to(2 * unit).hand.pot == 300 + 3 * unit


@pytest.mark.parametrize("house", HOUSES)
def test_check_raise_is_allowed_in_round_one(house: str) -> None:
    """Section 4, "check-raise": a newcomer checks his post, the big blind raises, and the newcomer raises again."""
    game = join(play_on(fixed(house, [RICH] * 4 + [None])), 4, plan="post").start()
    assert game.to_act == 4
    game.check().fold().fold().fold().raise_to(200)
    assert game.to_act == 4
    assert game.options == {"fold", "call 100", "raise 300..300"}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_the_last_one_left_takes_the_pot_at_once(house: str, street: int) -> None:
    """Section 4, "last one left": no later street is dealt and no card revealed."""
    game = reach(fixed(house, [RICH] * 3).start(), street)
    fold_out(game)
    assert len(said(game, StreetDealt)) == street
    assert said(game, HandShown) == []
    assert len(said(game, PotAwarded)) == len(said(game, HandEnded)) == 1


@pytest.mark.parametrize("house", HOUSES)
def test_an_uncalled_bet_goes_back_before_the_rake(house: str) -> None:
    """Section 4, "uncalled bet": 100 of the last bet was never called: it comes back first, and 300 are raked."""
    game = reach(fixed(house, [RICH] * 3, rules={"rake.bps": 500, "rake.caps_fixed_limit": []}).start(), 1)
    game.raise_to(100).fold().fold()
    names = [type(event).__name__ for event in game.events]
    assert names[:4] == ["Folded", "UncalledBetReturned", "RakeTaken", "PotAwarded"]
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(1, 100)]
    assert said(game, RakeTaken) == [RakeTaken((15,))]
    assert won(game) == {1: 285}


# How much.


@pytest.mark.parametrize("house", BIG_BET)
@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_raises_are_not_counted_in_pot_and_no_limit(house: str, limit: LimitType) -> None:
    """Section 4, "raises in pot and no limit": there is no cap on their number."""
    game = cash(house, [RICH] * 3, limit=limit).start()
    for level in range(200, 2200, 100):
        game.raise_to(level)
    assert bets(game) == [2000, 2100, 1900]
    assert game.menu.bet_or_raise is not None


@pytest.mark.parametrize("house", BIG_BET)
def test_a_raise_is_at_least_the_last_full_bet_or_raise(house: str) -> None:
    """Section 4, "least bet": bet 100, raise to 350: the next raise is to 600; a shorter one only if it is all-in."""
    game = reach(cash(house, [900, RICH, RICH]).start(), 1).raise_to(100).raise_to(350)
    assert game.options == {"fold", "call 350", "raise 600..800"}
    game.refuses(game.raising(599), "BET_BELOW_MINIMUM")
    game.call().raise_to(600).call()
    assert game.to_act == 0
    assert "raise 800..800" in game.options


@pytest.mark.parametrize(
    ("house", "hands_out", "most"), [("planet", 2, 1000), ("freeguide", 2, 1000), ("akpoker", 3, 800)]
)
def test_the_pot_of_pot_limit_holds_dead_money(house: str, hands_out: int, most: int) -> None:
    """Section 4, "largest raise": the pot is 600, 100 of it dead: to 200 + 800 after the call, or 200 + 600 before."""
    game = sit_out(play_on(cash(house, [RICH] * 5, limit="pot_limit", blinds=(100, 200))), 3)
    sit_in(play_on(game, hands_out), 3).start()
    assert sum(amount for _, amount, _ in posts(game)) == 600
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.maximum == most


@pytest.mark.parametrize("house", BIG_BET)
def test_the_opening_bet_of_pot_limit_is_at_most_the_pot(house: str) -> None:
    """Section 4, "pot limit, opening bet": 600 in the pot, a bet of 200 to 600."""
    game = reach(cash(house, [RICH] * 3, limit="pot_limit", blinds=(100, 200)).start(), 1)
    refusal = game.refuses(game.raising(601), "BET_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 200, "maximum": 600}


@pytest.mark.parametrize(
    ("house", "first", "short"),
    [("planet", 700, 600), ("freeguide", 700, 600), ("akpoker", 500, 400), ("modern", 700, 700)],
)
def test_a_short_blind_counts_as_posted_or_as_full(house: str, first: int, short: int) -> None:
    """AMB-58, G-MOD-13: pot limit 100/200, first to act: the houses count a blind of 100 as 100, modern as 200."""
    for big_blind, most in ((RICH, first), (100, short)):
        game = cash(house, [RICH, RICH, big_blind, RICH], limit="pot_limit", blinds=(100, 200)).start()
        assert game.menu.call == 200
        assert game.menu.bet_or_raise is not None
        assert game.menu.bet_or_raise.maximum == most


@pytest.mark.parametrize("house", HOUSES)
def test_two_players_have_the_cap_unless_the_house_lets_them_go_on(house: str) -> None:
    """AMB-24: the cap of one bet and three raises holds heads-up; a table with `uncapped_heads_up` has none."""
    for uncapped in (False, True):
        game = reach(fixed(house, [RICH] * 2, rules={"betting.uncapped_heads_up": uncapped}).start(), 1)
        game.raise_to(100).raise_to(200).raise_to(300).raise_to(400)
        assert (game.menu.bet_or_raise is not None) == uncapped


@pytest.mark.parametrize("house", HOUSES)
def test_nobody_shows_when_all_fold_in_round_one(house: str) -> None:
    """Section 4, "show and muck": with ask to show off, the default, the hand ends at once."""
    game = fold_out(fixed(house, [RICH] * 3).start())
    assert shows(game) == []
    assert game.table.hand is None
