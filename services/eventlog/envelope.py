"""The envelope: what one command did to one aggregate, as the bytes of one record (`design.md` section 2).

    encode(envelope) -> stored bytes       for the writer, before it appends
    Parsed(stored).header -> Header        for any reader: what the judge looks at, without the events
    Parsed(stored).envelope() -> Envelope  for a reader, once the judge has said that the record counts

In this order: a void record is skipped whatever else it holds, so it is judged before it is decoded. What counts and
cannot be decoded halts the reader, as does what has no header (`UnreadableRecordError`). `header_of` and `decode` are
for those who need one of the two only.

The bytes are not canonical: another version of protobuf may write the same envelope in another way. So hashes are taken
over stored bytes, and what is stored is never encoded again. What is canonical is the command inside (`canonical.py`).
"""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.message import DecodeError
from msgspec.structs import asdict

from dealer.events.v1 import envelope_pb2
from engine.inbox import Delivery
from services.eventlog.codec import events as codec
from services.eventlog.codec.events import Event
from services.eventlog.codec.faults import MalformedRecordError
from services.eventlog.judge import Claim, Header
from services.eventlog.log_events import EpochOpened
from services.eventlog.ports import RECORD_BYTES_MAX

HASH_BYTES: Final = 32
_CLAIM: Final = "epoch_opened"
_PARTITION: Final = "partition"
"""The kind of aggregate that claims happen to."""


class EnvelopeTooLargeError(Exception):
    """An envelope of more than 64 KiB is not appended, so what it says does not happen (T-KAF-5)."""

    def __init__(self, size: int) -> None:
        """Keep the size, in bytes."""
        super().__init__(f"the envelope has {size} bytes, at most {RECORD_BYTES_MAX} are allowed")
        self.size = size


class Sealed(msgspec.Struct, frozen=True, gc=False):
    """The seed of a hand's deck, for the dealer and the auditor only (`trust.md`, Sealing)."""

    key_id: str
    nonce: bytes
    """12 bytes."""
    ciphertext: bytes
    """48 bytes, the tag last."""

    def __repr__(self) -> str:
        """Name the key only (H11)."""
        return f"Sealed(key_id={self.key_id!r})"


