"""Levels by wall clock, breaks, pauses, and most players gone at once (O-32, O-41, O-42)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.table.hand_events import HandStarted
from engine.tournament import commands
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.play_events import (
    BreakAnnounced,
    BreakStarted,
    LevelStarted,
    MassDisconnectDetected,
    TableOpened,
    TournamentPaused,
    TournamentResumed,
)
from engine.tournament.terms import ChipSale, Level
from tests.engine.tournament.announcements import levels, terms
from tests.engine.tournament.desk import SEED, Desk, registering, started
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import Players

LEVELS = levels(terms().rulebook)
PAUSE = commands.PauseTournament("fire alarm", "olga")
RESUME = commands.ResumeTournament("olga")
REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=3)


def with_breaks(seconds: int = 300) -> tuple[Level, ...]:
    """Return levels of ten minutes, the first of which is followed by a break."""
    return (replace(LEVELS[0], break_seconds=seconds), *LEVELS[1:])


def idle(desk: Desk) -> list[bool]:
    """Say of each table whether it stands still."""
    return [table.idle for table in desk.state.tables]


# Levels.


def test_a_level_ends_by_the_wall_clock() -> None:
    """O-32: ten minutes after play has begun, however many hands were played."""
    desk = started(9)
    assert wakes_at_ms(desk.state) == 600_000
    desk.wait(ms=599_999).refuses(commands.AdvanceLevel(), "NOTHING_DUE")
    assert due(desk.state, desk.at_ms, SEED) is None
    desk.wait(ms=1).direct()
    assert desk.said(LevelStarted) == [LevelStarted(1, LEVELS[1].stakes, (1,))]
    assert wakes_at_ms(desk.state) == 1_200_000


def test_all_tables_are_told_of_a_level() -> None:
    """O-32: they have the same stakes, whenever they were opened."""
    desk = started(23, seats=6).sleep()
    assert desk.said(LevelStarted)[0].tables == (1, 2, 3, 4)


def test_a_director_who_looks_late_does_not_shorten_the_next_level() -> None:
    """O-32: it lasts as long as announced from the moment in which it begins."""
    desk = started(9).wait(seconds=725).direct()
    assert (desk.state.clock.level, wakes_at_ms(desk.state)) == (1, 1_325_000)


def test_the_last_level_lasts_to_the_end() -> None:
    """O-32: there is nothing to advance to."""
    desk = started(9, levels=LEVELS[:2]).sleep().wait(seconds=100_000).direct()
    assert (desk.state.clock.level, wakes_at_ms(desk.state)) == (1, None)
    desk.refuses(commands.AdvanceLevel(), "NOTHING_DUE")


def test_a_level_is_in_force_from_the_next_hand() -> None:
    """O-32: the hand in progress ends with the stakes with which it has begun."""
    room = QuietRoom()
    tourney = Tourney(room, terms(entries=3))
    for number in range(1, 4):
        room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
    players = Players(tourney)
    tourney.direct()
    players.begin_hand("T-1")
    tourney.sleep()
    assert tourney.state.clock.level == 1
    while (table := room.table("T-1")).hand is not None:
        room.ask("table/T-1", players.choose(table), players.deck)
    tourney.direct()
    players.begin_hand("T-1")
    started_hands = [event for _, event in room.log if isinstance(event, HandStarted)]
    assert [(hand.level, hand.stakes.big_blind) for hand in started_hands] == [(0, 20), (1, 40)]


def test_a_table_that_opens_late_plays_at_the_present_level() -> None:
    """O-32: its first hand has the stakes of all others' next hands."""
    room = QuietRoom()
    tourney = Tourney(room, terms(entries=40, seats=4, starts_at_ms=0, late_levels=3))
    for number in range(1, 6):
        room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
        if number == 4:
            tourney.direct()
            tourney.sleep()
    tourney.direct()
    opened = [event for _, event in room.log if isinstance(event, TableOpened)][-1]
    assert (opened.number, opened.level, opened.stakes) == (2, 1, LEVELS[1].stakes)
    assert (room.table("T-2").terms.level, room.table("T-2").terms.stakes) == (1, LEVELS[1].stakes)


# Breaks.


def test_a_break_begins_when_the_hands_are_finished() -> None:
    """O-32: the clock stands when the level is over, the last table to end its hand begins the break for all."""
    desk = started(12, seats=6, levels=with_breaks()).wait(seconds=600).direct()
    assert (desk.said(BreakAnnounced), desk.said(BreakStarted)) == ([BreakAnnounced()], [])
    desk.wait(seconds=20).hand(1).direct()
    assert (idle(desk), desk.said(BreakStarted)) == ([True, False], [])
    desk.wait(seconds=20).hand(2).direct()
    assert (idle(desk), desk.said(BreakStarted)) == ([True, True], [BreakStarted(940_000)])


