"""The tables of decide and evolve, and what no other file has a reason to ask."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.errors import NotFound
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.decide import DECIDE, decide
from engine.table.events import TableCreated, TableEvent
from engine.table.evolve import EVOLVE
from tests.engine.table.game import cash


def test_every_command_is_decided() -> None:
    """`design.md` section 1: no command of a table is without rules."""
    assert set(DECIDE) == set(get_args(TableCommand))


def test_every_event_changes_a_table_in_one_way() -> None:
    """`design.md` section 1: `evolve` is total; `TableCreated` alone makes a table where there was none."""
    assert set(EVOLVE) | {TableCreated} == set(get_args(TableEvent))


def test_a_table_that_does_not_exist_decides_nothing() -> None:
    """`clients.md` B2: TABLE_UNKNOWN."""
    with pytest.raises(NotFound, match="TABLE_UNKNOWN"):
        decide(None, commands.StartHand(), 0)


def test_a_house_may_refuse_a_fold_that_costs_nothing_to_avoid() -> None:
    """R-PLA-19, `betting.fold_when_check_free`: where it is off, a free check cannot be folded."""
    game = cash("modern", [1000] * 3, rules={"betting.fold_when_check_free": False}).start().call().call()
    game.refuses(game.command(commands.Fold), "CHECK_IS_FREE")
    assert not game.menu.fold


def test_nobody_acts_at_a_halted_table() -> None:
    """`reliability.md` section 11: after a fault of ours the table stands still."""
    game = cash("modern", [1000] * 3).start().do(commands.HaltTable("fault"))
    game.refuses(game.command(commands.Call), "TABLE_HALTED")
