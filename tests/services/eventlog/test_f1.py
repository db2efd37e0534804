"""F1: random games over the simulated log; whatever happens, what everybody heard could have been.

F1_SEEDS=1234-1235 python -m pytest tests/services/eventlog/test_f1.py     one seed again
python -m tests.faults f1 --seeds 0-20000                                  a campaign
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import Final

import pytest

from tests.services.eventlog import virtual_time
from tests.services.eventlog.played import MET, Played, play

FIRST, LAST = map(int, os.environ.get("F1_SEEDS", "0-300").split("-"))
ENOUGH: Final = 200
"""Fewer seeds than this need not meet everything."""


@pytest.fixture(scope="module")
def games() -> Iterable[Played]:
    """Play the game of every seed."""
    return [virtual_time.run(play(seed)) for seed in range(FIRST, LAST)]


def test_what_everybody_heard_could_have_been(games: Iterable[Played]) -> None:
    """F1: I1-I5, I8-I15; no reader of a healthy log halts, and of a damaged one somebody does, or nothing is missed."""
    wrong = [played.report for played in games if played.findings]
    assert not wrong, "\n\n".join(wrong)


def test_the_games_bite(games: Iterable[Played]) -> None:
    """F1: what they are meant to meet was met."""
    total = sum((played.met for played in games), Counter[str]())
    missing = [name for name in MET if not total[name]]
    assert not missing or LAST - FIRST < ENOUGH
