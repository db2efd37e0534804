"""Leaving the table: out of a hand at once, in a hand by folding and going when it ends; and being removed (O-4)."""

from __future__ import annotations

from typing import Literal

import pytest

from engine.table.commands import CloseTable, Leave, RemovePlayer, Show, SitIn
from engine.table.events import (
    Folded,
    HandEnded,
    LeaveRequested,
    PlayerLeft,
    PotAwarded,
    PotSplit,
    UncalledBetReturned,
)
from engine.table.state import occupant_at
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import (
    check_down,
    fold_out,
    grant,
    join,
    leave,
    lose,
    play_on,
    prefer,
    run_out,
    said,
    sit_in,
    sit_out,
)

RICH = 10_000
Cause = Literal["sat_out_too_long", "moved", "removed"]


def table(players: int = 3) -> Game:
    """Return a table without rake, 50/100; seat 0 has the button."""
    return cash("akpoker", [RICH] * players)


# Out of a hand.


def test_between_hands_a_player_leaves_at_once() -> None:
    """R-AKP-21: with all his chips, by a transfer; his seat is free."""
    game = leave(table(), 1)
    (left,) = game.all(PlayerLeft)
    assert (left.seat, left.player, left.amount, left.cause) == (1, "p1", RICH, "player")
    assert game.table.seats[1] is None


def test_who_is_not_dealt_in_leaves_in_mid_hand() -> None:
    """AMB-51: he has nothing in the hand that goes on."""
    game = leave(sit_out(table(), 1).start(), 1)
    assert len(game.events) == 1
    assert game.table.hand is not None


def test_the_seat_may_be_taken_again_in_mid_hand() -> None:
    """O-6: the newcomer has no part in the hand."""
    game = join(leave(sit_out(table(), 1).start(), 1), 1)
    fold_out(game)
    assert game.stacks[1] == RICH


# In a hand.


def test_a_player_in_a_hand_leaves_when_it_ends() -> None:
    """AMB-51: his wish is noted, and the stack leaves with the hand's end."""
    game = leave(table().start(), 2)
    assert game.events == (LeaveRequested(2, "player"),)
    fold_out(game)
    assert game.last(PlayerLeft).amount == RICH + 50


def test_he_folds_when_his_turn_comes() -> None:
    """AMB-51, FAULT-112: folded with the reason, at once when the action reaches him."""
    game = leave(table().start(), 1)
    assert Folded(1, "left") in game.call().events
    assert game.to_act == 2


def test_on_his_turn_he_folds_at_once() -> None:
    """AMB-51: nobody waits for one who has gone."""
    assert leave(table().start(), 0).events == (LeaveRequested(0, "player"), Folded(0, "left"))


def test_he_folds_though_a_check_is_free() -> None:
    """AMB-51: who has left is not checked down."""
    game = leave(table().start().call().call(), 2)
    assert Folded(2, "left") in game.events


def test_two_may_leave_in_a_row() -> None:
    """AMB-51: the last one left takes the pot."""
    game = leave(leave(table().start(), 1), 2).fold()
    assert [type(event) for event in game.events][:5] == [Folded, Folded, UncalledBetReturned, PotAwarded, HandEnded]
    assert [event.player for event in game.all(PlayerLeft)] == ["p1", "p2"]


def test_who_is_all_in_plays_for_his_chips() -> None:
    """R-AKP-17: leaving does not fold a hand that has no decision left."""
    game = cash("akpoker", [RICH, 1000, RICH]).start({1: "AsAd", 0: "2s3d", 2: "4s5d"}, "KcKdQh9s7s")
    leave(game.call().all_in(), 1)
    check_down(game)
    assert game.last(PlayerLeft).amount == 3000


def test_asking_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    assert leave(leave(table().start(), 1), 1).events == ()


def test_who_is_asked_to_show_may_leave() -> None:
    """AMB-51: the question ends with his answer or his time, and then he goes."""
    game = prefer(table(2), 0, auto_muck=False)
    check_down(game.start({0: "2s3d", 1: "AsAd"}, "KcKdQh9s7s"))
    assert leave(game, 0).events == (LeaveRequested(0, "player"),)
    game.do(game.command(Show))
    assert game.last(PlayerLeft).player == "p0"


def test_a_protected_player_who_leaves_keeps_his_claim() -> None:
    """R-AKP-26: his contribution stays in the pot and may win; he goes when the hand has ended."""
    game = leave(run_out(lose(table().start().raise_to(600), 1)), 1)
    grant(game, 1).call()
    assert said(check_down(game), PotSplit)[0].seats == (0, 1, 2)
    assert game.last(PlayerLeft).player == "p1"


def test_coming_back_does_not_take_it_back() -> None:
    """AMB-51: a request to leave stands."""
    game = leave(table().start(), 1).do(SitIn("p1", "wait"))
    assert fold_out(game).last(PlayerLeft).player == "p1"


def test_nobody_leaves_a_tournament() -> None:
    """Tournament chips stay in the tournament."""
    tournament("akpoker", [RICH] * 3).refuses(Leave("p1"), "LEAVE_NOT_ALLOWED")


