"""Records made by hand, for tests of the log that need no engine: a header and any bytes behind it."""

from __future__ import annotations

from typing import Final

import msgspec

from services.eventlog.judge import Claim, Header, Position, chained, genesis

HOUSE: Final = "riverboat"
PARTITION: Final = 3

_DECODER: Final = msgspec.msgpack.Decoder(tuple[Header, bytes])


def record(header: Header, payload: bytes = b"") -> bytes:
    """Return a record's bytes."""
    return msgspec.msgpack.encode((header, payload))


def header_of(stored: bytes) -> Header:
    """Return a record's header.

    Raises:
        msgspec.DecodeError: These bytes are no record.
    """
    return _DECODER.decode(stored)[0]


class Pen:
    """What a writer writes with: each record follows the one before as if that counted."""

    def __init__(self, position: Position | None = None, name: str = "w") -> None:
        """Begin behind `position`, or at the beginning of the partition that tests use."""
        self.at = genesis(HOUSE, PARTITION) if position is None else position
        self.name = name

    def claim(self, epoch: int | None = None) -> bytes:
        """Return a claim of `epoch`, or of the one behind the current one."""
        opened = self.at.epoch + 1 if epoch is None else epoch
        claim = Claim(f"{self.name}/{opened}", self.at.sequence, self.at.hash)
        return self._moved(opened, record(Header(opened, 0, b"", claim)))

    def record(self, payload: bytes = b"") -> bytes:
        """Return the next record of the current epoch."""
        header = Header(self.at.epoch, self.at.sequence + 1, self.at.hash, None)
        return self._moved(self.at.epoch, record(header, payload))

    def _moved(self, epoch: int, stored: bytes) -> bytes:
        self.at = Position(epoch, self.at.sequence + 1, chained(self.at.hash, stored))
        return stored
