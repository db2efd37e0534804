"""The log in a file when the disk refuses: what is unknown is said to be, and what was acknowledged stays."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import apsw
import pytest

from services.eventlog import sqlite_file
from services.eventlog.errors import LogUnavailableError
from services.eventlog.ports import Log, Unknown
from tests.services.eventlog.disk import Disk, Operation
from tests.services.eventlog.records import PARTITION, Pen
from tests.services.eventlog.test_sqlite_contract import SqliteWorld
from tests.services.eventlog.worlds import acknowledged, last, opened, play

BIG = bytes(60_000)


@pytest.fixture
def world(tmp_path: Path) -> SqliteWorld:
    """Return a place for a log."""
    return SqliteWorld(tmp_path / "hands.log")


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Return the disk that the log is on."""
    disk = Disk(fine)
    yield disk
    disk.unregister()


def fine(_: Operation) -> None:
    """Let everything happen."""


def refuse_to_read() -> None:
    """Fail as a disk does that cannot read."""
    raise apsw.exception_for(apsw.SQLITE_IOERR_READ)


def refusing(refused: Operation, code: int) -> Callable[[Operation], None]:
    """Return what lets everything happen but one thing, which fails with an error code of SQLite."""

    def before(operation: Operation) -> None:
        if operation == refused:
            raise apsw.exception_for(code)

    return before


@contextmanager
def files_no_larger_than(length: int) -> Iterator[None]:
    """Let the system refuse to make a file larger, as it does when a quota is used up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_loses_nothing_and_passes(world: SqliteWorld, disk: Disk) -> None:
    """F11: while it is full outcomes are unknown and reads go on; with space again, so do appends."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        disk.before = refusing("write", apsw.SQLITE_FULL)
        for _ in range(3):
            (outcome,) = await log.append(PARTITION, [Pen(pen.at).record()])
            assert isinstance(outcome, Unknown)
            assert await last(log) == pen.at
        disk.before = fine
        assert acknowledged(await log.append(PARTITION, [pen.claim(), pen.record()])) == [True, True]

    play(world, story)


def test_a_quota_that_is_used_up_loses_nothing_and_passes(world: SqliteWorld) -> None:
    """F11: the same when the system itself refuses to let the file grow."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        await log.append(PARTITION, [pen.record(BIG)])
        before = Pen(pen.at)
        with files_no_larger_than(world.path.with_name("hands.log-wal").stat().st_size + 10_000):
            outcomes = await log.append(PARTITION, [pen.record(BIG), pen.record()])
            assert outcomes == [Unknown("the commit failed: disk I/O error")] * 2
        assert await last(log) == before.at
        assert acknowledged(await log.append(PARTITION, [before.claim(), before.record(BIG)])) == [True, True]

    play(world, story)


def test_a_failed_sync_ends_all_writing(world: SqliteWorld, disk: Disk) -> None:
    """F11: pages may be lost although a second sync succeeds, so the log has to be opened again."""
    pen = Pen()

    async def story(log: Log) -> None:
        await log.append(PARTITION, [pen.claim()])
        lost, disk.before = Pen(pen.at), refusing("sync", apsw.SQLITE_IOERR_FSYNC)
        (first,) = await log.append(PARTITION, [lost.record()])
        disk.before = fine
        (second,) = await log.append(PARTITION, [pen.claim()])
        assert isinstance(first, Unknown)
        assert isinstance(second, Unknown)
        assert second.why == f"nothing is written until the log is opened again, because {first.why}"

    play(world, story)
    play(world, went_on)


async def went_on(log: Log) -> None:
    """Open a new epoch behind what is there."""
    assert acknowledged(await log.append(PARTITION, [Pen(await last(log)).claim()])) == [True]


@pytest.mark.parametrize("readable", [0, 1, 2])
def test_a_file_that_cannot_be_read_is_not_written(world: SqliteWorld, disk: Disk, readable: int) -> None:
    """F11: however many reads succeed before one fails, nothing is appended at a position that is not known."""
    pen = Pen()

    async def first(log: Log) -> None:
        await log.append(PARTITION, [pen.claim(), pen.record(BIG)])

    async def second(log: Log) -> None:
        reads = count()
        disk.before = lambda each: fine(each) if each != "read" or next(reads) < readable else refuse_to_read()
        (outcome,) = await log.append(PARTITION, [pen.record()])
        disk.before = fine
        assert isinstance(outcome, Unknown)

    play(world, first)
    play(world, second)
    play(world, went_on)


def test_a_lock_passes(world: SqliteWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """F11: other software that locks the file holds appends up, and harms nothing."""
    monkeypatch.setattr(sqlite_file, "BUSY_MS", 10)

    async def story(log: Log) -> None:
        pen = await opened(log)
        other = apsw.Connection(str(world.path))
        other.execute("BEGIN IMMEDIATE")
        before = Pen(pen.at)
        assert await log.append(PARTITION, [pen.record()]) == [Unknown("the commit failed: database is locked")]
        other.close()
        assert acknowledged(await log.append(PARTITION, [before.claim()])) == [True]

    play(world, story)


def test_what_cannot_be_read_now_may_be_later(world: SqliteWorld, disk: Disk) -> None:
    """F11: an error of the system while reading says nothing about the log."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        disk.before = refusing("read", apsw.SQLITE_IOERR_READ)
        for call in (log.read(PARTITION, 0, 1), log.end(PARTITION)):
            with pytest.raises(LogUnavailableError, match=f"partition {PARTITION} cannot be read at offset"):
                await call
        disk.before = fine
        assert await last(log) == pen.at

    play(world, story)
