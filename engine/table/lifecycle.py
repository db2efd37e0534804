"""A table as a whole: opening and closing, halting, levels, pauses, voiding a hand, the sweep of its rake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalAction, InvalidCommand, Reason
from engine.origin import chips_unit
from engine.poker.betting import player_at
from engine.rulebooks.loading import rulebook_hash
from engine.rulebooks.opening import agree_seats, buyin_limits, verify_dealt_here, verify_stakes
from engine.shape import verify_text, verify_texts
from engine.table import commands
from engine.table.after_hand import close_if_empty, leave, report_void_hand, settle_seats, sweep_rake
from engine.table.clock import open_hand
from engine.table.draft import Draft
from engine.table.events import TableEvent
from engine.table.flow import carry_on
from engine.table.hand_events import HandVoided
from engine.table.presence import in_hand
from engine.table.seat_events import (
    ClockPaused,
    ClockResumed,
    HandsLimited,
    LevelChanged,
    SeatReleased,
    StacksReported,
    TableClosing,
    TableCreated,
    TableHalted,
    TableResumed,
)
from engine.table.state import Hand, chips_of


def create(command: commands.CreateTable) -> tuple[TableEvent, ...]:
    """Return the event that opens a table.

    Raises:
        InvalidCommand: A name is empty (FIELD_INVALID).
        IllegalAction: The house has no such tables, or the rules ask for a game that is not dealt here.
    """
    verify_texts(command, "table_id", "name", "unit")
    if command.prize_unit:
        verify_text("prize_unit", command.prize_unit)
    _verify_named(command)
    rules = command.rulebook
    agree_seats(rules, command.seats)
    verify_dealt_here(rules)
    verify_stakes(rules, command.stakes, command.kind)
    minimum, maximum = buyin_limits(rules, command.stakes)
    cash = command.kind == "cash"
    # From here on the command succeeds.
    return (
        TableCreated(
            command.table_id,
            command.name,
            command.kind,
            command.unit,
            command.seats,
            rules,
            rulebook_hash(rules),
            command.stakes,
            minimum if cash else 0,
            (maximum or 0) if cash else 0,
            command.prize_unit,
        ),
    )


def _verify_named(command: commands.CreateTable) -> None:
    """Refuse a cash table that has the chips or the name of a tournament's: those are named T-1, T-2 and so on."""
    name, _, number = command.table_id.rpartition("-")
    if command.kind == "cash" and command.unit.startswith(chips_unit("")):
        raise InvalidCommand(Reason.FIELD_INVALID, "tournament chips are no money", field="unit")
    if command.kind == "cash" and name and number.isdecimal():
        raise InvalidCommand(Reason.FIELD_INVALID, "tables of tournaments are numbered so", field="table_id")


def _create_again(_draft: Draft, _command: commands.CreateTable) -> None:
    raise IllegalAction(Reason.TABLE_EXISTS, "the table exists already")


def _close(draft: Draft, _command: commands.CloseTable) -> None:
    """Close the table; a hand in progress is played to its end first (`operations.md` 7b.8)."""
    if draft.table.desk.status != "open":
        return
    # From here on the command succeeds.
    draft.emit(TableClosing())
    for hold in draft.table.desk.holds:
        draft.emit(SeatReleased(hold.seat, hold.player, "table_closing"))
    for seat, occupant in enumerate(draft.table.seats):
        if occupant is not None and not in_hand(draft.table, seat):
            leave(draft, seat, "table_closing")
    close_if_empty(draft)


def _halt(draft: Draft, command: commands.HaltTable) -> None:
    verify_text("cause", command.cause)
    _verify_not_closed(draft)
    # From here on the command succeeds.
    if not draft.table.desk.halted:
        draft.emit(TableHalted(command.cause))


def _verify_not_closed(draft: Draft) -> None:
    if draft.table.desk.status == "closed":
        raise IllegalAction(Reason.TABLE_CLOSED, "the table is gone for good")


def _resume(draft: Draft, command: commands.ResumeTable) -> None:
    verify_text("by", command.by)
    # From here on the command succeeds.
    if draft.table.desk.halted:
        draft.emit(TableResumed(command.by))
        carry_on(draft)


