"""The file of the embedded log: how it is made, opened and kept to one writer (`reliability.md` section 10).

* WAL with synchronous=FULL: a commit is in the file and synced before it returns, so committing is the read-back.
  No memory mapping, through which a stray pointer of the process could reach the file.
* One process writes, with one connection, and a lock on a file beside it keeps a second one out. The lock belongs to
  the process and ends with it. It is not put on the database itself, because closing any other descriptor of that file
  would give SQLite's own locks away.
* Every other connection reads only, and neither checkpoints nor cleans up when it is the last: versions of SQLite
  before 3.51.3 could damage a file when two connections did that at once. Older ones are refused all the same.

A copy for a backup is made with SQLite's backup, never by copying the file: what was committed last is beside it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from services.eventlog.errors import LogInUseError, LogUnavailableError, LogUnusableError

SQLITE_MIN: Final = (3, 51, 3)
"""The oldest version that is known not to damage a file around a reset of the WAL."""

APPLICATION_ID: Final = int.from_bytes(b"deal", "big")
"""SQLite's place for whose file it is."""

FORMAT: Final = 1
"""The only layout of the file so far."""

BUSY_MS: Final = 2000
"""How long a statement waits for a lock: readers hold none for long, and there is one writer."""

SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE records (
    partition INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    stored BLOB NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (partition, sequence)
) STRICT;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
COMMIT
"""


@contextmanager
def sole_writer(path: Path) -> Iterator[None]:
    """Hold the right to write a log, which one process has at a time.

    The file that is locked stays: were it removed, two processes could each lock one of that name.

    Raises:
        LogInUseError: Another process has the right, or this one already.
        LogUnavailableError: The file beside the log cannot be made.
    """
    lock = Path(f"{path}.lock")
    try:
        lock.touch()
    except OSError as error:
        msg = f"{path} cannot be locked: {error}"
        raise LogUnavailableError(msg) from error
    with lock.open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            msg = f"{path} is being written by process {file.read().strip()}"
            raise LogInUseError(msg) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def open_to_write(path: Path) -> apsw.Connection:
    """Return the connection that writes a log, which is made if there is none. The caller is the `sole_writer`.

    Raises:
        LogUnavailableError: The file cannot be opened or made.
        LogUnusableError: The file is no log, or SQLite is too old.
    """
    verify_version(apsw.sqlite_lib_version())
    try:
        db = apsw.Connection(str(path))
        db.set_busy_timeout(BUSY_MS)
        db.pragma("mmap_size", 0)
        db.pragma("synchronous", "full")
        if not db.pragma("application_id") and not db.execute("SELECT count(*) FROM sqlite_schema").get:
            db.pragma("journal_mode", "wal")
            db.execute(SCHEMA)
        _verify_format(db, path)
    except apsw.Error as error:
        raise _not_opened(error, path) from error
    return db


def open_to_read(path: Path) -> apsw.Connection:
    """Return a connection that reads a log while others write or read it.

    Raises:
        LogUnavailableError: There is no log yet, or it cannot be opened.
        LogUnusableError: The file is no log, or SQLite is too old.
    """
    verify_version(apsw.sqlite_lib_version())
    try:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        db.set_busy_timeout(BUSY_MS)
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.pragma("mmap_size", 0)
        db.pragma("wal_autocheckpoint", 0)
        _verify_format(db, path)
    except apsw.Error as error:
        raise _not_opened(error, path) from error
    return db


def verify_version(version: str) -> None:
    """Refuse a library that may damage the file.

    Raises:
        LogUnusableError: It is older than `SQLITE_MIN`.
    """
    if tuple(map(int, version.split("."))) < SQLITE_MIN:
        least = ".".join(map(str, SQLITE_MIN))
        msg = f"SQLite {version} may damage the log: {least} or newer is needed"
        raise LogUnusableError(msg)


def _verify_format(db: apsw.Connection, path: Path) -> None:
    """Refuse a file of something else, one that a later version wrote, and a place where there can be no WAL."""
    owner, version, mode = (db.pragma(name) for name in ("application_id", "user_version", "journal_mode"))
    if owner != APPLICATION_ID:
        msg = f"{path} is a database, but no log"
        raise LogUnusableError(msg)
    if version != FORMAT:
        msg = f"{path} has format {version}, this version of the dealer knows {FORMAT}"
        raise LogUnusableError(msg)
    if mode != "wal":
        msg = f"{path} must be in journal mode wal, and is in mode {mode}"
        raise LogUnusableError(msg)


def _not_opened(error: apsw.Error, path: Path) -> LogUnavailableError | LogUnusableError:
    """Return the error of a log for an error of SQLite when it is opened."""
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return LogUnusableError(f"{path} is no log, or damaged from its first page: {error}")
    return LogUnavailableError(f"{path} cannot be opened: {error}")