def test_the_next_level_begins_with_the_end_of_the_break() -> None:
    """O-32: after the full break, and not before."""
    desk = started(9, levels=with_breaks()).wait(seconds=600).direct().hand(1).direct()
    desk.refuses(commands.AdvanceLevel(), "NOTHING_DUE")
    assert wakes_at_ms(desk.state) == 900_000
    desk.sleep()
    assert [level.level for level in desk.said(LevelStarted)] == [1]
    assert (idle(desk), desk.at_ms, wakes_at_ms(desk.state)) == ([False], 900_000, 1_500_000)


def test_a_break_is_announced_once() -> None:
    """O-32: while the hands go on, time makes nothing more due."""
    desk = started(9, levels=with_breaks()).wait(seconds=600).direct().wait(seconds=900).direct()
    assert (len(desk.said(BreakAnnounced)), wakes_at_ms(desk.state)) == (1, None)
    desk.refuses(commands.AdvanceLevel(), "NOTHING_DUE")


def test_a_break_waits_for_who_is_on_his_way() -> None:
    """O-32, O-33: all sit when it begins."""
    desk = started(12, seats=6, levels=with_breaks())
    there = [entry.number for entry in desk.at(1)]
    desk.hand(1, {there[0]: there[5], there[1]: there[5]}).direct().wait(seconds=600).direct().hand(2).direct()
    assert (desk.entry_of(moving(desk)).status, desk.said(BreakStarted)) == ("moving", [])
    desk.arrive(desk.entry_of(moving(desk)).number).direct()
    assert len(desk.said(BreakStarted)) == 1


def moving(desk: Desk) -> str:
    """Return the player who changes tables."""
    (player,) = [entry.player for entry in desk.state.entries if entry.status == "moving"]
    return player


def test_late_players_get_their_seats_in_a_break() -> None:
    """O-30, O-32: the level before the break is not over for them until the break is."""
    changes: dict[str, Any] = {"starts_at_ms": 0, "late_levels": 1, "entries_max": 9}
    desk = started(3, levels=with_breaks(), **changes).wait(seconds=600).direct().hand(1).direct()
    desk.enter("late").direct()
    assert (desk.entry_of("late").status, idle(desk)) == ("seated", [True])
    desk.sleep().refuses(commands.Register("too late"), "REGISTRATION_CLOSED")


# Pauses.


def test_a_pause_stops_clock_and_hands() -> None:
    """O-42: the hand in progress ends, no other begins, and the level waits."""
    desk = started(9).wait(seconds=100).do(PAUSE).hand(1).direct()
    assert desk.said(TournamentPaused) == [TournamentPaused("fire alarm", "olga")]
    assert (idle(desk), wakes_at_ms(desk.state)) == ([True], None)
    desk.wait(seconds=100_000).direct()
    assert desk.said(LevelStarted) == []
    desk.refuses(commands.AdvanceLevel(), "NOTHING_DUE")


def test_play_goes_on_with_what_was_left_of_the_level() -> None:
    """O-42: the clock runs on from where it stood."""
    desk = started(9).wait(seconds=100).do(PAUSE).hand(1).wait(seconds=5000).do(RESUME).direct()
    assert desk.said(TournamentResumed) == [TournamentResumed("olga")]
    assert (idle(desk), wakes_at_ms(desk.state)) == ([False], 5_600_000)
    desk.wait(seconds=200).do(PAUSE).wait(seconds=10).do(RESUME)
    assert wakes_at_ms(desk.state) == 5_610_000


def test_who_asks_twice_changes_nothing() -> None:
    """O-42: a pause in a pause, or going on without one, is no event."""
    desk = started(9).wait(seconds=100).do(PAUSE).wait(seconds=100)
    assert desk.do(PAUSE).events == ()
    desk.do(RESUME)
    assert desk.do(RESUME).events == ()
    assert wakes_at_ms(desk.state) == 700_000


@pytest.mark.parametrize("command", [PAUSE, RESUME, commands.ReportDisconnected(1, 0)])
@pytest.mark.parametrize("desk", [registering(2), started(2).hand(1, {1: 2}).direct()], ids=["before", "after"])
def test_only_a_tournament_in_play_is_paused(desk: Desk, command: commands.TournamentCommand) -> None:
    """O-42: there is no clock before the start, and none after the end."""
    desk.refuses(command, "NOT_RUNNING")


@pytest.mark.parametrize("field", ["cause", "by"])
def test_a_pause_has_a_cause_and_somebody_who_ordered_it(field: str) -> None:
    """O-42: who reads the log learns both."""
    desk, empty = started(9), {"cause": "c", "by": "b", field: ""}
    assert desk.refuses(commands.PauseTournament(**empty), "FIELD_INVALID").metadata["field"] == field
    if field == "by":
        desk.refuses(commands.ResumeTournament(""), "FIELD_INVALID")


