"""Who sits where in a tournament: the draw, late seats, balancing and breaking tables (`operations.md` O-30, O-33).

Planners only: they look at tables and return places and moves; nothing here seats anybody. Chance is a seed that came
with the command, so a draw can be checked and nobody who registers with his friends can choose to sit with them
(T-ABU-8).

* Sizes of tables differ by at most one. When the players fit on one table fewer, a table is broken: the smallest, and
  of equal ones the one that was opened last. Its players are drawn anew to free places at the smallest of the others.
* Otherwise players move one at a time from a largest to a smallest table. The one who moves is next to post the big
  blind, and he goes to the place that posts it soonest at the new table, so he neither skips nor doubles it.
* Nobody is seated on the button, or between it and the big blind, while a place behind the big blind is free.

All tables of a tournament have the same number of seats. Seats count from 0, tables from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from engine.poker.seats import MEMBERS, Seat, SeatSet, between, clockwise, next_seat
from engine.poker.shuffle import draw_order

SEATING = "seating/v1"
"""The label of a draw for seats; its context says what is drawn."""

Place: TypeAlias = tuple[int, Seat]
"""A table's number and a seat at it."""


class TableView(msgspec.Struct, frozen=True, gc=False):
    """What the planners know of a table between two hands."""

    number: int
    seats: int
    taken: SeatSet
    button: Seat = -1
    """-1 before its first hand, for all three; the blinds are -1 too at a table that has none."""
    small_blind: Seat = -1
    big_blind: Seat = -1

    @property
    def size(self) -> int:
        """How many play there."""
        return self.taken.bit_count()


class Move(msgspec.Struct, frozen=True, gc=False):
    """A player goes from one place to another."""

    source: Place
    target: Place


def tables_needed(players: int, seats: int) -> int:
    """Return how few tables of this many seats hold the players."""
    return -(-players // seats)


def are_even(sizes: Sequence[int], seats: int) -> bool:
    """Say whether tables with so many players each are as few and as even as they should be; no table is empty."""
    return not sizes or (max(sizes) - min(sizes) <= 1 and tables_needed(sum(sizes), seats) == len(sizes))


def draw_seats(players: int, seats: int, seed: bytes) -> tuple[Place, ...]:
    """Return a place for each player of a new tournament, in the order of `players`; table sizes differ by at most one.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    tables = tables_needed(players, seats)
    places = [(number % tables + 1, number // tables) for number in range(players)]
    order = draw_order(seed, SEATING, "start", players)
    return tuple(places[place] for place in order)


def late_place(tables: Sequence[TableView], seed: bytes, context: str) -> Place | None:
    """Return a random place for one who comes late, at a smallest table with an open seat; None without one.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    open_places = [(table, open_seats(table)) for table in tables]
    smallest = min((table.size for table, seats in open_places if seats), default=None)
    choices = [
        (table.number, seat) for table, seats in open_places if table.size == smallest for seat in MEMBERS[seats]
    ]
    return choices[draw_order(seed, SEATING, context, len(choices))[0]] if choices else None


def open_seats(table: TableView) -> SeatSet:
    """Return where a player may join: a free seat, neither on the button nor between it and the big blind.

    No seat is between them without blinds, or where the dealer of two players posts the big blind himself. Where less
    than two players are left, no hand can be played before somebody joins: wherever there is room.
    """
    free = _free(table)
    if table.big_blind in {-1, table.button} or table.size < 2:
        return free
    return free & ~between(table.button, table.big_blind) & ~(1 << table.button)


def rebalance(tables: Sequence[TableView], seed: bytes, context: str) -> tuple[Move, ...]:
    """Return the moves that keep the tables as few and as even as they should be; none when they are.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    playing = [table for table in tables if table.size]
    if are_even([table.size for table in playing], tables[0].seats if tables else 0):
        return ()
    if tables_needed(sum(table.size for table in playing), playing[0].seats) < len(playing):
        return _broken(playing, seed, context)
    return _evened(playing)


def _broken(tables: Sequence[TableView], seed: bytes, context: str) -> tuple[Move, ...]:
    """Break one table: its players, in a random order, take random places at the other tables, the smallest first."""
    broken = min(tables, key=lambda table: (table.size, -table.number))
    others = {table.number: table for table in tables if table.number != broken.number}
    players = MEMBERS[broken.taken]
    moves: list[Move] = []
    for index in draw_order(seed, SEATING, context, len(players)):
        target = min((table for table in others.values() if _free(table)), key=_by_size)
        places = MEMBERS[open_seats(target) or _free(target)]
        seat = places[draw_order(seed, SEATING, f"{context}/{index}", len(places))[0]]
        moves.append(Move((broken.number, players[index]), (target.number, seat)))
        others[target.number] = _with(target, seat)
    return tuple(moves)


def _evened(tables: Sequence[TableView]) -> tuple[Move, ...]:
    """Move one player at a time from a largest to a smallest table until their sizes differ by at most one."""
    now = {table.number: table for table in tables}
    moves: list[Move] = []
    while True:
        smallest, largest = min(now.values(), key=_by_size), max(now.values(), key=_by_size_first)
        if largest.size - smallest.size <= 1:
            return tuple(moves)
        source, target = next_big_blind(largest), _soonest_big_blind(smallest)
        moves.append(Move((largest.number, source), (smallest.number, target)))
        now[largest.number] = msgspec.structs.replace(largest, taken=largest.taken & ~(1 << source))
        now[smallest.number] = _with(smallest, target)


def next_big_blind(table: TableView) -> Seat:
    """Return who posts the next big blind; before the first hand the seat that would be third from the button."""
    after = table.big_blind if table.big_blind >= 0 else min(2, table.seats - 1)
    return next_seat(table.taken, after)


def _soonest_big_blind(table: TableView) -> Seat:
    """Return the free place that posts the big blind soonest, but the next small blind's only if there is no other."""
    after = table.big_blind if table.big_blind >= 0 else table.seats - 1
    return clockwise(_free(table), after)[0]


def _free(table: TableView) -> SeatSet:
    return ((1 << table.seats) - 1) & ~table.taken


def _with(table: TableView, seat: Seat) -> TableView:
    return msgspec.structs.replace(table, taken=table.taken | 1 << seat)


def _by_size(table: TableView) -> tuple[int, int]:
    return table.size, table.number


def _by_size_first(table: TableView) -> tuple[int, int]:
    return table.size, -table.number
