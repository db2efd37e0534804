"""The past of a card room, made to be read: the records that a writer would have written, without a writer.

Sixty-four tables are opened, each with six uneven stacks, and play hand after hand in turn, by the policy of
`tables.py`. Who falls below ten big blinds brings more chips, which a courier delivers, and sits in again if he was out
of the game. Every command makes one record, as it does in production: with the command, its hash and the caller's id, a
sealed seed where a hand starts, and a link of the chain. A record has 2.6 events and 440 bytes on average.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from engine.inbox import Delivery
from engine.poker.deck import Deck
from engine.table.commands import QueueChips, RequestTopUp, SitIn, StartHand, TableCommand
from engine.table.decide import execute
from engine.table.events import TableCreated, TableEvent
from engine.table.evolve import replay
from engine.table.menu import legal_actions
from engine.table.state import Table
from services.eventlog.canonical import canonical, request_hash
from services.eventlog.envelope import Envelope, Sealed, encode
from services.eventlog.judge import Position, chained, genesis
from services.eventlog.log_events import EpochOpened
from tests.bench.tables import BIG_BLIND, CHANCE, CHOICES, STACKS, choose, decks, game
from tests.services.eventlog.records import HOUSE, PARTITION

START: Final = StartHand()
SEALED: Final = Sealed("key-1", bytes(range(12)), bytes(range(48)))
FIRST_MS: Final = 1_700_000_000_000
BETWEEN_MS: Final = 47
"""Between two records: at each of the tables somebody acts every three seconds."""
STACK_MIN, TOP_UP = 10 * BIG_BLIND, 50 * BIG_BLIND
SENDER: Final = 9
"""The partition whose courier brings chips."""


class Entry(NamedTuple):
    """A record that counts, with what its reader will know."""

    stored: bytes
    position: Position
    """The position after it."""
    envelope: Envelope
    """What it says."""


class Past(NamedTuple):
    """The first records of a history."""

    records: list[bytes]
    events: int
    """How many they have."""


class History:
    """The records of one partition, one after the other, without an end."""

    def __init__(self) -> None:
        """Begin before the first record."""
        self._at = genesis(HOUSE, PARTITION)
        self._at_ms = FIRST_MS
        self._tables: list[Table] = []
        self._versions: list[int] = []
        self._decks = decks()
        self._chances = count()

    def entries(self) -> Iterator[Entry]:
        """Yield the claim, the tables as they open, and then hands for ever."""
        claim = EpochOpened("claim 1", 0, self._at.hash)
        yield self._recorded(aggregate=f"partition/{PARTITION}", version=0, events=(claim,))
        for number in range(len(STACKS)):
            yield self._opened(number)
        for hand in count():
            yield from self._hand(hand % len(STACKS), self._decks[hand % len(self._decks)])

    def _opened(self, number: int) -> Entry:
        """Open a table and seat its players, in one record where a real table takes one for each of them."""
        created, *seated = game(number).log
        assert isinstance(created, TableCreated)
        events = (msgspec.structs.replace(created, table_id=f"T{number}"), *seated)
        table = replay(events, self._at_ms)
        assert table is not None
        self._tables.append(table)
        self._versions.append(0)
        return self._happened(number, events)

    def _hand(self, number: int, deck: Deck) -> Iterator[Entry]:
        """Play one hand, and let those who have too little bring more."""
        yield self._done(number, START, deck, sealed=SEALED)
        while (hand := self._tables[number].hand) is not None:
            table, seat = self._tables[number], hand.betting.to_act
            menu, occupant = legal_actions(table, seat), table.seats[seat]
            assert menu is not None
            assert occupant is not None
            yield self._done(number, choose(hand, occupant.player, menu, CHANCE[next(self._chances) % CHOICES]), deck)
        for seat in range(len(self._tables[number].seats)):
            yield from self._topped_up(number, seat)

    def _topped_up(self, number: int, seat: int) -> Iterator[Entry]:
        occupant = self._tables[number].seats[seat]
        assert occupant is not None
        if occupant.stack < STACK_MIN:
            yield self._done(number, RequestTopUp(occupant.player, TOP_UP))
            (asked,) = self._tables[number].desk.reservations
            chips, place = (
                QueueChips(occupant.player, TOP_UP, asked.transfer_id),
                Delivery(SENDER, self._at.sequence, 0),
            )
            yield self._done(number, chips, delivery=place)
        if occupant.sitting_out:
            yield self._done(number, SitIn(occupant.player, "post"))

    def _done(self, number: int, command: TableCommand, deck: Deck | None = None, **beside: Any) -> Entry:  # noqa: ANN401 - fields of the envelope.
        """Carry a command out."""
        events, self._tables[number] = execute(self._tables[number], command, self._at_ms, deck)
        content = canonical(command)
        asked = {
            "command_id": str(UUID(int=self._at.sequence)),
            "command": content,
            "request_hash": request_hash(content),
        }
        return self._happened(number, events, **asked, **beside)

    def _happened(self, number: int, events: tuple[TableEvent, ...], **beside: Any) -> Entry:  # noqa: ANN401 - see `_done`.
        version = self._versions[number] + 1
        self._versions[number] += len(events)
        place = {"sequence": self._at.sequence + 1, "prev_hash": self._at.hash}
        return self._recorded(aggregate=f"table/T{number}", version=version, events=events, **place, **beside)

    def _recorded(self, **content: Any) -> Entry:  # noqa: ANN401 - see `_done`.
        """Return a record with this content, and be behind it."""
        envelope = Envelope(writer_epoch=1, occurred_at_ms=self._at_ms, **content)
        stored = encode(envelope)
        self._at = Position(1, self._at.sequence + 1, chained(self._at.hash, stored))
        self._at_ms += BETWEEN_MS
        return Entry(stored, self._at, envelope)


def past_of(events: int) -> Past:
    """Return the first records that have at least so many events, up to the end of a record."""
    records, total = [], 0
    for entry in History().entries():
        records.append(entry.stored)
        total += len(entry.envelope.events)
        if total >= events:
            break
    return Past(records, total)
