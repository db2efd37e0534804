"""What a tournament says of money: registration, payments, prizes, refunds (minor units of its currency).

Money comes in by transfers that accounts were asked for, and goes out as obligations, each paid once; in between it is
in the tournament's purses. The other half, the events of play, is in `play_events.py`; `events.py` joins the two.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.money import Chips
from engine.tournament.prizes import Form
from engine.tournament.refund_plan import PlanPart, Sources
from engine.tournament.shares import EntryId
from engine.tournament.terms import Terms

Purpose: TypeAlias = Literal["entry", "rebuy", "add_on"]
"""What an entry pays for."""
Paid: TypeAlias = Literal["prize", "bounty", "refund"]
"""What a player is paid."""
HouseDebt: TypeAlias = Literal["fee", "unused_overlay", "left_over", "ticket"]
"""What goes to the house: fees, overlay that was not needed or that a cancelled tournament does not distribute, the
value of tickets that players get."""

# Announcement and registration.


class TournamentCreated(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A tournament was set up."""

    tournament_id: str
    terms: Terms
    rulebook_hash: str


class OverlayRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house was asked for the guarantee; nothing is announced before it is there (`operations.md` section 4)."""

    transfer_id: str
    amount: Chips


class OverlayReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The guarantee is there."""

    transfer_id: str
    amount: Chips


class OverlayRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house did not pay the guarantee."""

    transfer_id: str


class RegistrationOpened(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The tournament is announced: players may register."""


class PaymentRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry has its place, and the player's account was asked for the money; only the answer ends this."""

    transfer_id: str
    entry: EntryId
    player: str
    purpose: Purpose
    unit: str
    """The currency, or the form of a ticket."""
    amount: Chips
    """Minor units; of a ticket the value."""


class PaymentReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """What an entry pays has arrived."""

    transfer_id: str
    entry: EntryId
    player: str
    purpose: Purpose
    form: Form
    """"cash", or the ticket that the house has redeemed with this money."""
    pool: Chips
    fee: Chips
    bounty: Chips
    chips: Chips
    """What it gets for it, in tournament chips."""


class PaymentRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account did not pay: the place is free again, or nothing is bought."""

    transfer_id: str
    entry: EntryId
    player: str
    purpose: Purpose


class PaymentReturned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money or a ticket came for which there was no use, and went straight back."""

    transfer_id: str
    entry: EntryId
    """0 for what nobody had asked for."""
    player: str
    purpose: Purpose
    unit: str
    amount: Chips
    return_id: str


class TicketReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A ticket has arrived, and the house was asked to redeem it."""

    transfer_id: str
    entry: EntryId
    player: str
    unit: str
    amount: Chips
    """Its value."""
    redemption_id: str
    """The transfer that the house was asked for."""
    money_unit: str
    """The currency that it was asked for."""


class TicketRedeemed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house has paid for a ticket, which is void now. `PaymentReceived` comes with it."""

    unit: str
    amount: Chips


class TicketReturned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house did not redeem a ticket, and it went back to its owner."""

    entry: EntryId
    player: str
    unit: str
    amount: Chips
    return_id: str


class EntryWithdrawn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An entry was taken back before the start; what it paid is on its way home."""

    entry: EntryId
    player: str


# Prizes.


class PrizeRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Places in a row with the same prize."""

    places: int
    form: Form
    amount: Chips


class PrizesFixed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Nobody can enter or buy chips any more: this is what each place wins (O-36)."""

    entries: int
    pool: Chips
    """What the prizes sum to, overlay included."""
    rows: tuple[PrizeRow, ...]
    """The first place first."""


class OverlayAdded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Of what the house has paid in for its guarantee, this much was needed and is in the prize pool now."""

    amount: Chips


class ObligationPaid(msgspec.Struct, frozen=True, gc=False, tag=True):
    """What is owed to an entry for one reason is on its way to its player; it is never owed again."""

    entry: EntryId
    player: str
    reason: str
    paid: Paid
    sources: Sources
    """From which purses."""
    transfer_id: str


class TicketIssued(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A ticket is on its way to a player: a prize, or what he had paid with."""

    entry: EntryId
    player: str
    reason: str
    paid: Paid
    unit: str
    amount: Chips
    """Its value."""
    transfer_id: str


class HousePaid(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money is on its way to the house."""

    debt: HouseDebt
    sources: Sources
    overlay: Chips
    """From the purse of the guarantee."""
    transfer_id: str


# Cancellation.


class CancellationRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The tournament is called off; tables undo their hands, stand still and report."""

    cause: str
    by: str
    tables: tuple[int, ...]


class StacksRecorded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A table stands still for good, and this is what everybody there has."""

    table: int
    entries: tuple[EntryId, ...]
    stacks: tuple[Chips, ...]


class CancellationPlanned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A part of the plan is on record; it is in force with the last part."""

    part: PlanPart


class CancellationApproved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A person has approved the plan with this hash; two must."""

    plan_hash: bytes
    by: str


class CoverRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house was asked for what it pays on top of the pool."""

    transfer_id: str
    amount: Chips


class CoverReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """It is there."""

    transfer_id: str
    amount: Chips


class CoverRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The house did not pay it."""

    transfer_id: str


class TournamentCancelled(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Everything that the plan owes is paid or on its way."""
