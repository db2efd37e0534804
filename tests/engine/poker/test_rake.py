"""The rake: how much of each pot the house takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.poker.money import cap_for, rake_of_pots

CAPS_BIG = ((2, 100), (3, 200), (4, 300), (6, 400))
CAPS_FL = ((2, 100), (4, 200), (6, 300))


def rake(*amounts: int, cap: int | None = 400, unit: int = 1, min_pot: int = 0, flop: bool = True) -> tuple[int, ...]:
    """Return the rake at 5 %, where a hand without a flop is free."""
    return rake_of_pots(amounts, bps=500, cap=cap, unit=unit, min_pot=min_pot, flop_dealt=flop, no_flop_no_drop=True)


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ((488,), (24,)),
        ((19,), (0,)),
        ((7999,), (399,)),
        ((8000,), (400,)),
        ((8001,), (400,)),
        ((4000, 2500), (200, 125)),
        ((4000, 6000), (200, 200)),
        ((30, 10_000), (1, 399)),
        ((9000, 9000), (400, 0)),
    ],
)
def test_each_pot_pays_until_the_cap(amounts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """G-MOD-5, R-MOD-12, AMB-57: six dealt, pot by pot, the main pot first."""
    assert rake(*amounts, cap=cap_for(CAPS_BIG, 6)) == expected


@pytest.mark.parametrize(("dealt", "cap"), [(2, 100), (3, 200), (4, 300), (5, 300), (6, 400), (10, 400)])
def test_the_cap_follows_the_players_dealt_in(dealt: int, cap: int) -> None:
    """G-MOD-5: the last entry whose number is not above the players dealt in."""
    assert cap_for(CAPS_BIG, dealt) == cap


@pytest.mark.parametrize(("dealt", "cap"), [(3, 100), (5, 200), (6, 300)])
def test_the_cap_in_fixed_limit(dealt: int, cap: int) -> None:
    """G-MOD-5: fixed limit, 3 dealt cap 100, 5 dealt 200."""
    assert cap_for(CAPS_FL, dealt) == cap


def test_two_dealt_pay_at_most_a_hundred() -> None:
    """G-MOD-5: 2 dealt, pot 2600: 100, not 130."""
    assert rake(2600, cap=cap_for(CAPS_BIG, 2)) == (100,)


def test_without_caps_there_is_no_limit() -> None:
    """R-MOD-12: an empty list of caps is no cap."""
    assert cap_for((), 6) is None
    assert rake(100_000, cap=None) == (5000,)


def test_no_flop_no_drop() -> None:
    """G-MOD-5, AMB-50: no rake when no flop was dealt."""
    assert rake(488, flop=False) == (0,)


def test_a_house_may_rake_before_the_flop() -> None:
    """R-MOD-12: without no_flop_no_drop every hand is raked."""
    assert rake_of_pots((488,), bps=500, cap=None, unit=1, min_pot=0, flop_dealt=False, no_flop_no_drop=False) == (24,)


def test_the_houses_take_nothing_by_default() -> None:
    """AMB-50: at 0 hundredths of a percent no pot pays."""
    assert rake_of_pots((488, 20), bps=0, cap=None, unit=1, min_pot=0, flop_dealt=True, no_flop_no_drop=True) == (0, 0)


def test_rake_is_rounded_down_to_the_unit() -> None:
    """O-20: each pot pays whole units, below a cap that is no multiple of it, too."""
    assert rake(1999, 2000, unit=20) == (80, 100)
    assert rake(2000, 2000, cap=150, unit=20) == (100, 40)


@pytest.mark.parametrize(("amounts", "expected"), [((600, 399), (0, 0)), ((600, 400), (30, 20))])
def test_small_hands_are_free(amounts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """O-20: min_pot is compared with all pots together."""
    assert rake(*amounts, min_pot=1000) == expected


@given(
    st.lists(st.integers(1, 10**12), max_size=9),
    st.integers(0, 10_000),
    st.none() | st.integers(0, 10**6),
    st.sampled_from((1, 5, 20)),
)
def test_rake_is_bounded(amounts: list[int], bps: int, cap: int | None, unit: int) -> None:
    """AMB-57: whole units, never above the rate of a pot, never above the cap of the hand."""
    rakes = rake_of_pots(tuple(amounts), bps=bps, cap=cap, unit=unit, min_pot=0, flop_dealt=True, no_flop_no_drop=True)
    assert cap is None or sum(rakes) <= cap
    for amount, taken in zip(amounts, rakes, strict=True):
        assert 0 <= taken * 10_000 <= amount * bps
        assert taken % unit == 0
