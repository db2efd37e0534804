"""Seats drawn by chance, late seats, and tables kept few and even (`operations.md` O-30, O-33)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.poker.button import Positions, Standing, next_positions
from engine.poker.seats import MEMBERS, NEXT, seat_set
from engine.tournament.seating import (
    Move,
    TableView,
    draw_seats,
    late_place,
    next_big_blind,
    open_seats,
    rebalance,
    tables_needed,
)

SEED = bytes(range(32))
BUTTON_OF_NINE = {"button": 0, "small_blind": 1, "big_blind": 2}


def after(tables: list[TableView], moves: tuple[Move, ...]) -> dict[int, set[int]]:
    """Return who sits where after the moves, and hold that each goes from a taken seat to a free one."""
    taken = {table.number: set(MEMBERS[table.taken]) for table in tables}
    for move in moves:
        taken[move.source[0]].remove(move.source[1])
        assert move.target[1] not in taken[move.target[0]]
        taken[move.target[0]].add(move.target[1])
    return taken


@st.composite
def rooms(draw: st.DrawFn) -> list[TableView]:
    """Draw one to five tables of one size in mid-tournament, the button and the blinds where players sit."""
    seats = draw(st.integers(3, 10))
    tables = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        taken = seat_set(draw(st.sets(st.integers(0, seats - 1), min_size=3, max_size=seats)))
        button = draw(st.sampled_from(MEMBERS[taken]))
        small = NEXT[taken][button]
        tables.append(TableView(number, seats, taken, button, small, NEXT[taken][small]))
    return tables


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (9, 9), (10, 9), (18, 9), (100, 6), (5000, 9)])
def test_a_draw_gives_each_player_one_place_at_even_tables(players: int, seats: int) -> None:
    """O-30, O-33: as few tables as possible, their sizes differing by at most one."""
    places = draw_seats(players, seats, SEED)
    sizes = Counter(table for table, _ in places)
    assert len(set(places)) == players
    assert len(sizes) == tables_needed(players, seats)
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert max(sizes.values()) <= seats


def test_a_draw_is_a_function_of_its_seed() -> None:
    """T-ABU-8: whoever has the seed of the command can check the draw; another seed gives another."""
    assert draw_seats(45, 9, SEED) == draw_seats(45, 9, SEED)
    assert draw_seats(45, 9, SEED) != draw_seats(45, 9, bytes(32))


def test_a_seed_has_32_bytes() -> None:
    """T-RNG-6: a draw takes a whole seed or none."""
    with pytest.raises(ValueError, match="seed"):
        draw_seats(9, 9, b"short")


def test_friends_who_register_together_are_spread() -> None:
    """T-ABU-8: nine of 90 players meet at a table as often as any nine: χ² with one degree, p < 1e-6 above 23.9."""
    meetings, draws = 0, 400
    for number in range(draws):
        tables = [table for table, _ in draw_seats(90, 9, number.to_bytes(32))[:9]]
        meetings += sum(one == other for one, other in combinations(tables, 2))
    pairs = 36 * draws
    expected = pairs * 8 / 89
    assert (meetings - expected) ** 2 / expected + (meetings - expected) ** 2 / (pairs - expected) < 23.9


def test_who_comes_late_sits_at_a_smallest_table() -> None:
    """O-30: his seat is random, but not between button and big blind, and not at a larger table."""
    small = TableView(1, 9, seat_set([0, 1, 2, 5]), **BUTTON_OF_NINE)
    large = TableView(2, 9, seat_set([0, 1, 2, 3, 4]), **BUTTON_OF_NINE)
    places = {late_place([small, large], number.to_bytes(32), "e7") for number in range(60)}
    assert places == {(1, seat) for seat in (3, 4, 6, 7, 8)}


def test_who_comes_late_to_full_tables_waits() -> None:
    """O-30: without a seat there is no place to draw."""
    assert late_place([TableView(1, 3, 0b111)], SEED, "e7") is None


def test_nobody_joins_between_the_button_and_the_big_blind() -> None:
    """O-30: the seats between them, and an empty button, stay empty."""
    table = TableView(1, 6, seat_set([0, 4]), button=5, small_blind=0, big_blind=2)
    assert MEMBERS[open_seats(table)] == (2, 3)


def test_before_the_first_hand_every_free_seat_is_open() -> None:
    """O-30: without a button no seat is worse than another."""
    assert MEMBERS[open_seats(TableView(1, 4, 0b0101))] == (1, 3)


def test_who_is_due_the_big_blind_moves_to_where_it_comes_next() -> None:
    """O-33: from the larger table goes the next big blind, to the first free seat behind the other table's."""
    large = TableView(1, 9, seat_set(range(9)), **BUTTON_OF_NINE)
    small = TableView(2, 9, seat_set([0, 1, 2, 4, 6]), **BUTTON_OF_NINE)
    assert rebalance([large, small], SEED, "1") == (Move((1, 3), (2, 3)), Move((1, 4), (2, 5)))


