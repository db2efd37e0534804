"""A small F4: kill -9 of a process with a writer under load, again and again on the same log.

`F4_KILLS=200 python -m pytest tests/services/eventlog/test_killed_writer.py` is a campaign.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.owners import on_file
from tests.services.eventlog.records import HOUSE, PARTITION

ROOT: Final = Path(__file__).resolve().parents[3]
KILLS: Final = int(os.environ.get("F4_KILLS", "6"))


def life(path: Path, alive_s: float) -> list[dict[str, Any]]:
    """Return what was acknowledged in the life of a process that is killed in the middle of its work."""
    command = (sys.executable, "-m", "tests.services.eventlog.killed_writer", str(path))
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, cwd=ROOT, env=known, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own.
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(alive_s)
        process.kill()
        lines = [first, *process.stdout.readlines()]
    return [json.loads(line) for line in lines if line.endswith("}\n")]


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], list[Counted]]:
    """Return what was acknowledged in all lives, and what counts in the log that they leave."""
    path, chance = tmp_path_factory.mktemp("killed") / "events.log", Random("F4")
    told = [line for _ in range(KILLS) for line in life(path, chance.uniform(0, 0.3))]
    found: list[Counted] = []

    async def read(log: SqliteLog) -> None:
        await PartitionReader(log, HOUSE, PARTITION).read_on(await log.end(PARTITION), found.append)

    on_file(path, read)
    return told, found


def test_what_was_acknowledged_is_there(lives: tuple[list[dict[str, Any]], list[Counted]]) -> None:
    """I1, T-IDEM-3: at the sequence that was told, with the result that was told."""
    told, found = lives
    for line in told:
        envelope = found[line["sequence"] - 1].envelope
        assert (envelope.command_id, envelope.result.decode()) == (line["id"], line["result"])


def test_nothing_has_happened_twice(lives: tuple[list[dict[str, Any]], list[Counted]]) -> None:
    """I2, M13: whatever was sent again."""
    _, found = lives
    ids = Counter(each.envelope.command_id for each in found if each.envelope.command_id)
    assert max(ids.values()) == 1


def test_the_kills_bite(lives: tuple[list[dict[str, Any]], list[Counted]]) -> None:
    """F4: each life opened an epoch, and requests were repeated that an earlier life had acknowledged."""
    told, found = lives
    assert found[-1].bookmark.position.epoch == KILLS
    assert max(Counter(line["id"] for line in told).values()) > 1
    assert len(found) > 20 * KILLS
