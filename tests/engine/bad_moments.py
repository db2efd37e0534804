"""When a tournament of a random run is called off: never, or at a bad moment."""

from __future__ import annotations

from collections.abc import Callable

from engine.tournament.state import Tournament


def _never(_state: Tournament) -> bool:
    return False


def _before_the_start(state: Tournament) -> bool:
    return state.phase == "registering" and state.entered > 1


def _when_money_is_on_its_way(state: Tournament) -> bool:
    return len(state.tables) > 0 and len(state.payments) > 0


def _when_somebody_moves(state: Tournament) -> bool:
    return any(entry.status == "moving" for entry in state.entries)


def _in_a_synchronised_hand(state: Tournament) -> bool:
    return state.sync is not None and len(state.sync.stacks) > 0


def _when_some_are_out(state: Tournament) -> bool:
    return state.outs > 1


def _in_the_money(state: Tournament) -> bool:
    return state.prizes_paid > 0


CALLED_OFF: tuple[Callable[[Tournament], bool], ...] = (
    *(_never,) * 7,
    _before_the_start,
    _when_money_is_on_its_way,
    _when_somebody_moves,
    *(_in_a_synchronised_hand,) * 2,
    *(_when_some_are_out,) * 2,
    _in_the_money,
)
"""When a tournament is called off: never, or at a moment like this."""
