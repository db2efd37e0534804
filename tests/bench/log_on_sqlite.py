"""Commits to SQLite, and two floors under them.

*bare loop* is apsw and nothing else: begin, one insert for each waiting command, commit, in the thread that counts. No
event loop waits for it; nothing is parsed, hashed or judged. *bare loop in a thread* is the same transaction, handed
from an event loop to a thread by `run_in_executor` and awaited: what any asyncio service pays that must not stand
still while a disk syncs. Both write the records of the measured side, and a hash of 32 bytes beside each, into a file
made by `open_to_write`: WAL, synchronous=FULL, one table keyed (partition, sequence).

The *adapter* is `SqliteLog.append` with as many prepared records as commands are waiting, as a writer calls it. The
*writer* is everything from `submit` to the answer, for so many callers, each at an account of his own, who wait for
each answer. Opening files and accounts is not measured.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import apsw

from engine.account.commands import Deposit, OpenAccount
from services.eventlog.envelope import header_of
from services.eventlog.ports import Acknowledged
from services.eventlog.requests import Request
from services.eventlog.sqlite import SqliteLog
from services.eventlog.sqlite_file import open_to_write
from services.eventlog.sqlite_rows import INSERT
from services.eventlog.writer import PartitionWriter
from tests.bench.harness import Measure, as_returned, ratio_at_least
from tests.bench.history import Past
from tests.services.eventlog.owners import owned
from tests.services.eventlog.records import HOUSE, PARTITION

FOLDER: Final = Path("build/bench")
COMMITS: Final = {1: 1500, 10: 1000, 100: 150}
"""How many commits a round makes, by the number of waiting commands: at most half a second."""
GOAL: Final = ratio_at_least(0.8)
DIGEST: Final = bytes(32)
DEPOSIT: Final = Deposit("USD", 100, "cash")


def sqlite_measures(past: Past, *, quick: bool) -> Iterator[Measure]:
    """Yield adapter and writer beside the floors, in commands per second."""
    records = past.records
    for waiting, full in COMMITS.items():
        commits = full // 3 if quick else full
        batches = [records[at : at + waiting] for at in range(1, 1 + commits * waiting, waiting)]
        alone = partial(bare, batches)
        measure = partial(Measure, unit="commands/s", reading=as_returned)
        adapter = partial(in_loop, partial(appended, records[0], batches))
        name = f"SQLite adapter, {waiting} waiting"
        yield measure(name=name, ours=adapter, peer=alone, peer_name="bare loop", goal=GOAL)
        threaded = partial(in_loop, partial(in_thread, batches))
        yield measure(name=name, ours=adapter, peer=threaded, peer_name="bare loop in a thread", goal=GOAL)
        whole = partial(in_loop, partial(submitted, waiting, commits))
        yield measure(name=f"SQLite writer, {waiting} waiting", ours=whole, peer=alone, peer_name="bare loop")


def in_loop(work: Callable[[], Awaitable[float]]) -> float:
    """Do a round in an event loop of its own."""

    async def whole() -> float:
        return await work()

    return asyncio.run(whole())


def bare(batches: Sequence[Sequence[bytes]]) -> float:
    """Commit batches with apsw alone, and return records per second."""
    with closing(open_to_write(fresh_file())) as db:
        start, sequence = time.perf_counter(), 1
        for batch in batches:
            committed(db, sequence, batch)
            sequence += len(batch)
        return (sequence - 1) / (time.perf_counter() - start)


async def in_thread(batches: Sequence[Sequence[bytes]]) -> float:
    """Do the same from an event loop, each commit in a thread."""
    loop = asyncio.get_running_loop()
    with closing(open_to_write(fresh_file())) as db, ThreadPoolExecutor(1) as thread:
        start, sequence = time.perf_counter(), 1
        for batch in batches:
            await loop.run_in_executor(thread, committed, db, sequence, batch)
            sequence += len(batch)
        return (sequence - 1) / (time.perf_counter() - start)


def committed(db: apsw.Connection, sequence: int, batch: Sequence[bytes]) -> None:
    """Insert a batch in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    for place, stored in enumerate(batch, sequence):
        db.execute(INSERT, (PARTITION, place, stored, DIGEST))
    db.execute("COMMIT")


async def appended(claim: bytes, batches: Sequence[Sequence[bytes]]) -> float:
    """Append batches behind a claim, one after the other, and return records per second."""
    log = SqliteLog(fresh_file(), HOUSE, header_of)
    try:
        await log.append(PARTITION, [claim])
        start = time.perf_counter()
        for batch in batches:
            outcomes = await log.append(PARTITION, batch)
        seconds = time.perf_counter() - start
        assert isinstance(outcomes[-1], Acknowledged), outcomes[-1]
        return sum(map(len, batches)) / seconds
    finally:
        await log.close()


async def submitted(callers: int, rounds: int) -> float:
    """Let callers deposit something again and again, and return commands per second."""
    log = SqliteLog(fresh_file(), HOUSE, header_of)
    try:
        async with owned(log) as writer:
            for caller in range(callers):
                await writer.submit(Request(f"account/P{caller}", OpenAccount(f"P{caller}"), "open"))
            start = time.perf_counter()
            await asyncio.gather(*(deposited(writer, caller, rounds) for caller in range(callers)))
            return callers * rounds / (time.perf_counter() - start)
    finally:
        await log.close()


async def deposited(writer: PartitionWriter, caller: int, rounds: int) -> None:
    """Deposit again whenever the last deposit is confirmed."""
    for number in range(rounds):
        await writer.submit(Request(f"account/P{caller}", DEPOSIT, f"00000000-0000-4000-8000-{number:012}"))


def fresh_file() -> Path:
    """Return where a log can be made; the one before is gone."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file in FOLDER.glob("commits.log*"):
        file.unlink()
    return FOLDER / "commits.log"
