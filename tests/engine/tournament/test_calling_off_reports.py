"""Called off while tables play: what they report is what counts, and all that was decided before is settled first."""

from __future__ import annotations

import pytest

from engine.tournament import commands
from engine.tournament import money_events as money
from engine.tournament import play_events as play
from engine.tournament.calling_off import case_of
from engine.tournament.director import due
from engine.tournament.terms import ChipSale
from tests.engine.tournament.called_off import (
    CANCEL,
    REBUY,
    call_off,
    calling_off,
    down_to,
    in_play,
    paid,
    refund,
    running,
    verify_waits,
)
from tests.engine.tournament.desk import SEED, Desk, registering, started


def chips(desk: Desk) -> dict[int, int]:
    """Return the stacks that count, by entry."""
    return {account.entry: account.chips for account in case_of(desk.state).entries if account.status == "in"}


def test_all_tables_must_report() -> None:
    """`design.md` section 3: the plan is made when the stacks of all open tables are in."""
    desk = running().do(CANCEL).freeze(1).direct()
    verify_waits(desk)
    assert isinstance(due(desk.freeze(2).state, desk.at_ms, SEED), commands.PlanCancellation)


def test_a_broken_table_is_not_asked() -> None:
    """`design.md` section 3: tables that are closed have nobody to report."""
    desk = down_to(started(8, seats=6), 5)
    assert len(desk.state.tables) == 2
    assert len(desk.do(CANCEL).said(money.CancellationRequested)[0].tables) == 1


def test_what_a_table_plays_after_its_report_does_not_count() -> None:
    """AMB-12, I11: an operator has put it back into service; nobody is out, and nobody has other chips."""
    desk = started(4).do(commands.CancelTournament("fire", "ann")).freeze()
    before = desk.state
    assert desk.hand(1, {1: 2}).state == before


def test_the_report_is_what_counts() -> None:
    """AMB-12: stacks as the table reports them, bought chips included, whatever the director knew."""
    desk = down_to(started(4), 3).do(CANCEL)
    numbers = [entry.number for entry in desk.at(1)]
    desk.do(commands.RecordStacks(1, tuple(numbers), (4000, 1500, 500)))
    assert list(chips(desk).values()) == [4000, 1500, 500]


def test_nobody_reports_to_a_tournament_that_is_not_called_off() -> None:
    """`design.md` section 3: a table that an operator has frozen on his own changes nothing here."""
    desk = started(3)
    desk.refuses(commands.RecordStacks(1, (1, 2, 3), (1500, 1500, 1500)), "NOTHING_DUE")


def test_the_hand_in_progress_is_undone() -> None:
    """AMB-12, AMB-13: a void hand changes no stack, and nobody is out who was all-in."""
    desk = down_to(started(4), 3)
    before = chips(desk)
    desk.do(CANCEL).hand(1, voided=True).freeze()
    assert chips(desk) == before
    assert isinstance(due(desk.state, desk.at_ms, SEED), commands.PlanCancellation)


def test_a_hand_that_had_ended_counts() -> None:
    """Rulebooks.md section 4: a hand that has ended is never voided, though its report came late."""
    desk = down_to(started(5), 4).do(CANCEL)
    loser, winner = [entry.number for entry in desk.at(1)][:2]
    desk.hand(1, {loser: winner}).freeze().direct()
    assert desk.entry(loser).status == "out"
    assert loser not in {line.entry for line in calling_off(desk).lines}


def test_busts_just_recorded_are_settled_first() -> None:
    """AMB-12: who lost all chips before is out; the plan is not made before that is said."""
    desk = started(5)
    desk.hand(1, {4: 1, 5: 1}).do(CANCEL).freeze()
    desk.refuses(commands.PlanCancellation(), "NOTHING_DUE")
    assert isinstance(due(desk.state, desk.at_ms, SEED), commands.SettleBusts)
    assert [desk.direct().entry(number).status for number in (1, 2, 3, 4, 5)] == ["seated"] * 3 + ["out"] * 2


def test_prizes_that_are_due_are_paid_first() -> None:
    """AMB-59, I11: the third has won his prize before it was called off; the plan is not made before it is paid."""
    desk = down_to(started(10, "akpoker", seats=10), 3)
    first, second, third = [entry.number for entry in desk.at(1)]
    desk.hand(1, {third: first}).do(CANCEL, commands.SettleBusts()).freeze()
    desk.refuses(commands.PlanCancellation(), "NOTHING_DUE")
    assert isinstance(due(desk.state, desk.at_ms, SEED), commands.PayPrizes)
    refund(desk.direct())
    assert next((event.entry, event.sources.pool) for event in desk.said(money.ObligationPaid)) == (third, 2000)
    assert sum(paid(desk, "buy_in", "chip_share")) == 8000
    assert {first, second} == {line.entry for line in calling_off(desk).lines}


def test_offers_of_rebuys_end() -> None:
    """ADR 13: who has no chips and only thinks about new ones is out."""
    desk = started(5, rebuy=REBUY).hand(1, {5: 1}).direct()
    assert desk.entry(5).offer_ends_ms > desk.at_ms
    call_off(desk)
    assert desk.entry(5).status == "out"


