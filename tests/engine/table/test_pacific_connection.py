"""Pacific Poker at the table: a player disconnected in mid-hand is all-in for what he has in the pot.

How often his account grants that is the account's to say; here it grants or refuses. Seats count from 0.
"""

from __future__ import annotations

import pytest

from engine.table import commands
from engine.table.clock import turn_ends_at_ms
from engine.table.events import (
    BlindPosted,
    Checked,
    Folded,
    PlayerProtected,
    PlayerSatOut,
    ProtectionRefused,
    ProtectionRequested,
    UncalledBetReturned,
    WentAllIn,
)
from tests.engine.table.game import Game, protection_request, tournament
from tests.engine.table.play import (
    check_down,
    dealt,
    fixed,
    fold_out,
    grant,
    lose,
    pots,
    reach,
    refuse,
    restore,
    run_out,
    said,
    sit_in,
    won,
)

RICH = 100_000
HANDS = {2: "AsAd", 1: "KsKd", 0: "QsQd"}
DRY = "2c7d9hTs3s"


def facing_a_bet(players: int = 3, stack: int = RICH) -> Game:
    """Return a $1/$2 hand on the flop in which seat 2, with the best hand and 100 in, faces a bet of 100 by seat 1."""
    stacks = [RICH, RICH, stack, RICH][:players]
    return reach(fixed("pacific", stacks).start(hands=HANDS, board=DRY), 1).raise_to(100)


def asked(players: int = 3) -> Game:
    """Return that hand after seat 2 has lost his connection and his time is over."""
    return run_out(lose(facing_a_bet(players), 2))


# The request.


def test_a_lost_player_has_his_time_and_a_grace() -> None:
    """AMB-30, R-PAC-27: nothing happens at once: 25 seconds to act and, with 4 big blinds in the pot, 30 of grace."""
    game = lose(facing_a_bet(), 2)
    assert game.to_act == 2
    time_out = commands.TimeOut("T1-1", game.hand.turn.number)
    refusal = game.wait(seconds=55, ms=-1).refuses(time_out, "TURN_NOT_OVER")
    assert refusal.metadata == {"ends_at_ms": 55_000}
    assert isinstance(game.wait(ms=1).time_out().events[0], ProtectionRequested)


def test_the_account_is_asked_and_the_hand_waits() -> None:
    """R-PAC-27, R-PAC-28: the request names player, hand and outage; until the answer nobody else may act."""
    game = asked()
    assert game.events == (protection_request(game, 2),)
    assert game.to_act == -1
    game.refuses(game.command(commands.Call, 0), "PROTECTION_PENDING")


def test_the_request_carries_the_terms_of_the_house() -> None:
    """R-PAC-28, G-PAC-10: by them the account counts: at most two uses within any 24 hours, and no reset."""
    (request,) = said(asked(), ProtectionRequested)
    rules = request.rules
    assert (request.rulebook_id, rules.max_uses, rules.window_s, rules.quota_window) == (
        "pacific",
        2,
        86_400,
        "sliding",
    )
    assert rules.max_resets == 0


def test_every_hand_makes_its_own_request() -> None:
    """R-PAC-28, AMB-32: two hands of one outage at two tables are two uses, so each hand asks for itself, once."""
    game = check_down(grant(asked(), 2))
    assert len(said(game, ProtectionRequested)) == 1
    restore(game, 2)
    run_out(lose(reach(sit_in(game, 2).start(), 1).raise_to(100), game.to_act))
    assert [request.hand_id for request in game.all(ProtectionRequested)] == ["T1-1", "T1-2"]


# Granted.


def test_a_protected_player_is_all_in_for_what_he_has_in_the_pot() -> None:
    """R-PAC-27: he is protected for his 100 and keeps his stack; the action goes on to the next player."""
    game = grant(asked(), 2)
    assert game.events == (PlayerProtected(2, 100, counted=True),)
    assert game.stack(2) == RICH - 100
    assert game.to_act == 0
    assert said(game, WentAllIn) == []


def test_the_others_play_on_for_a_side_pot() -> None:
    """R-PAC-27, R-PAC-25, AMB-32: he has no more actions, and wins the main pot of 300; the others play for 200."""
    game = check_down(grant(asked(), 2))
    assert pots(game) == [(300, (0, 1, 2)), (200, (0, 1))]
    assert {event.seat for event in said(game, Checked)[1:]} == {0, 1}
    assert won(game) == {2: 300, 1: 200}
    assert game.stacks[:3] == [RICH - 200, RICH, RICH + 200]


def test_a_bet_that_nobody_called_goes_back() -> None:
    """AMB-32: heads-up the bet is uncalled; the pot of what both have in is run out without further betting."""
    game = reach(fixed("pacific", [RICH] * 2).start(hands=HANDS, board=DRY), 1).raise_to(100)
    grant(run_out(lose(game, 0)), 0)
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(1, 100)]
    assert pots(game) == [(200, (0, 1))]
    assert game.table.hand is None
    assert game.stacks == [RICH - 100, RICH + 100]


