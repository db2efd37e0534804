"""Faults of other engines, section I: tournaments, seats, connections, and the service as far as the engine carries it.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind.
"""

from __future__ import annotations

import pytest

from engine.poker.deck import Deck
from engine.poker.money import CHIPS_MAX
from engine.poker.shuffle import SEED_BYTES
from engine.table.commands import Call, Check, Fold, Leave, RequestTopUp, ReserveSeat, SeatEntry, StartHand
from engine.table.events import (
    BlindPosted,
    Called,
    Checked,
    ChipsReturned,
    Folded,
    HandEnded,
    HandStarted,
    LeaveRequested,
    PlayerSatOut,
    PotAwarded,
    TableEvent,
    UncalledBetReturned,
    WentAllIn,
)
from engine.table.state import next_hand_id
from tests.engine.table.game import tournament, unraked
from tests.engine.table.play import check_down, dealt, leave, pots, reach, run_out, said

P1, P2, P3 = range(3)
IMPOSSIBLE = [-5, 0, CHIPS_MAX + 1]


def test_a_tournament_player_sits_once() -> None:
    """FAULT-110: whoever plays here can neither leave with his chips nor be seated a second time."""
    game = tournament("modern", [1000, 1000], seats=6)
    game.refuses(Leave("p0"), "LEAVE_NOT_ALLOWED")
    game.do(SeatEntry("p0", 9, 4, 1000, "t9"))
    assert [occupant.entry for occupant in game.table.seats if occupant is not None] == [1, 2]
    assert game.last(ChipsReturned).amount == 1000


def test_who_leaves_off_turn_is_folded_on_his_turn() -> None:
    """FAULT-112: p3 leaves while p1 is to act; when p3 is due he is folded, and the hand goes on."""
    game = reach(unraked([1000, 1000, 1000]).start(), 1)
    leave(game, P3)
    assert (game.last(LeaveRequested).seat, game.to_act) == (P3, P1)
    game.check().check()
    assert game.events[:2] == (Checked(P2), Folded(P3, "left"))
    assert (game.hand.street, game.to_act) == (2, P1)


def test_a_fold_sent_three_times_folds_once() -> None:
    """FAULT-113: an action names its turn, so what is repeated is refused: one end of the hand, one payout."""
    game = unraked([1000, 1000]).start()
    fold = game.command(Fold)
    game.do(fold)
    game.refuses(fold, "HAND_NOT_IN_PROGRESS")
    game.start()
    game.refuses(fold, "STALE_TURN")
    assert len(game.all(HandEnded)) == len(game.all(PotAwarded)) == 1
    assert game.last(HandEnded).stacks == (1050, 950)


@pytest.mark.parametrize("repeated", [Fold, Check, Call])
def test_no_action_counts_twice_in_a_hand(repeated: type[Fold | Check | Call]) -> None:
    """FAULT-113: an action that is repeated when the next player is to act, or the next street, is refused."""
    game = reach(unraked([1000, 1000, 1000, 1000]).start(), 1)
    if repeated is Call:
        game.raise_to(100)
    action = game.command(repeated)
    game.do(action)
    game.refuses(action, "STALE_TURN")
    reach(game, 2)
    game.refuses(action, "STALE_TURN")


@pytest.mark.parametrize("amount", IMPOSSIBLE)
def test_an_impossible_amount_is_no_raise(amount: int) -> None:
    """FAULT-115: a raise to less than one chip, or to more than 2^63 - 1, is an invalid argument."""
    game = unraked([1000, 1000]).start()
    assert game.refuses(game.raising(amount), "FIELD_INVALID").metadata == {"field": "raise_to"}


@pytest.mark.parametrize("amount", IMPOSSIBLE)
def test_an_impossible_amount_buys_nothing(amount: int) -> None:
    """FAULT-115: nor is it a buy-in, a top-up, or the chips of a tournament entry."""
    game = unraked([5000, 5000], seats=6)
    game.refuses(ReserveSeat("p4", 4, amount), "FIELD_INVALID")
    game.refuses(RequestTopUp("p0", amount), "FIELD_INVALID")
    game.refuses(SeatEntry("p4", 5, 4, amount, "t4"), "FIELD_INVALID")


