"""Which byte of a stored record says what: the classes in which F13 flips bits, by the wire format of protobuf.

A record is a row of fields: a tag, for some a length, and the content. Tags and lengths are a class of their own, since
a bit there moves everything behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer.events.v1 import envelope_pb2

CLASSES: Final = ("header", "hash", "command", "result", "events", "sealed", "delivery", "length")

CLASS_OF: Final = {
    "prev_hash": "hash",
    "command_id": "command",
    "command": "command",
    "request_hash": "command",
    "result": "result",
    "events": "events",
    "sealed": "sealed",
    "delivery": "delivery",
}
"""By the name of the field; all others are the header."""

VARINT: Final = 0
MORE: Final = 0x80


def byte_class(field: int) -> str:
    """Return the class of a field's content."""
    name = envelope_pb2.Envelope.DESCRIPTOR.fields_by_number[field].name
    return CLASS_OF.get(name, "header")


def places_of(stored: bytes) -> dict[str, list[int]]:
    """Return the places of a record's bytes by their class."""
    places: dict[str, list[int]] = {}
    for name, begin, end in _fields(stored):
        places.setdefault(name, []).extend(range(begin, end))
    return places


def _fields(stored: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield where each tag and length begin and end, and each content."""
    at = 0
    while at < len(stored):
        tag, begin = _varint(stored, at)
        if tag & 7 == VARINT:
            _, end = _varint(stored, begin)
        else:
            length, begin = _varint(stored, begin)
            end = begin + length
        yield "length", at, begin
        yield byte_class(tag >> 3), begin, end
        at = end


def _varint(stored: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, and the place behind it."""
    number = shift = 0
    while stored[at] & MORE:
        number |= (stored[at] & ~MORE) << shift
        at, shift = at + 1, shift + 7
    return number | stored[at] << shift, at + 1
