"""Who shows first, who wins, who may muck. Code counts seats from 0."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.poker.seats import MEMBERS, Seat, seat_set
from engine.poker.showdown import ShowdownFirst, beaten, show_order, winners_of

A, B, C, D = 0, 1, 2, 3


@pytest.mark.parametrize(
    ("aggressor", "rule", "expected"),
    [
        (3, "last_aggressor", (3, 5, 0, 2)),
        (0, "last_aggressor", (0, 2, 3, 5)),
        (-1, "last_aggressor", (2, 3, 5, 0)),
        (4, "last_aggressor", (2, 3, 5, 0)),
        (3, "left_of_button", (2, 3, 5, 0)),
    ],
)
def test_who_shows_first(aggressor: Seat, rule: ShowdownFirst, expected: tuple[Seat, ...]) -> None:
    """R-AKP-12, R-PLA-20, R-MOD-6, AMB-28: the last aggressor if he is live, else left of the button (seat 1)."""
    assert show_order(seat_set((0, 2, 3, 5)), 1, aggressor, rule) == expected


def test_everybody_checked_the_river() -> None:
    """G-PLA-9: nobody opened, so the first live seat left of the button shows first; the button shows last."""
    assert show_order(seat_set((0, 1, 2)), 0, -1, "last_aggressor") == (1, 2, 0)


def test_winners_come_in_order_from_the_left_of_the_button() -> None:
    """R-AKP-13, R-PAC-22: hands that tie split; the order decides about odd chips, and suits about nothing."""
    assert winners_of(seat_set((0, 1, 2, 3)), (8, 8, 5, 8), 1) == (3, 0, 1)


def test_a_hand_outside_the_pot_does_not_count() -> None:
    """AMB-38, FAULT-49: B has the second best hand of all and no claim to the last pot."""
    assert winners_of(seat_set((C, D)), (9, 8, 7, 6), D) == (C,)


def test_a_beaten_hand_may_be_mucked() -> None:
    """G-PAC-12, R-PAC-23: A shows a flush, B holds a straight."""
    assert beaten(B, (60, 50), seat_set((A,)), seat_set((A,)))


def test_a_tie_is_not_beaten() -> None:
    """G-PAC-12, AMB-29: equal is not lower, and B wins half."""
    assert not beaten(B, (60, 60), seat_set((A, B)), seat_set((A,)))


def test_a_tie_among_losers_is_not_beaten() -> None:
    """AMB-29: B equals what A shows; C, who beats both, has not shown yet."""
    assert not beaten(B, (50, 50, 60), seat_set((C,)), seat_set((A,)))


def test_the_first_to_show_is_not_beaten() -> None:
    """AMB-29: no hand lies face up, so the worst hand must be shown if it comes first."""
    assert not beaten(A, (10, 50), seat_set((B,)), 0)


def test_a_hand_that_has_not_been_shown_beats_nobody() -> None:
    """AMB-29: B is worse than the hand that C mucked, and better than what A shows."""
    assert not beaten(B, (10, 20, 30, 40), seat_set((D,)), seat_set((A,)))


def test_the_winner_of_a_side_pot_must_show() -> None:
    """AMB-29: B loses the main pot to A, wins the side pot against C, and so must show."""
    strengths, shown = (60, 50, 40), seat_set((A,))
    assert not beaten(B, strengths, seat_set((A, B)), shown)
    assert beaten(C, strengths, seat_set((A, B)), shown)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=10), st.data())
def test_mucking_never_loses_a_winner(strengths: list[int], data: st.DataObject) -> None:
    """AMB-29: whoever has already shown, the best hand of a pot is never beaten, and somebody else may be."""
    seats = (1 << len(strengths)) - 1
    claimants, shown = data.draw(st.integers(1, seats)), data.draw(st.integers(0, seats))
    winners = winners_of(claimants, strengths, data.draw(st.integers(0, len(strengths) - 1)))
    assert {strengths[seat] for seat in winners} == {max(strengths[seat] for seat in MEMBERS[claimants])}
    assert not any(beaten(seat, strengths, seat_set(winners), shown) for seat in winners)
