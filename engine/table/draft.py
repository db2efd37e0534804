"""A draft: the events that a command has made so far, and the table as it is after them.

The rules look at the table after each event, so a draft applies every event as it is emitted. What the rules do to a
draft is all they do: when they refuse, the draft is thrown away.
"""

from __future__ import annotations

from engine.errors import IllegalAction, Reason
from engine.poker.deck import Deck
from engine.table.events import TableEvent
from engine.table.evolve import EVOLVE
from engine.table.state import Table


class Draft:
    """The growing answer to one command."""

    __slots__ = ("_deck", "at_ms", "events", "table")

    def __init__(self, table: Table, at_ms: int, deck: Deck | None) -> None:
        """Begin with the table before the command; `deck` is that of the running hand, or of the one to start."""
        self.table = table
        self.at_ms = at_ms
        self.events: list[TableEvent] = []
        self._deck = deck

    def emit(self, event: TableEvent) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.table = EVOLVE[type(event)](self.table, event, self.at_ms)

    @property
    def deck(self) -> Deck:
        """The deck of the hand.

        Raises:
            IllegalAction: The deck cannot be had now (DECK_UNAVAILABLE); only this table is held up by it (H5).
        """
        if self._deck is None:
            raise IllegalAction(Reason.DECK_UNAVAILABLE, "the deck of this hand cannot be opened now")
        hand = self.table.hand
        assert hand is None or hand.setup.deck_root == self._deck.root, "the deck is not the one that was committed to"
        return self._deck
