"""How a tournament changes: one event at a time, and in no other way.

`evolve` is total: every event that `decide` made can be applied, and what must hold is asserted. Registration, money,
prizes and cancellations are here; what happens at tables and to the clock is in `evolve_play.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engine.poker.money import Chips
from engine.tournament import money_events as events
from engine.tournament.events import TournamentCreated, TournamentEvent
from engine.tournament.evolve_play import PLAY_EVENTS
from engine.tournament.evolve_state import stopped, with_due, with_entry
from engine.tournament.prizes import Prize
from engine.tournament.refund_plan import Sources
from engine.tournament.state import (
    CallingOff,
    Entry,
    Payment,
    Purses,
    Tournament,
    entry_of,
)

replace = msgspec.structs.replace


def evolve(tournament: Tournament | None, event: TournamentEvent, at_ms: int) -> Tournament:
    """Return the tournament after the event, which happened at `at_ms` (milliseconds on the log)."""
    if tournament is None:
        assert isinstance(event, TournamentCreated), "a tournament begins with TournamentCreated"
        return Tournament(event.tournament_id, event.terms, event.rulebook_hash)
    return EVOLVE[type(event)](tournament, event, at_ms)


def replay(log: Iterable[TournamentEvent], at_ms: int, tournament: Tournament | None = None) -> Tournament | None:
    """Return the tournament after all events of `log`, which happened at one time."""
    for event in log:
        tournament = evolve(tournament, event, at_ms)
    return tournament


# The guarantee.


def _overlay_requested(tournament: Tournament, event: events.OverlayRequested, _at_ms: int) -> Tournament:
    return replace(tournament, overlay_id=event.transfer_id, transfers=tournament.transfers + 1)


def _overlay_received(tournament: Tournament, event: events.OverlayReceived, _at_ms: int) -> Tournament:
    return replace(_filled(tournament, overlay=event.amount), overlay_id="")


def _overlay_refused(tournament: Tournament, _event: events.OverlayRefused, _at_ms: int) -> Tournament:
    return replace(tournament, overlay_id="")


def _overlay_added(tournament: Tournament, event: events.OverlayAdded, _at_ms: int) -> Tournament:
    tournament = _filled(tournament, overlay=-event.amount, pool=event.amount)
    return replace(tournament, overlay_added=tournament.overlay_added + event.amount)


def _filled(tournament: Tournament, **amounts: Chips) -> Tournament:
    """Return the tournament with these amounts added to its purses; none may fall below zero."""
    purses = tournament.purses
    after = {purse: getattr(purses, purse) + amount for purse, amount in amounts.items()}
    assert min(after.values()) >= 0, "a purse never pays what it does not hold"
    return replace(tournament, purses=replace(purses, **after))


# Registration and payments.


def _registration_opened(tournament: Tournament, _event: events.RegistrationOpened, _at_ms: int) -> Tournament:
    return replace(tournament, phase="registering")


def _payment_requested(tournament: Tournament, event: events.PaymentRequested, _at_ms: int) -> Tournament:
    payment = Payment(event.transfer_id, event.entry, event.purpose, event.unit, event.amount)
    entries = tournament.entries
    if event.purpose == "entry":
        assert event.entry == len(entries) + 1, "entries are numbered without a gap"
        entries = (*entries, Entry(event.entry, event.player))
    payments, transfers = (*tournament.payments, payment), tournament.transfers + 1
    return replace(tournament, entries=entries, payments=payments, transfers=transfers)


def _payment_received(tournament: Tournament, event: events.PaymentReceived, _at_ms: int) -> Tournament:
    tournament = _filled(_answered(tournament, event.transfer_id), pool=event.pool, fees=event.fee)
    tournament = _filled(tournament, bounty_pool=event.bounty)
    entry, paid = entry_of(tournament, event.entry), event.pool + event.fee + event.bounty
    changes: dict[str, Any] = {
        "pool": entry.pool + event.pool,
        "fee": entry.fee + event.fee,
        "bounty": entry.bounty + event.bounty,
        "paid_as": (*entry.paid_as, (event.form, paid)) if paid else entry.paid_as,
        "rebuys": entry.rebuys + (event.purpose == "rebuy"),
        "add_ons": entry.add_ons + (event.purpose == "add_on"),
    }
    if event.purpose == "entry":
        changes["status"] = "registered"
        tournament = replace(tournament, entered=tournament.entered + 1)
    tournament = with_entry(tournament, event.entry, **changes)
    if tournament.phase == "registering":
        return with_entry(tournament, event.entry, due=event.chips)
    return with_due(tournament, event.entry, event.chips)


def _answered(tournament: Tournament, transfer_id: str) -> Tournament:
    payments = tuple([payment for payment in tournament.payments if payment.transfer_id != transfer_id])
    return replace(tournament, payments=payments)


def _payment_refused(tournament: Tournament, event: events.PaymentRefused, _at_ms: int) -> Tournament:
    return _not_paid(_answered(tournament, event.transfer_id), event)


def _payment_returned(tournament: Tournament, event: events.PaymentReturned, _at_ms: int) -> Tournament:
    """Give up the payment; what was never asked for is nobody's entry."""
    return _not_paid(_answered(tournament, event.transfer_id), event) if event.entry else tournament


