"""Snapshots: a cache of confirmed state, so that opening a partition does not cost a replay of its whole past.

    rows       one per aggregate, as it was in the confirmed state at the row's own position
    manifest   one per partition: the bookmark from which the log is replayed over the rows; written last

They are taken while the writer serves, one pass after the other, and so the rows of a pass are from different moments.
A pass notes the confirmed bookmark, then writes every aggregate that has changed since it was last written, each as it
is when its turn comes, and then the manifest with the bookmark that was noted. Two things follow, wherever a pass ends:

* Every row is as its aggregate was at the manifest's bookmark, or later. Whatever changed before the bookmark was to be
  written, and whatever was not to be written has not changed since its row.
* So replay begins at the bookmark, and a record is skipped for those aggregates whose row has a position that is not
  before it (`memory.py`). What comes out is what a replay from the beginning gives.

Stores are shared, and an owner that was replaced may still be writing. Its rows are true for their positions but older,
so a store never lets an older row replace a later one, and likewise with manifests: that is all it must see to.

A snapshot that is damaged or of another schema is thrown away whole, and the log is replayed from the beginning (R6).
One that is valid says what the log once held: if the log now ends before it, or has something else there, acknowledged
records are gone. Then the partition does not open (`opening.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, Protocol

import msgspec

from services.eventlog.judge import Position
from services.eventlog.memory import Known, Memory, Saved, addresses_of
from services.eventlog.ports import Bookmark, Scheduler
from services.eventlog.reader import Counted
from services.eventlog.snapshot_rows import (
    MANIFEST,
    Entry,
    Manifest,
    SnapshotRejectedError,
    manifest_entry,
    manifest_in,
    row_entry,
    row_in,
)

PASS_RECORDS: Final = 10_000
"""A pass begins when so many records have counted since the last one: about so many are replayed at a restart, which
takes a part of a second. More often would write busy tables again and again."""

PASS_MS: Final = 60_000
"""A pass begins at the latest after so long, if anything has changed: who restarts an idle house finds it all."""

ROWS_AT_ONCE: Final = 100
"""So many rows are made before the event loop has its turn again: well under a millisecond for tables and accounts. The
largest tournament takes three, on its own."""


class SnapshotStoreError(Exception):
    """The store cannot be used now; the next pass tries again."""


class SnapshotsLostError(SnapshotStoreError):
    """What the store had of the partition is gone; the next pass must write all of it."""


class SnapshotStore(Protocol):
    """Where snapshots are kept, beside the log. Losing it costs time, no money."""

    async def load(self, partition: int) -> Mapping[str, bytes]:
        """Return what is stored of a partition, by keys: for each the entry with the highest sequence.

        Raises:
            SnapshotStoreError: It cannot be read now, or not in time.
        """

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """Store entries (`Entry.stored`), each in place of an older one of its key, but never of a later one.

        When this returns they are stored; entries of later calls never are without those of earlier ones.

        Raises:
            SnapshotsLostError: What was stored before is gone.
            SnapshotStoreError: Any of them may be missing.
        """

    async def clear(self, partition: int) -> None:
        """Throw away what is stored of a partition.

        Raises:
            SnapshotStoreError: Some of it may still be there.
        """

    async def close(self) -> None:
        """Let go of everything; may be called twice."""


class Snapshot(msgspec.Struct, frozen=True):
    """A snapshot that was loaded."""

    saved: Saved | None
    """None if no snapshot is complete yet."""
    positions: tuple[Position, ...]
    """Those of its rows that lie behind its bookmark: the log had them once, so it must have them still."""


async def loaded(store: SnapshotStore, house: str, partition: int) -> Snapshot:
    """Return the snapshot of a partition.

    Raises:
        SnapshotRejectedError: It is damaged, of another schema, or another house's.
        SnapshotStoreError: The store cannot be read.
    """
    stored = dict(await store.load(partition))
    content = stored.pop(MANIFEST, None)
    known, positions = await _rows_in(stored)
    if content is None:
        return Snapshot(None, tuple(positions.values()))
    manifest = manifest_in(content)
    if (manifest.house, manifest.partition) != (house, partition):
        msg = f"it is of partition {manifest.partition} of {manifest.house}"
        raise SnapshotRejectedError(msg)
    if len(known) < manifest.rows:
        msg = f"it has {len(known)} rows instead of {manifest.rows}"
        raise SnapshotRejectedError(msg)
    begun = manifest.bookmark.position.sequence
    ahead = {address: position for address, position in positions.items() if position.sequence > begun}
    sequences = {address: position.sequence for address, position in ahead.items()}
    return Snapshot(Saved(manifest.bookmark, manifest.at_ms, known, sequences), tuple(ahead.values()))


async def _rows_in(stored: Mapping[str, bytes]) -> tuple[dict[str, Known], dict[str, Position]]:
    """Return what rows say of aggregates, and at which positions, letting others have their turn on the way.

    Raises:
        SnapshotRejectedError: A row is damaged or of another schema.
    """
    known, positions = dict[str, Known](), dict[str, Position]()
    for address, content in stored.items():
        row, known[address] = row_in(content)
        positions[address] = row.position
        if row.address != address:
            msg = f"the row of {row.address} is where that of {address} should be"
            raise SnapshotRejectedError(msg)
        if not len(known) % ROWS_AT_ONCE:
            await asyncio.sleep(0)
    return known, positions


class Snapshots:
    """Takes the snapshots of one partition, of which this process is the owner or was."""

    def __init__(self, store: SnapshotStore, memory: Memory, house: str, partition: int) -> None:
        """Know what is confirmed by the memory of the writer, each record of which `changed` must hear of."""
        self.taken = 0
        """How many snapshots are complete."""
        self.failed = 0
        """How many were given up, because the store could not be used."""
        self._store, self._memory, self._house, self._partition = store, memory, house, partition
        self._changed: dict[str, None] = {}
        """The aggregates that are not stored as they are, longest ago first."""
        self._records = 0
        """How many records have counted since the last pass began."""
        self._due = asyncio.Event()

    def changed(self, counted: Counted) -> None:
        """Hear of a record that has taken effect."""
        self._changed.update(dict.fromkeys(addresses_of(counted.envelope)))
        self._records += 1
        if self._records == PASS_RECORDS:
            self._due.set()

    async def run(self, scheduler: Scheduler) -> None:
        """Take snapshots for ever, when they are due."""
        while True:
            timer = scheduler.after(PASS_MS, self._due.set)
            await self._due.wait()
            timer.cancel()
            with suppress(SnapshotStoreError):
                await self.take()

    async def take(self) -> None:
        """Take a snapshot now, if anything has changed.

        Raises:
            SnapshotStoreError: It could not be stored. What is there is as good as before.
        """
        self._due.clear()
        self._records = 0
        if not self._changed:
            return
        changed, self._changed = self._changed, {}
        try:
            await self._write(changed)
        except BaseException as error:
            self.failed += isinstance(error, SnapshotStoreError)
            lost = isinstance(error, SnapshotsLostError)
            self._changed = dict.fromkeys(self._memory) if lost else changed | self._changed
            raise
        self.taken += 1

    async def _write(self, changed: Mapping[str, None]) -> None:
        """Write the rows of what has changed, and then the manifest.

        Raises:
            SnapshotStoreError: It could not be stored.
        """
        manifest = Manifest(self._house, self._partition, self._bookmark(), self._memory.at_ms, len(self._memory))
        turns = iter(changed)
        while entries := list(islice(self._rows(turns), ROWS_AT_ONCE)):
            await self._store.put(self._partition, entries)
        await self._store.put(self._partition, [manifest_entry(manifest)])

    def _rows(self, turns: Iterator[str]) -> Iterator[Entry]:
        for address in turns:
            yield row_entry(address, self._memory.known(address), self._bookmark().position)

    def _bookmark(self) -> Bookmark:
        assert self._memory.bookmark is not None, "what has changed was changed by a record"
        return self._memory.bookmark
