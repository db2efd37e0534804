"""Prizes, ties, satellites and bounties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament.payouts import payout, usual_payouts
from engine.tournament.prizes import (
    Finish,
    Prize,
    average_prizes,
    finishes,
    prizes_from,
    rank_busts,
    satellite_prizes,
    share_bounty,
)
from engine.tournament.shares import Claim

BUSTS = st.lists(st.integers(1, 5), min_size=1, max_size=9).map(lambda stacks: list(enumerate(stacks, start=1)))
TICKET = Prize("ticket/Sunday", 11_000)


@pytest.mark.parametrize(
    ("pool", "bps", "expected"),
    [
        (999, (5000, 3000, 2000), (499, 300, 200)),
        (20_000, (5000, 3000, 2000), (10_000, 6000, 4000)),
        (30_000, (4000, 2500, 1500, 1100, 900), (12_000, 7500, 4500, 3300, 2700)),
        (1, (5000, 5000), (1, 0)),
        (101, (6500, 3500), (66, 35)),
        (0, (10_000,), (0,)),
    ],
)
def test_percentages_become_cents(pool: int, bps: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Operations.md O-36: largest remainder, ties to the better place: 999 at 50/30/20 is 499/300/200."""
    assert prizes_from(pool, bps) == expected


@given(st.integers(0, 10**12), st.integers(1, 6000))
def test_prizes_are_the_pool(pool: int, entries: int) -> None:
    """Operations.md O-36: the sum is the pool, and no place is worth less than the next."""
    prizes = prizes_from(pool, payout(usual_payouts(), entries))
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)


def test_tied_places_are_averaged() -> None:
    """Operations.md O-35: 3301 and 2700 averaged: 3001 to the lower entry id, 3000 to the other."""
    assert average_prizes((3301, 2700), (17, 4)) == (3000, 3001)


@pytest.mark.parametrize(
    ("busts", "groups"),
    [
        ([(1, 500), (2, 900)], ((2,), (1,))),
        ([(3, 500), (1, 500), (2, 900)], ((2,), (1, 3))),
        ([(1, 7)], ((1,),)),
        ([], ()),
    ],
)
def test_more_chips_at_the_start_rank_higher(busts: list[Claim], groups: tuple[tuple[int, ...], ...]) -> None:
    """Operations.md O-35: who had more at the start of the hand ranks higher; equal stacks tie."""
    assert rank_busts(busts) == groups


def test_busts_of_one_hand_take_the_next_places() -> None:
    """Operations.md O-35: four left, entries 8 and 9 tied for 5th and 6th, entry 7 is 7th and unpaid."""
    assert finishes([(7, 100), (9, 400), (8, 400)], 4, (9000, 8000, 7000, 6000, 3301, 2700)) == (
        Finish(8, 5, 3001),
        Finish(9, 5, 3000),
        Finish(7, 7, 0),
    )


def test_tie_over_the_last_paid_place_shares_it() -> None:
    """Operations.md O-35: three tied for 2nd to 4th, of which only the 2nd is paid, share its 1000."""
    found = finishes([(3, 50), (4, 50), (5, 50)], 1, (2000, 1000))
    assert [(finish.place, finish.prize) for finish in found] == [(2, 334), (2, 333), (2, 333)]


@given(BUSTS, st.integers(0, 5))
def test_busts_lose_no_prize(busts: list[Claim], left: int) -> None:
    """FAULT-110, operations.md O-35: every entry is ranked once, and the prizes of the places are paid out exactly."""
    prizes = (101, 57, 33, 20, 11, 5)
    found = finishes(busts, left, prizes)
    assert sorted(finish.entry for finish in found) == [entry for entry, _ in busts]
    assert sum(finish.prize for finish in found) == sum(prizes[left : left + len(busts)])


@pytest.mark.parametrize(
    ("pool", "tickets", "expected"),
    [
        (22_000, 2, (TICKET, TICKET)),
        (25_300, 2, (TICKET, TICKET, Prize("cash", 3300))),
        (5000, 0, (Prize("cash", 5000),)),
    ],
)
def test_satellite(pool: int, tickets: int, expected: tuple[Prize, ...]) -> None:
    """G-AKP-C6, operations.md section 3: equal tickets, and the rest in money to the next place."""
    assert satellite_prizes(pool, tickets, TICKET) == expected
    assert sum(prize.amount for prize in expected) == pool


def test_satellite_gives_no_ticket_it_cannot_pay() -> None:
    """Operations.md section 4: an unfunded guarantee would mint money."""
    with pytest.raises(AssertionError, match="overlay"):
        satellite_prizes(21_999, 2, TICKET)


def test_bounty_is_shared_by_the_winners_of_the_pot() -> None:
    """AMB-10, operations.md section 3: an odd unit goes to the larger stack."""
    assert share_bounty(501, [(1, 900), (2, 1200)]) == (250, 251)
