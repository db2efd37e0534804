"""The state of a tournament: a value that `evolve` replaces, never changes.

    Tournament
    ├── terms           what was announced
    ├── phase           funding → registering → seating → running → finished; or cancelling → cancelled
    ├── entries         one per entry ever asked for, by number
    ├── payments        money that was asked for and has not been answered
    ├── tables          one per table ever opened, by number
    ├── purses          prize pool, bounties, fees, overlay, and what the house pays on top in a cancellation
    ├── clock           level and time
    ├── sync            the synchronised hand in progress (hand-for-hand play), or None
    ├── prizes          by place, once they are fixed
    └── calling_off     a cancellation, or None

A table deals a hand only when the director lets it. So whenever something is done to a table it stands still: it is
*idle* from the report of a hand until the next hand is allowed. Amounts of money are minor units, stacks are chips.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from engine.poker.money import Chips
from engine.poker.seats import Seat, SeatSet
from engine.table.seat_events import Luggage
from engine.tournament.money_events import Purpose
from engine.tournament.prizes import Form, Prize
from engine.tournament.refund_plan import PlanLine, PlanSummary
from engine.tournament.seating import TableView
from engine.tournament.shares import EntryId
from engine.tournament.terms import Terms

Phase: TypeAlias = Literal["funding", "registering", "seating", "running", "finished", "cancelling", "cancelled"]

Status: TypeAlias = Literal["asked", "registered", "waiting", "seated", "moving", "busted", "out", "won", "gone"]
"""Of an entry: its money was asked for; it is in and the draw is to come; it waits for a seat; it plays; it is on its
way to another table; it has lost its chips; it is out; it has won; it never was in, or withdrew."""

ENTERED: frozenset[Status] = frozenset({"registered", "waiting", "seated", "moving", "busted", "out", "won"})
OVER: frozenset[Status] = frozenset({"out", "won", "gone"})


class Entry(Struct, frozen=True, gc=False):
    """An entry. A player who enters again has another one."""

    number: EntryId
    player: str
    status: Status = "asked"
    pool: Chips = 0
    """All that it has paid into the prize pool."""
    fee: Chips = 0
    bounty: Chips = 0
    """On its head."""
    paid_as: tuple[tuple[Form, Chips], ...] = ()
    table: int = 0
    """Where it sits, or was ordered to leave; 0 for nowhere."""
    seat: Seat = -1
    target: tuple[int, Seat] = (0, -1)
    """Where one who is moving goes."""
    chips: Chips = 0
    """In front of it, by the last report of its table."""
    due: Chips = 0
    """Chips that it owns and that the director still has."""
    luggage: Luggage = Luggage()
    shipments: int = 0
    """How often chips were sent to it; the ids of these transfers derive from it."""
    seated_by: int = 0
    """The number of the shipment that took it to its present seat."""
    rebuys: int = 0
    add_ons: int = 0
    chips_at_bust: Chips = 0
    """What it had at the start of the hand in which it lost everything (O-35)."""
    bust_round: int = 0
    """The hand, or synchronised hand, in which it did: these are counted over the whole tournament."""
    knocked_out_by: tuple[EntryId, ...] = ()
    """Who won its last chips."""
    offer_ends_ms: int = 0
    """Until then one who has lost his chips may buy new ones; 0 while that is not decided."""
    out_number: int = 0
    """How many entries were out when it was, itself included; tied entries have the highest of their numbers."""
    tied: int = 1
    """How many went out tied with it, itself included."""


class Payment(Struct, frozen=True, gc=False):
    """Money that an account was asked for."""

    transfer_id: str
    entry: EntryId
    purpose: Purpose
    unit: str
    amount: Chips
    ticket_of: str = ""
    """The house redeems the ticket that came with this transfer."""


class DirectedTable(Struct, frozen=True, gc=False):
    """What the director knows of a table."""

    number: int
    taken: SeatSet = 0
    """Who has left no longer counts, who is on his way already does."""
    button: Seat = -1
    small_blind: Seat = -1
    big_blind: Seat = -1
    hands: int = 0
    """The number of the last hand."""
    idle: bool = True
    expected: int = 0
    """Entries that are on their way here from other tables."""
    leaving: int = 0
    """Entries that were ordered to leave and have not arrived elsewhere."""
    open: bool = True
    closing: bool = False
    """An operator has closed it: its players come back one by one, and nobody is seated there any more."""
    frozen: bool = False
    """It has reported its stacks (a cancellation)."""


class Purses(Struct, frozen=True, gc=False):
    """What the tournament holds of its currency, by what it is for; and tickets until they are redeemed."""

    pool: Chips = 0
    bounty_pool: Chips = 0
    fees: Chips = 0
    overlay: Chips = 0
    """Paid in by the house for the guarantee and not in the pool yet."""
    cover: Chips = 0
    """Paid in by the house for refunds on top of the pool."""
    tickets: Chips = 0


class LevelClock(Struct, frozen=True, gc=False):
    """The level, and how much of it is over."""

    level: int = 0
    used_ms: int = 0
    """Before `runs_since_ms`."""
    runs_since_ms: int | None = None
    """None while the clock stands still."""
    paused_at_ms: int | None = None
    """Since when an operator has stopped it, or None."""
    on_break: Literal["", "announced", "on"] = ""
    """Announced: it begins when the last hand has ended."""
    break_ends_ms: int = 0

    @property
    def paused(self) -> bool:
        """Whether an operator has stopped it."""
        return self.paused_at_ms is not None


class SyncHand(Struct, frozen=True, gc=False):
    """A synchronised hand: what happens in it counts when all tables have ended it (O-34)."""

    number: int
    playing: frozenset[int]
    """Tables that have not ended it."""
    stacks: tuple[tuple[EntryId, Chips], ...] = ()
    """What everybody at the tables that have ended it had at its start."""


class CallingOff(Struct, frozen=True, gc=False):
    """A cancellation."""

    cause: str
    by: str
    summary: PlanSummary | None = None
    plan_hash: bytes = b""
    parts: int = 0
    """How many parts of the plan are on record."""
    complete: bool = False
    lines: tuple[PlanLine, ...] = ()
    approved_by: tuple[str, ...] = ()
    cover_id: str = ""
    """The house was asked for what it pays on top of the pool."""
    covered: bool = False
    paid_lines: int = 0


class Tournament(Struct, frozen=True, gc=False):
    """A tournament."""

    tournament_id: str
    terms: Terms
    rulebook_hash: str
    phase: Phase = "funding"
    entries: tuple[Entry, ...] = ()
    payments: tuple[Payment, ...] = ()
    tables: tuple[DirectedTable, ...] = ()
    most_tables: int = 0
    """How many were in play at once."""
    purses: Purses = Purses()
    clock: LevelClock = LevelClock()
    sync: SyncHand | None = None
    hand_for_hand: bool = False
    sync_hands: int = 0
    seed: bytes = b""
    """Of the draw for seats."""
    drawn: tuple[EntryId, ...] = ()
    """Who took part in it, in its order."""
    prizes: tuple[Prize, ...] | None = None
    overlay_added: Chips = 0
    """The part of it that the house has added."""
    prizes_paid: Chips = 0
    entered: int = 0
    """Entries that were ever in, but those that withdrew."""
    outs: int = 0
    """Entries that are out."""
    due: tuple[EntryId, ...] = ()
    """Entries that own chips which the director still has, in the order in which they came to own them."""
    busted: tuple[EntryId, ...] = ()
    """Entries without chips that are not out yet."""
    bust_rounds: int = 0
    """Counts the hands, or synchronised hands, in which somebody has lost all his chips."""
    unpaid: tuple[EntryId, ...] = ()
    """Entries that are over and have won a prize that is not paid."""
    transfers: int = 0
    """Counts requests for money; the ids of these transfers derive from it."""
    overlay_id: str = ""
    """The house was asked for the guarantee."""
    calling_off: CallingOff | None = None

    @property
    def prize_pool(self) -> Chips:
        """What the prizes were made of; 0 before they are fixed."""
        return sum([prize.amount for prize in self.prizes or ()])


def is_time(tournament: Tournament, at_ms: int) -> bool:
    """Say whether the time of the start has come; it never comes for one that starts when it is full."""
    starts_at_ms = tournament.terms.starts_at_ms
    return starts_at_ms is not None and at_ms >= starts_at_ms


def entry_of(tournament: Tournament, number: EntryId) -> Entry:
    """Return an entry by its number."""
    return tournament.entries[number - 1]


def live_entry(tournament: Tournament, player: str) -> Entry | None:
    """Return the entry with which a player is in, or has asked to be in; None without one."""
    for entry in reversed(tournament.entries):
        if entry.player == player and entry.status not in OVER:
            return entry
    return None


def left(tournament: Tournament) -> int:
    """Return how many entries are in."""
    return tournament.entered - tournament.outs


def accepted(tournament: Tournament) -> tuple[Entry, ...]:
    """Return the entries that were ever in, but those that withdrew."""
    return tuple([entry for entry in tournament.entries if entry.status in ENTERED])


def table_of(tournament: Tournament, number: int) -> DirectedTable:
    """Return a table by its number."""
    return tournament.tables[number - 1]


def open_tables(tournament: Tournament) -> tuple[DirectedTable, ...]:
    """Return the tables that are in play, those included that are closing."""
    return tuple([table for table in tournament.tables if table.open])


def lasting_tables(tournament: Tournament) -> tuple[DirectedTable, ...]:
    """Return the tables at which entries can be seated."""
    return tuple([table for table in tournament.tables if table.open and not table.closing])


def numbers(tables: Iterable[DirectedTable]) -> tuple[int, ...]:
    """Return the numbers of tables."""
    return tuple([table.number for table in tables])


def paying(tournament: Tournament) -> frozenset[EntryId]:
    """Return the entries whose accounts were asked for money and have not answered."""
    return frozenset([payment.entry for payment in tournament.payments])


def view(tournament: Tournament, table: DirectedTable) -> TableView:
    """Return a table as the planners of seats see it."""
    blinds = (table.button, table.small_blind, table.big_blind)
    return TableView(table.number, tournament.terms.seats, table.taken, *blinds)


def level_used_ms(clock: LevelClock, at_ms: int) -> int:
    """Return how much of the level is over."""
    return clock.used_ms + (0 if clock.runs_since_ms is None else at_ms - clock.runs_since_ms)
