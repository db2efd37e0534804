"""F9: a broker that is stopped for a while, and answers that are late: unknown is treated as unknown.

`F9_PAUSES=20 python -m pytest tests/faults/test_f9_slow_brokers.py` is what `make faults` runs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from deploy.kafka.cluster import HOST, Cluster
from tests.faults.blows import served_since
from tests.faults.callers import Load, asking
from tests.faults.house import house_of
from tests.faults.verdicts import verdict_on, verify
from tests.services.kafka.proxy import Proxy

pytestmark = pytest.mark.xdist_group("processes")

PAUSES: Final = int(os.environ.get("F9_PAUSES", "1"))
PARTITIONS: Final = 2
CALLERS: Final = 12
AGAIN: Final = f"F9_PAUSES={PAUSES} python -m pytest tests/faults/test_f9_slow_brokers.py"
LONG_S: Final = 10.0
"""Longer than a record may take."""


def test_a_broker_that_stands_still_loses_nothing(breakable: Callable[[int], Cluster], tmp_path: Path) -> None:
    """F9, M9: what was under way is unknown, and is carried out once."""
    cluster, chance = breakable(1), Random("F9")
    (node,) = cluster.nodes

    async def story() -> None:
        with house_of(cluster.bootstrap, tmp_path, PARTITIONS) as house:
            house.start()
            async with asking(Load(house.paths, PARTITIONS, "F9"), CALLERS) as load:
                await served_since(load, 0, PARTITIONS)
                for turn in range(PAUSES):
                    os.kill(node.pid, signal.SIGSTOP)
                    await asyncio.sleep(chance.uniform(0.1, LONG_S) if turn else LONG_S)
                    os.kill(node.pid, signal.SIGCONT)
                    await served_since(load, time.monotonic(), PARTITIONS)
            verify(house, await verdict_on(house, load), [f"{PAUSES} pauses of the broker"], AGAIN)
            assert load.tally["unavailable"] + load.tally["silence"] > 0

    asyncio.run(story())


def test_late_answers_make_no_partial_command(own_kafka: Cluster, kafka_proxy: Proxy, tmp_path: Path) -> None:
    """F9, F10: what is delayed, swallowed or cut off, in both directions, is unknown and is carried out once."""

    async def story() -> None:
        with house_of(own_kafka.bootstrap, tmp_path, PARTITIONS) as house:
            house.start(bootstrap=f"{HOST}:{kafka_proxy.port}")
            async with asking(Load(house.paths, PARTITIONS, "F9 late"), CALLERS) as load:
                await served_since(load, 0, PARTITIONS)
                for turn in range(PAUSES):
                    await _disturb(kafka_proxy, Random(f"F9 {turn}"))
                    await served_since(load, time.monotonic(), PARTITIONS)
            verify(house, await verdict_on(house, load), [f"{PAUSES} rounds of bad network"], AGAIN)

    asyncio.run(story())


async def _disturb(proxy: Proxy, chance: Random) -> None:
    """Do each thing that networks do for a while, and heal."""
    for disturb in (
        lambda: proxy.delay(700, "answers"),
        lambda: proxy.delay(700, "requests"),
        lambda: proxy.black_hole("answers"),
        lambda: proxy.black_hole("requests"),
        lambda: proxy.trickle(1000),
        proxy.cut,
    ):
        await asyncio.to_thread(disturb)
        await asyncio.sleep(chance.uniform(0.2, 3.0))
        await asyncio.to_thread(proxy.heal)
        await asyncio.sleep(0.5)
