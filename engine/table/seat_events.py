"""What a table says of itself and of its seats: who sits where, with what, and what is on its way.

The other half, the events of a hand, is in `hand_events.py`; `events.py` joins the two and says what they share.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import Kind, Rulebook

ReleaseCause: TypeAlias = Literal["player", "expired", "funds_refused", "table_closing"]
SitOutCause: TypeAlias = Literal["player", "timeout", "disconnected", "no_chips", "next_big_blind"]
LeaveCause: TypeAlias = Literal["player", "sat_out_too_long", "table_closing", "moved", "busted", "removed"]
EntryPlan: TypeAlias = Literal["post", "wait"]
Away: TypeAlias = Literal["", "timeout", "disconnected", "sat_out"]
"""Why a tournament player is passed until he returns; empty when he is there."""


class Luggage(msgspec.Struct, frozen=True, gc=False):
    """What a tournament player takes along to another table besides his chips."""

    bank_ms: int = -1
    """What is left of his time bank; -1 for one who has not played yet and gets a new one."""
    away: Away = ""
    auto_muck: bool = True
    ask_to_show: bool = False
    hands_dealt: int = 0
    """Every so many hands something comes back into the time bank (R-MOD-9)."""


class TableCreated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table was opened; the whole effective rulebook stays in force for its life."""

    table_id: str
    name: str
    kind: Kind
    unit: str
    """Currency and kind of money ("USD", "USD/play") or "chips/<tournament>"."""
    seats: int
    rulebook: Rulebook
    rulebook_hash: str
    stakes: Stakes
    buyin_min: Chips
    buyin_max: Chips
    """0 when there is no maximum."""
    prize_unit: str = ""
    """At a tournament table: the currency of its prizes."""


class TableClosing(msgspec.Struct, frozen=True, gc=False, tag=True):
    """No new hand and no new player; the table closes when the last chips have left it."""


class TableClosed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table is empty, nothing is on its way to it, and it is gone for good."""


class TableHalted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table stands still after a fault of ours.

    Nobody acts, no turn runs out, no money is asked for, and nobody new sits down but who is on his way already. The
    hand may be voided, and whoever is in none may leave.
    """

    cause: str


class TableResumed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An operator put a halted table back into service."""

    by: str


class LevelChanged(msgspec.Struct, frozen=True, gc=False, tag=True):
    """New stakes, in force from the next hand (O-32)."""

    level: int
    stakes: Stakes


class HandsLimited(msgspec.Struct, frozen=True, gc=False, tag=True):
    """No hand with a number above this is dealt before the director says so (O-32, O-34)."""

    up_to: int


class StacksReported(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table of a tournament that is called off stands still, and this is what everybody has (AMB-12)."""

    entries: tuple[int, ...]
    stacks: tuple[Chips, ...]


class ClockPaused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The clock stands still: no turn runs out and no hand starts (O-42)."""


class ClockResumed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The clock runs again; an open turn has the time that it had left."""

    paused_ms: int
    """How long it stood still."""


class SeatHeld(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A seat is kept while a player looks at the buy-in dialog. It holds no money and expires."""

    seat: Seat
    player: str
    until_ms: int


class SeatReserved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A seat waits for money that was asked for. Only the answer of the account ends it, never a timer."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str
    whole_balance_only: bool
    """The account pays only if this is exactly all the player has (`return_stack_shortfall_bps`)."""


class SeatReleased(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A held or reserved seat is free again."""

    seat: Seat
    player: str
    cause: ReleaseCause
    transfer_id: str = ""
    """The money that was asked for and refused; empty for a seat that was only held."""


class PlayerSeated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player sits with his chips."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str
    entry: int = 0
    """The tournament entry that plays here; 0 at a cash table."""
    luggage: Luggage = Luggage()


class PlayerLeft(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player left with all his chips; they are on their way as `transfer_id`, to his account or to the tournament."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str
    cause: LeaveCause
    entry: int = 0
    """The tournament entry that played here; 0 at a cash table."""
    luggage: Luggage = Luggage()


class LeaveRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player in a hand wants to leave: he folds on his turn and goes when the hand ends (AMB-51)."""

    seat: Seat
    cause: LeaveCause


class PlayerSatOut(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player is dealt no more hands until he sits in."""

    seat: Seat
    cause: SitOutCause


class SitOutPlanned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player will sit out after this hand or when the big blind reaches him; empty takes the plan back (O-5)."""

    seat: Seat
    at: Literal["", "next_hand", "next_big_blind"]


class PlayerSatIn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player is back; `plan` says how he pays what he owes, if he owes anything."""

    seat: Seat
    plan: EntryPlan


class EntryPlanned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player who owes a post chose to post at once or to wait for the big blind."""

    seat: Seat
    plan: EntryPlan


class PreferencesSet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player set how his hands are shown."""

    seat: Seat
    auto_muck: bool
    ask_to_show: bool


class TopUpReserved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """More chips were asked for from the player's account."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str


class TopUpReleased(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account refused a top-up."""

    seat: Seat
    player: str
    transfer_id: str


class ChipsQueued(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Chips arrived for a seat; they come into play between hands (O-9)."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str


class ChipsAdded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Queued chips came into play."""

    seat: Seat
    amount: Chips


class ChipsReturned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Chips found no place at the table and are on their way back to the player's account."""

    seat: Seat
    """Where they were queued; -1 when the player had left."""
    player: str
    amount: Chips
    transfer_id: str


class RakeSwept(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The rake that the table held is on its way to the house."""

    amount: Chips
    transfer_id: str
