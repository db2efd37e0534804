"""Called off in a synchronised hand (AMB-12): whose chips are those at its start, and which busts have not happened.

Two tables of six play hand for hand from the start; in the first synchronised hand one has gone out. Then the second
begins, one table ends it with another bust, and the tournament is called off.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.tournament import commands
from engine.tournament import money_events as money
from engine.tournament import play_events as play
from engine.tournament.calling_off import case_of
from engine.tournament.payouts import PayoutRow
from tests.engine.tournament.called_off import calling_off, paid, refund, rules
from tests.engine.tournament.desk import Desk, started

CANCEL = commands.CancelTournament("a fault", "ann")


class Scene(NamedTuple):
    """The tournament in its second synchronised hand, and who is who at the first table."""

    desk: Desk
    winner: int
    loser: int


def second_hand(chips_as_of: str = "start_of_hand") -> Scene:
    """Return the tournament when nothing has happened yet in the second synchronised hand."""
    rulebook = rules("akpoker", chips_as_of=chips_as_of)
    desk = started(12, seats=6, hand_for_hand=9, bounty=50, rulebook=rulebook)
    out, winner, loser = [entry.number for entry in desk.at(1)][:3]
    desk.hand(1, {out: winner}).hand(2).direct()
    assert (desk.state.sync_hands, desk.entry(out).status) == (2, "out")
    return Scene(desk, winner, loser)


def one_table_ended(chips_as_of: str = "start_of_hand") -> Scene:
    """Return the tournament after the first table has ended the hand with a bust; nobody has called it off yet."""
    scene = second_hand(chips_as_of)
    scene.desk.hand(1, {scene.loser: scene.winner})
    return scene


def stacks(desk: Desk) -> dict[int, int]:
    """Return the stacks that count, of those who are in."""
    return {account.entry: account.chips for account in case_of(desk.state).survivors}


def test_back_to_the_start_of_the_synchronised_hand() -> None:
    """AMB-12, R-MOD-11: `start_of_hand`: at the table that has ended it, too, all have what they began it with."""
    desk, winner, loser = one_table_ended()
    counted = stacks(desk.do(CANCEL).hand(2, voided=True).freeze().direct())
    assert (counted[winner], counted[loser]) == (3000, 1500)
    assert (len(counted), sum(counted.values())) == (11, 12 * 1500)


def test_the_present_chips() -> None:
    """AMB-12, ADR 13: `at_cancellation`: who has ended the hand has what it left him; who lost all is still in."""
    desk, winner, loser = one_table_ended("at_cancellation")
    counted = stacks(desk.do(CANCEL).hand(2, voided=True).freeze().direct())
    assert (counted[winner], counted[loser]) == (4500, 0)
    assert (len(counted), sum(counted.values())) == (11, 12 * 1500)


@pytest.mark.parametrize("chips_as_of", ["start_of_hand", "at_cancellation"])
def test_busts_of_the_unfinished_hand_have_not_happened(chips_as_of: str) -> None:
    """AMB-12: in both modes who lost all in it is a survivor, is paid like one, and keeps his own bounty."""
    desk, _, loser = one_table_ended(chips_as_of)
    refund(desk.do(CANCEL).hand(2, voided=True).freeze().direct())
    reasons = {line.reason for line in calling_off(desk).lines if line.entry == loser}
    assert {"buy_in", "equal_share", "fee", "bounty"} <= reasons
    assert len(desk.said(play.EntryEliminated)) == 1
    assert len(paid(desk, "bounty")) == 11


def test_the_order_of_the_reports_does_not_matter() -> None:
    """AMB-12: the void hand of one table may be heard of before the ended hand of the other, or after it."""
    plans = []
    for void_first in (True, False):
        desk, winner, loser = second_hand()
        desk.do(CANCEL)
        if void_first:
            desk.hand(2, voided=True).freeze(2).hand(1, {loser: winner}).freeze(1)
        else:
            desk.hand(1, {loser: winner}).freeze(1).hand(2, voided=True).freeze(2)
        plans.append(calling_off(desk.direct()).plan_hash)
    assert plans[0] == plans[1]


def test_a_table_that_has_not_dealt_yet_reports_no_hand() -> None:
    """AMB-12: where the synchronised hand had not begun there is nothing to undo; it is not over all the same."""
    desk, winner, loser = one_table_ended()
    counted = stacks(desk.do(CANCEL).freeze().direct())
    assert (counted[winner], counted[loser]) == (3000, 1500)


def test_a_hand_that_all_tables_have_ended_counts() -> None:
    """Rulebooks.md section 4: its busts take effect when the last table has ended it, called off or not."""
    desk, winner, loser = one_table_ended()
    desk.hand(2).do(CANCEL).freeze().direct()
    assert (desk.entry(loser).status, stacks(desk)[winner]) == ("out", 4500)


def test_the_last_report_may_come_after_the_cancellation() -> None:
    """Rulebooks.md section 4: a hand that has ended is never voided, though its report was on its way."""
    desk, _, loser = one_table_ended()
    desk.do(CANCEL).hand(2).freeze().direct()
    assert [event.number for event in desk.said(play.SyncHandClosed)] == [1, 2]
    assert desk.entry(loser).status == "out"
    assert loser not in {line.entry for line in calling_off(desk).lines}


def test_a_void_hand_of_a_cancelled_tournament_ends_no_synchronised_hand() -> None:
    """AMB-12: undone is not ended."""
    desk = one_table_ended().desk.do(CANCEL).hand(2, voided=True)
    assert [event.number for event in desk.said(play.SyncHandClosed)] == [1]
    assert desk.state.sync is not None


def test_prizes_of_the_unfinished_hand_are_not_won() -> None:
    """AMB-12: ten of twelve are paid; two busts would make nine: they have not happened, so nobody is in the money."""
    flat = (PayoutRow(2, (10_000,)), PayoutRow(12, (1000,) * 10))
    desk = started(12, "akpoker", seats=6, hand_for_hand=2, payouts=flat)
    first, second, third, winner = [entry.number for entry in desk.at(1)][:4]
    desk.hand(1, {first: winner}).hand(2).direct().hand(1, {second: winner, third: winner})
    refund(desk.do(CANCEL).hand(2, voided=True).freeze().direct())
    summary = calling_off(desk).summary
    assert summary is not None
    assert (summary.survivors, summary.in_the_money) == (11, False)
    assert (desk.state.prizes_paid, {event.paid for event in desk.said(money.ObligationPaid)}) == (0, {"refund"})
