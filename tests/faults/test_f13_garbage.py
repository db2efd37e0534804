"""F13, T-KAF-3: what is no record, in a partition that a dealer serves: that partition is closed, the other goes on."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

import pytest

from deploy.kafka.launch import within
from tests.faults.blows import AWAY_S_MAX, served_since
from tests.faults.callers import Load, asking
from tests.faults.house import Dealer, house_of
from tests.services.kafka.houses import put

pytestmark = pytest.mark.xdist_group("processes")

WATCHED_S: Final = 3.0
CORE_SHARE_MAX: Final = 0.5


@pytest.mark.parametrize("garbage", [b"\xff" * 40, b"", bytes(70_000)], ids=["random", "empty", "oversize"])
def test_garbage_closes_one_partition(kafka_bootstrap: str, tmp_path: Path, garbage: bytes) -> None:
    """F13: it is an alarm that says where and why; what is in the other partition goes on; nothing spins."""

    async def story() -> None:
        with house_of(kafka_bootstrap, tmp_path, 2) as house:
            dealer = house.start(forced=(0, 1))
            async with asking(Load(house.paths, 2, "F13", only=1), 4) as load:
                await served_since(load, 0, 1)
                put(house.settings, 0, garbage)
                assert await asyncio.to_thread(within, AWAY_S_MAX, lambda: bool(house.halted()))
                assert "partition 0 is corrupt at offset" in house.halted()[0]
                await served_since(load, time.monotonic(), 1)
            assert await _share_of_core(dealer) < CORE_SHARE_MAX

    asyncio.run(story())


async def _share_of_core(dealer: Dealer) -> float:
    """Return how much of a core a dealer's processes use when nobody asks anything."""
    before = dealer.processor_s()
    await asyncio.sleep(WATCHED_S)
    return (dealer.processor_s() - before) / WATCHED_S
