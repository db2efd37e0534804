"""What is done to a dealer's processes, one after the other, under load, and how long its partitions are away for it.

After each blow every partition must acknowledge something again (I14). What was stopped goes on after that, so that it
wakes when others serve its partitions, which is when a process does harm if it can; what was killed is replaced.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import pytest

from tests.faults.callers import Load
from tests.faults.house import Dealer, House, Part

LATE_S: Final = 0.5
"""What was acknowledged before a blow is heard of within so long."""
AWAY_S_MAX: Final = 60
"""Four times what is promised (P5)."""
PARTS: Final[tuple[Part, ...]] = ("dealer", "log", "both")


class Blow(NamedTuple):
    """What is done to some dealer."""

    part: Part
    number: signal.Signals
    """SIGSTOP, SIGKILL; SIGTERM lets the dealer leave in good order."""
    asleep_s: float = 0.0
    """How long it stays stopped after its partitions are served again."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"{self.number.name} of {self.part}"


EACH: Final = (
    *(Blow(part, signal.SIGSTOP, 0.5) for part in PARTS),
    *(Blow(part, signal.SIGKILL) for part in PARTS),
    Blow("dealer", signal.SIGTERM),
)
"""Each kind once."""


def drawn(seed: str, number: int) -> list[Blow]:
    """Return so many blows, drawn from a seed."""
    chance = Random(seed)
    return [chance.choice(EACH)._replace(asleep_s=chance.choice((0.1, 1.0, 5.0, 20.0))) for _ in range(number)]


async def survive(house: House, load: Load, blows: Sequence[Blow]) -> list[tuple[str, float]]:
    """Deal each blow to the busiest dealer, and return how long partitions were away after each, in seconds."""
    await served_since(load, time.monotonic(), house.partitions)
    away: list[tuple[str, float]] = []
    for blow in blows:
        ((busiest, _),) = Counter(load.owners.values()).most_common(1)
        dealer = house.dealers[house.paths.index(busiest)]
        began = time.monotonic()
        dealer.send(blow.part, blow.number)
        await served_since(load, began + LATE_S, house.partitions)
        away.append((blow.name, max(load.silence(partition, began) for partition in range(house.partitions))))
        await _recovered(house, dealer, blow)
    await served_since(load, time.monotonic(), house.partitions)
    return away


async def served_since(load: Load, moment: float, partitions: int) -> None:
    """Return when every partition has acknowledged something since a moment; fail if that takes too long (I14)."""
    try:
        async with asyncio.timeout(AWAY_S_MAX):
            while len(load.acknowledged_since(moment)) < partitions:  # noqa: ASYNC110 - it comes from other processes.
                await asyncio.sleep(0.02)
    except TimeoutError:
        away = set(range(partitions)) - load.acknowledged_since(moment)
        pytest.fail(f"I14: partitions {away} acknowledged nothing for {AWAY_S_MAX} s; callers heard {load.tally}")


async def _recovered(house: House, dealer: Dealer, blow: Blow) -> None:
    """Let what was stopped go on, and replace what has ended."""
    if blow.number == signal.SIGSTOP:
        await asyncio.sleep(blow.asleep_s)
        dealer.send(blow.part, signal.SIGCONT)
    elif blow.part != "log":
        await asyncio.to_thread(dealer.kill)
        house.start()
    await asyncio.sleep(2)