def _change_level(draft: Draft, command: commands.ChangeLevel) -> None:
    """Set the stakes of the next hands; the hand in progress is played to its end on its own (O-32)."""
    table = draft.table
    if command.level < 0:
        raise InvalidCommand(Reason.FIELD_INVALID, "levels count from 0", field="level")
    if table.config.kind != "tournament":
        raise IllegalAction(Reason.NOT_A_TOURNAMENT, "the stakes of a cash table never change")
    before, after = table.terms.stakes, command.stakes
    if (after.limit_type, after.big_blind > 0) != (before.limit_type, before.big_blind > 0):
        raise IllegalAction(Reason.STAKES_INVALID, "a level has the limit type of its table, and blinds if it has them")
    verify_stakes(table.config.rulebook, after, "tournament")
    # From here on the command succeeds.
    if (command.level, command.stakes) != (table.terms.level, table.terms.stakes):
        draft.emit(LevelChanged(command.level, command.stakes))


def _limit_hands(draft: Draft, command: commands.LimitHands) -> None:
    """Let the hands up to a number be dealt; one that has begun is played to its end."""
    if command.up_to < 0:
        raise InvalidCommand(Reason.FIELD_INVALID, "hands count from 1", field="up_to")
    _verify_tournament(draft)
    # From here on the command succeeds.
    if draft.table.desk.hands_allowed != command.up_to:
        draft.emit(HandsLimited(command.up_to))


def _verify_tournament(draft: Draft) -> None:
    if draft.table.config.kind != "tournament":
        raise IllegalAction(Reason.NOT_A_TOURNAMENT, "a cash table has no director")


def _freeze(draft: Draft, command: commands.FreezeTable) -> None:
    """Undo the hand in progress, stand still, and report what everybody has: stacks and queued chips (AMB-12).

    No hand is dealt here any more, whoever puts the table back into service.
    """
    verify_texts(command, "cause", "by")
    _verify_tournament(draft)
    # From here on the command succeeds.
    if draft.table.hand is not None:
        _undo(draft, draft.table.hand, command.cause, command.by)
    if not draft.table.desk.halted and draft.table.desk.status != "closed":
        draft.emit(TableHalted(command.cause))
    allowed, started = draft.table.desk.hands_allowed, draft.table.desk.hands_started
    if allowed is not None and allowed > started:
        draft.emit(HandsLimited(started))
    occupants = [occupant for occupant in draft.table.seats if occupant is not None]
    stacks = [chips_of(occupant) for occupant in occupants]
    draft.emit(StacksReported(tuple([occupant.entry for occupant in occupants]), tuple(stacks)))


def _pause(draft: Draft, _command: commands.PauseClock) -> None:
    _verify_not_closed(draft)
    if draft.table.desk.paused_at_ms is not None:
        return
    # From here on the command succeeds.
    draft.emit(ClockPaused())


def _unpause(draft: Draft, _command: commands.ResumeClock) -> None:
    paused_at_ms = draft.table.desk.paused_at_ms
    if paused_at_ms is None:
        return
    # From here on the command succeeds.
    draft.emit(ClockResumed(draft.at_ms - paused_at_ms))


def _sweep(draft: Draft, _command: commands.SweepRake) -> None:
    sweep_rake(draft)


def _void_hand(draft: Draft, command: commands.VoidHand) -> None:
    """Undo the hand: every stack is as it was at its start (R-AKP-31, `operations.md` 7b.3)."""
    verify_texts(command, "cause", "by")
    hand = open_hand(draft.table, command.hand_id)
    # From here on the command succeeds.
    _undo(draft, hand, command.cause, command.by)


def _undo(draft: Draft, hand: Hand, cause: str, by: str) -> None:
    setup = hand.setup
    refunds = [
        stack - player_at(hand.players, seat).stack for seat, stack in zip(setup.seats, setup.stacks, strict=True)
    ]
    rake = sum(hand.settlement.rake)
    draft.emit(
        HandVoided(
            setup.hand_id,
            cause,
            by,
            setup.seats,
            setup.stacks,
            tuple(refunds),
            rake,
            hand.lost.requests,
        )
    )
    report_void_hand(draft, hand)
    settle_seats(draft)
    close_if_empty(draft)


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.CreateTable: _create_again,
    commands.CloseTable: _close,
    commands.HaltTable: _halt,
    commands.ResumeTable: _resume,
    commands.ChangeLevel: _change_level,
    commands.LimitHands: _limit_hands,
    commands.FreezeTable: _freeze,
    commands.PauseClock: _pause,
    commands.ResumeClock: _unpause,
    commands.SweepRake: _sweep,
    commands.VoidHand: _void_hand,
}
