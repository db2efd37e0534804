"""Who must change tables, when, and what he takes along: balancing and breaking (`operations.md` O-33)."""

from __future__ import annotations

import pytest

from engine.origin import return_id
from engine.poker.seats import clockwise, next_seat
from engine.table.seat_events import Luggage
from engine.tournament import commands
from engine.tournament.decide import decide
from engine.tournament.play_events import EntrySeated, HandsAllowed, MoveOrdered, TableBroken, TableOpened
from engine.tournament.state import table_of
from engine.tournament.terms import ChipSale
from tests.engine.tournament.desk import Desk, started

REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=3, most=5, stack_max=1500)


# Balancing.


def test_the_one_due_the_big_blind_moves_to_where_it_comes_soonest() -> None:
    """O-33: so he neither skips it nor posts it twice running."""
    desk = started(12, seats=6).bust(1, 2).direct().hand(2)
    source, target = table_of(desk.state, 2), table_of(desk.state, 1)
    mover = next(entry for entry in desk.at(2) if entry.seat == next_seat(source.taken, source.big_blind))
    soonest = clockwise(0b111111 & ~target.taken, target.big_blind)[0]
    (move,) = desk.direct().said(MoveOrdered)
    assert (move.entry, move.table) == (mover.number, 2)
    assert (move.target_table, move.target_seat) == (1, soonest)


def test_a_move_waits_for_both_tables_and_holds_them() -> None:
    """O-33, ADR 11: the short table stands still until the other one has ended its hand; all others play on."""
    desk = started(24, seats=6).bust(1, 2).direct()
    assert (desk.sizes(), desk.playing(), desk.said(MoveOrdered)) == ([4, 6, 6, 6], [2, 3, 4], [])
    assert desk.hand(3).direct().playing() == [2, 3, 4]
    desk.hand(2).direct()
    assert [(move.table, move.target_table) for move in desk.said(MoveOrdered)] == [(2, 1)]


def test_the_table_that_gains_waits_for_who_is_on_his_way() -> None:
    """O-33: the one that loses a player plays on at once; the other's next hand is dealt to him, too."""
    desk = started(24, seats=6).bust(1, 2).direct().hand(2).direct()
    (move,) = desk.said(MoveOrdered)
    assert (desk.playing(), table_of(desk.state, 1).expected) == ([2, 3, 4], 1)
    assert desk.arrive(move.entry).direct().playing() == [1, 2, 3, 4]
    assert table_of(desk.state, 1).expected == 0


def test_who_moves_keeps_his_chips_and_his_seat_is_kept() -> None:
    """O-33: the place that was ordered is the place that he gets, with every chip and nothing else."""
    desk = started(24, seats=6).bust(1, 2).direct().hand(2, {}).direct()
    (move,) = desk.said(MoveOrdered)
    (seated,) = desk.arrive(move.entry).said(EntrySeated)
    assert (seated.table, seated.place.seat) == (move.target_table, move.target_seat)
    assert (seated.place.entry, seated.place.chips) == (move.entry, 1500)
    assert (desk.entry(move.entry).status, desk.entry(move.entry).target) == ("seated", (0, -1))


@pytest.mark.parametrize("luggage", [Luggage(12_000, ""), Luggage(0, "sat_out"), Luggage(30_000, "disconnected")])
def test_luggage_travels_along(luggage: Luggage) -> None:
    """O-33, O-40: what is left of his time bank, and that he is away, goes with him."""
    desk = started(24, seats=6).bust(1, 2).direct().hand(2).direct()
    (move,) = desk.said(MoveOrdered)
    desk.do(commands.ReceiveEntry(move.entry, 2, 1500, "t", "moved", luggage))
    assert desk.said(EntrySeated)[0].place.luggage == luggage


def test_chips_bought_on_the_way_come_along() -> None:
    """O-31, O-33: who buys chips while he changes tables has them in front of him at the other one."""
    desk = started(24, seats=6, rebuy=REBUY, rebuy_seconds=1).bust(1, 2).direct().sleep().hand(2).direct()
    (move,) = desk.said(MoveOrdered)
    desk.do(commands.Rebuy(move.player)).pay().direct().arrive(move.entry)
    assert (desk.entry(move.entry).chips, desk.entry(move.entry).due) == (3000, 0)