def test_the_largest_amounts_do_not_overflow() -> None:
    """FAULT-115: 2^63 - 1 is a number like any other: too much for a raise, and a stack that can be all-in."""
    game = unraked([CHIPS_MAX - 1000, 1000]).start()
    game.refuses(game.raising(CHIPS_MAX), "BET_ABOVE_MAXIMUM")
    game.call().all_in().call()
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(P1, CHIPS_MAX - 2000)]
    assert pots(game) == [(2000, (P1, P2))]


def test_who_has_no_chips_is_not_dealt_in() -> None:
    """FAULT-116: a player who lost all sits out, posts nothing and gets no cards."""
    game = unraked([1000, 1000, 100]).start(hands={P1: "AsAh", P2: "KsKh", P3: "2c7d"}, board="Qd9d8h4s3s")
    check_down(game)
    assert said(game, PlayerSatOut) == [PlayerSatOut(P3, "no_chips")]
    game.start()
    assert sorted(dealt(game)) == [P1, P2]
    assert {post.seat for post in said(game, BlindPosted)} == {P1, P2}


def test_a_blind_that_was_posted_stays_when_its_poster_leaves() -> None:
    """FAULT-119: the small blind leaves at once; his 50 stay in the pot of 150, he is folded, the hand goes on."""
    game = leave(unraked([1000, 1000, 1000]).start(), P1)
    assert (game.hand.pot, game.to_act) == (150, P3)
    game.call()
    assert game.events == (Called(P3, 100), Folded(P1, "left"))
    assert (game.hand.pot, game.to_act) == (250, P2)
    check_down(game)
    assert pots(game) == [(250, (P2, P3))]


@pytest.mark.parametrize("word", ["call", "raise"])
def test_all_in_below_the_bet_is_a_call(word: str) -> None:
    """FAULT-121: 198 all-in against 280 is a call of 198, whatever it was called; 82 come back."""
    game = reach(unraked([1000, 298]).start(), 1).raise_to(280)
    game.call() if word == "call" else game.all_in()
    assert game.events[:2] == (Called(P2, 198), WentAllIn(P2))
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(P1, 82)]


def test_a_missed_turn_checks_when_that_is_free() -> None:
    """FAULT-122: the big blind lets his option run out, and the flop is dealt."""
    game = run_out(unraked([1000, 1000, 1000]).start().call().call())
    assert said(game, Checked) == [Checked(P2, "timeout")]
    assert game.hand.street == 1


def test_a_missed_turn_folds_to_a_bet() -> None:
    """FAULT-122: facing a bet it is a fold, and the turn goes on to the next."""
    game = run_out(unraked([1000, 1000, 1000]).start().raise_to(300))
    assert said(game, Folded) == [Folded(P1, "timeout")]
    assert game.to_act == P2


def test_the_turn_does_not_come_back_for_ever() -> None:
    """FAULT-122: a cash player who missed his turn sits out after the hand."""
    game = check_down(run_out(unraked([1000, 1000, 1000]).start().raise_to(300)))
    assert said(game, PlayerSatOut) == [PlayerSatOut(P1, "timeout")]
    assert P1 not in dealt(game.start())


def test_nothing_public_before_the_flop_depends_on_the_deck() -> None:
    """FAULT-124: two seeds at one table make the same start but for the root, so no public field leads to a deck."""

    def start(seed: bytes) -> tuple[list[TableEvent], bytes]:
        game = unraked([1000, 1000, 1000])
        game.do(StartHand(), Deck.from_seed(seed, next_hand_id(game.table)))
        (started,) = said(game, HandStarted)
        return [event for event in game.events if event is not started], started.deck_root

    one, other = start(bytes(SEED_BYTES)), start(bytes([1] * SEED_BYTES))
    assert one[0] == other[0]
    assert one[1] != other[1]


@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_a_stack_below_the_big_blind_plays_on(kind: str) -> None:
    """FAULT-127: 30 of a big blind of 100 is posted all-in, dealt in, and may win 30 from each."""
    game = unraked([1000, 30, 1000], kind=kind)
    game.start(hands={P1: "KsKh", P2: "AsAh", P3: "2c7d"}, board="Qd9d8h4s3s")
    assert said(game, WentAllIn) == [WentAllIn(P2)]
    check_down(game)
    assert pots(game) == [(90, (P1, P2, P3)), (140, (P1, P3))]
    assert game.last(HandEnded).stacks == (1040, 90, 900)
