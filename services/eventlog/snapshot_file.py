"""Snapshots in a SQLite file beside the embedded log, for all its partitions (`snapshots.py`).

The file is a cache, so less is asked of it than of the log: what was put last may be missing after a power cut, which
WAL with synchronous=NORMAL allows, but never without all that was put behind it. A file that is damaged, or is none of
ours, is put aside and made anew. Whoever relies on what was in it is told so at his next turn, and writes it again.
Nothing here ever stops the dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import apsw

from services.eventlog.errors import LogUnavailableError
from services.eventlog.snapshot_rows import Entry
from services.eventlog.snapshots import SnapshotsLostError, SnapshotStoreError
from services.eventlog.threads import OwnThread

APPLICATION_ID: Final = int.from_bytes(b"deas", "big")
"""SQLite's place for whose file it is; not the log's."""

FORMAT: Final = 1
BUSY_MS: Final = 2000

SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE entries (
    partition INTEGER NOT NULL,
    key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    stored BLOB NOT NULL,
    PRIMARY KEY (partition, key)
) STRICT;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
COMMIT
"""
LOAD: Final = "SELECT key, stored FROM entries WHERE partition = ?"
PUT: Final = """
INSERT INTO entries VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET sequence = excluded.sequence, stored = excluded.stored WHERE excluded.sequence >= sequence
"""
CLEAR: Final = "DELETE FROM entries WHERE partition = ?"

PASSING: Final = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.FullError,
    apsw.IOError,
    apsw.NoMemError,
    apsw.PermissionsError,
    apsw.ReadOnlyError,
)
"""Errors of the system; all others mean that the file is not as we made it."""

T = TypeVar("T")


class SnapshotFile:
    """The `SnapshotStore` of the one process that writes a log in a file."""

    def __init__(self, path: Path) -> None:
        """Know where the file is; it is opened, or made, when something is asked of it."""
        self.put_aside = ""
        """Why a file was put aside, for the operator; empty if none was."""
        self._path = path
        self._db: apsw.Connection | None = None
        self._relied: set[int] = set()
        """The partitions of which somebody believes that the file has what he put or loaded."""
        self._lost: set[int] = set()
        """Those of them of which it is gone."""
        self._thread = OwnThread("snapshots")

    async def load(self, partition: int) -> Mapping[str, bytes]:
        """See `SnapshotStore.load`."""

        def work(db: apsw.Connection) -> dict[str, bytes]:
            self._lost.discard(partition)
            found = dict(db.execute(LOAD, (partition,)))
            self._relied.add(partition)
            return found

        return await self._run(work)

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """See `SnapshotStore.put`."""

        def work(db: apsw.Connection) -> None:
            self._verify_kept(partition)
            db.execute("BEGIN IMMEDIATE")
            db.executemany(PUT, [(partition, entry.key, entry.sequence, entry.stored()) for entry in entries])
            db.execute("COMMIT")

        await self._run(work)

    async def clear(self, partition: int) -> None:
        """See `SnapshotStore.clear`."""

        def work(db: apsw.Connection) -> None:
            db.execute(CLEAR, (partition,))

        await self._run(work)

    async def close(self) -> None:
        """See `SnapshotStore.close`."""
        await self._thread.end(self._let_go)

    async def _run(self, work: Callable[[apsw.Connection], T]) -> T:
        """Return what `work` returns in the thread.

        Raises:
            SnapshotStoreError: The file cannot be used now, or was damaged.
        """
        try:
            return await self._thread.run(lambda: self._used(work))
        except LogUnavailableError as error:
            msg = "the store is closed"
            raise SnapshotStoreError(msg) from error

    def _verify_kept(self, partition: int) -> None:
        """Say once that what was stored of a partition is gone, if it is.

        Raises:
            SnapshotsLostError: It is.
        """
        self._relied.add(partition)
        if partition in self._lost:
            self._lost.discard(partition)
            raise SnapshotsLostError(self.put_aside)

    def _used(self, work: Callable[[apsw.Connection], T]) -> T:
        """Do something with the connection; after an error it is closed, which undoes what was not committed."""
        try:
            return work(self._opened())
        except PASSING as error:
            self._let_go()
            msg = f"{self._path} cannot be used now: {error}"
            raise SnapshotStoreError(msg) from error
        except (apsw.Error, UnicodeError) as error:
            self._put_aside(f"{self._path} is no file of snapshots, or is damaged: {error}")
            raise SnapshotStoreError(self.put_aside) from error

    def _opened(self) -> apsw.Connection:
        """Return the connection, which is made if there is none."""
        if self._db is None:
            self._db = apsw.Connection(str(self._path))
            self._db.set_busy_timeout(BUSY_MS)
            self._db.pragma("synchronous", "normal")
            if not self._db.execute("SELECT count(*) FROM sqlite_schema").get:
                self._db.pragma("journal_mode", "wal")
                self._db.execute(SCHEMA)
            if (self._db.pragma("application_id"), self._db.pragma("user_version")) != (APPLICATION_ID, FORMAT):
                msg = "it says that it is something else"
                raise apsw.NotADBError(msg)
        return self._db

    def _put_aside(self, why: str) -> None:
        """Let the next call make the file anew."""
        self.put_aside, self._lost, self._relied = why, self._relied, set()
        self._let_go()
        with suppress(OSError):
            self._path.replace(f"{self._path}.put-aside")
        for beside in ("-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self._path}{beside}").unlink()

    def _let_go(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with suppress(apsw.Error):
                db.close(force=True)
