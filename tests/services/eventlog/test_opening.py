"""Opening a partition with a snapshot, and what the log must have: anchors and valid snapshots are evidence."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from engine.account.commands import Deposit, OpenAccount, Withdraw
from engine.errors import Rejected
from engine.inbox import Delivery
from engine.reactions import Command
from services.eventlog.envelope import header_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.expected import Expected
from services.eventlog.judge import Position, genesis
from services.eventlog.memory import Known, Memory
from services.eventlog.ports import Bookmark
from services.eventlog.reader import PartitionReader
from services.eventlog.requests import Request, RequestIdReusedError
from services.eventlog.snapshot_rows import MANIFEST
from services.eventlog.snapshots import SnapshotStoreError, loaded
from tests.services.eventlog import virtual_time
from tests.services.eventlog.cached import Cached, cached
from tests.services.eventlog.owners import (
    ADDRESS,
    PAY,
    PLACE,
    ask,
    cents_of,
    deposit,
    names_of,
    opened,
    withdraw,
)
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import Fate, SimulatedLog, fair
from tests.services.eventlog.simulated_snapshots import AnchorShelf, SimulatedSnapshots, SnapshotShelf

FIRST, LAST = map(int, os.environ.get("OPENING_SEEDS", "0-30").split("-"))


class House:
    """A log, a store of snapshots and anchors, and processes that open them one after the other."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.store, self.shelf, self.anchors = Store(HOUSE, header_of), SnapshotShelf(), AnchorShelf()

    def open(self, chance: Random | None = None, share: float = 0.0) -> Any:  # noqa: ANN401 - a context manager.
        """Open the partition in a new process."""
        return cached(self.log(), SimulatedSnapshots(self.shelf, chance, share), self.anchors)

    def log(self) -> SimulatedLog:
        """Return a way to the log on which nothing happens."""
        return SimulatedLog(self.store, fair)

    def lose(self, count: int) -> None:
        """Lose the last records."""
        shelf = self.store.shelves[PARTITION]
        shelf.lose(len(shelf.records) - count)


def happens(story: Coroutine[Any, Any, None]) -> None:
    """Let a story happen."""
    virtual_time.run(story)


# With a snapshot.


def test_a_repeated_request_gets_the_stored_answer_after_a_restart_from_a_snapshot() -> None:
    """M14, T-IDEM-3: the memory of request ids is part of the snapshot."""

    async def story() -> None:
        house, heard = House(), []
        async with house.open() as first:
            await opened(first.writer)
            heard.append(await ask(first.writer, "w1", withdraw(1)))
            await first.snapshots.take()
        async with house.open() as second:
            assert second.start.snapshot == "used"
            heard.append(await ask(second.writer, "w1", withdraw(1)))
            assert (heard[0], cents_of(second.writer)) == (heard[1], 99)
            with pytest.raises(RequestIdReusedError):
                await ask(second.writer, "w1", withdraw(2))

    happens(story())


def test_a_delivery_takes_effect_once_across_a_restart_from_a_snapshot() -> None:
    """I12: the mark of a delivery is part of the snapshot, and so is that of one that was refused."""

    async def story() -> None:
        house = House()
        async with house.open() as first:
            await opened(first.writer)
            await ask(first.writer, "d1", PAY, PLACE)
            await ask(first.writer, "d2", withdraw(1000), Delivery(7, 41, 0))
            await first.snapshots.take()
        async with house.open() as second:
            await ask(second.writer, "d1", PAY, PLACE)
            await ask(second.writer, "d2", withdraw(1), Delivery(7, 41, 0))
            assert (second.start.snapshot, cents_of(second.writer)) == ("used", 70)

    happens(story())


def test_after_a_snapshot_only_what_came_later_is_replayed() -> None:
    """`design.md` section 9: a restart costs as much as has happened since."""

    async def story() -> None:
        house = House()
        async with house.open() as first:
            await opened(first.writer)
            await first.snapshots.take()
            await ask(first.writer, "w1", withdraw(1))
        async with house.open() as second:
            assert second.start.bookmark is not None
            assert second.writer.position.sequence - second.start.bookmark.position.sequence == 2
            assert cents_of(second.writer) == 99

    happens(story())


def test_a_snapshot_has_nothing_that_is_only_pending() -> None:
    """`design.md` section 2: snapshots see confirmed state only, whatever becomes of the rest."""

    async def story() -> None:
        house, slow = House(), Fate()
        store = SimulatedSnapshots(house.shelf)
        async with cached(SimulatedLog(house.store, lambda: slow), store) as life:
            await opened(life.writer)
            slow = Fate(lands_ms=500, answers_ms=500)
            asking = asyncio.create_task(ask(life.writer, "w1", withdraw(1)))
            await asyncio.sleep(0.7)
            await life.snapshots.take()
            saved = (await loaded(store, HOUSE, PARTITION)).saved
            await asking
        assert saved is not None
        assert (saved.known[ADDRESS].held.version, saved.bookmark.position.sequence) == (2, 3)

    happens(story())


async def _random_life(life: Cached, chance: Random, name: str) -> None:
    """Ask for this and that, take snapshots now and then, and repeat what was asked in former lives."""
    for turn in range(chance.randrange(12)):
        player = f"P{chance.randrange(4)}"
        kinds: tuple[Command, ...] = (
            OpenAccount(player),
            Deposit("USD", chance.randrange(1, 100), "cash"),
            Withdraw("USD", chance.randrange(1, 200), "cash"),
        )
        place = Delivery(9, int(name) * 100 + turn, 0) if chance.random() < 0.3 else None
        command_id = f"{name}/{turn}" if place or chance.random() < 0.8 else f"{chance.randrange(6)}/{turn}"
        request = Request(f"account/{player}", chance.choice(kinds), command_id, delivery=place, tell=names_of)
        with suppress(Rejected, RequestIdReusedError):
            await life.writer.submit(request)
        if chance.random() < 0.2:
            with suppress(SnapshotStoreError):
                await life.snapshots.take()


