"""Cancelled tournaments under the modern rules, with the numbers of rulebooks.md sections 7 and 9."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.tournament.cancellation import plan
from engine.tournament.cancellation_case import CancellationCase
from tests.engine.tournament.events import (
    FOUR_LEFT,
    SATELLITE,
    SEVEN_OF_333,
    TEN_OF_TWENTY_DOLLARS,
    TWELVE_LEFT,
    column,
    entrant,
    event,
    house,
    totals,
    totals_with_fee,
)


@pytest.mark.parametrize(
    ("case", "expected", "from_pool"),
    [
        (TWELVE_LEFT, [3750, 3384, 3150, 2950, 2783, 2650, 2517, 2383, 2217, 1983, 1783, 1650], 30_000),
        (FOUR_LEFT, [9667, 7317, 5906, 4810], 27_300),
        (TEN_OF_TWENTY_DOLLARS, [4363, 3596, 3282, 2969, 2621, 2408, 2161], 20_000),
        (SATELLITE, [11_000, 11_000], 22_000),
        (SEVEN_OF_333, [944, 758, 629], 2331),
    ],
)
def test_totals_with_the_fee(case: CancellationCase, expected: list[int], from_pool: int) -> None:
    """G-MOD-14, R-MOD-11: the fee comes back on top of all that the pool holds."""
    planned = plan(case, house("modern"))
    assert totals_with_fee(planned) == expected
    assert planned.summary.totals.pool == from_pool
    assert sum(expected) == from_pool + planned.summary.totals.fees
    assert planned.summary.totals.house == 0


def test_single_table_before_the_money_step_by_step() -> None:
    """G-MOD-14, R-MOD-11: 1429 × 4 and 1428 × 3 equally, the other half by chips, fee 200."""
    planned = plan(TEN_OF_TWENTY_DOLLARS, house("modern"))
    assert column(planned, "equal_share") == [1429] * 4 + [1428] * 3
    assert column(planned, "chip_share") == [2734, 1967, 1653, 1340, 993, 780, 533]
    assert column(planned, "fee") == [200] * 7


def test_in_the_money_step_by_step() -> None:
    """G-MOD-14, R-MOD-11: the least prize not yet awarded to each, and all of the rest by chips."""
    planned = plan(FOUR_LEFT, house("modern"))
    assert column(planned, "next_prize") == [3300] * 4
    assert column(planned, "equal_share") == []
    assert column(planned, "chip_share") == [6267, 3917, 2506, 1410]


def test_nobody_out_gives_everything_back_as_paid() -> None:
    """G-MOD-14, R-MOD-11, AMB-14: paid with a ticket of 1000 and 1500 in cash, fee included: both come back."""
    with_ticket = entrant(1, 5000, 2300, fee=200, paid_as=(("ticket/Sunday", 1000), ("cash", 1500)))
    in_cash = entrant(2, 5000, 2300, fee=200)
    planned = plan(replace(SATELLITE, entries=(with_ticket, in_cash)), house("modern"))
    assert [(line.entry, line.form, line.amount) for line in planned.lines] == [
        (1, "ticket/Sunday", 1000),
        (1, "cash", 1500),
        (2, "cash", 2500),
    ]
    assert (planned.summary.totals.pool, planned.summary.totals.fees) == (4600, 400)


def test_published_example_of_another_room() -> None:
    """Rulebooks.md section 7, cross-check: 9000 dollars, 100 left, an eighth of the chips: 45.00 + 562.50 = 607.50."""
    others = [2652] * 51 + [2651] * 48
    case = event(900, 1000, [37_500, *others], fee=100)
    planned = plan(case, house("modern"))
    assert sum([37_500, *others]) == 300_000
    assert (column(planned, "equal_share")[0], column(planned, "chip_share")[0]) == (4500, 56_250)
    assert totals(planned)[0] == 60_750
