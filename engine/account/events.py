"""What an account says: facts in the past tense, in the order in which they happened.

Money comes in from outside (`FundsDeposited`), goes out (`FundsWithdrawn`), and moves between the account and tables or
tournaments by transfers: what `FundsSent` names has left the account and is in transit until its receiver has it, what
`FundsReceived` names has arrived. Amounts are minor units. A refusal that a courier brings back to whoever asked is a
fact like any other; it changes nothing here.

The events of protections carry what a reader needs to keep the quota's book without knowing any rulebook.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.account.quota import MoneyKind
from engine.poker.money import Chips
from engine.rulebooks.rulebook import AllotmentRefill

SendPurpose: TypeAlias = Literal["buy_in", "top_up", "entry", "rebuy", "add_on", "overlay", "ticket", "cover"]
"""What money leaves an account for. From the house: the guarantee, the value of a ticket, refunds beyond the pool."""
ReceivePurpose: TypeAlias = Literal[
    "leaving", "returned", "prize", "bounty", "refund", "rake", "fee", "unused_overlay", "left_over", "ticket"
]
"""What money comes to an account as; rake, fees, overlay and the value of tickets that players got are the house's."""
FundsRefusal: TypeAlias = Literal["no_account", "frozen", "insufficient_funds", "not_whole_balance"]
ProtectionRefusal: TypeAlias = Literal["no_account", "revoked", "used_up"]

# The account and its money.


class AccountOpened(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player has an account from now on."""

    player: str


class FundsDeposited(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money came into the house."""

    unit: str
    amount: Chips
    reference: str
    """The cashier's name for the payment."""


class FundsWithdrawn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money left the house."""

    unit: str
    amount: Chips
    reference: str


class AccountFrozen(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Nothing leaves the account any more; what comes to it is still taken in."""

    cause: str
    by: str


class AccountUnfrozen(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money may leave the account again."""

    by: str


class FundsSent(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money left the account and is on its way to a table or a tournament."""

    transfer_id: str
    unit: str
    amount: Chips
    to: str
    """The receiving aggregate, such as "table/T1"."""
    purpose: SendPurpose
    subject: str
    """What the receiver finds his own matter by, such as an entry; nothing to the account."""


class FundsRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account does not pay what a table or a tournament asked for."""

    transfer_id: str
    unit: str
    amount: Chips
    to: str
    purpose: SendPurpose
    subject: str
    cause: FundsRefusal


class FundsReceived(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Money has arrived from a table or a tournament."""

    transfer_id: str
    unit: str
    amount: Chips
    sender: str
    """The sending aggregate, such as "table/T1"."""
    purpose: ReceivePurpose


# Protections.


class ProtectionUsed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player is protected in this hand."""

    table_id: str
    hand_id: str
    outage_id: str
    rulebook_id: str
    money: MoneyKind
    """Whose quota it belongs to: that of real money or that of play money."""
    counted: bool
    """A use; not when the hand, or with `count_per = outage` the outage, has one already."""
    remaining: int
    """Uses that are left now."""
    window_s: int
    """For how long it may count, in seconds (`window_s`)."""
    refill: AllotmentRefill
    """Whether it stops counting then, or only with a reset (`allotment_refill`)."""


class ProtectionRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player is not protected in this hand."""

    table_id: str
    hand_id: str
    rulebook_id: str
    money: MoneyKind
    cause: ProtectionRefusal


class ProtectionsReset(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player asked for his uses to be restored, and they were (R-AKP-28)."""

    rulebook_id: str
    money: MoneyKind
    remaining: int
    """Uses that are left now."""
    window_s: int
    refill: AllotmentRefill


class ProtectionGivenBack(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The hand was voided, so its protection never was."""

    hand_id: str
    rulebook_id: str
    money: MoneyKind
    freed: bool
    """The use no longer counts; not while another hand in the same outage holds it."""


class ProtectionsRevoked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player has lost the privilege for misusing it (R-AKP-23)."""

    by: str
    why: str


class ProtectionsRestored(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player has the privilege again."""

    by: str
    why: str


AccountEvent: TypeAlias = (
    AccountOpened
    | FundsDeposited
    | FundsWithdrawn
    | AccountFrozen
    | AccountUnfrozen
    | FundsSent
    | FundsRefused
    | FundsReceived
    | ProtectionUsed
    | ProtectionRefused
    | ProtectionsReset
    | ProtectionGivenBack
    | ProtectionsRevoked
    | ProtectionsRestored
)
