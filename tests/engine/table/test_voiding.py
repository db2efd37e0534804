"""Voiding a hand: stacks, positions, owed blinds and rake are as if it had not begun (R-AKP-31, R-AKP-32)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.commands import GrantProtection, HaltTable, QueueChips, RequestTopUp, SitOut, SweepRake, VoidHand
from engine.table.events import (
    BlindMissed,
    ChipsAdded,
    HandEnded,
    HandVoided,
    PlayerLeft,
    PlayerSatOut,
    RakeSwept,
    TopUpReserved,
)
from engine.table.state import Occupant, occupant_at
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import (
    check_down,
    dealt,
    fold_out,
    grant,
    join,
    leave,
    lose,
    places,
    play_on,
    posts,
    prefer,
    refuse,
    run_out,
    said,
    sit_in,
    sit_out,
)

RICH = 10_000
AT_ONCE = {"protection.trigger": "at_once"}


def void(game: Game) -> Game:
    """Void the hand in progress."""
    return game.do(VoidHand(game.hand.setup.hand_id, "a fault of ours", "operator"))


def akpoker(players: int = 3, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a 1/2 table; seat 0 has the button."""
    return cash("akpoker", [RICH] * players, blinds=(100, 200), **terms)


def owes(game: Game, seat: int) -> tuple[bool, bool, bool, bool]:
    """Return what a player owes: newcomer, missed small, missed big, button passed since."""
    occupant: Occupant = occupant_at(game.table, seat)
    return occupant.newcomer, occupant.missed_small, occupant.missed_big, occupant.button_passed


# Stacks.


@pytest.mark.parametrize("unit", ["USD", "USD/play"])
def test_every_player_has_what_he_began_with(unit: str) -> None:
    """R-AKP-31, R-AKP-32, G-AKP-C8: A began with 100 and has 20 in, B with 250: 100 and 250, for play money too."""
    game = cash("akpoker", [10_000, 25_000], blinds=(100, 200), unit=unit).start().raise_to(2000).call()
    assert game.stacks == [8000, 23_000]
    void(game)
    (voided,) = game.events
    assert isinstance(voided, HandVoided)
    assert dict(zip(voided.seats, voided.stacks, strict=True)) == {0: 10_000, 1: 25_000}
    assert (voided.hand_id, voided.cause, voided.by) == ("T1-1", "a fault of ours", "operator")
    assert game.stacks == [10_000, 25_000]


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_on_every_street_no_chip_is_lost(street: int) -> None:
    """R-AKP-31, AMB-13: the sum of the refunds is the sum of the stacks at the start of the hand."""
    game = akpoker().start().raise_to(600).call().call()
    while game.hand.street < street:
        game.raise_to(300).call().call()
    assert void(game).stacks == [RICH] * 3


def test_an_all_in_player_of_a_void_hand_is_still_in() -> None:
    """AMB-12: someone all-in in the voided hand has lost nothing."""
    game = tournament("akpoker", [RICH, 1000, RICH]).start().call().all_in()
    assert void(game).stacks == [RICH, 1000, RICH]
    assert 1 in dealt(game.start())


def test_a_hand_ends_once() -> None:
    """Exactly one `HandEnded` or `HandVoided` per hand, and no event of the hand after it."""
    game = void(akpoker().start().call())
    game.refuses(VoidHand("T1-1", "again", "operator"), "HAND_NOT_IN_PROGRESS")
    assert game.all(HandEnded) == []


def test_a_hand_that_has_ended_is_not_voided() -> None:
    """`rulebooks.md` section 4: a hand that has ended is never voided."""
    fold_out(akpoker().start()).refuses(VoidHand("T1-1", "fault", "operator"), "HAND_NOT_IN_PROGRESS")


def test_only_the_hand_that_was_meant_is_voided() -> None:
    """T-IDEM-7: a late order does not void the next hand."""
    play_on(akpoker()).start().refuses(VoidHand("T1-1", "fault", "operator"), "STALE_TURN")


