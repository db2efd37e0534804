"""How a table changes: one event at a time, and in no other way.

`evolve` is total: every event that `decide` made can be applied, and what must hold is asserted. It knows no rule about
what may happen, only what follows from what did happen. It never sees a card that was not shown to everybody, so a
reader without any key reaches the same state as the dealer, byte for byte (H4).

The functions are in `evolve_seats.py` (table and seats), `evolve_hand.py` (the hand), `evolve_end.py` (its end) and
`evolve_clock.py` (time and connections); each has a table from event type to function, and together they name every
event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.table.events import TableCreated, TableEvent
from engine.table.evolve_clock import CLOCK_EVENTS
from engine.table.evolve_end import END_EVENTS
from engine.table.evolve_hand import HAND_EVENTS
from engine.table.evolve_seats import SEAT_EVENTS, created
from engine.table.state import Table

EVOLVE: dict[type, Callable[[Table, Any, int], Table]] = {**SEAT_EVENTS, **HAND_EVENTS, **END_EVENTS, **CLOCK_EVENTS}


def evolve(table: Table | None, event: TableEvent, at_ms: int) -> Table:
    """Return the table after the event, which happened at `at_ms` (milliseconds on the log).

    `None` is the table that does not exist yet; only `TableCreated` comes then.
    """
    if table is None:
        assert isinstance(event, TableCreated), "a table begins with TableCreated"
        return created(event)
    return EVOLVE[type(event)](table, event, at_ms)


def replay(events: Iterable[TableEvent], at_ms: int, table: Table | None = None) -> Table | None:
    """Return the table after all `events`, which happened at one time."""
    for event in events:
        table = evolve(table, event, at_ms)
    return table
