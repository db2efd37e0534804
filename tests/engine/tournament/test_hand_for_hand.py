"""Hand for hand near the money: a barrier over all tables, behind which all busts are simultaneous (O-34, O-35)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.table import commands as table_commands
from engine.table.seat_events import Luggage
from engine.tournament import commands
from engine.tournament.money_events import ObligationPaid
from engine.tournament.payouts import PayoutRow
from engine.tournament.play_events import (
    BreakStarted,
    EntryEliminated,
    HandForHandBegan,
    HandForHandEnded,
    HandsAllowed,
    MoveOrdered,
    SyncHandClosed,
    SyncHandStarted,
)
from tests.engine.tournament.announcements import levels, terms
from tests.engine.tournament.called_off import end_hand
from tests.engine.tournament.desk import Desk, started
from tests.engine.tournament.quiet_room import QuietRoom, Tourney

FOUR_PAID = (PayoutRow(2, (6000, 4000)), PayoutRow(6, (4000, 3000, 2000, 1000)))


def near_the_money(**changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return two tables of three, hand for hand from the first hand on; two of the six win something."""
    return started(6, seats=3, hand_for_hand=4, **changes)


def numbers(desk: Desk, table: int) -> list[int]:
    """Return the entries at a table, by seat."""
    return [entry.number for entry in desk.at(table)]


def test_near_the_money_all_tables_play_one_hand() -> None:
    """O-34: the synchronised hand is started over all tables at once."""
    desk = near_the_money()
    assert (len(desk.said(HandForHandBegan)), desk.playing()) == (1, [1, 2])
    assert desk.said(SyncHandStarted) == [SyncHandStarted(1, (1, 2))]
    assert desk.said(HandsAllowed) == [HandsAllowed(((1, 1), (2, 1)))]


def test_a_table_that_has_ended_its_hand_waits_for_the_others() -> None:
    """O-34: nobody plays slowly into the money: the next hand comes when all have ended this one."""
    desk = near_the_money().hand(1).direct()
    assert (desk.playing(), desk.said(SyncHandClosed)) == ([2], [])
    desk.hand(2).direct()
    assert (desk.playing(), desk.said(SyncHandClosed)) == ([1, 2], [SyncHandClosed(1)])
    assert desk.said(SyncHandStarted)[1:] == [SyncHandStarted(2, (1, 2))]


def test_nobody_is_out_before_all_have_ended_the_hand() -> None:
    """O-34: busts of a synchronised hand take effect together."""
    desk = near_the_money()
    one, two, _ = numbers(desk, 1)
    desk.hand(1, {one: two}).direct()
    assert (desk.entry(one).status, desk.said(EntryEliminated)) == ("busted", [])
    desk.refuses(commands.SettleBusts(), "NOTHING_DUE")
    desk.hand(2).direct()
    assert [gone.entry for gone in desk.said(EntryEliminated)] == [one]


@pytest.mark.parametrize("first", [1, 2])
def test_the_one_who_started_with_more_ranks_higher(first: int) -> None:
    """O-35: whichever table ends first, at different tables it is one hand."""
    desk = near_the_money()
    short, tall, _ = numbers(desk, 1)
    end_hand(desk, 1, {short: 1000, tall: 2000, numbers(desk, 1)[2]: 1500}).hand(2).direct()
    lost = {1: {short: tall}, 2: {numbers(desk, 2)[0]: numbers(desk, 2)[1]}}
    for table in (first, 3 - first):
        desk.hand(table, lost[table])
    desk.direct()
    order = [(gone.entry, gone.out_number, gone.tied) for gone in desk.said(EntryEliminated)]
    assert order == [(short, 1, 1), (next(iter(lost[2])), 2, 1)]


def test_equals_at_different_tables_are_tied() -> None:
    """O-35: both have the better place's number."""
    desk = near_the_money()
    (one, two, _), (three, four, _) = numbers(desk, 1), numbers(desk, 2)
    desk.hand(1, {one: two}).hand(2, {three: four}).direct()
    gone = {(event.entry, event.out_number, event.tied) for event in desk.said(EntryEliminated)}
    assert gone == {(one, 2, 2), (three, 2, 2)}


