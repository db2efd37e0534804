"""A tournament in play: the draw, opening tables, what tables report, levels, breaks and pauses."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from engine.errors import IllegalAction, InvalidCommand, Reason
from engine.origin import return_id
from engine.shape import verify_amount, verify_seed, verify_text, verify_texts
from engine.tournament import commands
from engine.tournament import play_events as events
from engine.tournament.busts import decided, eliminate, settle_busts
from engine.tournament.draft import Draft, next_shipment_id, shipment_id
from engine.tournament.play_events import Place
from engine.tournament.reports import verify_departure, verify_hand
from engine.tournament.seating import draw_seats, tables_needed
from engine.tournament.shares import EntryId
from engine.tournament.state import (
    OVER,
    DirectedTable,
    Entry,
    Tournament,
    entry_of,
    is_time,
    left,
    level_used_ms,
    numbers,
    open_tables,
    table_of,
)

MASS_DISCONNECT_MS = 300_000
"""For so long must most players have been gone (O-41)."""


def startable(tournament: Tournament, at_ms: int) -> bool:
    """Say whether it is time to start: full, or at its time.

    Nobody's money may be on the way, unless one can come late.
    """
    terms, entered = tournament.terms, tournament.entered
    if tournament.phase != "registering" or (tournament.payments and not terms.late_levels):
        return False
    if terms.starts_at_ms is None:
        return entered == terms.entries_max
    return is_time(tournament, at_ms) and entered >= terms.entries_min


def _start(draft: Draft, command: commands.StartTournament) -> None:
    """Draw for seats: from here on the seed and the entries say who sits where (T-ABU-8)."""
    verify_seed(command.seed)
    if not startable(draft.tournament, draft.at_ms):
        raise IllegalAction(Reason.NOTHING_DUE, "it is not time to start")
    # From here on the command succeeds.
    entered = draft.tournament.entered
    tables = tables_needed(entered, draft.tournament.terms.seats)
    draft.emit(events.TournamentStarted(command.seed, entered, tables))


def tables_to_open(tournament: Tournament) -> int:
    """Return how many tables of the draw are not open yet."""
    if tournament.phase != "seating":
        return 0
    return tables_needed(len(tournament.drawn), tournament.terms.seats) - len(tournament.tables)


def _open_table(draft: Draft, _command: commands.OpenTable) -> None:
    """Open the next table, with the players whom the draw has given it."""
    tournament = draft.tournament
    if not tables_to_open(tournament):
        raise IllegalAction(Reason.NOTHING_DUE, "all tables of the draw are open")
    # From here on the command succeeds.
    number = len(tournament.tables) + 1
    drawn = _draw(tournament.seed, len(tournament.drawn), tournament.terms.seats)
    players = [(entry_of(tournament, tournament.drawn[index]), seat) for index, seat in drawn[number - 1]]
    open_with(draft, [place_for(tournament, entry, seat) for entry, seat in players])


@lru_cache(maxsize=8)
def _draw(seed: bytes, players: int, seats: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return who sits at each table: the player's index, and his seat."""
    tables: list[list[tuple[int, int]]] = [[] for _ in range(tables_needed(players, seats))]
    for index, (table, seat) in enumerate(draw_seats(players, seats, seed)):
        tables[table - 1].append((index, seat))
    return tuple([tuple(table) for table in tables])


def open_with(draft: Draft, places: list[Place]) -> None:
    """Open a table for these entries."""
    tournament, terms = draft.tournament, draft.tournament.terms
    number, level = len(tournament.tables) + 1, tournament.clock.level
    stakes, name = terms.levels[level].stakes, f"{terms.name}, table {number}"
    about = (number, name, terms.rulebook, stakes, level, terms.seats, terms.unit)
    draft.emit(events.TableOpened(*about, tuple(places)))


def place_for(tournament: Tournament, entry: Entry, seat: int) -> Place:
    """Return an entry with all its chips on the way to a seat."""
    shipment_id = next_shipment_id(tournament, entry)
    return Place(entry.number, entry.player, seat, entry.due, shipment_id, entry.luggage)


