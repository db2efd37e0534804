"""F3: the judge against a tiny model that knows no hashes, over logs in trouble and over records of any kind.

`F3_EXAMPLES=50000 python -m pytest tests/services/eventlog/test_judge_properties.py` is a campaign.
"""

from __future__ import annotations

import os
from itertools import count
from typing import Final, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from services.eventlog.judge import Corrupt, judge
from tests.services.eventlog.judge_model import History, Made, Model, answer_of
from tests.services.eventlog.log_in_trouble import LogInTrouble, Reader

EXAMPLES: Final = int(os.environ.get("F3_EXAMPLES", "100"))
STEPS: Final = 60


class Move(NamedTuple):
    """A record relative to where the log is, so that most are almost right."""

    claims: bool
    epoch: int
    """Added to the current one."""
    sequence: int
    """Added to the one behind what its writer knew."""
    unknown: int
    """How many of the last records its writer did not know."""
    imagined: int
    """How many others it believed to be there."""


moves = st.builds(
    Move,
    st.booleans(),
    st.sampled_from([0, 0, 0, 1, 1, 2, -1]),
    st.sampled_from([0, 0, 0, 0, 1, -1]),
    st.sampled_from([0, 0, 0, 0, 1, 2]),
    st.sampled_from([0, 0, 0, 0, 1, 2]),
)


def made_of(move: Move, model: Model, name: str) -> Made:
    """Return the record of a move."""
    known = model.counted[: max(len(model.counted) - move.unknown, 0)]
    knew: History = known + tuple(f"{name}, imagined {number}".encode() for number in range(move.imagined))
    return Made(name, max(model.epoch + move.epoch, 0), len(knew) + 1 + move.sequence, knew, claims=move.claims)


def test_whatever_befalls_a_healthy_log_nobody_halts_and_nothing_is_lost() -> None:
    """F3, I1, I3: three writers, any interleaving, records doubled, dropped and overtaking, outcomes unknown."""
    limits = settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None)
    run_state_machine_as_test(LogInTrouble, settings=limits)


@settings(max_examples=5 * EXAMPLES)
@given(st.lists(moves, max_size=20))
def test_the_judge_agrees_with_the_model_about_records_of_any_kind(tried: list[Move]) -> None:
    """F3, I3: also about those that no healthy writer makes; the log goes on behind damage here, to see more of it."""
    reader, model, numbers = Reader(), Model(), count()
    for move in tried:
        made = made_of(move, model, f"record {next(numbers)}")
        assert answer_of(reader.see(made)) == model.answer(made)
    assert reader.counted == model.counted


@settings(max_examples=EXAMPLES)
@given(st.lists(moves, max_size=20))
def test_a_reader_without_memory_agrees_or_halts_later(tried: list[Move]) -> None:
    """F3, P4: memory only turns a verdict into corrupt, so two readers that do not halt hear the same."""
    reader, model, numbers = Reader(), Model(), count()
    for move in tried:
        made = made_of(move, model, f"record {next(numbers)}")
        forgetful = judge(reader.position, made.header, made.stored, lambda _: None)
        verdict = reader.see(made)
        model.answer(made)
        assert forgetful == verdict or isinstance(verdict, Corrupt)