# Breaking.


def broken() -> Desk:
    """Return three tables of six with 5 + 5 + 2 players; nobody has left the last one yet."""
    desk = started(18, seats=6)
    for table, count in ((1, 1), (2, 1), (3, 4)):
        desk.bust(table, count)
    return desk


def test_a_table_that_is_not_needed_is_broken() -> None:
    """O-33: the smallest one goes, one player to each of the smallest others; its last player closes it."""
    desk = broken().direct()
    moves = desk.said(MoveOrdered)
    assert ([move.table for move in moves], sorted(move.target_table for move in moves)) == ([3, 3], [1, 2])
    desk.arrive(moves[0].entry)
    assert (desk.said(TableBroken), table_of(desk.state, 3).open) == ([], True)
    desk.arrive(moves[1].entry).direct()
    assert [table.number for table in desk.said(TableBroken)] == [3]
    assert (desk.sizes(), desk.playing()) == ([6, 6], [1, 2])


def test_a_broken_table_is_left_as_its_targets_stand_still() -> None:
    """O-33: who can move moves; the others wait for their table to end its hand, and play no hand meanwhile."""
    desk = started(18, seats=6).bust(1, 1).direct()
    desk.bust(2, 1).bust(3, 4).direct()
    assert [(move.table, move.target_table) for move in desk.said(MoveOrdered)] == [(3, 2)]
    assert desk.arrive(desk.said(MoveOrdered)[0].entry).direct().playing() == [1, 2]
    desk.hand(1).direct()
    assert [(move.table, move.target_table) for move in desk.said(MoveOrdered)] == [(3, 2), (3, 1)]


def test_places_of_a_broken_table_are_drawn() -> None:
    """O-33, T-ABU-8: who goes where is chance, out of all that is open."""
    desk = broken()
    while desk.state.busted:
        desk.do(commands.SettleBusts())
    answers = [decide(desk.state, commands.Arrange(seed.to_bytes(32)), 0) for seed in range(40)]
    moves = [event for events in answers for event in events if isinstance(event, MoveOrdered)]
    assert len({(move.entry, move.target_table) for move in moves}) == 4


def test_a_closed_table_is_told_nothing_any_more() -> None:
    """O-32, O-33: neither levels nor hands nor late players."""
    desk = broken().direct()
    for move in desk.said(MoveOrdered):
        desk.arrive(move.entry)
    desk.wait(seconds=600).direct().hand(1).hand(2).direct()
    allowed = {number for hands in desk.said(HandsAllowed)[1:] for number, _ in hands.hands}
    assert allowed == {1, 2}


def test_one_player_at_a_table_waits_and_the_others_play() -> None:
    """O-33: three players at two tables for two: nobody is stuck, and the last two meet."""
    desk = started(4, seats=2).bust(1, 1).direct()
    assert (desk.sizes(), desk.playing()) == ([1, 2], [2])
    assert desk.hand(2).direct().playing() == [2]
    desk.bust(2, 1).direct()
    (move,) = desk.said(MoveOrdered)
    assert desk.arrive(move.entry).direct().playing() == [1]
    assert desk.sizes() == [2]


# Tables and players that an operator takes away.


def test_who_is_taken_off_while_he_moves_is_out() -> None:
    """O-33: the place that was kept for him is free again, for somebody else who must move there."""
    desk = started(24, seats=6).bust(1, 2).direct().hand(2).direct()
    (move,) = desk.said(MoveOrdered)
    desk.do(commands.ReceiveEntry(move.entry, 2, 1500, "t", "removed", Luggage())).direct()
    assert (desk.entry(move.entry).status, desk.entry(move.entry).chips) == ("out", 0)
    assert (desk.sizes(), desk.playing(), desk.said(EntrySeated)) == ([4, 5, 6, 6], [2, 3, 4], [])


