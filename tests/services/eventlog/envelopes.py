"""Envelopes for tests: a record in which everything is set, a claim in which little is, and records of any events."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer.events.v1 import envelope_pb2
from engine.inbox import Delivery
from engine.table.events import Called, Folded
from services.eventlog.codec.events import Event
from services.eventlog.envelope import Envelope, Sealed
from services.eventlog.log_events import EpochOpened

RECORD: Final = Envelope(
    writer_epoch=7,
    sequence=1_234_567,
    prev_hash=bytes(range(32)),
    aggregate="table/T7",
    version=42,
    command_id="0b5f9a52-5c1a-4d5e-9d5f-3d1b1f0f2a11",
    command=b'{"hand_id":"T7/1","player":"P3","turn":4,"type":"Call"}',
    request_hash=bytes(range(32, 64)),
    result=b"told",
    delivery=Delivery(5, 99, 1),
    causation_id="event 41",
    correlation_id="request 17",
    occurred_at_ms=1_700_000_000_123,
    events=(Called(3, 600), Folded(4, "timeout")),
    sealed=Sealed("k1", bytes(range(12)), bytes(range(48))),
)

CLAIM: Final = Envelope(
    writer_epoch=8,
    aggregate="partition/5",
    version=3,
    occurred_at_ms=1_700_000_000_124,
    events=(EpochOpened("claim 1", 1_234_567, bytes(range(64, 96))),),
)


def record_of(kind: str, *events: Event) -> Envelope:
    """Return a record in which these events happen to an aggregate of a kind."""
    return replace(RECORD, aggregate=f"{kind}/1", events=events)


def message_in(stored: bytes) -> envelope_pb2.Envelope:
    """Return the message in a stored record, for a test that spoils it."""
    return envelope_pb2.Envelope.FromString(stored)