@pytest.mark.parametrize("command", [Leave("stranger"), RemovePlayer("stranger", "removed")])
def test_strangers_cannot_leave(command: Leave | RemovePlayer) -> None:
    """Only who sits here leaves."""
    table().refuses(command, "PLAYER_NOT_SEATED")


def test_the_last_to_leave_closes_a_closing_table() -> None:
    """`operations.md` 7b.8: a closing table sends everybody home; nobody stays to leave."""
    game = table().do(CloseTable())
    game.refuses(Leave("p1"), "PLAYER_NOT_SEATED")


def test_who_is_out_of_the_tournament_leaves_the_table() -> None:
    """O-35: a player without chips is busted: he goes with nothing, and the others play on."""
    game = tournament("akpoker", [RICH, 100, RICH]).start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s")
    game.raise_to(200).call().fold()
    (left,) = game.all(PlayerLeft)
    assert (left.player, left.amount, left.cause) == ("p1", 0, "busted")
    assert game.table.seats[1] is None


# Being removed.


@pytest.mark.parametrize(("seconds", "reason"), [(599, "SIT_OUT_NOT_OVER"), (600, "")])
def test_who_sits_out_too_long_loses_his_seat(seconds: int, reason: str) -> None:
    """O-4: after `sit_out_max_s` he may be removed, not before; the reason is on the log."""
    game = sit_out(table().wait(seconds=5), 1).wait(seconds=seconds)
    command = RemovePlayer("p1", "sat_out_too_long")
    if reason:
        game.refuses(command, reason)
    else:
        assert game.do(command).last(PlayerLeft).cause == "sat_out_too_long"


TOO_LONG = RemovePlayer("p1", "sat_out_too_long")


def test_who_plays_again_keeps_his_seat() -> None:
    """O-4: the time counts anew once he has been dealt a hand."""
    game = play_on(sit_in(sit_out(table(), 1).wait(seconds=599), 1))
    sit_out(game, 1).wait(seconds=599).refuses(TOO_LONG, "SIT_OUT_NOT_OVER")
    assert game.wait(seconds=1).do(TOO_LONG).last(PlayerLeft).player == "p1"


def test_who_only_says_that_he_is_back_does_not() -> None:
    """O-4: sitting in and out again between two hands wins no time."""
    game = sit_out(sit_in(sit_out(table(), 1).wait(seconds=599), 1), 1).wait(seconds=1)
    assert game.do(TOO_LONG).last(PlayerLeft).cause == "sat_out_too_long"


def test_who_sits_in_is_not_removed() -> None:
    """O-4: only who sits out may be removed for it, however long he was away."""
    sit_in(sit_out(table(), 1).wait(seconds=600), 1).refuses(TOO_LONG, "SIT_OUT_NOT_OVER")


def test_an_absent_tournament_player_has_been_away_all_the_time() -> None:
    """O-40: being dealt in is no return; nobody is removed for it anyway."""
    game = play_on(sit_out(tournament("akpoker", [RICH] * 3), 1), 3).wait(seconds=700)
    game.refuses(TOO_LONG, "SIT_OUT_NOT_OVER")
    assert occupant_at(game.table, 1).sat_out_at_ms == 0


def test_a_house_may_let_players_sit_out_for_ever() -> None:
    """O-4: `sit_out_max_s = 0`."""
    game = sit_out(cash("akpoker", [RICH] * 3, rules={"table.sit_out_max_s": 0}), 1).wait(seconds=10**9)
    game.refuses(RemovePlayer("p1", "sat_out_too_long"), "SIT_OUT_NOT_OVER")


def test_tournament_players_are_never_removed_for_absence() -> None:
    """O-4, O-40: absent players stay and are blinded off."""
    game = sit_out(tournament("akpoker", [RICH] * 3), 1).wait(seconds=10**9)
    game.refuses(RemovePlayer("p1", "sat_out_too_long"), "SIT_OUT_NOT_OVER")


@pytest.mark.parametrize("cause", ["moved", "removed"])
def test_others_reasons_know_no_time(cause: Cause) -> None:
    """The director moves a player between hands, and an operator removes whom he must."""
    game = tournament("akpoker", [RICH] * 3).do(RemovePlayer("p1", cause))
    assert (game.last(PlayerLeft).cause, game.last(PlayerLeft).amount) == (cause, RICH)


def test_nobody_is_moved_in_mid_hand() -> None:
    """O-33: players change tables between hands."""
    game = tournament("akpoker", [RICH] * 3).start()
    game.refuses(RemovePlayer("p1", "moved"), "HAND_IN_PROGRESS")


def test_one_removed_in_mid_hand_folds_and_goes() -> None:
    """AMB-51: removing by an operator is leaving, with his reason."""
    game = table().start().do(RemovePlayer("p1", "removed"))
    assert game.events == (LeaveRequested(1, "removed"),)
    assert Folded(1, "left") in fold_out(game).log
    assert game.last(PlayerLeft).cause == "removed"
