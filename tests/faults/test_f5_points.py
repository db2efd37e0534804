"""F5: kill -9 of a dealer and its log process at each named point of their work, under load.

`F5_TIMES=5 python -m pytest tests/faults/test_f5_points.py` is what `make faults` runs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest

from deploy.kafka.launch import within
from tests.faults.blows import AWAY_S_MAX, served_since
from tests.faults.callers import Load, asking
from tests.faults.house import House, house_of
from tests.faults.points import POINTS, Point
from tests.faults.verdicts import verdict_on, verify

TIMES: Final = int(os.environ.get("F5_TIMES", "1"))
PARTITIONS: Final = 2
CALLERS: Final = 12
ALL: Final = tuple(range(PARTITIONS))


@pytest.mark.xdist_group("processes")
def test_death_at_any_point_loses_and_doubles_nothing(kafka_bootstrap: str, tmp_path: Path) -> None:
    """F5: each dealer dies at its point, the next goes on; what was heard could have been; no point is left out."""
    chance, reached = Random("F5"), Counter[Point]()

    async def story() -> None:
        with house_of(kafka_bootstrap, tmp_path, PARTITIONS) as house:
            async with asking(Load(house.paths, PARTITIONS, "F5"), CALLERS) as load:
                for point in POINTS * TIMES:
                    await _die(house, point, chance)
                    reached[point] += 1
                house.start(forced=ALL)
                await served_since(load, time.monotonic(), PARTITIONS)
            again = f"F5_TIMES={TIMES} python -m pytest tests/faults/test_f5_points.py"
            verify(house, await verdict_on(house, load), POINTS * TIMES, again)

    asyncio.run(story())
    assert reached == dict.fromkeys(POINTS, TIMES)


async def _die(house: House, point: Point, chance: Random) -> None:
    """Let a dealer live until it dies at a point."""
    often = 1 if "claim" in point or "snapshot" in point else chance.randrange(2, 200)
    dealer = house.start(forced=ALL, dies_at=point, dies_in=often)
    assert await asyncio.to_thread(within, AWAY_S_MAX, lambda: not dealer.is_alive), f"{point} was never reached"
    assert dealer.exit_code == -signal.SIGKILL, dealer.errors.read_text()