def test_if_all_others_fold_the_protected_player_wins() -> None:
    """AMB-32, AMB-30: where the outage bites at once, the bettor is protected; all others fold, and he has the pot."""
    rules = {"protection.trigger": "at_once"}
    game = reach(fixed("pacific", [RICH] * 3, rules=rules).start(), 1).check().raise_to(100)
    assert isinstance(lose(game, 2).events[-1], ProtectionRequested)
    fold_out(grant(game, 2))
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(2, 100)]
    assert won(game) == {2: 300}


def test_after_the_hand_he_sits_out() -> None:
    """AMB-54: a protected player sits in until the hand ends, then sits out and is dealt no more hands."""
    game = check_down(grant(asked(4), 2))
    assert game.last(PlayerSatOut) == PlayerSatOut(2, "disconnected")
    assert 2 not in dealt(game.start())


def test_who_returns_in_the_same_hand_plays_the_next() -> None:
    """AMB-54, AMB-32: back in the hand he has no actions there, and is dealt in to the next one."""
    game = restore(grant(asked(), 2), 2)
    assert game.to_act == 0
    check_down(game)
    assert game.all(PlayerSatOut) == []
    assert 2 in dealt(game.start())


# Refused.


def test_without_a_use_left_the_hand_is_folded_and_the_contribution_forfeited() -> None:
    """G-PAC-10, R-PAC-29: a third disconnection within the window folds; what he has put in stays in the pot."""
    game = refuse(asked(), 2)
    assert game.events == (ProtectionRefused(2), Folded(2, "quota_used_up"))
    assert game.hand.pot == 400
    check_down(game)
    assert won(game) == {1: 500}
    assert game.stack(2) == RICH - 100


def test_after_a_refusal_one_may_still_be_all_in_for_lack_of_chips() -> None:
    """R-PAC-30, AMB-03: the used-up quota bars no all-in of a player who is there and simply runs out of chips."""
    game = check_down(refuse(run_out(lose(facing_a_bet(stack=250), 2)), 2))
    game = sit_in(restore(game, 2), 2).start()
    while game.to_act != 2:
        game.call()
    game.all_in()
    assert WentAllIn(2) in game.events


# Not asked.


def test_a_free_check_is_never_folded_and_needs_no_use() -> None:
    """AMB-34, AMB-30: a lost player who could check has checked, and the account is not asked."""
    game = reach(fixed("pacific", [RICH] * 3).start(), 1)
    assert run_out(lose(game, 1)).events == (Checked(1, "disconnected"),)
    assert said(game, ProtectionRequested) == []


def test_with_nothing_in_the_pot_there_is_nothing_to_protect() -> None:
    """AMB-31: the first to act, with 0 in, is folded when he is lost, and no use is asked for."""
    game = run_out(lose(fixed("pacific", [RICH] * 4).start(), 3))
    assert game.events == (Folded(3, "disconnected"),)


def test_a_time_out_with_a_live_connection_is_a_fold() -> None:
    """AMB-33: who lets his turn run out while connected has no protection; what he has in is forfeited."""
    assert run_out(facing_a_bet()).events == (Folded(2, "timeout"),)


def test_an_outage_of_the_house_costs_no_use() -> None:
    """AMB-33: when the gateway itself failed, the player is protected without asking, and no use is counted."""
    game = run_out(lose(facing_a_bet(), 2, house_fault=True))
    assert game.events == (PlayerProtected(2, 100, counted=False),)
    assert game.to_act == 0


@pytest.mark.parametrize("back_at_s", [1, 30, 54])
def test_who_comes_back_in_time_has_ten_seconds_at_least(back_at_s: int) -> None:
    """AMB-30: a short outage costs nothing; on his turn he has at least ten seconds after his return, and may act."""
    game = restore(lose(facing_a_bet(), 2).wait(seconds=back_at_s), 2)
    assert turn_ends_at_ms(game.table) == max(25_000, 1000 * back_at_s + 10_000)
    assert game.call().to_act == 0


# Tournaments.


def sit_and_go() -> Game:
    """Return a tournament table on the flop; seat 1 is to act."""
    return reach(tournament("pacific", [RICH] * 3, limit="fixed_limit", bets=(100, 200)).start(), 1)


def test_tournaments_have_no_protection() -> None:
    """AMB-35: with 100 in a lost player who faces a bet is folded; the account is never asked."""
    game = run_out(lose(sit_and_go().raise_to(100), 2))
    assert game.events == (Folded(2, "tournament_rule"),)
    assert game.all(ProtectionRequested) == []


def test_later_turns_of_a_lost_tournament_player_are_taken_at_once() -> None:
    """AMB-35: he is checked when it is free, and folded as soon as he faces a bet, without another wait."""
    game = run_out(lose(sit_and_go(), 1))
    assert game.events == (Checked(1, "disconnected"),)
    assert Folded(1, "tournament_rule") in game.raise_to(100).call().events


def test_absent_tournament_players_are_blinded_off() -> None:
    """AMB-35: he is dealt in, posts his blinds and is never removed; his turns are taken at once."""
    game = fold_out(run_out(lose(sit_and_go(), 1)))
    game.start()
    fold_out(game)
    game.start()
    assert [blind.seat for blind in said(game, BlindPosted)] == [0, 1]
    assert 1 in dealt(game)
    assert game.all(PlayerSatOut) == []
