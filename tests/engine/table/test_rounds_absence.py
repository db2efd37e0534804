"""Absent players and hands that never were, under the rules that all houses share. Seats count from 0."""

from __future__ import annotations

import pytest

from engine.rulebooks.loading import HOUSES
from engine.table.commands import Leave, VoidHand
from engine.table.events import (
    BlindPosted,
    Checked,
    Folded,
    LeaveRequested,
    PlayerLeft,
    PlayerProtected,
    PlayerSatOut,
    ProtectionRequested,
)
from tests.engine.table.game import Game, tournament
from tests.engine.table.play import (
    check_down,
    dealt,
    fixed,
    fold_out,
    grant,
    join,
    leave,
    lose,
    places,
    play_on,
    posts,
    reach,
    run_out,
    said,
    sit_in,
    sit_out,
    won,
)

RICH = 100_000
WITHOUT = ("planet", "freeguide", "modern")
"""The houses that protect nobody."""


def facing_a_bet(house: str) -> Game:
    """Return a fixed-limit flop on which seat 2 faces a bet of 100 by seat 1."""
    return reach(fixed(house, [RICH] * 3, rules={"rake.bps": 0}).start(), 1).raise_to(100)


# A missed turn.


@pytest.mark.parametrize("house", HOUSES)
def test_a_missed_turn_facing_a_bet_is_a_fold(house: str) -> None:
    """AMB-33: with a live connection he is folded, asks for nothing, and sits out when the hand ends."""
    game = run_out(facing_a_bet(house))
    assert game.events[-1] == Folded(2, "timeout")
    check_down(game)
    assert game.last(PlayerSatOut) == PlayerSatOut(2, "timeout")
    assert game.all(ProtectionRequested) == []


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("lost", [False, True])
def test_a_missed_turn_with_a_free_check_is_a_check(house: str, *, lost: bool) -> None:
    """AMB-33, AMB-34: connected or not, one who may check for nothing has checked, and no use is counted."""
    game = reach(fixed(house, [RICH] * 3).start(), 1)
    game = run_out(lose(game, 1) if lost else game)
    assert game.events[-1] == Checked(1, "disconnected" if lost else "timeout")


@pytest.mark.parametrize("house", WITHOUT)
def test_a_lost_player_is_folded_where_nobody_is_protected(house: str) -> None:
    """AMB-30, AMB-54: facing a bet he is folded for that reason, and sits out when the hand ends."""
    game = run_out(lose(facing_a_bet(house), 2))
    assert game.events[-1] == Folded(2, "disconnected")
    assert game.all(PlayerSatOut) == []
    check_down(game)
    assert game.last(PlayerSatOut) == PlayerSatOut(2, "disconnected")


@pytest.mark.parametrize("house", ["pacific", "akpoker"])
def test_a_lost_player_is_all_in_where_the_house_protects_him(house: str) -> None:
    """AMB-32: all-in with his stack behind; section 4, "protection": asked, granted, protected, sits out afterwards."""
    game = grant(run_out(lose(facing_a_bet(house), 2)), 2)
    assert said(game, PlayerProtected) == [PlayerProtected(2, 100, counted=True)]
    assert game.stack(2) == RICH - 100
    check_down(game)
    assert game.last(PlayerSatOut) == PlayerSatOut(2, "disconnected")


@pytest.mark.parametrize("house", HOUSES)
def test_with_nothing_in_a_lost_player_is_folded(house: str) -> None:
    """AMB-31: all-in for nothing is no stake: he folds, and no use is asked for."""
    game = run_out(lose(fixed(house, [RICH] * 4).start(), 3))
    assert game.events[-1] == Folded(3, "disconnected")


@pytest.mark.parametrize("house", ["akpoker", "freeguide"])
def test_a_dead_post_alone_is_no_stake(house: str) -> None:
    """AMB-31: with only a dead small blind in he is eligible for nothing; he folds, and no use is asked for."""
    rules = {"protection.disconnect_policy": "all_in", "protection.limit_types": ["fixed_limit"]}
    game = play_on(sit_out(play_on(fixed(house, [RICH] * 5, rules=rules)), 2))
    sit_in(game, 2).start()
    assert (2, 50, "dead") in posts(game)
    while game.to_act != 2:
        game.call()
    assert run_out(lose(game, 2)).events == (Folded(2, "disconnected"),)


