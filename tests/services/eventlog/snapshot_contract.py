"""What every store of snapshots must do: one suite for all adapters.

A test class inherits `SnapshotContract` and gives it a fixture `open_store`, which opens the one store of the test, and
opens it again as a process that is started later, or on another host, would.

1. What was put is loaded, whoever loads it; of each key the entry that was put last.
2. An entry never replaces one with a higher sequence, whoever put that.
3. A partition knows nothing of the others.
4. What is as large as the largest tournament is stored too.
5. Nothing is left after `clear`, and what is put then is loaded.
6. Nothing can be had from a store that was closed; closing it twice is once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import TypeAlias

import pytest

from services.eventlog.snapshot_rows import MANIFEST, Entry
from services.eventlog.snapshots import SnapshotStore, SnapshotStoreError

OpenStore: TypeAlias = Callable[[], SnapshotStore]
Story: TypeAlias = Callable[[SnapshotStore], Awaitable[None]]


def play(open_store: OpenStore, *stories: Story) -> None:
    """Let stories happen, each to a process that opens the store and closes it at the end."""

    async def whole() -> None:
        for story in stories:
            store = open_store()
            try:
                await story(store)
            finally:
                await store.close()

    asyncio.run(whole())


def values(stored: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what entries have in them, behind their checksums."""
    return {key: content[37:] for key, content in stored.items()}


async def put(store: SnapshotStore, partition: int = 0, **entries: int) -> None:
    """Put entries by their keys and sequences, each with a value of its own."""
    await store.put(partition, [Entry(key, number, f"{key} {number}".encode()) for key, number in entries.items()])


class SnapshotContract:
    """The suite."""

    def test_what_was_put_is_loaded(self, open_store: OpenStore) -> None:
        """1, R6: also by a process that is started later."""

        async def first(store: SnapshotStore) -> None:
            assert await store.load(0) == {}
            await put(store, P1=3, P2=3)
            await put(store, P1=5)
            await put(store, manifest=3)

        async def second(store: SnapshotStore) -> None:
            assert values(await store.load(0)) == {"P1": b"P1 5", "P2": b"P2 3", MANIFEST: b"manifest 3"}

        play(open_store, first, second, second)

    def test_an_older_entry_replaces_nothing(self, open_store: OpenStore) -> None:
        """2: an owner that was replaced may still write, and so may one who does not know what was there before."""

        async def first(store: SnapshotStore) -> None:
            await put(store, P1=5, manifest=5)

        async def late(store: SnapshotStore) -> None:
            await put(store, P1=4, manifest=4)

        async def last(store: SnapshotStore) -> None:
            assert values(await store.load(0)) == {"P1": b"P1 5", MANIFEST: b"manifest 5"}
            await put(store, P1=4, P2=7)
            await put(store, P1=6)
            assert values(await store.load(0)) == {"P1": b"P1 6", "P2": b"P2 7", MANIFEST: b"manifest 5"}

        play(open_store, first, late, last)

    def test_partitions_know_nothing_of_each_other(self, open_store: OpenStore) -> None:
        """3."""

        async def story(store: SnapshotStore) -> None:
            await put(store, 0, P1=5)
            await put(store, 1, P1=3)
            await store.clear(0)
            assert values(await store.load(1)) == {"P1": b"P1 3"}

        play(open_store, story)

    def test_what_is_large_is_stored(self, open_store: OpenStore) -> None:
        """4: ten thousand entries of a tournament, and nothing in them that could be made smaller."""
        value = Random(1).randbytes(3_000_000)

        async def first(store: SnapshotStore) -> None:
            await store.put(0, [Entry("P1", 1, b"small"), Entry("T1", 2, value)])
            await store.put(0, [Entry("T1", 3, value)])
            await store.put(0, [Entry("T1", 4, b"small again")])
            await store.put(0, [Entry("T1", 5, value)])

        async def second(store: SnapshotStore) -> None:
            assert (await store.load(0))["T1"] == Entry("T1", 5, value).stored()

        play(open_store, first, second)

    def test_nothing_is_left_after_it_was_cleared(self, open_store: OpenStore) -> None:
        """5, R6: what is rejected is thrown away, however high its sequences say that it is."""

        async def first(store: SnapshotStore) -> None:
            await put(store, P1=10**12, P2=5, manifest=5)

        async def second(store: SnapshotStore) -> None:
            await store.load(0)
            await store.clear(0)
            assert await store.load(0) == {}
            await put(store, P1=3)

        async def third(store: SnapshotStore) -> None:
            assert values(await store.load(0)) == {"P1": b"P1 3"}

        play(open_store, first, second, third)

    def test_a_store_that_was_closed_gives_nothing(self, open_store: OpenStore) -> None:
        """6."""

        async def story(store: SnapshotStore) -> None:
            await store.close()
            with pytest.raises(SnapshotStoreError):
                await store.load(0)
            with pytest.raises(SnapshotStoreError):
                await put(store, P1=1)

        play(open_store, story)
