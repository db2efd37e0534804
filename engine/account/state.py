"""The state of an account: a value that `evolve` replaces, never changes.

    Account
    ├── balances      what is there to spend, per unit; a unit of which nothing is left is not listed
    ├── frozen        why nothing may leave the account, or empty
    ├── protections   one quota book per house and kind of money
    └── revoked       who took the privilege of protections away, and why, or None

However old the account and however many its transfers, it stays small: money under way is known to those who sent or
asked for it, and the books forget what no rule looks at any more. That no transfer counts twice is seen to beside the
account, by its inbox.
"""

from __future__ import annotations

import msgspec

from engine.account.quota import MoneyKind, QuotaBook
from engine.poker.money import Chips


class Balance(msgspec.Struct, frozen=True, gc=False):
    """Money of one unit."""

    unit: str
    """A currency ("USD"), play money ("USD/play"), or tickets of one kind ("ticket/<name>")."""
    available: Chips
    """More than nothing, in minor units."""


class Protections(msgspec.Struct, frozen=True, gc=False):
    """The quota book of one house for one kind of money (AMB-53)."""

    rulebook_id: str
    money: MoneyKind
    book: QuotaBook


class Revocation(msgspec.Struct, frozen=True, gc=False):
    """Who took the privilege of protections away, and why (R-AKP-23)."""

    by: str
    why: str


class Account(msgspec.Struct, frozen=True, gc=False):
    """A player's account."""

    player: str
    balances: tuple[Balance, ...] = ()
    """In the order of their units."""
    frozen: str = ""
    protections: tuple[Protections, ...] = ()
    """In the order in which they were first needed."""
    revoked: Revocation | None = None


def available_funds(account: Account, unit: str) -> Chips:
    """Return what the account can spend of a unit, in minor units."""
    return next((balance.available for balance in account.balances if balance.unit == unit), 0)


def quota_book(account: Account, rulebook_id: str, money: MoneyKind) -> QuotaBook:
    """Return what the account remembers of uses and resets under a house's rules; an empty book if there were none."""
    kept = (kept.book for kept in account.protections if (kept.rulebook_id, kept.money) == (rulebook_id, money))
    return next(kept, QuotaBook())
