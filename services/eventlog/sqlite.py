"""The log in a SQLite file: the whole dealer in one process, and the same promises as Kafka's (`ports.py`).

A thread writes and a thread reads, each with a connection of its own; the event loop only hands them work. While a
commit is under way, the appends that arrive wait together and share the next one (group commit): a sync of the disk
costs the same for one record and for a hundred. In one transaction the writer judges each record at the position that
the file has, stores it if it counts, and commits; so what it acknowledges was read back as counting. What would not
count is reported and not stored: there are no void records here, and an offset is the sequence.

What an error leaves behind. If a commit fails, the outcome of all that it held is unknown, since the pages may have
been written; the position is read from the file again. A full disk and a lock pass, and a write that failed is made
anew in full, so the next commit may succeed. Any other error means that the file, or what the system says of it, can no
longer be trusted: after a failed sync a second one may succeed although pages are lost. Then nothing more is written
until the log is opened again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import apsw

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Corrupt, Counts, Header, Position, judge
from services.eventlog.ports import RECORD_BYTES_MAX, Acknowledged, Bookmark, HeaderOf, Outcome, Stored, Unknown
from services.eventlog.sqlite_file import open_to_read, open_to_write, sole_writer
from services.eventlog.sqlite_rows import Rows
from services.eventlog.threads import OwnThread

GROUP_RECORDS_MAX: Final = 1000
"""A group with this many records takes no more, so that none waits long for those it came with."""

WAITING_RECORDS_MAX: Final = 20_000
"""No more records wait than these. Whoever appends bounds what is under way far below it."""

PASSING: Final = (apsw.SQLITE_BUSY, apsw.SQLITE_FULL, apsw.SQLITE_IOERR_WRITE)
"""Codes of errors after which a commit may be tried again; an error of the driver itself has no code."""


class Batch(NamedTuple):
    """What one call appends."""

    partition: int
    records: list[tuple[Header, bytes]]


Outcomes: TypeAlias = list[list[Outcome]]
"""Of batches, and of the records in each."""


class SqliteReader:
    """The `LogReader` of a file that this process, another, or nobody writes."""

    def __init__(self, path: Path, house: str) -> None:
        """Open a log.

        Raises:
            LogUnavailableError: There is no log yet, or it cannot be opened.
            LogUnusableError: The file is no log, or SQLite is too old.
        """
        self._rows = Rows(open_to_read(path), house)
        self._thread = OwnThread("log-reader")

    async def partitions(self) -> Sequence[int]:
        """Return the partitions that have records.

        Raises:
            LogCorruptError: The log is damaged.
            LogUnavailableError: The log cannot be read now.
        """
        return await self._thread.run(self._rows.partitions)

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        return await self._thread.run(lambda: self._rows.end(partition))

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        return await self._thread.run(lambda: self._rows.read(partition, offset, limit))

    async def close(self) -> None:
        """See `LogReader.close`."""
        await self._thread.end(self._rows.db.close)


class SqliteLog:
    """The `Log` of the one process that writes a file."""

    def __init__(self, path: Path, house: str, header_of: HeaderOf) -> None:
        """Open a log, which is made if there is none; its directory must exist.

        Raises:
            LogInUseError: Another process writes it.
            LogUnavailableError: It cannot be opened or made.
            LogUnusableError: The file is no log, or SQLite is too old.
        """
        with ExitStack() as undo:
            undo.enter_context(sole_writer(path))
            db = open_to_write(path)
            undo.callback(db.close)
            self._reader = SqliteReader(path, house)
            self._release = undo.pop_all().close
        self._writer = _Writer(Rows(db, house), header_of)
        self._header_of = header_of
        self._thread = OwnThread("log-writer")
        self._turn = asyncio.Lock()
        self._gathering: _Group | None = None
        self._waiting = 0

    def follow(self, partition: int, bookmark: Bookmark) -> None:
        """See `Log.follow`: the file knows how far it is."""

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """See `Log.append`."""
        if any(len(stored) > RECORD_BYTES_MAX for stored in records):
            msg = f"a record has more than {RECORD_BYTES_MAX} bytes"
            raise ValueError(msg)
        batch = Batch(partition, [(self._header_of(stored), stored) for stored in records])
        if self._waiting + len(records) > WAITING_RECORDS_MAX:
            return [Unknown("too much is waiting to be written")] * len(records)
        told: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()
        self._join(batch, told)
        return await told

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        return await self._reader.end(partition)

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        return await self._reader.read(partition, offset, limit)

    async def close(self) -> None:
        """See `LogReader.close`."""
        if self._gathering is not None:
            await asyncio.wait((self._gathering.committed,))
        async with self._turn:
            await self._reader.close()
            await self._thread.end(self._release)

    def _join(self, batch: Batch, told: asyncio.Future[list[Outcome]]) -> None:
        """Put a batch into the group that waits for the next commit, behind the others."""
        group = self._gathering
        if group is None or group.records >= GROUP_RECORDS_MAX:
            group = self._gathering = _Group()
            group.committed = asyncio.create_task(self._commit(group))
        group.batches.append(batch)
        group.told.append(told)
        group.records += len(batch.records)
        self._waiting += len(batch.records)

    async def _commit(self, group: _Group) -> None:
        """Commit a group when those before it are committed; until then it takes in more."""
        async with self._turn:
            if self._gathering is group:
                self._gathering = None
            try:
                group.tell(await self._thread.run(lambda: self._writer.commit(group.batches)))
            except BaseException as error:
                group.fail(error)
                raise
            finally:
                self._waiting -= group.records


class _Group:
    """Batches that share a commit."""

    committed: asyncio.Task[None]

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.told: list[asyncio.Future[list[Outcome]]] = []
        """One for each batch; one whose caller was cancelled is done."""
        self.records = 0

    def tell(self, outcomes: Outcomes) -> None:
        """Tell each caller what became of his batch."""
        for told, outcome in zip(self.told, outcomes, strict=True):
            if not told.done():
                told.set_result(outcome)

    def fail(self, error: BaseException) -> None:
        """Let each caller have an error."""
        for told in self.told:
            if not told.done():
                told.set_exception(error)


class _Writer:
    """The writing connection. What it has counted is what the file has: positions change with a commit only."""

    def __init__(self, rows: Rows, header_of: HeaderOf) -> None:
        self._rows = rows
        self._header_of = header_of
        self._positions: dict[int, Position] = {}
        self._failed: str | None = None

    def commit(self, batches: Sequence[Batch]) -> Outcomes:
        """Append batches in one transaction, and return what became of each record."""
        if self._failed:
            return _unknown(batches, self._failed)
        positions = dict(self._positions)
        try:
            self._rows.db.execute("BEGIN IMMEDIATE")
            outcomes = [self._append(batch, positions) for batch in batches]
            self._rows.db.execute("COMMIT")
        except (apsw.Error, LogUnavailableError) as error:
            return _unknown(batches, self._given_up(error))
        self._positions = positions
        return outcomes

    def _append(self, batch: Batch, positions: dict[int, Position]) -> list[Outcome]:
        """Judge the records of a batch and store those that count."""
        try:
            position = positions.get(batch.partition) or self._rows.position(batch.partition, self._header_of)
        except LogCorruptError as error:
            return [Corrupt("prev_hash", str(error))] * len(batch.records)
        hash_at = partial(self._rows.hash_at, batch.partition)
        outcomes: list[Outcome] = []
        for header, stored in batch.records:
            verdict = judge(position, header, stored, hash_at)
            if isinstance(verdict, Counts):
                position = verdict.position
                self._rows.insert(batch.partition, position, stored)
                outcomes.append(Acknowledged(position, position.sequence))
            else:
                outcomes.append(verdict)
        positions[batch.partition] = position
        return outcomes

    def _given_up(self, error: apsw.Error | LogUnavailableError) -> str:
        """Return why a commit failed, after forgetting all that rested on it."""
        self._positions = {}
        with suppress(apsw.Error):
            self._rows.db.execute("ROLLBACK")
        why = f"the commit failed: {error}"
        if self._rows.db.in_transaction or getattr(error, "extendedresult", None) not in PASSING:
            self._failed = f"nothing is written until the log is opened again, because {why}"
        return why


def _unknown(batches: Sequence[Batch], why: str) -> Outcomes:
    """Return the outcome of records of which nothing is known."""
    return [[Unknown(why)] * len(batch.records) for batch in batches]
