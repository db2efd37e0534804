"""Writers that run: the world around one, and accounts to write about."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from engine.account.commands import Deposit, OpenAccount, SendFunds, Withdraw
from engine.account.state import Account, available_funds
from engine.inbox import Delivery
from engine.reactions import Command
from services.eventlog.envelope import header_of
from services.eventlog.ports import Log, Outcome, Timer
from services.eventlog.reader import Apply, Counted, PartitionReader
from services.eventlog.requests import Reply, Request
from services.eventlog.sqlite import SqliteLog
from services.eventlog.writer import PartitionWriter, Start, World
from tests.services.eventlog.records import HOUSE, PARTITION

ADDRESS = "account/P1"
PLACE = Delivery(7, 40, 0)
PAY = SendFunds("transfer 1", "USD", 30, "table/T1", "buy_in")


class SystemClock:
    """The clocks of the operating system."""

    def wall_ms(self) -> int:
        """See `Clock.wall_ms`."""
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> int:
        """See `Clock.monotonic_ms`."""
        return time.monotonic_ns() // 1_000_000


class SystemChance:
    """The chance of the operating system."""

    def draw(self, count: int) -> bytes:
        """See `Chance.draw`."""
        return os.urandom(count)


class LoopScheduler:
    """Waiting in the time of the event loop."""

    def after(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """See `Scheduler.after`."""
        return asyncio.get_running_loop().call_later(delay_ms / 1000, call)

    async def sleep(self, delay_ms: int) -> None:
        """See `Scheduler.sleep`."""
        await asyncio.sleep(delay_ms / 1000)


class SizedLog:
    """A log that notes how many records each append brings."""

    def __init__(self, log: Log) -> None:
        """Pass everything on to `log`."""
        self.end, self.read, self.close, self.follow = log.end, log.read, log.close, log.follow
        self.sizes: list[int] = []
        self._log = log

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """See `Log.append`."""
        self.sizes.append(len(records))
        return await self._log.append(partition, records)


def world_of(log: Log) -> World:
    """Return the world around a log."""
    return World(log, SystemClock(), SystemChance(), LoopScheduler())


def nobody(_counted: Counted) -> None:
    """Hear a record and do nothing about it."""


@asynccontextmanager
async def owned(log: Log, listener: Apply = nobody, start: Start | None = None) -> AsyncIterator[PartitionWriter]:
    """Run a writer that owns the partition of tests, and let it step down at the end."""
    writer = PartitionWriter(world_of(log), HOUSE, PARTITION, listener, start)
    running = asyncio.create_task(writer.run())
    await until_serving(writer, running)
    try:
        yield writer
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def until_serving(writer: PartitionWriter, running: asyncio.Task[None]) -> None:
    """Return when a writer serves; raise what has ended it if it does not."""
    serving = asyncio.create_task(writer.serving.wait())
    await asyncio.wait((serving, running), return_when=asyncio.FIRST_COMPLETED)
    serving.cancel()
    if running.done():
        await running


def on_file(path: Path, story: Callable[[SqliteLog], Coroutine[Any, Any, None]]) -> None:
    """Let a story happen to a log in a file."""

    async def whole() -> None:
        log = SqliteLog(path, HOUSE, header_of)
        try:
            await story(log)
        finally:
            await log.close()

    asyncio.run(whole())


async def written(log: SqliteLog) -> list[Counted]:
    """Return what counts in the log."""
    found: list[Counted] = []
    reader = PartitionReader(log, HOUSE, PARTITION)
    await reader.read_on(await log.end(PARTITION), found.append)
    return found


async def ask(writer: PartitionWriter, command_id: str, command: Command, delivery: Delivery | None = None) -> Reply:
    """Ask something of the account of tests; the answer is the name of what happened."""
    told = Request(ADDRESS, command, command_id, delivery=delivery, tell=names_of)
    return await writer.submit(told)


def names_of(events: tuple[Any, ...]) -> bytes:
    """Return the names of events."""
    return " ".join(type(event).__name__ for event in events).encode()


async def opened(writer: PartitionWriter, cents: int = 100) -> None:
    """Open the account of tests with some money."""
    await ask(writer, "open", OpenAccount("P1"))
    await ask(writer, "first", Deposit("USD", cents, "cash"))


def cents_of(writer: PartitionWriter) -> int:
    """Return what the account of tests has, by what is confirmed."""
    account = writer.confirmed(ADDRESS).state
    assert isinstance(account, Account)
    return available_funds(account, "USD")


def withdraw(cents: int) -> Command:
    """Return a withdrawal."""
    return Withdraw("USD", cents, "cash")


def deposit(cents: int) -> Command:
    """Return a deposit."""
    return Deposit("USD", cents, "cash")