def test_busts_of_two_synchronised_hands_are_no_tie() -> None:
    """O-35: each of these hands is one of its own, whatever the stacks were."""
    desk = near_the_money()
    for table in (1, 2):
        one, two, _ = numbers(desk, table)
        desk.hand(table, {one: two}).hand(3 - table).direct()
    assert [(gone.out_number, gone.tied) for gone in desk.said(EntryEliminated)] == [(1, 1), (2, 1)]


def test_many_who_are_tied_go_in_portions() -> None:
    """O-35, ADR 13: fifty of a hundred go out equal; ten of their places are paid, and each has a fifth of a prize."""
    payouts = (PayoutRow(2, (6000, 4000)), PayoutRow(100, (200,) * 40 + (100,) * 20))
    desk = started(100, seats=2, hand_for_hand=40, bounty=1, payouts=payouts)
    for table in range(1, 51):
        one, two = numbers(desk, table)
        desk.hand(table, {one: two})
    assert 0 < len(desk.do(commands.SettleBusts()).said(EntryEliminated)) < 50
    assert {(gone.out_number, gone.tied) for gone in desk.direct().said(EntryEliminated)} == {(50, 50)}
    assert [event.sources.amount for event in desk.said(ObligationPaid) if event.paid == "prize"] == [200] * 50


def test_the_tied_on_the_bubble_share_what_there_is() -> None:
    """O-34, O-35: four are paid of six, and three go out equal in one hand: they share the fourth prize."""
    desk = started(6, seats=3, hand_for_hand=2, payouts=FOUR_PAID)
    (one, two, three), (four, five, _) = numbers(desk, 1), numbers(desk, 2)
    desk.hand(1, {one: three, two: three}).hand(2, {four: five}).direct()
    paid = {event.entry: event.sources.amount for event in desk.said(ObligationPaid)}
    assert paid == {one: 200, two: 200, four: 200}
    assert {desk.entry(number).out_number for number in paid} == {3}


def test_it_begins_when_the_hands_in_progress_have_ended() -> None:
    """O-34: before the first synchronised hand all tables stand still."""
    desk = started(6, seats=3, hand_for_hand=3)
    assert desk.said(HandForHandBegan) == []
    one, two, _ = numbers(desk, 1)
    desk.hand(1, {one: two}).direct()
    assert (len(desk.said(HandForHandBegan)), desk.said(SyncHandStarted), desk.playing()) == (1, [], [2])
    desk.hand(2).direct()
    assert (desk.said(SyncHandStarted), desk.playing()) == ([SyncHandStarted(1, (1, 2))], [1, 2])


def test_it_ends_when_all_are_in_the_money() -> None:
    """O-34: four are paid and four are left: tables go on by themselves."""
    desk = started(6, seats=2, hand_for_hand=2, payouts=FOUR_PAID)
    for table in (1, 2):
        one, two = numbers(desk, table)
        desk.hand(table, {one: two})
    desk.hand(3).direct()
    for move in desk.said(MoveOrdered):
        desk.arrive(move.entry)
    desk.direct()
    assert (len(desk.said(HandForHandEnded)), desk.state.hand_for_hand) == (1, False)
    last = desk.playing()
    assert len(last) == 2
    assert desk.hand(last[0]).direct().playing() == last


def test_it_ends_with_one_table() -> None:
    """O-34: the final table waits for nobody."""
    desk = near_the_money()
    (one, two, three), (four, five, _) = numbers(desk, 1), numbers(desk, 2)
    desk.hand(1, {one: three, two: three}).hand(2, {four: five}).direct()
    assert desk.said(HandForHandEnded) == []
    desk.arrive(desk.said(MoveOrdered)[0].entry).direct()
    assert (len(desk.said(HandForHandEnded)), len(desk.playing())) == (1, 1)
    assert len(desk.said(SyncHandStarted)) == 1


@pytest.mark.parametrize(
    "changes",
    [{"hand_for_hand": 0}, {"hand_for_hand": 6, "buy_in": 0, "fee": 0}, {"hand_for_hand": 4, "late_levels": 1}],
    ids=["not announced", "no prizes", "prizes not fixed"],
)
def test_without_a_bubble_tables_play_by_themselves(changes: dict[str, Any]) -> None:
    """O-34: there is no money to come near to, or it is not known where it begins."""
    desk = started(6, seats=3, starts_at_ms=0, **changes)
    assert desk.hand(1).direct().said(HandForHandBegan) == []
    assert desk.playing() == [1, 2]


