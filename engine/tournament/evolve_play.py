"""What the events of play do to the state: seats, hands, levels, the end. See `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

import msgspec

from engine.poker.seats import seat_set
from engine.tournament import play_events as events
from engine.tournament.evolve_state import stopped, with_due, with_entries, with_entry, with_table, without_due
from engine.tournament.money_events import StacksRecorded
from engine.tournament.state import (
    DirectedTable,
    Entry,
    LevelClock,
    SyncHand,
    Tournament,
    entry_of,
    lasting_tables,
    table_of,
)

replace = msgspec.structs.replace

# The draw, seats and chips.


def _started(tournament: Tournament, event: events.TournamentStarted, _at_ms: int) -> Tournament:
    drawn = tuple([entry.number for entry in tournament.entries if entry.status == "registered"])
    assert len(drawn) == event.entries, "everybody who is in takes part in the draw"
    return replace(tournament, phase="seating", seed=event.seed, drawn=drawn)


def _table_opened(tournament: Tournament, event: events.TableOpened, _at_ms: int) -> Tournament:
    assert event.number == len(tournament.tables) + 1, "tables are numbered without a gap"
    table = DirectedTable(event.number, taken=seat_set([place.seat for place in event.places]))
    tournament = replace(tournament, tables=(*tournament.tables, table))
    most_tables = max(tournament.most_tables, len(lasting_tables(tournament)))
    tournament = replace(tournament, most_tables=most_tables)
    for place in event.places:
        tournament = _on_its_way(tournament, event.number, place)
    return tournament


def _on_its_way(tournament: Tournament, table: int, place: events.Place) -> Tournament:
    """Return the tournament with all chips of an entry sent to its new seat."""
    entry = entry_of(tournament, place.entry)
    assert place.chips == entry.due, "an entry takes all its chips along"
    sent = replace(
        entry,
        status="seated",
        table=table,
        seat=place.seat,
        target=(0, -1),
        chips=place.chips,
        due=0,
        shipments=entry.shipments + 1,
        seated_by=entry.shipments + 1,
    )
    tournament = replace(tournament, due=without_due(tournament, place.entry))
    return with_entries(tournament, {place.entry: sent})


def _play_began(tournament: Tournament, _event: events.PlayBegan, at_ms: int) -> Tournament:
    return replace(tournament, phase="running", clock=LevelClock(runs_since_ms=at_ms))


def _entry_seated(tournament: Tournament, event: events.EntrySeated, _at_ms: int) -> Tournament:
    table, entry = table_of(tournament, event.table), entry_of(tournament, event.place.entry)
    expected = table.expected - (entry.target[0] == event.table)
    tournament = with_table(tournament, event.table, taken=table.taken | 1 << event.place.seat, expected=expected)
    return _on_its_way(tournament, event.table, event.place)


def _chips_issued(tournament: Tournament, event: events.ChipsIssued, _at_ms: int) -> Tournament:
    entry = entry_of(tournament, event.entry)
    assert event.amount == entry.due, "an entry gets all the chips that it is due"
    tournament = replace(tournament, due=without_due(tournament, event.entry))
    changes = {"due": 0, "chips": entry.chips + event.amount, "shipments": entry.shipments + 1}
    return with_entry(tournament, event.entry, **changes)


def _move_ordered(tournament: Tournament, event: events.MoveOrdered, _at_ms: int) -> Tournament:
    source, target = table_of(tournament, event.table), table_of(tournament, event.target_table)
    seat = entry_of(tournament, event.entry).seat
    tournament = with_table(tournament, source.number, taken=source.taken & ~(1 << seat), leaving=source.leaving + 1)
    taken = target.taken | 1 << event.target_seat
    tournament = with_table(tournament, target.number, taken=taken, expected=target.expected + 1)
    place = (event.target_table, event.target_seat)
    return with_entry(tournament, event.entry, status="moving", target=place)


def _entry_received(tournament: Tournament, event: events.EntryReceived, _at_ms: int) -> Tournament:
    """Take an entry in: it keeps its chips, unless it was taken off the table, or play is over there."""
    entry, table = entry_of(tournament, event.entry), table_of(tournament, event.table)
    if entry.status == "moving":
        tournament = with_table(tournament, event.table, leaving=table.leaving - 1)
        if event.cause == "removed" or table_of(tournament, entry.target[0]).closing:
            tournament = _without_target(tournament, entry)
        return tournament if event.cause == "removed" else _waiting(tournament, event)
    if entry.table != event.table or table.frozen:
        return tournament
    tournament = _without_seat(tournament, table, entry.seat)
    if event.cause == "table_closing" and table.open:
        tournament = with_table(tournament, event.table, closing=True)
    if event.cause != "removed" and table.open:
        return _waiting(tournament, event)
    return with_entry(tournament, event.entry, table=0, seat=-1, chips=0)


def _waiting(tournament: Tournament, event: events.EntryReceived) -> Tournament:
    """Return the tournament with an entry that waits for a seat, with its chips."""
    changes = {"status": "waiting", "table": 0, "seat": -1, "chips": 0, "luggage": event.luggage}
    return with_due(with_entry(tournament, event.entry, **changes), event.entry, event.amount)


def _without_target(tournament: Tournament, entry: Entry) -> Tournament:
    """Return the tournament after a move that will not happen: the player was taken off, or the other table closes."""
    number, seat = entry.target
    target = table_of(tournament, number)
    tournament = with_table(tournament, number, taken=target.taken & ~(1 << seat), expected=target.expected - 1)
    return with_entry(tournament, entry.number, status="seated", table=0, seat=-1, target=(0, -1), chips=0)


def _without_seat(tournament: Tournament, table: DirectedTable, seat: int) -> Tournament:
    """Return the tournament with a free seat; where one is left alone, no hand can be in progress or begin."""
    taken = table.taken & ~(1 << seat)
    alone, sync = taken.bit_count() < 2, tournament.sync
    if sync is not None and alone:
        tournament = replace(tournament, sync=replace(sync, playing=sync.playing - {table.number}))
    return with_table(tournament, table.number, taken=taken, idle=table.idle or alone)


def _chips_received(tournament: Tournament, event: events.ChipsReceived, _at_ms: int) -> Tournament:
    """Take chips back that did not reach their owner.

    Those that were to take him to his seat: he does not sit there. Later ones: they are not in front of him. Earlier
    ones were sent to another seat.
    """
    if not event.entry:
        return tournament
    entry = entry_of(tournament, event.entry)
    if event.shipment >= entry.seated_by:
        tournament = with_entry(tournament, event.entry, chips=max(0, entry.chips - event.amount))
    if event.shipment == entry.seated_by and entry.status in {"seated", "moving"}:
        tournament = _not_seated(tournament, entry)
    return with_due(tournament, event.entry, event.amount)


def _not_seated(tournament: Tournament, entry: Entry) -> Tournament:
    """Return the tournament with an entry that never got its seat; a table without a hand was closed before it came."""
    table = table_of(tournament, entry.table)
    tournament = with_table(tournament, entry.table, closing=table.closing or not table.hands)
    table = table_of(tournament, entry.table)
    if entry.status == "moving":
        tournament = _without_target(with_table(tournament, table.number, leaving=table.leaving - 1), entry)
    else:
        tournament = _without_seat(tournament, table, entry.seat)
    return with_entry(tournament, entry.number, status="waiting", table=0, seat=-1)


def _table_broken(tournament: Tournament, event: events.TableBroken, _at_ms: int) -> Tournament:
    return with_table(tournament, event.number, open=False)


# Hands.


def _hands_allowed(tournament: Tournament, event: events.HandsAllowed, _at_ms: int) -> Tournament:
    tables = list(tournament.tables)
    for number, hand in event.hands:
        table = tables[number - 1]
        tables[number - 1] = replace(table, idle=hand <= table.hands)
    return replace(tournament, tables=tuple(tables))


def _hand_recorded(tournament: Tournament, event: events.HandRecorded, _at_ms: int) -> Tournament:
    """Take over what a table says; who was taken off it in this hand is no longer its business.

    After a table has reported to a cancellation, nothing that it plays counts.
    """
    if table_of(tournament, event.table).frozen:
        return tournament
    here = [entry_of(tournament, number).table == event.table for number in event.entries]
    stacks = compress(zip(event.entries, event.stacks_after, strict=True), here)
    changed = {number: replace(entry_of(tournament, number), chips=chips) for number, chips in stacks}
    at_start = dict(zip(event.entries, event.stacks, strict=True))
    taken = table_of(tournament, event.table).taken
    bust_round = tournament.bust_rounds + (tournament.sync is None and len(event.knock_outs) > 0)
    for knock_out in event.knock_outs:
        entry = changed[knock_out.entry]
        taken &= ~(1 << entry.seat)
        changed[entry.number] = replace(entry, status="waiting", table=0, seat=-1, chips=0)
        if not entry.due:
            changed[entry.number] = replace(
                changed[entry.number],
                status="busted",
                bust_round=bust_round,
                chips_at_bust=at_start[entry.number],
                knocked_out_by=knock_out.winners,
            )
    tournament = with_entries(tournament, changed)
    busted = [knock_out.entry for knock_out in event.knock_outs if changed[knock_out.entry].status == "busted"]
    busted_now, sync = (*tournament.busted, *busted), _in_sync(tournament, event)
    tournament = replace(tournament, busted=busted_now, bust_rounds=bust_round, sync=sync)
    blinds = {"button": event.button, "small_blind": event.small_blind, "big_blind": event.big_blind}
    return with_table(tournament, event.table, taken=taken, hands=event.number, idle=True, **blinds)


def _in_sync(tournament: Tournament, event: events.HandRecorded) -> SyncHand | None:
    """Return the synchronised hand after a table has ended it; a cancelled tournament's tables undo theirs."""
    sync = tournament.sync
    if sync is None or (event.voided and tournament.phase == "cancelling"):
        return sync
    stacks = tuple(zip(event.entries, event.stacks, strict=True))
    return replace(sync, playing=sync.playing - {event.table}, stacks=(*sync.stacks, *stacks))


