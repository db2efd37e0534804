"""AKPokerClub's cancelled tournaments, with the numbers of rulebooks.md section 7."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.tournament.cancellation import alternatives, plan
from engine.tournament.cancellation_case import CancellationCase
from engine.tournament.refund_plan import obligation_id, plan_hash
from tests.engine.tournament.events import (
    FOUR_LEFT,
    SATELLITE,
    SEVEN_OF_333,
    TEN_OF_TWENTY_DOLLARS,
    TWELVE_LEFT,
    column,
    event,
    house,
    totals,
)


@pytest.mark.parametrize(
    ("split", "shares", "expected"),
    [
        ("pro_rata_chips", [1640, 1180, 992, 804, 596, 468, 320], [3640, 3180, 2992, 2804, 2596, 2468, 2320]),
        ("equal", [858, 857, 857, 857, 857, 857, 857], [2858, 2857, 2857, 2857, 2857, 2857, 2857]),
        ("half_half", [1249, 1019, 925, 831, 726, 662, 588], [3249, 3019, 2925, 2831, 2726, 2662, 2588]),
    ],
)
def test_single_table_splits_the_buy_ins_of_those_out(split: str, shares: list[int], expected: list[int]) -> None:
    """G-AKP-C1, R-AKP-33, AMB-07: buy-ins back, 6000 split in one of three ways, 20,000 in all; fees 7 × 200."""
    planned = plan(TEN_OF_TWENTY_DOLLARS, house("akpoker", stt_split=split))
    assert column(planned, "buy_in") == [2000] * 7
    assert column(planned, "equal_share", "chip_share") == shares
    assert totals(planned) == expected
    assert sum(expected) == planned.summary.totals.pool == 20_000
    assert column(planned, "fee") == [200] * 7
    assert planned.summary.totals.fees == 1400


def test_single_table_splits_by_chips_by_default() -> None:
    """R-AKP-33, AMB-07: AKPokerClub splits the eliminated players' buy-ins in proportion to chips."""
    planned = plan(TEN_OF_TWENTY_DOLLARS, house("akpoker"))
    assert planned.summary.procedure == "own_split"
    assert column(planned, "chip_share") == [1640, 1180, 992, 804, 596, 468, 320]


def test_plan_prints_all_three_splits() -> None:
    """AMB-07: the alternatives to the split in force are stated beside the plan."""
    first_ones = [totals(other)[0] for other in alternatives(TEN_OF_TWENTY_DOLLARS, house("akpoker"))]
    assert first_ones == [3640, 2858, 3249]


@pytest.mark.parametrize(
    "case", [TWELVE_LEFT, event(3, 100, [5, 5, 5], single_table=True), event(3, 100, [15], single_table=True)]
)
def test_no_alternatives_where_nothing_is_split(case: CancellationCase) -> None:
    """AMB-07: a multi-table event, a rollback and a single winner have no split of a single table."""
    assert alternatives(case, house("akpoker")) == ()


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("pro_rata_chips", [741, 494, 320, 267, 178]),
        ("equal", [400, 400, 400, 400, 400]),
        ("half_half", [571, 447, 360, 333, 289]),
    ],
)
def test_cents_go_to_the_largest_remainders(split: str, expected: list[int]) -> None:
    """G-AKP-C2, AMB-10: 2000 among five; raw 741.48, 493.78, 320.30, 266.67, 177.78."""
    case = event(9, 500, [5005, 3333, 2162, 1800, 1200], single_table=True)
    planned = plan(case, house("akpoker", stt_split=split))
    assert column(planned, "equal_share", "chip_share") == expected


@pytest.mark.parametrize("split", ["pro_rata_chips", "equal"])
def test_odd_cent_of_equal_stacks_goes_to_the_lowest_entry(split: str) -> None:
    """G-AKP-C3, AMB-10: 100 among three with equal chips: 34/33/33."""
    planned = plan(event(4, 100, [5000, 5000, 5000], single_table=True), house("akpoker", stt_split=split))
    assert column(planned, "equal_share", "chip_share") == [34, 33, 33]


def test_each_half_is_divided_by_itself() -> None:
    """AMB-10, rulebooks.md section 4 step 6: 100 in two halves among three equal stacks is 17/17/16 twice."""
    planned = plan(event(4, 100, [5000, 5000, 5000], single_table=True), house("akpoker", stt_split="half_half"))
    assert column(planned, "equal_share") == column(planned, "chip_share") == [17, 17, 16]


def test_multi_table_before_the_money_out_of_the_pool() -> None:
    """G-AKP-C4, R-AKP-34, AMB-09: 12 of 30 left; the buy-ins come out of the pool, 30,000 in all."""
    planned = plan(TWELVE_LEFT, house("akpoker"))
    assert column(planned, "buy_in") == [1000] * 12
    assert column(planned, "next_prize") == []
    assert column(planned, "equal_share") == [750] * 12
    assert column(planned, "chip_share") == [1440, 1220, 1080, 960, 860, 780, 700, 620, 520, 380, 260, 180]
    assert totals(planned) == [3190, 2970, 2830, 2710, 2610, 2530, 2450, 2370, 2270, 2130, 2010, 1930]
    assert (planned.summary.totals.pool, planned.summary.totals.house) == (30_000, 0)


def test_multi_table_before_the_money_out_of_the_house() -> None:
    """G-AKP-C4, AMB-09: read literally, the house pays 12,000 of buy-ins on top of the pool, against 3000 of fees."""
    planned = plan(TWELVE_LEFT, house("akpoker", mtt_buyin_source="house"))
    assert column(planned, "equal_share") == [1250] * 12
    assert column(planned, "chip_share") == [2400, 2034, 1800, 1600, 1433, 1300, 1167, 1033, 867, 633, 433, 300]
    assert totals(planned) == [4650, 4284, 4050, 3850, 3683, 3550, 3417, 3283, 3117, 2883, 2683, 2550]
    assert (planned.summary.totals.pool, planned.summary.totals.house) == (30_000, 12_000)


