"""The table of the embedded log: the records that count, one in a row. No threads and no waiting here.

A row is (partition, sequence), the record's bytes, and the chain's hash after it. The hash makes three things cheap: to
know the position when the file is opened, to answer the judge what the hash was at any sequence, and to notice damage.
For SQLite has no checksums: a flipped bit comes back as if it had been stored. So no row is handed out unless its
bytes, chained to the hash of the row before, give its own hash, and its sequence is the next. What was cut off at the
end looks like a log that was never longer; who has read further says so by asking for more (`ports.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import apsw

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import PARTITION_BYTES, Position, chained, genesis
from services.eventlog.ports import HeaderOf, Stored

PARTITIONS: Final = """
WITH RECURSIVE found(number) AS (
    SELECT min(partition) FROM records
    UNION ALL SELECT (SELECT min(partition) FROM records WHERE partition > number) FROM found WHERE number IS NOT NULL
)
SELECT CAST(number AS INTEGER) FROM found WHERE number IS NOT NULL
"""
"""One step in the index for each partition, where DISTINCT would look at every record."""
END: Final = "SELECT CAST(max(sequence) AS INTEGER) FROM records WHERE partition = ?"
HASH: Final = "SELECT hash FROM records WHERE partition = ? AND sequence = ?"
INSERT: Final = "INSERT INTO records (partition, sequence, stored, hash) VALUES (?, ?, ?, ?)"
READ: Final = """
SELECT CAST(sequence AS INTEGER), CAST(stored AS BLOB), CAST(hash AS BLOB) FROM records
WHERE partition = ? AND sequence >= ? ORDER BY sequence LIMIT ?
"""
"""The casts are for damaged rows: without them the driver would try to decode a blob that has become a text."""

PASSING: Final = (apsw.BusyError, apsw.CantOpenError, apsw.IOError, apsw.NoMemError)
"""Errors of a query that are those of the system; all others mean that the file is not as we made it."""


class Rows:
    """The table as one connection sees it."""

    def __init__(self, db: apsw.Connection, house: str) -> None:
        """See the table of `house` through a connection that `open_to_write` or `open_to_read` made."""
        self.db = db
        self._house = house

    def partitions(self) -> list[int]:
        """Return the partitions that have records.

        Raises:
            LogCorruptError: SQLite cannot make sense of the file, or somebody has changed it.
            LogUnavailableError: SQLite cannot read now.
        """
        with self._view(0, 0):
            found = [number for (number,) in self.db.execute(PARTITIONS)]
        if found and not 0 <= found[0] <= found[-1] < 1 << 8 * PARTITION_BYTES:
            raise LogCorruptError(found[0], 0, "there can be no such partition")
        return found

    def end(self, partition: int) -> int:
        """Return the offset behind the last record of a partition, 0 if there is none.

        Raises:
            LogCorruptError: SQLite cannot make sense of the file.
            LogUnavailableError: SQLite cannot read now.
        """
        with self._view(partition, 0):
            last: int | None = self.db.execute(END, (partition,)).get
        return 0 if last is None else last + 1

    def read(self, partition: int, offset: int, limit: int) -> list[Stored]:
        """Return at most `limit` records from `offset`, up to the end or to just before damage.

        Raises:
            LogCorruptError: The record at `offset`, or the one before it, is damaged or missing.
            LogUnavailableError: SQLite cannot read now.
        """
        assert limit > 0, "a page has room for a record"
        found: list[Stored] = []
        with self._view(partition, offset):
            try:
                rows = self._verified(partition, offset, limit)
                found.extend(Stored(sequence, stored) for sequence, stored, _ in rows)
            except (LogCorruptError, apsw.Error):
                if not found:
                    raise
            if not found and max(offset, 1) != max(end := self.end(partition), 1):
                raise LogCorruptError(partition, offset, f"nothing is found here, but the log ends at {end}")
        return found

    def position(self, partition: int, header_of: HeaderOf) -> Position:
        """Return the position after the last record of a partition.

        Raises:
            LogCorruptError: The last record is damaged.
            LogUnavailableError: SQLite cannot read now.
        """
        last = self.end(partition) - 1
        if last < 0:
            return genesis(self._house, partition)
        with self._view(partition, last):
            ((_, stored, digest),) = self._verified(partition, last, 1)
        return Position(header_of(stored).epoch, last, digest)

    def hash_at(self, partition: int, sequence: int) -> bytes | None:
        """Return the chain's hash after `sequence`, None if there is no such record."""
        if not sequence:
            return genesis(self._house, partition).hash
        digest: bytes | None = self.db.execute(HASH, (partition, sequence)).get
        return digest

    def insert(self, partition: int, position: Position, stored: bytes) -> None:
        """Add a record that counts; `position` is the one after it."""
        self.db.execute(INSERT, (partition, position.sequence, stored, position.hash))

    @contextmanager
    def _view(self, partition: int, offset: int) -> Iterator[None]:
        """Let all queries see one state of the file, and translate errors of SQLite.

        Raises:
            LogCorruptError: SQLite cannot make sense of the file.
            LogUnavailableError: SQLite cannot read now.
        """
        try:
            self.db.execute("SAVEPOINT view")
            try:
                yield
            finally:
                with suppress(apsw.SQLError):  # After an error of the system SQLite may have ended it already.
                    self.db.execute("RELEASE view")
        except PASSING as error:
            msg = f"partition {partition} cannot be read at offset {offset}: {error}"
            raise LogUnavailableError(msg) from error
        except apsw.Error as error:
            raise LogCorruptError(partition, offset, f"SQLite cannot read the file: {error}") from error

    def _verified(self, partition: int, offset: int, limit: int) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield sequence, bytes and hash of the rows from `offset`, each after its link of the chain has been checked.

        Raises:
            LogCorruptError: At the first row that is damaged or missing.
        """
        following = max(offset, 1)
        before = genesis(self._house, partition).hash if following == 1 else None
        start = following - (before is None)
        for sequence, stored, digest in self.db.execute(READ, (partition, start, limit + following - start)):
            if before is not None:
                _verify_row(partition, following, before, (sequence, stored, digest))
                yield sequence, stored, digest
                following += 1
            elif sequence != start:
                break
            before = digest
        if before is None:
            raise LogCorruptError(partition, start, "there is no such record, but somebody has read it")


def _verify_row(partition: int, following: int, before: bytes, row: tuple[int, bytes | None, bytes]) -> None:
    """Refuse a row that is not the next one, or whose bytes do not lead to its hash."""
    sequence, stored, digest = row
    if sequence != following:
        raise LogCorruptError(partition, following, f"the record is missing, the next one is {sequence}")
    if stored is None or chained(before, stored) != digest:
        raise LogCorruptError(partition, following, "the bytes are not those that were stored")