def test_who_loses_his_table_is_seated_at_another() -> None:
    """O-33: an operator has closed it; its players keep their chips, and the others make room."""
    desk = started(12, seats=6).hand(1)
    for entry in desk.at(1):
        desk.do(commands.ReceiveEntry(entry.number, 1, 1500, f"t{entry.number}", "table_closing", Luggage(7000)))
    assert [table.number for table in desk.said(TableBroken)] == [1]
    desk.direct()
    assert {(entry.status, entry.chips) for entry in desk.state.entries} == {("seated", 1500)}
    assert [sum(entry.table == table for entry in desk.state.entries) for table in (1, 2, 3)] == [0, 6, 6]


def test_whose_chips_come_back_has_no_seat_and_gets_another() -> None:
    """The table did not let him sit down: what he had is with the director, and he is seated anew."""
    desk = started(4).hand(1).direct()
    place = desk.said(TableOpened)[0].places[0]
    desk.do(commands.ReceiveChips(place.player, place.chips, return_id(place.transfer_id)))
    assert (desk.entry(place.entry).status, desk.entry(place.entry).due, desk.sizes()) == ("waiting", 1500, [3])
    desk.hand(1).direct()
    assert (desk.entry(place.entry).status, desk.entry(place.entry).chips, desk.sizes()) == ("seated", 1500, [4])


def test_who_was_ordered_away_from_a_seat_that_he_never_got_waits_for_another() -> None:
    """O-33: his chips have come back instead of him, so neither table waits for him any longer."""
    desk = started(13, seats=5).bust(1, 3).direct()
    for table in (2, 3):
        desk.hand(table).direct()
    move = next(move for move in desk.said(MoveOrdered) if desk.entry(move.entry).status == "moving")
    others = sum(other.table == move.table for other in desk.said(MoveOrdered)) - 1
    place = next(p for opened in desk.said(TableOpened) for p in opened.places if p.entry == move.entry)
    desk.do(commands.ReceiveChips(place.player, place.chips, return_id(place.transfer_id)))
    assert (desk.entry(move.entry).status, desk.entry(move.entry).due) == ("waiting", 1500)
    tables = (desk.state.tables[move.table - 1], desk.state.tables[move.target_table - 1])
    assert (tables[0].leaving, tables[1].expected) == (others, 0)


def test_chips_for_an_earlier_seat_come_back_to_their_owner() -> None:
    """They were sent to a table that he has left; his seat is another."""
    desk = started(4)
    place = desk.said(TableOpened)[0].places[0]
    desk.do(commands.ReceiveEntry(place.entry, 1, 1500, "x", "moved", Luggage())).hand(1).direct()
    seat = desk.entry(place.entry).seat
    desk.do(commands.ReceiveChips(place.player, 500, return_id(place.transfer_id)))
    assert (desk.entry(place.entry).chips, desk.entry(place.entry).due, desk.entry(place.entry).seat) == (
        1500,
        500,
        seat,
    )


def test_a_table_that_was_closed_before_anybody_came_is_given_up() -> None:
    """O-33: an operator has closed it at once; all its players come back, and play elsewhere."""
    desk = started(8, seats=4)
    for place in desk.said(TableOpened)[0].places:
        desk.do(commands.ReceiveChips(place.player, place.chips, return_id(place.transfer_id)))
    assert [table.number for table in desk.said(TableBroken)] == [1]
    assert {entry.table for entry in desk.direct().state.entries} == {2, 3}


def test_who_finds_his_seat_gone_waits_for_another() -> None:
    """O-33: the table that he was to move to was closed meanwhile; nobody is seated there again."""
    desk = started(24, seats=6).bust(1, 2).direct().hand(2).direct()
    (move,) = desk.said(MoveOrdered)
    for entry in desk.at(1):
        desk.do(commands.ReceiveEntry(entry.number, 1, entry.chips, f"t{entry.number}", "table_closing", Luggage()))
    desk.arrive(move.entry).direct().hand(3).hand(4).hand(2).direct()
    assert 1 not in {entry.table for entry in desk.state.entries}
    assert {entry.status for entry in desk.state.entries} <= {"seated", "moving", "out"}
