"""One pass over a partition from its beginning: everything judged, what counts decoded, and all of it counted.

Beyond what every reader checks it looks at I3: the events of an aggregate are numbered without gaps, and time never
goes back. A claim is not asked, because its writer does not know what slipped in before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from services.eventlog.envelope import Envelope
from services.eventlog.errors import LogCorruptError
from services.eventlog.log_events import EpochOpened
from services.eventlog.ports import LogReader, Stored
from services.eventlog.reader import Counted, PartitionReader


class Metered:
    """A `LogReader` that counts what comes out of another, and tells how far it is."""

    def __init__(self, log: LogReader, tell: Callable[[int], None]) -> None:
        """Read from `log`; `tell` hears how many records each page had."""
        self.records = 0
        self.bytes = 0
        self._log, self._tell = log, tell

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        return await self._log.end(partition)

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        found = await self._log.read(partition, offset, limit)
        self.records += len(found)
        self.bytes += sum(len(record.stored) for record in found)
        self._tell(len(found))
        return found

    async def close(self) -> None:
        """See `LogReader.close`."""
        await self._log.close()


class Survey:
    """What is in a partition."""

    def __init__(self, house: str, partition: int, log: LogReader, tell: Callable[[int], None]) -> None:
        """Prepare to read; `tell` hears how many records each page had."""
        self.partition = partition
        self.counted = 0
        self.events: Counter[str] = Counter()
        self.first_ms: int | None = None
        self.last_ms: int | None = None
        """The latest time, claims apart."""
        self.wrong: LogCorruptError | None = None
        """The first thing that must not be."""
        self._log = Metered(log, tell)
        self._reader = PartitionReader(self._log, house, partition)
        self._versions: dict[str, int] = {}

    async def read_to(self, end: int) -> None:
        """Read all that is before an end, or up to what is corrupt.

        Raises:
            LogUnavailableError: The log cannot be read now.
        """
        with suppress(LogCorruptError):
            await self._reader.read_on(end, self._look_at)
        self.wrong = self.wrong or self._reader.halted

    def plain(self) -> dict[str, Any]:
        """Return the survey as JSON has it."""
        position = self._reader.position
        return {
            "partition": self.partition,
            "records": self._log.records,
            "bytes": self._log.bytes,
            "counted": self.counted,
            "void": dict(sorted(self._reader.void.items())),
            "events": dict(sorted(self.events.items())),
            "epoch": position.epoch,
            "sequence": position.sequence,
            "hash": position.hash.hex(),
            "first_ms": self.first_ms,
            "last_ms": self.last_ms,
            "wrong": None if self.wrong is None else {"offset": self.wrong.offset, "why": self.wrong.why},
        }

    def _look_at(self, counted: Counted) -> None:
        envelope = counted.envelope
        self.counted += 1
        self.events.update(type(event).__name__ for event in envelope.events)
        claims = isinstance(envelope.events[0], EpochOpened)
        version = self._versions.get(envelope.aggregate, 0) + 1
        self._versions[envelope.aggregate] = version + len(envelope.events) - 1
        if not claims:
            self._verify(counted.bookmark.offset, envelope, version)
            self.last_ms = max(self.last_ms or 0, envelope.occurred_at_ms)
        if self.first_ms is None:
            self.first_ms = envelope.occurred_at_ms

    def _verify(self, offset: int, envelope: Envelope, version: int) -> None:
        """Note the first record that breaks I3."""
        why = ""
        if envelope.version != version:
            why = f"{envelope.aggregate} continues with event {envelope.version}, and {version} is the next"
        elif self.last_ms is not None and envelope.occurred_at_ms < self.last_ms:
            why = f"time goes back by {self.last_ms - envelope.occurred_at_ms} ms"
        if why and self.wrong is None:
            self.wrong = LogCorruptError(self.partition, offset, why)
