"""Entering a tournament, leaving it before the start, and buying chips: places, prices, and what arrives for them.

The place is reserved first and the money asked for; only the answer ends that. What arrives too late goes straight
back (`design.md` section 3). A ticket is redeemed by the house before it counts, so the purses never hold anything but
money. Every kind of payment is split into prize pool, fee and bounty in the same manner (GLI-19 A.5.4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalAction, NotFound, Reason
from engine.origin import HOUSE, return_id
from engine.shape import verify_amount, verify_texts
from engine.table.seating import verify_player
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.busts import is_offered, is_sold
from engine.tournament.cancellation import rolled_back
from engine.tournament.draft import Draft, next_transfer_id
from engine.tournament.paying import account_of_entry, pay_line
from engine.tournament.play_events import EntryBusted
from engine.tournament.prizes import CASH
from engine.tournament.state import Entry, Payment, Tournament, entry_of, is_time, left, live_entry, paying
from engine.tournament.terms import ENTRIES_MAX, TICKET, ChipSale

ATTEMPTS_MAX = 20
"""How often a player can register in vain, or take an entry back, so that a tournament's state is bounded."""
PAYERS = frozenset({"registering", "seating", "running"})
"""The phases in which what arrives for an entry is of use."""


def is_registration_open(tournament: Tournament, at_ms: int) -> bool:
    """Say whether one may register: up to the time of the start, and during the levels for the late (O-30)."""
    if tournament.phase == "registering":
        return tournament.terms.late_levels > 0 or not is_time(tournament, at_ms - 1)
    return is_late_registration_open(tournament)


def is_late_registration_open(tournament: Tournament) -> bool:
    """Say whether one may still enter a tournament that has started.

    Once one entry alone is left, and no other is on its way, nobody comes late any more.
    """
    late = tournament.phase in {"seating", "running"} and tournament.clock.level < tournament.terms.late_levels
    return late and tournament.prizes is None and (left(tournament) > 1 or bool(tournament.payments))


def _register(draft: Draft, command: commands.Register) -> None:
    """Reserve a place and ask for the price; a freeroll costs nothing."""
    tournament, terms = draft.tournament, draft.tournament.terms
    verify_player(command.player)
    if not is_registration_open(tournament, draft.at_ms):
        raise IllegalAction(Reason.REGISTRATION_CLOSED, "nobody can register now")
    if live_entry(tournament, command.player) is not None:
        raise IllegalAction(Reason.ALREADY_REGISTERED, "the player is in already")
    tries = [entry.status for entry in tournament.entries if entry.player == command.player]
    gone = tries.count("gone")
    if gone >= ATTEMPTS_MAX or len(tries) - gone >= terms.entries_per_player:
        raise IllegalAction(Reason.ENTRIES_USED_UP, "the player has had all his entries", most=terms.entries_per_player)
    if tournament.entered + _entries_asked(tournament) >= terms.entries_max or _is_worn_out(tournament):
        raise IllegalAction(Reason.TOURNAMENT_FULL, "all places are taken", most=terms.entries_max)
    if command.with_ticket and terms.ticket is None:
        raise IllegalAction(Reason.TICKET_NOT_TAKEN, "an entry cannot be paid with a ticket here")
    # From here on the command succeeds.
    unit = terms.ticket.form if command.with_ticket and terms.ticket is not None else terms.unit
    _ask(draft, Entry(len(tournament.entries) + 1, command.player), "entry", unit, terms.price)


def _is_worn_out(tournament: Tournament) -> bool:
    """Say whether more have registered in vain than a tournament keeps a record of."""
    return len(tournament.entries) >= 2 * ENTRIES_MAX


def _entries_asked(tournament: Tournament) -> int:
    return sum([payment.purpose == "entry" for payment in tournament.payments])


def _ask(draft: Draft, entry: Entry, purpose: events.Purpose, unit: str, amount: int) -> None:
    """Ask for money; what costs nothing is had at once."""
    transfer_id = next_transfer_id(draft.tournament)
    draft.emit(events.PaymentRequested(transfer_id, entry.number, entry.player, purpose, unit, amount))
    if not amount:
        _receive(draft, draft.tournament.payments[-1], CASH)


def _unregister(draft: Draft, command: commands.Unregister) -> None:
    """Take an entry back; all that was paid goes home in the form in which it came."""
    entry = _live(draft.tournament, command.player)
    if draft.tournament.phase != "registering" or is_time(draft.tournament, draft.at_ms - 1):
        raise IllegalAction(Reason.TOURNAMENT_STARTED, "the tournament has started")
    if entry.status == "asked":
        raise IllegalAction(Reason.PAYMENT_PENDING, "the payment is on its way")
    # From here on the command succeeds.
    account = account_of_entry(entry)
    draft.emit(events.EntryWithdrawn(entry.number, entry.player))
    for line in rolled_back(account, "as_paid"):
        pay_line(draft, line, "refund")


