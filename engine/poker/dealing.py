"""Who gets which place of the deck (`rulebooks.md`, Deck places).

The places are a function of what the events record: the seats dealt in, the button and the big blind, where the deal
starts, and which streets are preceded by a burn. A verifier computes them again, so that nobody can deal from the
bottom of the deck (`trust.md` section 2). With n players dealt in, the deck is used from the top:

    0 … n-1        the first hole cards, in deal order
    n … 2n-1       the second hole cards, in the same order
    2n …           [burn] flop, flop, flop, [burn] turn, [burn] river
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

import msgspec

from engine.poker.seats import Seat, SeatSet, clockwise

DealStarts: TypeAlias = Literal["left_of_button", "left_of_big_blind"]
"""The seat of the first hole card."""

Burn: TypeAlias = Literal["none", "turn_river", "flop_turn_river"]
"""The streets before which one card is burned (AMB-46)."""


class BoardPlaces(msgspec.Struct, frozen=True, gc=False):
    """The places of the five board cards."""

    flop: tuple[int, int, int]
    turn: int
    river: int


def deal_order(dealt: SeatSet, button: Seat, big_blind: Seat | None, deal_starts: DealStarts) -> tuple[Seat, ...]:
    """Return the seats dealt in, in the order in which they receive their cards (R-PAC-31, R-FRE-12).

    The button may be at a seat that is not dealt in. Without a big blind the deal starts left of the button.
    """
    if deal_starts == "left_of_big_blind" and big_blind is not None:
        return clockwise(dealt, big_blind)
    return clockwise(dealt, button)


@cache
def hole_places(n: int) -> tuple[tuple[int, int], ...]:
    """Return the places of the first and second hole card of each of `n` players, in deal order."""
    return tuple((player, n + player) for player in range(n))


@cache
def board_places(n: int, burn: Burn) -> BoardPlaces:
    """Return the places of the board with `n` players dealt in (R-FRE-13, AMB-46)."""
    flop = 2 * n + (burn == "flop_turn_river")
    turn = flop + 3 + (burn != "none")
    river = turn + 1 + (burn != "none")
    return BoardPlaces((flop, flop + 1, flop + 2), turn, river)
