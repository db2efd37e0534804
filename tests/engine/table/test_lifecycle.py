"""A table as a whole: opening, halting and resuming, levels, closing, and the sweep of its rake."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import Rejected
from engine.rulebooks.loading import load, rulebook_hash
from engine.table.commands import (
    ChangeLevel,
    CloseTable,
    CreateTable,
    HaltTable,
    HoldSeat,
    Leave,
    ReserveSeat,
    ResumeTable,
    SitOut,
    StartHand,
    SweepRake,
)
from engine.table.decide import decide
from engine.table.events import (
    Folded,
    HandEnded,
    LevelChanged,
    PlayerLeft,
    RakeSwept,
    SeatReleased,
    TableClosed,
    TableClosing,
    TableCreated,
    TableHalted,
    TableResumed,
)
from engine.table.state import Table
from tests.engine.table.game import Game, cash, open_table, stakes_of, tournament, with_stakes
from tests.engine.table.play import check_down, fold_out, lose, play_on, posts, run_out, sit_out

RICH = 10_000
