"""Faults of other engines, section H: pot limit and fixed limit.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind. A, B, C are the first, second and third to act on the flop.
"""

from __future__ import annotations

import pytest

from engine.poker.money import Chips
from engine.rulebooks.rulebook import PotLimitShortBlinds
from engine.table.events import Called, Raised, WentAllIn
from tests.engine.table.game import Game, unraked
from tests.engine.table.play import close_round, reach

P1, P2, P3 = range(3)
A, B, C = range(3)


def most(game: Game) -> Chips:
    """Return the largest bet or raise of the player to act."""
    assert game.menu.bet_or_raise is not None
    return game.menu.bet_or_raise.maximum


def test_pot_limit_counts_all_bets() -> None:
    """FAULT-100: the first raise goes to 35 at most, and after it the next to 35 + (5 + 10 + 35 + 35)."""
    game = unraked([1000, 1000, 1000, 1000], limit="pot_limit", blinds=(5, 10)).start()
    assert most(game) == 35
    assert most(game.raise_to(35)) == 120


def test_a_pot_sized_raise_counts_the_call() -> None:
    """FAULT-101: three times the last bet and the pot before it: over 7 into 15 to 36."""
    game = reach(unraked([1000, 1000, 1000], limit="pot_limit", blinds=(2, 5)).start(), 1)
    assert game.hand.pot == 15
    assert most(game.raise_to(7)) == 36


@pytest.mark.parametrize(("rule", "maximum"), [("as_posted", 310), ("as_full", 350)])
def test_a_short_big_blind_at_pot_limit(rule: PotLimitShortBlinds, maximum: Chips) -> None:
    """FAULT-103: with 60 of 100 posted a call is 100; real chips allow 310, blinds taken as full 350; never 230."""
    rules = {"betting.pot_limit_short_blinds": rule}
    game = unraked([1000, 60, 1000], limit="pot_limit", blinds=(50, 100), rules=rules).start()
    assert (game.to_act, game.options) == (P3, {"fold", "call 100", f"raise 200..{maximum}"})


def fixed_limit(stacks: list[Chips], bets: tuple[Chips, Chips] = (10, 20), **rules: object) -> Game:
    """Start a hand at fixed limit with some rules set for this table."""
    named = {f"betting.{rule}": value for rule, value in rules.items()}
    return unraked(stacks, limit="fixed_limit", bets=bets, rules=named).start()


def climb(game: Game) -> list[Chips]:
    """Bet and raise until no raise is allowed; return where each went, then let the street end."""
    levels: list[Chips] = []
    while len(levels) < 10 and game.menu.bet_or_raise is not None:
        levels.append(most(game))
        game.raise_to(levels[-1])
    close_round(game)
    return levels


def test_the_big_blind_is_the_first_of_four_bets() -> None:
    """FAULT-104: 10, 20, 30, 40 before the flop, with the blind as the first; then as many bets on each street."""
    game = fixed_limit([1000, 1000])
    assert [climb(game) for _ in range(3)] == [[20, 30, 40], [10, 20, 30, 40], [20, 40, 60, 80]]


def test_after_the_cap_one_calls_or_folds() -> None:
    """FAULT-104: the fourth bet cannot be raised."""
    game = fixed_limit([1000, 1000, 1000]).raise_to(20).raise_to(30).raise_to(40)
    assert game.options == {"fold", "call 20"}
    game.refuses(game.raising(50), "RAISE_CAPPED")


def test_an_all_in_of_half_a_bet_counts_as_a_raise() -> None:
    """FAULT-106: over 10, an all-in to 16 counts as 20, and the bettor may raise to 30."""
    game = reach(fixed_limit([1000, 26, 1000]), 1).raise_to(10).raise_to(16)
    assert game.events == (Raised(B, 16, 16, full=True), WentAllIn(B))
    game.call()
    assert (game.to_act, game.options) == (A, {"fold", "call 6", "raise 30..30"})


def test_an_all_in_of_less_than_half_a_bet_is_no_raise() -> None:
    """FAULT-106: over 10, an all-in to 14 may be completed to 20 by one yet to act, and by nobody else be raised."""
    game = reach(fixed_limit([1000, 24, 1000]), 1).raise_to(10).raise_to(14)
    assert (game.to_act, game.options) == (C, {"fold", "call 14", "raise 20..20"})
    game.call()
    assert (game.to_act, game.options) == (A, {"fold", "call 4"})


def test_an_opening_all_in_of_half_a_bet_counts_as_a_bet() -> None:
    """FAULT-106: 850 at a unit of 1600 counts as 1600 and is raised to 3200."""
    game = reach(fixed_limit([1650, 10_000, 10_000], (800, 1600)), 2).raise_to(850)
    assert (game.to_act, game.options) == (B, {"fold", "call 850", "raise 3200..3200"})


def test_an_all_in_below_the_bet_lowers_nothing() -> None:
    """FAULT-107: at fixed limit a stack of 150 facing 200 puts in 150 as a call, and the bet stays 200."""
    game = reach(fixed_limit([1000, 350, 1000], (200, 400)), 1).raise_to(200).all_in()
    assert game.events == (Called(B, 150), WentAllIn(B))
    assert (game.hand.betting.current_bet, game.menu.call) == (200, 200)


def test_two_players_may_raise_without_end_where_the_house_says_so() -> None:
    """FAULT-109: with `uncapped_heads_up` a fifth bet, and a sixth, is accepted."""
    game = fixed_limit([1000, 1000], uncapped_heads_up=True)
    game.raise_to(20).raise_to(30).raise_to(40).raise_to(50)
    assert game.options == {"fold", "call 10", "raise 60..60"}


def test_the_cap_stays_when_three_become_two_in_a_round() -> None:
    """FAULT-109: whether a round is capped is decided at its start; the next round of two is not."""
    game = fixed_limit([1000, 1000, 1000], uncapped_heads_up=True).fold()
    assert climb(game) == [20, 30, 40]
    assert len(climb(game)) == 10
