"""When a lost connection is protected: the policy, its limits and tables, the answer, and `trigger = at_once`."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import Fold, GrantProtection, HaltTable, RefuseProtection, TimeOut
from engine.table.events import Folded, HandEnded, PlayerProtected, ProtectionRefused, ProtectionRequested
from tests.engine.table.game import Game, cash, protection_request, tournament
from tests.engine.table.play import check_down, grant, lose, prefer, refuse, restore, run_out

RICH = 10_000
AT_ONCE = {"protection.trigger": "at_once"}
BOARD = "KcKdQh9s7s"


def akpoker(players: int, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a 1/2 table; seat 0 has the button, so seat 1 the small and seat 2 the big blind."""
    return cash("akpoker", [RICH] * players, blinds=(100, 200), **terms)


@pytest.mark.parametrize(("protected", "event"), [(True, ProtectionRequested), (False, Folded)])
def test_a_matched_ante_may_be_a_stake(protected: bool, event: type) -> None:
    """AMB-31: `ante_only_protected` says whether one who has only his ante in is protected."""
    rules = {"protection.disconnect_policy": "all_in", "protection.ante_only_protected": protected}
    game = cash("modern", [RICH] * 4, blinds=(100, 200), ante=("each", 20), rules=rules).start()
    assert isinstance(run_out(lose(game, 3)).events[-1], event)


@pytest.mark.parametrize("ante", [("big_blind", 100), ("button", 100)])
def test_only_an_ante_of_each_is_in_his_stake(ante: tuple[str, int]) -> None:
    """AMB-31: an ante that one pays for all is dead; the small blind's 100 are a stake of 100 all the same."""
    rules = {"protection.disconnect_policy": "all_in", "protection.ante_only_protected": False}
    game = cash("modern", [RICH] * 3, blinds=(100, 200), ante=ante, rules=rules).start().raise_to(600)
    assert isinstance(run_out(lose(game, 1)).events[-1], ProtectionRequested)


@pytest.mark.parametrize(
    ("limit", "rules"),
    [
        ("no_limit", {"protection.limit_types": ["fixed_limit"]}),
        ("no_limit", {"protection.disconnect_policy": "none"}),
        ("pot_limit", {"protection.limit_types": ["no_limit"]}),
    ],
)
def test_protection_is_only_where_the_policy_has_it(limit: str, rules: dict[str, object]) -> None:
    """R-AKP-22, AMB-36: where the house does not protect a limit type, a lost player folds."""
    game = run_out(lose(akpoker(3, limit=limit, rules=rules).start().raise_to(500), 1))
    assert game.events == (Folded(1, "disconnected"),)


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit"])
def test_this_house_protects_at_every_limit(limit: str) -> None:
    """AMB-36: AKPokerClub does not restrict protection to fixed limit."""
    game = run_out(lose(akpoker(3, limit=limit).start().raise_to(500), 1))
    assert len(game.all(ProtectionRequested)) == 1


def test_a_tournament_may_have_protection_where_the_house_says_so() -> None:
    """R-AKP-30, AMB-35: `in_tournaments` decides."""
    game = tournament("akpoker", [RICH] * 3, blinds=(100, 200), rules={"protection.in_tournaments": True}).start()
    assert run_out(lose(game.raise_to(600), 1)).events == (protection_request(game, 1),)


def test_there_he_is_protected_when_he_has_missed_a_turn_before() -> None:
    """`in_tournaments`: absent since a free check, and then facing a bet: his stake is protected all the same."""
    game = tournament("akpoker", [RICH] * 3, blinds=(100, 200), rules={"protection.in_tournaments": True}).start()
    run_out(lose(game.call().call().check(), 1)).raise_to(400).call()
    assert game.events[-1] == protection_request(game, 1)


def test_a_fault_of_the_house_costs_no_use() -> None:
    """AMB-33: when half a gateway's players drop together the player is protected at once and nothing is counted."""
    game = run_out(lose(akpoker(3).start().raise_to(600), 1, house_fault=True))
    assert game.events[0] == PlayerProtected(1, 100, counted=False)
    assert game.to_act == 2


def test_an_answer_that_was_not_asked_for_is_refused() -> None:
    """R-AKP-22: only the player of whom a protection was asked can get one, and only once."""
    game = run_out(lose(akpoker(3).start().raise_to(600), 1))
    game.refuses(GrantProtection("p2", "T1-1"), "PROTECTION_NOT_ASKED")
    game.refuses(GrantProtection("stranger", "T1-1"), "PROTECTION_NOT_ASKED")
    game.refuses(RefuseProtection("p1", "T1-9"), "STALE_TURN")
    grant(game, 1).refuses(GrantProtection("p1", "T1-1"), "PROTECTION_NOT_ASKED")


def test_nobody_acts_while_the_hand_waits() -> None:
    """Nobody may act, and no clock runs out, until the account has answered (`rulebooks.md` section 4)."""
    game = run_out(lose(akpoker(3).start().raise_to(600), 1))
    game.refuses(game.command(Fold, 1), "PROTECTION_PENDING")
    game.refuses(TimeOut("T1-1", game.hand.turn.number), "STALE_TURN")