def _entry_busted(tournament: Tournament, event: events.EntryBusted, _at_ms: int) -> Tournament:
    return with_entry(tournament, event.entry, offer_ends_ms=event.offer_ends_ms)


def _entry_eliminated(tournament: Tournament, event: events.EntryEliminated, _at_ms: int) -> Tournament:
    busted = tuple([other for other in tournament.busted if other != event.entry])
    prizes = tournament.prizes or ()
    wins = event.out_number > tournament.entered - len(prizes)
    unpaid = (*tournament.unpaid, event.entry) if wins else tournament.unpaid
    tournament = replace(tournament, busted=busted, unpaid=unpaid, outs=tournament.outs + 1)
    return with_entry(tournament, event.entry, status="out", out_number=event.out_number, tied=event.tied)


def _hand_for_hand_began(tournament: Tournament, _event: events.HandForHandBegan, _at_ms: int) -> Tournament:
    return replace(tournament, hand_for_hand=True)


def _hand_for_hand_ended(tournament: Tournament, _event: events.HandForHandEnded, _at_ms: int) -> Tournament:
    return replace(tournament, hand_for_hand=False)


def _sync_hand_started(tournament: Tournament, event: events.SyncHandStarted, _at_ms: int) -> Tournament:
    sync, bust_rounds = SyncHand(event.number, frozenset(event.tables)), tournament.bust_rounds + 1
    return replace(tournament, sync=sync, sync_hands=event.number, bust_rounds=bust_rounds)


