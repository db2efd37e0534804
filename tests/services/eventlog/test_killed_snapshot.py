"""F5: kill -9 at each point of a pass of snapshots, one life after the other on the same files."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from services.eventlog.memory import Memory
from services.eventlog.opening import start_from
from services.eventlog.reader import PartitionReader
from services.eventlog.snapshot_file import SnapshotFile
from services.eventlog.sqlite import SqliteReader
from services.eventlog.writer import Start
from tests.services.eventlog.killed_snapshot import ACCOUNTS, POINTS
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.simulated_snapshots import AnchorShelf
from tests.services.eventlog.test_killed_writer import ROOT


def killed(path: Path, point: int) -> None:
    """Let a process live on the files until it is killed at a point."""
    command = (sys.executable, "-m", "tests.services.eventlog.killed_snapshot", str(path), str(point))
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "gen"}, check=False)  # noqa: S603 - our own process.
    assert done.returncode == -signal.SIGKILL, "it did not come to this point"


async def compared(path: Path) -> tuple[Start, int]:
    """Return what the next process begins with, once that was compared with a replay, and how many records follow."""
    store, log = SnapshotFile(Path(f"{path}.snapshots")), SqliteReader(path, HOUSE)
    start = await start_from(store, AnchorShelf(), HOUSE, PARTITION)
    whole, end, followed = Memory(), await log.end(PARTITION), list[int]()
    await PartitionReader(log, HOUSE, PARTITION).read_on(end, whole.apply)
    reader = PartitionReader(log, HOUSE, PARTITION, start.bookmark)
    while reader.position != (whole.bookmark and whole.bookmark.position):
        for counted in await reader.page():
            start.memory.apply(counted)
            followed.append(counted.bookmark.offset)
    await store.close()
    await log.close()
    assert {address: start.memory.known(address) for address in whole} == {each: whole.known(each) for each in whole}
    return start, len(followed)


def test_a_process_that_is_killed_while_it_writes_a_snapshot_leaves_one_to_begin_with(tmp_path: Path) -> None:
    """F5, I8: the one before, with some rows that are later, or the new one; each point once."""
    path, met = tmp_path / "dealer.log", set[tuple[str, bool]]()
    for point in range(2 * len(POINTS)):
        killed(path, point)
        start, _ = asyncio.run(compared(path))
        met.add((start.snapshot, bool(start.expected)))
        assert len(start.memory) == ACCOUNTS + 1
    assert met == {("none", False), ("none", True), ("used", False)}
    killed(path, 3)
    start, followed = asyncio.run(compared(path))
    assert start.snapshot == "used"
    assert len(start.expected) >= 1
    assert followed == ACCOUNTS + 1