def test_a_refusal_may_end_the_hand() -> None:
    """R-PAC-29: when the refused player was one of two, the other takes the pot at once."""
    game = refuse(run_out(lose(akpoker(2).start().raise_to(600), 0)), 0)
    assert game.table.hand is None
    assert game.stacks == [RICH - 200, RICH + 200]


# At once.


@pytest.mark.parametrize("seat", [1, 2])
def test_an_outage_may_bite_before_the_turn(seat: int) -> None:
    """AMB-30: with `trigger = at_once` a lost connection asks at once, also when he has matched the bet so far."""
    assert isinstance(lose(akpoker(4, rules=AT_ONCE).start(), seat).events[1], ProtectionRequested)


def test_an_outage_while_a_check_is_free_does_not_bite() -> None:
    """AMB-34, AMB-30: no request is made while it is his turn and a check costs him nothing."""
    game = akpoker(2, rules=AT_ONCE).start().call()
    assert len(lose(game, game.to_act).events) == 1


def test_who_is_refused_at_once_and_comes_back_plays_on() -> None:
    """AMB-30, R-PAC-29: with `trigger = at_once` only who is still away when his turn comes is passed."""
    game = restore(lose(akpoker(4, rules=AT_ONCE).start().raise_to(600).fold(), 1), 1)
    assert refuse(game, 1).to_act == 1


def test_the_turn_begins_anew_when_the_account_has_refused() -> None:
    """`rulebooks.md` section 4: nobody's time runs while the hand waits for the account."""
    game = lose(akpoker(4, rules=AT_ONCE).start(), 1).wait(seconds=100)
    assert turn_ends_at_ms(refuse(game, 1).table) == 135_000


def test_a_protection_is_never_asked_for_twice_in_a_hand() -> None:
    """I10: refused, back, and lost again: his turn runs out and he is folded without another question."""
    game = restore(refuse(lose(akpoker(4, rules=AT_ONCE).start(), 1), 1), 1).raise_to(600).fold()
    game = run_out(lose(game, 1))
    assert (len(game.all(ProtectionRequested)), game.last(Folded).seat) == (1, 1)


def test_an_outage_without_a_stake_does_not_bite() -> None:
    """AMB-30, AMB-31: who has nothing in the pot has nothing to protect."""
    assert len(lose(akpoker(5, rules=AT_ONCE).start(), 3).events) == 1


def test_an_outage_after_a_fold_does_not_bite() -> None:
    """AMB-30: who has folded has given up what he had in."""
    game = akpoker(4, rules=AT_ONCE).start().raise_to(600).call().fold()
    assert len(lose(game, 1).events) == 1


def test_an_outage_after_the_betting_does_not_bite() -> None:
    """AMB-30: at the showdown nothing can be bet any more, so nothing is at stake but the cards."""
    game = check_down(prefer(akpoker(2, rules=AT_ONCE), 0, auto_muck=False).start({0: "2s3d", 1: "AsAd"}, BOARD))
    assert len(lose(game, 0).events) == 1


def test_a_fault_of_the_house_may_end_the_betting_at_once() -> None:
    """AMB-33: protected without a question; when nobody else can bet, the hand is run out at once."""
    game = lose(akpoker(2, rules=AT_ONCE).start().raise_to(600), 0, house_fault=True)
    assert game.table.hand is None
    assert game.last(HandEnded).seats == (0, 1)


def test_an_outage_at_a_halted_table_does_not_bite() -> None:
    """A table that stands still freezes nobody; who is still away is dealt with on his turn."""
    assert len(lose(akpoker(4, rules=AT_ONCE).start().do(HaltTable("a fault of ours")), 1).events) == 1


def test_an_outage_between_hands_does_not_bite() -> None:
    """AMB-30: without a hand there is nothing to protect."""
    assert len(lose(akpoker(3, rules=AT_ONCE), 1).events) == 1


def test_a_second_outage_in_a_hand_asks_no_second_time() -> None:
    """AMB-32: one use per hand, so one request, however often the connection is lost."""
    game = lose(restore(lose(akpoker(3, rules=AT_ONCE).start(), 1), 1), 1)
    assert len(game.all(ProtectionRequested)) == 1


def test_who_was_refused_before_his_turn_folds_when_it_comes() -> None:
    """R-PAC-29: with `at_once`, refused and still away, he is passed when the action reaches him."""
    game = refuse(lose(akpoker(3, rules=AT_ONCE).start(), 1), 1)
    assert game.events == (ProtectionRefused(1),)
    assert Folded(1, "quota_used_up") in game.raise_to(600).events


def test_who_was_refused_and_came_back_acts() -> None:
    """R-AKP-25: refused before his turn and back in time, he acts as usual."""
    game = restore(refuse(lose(akpoker(3, rules=AT_ONCE).start(), 1), 1), 1)
    assert game.raise_to(600).call(1).to_act == 2


def test_a_second_refusal_in_the_hand_is_not_asked_for() -> None:
    """AMB-32: once refused in this hand, the account is not asked again."""
    game = restore(refuse(lose(akpoker(3, rules=AT_ONCE).start(), 1), 1), 1)
    assert len(lose(game, 1).events) == 1
