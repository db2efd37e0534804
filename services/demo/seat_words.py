"""The events of a table and its seats in words: one function per event, each from the table before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.table import events
from engine.table.menu import table_info
from engine.table.state import Table
from services.demo.words import Line, Words, listed, money, name_at

RELEASE_CAUSES: dict[str, str] = {
    "player": "gives up the seat",
    "expired": "loses the seat that was held",
    "funds_refused": "gets no seat: the account refused the money",
    "table_closing": "loses the seat: the table closes",
}
SIT_OUT_CAUSES: dict[str, str] = {
    "player": "sits out",
    "timeout": "sits out after a missed turn",
    "disconnected": "sits out after a lost connection",
    "no_chips": "sits out without chips",
    "next_big_blind": "sits out before the big blind",
}
LEAVE_CAUSES: dict[str, str] = {
    "player": "leaves",
    "sat_out_too_long": "leaves after sitting out too long",
    "table_closing": "leaves the closing table",
    "moved": "moves to another table",
    "busted": "is out of the tournament",
    "removed": "is taken off the table",
}
PLANS: dict[str, str] = {"post": "will post at once", "wait": "will wait for the big blind"}
SIT_OUT_PLANS: dict[str, str] = {
    "": "stays in",
    "next_hand": "will sit out after this hand",
    "next_big_blind": "will sit out from the next big blind",
}


def _table_created(_before: Table | None, event: events.TableCreated, after: Table) -> Iterator[Line]:
    info = table_info(after)
    yield Line("title", f"{info.house} rules, table {event.name}")
    yield Line("fact", ". ".join(part for part in (f"{info.game}, {info.limits}", info.blinds, info.buyin) if part))


def _table_closing(_before: Table, _event: events.TableClosing, _after: Table) -> Iterator[Line]:
    yield Line("fact", "The table is closing: no new hand, no new player.")


def _table_closed(_before: Table, _event: events.TableClosed, _after: Table) -> Iterator[Line]:
    yield Line("fact", "The table is closed.")


def _table_halted(_before: Table, event: events.TableHalted, _after: Table) -> Iterator[Line]:
    yield Line("alarm", f"The table stands still: {event.cause}")


def _table_resumed(_before: Table, event: events.TableResumed, _after: Table) -> Iterator[Line]:
    yield Line("fact", f"The table is back in service (ordered by {event.by}).")


def _level_changed(_before: Table, event: events.LevelChanged, after: Table) -> Iterator[Line]:
    yield Line("fact", f"Level {event.level} from the next hand on. {table_info(after).blinds}")


def _hands_limited(_before: Table, event: events.HandsLimited, _after: Table) -> Iterator[Line]:
    yield Line("fact", f"The director lets hands up to number {event.up_to} be dealt.")


def _stacks_reported(_before: Table, _event: events.StacksReported, after: Table) -> Iterator[Line]:
    stacks = [f"{player.player} {money(after, player.stack)}" for player in after.seats if player is not None]
    if stacks:
        yield Line("fact", f"The stacks as they count: {listed(stacks)}.")


def _clock_paused(_before: Table, _event: events.ClockPaused, _after: Table) -> Iterator[Line]:
    yield Line("fact", "The clock stands still.")


def _clock_resumed(_before: Table, _event: events.ClockResumed, _after: Table) -> Iterator[Line]:
    yield Line("fact", "The clock runs again.")


def _seat_held(_before: Table, event: events.SeatHeld, _after: Table) -> Iterator[Line]:
    yield Line("action", "looks at a seat, which is held", event.player)


def _seat_reserved(_before: Table, _event: events.SeatReserved, _after: Table) -> Iterator[Line]:
    return iter(())  # The answer of the account says who got the seat, and with what.


def _seat_released(_before: Table, event: events.SeatReleased, _after: Table) -> Iterator[Line]:
    yield Line("action", RELEASE_CAUSES[event.cause], event.player)


def _player_seated(_before: Table, event: events.PlayerSeated, after: Table) -> Iterator[Line]:
    yield Line("action", "sits down", event.player, stack=money(after, event.amount))


def _player_left(_before: Table, event: events.PlayerLeft, after: Table) -> Iterator[Line]:
    yield Line("action", f"{LEAVE_CAUSES[event.cause]} with {money(after, event.amount)}", event.player)


def _leave_requested(_before: Table, event: events.LeaveRequested, after: Table) -> Iterator[Line]:
    yield Line("action", "will leave when the hand is over", name_at(after, event.seat))


def _player_sat_out(_before: Table, event: events.PlayerSatOut, after: Table) -> Iterator[Line]:
    yield Line("action", SIT_OUT_CAUSES[event.cause], name_at(after, event.seat))


def _sit_out_planned(_before: Table, event: events.SitOutPlanned, after: Table) -> Iterator[Line]:
    yield Line("action", SIT_OUT_PLANS[event.at], name_at(after, event.seat))


def _player_sat_in(_before: Table, event: events.PlayerSatIn, after: Table) -> Iterator[Line]:
    yield Line("action", "is back", name_at(after, event.seat))


def _entry_planned(_before: Table, event: events.EntryPlanned, after: Table) -> Iterator[Line]:
    yield Line("action", PLANS[event.plan], name_at(after, event.seat))


def _preferences_set(_before: Table, event: events.PreferencesSet, after: Table) -> Iterator[Line]:
    muck, ask = "on" if event.auto_muck else "off", "on" if event.ask_to_show else "off"
    yield Line("action", f"sets auto muck {muck}, ask to show {ask}", name_at(after, event.seat))


def _top_up_reserved(_before: Table, _event: events.TopUpReserved, _after: Table) -> Iterator[Line]:
    return iter(())  # The answer of the account says who got chips, and how many.


def _top_up_released(_before: Table, event: events.TopUpReleased, _after: Table) -> Iterator[Line]:
    yield Line("action", "gets no more chips: the account refused the money", event.player)


def _chips_queued(_before: Table, event: events.ChipsQueued, after: Table) -> Iterator[Line]:
    yield Line("action", f"has {money(after, event.amount)} on the way into the stack", event.player)


def _chips_added(_before: Table, event: events.ChipsAdded, after: Table) -> Iterator[Line]:
    yield Line("action", f"adds {money(after, event.amount)} to the stack", name_at(after, event.seat))


def _chips_returned(_before: Table, event: events.ChipsReturned, after: Table) -> Iterator[Line]:
    yield Line("action", f"gets {money(after, event.amount)} back into the account", event.player)


def _rake_swept(_before: Table, event: events.RakeSwept, after: Table) -> Iterator[Line]:
    yield Line("fact", f"Rake of {money(after, event.amount)} goes to the house.")


SEAT_WORDS: dict[type, Words] = {
    events.TableCreated: _table_created,
    events.TableClosing: _table_closing,
    events.TableClosed: _table_closed,
    events.TableHalted: _table_halted,
    events.TableResumed: _table_resumed,
    events.LevelChanged: _level_changed,
    events.HandsLimited: _hands_limited,
    events.StacksReported: _stacks_reported,
    events.ClockPaused: _clock_paused,
    events.ClockResumed: _clock_resumed,
    events.SeatHeld: _seat_held,
    events.SeatReserved: _seat_reserved,
    events.SeatReleased: _seat_released,
    events.PlayerSeated: _player_seated,
    events.PlayerLeft: _player_left,
    events.LeaveRequested: _leave_requested,
    events.PlayerSatOut: _player_sat_out,
    events.SitOutPlanned: _sit_out_planned,
    events.PlayerSatIn: _player_sat_in,
    events.EntryPlanned: _entry_planned,
    events.PreferencesSet: _preferences_set,
    events.TopUpReserved: _top_up_reserved,
    events.TopUpReleased: _top_up_released,
    events.ChipsQueued: _chips_queued,
    events.ChipsAdded: _chips_added,
    events.ChipsReturned: _chips_returned,
    events.RakeSwept: _rake_swept,
}
"""One function per event of a table and its seats; a test holds it complete."""
