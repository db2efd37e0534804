"""What the director does at tables that stand still: chips, seats, moves, and who may play on (O-30, O-31, O-33)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.origin import return_id
from engine.poker.seats import MEMBERS, clockwise
from engine.table.hand_events import KnockOut
from engine.tournament import commands
from engine.tournament.decide import decide
from engine.tournament.play_events import (
    ChipsIssued,
    ChipsReceived,
    EntrySeated,
    HandsAllowed,
    MoveOrdered,
    TableOpened,
)
from engine.tournament.seating import open_seats
from engine.tournament.state import DirectedTable, table_of, view
from engine.tournament.terms import ChipSale
from tests.engine.tournament.desk import Desk, registering, started

LATE: dict[str, Any] = {"starts_at_ms": 0, "late_levels": 3, "entries_max": 40}
REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=3, most=5, stack_max=1500)


def places_of(desk: Desk, player: str) -> set[tuple[int, int]]:
    """Return where a player who waits would be seated, over many seeds."""
    number, found = desk.entry_of(player).number, set()
    for seed in range(80):
        for event in decide(desk.state, commands.Arrange(seed.to_bytes(32)), desk.at_ms):
            if isinstance(event, EntrySeated) and event.place.entry == number:
                found.add((event.table, event.place.seat))
    return found


# Chips.


def test_bought_chips_come_between_two_hands() -> None:
    """O-31: nothing is added to a stack in mid-hand."""
    desk = started(4, rebuy=REBUY)
    desk.do(commands.Rebuy("p1")).pay().direct()
    assert (desk.entry(1).due, desk.said(ChipsIssued)) == (1500, [])
    desk.hand(1).direct()
    assert [(sent.entry, sent.amount, sent.table) for sent in desk.said(ChipsIssued)] == [(1, 1500, 1)]
    assert (desk.entry(1).due, desk.entry(1).chips) == (0, 3000)


def test_who_has_bought_in_time_is_not_out() -> None:
    """O-31: he loses his stack while the new one is with the director: he gets a seat and plays on."""
    desk = started(4, rebuy=REBUY).do(commands.Rebuy("p1")).pay()
    desk.hand(1, {1: 2})
    assert (desk.entry(1).status, desk.state.busted) == ("waiting", ())
    desk.direct()
    assert (desk.entry(1).status, desk.entry(1).chips, desk.entry(1).table) == ("seated", 1500, 1)


def test_each_shipment_of_chips_has_its_own_id() -> None:
    """Each transfer is received once, so two of them never share an id (I12)."""
    desk = started(4, rebuy=REBUY)
    for _ in range(3):
        desk.do(commands.Rebuy("p1")).pay().hand(1, {1: 2}).direct()
    ids = [place.transfer_id for table in desk.said(TableOpened) for place in table.places]
    ids += [seated.place.transfer_id for seated in desk.said(EntrySeated)]
    assert len(ids) == len(set(ids)) == 7


def test_chips_that_found_no_place_are_sent_again() -> None:
    """They are their owner's; nothing is lost."""
    desk = started(4, rebuy=REBUY).do(commands.Rebuy("p1")).pay().hand(1).direct()
    sent = desk.said(ChipsIssued)[0]
    desk.do(commands.ReceiveChips("p1", sent.amount, return_id(sent.transfer_id)))
    assert (desk.entry(1).due, desk.said(ChipsReceived)[0].entry) == (1500, 1)
    again = desk.hand(1).direct().said(ChipsIssued)[1]
    assert (again.amount, again.transfer_id != sent.transfer_id) == (1500, True)


def test_chips_of_one_who_is_out_are_out_of_play() -> None:
    """Nobody plays with the chips of another, and be it his own earlier entry."""
    desk = started(4, **LATE, entries_per_player=2).hand(1, {1: 2}).direct().enter("p1").hand(1).direct()
    first = desk.said(TableOpened)[0].places[0]
    desk.do(commands.ReceiveChips("p1", first.chips, return_id(first.transfer_id))).direct()
    assert desk.said(ChipsReceived)[0].entry == 0
    assert [desk.entry(number).due for number in (1, 5)] == [0, 0]


# Late seats.


def test_who_comes_late_waits_for_a_smallest_table_to_stand_still() -> None:
    """O-30: one that stands still and is larger does not take him."""
    desk = started(9, seats=6, **LATE).enter("late").direct()
    assert desk.sizes() == [5, 4]
    assert desk.hand(1).direct().entry_of("late").status == "waiting"
    assert desk.playing() == [1, 2]
    desk.hand(2).direct()
    assert (desk.entry_of("late").table, desk.entry_of("late").chips, desk.sizes()) == (2, 1500, [5, 5])


def test_a_late_seat_is_drawn_from_all_open_seats() -> None:
    """O-30, T-ABU-8: any free seat, but neither the button's nor one between it and the big blind."""
    desk = started(9, seats=9, **LATE).hand(1)
    desk.direct().bust(1, 4)
    desk.do(commands.SettleBusts()).enter("late")
    table = table_of(desk.state, 1)
    free = MEMBERS[open_seats(view(desk.state, table))]
    assert places_of(desk, "late") == {(1, seat) for seat in free}
    assert not set(free) & set(clockwise(0b111111111, table.button)[: (table.big_blind - table.button) % 9])


