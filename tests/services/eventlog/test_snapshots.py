"""Snapshots: whenever one was taken and wherever it ended, it leads to what a replay from the beginning gives."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from random import Random

import pytest

from services.eventlog import snapshot_rows
from services.eventlog.memory import Known, Memory
from services.eventlog.opening import start_from
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.snapshot_rows import MANIFEST, Entry, SnapshotRejectedError
from services.eventlog.snapshots import PASS_MS, PASS_RECORDS, Snapshots, SnapshotStoreError, loaded
from tests.services.eventlog import virtual_time
from tests.services.eventlog.chronicles import history
from tests.services.eventlog.owners import LoopScheduler
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import ListedLog
from tests.services.eventlog.simulated_snapshots import AnchorShelf, SimulatedSnapshots, SnapshotShelf

FIRST, LAST = map(int, os.environ.get("SNAPSHOT_SEEDS", "0-40").split("-"))


class Busy(SimulatedSnapshots):
    """A store during whose work records go on taking effect, and at whose last stroke the process dies."""

    def __init__(self, shelf: SnapshotShelf, meanwhile: Callable[[], None], strokes: int) -> None:
        """Call `meanwhile` at each stroke, and die after so many."""
        super().__init__(shelf)
        self._meanwhile, self._strokes = meanwhile, strokes

    async def _reach(self) -> None:
        self._meanwhile()
        self._strokes -= 1
        if self._strokes < 0:
            msg = "the process dies"
            raise SnapshotStoreError(msg)


class Life:
    """A process that takes snapshots of a log while its records take effect."""

    def __init__(self, log: ListedLog, chance: Random) -> None:
        """Read nothing yet."""
        self.log, self.chance, self.shelf = log, chance, SnapshotShelf()
        self.tally: Counter[str] = Counter()

    async def live(self, end: int) -> None:
        """Begin from what is stored, read up to `end`, and take snapshots until the process dies."""
        start = await start_from(SimulatedSnapshots(self.shelf), AnchorShelf(), HOUSE, PARTITION)
        self.tally[start.snapshot] += 1
        self.tally["rows ahead"] += len(start.expected) if start.bookmark else 0
        records = await read(self.log, start.memory, end)
        first, waiting = len(records), iter(records)

        def meanwhile() -> None:
            for _, counted in zip(range(self.chance.randrange(4)), waiting, strict=False):
                start.memory.apply(counted)
                snapshots.changed(counted)

        strokes = self.chance.choice((0, 3, 20, 200))
        snapshots = Snapshots(Busy(self.shelf, meanwhile, strokes), start.memory, HOUSE, PARTITION)
        while snapshots.failed == 0 and first:
            meanwhile()
            first -= 1
            try:
                await snapshots.take()
            except SnapshotStoreError:
                self.tally["died"] += 1


async def read(log: ListedLog, memory: Memory, end: int) -> list[Counted]:
    """Return the records that count behind what a memory knows, up to an offset."""
    found: list[Counted] = []
    await PartitionReader(ListedLog(log.records[:end]), HOUSE, PARTITION, memory.bookmark).read_on(end, found.append)
    return found


async def replayed(log: ListedLog, memory: Memory) -> Mapping[str, Known]:
    """Return all that is known when the rest of a log has taken effect."""
    for counted in await read(log, memory, len(log.records)):
        memory.apply(counted)
    return {address: memory.known(address) for address in memory}


async def lived(seed: int) -> Counter[str]:
    """Let processes live and die, and compare what each would begin with with a replay from the beginning."""
    chance = Random(f"{seed} lives")
    log = ListedLog(history(seed, "tournament" if seed % 2 else "cash"))
    whole = Memory()
    known = await replayed(log, whole)
    life = Life(log, chance)
    for end in sorted(chance.sample(range(1, len(log.records) + 1), 6)):
        await life.live(end)
        begun = (await loaded(SimulatedSnapshots(life.shelf), HOUSE, PARTITION)).saved
        memory = Memory(begun)
        assert await replayed(log, memory) == known, f"SNAPSHOT_SEEDS={seed}-{seed + 1}"
        assert (memory.at_ms, memory.bookmark) == (whole.at_ms, whole.bookmark)
    life.tally["sealed"] += sum(each.sealed is not None for each in known.values())
    return life.tally


def test_a_snapshot_leads_to_what_the_log_says() -> None:
    """I8, F5, M14: states, inboxes, answers and seeds are those of a whole replay, wherever a pass has ended."""
    total = sum((virtual_time.run(lived(seed)) for seed in range(FIRST, LAST)), Counter[str]())
    met = ("none", "used", "rows ahead", "died", "sealed")
    assert all(total[name] for name in met) or LAST - FIRST < 40, total


# What is read, and what is not.


async def shelved(log: ListedLog) -> SnapshotShelf:
    """Return a store with a snapshot of all of a log."""
    memory, shelf = Memory(), SnapshotShelf()
    snapshots = Snapshots(SimulatedSnapshots(shelf), memory, HOUSE, PARTITION)
    await read_on(log, memory, snapshots, len(log.records))
    return shelf


async def read_on(log: ListedLog, memory: Memory, snapshots: Snapshots, end: int) -> None:
    """Let records take effect up to an offset, and take a snapshot."""
    for counted in await read(log, memory, end):
        memory.apply(counted)
        snapshots.changed(counted)
    await snapshots.take()


def spoilt(stored: bytes) -> bytes:
    """Return bytes with one of them changed, in the middle."""
    middle = len(stored) // 2
    return stored[:middle] + bytes((stored[middle] ^ 1,)) + stored[middle + 1 :]


def of_another_schema(stored: bytes) -> bytes:
    """Return the same value as another version would have stored it."""
    rest = (snapshot_rows.SCHEMA + 1).to_bytes(4, "big") + stored[36:]
    return sha256(rest).digest() + rest


@pytest.mark.parametrize("spoil", [spoilt, of_another_schema, lambda stored: stored[:-1], lambda _: b""])
@pytest.mark.parametrize("key", [MANIFEST, "account/p1", "table/T0", f"partition/{PARTITION}"])
def test_what_is_damaged_or_of_another_schema_is_not_read(key: str, spoil: Callable[[bytes], bytes]) -> None:
    """R6, M18: one bad row or a bad manifest, and the whole log is replayed."""

    async def story() -> None:
        shelf = await shelved(ListedLog(history(1)))
        sequence, stored = shelf.entries[PARTITION][key]
        shelf.entries[PARTITION][key] = (sequence, spoil(stored))
        start = await start_from(SimulatedSnapshots(shelf), AnchorShelf(), HOUSE, PARTITION)
        assert (start.snapshot, start.bookmark, len(start.memory), start.expected) == ("rejected", None, 0, ())

    virtual_time.run(story())


def test_a_rejected_snapshot_is_thrown_away_and_written_whole() -> None:
    """R6: or the rows of those who do nothing would keep it from being read for ever."""

    async def story() -> None:
        log = ListedLog(history(1))
        shelf = await shelved(log)
        shelf.entries[PARTITION]["account/p1"] = (10**9, b"")
        start = await start_from(SimulatedSnapshots(shelf), AnchorShelf(), HOUSE, PARTITION)
        snapshots = Snapshots(SimulatedSnapshots(shelf), start.memory, HOUSE, PARTITION)
        await read_on(log, start.memory, snapshots, len(log.records))
        again = await start_from(SimulatedSnapshots(shelf), AnchorShelf(), HOUSE, PARTITION)
        assert again.snapshot == "used"

    virtual_time.run(story())


def test_a_snapshot_that_lacks_a_row_is_not_read() -> None:
    """R6: a manifest says how many rows there are at least."""

    async def story() -> None:
        shelf = await shelved(ListedLog(history(1)))
        del shelf.entries[PARTITION]["account/p1"]
        with pytest.raises(SnapshotRejectedError, match="rows instead of"):
            await loaded(SimulatedSnapshots(shelf), HOUSE, PARTITION)

    virtual_time.run(story())


@pytest.mark.parametrize(("house", "partition"), [("other", PARTITION), (HOUSE, PARTITION + 1)])
def test_the_snapshot_of_another_log_is_not_read(house: str, partition: int) -> None:
    """R6: a file of another house, or the rows of another partition."""

    async def story() -> None:
        shelf = await shelved(ListedLog(history(1)))
        shelf.entries[partition] = shelf.entries[PARTITION]
        with pytest.raises(SnapshotRejectedError, match=f"of partition {PARTITION} of {HOUSE}"):
            await loaded(SimulatedSnapshots(shelf), house, partition)

    virtual_time.run(story())


def test_a_row_under_the_name_of_another_is_not_read() -> None:
    """R6: a row says itself whose it is."""

    async def story() -> None:
        shelf = await shelved(ListedLog(history(1)))
        rows = shelf.entries[PARTITION]
        rows["account/p1"], rows["account/p2"] = rows["account/p2"], rows["account/p1"]
        with pytest.raises(SnapshotRejectedError, match="should be"):
            await loaded(SimulatedSnapshots(shelf), HOUSE, PARTITION)

    virtual_time.run(story())


def test_a_store_that_cannot_be_read_is_no_obstacle() -> None:
    """R6: then the log is replayed, and nothing is thrown away."""

    async def story() -> None:
        shelf = await shelved(ListedLog(history(1)))
        out_of_reach = SimulatedSnapshots(shelf, Random(0), share=1.0)
        start = await start_from(out_of_reach, AnchorShelf(), HOUSE, PARTITION)
        assert (start.snapshot, start.bookmark) == ("unavailable", None)
        assert shelf.entries[PARTITION]

    virtual_time.run(story())


# What is written, and when.


def test_only_what_has_changed_is_written() -> None:
    """A pass costs as much as has happened since the last one."""

    async def story() -> None:
        log, memory, shelf = ListedLog(history(1)), Memory(), SnapshotShelf()
        snapshots = Snapshots(SimulatedSnapshots(shelf), memory, HOUSE, PARTITION)
        await read_on(log, memory, snapshots, len(log.records) - 1)
        shelf.entries[PARTITION].clear()
        await read_on(log, memory, snapshots, len(log.records))
        assert len(shelf.entries[PARTITION]) == 2

    virtual_time.run(story())


def test_where_nothing_has_changed_nothing_is_written() -> None:
    """An idle partition costs nothing."""

    async def story() -> None:
        snapshots = Snapshots(SimulatedSnapshots(SnapshotShelf()), Memory(), HOUSE, PARTITION)
        await snapshots.take()
        assert snapshots.taken == 0

    virtual_time.run(story())


@pytest.mark.parametrize(("records", "wait_ms"), [(PASS_RECORDS, 1), (1, PASS_MS)])
def test_snapshots_are_taken_after_so_many_records_or_so_long(records: int, wait_ms: int) -> None:
    """So a restart replays little, and one of an idle house nothing."""

    async def story() -> None:
        log, memory = ListedLog(history(1)), Memory()
        snapshots = Snapshots(SimulatedSnapshots(SnapshotShelf()), memory, HOUSE, PARTITION)
        running = asyncio.create_task(snapshots.run(LoopScheduler()))
        first = (await read(log, memory, 1))[0]
        memory.apply(first)
        for _ in range(records):
            snapshots.changed(first)
        await asyncio.sleep(wait_ms / 1000)
        await asyncio.sleep(0)
        running.cancel()
        assert snapshots.taken == 1

    virtual_time.run(story())


def test_a_pass_that_fails_is_made_up_for() -> None:
    """R6: what it was to write, the next one writes."""

    async def story() -> None:
        log, memory, shelf = ListedLog(history(1)), Memory(), SnapshotShelf()
        store = SimulatedSnapshots(shelf)
        snapshots = Snapshots(store, memory, HOUSE, PARTITION)
        store.share, store.chance = 1.0, Random(0)
        with pytest.raises(SnapshotStoreError):
            await read_on(log, memory, snapshots, len(log.records))
        store.share = 0.0
        await snapshots.take()
        assert len(shelf.entries[PARTITION]) == len(memory) + 1

    virtual_time.run(story())


def test_an_older_row_does_not_replace_a_later_one() -> None:
    """An owner that was replaced may still be writing what was true in its time."""

    async def story() -> None:
        shelf = SnapshotShelf()
        store = SimulatedSnapshots(shelf)
        for sequence, value in ((5, b"later"), (4, b"older")):
            await store.put(PARTITION, [Entry("account/p1", sequence, value)])
        assert (await store.load(PARTITION))["account/p1"].endswith(b"later")

    virtual_time.run(story())
