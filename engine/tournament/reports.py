"""The shape of what tables report: it names what the tournament has, and does not contradict itself.

Reports come by courier from tables that the director has opened himself, so what is refused here was sent by nobody
who plays by the rules; it changes nothing (T-ABU-9).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import InvalidCommand, NotFound, Reason, Rejected
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.seats import SEATS_MAX
from engine.shape import verify_amount, verify_text
from engine.tournament import commands
from engine.tournament.shares import EntryId
from engine.tournament.state import Tournament, entry_of


def verify_hand(tournament: Tournament, report: commands.RecordHand) -> None:
    """Refuse a report of a hand that makes no sense.

    Raises:
        InvalidCommand: A number is out of its range, or the lists do not belong together (FIELD_INVALID).
        NotFound: The tournament has no such table or entry.
    """
    _verify_table(tournament, report.table)
    _verify_range("number", report.number, 1, CHIPS_MAX)
    for field in ("button", "small_blind", "big_blind"):
        _verify_range(field, getattr(report, field), -1, SEATS_MAX - 1)
    _verify_entries(tournament, report.entries)
    _verify_stacks("stacks", report.entries, report.stacks)
    _verify_stacks("stacks_after", report.entries, report.stacks_after)
    if not {knock_out.entry for knock_out in report.knock_outs} <= _without_chips(tournament, report):
        raise InvalidCommand(Reason.FIELD_INVALID, "who has no chips left is knocked out", field="knock_outs")
    for knock_out in report.knock_outs:
        _verify_entries(tournament, knock_out.winners)


def _without_chips(tournament: Tournament, report: commands.RecordHand) -> set[EntryId]:
    """Return who sits at the table and has lost all in the hand."""
    stacks = zip(report.entries, report.stacks_after, strict=True)
    return {entry for entry, stack in stacks if not stack and entry_of(tournament, entry).table == report.table}


def verify_stacks(tournament: Tournament, report: commands.RecordStacks) -> None:
    """Refuse a report of stacks that makes no sense.

    Raises:
        InvalidCommand: The lists do not belong together (FIELD_INVALID).
        NotFound: The tournament has no such table or entry.
    """
    _verify_table(tournament, report.table)
    _verify_entries(tournament, report.entries)
    _verify_stacks("stacks", report.entries, report.stacks)


def verify_departure(tournament: Tournament, report: commands.ReceiveEntry) -> None:
    """Refuse an entry that comes from nowhere.

    Raises:
        InvalidCommand: An amount or a number is out of its range (FIELD_INVALID).
        NotFound: The tournament has no such table or entry.
    """
    verify_amount("amount", report.amount)
    verify_text("transfer_id", report.transfer_id)
    _verify_range("luggage", report.luggage.bank_ms, -1, CHIPS_MAX)
    _verify_range("luggage", report.luggage.hands_dealt, 0, CHIPS_MAX)
    _verify_table(tournament, report.table)
    _verify_entries(tournament, (report.entry,))


def _verify_table(tournament: Tournament, table: int) -> None:
    if not 1 <= table <= len(tournament.tables):
        raise NotFound(Reason.TABLE_UNKNOWN, "the tournament has no such table")


def _verify_entries(tournament: Tournament, entries: Sequence[EntryId]) -> None:
    if not all(1 <= entry <= len(tournament.entries) for entry in entries):
        raise NotFound(Reason.NOT_REGISTERED, "the tournament has no such entry")
    if len(set(entries)) < len(entries):
        raise InvalidCommand(Reason.FIELD_INVALID, "an entry occurs once", field="entries")


def _verify_stacks(field: str, entries: Sequence[EntryId], stacks: Sequence[Chips]) -> None:
    if len(stacks) != len(entries):
        raise _invalid(field, "there is one stack for each entry")
    for stack in stacks:
        _verify_range(field, stack, 0, CHIPS_MAX)


def _verify_range(field: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise _invalid(field, f"it is from {least} to {most}")


def _invalid(field: str, detail: str) -> Rejected:
    return InvalidCommand(Reason.FIELD_INVALID, detail, field=field)
