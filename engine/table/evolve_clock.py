"""What clocks, connections and disconnection protections do to the state. See `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.poker import betting as rounds
from engine.table import hand_events as events
from engine.table.evolve_hand import acted
from engine.table.evolve_seats import restarted, with_occupant
from engine.table.state import Table, hand_of, occupant_at

replace = msgspec.structs.replace


def _time_bank_started(table: Table, _event: events.TimeBankStarted, _at_ms: int) -> Table:
    hand = hand_of(table)
    return replace(table, hand=replace(hand, turn=replace(hand.turn, bank_started=True)))


def _time_bank_used(table: Table, event: events.TimeBankUsed, _at_ms: int) -> Table:
    bank_ms = occupant_at(table, event.seat).bank_ms - event.used_ms
    assert bank_ms >= 0, "a time bank never falls below zero"
    return with_occupant(table, event.seat, bank_ms=bank_ms)


def _turn_clock_restarted(table: Table, _event: events.TurnClockRestarted, at_ms: int) -> Table:
    return restarted(table, at_ms)


def _connection_lost(table: Table, event: events.ConnectionLost, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, connected=False, outage_id=event.outage_id, house_fault=event.house_fault)


def _connection_restored(table: Table, event: events.ConnectionRestored, _at_ms: int) -> Table:
    table = with_occupant(table, event.seat, connected=True, outage_id="", house_fault=False, missed_turn="")
    if event.turn_floor_ms == 0:
        return table
    hand = hand_of(table)
    return replace(table, hand=replace(hand, turn=replace(hand.turn, floor_ms=event.turn_floor_ms)))


def _protection_requested(table: Table, event: events.ProtectionRequested, _at_ms: int) -> Table:
    hand = hand_of(table)
    lost = replace(hand.lost, waiting=hand.lost.waiting | 1 << event.seat, requests=(*hand.lost.requests, event.player))
    return replace(table, hand=replace(hand, lost=lost))


def _player_protected(table: Table, event: events.PlayerProtected, at_ms: int) -> Table:
    hand = hand_of(table)
    bit = 1 << event.seat
    lost = replace(hand.lost, waiting=hand.lost.waiting & ~bit, protected=hand.lost.protected | bit)
    hand = replace(hand, lost=lost)
    betting = rounds.after_protection(hand.betting, hand.players, event.seat)
    table = replace(table, hand=hand)
    return acted(table, hand.players, betting, seat=event.seat, paid=0, cause="disconnected", at_ms=at_ms)


def _protection_refused(table: Table, event: events.ProtectionRefused, at_ms: int) -> Table:
    """Whoever is to act now could not while the account was asked: his turn begins anew."""
    hand = hand_of(table)
    bit = 1 << event.seat
    lost = replace(hand.lost, waiting=hand.lost.waiting & ~bit, refused=hand.lost.refused | bit)
    return restarted(replace(table, hand=replace(hand, lost=lost)), at_ms)


CLOCK_EVENTS: dict[type, Callable[[Table, Any, int], Table]] = {
    events.TimeBankStarted: _time_bank_started,
    events.TimeBankUsed: _time_bank_used,
    events.TurnClockRestarted: _turn_clock_restarted,
    events.ConnectionLost: _connection_lost,
    events.ConnectionRestored: _connection_restored,
    events.ProtectionRequested: _protection_requested,
    events.PlayerProtected: _player_protected,
    events.ProtectionRefused: _protection_refused,
}
"""One function per event type; `evolve` looks its event up here."""
