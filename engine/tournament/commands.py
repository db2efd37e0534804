"""What a tournament can be asked: by players, operators, couriers, and by its own director.

Couriers bring what accounts and tables say; that is never refused for want of a place. The director's commands carry
out what is due (`director.py` says what that is); where chance decides, a fresh seed of 32 bytes comes with them.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table.hand_events import KnockOut
from engine.table.seat_events import LeaveCause, Luggage
from engine.tournament.shares import EntryId
from engine.tournament.terms import Terms

# Players.


class Register(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Enter the tournament, and pay with money or with its ticket."""

    player: str
    with_ticket: bool = False


class Unregister(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take an entry back before the start."""

    player: str


class Rebuy(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Buy new chips, after losing all or with a small stack."""

    player: str


class AddOn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Buy the add-on."""

    player: str


class DeclineRebuy(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Want no new chips: go out now."""

    player: str


# Operators.


class CreateTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Set a tournament up."""

    tournament_id: str
    terms: Terms


class RequestOverlay(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Ask the house for the guarantee again, after it was refused."""


class PauseTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Let no new hand begin and stop the clock."""

    cause: str
    by: str


class ResumeTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Go on."""

    by: str


class ReportDisconnected(msgspec.Struct, frozen=True, gc=False, tag=True):
    """So many entries have had no connection since a time."""

    lost: int
    since_ms: int


class CancelTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Call the tournament off."""

    cause: str
    by: str


class ApproveCancellation(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Approve the plan with this hash; a second person must do it too."""

    plan_hash: bytes
    by: str


class RequestCover(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Ask the house again for what it pays on top of the pool, after it was refused."""


# Couriers.


class AcceptFunds(msgspec.Struct, frozen=True, gc=False, tag=True):
    """What an account was asked for has arrived."""

    player: str
    transfer_id: str
    unit: str
    amount: Chips


class RefuseFunds(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account did not pay."""

    player: str
    transfer_id: str


class ReceiveEntry(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry left a table with its chips."""

    entry: EntryId
    table: int
    amount: Chips
    transfer_id: str
    cause: LeaveCause
    luggage: Luggage


class ReceiveChips(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Chips found no place at a table and come back."""

    player: str
    amount: Chips
    transfer_id: str


class RecordHand(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table has ended a hand, or it was voided."""

    table: int
    number: int
    button: Seat
    small_blind: Seat
    big_blind: Seat
    entries: tuple[EntryId, ...]
    stacks: tuple[Chips, ...]
    stacks_after: tuple[Chips, ...]
    knock_outs: tuple[KnockOut, ...]
    voided: bool = False


class RecordStacks(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table stands still for the cancellation, and this is what everybody there has."""

    table: int
    entries: tuple[EntryId, ...]
    stacks: tuple[Chips, ...]


# The director.


class StartTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Draw for seats."""

    seed: bytes


class OpenTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Open the next table of the draw."""


class BeginPlay(msgspec.Struct, frozen=True, gc=False, tag=True):
    """All tables are open: start the clock."""


class Arrange(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give out seats and chips, balance the tables, and let those play that can."""

    seed: bytes


class AdvanceLevel(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The level is over, or the break."""


class SettleBusts(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Decide about those who have no chips left: out, or some time for a rebuy."""


class FixPrizes(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Say what each place wins, now that nobody can enter or buy any more."""


class PayPrizes(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pay prizes that are due."""


class FinishTournament(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Say who has won, and close the tables."""


class PlanCancellation(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Put the next part of the plan on record."""


class PayRefunds(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pay what the approved plan owes next."""


TournamentCommand: TypeAlias = (
    Register
    | Unregister
    | Rebuy
    | AddOn
    | DeclineRebuy
    | CreateTournament
    | RequestOverlay
    | PauseTournament
    | ResumeTournament
    | ReportDisconnected
    | CancelTournament
    | ApproveCancellation
    | RequestCover
    | AcceptFunds
    | RefuseFunds
    | ReceiveEntry
    | ReceiveChips
    | RecordHand
    | RecordStacks
    | StartTournament
    | OpenTable
    | BeginPlay
    | Arrange
    | AdvanceLevel
    | SettleBusts
    | FixPrizes
    | PayPrizes
    | FinishTournament
    | PlanCancellation
    | PayRefunds
)
