"""Which partitions a dealer serves, and who serves the others. A matter of liveness only: the judge keeps chips safe.

    assigned   a partition was given to this dealer: claim it, serve it, announce it
    fenced     another's claim counts: the writer ends; while the partition is still ours, claim it again, not at once
    taken      a partition was given to somebody else: nothing. It is served until the other has claimed it
    announced  somebody serves a partition in an epoch: remember the highest; an announcement of ours that is not what
               everybody heard last is repeated, but not before what is there already has been heard
    corrupt    the log of a partition is damaged, or we made a mistake: it stays closed, for good, and the others go on

A writer begins with the latest snapshot and knows what the log must have (`opening.py`); while it serves, snapshots are
taken of it and its position is anchored.

Whoever spreads partitions over dealers (Kafka's consumer group) may be slow, wrong, or of two minds. If it gives one
partition to two dealers, both claim; one claim counts, the other dealer is fenced and waits before it claims again, so
that the first gets something done meanwhile. If it gives one to nobody, it is unserved until that changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import msgspec

from services.eventlog.anchors import Anchors, AnchorsUnusableError, keep_anchors
from services.eventlog.judge import Position
from services.eventlog.opening import start_from
from services.eventlog.reader import Apply, Counted
from services.eventlog.requests import FencedError
from services.eventlog.snapshots import Snapshots, SnapshotStore
from services.eventlog.writer import PartitionWriter, World

RECLAIM_MS: Final = 3_000
"""A dealer that was fenced leaves the partition to the other for so long, and up to `JITTER_MS` more."""
JITTER_MS: Final = 1_000
TEND_MS: Final = 1_000
"""How often a dealer looks whether everybody has been told what it serves."""

ListenerOf: TypeAlias = Callable[[int], Apply]
"""Returns who is told of the records of a partition."""
Announce: TypeAlias = Callable[[int, "Owner"], None]
"""Tells everybody who serves a partition."""
Halted: TypeAlias = Callable[[int, Exception], None]
"""Is told that a partition stays closed, and why: an alarm."""
Alarm: TypeAlias = Callable[[str], None]
"""Is told what an operator must look into although everything goes on."""


class Owner(msgspec.Struct, frozen=True, gc=False):
    """Who serves a partition."""

    epoch: int
    address: str
    """Where the dealer takes requests."""


class Partner(msgspec.Struct, frozen=True):
    """What a dealer has and does, beside owning partitions."""

    address: str
    """Where this dealer takes requests."""
    snapshots: SnapshotStore
    anchors: Anchors
    listener_of: ListenerOf
    announce: Announce
    halted: Halted
    alarm: Alarm


class Ownership:
    """The partitions of one dealer, while `run` is running."""

    def __init__(self, world: World, house: str, partner: Partner) -> None:
        """Own nothing yet."""
        self._world, self._house, self._partner = world, house, partner
        self._assigned: frozenset[int] = frozenset()
        self._writers: dict[int, PartitionWriter] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._owners: dict[int, Owner] = {}
        self._covered: set[int] = set()
        """The partitions of which an older announcement than that of `_owners` was heard last."""
        self._halted: dict[int, Exception] = {}
        self._given = asyncio.Event()
        """Set, and replaced, whenever partitions are given anew."""
        self._ended = False

    @property
    def owners(self) -> Mapping[int, Owner]:
        """Who serves which partition, as far as it is known here."""
        return self._owners

    @property
    def halted(self) -> Mapping[int, Exception]:
        """The partitions that stay closed, and why."""
        return self._halted

    def writer(self, partition: int) -> PartitionWriter | None:
        """Return the writer of a partition if it takes requests here."""
        writer = self._writers.get(partition)
        return writer if writer is not None and writer.serving.is_set() else None

    def positions(self) -> Mapping[int, Position]:
        """Return how far the partitions are confirmed that are served here."""
        return {writer.partition: writer.position for writer in self._serving()}

    def assigned(self, partitions: Iterable[int]) -> None:
        """Hear which partitions are given to this dealer now; those that it had and has no more are not given up."""
        self._assigned = frozenset(partitions)
        self._given.set()
        self._given = asyncio.Event()
        claimed = frozenset() if self._ended else self._assigned - self._tasks.keys() - self._halted.keys()
        for partition in sorted(claimed):
            self._tasks[partition] = asyncio.create_task(self._own(partition), name=f"partition {partition}")

    def announced(self, partition: int, owner: Owner) -> None:
        """Hear who serves a partition. A lower epoch never replaces a higher one."""
        known = self._owners.get(partition)
        if known is None or owner.epoch >= known.epoch:
            self._owners[partition] = owner
            self._covered.discard(partition)
        else:
            self._covered.add(partition)
        writer = self.writer(partition)
        if writer is not None and owner.epoch > writer.position.epoch:
            writer.doubt()

    def doubted(self, partition: int) -> None:
        """Hear that something in a partition is not this dealer's: another's claim, or damage. Its writer will look."""
        writer = self._writers.get(partition)
        if writer is not None:
            writer.doubt()

    async def run(self) -> None:
        """Own what is assigned, until this is cancelled; then give everything up."""
        partner, scheduler = self._partner, self._world.scheduler
        keeping = keep_anchors(partner.anchors, self.positions, scheduler, lambda error: partner.alarm(str(error)))
        anchoring = asyncio.create_task(keeping, name="anchors")
        try:
            while True:
                await scheduler.sleep(TEND_MS)
                self._tend()
        finally:
            self._ended = True
            tasks = [anchoring, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _tend(self) -> None:
        """Announce what is served and not known to be, by who has heard all or who hears the last announcement only.

        Never more often, or each time that the announcements of years are read again, as many more would be made.
        """
        for writer in self._serving():
            ours = self._self_in(writer.position.epoch)
            if writer.partition in self._covered or self._owners.get(writer.partition) != ours:
                self._announce(writer.partition, ours.epoch)

    def _serving(self) -> list[PartitionWriter]:
        """Return the writers that take requests."""
        return [writer for writer in self._writers.values() if writer.serving.is_set()]

    def _announce(self, partition: int, epoch: int) -> None:
        self._partner.announce(partition, self._self_in(epoch))

    def _self_in(self, epoch: int) -> Owner:
        return Owner(epoch, self._partner.address)

    async def _own(self, partition: int) -> None:
        """Serve a partition, again and again, as long as it is assigned."""
        try:
            while partition in self._assigned:
                try:
                    await self._served(partition)
                except AnchorsUnusableError as error:
                    self._partner.alarm(f"partition {partition} is not opened: {error}")
                await self._waited()
        except Exception as error:  # noqa: BLE001 - damage, or a mistake of ours: one partition stays closed, no more.
            self._halted[partition] = error
            self._partner.halted(partition, error)
        finally:
            del self._tasks[partition]

    async def _served(self, partition: int) -> None:
        """Serve a partition until another does."""
        async with self._writer_of(partition) as writer:
            writer.opened = lambda epoch: self._announce(partition, epoch)
            self._writers[partition] = writer
            try:
                await writer.run()
            except FencedError:
                pass  # The other serves it now.
            finally:
                del self._writers[partition]

    @asynccontextmanager
    async def _writer_of(self, partition: int) -> AsyncIterator[PartitionWriter]:
        """Yield a writer that begins with the latest snapshot, and take snapshots of it meanwhile."""
        store, listener = self._partner.snapshots, self._partner.listener_of(partition)
        start = await start_from(store, self._partner.anchors, self._house, partition)
        snapshots = Snapshots(store, start.memory, self._house, partition)

        def told(counted: Counted) -> None:
            listener(counted)
            snapshots.changed(counted)

        writer = PartitionWriter(self._world, self._house, partition, told, start)
        taking = asyncio.create_task(self._snapshots_taken(snapshots, writer), name=f"snapshots {partition}")
        try:
            yield writer
        finally:
            taking.cancel()

    async def _snapshots_taken(self, snapshots: Snapshots, writer: PartitionWriter) -> None:
        """Take snapshots once the writer has served: before, the owner before it may still take some, of later states.

        Were both to write, rows from a replay would take the place of later ones, under a later manifest.
        """
        await writer.serving.wait()
        try:
            await snapshots.run(self._world.scheduler)
        except Exception as error:  # noqa: BLE001 - a mistake of ours in what is only a cache stops nobody.
            self._partner.alarm(f"no more snapshots are taken of partition {writer.partition}: {error!r}")

    async def _waited(self) -> None:
        """Return when a partition may be claimed again: after some time, or when partitions are given anew."""
        jitter_ms = int.from_bytes(self._world.chance.draw(2)) % JITTER_MS
        given = asyncio.create_task(self._given.wait())
        waited = asyncio.create_task(self._world.scheduler.sleep(RECLAIM_MS + jitter_ms))
        try:
            await asyncio.wait((given, waited), return_when=asyncio.FIRST_COMPLETED)
        finally:
            given.cancel()
            waited.cancel()
