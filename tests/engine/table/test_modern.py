"""The modern rulebook at the table: heads-up, pot limit, missed blinds, odd chips, showdown, reopening, buy-ins."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.commands import ReserveSeat
from engine.table.events import PotAwarded, SeatReserved
from tests.engine.table.game import Game, cash, open_table, unraked
from tests.engine.table.play import (
    bets,
    check_down,
    dealt,
    fixed,
    owed,
    play_on,
    posts,
    reach,
    said,
    shows,
    sit_in,
    sit_out,
)

RICH = 100_000
ROYAL = "AsKsQsJsTs"
"""On this board everybody ties."""


def modern(players: int, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a 100/200 table; seat 0 has the button."""
    return cash("modern", [RICH] * players, blinds=(100, 200), **terms)


def test_heads_up_the_dealer_posts_the_small_blind() -> None:
    """R-MOD-1, G-MOD-1: A posts 100, B 200; first card to B; A opens round 1, B all others."""
    game = modern(2).start()
    assert posts(game) == [(0, 100, "small"), (1, 200, "big")]
    assert dealt(game) == (1, 0)
    assert [game.to_act, *(reach(game, street).to_act for street in (1, 2, 3))] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("house", "big_blind_stack", "most"),
    [("modern", RICH, 700), ("modern", 100, 700), ("planet", 100, 600), ("akpoker", 100, 400)],
)
def test_pot_limit_is_measured_after_the_call(house: str, big_blind_stack: int, most: int) -> None:
    """R-MOD-2, G-MOD-13: first to act may raise to 700, a short big blind counted as full; elsewhere as posted."""
    game = cash(house, [RICH, RICH, big_blind_stack, RICH], limit="pot_limit", blinds=(100, 200)).start()
    offer = game.menu.bet_or_raise
    assert offer is not None
    assert offer.maximum == most


def test_a_missed_small_blind_is_posted_dead() -> None:
    """R-MOD-4, G-MOD-11: he posts 100 dead, has 0 in, owes 200; the pot before action is 400."""
    game = play_on(sit_out(play_on(modern(5)), 2))
    sit_in(game, 2).start()
    assert posts(game) == [(4, 100, "small"), (0, 200, "big"), (2, 100, "dead")]
    assert (bets(game)[2], owed(game, 2), game.hand.pot) == (0, 200, 400)


def test_both_missed_blinds_are_a_live_and_a_dead_post() -> None:
    """R-MOD-4, G-MOD-11: he posts 200 live and 100 dead and owes nothing; the pot before action is 600."""
    game = play_on(sit_out(play_on(modern(6, button=5)), 2), hands=2)
    sit_in(game, 2).start()
    assert posts(game) == [(4, 100, "small"), (5, 200, "big"), (2, 200, "entry"), (2, 100, "dead")]
    assert (bets(game)[2], owed(game, 2), game.hand.pot) == (200, 0, 600)


@pytest.mark.parametrize(
    ("callers", "raise_to", "award"),
    [
        (4, 33, PotAwarded(0, (1, 3, 0), (34, 34, 33), (1, 1, 0))),
        (5, 2500, PotAwarded(0, (1, 3, 4, 0), (2501, 2501, 2500, 2500), (1, 1, 0, 0))),
    ],
)
def test_odd_chips_go_one_each_from_the_left(callers: int, raise_to: int, award: PotAwarded) -> None:
    """R-MOD-5, G-MOD-7: 101 among three is 34/34/33, 10002 among four 2501/2501/2500/2500, from left of the button."""
    game = cash("modern", [RICH] * callers, blinds=(1, 2), rules={"rake.bps": 0}).start(board=ROYAL)
    game.raise_to(raise_to)
    while game.to_act != 2:
        game.call()
    check_down(game.fold())
    assert said(game, PotAwarded) == [award]


