"""What a writer knows when it opens a partition: the latest snapshot, and what the log must have.

A snapshot that cannot be read costs a replay from the beginning, no more: the store is a cache (R6). What can be read
is evidence, and so are anchors: the log must come to each of their positions, or the partition does not open.
"""

from __future__ import annotations

from contextlib import suppress

from services.eventlog.anchors import Anchors
from services.eventlog.judge import Position
from services.eventlog.memory import Memory
from services.eventlog.snapshot_rows import SnapshotRejectedError
from services.eventlog.snapshots import SnapshotStore, SnapshotStoreError, loaded
from services.eventlog.writer import Start


async def start_from(store: SnapshotStore, anchors: Anchors, house: str, partition: int) -> Start:
    """Return what is known of a partition, for a writer that is about to open it.

    A snapshot that must be rejected is thrown away, so that the next one is written whole.

    Raises:
        AnchorsUnusableError: It cannot be told what the log must have.
    """
    anchor = (await anchors.load()).get(partition)
    expected: tuple[Position, ...] = () if anchor is None else (anchor,)
    try:
        snapshot = await loaded(store, house, partition)
    except SnapshotRejectedError as error:
        with suppress(SnapshotStoreError):
            await store.clear(partition)
        return Start(Memory(), None, expected, "rejected", str(error))
    except SnapshotStoreError as error:
        return Start(Memory(), None, expected, "unavailable", str(error))
    expected += snapshot.positions
    if snapshot.saved is None:
        return Start(Memory(), None, expected)
    return Start(Memory(snapshot.saved), snapshot.saved.bookmark, expected, "used")
