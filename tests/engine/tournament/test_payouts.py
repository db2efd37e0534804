"""The table of paid places."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.tournament.payouts import PayoutRow, PayoutTable, payout, problems, usual_payouts

FIELDS = range(1, 5001)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (1, (10_000,)),
        (2, (10_000,)),
        (6, (6500, 3500)),
        (9, (5000, 3000, 2000)),
        (10, (5000, 3000, 2000)),
        (30, (4000, 2500, 1500, 1100, 900)),
    ],
)
def test_small_fields(entries: int, expected: tuple[int, ...]) -> None:
    """Operations.md O-36: heads-up winner takes all, six-handed 65/35, single table of 9 or 10 50/30/20; G-AKP-C4."""
    assert payout(usual_payouts(), entries) == expected


def test_usual_table_is_a_good_one() -> None:
    """Operations.md O-36: every row sums to 10,000, never rises, and pays no more places than there are entries."""
    assert list(problems(usual_payouts())) == []


@pytest.mark.parametrize(("entries", "least", "most"), [(21, 100, 200), (60, 100, 150)])
def test_share_of_the_field_that_is_paid(entries: int, least: int, most: int) -> None:
    """Operations.md O-36: about 10 to 15 % of a multi-table field are paid, a few more of a small one."""
    shares = [len(payout(usual_payouts(), count)) * 1000 // count for count in FIELDS if count >= entries]
    assert least <= min(shares)
    assert max(shares) <= most


def test_last_prize_is_more_than_an_entry() -> None:
    """Operations.md O-36: from 21 entries on the last prize is at least 1.4 times what an entry pays into the pool."""
    least = min(payout(usual_payouts(), count)[-1] * count for count in FIELDS if count >= 21)
    assert least >= 14_000


def test_more_entries_never_pay_fewer_places() -> None:
    """Operations.md O-36: the number of places grows with the field."""
    places = [len(row.bps) for row in usual_payouts()]
    assert all(fewer < more for fewer, more in pairwise(places))


def test_a_tournament_may_bring_its_own() -> None:
    """Operations.md O-36: the last row that the entries have reached counts."""
    table = (PayoutRow(2, (10_000,)), PayoutRow(5, (7000, 3000)))
    assert [payout(table, entries) for entries in (2, 4, 5, 900)] == [(10_000,), (10_000,), (7000, 3000), (7000, 3000)]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ((), "first row"),
        ((PayoutRow(3, (10_000,)),), "first row"),
        ((PayoutRow(2, (10_000,)), PayoutRow(2, (10_000,))), "ascend"),
        ((PayoutRow(2, (5000, 3000, 2000)),), "one for each entry"),
        ((PayoutRow(2, ()),), "one for each entry"),
        ((PayoutRow(2, (6000, 3000)),), "sum to 10000"),
        ((PayoutRow(2, (10_000, 0)),), "positive"),
        ((PayoutRow(2, (4000, 6000)),), "less than the next"),
    ],
)
def test_bad_table_is_told_what_is_wrong(table: PayoutTable, problem: str) -> None:
    """Operations.md O-36: a table of a tournament's own is checked before it is used."""
    assert any(problem in found for found in problems(table))
