"""F5: named points of a dealer's work at which its processes are killed, all together, with kill -9.

The points lie between the writer and its ports, so they are reached by standing in place of a port: the log before
and after an append, the store of snapshots, and in the log process the place where outcomes are told.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from services.eventlog.envelope import header_of
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.ports import Outcome
from services.eventlog.snapshot_rows import MANIFEST, Entry
from services.eventlog.snapshots import SnapshotStore

Point: TypeAlias = Literal[
    "before append",
    "append sent, not acknowledged by the broker",
    "acknowledged by the broker, not read back",
    "read back, not replied",
    "claim not sent",
    "claim sent, not read back",
    "claim read back, not served",
    "snapshot: between rows and manifest",
    "snapshot: manifest not acknowledged",
]
POINTS: Final[tuple[Point, ...]] = get_args(Point)
SENT_S: Final = 0.0005
"""After so long a frame has left for the log process, and most likely for the broker; it answers in milliseconds."""


def die() -> None:
    """Kill this process and its children."""
    own = os.getpid()
    for pid in Path(f"/proc/{own}/task/{own}/children").read_text().split():
        os.kill(int(pid), signal.SIGKILL)
    os.kill(own, signal.SIGKILL)


class DeadlyLog:
    """A log whose dealer dies at a point, when it comes there for the `turn`th time."""

    def __init__(self, log: KafkaLog, point: Point, turn: int) -> None:
        """Stand before `log`."""
        self.end, self.read, self.close, self.follow = log.end, log.read, log.close, log.follow
        self._log, self._point, self._turns = log, point, turn

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """See `Log.append`."""
        claims = header_of(records[0]).claim is not None
        self._reached("claim not sent" if claims else "before append")
        appending = asyncio.create_task(self._append(partition, records))
        await asyncio.sleep(SENT_S)
        self._reached("claim sent, not read back" if claims else "append sent, not acknowledged by the broker")
        outcomes = await appending
        self._reached("claim read back, not served" if claims else "read back, not replied")
        return outcomes

    async def _append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        return await self._log.append(partition, records)

    def _reached(self, point: Point) -> None:
        if point == self._point:
            self._turns -= 1
            if not self._turns:
                die()


class DeadlyStore:
    """A store of snapshots whose dealer dies at a point."""

    def __init__(self, store: SnapshotStore, point: Point) -> None:
        """Stand before `store`."""
        self.load, self.clear, self.close = store.load, store.clear, store.close
        self._store, self._point = store, point

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """See `SnapshotStore.put`."""
        is_manifest = entries[0].key == MANIFEST
        if is_manifest and self._point == "snapshot: between rows and manifest":
            die()
        putting = asyncio.create_task(self._put(partition, entries))
        await asyncio.sleep(0)
        if is_manifest and self._point == "snapshot: manifest not acknowledged":
            die()
        await putting

    async def _put(self, partition: int, entries: Sequence[Entry]) -> None:
        await self._store.put(partition, entries)


def dying_at_read_back(settle: Callable[..., None], turn: int) -> Callable[..., None]:
    """Return what a log process calls in place of telling outcomes: it kills itself and its dealer instead."""
    turns = iter(range(turn))

    def told(tickets: Any, partition: int, read: Sequence[Any]) -> None:  # noqa: ANN401 - the method that it replaces.
        if read and next(turns, None) is None:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        settle(tickets, partition, read)

    return told
