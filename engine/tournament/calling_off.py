"""Calling a tournament off: freeze, count, plan, approve, pay (rulebooks.md section 4).

Tables undo the hands in progress, stand still and report what everybody has. When all reports are in, and nobody's
money is on the way, the plan is a pure function of the books; it is put on record part by part, two people approve its
hash, the house pays in what it owes on top, and then each line is paid once. What is left is the house's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from engine.errors import IllegalAction, Reason
from engine.rulebooks.rulebook import CancellationRules
from engine.shape import verify_text, verify_texts
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.busts import undecided
from engine.tournament.cancellation import plan
from engine.tournament.cancellation_case import CancellationCase, EntryAccount
from engine.tournament.draft import Draft, next_transfer_id
from engine.tournament.ending import can_fix_prizes, overlay_needed
from engine.tournament.paying import account_of_entry, pay_house, pay_line
from engine.tournament.play_events import TablesClosed
from engine.tournament.refund_plan import PlanLine, PlanPart, Sources, parts
from engine.tournament.reports import verify_stacks
from engine.tournament.seating import tables_needed
from engine.tournament.state import CallingOff, Tournament, accepted, numbers, open_tables

APPROVALS = 2
LINES_PAID_MAX = 25
"""Lines paid by one command, so that its record stays small."""
OVER = frozenset({"finished", "cancelling", "cancelled"})


def _cancel(draft: Draft, command: commands.CancelTournament) -> None:
    """Stop everything; the tables are asked what everybody has."""
    verify_texts(command, "cause", "by")
    if draft.tournament.phase in OVER:
        raise IllegalAction(Reason.TOURNAMENT_OVER, "the tournament is over")
    # From here on the command succeeds.
    draft.emit(events.CancellationRequested(command.cause, command.by, numbers(open_tables(draft.tournament))))


def _record_stacks(draft: Draft, command: commands.RecordStacks) -> None:
    verify_stacks(draft.tournament, command)
    if draft.tournament.calling_off is None:
        raise IllegalAction(Reason.NOTHING_DUE, "the tournament has not been called off")
    # From here on the command succeeds.
    draft.emit(events.StacksRecorded(command.table, command.entries, command.stacks))


def can_plan(tournament: Tournament, at_ms: int) -> bool:
    """Say whether all that the plan is made of is known, and a part of it is still to be put on record."""
    calling_off = tournament.calling_off
    if tournament.phase != "cancelling" or calling_off is None or calling_off.complete:
        return False
    money_to_come = tournament.payments or tournament.overlay_id
    first = tournament.unpaid or undecided(tournament, at_ms) or can_fix_prizes(tournament)
    return not money_to_come and not first and all(table.frozen for table in open_tables(tournament))


def case_of(tournament: Tournament) -> CancellationCase:
    """Return the books of a tournament at the moment it is called off.

    In a synchronised hand that not all tables have ended, those who have ended it are back where they were at its
    start, if the house counts the chips at the start of the hand (AMB-12).
    """
    added = tournament.overlay_added
    tables_to_come = 0 if tournament.tables else tables_needed(tournament.entered, tournament.terms.seats)
    return CancellationCase(
        tournament_id=tournament.tournament_id,
        unit=tournament.terms.unit,
        single_table=max(tournament.most_tables, tables_to_come) == 1,
        entries=tuple(_accounts(tournament)),
        overlay=added or overlay_needed(tournament),
        paid=tournament.prizes_paid,
        prizes=tuple([prize.amount for prize in tournament.prizes or ()]),
    )


def _accounts(tournament: Tournament) -> list[EntryAccount]:
    sync = tournament.sync
    at_start = dict(sync.stacks) if sync is not None else {}
    if tournament.terms.rulebook.cancellation.chips_as_of == "at_cancellation":
        at_start = {}
    return [
        account_of_entry(entry, at_start.get(entry.number, entry.chips + entry.due)) for entry in accepted(tournament)
    ]


@lru_cache(maxsize=2)
def _planned(case: CancellationCase, rules: CancellationRules) -> tuple[PlanPart, ...]:
    return parts(plan(case, rules))


def _plan_cancellation(draft: Draft, _command: commands.PlanCancellation) -> None:
    """Put the next part of the plan on record."""
    tournament, calling_off = draft.tournament, draft.tournament.calling_off
    if calling_off is None or not can_plan(tournament, draft.at_ms):
        raise IllegalAction(Reason.NOTHING_DUE, "there is nothing to plan yet, or no more")
    # From here on the command succeeds.
    planned = _planned(case_of(tournament), tournament.terms.rulebook.cancellation)
    draft.emit(events.CancellationPlanned(planned[calling_off.parts]))


def _approve(draft: Draft, command: commands.ApproveCancellation) -> None:
    """Take a person's approval of the plan; the second one lets it be paid."""
    verify_text("by", command.by)
    calling_off = draft.tournament.calling_off
    if calling_off is None or not calling_off.complete or calling_off.plan_hash != command.plan_hash:
        raise IllegalAction(Reason.PLAN_UNKNOWN, "no complete plan has this hash")
    if command.by in calling_off.approved_by:
        raise IllegalAction(Reason.ALREADY_APPROVED, "a second person must approve")
    if len(calling_off.approved_by) >= APPROVALS:
        return
    # From here on the command succeeds.
    draft.emit(events.CancellationApproved(command.plan_hash, command.by))
    if len(calling_off.approved_by) + 1 == APPROVALS:
        _ask_for_cover(draft)


