"""Sitting out and in, preferences, and absence from a tournament table. Nothing here takes effect in mid-hand (O-5)."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from engine.table.commands import PlanEntry, SetPreferences, SitIn, SitOut, StartHand, TableCommand
from engine.table.events import (
    BlindMissed,
    Checked,
    Folded,
    HandEnded,
    HandStarted,
    PlayerSatIn,
    PlayerSatOut,
    PreferencesSet,
    SitOutPlanned,
)
from engine.table.start import next_deal
from engine.table.state import occupant_at
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import dealt, fold_out, join, places, play_on, posts, prefer, reach, said, sit_in, sit_out

RICH = 10_000
When = Literal["now", "next_hand", "next_big_blind", "never"]


def table(players: int = 3, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a modern table, 50/100; seat 0 has the button."""
    return cash("modern", [RICH] * players, **terms)


def sitting_out(game: Game) -> list[int]:
    """Return the seats that sit out."""
    return [seat for seat, occupant in enumerate(game.table.seats) if occupant is not None and occupant.sitting_out]


# Sitting out.


@pytest.mark.parametrize("when", ["now", "next_hand"])
def test_between_hands_a_player_sits_out_at_once(when: When) -> None:
    """O-5: there is no hand to wait for, so he is dealt no more."""
    game = table().do(SitOut("p1", when))
    assert game.events == (PlayerSatOut(1, "player"),)
    assert dealt(game.start()) == (2, 0)


@pytest.mark.parametrize("when", ["now", "next_hand"])
def test_in_a_hand_he_plays_it_to_its_end(when: When) -> None:
    """O-5: no effect in mid-hand: the wish is noted, and carried out when the hand has ended."""
    game = table().start().do(SitOut("p1", when))
    assert game.events == (SitOutPlanned(1, "next_hand"),)
    fold_out(game.call().call(1))
    assert game.last(PlayerSatOut) == PlayerSatOut(1, "player")
    assert sitting_out(game) == [1]


def test_who_is_not_dealt_in_sits_out_during_a_hand() -> None:
    """O-5: a player without cards has nothing to play to its end."""
    game = join(table(2, seats=3).start(), 2).do(SitOut("p2", "now"))
    assert game.events == (PlayerSatOut(2, "player"),)


def test_he_may_sit_out_from_his_next_big_blind_on() -> None:
    """O-5: he plays until the big blind would be his, and sits out instead."""
    game = table(4).do(SitOut("p3", "next_big_blind"))
    assert game.last(SitOutPlanned) == SitOutPlanned(3, "next_big_blind")
    assert 3 in dealt(play_on(game))
    game.start()
    assert game.events[0] == PlayerSatOut(3, "next_big_blind")
    assert (places(game), dealt(game)) == ((1, 2, 0), (2, 0, 1))


def test_a_blind_that_he_left_for_is_missed() -> None:
    """O-5: the big blind has passed him, so he owes it on return."""
    game = play_on(table(4).do(SitOut("p3", "next_big_blind"))).start()
    assert said(game, BlindMissed) == [BlindMissed(3, "big")]


def test_two_may_sit_out_before_one_hand() -> None:
    """O-5: when the next one in line wishes it as well, he sits out too."""
    game = table(5).do(SitOut("p3", "next_big_blind")).do(SitOut("p4", "next_big_blind"))
    play_on(game).start()
    assert game.all(PlayerSatOut) == [PlayerSatOut(3, "next_big_blind"), PlayerSatOut(4, "next_big_blind")]
    assert places(game) == (1, 2, 0)


def test_sitting_out_may_leave_no_hand() -> None:
    """O-5: of two players one sits out at his big blind: that is on the log, and no hand begins."""
    game = play_on(table(2)).do(SitOut("p0", "next_big_blind"))
    game.start()
    assert game.events == (PlayerSatOut(0, "next_big_blind"),)
    assert next_deal(game.table) is None
    game.refuses(StartHand(), "NOT_ENOUGH_PLAYERS")


def test_a_wish_may_be_taken_back() -> None:
    """O-5: `never` takes a plan back."""
    game = table().start().do(SitOut("p1", "next_hand")).do(SitOut("p1", "never"))
    assert game.events == (SitOutPlanned(1, ""),)
    assert fold_out(game).all(PlayerSatOut) == []


def test_sitting_in_takes_a_wish_back_as_well() -> None:
    """O-5: who says that he plays on plays on."""
    game = table().start().do(SitOut("p1", "next_hand")).do(SitIn("p1", "wait"))
    assert game.events == (PlayerSatIn(1, "wait"),)
    assert fold_out(game).all(PlayerSatOut) == []


@pytest.mark.parametrize(
    ("first", "again"),
    [("now", "now"), ("now", "never"), ("next_big_blind", "next_big_blind"), ("never", "never")],
)
def test_asking_for_what_is_so_changes_nothing(first: When, again: When) -> None:
    """A command that changes nothing makes no event."""
    assert table().do(SitOut("p1", first)).do(SitOut("p1", again)).events == ()


