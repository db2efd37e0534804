"""The log in a file: shared commits, one writer, files that are no log."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import apsw
import pytest

from services.eventlog.errors import LogInUseError, LogUnavailableError, LogUnusableError
from services.eventlog.ports import Log, Unknown
from services.eventlog.sqlite import GROUP_RECORDS_MAX, WAITING_RECORDS_MAX, SqliteLog, SqliteReader
from services.eventlog.sqlite_file import APPLICATION_ID, FORMAT, open_to_write, verify_version
from tests.services.eventlog.disk import Disk, Operation
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of
from tests.services.eventlog.test_sqlite_contract import SqliteWorld
from tests.services.eventlog.worlds import acknowledged, counted, opened, play

HOLDER: Final = """
import sys
from pathlib import Path
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.records import HOUSE, header_of
log = SqliteLog(Path(sys.argv[1]), HOUSE, header_of)
print("open", flush=True)
sys.stdin.read()
"""
"""A process that has a log open until its input ends, or it is killed."""


@pytest.fixture
def world(tmp_path: Path) -> SqliteWorld:
    """Return a place for a log."""
    return SqliteWorld(tmp_path / "hands.log")


@pytest.fixture
def holder(world: SqliteWorld) -> Iterator[subprocess.Popen[str]]:
    """Return another process that writes the log."""
    command = (sys.executable, "-c", HOLDER, str(world.path))
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


@pytest.fixture
def syncs() -> Iterator[list[Operation]]:
    """Return the syncs of the disk, as they happen."""
    happened: list[Operation] = []
    disk = Disk(lambda operation: happened.append(operation) if operation == "sync" else None)
    yield happened
    disk.unregister()


def written_elsewhere(path: Path, *statements: str) -> None:
    """Let other software write into a file."""
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement)
    db.close()


def test_waiting_appends_share_a_commit(world: SqliteWorld, syncs: list[Operation]) -> None:
    """`design.md` section 4: two hundred appends that arrive together cost one sync of the disk."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        syncs.clear()
        outcomes = await asyncio.gather(*(log.append(PARTITION, [pen.record()]) for _ in range(200)))
        assert all(all(acknowledged(each)) for each in outcomes)
        assert len(syncs) == 1

    play(world, story)


def test_commits_are_bounded(world: SqliteWorld, syncs: list[Operation]) -> None:
    """`design.md` section 4: so many records share a commit, and those behind them the next."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        syncs.clear()
        await asyncio.gather(*(log.append(PARTITION, [pen.record()]) for _ in range(2 * GROUP_RECORDS_MAX + 1)))
        assert len(syncs) == 3
        assert len(await counted(log)) == 2 * GROUP_RECORDS_MAX + 2

    play(world, story)


def test_what_waits_is_bounded(world: SqliteWorld) -> None:
    """`clients.md` A8.6: more than is reasonable is not queued; its outcome is unknown, and the log goes on."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        before = Pen(pen.at)
        flood = [pen.record()] * (WAITING_RECORDS_MAX + 1)
        assert set(await log.append(PARTITION, flood)) == {Unknown("too much is waiting to be written")}
        assert acknowledged(await log.append(PARTITION, [before.record()])) == [True]

    play(world, story)


def test_a_second_writer_is_refused(world: SqliteWorld, holder: subprocess.Popen[str]) -> None:
    """`reliability.md` section 10: one process writes a file, and the refusal names it."""
    with pytest.raises(LogInUseError, match=rf"hands\.log is being written by process {holder.pid}$"):
        world.open()


def test_a_writer_that_was_killed_is_no_obstacle(world: SqliteWorld, holder: subprocess.Popen[str]) -> None:
    """`reliability.md` section 10: the right to write ends with its process."""
    holder.kill()
    holder.wait()

    async def story(log: Log) -> None:
        await opened(log)

    play(world, story)


def test_a_process_opens_a_log_once(world: SqliteWorld) -> None:
    """`reliability.md` section 10: the second time it is refused like any other."""

    async def story(_: Log) -> None:
        with pytest.raises(LogInUseError, match=f"by process {os.getpid()}$"):
            world.open()

    play(world, story)


def test_a_log_needs_its_directory(tmp_path: Path) -> None:
    """`services.eventlog.ports`: a place that is not there may be there later."""
    with pytest.raises(LogUnavailableError, match="cannot be locked: "):
        SqliteLog(tmp_path / "missing" / "hands.log", HOUSE, header_of)


