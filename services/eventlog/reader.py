"""A reader of one partition: what counts, once and in order, from where it was; and a halt at what cannot be trusted.

    log -> bytes -> judge -> counts: decoded and handed on · void: counted by its reason · corrupt: halt

Writers read so when they open a partition, projectors and auditors always. Who reads is told of a record that counts
together with a `Bookmark`, which he saves in the transaction of what he makes of it (R2). A reader that starts from a
bookmark fetches that record again and compares: a log that is shorter, or has another record there, lost what was read.

The comparison is exact where the record says what it follows: with the hash before it and its bytes the chain must come
to the saved hash. A claim says that only if nothing slipped in before it. If something did, the claim's epoch is
compared, and the next record or claim gives a wrong chain away, since the saved hash is what it is judged by.

A halt is for good (R7): whatever is asked later gets the same error, which says where and why. A record that counts and
cannot be decoded halts as damage does, for it may have moved chips. A log that cannot be reached is no reason to halt;
the caller tries again, and the reader goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from services.eventlog.codec.faults import UnreadableRecordError
from services.eventlog.envelope import Envelope, Parsed
from services.eventlog.errors import LogCorruptError
from services.eventlog.judge import Corrupt, Counts, Header, Position, Recent, Void, VoidReason, chained, genesis, judge
from services.eventlog.ports import Acknowledged, Bookmark, LogReader, Stored

PAGE_RECORDS: Final = 500
"""How many records are fetched at once."""


class Counted(msgspec.Struct, frozen=True, gc=False):
    """A record that counts."""

    envelope: Envelope
    bookmark: Bookmark
    """The place after it."""


Apply: TypeAlias = Callable[[Counted], None]
"""Is told each record that counts, in order; says with a LogCorruptError that the log is not what it was."""


class PartitionReader:
    """Reads one partition."""

    def __init__(self, log: LogReader, house: str, partition: int, saved: Bookmark | None = None) -> None:
        """Begin behind a saved bookmark, or at the beginning of the partition."""
        self.partition = partition
        self.void: Counter[VoidReason] = Counter()
        """How many records were void, by reason; those since the bookmark, which come again, included."""
        self.halted: LogCorruptError | None = None
        """Why nothing more is read."""
        self._log = log
        self._last = saved or Bookmark(genesis(house, partition), -1)
        self._compared = self._last.offset < 0
        self._recent = Recent(self._last.position)
        self._next = self._last.offset + 1

    @property
    def position(self) -> Position:
        """What has been counted."""
        return self._last.position

    @property
    def bookmark(self) -> Bookmark:
        """Where the reader is; before the first record its offset is -1."""
        return self._last

    async def read_on(self, end: int, apply: Apply) -> None:
        """Read at least to `end`, an offset that the log gave, and tell `apply` each record that counts.

        The saved bookmark is compared even if there is nothing behind it: a log that ends before it has lost something.
        Where the log has no more it has been read to its end, whatever stands there that is no record.
        A record that cannot be applied halts the reader, like one that cannot be read.

        Raises:
            LogCorruptError: The reader has halted.
            LogUnavailableError: The log cannot be read now.
        """
        before = -1
        while (self._next < end or not self._compared) and before != self._next:
            before = self._next
            for counted in await self.page():
                self._apply(apply, counted)

    async def page(self, limit: int = PAGE_RECORDS) -> list[Counted]:
        """Return what counts among the next records, at most `limit` of them; nothing may count, or there is no more.

        Raises:
            LogCorruptError: The reader has halted, and everything before that place has been returned.
            LogUnavailableError: The log cannot be read now.
        """
        if self.halted is not None:
            raise self.halted
        try:
            if not self._compared:
                await self._compare()
            found = await self._log.read(self.partition, self._next, limit)
        except LogCorruptError as error:
            self.halted = error
            raise
        return self._counting(found)

    def follow(self, acknowledged: Acknowledged) -> Bookmark:
        """Go on behind a record of one's own that the log has read back, as if it had been read here."""
        assert acknowledged.offset >= self._next, "what was read already does not come again"
        self._advance(acknowledged.position, acknowledged.offset)
        return self._last

    def _apply(self, apply: Apply, counted: Counted) -> None:
        try:
            apply(counted)
        except LogCorruptError as error:
            self.halted = error
            raise
        except Exception as error:
            self.halted = self._corrupt(counted.bookmark.offset, f"it cannot be applied: {error!r}")
            raise self.halted from error

    async def _compare(self) -> None:
        """Fetch the record at the bookmark again.

        Raises:
            LogCorruptError: It is not there any more, or is another.
            LogUnavailableError: The log cannot be read now.
        """
        saved = self._last
        found = await self._log.read(self.partition, saved.offset, 1)
        if not found or found[0].offset != saved.offset:
            raise self._corrupt(saved.offset, "there is no such record, but it was read here before")
        stored = found[0].stored
        header = self._parsed(found[0]).header
        before = _hash_before(header, saved.position.sequence)
        differs = before is not None and chained(before, stored) != saved.position.hash
        if differs or header.epoch != saved.position.epoch:
            raise self._corrupt(saved.offset, "the record is not the one that was read here before")
        self._compared = True

    def _counting(self, found: Sequence[Stored]) -> list[Counted]:
        """Judge records; those before one that is corrupt are returned first."""
        counting: list[Counted] = []
        try:
            for record in found:
                counted = self._judged(record)
                if counted is not None:
                    counting.append(counted)
        except LogCorruptError as error:
            self.halted = error
            if not counting:
                raise
        return counting

    def _judged(self, record: Stored) -> Counted | None:
        """Return a record if it counts.

        Raises:
            LogCorruptError: It is corrupt, or cannot be read.
        """
        parsed = self._parsed(record)
        match judge(self._last.position, parsed.header, record.stored, self._recent.hash_at):
            case Counts(position=position):
                envelope = self._envelope(parsed, record.offset)
                self._advance(position, record.offset)
                return Counted(envelope, self._last)
            case Void(reason=reason):
                self.void[reason] += 1
                self._next = record.offset + 1
                return None
            case Corrupt(why=why):
                raise self._corrupt(record.offset, why)

    def _parsed(self, record: Stored) -> Parsed:
        try:
            return Parsed(record.stored)
        except UnreadableRecordError as error:
            raise self._corrupt(record.offset, error.reason) from error

    def _envelope(self, parsed: Parsed, offset: int) -> Envelope:
        try:
            return parsed.envelope()
        except UnreadableRecordError as error:
            raise self._corrupt(offset, error.reason) from error

    def _advance(self, position: Position, offset: int) -> None:
        self._last = Bookmark(position, offset)
        self._recent.add(position)
        self._next = offset + 1

    def _corrupt(self, offset: int, why: str) -> LogCorruptError:
        return LogCorruptError(self.partition, offset, why)


def _hash_before(header: Header, sequence: int) -> bytes | None:
    """Return the chain's hash before a record that took `sequence`, as far as it says so itself."""
    if header.claim is None:
        return header.prev_hash
    return header.claim.reached_hash if header.claim.reached_sequence == sequence - 1 else None
