"""The clock of a turn: when it ends, who may say so, what its end does, and how it begins anew."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import HaltTable, RestartTurnClock, SitIn, TimeOut
from engine.table.events import (
    Checked,
    Folded,
    HandEnded,
    HandMucked,
    HandShown,
    PlayerSatOut,
    TurnClockRestarted,
)
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import check_down, fixed, fold_out, lose, prefer, reach, restore, run_out

RICH = 100_000


def akpoker(players: int = 3, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a hand at 1/2 no limit without a time bank; seat 0 has the button and, of three, is to act."""
    return cash("akpoker", [RICH] * players, blinds=(100, 200), **terms).start()


def seconds_left(game: Game) -> int | None:
    """Return how long the open turn still lasts."""
    ends_at_ms = turn_ends_at_ms(game.table)
    return None if ends_at_ms is None else (ends_at_ms - game.at_ms) // 1000


# When a turn ends.


@pytest.mark.parametrize(("limit", "seconds"), [("fixed_limit", 25), ("pot_limit", 35), ("no_limit", 35)])
def test_a_turn_lasts_as_the_limit_type_says(limit: Any, seconds: int) -> None:  # noqa: ANN401 - a literal.
    """O-1, AMB-52: 25 seconds at fixed limit, 35 at pot and no limit."""
    game = fixed("akpoker", [RICH] * 3) if limit == "fixed_limit" else cash("akpoker", [RICH] * 3, limit=limit)
    assert seconds_left(game.start()) == seconds


def test_each_turn_has_a_clock_of_its_own() -> None:
    """O-1: the deadline follows from the event that gave the turn."""
    assert seconds_left(akpoker().wait(seconds=20).call()) == 35


def test_a_new_street_begins_a_new_turn() -> None:
    """O-1: the card that opens a street gives the turn."""
    game = akpoker().call().call().wait(seconds=7).check()
    assert (game.hand.street, seconds_left(game)) == (1, 35)


def test_without_a_hand_no_turn_is_open() -> None:
    """O-1: between hands no clock runs."""
    assert turn_ends_at_ms(fold_out(akpoker()).table) is None


def test_no_clock_runs_while_the_account_is_asked() -> None:
    """`rulebooks.md` section 4: the hand waits for the answer about a protection."""
    assert turn_ends_at_ms(run_out(lose(akpoker().raise_to(600), 1)).table) is None


# Who may say that it is over.


def test_a_turn_is_not_over_before_its_time() -> None:
    """`design.md` section 8: an early TimeOut is refused and tells when the turn ends."""
    game = akpoker().wait(ms=34_999)
    refusal = game.refuses(TimeOut("T1-1", 1), "TURN_NOT_OVER")
    assert refusal.metadata == {"ends_at_ms": 35_000}


@pytest.mark.parametrize("late_ms", [0, 1, 10**9])
def test_a_turn_is_over_at_its_time_and_later(late_ms: int) -> None:
    """`design.md` section 8: on time or late, TimeOut ends the turn."""
    assert akpoker().wait(ms=35_000 + late_ms).time_out().events == (Folded(0, "timeout"),)


def test_a_player_may_act_until_the_time_out_is_on_the_log() -> None:
    """`design.md` section 8: an action is accepted until TimeOut is on the log, however late."""
    assert akpoker().wait(seconds=3600).call().to_act == 1


@pytest.mark.parametrize(("hand_id", "turn"), [("T1-1", 1), ("T1-1", 3), ("T1-2", 2)])
def test_a_time_out_for_another_turn_is_stale(hand_id: str, turn: int) -> None:
    """T-IDEM-7: a TimeOut takes effect in its own turn or not at all."""
    akpoker().call().wait(seconds=60).refuses(TimeOut(hand_id, turn), "STALE_TURN")


def test_a_time_out_without_a_hand_is_refused() -> None:
    """T-IDEM-7: a TimeOut that arrives after the hand has ended does nothing."""
    fold_out(akpoker()).refuses(TimeOut("T1-1", 1), "HAND_NOT_IN_PROGRESS")


def test_a_halted_table_lets_no_turn_run_out() -> None:
    """A table that stopped after a fault of ours makes nobody pay for it."""
    game = akpoker().do(HaltTable("a fault of ours")).wait(seconds=60)
    assert turn_ends_at_ms(game.table) is None
    game.refuses(TimeOut("T1-1", 1), "TABLE_HALTED")


# What its end does.


@pytest.mark.parametrize(("action", "event"), [("check", Checked(2, "timeout")), ("fold", Folded(2, "timeout"))])
def test_a_missed_turn_with_a_free_check(action: str, event: Checked | Folded) -> None:
    """AMB-33, FAULT-122: `timeout_free_action` says what a missed turn does when a check is free."""
    game = akpoker(rules={"clock.timeout_free_action": action}).call().call()
    assert run_out(game).events[0] == event


def test_where_a_missed_turn_folds_a_lost_player_folds_too() -> None:
    """AMB-34: no protection is asked for where a check is free, whatever the house makes of the turn."""
    game = lose(akpoker(rules={"clock.timeout_free_action": "fold"}).call().call(), 2)
    assert run_out(game).events[0] == Folded(2, "disconnected")


