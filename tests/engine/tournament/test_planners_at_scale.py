"""The planners of seats and the barrier of hand-for-hand play, for small tables and for fields of thousands."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.poker.seats import seat_set
from engine.tournament.events import EntryEliminated, SyncHandClosed, SyncHandStarted
from engine.tournament.payouts import PayoutRow
from engine.tournament.seating import Move, TableView, rebalance, tables_needed
from tests.engine.tournament.desk import Desk, started

SEED = bytes(range(32))
FIELDS = [(2, 2), (2, 5000), (3, 4999), (6, 5000), (9, 5000), (10, 5000)]


def half_empty(players: int, seats: int, chance: Random) -> dict[int, TableView]:
    """Return more tables than are needed, of any sizes, as busts leave them."""
    tables: dict[int, TableView] = {}
    while players:
        size = min(players, chance.randint(1, seats))
        taken = seat_set(chance.sample(range(seats), size))
        tables[len(tables) + 1] = TableView(len(tables) + 1, seats, taken)
        players -= size
    return tables


def carried_out(tables: dict[int, TableView], moves: Sequence[Move]) -> None:
    """Let players move."""
    for move in moves:
        (source, seat), (target, place) = move.source, move.target
        assert tables[source].taken >> seat & 1
        assert not tables[target].taken >> place & 1
        tables[source] = replace(tables[source], taken=tables[source].taken & ~(1 << seat))
        tables[target] = replace(tables[target], taken=tables[target].taken | 1 << place)


@pytest.mark.parametrize(("seats", "players"), FIELDS)
def test_a_field_of_any_size_ends_at_few_and_even_tables(seats: int, players: int) -> None:
    """O-33: tables are broken and evened until they are as few as hold the players, and differ by one at most."""
    tables = half_empty(players, seats, Random(players))
    broken_at_most = len(tables)
    for _ in range(broken_at_most + 1):
        moves = rebalance(list(tables.values()), SEED, "moves")
        if not moves:
            break
        carried_out(tables, moves)
    sizes = [table.size for table in tables.values() if table.size]
    assert (len(sizes), sum(sizes)) == (tables_needed(players, seats), players)
    assert max(sizes) - min(sizes) <= 1


def bubble() -> Desk:
    """Return four tables of three that play hand for hand, with ten places paid."""
    paid = (PayoutRow(2, (10_000,)), PayoutRow(12, (1_000,) * 10))
    return started(12, seats=3, payouts=paid, hand_for_hand=2)


@settings(max_examples=40)
@given(st.permutations([1, 2, 3, 4]), st.sets(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=2))
def test_nothing_of_a_synchronised_hand_counts_before_its_last_table(order: list[int], with_bust: set[int]) -> None:
    """O-34, O-35: in whatever order tables end it, busts count when the last one has, and then all at once."""
    desk = bubble()
    assert len(desk.said(SyncHandStarted)) == 1
    for table in order:
        assert (desk.said(SyncHandClosed), desk.said(EntryEliminated)) == ([], [])
        first, second, *_ = [entry.number for entry in desk.at(table)]
        desk.hand(table, {first: second} if table in with_bust else None).direct()
    assert len(desk.said(SyncHandClosed)) == 1
    out = desk.said(EntryEliminated)
    assert len(out) == len(with_bust)
    assert {(event.out_number, event.tied) for event in out} == {(len(with_bust), len(with_bust))}
