"""The writer of a partition when appends end otherwise than well: the simulated log, with fates that a test chooses."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Any

import pytest

from engine.errors import InsufficientFunds
from services.eventlog.envelope import header_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import FencedError, UnavailableError
from services.eventlog.writer import CLAIMS_MAX, PartitionWriter
from tests.services.eventlog import virtual_time
from tests.services.eventlog.owners import (
    ask,
    cents_of,
    deposit,
    nobody,
    opened,
    owned,
    until_serving,
    withdraw,
    world_of,
)
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import Scribe
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import Fate, SimulatedLog, fair

STORED = Fate("all", told=False)
LOST = Fate("none", told=False)


class Scripted:
    """Fates in the order in which a test lists them; behind those nothing happens to an append."""

    def __init__(self) -> None:
        """Begin with good fates, and a store of its own."""
        self.fates: deque[Fate] = deque()
        self.store = Store(HOUSE, header_of)
        self.log = SimulatedLog(self.store, lambda: self.fates.popleft() if self.fates else Fate())

    def then(self, *fates: Fate) -> None:
        """List the next fates."""
        self.fates.extend(fates)

    async def records(self) -> list[Counted]:
        """Return what a reader finds; it does not halt."""
        found: list[Counted] = []
        reader = PartitionReader(SimulatedLog(self.store, fair), HOUSE, PARTITION)
        await reader.read_on(len(self.store.shelves[PARTITION].records), found.append)
        return found


def happens(story: Coroutine[Any, Any, None]) -> None:
    """Let a story happen in virtual time."""
    virtual_time.run(story)


@pytest.mark.parametrize("fate", [STORED, LOST], ids=["stored", "lost"])
def test_an_unknown_outcome_is_unknown_and_the_repetition_known(fate: Fate) -> None:
    """M9, P6: whether the record is in the log or not, it has happened once in the end."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(fate)
            with pytest.raises(UnavailableError):
                await ask(writer, "w1", withdraw(40))
            await writer.serving.wait()
            await ask(writer, "w1", withdraw(40))
            assert cents_of(writer) == 60

    happens(story())


def test_after_an_unknown_outcome_a_new_epoch_is_opened() -> None:
    """M33: the lost record arrives late, behind another one that took its place, and halts nobody."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(Fate("all", lands_ms=1000, told=False))
            with pytest.raises(UnavailableError):
                await ask(writer, "w1", withdraw(40))
            await writer.serving.wait()
            await ask(writer, "w2", withdraw(50))
            await asyncio.sleep(2)
            assert writer.position.epoch == 2
        assert [each.envelope.command_id for each in await script.records()] == ["", "open", "first", "", "w2"]

    happens(story())


def test_a_late_record_of_an_old_epoch_takes_the_place_of_another_in_no_reader() -> None:
    """M33, I3: in one epoch there are never two records for one sequence."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(Fate("all", lands_ms=20, told=False), Fate(lands_ms=5), Fate(lands_ms=100))
            with pytest.raises(UnavailableError):
                await ask(writer, "w1", withdraw(40))
            await writer.serving.wait()
            await ask(writer, "w2", withdraw(50))
            await asyncio.sleep(1)
        sequences = [each.envelope.sequence for each in await script.records() if each.envelope.sequence]
        assert sequences == sorted(set(sequences))

    happens(story())


def test_a_refusal_that_rests_on_what_was_lost_is_unknown() -> None:
    """M31: the money was spent by a record that does not count, so nobody is told that it is gone."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(LOST)
            both = (ask(writer, "w1", withdraw(100)), ask(writer, "w2", withdraw(60)))
            heard = await asyncio.gather(*both, return_exceptions=True)
            assert [type(each) for each in heard] == [UnavailableError, UnavailableError]
            await writer.serving.wait()
            await ask(writer, "w2", withdraw(60))

    happens(story())


def test_a_refusal_waits_for_what_it_rests_on() -> None:
    """M31: it is released with the record that spent the money, not before."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(Fate(lands_ms=100))
            paid = asyncio.create_task(ask(writer, "w1", withdraw(100)))
            refused = asyncio.create_task(ask(writer, "w2", withdraw(60)))
            await asyncio.sleep(0.09)
            assert not refused.done()
            with pytest.raises(InsufficientFunds):
                await refused
            assert (await paid).sequence == 4

    happens(story())


