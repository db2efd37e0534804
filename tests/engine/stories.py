"""How the history of a card room ends, told by a failed run."""

from __future__ import annotations

from tests.engine.courier import CardRoom, Record

SHOWN = 30
"""Records that a failed run shows."""


def story(again: str, room: CardRoom) -> str:
    """Return how to see a failed run again, what it was, and how its history ends."""
    last = sorted((record for log in room.logs for record in log), key=lambda record: record.at_ms)[-SHOWN:]
    return "\n".join([again, f"partitions: {len(room.logs)}; met: {dict(room.tally)}", *map(told, last)])


def told(record: Record) -> str:
    """Return a record as a line."""
    came = f"delivery {record.delivery.partition}/{record.delivery.sequence}" if record.delivery else "request"
    events = ", ".join(map(str, record.events))
    return f"{record.at_ms} {record.aggregate} <- {came} {record.command} -> {record.refusal or events}"
