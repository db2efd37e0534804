"""What the events of a table and its seats do to the state. See `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.poker.betting import Limits
from engine.poker.seats import Seat
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import Rulebook
from engine.table import seat_events as events
from engine.table.state import Config, Departure, Desk, Hold, Occupant, Reservation, Table, Terms, occupant_at

replace = msgspec.structs.replace


def terms_of(rules: Rulebook, level: int, stakes: Stakes) -> Terms:
    """Return what follows from a rulebook and stakes."""
    betting = rules.betting
    limits = Limits(
        limit_type=stakes.limit_type,
        least_bet=stakes.min_bet,
        units=(stakes.small_bet, stakes.small_bet, stakes.big_bet, stakes.big_bet),
        fl_max_raises=betting.fl_max_raises,
        uncapped_heads_up=betting.uncapped_heads_up,
        pot_limit_raise_basis=betting.pot_limit_raise_basis,
        short_all_in_reopens=betting.short_all_in_reopens,
        fl_short_all_in_counts=betting.fl_short_all_in_counts,
        fl_after_short_all_in=betting.fl_after_short_all_in,
    )
    fixed = stakes.limit_type == "fixed_limit"
    caps = rules.rake.caps_fixed_limit if fixed else rules.rake.caps_pot_no_limit
    return Terms(
        level,
        stakes,
        limits,
        act_ms=1000 * rules.clock.seconds_to_act(stakes.limit_type),
        rake_caps=tuple([(cap.dealt, cap.cap) for cap in caps]),
    )


def created(event: events.TableCreated) -> Table:
    """Return the table that `TableCreated` brings into being."""
    config = Config(
        event.table_id,
        event.name,
        event.kind,
        event.unit,
        event.seats,
        event.rulebook,
        event.rulebook_hash,
        event.buyin_min,
        event.buyin_max,
        event.prize_unit,
    )
    terms = terms_of(event.rulebook, 0, event.stakes)
    return Table(config, terms, Desk(), (None,) * event.seats, None, None)


def with_occupant(table: Table, seat: int, **changes: Any) -> Table:  # noqa: ANN401 - the fields of Occupant.
    """Return the table with changed fields of the player in `seat`."""
    seats = list(table.seats)
    occupant = seats[seat]
    assert occupant is not None, f"nobody sits in seat {seat}"
    seats[seat] = replace(occupant, **changes)
    return replace(table, seats=tuple(seats))


def with_desk(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - the fields of Desk.
    """Return the table with changed fields of its desk."""
    return replace(table, desk=replace(table.desk, **changes))


def _closing(table: Table, _event: events.TableClosing, _at_ms: int) -> Table:
    return with_desk(table, status="closing")


def _closed(table: Table, _event: events.TableClosed, _at_ms: int) -> Table:
    return with_desk(table, status="closed")


def _halted(table: Table, event: events.TableHalted, _at_ms: int) -> Table:
    return with_desk(table, halted=event.cause)


def _resumed(table: Table, _event: events.TableResumed, at_ms: int) -> Table:
    return restarted(with_desk(table, halted=""), at_ms)


def restarted(table: Table, began_ms: int) -> Table:
    """Return the table with the clock of an open turn set to have begun at `began_ms`."""
    hand = table.hand
    if hand is None:
        return table
    return replace(table, hand=replace(hand, turn=replace(hand.turn, began_ms=began_ms, floor_ms=0)))


def _level_changed(table: Table, event: events.LevelChanged, _at_ms: int) -> Table:
    return replace(table, terms=terms_of(table.config.rulebook, event.level, event.stakes))


def _hands_limited(table: Table, event: events.HandsLimited, _at_ms: int) -> Table:
    return with_desk(table, hands_allowed=event.up_to)


def _stacks_reported(table: Table, _event: events.StacksReported, _at_ms: int) -> Table:
    return table


def _clock_paused(table: Table, _event: events.ClockPaused, at_ms: int) -> Table:
    return with_desk(table, paused_at_ms=at_ms)


def _clock_resumed(table: Table, event: events.ClockResumed, at_ms: int) -> Table:
    table, hand = with_desk(table, paused_at_ms=None), table.hand
    if hand is None:
        return table
    paused_at_ms, floor_ms = at_ms - event.paused_ms, hand.turn.floor_ms
    used_ms = max(0, paused_at_ms - hand.turn.began_ms)
    turn = replace(hand.turn, began_ms=at_ms - used_ms, floor_ms=floor_ms + event.paused_ms if floor_ms else 0)
    return replace(table, hand=replace(hand, turn=turn))


def _held(table: Table, event: events.SeatHeld, _at_ms: int) -> Table:
    hold = Hold(event.seat, event.player, event.until_ms)
    return with_desk(table, holds=(*_other_holds(table, event.seat, event.player), hold))


def _reserved(table: Table, event: events.SeatReserved, _at_ms: int) -> Table:
    reservation = Reservation(event.seat, event.player, event.amount, event.transfer_id)
    return with_desk(
        table,
        holds=_other_holds(table, event.seat, event.player),
        reservations=(*table.desk.reservations, reservation),
        transfers=table.desk.transfers + 1,
    )


def _released(table: Table, event: events.SeatReleased, _at_ms: int) -> Table:
    kept = tuple(r for r in table.desk.reservations if r.transfer_id != event.transfer_id)
    return with_desk(table, holds=_other_holds(table, event.seat, event.player), reservations=kept)


def _other_holds(table: Table, seat: Seat, player: str) -> tuple[Hold, ...]:
    """Return the holds that are neither the player's nor on this seat, where one may have expired."""
    return tuple(hold for hold in table.desk.holds if hold.player != player and hold.seat != seat)


