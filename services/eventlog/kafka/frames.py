"""What the dealer and its log process say to each other: frames on a socket pair, each a length and a msgpack value.

    dealer -> process   Hello first, then Append, Follow, Read, End, Ping, Join, Announce
    process -> dealer   Outcomes, Page, EndIs, Unreadable, Pong, Fenced, Damaged, Hindered, Assigned, Announced

There is no frame to say goodbye: whoever closes the socket, or dies, is gone, and the other one sees that.

Records have no numbers on the way there. Both sides count the records of all `Append` frames, from 0 in each process;
that number, the ticket, is what outcomes speak of. Questions carry the number that their answers repeat.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from services.eventlog.judge import Corrupt, Void
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ownership import Owner
from services.eventlog.ports import Acknowledged, Bookmark, Stored, Unknown

LENGTH: Final = struct.Struct(">I")
"""Stands before each frame: how many bytes it has."""

RECEIVED_BYTES: Final = 256 * 1024
"""How much is taken from the socket at once."""


class Hello(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The first frame."""

    settings: KafkaSettings
    header_of: str
    """Where the `HeaderOf` is to be found: `module:function`."""


class Append(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Append records of a partition, in this order."""

    partition: int
    records: list[bytes]


class Follow(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """See `Log.follow`."""

    partition: int
    bookmark: Bookmark


class Read(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """See `LogReader.read`."""

    number: int
    partition: int
    offset: int
    limit: int


class End(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """See `LogReader.end`."""

    number: int
    partition: int


class Ping(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The dealer lives."""


class Join(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The dealer wants to be given partitions, and to hear who serves the others."""


class Announce(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The dealer serves a partition."""

    partition: int
    owner: Owner


class Outcomes(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """What became of records, by their tickets; those that are acknowledged are of one partition, and in its order."""

    acknowledged: list[tuple[int, Acknowledged]] = []
    void: list[tuple[int, Void]] = []
    corrupt: list[tuple[int, Corrupt]] = []
    unknown: list[tuple[int, Unknown]] = []


class Page(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The answer to `Read`."""

    number: int
    records: Sequence[Stored]


class EndIs(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The answer to `End`."""

    number: int
    offset: int


class Unreadable(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The answer to `Read` or `End` if there is none."""

    number: int
    offset: int | None
    """Where the log is damaged; None if it cannot be read now."""
    why: str


class Pong(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The process lives."""


class Fenced(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A claim counts that the dealer does not wait for."""

    partition: int
    epoch: int
    claim_id: str


class Damaged(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A partition is corrupt; records that were under way there have that as their outcome."""

    partition: int


class Hindered(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """Nothing can be appended until an operator has done something; it is tried again now and then."""

    why: str


class Assigned(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """The partitions that the group gives to this dealer now."""

    partitions: tuple[int, ...]


class Announced(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """A dealer, perhaps this one, has announced that it serves a partition."""

    partition: int
    owner: Owner


ToProcess: TypeAlias = Hello | Append | Follow | Read | End | Ping | Join | Announce
Note: TypeAlias = Assigned | Announced
"""What is no business of the log itself."""
ToDealer: TypeAlias = Outcomes | Page | EndIs | Unreadable | Pong | Fenced | Damaged | Hindered | Note

TO_PROCESS: Final = msgspec.msgpack.Decoder(ToProcess)
TO_DEALER: Final = msgspec.msgpack.Decoder(ToDealer)

_ENCODER: Final = msgspec.msgpack.Encoder()


def framed(frame: ToProcess | ToDealer) -> bytes:
    """Return the bytes of a frame as they go over the socket."""
    content = _ENCODER.encode(frame)
    return LENGTH.pack(len(content)) + content


class Received:
    """What has come over the socket, in pieces of any size."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._bytes = bytearray()

    def contents(self, piece: bytes) -> Iterator[bytes]:
        """Take a piece in, and yield the contents of each frame that is complete."""
        self._bytes += piece
        start, size = 0, len(self._bytes)
        while size - start >= LENGTH.size:
            begin = start + LENGTH.size
            end = begin + LENGTH.unpack_from(self._bytes, start)[0]
            if end > size:
                break
            yield bytes(memoryview(self._bytes)[begin:end])
            start = end
        del self._bytes[:start]
