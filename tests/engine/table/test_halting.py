"""A table that is halted after a fault of ours stands still until an operator resumes it, or voids the hand."""

from __future__ import annotations

import pytest

from engine.table.clock import turn_ends_at_ms
from engine.table.commands import HaltTable, ResumeTable, Show, StartHand
from engine.table.events import Folded, PlayerLeft, PlayerProtected, TableHalted, TableResumed
from tests.engine.table.game import cash, open_table, tournament
from tests.engine.table.play import check_down, grant, leave, lose, prefer, run_out, sit_out

RICH = 10_000
FAULT = HaltTable("a fault of ours")
RESUME = ResumeTable("operator")


def test_a_table_is_halted_and_resumed() -> None:
    """`reliability.md`: a table that stopped says why, and who put it back into service."""
    game = open_table("modern").do(FAULT)
    assert game.events == (TableHalted("a fault of ours"),)
    assert game.do(RESUME).events == (TableResumed("operator"),)


def test_halting_or_resuming_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    game = open_table("modern")
    assert game.do(RESUME).events == ()
    assert game.do(FAULT).do(FAULT).events == ()


@pytest.mark.parametrize("command", [HaltTable(""), ResumeTable("")])
def test_a_halt_has_a_cause_and_its_end_a_name(command: HaltTable | ResumeTable) -> None:
    """`operations.md` 7b.6: administration says why and who."""
    open_table("modern").do(FAULT).refuses(command, "FIELD_INVALID")


def test_a_halted_table_starts_no_hand() -> None:
    """Nothing is dealt until the table is resumed."""
    cash("modern", [RICH] * 3).do(FAULT).refuses(StartHand(), "TABLE_HALTED")


def test_a_halted_hand_stands_still() -> None:
    """No action is taken, and none is on the menu."""
    game = cash("modern", [RICH] * 3).start()
    call = game.raising(300)
    game.do(FAULT).refuses(call, "TABLE_HALTED")


def test_a_halted_question_stands_still() -> None:
    """Nor is anything shown."""
    game = prefer(cash("modern", [RICH] * 2), 0, auto_muck=False)
    check_down(game.start({0: "2s3d", 1: "AsAd"}, "KcKdQh9s7s"))
    show = game.command(Show)
    game.do(FAULT).refuses(show, "TABLE_HALTED")


def test_a_resumed_hand_gives_the_open_turn_its_time_again() -> None:
    """`design.md` section 8: nobody pays for our outage."""
    game = cash("modern", [RICH] * 4).start().wait(seconds=30).do(FAULT).wait(seconds=3600).do(RESUME)
    assert turn_ends_at_ms(game.table) == game.at_ms + 35_000


def test_who_leaves_a_halted_hand_folds_when_it_goes_on() -> None:
    """AMB-51: if the hand is voided instead, leaving has cost him nothing."""
    game = leave(cash("modern", [RICH] * 3).start().do(FAULT), 0)
    assert len(game.events) == 1
    assert game.do(RESUME).events == (TableResumed("operator"), Folded(0, "left"))


def test_who_is_in_no_hand_leaves_a_halted_table() -> None:
    """R-AKP-21: his chips are his."""
    assert leave(cash("modern", [RICH] * 3).do(FAULT), 1).last(PlayerLeft).amount == RICH


def test_an_absence_from_a_halted_tournament_hand_waits() -> None:
    """O-40: his turn is passed when the hand goes on."""
    game = sit_out(tournament("modern", [RICH] * 3).start().do(FAULT), 0)
    assert len(game.events) == 1
    assert Folded(0, "sat_out") in game.do(RESUME).events


def test_an_answer_about_a_protection_reaches_a_halted_table() -> None:
    """`design.md` section 3: what an account has decided is taken in; the hand goes on when the table does."""
    game = run_out(lose(cash("akpoker", [RICH] * 2).start().raise_to(300), 0)).do(FAULT)
    assert grant(game, 0).events == (PlayerProtected(0, 100, counted=True),)
    assert game.do(RESUME).table.hand is None