def _seated(table: Table, event: events.PlayerSeated, _at_ms: int) -> Table:
    rules, luggage = table.config.rulebook, event.luggage
    occupant = Occupant(
        player=event.player,
        stack=event.amount,
        entry=event.entry,
        arrival=table.desk.arrivals + 1,
        sitting_out=luggage.away == "sat_out",
        newcomer=table.config.kind == "cash" and rules.blinds.entry_post != "none",
        auto_muck=luggage.auto_muck,
        ask_to_show=luggage.ask_to_show,
        missed_turn="" if luggage.away == "sat_out" else luggage.away,
        bank_ms=1000 * rules.clock.time_bank_start_s if luggage.bank_ms < 0 else luggage.bank_ms,
        hands_dealt=luggage.hands_dealt,
    )
    assert table.seats[event.seat] is None, "a player sits down in an empty seat"
    seats = (*table.seats[: event.seat], occupant, *table.seats[event.seat + 1 :])
    kept = tuple(r for r in table.desk.reservations if r.transfer_id != event.transfer_id)
    table = replace(table, seats=seats)
    holds = _other_holds(table, event.seat, event.player)
    return with_desk(table, holds=holds, reservations=kept, arrivals=table.desk.arrivals + 1)


def _left(table: Table, event: events.PlayerLeft, at_ms: int) -> Table:
    seats = (*table.seats[: event.seat], None, *table.seats[event.seat + 1 :])
    table = replace(table, seats=seats)
    kept = remembered(table, at_ms, but=event.player)
    if table.config.rulebook.table.return_stack_window_s and event.amount:
        kept = (*kept, Departure(event.player, event.amount, at_ms))
    return with_desk(table, departures=kept, transfers=table.desk.transfers + 1)


def remembered(table: Table, at_ms: int, but: str = "") -> tuple[Departure, ...]:
    """Return the departures that still bind a returning player at `at_ms`, except those of `but` (R-MOD-8)."""
    oldest = at_ms - 1000 * table.config.rulebook.table.return_stack_window_s
    return tuple(d for d in table.desk.departures if d.at_ms > oldest and d.player != but)


def _leave_requested(table: Table, event: events.LeaveRequested, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, leaving=event.cause)


def _sat_out(table: Table, event: events.PlayerSatOut, at_ms: int) -> Table:
    since_ms = occupant_at(table, event.seat).sat_out_at_ms
    since_ms = at_ms if since_ms is None else since_ms
    return with_occupant(table, event.seat, sitting_out=True, sat_out_at_ms=since_ms, sits_out_at="", missed_turn="")