def test_who_has_lost_all_his_chips_sits_out() -> None:
    """O-9: nobody plays without chips; the reason is on the log."""
    game = cash("modern", [RICH, 3000, RICH]).start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s")
    game.call().all_in().fold().call()
    assert game.events[-2:] == (game.last(HandEnded), PlayerSatOut(1, "no_chips"))


def test_he_sits_out_once() -> None:
    """O-9: the hands that are played without him change nothing for him."""
    game = cash("modern", [RICH, 3000, RICH]).start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s")
    play_on(game.call().all_in().fold().call(), 3)
    assert game.all(PlayerSatOut) == [PlayerSatOut(1, "no_chips")]


# Sitting in.


def test_a_player_comes_back() -> None:
    """O-5: he says how he pays what he owes, and is dealt in."""
    game = sit_in(sit_out(table(), 1), 1, "post")
    assert game.events == (PlayerSatIn(1, "post"),)
    assert 1 in dealt(game.start())


def test_who_plays_need_not_come_back() -> None:
    """A command that changes nothing makes no event."""
    assert sit_in(table(), 1).events == ()


def test_who_has_no_chips_cannot_come_back() -> None:
    """O-9: he must bring chips first."""
    game = cash("modern", [RICH, 3000, RICH]).start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s")
    game.call().all_in().fold().call()
    game.refuses(SitIn("p1", "wait"), "NO_CHIPS")


def test_who_missed_nothing_owes_nothing() -> None:
    """R-PLA-15: out for a hand in which no blind passed him, he plays on without a post."""
    game = sit_in(play_on(sit_out(play_on(table(6)), 5)), 5, "wait").start()
    assert 5 in dealt(game)
    assert [blind for seat, _, blind in posts(game) if seat == 5] == []


# Preferences.


def test_preferences_are_kept_with_the_seat() -> None:
    """O-17: auto muck is on and ask to show is off until the player says otherwise."""
    game = table()
    occupant = occupant_at(game.table, 1)
    assert (occupant.auto_muck, occupant.ask_to_show) == (True, False)
    prefer(game, 1, auto_muck=False, ask_to_show=True)
    assert game.events == (PreferencesSet(1, auto_muck=False, ask_to_show=True),)


def test_setting_what_is_set_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    assert prefer(table(), 1).events == ()


@pytest.mark.parametrize(
    "command",
    [
        SitOut("x", "now"),
        SitIn("x", "wait"),
        PlanEntry("x", "wait"),
        SetPreferences("x", auto_muck=True, ask_to_show=False),
    ],
)
def test_strangers_are_refused(command: TableCommand) -> None:
    """Only who sits here sits out or in, or has preferences."""
    table().refuses(command, "PLAYER_NOT_SEATED")


# Absence from a tournament table.


@pytest.mark.parametrize("when", ["now", "next_hand", "next_big_blind"])
def test_a_tournament_player_is_absent_at_once(when: When) -> None:
    """O-40: he is dealt in all the same, and passed when his turn comes, with the reason."""
    game = tournament("modern", [RICH] * 3).start().do(SitOut("p1", when))
    assert game.events == (PlayerSatOut(1, "player"),)
    assert Folded(1, "sat_out") in game.call().events


def test_a_tournament_player_who_never_wished_to_go_stays() -> None:
    """O-5: taking back a wish that was never made changes nothing."""
    assert tournament("modern", [RICH] * 3).start().do(SitOut("p1", "never")).events == ()


def test_on_his_turn_it_is_passed_at_once() -> None:
    """O-40: with a free check he checks."""
    game = tournament("modern", [RICH] * 3).start().call().call().do(SitOut("p2", "now"))
    assert game.events[:2] == (PlayerSatOut(2, "player"), Checked(2, "sat_out"))


def test_an_absent_tournament_player_is_dealt_in() -> None:
    """O-40: absent players are dealt in, post their blinds and are never removed."""
    game = sit_out(tournament("modern", [RICH] * 3), 1).start()
    assert said(game, HandStarted)[0].seats == (1, 2, 0)
    assert posts(game) == [(1, 50, "small"), (2, 100, "big")]


def test_a_tournament_player_returns_to_his_turn() -> None:
    """O-40: from his return on he is asked again, in the same hand."""
    game = sit_out(tournament("modern", [RICH] * 3).start(), 2).call().call()
    assert game.hand.street == 1
    sit_in(game, 2, "wait")
    assert reach(game, 1).check().to_act == 2


def test_an_all_absent_table_plays_itself() -> None:
    """O-40: with everybody away the blinds go round and each hand ends by itself."""
    game = tournament("modern", [RICH] * 3)
    for seat in range(3):
        sit_out(game, seat)
    game.start()
    assert game.table.hand is None
    assert sum(game.stacks) == 3 * RICH
