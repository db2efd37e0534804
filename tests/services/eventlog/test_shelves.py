"""The simulated log does to records what a real one may do, and damages them as no log may."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Corrupt, Void, genesis
from services.eventlog.ports import Acknowledged, Bookmark, Outcome, Unknown
from tests.services.eventlog import virtual_time
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import Fate, SimulatedLog, fair


def claimed() -> tuple[Store, Pen]:
    """Return a store with a claim, and the pen of its writer."""
    store, pen = Store(HOUSE, header_of), Pen()
    store.land(PARTITION, pen.claim())
    return store, pen


async def after(store: Store, fate: Fate, stored: bytes) -> Outcome:
    """Append a record that meets a fate, and return what is heard; a second later everything has landed."""
    (outcome,) = await SimulatedLog(store, lambda: fate).append(PARTITION, [stored])
    await asyncio.sleep(1)
    return outcome


@pytest.mark.parametrize(
    ("fate", "heard", "copies"),
    [
        (Fate(), Acknowledged, 1),
        (Fate(told=False), Unknown, 1),
        (Fate("none", told=False), Unknown, 0),
        (Fate("none"), Unknown, 0),
        (Fate(copies=2), Acknowledged, 2),
        (Fate(lands_ms=900), Acknowledged, 1),
        (Fate(lands_ms=900, told=False), Unknown, 1),
    ],
)
def test_what_becomes_of_an_append(fate: Fate, heard: type, copies: int) -> None:
    """`reliability.md` section 3: stored or not, told or not, once or twice, at once or late."""
    store, pen = claimed()
    outcome = virtual_time.run(after(store, fate, pen.record()))
    assert isinstance(outcome, heard)
    assert len(store.shelves[PARTITION].records) == 1 + copies


def test_an_append_may_be_overtaken() -> None:
    """`reliability.md` section 3: another writer's record lands first, and then this one is void."""

    async def story() -> None:
        store, pen = claimed()
        late = asyncio.create_task(after(store, Fate(lands_ms=500), pen.record()))
        await asyncio.sleep(0.1)
        assert isinstance(await after(store, Fate(), Pen(store.shelves[PARTITION].position).claim()), Acknowledged)
        assert await late == Void("old_epoch")

    virtual_time.run(story())


def test_ends_are_stale_pages_short_and_reads_fail() -> None:
    """`reliability.md` section 3: what nobody was told of may be missing at the end; no page must be full."""
    ends, sizes, outages = set(), set(), 0

    async def story() -> None:
        nonlocal outages
        store, pen = claimed()
        for _ in range(20):
            store.land(PARTITION, pen.record())
        log = SimulatedLog(store, fair, Random(1))
        for _ in range(40):
            try:
                ends.add(await log.end(PARTITION))
                sizes.add(len(await log.read(PARTITION, 0, 9)))
            except LogUnavailableError:
                outages += 1

    virtual_time.run(story())
    assert min(len(ends), len(sizes), outages) > 1


def test_who_has_read_more_than_there_is_hears_that_the_log_is_corrupt() -> None:
    """F13: a lost end is noticed by who goes on reading, and by who goes on appending."""

    async def story() -> None:
        store, pen = claimed()
        stored = pen.record()
        store.land(PARTITION, stored)
        store.land(PARTITION, pen.record())
        store.shelves[PARTITION].lose(1)
        log = SimulatedLog(store, fair)
        with pytest.raises(LogCorruptError):
            await log.read(PARTITION, 3, 1)
        assert isinstance(store.land(PARTITION, stored), Corrupt)

    virtual_time.run(story())


def test_who_judges_from_a_bookmark_judges_what_is_there_now() -> None:
    """F13: a process that was there before the damage goes on in its belief, a new one does not."""
    store, pen = claimed()
    store.land(PARTITION, pen.record(b"a"))
    shelf = store.shelves[PARTITION]
    shelf.flip(1, len(shelf.records[1]) - 1, 0)
    anew = shelf.followed(Bookmark(genesis(HOUSE, PARTITION), -1))
    stored = pen.record(b"b")
    assert isinstance(store.land(PARTITION, stored), Acknowledged)
    assert isinstance(anew.judge(shelf.records, 2), Corrupt)
