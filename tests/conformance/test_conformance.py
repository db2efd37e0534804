"""Hands of real rooms, of research matches and of other dealers come out to the chip; and the judge itself has teeth.

Each file is a test, or several when all hands are replayed (HANDS=all), so that they spread over processes.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.conformance.expectations import HALF_BET, judge
from tests.conformance.hands import EVERYTHING, FOLDER, SUFFIX, LoggedHand, Post, chosen, exceptions, file_names, read
from tests.conformance.report import NOT_FOUND, tally_of

BYTES_PER_PART = 400_000
"""Compressed, when all hands are replayed: a part takes a few seconds."""

needs_hands = pytest.mark.skipif(not file_names(), reason=NOT_FOUND)


def parts() -> list[tuple[str, int, int]]:
    """Return the tests to run: a file, which part of it, of how many."""
    found = []
    for name in file_names():
        count = 1 + (FOLDER / f"{name}{SUFFIX}").stat().st_size // BYTES_PER_PART if EVERYTHING else 1
        found += [(name, part, count) for part in range(count)]
    return found or [("", 0, 1)]


@needs_hands
@pytest.mark.parametrize(("name", "part", "count"), parts())
def test_hands_come_out_to_the_chip(
    name: str, part: int, count: int, record_property: Callable[[str, object], None]
) -> None:
    """A hand ends as its log says, or is refused for the rule that its tag names (AMB-24, AMB-25, AMB-37, AMB-49)."""
    tally = tally_of(name, chosen(read(name))[part::count])
    record_property("conformance", msgspec.to_builtins(tally))
    assert not tally.mismatches, "\n".join(tally.mismatches)


@needs_hands
def test_room_takes_more_than_half_a_bet_as_a_bet() -> None:
    """Fixed limit: an opening all-in of 850 at unit 1600 counts as 1600 and is raised to 3200 (section 4, AMB-25)."""
    (hand,) = (hand for hand in read("site_divergent") if hand.id == HALF_BET)
    verdict = judge(hand)
    assert (verdict.outcome, verdict.problems) == ("replayed", ())


@needs_hands
def test_listed_exceptions_exist() -> None:
    """Every id of `exceptions.json` is that of a hand, so that no exception goes unchecked."""
    for by_file in exceptions().values():
        for name, ids in by_file.items():
            assert set(ids) <= {hand.id for hand in read(name)}


MADE = LoggedHand(
    id="made",
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(50, 100, 0),
    starting_stacks=(1000, 1000, 1000),
    small_blind=50,
    big_blind=100,
    ante=0,
    actions=(
        *("d dh p1 AsAh", "d dh p2 ????", "d dh p3 ????", "p3 cbr 300", "p1 cc", "p2 f", "d db 2c3d4h"),
        *("p1 cc", "p3 cc", "d db 8s", "p1 cc", "p3 cbr 200", "p1 cc", "d db 9c", "p1 cc", "p3 cc", "p1 sm AsAh"),
    ),
    posts=(Post("p1", "small_blind", 50), Post("p2", "big_blind", 100)),
    decisions=(
        *((3, 100, 200, 1000), (1, 250, 500, 1000), (2, 200, 500, 1000), (1, 0, 100, 700), (3, 0, 100, 700)),
        *((1, 0, 100, 700), (3, 0, 100, 700), (1, 200, 400, 700), (1, 0, 100, 500), (3, 0, 100, 500)),
    ),
    pokerkit_finishing_stacks=(1600, 900, 500),
    site_finishing_stacks=(1570, 900, 500),
    site_rake=30,
    pokerkit_vs_site="exact_plus_rake",
)


def test_made_hand_is_as_it_must_be() -> None:
    """The hand that the next test spoils has no problem."""
    assert judge(MADE).problems == ()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"pokerkit_finishing_stacks": (1601, 900, 499)}, "ends with"),
        ({"site_rake": 29}, "after rake"),
        ({"posts": MADE.posts and MADE.posts[:1]}, "posts"),
        ({"decisions": ((3, 100, 201, 1000),)}, "offers"),
        ({"strict_violations": ("below_min_raise",)}, "is not refused"),
        ({"actions": (*MADE.actions[:-2], "p1 sm AsAh")}, "ends elsewhere"),
        ({"actions": (*MADE.actions, "p3 cc")}, "ends elsewhere"),
        ({"actions": (*MADE.actions[:3], "p1 cc", *MADE.actions[3:])}, "NOT_YOUR_TURN"),
        ({"actions": (*MADE.actions[:3], "p3 cbr 150", *MADE.actions[4:])}, "BET_BELOW_MINIMUM"),
    ],
)
def test_judge_has_teeth(changes: dict[str, object], problem: str) -> None:
    """Whatever a hand has otherwise than its log is found."""
    verdict = judge(msgspec.structs.replace(MADE, **changes))
    assert any(problem in found for found in verdict.problems), verdict
