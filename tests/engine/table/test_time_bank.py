"""The time bank: how it grows, when it runs, what it costs (R-MOD-9, R-MOD-10, O-2)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import UseTimeBank
from engine.table.events import Checked, Folded, ProtectionRequested, TimeBankStarted, TimeBankUsed
from engine.table.state import occupant_at
from tests.engine.table.game import Game, cash
from tests.engine.table.play import lose, play_on, reach, restore, run_out, said, sit_out

RICH = 100_000
BY_HAND = {"clock.time_bank_auto": "never"}
ALWAYS = {"clock.time_bank_auto": "always"}
NOT_WHEN_LOST = {"clock.time_bank_when_disconnected": False}


def modern(players: int = 4, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a hand at 100/200 with 35 s a turn and a bank of 30 s; seat 0 has the button, seat 3 of four opens."""
    return cash("modern", [RICH] * players, blinds=(100, 200), **terms).start()


def small_blind_to_act(**terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a hand of three in which seat 1, with his small blind in, is to act."""
    return modern(3, **terms).call()


def bank_s(game: Game, seat: int) -> int:
    """Return what a player's bank holds, in seconds."""
    return occupant_at(game.table, seat).bank_ms // 1000


def seconds_left(game: Game) -> int:
    """Return how long the open turn still lasts."""
    ends_at_ms = turn_ends_at_ms(game.table)
    assert ends_at_ms is not None, "no clock runs"
    return (ends_at_ms - game.at_ms) // 1000


# How it grows.


@pytest.mark.parametrize(("hands", "seconds"), [(0, 30), (9, 30), (10, 35), (59, 55), (60, 60), (100, 60)])
def test_a_bank_grows_with_the_hands_dealt(hands: int, seconds: int) -> None:
    """R-MOD-9, G-MOD-9: 30 s to begin with, 5 s more for each 10 hands dealt, 60 s at most."""
    game = play_on(cash("modern", [RICH] * 3), hands)
    assert [bank_s(game, seat) for seat in range(3)] == [seconds] * 3


def test_only_hands_that_were_dealt_to_him_count() -> None:
    """R-MOD-9: a player who is not dealt in earns nothing."""
    game = play_on(cash("modern", [RICH] * 3), 9)
    play_on(sit_out(game, 0), 3)
    assert (bank_s(game, 0), bank_s(game, 1)) == (30, 35)


def test_a_house_may_have_no_time_bank() -> None:
    """O-2: with `time_bank_start_s` and `time_bank_every_hands` at 0 there is none, however many hands are played."""
    assert bank_s(play_on(cash("akpoker", [RICH] * 3), 20), 0) == 0


# When it runs.


def test_the_bank_starts_by_itself_with_chips_in_the_pot() -> None:
    """R-MOD-9: who has chips in the pot has 35 s and his bank of 30."""
    assert seconds_left(small_blind_to_act()) == 65


def test_the_bank_does_not_start_with_nothing_in_the_pot() -> None:
    """R-MOD-9, G-MOD-10: the first to act has put in nothing, so his turn ends after 35 s."""
    assert seconds_left(modern()) == 35
    assert run_out(modern()).events == (Folded(3, "timeout"),)


def test_a_house_may_start_it_always() -> None:
    """O-2: `time_bank_auto = always` starts it whatever is in the pot."""
    assert seconds_left(modern(rules=ALWAYS)) == 65


def test_the_player_may_ask_for_it() -> None:
    """O-2: where it does not start by itself the player asks for it, in his turn."""
    game = modern()
    game.do(game.command(UseTimeBank))
    assert game.events == (TimeBankStarted(3, 1),)
    assert seconds_left(game) == 65


def test_with_never_it_runs_only_for_who_asks() -> None:
    """O-2: `time_bank_auto = never`: chips in the pot do not start it."""
    game = small_blind_to_act(rules=BY_HAND)
    assert seconds_left(game) == 35
    assert seconds_left(game.do(game.command(UseTimeBank))) == 65


def test_asking_twice_changes_nothing() -> None:
    """A second request in the same turn makes no event."""
    game = modern()
    game.do(game.command(UseTimeBank))
    assert game.do(game.command(UseTimeBank)).events == ()


def test_asking_holds_for_one_turn() -> None:
    """O-2: the next turn begins without the bank."""
    game = reach(modern(rules=BY_HAND), 1)
    game.do(game.command(UseTimeBank))
    game.wait(seconds=36)
    assert seconds_left(game.check()) == 35


def test_an_empty_bank_cannot_be_asked_for() -> None:
    """O-2: a house without a time bank refuses."""
    game = cash("akpoker", [RICH] * 3).start()
    game.refuses(game.command(UseTimeBank), "TIME_BANK_EMPTY")


def test_only_the_player_to_act_may_ask() -> None:
    """T-IDEM-7: nobody else's turn can be lengthened."""
    game = modern()
    game.refuses(game.command(UseTimeBank, 0), "NOT_YOUR_TURN")


# What it costs.


@pytest.mark.parametrize(("after_ms", "used_ms"), [(35_001, 1), (50_000, 15_000), (65_000, 30_000), (99_000, 30_000)])
def test_the_part_that_was_used_is_gone(after_ms: int, used_ms: int) -> None:
    """O-2: an action in the bank's time says how much of it was used, at most all."""
    game = small_blind_to_act().wait(ms=after_ms).call()
    assert game.events[0] == TimeBankUsed(1, used_ms)
    assert occupant_at(game.table, 1).bank_ms == 30_000 - used_ms


@pytest.mark.parametrize("after_ms", [0, 35_000])
def test_acting_in_time_costs_nothing(after_ms: int) -> None:
    """O-2: nothing is used within the time to act."""
    assert small_blind_to_act().wait(ms=after_ms).call().all(TimeBankUsed) == []


def test_running_out_costs_all_of_it() -> None:
    """O-2: a turn that runs out has used the whole bank; the next has none."""
    game = run_out(small_blind_to_act())
    assert game.events == (TimeBankUsed(1, 30_000), Folded(1, "timeout"))


@pytest.mark.parametrize("act", ["fold", "call", "raise", "all-in"])
def test_every_action_settles_the_bank(act: str) -> None:
    """O-2: whatever ends the turn, the time that was used is on the log before it."""
    game = small_blind_to_act().wait(seconds=40)
    deeds = {"fold": game.fold, "call": game.call, "raise": lambda: game.raise_to(600), "all-in": game.all_in}
    assert deeds[act]().events[0] == TimeBankUsed(1, 5000)


def test_a_check_settles_the_bank() -> None:
    """O-2: so does a check."""
    assert small_blind_to_act().call().wait(seconds=40).check().events[0] == TimeBankUsed(2, 5000)


def test_what_is_left_serves_the_next_turn() -> None:
    """O-2: 10 of 30 s were used, 20 are left."""
    game = small_blind_to_act().wait(seconds=45).call().check()
    assert seconds_left(game) == 55


# Without a connection.


def test_a_lost_player_has_his_turn_and_his_bank() -> None:
    """R-MOD-10, G-MOD-10: facing a bet with chips in: 35 s, then the bank, then folded; no protection is asked for."""
    game = lose(small_blind_to_act(), 1)
    assert seconds_left(game) == 65
    assert run_out(game).events == (TimeBankUsed(1, 30_000), Folded(1, "disconnected"))
    assert game.all(ProtectionRequested) == []


def test_a_lost_player_checks_when_that_is_free() -> None:
    """R-MOD-10, G-MOD-10: with a free check `Checked`, with the reason."""
    game = run_out(lose(small_blind_to_act().call(), 2))
    assert said(game, Checked) == [Checked(2, "disconnected")]


def test_a_lost_player_with_nothing_in_has_no_bank() -> None:
    """G-MOD-10: with nothing in the pot the bank does not start."""
    game = lose(modern(), 3)
    assert seconds_left(game) == 35
    assert run_out(game).events == (Folded(3, "disconnected"),)


def test_a_house_may_stop_the_bank_of_a_lost_player() -> None:
    """O-3: `time_bank_when_disconnected` says whether it runs for him; back again, it does."""
    game = lose(small_blind_to_act(rules=NOT_WHEN_LOST), 1)
    assert seconds_left(game) == 35
    assert seconds_left(restore(game, 1)) == 65


def test_a_table_may_switch_protection_on() -> None:
    """R-MOD-10: a modern table may set `protection.disconnect_policy`."""
    game = lose(small_blind_to_act(rules={"protection.disconnect_policy": "all_in"}), 1)
    assert isinstance(run_out(game).events[-1], ProtectionRequested)