def _not_paid(tournament: Tournament, event: events.PaymentRefused | events.PaymentReturned) -> Tournament:
    if event.purpose == "entry":
        return with_entry(tournament, event.entry, status="gone")
    return tournament


def _ticket_received(tournament: Tournament, event: events.TicketReceived, _at_ms: int) -> Tournament:
    redemption = Payment(
        event.redemption_id, event.entry, "entry", event.money_unit, event.amount, ticket_of=event.transfer_id
    )
    tournament = _filled(_answered(tournament, event.transfer_id), tickets=event.amount)
    payments = (*tournament.payments, redemption)
    return replace(tournament, payments=payments, transfers=tournament.transfers + 1)


def _ticket_redeemed(tournament: Tournament, event: events.TicketRedeemed, _at_ms: int) -> Tournament:
    return _filled(tournament, tickets=-event.amount)


def _ticket_returned(tournament: Tournament, event: events.TicketReturned, _at_ms: int) -> Tournament:
    payments = tuple([payment for payment in tournament.payments if payment.entry != event.entry])
    tournament = replace(_filled(tournament, tickets=-event.amount), payments=payments)
    return with_entry(tournament, event.entry, status="gone")


def _entry_withdrawn(tournament: Tournament, event: events.EntryWithdrawn, _at_ms: int) -> Tournament:
    tournament = replace(tournament, entered=tournament.entered - 1)
    return with_entry(tournament, event.entry, status="gone", due=0)


# Prizes and what is paid.


def _prizes_fixed(tournament: Tournament, event: events.PrizesFixed, _at_ms: int) -> Tournament:
    prizes = [Prize(row.form, row.amount) for row in event.rows for _ in range(row.places)]
    outs = [entry for entry in tournament.entries if entry.status == "out"]
    first_paid = tournament.entered - len(prizes)
    unpaid = sorted([(entry.out_number, entry.number) for entry in outs if entry.out_number > first_paid])
    return replace(tournament, prizes=tuple(prizes), unpaid=tuple([number for _, number in unpaid]))


def _obligation_paid(tournament: Tournament, event: events.ObligationPaid, _at_ms: int) -> Tournament:
    return _line_paid(_taken(tournament, event.sources), event.entry, event.reason, event.sources.amount)


def _ticket_issued(tournament: Tournament, event: events.TicketIssued, _at_ms: int) -> Tournament:
    return _line_paid(tournament, event.entry, event.reason, event.amount)


def _taken(tournament: Tournament, sources: Sources, overlay: Chips = 0) -> Tournament:
    return _filled(
        tournament,
        pool=-sources.pool,
        cover=-sources.house,
        fees=-sources.fees,
        bounty_pool=-sources.bounty_pool,
        overlay=-overlay,
    )


def _line_paid(tournament: Tournament, entry: int, reason: str, amount: Chips) -> Tournament:
    """Note a prize as paid, or a line of the plan of a cancellation."""
    if reason == "prize":
        unpaid = tuple([number for number in tournament.unpaid if number != entry])
        tournament = replace(tournament, unpaid=unpaid, prizes_paid=tournament.prizes_paid + amount)
    calling_off = tournament.calling_off
    if calling_off is None or calling_off.paid_lines >= len(calling_off.lines):
        return tournament
    line = calling_off.lines[calling_off.paid_lines]
    assert (line.entry, line.reason) == (entry, reason), "what was called off pays by its plan, in its order"
    return replace(tournament, calling_off=replace(calling_off, paid_lines=calling_off.paid_lines + 1))


