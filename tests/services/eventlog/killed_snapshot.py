"""F5, "while writing a snapshot": a process that serves a log in a file and is killed at a named point of a pass.

`python -m tests.services.eventlog.killed_snapshot LOG POINT` opens the partition from what the life before has left,
lets every account have something, takes a snapshot, and dies before its entries numbered POINT // 2 are put (POINT is
even), or right behind them (odd). There are three calls with rows before the one with the manifest.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.account.commands import Deposit, OpenAccount
from services.eventlog.requests import Request
from services.eventlog.snapshot_file import SnapshotFile
from services.eventlog.snapshot_rows import Entry
from services.eventlog.snapshots import ROWS_AT_ONCE
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.cached import cached
from tests.services.eventlog.owners import on_file

ACCOUNTS: Final = 2 * ROWS_AT_ONCE + 50
POINTS: Final = ("rows", "rows", "rows", "manifest")
"""What is put, call by call."""


class DeadlyFile(SnapshotFile):
    """A file of snapshots at which the process dies."""

    def __init__(self, path: Path, point: int) -> None:
        """Die at a point."""
        super().__init__(path)
        self._left = point

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """See `SnapshotStore.put`."""
        self._pass_point()
        await super().put(partition, entries)
        self._pass_point()

    def _pass_point(self) -> None:
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1


async def live(log: SqliteLog, store: SnapshotFile) -> None:
    """Let every account have something more, and take a snapshot."""
    async with cached(log, store) as life:
        requests = [_request(number, life.writer.confirmed(f"account/P{number}").version) for number in range(ACCOUNTS)]
        await asyncio.gather(*(life.writer.submit(request) for request in requests))
        await life.snapshots.take()


def _request(number: int, version: int) -> Request:
    command = Deposit("USD", version, "cash") if version else OpenAccount(f"P{number}")
    return Request(f"account/P{number}", command, f"{number}/{version}")


if __name__ == "__main__":
    snapshots = DeadlyFile(Path(f"{sys.argv[1]}.snapshots"), int(sys.argv[2]))
    on_file(Path(sys.argv[1]), lambda log: live(log, snapshots))