@pytest.mark.parametrize("action", ["check", "fold"])
def test_a_missed_turn_facing_a_bet_folds(action: str) -> None:
    """AMB-33: facing a bet a missed turn always folds."""
    assert run_out(akpoker(rules={"clock.timeout_free_action": action})).events == (Folded(0, "timeout"),)


@pytest.mark.parametrize(("lost", "cause"), [(False, "timeout"), (True, "disconnected")])
def test_who_missed_his_turn_sits_out_when_the_hand_ends(lost: bool, cause: Any) -> None:  # noqa: ANN401
    """`rulebooks.md` section 4: cash: a missed turn sits the player out after the hand, with the reason."""
    game = lose(akpoker(), 0) if lost else akpoker()
    fold_out(run_out(game))
    assert [type(event) for event in game.events[-2:]] == [HandEnded, PlayerSatOut]
    assert game.last(PlayerSatOut) == PlayerSatOut(0, cause)


def test_who_acts_again_does_not_sit_out() -> None:
    """`rulebooks.md` section 4: unless he has acted meanwhile."""
    game = run_out(akpoker().call().call())
    check_down(reach(game, 1))
    assert game.all(PlayerSatOut) == []


def test_who_comes_back_does_not_sit_out() -> None:
    """`rulebooks.md` section 4: or has come back meanwhile."""
    game = run_out(akpoker()).do(SitIn("p0", "wait"))
    assert fold_out(game).all(PlayerSatOut) == []


def test_whose_connection_is_back_does_not_sit_out() -> None:
    """`rulebooks.md` section 4: a connection that is restored in the same hand is a return."""
    game = restore(run_out(lose(akpoker(), 0)), 0)
    assert fold_out(game).all(PlayerSatOut) == []


def test_an_absent_tournament_player_is_passed_at_once() -> None:
    """`rulebooks.md` section 4: in a tournament the later turns of one who missed his are taken at once."""
    game = run_out(tournament("akpoker", [RICH] * 3).start().call().call())
    assert game.events[0] == Checked(2, "timeout")
    assert Checked(2, "timeout") in reach(game, 1).check().events


def test_a_tournament_player_who_sits_in_is_asked_again() -> None:
    """`rulebooks.md` section 4: until he returns."""
    game = run_out(tournament("akpoker", [RICH] * 3).start().call().call()).do(SitIn("p2", "wait"))
    assert reach(game, 1).check().to_act == 2


# Showing has a clock as well.


def asked_to_show() -> Game:
    """Return a showdown at which the beaten player in seat 0 is asked; the button is his."""
    game = prefer(cash("akpoker", [RICH] * 2, blinds=(100, 200)), 0, auto_muck=False)
    return check_down(game.start({0: "2s3d", 1: "AsAd"}, "KcKdQh9s7s"))


def test_a_question_lasts_five_seconds() -> None:
    """`rulebooks.md` section 4: each has `show_seconds` for Show or Muck."""
    assert seconds_left(asked_to_show()) == 5


def test_an_unanswered_question_at_a_showdown_shows() -> None:
    """`rulebooks.md` section 4: then the default, shown at a showdown."""
    shown = run_out(asked_to_show()).events[0]
    assert isinstance(shown, HandShown)
    assert (shown.seat, shown.cause) == (0, "timeout")


def test_an_unanswered_question_about_an_uncontested_pot_hides() -> None:
    """`rulebooks.md` section 4: hidden when uncontested."""
    game = prefer(cash("modern", [RICH] * 2, blinds=(100, 200)), 1, ask_to_show=True).start().fold()
    assert seconds_left(game) == 5
    assert run_out(game).events[0] == HandMucked(1, "uncontested")


# After an outage of ours.


def test_an_open_turn_begins_anew() -> None:
    """`design.md` section 8: after our outage the open turn gets its time again."""
    game = akpoker().wait(seconds=300).do(RestartTurnClock("T1-1", 1))
    assert game.events == (TurnClockRestarted(1, 335_000),)
    assert seconds_left(game) == 35


def test_a_lost_player_gets_his_grace_again() -> None:
    """`design.md` section 8: nobody pays for our outage, whoever lost his connection by it."""
    game = lose(akpoker(), 0).wait(seconds=300).do(RestartTurnClock("T1-1", 1))
    assert seconds_left(game) == 35 + 30


def test_a_question_begins_anew() -> None:
    """`design.md` section 8: so does the time for Show or Muck."""
    game = asked_to_show().wait(seconds=300)
    game.do(RestartTurnClock("T1-1", game.hand.turn.number))
    assert seconds_left(game) == 5


@pytest.mark.parametrize(("hand_id", "turn"), [("T1-1", 2), ("T1-2", 1)])
def test_only_the_open_turn_begins_anew(hand_id: str, turn: int) -> None:
    """T-IDEM-7: a restart names its turn."""
    akpoker().refuses(RestartTurnClock(hand_id, turn), "STALE_TURN")


def test_a_hand_that_waits_has_no_turn_to_restart() -> None:
    """T-IDEM-7: while the account is asked, no turn is open."""
    game = run_out(lose(akpoker().raise_to(600), 1))
    game.refuses(RestartTurnClock("T1-1", game.hand.turn.number), "STALE_TURN")