def _house_paid(tournament: Tournament, event: events.HousePaid, _at_ms: int) -> Tournament:
    return _taken(tournament, event.sources, event.overlay)


# Cancellation.


def _cancellation_requested(tournament: Tournament, event: events.CancellationRequested, at_ms: int) -> Tournament:
    calling_off = CallingOff(event.cause, event.by)
    return replace(stopped(tournament, at_ms), phase="cancelling", calling_off=calling_off)


def _cancellation_planned(tournament: Tournament, event: events.CancellationPlanned, _at_ms: int) -> Tournament:
    part, before = event.part, _calling_off(tournament)
    assert part.number == before.parts + 1, "the parts of a plan come in their order"
    assert before.plan_hash in {b"", part.plan_hash}, "all parts are of one plan"
    after = replace(
        before,
        summary=part.summary,
        plan_hash=part.plan_hash,
        parts=part.number,
        complete=part.number == part.count,
        lines=(*before.lines, *part.lines),
    )
    return replace(tournament, calling_off=after)


def _calling_off(tournament: Tournament) -> CallingOff:
    assert tournament.calling_off is not None, "nobody has called the tournament off"
    return tournament.calling_off


def _cancellation_approved(tournament: Tournament, event: events.CancellationApproved, _at_ms: int) -> Tournament:
    before = _calling_off(tournament)
    return replace(tournament, calling_off=replace(before, approved_by=(*before.approved_by, event.by)))


def _cover_requested(tournament: Tournament, event: events.CoverRequested, _at_ms: int) -> Tournament:
    calling_off = replace(_calling_off(tournament), cover_id=event.transfer_id)
    return replace(tournament, calling_off=calling_off, transfers=tournament.transfers + 1)


def _cover_received(tournament: Tournament, event: events.CoverReceived, _at_ms: int) -> Tournament:
    calling_off = replace(_calling_off(tournament), cover_id="", covered=True)
    return replace(_filled(tournament, cover=event.amount), calling_off=calling_off)


def _cover_refused(tournament: Tournament, _event: events.CoverRefused, _at_ms: int) -> Tournament:
    return replace(tournament, calling_off=replace(_calling_off(tournament), cover_id=""))


def _cancelled(tournament: Tournament, _event: events.TournamentCancelled, _at_ms: int) -> Tournament:
    assert tournament.purses == Purses(), "nothing is left of a cancelled tournament"
    return replace(tournament, phase="cancelled")


EVOLVE: dict[type, Callable[[Tournament, Any, int], Tournament]] = {
    events.OverlayRequested: _overlay_requested,
    events.OverlayReceived: _overlay_received,
    events.OverlayRefused: _overlay_refused,
    events.OverlayAdded: _overlay_added,
    events.RegistrationOpened: _registration_opened,
    events.PaymentRequested: _payment_requested,
    events.PaymentReceived: _payment_received,
    events.PaymentRefused: _payment_refused,
    events.PaymentReturned: _payment_returned,
    events.TicketReceived: _ticket_received,
    events.TicketRedeemed: _ticket_redeemed,
    events.TicketReturned: _ticket_returned,
    events.EntryWithdrawn: _entry_withdrawn,
    events.PrizesFixed: _prizes_fixed,
    events.ObligationPaid: _obligation_paid,
    events.TicketIssued: _ticket_issued,
    events.HousePaid: _house_paid,
    events.CancellationRequested: _cancellation_requested,
    events.CancellationPlanned: _cancellation_planned,
    events.CancellationApproved: _cancellation_approved,
    events.CoverRequested: _cover_requested,
    events.CoverReceived: _cover_received,
    events.CoverRefused: _cover_refused,
    events.TournamentCancelled: _cancelled,
    **PLAY_EVENTS,
}
"""One function per event type but `TournamentCreated`; a test holds it complete."""