class Envelope(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One record of the log. `proto/dealer/events/v1/envelope.proto` says more of each field."""

    writer_epoch: int
    sequence: int = 0
    """0 in a claim, whose place the judge assigns."""
    prev_hash: bytes = b""
    """32 bytes; empty in a claim."""
    aggregate: str
    version: int
    """The number of the first event in its aggregate."""
    command_id: str = ""
    """Empty where nobody asked, as are `command` and `request_hash`."""
    command: bytes = b""
    request_hash: bytes = b""
    result: bytes = b""
    """What the caller is told."""
    delivery: Delivery | None = None
    """Where the command came from, if a courier brought it."""
    causation_id: str = ""
    correlation_id: str = ""
    occurred_at_ms: int
    events: tuple[Event, ...]
    """At least one; a claim stands alone."""
    sealed: Sealed | None = None

    @property
    def header(self) -> Header:
        """What the judge looks at: the same that `header_of` finds in the stored bytes."""
        match self.events:
            case (EpochOpened() as opened,):
                claim = Claim(opened.claim_id, opened.reached_sequence, opened.reached_hash)
                return Header(self.writer_epoch, self.sequence, self.prev_hash, claim)
            case _:
                return Header(self.writer_epoch, self.sequence, self.prev_hash, None)


def kind_of(aggregate: str) -> str:
    """Return the kind of an aggregate: "table" of "table/T7"."""
    return aggregate.partition("/")[0]


def encode(envelope: Envelope) -> bytes:
    """Return the bytes to store.

    Raises:
        EnvelopeTooLargeError: There are more than 64 KiB of them.
    """
    assert envelope.events, "a command that changes nothing writes no record"
    assert len(envelope.prev_hash) == HASH_BYTES or envelope.header.claim, "only a claim does not know its place"
    kind, fields = kind_of(envelope.aggregate), asdict(envelope)
    fields["events"] = [codec.written(kind, event) for event in envelope.events]
    if envelope.delivery is not None:
        fields["delivery"] = asdict(envelope.delivery)
    if envelope.sealed is not None:
        fields["sealed"] = asdict(envelope.sealed)
    stored = envelope_pb2.Envelope(**fields).SerializeToString()
    if len(stored) > RECORD_BYTES_MAX:
        raise EnvelopeTooLargeError(len(stored))
    return stored


class Parsed:
    """A stored record, of which the bytes are taken apart once: for the judge, and then for whoever reads it."""

    __slots__ = ("_aggregate", "_message", "header")

    def __init__(self, stored: bytes) -> None:
        """Find the header.

        Raises:
            MalformedRecordError: The bytes are no envelope.
        """
        self._message = message = _parsed(stored)
        self._aggregate = aggregate = message.aggregate
        prev_hash = message.prev_hash
        claim = _claim(message) if aggregate.startswith("partition/") else None
        if claim is None and len(prev_hash) != HASH_BYTES:
            reason = "the record does not say what it follows"
            raise MalformedRecordError(reason)
        self.header = Header(message.writer_epoch, message.sequence, prev_hash, claim)

    def envelope(self) -> Envelope:
        """Return the envelope.

        Raises:
            MalformedRecordError: It is one that no dealer writes.
            UnknownEventError: A later version wrote it.
        """
        message, header, aggregate = self._message, self.header, self._aggregate
        return Envelope(
            writer_epoch=header.epoch,
            sequence=header.sequence,
            prev_hash=header.prev_hash,
            aggregate=aggregate,
            version=message.version,
            command_id=message.command_id,
            command=message.command,
            request_hash=message.request_hash,
            result=message.result,
            delivery=_delivery(message) if message.HasField("delivery") else None,
            causation_id=message.causation_id,
            correlation_id=message.correlation_id,
            occurred_at_ms=message.occurred_at_ms,
            events=_events(aggregate, message),
            sealed=_sealed(message) if message.HasField("sealed") else None,
        )


def header_of(stored: bytes) -> Header:
    """Return what the judge looks at in a stored record.

    Raises:
        MalformedRecordError: The bytes are no envelope.
    """
    return Parsed(stored).header


def decode(stored: bytes) -> Envelope:
    """Return the envelope in a stored record.

    Raises:
        MalformedRecordError: The bytes are no envelope, or one that no dealer writes.
        UnknownEventError: A later version wrote it.
    """
    return Parsed(stored).envelope()


def _parsed(stored: bytes) -> envelope_pb2.Envelope:
    if len(stored) > RECORD_BYTES_MAX:
        reason = f"the record has {len(stored)} bytes, at most {RECORD_BYTES_MAX} are allowed"
        raise MalformedRecordError(reason)
    try:
        return envelope_pb2.Envelope.FromString(stored)
    except DecodeError as error:
        reason = "the bytes are no envelope"
        raise MalformedRecordError(reason) from error


def _claim(message: envelope_pb2.Envelope) -> Claim | None:
    if len(message.events) != 1 or message.events[0].WhichOneof("event") != _CLAIM:
        return None
    opened = message.events[0].epoch_opened
    return Claim(opened.claim_id, opened.reached_sequence, opened.reached_hash)


def _events(aggregate: str, message: envelope_pb2.Envelope) -> tuple[Event, ...]:
    kind, messages = kind_of(aggregate), message.events[:]
    if kind not in codec.EVENTS or not messages:
        reason = "the aggregate is of no known kind, or nothing happened to it"
        raise MalformedRecordError(reason)
    events = codec.read_all(kind, messages)
    if len(events) > 1 and kind == _PARTITION and EpochOpened in map(type, events):
        reason = "a claim does not stand alone"
        raise MalformedRecordError(reason)
    return events


def _delivery(message: envelope_pb2.Envelope) -> Delivery:
    delivery = message.delivery
    return Delivery(delivery.partition, delivery.sequence, delivery.index)


def _sealed(message: envelope_pb2.Envelope) -> Sealed:
    sealed = message.sealed
    return Sealed(sealed.key_id, sealed.nonce, sealed.ciphertext)
