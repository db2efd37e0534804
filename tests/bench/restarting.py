"""Restart: from opening the files to serving, with a long past behind a snapshot, and with nothing.

The past is made once and kept in `build/bench`: a log of ten million events (`history.py`), of which every record
counts, and a snapshot. That lies as far behind the end of the log as it may, so a whole pass of records is replayed.
The log is written by the statements of `sqlite_rows.py`, in large transactions and without syncs. Each restart appends
its claim, as restarts do.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

from services.eventlog.envelope import header_of
from services.eventlog.memory import Memory
from services.eventlog.opening import start_from
from services.eventlog.ports import Bookmark
from services.eventlog.reader import Counted
from services.eventlog.snapshot_file import SnapshotFile
from services.eventlog.snapshots import PASS_RECORDS, Snapshots
from services.eventlog.sqlite import SqliteLog
from services.eventlog.sqlite_file import open_to_write
from services.eventlog.sqlite_rows import Rows
from services.eventlog.writer import PartitionWriter
from tests.bench.harness import Measure, as_returned, at_most
from tests.bench.history import Entry, History
from tests.bench.log_on_sqlite import FOLDER, fresh_file
from tests.services.eventlog.owners import nobody, until_serving, world_of
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.simulated_snapshots import AnchorShelf

EVENTS, EVENTS_QUICK = 10_000_000, 100_000
GOAL: Final = at_most(1.0)
TRANSACTION_RECORDS: Final = 10_000


def restart_measures(*, quick: bool) -> Iterator[Measure]:
    """Yield how many seconds a restart takes longer with a past than without."""
    events = EVENTS_QUICK if quick else EVENTS
    log, snapshot = past(events)
    yield Measure(
        name=f"restart with {events:,} events, more than with none",
        unit="s",
        reading=as_returned,
        ours=lambda: restarted(log, snapshot) - restarted(fresh_file(), FOLDER / "none.snapshots"),
        goal=GOAL,
    )


def restarted(log: Path, snapshot: Path) -> float:
    """Open a log, serve, and close it; return the seconds until requests are taken."""
    return asyncio.run(served(log, snapshot))


async def served(path: Path, snapshot: Path) -> float:
    """Return the seconds from opening a log to serving."""
    begun = time.perf_counter()
    log, snapshots = SqliteLog(path, HOUSE, header_of), SnapshotFile(snapshot)
    try:
        start = await start_from(snapshots, AnchorShelf(), HOUSE, PARTITION)
        writer = PartitionWriter(world_of(log), HOUSE, PARTITION, nobody, start)
        running = asyncio.create_task(writer.run())
        await until_serving(writer, running)
        seconds = time.perf_counter() - begun
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        return seconds
    finally:
        await snapshots.close()
        await log.close()


def past(events: int) -> tuple[Path, Path]:
    """Return a log with at least so many events and its snapshot, which are made unless they are there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    log, snapshot = FOLDER / f"past-{events}.log", FOLDER / f"past-{events}.snapshots"
    if not snapshot.exists():  # It is written last.
        for unfinished in FOLDER.glob(f"{log.stem}.*"):
            unfinished.unlink()
        write(events, log, snapshot)
    return log, snapshot


def write(events: int, log: Path, snapshot: Path) -> None:
    """Write so many events, take the snapshot, and write as many records behind it as a pass has."""
    history = History().entries()
    memory, store = Memory(), SnapshotFile(snapshot)
    taker = Snapshots(store, memory, HOUSE, PARTITION)
    with closing(open_to_write(log)) as db:
        db.pragma("synchronous", "off")
        rows, written = Rows(db, HOUSE), 0
        while written < events:
            for entry in inserted(rows, islice(history, TRANSACTION_RECORDS)):
                counted = Counted(entry.envelope, Bookmark(entry.position, entry.position.sequence))
                memory.apply(counted)
                taker.changed(counted)
                written += len(entry.envelope.events)
            sys.stderr.write(f"\rmaking a log of {events:,} events, once: {min(100, 100 * written // events)} % ")
        inserted(rows, islice(history, PASS_RECORDS))
    sys.stderr.write("\n")
    asyncio.run(taken(taker, store))


def inserted(rows: Rows, entries: Iterable[Entry]) -> list[Entry]:
    """Insert records in one transaction, and return them."""
    with rows.db:
        page = list(entries)
        for entry in page:
            rows.insert(PARTITION, entry.position, entry.stored)
    return page


async def taken(taker: Snapshots, store: SnapshotFile) -> None:
    """Take a snapshot, and close its file."""
    await taker.take()
    await store.close()
