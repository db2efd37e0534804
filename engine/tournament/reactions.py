"""What a tournament's events mean for accounts and tables; `engine/reactions.py` joins this to all other reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from engine.account import commands as account
from engine.account.commands import AccountCommand
from engine.origin import HOUSE, Origin, account_of, chips_unit, name_of, table_of
from engine.table import commands as table
from engine.table.commands import TableCommand
from engine.tournament import money_events, play_events
from engine.tournament.play_events import Place

Target: TypeAlias = tuple[str, TableCommand | AccountCommand]


def _table(origin: Origin, number: int) -> str:
    return table_of(f"{name_of(origin.aggregate)}-{number}")


# Money.


def _overlay_requested(origin: Origin, event: money_events.OverlayRequested) -> Iterator[Target]:
    yield (
        account_of(HOUSE),
        account.SendFunds(event.transfer_id, origin.unit, event.amount, origin.aggregate, "overlay"),
    )


def _cover_requested(origin: Origin, event: money_events.CoverRequested) -> Iterator[Target]:
    yield account_of(HOUSE), account.SendFunds(event.transfer_id, origin.unit, event.amount, origin.aggregate, "cover")


def _payment_requested(origin: Origin, event: money_events.PaymentRequested) -> Iterator[Target]:
    """Ask for the price; what is free was had at once."""
    if event.amount:
        yield (
            account_of(event.player),
            account.SendFunds(event.transfer_id, event.unit, event.amount, origin.aggregate, event.purpose),
        )


def _ticket_received(origin: Origin, event: money_events.TicketReceived) -> Iterator[Target]:
    yield (
        account_of(HOUSE),
        account.SendFunds(event.redemption_id, event.money_unit, event.amount, origin.aggregate, "ticket"),
    )


def _returned(origin: Origin, event: money_events.PaymentReturned | money_events.TicketReturned) -> Iterator[Target]:
    transfer = (event.return_id, event.unit, event.amount, origin.aggregate)
    yield account_of(event.player), account.ReceiveFunds(event.player, *transfer, "returned")


def _obligation_paid(origin: Origin, event: money_events.ObligationPaid) -> Iterator[Target]:
    """Send what is owed; a share of nothing is paid without a transfer."""
    amount = event.sources.amount
    if amount:
        transfer = (event.transfer_id, origin.unit, amount, origin.aggregate)
        yield account_of(event.player), account.ReceiveFunds(event.player, *transfer, event.paid)


def _ticket_issued(origin: Origin, event: money_events.TicketIssued) -> Iterator[Target]:
    transfer = (event.transfer_id, event.unit, event.amount, origin.aggregate)
    yield account_of(event.player), account.ReceiveFunds(event.player, *transfer, event.paid)


def _house_paid(origin: Origin, event: money_events.HousePaid) -> Iterator[Target]:
    transfer = (event.transfer_id, origin.unit, event.sources.amount + event.overlay, origin.aggregate)
    yield account_of(HOUSE), account.ReceiveFunds(HOUSE, *transfer, event.debt)


# Tables.


def _table_opened(origin: Origin, event: play_events.TableOpened) -> Iterator[Target]:
    """Create the table, let it deal no hand yet, and seat its players."""
    name = name_of(origin.aggregate)
    address = _table(origin, event.number)
    about = (chips_unit(name), event.seats, event.rulebook, event.stakes, event.prize_unit)
    yield address, table.CreateTable(name_of(address), event.name, "tournament", *about)
    if event.level:
        yield address, table.ChangeLevel(event.level, event.stakes)
    yield address, table.LimitHands(0)
    for place in event.places:
        yield address, _seat(place)


def _seat(place: Place) -> table.SeatEntry:
    return table.SeatEntry(place.player, place.entry, place.seat, place.chips, place.transfer_id, place.luggage)


def _entry_seated(origin: Origin, event: play_events.EntrySeated) -> Iterator[Target]:
    yield _table(origin, event.table), _seat(event.place)


def _chips_issued(origin: Origin, event: play_events.ChipsIssued) -> Iterator[Target]:
    yield _table(origin, event.table), table.QueueChips(event.player, event.amount, event.transfer_id)


def _move_ordered(origin: Origin, event: play_events.MoveOrdered) -> Iterator[Target]:
    yield _table(origin, event.table), table.RemovePlayer(event.player, "moved")


def _table_broken(origin: Origin, event: play_events.TableBroken) -> Iterator[Target]:
    yield _table(origin, event.number), table.CloseTable()


def _tables_closed(origin: Origin, event: play_events.TablesClosed) -> Iterator[Target]:
    for number in event.tables:
        yield _table(origin, number), table.CloseTable()


def _hands_allowed(origin: Origin, event: play_events.HandsAllowed) -> Iterator[Target]:
    for number, hand in event.hands:
        yield _table(origin, number), table.LimitHands(hand)


def _level_started(origin: Origin, event: play_events.LevelStarted) -> Iterator[Target]:
    for number in event.tables:
        yield _table(origin, number), table.ChangeLevel(event.level, event.stakes)


def _cancellation_requested(origin: Origin, event: money_events.CancellationRequested) -> Iterator[Target]:
    for number in event.tables:
        yield _table(origin, number), table.FreezeTable(event.cause, event.by)


TOURNAMENT_REACTIONS: dict[type, Callable[[Origin, Any], Iterator[Target]]] = {
    money_events.OverlayRequested: _overlay_requested,
    money_events.CoverRequested: _cover_requested,
    money_events.PaymentRequested: _payment_requested,
    money_events.PaymentReturned: _returned,
    money_events.TicketReceived: _ticket_received,
    money_events.TicketReturned: _returned,
    money_events.ObligationPaid: _obligation_paid,
    money_events.TicketIssued: _ticket_issued,
    money_events.HousePaid: _house_paid,
    money_events.CancellationRequested: _cancellation_requested,
    play_events.TableOpened: _table_opened,
    play_events.EntrySeated: _entry_seated,
    play_events.ChipsIssued: _chips_issued,
    play_events.MoveOrdered: _move_ordered,
    play_events.TableBroken: _table_broken,
    play_events.TablesClosed: _tables_closed,
    play_events.HandsAllowed: _hands_allowed,
    play_events.LevelStarted: _level_started,
}
"""The events that concern accounts or tables."""
