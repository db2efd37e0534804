"""What happens to the seats between two hands.

Whoever asked to leave goes; queued chips come into play; who has none left, missed his turn or wished to sit out sits
out (cash), or is out of the tournament; a closing table sends everybody home and closes when nothing is on its way.
"""

from __future__ import annotations

from engine.poker.betting import player_at
from engine.poker.money import Chips
from engine.poker.seats import MEMBERS, Seat
from engine.table.draft import Draft
from engine.table.hand_events import HandReported, KnockOut
from engine.table.seat_events import (
    ChipsAdded,
    ChipsReturned,
    LeaveCause,
    Luggage,
    PlayerLeft,
    PlayerSatOut,
    RakeSwept,
    TableClosed,
)
from engine.table.state import Hand, Occupant, Table, chips_of, occupant_at
from engine.table.transfers import next_transfer_id

HANDS_PER_SWEEP = 1000


def settle_seats(draft: Draft) -> None:
    """Do between two hands what waited for the end of the last one."""
    closing = draft.table.desk.status == "closing"
    for seat, occupant in enumerate(draft.table.seats):
        if occupant is not None and (closing or _has_business(occupant)):
            _settle(draft, seat, occupant)
    if draft.table.desk.hands_since_sweep >= HANDS_PER_SWEEP:
        sweep_rake(draft)


def _has_business(occupant: Occupant) -> bool:
    """Say whether something of this player waited for the end of the hand."""
    return bool(
        occupant.stack == 0
        or occupant.queued
        or occupant.leaving
        or occupant.missed_turn
        or occupant.sits_out_at == "next_hand"
    )


def _settle(draft: Draft, seat: Seat, occupant: Occupant) -> None:
    table = draft.table
    if occupant.leaving:
        leave(draft, seat, occupant.leaving)
        return
    if table.desk.status == "closing":
        leave(draft, seat, "table_closing")
        return
    if occupant.queued:
        add_queued_chips(draft, seat)
    if table.config.kind == "tournament":
        if not chips_of(occupant):
            leave(draft, seat, "busted")
    elif not occupant.sitting_out:
        _sit_out_if_due(draft, seat)


def _sit_out_if_due(draft: Draft, seat: Seat) -> None:
    """Sit a cash player out who has no chips, has missed a turn, or asked for it (`rulebooks.md` section 4, O-5)."""
    occupant = occupant_at(draft.table, seat)
    if occupant.stack == 0:
        draft.emit(PlayerSatOut(seat, "no_chips"))
    elif occupant.missed_turn:
        draft.emit(PlayerSatOut(seat, occupant.missed_turn))
    elif occupant.sits_out_at == "next_hand":
        draft.emit(PlayerSatOut(seat, "player"))


def add_queued_chips(draft: Draft, seat: Seat) -> None:
    """Bring queued chips into play, up to the table's maximum; the rest goes back (O-9)."""
    occupant = occupant_at(draft.table, seat)
    room = room_below_maximum(draft.table, occupant.stack)
    added = occupant.queued if room is None else min(occupant.queued, room)
    if added:
        draft.emit(ChipsAdded(seat, added))
    if added < occupant.queued:
        returned = occupant.queued - added
        draft.emit(ChipsReturned(seat, occupant.player, returned, next_transfer_id(draft.table)))


def room_below_maximum(table: Table, stack: Chips) -> Chips | None:
    """Return how many chips may be added to a stack, or None without a maximum."""
    return max(0, table.config.buyin_max - stack) if table.config.buyin_max else None


def leave(draft: Draft, seat: Seat, cause: LeaveCause) -> None:
    """Let a player go with everything that is his."""
    occupant = occupant_at(draft.table, seat)
    amount = chips_of(occupant)
    entry = (occupant.entry, _luggage_of(occupant)) if occupant.entry else ()
    draft.emit(PlayerLeft(seat, occupant.player, amount, next_transfer_id(draft.table), cause, *entry))


def _luggage_of(occupant: Occupant) -> Luggage:
    away = "sat_out" if occupant.sitting_out else occupant.missed_turn
    return Luggage(occupant.bank_ms, away, occupant.auto_muck, occupant.ask_to_show, occupant.hands_dealt)


def report_hand(draft: Draft, hand: Hand) -> None:
    """Tell the director of a tournament about a hand that has ended, before anybody goes; cash tables have none.

    Who has lost all, and has not bought new chips, is knocked out.
    """
    if draft.table.config.kind == "tournament":
        seats = hand.setup.seats
        out = [seat for seat in seats if not chips_of(occupant_at(draft.table, seat))]
        knock_outs = [KnockOut(_entry(hand, seat), _winners_against(hand, seat)) for seat in out]
        stacks = [player_at(hand.players, seat).stack for seat in seats]
        _report(draft, hand, tuple(stacks), tuple(knock_outs))


def report_void_hand(draft: Draft, hand: Hand) -> None:
    """Tell the director that a hand never was."""
    if draft.table.config.kind == "tournament":
        _report(draft, hand, hand.setup.stacks, (), voided=True)


def _report(
    draft: Draft, hand: Hand, stacks_after: tuple[Chips, ...], knock_outs: tuple[KnockOut, ...], *, voided: bool = False
) -> None:
    setup, positions = hand.setup, draft.table.positions
    button, small_blind, big_blind = -1, -1, -1
    if positions is not None:
        button, small_blind, big_blind = positions.button, positions.small_blind, positions.big_blind
    entries = tuple([_entry(hand, seat) for seat in setup.seats])
    stacks = (setup.stacks, stacks_after)
    draft.emit(HandReported(setup.number, button, small_blind, big_blind, entries, *stacks, knock_outs, voided))


def _entry(hand: Hand, seat: Seat) -> int:
    occupant = hand.setup.seats_before[seat]
    assert occupant is not None, "who was dealt in sat there"
    return occupant.entry


def _winners_against(hand: Hand, seat: Seat) -> tuple[int, ...]:
    """Return the entries that won the last pot in which the seat had a share."""
    last = max([number for number, pot in enumerate(hand.settlement.pots) if pot.claimants >> seat & 1])
    winners = dict(hand.settlement.winners)[last]
    return tuple([_entry(hand, winner) for winner in MEMBERS[winners]])


def sweep_rake(draft: Draft) -> None:
    """Send the rake that is held to the house, in one transfer; that of a hand in progress may still go back."""
    hand = draft.table.hand
    held = draft.table.desk.rake_held - (sum(hand.settlement.rake) if hand is not None else 0)
    if held:
        draft.emit(RakeSwept(held, next_transfer_id(draft.table)))


def close_if_empty(draft: Draft) -> None:
    """Close a closing table once its last hand is over and no money is on its way to it."""
    table = draft.table
    if table.desk.status != "closing" or table.desk.reservations or table.hand is not None:
        return
    assert not any(table.seats), "everybody has been sent home"
    sweep_rake(draft)
    draft.emit(TableClosed())
