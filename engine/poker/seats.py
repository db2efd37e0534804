"""Sets of seats as the bits of an integer: bit `i` stands for seat `i`, seats count from 0 clockwise.

A table has at most ten seats, so every set is one of 1,024 numbers, `seat in set` is one `&`, and the question that a
dealer asks most often, "who is next?", is one look-up in a table that is computed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias

Seat: TypeAlias = int
SeatSet: TypeAlias = int

SEATS_MAX = 10
NOBODY: SeatSet = 0


def seat_set(seats: Iterable[Seat]) -> SeatSet:
    """Return the set of `seats`."""
    members = NOBODY
    for seat in seats:
        members |= 1 << seat
    return members


def seats_in(members: SeatSet) -> Iterator[Seat]:
    """Yield the seats of a set in ascending order."""
    return iter(MEMBERS[members])


def next_seat(members: SeatSet, seat: Seat) -> Seat:
    """Return the first member clockwise after `seat`; `seat` itself comes last. -1 for the empty set."""
    return NEXT[members][seat]


@cache
def clockwise(members: SeatSet, after: Seat) -> tuple[Seat, ...]:
    """Return the members in clockwise order, beginning with the first one after the seat `after`."""
    ordered = MEMBERS[members]
    return tuple(s for s in ordered if s > after) + tuple(s for s in ordered if s <= after)


@cache
def at_most_one(members: SeatSet) -> bool:
    """Say whether a set has no more than one member."""
    return members & (members - 1) == 0


@cache
def between(start: Seat, end: Seat) -> SeatSet:
    """Return the seats strictly between `start` and `end`, clockwise; all others when both are the same seat."""
    members, seat = NOBODY, (start + 1) % SEATS_MAX
    while seat != end:
        members |= 1 << seat
        seat = (seat + 1) % SEATS_MAX
    return members


def _next_of(members: SeatSet, seat: Seat) -> Seat:
    for step in range(1, SEATS_MAX + 1):
        candidate = (seat + step) % SEATS_MAX
        if members >> candidate & 1:
            return candidate
    return -1


MEMBERS: tuple[tuple[Seat, ...], ...] = tuple(
    tuple(seat for seat in range(SEATS_MAX) if members >> seat & 1) for members in range(1 << SEATS_MAX)
)
"""The seats of every set, ascending."""

NEXT: tuple[tuple[Seat, ...], ...] = tuple(
    tuple(_next_of(members, seat) for seat in range(SEATS_MAX)) for members in range(1 << SEATS_MAX)
)
"""`NEXT[members][seat]` is `next_seat(members, seat)`: the hot path reads the table itself."""