def _live(tournament: Tournament, player: str) -> Entry:
    entry = live_entry(tournament, player)
    if entry is None:
        raise NotFound(Reason.NOT_REGISTERED, "the player is not in this tournament")
    return entry


def _rebuy(draft: Draft, command: commands.Rebuy) -> None:
    entry = _live(draft.tournament, command.player)
    _buy(draft, entry, "rebuy", draft.tournament.terms.rebuy, entry.rebuys)


def _add_on(draft: Draft, command: commands.AddOn) -> None:
    entry = _live(draft.tournament, command.player)
    _buy(draft, entry, "add_on", draft.tournament.terms.add_on, entry.add_ons)


def _buy(draft: Draft, entry: Entry, purpose: events.Purpose, sale: ChipSale | None, bought: int) -> None:
    """Ask for the price of chips; they reach the seat between two hands (O-31)."""
    tournament = draft.tournament
    if sale is None or not is_sold(tournament, sale) or not _may_buy(draft, entry, purpose):
        raise IllegalAction(Reason.SALE_NOT_OPEN, "these chips are not sold now")
    if entry.status == "asked" or entry.number in paying(tournament):
        raise IllegalAction(Reason.PAYMENT_PENDING, "a payment is on its way")
    if bought >= sale.most:
        raise IllegalAction(Reason.SALES_USED_UP, "the entry has bought as often as it can", most=sale.most)
    chips = entry.chips + entry.due
    if sale.stack_max and chips > sale.stack_max:
        raise IllegalAction(Reason.STACK_TOO_LARGE, "the stack is too large to buy", most=sale.stack_max, chips=chips)
    # From here on the command succeeds.
    _ask(draft, entry, purpose, tournament.terms.unit, sale.price + sale.fee)


def _may_buy(draft: Draft, entry: Entry, purpose: events.Purpose) -> bool:
    """Say whether an entry still has chips, or a rebuy is offered to it now."""
    if entry.status != "busted":
        return True
    undecided = not entry.offer_ends_ms or is_offered(draft.tournament, entry, draft.at_ms)
    return purpose == "rebuy" and undecided


def _decline(draft: Draft, command: commands.DeclineRebuy) -> None:
    entry = _live(draft.tournament, command.player)
    if entry.status != "busted" or not is_offered(draft.tournament, entry, draft.at_ms):
        raise IllegalAction(Reason.NOTHING_TO_DECLINE, "no rebuy is offered to the player")
    if entry.number in paying(draft.tournament):
        raise IllegalAction(Reason.PAYMENT_PENDING, "the payment is on its way")
    # From here on the command succeeds.
    paused_at_ms = draft.tournament.clock.paused_at_ms
    draft.emit(EntryBusted(entry.number, draft.at_ms if paused_at_ms is None else paused_at_ms))


# What accounts answer.


def accept_payment(draft: Draft, payment: Payment) -> None:
    """Take in what an entry was asked for, if there is still a use for it; else it goes straight back."""
    useful = draft.tournament.phase in PAYERS and entry_of(draft.tournament, payment.entry).status not in {
        "out",
        "gone",
    }
    if payment.ticket_of:
        _accept_redemption(draft, payment, useful=useful)
    elif not useful:
        give_back(draft, payment, entry_of(draft.tournament, payment.entry).player)
    elif payment.unit.startswith(TICKET):
        _redeem(draft, payment)
    else:
        _receive(draft, payment, CASH)


def give_back(draft: Draft, payment: Payment, player: str) -> None:
    """Send back what has arrived and is of no use."""
    about = (payment.transfer_id, payment.entry, player, payment.purpose, payment.unit, payment.amount)
    draft.emit(events.PaymentReturned(*about, return_id(payment.transfer_id)))


def _redeem(draft: Draft, payment: Payment) -> None:
    """Keep a ticket and ask the house for its value."""
    entry, unit = entry_of(draft.tournament, payment.entry), draft.tournament.terms.unit
    about = (payment.transfer_id, entry.number, entry.player, payment.unit, payment.amount)
    draft.emit(events.TicketReceived(*about, next_transfer_id(draft.tournament), unit))


def _accept_redemption(draft: Draft, payment: Payment, *, useful: bool) -> None:
    """Take the house's money for a ticket; what is of no use goes back to both."""
    ticket = draft.tournament.terms.ticket
    assert ticket is not None, "only a ticket of this tournament is redeemed"
    if useful:
        draft.emit(events.TicketRedeemed(ticket.form, payment.amount))
        _receive(draft, payment, ticket.form)
    else:
        give_back(draft, payment, HOUSE)
        return_ticket(draft, payment)


