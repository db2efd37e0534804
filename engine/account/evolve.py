"""How an account changes: one event at a time, and in no other way.

`evolve` is total: every event that `decide` made can be applied, and what must hold is asserted. It knows no rule and
no rulebook: what an event does to a quota's book stands in the event. A refusal changes nothing, and of a player who
has no account it leaves none behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from engine.account import events, quota
from engine.account.events import AccountEvent
from engine.account.quota import MoneyKind, QuotaBook
from engine.account.state import Account, Balance, Protections, Revocation, available_funds, quota_book
from engine.poker.money import Chips

replace = msgspec.structs.replace


def evolve(account: Account | None, event: AccountEvent, at_ms: int) -> Account | None:
    """Return the account after the event, which happened at `at_ms` (milliseconds on the log).

    `None` is the account that does not exist: before it is opened, its player can only be refused.
    """
    if account is None:
        if isinstance(event, events.AccountOpened):
            return Account(event.player)
        assert isinstance(event, events.FundsRefused | events.ProtectionRefused), "an account begins with AccountOpened"
        return None
    return EVOLVE[type(event)](account, event, at_ms)


def replay(log: Iterable[AccountEvent], at_ms: int, account: Account | None = None) -> Account | None:
    """Return the account after all events of `log`, which happened at one time."""
    for event in log:
        account = evolve(account, event, at_ms)
    return account


# The account and its money.


def _money_came(account: Account, event: events.FundsDeposited | events.FundsReceived, _at_ms: int) -> Account:
    return _with_balance(account, event.unit, available_funds(account, event.unit) + event.amount)


def _money_went(account: Account, event: events.FundsWithdrawn | events.FundsSent, _at_ms: int) -> Account:
    return _with_balance(account, event.unit, available_funds(account, event.unit) - event.amount)


def _with_balance(account: Account, unit: str, available: Chips) -> Account:
    assert available >= 0, "an account never holds less than nothing"
    balances = {balance.unit: balance for balance in account.balances}
    balances.pop(unit, None)
    if available:
        balances[unit] = Balance(unit, available)
    return replace(account, balances=tuple(balances[unit] for unit in sorted(balances)))


def _frozen(account: Account, event: events.AccountFrozen, _at_ms: int) -> Account:
    return replace(account, frozen=event.cause)


def _unfrozen(account: Account, _event: events.AccountUnfrozen, _at_ms: int) -> Account:
    return replace(account, frozen="")


def _unchanged(account: Account, _event: events.FundsRefused | events.ProtectionRefused, _at_ms: int) -> Account:
    return account


# Protections.


def _protection_used(account: Account, event: events.ProtectionUsed, at_ms: int) -> Account:
    book = quota_book(account, event.rulebook_id, event.money)
    if event.counted:
        book = quota.with_use(book, event.hand_id, event.outage_id, event.window_s, event.refill, at_ms)
    else:
        book = quota.with_hand(book, event.hand_id, event.outage_id)
    return _with_book(account, event.rulebook_id, event.money, book)


def _protections_reset(account: Account, event: events.ProtectionsReset, at_ms: int) -> Account:
    book = quota_book(account, event.rulebook_id, event.money)
    book = quota.with_reset(book, event.window_s, event.refill, at_ms)
    return _with_book(account, event.rulebook_id, event.money, book)


def _protection_given_back(account: Account, event: events.ProtectionGivenBack, _at_ms: int) -> Account:
    book = quota.without_hand(quota_book(account, event.rulebook_id, event.money), event.hand_id)
    return _with_book(account, event.rulebook_id, event.money, book)


def _with_book(account: Account, rulebook_id: str, money: MoneyKind, book: QuotaBook) -> Account:
    books = {(kept.rulebook_id, kept.money): kept for kept in account.protections}
    books[rulebook_id, money] = Protections(rulebook_id, money, book)
    return replace(account, protections=tuple(books.values()))


def _revoked(account: Account, event: events.ProtectionsRevoked, _at_ms: int) -> Account:
    return replace(account, revoked=Revocation(event.by, event.why))


def _restored(account: Account, _event: events.ProtectionsRestored, _at_ms: int) -> Account:
    return replace(account, revoked=None)


EVOLVE: dict[type, Callable[[Account, Any, int], Account]] = {
    events.FundsDeposited: _money_came,
    events.FundsWithdrawn: _money_went,
    events.FundsSent: _money_went,
    events.FundsReceived: _money_came,
    events.FundsRefused: _unchanged,
    events.AccountFrozen: _frozen,
    events.AccountUnfrozen: _unfrozen,
    events.ProtectionUsed: _protection_used,
    events.ProtectionRefused: _unchanged,
    events.ProtectionsReset: _protections_reset,
    events.ProtectionGivenBack: _protection_given_back,
    events.ProtectionsRevoked: _revoked,
    events.ProtectionsRestored: _restored,
}
"""One function per event type but `AccountOpened`; a test holds it complete."""
