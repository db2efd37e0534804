"""AKPokerClub's disconnection protection: a lost player is all-in for what he has in the pot (no limit 1/2)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.poker.betting import player_at
from engine.table.commands import LoseConnection
from engine.table.events import (
    Checked,
    Folded,
    PlayerProtected,
    PlayerSatOut,
    PotAwarded,
    ProtectionRefused,
    ProtectionRequested,
    StreetDealt,
    UncalledBetReturned,
)
from tests.engine.table.game import Game, cash, protection_request, tournament
from tests.engine.table.play import (
    check_down,
    dealt,
    grant,
    lose,
    play_on,
    posts,
    pots,
    reach,
    refuse,
    restore,
    run_out,
    said,
    sit_in,
    sit_out,
    won,
)

RICH = 10_000
AT_ONCE = {"protection.trigger": "at_once"}


def akpoker(players: int, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a table; seat 0 has the button, so seat 1 the small and seat 2 the big blind."""
    return cash("akpoker", [RICH] * players, blinds=(100, 200), **terms)


def protect(game: Game, seat: int) -> Game:
    """Lose the connection of the player to act, let his time run out, and grant the protection."""
    return grant(run_out(lose(game, seat)), seat)


# What a protection is.


def lost_on_the_flop() -> Game:
    """Return the hand of G-AKP-D1: A in seat 0 is protected for 6 after C in seat 2 has bet 10."""
    game = akpoker(3).start({0: "AsAd", 2: "KsKd"}, "2c7d9hJs3c").raise_to(600).fold().call()
    return protect(game.raise_to(1000), 0)


def test_the_lost_player_is_all_in_for_what_he_has_in_the_pot() -> None:
    """R-AKP-22, R-AKP-26, G-AKP-D1: his contribution of 6 is frozen, the bet of 10 goes back, 13 are played for."""
    game = lost_on_the_flop()
    assert said(game, PlayerProtected) == [PlayerProtected(0, 600, counted=True)]
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(2, 1000)]
    assert pots(game) == [(1300, (0, 2))]


def test_the_pot_is_run_out_and_his_stack_is_untouched() -> None:
    """R-AKP-26, G-AKP-D1: he can win what was in the pot, and keeps what he had behind."""
    game = lost_on_the_flop()
    assert [event.street for event in said(game, StreetDealt)] == ["flop", "turn", "river"]
    assert won(game) == {0: 1300}
    assert game.stacks[0] == RICH - 600 + 1300


def test_a_protection_is_asked_for_once_and_the_hand_waits() -> None:
    """R-AKP-22, G-AKP-D1: one request per hand; until the account answers nobody may act."""
    game = run_out(lose(akpoker(3).start().raise_to(600), 1))
    assert game.events == (protection_request(game, 1),)
    assert game.to_act == -1
    assert game.hand.betting.to_act == 1


@pytest.mark.parametrize("rules", [{}, AT_ONCE])
def test_the_others_go_on_in_side_pots(rules: dict[str, str]) -> None:
    """R-AKP-22, G-AKP-D2: main 48 for all three, side 40 without him; the same when the outage bites at once."""
    game = akpoker(3, rules=rules).start().raise_to(600).call().call()
    game.raise_to(1000).raise_to(3000)
    lose(game, 1)
    if rules:
        grant(game, 1).call()
    else:
        grant(run_out(game.call()), 1)
    check_down(game)
    assert pots(game) == [(4800, (0, 1, 2)), (4000, (0, 2))]


def test_a_side_pot_with_one_claimant_is_his_at_once() -> None:
    """G-AKP-D3: A's bet of 20 goes back, he takes the side pot of 20 without showdown; 18 are contested with B."""
    game = akpoker(3).start().raise_to(600).call().call()
    game.raise_to(1000)
    protect(game, 2).call()
    game.raise_to(2000).fold()
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(1, 2000)]
    assert pots(game) == [(1800, (1, 2)), (2000, (1,))]
    assert said(game, PotAwarded)[0] == PotAwarded(1, (1,), (2000,), (0,))


def test_heads_up_the_rest_of_the_raise_goes_back() -> None:
    """G-AKP-D4: P1 has 10 in, P2 raised to 30: 20 go back, the pot is 20, the board is run out."""
    game = akpoker(2).start().call().check()
    game.raise_to(800).raise_to(2800)
    protect(game, 1)
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(0, 2000)]
    assert pots(game) == [(2000, (0, 1))]
    assert len(said(game, StreetDealt)) == 3


def test_a_lost_player_with_nothing_in_the_pot_folds() -> None:
    """G-AKP-D5, AMB-31: the first to act has 0 in; there is nothing to protect and no use."""
    game = run_out(lose(akpoker(4).start(), 3))
    assert game.events == (Folded(3, "disconnected"),)
    assert game.all(ProtectionRequested) == []


def test_dead_money_alone_is_no_stake() -> None:
    """AMB-31: one who comes back with a dead small blind and loses his connection has nothing live in, and folds."""
    game = play_on(akpoker(5, rules={"blinds.return_block": "none"}))
    sit_in(play_on(sit_out(game, 2)), 2).start().call()
    assert posts(game)[-1] == (2, 100, "dead")
    assert run_out(lose(game, 2)).events == (Folded(2, "disconnected"),)


