"""The simulated store of snapshots: one for all processes, in memory, with misfortunes of its own.

A `SnapshotShelf` is what is stored, and promises what a store must: a later entry is never replaced by an older one. A
`SimulatedSnapshots` is one process's way to it, as `SimulatedLog` is to a log: what it puts may take a while, may land
in part, and its caller may not be told that it landed. A process that dies between two entries leaves it just so.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from services.eventlog.judge import Position
from services.eventlog.snapshot_rows import Entry
from services.eventlog.snapshots import SnapshotStoreError


class SnapshotShelf:
    """What is stored, of all partitions."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.entries: defaultdict[int, dict[str, tuple[int, bytes]]] = defaultdict(dict)
        self.tally: Counter[str] = Counter()
        """How often what a run is meant to meet was met."""

    def land(self, partition: int, entry: Entry) -> None:
        """Store an entry, unless a later one is there."""
        kept = self.entries[partition].get(entry.key)
        if kept is not None and kept[0] > entry.sequence:
            self.tally["older row kept out"] += 1
            return
        self.entries[partition][entry.key] = (entry.sequence, entry.stored())


class SimulatedSnapshots:
    """One process's way to what is stored."""

    def __init__(self, shelf: SnapshotShelf, chance: Random | None = None, share: float = 0.0) -> None:
        """Meet a misfortune in this share of calls; without `chance` all goes well at once."""
        self.shelf, self.chance, self.share = shelf, chance, share

    async def load(self, partition: int) -> Mapping[str, bytes]:
        """See `SnapshotStore.load`."""
        await self._reach()
        return {key: stored for key, (_, stored) in self.shelf.entries[partition].items()}

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """See `SnapshotStore.put`."""
        for entry in entries:
            await self._reach()
            self.shelf.land(partition, entry)
        await self._reach()

    async def clear(self, partition: int) -> None:
        """See `SnapshotStore.clear`."""
        await self._reach()
        self.shelf.entries[partition].clear()

    async def close(self) -> None:
        """See `SnapshotStore.close`."""

    async def _reach(self) -> None:
        """Get through to the store, if that is possible now."""
        if self.chance is None:
            return
        await asyncio.sleep(self.chance.choice((0.0, 0.0, 0.001, 0.02)))
        if self.chance.random() < self.share:
            msg = "the store cannot be reached"
            raise SnapshotStoreError(msg)


class AnchorShelf:
    """Anchors of all partitions, in memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self.positions: dict[int, Position] = {}

    async def load(self) -> Mapping[int, Position]:
        """See `Anchors.load`."""
        return dict(self.positions)

    async def keep(self, positions: Mapping[int, Position]) -> None:
        """See `Anchors.keep`."""
        for partition, position in positions.items():
            kept = self.positions.get(partition)
            if kept is None or position.sequence > kept.sequence:
                self.positions[partition] = position
