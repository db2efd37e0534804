"""Snapshots in a file: the suite of all stores, and what a file may meet that others do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw
import pytest

from services.eventlog.memory import Memory
from services.eventlog.snapshot_file import SnapshotFile
from services.eventlog.snapshots import Snapshots, SnapshotsLostError, SnapshotStore, SnapshotStoreError
from tests.services.eventlog.chronicles import history
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import ListedLog
from tests.services.eventlog.snapshot_contract import OpenStore, SnapshotContract, play, put, values
from tests.services.eventlog.test_snapshots import read_on


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is."""
    return tmp_path / "dealer.log.snapshots"


class TestSnapshotFile(SnapshotContract):
    """The suite."""

    @pytest.fixture
    def open_store(self, path: Path) -> OpenStore:
        """Return what opens the file."""
        return lambda: SnapshotFile(path)


def _garbage(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)


def _other_database(path: Path) -> None:
    with apsw.Connection(str(path)) as db:
        db.execute("CREATE TABLE records (a)")


def _other_format(path: Path) -> None:
    play(lambda: SnapshotFile(path), lambda store: put(store, P1=1))
    with apsw.Connection(str(path)) as db:
        db.pragma("user_version", 99)


def _torn_page(path: Path) -> None:
    play(lambda: SnapshotFile(path), lambda store: put(store, **{f"P{number}": 1 for number in range(2000)}))
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 20_000)


def _tear(path: Path) -> None:
    """Damage a file that is open."""
    with apsw.Connection(str(path)) as db:
        db.execute("DROP TABLE entries")


DAMAGES: Final = (_garbage, _other_database, _other_format, _torn_page)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_none_of_ours_is_put_aside(path: Path, damage: Callable[[Path], None]) -> None:
    """R6: with a message; the next call makes a new one."""
    damage(path)

    async def story(store: SnapshotStore) -> None:
        with pytest.raises(SnapshotStoreError, match="no file of snapshots, or is damaged"):
            await store.load(0)
        await put(store, P1=1)
        assert values(await store.load(0)) == {"P1": b"P1 1"}

    play(lambda: SnapshotFile(path), story)
    assert Path(f"{path}.put-aside").exists()


def test_where_there_can_be_no_file_there_are_no_snapshots(tmp_path: Path) -> None:
    """R6: that is all; when the place is there, so is the file."""
    folder = tmp_path / "later"

    async def story(store: SnapshotStore) -> None:
        with pytest.raises(SnapshotStoreError, match="cannot be used now"):
            await put(store, P1=1)
        folder.mkdir()
        await put(store, P1=1)
        assert values(await store.load(0)) == {"P1": b"P1 1"}

    play(lambda: SnapshotFile(folder / "snapshots"), story)


def test_who_relies_on_a_file_that_is_put_aside_writes_all_of_it_again(path: Path) -> None:
    """R6: or the snapshots of one partition would lack rows because of damage that another has met."""

    async def story(store: SnapshotStore) -> None:
        log = ListedLog(history(1))
        memory = Memory()
        snapshots = Snapshots(store, memory, HOUSE, PARTITION)
        await read_on(log, memory, snapshots, len(log.records) - 1)
        _tear(path)
        with pytest.raises(SnapshotStoreError, match="is damaged"):
            await store.load(PARTITION + 1)
        with pytest.raises(SnapshotsLostError):
            await read_on(log, memory, snapshots, len(log.records))
        await snapshots.take()
        assert len(await store.load(PARTITION)) == len(memory) + 1

    play(lambda: SnapshotFile(path), story)


def test_where_there_is_no_space_nothing_is_lost(path: Path) -> None:
    """F11: what was put before stays, and when there is space again the same store goes on."""

    async def story(store: SnapshotStore) -> None:
        assert isinstance(store, SnapshotFile)
        await put(store, P1=1, manifest=1)
        assert store._db is not None  # noqa: SLF001 - as if the disk had no more pages.
        store._db.pragma("max_page_count", 1)  # noqa: SLF001
        with pytest.raises(SnapshotStoreError, match="cannot be used now"):
            await put(store, **{f"P{number}": 2 for number in range(5000)})
        assert values(await store.load(0)) == {"P1": b"P1 1", "manifest": b"manifest 1"}
        await put(store, P1=2)

    play(lambda: SnapshotFile(path), story)
