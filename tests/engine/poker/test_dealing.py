"""Which place of the deck goes where. Golden tests number seats from 1, the code from 0."""

from __future__ import annotations

import pytest

from engine.poker.dealing import BoardPlaces, Burn, DealStarts, board_places, deal_order, hole_places
from engine.poker.seats import Seat, seat_set

BURNS: tuple[Burn, ...] = ("none", "turn_river", "flop_turn_river")


@pytest.mark.parametrize(
    ("n", "burn", "expected"),
    [
        (4, "flop_turn_river", BoardPlaces((9, 10, 11), 13, 15)),
        (6, "none", BoardPlaces((12, 13, 14), 15, 16)),
        (10, "none", BoardPlaces((20, 21, 22), 23, 24)),
        (4, "turn_river", BoardPlaces((8, 9, 10), 12, 14)),
    ],
)
def test_the_board_follows_the_hole_cards(n: int, burn: Burn, expected: BoardPlaces) -> None:
    """Rulebooks.md, Deck places, with its examples; R-FRE-13, AMB-46: each burn moves what follows by one place."""
    assert board_places(n, burn) == expected


def test_hole_cards_are_dealt_one_at_a_time() -> None:
    """R-PAC-31, deck places: the first cards lie at 0 to n - 1 in deal order, the second at n to 2n - 1."""
    assert hole_places(4) == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize("burn", BURNS)
@pytest.mark.parametrize("n", range(2, 23))
def test_no_place_is_dealt_twice(n: int, burn: Burn) -> None:
    """T-COM-6: the places of a hand are unique, in the deck and in deal order, for up to 22 players (AMB-47)."""
    firsts, seconds = zip(*hole_places(n), strict=True)
    board = board_places(n, burn)
    used = [*firsts, *seconds, *board.flop, board.turn, board.river]
    assert used == sorted(set(used))
    assert used[: 2 * n] == list(range(2 * n))
    assert used[-1] < 52


@pytest.mark.parametrize(
    ("deal_starts", "expected"),
    [("left_of_big_blind", (3, 4, 5, 0, 1, 2)), ("left_of_button", (1, 2, 3, 4, 5, 0))],
)
def test_the_rulebook_says_where_the_deal_starts(deal_starts: DealStarts, expected: tuple[Seat, ...]) -> None:
    """G-PAC-6: button 1, big blind 3 of six: pacific deals 4 5 6 1 2 3, the other houses 2 3 4 5 6 1 (R-FRE-12)."""
    assert deal_order(seat_set(range(6)), button=0, big_blind=2, deal_starts=deal_starts) == expected


@pytest.mark.parametrize(
    ("big_blind", "deal_starts"),
    [
        pytest.param(0, "left_of_big_blind", id="G-PAC-13: button A posts the big blind"),
        pytest.param(0, "left_of_button", id="G-AKP-3: button A posts the big blind"),
        pytest.param(1, "left_of_button", id="G-MOD-1: button A posts the small blind"),
    ],
)
def test_heads_up_the_first_card_goes_to_the_other_player(big_blind: Seat, deal_starts: DealStarts) -> None:
    """G-PAC-13, G-AKP-3, G-MOD-1: with button A, the first card goes to B in every house."""
    assert deal_order(seat_set((0, 1)), button=0, big_blind=big_blind, deal_starts=deal_starts) == (1, 0)


@pytest.mark.parametrize("deal_starts", ["left_of_button", "left_of_big_blind"])
def test_without_blinds_the_deal_starts_left_of_the_button(deal_starts: DealStarts) -> None:
    """R-FRE-4, G-FRE-5: where nobody posts a big blind, the button decides."""
    assert deal_order(seat_set((1, 4, 7)), button=4, big_blind=None, deal_starts=deal_starts) == (7, 1, 4)


def test_an_empty_button_seat_gets_no_card() -> None:
    """G-MOD-2: a dead button stays at a seat that is not dealt in; the deal starts with the next player."""
    assert deal_order(seat_set((0, 2, 3)), button=1, big_blind=3, deal_starts="left_of_button") == (2, 3, 0)


def test_seats_without_cards_are_passed_over() -> None:
    """R-FRE-12: the deal goes round once, clockwise, over the seats dealt in, and ends with the dealer."""
    assert deal_order(seat_set((0, 3, 5, 9)), button=3, big_blind=9, deal_starts="left_of_button") == (5, 9, 0, 3)
