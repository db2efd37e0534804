"""The golden numbers of cancellations from end to end: hands are played, tables report, and these are the payments.

What `cancellation.py` plans for such cases is in `test_cancellation_*.py`; here the books come from a tournament, and
the amounts from the events with which it pays.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.tournament import commands
from engine.tournament.money_events import ObligationPaid, TicketIssued
from engine.tournament.payouts import PayoutRow
from engine.tournament.state import left
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import (
    call_off,
    down_to,
    end_hand,
    in_play,
    obligations,
    paid,
    refund,
    rules,
    settle,
    to_house,
)
from tests.engine.tournament.desk import Desk, started
from tests.engine.tournament.events import PRIZES

SHARES = ("buy_in", "next_prize", "equal_share", "chip_share")
"""What most golden tests count: all but the fee."""
SEVEN = (4100, 2950, 2480, 2010, 1490, 1170, 800)
"""The stacks of G-AKP-C1."""
TWELVE = ((7200, 4300, 3500), (6100, 5400, 2600, 900), (4800, 3900, 3100, 1900, 1300))
"""The stacks of G-AKP-C4, as one hand leaves them at each of three tables of ten."""


def one_table(entries: int, stacks: tuple[int, ...], house: str = "akpoker", **changes: Any) -> Desk:  # noqa: ANN401
    """Return a tournament at one table, called off and refunded: one hand has left these stacks."""
    desk = started(entries, **{"rulebook": rules(house), "seats": 10, "fee": 0, **changes})
    settle(end_hand(desk, 1, dict(enumerate(stacks, start=1))))
    return refund(call_off(desk))


def twelve_left(house: str = "akpoker", **modes: Any) -> Desk:  # noqa: ANN401 - fields of CancellationRules.
    """Return the event of G-AKP-C4, refunded: 30 entries of 10 + 1 dollars, of which one hand has left twelve."""
    desk = started(30, seats=10, rulebook=rules(house, **modes))
    for number, stacks in enumerate(TWELVE, start=1):
        players = [entry.number for entry in desk.at(number)]
        end_hand(desk, number, dict(zip(players, stacks, strict=False)))
    return refund(call_off(desk))


def four_left(house: str = "akpoker", **modes: Any) -> Desk:  # noqa: ANN401 - fields of CancellationRules.
    """Return the event of G-AKP-C5, refunded: the same at its last table, where the fifth has just gone out."""
    desk = down_to(started(30, seats=10, rulebook=rules(house, **modes)), 5)
    table = in_play(desk)[0].number
    players = [entry.number for entry in desk.at(table)]
    settle(end_hand(desk, table, dict(zip(players, (20_000, 12_500, 8000, 4500), strict=False))))
    assert ([prize.amount for prize in desk.state.prizes or ()], desk.state.prizes_paid) == ([*PRIZES], 2700)
    return refund(call_off(desk))


def satellite(house: str = "akpoker", **modes: Any) -> Desk:  # noqa: ANN401 - fields of CancellationRules.
    """Return the event of G-AKP-C6, refunded: the third goes out in the hand in which it is called off."""
    ticket = Ticket("ticket/Sunday", 11_000)
    desk = started(20, seats=10, buy_in=1100, fee=0, satellite=ticket, rulebook=rules(house, **modes))
    table = in_play(down_to(desk, 3))[0].number
    first, second, _ = [entry.number for entry in desk.at(table)]
    return refund(call_off(end_hand(desk, table, {first: 18_000, second: 12_000})))


def seven(house: str = "akpoker", seats: int = 10, **modes: Any) -> Desk:  # noqa: ANN401 - fields of CancellationRules.
    """Return the event of G-AKP-C7, refunded: 7 times 3.33 dollars, three left before the money."""
    two_paid = (PayoutRow(2, (6500, 3500)),)
    desk = started(7, seats=seats, buy_in=333, fee=0, payouts=two_paid, rulebook=rules(house, **modes))
    table = in_play(down_to(desk, 4))[0].number
    players = [entry.number for entry in desk.at(table)]
    return refund(call_off(settle(end_hand(desk, table, dict(zip(players, (5001, 3333, 2166), strict=False))))))


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("pro_rata_chips", [3640, 3180, 2992, 2804, 2596, 2468, 2320]),
        ("equal", [2858, 2857, 2857, 2857, 2857, 2857, 2857]),
        ("half_half", [3249, 3019, 2925, 2831, 2726, 2662, 2588]),
    ],
)
def test_single_table(split: str, expected: list[int]) -> None:
    """G-AKP-C1, R-AKP-33, AMB-07: seven of ten are left; 20,000 in one of three ways, and fees of 7 × 200."""
    desk = one_table(10, SEVEN, rulebook=rules("akpoker", stt_split=split), buy_in=2000, fee=200)
    assert (paid(desk, *SHARES), sum(expected)) == (expected, 20_000)
    assert paid(desk, "fee") == [200] * 7
    assert to_house(desk) == {"fee": 3 * 200}


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("pro_rata_chips", [741, 494, 320, 267, 178]),
        ("equal", [400, 400, 400, 400, 400]),
        ("half_half", [571, 447, 360, 333, 289]),
    ],
)
def test_cents_go_to_the_largest_remainders(split: str, expected: list[int]) -> None:
    """G-AKP-C2, R-AKP-33, AMB-10: 2000 among the five that are left of nine."""
    desk = one_table(9, (5005, 3333, 2162, 1800, 1200), rulebook=rules("akpoker", stt_split=split), buy_in=500)
    assert paid(desk, "equal_share", "chip_share") == expected
    assert paid(desk, "buy_in") == [500] * 5


@pytest.mark.parametrize("split", ["pro_rata_chips", "equal"])
def test_the_odd_cent_of_equal_stacks(split: str) -> None:
    """G-AKP-C3, AMB-10: 100 among three with equal chips are 34/33/33, the lowest entry first."""
    desk = one_table(4, (2000, 2000, 2000), rulebook=rules("akpoker", stt_split=split), buy_in=100)
    assert paid(desk, "equal_share", "chip_share") == [34, 33, 33]


def test_before_the_money_out_of_the_pool() -> None:
    """G-AKP-C4, R-AKP-34, AMB-09: twelve of thirty are left and get the pool of 30,000; the house adds nothing."""
    desk = twelve_left()
    assert paid(desk, *SHARES) == [3190, 2970, 2830, 2710, 2610, 2530, 2450, 2370, 2270, 2130, 2010, 1930]
    assert paid(desk, "chip_share") == [1440, 1220, 1080, 960, 860, 780, 700, 620, 520, 380, 260, 180]
    assert (paid(desk, "buy_in"), paid(desk, "equal_share")) == ([1000] * 12, [750] * 12)
    assert to_house(desk) == {"fee": 18 * 100}


def test_before_the_money_out_of_the_house() -> None:
    """G-AKP-C4, R-AKP-34, AMB-09: read literally, the house pays buy-ins of 12,000 on top of the pool."""
    desk = twelve_left(mtt_buyin_source="house")
    expected = [4650, 4284, 4050, 3850, 3683, 3550, 3417, 3283, 3117, 2883, 2683, 2550]
    assert (paid(desk, *SHARES), sum(expected)) == (expected, 42_000)
    assert sum([event.sources.house for event in desk.said(ObligationPaid)]) == 12_000


@pytest.mark.parametrize(
    ("source", "next_prize", "expected", "on_top"),
    [
        ("pool_first", "each", [7807, 6966, 6460, 6067], 0),
        ("house", "each", [9197, 8021, 7315, 6767], 4000),
        ("fee_only", "each", [8297, 7121, 6415, 5867], 400),
        ("pool_first", "shared", [8769, 7103, 6103, 5325], 0),
    ],
)
def test_in_the_money(source: str, next_prize: str, expected: list[int], on_top: int) -> None:
    """G-AKP-C5, R-AKP-34, AMB-08, AMB-09: the fifth is paid; four share the 27,300 that are left, in four modes."""
    desk = four_left(mtt_buyin_source=source, mtt_next_prize=next_prize)
    assert paid(desk, *SHARES, *["fee"] * (source == "fee_only")) == expected
    assert paid(desk, "fee") == [100] * 4
    assert sum([event.sources.pool for event in obligations(desk) if isinstance(event, ObligationPaid)]) == 27_300
    assert sum(expected) - on_top == 27_300


def test_in_the_money_step_by_step() -> None:
    """G-AKP-C5, R-AKP-34: buy-in, next prize, half of the rest equally and half by chips: each a payment of its own."""
    desk = four_left()
    assert (paid(desk, "buy_in"), paid(desk, "next_prize")) == ([1000] * 4, [3300] * 4)
    assert paid(desk, "equal_share") == [1263, 1263, 1262, 1262]
    assert paid(desk, "chip_share") == [2244, 1403, 898, 505]


@pytest.mark.parametrize(("source", "each"), [("pool_first", 11_000), ("house", 12_100)])
def test_a_flat_satellite_pays_cash(source: str, each: int) -> None:
    """G-AKP-C6, AMB-11: two are left of two prizes; they get the money of their tickets, at most what is there."""
    desk = satellite(mtt_buyin_source=source)
    assert paid(desk) == [each, each]
    assert desk.said(TicketIssued) == []


@pytest.mark.parametrize(
    ("seats", "split", "expected"),
    [
        (6, "pro_rata_chips", [872, 767, 692]),
        (10, "half_half", [872, 767, 692]),
        (10, "pro_rata_chips", [967, 756, 608]),
    ],
)
def test_odd_buy_ins_lose_no_cent(seats: int, split: str, expected: list[int]) -> None:
    """G-AKP-C7, AMB-10: what seven have paid in, 2331, goes out again, at two tables and at one."""
    assert paid(seven(seats=seats, stt_split=split)) == expected


def test_single_table_in_the_money() -> None:
    """G-AKP-C10, R-AKP-33, AMB-59: the third has his prize of 4000; two share the 16,000 that are left."""
    desk = down_to(started(10, "akpoker", seats=10, buy_in=2000, fee=0), 3)
    assert left(desk.state) == 3
    first, second, _ = [entry.number for entry in desk.at(1)]
    settle(end_hand(desk, 1, {first: 9000, second: 6000}))
    assert (desk.state.prizes_paid, paid(refund(call_off(desk)))) == (4000, [9200, 6800])


# The modern rules.


def test_modern_before_the_money() -> None:
    """G-MOD-14, R-MOD-11: the fee comes back on top of the pool: 30,000 + 1200."""
    expected = [3750, 3384, 3150, 2950, 2783, 2650, 2517, 2383, 2217, 1983, 1783, 1650]
    desk = twelve_left("modern")
    assert (paid(desk), sum(expected)) == (expected, 31_200)
    assert to_house(desk) == {"fee": 18 * 100}


def test_modern_in_the_money() -> None:
    """G-MOD-14, R-MOD-11: the least prize not yet awarded to each, all of the rest by chips, and the fee."""
    desk = four_left("modern")
    assert paid(desk) == [9667, 7317, 5906, 4810]
    assert (paid(desk, "next_prize"), paid(desk, "chip_share")) == ([3300] * 4, [6267, 3917, 2506, 1410])


def test_modern_single_table() -> None:
    """G-MOD-14, R-MOD-11: a single table goes the common way: half equally, half by chips, and the fee."""
    desk = one_table(10, SEVEN, "modern", buy_in=2000, fee=200)
    assert paid(desk) == [4363, 3596, 3282, 2969, 2621, 2408, 2161]
    assert paid(desk, "equal_share") == [1429] * 4 + [1428] * 3


def test_modern_satellite_and_cents() -> None:
    """G-MOD-14: the events of G-AKP-C6 and G-AKP-C7 without a fee: 11,000 each, and 944/758/629."""
    assert paid(satellite("modern")) == [11_000, 11_000]
    assert paid(seven("modern")) == [944, 758, 629]


def test_modern_nobody_out() -> None:
    """G-MOD-14, R-MOD-11, AMB-14: nobody out, one paid with a ticket of 10.00 and 15.00 in cash: both come back."""
    sale, ticket = ChipSale(1400, 100, 500), Ticket("ticket/Sunday", 1000)
    desk = Desk(terms(entries=2, buy_in=900, add_on=sale, ticket=ticket))
    desk.do(commands.Register("p1", with_ticket=True)).pay().pay().enter("p2").direct()
    refund(call_off(desk.do(commands.AddOn("p1")).pay()))
    assert [(event.entry, event.amount) for event in desk.said(TicketIssued)] == [(1, 1000)]
    assert [(event.entry, event.sources.amount) for event in desk.said(ObligationPaid)] == [(1, 1500), (2, 1000)]
