"""Seats and money: who may sit where, with how much, and where chips go that find no place.

Money moves by transfers (`design.md` section 3). A seat is reserved first and the money asked for; whatever then
arrives is taken in, and what finds no place goes straight back. No timer decides about money that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import AmountOutOfRange, IllegalAction, InvalidCommand, NotFound, Reason
from engine.poker.betting import player_at
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.seats import Seat
from engine.table import commands
from engine.table.after_hand import add_queued_chips, close_if_empty, leave, room_below_maximum
from engine.table.draft import Draft
from engine.table.evolve_seats import remembered
from engine.table.presence import seated
from engine.table.seat_events import (
    ChipsQueued,
    ChipsReturned,
    PlayerSeated,
    SeatHeld,
    SeatReleased,
    SeatReserved,
    TopUpReleased,
    TopUpReserved,
)
from engine.table.state import Occupant, Reservation, Table, seat_of
from engine.table.transfers import next_transfer_id, return_id

BPS = 10_000


def _hold(draft: Draft, command: commands.HoldSeat) -> None:
    """Keep a free seat for a player at the buy-in dialog (O-6)."""
    if command.hold_ms <= 0 or not command.player:
        raise InvalidCommand(Reason.FIELD_INVALID, "a seat is held for a player and a time", field="hold_ms")
    _verify_seat_free(draft, command.seat, command.player)
    _verify_newcomer(draft.table, command.player)
    # From here on the command succeeds.
    draft.emit(SeatHeld(command.seat, command.player, draft.at_ms + command.hold_ms))


def _reserve(draft: Draft, command: commands.ReserveSeat) -> None:
    """Reserve a seat for a buy-in within the table's limits; the account is asked for the money."""
    _verify_amount(command.amount)
    _verify_named(command.player)
    _verify_seat_free(draft, command.seat, command.player)
    _verify_newcomer(draft.table, command.player)
    if draft.table.config.kind != "cash":
        raise IllegalAction(Reason.NO_BUYIN, "tournament seats are given by the director")
    whole_balance_only = _verify_buyin(draft.table, command.player, command.amount, draft.at_ms)
    # From here on the command succeeds.
    transfer_id = next_transfer_id(draft.table)
    draft.emit(SeatReserved(command.seat, command.player, command.amount, transfer_id, whole_balance_only))


def _verify_amount(amount: Chips) -> None:
    if not 0 < amount <= CHIPS_MAX:
        raise InvalidCommand(Reason.FIELD_INVALID, "amount is a positive int64", field="amount")


def _verify_named(player: str) -> None:
    if not player:
        raise InvalidCommand(Reason.FIELD_INVALID, "player is empty", field="player")


def _verify_seat_free(draft: Draft, seat: Seat, player: str) -> None:
    """Refuse a seat that is taken, reserved, or held for somebody else; a hold that has expired binds nobody."""
    table = draft.table
    if not 0 <= seat < table.config.seats:
        raise NotFound(Reason.SEAT_UNKNOWN, "the table has no such seat")
    if table.desk.status != "open":
        raise IllegalAction(Reason.TABLE_CLOSED, "the table takes no more players")
    if table.desk.halted:
        raise IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    held = any(hold.seat == seat and hold.player != player and hold.until_ms > draft.at_ms for hold in table.desk.holds)
    reserved = any(reservation.seat == seat and not reservation.top_up for reservation in table.desk.reservations)
    if table.seats[seat] is not None or held or reserved:
        raise IllegalAction(Reason.SEAT_TAKEN, "the seat is taken")


def _verify_newcomer(table: Table, player: str) -> None:
    """Refuse a second seat for the same player (T-ABU-4)."""
    reserved = any(r.player == player and not r.top_up for r in table.desk.reservations)
    if seat_of(table, player) >= 0 or reserved:
        raise IllegalAction(Reason.ALREADY_SEATED, "the player has a seat at this table")