@pytest.mark.parametrize(
    ("command", "field"), [(VoidHand("T1-1", "", "operator"), "cause"), (VoidHand("T1-1", "fault", ""), "by")]
)
def test_a_void_hand_has_a_cause_and_a_name(command: VoidHand, field: str) -> None:
    """`operations.md` 7b.3, 7b.6: why, and by whose order; the refusal says which is missing."""
    assert akpoker().start().refuses(command, "FIELD_INVALID").metadata == {"field": field}


def test_a_halted_hand_is_voided() -> None:
    """That is what an operator halts a table for."""
    assert void(akpoker().start().do(HaltTable("a fault of ours"))).table.hand is None


# Positions.


@pytest.mark.parametrize("before", [0, 1, 2])
def test_the_next_hand_has_the_same_positions(before: int) -> None:
    """`rulebooks.md` section 4: button and blinds are as if the void hand had not begun."""
    game = play_on(akpoker(), before).start()
    first = places(game)
    assert places(void(game).start()) == first


def test_the_next_hand_has_the_same_positions_with_a_dead_button() -> None:
    """`rulebooks.md` section 4: the same in a tournament."""
    game = play_on(tournament("modern", [RICH] * 4), 2).start()
    first = places(game)
    assert places(void(game).start()) == first


def test_hand_ids_are_not_used_again() -> None:
    """The void hand keeps its id and number."""
    game = void(akpoker().start()).start()
    assert (game.hand.setup.hand_id, game.hand.setup.number) == ("T1-2", 2)


# Owed blinds.


def test_a_newcomer_who_posted_owes_his_post_again() -> None:
    """`rulebooks.md` section 4: entry posts are as if the hand had not begun."""
    game = join(play_on(cash("akpoker", [RICH, RICH, RICH, None], button=2)), 3, plan="post").start()
    first = posts(game)
    assert (3, 100, "entry") in first
    assert posts(void(game).start()) == first


def test_who_paid_what_he_missed_owes_it_again() -> None:
    """`rulebooks.md` section 4: blinds owed are as if the hand had not begun."""
    game = sit_in(play_on(sit_out(play_on(cash("modern", [RICH] * 6, button=5)), 2), 2), 2, "post").start()
    first = posts(game)
    assert first[2:] == [(2, 100, "entry"), (2, 50, "dead")]
    assert posts(void(game).start()) == first


@pytest.mark.parametrize("hand", [10, 11, 12])
def test_what_was_missed_in_a_void_hand_is_not_missed(hand: int) -> None:
    """`rulebooks.md` section 4, G-AKP-7: blinds missed, and the button that passed, are taken back."""
    game = play_on(sit_out(play_on(akpoker(6, button=5)), 2), hand - 10)
    before = owes(game, 2)
    game.start()
    assert owes(game, 2) != before
    assert owes(void(game), 2) == before


def test_what_is_missed_again_is_recorded_again() -> None:
    """`rulebooks.md` section 4: the next hand passes the same players."""
    game = void(sit_out(play_on(akpoker(6, button=5)), 2).start())
    assert said(game.start(), BlindMissed) == [BlindMissed(2, "big")]


def test_who_came_during_the_hand_is_a_newcomer_still() -> None:
    """`rulebooks.md` section 4: the void hand was none of his."""
    game = void(join(play_on(cash("akpoker", [RICH, RICH, None])).start(), 2))
    assert owes(game, 2) == (True, False, False, False)


def test_who_went_during_the_hand_is_gone() -> None:
    """R-AKP-21: a seat that was given up stays empty."""
    game = void(leave(sit_out(akpoker(), 1).start(), 1))
    assert game.table.seats[1] is None


def test_who_went_and_came_back_is_a_newcomer() -> None:
    """`rulebooks.md` section 4: what his former self had missed is not brought back."""
    game = play_on(sit_out(play_on(akpoker(6, button=5)), 2)).start()
    assert owes(void(join(leave(game, 2), 2)), 2) == (True, False, False, False)


# Rake, protections, time.


def at_the_question() -> Game:
    """Return a raked hand in which the loser is asked to show: 20 of rake are taken, the pot is awarded."""
    game = prefer(cash("modern", [RICH] * 2, blinds=(100, 200)), 0, auto_muck=False)
    return check_down(game.start({0: "2s3d", 1: "AsAd"}, "KcKdQh9s7s"))


