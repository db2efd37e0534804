"""What a tournament says of play: the draw, seats, hands, levels and the end.

What concerns a table is said here first and reaches it by courier. Chips are a unit of their own: the director issues
them to tables and takes them back when an entry leaves one.
"""

from __future__ import annotations

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import Rulebook
from engine.table.hand_events import KnockOut
from engine.table.seat_events import LeaveCause, Luggage
from engine.tournament.shares import EntryId


class Place(msgspec.Struct, frozen=True, gc=False):
    """An entry with its chips on the way to a seat."""

    entry: EntryId
    player: str
    seat: Seat
    chips: Chips
    transfer_id: str
    luggage: Luggage = Luggage()


# The draw, seats and chips.


class TournamentStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The draw for seats: the seed and the entries that are in say who sits where (T-ABU-8)."""

    seed: bytes
    entries: int
    """How many took part."""
    tables: int


class TableOpened(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table was opened, and its players are on their way to it."""

    number: int
    name: str
    rulebook: Rulebook
    stakes: Stakes
    level: int
    seats: int
    prize_unit: str
    places: tuple[Place, ...]


class PlayBegan(msgspec.Struct, frozen=True, gc=False, tag=True):
    """All tables are open: the clock of the first level runs."""


class EntrySeated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry was given a seat at an open table, and is on its way to it with its chips."""

    table: int
    place: Place


class ChipsIssued(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Chips that an entry has bought are on their way to its seat."""

    entry: EntryId
    player: str
    table: int
    amount: Chips
    transfer_id: str


class MoveOrdered(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry must change tables; the seat at the other one is kept for it (O-33)."""

    entry: EntryId
    player: str
    table: int
    target_table: int
    target_seat: Seat


class EntryReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry came back from a table with its chips; these are with the director now, or out of play for good."""

    entry: EntryId
    table: int
    amount: Chips
    transfer_id: str
    cause: LeaveCause
    luggage: Luggage


class ChipsReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Chips that found no place at a table came back."""

    entry: EntryId
    """0: nobody's any more, they are out of play."""
    amount: Chips
    transfer_id: str
    shipment: int
    """Which of the entry's shipments of chips came back, counted from 1."""


class TableBroken(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table is no longer needed; its last player has left it."""

    number: int


# Hands.


class HandsAllowed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Tables may deal up to these hands."""

    hands: tuple[tuple[int, int], ...]
    """The table and the number of a hand; that of its last one takes the leave for the next one back."""


class HandRecorded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table has ended a hand and stands still."""

    table: int
    number: int
    button: Seat
    small_blind: Seat
    big_blind: Seat
    entries: tuple[EntryId, ...]
    stacks: tuple[Chips, ...]
    """What each had when the hand started."""
    stacks_after: tuple[Chips, ...]
    knock_outs: tuple[KnockOut, ...]
    voided: bool


class EntryBusted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry has lost its last chip and may buy new ones for a while."""

    entry: EntryId
    offer_ends_ms: int


class EntryEliminated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry is out.

    Of n entries, the one with `out_number` k has place n - k + 1; n is known when nobody can enter any more.
    """

    entry: EntryId
    player: str
    out_number: int
    tied: int
    """How many share that place, itself included."""


class HandForHandBegan(msgspec.Struct, frozen=True, gc=False, tag=True):
    """From now on all tables play one hand at a time (O-34)."""


class HandForHandEnded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The money is reached: tables play on by themselves."""


class SyncHandStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """All tables play one hand."""

    number: int
    tables: tuple[int, ...]


class SyncHandClosed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """All tables have ended the synchronised hand; all its busts are simultaneous (O-35)."""

    number: int


# The clock.


class LevelStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """New stakes, in force from each table's next hand (O-32)."""

    level: int
    stakes: Stakes
    tables: tuple[int, ...]


class BreakAnnounced(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A level is over and a break follows; it begins when the hands in progress have ended."""


class BreakStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The break has begun; the next level ends it."""

    ends_at_ms: int


class TournamentPaused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """No new hand, and the clock stands still (O-42)."""

    cause: str
    by: str


class TournamentResumed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """It goes on."""

    by: str


class MassDisconnectDetected(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Most players are gone and have been for minutes; the tournament is paused until an operator decides (O-41)."""

    lost: int
    """Entries without a connection."""
    left: int
    since_ms: int


# The end.


class TablesClosed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Play is over at these tables; the chips come home."""

    tables: tuple[int, ...]


class TournamentFinished(msgspec.Struct, frozen=True, gc=False, tag=True):
    """It is over; who was still in has won."""

    winners: tuple[EntryId, ...]