def test_the_last_aggressor_of_the_final_round_shows_first() -> None:
    """R-MOD-6: who bet the river shows first, then clockwise."""
    game = reach(modern(3).start(board=ROYAL), 3).check().raise_to(400)
    assert [seat for seat, _ in shows(check_down(game))] == [2, 0, 1]


def test_without_a_bet_on_the_river_the_left_of_the_button_shows_first() -> None:
    """R-MOD-6: nobody bet in the final round, so the first live seat left of the button begins."""
    game = reach(modern(3).start(board=ROYAL), 2).check().raise_to(400)
    assert [seat for seat, _ in shows(check_down(game))] == [1, 2, 0]


# Short all-ins.


def two_short_all_ins() -> Game:
    """Return the flop of G-MOD-6: A bets 100, B all-in 125, C calls, D all-in 200, E calls; A is to act."""
    game = reach(unraked([RICH, 225, RICH, 300, RICH]).start(), 1)
    return game.raise_to(100).all_in().call().all_in().call()


def test_short_all_ins_that_add_up_reopen_the_betting() -> None:
    """R-MOD-7, G-MOD-6: A faces 100, a full raise: fold, call, or raise to 300 or more."""
    assert two_short_all_ins().options == {"fold", "call 100", "raise 300..99900"}


def test_a_call_keeps_it_closed_to_who_faces_less_than_a_raise() -> None:
    """R-MOD-7, G-MOD-6: if A calls, C faces 75 and may only call or fold."""
    assert two_short_all_ins().call().options == {"fold", "call 75"}


def test_a_full_raise_opens_it_to_everybody() -> None:
    """R-MOD-7, G-MOD-6: if A raises to 300, C may raise to 400 or more."""
    assert "raise 400..99900" in two_short_all_ins().raise_to(300).options


def test_one_short_all_in_does_not_reopen() -> None:
    """R-MOD-7, G-MOD-6: bet 100, call, all-in 130: who has yet to act may raise to 230, the bettor may not."""
    game = reach(unraked([RICH, RICH, 230, RICH]).start(), 1).raise_to(100).call().all_in()
    assert "raise 230..99900" in game.options
    assert game.call().options == {"fold", "call 30"}


@pytest.mark.parametrize(
    ("stack", "options"), [(250, {"fold", "call 50", "raise 300..300"}), (249, {"fold", "call 49"})]
)
def test_half_a_unit_is_a_raise_at_fixed_limit(stack: int, options: set[str]) -> None:
    """R-MOD-7: an all-in of half a unit or more counts as a raise and reopens; less is only action."""
    game = reach(fixed("modern", [RICH, RICH, stack], button=2).start(), 1)
    game.raise_to(100).call().all_in()
    assert game.options == options


# Buy-ins.


@pytest.mark.parametrize(
    ("limit", "amount", "reason"),
    [
        ("no_limit", 7999, "BUYIN_BELOW_MINIMUM"),
        ("no_limit", 8000, ""),
        ("no_limit", 20_000, ""),
        ("no_limit", 20_001, "BUYIN_ABOVE_MAXIMUM"),
        ("pot_limit", 7999, "BUYIN_BELOW_MINIMUM"),
        ("pot_limit", 20_001, "BUYIN_ABOVE_MAXIMUM"),
        ("fixed_limit", 1999, "BUYIN_BELOW_MINIMUM"),
        ("fixed_limit", 2000, ""),
        ("fixed_limit", 10**12, ""),
    ],
)
def test_buyins(limit: Any, amount: int, reason: str) -> None:  # noqa: ANN401 - a literal.
    """R-MOD-13, G-MOD-12: 40 to 100 big blinds; at fixed limit 10 big bets and no maximum."""
    game = open_table("modern", limit=limit, blinds=(100, 200), bets=(100, 200) if limit == "fixed_limit" else None)
    if reason:
        game.refuses(ReserveSeat("p0", 0, amount), reason)
    else:
        assert game.do(ReserveSeat("p0", 0, amount)).last(SeatReserved).amount == amount
