"""Pausing the clock: no turn runs out, no hand starts, and nobody gains or loses time by it (O-42)."""

from __future__ import annotations

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import PauseClock, RestartTurnClock, ResumeClock, StartHand, TimeOut, UseTimeBank
from engine.table.events import ClockPaused, ClockResumed, TimeBankUsed, TurnClockRestarted
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import check_down, fold_out, lose, prefer, restore

RICH = 100_000


def small_blind_to_act() -> Game:
    """Return a tournament hand in which seat 1 has 35 s and a bank of 30 s."""
    return tournament("modern", [RICH] * 3, blinds=(100, 200)).start().call()


def pause(game: Game, *, after: int, seconds: int) -> Game:
    """Pause the clock after so many seconds, for so many seconds."""
    game.wait(seconds=after).do(PauseClock()).wait(seconds=seconds)
    return game.do(ResumeClock())


def seconds_left(game: Game) -> int:
    """Return how long the open turn still lasts."""
    ends_at_ms = turn_ends_at_ms(game.table)
    assert ends_at_ms is not None, "no clock runs"
    return (ends_at_ms - game.at_ms) // 1000


def test_a_pause_is_an_event_and_so_is_its_end() -> None:
    """O-42: both are on the log, the second with the length of the pause."""
    game = small_blind_to_act().do(PauseClock())
    assert game.events == (ClockPaused(),)
    assert game.wait(seconds=9).do(ResumeClock()).events == (ClockResumed(9000),)


def test_pausing_or_resuming_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    game = small_blind_to_act()
    assert game.do(ResumeClock()).events == ()
    game.do(PauseClock())
    assert game.do(PauseClock()).events == ()


def test_no_turn_runs_out_in_a_pause() -> None:
    """O-42: a TimeOut is refused however late it comes."""
    game = small_blind_to_act().do(PauseClock()).wait(seconds=3600)
    assert turn_ends_at_ms(game.table) is None
    game.refuses(TimeOut("T1-1", 2), "CLOCK_PAUSED")


def test_no_hand_starts_in_a_pause() -> None:
    """O-42: the break lasts until the clock runs again."""
    game = fold_out(small_blind_to_act()).do(PauseClock())
    game.refuses(StartHand(), "CLOCK_PAUSED")
    game.do(ResumeClock()).start()


@pytest.mark.parametrize(("after", "left"), [(0, 65), (10, 55), (35, 30), (45, 20), (64, 1)])
def test_a_turn_has_the_time_that_it_had_left(after: int, left: int) -> None:
    """O-42: in the time to act and in the bank alike."""
    assert seconds_left(pause(small_blind_to_act(), after=after, seconds=1000)) == left


def test_two_pauses_in_a_turn() -> None:
    """O-42: each pause takes nothing."""
    assert seconds_left(pause(pause(small_blind_to_act(), after=10, seconds=50), after=10, seconds=50)) == 45


def test_a_pause_uses_no_time_bank() -> None:
    """O-42: who acts after a pause has used only the time that ran."""
    game = pause(small_blind_to_act(), after=45, seconds=1000).wait(seconds=5).call()
    assert game.all(TimeBankUsed) == [TimeBankUsed(1, 15_000)]


@pytest.mark.parametrize(("after", "used"), [(5, []), (45, [TimeBankUsed(1, 10_000)])])
def test_who_acts_in_a_pause_has_used_what_ran_before_it(after: int, used: list[TimeBankUsed]) -> None:
    """O-42: players may act while the clock stands still, and it costs them nothing."""
    game = small_blind_to_act().wait(seconds=after).do(PauseClock()).wait(seconds=1000).call()
    assert game.all(TimeBankUsed) == used


def test_a_turn_that_begins_in_a_pause_has_its_whole_time() -> None:
    """O-42: the turn before it had a second left; this one has all of its own."""
    game = small_blind_to_act().wait(seconds=64).do(PauseClock()).wait(seconds=10).call().wait(seconds=10)
    assert seconds_left(game.do(ResumeClock())) == 65


def test_a_turn_that_began_in_a_pause_uses_its_bank_as_any_other() -> None:
    """O-42: its time counts from the end of the pause."""
    game = small_blind_to_act().do(PauseClock()).wait(seconds=10).call().wait(seconds=10).do(ResumeClock())
    assert game.wait(seconds=40).check().events[0] == TimeBankUsed(2, 5000)


def test_a_question_pauses_as_well() -> None:
    """O-42: the time to show or muck stands still with the rest."""
    game = prefer(cash("modern", [RICH] * 2), 0, auto_muck=False)
    check_down(game.start({0: "2s3d", 1: "AsAd"}, "KcKdQh9s7s"))
    assert seconds_left(pause(game, after=2, seconds=100)) == 3


def test_a_bank_that_was_asked_for_stays_asked_for() -> None:
    """O-42: a pause does not end the turn, nor what was asked for in it."""
    game = tournament("modern", [RICH] * 4).start()
    game.do(game.command(UseTimeBank))
    assert seconds_left(pause(game, after=10, seconds=100)) == 55


@pytest.mark.parametrize("back_after", [0, 50, 99])
def test_a_return_in_a_pause_gains_nothing(back_after: int) -> None:
    """O-42: 25 s were left when the clock was paused, and 25 s are left when it runs again."""
    game = lose(cash("akpoker", [RICH] * 3).start(), 0).wait(seconds=10).do(PauseClock())
    restore(game.wait(seconds=back_after), 0).wait(seconds=100 - back_after)
    assert seconds_left(game.do(ResumeClock())) == 25


def test_the_minimum_after_a_return_outlasts_a_pause() -> None:
    """O-42: ten seconds after a return stay ten seconds after a pause."""
    game = restore(lose(cash("akpoker", [RICH] * 3).start(), 0).wait(seconds=60), 0)
    assert seconds_left(pause(game, after=4, seconds=100)) == 6


def test_a_pause_without_a_hand_leaves_no_trace() -> None:
    """O-42: a pause between hands lengthens nothing in the next one."""
    assert seconds_left(pause(tournament("akpoker", [RICH] * 3), after=1, seconds=100).start()) == 35


def test_a_restart_in_a_pause_tells_no_end() -> None:
    """`design.md` section 8: the open turn begins anew, and ends when the clock has run again for its time."""
    game = small_blind_to_act().wait(seconds=50).do(PauseClock()).do(RestartTurnClock("T1-1", 2))
    assert game.last(TurnClockRestarted).ends_at_ms == 0
    assert seconds_left(game.wait(seconds=70).do(ResumeClock())) == 65
