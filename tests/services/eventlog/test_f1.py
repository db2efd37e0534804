"""F1: random games over the simulated log; whatever happens, what everybody heard could have been.

F1_SEEDS=1000-2000 python -m pytest tests/services/eventlog/test_f1.py     a campaign
F1_SEEDS=1234-1235 python -m pytest tests/services/eventlog/test_f1.py     one seed again
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Final

import pytest

from services.eventlog.requests import Reply
from tests.services.eventlog import virtual_time
from tests.services.eventlog.checker import Past, findings
from tests.services.eventlog.rooms import Room
from tests.services.eventlog.simulated import SimulatedLog, fair

FIRST, LAST = map(int, os.environ.get("F1_SEEDS", "0-100").split("-"))
ENOUGH: Final = 50
"""Fewer seeds than this need not meet everything."""

MET: Final = (
    "takeover",
    "stepped down",
    "void old_epoch",
    "void old_sequence",
    "void gap",
    "void late_claim",
    "unknown, all stored",
    "unknown, none stored",
    "several in one append",
    "answered again",
    "refused",
    "nothing to do",
    "id used for something else",
    "delivery refused",
)
"""What a run is meant to meet."""


async def played(seed: int) -> tuple[list[str], Counter[str]]:
    """Return what could not have been in the game of a seed, and what was met."""
    room, past = Room(seed), Past()
    await room.play()
    await past.read(SimulatedLog(room.store, fair))
    return await findings(room, past), met(room, past)


def met(room: Room, past: Past) -> Counter[str]:
    """Return how often a game has met what it is meant to meet."""
    tally = Counter(room.tally)
    kinds = Counter(type(each.envelope.events[0]).__name__ for each in past.counted)
    tally["takeover"], tally["delivery refused"] = kinds["EpochOpened"], kinds["DeliveryAnswered"]
    answered = Counter((each.request.command_id) for each in room.history if isinstance(each.answer, Reply))
    tally["answered again"] = sum(count - 1 for count in answered.values())
    tally["nothing to do"] = sum(isinstance(each.answer, Reply) and not each.answer.result for each in room.history)
    tally["id used for something else"] = sum(each.answer == "RequestIdReusedError" for each in room.history)
    tally["refused"] = sum(isinstance(each.answer, str) and not each.answer.endswith("Error") for each in room.history)
    tally["acknowledged"] = sum(answered.values())
    return tally


@pytest.fixture(scope="module")
def games() -> list[tuple[int, list[str], Counter[str]]]:
    """Play the game of every seed."""
    return [(seed, *virtual_time.run(played(seed))) for seed in range(FIRST, LAST)]


def test_what_everybody_heard_could_have_been(games: list[tuple[int, list[str], Counter[str]]]) -> None:
    """F1: I1, I2, I3, I13, I14, I15; no reader of a healthy log halts."""
    wrong = [(seed, found) for seed, found, _ in games if found]
    lines = [f"F1_SEEDS={seed}-{seed + 1}: {len(found)} findings, {found[:5]}" for seed, found in wrong]
    assert not wrong, "\n".join(lines)


def test_the_games_bite(games: list[tuple[int, list[str], Counter[str]]]) -> None:
    """F1: what they are meant to meet was met."""
    total = sum((tally for _, _, tally in games), Counter[str]())
    missing = [name for name in MET if not total[name]]
    assert not missing or LAST - FIRST < ENOUGH
