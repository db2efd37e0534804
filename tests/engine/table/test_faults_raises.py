"""Faults of other engines, section A: the least raise, and when betting is reopened.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind. A, B, C are the first, second and third to act on the flop.
"""

from __future__ import annotations

import pytest

from engine.table.events import Called, HandEnded, Raised, UncalledBetReturned, WentAllIn
from tests.engine.table.game import unraked
from tests.engine.table.play import pots, reach

P1, P2, P3, P4 = range(4)
A, B, C, D = range(4)


@pytest.mark.parametrize("p3", [16, 200])
def test_a_full_all_in_is_no_part_of_the_short_ones(p3: int) -> None:
    """FAULT-1: a full raise to 16 starts anew; the all-in to 19 is 3 more and reopens nothing to the caller."""
    game = unraked([19, 200, p3, 200], blinds=(1, 2)).start()
    game.raise_to(16).call().raise_to(19).call()
    if game.to_act == P3:
        assert game.options == {"fold", "call 3"}
        game.call()
    assert game.to_act == P4
    assert game.options == {"fold", "call 3"}


def test_an_all_in_a_little_over_the_big_blind_reopens_nothing_to_a_limper() -> None:
    """FAULT-2: the big blind is the bet to measure against, and 68 more is less than it; he who has it may raise."""
    game = unraked([168, 10_000, 28_275]).start()
    game.call().raise_to(168)
    assert (game.to_act, game.options) == (P2, {"fold", "call 68", "raise 268..10000"})
    game.call()
    assert (game.to_act, game.options) == (P3, {"fold", "call 68"})


def test_short_all_ins_that_together_make_a_full_raise_reopen() -> None:
    """FAULT-4: who faces at least the last full bet may raise again, by a full bet over the current one."""
    game = reach(unraked([1000, 260, 320, 1000]).start(), 1)
    game.raise_to(100).raise_to(160).raise_to(220).call()
    assert (game.to_act, game.options) == (A, {"fold", "call 120", "raise 320..900"})


def test_a_short_all_in_does_not_shrink_the_least_raise() -> None:
    """FAULT-5: within a street the increment never shrinks: 350 + 200, not 400."""
    game = reach(unraked([1000, 1000, 450, 1000]).start(), 1)
    game.raise_to(100).raise_to(300).raise_to(350)
    assert (game.to_act, game.options) == (D, {"fold", "call 350", "raise 550..900"})


def test_a_stack_between_call_and_least_raise_may_go_all_in() -> None:
    """FAULT-7: all-in for less than a full raise is legal when it exceeds the call, and is flagged as not full."""
    game = unraked([1000, 1000, 150]).start()
    assert game.options == {"fold", "call 100", "raise 150..150"}
    game.raise_to(150)
    assert game.events == (Raised(P3, 150, 150, full=False), WentAllIn(P3))


def test_the_least_raise_has_one_exception() -> None:
    """FAULT-8: facing 300, a stack of 420 may raise to 420, all of it, and not to 410."""
    game = unraked([420, 1000, 1000]).start().raise_to(300)
    refusal = game.refuses(game.raising(410), "BET_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": 420, "maximum": 420}
    assert game.raise_to(420).last(Raised) == Raised(P1, 370, 420, full=False)


def test_the_least_raise_asks_nobody_elses_stack() -> None:
    """FAULT-10: the least raise follows from the bets, though the opponent has only 200; the excess comes back."""
    game = unraked([200, 1000], blinds=(10, 20)).start()
    game.raise_to(100).raise_to(180)
    assert game.options == {"fold", "call 80", "raise 260..1000"}
    game.raise_to(260).call()
    assert game.last(UncalledBetReturned) == UncalledBetReturned(P2, 60)
    assert pots(game) == [(400, (P1, P2))]


def test_the_least_raise_of_a_bet_is_twice_the_bet() -> None:
    """FAULT-11: after an opening bet of one big blind the least raise goes to two, not three."""
    game = reach(unraked([100, 100, 100], blinds=(1, 2)).start(), 1).raise_to(2)
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.minimum == 4


def test_a_raise_smaller_than_the_last_is_refused() -> None:
    """FAULT-13: the increment is at least the last full one: after a raise to 300, to 500 and not to 400."""
    game = unraked([1000, 1000, 1000, 1000]).start().raise_to(300)
    game.refuses(game.raising(400), "BET_BELOW_MINIMUM")
    assert game.raise_to(500).last(Raised) == Raised(P4, 500, 500, full=True)


def test_chips_already_in_front_count_towards_the_raise() -> None:
    """FAULT-14: the big blind raises to 500 at least, and pays 400."""
    game = unraked([1000, 1000, 1000]).start().raise_to(300).fold()
    assert game.options == {"fold", "call 200", "raise 500..1000"}
    assert game.raise_to(500).last(Raised) == Raised(P2, 400, 500, full=True)


def test_a_raise_names_the_total() -> None:
    """FAULT-16: with 50 in, to 300 takes 250; to 50 is below the bet and is never taken as 50 more."""
    game = unraked([1000, 1000, 1000]).start().fold()
    game.refuses(game.raising(50), "BET_BELOW_MINIMUM")
    assert game.raise_to(300).stack(P1) == 700
    assert game.last(Raised) == Raised(P1, 250, 300, full=True)


def test_all_in_over_an_all_in_is_a_call() -> None:
    """FAULT-17: nobody could answer, so the menu has no raise; everything he has is a call, and the rest is no risk."""
    game = unraked([8000, 5000]).start(hands={P1: "2c7d", P2: "AsAh"}, board="KsQd9h8h3c").all_in()
    assert game.options == {"fold", "call 4900"}
    game.all_in()
    assert game.events[0] == Called(P1, 4900)
    assert pots(game) == [(10_000, (P1, P2))]
    assert game.last(HandEnded).stacks == (3000, 10_000)


def test_only_a_full_raise_reopens_the_betting() -> None:
    """FAULT-19: a bet of 100 is called, then all-in to 130: bettor and caller may call the 30 or fold."""
    game = reach(unraked([1000, 1000, 230]).start(), 1)
    game.raise_to(100).call().raise_to(130)
    assert (game.to_act, game.options) == (A, {"fold", "call 30"})
    game.call()
    assert (game.to_act, game.options) == (B, {"fold", "call 30"})