def _ask_for_cover(draft: Draft) -> None:
    """Ask the house for what it pays on top of the pool."""
    amount = _house_owes(draft.tournament.calling_off)
    if amount:
        draft.emit(events.CoverRequested(next_transfer_id(draft.tournament), amount))


def _house_owes(calling_off: CallingOff | None) -> int:
    return 0 if calling_off is None or calling_off.summary is None else calling_off.summary.totals.house


def _request_cover(draft: Draft, _command: commands.RequestCover) -> None:
    """Ask the house again."""
    calling_off = draft.tournament.calling_off
    if calling_off is None or len(calling_off.approved_by) < APPROVALS or not _house_owes(calling_off):
        raise IllegalAction(Reason.NOTHING_DUE, "the house owes nothing on top of the pool")
    if calling_off.covered or calling_off.cover_id:
        raise IllegalAction(Reason.PAYMENT_PENDING, "the house has paid, or was asked")
    # From here on the command succeeds.
    _ask_for_cover(draft)


def can_pay_refunds(tournament: Tournament) -> bool:
    """Say whether the plan is approved, and the house has paid in its part."""
    calling_off = tournament.calling_off
    if tournament.phase != "cancelling" or calling_off is None or len(calling_off.approved_by) < APPROVALS:
        return False
    return calling_off.covered or not _house_owes(calling_off)


def _pay_refunds(draft: Draft, _command: commands.PayRefunds) -> None:
    """Pay the next lines of the plan; when all are paid, what is left goes to the house, and the tables close."""
    tournament, calling_off = draft.tournament, draft.tournament.calling_off
    if calling_off is None or calling_off.summary is None or not can_pay_refunds(tournament):
        raise IllegalAction(Reason.NOTHING_DUE, "no approved plan waits for payment")
    # From here on the command succeeds.
    missing = calling_off.summary.remaining - tournament.purses.pool
    if missing > 0 and not calling_off.paid_lines:
        draft.emit(events.OverlayAdded(missing))
    first = calling_off.paid_lines
    lines = calling_off.lines[first : first + LINES_PAID_MAX]
    for line in lines:
        pay_line(draft, line, _paid_as(line))
    if not lines:
        _close(draft)


def _paid_as(line: PlanLine) -> events.Paid:
    return "prize" if line.reason == "prize" else "bounty" if line.reason == "bounty" else "refund"


def _close(draft: Draft) -> None:
    purses = draft.tournament.purses
    pay_house(draft, "unused_overlay", Sources(), overlay=purses.overlay)
    pay_house(draft, "left_over", Sources(pool=purses.pool))
    pay_house(draft, "fee", Sources(fees=purses.fees))
    draft.emit(TablesClosed(numbers(open_tables(draft.tournament))))
    draft.emit(events.TournamentCancelled())


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.CancelTournament: _cancel,
    commands.RecordStacks: _record_stacks,
    commands.PlanCancellation: _plan_cancellation,
    commands.ApproveCancellation: _approve,
    commands.RequestCover: _request_cover,
    commands.PayRefunds: _pay_refunds,
}