def test_a_break_does_not_begin_in_a_pause() -> None:
    """O-32, O-42: it begins when play goes on."""
    desk = started(9, levels=with_breaks()).wait(seconds=600).direct().do(PAUSE).hand(1).direct()
    assert (desk.said(BreakStarted), wakes_at_ms(desk.state)) == ([], None)
    assert desk.do(RESUME).direct().said(BreakStarted) == [BreakStarted(900_000)]


def test_a_pause_makes_a_break_longer() -> None:
    """O-32, O-42: the clock of a break stands still, too."""
    desk = started(9, levels=with_breaks()).wait(seconds=600).direct().hand(1).direct()
    desk.wait(seconds=100).do(PAUSE).wait(seconds=1000).direct()
    assert (desk.said(LevelStarted), wakes_at_ms(desk.state)) == ([], None)
    assert wakes_at_ms(desk.do(RESUME).direct().state) == 1_900_000
    assert (desk.sleep().state.clock.level, idle(desk)) == (1, [False])


def test_no_offer_ends_in_a_pause() -> None:
    """O-31, O-42: who thinks about a rebuy when play is paused may think on."""
    desk = started(3, rebuy=REBUY, rebuy_seconds=30).hand(1, {1: 2}).direct().do(PAUSE).wait(seconds=60).direct()
    assert (desk.entry(1).status, wakes_at_ms(desk.state)) == ("busted", None)
    assert desk.do(commands.Rebuy("p1")).pay().entry(1).status == "waiting"


# Most players gone.


def test_five_minutes_without_a_majority_pause_the_tournament() -> None:
    """O-41: five of nine are gone, and have been for five minutes."""
    desk = started(9).wait(seconds=400).do(commands.ReportDisconnected(5, 100_000))
    found = [MassDisconnectDetected(5, 9, 100_000), TournamentPaused("mass disconnect", "director")]
    assert list(desk.events) == found
    assert desk.hand(1).direct().state.clock.paused
    assert idle(desk) == [True]


@pytest.mark.parametrize(
    ("entries", "lost", "seconds", "paused"),
    [
        (9, 5, 300, True),
        (9, 5, 299, False),
        (9, 4, 900, False),
        (10, 5, 900, False),
        (10, 6, 300, True),
        (2, 1, 900, False),
        (2, 2, 300, True),
        (9, 0, 900, False),
    ],
)
def test_a_majority_is_more_than_half(entries: int, lost: int, seconds: int, paused: bool) -> None:
    """O-41: of those who are in; half of them is none, and neither are 299 seconds five minutes."""
    desk = started(entries).wait(seconds=seconds).do(commands.ReportDisconnected(lost, 0))
    assert desk.state.clock.paused is paused
    assert bool(desk.said(MassDisconnectDetected)) is paused


@pytest.mark.parametrize(
    ("lost", "since_ms", "field"), [(-1, 0, "lost"), (10, 0, "lost"), (5, -1, "since_ms"), (5, 400_001, "since_ms")]
)
def test_a_report_of_lost_entries_is_possible(lost: int, since_ms: int, field: str) -> None:
    """O-41: no more than are in, and since a time that is past."""
    desk = started(9).wait(seconds=400)
    refused = desk.refuses(commands.ReportDisconnected(lost, since_ms), "FIELD_INVALID")
    assert refused.metadata["field"] == field


def test_who_is_out_does_not_count() -> None:
    """O-41: three of five who are left are most of them."""
    desk = started(9)
    one, *others = [entry.number for entry in desk.at(1)]
    desk.hand(1, dict.fromkeys(others[:4], one)).direct().wait(seconds=300)
    assert desk.do(commands.ReportDisconnected(3, 0)).said(MassDisconnectDetected)[0].left == 5


def test_a_person_decides_how_it_goes_on() -> None:
    """O-41: nothing becomes due by itself; an operator lets play go on, or calls it off."""
    desk = started(9).wait(seconds=300).do(commands.ReportDisconnected(9, 0)).hand(1).direct()
    assert (wakes_at_ms(desk.state), desk.wait(seconds=9000).direct().state.phase) == (None, "running")
    assert desk.do(commands.ReportDisconnected(9, 0)).events == ()
    assert idle(desk.do(RESUME).direct()) == [False]


# When to look again.


@pytest.mark.parametrize(
    "desk",
    [
        registering(2, entries_max=9, starts_at_ms=1000).do(commands.Register("late")).wait(seconds=2),
        started(3, rebuy=REBUY).hand(1, {1: 2}).direct().do(commands.Rebuy("p1")).wait(seconds=70),
        started(9, levels=with_breaks()).wait(seconds=900),
        started(9).do(PAUSE).wait(seconds=900),
    ],
    ids=["start waits for money", "offer waits for money", "break waits for a hand", "paused"],
)
def test_what_wakes_the_director_is_still_to_come(desk: Desk) -> None:
    """Whoever sleeps until `wakes_at_ms` does not wake up for nothing again and again."""
    wakes = wakes_at_ms(desk.direct().state)
    assert wakes is None or wakes > desk.at_ms