def test_the_one_who_moves_posts_the_next_big_blind() -> None:
    """O-33: he neither skips nor doubles it: he is the next to post it at either table."""
    small = TableView(2, 9, seat_set([0, 1, 2, 3, 4, 6]), **BUTTON_OF_NINE)
    previous = Positions(0, 1, small_posts=True, big_blind=2)
    standings: tuple[Standing | None, ...] = tuple("in" if small.taken >> seat & 1 else None for seat in range(9))
    deal = next_positions(
        standings,
        previous,
        0,
        rule="dead",
        heads_up="dealer_posts_small",
        no_double_big_blind=True,
        between_allowed=False,
        with_blinds=True,
    )
    assert deal is not None
    assert deal.positions.big_blind == next_big_blind(small) == 3


def test_a_table_too_many_is_broken() -> None:
    """O-33: the smallest goes, of equal ones the last; all its players are drawn to the others."""
    tables = [TableView(number, 9, seat_set([0, 1, 2]), **BUTTON_OF_NINE) for number in (1, 2)]
    moves = rebalance(tables, SEED, "1")
    assert sorted(move.source for move in moves) == [(2, 0), (2, 1), (2, 2)]
    assert after(tables, moves)[2] == set()


def test_a_broken_tables_players_sit_where_chance_puts_them() -> None:
    """O-33: broken tables are drawn anew."""
    tables = [TableView(number, 9, seat_set([0, 1, 2]), **BUTTON_OF_NINE) for number in (1, 2)]
    assert len({rebalance(tables, number.to_bytes(32), "1") for number in range(20)}) > 10


def test_between_the_blinds_is_better_than_no_seat() -> None:
    """O-33: when no other seat is free, a player of a broken table takes one between button and big blind."""
    tables = [
        TableView(1, 4, seat_set([0, 2, 3]), button=0, small_blind=2, big_blind=2),
        TableView(2, 4, seat_set([0]), button=0, small_blind=0, big_blind=0),
    ]
    assert rebalance(tables, SEED, "1") == (Move((2, 0), (1, 1)),)


def test_an_empty_tournament_moves_nobody() -> None:
    """O-33: there is nobody to move."""
    assert rebalance([], SEED, "1") == ()


@given(rooms())
def test_tables_become_few_and_even(tables: list[TableView]) -> None:
    """O-33: rebalancing again and again ends with as few tables as possible, their sizes differing by at most one."""
    players = sum(table.size for table in tables)
    for turn in range(len(tables) + 1):
        seated = after(tables, rebalance(tables, SEED, str(turn)))
        tables = [
            TableView(table.number, table.seats, seat_set(seated[table.number]), table.button, -1, table.big_blind)
            for table in tables
            if seated[table.number]
        ]
    sizes = [table.size for table in tables]
    assert sum(sizes) == players
    assert len(tables) == tables_needed(players, tables[0].seats)
    assert max(sizes) - min(sizes) <= 1
    assert rebalance(tables, SEED, "again") == ()


@given(rooms())
def test_even_tables_of_a_full_tournament_stay_as_they_are(tables: list[TableView]) -> None:
    """O-33: nobody moves without a cause; each move makes a larger table smaller and a smaller one larger."""
    moves = rebalance(tables, SEED, "1")
    sizes = {table.number: table.size for table in tables}
    if tables_needed(sum(sizes.values()), tables[0].seats) == len(tables):
        mean = -(-sum(sizes.values()) // len(tables))
        assert len(moves) <= sum(max(0, size - mean + 1) for size in sizes.values())
        assert all(sizes[move.source[0]] > sizes[move.target[0]] for move in moves)
    else:
        assert len({move.source[0] for move in moves}) == 1
