"""Who owns a partition: stepping down, being replaced, beginning, and what stops a writer; on the log in a file."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from engine.account.commands import FreezeAccount, OpenAccount
from services.eventlog.errors import LogCorruptError
from services.eventlog.log_events import EpochOpened
from services.eventlog.memory import Memory
from services.eventlog.ports import Bookmark
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import FencedError, UnavailableError
from services.eventlog.sqlite import SqliteLog
from services.eventlog.writer import PartitionWriter, Start
from tests.services.eventlog.owners import (
    ADDRESS,
    PAY,
    PLACE,
    ask,
    cents_of,
    deposit,
    nobody,
    on_file,
    opened,
    owned,
    until_serving,
    withdraw,
    world_of,
    written,
)
from tests.services.eventlog.records import HOUSE, PARTITION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the log is."""
    return tmp_path / "events.log"


def test_who_does_not_own_the_partition_serves_nothing(path: Path) -> None:
    """M11: neither before it was opened nor after stepping down."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
        for idle in (writer, PartitionWriter(world_of(log), HOUSE, PARTITION, nobody)):
            with pytest.raises(UnavailableError):
                await ask(idle, "w1", withdraw(1))

    on_file(path, story)


def test_stepping_down_leaves_what_is_pending_unknown(path: Path) -> None:
    """M10, P6: nobody is told that it has happened, nor that it has not; sent again, it happens once."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            asked = asyncio.create_task(ask(writer, "w1", withdraw(1)))
            await asyncio.sleep(0)
        with pytest.raises(UnavailableError):
            await asked
        async with owned(log) as successor:
            await ask(successor, "w1", withdraw(1))
            assert cents_of(successor) == 99

    on_file(path, story)


def test_an_owner_that_was_replaced_steps_down(path: Path) -> None:
    """T-IDEM-5: it acknowledges nothing after the other's claim, and says that the partition is another's."""

    async def story(log: SqliteLog) -> None:
        former = PartitionWriter(world_of(log), HOUSE, PARTITION, nobody)
        running = asyncio.create_task(former.run())
        await until_serving(former, running)
        await opened(former)
        async with owned(log) as successor:
            with pytest.raises(UnavailableError):
                await ask(former, "w1", withdraw(1))
            with pytest.raises(FencedError):
                await running
            assert (await ask(successor, "w1", withdraw(2))).result == b"FundsWithdrawn"

    on_file(path, story)


def test_an_owner_that_was_replaced_can_claim_again(path: Path) -> None:
    """Who gives partitions away may give it back: the writer goes on from what it had confirmed."""

    async def story(log: SqliteLog) -> None:
        heard: list[Counted] = []
        writer = PartitionWriter(world_of(log), HOUSE, PARTITION, heard.append)
        for number in range(2):
            running = asyncio.create_task(writer.run())
            await until_serving(writer, running)
            await ask(writer, f"open {number}", deposit(1) if number else OpenAccount("P1"))
            async with owned(log) as other:
                await ask(other, f"other {number}", deposit(10))
                with pytest.raises(UnavailableError):
                    await ask(writer, "late", deposit(1))
                await asyncio.wait((running,))
            assert isinstance(running.exception(), FencedError)
        assert heard == await written(log)
        assert cents_of(writer) == 21

    on_file(path, story)


def test_a_partition_of_which_records_are_missing_does_not_open(path: Path) -> None:
    """I1: a log that ends before what this writer has had acknowledged is damaged."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
        start = Start(Memory(), Bookmark(writer.position, writer.position.sequence))
        with apsw.Connection(str(path)) as db:
            db.execute("DELETE FROM records WHERE sequence = 3")
        with pytest.raises(LogCorruptError):
            async with owned(log, start=start):
                pass

    on_file(path, story)


def test_a_listener_that_fails_stops_the_writer(path: Path) -> None:
    """R7: whoever was not told of a record must not be told of the next."""

    async def story(log: SqliteLog) -> None:
        def listener(counted: Counted) -> None:
            assert counted.envelope.command_id != "w1", "a mistake of ours"

        writer = PartitionWriter(world_of(log), HOUSE, PARTITION, listener)
        running = asyncio.create_task(writer.run())
        await until_serving(writer, running)
        await opened(writer)
        with pytest.raises(UnavailableError):
            await ask(writer, "w1", withdraw(1))
        with pytest.raises(AssertionError, match="a mistake of ours"):
            await running

    on_file(path, story)


def test_replay_gives_what_was_known(path: Path) -> None:
    """T-IDEM-3: states, versions and inboxes are the same after a restart, and so is what was told."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            await ask(writer, "f", FreezeAccount("fraud", "operator"))
            await ask(writer, "d", PAY, PLACE)
        async with owned(log) as successor:
            assert successor.confirmed(ADDRESS) == writer.confirmed(ADDRESS)
            assert successor.position.sequence == writer.position.sequence + 1

    on_file(path, story)


def test_a_writer_goes_on_from_what_it_is_given(path: Path) -> None:
    """A start state spares the replay, and leads to the same."""

    async def story(log: SqliteLog) -> None:
        memory = Memory()
        reader = PartitionReader(log, HOUSE, PARTITION)
        async with owned(log) as writer:
            await opened(writer)
            await reader.read_on(await log.end(PARTITION), memory.apply)
            await ask(writer, "w1", withdraw(1))
        heard: list[Counted] = []
        async with owned(log, heard.append, Start(memory, reader.bookmark)) as successor:
            assert successor.confirmed(ADDRESS) == writer.confirmed(ADDRESS)
            assert [each.bookmark.position.sequence for each in heard] == [4, 5]

    on_file(path, story)


def test_times_on_the_log_do_not_decrease(path: Path) -> None:
    """I3: not from one owner to the next either."""

    async def story(log: SqliteLog) -> None:
        for number in range(3):
            async with owned(log) as writer:
                await ask(writer, f"{number}", deposit(1) if number else OpenAccount("P1"))
                assert writer.jumps == 0
        times = [each.envelope.occurred_at_ms for each in await written(log)]
        assert times == sorted(times)
        assert times[0] > 0

    on_file(path, story)


def test_claims_name_themselves(path: Path) -> None:
    """Each claim has a name of its own, and says what its writer had read."""

    async def story(log: SqliteLog) -> None:
        for _ in range(3):
            async with owned(log):
                pass
        claims = [each.envelope.events[0] for each in await written(log)]
        assert all(isinstance(claim, EpochOpened) for claim in claims)
        assert len({claim.claim_id for claim in claims if isinstance(claim, EpochOpened)}) == 3

    on_file(path, story)