def test_a_void_hand_pays_no_rake() -> None:
    """`rulebooks.md` section 4, AMB-13: rake 0: what was taken is not held any more."""
    game = at_the_question()
    assert game.table.desk.rake_held == 20
    assert void(game).last(HandVoided).rake == 20
    assert (game.table.desk.rake_held, game.stacks) == (0, [RICH, RICH])


def test_who_has_won_already_gives_it_back() -> None:
    """R-AKP-31: the event carries what moves: 200 back to the loser, 180 back from the winner, 20 of rake."""
    voided = void(at_the_question()).last(HandVoided)
    assert dict(zip(voided.seats, voided.refunds, strict=True)) == {0: 200, 1: -180}
    assert sum(voided.refunds) == voided.rake == 20


def test_the_rake_of_a_running_hand_is_not_swept() -> None:
    """AMB-13: it may still go back; what other hands paid is swept."""
    game = at_the_question()
    assert game.do(SweepRake()).events == ()
    void(game)
    assert game.do(SweepRake()).all(RakeSwept) == []
    assert game.table.desk.rake_held == 0


def test_what_other_hands_paid_stays() -> None:
    """AMB-13: only the void hand's rake goes back."""
    game = prefer(check_down(cash("modern", [RICH] * 2, blinds=(100, 200)).start()), 1, auto_muck=False)
    check_down(game.start({1: "2s3d", 0: "AsAd"}, "KcKdQh9s7s"))
    assert [event.amount for event in game.do(SweepRake()).all(RakeSwept)] == [20]
    assert void(game).table.desk.rake_held == 0


@pytest.mark.parametrize("answer", ["granted", "refused", "under way"])
def test_protections_are_given_back(answer: str) -> None:
    """`rulebooks.md` section 4: `HandVoided` names every player of whom one was asked in the hand, once."""
    game = lose(akpoker(4, rules=AT_ONCE).start(), 1)
    if answer == "granted":
        grant(game, 1)
    if answer == "refused":
        refuse(game, 1)
    assert void(game).last(HandVoided).protected == ("p1",)


def test_an_outage_of_the_house_gives_nothing_back() -> None:
    """AMB-33: no use was counted."""
    game = run_out(lose(akpoker().start().raise_to(600), 1, house_fault=True))
    assert void(game).last(HandVoided).protected == ()


def test_an_answer_to_a_void_hand_comes_too_late() -> None:
    """`rulebooks.md` section 4: the request died with the hand; the account gets its use back by `HandVoided`."""
    game = void(run_out(lose(akpoker().start().raise_to(600), 1)))
    game.refuses(GrantProtection("p1", "T1-1"), "HAND_NOT_IN_PROGRESS")


def test_time_bank_used_stays_used() -> None:
    """`rulebooks.md` section 4: time does not come back."""
    game = void(cash("modern", [RICH] * 3).start().call().wait(seconds=40).call())
    assert occupant_at(game.table, 1).bank_ms == 25_000


def test_a_void_hand_does_not_count_for_the_time_bank() -> None:
    """R-MOD-9: it was not dealt."""
    game = void(play_on(cash("modern", [RICH] * 3), 9).start())
    assert occupant_at(game.table, 1).bank_ms == 30_000


# What waited for the end of the hand.


def test_who_wished_to_leave_goes_with_his_first_stack() -> None:
    """AMB-51, R-AKP-31: voiding ends the hand, and he leaves with what he began it with."""
    game = void(leave(akpoker().start().raise_to(600).call(), 1))
    assert game.last(PlayerLeft).amount == RICH


def test_who_wished_to_sit_out_sits_out() -> None:
    """O-5: after this hand, however it ends."""
    assert void(akpoker().start().do(SitOut("p1", "next_hand"))).last(PlayerSatOut) == PlayerSatOut(1, "player")


def test_queued_chips_come_into_play() -> None:
    """O-9: between hands, however the last one ended."""
    game = akpoker().start().do(RequestTopUp("p1", 500))
    void(game.do(QueueChips("p1", 500, game.last(TopUpReserved).transfer_id)))
    assert game.last(ChipsAdded) == ChipsAdded(1, 500)
    assert game.stacks[1] == RICH + 500