def test_a_void_hand_ends_the_synchronised_hand_at_its_table() -> None:
    """O-34: its table does not play another one before the others."""
    desk = near_the_money().hand(1, voided=True).direct()
    assert desk.playing() == [2]
    assert desk.hand(2).direct().playing() == [1, 2]
    assert desk.said(HandsAllowed)[-1] == HandsAllowed(((1, 2), (2, 2)))


def test_it_does_not_end_within_a_synchronised_hand() -> None:
    """O-34: an operator takes the last two off who win nothing; the table that has ended its hand still waits."""
    desk = started(6, seats=3, hand_for_hand=2, payouts=FOUR_PAID).hand(1).direct()
    for table in (1, 2):
        desk.do(commands.ReceiveEntry(numbers(desk, table)[0], table, 1500, f"t{table}", "removed", Luggage())).direct()
    assert (desk.playing(), desk.said(HandForHandEnded)) == ([2], [])
    assert desk.hand(2).direct().playing() == [1, 2]
    assert len(desk.said(HandForHandEnded)) == 1


def test_the_next_one_waits_for_the_places_of_the_last_one() -> None:
    """O-34: only when it is known who is out, it is known whether the bubble has burst."""
    desk = near_the_money()
    one, two, _ = numbers(desk, 1)
    desk.hand(1, {one: two}).hand(2).do(commands.Arrange(bytes(32)))
    assert desk.said(SyncHandStarted)[1:] == []
    assert len(desk.direct().said(SyncHandStarted)) == 2


def test_a_pause_lets_the_synchronised_hand_end() -> None:
    """O-34, O-42: no new one begins before play goes on."""
    desk = near_the_money().hand(1).do(commands.PauseTournament("c", "o")).hand(2).direct()
    assert (len(desk.said(SyncHandClosed)), desk.playing()) == (1, [])
    assert desk.do(commands.ResumeTournament("o")).direct().playing() == [1, 2]


def test_a_break_lets_the_synchronised_hand_end() -> None:
    """O-32, O-34: the break begins when all tables have ended it."""
    breaks = tuple([replace(level, break_seconds=60) for level in levels(terms().rulebook)])
    desk = near_the_money(levels=breaks).wait(seconds=600).direct().hand(1).direct()
    assert desk.said(BreakStarted) == []
    assert len(desk.hand(2).direct().said(BreakStarted)) == 1
    assert (desk.playing(), desk.sleep().playing()) == ([], [1, 2])


def test_moves_come_between_two_synchronised_hands() -> None:
    """O-33, O-34: the next one waits until everybody sits."""
    desk = started(8, seats=4, hand_for_hand=8)
    one, two, _, four = numbers(desk, 1)
    desk.hand(1, {one: four, two: four}).hand(2).direct()
    assert (len(desk.said(MoveOrdered)), desk.playing()) == (1, [])
    desk.arrive(desk.said(MoveOrdered)[0].entry).direct()
    assert (len(desk.at(1)), len(desk.at(2)), desk.playing()) == (3, 3, [1, 2])


def test_a_table_of_one_has_no_part_in_it() -> None:
    """O-34: five at tables of two: the fifth waits while the others play hand for hand."""
    desk = started(5, seats=2, hand_for_hand=5)
    (alone,) = [table.number for table in desk.state.tables if table.taken.bit_count() == 1]
    others = tuple({1, 2, 3} - {alone})
    assert desk.said(SyncHandStarted) == [SyncHandStarted(1, others)]
    desk.hand(others[0]).hand(others[1]).direct()
    assert desk.said(SyncHandStarted)[1:] == [SyncHandStarted(2, others)]


def test_who_is_taken_off_between_two_hands_stops_nobody() -> None:
    """O-34: a table where one is left deals no hand, and the others do not wait for it."""
    room = QuietRoom()
    tourney = Tourney(room, terms(entries=4, seats=2, hand_for_hand=4))
    for number in range(1, 5):
        room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
    tourney.direct()
    assert tourney.state.sync is not None
    gone = next(entry for entry in tourney.state.entries if entry.table == 2)
    room.ask("table/T-2", table_commands.RemovePlayer(gone.player, "removed"))
    tourney.direct()
    assert tourney.entry(gone.number).status == "out"
    assert tourney.state.sync is not None
    assert tourney.state.sync.playing == {1}
