"""The draw for seats at the start: by chance, for all to check, and in small records (`operations.md` O-30)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.poker.seats import seat_set
from engine.tournament import commands
from engine.tournament.decide import execute
from engine.tournament.director import due
from engine.tournament.events import TournamentEvent
from engine.tournament.play_events import PlayBegan, TableOpened, TournamentStarted
from engine.tournament.seating import draw_seats
from engine.tournament.state import Tournament
from engine.tournament.terms import Terms
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk, registering, started
from tests.engine.tournament.quiet_room import QuietRoom, Tourney

RECORD_MAX = 48 * 1024
"""Bytes of the events of one command, so that their record stays well below what the log takes."""


def test_the_seed_and_the_entries_say_who_sits_where() -> None:
    """T-ABU-8, O-30: anybody can draw again with the seed on the log and the entries in their order."""
    desk = started(23, seats=9)
    (draw,) = desk.said(TournamentStarted)
    places = draw_seats(23, 9, draw.seed)
    assert [(entry.table, entry.seat) for entry in desk.state.entries] == list(places)


def test_the_opened_tables_are_those_of_the_draw() -> None:
    """T-ABU-8: what each table is told is what the draw says, chips included, and nobody sits twice."""
    desk = started(23, seats=9)
    told = {place.entry: (table.number, place.seat) for table in desk.said(TableOpened) for place in table.places}
    assert told == {entry.number: (entry.table, entry.seat) for entry in desk.state.entries}
    assert {place.chips for table in desk.said(TableOpened) for place in table.places} == {1500}


def test_another_seed_seats_them_otherwise() -> None:
    """T-ABU-8: it is the seed that decides, not the order of registration."""
    desks = [registering(18, entries_max=18).do(commands.StartTournament(seed)).direct() for seed in (SEED, bytes(32))]
    one, other = ([(entry.table, entry.seat) for entry in desk.state.entries] for desk in desks)
    assert one != other


@given(st.integers(2, 40), st.integers(2, 10))
@settings(max_examples=20, deadline=None)
def test_tables_are_few_and_even(entries: int, seats: int) -> None:
    """O-30, O-33: no more tables than needed, and their sizes differ by one at most."""
    desk = started(entries, seats=seats)
    sizes = Counter(entry.table for entry in desk.state.entries)
    assert len(sizes) == len(desk.state.tables) == -(-entries // seats)
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert max(sizes.values()) <= seats


def test_who_has_withdrawn_is_not_drawn() -> None:
    """O-30: the draw is of those who are in."""
    desk = registering(4, entries_max=4, starts_at_ms=0, seats=2, entries_min=2)
    desk.do(commands.Unregister("p2")).direct()
    assert desk.state.drawn == (1, 3, 4)
    assert desk.entry(2).status == "gone"
    assert sorted(len(desk.at(table)) for table in (1, 2)) == [1, 2]


def test_friends_who_register_together_are_spread() -> None:
    """T-ABU-8: nine of 36 who came in a row meet as often as any nine: χ² with one degree, p < 1e-6 above 23.9."""
    before, draws = registering(36, entries_max=36).state, 150
    meetings = 0
    for number in range(draws):
        after = execute(before, commands.StartTournament(number.to_bytes(32)), 0)[1]
        places = draw_seats(len(after.drawn), 9, after.seed)[:9]
        sizes = Counter(table for table, _ in places).values()
        meetings += sum(size * (size - 1) // 2 for size in sizes)
    pairs = 36 * draws
    expected = pairs * 8 / 35
    assert (meetings - expected) ** 2 / expected + (meetings - expected) ** 2 / (pairs - expected) < 23.9


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    """T-RNG-6: a draw takes a whole seed or none."""
    for desk, command in (
        (registering(9, entries_max=9), commands.StartTournament(bytes(length))),
        (started(9), commands.Arrange(bytes(length))),
    ):
        assert desk.refuses(command, "FIELD_INVALID").metadata["field"] == "seed"


@pytest.mark.parametrize(
    "desk",
    [
        registering(2, entries_max=3),
        registering(2, entries_max=9, starts_at_ms=1),
        registering(2, entries_max=9, starts_at_ms=0, entries_min=3),
        registering(2, entries_max=3).do(commands.Register("late")),
        registering(2, entries_max=9, starts_at_ms=0).do(commands.Register("late")),
        started(2),
    ],
    ids=["not full", "not its time", "too few", "not paid", "not answered", "started"],
)
def test_there_is_no_draw_before_its_time(desk: Desk) -> None:
    """O-30: a Sit & Go starts when it is full, others at their time, and not while an account is still asked."""
    desk.refuses(commands.StartTournament(SEED), "NOTHING_DUE")
    assert not isinstance(due(desk.state, desk.at_ms, SEED), commands.StartTournament)


def test_a_tournament_starts_at_its_time_with_the_entries_that_are_in() -> None:
    """O-30: enough have come, so nobody waits for more."""
    desk = registering(3, entries_max=9, starts_at_ms=60_000).direct()
    assert desk.said(TournamentStarted) == []
    assert desk.sleep().at_ms == 60_000
    assert (len(desk.said(TournamentStarted)), desk.state.phase) == (1, "running")


def test_an_answer_that_is_late_is_waited_for() -> None:
    """O-30: at the time of the start an account is still asked: its answer starts the tournament, be it yes or no."""
    desk = registering(3, entries_max=9, starts_at_ms=60_000).do(commands.Register("p4")).wait(seconds=61).direct()
    assert desk.state.phase == "registering"
    assert desk.refuse().direct().state.phase == "running"


def test_no_table_opens_out_of_turn() -> None:
    """The draw first, then its tables, then the clock of the first level."""
    desk = registering(9, entries_max=9)
    for command in (commands.OpenTable(), commands.BeginPlay()):
        desk.refuses(command, "NOTHING_DUE")
    desk.do(commands.StartTournament(SEED)).refuses(commands.BeginPlay(), "NOTHING_DUE")
    desk.do(commands.OpenTable()).refuses(commands.OpenTable(), "NOTHING_DUE")
    desk.wait(seconds=7).do(commands.BeginPlay()).refuses(commands.BeginPlay(), "NOTHING_DUE")
    assert desk.state.clock.runs_since_ms == 7000


def test_no_hand_is_dealt_before_all_tables_are_open() -> None:
    """O-30: who is seated first does not play on against fewer; then all first hands are allowed at once."""
    room = QuietRoom()
    tourney = Tourney(room, terms(entries=4, seats=2))
    for number in range(1, 5):
        room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
    for command in (commands.StartTournament(SEED), commands.OpenTable(), commands.OpenTable(), commands.BeginPlay()):
        assert all(room.table(table).desk.hands_allowed == 0 for table in tourney.tables())
        tourney.do(command)
    tourney.direct()
    assert [room.table(table).desk.hands_allowed for table in tourney.tables()] == [1, 1]


def test_tables_are_opened_by_the_announcement() -> None:
    """O-30: numbered in their order, of the announced size, with the rules and the stakes of the first level."""
    desk = started(18, seats=9)
    opened = desk.said(TableOpened)
    assert [(table.number, table.name) for table in opened] == [(1, "Test, table 1"), (2, "Test, table 2")]
    assert {(table.seats, table.level, table.prize_unit) for table in opened} == {(9, 0, "USD")}
    assert all(table.rulebook == desk.state.terms.rulebook for table in opened)
    assert all(table.stakes == desk.state.terms.levels[0].stakes for table in opened)


# Records stay small, however many play.


def crowd(announced: Terms, entries: int) -> Tournament:
    """Return a tournament of so many entries just before the draw."""
    state = execute(None, commands.CreateTournament("T", announced), 0)[1]
    return joined(state, range(1, entries + 1))


def joined(state: Tournament, numbers: range) -> Tournament:
    """Return the tournament after these players have registered and paid."""
    for number in numbers:
        state = execute(state, commands.Register(f"player {number}"), 0)[1]
        payment = state.payments[-1]
        funds = commands.AcceptFunds(f"player {number}", payment.transfer_id, payment.unit, payment.amount)
        state = execute(state, funds, 0)[1]
    return state


def records(state: Tournament) -> Iterator[tuple[int, tuple[TournamentEvent, ...], Tournament]]:
    """Yield the size of the record of each command that is due now, in bytes, its events and what comes of it."""
    number = 0
    while (command := due(state, 0, number.to_bytes(32))) is not None:
        events, state = execute(state, command, 0)
        number += 1
        yield len(msgspec.msgpack.encode(events)), events, state


@pytest.mark.parametrize("seats", [2, 10])
def test_records_of_a_large_draw_are_small(seats: int) -> None:
    """O-30: at 5,000 entries no command's events need more than 48 KiB, from the draw to the first hands."""
    state, opened, largest = crowd(terms(entries=5000, seats=seats), 5000), 0, 0
    for size, events, after in records(state):
        largest, state = max(largest, size), after
        opened += any(isinstance(event, TableOpened) for event in events)
    assert largest <= RECORD_MAX
    assert opened == len(state.tables) == 5000 // seats
    assert not any(table.idle for table in state.tables)


def test_records_are_small_when_many_come_late() -> None:
    """O-30: 300 came while the tables of the draw were opened; they get their seats in small portions."""
    state = crowd(terms(entries=5000, starts_at_ms=0, late_levels=4), 900)
    state = joined(execute(state, commands.StartTournament(SEED), 0)[1], range(901, 1201))
    largest = 0
    for size, _, after in records(state):
        largest, state = max(largest, size), after
    assert largest <= RECORD_MAX
    assert {entry.status for entry in state.entries} <= {"seated", "moving"}
    assert {table.taken.bit_count() for table in state.tables} == {8, 9}


def test_all_that_play_have_seats_of_their_own() -> None:
    """O-30, O-33: what the director knows of a table is who sits there."""
    desk = started(31, seats=6)
    assert len(desk.said(PlayBegan)) == 1
    for table in desk.state.tables:
        assert table.taken == seat_set([entry.seat for entry in desk.at(table.number)])