def return_ticket(draft: Draft, payment: Payment) -> None:
    """Send a ticket that was not redeemed back to its owner."""
    ticket, entry = draft.tournament.terms.ticket, entry_of(draft.tournament, payment.entry)
    assert ticket is not None, "only a ticket of this tournament is redeemed"
    about = (entry.number, entry.player, ticket.form, payment.amount)
    draft.emit(events.TicketReturned(*about, return_id(payment.ticket_of)))


def _receive(draft: Draft, payment: Payment, form: str) -> None:
    """Split a payment into prize pool, fee and bounty, and give the chips that it buys."""
    terms, entry = draft.tournament.terms, entry_of(draft.tournament, payment.entry)
    sales = {"rebuy": terms.rebuy, "add_on": terms.add_on}
    sale = sales.get(payment.purpose)
    split = (terms.buy_in, terms.fee, terms.bounty, terms.starting_chips)
    if sale is not None:
        split = (sale.price, sale.fee, 0, sale.chips)
    about = (payment.transfer_id, entry.number, entry.player, payment.purpose, form)
    draft.emit(events.PaymentReceived(*about, *split))


def _accept_funds(draft: Draft, command: commands.AcceptFunds) -> None:
    """Take in what an account has sent; what nobody waits for goes straight back."""
    verify_amount("amount", command.amount)
    verify_texts(command, "player", "transfer_id", "unit")
    payment = _payment_of(draft.tournament, command.transfer_id)
    arrived = (command.transfer_id, command.unit, command.amount)
    # From here on the command succeeds.
    if payment is not None and (payment.transfer_id, payment.unit, payment.amount) == arrived:
        accept_payment(draft, payment)
    elif arrived == _overlay_asked(draft.tournament):
        draft.emit(events.OverlayReceived(command.transfer_id, command.amount))
        if draft.tournament.phase == "funding":
            draft.emit(events.RegistrationOpened())
    elif arrived == _cover_asked(draft.tournament):
        draft.emit(events.CoverReceived(command.transfer_id, command.amount))
    else:
        _give_back_unasked(draft, command)


def _overlay_asked(tournament: Tournament) -> tuple[str, str, int]:
    return tournament.overlay_id, tournament.terms.unit, tournament.terms.guarantee


def _cover_asked(tournament: Tournament) -> tuple[str, str, int]:
    calling_off = tournament.calling_off
    if calling_off is None or calling_off.summary is None:
        return "", "", 0
    return calling_off.cover_id, tournament.terms.unit, calling_off.summary.totals.house


def _give_back_unasked(draft: Draft, command: commands.AcceptFunds) -> None:
    """Send back what was not asked for; if it answers a request, it answers it with no."""
    draft.emit(
        events.PaymentReturned(
            command.transfer_id,
            0,
            command.player,
            "entry",
            command.unit,
            command.amount,
            return_id(command.transfer_id),
        )
    )
    if is_asked(draft.tournament, command.transfer_id):
        _give_up(draft, command.transfer_id)


def is_asked(tournament: Tournament, transfer_id: str) -> bool:
    """Say whether an account has been asked for this transfer and has not answered."""
    asked = {_overlay_asked(tournament)[0], _cover_asked(tournament)[0]} - {""}
    return transfer_id in asked or _payment_of(tournament, transfer_id) is not None


def _payment_of(tournament: Tournament, transfer_id: str) -> Payment | None:
    return next((payment for payment in tournament.payments if payment.transfer_id == transfer_id), None)


def _refuse_funds(draft: Draft, command: commands.RefuseFunds) -> None:
    """Give up what an account did not pay for."""
    verify_texts(command, "player", "transfer_id")
    if not is_asked(draft.tournament, command.transfer_id):
        raise NotFound(Reason.RESERVATION_UNKNOWN, "nothing was asked for under this transfer")
    # From here on the command succeeds.
    _give_up(draft, command.transfer_id)


def _give_up(draft: Draft, transfer_id: str) -> None:
    """Do without what was asked for."""
    payment = _payment_of(draft.tournament, transfer_id)
    if payment is None:
        refused = events.OverlayRefused if transfer_id == draft.tournament.overlay_id else events.CoverRefused
        draft.emit(refused(transfer_id))
    elif payment.ticket_of:
        return_ticket(draft, payment)
    else:
        player = entry_of(draft.tournament, payment.entry).player
        draft.emit(events.PaymentRefused(transfer_id, payment.entry, player, payment.purpose))


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.Register: _register,
    commands.Unregister: _unregister,
    commands.Rebuy: _rebuy,
    commands.AddOn: _add_on,
    commands.DeclineRebuy: _decline,
    commands.AcceptFunds: _accept_funds,
    commands.RefuseFunds: _refuse_funds,
}