def test_a_lost_big_blind_is_all_in_for_it() -> None:
    """G-AKP-D6: raise to 6, one caller, small blind folded: main 7 with him, side 8 without."""
    game = akpoker(4).start().raise_to(600).call().fold()
    protect(game, 2)
    assert pots(check_down(game)) == [(700, (0, 2, 3)), (800, (0, 3))]


def test_a_lost_big_blind_checks_an_unraised_pot() -> None:
    """G-AKP-D6: without a raise a check is free, so he checks and no use is counted."""
    game = run_out(lose(akpoker(3).start().call().call(), 2))
    assert game.events[0] == Checked(2, "disconnected")
    assert game.all(ProtectionRequested) == []


# When there is none.


def test_a_live_connection_gets_no_protection() -> None:
    """R-AKP-24, G-AKP-D7: a time-out with a live connection folds and asks for nothing."""
    game = run_out(akpoker(3).start().raise_to(600))
    assert game.events == (Folded(1, "timeout"),)
    assert game.all(ProtectionRequested) == []


def test_a_player_cannot_report_his_own_outage() -> None:
    """R-AKP-24, AMB-33: the gateway reports a lost connection, with its outage, and only for who sits here."""
    akpoker(3).refuses(LoseConnection("stranger", "outage"), "PLAYER_NOT_SEATED")


def test_who_has_no_protection_left_is_folded() -> None:
    """R-AKP-23, R-PAC-29: the account refuses, for its quota or for misuse, and the contribution is forfeited."""
    game = refuse(run_out(lose(akpoker(3).start().raise_to(600), 1)), 1)
    assert game.events == (ProtectionRefused(1), Folded(1, "quota_used_up"))
    assert game.hand.pot == 600 + 100 + 200


def test_tournaments_have_no_protection() -> None:
    """R-AKP-30, G-AKP-D8: lost in a tournament facing a bet: folded by tournament rule, no question asked."""
    game = tournament("akpoker", [RICH] * 3, blinds=(100, 200)).start().raise_to(600)
    assert run_out(lose(game, 1)).events == (Folded(1, "tournament_rule"),)
    assert game.all(ProtectionRequested) == []


def test_an_absent_tournament_player_goes_on_posting_blinds() -> None:
    """G-AKP-D8: he is dealt in, blinded off and folded at once, hand after hand, and never sits out."""
    game = tournament("akpoker", [RICH] * 3, blinds=(100, 200)).start().raise_to(600)
    run_out(lose(game, 1)).fold()
    play_on(game)
    assert posts(game.start()) == [(0, 100, "small"), (1, 200, "big")]
    game.raise_to(600).fold()
    assert [event for event in said(game, Folded) if event.seat == 1] == [Folded(1, "tournament_rule")]
    assert game.all(PlayerSatOut) == []


# Coming back.


def test_a_lost_player_may_come_back_before_his_time_is_over() -> None:
    """R-AKP-25: a return is possible at any time; back in time he acts as if nothing had been."""
    game = restore(lose(akpoker(3).start().raise_to(600), 1), 1)
    assert game.call().hand.betting.to_act == 2


def test_a_protected_player_who_returns_has_no_actions() -> None:
    """G-AKP-D9: back in the same hand he is asked for nothing on any street."""
    game = protect(akpoker(3).start().raise_to(600), 1).call()
    restore(game, 1)
    assert [reach(game, street).to_act for street in (1, 2, 3)] == [2, 2, 2]
    assert player_at(game.hand.players, 1).stack == RICH - 100


@pytest.mark.parametrize("answered_first", [True, False])
def test_a_protected_player_who_returned_is_dealt_in_next(*, answered_first: bool) -> None:
    """G-AKP-D9, R-AKP-25: he plays the next hand, also when he came back while the account was still being asked."""
    game = run_out(lose(akpoker(3).start().raise_to(600), 1))
    if answered_first:
        restore(grant(game, 1), 1)
    else:
        grant(restore(game, 1), 1)
    check_down(game)
    assert game.all(PlayerSatOut) == []
    assert 1 in dealt(game.start())


def test_a_refused_player_who_returned_is_dealt_in_next() -> None:
    """R-AKP-25: also who came back before the account refused him has come back (`rulebooks.md` section 4)."""
    game = refuse(restore(run_out(lose(akpoker(3).start().raise_to(600), 1)), 1), 1)
    assert game.events == (ProtectionRefused(1), Folded(1, "quota_used_up"))
    game.fold()
    assert game.all(PlayerSatOut) == []


def test_a_return_does_not_cancel_a_request() -> None:
    """`rulebooks.md` section 4: a reconnection does not cancel a request that is under way."""
    game = restore(run_out(lose(akpoker(3).start().raise_to(600), 1)), 1)
    assert grant(game, 1).events[0] == PlayerProtected(1, 100, counted=True)


def test_a_protected_player_who_stays_away_sits_out() -> None:
    """AMB-54: he counts as sitting in until the hand ends, then he sits out."""
    game = protect(akpoker(3).start().raise_to(600), 1)
    game.fold()
    assert game.last(PlayerSatOut) == PlayerSatOut(1, "disconnected")