async def _replayed(house: House) -> dict[str, Known]:
    """Return what a replay from the beginning knows."""
    memory, log = Memory(), house.log()
    await PartitionReader(log, HOUSE, PARTITION).read_on(await log.end(PARTITION), memory.apply)
    return {address: memory.known(address) for address in memory}


async def _lives(seed: int) -> Counter[str]:
    """Restart again and again from whatever the store has."""
    house, chance, tally = House(), Random(f"{seed} opening"), Counter[str]()
    for number in range(6):
        async with house.open(Random(f"{seed} store {number}"), share=0.05) as life:
            tally[life.start.snapshot] += 1
            await _random_life(life, chance, str(number))
            known = {address: life.start.memory.known(address) for address in life.start.memory}
        assert known == await _replayed(house), f"OPENING_SEEDS={seed}-{seed + 1}"
    return tally


def test_a_writer_that_restarts_from_snapshots_knows_what_the_log_says() -> None:
    """I8: at random moments, from whatever the store has, ids and marks of deliveries included."""
    total = sum((virtual_time.run(_lives(seed)) for seed in range(FIRST, LAST)), Counter[str]())
    assert all(total[name] for name in ("none", "used", "unavailable")) or LAST - FIRST < 30, total


# What the log must have.


async def _snapshot_and_more(house: House) -> Position:
    """Let a process take a snapshot, whose rows are later than its manifest, and return its last position."""
    async with house.open() as first:
        await opened(first.writer)
        await first.snapshots.take()
        await ask(first.writer, "w1", withdraw(1))
        await ask(first.writer, "w2", withdraw(1))
        position: Position = first.writer.position
    return position


@pytest.mark.parametrize("lost", [1, 2, 3, 5])
def test_a_log_that_ends_before_its_anchor_does_not_open(lost: int) -> None:
    """M34, F13: a tail that was cut off is noticed, also where the claim takes the place of what was lost."""

    async def story() -> None:
        house = House()
        position = await _snapshot_and_more(house)
        house.shelf = SnapshotShelf()
        await house.anchors.keep({PARTITION: position})
        house.lose(lost)
        with pytest.raises(LogCorruptError, match=f"has seen (another record at )?sequence {position.sequence}"):
            async with house.open():
                pass

    happens(story())


def test_a_log_that_ends_before_its_snapshot_does_not_open() -> None:
    """M34, F13: a valid snapshot is as good as an anchor."""

    async def story() -> None:
        house = House()
        await _snapshot_and_more(house)
        house.lose(3)
        with pytest.raises(LogCorruptError):
            async with house.open():
                pass

    happens(story())


@pytest.mark.parametrize("manifest", [True, False])
def test_a_log_that_ends_before_a_row_does_not_open(manifest: bool) -> None:
    """M34, F5, F13: also if the pass that wrote the row never came to its end, and was the first."""

    async def story() -> None:
        house = House()
        async with house.open() as first:
            await opened(first.writer)
            if manifest:
                await first.snapshots.take()
            await ask(first.writer, "w1", withdraw(1))
            kept = dict(house.shelf.entries[PARTITION])
            await first.snapshots.take()
            del house.shelf.entries[PARTITION][MANIFEST]
            house.shelf.entries[PARTITION].update({MANIFEST: kept[MANIFEST]} if manifest else {})
        house.lose(1)
        with pytest.raises(LogCorruptError, match="has seen"):
            async with house.open():
                pass

    happens(story())


def test_a_log_with_other_records_than_its_anchor_has_seen_does_not_open() -> None:
    """M34: a log that goes on where the tail was cut off is another log, however long it becomes."""

    async def story() -> None:
        house = House()
        position = await _snapshot_and_more(house)
        house.shelf = SnapshotShelf()
        house.lose(2)
        async with house.open() as other:
            for number in range(5):
                await ask(other.writer, f"x{number}", deposit(1))
        await house.anchors.keep({PARTITION: position})
        with pytest.raises(LogCorruptError, match="another record at sequence") as halt:
            async with house.open():
                pass
        assert halt.value.offset == position.sequence - 1

    happens(story())


def test_a_log_that_has_what_is_expected_opens() -> None:
    """A healthy log comes to its anchor, wherever that is, and nothing else is asked of it later."""

    async def story() -> None:
        house = House()
        async with house.open() as first:
            await opened(first.writer)
            await house.anchors.keep({PARTITION: first.writer.position})
        for number in range(3):
            async with house.open() as again:
                await ask(again.writer, f"w{number}", withdraw(1))
                await again.snapshots.take()
                assert again.writer.confirmed(ADDRESS).version == number + 3

    happens(story())


def test_two_positions_of_which_a_log_can_have_one_are_not_both_met() -> None:
    """M34: an anchor that contradicts the place from where is read."""
    begun = Position(1, 5, b"\x01" * 32)
    expected = Expected(PARTITION, [Position(1, 5, b"\x02" * 32)], begun)
    with pytest.raises(LogCorruptError, match="another record at sequence 5"):
        expected.verify_reached(Bookmark(begun, 4))


def test_what_was_before_the_place_from_where_is_read_is_covered() -> None:
    """The hash of a bookmark covers everything before it."""
    begun = Position(1, 5, b"\x01" * 32)
    Expected(PARTITION, [begun, Position(1, 4, b"\x02" * 32), genesis(HOUSE, PARTITION)], begun).verify_reached(
        Bookmark(begun, 4)
    )