def _sit_out_planned(table: Table, event: events.SitOutPlanned, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, sits_out_at=event.at)


def _sat_in(table: Table, event: events.PlayerSatIn, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, sitting_out=False, sits_out_at="", missed_turn="", plan=event.plan)


def _entry_planned(table: Table, event: events.EntryPlanned, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, plan=event.plan)


def _preferences_set(table: Table, event: events.PreferencesSet, _at_ms: int) -> Table:
    return with_occupant(table, event.seat, auto_muck=event.auto_muck, ask_to_show=event.ask_to_show)


def _top_up_reserved(table: Table, event: events.TopUpReserved, _at_ms: int) -> Table:
    reservation = Reservation(event.seat, event.player, event.amount, event.transfer_id, top_up=True)
    desk = table.desk
    return with_desk(table, reservations=(*desk.reservations, reservation), transfers=desk.transfers + 1)


def _top_up_released(table: Table, event: events.TopUpReleased, _at_ms: int) -> Table:
    return with_desk(table, reservations=_reservations_but(table, event.transfer_id))


def _chips_queued(table: Table, event: events.ChipsQueued, _at_ms: int) -> Table:
    table = with_desk(table, reservations=_reservations_but(table, event.transfer_id))
    if event.seat < 0:
        return table
    occupant = table.seats[event.seat]
    assert occupant is not None, f"nobody sits in seat {event.seat}"
    return with_occupant(table, event.seat, queued=occupant.queued + event.amount)


def _reservations_but(table: Table, transfer_id: str) -> tuple[Reservation, ...]:
    return tuple(r for r in table.desk.reservations if r.transfer_id != transfer_id)


def _chips_added(table: Table, event: events.ChipsAdded, _at_ms: int) -> Table:
    occupant = table.seats[event.seat]
    assert occupant is not None, f"nobody sits in seat {event.seat}"
    assert event.amount <= occupant.queued, "more chips added than were queued"
    stack, queued = occupant.stack + event.amount, occupant.queued - event.amount
    return with_occupant(table, event.seat, stack=stack, queued=queued)


def _chips_returned(table: Table, event: events.ChipsReturned, _at_ms: int) -> Table:
    table = with_desk(table, transfers=table.desk.transfers + 1)
    if event.seat < 0:
        return table
    occupant = table.seats[event.seat]
    assert occupant is not None, f"nobody sits in seat {event.seat}"
    return with_occupant(table, event.seat, queued=occupant.queued - event.amount)


def _rake_swept(table: Table, event: events.RakeSwept, _at_ms: int) -> Table:
    desk = table.desk
    assert event.amount <= desk.rake_held, "a sweep takes no more than is held"
    return with_desk(table, rake_held=desk.rake_held - event.amount, hands_since_sweep=0, transfers=desk.transfers + 1)


SEAT_EVENTS: dict[type, Callable[[Table, Any, int], Table]] = {
    events.TableClosing: _closing,
    events.TableClosed: _closed,
    events.TableHalted: _halted,
    events.TableResumed: _resumed,
    events.LevelChanged: _level_changed,
    events.HandsLimited: _hands_limited,
    events.StacksReported: _stacks_reported,
    events.ClockPaused: _clock_paused,
    events.ClockResumed: _clock_resumed,
    events.SeatHeld: _held,
    events.SeatReserved: _reserved,
    events.SeatReleased: _released,
    events.PlayerSeated: _seated,
    events.PlayerLeft: _left,
    events.LeaveRequested: _leave_requested,
    events.PlayerSatOut: _sat_out,
    events.SitOutPlanned: _sit_out_planned,
    events.PlayerSatIn: _sat_in,
    events.EntryPlanned: _entry_planned,
    events.PreferencesSet: _preferences_set,
    events.TopUpReserved: _top_up_reserved,
    events.TopUpReleased: _top_up_released,
    events.ChipsQueued: _chips_queued,
    events.ChipsAdded: _chips_added,
    events.ChipsReturned: _chips_returned,
    events.RakeSwept: _rake_swept,
}
"""One function per event type; `evolve` looks its event up here."""
