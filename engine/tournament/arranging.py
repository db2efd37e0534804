"""What the director does between hands: seats, chips, moves between tables, and who may play on.

A table deals only the hands that it is let, so all this happens while the tables concerned stand still. In this order:

1. chips that were bought go to the seats of their owners;
2. who waits for a seat gets one, at a smallest table and by chance (O-30); a full room opens another table;
3. who must change tables is told to (O-33), when both tables stand still;
4. near the money all tables play hand for hand (O-34);
5. a break begins when all tables stand still, else those play on that have nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.shape import verify_seed
from engine.tournament import commands
from engine.tournament import play_events as events
from engine.tournament.draft import Draft, next_shipment_id
from engine.tournament.running import open_with, place_for
from engine.tournament.seating import Move, Place, are_even, late_place, rebalance
from engine.tournament.state import (
    DirectedTable,
    Entry,
    Tournament,
    entry_of,
    lasting_tables,
    left,
    numbers,
    table_of,
    view,
)

ARRANGED_MAX = 40
"""Seats, chips and moves that are given out by one command, so that its record stays small."""


def arrange(draft: Draft, seed: bytes) -> None:
    """Do what can be done now, as much as goes into a small record; nothing if there is nothing to do.

    Tables are let play on by a command that does nothing else: thousands of them alone fill a record.
    """
    if draft.tournament.phase != "running":
        return
    _issue_chips(draft)
    _seat_waiting(draft, seed)
    held = _order_moves(draft, seed)
    if not draft.events:
        _switch_hand_for_hand(draft)
        _play_on(draft, held)


def _has_room(draft: Draft) -> bool:
    """Say whether more can be done by this command; a table that is opened counts for several seats."""
    return sum([10 if isinstance(event, events.TableOpened) else 1 for event in draft.events]) < ARRANGED_MAX


def _arrange(draft: Draft, command: commands.Arrange) -> None:
    verify_seed(command.seed)
    # From here on the command succeeds.
    arrange(draft, command.seed)


def _issue_chips(draft: Draft) -> None:
    for number in draft.tournament.due:
        entry = entry_of(draft.tournament, number)
        if entry.status == "seated" and table_of(draft.tournament, entry.table).idle and _has_room(draft):
            shipment_id = next_shipment_id(draft.tournament, entry)
            draft.emit(events.ChipsIssued(number, entry.player, entry.table, entry.due, shipment_id))


def _waiting(tournament: Tournament) -> list[Entry]:
    """Return who waits for a seat, the first who came first."""
    entries = [entry_of(tournament, number) for number in tournament.due]
    return [entry for entry in entries if entry.status == "waiting"]


def _seat_waiting(draft: Draft, seed: bytes) -> None:
    """Give seats at the smallest tables, as far as these stand still; open a table when there are not enough."""
    for entry in _waiting(draft.tournament):
        if not _has_room(draft):
            return
        tournament = draft.tournament
        seats = tournament.terms.seats
        room = [table for table in lasting_tables(tournament) if _takes_more(table, seats)]
        if len(_waiting(tournament)) > sum([seats - table.taken.bit_count() for table in room]):
            open_with(draft, [place_for(tournament, entry, 0)])
            continue
        place = _late_place(tournament, room, seed, f"entry/{entry.number}")
        if place is not None:
            draft.emit(events.EntrySeated(place[0], place_for(tournament, entry, place[1])))


def _takes_more(table: DirectedTable, seats: int) -> bool:
    """Say whether a table has a free seat and is not being broken."""
    broken = table.leaving > 0 and not table.taken
    return table.taken.bit_count() < seats and not broken


def _late_place(tournament: Tournament, room: list[DirectedTable], seed: bytes, context: str) -> Place | None:
    smallest = min([table.taken.bit_count() for table in room])
    still = [table for table in room if table.idle and table.taken.bit_count() == smallest]
    return late_place([view(tournament, table) for table in still], seed, context)


def _order_moves(draft: Draft, seed: bytes) -> frozenset[int]:
    """Order the moves of which both tables stand still; return the tables that have moves to come."""
    tournament = draft.tournament
    tables = lasting_tables(tournament)
    sizes = [table.taken.bit_count() for table in tables if table.taken]
    if _waiting(tournament) or are_even(sizes, tournament.terms.seats):
        return frozenset()
    held: set[int] = set()
    for move in rebalance([view(tournament, table) for table in tables], seed, "moves"):
        source, target = move.source[0], move.target[0]
        still = is_still(table_of(draft.tournament, source)) and table_of(draft.tournament, target).idle
        if still and _has_room(draft):
            _order(draft, move)
        else:
            held |= {source, target}
    return frozenset(held)


def is_still(table: DirectedTable) -> bool:
    """Say whether a table deals no hand and waits for nobody."""
    return table.idle and not table.expected


def _order(draft: Draft, move: Move) -> None:
    table, seat = move.source
    at = [entry for entry in draft.tournament.entries if (entry.table, entry.seat) == (table, seat)]
    mover = next(entry for entry in at if entry.status == "seated")
    draft.emit(events.MoveOrdered(mover.number, mover.player, table, *move.target))


def _switch_hand_for_hand(draft: Draft) -> None:
    """Begin to play hand for hand near the money, and end it when all are in the money, or one table is left."""
    tournament = draft.tournament
    paid, playing = len(tournament.prizes or ()), left(tournament)
    near = 0 < playing - paid <= tournament.terms.hand_for_hand and paid > 0
    wanted = near and len(lasting_tables(tournament)) > 1
    if wanted and not tournament.hand_for_hand:
        draft.emit(events.HandForHandBegan())
    elif tournament.hand_for_hand and not wanted and tournament.sync is None:
        draft.emit(events.HandForHandEnded())


def is_decided(tournament: Tournament) -> bool:
    """Say whether nobody need play on: one is left, or in a satellite as many as there are tickets."""
    prizes, satellite = tournament.prizes or (), tournament.terms.satellite
    tickets = sum([satellite is not None and prize.form == satellite.form for prize in prizes])
    return left(tournament) <= max(1, tickets)


def _play_on(draft: Draft, held: frozenset[int]) -> None:
    """Let tables play that have two players and nothing to wait for; in a pause or break, and at the end, none."""
    tournament = draft.tournament
    clock, tables = tournament.clock, lasting_tables(tournament)
    still = all(is_still(table) for table in tables)
    if clock.on_break == "announced" and still and not clock.paused:
        seconds = tournament.terms.levels[clock.level].break_seconds
        draft.emit(events.BreakStarted(draft.at_ms + 1000 * seconds))
    if clock.paused or clock.on_break or is_decided(tournament):
        return
    ready = [table for table in tables if is_still(table) and table.taken.bit_count() > 1 and table.number not in held]
    if ready and tournament.hand_for_hand:
        ready = ready if still and not tournament.busted else []
        if ready:
            draft.emit(events.SyncHandStarted(tournament.sync_hands + 1, numbers(ready)))
    if ready:
        draft.emit(events.HandsAllowed(tuple([(table.number, table.hands + 1) for table in ready])))


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {commands.Arrange: _arrange}