def _sync_hand_closed(tournament: Tournament, _event: events.SyncHandClosed, _at_ms: int) -> Tournament:
    return replace(tournament, sync=None)


# The clock.


def _level_started(tournament: Tournament, event: events.LevelStarted, at_ms: int) -> Tournament:
    return replace(tournament, clock=LevelClock(level=event.level, runs_since_ms=at_ms))


def _break_announced(tournament: Tournament, _event: events.BreakAnnounced, at_ms: int) -> Tournament:
    tournament = stopped(tournament, at_ms)
    return replace(tournament, clock=replace(tournament.clock, on_break="announced"))


def _break_started(tournament: Tournament, event: events.BreakStarted, _at_ms: int) -> Tournament:
    clock = replace(tournament.clock, on_break="on", break_ends_ms=event.ends_at_ms)
    return replace(tournament, clock=clock)


def _paused(tournament: Tournament, _event: events.TournamentPaused, at_ms: int) -> Tournament:
    tournament = stopped(tournament, at_ms)
    return replace(tournament, clock=replace(tournament.clock, paused_at_ms=at_ms))


def _resumed(tournament: Tournament, _event: events.TournamentResumed, at_ms: int) -> Tournament:
    """Let the clock run; a break, and offers of rebuys that could not be taken, last as much longer."""
    clock, paused_at_ms = tournament.clock, tournament.clock.paused_at_ms
    assert paused_at_ms is not None, "only what was paused goes on"
    paused_ms = at_ms - paused_at_ms
    running = replace(
        clock,
        paused_at_ms=None,
        runs_since_ms=None if clock.on_break else at_ms,
        break_ends_ms=clock.break_ends_ms + paused_ms if clock.on_break == "on" else clock.break_ends_ms,
    )
    tournament = replace(tournament, clock=running)
    busted = [entry_of(tournament, number) for number in tournament.busted]
    offered = [entry for entry in busted if entry.offer_ends_ms > paused_at_ms]
    longer = {entry.number: replace(entry, offer_ends_ms=entry.offer_ends_ms + paused_ms) for entry in offered}
    return with_entries(tournament, longer)


