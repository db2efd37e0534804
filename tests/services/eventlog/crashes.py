"""F19: a process that appends to a log in a file and dies at a chosen change of the file, by kill -9 or a power cut.

`python -m tests.services.eventlog.crashes FOLDER SEED` lets one die at each change, and tells for each, in a line of
JSON, in which file that was and what had been acknowledged by then. It forks for each, so that each is a process.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from services.eventlog.judge import genesis
from services.eventlog.ports import Acknowledged
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.disk import Disk, Operation
from tests.services.eventlog.records import HOUSE, Pen, header_of

ENDS: Final = ("killed", "power cut")
PARTITIONS: Final = 2


def main(folder: Path, seed: int) -> None:
    """Let a process die at each change of the file, in one way or the other, until one comes through alive."""
    for point in count(1):
        path, end = folder / f"{seed}-{point}.log", ENDS[(seed + point) % len(ENDS)]
        survived, told = _life(path, point, end, seed)
        sys.stdout.write(f"{json.dumps({'path': str(path), 'end': end, 'survived': survived, 'told': told})}\n")
        sys.stdout.flush()
        if survived:
            return


def _life(path: Path, point: int, end: str, seed: int) -> tuple[bool, list[list[int]]]:
    """Return whether a process came through, and the (partition, sequence) that it was told were acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _meet(path, point, end, seed, writing)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = [[int(word) for word in line.split()] for line in lines]
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or not status, f"the child failed with status {status}"
    return not status, told


def _meet(path: Path, point: int, end: str, seed: int, writing: int) -> None:
    """Live in the forked process: die at the change with number `point`, or exit at the end."""
    changes = count(1)

    def before(operation: Operation) -> None:
        if operation != "read" and next(changes) == point:
            if end == "power cut":
                disk.lose_power(Random(f"{seed} {point}"))
            os.kill(os.getpid(), signal.SIGKILL)

    disk = Disk(before)
    asyncio.run(_work(path, writing))
    sys.exit()


async def _work(path: Path, writing: int) -> None:
    """Append to two partitions, close the log, open it again and go on; tell what is acknowledged at once."""
    pens = [Pen(genesis(HOUSE, partition)) for partition in range(PARTITIONS)]
    for _ in range(2):
        log = SqliteLog(path, HOUSE, header_of)
        await asyncio.gather(*(_append(log, partition, [pen.claim()], writing) for partition, pen in enumerate(pens)))
        for size in (10, 3000):
            batches = [[pen.record(bytes(size)), pen.record(bytes(2 * size))] for pen in pens]
            await asyncio.gather(*(_append(log, partition, batch, writing) for partition, batch in enumerate(batches)))
        await log.close()


async def _append(log: SqliteLog, partition: int, records: list[bytes], writing: int) -> None:
    """Append a batch and tell what was acknowledged."""
    for outcome in await log.append(partition, records):
        assert isinstance(outcome, Acknowledged)
        os.write(writing, f"{partition} {outcome.position.sequence}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
