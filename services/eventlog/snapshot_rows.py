"""What a snapshot consists of, as bytes: a row for each aggregate, and a manifest for each partition.

    stored bytes = sha256 over the rest ‖ SCHEMA ‖ how the value is packed ‖ value

A row has an aggregate with all that is known of it, and the position of the confirmed state in which it was so. The
manifest says from where the log is to be replayed over the rows (`snapshots.py`).

`SCHEMA` stands for the shape of what is stored and for what `evolve` makes of the events on the log. A snapshot of
another schema is not read. Whoever changes a state, what is remembered, or what an event leads to, raises it; a test
that pins the states of golden logs sees to that.
"""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.inbox import Inbox
from services.eventlog.aggregates import KINDS
from services.eventlog.envelope import kind_of
from services.eventlog.judge import Position
from services.eventlog.memory import Answers, Held, Known, SealedHand
from services.eventlog.ports import Bookmark

SCHEMA: Final = 1
"""Raised with every change of what is stored or of what events lead to."""

MANIFEST: Final = "manifest"
"""The manifest's key; the keys of rows are addresses, which have a slash."""

HASH_BYTES: Final = 32
SCHEMA_BYTES: Final = 4
PACKED_BYTES: Final = 64 * 1024
"""Larger values are compressed: a big tournament has megabytes, and a record of Kafka one."""

S = TypeVar("S")


class SnapshotRejectedError(Exception):
    """These bytes are no snapshot, or none that this version may read."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A row or a manifest on its way to a store."""

    key: str
    sequence: int
    """Of the position that it goes with; it grows."""
    value: bytes

    def stored(self) -> bytes:
        """Return the bytes to store. For large values that takes milliseconds, so a store asks in its own thread."""
        packed = len(self.value) > PACKED_BYTES
        value = zlib.compress(self.value, 1) if packed else self.value
        rest = b"".join((SCHEMA.to_bytes(SCHEMA_BYTES, "big"), bytes((packed,)), value))
        return sha256(rest).digest() + rest


class Row(msgspec.Struct, frozen=True, array_like=True):
    """An aggregate."""

    address: str
    position: Position
    """Where it was so."""
    content: msgspec.Raw


class Manifest(msgspec.Struct, frozen=True, array_like=True):
    """What makes rows a snapshot."""

    house: str
    partition: int
    bookmark: Bookmark
    """Replay begins behind it: every row is as its aggregate was there, or later."""
    at_ms: int
    """The latest time on the log up to there."""
    rows: int
    """At least so many there are."""


class _Content(msgspec.Struct, Generic[S], frozen=True, array_like=True):
    """All that is known of an aggregate."""

    state: S | None
    version: int
    inbox: Inbox
    answers: Answers
    sealed: SealedHand | None


def row_entry(address: str, known: Known, position: Position) -> Entry:
    """Return the row of an aggregate as it was at a position."""
    held = known.held
    content = _Content(held.state, held.version, held.inbox, known.answers, known.sealed)
    row = Row(address, position, msgspec.Raw(_ENCODER.encode(content)))
    return Entry(address, position.sequence, _ENCODER.encode(row))


def manifest_entry(manifest: Manifest) -> Entry:
    """Return a manifest on its way to a store."""
    return Entry(MANIFEST, manifest.bookmark.position.sequence, _ENCODER.encode(manifest))


def row_in(stored: bytes) -> tuple[Row, Known]:
    """Return a row that was stored, and what is known by it.

    Raises:
        SnapshotRejectedError: It is damaged, or of another schema.
    """
    try:
        row = _ROW.decode(_value(stored))
        content = _CONTENT.get(kind_of(row.address), _STATELESS).decode(row.content)
    except msgspec.MsgspecError as error:
        msg = f"a row is no row: {error}"
        raise SnapshotRejectedError(msg) from error
    held = Held(content.state, content.version, content.inbox)
    return row, Known(held, content.answers, content.sealed)


def manifest_in(stored: bytes) -> Manifest:
    """Return a manifest that was stored.

    Raises:
        SnapshotRejectedError: It is damaged, or of another schema.
    """
    try:
        return _MANIFEST.decode(_value(stored))
    except msgspec.MsgspecError as error:
        msg = f"the manifest is none: {error}"
        raise SnapshotRejectedError(msg) from error


def _value(stored: bytes) -> bytes:
    """Return the value in stored bytes, once checksum and schema have been compared."""
    digest, rest = stored[:HASH_BYTES], stored[HASH_BYTES:]
    if sha256(rest).digest() != digest:
        msg = "its bytes are not those that were stored"
        raise SnapshotRejectedError(msg)
    schema, packed, value = rest[:SCHEMA_BYTES], rest[SCHEMA_BYTES], rest[SCHEMA_BYTES + 1 :]
    if int.from_bytes(schema, "big") != SCHEMA:
        msg = f"it has schema {int.from_bytes(schema, 'big')}, this version reads {SCHEMA}"
        raise SnapshotRejectedError(msg)
    return zlib.decompress(value) if packed else value


def _reader_of(state: type | None) -> msgspec.msgpack.Decoder[_Content[Any]]:
    """Return what reads the content of rows with a state of this type."""
    return msgspec.msgpack.Decoder(_Content[state])  # type: ignore[valid-type]  # It is one at run time.


_ENCODER: Final = msgspec.msgpack.Encoder()
_ROW: Final = msgspec.msgpack.Decoder(Row)
_MANIFEST: Final = msgspec.msgpack.Decoder(Manifest)
_CONTENT: Final = {name: _reader_of(kind.state) for name, kind in KINDS.items()}
_STATELESS: Final = _reader_of(None)
"""What the log says of itself has no state."""
