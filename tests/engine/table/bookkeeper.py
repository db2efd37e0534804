"""A reader who follows the chips of a table by its events alone: he knows no rule of poker and never sees the state.

He moves chips between five places: stacks, queues of chips that wait for the end of a hand, the pot, the rake that is
held, and the world outside. What he is told twice (stacks at the start and at the end of a hand) must agree.
"""

from __future__ import annotations

from engine.poker.betting import player_at
from engine.table import events as said
from engine.table.events import TableEvent
from engine.table.state import Table


class Bookkeeper:
    """The chips of a table, by seat and place."""

    def __init__(self) -> None:
        """Begin with an empty table."""
        self.stacks: dict[int, int] = {}
        self.queued: dict[int, int] = {}
        self.pot = self.rake_held = self.rake_of_hand = 0
        self.put_in = self.returned = self.awarded = 0
        self.outside = 0
        """What came in from outside less what went out: all chips at the table."""

    @property
    def total(self) -> int:
        """All chips at the table."""
        return sum(self.stacks.values()) + sum(self.queued.values()) + self.pot + self.rake_held

    def hear(self, event: TableEvent) -> None:
        """Write down an event."""
        match event:
            case said.PlayerSeated(seat=seat, amount=amount):
                self.stacks[seat], self.queued[seat] = amount, 0
                self.outside += amount
            case said.PlayerLeft(seat=seat, amount=amount):
                assert self.stacks.pop(seat) + self.queued.pop(seat) == amount, "he leaves with all that is his"
                self.outside -= amount
            case said.ChipsQueued(seat=seat, amount=amount) if seat >= 0:
                self.queued[seat] += amount
                self.outside += amount
            case said.ChipsReturned(seat=seat, amount=amount) if seat >= 0:
                self.queued[seat] -= amount
                self.outside -= amount
            case said.ChipsAdded(seat=seat, amount=amount):
                self.queued[seat] -= amount
                self.stacks[seat] += amount
            case said.RakeSwept(amount=amount):
                self.rake_held -= amount
                self.outside -= amount
            case _:
                self._hear_of_hand(event)

    def _hear_of_hand(self, event: TableEvent) -> None:
        match event:
            case said.HandStarted(seats=seats, stacks=stacks):
                assert {seat: self.stacks[seat] for seat in seats} == dict(zip(seats, stacks, strict=True))
                self.put_in = self.returned = self.awarded = self.rake_of_hand = 0
            case (
                said.AntePosted()
                | said.BlindPosted()
                | said.DeadBlindPosted()
                | said.Called()
                | said.Bet()
                | said.Raised()
            ):
                self._pay(event.seat, event.amount)
            case said.UncalledBetReturned(seat=seat, amount=amount):
                self._pay(seat, -amount)
                self.put_in, self.returned = self.put_in + amount, self.returned + amount
            case said.RakeTaken(amounts=amounts):
                self.rake_of_hand = sum(amounts)
                self.rake_held, self.pot = self.rake_held + self.rake_of_hand, self.pot - self.rake_of_hand
            case said.PotAwarded(seats=seats, amounts=amounts):
                for seat, amount in zip(seats, amounts, strict=True):
                    self.stacks[seat] += amount
                self.pot, self.awarded = self.pot - sum(amounts), self.awarded + sum(amounts)
            case said.HandEnded(seats=seats, stacks=stacks):
                assert {seat: self.stacks[seat] for seat in seats} == dict(zip(seats, stacks, strict=True))
                assert self.pot == 0, "nothing is left in the middle"
            case said.HandVoided(seats=seats, stacks=stacks, refunds=refunds, rake=rake):
                for seat, refund in zip(seats, refunds, strict=True):
                    self.stacks[seat] += refund
                assert {seat: self.stacks[seat] for seat in seats} == dict(zip(seats, stacks, strict=True))
                assert rake == self.rake_of_hand, "all rake of the hand goes back"
                self.rake_held, self.pot = self.rake_held - rake, 0
            case _:
                return

    def _pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.pot += amount
        self.put_in += amount
        assert self.stacks[seat] >= 0, "nobody pays more than he has"


def chips_in(table: Table) -> dict[str, int]:
    """Return where the chips are according to the state: each stack, each queue, the pot, the rake that is held."""
    hand = table.hand
    places = {"pot": 0 if hand is None else hand.pot, "rake held": table.desk.rake_held}
    for seat, occupant in enumerate(table.seats):
        if occupant is not None:
            dealt = hand is not None and hand.players[seat] is not None
            places[f"queue {seat}"] = occupant.queued
            places[f"stack {seat}"] = player_at(hand.players, seat).stack if hand and dealt else occupant.stack
    return places


def chips_of(book: Bookkeeper) -> dict[str, int]:
    """Return where the chips are according to a reader of events."""
    places = {"pot": book.pot, "rake held": book.rake_held}
    for seat in book.stacks:
        places[f"stack {seat}"], places[f"queue {seat}"] = book.stacks[seat], book.queued[seat]
    return places