def test_a_log_needs_a_file(tmp_path: Path) -> None:
    """`services.eventlog.ports`: a directory of its name is in the way, and the right to write is given back."""
    (tmp_path / "hands.log").mkdir()
    for _ in range(2):
        with pytest.raises(LogUnavailableError, match=r"hands\.log cannot be opened: "):
            SqliteLog(tmp_path / "hands.log", HOUSE, header_of)


def test_a_reader_waits_for_a_log(world: SqliteWorld) -> None:
    """`services.eventlog.ports`: a projector that starts before the dealer finds no log yet, and makes none."""
    with pytest.raises(LogUnavailableError, match=r"hands\.log cannot be opened: "):
        world.open_reader()
    assert not world.path.exists()


def test_a_log_can_be_read_without_a_writer(world: SqliteWorld) -> None:
    """`reliability.md` section 10: also when the reader was there before the writer went, and goes last."""

    async def story(log: Log) -> None:
        pen = await opened(log)
        early = world.open_reader()
        await log.close()
        late = world.open_reader()
        for reader in (early, late):
            assert [entry.position for entry, _ in await counted(reader)] == [pen.at]
            await reader.close()
            await reader.close()

    play(world, story)
    play(world, opened_again)


async def opened_again(log: Log) -> None:
    """Expect the log of one record that was left."""
    assert len(await counted(log)) == 1


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2"])
def test_an_old_sqlite_is_refused(version: str) -> None:
    """`reliability.md` section 10: versions before 3.51.3 may damage a file."""
    with pytest.raises(LogUnusableError, match=rf"^SQLite {version} may damage the log: 3.51.3 or newer is needed$"):
        verify_version(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.54.1", "4.0.0", apsw.sqlite_lib_version()])
def test_a_sound_sqlite_is_taken(version: str) -> None:
    """`reliability.md` section 10: and so is the one that is installed."""
    verify_version(version)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["CREATE TABLE wallets (player TEXT)"], "is a database, but no log"),
        ([f"PRAGMA application_id = {APPLICATION_ID + 1}"], "is a database, but no log"),
        (
            [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT + 1}"],
            f"has format {FORMAT + 1}, this version of the dealer knows {FORMAT}",
        ),
        (
            [f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT}"],
            "must be in journal mode wal, and is in mode delete",
        ),
    ],
)
def test_another_database_is_refused(world: SqliteWorld, statements: list[str], words: str) -> None:
    """`services.eventlog.sqlite_file`: it is left as it was, by writers and readers."""
    written_elsewhere(world.path, *statements)
    before = world.path.read_bytes()
    for opening in (world.open, world.open_reader):
        with pytest.raises(LogUnusableError, match=words):
            opening()
    assert world.path.read_bytes() == before


def test_another_file_is_refused(world: SqliteWorld) -> None:
    """`services.eventlog.sqlite_file`: whatever it may be."""
    world.path.write_bytes(b"The quick brown fox jumps over the lazy dog.\n" * 100)
    for opening in (world.open, world.open_reader):
        with pytest.raises(LogUnusableError, match=r"hands\.log is no log, or damaged from its first page: "):
            opening()


def test_a_log_needs_wal() -> None:
    """`reliability.md` section 10: where there can be none, in memory for example, there is no log."""
    with pytest.raises(LogUnusableError, match="must be in journal mode wal, and is in mode memory"):
        open_to_write(Path(":memory:"))


def test_a_file_that_was_begun_becomes_a_log(world: SqliteWorld) -> None:
    """F19: an empty database is what a process leaves that ended before it had made the table."""
    written_elsewhere(world.path, "PRAGMA journal_mode = wal")
    play(world, opened_log)


async def opened_log(log: Log) -> None:
    """Append something."""
    await opened(log)


def test_readers_of_a_closed_log_say_so(world: SqliteWorld) -> None:
    """LOG-16: a reader is closed on its own."""
    play(world, opened_log)

    async def story() -> None:
        reader = SqliteReader(world.path, HOUSE)
        await reader.close()
        with pytest.raises(LogUnavailableError, match="the log is closed"):
            await reader.read(PARTITION, 0, 1)

    asyncio.run(story())
