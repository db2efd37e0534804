"""What an account can be asked: imperatives that may be refused.

Cashier and operators ask in person. Tables and tournaments ask by courier (`SendFunds`, `ReceiveFunds`,
`UseProtection`, `GiveBackProtection`): what they ask is never refused but answered, by an event that goes back to them.
Amounts are minor units; `by` is the operator who orders something, with a reason that stays on record.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.account.events import ReceivePurpose, SendPurpose
from engine.account.quota import MoneyKind
from engine.poker.money import Chips
from engine.rulebooks.rulebook import ProtectionRules

# The account and its money.


class OpenAccount(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give a player an account."""

    player: str


class Deposit(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Put money into the account from outside the house."""

    unit: str
    amount: Chips
    reference: str


class Withdraw(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pay money out."""

    unit: str
    amount: Chips
    reference: str


class FreezeAccount(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Let nothing leave the account."""

    cause: str
    by: str


class UnfreezeAccount(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Let money leave the account again."""

    by: str


class SendFunds(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pay a table or a tournament that has reserved a place for the money."""

    transfer_id: str
    unit: str
    amount: Chips
    to: str
    purpose: SendPurpose
    subject: str = ""
    whole_balance_only: bool = False
    """Pay only if this is exactly all the player has (R-MOD-8)."""


class ReceiveFunds(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take in what a table or a tournament has sent to the player."""

    player: str
    transfer_id: str
    unit: str
    amount: Chips
    sender: str
    purpose: ReceivePurpose


# Protections.


class UseProtection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Protect the player, whose connection is lost, in a hand."""

    table_id: str
    hand_id: str
    outage_id: str
    """The gateway's name for the loss of connection; empty when it gave none."""
    rulebook_id: str
    rules: ProtectionRules
    """Those in force at the table."""
    unit: str
    """What is played for; in a tournament the unit of its prizes."""


class ResetProtections(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Restore the player's uses under a house's rules, as often as these allow."""

    rulebook_id: str
    money: MoneyKind
    rules: ProtectionRules


class GiveBackProtection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take back what a hand has cost of the quota: it was voided."""

    hand_id: str


class RevokeProtections(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take the privilege away from a player who misuses it."""

    by: str
    why: str


class RestoreProtections(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give the privilege back."""

    by: str
    why: str


AccountCommand: TypeAlias = (
    OpenAccount
    | Deposit
    | Withdraw
    | FreezeAccount
    | UnfreezeAccount
    | SendFunds
    | ReceiveFunds
    | UseProtection
    | ResetProtections
    | GiveBackProtection
    | RevokeProtections
    | RestoreProtections
)