def _begin_play(draft: Draft, _command: commands.BeginPlay) -> None:
    if draft.tournament.phase != "seating" or tables_to_open(draft.tournament):
        raise IllegalAction(Reason.NOTHING_DUE, "not all tables are open")
    # From here on the command succeeds.
    draft.emit(events.PlayBegan())


# What tables report.


def _record_hand(draft: Draft, command: commands.RecordHand) -> None:
    """Note a hand; the last table to end a synchronised hand closes it."""
    verify_hand(draft.tournament, command)
    about = (command.table, command.number, command.button, command.small_blind, command.big_blind)
    stacks = (command.entries, command.stacks, command.stacks_after)
    # From here on the command succeeds.
    draft.emit(events.HandRecorded(*about, *stacks, command.knock_outs, command.voided))
    _close_sync_hand(draft)
    _close_if_broken(draft, command.table)


def _close_sync_hand(draft: Draft) -> None:
    sync = draft.tournament.sync
    if sync is not None and not sync.playing:
        draft.emit(events.SyncHandClosed(sync.number))


def _receive_entry(draft: Draft, command: commands.ReceiveEntry) -> None:
    """Take an entry in that left a table: give it its new seat, or count it as out if it was taken off the table.

    The last one has won. What a table has reported to a cancellation counts, whatever happens there afterwards. Whose
    table was closed under him by an operator waits for a seat at another one.
    """
    verify_departure(draft.tournament, command)
    # From here on the command succeeds.
    about = (command.entry, command.table, command.amount, command.transfer_id, command.cause, command.luggage)
    entry, before = entry_of(draft.tournament, command.entry), table_of(draft.tournament, command.table)
    counts = not before.frozen and left(draft.tournament) > 1
    draft.emit(events.EntryReceived(*about))
    _take_leave_back(draft, before)
    if command.cause == "removed" and entry.status in {"seated", "moving"} and counts:
        eliminate(draft, decided(draft.tournament, draft.at_ms))
        eliminate(draft, [entry_of(draft.tournament, command.entry)])
    elif command.cause != "removed" and entry.status == "moving":
        _go_on_moving(draft, entry)
    _close_sync_hand(draft)
    for number in {command.table, entry.target[0]} - {0}:
        _close_if_broken(draft, number)


def _take_leave_back(draft: Draft, before: DirectedTable) -> None:
    """Let a table at which one is left alone not deal the hand that it was let: others may join him before it does."""
    table = table_of(draft.tournament, before.number)
    if table.idle and not before.idle:
        draft.emit(events.HandsAllowed(((table.number, table.hands),)))


def _go_on_moving(draft: Draft, entry: Entry) -> None:
    """Seat an entry at the table that it was to move to, if that is still there and nobody has called it all off."""
    now = entry_of(draft.tournament, entry.number)
    target, seat = now.target
    if target and draft.tournament.phase != "cancelling":
        draft.emit(events.EntrySeated(target, place_for(draft.tournament, now, seat)))


def _close_if_broken(draft: Draft, number: int) -> None:
    """Close a table that the last of its players has left for another one."""
    table = table_of(draft.tournament, number)
    if draft.tournament.phase == "running" and table.open and not (table.taken or table.leaving or table.expected):
        draft.emit(events.TableBroken(number))


def _receive_chips(draft: Draft, command: commands.ReceiveChips) -> None:
    """Take back chips that found no place; they are their owner's, or out of play with him."""
    verify_amount("amount", command.amount)
    verify_texts(command, "player", "transfer_id")
    owner, shipment = _owner(draft.tournament, command)
    # From here on the command succeeds.
    table = entry_of(draft.tournament, owner).table if owner else 0
    before = table_of(draft.tournament, table) if table else None
    draft.emit(events.ChipsReceived(owner, command.amount, command.transfer_id, shipment))
    if before is not None:
        _take_leave_back(draft, before)
        _close_sync_hand(draft)
        _close_if_broken(draft, table)


