"""Lost connections at the table: the grace of a lost player, and the time he has when he comes back."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import LoseConnection, RestoreConnection
from engine.table.events import ConnectionLost, ConnectionRestored
from tests.engine.table.game import Game, cash
from tests.engine.table.play import fold_out, lose, restore

RICH = 100_000


def akpoker(players: int = 3, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a hand at 1/2 no limit without a time bank; seat 0 has the button and, of three, is to act."""
    return cash("akpoker", [RICH] * players, blinds=(100, 200), **terms).start()


def seconds_left(game: Game) -> int:
    """Return how long the open turn still lasts."""
    ends_at_ms = turn_ends_at_ms(game.table)
    assert ends_at_ms is not None, "no clock runs"
    return (ends_at_ms - game.at_ms) // 1000


@pytest.mark.parametrize(
    ("pot", "grace"),
    [(1999, 30), (2000, 60), (9999, 60), (10_000, 120), (19_999, 120), (20_000, 240), (90_000, 240)],
)
def test_a_lost_player_has_a_grace_by_the_size_of_the_pot(pot: int, grace: int) -> None:
    """O-3: 30 s, from 10 big blinds on 60, from 50 on 120, from 100 on 240."""
    game = akpoker().raise_to(pot - 300)
    assert seconds_left(lose(game, 1)) == 35 + grace


def test_only_the_lost_player_has_a_grace() -> None:
    """O-3: another player's outage does not lengthen the turn."""
    assert seconds_left(lose(akpoker(), 1)) == 35


def test_modern_has_no_grace() -> None:
    """R-MOD-10: turn time, then time bank: the list of graces is empty."""
    game = cash("modern", [RICH] * 4, blinds=(100, 200)).start()
    assert seconds_left(lose(game, 3)) == 35


@pytest.mark.parametrize(("away_until", "left"), [(5, 30), (24, 11), (25, 10), (30, 10), (64, 10)])
def test_who_comes_back_has_at_least_ten_seconds(away_until: int, left: int) -> None:
    """O-1, `rulebooks.md` section 4: the grace ends with the return, and ten seconds are left at least."""
    assert seconds_left(restore(lose(akpoker(), 0).wait(seconds=away_until), 0)) == left


def test_who_has_ten_seconds_left_needs_no_more() -> None:
    """O-1: a return that lengthens nothing says so, and leaves the minimum for a later one in the turn."""
    game = restore(lose(akpoker(), 0).wait(seconds=25), 0)
    assert game.events == (ConnectionRestored(0, "p0", 0),)
    assert seconds_left(restore(lose(game, 0).wait(seconds=8), 0)) == 10


def test_the_bank_counts_among_those_seconds() -> None:
    """`rulebooks.md` section 4: with 25 s of bank left nothing is added; with 5 s it becomes ten."""
    game = lose(cash("modern", [RICH] * 3, blinds=(100, 200)).start().call(), 1)
    assert seconds_left(restore(game.wait(seconds=40), 1)) == 25
    assert seconds_left(restore(lose(game, 1).wait(seconds=20), 1)) == 10


def test_coming_and_going_does_not_hold_up_the_table() -> None:
    """`min_seconds_after_reconnect` lengthens a turn once."""
    game = restore(lose(akpoker(), 0).wait(seconds=60), 0)
    assert seconds_left(restore(lose(game, 0).wait(seconds=9), 0)) == 1


def test_the_next_turn_has_a_minimum_of_its_own() -> None:
    """`min_seconds_after_reconnect` holds once a turn, not once a hand."""
    game = restore(lose(akpoker(), 0).wait(seconds=60), 0).call().call().check()
    game = restore(lose(game.check().check(), 0).wait(seconds=60), 0)
    assert seconds_left(game) == 10


def test_a_return_on_another_turn_changes_no_clock() -> None:
    """`rulebooks.md` section 4: the minimum is for one who comes back on his turn."""
    assert seconds_left(restore(lose(akpoker(), 1).wait(seconds=30), 1)) == 5


def test_a_connection_is_lost_once() -> None:
    """A second report of the same outage changes nothing."""
    game = lose(akpoker(), 1)
    assert game.events == (ConnectionLost(1, "p1", "outage", house_fault=False),)
    assert lose(game, 1).events == ()


def test_a_connection_that_was_not_lost_is_not_restored() -> None:
    """A report that changes nothing makes no event."""
    assert restore(akpoker(), 1).events == ()


@pytest.mark.parametrize("command", [LoseConnection("stranger", "outage"), RestoreConnection("stranger")])
def test_strangers_have_no_connection_here(command: LoseConnection | RestoreConnection) -> None:
    """Reports about players who do not sit here are refused."""
    akpoker().refuses(command, "PLAYER_NOT_SEATED")


@pytest.mark.parametrize("outage_id", ["", "x" * 10_000])
def test_an_outage_has_a_name(outage_id: str) -> None:
    """AMB-33: the gateway names the outage, so that one outage at several tables can be told from several."""
    akpoker().refuses(LoseConnection("p0", outage_id), "FIELD_INVALID")


def test_a_connection_may_be_lost_between_hands() -> None:
    """An outage between hands is remembered for the next turn."""
    assert seconds_left(lose(fold_out(akpoker()), 1).start()) == 35 + 30


def test_a_connection_may_be_restored_between_hands() -> None:
    """A return between hands ends the grace of the next turn before it begins."""
    assert seconds_left(restore(lose(fold_out(akpoker()), 1), 1).start()) == 35