def test_nothing_is_served_before_the_claim_was_read_back() -> None:
    """M11: while the claim is on its way another may own the partition."""

    async def story() -> None:
        script = Scripted()
        script.then(Fate(lands_ms=100))
        writer = PartitionWriter(world_of(script.log), HOUSE, PARTITION, nobody)
        running = asyncio.create_task(writer.run())
        await asyncio.sleep(0.09)
        assert not writer.serving.is_set()
        with pytest.raises(UnavailableError):
            await ask(writer, "w1", withdraw(1))
        await until_serving(writer, running)
        running.cancel()

    happens(story())


def test_what_lies_before_the_claim_is_known() -> None:
    """M12: what the old owner still appended before the claim landed is applied, and not done a second time."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as former:
            await opened(former)
            late = SimulatedLog(script.store, lambda: Fate(lands_ms=50))
            successor = PartitionWriter(world_of(late), HOUSE, PARTITION, nobody)
            running = asyncio.create_task(successor.run())
            await asyncio.sleep(0.02)
            first = await ask(former, "w1", withdraw(40))
            await until_serving(successor, running)
            assert await ask(successor, "w1", withdraw(40)) == first
            assert cents_of(successor) == 60
            running.cancel()

    happens(story())


@pytest.mark.parametrize("fate", [STORED, LOST, Fate("all", lands_ms=500, told=False)])
def test_a_claim_of_unknown_outcome_is_followed_by_a_higher_one(fate: Fate) -> None:
    """`design.md` section 2: the writer reads on and claims again, whatever becomes of the first claim."""

    async def story() -> None:
        script = Scripted()
        script.then(fate, fate)
        async with owned(script.log) as writer:
            await opened(writer)
            await asyncio.sleep(1)
            await ask(writer, "w1", withdraw(40))
            assert writer.position.epoch == 3
        await script.records()

    happens(story())


def test_a_writer_whose_claims_always_lose_gives_up() -> None:
    """A few void claims in a row are enough: the error says so."""

    async def story() -> None:
        store, rival = Store(HOUSE, header_of), Scribe()

        def outrun() -> Fate:
            store.land(PARTITION, rival.claim())
            return Fate()

        writer = PartitionWriter(world_of(SimulatedLog(store, outrun)), HOUSE, PARTITION, nobody)
        with pytest.raises(FencedError, match=f"{CLAIMS_MAX} claims"):
            await writer.run()

    happens(story())


def test_an_outage_is_waited_out() -> None:
    """P5: the log cannot be written for half a minute, and then the partition is served again."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            script.then(*[LOST] * 30)
            with pytest.raises(UnavailableError):
                await ask(writer, "w1", withdraw(40))
            await writer.serving.wait()
            assert (await ask(writer, "w1", withdraw(40))).result
            assert cents_of(writer) == 60

    happens(story())


def test_overlapping_appends_are_confirmed_in_their_order() -> None:
    """Replies come in the order of sequences, and a loss in one append takes those behind it along."""

    async def story() -> None:
        script = Scripted()
        async with owned(script.log) as writer:
            await opened(writer)
            assert writer._epoch is not None  # noqa: SLF001 - there is no other way to let appends of one test overlap.
            writer._epoch.overlapping = 3  # noqa: SLF001
            script.then(Fate(lands_ms=50), LOST._replace(answers_ms=1), Fate())
            asked = []
            for number in range(3):
                asked.append(asyncio.create_task(ask(writer, f"w{number}", withdraw(10))))
                await asyncio.sleep(0.001)
            heard = await asyncio.gather(*asked, return_exceptions=True)
            assert [isinstance(each, UnavailableError) for each in heard] == [False, True, True]

    happens(story())


def test_a_log_that_lost_what_was_acknowledged_is_not_written() -> None:
    """I1: the claim says what its writer had reached, and the log does not."""

    async def story() -> None:
        script = Scripted()
        writer = PartitionWriter(world_of(script.log), HOUSE, PARTITION, nobody)
        running = asyncio.create_task(writer.run())
        await until_serving(writer, running)
        await opened(writer)
        script.store.shelves[PARTITION].lose(2)
        script.then(LOST)
        with pytest.raises(UnavailableError):
            await ask(writer, "w1", deposit(1))
        with pytest.raises(LogCorruptError):
            await running

    happens(story())