def _mass_disconnect(tournament: Tournament, _event: events.MassDisconnectDetected, _at_ms: int) -> Tournament:
    return tournament


# The end.


def _tables_closed(tournament: Tournament, event: events.TablesClosed, _at_ms: int) -> Tournament:
    closed = frozenset(event.tables)
    tables = [replace(table, open=False) if table.number in closed else table for table in tournament.tables]
    return replace(tournament, tables=tuple(tables))


def _finished(tournament: Tournament, event: events.TournamentFinished, at_ms: int) -> Tournament:
    """Give the winners the best places, in the order of their entries."""
    first = tournament.entered
    won = {
        number: replace(entry_of(tournament, number), status="won", out_number=first - place)
        for place, number in enumerate(event.winners)
    }
    tournament = replace(stopped(tournament, at_ms), phase="finished", unpaid=(*tournament.unpaid, *event.winners))
    return with_entries(tournament, won)


def _stacks_recorded(tournament: Tournament, event: StacksRecorded, _at_ms: int) -> Tournament:
    stacks = zip(event.entries, event.stacks, strict=True)
    changed = {number: replace(entry_of(tournament, number), chips=chips) for number, chips in stacks}
    return with_table(with_entries(tournament, changed), event.table, frozen=True)


PLAY_EVENTS: dict[type, Callable[[Tournament, Any, int], Tournament]] = {
    events.TournamentStarted: _started,
    events.TableOpened: _table_opened,
    events.PlayBegan: _play_began,
    events.EntrySeated: _entry_seated,
    events.ChipsIssued: _chips_issued,
    events.MoveOrdered: _move_ordered,
    events.EntryReceived: _entry_received,
    events.ChipsReceived: _chips_received,
    events.TableBroken: _table_broken,
    events.HandsAllowed: _hands_allowed,
    events.HandRecorded: _hand_recorded,
    events.EntryBusted: _entry_busted,
    events.EntryEliminated: _entry_eliminated,
    events.HandForHandBegan: _hand_for_hand_began,
    events.HandForHandEnded: _hand_for_hand_ended,
    events.SyncHandStarted: _sync_hand_started,
    events.SyncHandClosed: _sync_hand_closed,
    events.LevelStarted: _level_started,
    events.BreakAnnounced: _break_announced,
    events.BreakStarted: _break_started,
    events.TournamentPaused: _paused,
    events.TournamentResumed: _resumed,
    events.MassDisconnectDetected: _mass_disconnect,
    events.TablesClosed: _tables_closed,
    events.TournamentFinished: _finished,
    StacksRecorded: _stacks_recorded,
}
"""One function per event type; `evolve` looks its event up here."""
