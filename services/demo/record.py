"""One event as it is kept: its place in the table's history, its time, and what happened."""

from __future__ import annotations

import msgspec

from engine.table.events import TableEvent


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event of a table with its place and time; as JSON it is one line of `--json`."""

    version: int
    """The place in the table's history; the first event has 1."""
    at_ms: int
    """Milliseconds on the log; the same for all events of a command."""
    event: TableEvent
