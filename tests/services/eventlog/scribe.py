"""Envelopes in a chain, and a log that is no more than a list of them: for tests of what reads a log."""

from __future__ import annotations

from collections.abc import Sequence

from engine.account.events import FundsDeposited
from services.eventlog.codec.events import Event
from services.eventlog.envelope import Envelope, encode
from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Position, chained, genesis
from services.eventlog.log_events import EpochOpened
from services.eventlog.ports import Stored
from tests.services.eventlog.records import HOUSE, PARTITION


class Scribe:
    """Writes envelopes, each as if the one before counted."""

    def __init__(self, position: Position | None = None) -> None:
        """Begin behind a position, or at the beginning of the partition that tests use."""
        self.at = position or genesis(HOUSE, PARTITION)
        self.version = 0

    def claim(self, epoch: int | None = None) -> bytes:
        """Return a claim of `epoch`, or of the one behind the current one."""
        opened = self.at.epoch + 1 if epoch is None else epoch
        event = EpochOpened(f"claim {opened}", self.at.sequence, self.at.hash)
        address = f"partition/{PARTITION}"
        claim = Envelope(writer_epoch=opened, aggregate=address, version=0, occurred_at_ms=0, events=(event,))
        return self._moved(opened, encode(claim))

    def record(self, *events: Event) -> bytes:
        """Return the next record of an account: what happened, or else a deposit of one cent."""
        happened = events or (FundsDeposited("USD", 1, f"cent {self.at.sequence}"),)
        self.version += 1
        envelope = Envelope(
            writer_epoch=self.at.epoch,
            sequence=self.at.sequence + 1,
            prev_hash=self.at.hash,
            aggregate="account/P1",
            version=self.version,
            occurred_at_ms=0,
            events=happened,
        )
        return self._moved(self.at.epoch, encode(envelope))

    def _moved(self, epoch: int, stored: bytes) -> bytes:
        self.at = Position(epoch, self.at.sequence + 1, chained(self.at.hash, stored))
        return stored


class ListedLog:
    """A `LogReader` over records that a test lists; like in Kafka, an offset says nothing of what counts."""

    def __init__(self, records: Sequence[bytes] = ()) -> None:
        """Hold these records."""
        self.records = list(records)
        self.reachable = True

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        self._verify_reachable(partition)
        return len(self.records)

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        self._verify_reachable(partition)
        if offset > len(self.records):
            raise LogCorruptError(partition, offset, "the log ends before it")
        page = list(enumerate(self.records))[offset : offset + limit]
        return [Stored(place, stored) for place, stored in page]

    async def close(self) -> None:
        """See `LogReader.close`."""

    def _verify_reachable(self, partition: int) -> None:
        if not self.reachable:
            msg = f"partition {partition} cannot be reached"
            raise LogUnavailableError(msg)
