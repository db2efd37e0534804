"""Seats drawn by chance at the start, late seats, and which seats are open (`operations.md` O-30, O-33)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.poker.seats import MEMBERS, seat_set
from engine.tournament.seating import TableView, draw_seats, late_place, open_seats, rebalance, tables_needed

SEED = bytes(range(32))
BUTTON_OF_NINE = {"button": 0, "small_blind": 1, "big_blind": 2}


@pytest.mark.parametrize(
    ("players", "seats", "tables"),
    [(0, 9, 0), (1, 9, 1), (9, 9, 1), (10, 9, 2), (18, 9, 2), (19, 9, 3), (5000, 2, 2500)],
)
def test_tables_needed_hold_all_players_and_one_fewer_would_not(players: int, seats: int, tables: int) -> None:
    """O-33: players divided by seats, rounded up."""
    assert tables_needed(players, seats) == tables


@given(st.integers(2, 5000), st.integers(2, 10), st.binary(min_size=32, max_size=32))
@example(2, 2, SEED)
@example(10, 9, SEED)
@example(5000, 9, SEED)
@settings(max_examples=50, deadline=None)
def test_a_draw_gives_each_player_one_place_at_even_tables(players: int, seats: int, seed: bytes) -> None:
    """O-30, O-33: as few tables as possible, numbered from 1, their sizes differing by at most one."""
    places = draw_seats(players, seats, seed)
    sizes = Counter(table for table, _ in places)
    assert len(places) == len(set(places)) == players
    assert set(sizes) == set(range(1, tables_needed(players, seats) + 1))
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert all(0 <= seat < seats for _, seat in places)


def test_a_draw_is_a_function_of_its_seed() -> None:
    """T-ABU-8: whoever has the seed of the command can check the draw; another seed gives another."""
    assert draw_seats(45, 9, SEED) == draw_seats(45, 9, SEED)
    assert draw_seats(45, 9, SEED) != draw_seats(45, 9, bytes(32))


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_has_32_bytes(length: int) -> None:
    """T-RNG-6: a draw takes a whole seed or none, be it for a start, a late place or a broken table."""
    tables = [TableView(1, 9, 0b11), TableView(2, 9, 0b11)]
    with pytest.raises(ValueError, match="seed"):
        draw_seats(9, 9, bytes(length))
    with pytest.raises(ValueError, match="seed"):
        late_place(tables, bytes(length), "e7")
    with pytest.raises(ValueError, match="seed"):
        rebalance(tables, bytes(length), "1")


def test_friends_who_register_together_are_spread() -> None:
    """T-ABU-8: nine of 90 players meet at a table as often as any nine: χ² with one degree, p < 1e-6 above 23.9."""
    meetings, draws = 0, 400
    for number in range(draws):
        tables = [table for table, _ in draw_seats(90, 9, number.to_bytes(32))[:9]]
        meetings += sum(one == other for one, other in combinations(tables, 2))
    pairs = 36 * draws
    expected = pairs * 8 / 89
    assert (meetings - expected) ** 2 / expected + (meetings - expected) ** 2 / (pairs - expected) < 23.9


def test_each_of_nine_friends_may_sit_at_any_table() -> None:
    """T-ABU-8: over 400 draws the nine first of 90 fill the ten tables alike: χ², nine degrees, p < 1e-6 above 45.1."""
    seats = Counter(table for number in range(400) for table, _ in draw_seats(90, 9, number.to_bytes(32))[:9])
    assert set(seats) == set(range(1, 11))
    assert sum((seats[table] - 360) ** 2 for table in seats) < 45.1 * 360


def test_who_comes_late_sits_at_a_smallest_table() -> None:
    """O-30: his seat is random, but not between button and big blind, and not at a larger table."""
    small = TableView(1, 9, seat_set([0, 1, 2, 5]), **BUTTON_OF_NINE)
    large = TableView(2, 9, seat_set([0, 1, 2, 3, 4]), **BUTTON_OF_NINE)
    places = {late_place([small, large], number.to_bytes(32), "e7") for number in range(60)}
    assert places == {(1, seat) for seat in (3, 4, 6, 7, 8)}


def test_who_comes_late_to_full_tables_waits() -> None:
    """O-30: without a seat there is no place to draw."""
    assert late_place([TableView(1, 3, 0b111)], SEED, "e7") is None


def test_a_small_table_without_an_open_seat_is_passed_over() -> None:
    """O-30: rather at a larger table than between button and big blind."""
    small = TableView(1, 4, seat_set([1, 3]), button=3, small_blind=3, big_blind=1)
    tables = [msgspec.structs.replace(small, taken=seat_set([1, 2])), TableView(2, 4, 0b1111)]
    assert late_place(tables, SEED, "e7") is None
    assert late_place([*tables, TableView(3, 4, 0b111)], SEED, "e7") == (3, 3)


def test_a_late_place_is_a_function_of_its_seed_and_entry() -> None:
    """T-ABU-8: whoever has the seed of the command can check the place; another entry gets another draw."""
    table = [TableView(1, 9, 0b1)]
    assert late_place(table, SEED, "e7") == late_place(table, SEED, "e7")
    assert len({late_place(table, SEED, f"e{entry}") for entry in range(30)}) > 1


def test_a_late_place_is_any_of_the_choices_alike() -> None:
    """T-ABU-8: of twelve places none is likelier: χ² with eleven degrees, p < 1e-6 above 49.0."""
    tables = [TableView(number, 9, 0b11111, **BUTTON_OF_NINE) for number in (1, 2, 3)]
    places = Counter(late_place(tables, number.to_bytes(32), "e7") for number in range(1200))
    assert set(places) == {(number, seat) for number in (1, 2, 3) for seat in (5, 6, 7, 8)}
    assert sum((count - 100) ** 2 for count in places.values()) < 49.0 * 100


def test_friends_who_come_late_together_are_spread() -> None:
    """T-ABU-8: nine who register in a row at twelve equal tables get nine tables, each with the seed of his command."""
    tables = {number: TableView(number, 9, 0b11111, **BUTTON_OF_NINE) for number in range(1, 13)}
    for friend in range(9):
        place = late_place(list(tables.values()), friend.to_bytes(32), f"e{friend}")
        assert place is not None
        assert tables[place[0]].size == 5
        tables[place[0]] = TableView(place[0], 9, 0b11111 | 1 << place[1], **BUTTON_OF_NINE)


def test_nobody_joins_between_the_button_and_the_big_blind() -> None:
    """O-30: the seats between them, and an empty button, stay empty."""
    table = TableView(1, 6, seat_set([0, 4]), button=5, small_blind=0, big_blind=2)
    assert MEMBERS[open_seats(table)] == (2, 3)


@given(st.integers(3, 10), st.data())
def test_open_seats_are_free_and_behind_the_big_blind(seats: int, data: st.DataObject) -> None:
    """O-30: walking from the button to the seat before the big blind, nobody may sit down; elsewhere everybody may."""
    button, small, big = data.draw(st.permutations(range(seats)))[:3]
    taken = data.draw(st.sets(st.integers(0, seats - 1), min_size=2))
    closed = {(button + step) % seats for step in range((big - button) % seats)}
    table = TableView(1, seats, seat_set(taken), button, small, big)
    assert set(MEMBERS[open_seats(table)]) == set(range(seats)) - taken - closed


@pytest.mark.parametrize("taken", [0, 0b000001])
def test_every_free_seat_is_open_where_no_hand_can_be_played(taken: int) -> None:
    """O-30: one player alone waits for somebody, wherever he sits down."""
    table = TableView(1, 6, taken, button=5, small_blind=0, big_blind=2)
    assert open_seats(table) == 0b111111 & ~taken


def test_before_the_first_hand_every_free_seat_is_open() -> None:
    """O-30: without a button no seat is worse than another."""
    assert MEMBERS[open_seats(TableView(1, 4, 0b0101))] == (1, 3)


@pytest.mark.parametrize(("small_blind", "big_blind"), [(1, 0), (-1, -1)])
def test_every_free_seat_is_open_where_none_is_between(small_blind: int, big_blind: int) -> None:
    """O-30, R-AKP-6: when the dealer of two players posts the big blind, or nobody posts, no seat is worse."""
    table = TableView(1, 4, 0b0011, 0, small_blind, big_blind)
    assert MEMBERS[open_seats(table)] == (2, 3)
    assert late_place([table], SEED, "e7") in {(1, 2), (1, 3)}
