"""Playing a logged hand through `decide` and `evolve`, and what came of it."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import msgspec

from engine.errors import Reason, Rejected
from engine.poker.money import Chips
from engine.table import commands
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.evolve import replay
from engine.table.menu import legal_actions
from engine.table.state import Table, hand_of, next_hand_id
from tests.conformance.adapter import actions_of, command_for, table_for
from tests.conformance.cards import deck_for
from tests.conformance.hands import LoggedHand

E = TypeVar("E")
Bounds: TypeAlias = tuple[int, Chips, Chips | None, Chips | None]
"""The player, what a call costs, the least and the largest raise: the form of `LoggedHand.decisions`."""


class Replay(msgspec.Struct, frozen=True):
    """How far a hand was played, and what it made."""

    events: tuple[TableEvent, ...]
    refusal: Reason | None
    """Why the engine refused the next line, or None when it refused none."""
    unplayed: tuple[str, ...]
    """The lines from the refused one on, or those for which there was no turn."""
    menus: tuple[Bounds, ...]
    """What the engine offered before each line; noted only where the log has it too."""
    ended: bool
    replayable: bool
    """The events alone lead to the same table."""

    def all(self, kind: type[E]) -> list[E]:
        """Return the events of a type."""
        return [event for event in self.events if isinstance(event, kind)]


def play(hand: LoggedHand, *, add_unit: bool = False) -> Replay:
    """Play the hand until its end, or until the engine refuses a line."""
    before = table = table_for(hand, add_unit=add_unit)
    deck, refusal = deck_for(hand, next_hand_id(table)), None
    made, table = execute(table, commands.StartHand(), 0, deck)
    events, menus, lines = list(made), [], list(actions_of(hand))
    while lines and table.hand is not None:
        if hand.decisions is not None:
            menus.append(_menu(table))
        try:
            made, table = execute(table, command_for(lines[0], table), 0, deck)
        except Rejected as rejected:
            refusal = rejected.reason
            break
        events += made
        del lines[0]
    replayable = replay(events, 0, before) == table
    return Replay(tuple(events), refusal, tuple(lines), tuple(menus), table.hand is None, replayable)


def _menu(table: Table) -> Bounds:
    """Return what the player to act is offered."""
    seat = hand_of(table).betting.to_act
    legal = legal_actions(table, seat)
    assert legal is not None, "somebody is to act"
    sizes = legal.bet_or_raise
    return (seat + 1, legal.call, *((sizes.minimum, sizes.maximum) if sizes is not None else (None, None)))
