"""Measuring ours against a peer, in one run, so that a noisy machine disturbs both alike.

A round is one call of a workload, which returns how much work it did; a reading makes a value of that work and the
seconds it took. Rounds alternate: ours, peer, ours, peer. What is reported is the median of each side's values, and
as ratio the median of the ratios of neighbouring rounds, ours ÷ peer: a slow second that hits one pair of rounds moves
neither. Before each round the garbage of the round before is collected; the collector itself stays on, as in
production. One round of each side runs unmeasured first and warms up; a peer whose package is missing is found then.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median
from typing import Literal, TypeAlias

import msgspec

Workload: TypeAlias = Callable[[], float]
"""Does one round and returns the units of work done; for `as_returned`, the value itself."""

Reading: TypeAlias = Callable[[float, float], float]
"""Makes a value of the work and the seconds of a round."""

Clock: TypeAlias = Callable[[], float]
"""Returns seconds that only grow."""


def per_second(work: float, seconds: float) -> float:
    """Return units of work per second: higher is better."""
    return work / seconds


def microseconds_each(work: float, seconds: float) -> float:
    """Return microseconds per unit of work: lower is better."""
    return seconds * 1e6 / work


def as_returned(work: float, _seconds: float) -> float:
    """Return what the workload returned, such as bytes or a percentile that it measured itself."""
    return work


class Goal(msgspec.Struct, frozen=True):
    """What a measure must reach."""

    of: Literal["ratio", "ours"]
    """Whether ours ÷ peer is judged, or our own value."""
    sense: Literal["least", "most"]
    """Whether `bound` is the smallest or the largest value that meets the goal."""
    bound: float

    def is_met(self, ours: float, ratio: float | None) -> bool | None:
        """Return whether the goal is met; None if it is about a ratio and there is none."""
        value = ratio if self.of == "ratio" else ours
        if value is None:
            return None
        return value >= self.bound if self.sense == "least" else value <= self.bound

    def __str__(self) -> str:
        """Return the goal in a few characters, such as `ratio ≥ 0.6`."""
        return f"{self.of} {'≥' if self.sense == 'least' else '≤'} {short(self.bound)}"


def ratio_at_least(bound: float) -> Goal:
    """Return the goal that ours ÷ peer is `bound` or more: for what is better when higher."""
    return Goal("ratio", "least", bound)


def ratio_at_most(bound: float) -> Goal:
    """Return the goal that ours ÷ peer is `bound` or less: for what is better when lower."""
    return Goal("ratio", "most", bound)


def at_least(bound: float) -> Goal:
    """Return the goal that our own value is `bound` or more."""
    return Goal("ours", "least", bound)


def at_most(bound: float) -> Goal:
    """Return the goal that our own value is `bound` or less."""
    return Goal("ours", "most", bound)


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to measure, as a group's `measures(quick)` yields it."""

    name: str
    unit: str
    ours: Workload
    peer: Workload | None = None
    """Raises ImportError where its package is missing; so it imports that package itself."""
    peer_name: str | None = None
    reading: Reading = per_second
    goal: Goal | None = None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a measure: a row of `build/bench.json`. Values are in `unit`."""

    group: str
    name: str
    ours: float
    peer: float | None
    peer_name: str | None
    unit: str
    ratio: float | None
    """Ours ÷ peer."""
    goal: float | None
    met: bool | None
    """None if there is no goal, or nothing to judge it by."""
    goal_text: str
    """The goal for people, such as `ratio ≥ 0.6`; empty if there is none."""
    ours_spread: tuple[float, float]
    """The lowest and the highest round."""
    peer_spread: tuple[float, float] | None
    rounds: int


def run(
    group: str, measure: Measure, *, rounds: int, warn: Callable[[str], None], clock: Clock = time.perf_counter
) -> Row:
    """Return the row of one measure; `warn` is told if its peer is not installed."""
    peer = measure.peer
    measure.ours()
    if peer is not None and not is_available(peer, f"{group}: {measure.name}: no {measure.peer_name}", warn):
        peer = None
    ours_values, peer_values = [], []
    for _ in range(rounds):
        ours_values.append(play_round(measure.ours, measure.reading, clock))
        if peer is not None:
            peer_values.append(play_round(peer, measure.reading, clock))
    return to_row(group, measure, ours_values, peer_values)


def is_available(peer: Workload, missing: str, warn: Callable[[str], None]) -> bool:
    """Warm the peer up; return whether its package is installed."""
    try:
        peer()
    except ImportError as error:
        warn(f"{missing}: {error}")
        return False
    return True


def play_round(workload: Workload, reading: Reading, clock: Clock) -> float:
    """Return the value of one round."""
    gc.collect()
    start = clock()
    work = workload()
    return reading(work, clock() - start)


def to_row(group: str, measure: Measure, ours: list[float], peer: list[float]) -> Row:
    """Return the row for the values of all rounds; `peer` is empty if there is none."""
    goal = measure.goal
    ratio = median(mine / theirs for mine, theirs in zip(ours, peer, strict=True)) if peer else None
    return Row(
        group=group,
        name=measure.name,
        ours=median(ours),
        peer=median(peer) if peer else None,
        peer_name=measure.peer_name,
        unit=measure.unit,
        ratio=ratio,
        goal=None if goal is None else goal.bound,
        met=None if goal is None else goal.is_met(median(ours), ratio),
        goal_text="" if goal is None else str(goal),
        ours_spread=(min(ours), max(ours)),
        peer_spread=(min(peer), max(peer)) if peer else None,
        rounds=len(ours),
    )


def short(value: float) -> str:
    """Return a number of three significant digits, such as `0.0123` or `72.1M`."""
    for letter, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= 0.9995 * size:  # Less rounds to 999 of the next smaller unit.
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"
