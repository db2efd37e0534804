"""A reader who follows each hand from its start to its end, by the events of its table alone (I5).

A hand starts once and ends at most once, by `HandEnded` or `HandVoided`; one is in progress at a table at a time. What
was put in has gone back, to the winners, to who was not called, or to the house; each pot is awarded once. Where the
chips are meanwhile, the table and its events agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from engine.origin import Origin
from engine.table import events as said
from engine.table.events import TableEvent
from engine.table.state import Table
from tests.engine.table.bookkeeper import Bookkeeper, chips_in, chips_of


class HandsFollowed:
    """All hands of a card room."""

    def __init__(self) -> None:
        """Begin with none."""
        self.books: defaultdict[str, Bookkeeper] = defaultdict(Bookkeeper)
        """The chips of each table, by its address."""
        self.begun: set[str] = set()
        self.in_progress: dict[str, str] = {}
        self.pots: Counter[str] = Counter()
        """What was split in the hand at each table, before rake."""
        self.to_award: dict[str, list[int]] = {}
        """The pots of the hand at each table that wait for their award."""

    def hear(self, origin: Origin, event: TableEvent, table: Table) -> None:
        """Check what an event says of a hand, and that the table has its chips where the events have them."""
        here, book = origin.aggregate, self.books[origin.aggregate]
        book.hear(event)
        assert chips_of(book) == chips_in(table), f"I4: {here} has chips elsewhere than its events say"
        match event:
            case said.HandStarted(hand_id=hand_id):
                assert hand_id not in self.begun, f"I5: {hand_id} starts a second time"
                assert here not in self.in_progress, f"I5: {hand_id} starts before the last hand has ended"
                self.begun.add(hand_id)
                self.in_progress[here], self.to_award[here], self.pots[here] = hand_id, [], 0
            case said.PotSplit(pot=pot, amount=amount):
                self.to_award[here].append(pot)
                self.pots[here] += amount
            case said.PotAwarded(pot=pot):
                self._award(here, pot, book)
            case said.HandEnded(hand_id=hand_id) | said.HandVoided(hand_id=hand_id):
                assert self.in_progress.pop(here) == hand_id, "I5: what ends is in progress"
                if isinstance(event, said.HandEnded):
                    self._verify_end(here, book)
            case _:
                pass

    def _award(self, here: str, pot: int, book: Bookkeeper) -> None:
        """Take a pot off the list; what nobody contested was not split, and is awarded as one pot."""
        if not self.pots[here]:
            self.to_award[here].append(pot)
            self.pots[here] = book.put_in - book.returned
        assert pot in self.to_award[here], "I5: a pot is awarded once"
        self.to_award[here].remove(pot)

    def _verify_end(self, here: str, book: Bookkeeper) -> None:
        assert not self.to_award[here], "I5: each pot is awarded"
        assert self.pots[here] + book.returned == book.put_in, "I5: pots = contributions - returned"
        assert book.awarded + book.rake_of_hand == self.pots[here], "I5: awards + rake = pots"
