"""Pacific Poker at the table: its limits, blinds, deal, actions and cap. Seats count from 0, golden tests from 1."""

from __future__ import annotations

import pytest

from engine.errors import Reason, Rejected
from engine.poker.ranking import CATEGORIES
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.table.commands import Check, CreateTable, Raise, ReserveSeat
from engine.table.decide import decide
from engine.table.events import (
    AntePosted,
    BlindPosted,
    HandEnded,
    HandStarted,
    HoleCardsDealt,
    PotAwarded,
    SeatReserved,
    StreetDealt,
)
from tests.engine.table.game import Game, open_table
from tests.engine.table.play import (
    bets,
    board,
    check_down,
    close_round,
    dealt,
    fixed,
    fold_out,
    hand_log,
    lose,
    places,
    play_on,
    posts,
    reach,
    said,
    shows,
    sit_out,
    won,
)
