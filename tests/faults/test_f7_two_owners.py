"""F7: two dealers that both take the same partitions to be theirs.

`F7_SECONDS=60 python -m pytest tests/faults/test_f7_two_owners.py` is what `make faults` runs.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

import pytest

from tests.faults.blows import served_since
from tests.faults.callers import Load, asking
from tests.faults.house import house_of
from tests.faults.verdicts import verdict_on, verify

pytestmark = pytest.mark.xdist_group("processes")

SECONDS: Final = int(os.environ.get("F7_SECONDS", "12"))
PARTITIONS: Final = 2
CALLERS: Final = 12


def test_exactly_one_acknowledges_each_sequence(kafka_bootstrap: str, tmp_path: Path) -> None:
    """F7, M8, M11: however often they take a partition from each other, everything heard could have been (I1, I2)."""

    async def story() -> None:
        with house_of(kafka_bootstrap, tmp_path, PARTITIONS) as house:
            for _ in range(2):
                house.start(forced=tuple(range(PARTITIONS)))
            async with asking(Load(house.paths, PARTITIONS, "F7"), CALLERS) as load:
                await served_since(load, 0, PARTITIONS)
                await asyncio.sleep(SECONDS)
            verdict = await verdict_on(house, load)
            again = f"F7_SECONDS={SECONDS} python -m pytest tests/faults/test_f7_two_owners.py"
            verify(house, verdict, ["two dealers were forced to own the same partitions"], again)
            assert verdict.takeovers > 2 * PARTITIONS
            assert verdict.void["old_epoch"] + verdict.void["late_claim"] > 0

    asyncio.run(story())
