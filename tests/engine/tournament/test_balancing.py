"""Tables kept few and even, and who moves where for it (`operations.md` O-33)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given

from engine.poker.seats import MEMBERS, NEXT, seat_set
from engine.tournament.seating import Move, TableView, next_big_blind, open_seats, rebalance, tables_needed
from tests.engine.tournament.played_tables import DEAD, next_hand, positions, rooms

SEED = bytes(range(32))
BUTTON_OF_NINE = {"button": 0, "small_blind": 1, "big_blind": 2}


def after(tables: list[TableView], moves: tuple[Move, ...]) -> list[TableView]:
    """Return the tables after the moves; each must go from a taken seat to a free one that exists, at another table."""
    now = {table.number: table for table in tables}
    for (source, seat), (target, new_seat) in ((move.source, move.target) for move in moves):
        left, joined = now[source], now[target]
        assert source != target
        assert left.taken >> seat & 1
        assert 0 <= new_seat < joined.seats
        assert not joined.taken >> new_seat & 1
        now[source] = msgspec.structs.replace(left, taken=left.taken ^ 1 << seat)
        now[target] = msgspec.structs.replace(joined, taken=joined.taken | 1 << new_seat)
    return list(now.values())


def sizes(tables: list[TableView]) -> list[int]:
    """Return how many play at each table where somebody does."""
    return [table.size for table in tables if table.size]


def is_one_too_many(tables: list[TableView]) -> bool:
    """Say whether the players fit on fewer tables."""
    return tables_needed(sum(sizes(tables)), tables[0].seats) < len(sizes(tables))


@given(rooms())
def test_tables_become_few_and_even_and_stay_so(tables: list[TableView]) -> None:
    """O-33: one table is broken at a time, then sizes differ by at most one, then nobody moves."""
    players, seats = sum(sizes(tables)), tables[0].seats
    for turn in range(len(tables)):
        before = len(sizes(tables))
        tables = after(tables, rebalance(tables, SEED, str(turn)))
        assert before - 1 <= len(sizes(tables)) <= before
    assert sum(sizes(tables)) == players
    assert len(sizes(tables)) == tables_needed(players, seats)
    assert max(sizes(tables)) - min(sizes(tables)) <= 1
    assert rebalance(tables, SEED, "again") == ()


@given(rooms())
def test_nobody_moves_twice_or_meets_another_on_his_seat(tables: list[TableView]) -> None:
    """O-33: every player keeps exactly one place; nobody is lost or doubled."""
    moves = rebalance(tables, SEED, "1")
    seated = {(table.number, seat) for table in tables for seat in MEMBERS[table.taken]}
    left, joined = {move.source for move in moves}, {move.target for move in moves}
    assert left <= seated
    assert len(left) == len(joined) == len(moves)
    assert not joined & seated
    assert sum(sizes(after(tables, moves))) == len(seated)


@given(rooms())
def test_no_more_players_move_than_must(tables: list[TableView]) -> None:
    """O-33: as many as tables have too many or, if that is more, as others have too few; all of a broken table."""
    moves, now = rebalance(tables, SEED, "1"), sizes(tables)
    if is_one_too_many(tables):
        assert len(moves) == min(now)
        assert len({move.source[0] for move in moves}) == 1
        return
    low, rest = divmod(sum(now), len(now))
    surplus = sum(max(0, size - low - (rest > 0)) for size in now)
    shortage = sum(max(0, low - size) for size in now)
    assert len(moves) == max(surplus, shortage)


@given(rooms())
def test_players_go_to_a_smallest_table(tables: list[TableView]) -> None:
    """O-33: move by move, nobody joins a table while another that is not being broken has fewer players."""
    moves, broken = rebalance(tables, SEED, "1"), is_one_too_many(tables)
    for move in moves:
        now = {
            table.number: table.size
            for table in tables
            if table.size and (not broken or table.number != move.source[0])
        }
        assert now[move.target[0]] == min(now.values())
        assert broken or now[move.source[0]] == max(now.values())
        tables = after(tables, (move,))


@given(rooms())
def test_who_moves_sits_behind_the_big_blind_if_he_can(tables: list[TableView]) -> None:
    """O-30, O-33: neither on the button nor between it and the big blind while a place behind the big blind is free."""
    for move in rebalance(tables, SEED, "1"):
        target = next(table for table in tables if table.number == move.target[0])
        behind = open_seats(target) & ~(1 << max(target.big_blind, 0))
        assert not behind or open_seats(target) >> move.target[1] & 1
        tables = after(tables, (move,))


@given(rooms((DEAD,), least=3))
def test_who_moves_to_even_tables_was_due_the_big_blind(tables: list[TableView]) -> None:
    """O-33: he would have posted it in the next hand of the table that he leaves."""
    if is_one_too_many(tables):
        return
    for move in rebalance(tables, SEED, "1"):
        source = next(table for table in tables if table.number == move.source[0])
        hand = next_hand(source.taken, positions(source), DEAD)
        assert hand is not None
        assert move.source[1] == next_big_blind(source)
        assert move.source[1] == hand.big_blind or source.big_blind < 0
        tables = after(tables, (move,))


@given(rooms((DEAD,), least=3))
def test_who_moves_to_even_tables_posts_the_big_blind_before_anything(tables: list[TableView]) -> None:
    """O-33: at the new table he has neither button nor small blind before it, and no open seat would post it sooner."""
    if is_one_too_many(tables):
        return
    for move in rebalance(tables, SEED, "1"):
        target = next(table for table in tables if table.number == move.target[0])
        choices = open_seats(target) & ~(1 << target.big_blind) if target.big_blind >= 0 else 0
        tables = after(tables, (move,))
        if choices:
            assert move.target[1] == NEXT[choices][target.big_blind]
            posts_the_big_blind_first(target, move.target[1])


def posts_the_big_blind_first(table: TableView, seat: int) -> None:
    """Play on with a newcomer until the big blind reaches him: one hand for each player before him, and one for him."""
    taken, hand = table.taken | 1 << seat, positions(table)
    way = (seat - table.big_blind) % table.seats
    before_him = sum(table.taken >> (table.big_blind + step) % table.seats & 1 for step in range(1, way))
    for _ in range(before_him):
        hand = next_hand(taken, hand, DEAD)
        assert hand is not None
        assert seat not in {hand.button, hand.small_blind, hand.big_blind}
    last = next_hand(taken, hand, DEAD)
    assert last is not None
    assert last.big_blind == seat


def test_who_is_due_the_big_blind_moves_to_where_it_comes_next() -> None:
    """O-33: from the larger table goes the next big blind, to the first free seat behind the other table's."""
    large = TableView(1, 9, seat_set(range(9)), **BUTTON_OF_NINE)
    small = TableView(2, 9, seat_set([0, 1, 2, 4, 6]), **BUTTON_OF_NINE)
    assert rebalance([large, small], SEED, "1") == (Move((1, 3), (2, 3)), Move((1, 4), (2, 5)))