def _owner(tournament: Tournament, command: commands.ReceiveChips) -> tuple[EntryId, int]:
    """Return the entry whose chips come back, and which of its shipments they were; 0 for one that is over."""
    for entry in tournament.entries:
        if entry.player == command.player and entry.status not in OVER:
            for number in range(1, entry.shipments + 1):
                if command.transfer_id == return_id(shipment_id(tournament, entry, number)):
                    return entry.number, number
    return 0, 0


# The clock.


def is_level_over(tournament: Tournament, at_ms: int) -> bool:
    """Say whether it is time for the next level, or for the break before it."""
    clock, levels = tournament.clock, tournament.terms.levels
    if tournament.phase != "running" or clock.paused or clock.level + 1 >= len(levels):
        return False
    if clock.on_break:
        return clock.on_break == "on" and at_ms >= clock.break_ends_ms
    return level_used_ms(clock, at_ms) >= 1000 * levels[clock.level].seconds


def _advance_level(draft: Draft, _command: commands.AdvanceLevel) -> None:
    """Go on to the break that follows the level, or to the next level."""
    tournament = draft.tournament
    if not is_level_over(tournament, draft.at_ms):
        raise IllegalAction(Reason.NOTHING_DUE, "the level is not over")
    # From here on the command succeeds.
    level = tournament.clock.level
    if tournament.terms.levels[level].break_seconds and not tournament.clock.on_break:
        draft.emit(events.BreakAnnounced())
        return
    stakes = tournament.terms.levels[level + 1].stakes
    draft.emit(events.LevelStarted(level + 1, stakes, numbers(open_tables(tournament))))


def _pause(draft: Draft, command: commands.PauseTournament) -> None:
    verify_texts(command, "cause", "by")
    _verify_running(draft.tournament)
    # From here on the command succeeds.
    if not draft.tournament.clock.paused:
        draft.emit(events.TournamentPaused(command.cause, command.by))


def _verify_running(tournament: Tournament) -> None:
    if tournament.phase != "running":
        raise IllegalAction(Reason.NOT_RUNNING, "the tournament is not in play")


def _resume(draft: Draft, command: commands.ResumeTournament) -> None:
    verify_text("by", command.by)
    _verify_running(draft.tournament)
    # From here on the command succeeds.
    if draft.tournament.clock.paused:
        draft.emit(events.TournamentResumed(command.by))


def _report_disconnected(draft: Draft, command: commands.ReportDisconnected) -> None:
    """Pause when most players have been gone for minutes; a person decides how it goes on (O-41)."""
    tournament = draft.tournament
    if not 0 <= command.lost <= left(tournament):
        raise InvalidCommand(Reason.FIELD_INVALID, "some of the entries that are in", field="lost")
    if not 0 <= command.since_ms <= draft.at_ms:
        raise InvalidCommand(Reason.FIELD_INVALID, "a time that is past", field="since_ms")
    _verify_running(tournament)
    most = 2 * command.lost > left(tournament)
    # From here on the command succeeds.
    if most and draft.at_ms - command.since_ms >= MASS_DISCONNECT_MS and not tournament.clock.paused:
        draft.emit(events.MassDisconnectDetected(command.lost, left(tournament), command.since_ms))
        draft.emit(events.TournamentPaused("mass disconnect", "director"))


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.StartTournament: _start,
    commands.OpenTable: _open_table,
    commands.BeginPlay: _begin_play,
    commands.RecordHand: _record_hand,
    commands.ReceiveEntry: _receive_entry,
    commands.ReceiveChips: _receive_chips,
    commands.SettleBusts: settle_busts,
    commands.AdvanceLevel: _advance_level,
    commands.PauseTournament: _pause,
    commands.ResumeTournament: _resume,
    commands.ReportDisconnected: _report_disconnected,
}