def test_one_who_finds_no_open_seat_waits_for_the_next_hand() -> None:
    """O-30: the only free seat is the small blind's; the table plays on, and then it is open."""
    desk = started(3, seats=4, **LATE)
    free = 6 - sum(entry.seat for entry in desk.at(1))
    button = (free - 1) % 4
    positions = (button, free, (free + 1) % 4)
    entries = tuple(entry.number for entry in desk.at(1))
    hand = commands.RecordHand(1, 1, *positions, entries, (1500,) * 3, (1500,) * 3, ())
    desk.do(hand).enter("late").direct()
    assert (desk.entry_of("late").status, desk.playing()) == ("waiting", [1])
    assert desk.hand(1).direct().entry_of("late").seat == free


def test_nobody_is_moved_while_somebody_waits() -> None:
    """O-33: no seat at the small table is open for the late one; it plays on, and nobody is moved to it instead."""
    desk, stacks = started(8, seats=4, **LATE), (3000, 0, 0, 3000)
    first, *out, last = [entry.number for entry in desk.at(2)]
    knock_outs = tuple([KnockOut(number, (last,)) for number in out])
    desk.do(commands.RecordHand(2, 1, 0, 0, 3, (first, *out, last), (1500,) * 4, stacks, knock_outs)).direct()
    assert desk.playing() == [1]
    desk.enter("late").direct()
    assert (desk.entry_of("late").status, desk.playing()) == ("waiting", [1, 2])
    assert desk.hand(1).direct().said(MoveOrdered) == []


def test_who_waits_longest_is_seated_first() -> None:
    """O-30: in the order in which they have paid."""
    desk = started(4, seats=9, **LATE).enter("one", "two").hand(1).direct()
    assert [seated.place.player for seated in desk.said(EntrySeated)] == ["one", "two"]


def test_a_full_room_opens_another_table() -> None:
    """O-30, O-33: then others move there, so that he does not wait alone."""
    desk = started(10, seats=5, **LATE).enter("late").direct()
    assert (desk.sizes(), desk.at(3)[0].player) == ([5, 5, 1], "late")
    desk.hand(1).direct()
    assert (desk.sizes(), [move.table for move in desk.said(MoveOrdered)]) == ([4, 5, 2], [1])
    desk.arrive(desk.said(MoveOrdered)[0].entry).hand(2).direct()
    assert (desk.sizes(), [move.table for move in desk.said(MoveOrdered)]) == ([4, 4, 3], [1, 2])


def test_a_table_opened_late_has_the_present_level() -> None:
    """O-32: its first hand is played at the stakes of all others."""
    desk = started(4, seats=4, **LATE).wait(seconds=600).direct().enter("late").direct()
    opened = desk.said(TableOpened)[-1]
    assert (opened.number, opened.level) == (2, 1)
    assert opened.stakes == desk.state.terms.levels[1].stakes


def test_who_comes_late_saves_others_a_move() -> None:
    """O-33: seats are given out before anybody is moved."""
    desk = started(10, seats=5, **LATE).bust(1, 2).direct()
    assert (desk.sizes(), desk.playing()) == ([3, 5], [2])
    desk.enter("late").direct().hand(2).direct()
    assert (desk.sizes(), desk.said(MoveOrdered)) == ([4, 5], [])


def test_nobody_is_seated_at_a_table_that_is_being_broken() -> None:
    """O-33: its players have been told to go, and so would he be at once."""
    desk = started(14, seats=9, **LATE).bust(1, 3).bust(2, 3).direct()
    assert {move.table for move in desk.said(MoveOrdered)} == {2}
    desk.enter("late").direct()
    assert desk.entry_of("late").table != 2


# The command.


def test_each_hand_is_allowed_once() -> None:
    """ADR 11: a table deals the hand with this number and then stands still; a second Arrange says nothing."""
    desk = started(9)
    assert desk.said(HandsAllowed) == [HandsAllowed(((1, 1),))]
    assert desk.do(commands.Arrange(bytes(32))).events == ()
    assert desk.hand(1).direct().said(HandsAllowed)[1:] == [HandsAllowed(((1, 2),))]


def test_seats_are_given_and_balanced_while_nobody_plays() -> None:
    """O-42: a pause holds the hands and nothing else."""
    desk = started(12, seats=6, **LATE).bust(1, 3).do(commands.PauseTournament("c", "o")).hand(2).direct()
    assert (len(desk.said(MoveOrdered)), desk.playing()) == (1, [])
    desk.arrive(desk.said(MoveOrdered)[0].entry).enter("late").direct()
    assert (desk.sizes(), desk.playing()) == ([5, 5], [])


@pytest.mark.parametrize("entries", [2, 8])
def test_nothing_is_arranged_before_the_start(entries: int) -> None:
    """There is nothing yet to arrange; the command does no harm."""
    assert registering(entries).do(commands.Arrange(bytes(32))).events == ()


def test_a_new_table_stands_still() -> None:
    """ADR 11: until the director allows a hand nothing is dealt."""
    table = DirectedTable(1)
    assert (table.idle, table.open, table.hands) == (True, True, 0)
