"""F19: the log in a file, after kill -9 and power cuts at every change of the file: what was told is there.

Two seeds are two deaths at each change, one of each kind;
`F19_SEEDS=20 python -m pytest tests/services/eventlog/test_sqlite_crashes.py` is a campaign of some 2,000.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from itertools import accumulate
from operator import lt
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from services.eventlog.judge import genesis
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.crashes import ENDS, PARTITIONS
from tests.services.eventlog.disk import Disk
from tests.services.eventlog.records import HOUSE, Pen, header_of
from tests.services.eventlog.worlds import acknowledged, counted

ROOT: Final = Path(__file__).resolve().parents[3]
SEEDS: Final = int(os.environ.get("F19_SEEDS", "2"))
WHOLE: Final = frozenset(accumulate((0, 1, 2, 2, 1, 2, 2)))
"""How many records a partition has between its batches: a claim and twice two records, and all that once more."""


BATCH: Final = 2
"""How many records of a partition one append brings."""


class Death(NamedTuple):
    """How a process ended, and what its log was found to hold; numbers are those of each partition's records."""

    end: str
    survived: bool
    told: list[int]
    found: list[int]
    goes_on: bool


@pytest.fixture(scope="module")
def deaths(tmp_path_factory: pytest.TempPathFactory) -> list[Death]:
    """Let processes die, and look at what each has left."""
    disk = Disk(lambda _: None)
    try:
        return [death for seed in range(SEEDS) for death in died(tmp_path_factory.mktemp("deaths"), seed)]
    finally:
        disk.unregister()


def died(folder: Path, seed: int) -> list[Death]:
    """Return the deaths of one seed."""
    command = (sys.executable, "-m", "tests.services.eventlog.crashes", str(folder), str(seed))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own.
    assert not done.returncode, done.stderr
    return [asyncio.run(examined(**json.loads(line))) for line in done.stdout.splitlines()]


async def examined(path: str, end: str, told: list[tuple[int, int]], *, survived: bool) -> Death:
    """Read the log that a process has left, and write on behind it."""
    log = SqliteLog(Path(path), HOUSE, header_of)
    found, goes_on = [], []
    for partition in range(PARTITIONS):
        entries = await counted(log, partition)
        pen = Pen(entries[-1][0].position if entries else genesis(HOUSE, partition))
        goes_on += acknowledged(await log.append(partition, [pen.claim(), pen.record()]))
        found.append(len(entries))
    await log.close()
    numbers = [sum(each == partition for each, _ in told) for partition in range(PARTITIONS)]
    return Death(end, survived, numbers, found, all(goes_on))


def test_what_was_acknowledged_is_there(deaths: list[Death]) -> None:
    """F19: whatever the change at which the process ended, and however it ended."""
    lost = [death for death in deaths if any(map(lt, death.found, death.told))]
    assert not lost


def test_commits_are_whole(deaths: list[Death]) -> None:
    """F19: of a batch that was not acknowledged either everything is there or nothing, and no later one."""
    assert {found for death in deaths for found in death.found} <= WHOLE
    assert max(found - told for death in deaths for found, told in zip(death.found, death.told, strict=True)) <= BATCH


def test_the_log_goes_on(deaths: list[Death]) -> None:
    """F19: the next owner opens an epoch behind what is there, and appends."""
    assert all(death.goes_on for death in deaths)


def test_the_deaths_bite(deaths: list[Death]) -> None:
    """F19: many died in each way, of what nobody was told some was kept and some lost, and one came through."""
    died = [death for death in deaths if not death.survived]
    assert sum(death.survived for death in deaths) == SEEDS
    assert {(death.end, sum(death.found) > sum(death.told)) for death in died} > {(end, False) for end in ENDS}
    assert min(sum(death.end == end for death in died) for end in ENDS) > 25 * SEEDS
