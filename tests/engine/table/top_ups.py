"""Asking for more chips, and letting them arrive."""

from __future__ import annotations

from typing import Any

from engine.table.commands import QueueChips, RequestTopUp
from engine.table.events import TopUpReserved
from tests.engine.table.game import Game, cash

MAXIMUM = 10_000


def table(**terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a table at 50/100 no limit, at which nobody may bring in more than 10,000. Seat 0 has the button."""
    return cash("akpoker", [4000, 4000, 4000], **terms)


def ask(game: Game, amount: int, player: str = "p1") -> str:
    """Ask for a top-up and return the transfer that it will come with."""
    return game.do(RequestTopUp(player, amount)).last(TopUpReserved).transfer_id


def arrive(game: Game, amount: int, transfer_id: str, player: str = "p1") -> Game:
    """Let a top-up arrive."""
    return game.do(QueueChips(player, amount, transfer_id))
