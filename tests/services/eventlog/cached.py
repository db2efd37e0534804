"""Writers that begin with a snapshot and what the log must have, and take snapshots while they serve."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from services.eventlog.anchors import Anchors
from services.eventlog.opening import start_from
from services.eventlog.ports import Log
from services.eventlog.snapshots import Snapshots, SnapshotStore
from services.eventlog.writer import PartitionWriter, Start
from tests.services.eventlog.owners import owned
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.simulated_snapshots import AnchorShelf


class Cached(NamedTuple):
    """A writer, what it began with, and what takes its snapshots."""

    writer: PartitionWriter
    start: Start
    snapshots: Snapshots


@asynccontextmanager
async def cached(log: Log, store: SnapshotStore, anchors: Anchors | None = None) -> AsyncIterator[Cached]:
    """Run a writer that owns the partition of tests; when snapshots are taken is left to the test."""
    start = await start_from(store, anchors or AnchorShelf(), HOUSE, PARTITION)
    snapshots = Snapshots(store, start.memory, HOUSE, PARTITION)
    async with owned(log, snapshots.changed, start) as writer:
        yield Cached(writer, start, snapshots)
