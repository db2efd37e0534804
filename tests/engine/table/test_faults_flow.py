"""Faults of other engines, section E: the flow of a hand, all-ins, and the run-out of the board.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind.
"""

from __future__ import annotations

from engine.table.events import (
    Called,
    HandEnded,
    HandShown,
    PotAwarded,
    PotSplit,
    Raised,
    StreetDealt,
    WentAllIn,
)
from tests.engine.table.game import Game, unraked
from tests.engine.table.play import board, check_down, dealt, fold_out, join, pots, reach, said

P1, P2, P3, P4 = range(4)


def is_over(game: Game) -> bool:
    """Say whether the hand has ended, once."""
    return game.table.hand is None and len(said(game, HandEnded)) == 1


def test_two_all_ins_are_shown_dealt_and_settled() -> None:
    """FAULT-70: after the call nobody acts any more: both hands face up, flop, turn, river, the pot."""
    game = unraked([1000, 1000]).start(hands={P1: "2c7d", P2: "AsAh"}, board="KsQd9h8h3c").all_in().call()
    assert [type(event) for event in game.events[:9]] == [
        *(Called, WentAllIn, PotSplit, HandShown, HandShown),
        *(StreetDealt, StreetDealt, StreetDealt, PotAwarded),
    ]
    assert is_over(game)


def test_one_with_chips_left_has_nobody_to_bet_against() -> None:
    """FAULT-71: 500 all-in is called with 700 behind, and the board is run out without another question."""
    game = unraked([1200, 500]).start().all_in().call()
    assert is_over(game)
    assert len(board(game)) == 3


def test_a_run_out_is_in_the_history() -> None:
    """FAULT-73: the five cards of the board are dealt by events, though nobody bets."""
    game = unraked([500, 500, 500]).start().all_in().all_in().all_in()
    dealt_cards = [(street.street, len(street.cards)) for street in said(game, StreetDealt)]
    assert dealt_cards == [("flop", 3), ("turn", 1), ("river", 1)]


def test_an_all_in_may_be_raised_and_called() -> None:
    """FAULT-74: p1 all-in for 100 on the flop, p2 raises to 300, p3 calls: play goes on, for two pots."""
    game = reach(unraked([200, 1000, 1000]).start(), 1).all_in().raise_to(300).call()
    assert (game.hand.street, game.to_act) == (2, P2)
    check_down(game)
    assert pots(game) == [(600, (P1, P2, P3)), (400, (P2, P3))]


def test_a_call_with_chips_left_is_not_all_in() -> None:
    """FAULT-76: of 70, a call of 60 leaves 10, and the player can act."""
    game = unraked([1000, 1000, 70], blinds=(30, 60)).start().call()
    assert game.events == (Called(P3, 60),)
    assert game.stack(P3) == 10
    reach(game, 1).check().check()
    assert (game.to_act, game.options) == (P3, {"fold", "check", "bet 10..10"})


def test_two_equal_all_ins_and_a_caller_end_the_betting() -> None:
    """FAULT-77: p1 and p2 all-in for 500, p3 has called and has chips: the board is run out."""
    game = unraked([500, 500, 1000]).start().call().all_in().call().call()
    assert is_over(game)
    assert pots(game) == [(1500, (P1, P2, P3))]


def test_a_fold_to_an_all_in_ends_the_hand() -> None:
    """FAULT-79: the hand is complete, and the next one can start."""
    game = unraked([1000, 1000]).start().all_in().fold()
    assert is_over(game)
    assert game.start().hand.setup.number == 2


def test_the_pot_bounds_no_raise_at_no_limit() -> None:
    """FAULT-80: in a pot of 200, a bet of 100 may be raised to 200, or to all of 5000."""
    game = reach(unraked([5100, 5100]).start(), 1).raise_to(100)
    assert (game.hand.pot, game.options) == (300, {"fold", "call 100", "raise 200..5000"})
    assert game.raise_to(200).last(Raised) == Raised(P2, 200, 200, full=True)


def test_sitting_down_leaves_a_hand_alone() -> None:
    """FAULT-82: who joins on the flop changes nothing in it, waits for the big blind, and is then dealt in."""
    game = reach(unraked([5000, 5000, 5000], seats=6).start(), 1)
    before = game.hand
    join(game, P4, 5000)
    assert game.hand == before
    assert is_over(check_down(game))
    assert P4 not in dealt(fold_out(game.start()))
    assert P4 in dealt(game.start())
