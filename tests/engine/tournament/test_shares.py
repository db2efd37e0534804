"""The one rounding function of the house."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament.shares import Claim, by_weight, equally

CLAIMS = st.lists(st.integers(0, 30), min_size=1, max_size=12).map(lambda weights: list(enumerate(weights)))
TOTALS = st.integers(0, 1000)


@pytest.mark.parametrize(
    ("total", "claims", "expected"),
    [
        (2000, [(1, 5005), (2, 3333), (3, 2162), (4, 1800), (5, 1200)], (741, 494, 320, 267, 178)),
        (100, [(3, 1), (1, 1), (2, 1)], (33, 34, 33)),
        (1, [(1, 1), (2, 3), (3, 1)], (0, 1, 0)),
        (2, [(1, 1), (2, 3)], (0, 2)),
        (1, [(1, 2), (2, 2)], (1, 0)),
        (5, [(1, 0), (2, 7)], (0, 5)),
        (5, [(1, 0), (2, 0)], (3, 2)),
        (0, [(1, 9)], (0,)),
        (0, [], ()),
        (2**62, [(1, 2**62), (2, 2**62)], (2**61, 2**61)),
    ],
)
def test_by_weight(total: int, claims: list[Claim], expected: tuple[int, ...]) -> None:
    """AMB-10, rulebooks.md section 4: floor, then largest remainder, ties to the larger weight, then the lower id."""
    assert by_weight(total, claims) == expected


def test_equal_remainders_go_to_the_larger_weight() -> None:
    """AMB-10: 4 by 1 and 3 of 8: both remainders are a half, the larger weight has the odd unit."""
    assert by_weight(4, [(1, 1), (2, 3), (3, 4)]) == (0, 2, 2)


@pytest.mark.parametrize(
    ("total", "claims", "expected"),
    [
        (8, [(1, 10), (2, 30), (3, 20)], (2, 3, 3)),
        (7, [(1, 10), (2, 30), (3, 30)], (2, 3, 2)),
        (7, [(9, 5), (4, 5), (6, 5)], (2, 3, 2)),
        (2, [(1, 1), (2, 2), (3, 3)], (0, 1, 1)),
        (0, [], ()),
    ],
)
def test_equally(total: int, claims: list[Claim], expected: tuple[int, ...]) -> None:
    """AMB-10, rulebooks.md section 4: the leftover goes one unit each to the larger stacks, then to the lower ids."""
    assert equally(total, claims) == expected


@pytest.mark.parametrize(("total", "claims"), [(-1, [(1, 1)]), (1, []), (10, [(1, -3), (2, 5)])])
def test_nonsense_is_our_mistake(total: int, claims: list[Claim]) -> None:
    """Operations.md section 4: nothing is shared that is not there, and nothing among nobody."""
    with pytest.raises(AssertionError):
        by_weight(total, claims)


@given(TOTALS, CLAIMS)
def test_no_unit_is_lost(total: int, claims: list[Claim]) -> None:
    """AMB-10: shares sum to the amount, by weight and equally."""
    assert sum(by_weight(total, claims)) == sum(equally(total, claims)) == total


@given(TOTALS, CLAIMS)
def test_share_is_within_a_unit_of_the_exact_one(total: int, claims: list[Claim]) -> None:
    """AMB-10: no share is a whole unit away from the fraction it stands for."""
    whole = sum(weight for _, weight in claims)
    exact = [Fraction(total * weight, whole) if whole else Fraction(total, len(claims)) for _, weight in claims]
    assert all(abs(share - e) < 1 for share, e in zip(by_weight(total, claims), exact, strict=True))


@given(TOTALS, CLAIMS)
def test_larger_weight_never_has_less(total: int, claims: list[Claim]) -> None:
    """AMB-10: among the claimants the shares do not fall as weights rise."""
    for shares in (by_weight(total, claims), equally(total, claims)):
        ranked = sorted(zip((weight for _, weight in claims), shares, strict=True))
        by_rank = [share for _, share in ranked]
        assert by_rank == sorted(by_rank)


@given(TOTALS, CLAIMS, st.randoms())
def test_order_of_claims_does_not_matter(total: int, claims: list[Claim], chance: Random) -> None:
    """AMB-10: who gets what depends on weights and ids alone."""
    shuffled = claims.copy()
    chance.shuffle(shuffled)
    for share in (by_weight, equally):
        found = dict(zip(shuffled, share(total, shuffled), strict=True))
        assert tuple([found[claim] for claim in claims]) == share(total, claims)