def test_multi_table_in_the_money_step_by_step() -> None:
    """G-AKP-C5, R-AKP-34, AMB-08: buy-ins, the next prize to each, and the rest half equally, half by chips."""
    planned = plan(FOUR_LEFT, house("akpoker"))
    assert planned.summary.in_the_money
    assert planned.summary.remaining == 27_300
    assert column(planned, "buy_in") == [1000] * 4
    assert column(planned, "next_prize") == [3300] * 4
    assert column(planned, "equal_share") == [1263, 1263, 1262, 1262]
    assert column(planned, "chip_share") == [2244, 1403, 898, 505]


@pytest.mark.parametrize(
    ("source", "next_prize", "expected", "on_top"),
    [
        ("pool_first", "each", [7807, 6966, 6460, 6067], 0),
        ("house", "each", [9197, 8021, 7315, 6767], 4000),
        ("fee_only", "each", [8297, 7121, 6415, 5867], 400),
        ("pool_first", "shared", [8769, 7103, 6103, 5325], 0),
    ],
)
def test_multi_table_in_the_money_in_four_modes(source: str, next_prize: str, expected: list[int], on_top: int) -> None:
    """G-AKP-C5, AMB-08, AMB-09: the pool gives its 27,300 in every mode; `fee_only` is counted with the fee."""
    planned = plan(FOUR_LEFT, house("akpoker", mtt_buyin_source=source, mtt_next_prize=next_prize))
    fee = 100 if source == "fee_only" else 0
    assert [total + fee for total in totals(planned)] == expected
    assert column(planned, "fee") == [100] * 4
    assert sum(expected) - on_top == planned.summary.totals.pool == 27_300


def test_shared_prize_is_divided_equally() -> None:
    """G-AKP-C5, AMB-08: `shared`: 4 × 825, 4 × 2500 and 4444/2778/1778/1000."""
    planned = plan(FOUR_LEFT, house("akpoker", mtt_next_prize="shared"))
    assert column(planned, "next_prize") == [825] * 4
    assert column(planned, "equal_share") == [2500] * 4
    assert column(planned, "chip_share") == [4444, 2778, 1778, 1000]


@pytest.mark.parametrize(("source", "each", "on_top"), [("pool_first", 11_000, 0), ("house", 12_100, 2200)])
def test_flat_satellite(source: str, each: int, on_top: int) -> None:
    """G-AKP-C6, AMB-11: two seats of 11,000, two left: they get them in cash, capped by what the pool holds."""
    planned = plan(SATELLITE, house("akpoker", mtt_buyin_source=source))
    assert totals(planned) == [each, each]
    assert planned.summary.totals.house == on_top
    assert {line.form for line in planned.lines} == {"cash"}


@pytest.mark.parametrize(
    ("single_table", "split", "expected"),
    [
        (False, "pro_rata_chips", [872, 767, 692]),
        (True, "half_half", [872, 767, 692]),
        (True, "pro_rata_chips", [967, 756, 608]),
    ],
)
def test_odd_buy_ins_lose_no_cent(single_table: bool, split: str, expected: list[int]) -> None:
    """G-AKP-C7, AMB-10: 7 × 333, 3 left: 2331 in all."""
    planned = plan(replace(SEVEN_OF_333, single_table=single_table), house("akpoker", stt_split=split))
    assert totals(planned) == expected
    assert sum(expected) == 2331


def test_planned_twice_is_planned_once() -> None:
    """G-AKP-C9, T-IDEM-8: the same case gives the same plan, the same hash and the same obligations."""
    reordered = replace(FOUR_LEFT, entries=FOUR_LEFT.entries[::-1])
    first, second = plan(FOUR_LEFT, house("akpoker")), plan(reordered, house("akpoker"))
    assert first == second
    assert plan_hash(first) == plan_hash(second)
    ids = [obligation_id("SNG9", line.entry, line.reason) for line in first.lines]
    assert len(set(ids)) == len(ids) == 20


def test_single_table_in_the_money() -> None:
    """G-AKP-C10, AMB-59: the third is paid already; only what the pool still holds is split."""
    case = event(10, 2000, [9000, 6000], single_table=True, prizes=(10_000, 6000, 4000), paid=4000)
    planned = plan(case, house("akpoker"))
    assert planned.summary.remaining == 16_000
    assert column(planned, "buy_in") == [2000, 2000]
    assert column(planned, "chip_share") == [7200, 4800]
    assert totals(planned) == [9200, 6800]


def test_single_table_never_gives_more_than_it_holds() -> None:
    """AMB-59: two places paid 19,001 of 20,000 leave 999: each gets back 333 of his 2000, and nothing is split."""
    case = event(10, 2000, [3, 2, 1], single_table=True, prizes=(1, 1, 1, 1), paid=19_001)
    planned = plan(case, house("akpoker"))
    assert totals(planned) == [333, 333, 333]
    assert column(planned, "chip_share") == []


def test_those_who_are_out_get_nothing() -> None:
    """R-AKP-33, R-AKP-34: no line of the plan is about an eliminated player."""
    for case in (TEN_OF_TWENTY_DOLLARS, TWELVE_LEFT, FOUR_LEFT):
        survivors = {entry.player for entry in case.survivors}
        assert {line.player for line in plan(case, house("akpoker")).lines} == survivors
