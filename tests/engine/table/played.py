"""A record of play: every command that a table was given, what came of it, and the table before and after.

A `Play` carries commands out and writes each of them down as a `Step`. Properties look at it as steps, as single events
(`moments`), or hand by hand. Shown by hypothesis when a test has failed, a play is the list of its commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

from engine.errors import Reason, Rejected
from engine.poker.deck import Deck
from engine.table import events as said
from engine.table.commands import TableCommand
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.evolve import evolve, replay
from engine.table.state import Table
from tests.engine.table.random_tables import Opening


class Step(NamedTuple):
    """One command and what came of it."""

    before: Table
    command: TableCommand
    at_ms: int
    deck: Deck | None
    events: tuple[TableEvent, ...]
    after: Table
    refusal: Reason | None


class Moment(NamedTuple):
    """One event, with the table before and after it."""

    before: Table
    event: TableEvent
    after: Table
    deck: Deck | None


class DealtHand(NamedTuple):
    """A hand from its start to its end."""

    steps: list[Step]
    """The commands that were accepted."""

    @property
    def events(self) -> list[TableEvent]:
        """All that was said meanwhile."""
        return [event for step in self.steps for event in step.events]

    @property
    def started(self) -> said.HandStarted:
        """How it began."""
        return next(event for event in self.events if isinstance(event, said.HandStarted))

    @property
    def was_played_out(self) -> bool:
        """It ended and was not voided."""
        return any(isinstance(event, said.HandEnded) for event in self.events)

    @property
    def deck(self) -> Deck:
        """Its deck."""
        deck = self.steps[0].deck
        assert deck is not None
        return deck


class Play:
    """A table and all that happened at it."""

    def __init__(self, opening: Opening) -> None:
        """Open the table and seat its players."""
        self.opening = opening
        self.opened = opening.events()
        table = replay(self.opened, 0)
        assert table is not None
        self.first = self.table = table
        self.at_ms = 0
        self.deck: Deck | None = None
        self.steps: list[Step] = []

    def do(self, command: TableCommand) -> bool:
        """Carry out a command and record it; say whether it was accepted."""
        before, refusal = self.table, None
        try:
            events, self.table = execute(before, command, self.at_ms, self.deck)
        except Rejected as rejected:
            events, refusal = (), rejected.reason
        self.steps.append(Step(before, command, self.at_ms, self.deck, events, self.table, refusal))
        return refusal is None

    @property
    def in_hand(self) -> bool:
        """A hand is in progress."""
        return self.table.hand is not None

    @property
    def events(self) -> list[TableEvent]:
        """Everything that was said after the table was opened and filled."""
        return [event for step in self.steps for event in step.events]

    @property
    def moments(self) -> Iterator[Moment]:
        """Every event after the opening, with the table before and after it."""
        for step in self.steps:
            before = step.before
            for event in step.events:
                after = evolve(before, event, step.at_ms)
                yield Moment(before, event, after, step.deck)
                before = after

    @property
    def hands(self) -> list[DealtHand]:
        """Every hand that was dealt, each of them to its end."""
        hands: list[DealtHand] = []
        for step in self.steps:
            if any(isinstance(event, said.HandStarted) for event in step.events):
                hands.append(DealtHand([step]))
            elif step.before.hand is not None and step.refusal is None:
                hands[-1].steps.append(step)
        return hands

    def __repr__(self) -> str:
        """Show how the table was opened and what it was asked."""
        lines = [f"  {step.at_ms} {step.command}{f' -> {step.refusal}' if step.refusal else ''}" for step in self.steps]
        return "\n".join([f"Play of {self.opening}", *lines])


OF_A_HAND = tuple(
    kind
    for kind in get_args(TableEvent)
    if kind.__module__ == "engine.table.hand_events"
    and kind not in {said.ButtonDrawn, said.ConnectionLost, said.ConnectionRestored, said.HandReported}
)
"""The events that belong to a hand in progress; connections come and go without one, and a report follows its end."""
