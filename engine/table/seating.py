"""Seats and money: who may sit where, with how much, and where chips go that find no place.

Money moves by transfers (`design.md` section 3). A seat is reserved first and the money asked for; whatever then
arrives is taken in, and what finds no place goes straight back. No timer decides about money that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.errors import AmountOutOfRange, IllegalAction, InvalidCommand, NotFound, Reason
from engine.origin import HOUSE, return_id
from engine.poker.betting import player_at
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.seats import Seat
from engine.shape import verify_amount, verify_text
from engine.table import commands
from engine.table.after_hand import add_queued_chips, close_if_empty, leave, room_below_maximum
from engine.table.draft import Draft
from engine.table.evolve_seats import remembered
from engine.table.presence import in_hand, seated
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
from engine.table.state import Occupant, Reservation, Table, chips_of, hand_of, seat_of
from engine.table.transfers import next_transfer_id

BPS = 10_000
HOLD_MAX_MS = 600_000


Arrival: TypeAlias = commands.SeatPlayer | commands.QueueChips
"""Money that has arrived from an account."""


def _hold(draft: Draft, command: commands.HoldSeat) -> None:
    """Keep a free seat for a player at the buy-in dialog (O-6)."""
    if not 0 < command.hold_ms <= HOLD_MAX_MS:
        raise InvalidCommand(Reason.FIELD_INVALID, f"a seat is held for at most {HOLD_MAX_MS} ms", field="hold_ms")
    verify_player(command.player)
    _verify_seat_free(draft, command.seat, command.player)
    _verify_newcomer(draft.table, command.player)
    # From here on the command succeeds.
    draft.emit(SeatHeld(command.seat, command.player, draft.at_ms + command.hold_ms))


def _reserve(draft: Draft, command: commands.ReserveSeat) -> None:
    """Reserve a seat for a buy-in within the table's limits; the account is asked for the money."""
    verify_amount("amount", command.amount)
    verify_player(command.player)
    _verify_seat_free(draft, command.seat, command.player)
    _verify_newcomer(draft.table, command.player)
    if draft.table.config.kind != "cash":
        raise IllegalAction(Reason.NO_BUYIN, "tournament seats are given by the director")
    _verify_fits(draft.table, command.amount)
    whole_balance_only = _verify_buyin(draft.table, command.player, command.amount, draft.at_ms)
    # From here on the command succeeds.
    transfer_id = next_transfer_id(draft.table)
    draft.emit(SeatReserved(command.seat, command.player, command.amount, transfer_id, whole_balance_only))


def _verify_fits(table: Table, amount: Chips) -> None:
    """Refuse an amount with which all chips of the table together would no longer fit an int64."""
    room = _room_for_chips(table)
    if amount > room:
        raise AmountOutOfRange(Reason.TABLE_FULL_OF_CHIPS, "more than a table can hold", minimum=0, maximum=room)


def _room_for_chips(table: Table) -> Chips:
    room = CHIPS_MAX - table.desk.rake_held - sum([reservation.amount for reservation in table.desk.reservations])
    return room - sum([chips_of(occupant) for occupant in table.seats if occupant is not None])


def verify_player(player: str) -> None:
    """Refuse what is no player's name; the house's own account plays at no table."""
    verify_text("player", player)
    if player == HOUSE:
        raise InvalidCommand(Reason.FIELD_INVALID, "no player has this name", field="player")


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
    verify_amount("amount", command.amount)
    verify_player(command.player)
    reservation = _reservation(draft.table, command, top_up=False)
    # From here on the command succeeds.
    if reservation is None:
        _return_chips(draft, command.player, command.amount, command.transfer_id)
        return
    draft.emit(PlayerSeated(reservation.seat, command.player, command.amount, command.transfer_id))
    if draft.table.desk.status == "closing":
        leave(draft, reservation.seat, "table_closing")
        close_if_empty(draft)


def _return_chips(draft: Draft, player: str, amount: Chips, transfer_id: str) -> None:
    draft.emit(ChipsQueued(-1, player, amount, transfer_id))
    draft.emit(ChipsReturned(-1, player, amount, return_id(transfer_id)))
    close_if_empty(draft)


def _reservation(table: Table, command: Arrival, *, top_up: bool) -> Reservation | None:
    """Return the reservation that money has arrived for, if the place, the player and the amount are the same."""
    place = (command.transfer_id, command.player, command.amount, top_up)
    matching = (r for r in table.desk.reservations if (r.transfer_id, r.player, r.amount, r.top_up) == place)
    return next(matching, None)


def _refused(table: Table, transfer_id: str, *, top_up: bool) -> Reservation:
    """Return the reservation whose money was refused.

    Raises:
        NotFound: There is none.
    """
    for reservation in table.desk.reservations:
        if (reservation.transfer_id, reservation.top_up) == (transfer_id, top_up):
            return reservation
    raise NotFound(Reason.RESERVATION_UNKNOWN, "nothing is reserved under this transfer")


