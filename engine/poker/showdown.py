"""Showdown: who shows first, who wins a pot, who must show.

Strengths are numbers by seat, the higher the better, equal when hands tie; suits never count. A pot is won among its
own claimants, whoever else holds a better hand (AMB-38, FAULT-49). The dealer ranks all live hands whether they are
shown or not, so mucking can never lose a winner (AMB-29).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from engine.poker.seats import MEMBERS, Seat, SeatSet, clockwise

ShowdownFirst: TypeAlias = Literal["last_aggressor", "left_of_button"]


def show_order(live: SeatSet, button: Seat, last_aggressor: Seat, rule: ShowdownFirst) -> tuple[Seat, ...]:
    """Return the live seats in the order in which they show (R-AKP-12, AMB-28).

    The last to bet or raise begins, then clockwise. Without one (-1), or when he has folded, the first live seat left
    of the button begins.
    """
    if rule == "last_aggressor" and last_aggressor >= 0 and live >> last_aggressor & 1:
        return (last_aggressor, *clockwise(live & ~(1 << last_aggressor), last_aggressor))
    return clockwise(live, button)


def winners_of(claimants: SeatSet, strengths: Sequence[int], button: Seat) -> tuple[Seat, ...]:
    """Return the claimants with the best hand, in clockwise order from the left of the button (R-AKP-13, R-PAC-22)."""
    best, winners = -1, []
    for seat in clockwise(claimants, button):
        strength = strengths[seat]
        if strength > best:
            best, winners = strength, [seat]
        elif strength == best:
            winners.append(seat)
    return tuple(winners)


def beaten(seat: Seat, strengths: Sequence[int], winning: SeatSet, shown: SeatSet) -> bool:
    """Say whether a hand may be mucked: it wins no share of any pot and is worse than one that lies face up.

    A tie is not worse, a hand that wins a side pot must be shown, and the first to show is beaten by nobody (R-PAC-23,
    R-PLA-20, AMB-29).

    Args:
        seat: Whose turn to show it is.
        strengths: Strength of each seat's hand.
        winning: The seats that win a share of a contested pot.
        shown: The seats whose hands lie face up.
    """
    if winning >> seat & 1:
        return False
    return any(strengths[other] > strengths[seat] for other in MEMBERS[shown])