def test_a_rebuy_on_its_way_comes_too_late() -> None:
    """ADR 13: money for a rebuy that arrives after the cancellation goes back, and then its owner is out."""
    desk = started(5, rebuy=REBUY).hand(1, {5: 1}).direct().do(commands.Rebuy("p5"), CANCEL).freeze().direct()
    verify_waits(desk)
    assert desk.entry(5).status == "busted"
    desk.pay().direct()
    assert [event.purpose for event in desk.said(money.PaymentReturned)] == ["rebuy"]
    assert (desk.entry(5).status, len(case_of(desk.state).survivors)) == ("out", 4)


def test_who_has_bought_in_time_is_in() -> None:
    """AMB-11, AMB-12: the rebuy is paid: its chips count, though no seat was given yet, and its price comes back."""
    desk = started(6, "akpoker", rebuy=REBUY).hand(1, {3: 1, 4: 1, 5: 1, 6: 1}).direct()
    call_off(desk.do(commands.Rebuy("p6")).pay())
    assert desk.entry(6).status == "waiting"
    assert chips(desk) == {1: 7500, 2: 1500, 6: 1500}
    assert paid(refund(desk), "buy_in") == [1000, 1000, 2000]


def test_chips_that_were_bought_in_mid_hand_count() -> None:
    """AMB-12: chips that the director has not given out yet are their owner's."""
    sale = ChipSale(1000, 0, 2000)
    desk = down_to(started(4, add_on=sale), 3)
    buyer = desk.at(1)[0]
    call_off(desk.do(commands.AddOn(buyer.player)).pay())
    assert chips(desk)[buyer.number] == buyer.chips + 2000


def test_chips_on_their_way_to_a_seat_count_once() -> None:
    """AMB-12: issued chips reach the table before the order to stand still; its report holds them."""
    desk = down_to(started(4, add_on=ChipSale(1000, 0, 2000)), 3)
    buyer = desk.at(1)[0]
    desk.do(commands.AddOn(buyer.player)).pay().hand(1).direct()
    assert [event.amount for event in desk.said(play.ChipsIssued)] == [2000]
    call_off(desk)
    assert chips(desk)[buyer.number] == buyer.chips + 2000


def test_who_is_moving_counts_and_is_not_seated_any_more() -> None:
    """O-33, AMB-12: a moving entry arrives with its chips after the cancellation; the director keeps them."""
    desk = started(12, seats=6)
    table = in_play(desk)[0].number
    first, *losers = [entry.number for entry in desk.at(table)]
    desk.hand(table, dict.fromkeys(losers[:3], first)).direct().hand(3 - table).direct()
    (move,) = desk.said(play.MoveOrdered)
    desk.do(CANCEL).arrive(move.entry)
    assert not any(isinstance(event, play.EntrySeated) for event in desk.events)
    desk.freeze()
    assert chips(desk)[move.entry] == 1500
    assert sum(chips(desk).values()) == 12 * 1500
    assert isinstance(due(desk.state, desk.at_ms, SEED), commands.PlanCancellation)


def test_who_is_taken_off_a_table_before_it_reports_is_out() -> None:
    """R-AKP-33: who was removed before the tables stood still is no survivor."""
    desk = started(4, "akpoker").do(CANCEL)
    entry = desk.entry(4)
    desk.do(commands.ReceiveEntry(4, 1, entry.chips, "x", "removed", entry.luggage)).freeze().direct()
    assert [line.entry for line in calling_off(desk).lines if line.reason == "buy_in"] == [1, 2, 3]


def test_who_is_taken_off_a_frozen_table_has_his_share() -> None:
    """T-IDEM-8, AMB-12: what the table has reported counts; leaving it later pays nothing twice and takes nothing."""
    desk = call_off(down_to(started(4, "akpoker", bounty=50), 3))
    entry = desk.at(1)[1]
    planned = [(line.entry, line.reason, line.amount) for line in calling_off(desk).lines]
    desk.do(commands.ReceiveEntry(entry.number, 1, entry.chips, "x", "removed", entry.luggage))
    refund(desk)
    payments = [event for event in desk.said(money.ObligationPaid) if event.reason != "knock_out/4"]
    assert [(event.entry, event.reason, event.sources.amount) for event in payments[-len(planned) :]] == planned
    assert len({event.transfer_id for event in desk.said(money.ObligationPaid)}) == len(desk.said(money.ObligationPaid))


# Whether it is one table or many.


def test_one_table_stays_one_table_when_a_player_enters_again() -> None:
    """R-AKP-33, AMB-11: ten entries of nine players at the only table are a single-table tournament."""
    desk = started(9, "akpoker", starts_at_ms=0, entries_max=20, entries_per_player=2, late_levels=2)
    desk.hand(1, {9: 1}).direct().enter("p9").direct()
    assert desk.state.entered == 10
    assert case_of(desk.state).single_table


@pytest.mark.parametrize(("entries", "single"), [(9, True), (10, False)])
def test_before_tables_are_open_the_entries_decide(entries: int, single: bool) -> None:
    """R-AKP-33, R-AKP-34: it is a single-table tournament if all would sit at one."""
    assert case_of(registering(entries).state).single_table is single