def _verify_buyin(table: Table, player: str, amount: Chips, at_ms: int) -> bool:
    """Check a buy-in; return whether it is good only as all that the player has (R-PLA-6, R-MOD-8)."""
    minimum, maximum = table.config.buyin_min, table.config.buyin_max
    left_with = _return_stack(table, player, at_ms)
    least = max(minimum, left_with - left_with * table.config.rulebook.table.return_stack_shortfall_bps // BPS)
    most = max(maximum, left_with) if maximum else 0
    if amount < least:
        raise AmountOutOfRange(Reason.BUYIN_BELOW_MINIMUM, "too small a buy-in", minimum=least, maximum=most)
    if most and amount > most:
        raise AmountOutOfRange(Reason.BUYIN_ABOVE_MAXIMUM, "too large a buy-in", minimum=least, maximum=most)
    return amount < left_with


def _return_stack(table: Table, player: str, at_ms: int) -> Chips:
    """Return what the player must bring back because he left with it a short while ago; 0 when he is free."""
    rules = table.config.rulebook.table
    if table.terms.stakes.limit_type not in rules.return_stack_limit_types or table.config.unit.endswith("/play"):
        return 0
    return max((departure.amount for departure in remembered(table, at_ms) if departure.player == player), default=0)


def _seat_player(draft: Draft, command: commands.SeatPlayer) -> None:
    """Seat the player whose money has arrived; money without a place goes straight back."""
    reservation = _reservation(draft.table, command.transfer_id, top_up=False)
    # From here on the command succeeds.
    if reservation is None or draft.table.seats[reservation.seat] is not None:
        _return_chips(draft, command.player, command.amount, command.transfer_id)
        return
    draft.emit(PlayerSeated(reservation.seat, command.player, command.amount, command.transfer_id, ""))
    if draft.table.desk.status == "closing":
        leave(draft, reservation.seat, "table_closing")
        close_if_empty(draft)


def _return_chips(draft: Draft, player: str, amount: Chips, transfer_id: str) -> None:
    draft.emit(ChipsQueued(-1, player, amount, transfer_id))
    draft.emit(ChipsReturned(-1, player, amount, return_id(transfer_id)))
    close_if_empty(draft)


def _reservation(table: Table, transfer_id: str, *, top_up: bool) -> Reservation | None:
    matching = (r for r in table.desk.reservations if r.transfer_id == transfer_id and r.top_up == top_up)
    return next(matching, None)


def _seat_entry(draft: Draft, command: commands.SeatEntry) -> None:
    """Seat a tournament entry with its chips."""
    _verify_amount(command.amount)
    _verify_named(command.player)
    _verify_named(command.entry)
    _verify_seat_free(draft, command.seat, command.player)
    _verify_newcomer(draft.table, command.player)
    if draft.table.config.kind != "tournament":
        raise IllegalAction(Reason.NOT_A_TOURNAMENT, "cash players buy in")
    # From here on the command succeeds.
    draft.emit(PlayerSeated(command.seat, command.player, command.amount, command.transfer_id, command.entry))


def _release(draft: Draft, command: commands.ReleaseSeat) -> None:
    """Free a held seat, or a reserved one when the account has refused the money."""
    desk = draft.table.desk
    if command.transfer_id:
        reservation = _reservation(draft.table, command.transfer_id, top_up=False)
        if reservation is None:
            raise NotFound(Reason.RESERVATION_UNKNOWN, "no seat is reserved under this transfer")
        # From here on the command succeeds.
        draft.emit(SeatReleased(reservation.seat, reservation.player, "funds_refused"))
        close_if_empty(draft)
        return
    hold = next((hold for hold in desk.holds if hold.player == command.player), None)
    if hold is None:
        raise NotFound(Reason.RESERVATION_UNKNOWN, "no seat is held for this player")
    # From here on the command succeeds.
    draft.emit(SeatReleased(hold.seat, hold.player, "expired" if hold.until_ms <= draft.at_ms else "player"))


def _request_top_up(draft: Draft, command: commands.RequestTopUp) -> None:
    """Ask for more chips; they come into play between hands only (R-AKP-20, AMB-44)."""
    _verify_amount(command.amount)
    table = draft.table
    seat, occupant = seated(table, command.player)
    if table.config.kind != "cash":
        raise IllegalAction(Reason.NO_BUYIN, "tournament chips come from the director")
    if table.desk.status != "open" or occupant.leaving:
        raise IllegalAction(Reason.TABLE_CLOSED, "the player or the table is about to go")
    if table.desk.halted:
        raise IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    hand = table.hand
    in_hand = hand is not None and hand.betting.live >> seat & 1 == 1
    if in_hand and table.config.rulebook.table.topup == "refused_in_hand":
        raise IllegalAction(Reason.TOPUP_IN_HAND, "no top-up while the player is in a hand")
    room = room_below_maximum(table, _chips_of(table, seat, occupant))
    if room is not None and command.amount > room:
        raise AmountOutOfRange(Reason.BUYIN_ABOVE_MAXIMUM, "more than the table's maximum", minimum=0, maximum=room)
    # From here on the command succeeds.
    draft.emit(TopUpReserved(seat, command.player, command.amount, next_transfer_id(table)))


def _chips_of(table: Table, seat: Seat, occupant: Occupant) -> Chips:
    """Return what the player has or is about to have: his stack now, queued chips and top-ups under way."""
    hand = table.hand
    dealt = hand is not None and hand.players[seat] is not None
    stack = player_at(hand.players, seat).stack if hand is not None and dealt else occupant.stack
    under_way = sum(r.amount for r in table.desk.reservations if r.top_up and r.player == occupant.player)
    return stack + occupant.queued + under_way


def _queue_chips(draft: Draft, command: commands.QueueChips) -> None:
    """Take a top-up in; between hands, or for a player who is not dealt in, it comes into play at once."""
    reservation = _reservation(draft.table, command.transfer_id, top_up=True)
    seat = seat_of(draft.table, command.player)
    # From here on the command succeeds.
    if reservation is None or seat < 0:
        _return_chips(draft, command.player, command.amount, command.transfer_id)
        return
    draft.emit(ChipsQueued(seat, command.player, command.amount, command.transfer_id))
    hand = draft.table.hand
    if hand is None or hand.players[seat] is None:
        add_queued_chips(draft, seat)


def _release_top_up(draft: Draft, command: commands.ReleaseTopUp) -> None:
    reservation = _reservation(draft.table, command.transfer_id, top_up=True)
    if reservation is None:
        raise NotFound(Reason.RESERVATION_UNKNOWN, "no top-up is under way under this transfer")
    # From here on the command succeeds.
    draft.emit(TopUpReleased(reservation.seat, reservation.player, command.transfer_id))
    close_if_empty(draft)


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.HoldSeat: _hold,
    commands.ReserveSeat: _reserve,
    commands.SeatPlayer: _seat_player,
    commands.SeatEntry: _seat_entry,
    commands.ReleaseSeat: _release,
    commands.RequestTopUp: _request_top_up,
    commands.QueueChips: _queue_chips,
    commands.ReleaseTopUp: _release_top_up,
}