def _seat_entry(draft: Draft, command: commands.SeatEntry) -> None:
    """Seat a tournament entry with its chips; chips that find no seat go straight back to the director."""
    verify_text("transfer_id", command.transfer_id)
    verify_amount("amount", command.amount)
    verify_player(command.player)
    if command.entry < 1:
        raise InvalidCommand(Reason.FIELD_INVALID, "entries count from 1", field="entry")
    if draft.table.config.kind != "tournament":
        raise IllegalAction(Reason.NOT_A_TOURNAMENT, "cash players buy in")
    # From here on the command succeeds.
    if _has_place(draft.table, command):
        arrived = (command.amount, command.transfer_id, command.entry, command.luggage)
        draft.emit(PlayerSeated(command.seat, command.player, *arrived))
    else:
        _return_chips(draft, command.player, command.amount, command.transfer_id)


def _has_place(table: Table, command: commands.SeatEntry) -> bool:
    """Say whether an entry can sit down; a halted table takes it in all the same."""
    free = 0 <= command.seat < table.config.seats and table.seats[command.seat] is None
    fits = command.amount <= _room_for_chips(table)
    return free and fits and table.desk.status == "open" and seat_of(table, command.player) < 0


def _release(draft: Draft, command: commands.ReleaseSeat) -> None:
    """Free a held seat, or a reserved one when the account has refused the money."""
    desk = draft.table.desk
    if command.transfer_id:
        reservation = _refused(draft.table, command.transfer_id, top_up=False)
        # From here on the command succeeds.
        draft.emit(SeatReleased(reservation.seat, reservation.player, "funds_refused", command.transfer_id))
        close_if_empty(draft)
        return
    hold = next((hold for hold in desk.holds if hold.player == command.player), None)
    if hold is None:
        raise NotFound(Reason.RESERVATION_UNKNOWN, "no seat is held for this player")
    # From here on the command succeeds.
    draft.emit(SeatReleased(hold.seat, hold.player, "expired" if hold.until_ms <= draft.at_ms else "player"))


def _request_top_up(draft: Draft, command: commands.RequestTopUp) -> None:
    """Ask for more chips; they come into play between hands only (R-AKP-20, AMB-44)."""
    verify_amount("amount", command.amount)
    table = draft.table
    seat, occupant = seated(table, command.player)
    if table.config.kind != "cash":
        raise IllegalAction(Reason.NO_BUYIN, "tournament chips come from the director")
    if table.desk.status != "open" or occupant.leaving:
        raise IllegalAction(Reason.TABLE_CLOSED, "the player or the table is about to go")
    if table.desk.halted:
        raise IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    hand = table.hand
    plays = hand is not None and hand.betting.live >> seat & 1 == 1
    if plays and table.config.rulebook.table.topup == "refused_in_hand":
        raise IllegalAction(Reason.TOPUP_IN_HAND, "no top-up while the player is in a hand")
    chips = _chips_of(table, seat, occupant)
    room = room_below_maximum(table, chips)
    if room is not None and command.amount > room:
        raise AmountOutOfRange(Reason.BUYIN_ABOVE_MAXIMUM, "more than the table's maximum", minimum=0, maximum=room)
    _verify_fits(table, command.amount)
    if command.amount < table.config.buyin_min and not chips:
        minimum = table.config.buyin_min
        raise AmountOutOfRange(Reason.BUYIN_BELOW_MINIMUM, "too small a rebuy", minimum=minimum, maximum=room or 0)
    # From here on the command succeeds.
    draft.emit(TopUpReserved(seat, command.player, command.amount, next_transfer_id(table)))


def _chips_of(table: Table, seat: Seat, occupant: Occupant) -> Chips:
    """Return what the player has or is about to have: his stack now, queued chips and top-ups under way."""
    stack = player_at(hand_of(table).players, seat).stack if in_hand(table, seat) else occupant.stack
    under_way = sum(r.amount for r in table.desk.reservations if r.top_up and r.player == occupant.player)
    return stack + occupant.queued + under_way


def _queue_chips(draft: Draft, command: commands.QueueChips) -> None:
    """Take a top-up in; between hands, or for a player who is not dealt in, it comes into play at once.

    At a cash table it must be one that was asked for; in a tournament the director has sold the chips (O-31).
    """
    verify_amount("amount", command.amount)
    verify_player(command.player)
    table = draft.table
    sold = table.config.kind == "tournament" and command.amount <= _room_for_chips(table)
    wanted = sold or _reservation(table, command, top_up=True) is not None
    seat = seat_of(table, command.player)
    # From here on the command succeeds.
    if not wanted or seat < 0:
        _return_chips(draft, command.player, command.amount, command.transfer_id)
        return
    draft.emit(ChipsQueued(seat, command.player, command.amount, command.transfer_id))
    if not in_hand(draft.table, seat):
        add_queued_chips(draft, seat)


def _release_top_up(draft: Draft, command: commands.ReleaseTopUp) -> None:
    reservation = _refused(draft.table, command.transfer_id, top_up=True)
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
