"""Couriers that work badly: what befalls deliveries in a random run, and the dice by which runs choose.

Workload and troubles have dice of their own, so that a seed keeps its meaning when one of the two changes.
"""

from __future__ import annotations

from random import Random

from tests.engine.courier import CardRoom, Fault
from tests.engine.table.random_tables import Chance

FAULTS: tuple[Fault, ...] = ("lost", "late", "unanswered", "doubled")


class Dice(Chance):
    """Choices from a seed."""

    def __init__(self, seed: str) -> None:
        """Begin the sequence that belongs to a seed."""
        self._random = Random(seed)

    def number(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`."""
        return self._random.randint(least, most)


class Troubles:
    """Couriers at work, badly."""

    def __init__(self, room: CardRoom, dice: Dice) -> None:
        """Choose how bad it gets."""
        self.room, self.dice = room, dice
        self.one_in = dice.pick((2, 3, 6, 20))
        """One delivery in so many has a fault."""
        self.pace = dice.pick((1, 2, 5))
        """At most so many deliveries are tried at each step."""

    def step(self) -> None:
        """Let the couriers try some deliveries, and perhaps something go wrong."""
        for _ in range(self.dice.number(0, self.pace)):
            self._deliver()
        courier = self.dice.pick(self.room.couriers)
        if self.room.in_the_air and self.dice.once_in(4):
            self.room.arrive(self.dice.number(0, len(self.room.in_the_air) - 1))
        if self.dice.once_in(4):
            courier.confirm()
        if self.dice.once_in(5 * self.one_in):
            courier.restart()
        if self.dice.once_in(5 * self.one_in):
            self._cut_off()

    def heal(self) -> None:
        """End all troubles, half the time with a restart of everything."""
        self.room.unreachable.clear()
        if self.dice.once_in(2):
            for courier in self.room.couriers:
                courier.restart()

    def _deliver(self) -> None:
        ways = self.room.ways()
        if ways:
            courier, target = self.dice.pick(ways)
            courier.deliver(target, self.dice.pick(FAULTS) if self.dice.once_in(self.one_in) else "")

    def _cut_off(self) -> None:
        """Make an aggregate unreachable, or all of them reachable again."""
        if self.room.unreachable:
            self.room.unreachable.clear()
        else:
            self.room.unreachable.add(self.dice.pick(sorted(self.room.aggregates)))