def test_a_table_too_many_is_broken() -> None:
    """O-33: the smallest goes, of equal ones the last; all its players are drawn to the others."""
    tables = [TableView(number, 9, seat_set([0, 1, 2]), **BUTTON_OF_NINE) for number in (1, 2)]
    moves = rebalance(tables, SEED, "1")
    assert sorted(move.source for move in moves) == [(2, 0), (2, 1), (2, 2)]
    assert sizes(after(tables, moves)) == [6]


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


def test_who_moves_is_due_the_big_blind_again_at_the_new_table() -> None:
    """O-33: he neither skips nor doubles it: next to post it where he was, and next to post it where he goes."""
    large, small = TableView(1, 9, 0b1111111, **BUTTON_OF_NINE), TableView(2, 9, 0b10111, **BUTTON_OF_NINE)
    (move,) = rebalance([large, small], SEED, "1")
    assert move == Move((1, next_big_blind(large)), (2, 3))
    hand = next_hand(small.taken | 1 << 3, positions(small), DEAD)
    assert hand is not None
    assert hand.big_blind == 3


def test_an_empty_table_does_not_keep_the_others_uneven() -> None:
    """O-33: a table whose players have all left takes no part: nobody is sent there, and the others are evened."""
    tables = [TableView(1, 9, 0), TableView(2, 9, seat_set(range(9))), TableView(3, 9, 0b11)]
    assert sorted(sizes(after(tables, rebalance(tables, SEED, "1")))) == [5, 6]


def test_few_and_even_tables_stay_as_they_are() -> None:
    """O-33: nobody moves without a cause."""
    tables = [TableView(number, 9, seat_set(range(size))) for number, size in ((1, 8), (2, 7), (3, 8))]
    assert rebalance(tables, SEED, "1") == ()


@pytest.mark.parametrize("big_blind", range(9))
def test_the_next_big_blind_is_the_next_player(big_blind: int) -> None:
    """O-33, R-MOD-3: with the dead button the big blind goes to the next player, past empty seats."""
    table = TableView(1, 9, 0b111111111, (big_blind - 2) % 9, (big_blind - 1) % 9, big_blind)
    assert next_big_blind(table) == (big_blind + 1) % 9
    empty_next = msgspec.structs.replace(table, taken=table.taken ^ 1 << (big_blind + 1) % 9)
    assert next_big_blind(empty_next) == (big_blind + 2) % 9


def test_before_the_first_hand_players_move_too() -> None:
    """O-33: where nobody is due a blind yet, the tables are evened all the same, to the first free seat."""
    moves = rebalance([TableView(1, 6, 0b111111), TableView(2, 6, 0b0101)], SEED, "1")
    assert [move.target for move in moves] == [(2, 1), (2, 3)]


@pytest.mark.parametrize("big_blind", range(5))
def test_nobody_moves_to_the_small_blind_if_another_seat_is_free(big_blind: int) -> None:
    """O-33: big blind and button have bust; the small blind goes to the former's seat, so he gets the other."""
    seat = [(big_blind + step) % 5 for step in range(5)]
    small = TableView(1, 5, seat_set([seat[1], seat[2], seat[4]]), seat[3], seat[4], big_blind)
    large = TableView(2, 5, 0b11111, 0, 1, 2)
    (move,) = rebalance([small, large], SEED, "1")
    assert move.target == (1, seat[3])
    posts_the_big_blind_first(small, seat[3])


def test_players_of_a_broken_table_are_drawn_apart() -> None:
    """O-33: the seat of one says nothing about the seat of the next: each has a draw of his own."""
    tables = [TableView(number, 9, 0b111, **BUTTON_OF_NINE) for number in (1, 2)]
    tables.append(TableView(3, 9, 0b11, **BUTTON_OF_NINE))
    pairs = [rebalance(tables, number.to_bytes(32), "1") for number in range(30)]
    assert all({first.target[0], second.target[0]} == {1, 2} for first, second in pairs)
    assert {first.target[1] == second.target[1] for first, second in pairs} == {True, False}