# Tournaments.


@pytest.mark.parametrize("house", HOUSES)
def test_an_absent_tournament_player_is_blinded_off(house: str) -> None:
    """AMB-35, section 4, "tournaments": dealt in, blinds posted, folded to a bet, checked when free, never removed."""
    game = tournament(house, [RICH] * 3, limit="fixed_limit", bets=(100, 200)).start()
    run_out(lose(game, 0))
    assert Folded(0, "tournament_rule") in game.events
    fold_out(game)
    posted = [post for _ in range(3) for post in posts(fold_out(game.start())) if post[0] == 0]
    assert [word for _, _, word in posted] == ["big", "small"]
    assert 0 in dealt(game)
    assert game.all(PlayerSatOut) == []
    assert game.all(ProtectionRequested) == []


@pytest.mark.parametrize("house", HOUSES)
def test_an_absent_tournament_player_checks_when_it_is_free(house: str) -> None:
    """AMB-35: in the unraised big blind he checks at once, and no clock is waited for."""
    game = tournament(house, [RICH] * 3, limit="fixed_limit", bets=(100, 200)).start()
    fold_out(run_out(lose(game, 0)))
    game.start()
    while game.to_act >= 0 and game.hand.street == 0:
        game.call()
    assert places(game)[2] == 0
    assert Checked(0, "tournament_rule") in game.events


# Leaving.


@pytest.mark.parametrize("house", HOUSES)
def test_who_leaves_in_mid_hand_folds_on_his_turn(house: str) -> None:
    """AMB-51: seat 2 leaves while seat 1 is to act: nothing happens before his turn, and then he is folded."""
    game = leave(reach(fixed(house, [RICH] * 3).start(), 1), 2)
    assert game.events == (LeaveRequested(2, "player"),)
    assert game.check().events == (Checked(1), Folded(2, "left"))


@pytest.mark.parametrize("house", HOUSES)
def test_his_stack_leaves_when_the_hand_ends(house: str) -> None:
    """AMB-51, section 4, "chips off the table": what he has put in stays, the rest goes with him after the hand."""
    game = leave(facing_a_bet(house), 2)
    assert game.all(PlayerLeft) == []
    assert game.stack(2) == RICH - 100
    check_down(game)
    left = game.last(PlayerLeft)
    assert (left.seat, left.amount, left.cause) == (2, RICH - 100, "player")
    assert sum(won(game).values()) == 500


@pytest.mark.parametrize("house", HOUSES)
def test_who_is_not_in_the_hand_leaves_at_once(house: str) -> None:
    """AMB-51: a player who was not dealt in waits for nothing."""
    game = sit_out(fixed(house, [RICH] * 4), 2).start().do(Leave("p2"))
    assert [type(event) for event in game.events] == [PlayerLeft]


# A hand that never was.


def voided(game: Game) -> Game:
    """Void the hand in progress."""
    return game.do(VoidHand(game.hand.setup.hand_id, "a test", "operator"))


@pytest.mark.parametrize("house", HOUSES)
def test_after_a_void_hand_the_next_has_the_same_positions(house: str) -> None:
    """Section 4, "void": stacks return to the start of the hand; button and blinds are as if it had not started."""
    game = play_on(fixed(house, [RICH] * 4))
    before = game.stacks
    assert voided(game.start().raise_to(200)).stacks == before
    assert places(game) == places(game.start()) == (1, 2, 3)


@pytest.mark.parametrize("house", HOUSES)
def test_after_a_void_hand_an_entry_post_is_still_owed(house: str) -> None:
    """Section 4, "void": the newcomer who had posted in it gets his post back, and posts it in the next hand."""
    game = join(play_on(fixed(house, [RICH] * 4 + [None])), 4, plan="post")
    for _ in range(2):
        assert BlindPosted(4, 100, "entry") in said(game.start(), BlindPosted)
        assert voided(game).stack(4) == 10_000
