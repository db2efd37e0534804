"""An account for tests: opens one, does things with it as time goes on, and states single decisions.

    book = opened(USD=1000)
    book.at(hours=20).do(protect("T1-2"))

After each step `book.events` holds what that step made and `book.account` the account.
`given(...).when(...).then(...)` states a single decision.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar

import msgspec
import pytest

from engine.account import commands
from engine.account.commands import AccountCommand
from engine.account.decide import decide
from engine.account.events import AccountEvent, AccountOpened, FundsDeposited, ProtectionUsed
from engine.account.evolve import evolve, replay
from engine.account.quota import MoneyKind, available, quota_of
from engine.account.state import Account, quota_book
from engine.errors import Reason, Rejected
from engine.rulebooks.loading import load
from engine.rulebooks.rulebook import ProtectionRules

E = TypeVar("E")
SECOND_MS = 1000
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class Passbook:
    """An account in use."""

    def __init__(self, account: Account | None = None) -> None:
        """Begin with an account, or with none."""
        self.holder = account
        self.at_ms = 0
        self.events: tuple[AccountEvent, ...] = ()
        self.log: list[tuple[int, AccountEvent]] = []

    @property
    def account(self) -> Account:
        """The account."""
        assert self.holder is not None, "the account does not exist"
        return self.holder

    def do(self, command: AccountCommand) -> Self:
        """Carry out a command; raise what `decide` raises."""
        self.events = ()
        self.events = decide(self.holder, command, self.at_ms)
        self.holder = replay(self.events, self.at_ms, self.holder)
        self.log.extend((self.at_ms, event) for event in self.events)
        return self

    def at(self, *, days: int = 0, hours: int = 0, seconds: int = 0, ms: int = 0) -> Self:
        """Let it be so long after the beginning."""
        self.at_ms = days * DAY_MS + hours * HOUR_MS + seconds * SECOND_MS + ms
        return self

    def refuses(self, command: AccountCommand, reason: str) -> Rejected:
        """Assert that a command is refused for `reason` and that nothing changes; return the refusal."""
        before = self.holder
        with pytest.raises(Rejected) as refusal:
            self.do(command)
        assert refusal.value.reason == Reason(reason)
        assert self.holder is before
        return refusal.value

    def left(self, rules: ProtectionRules, rulebook_id: str = "akpoker", money: MoneyKind = "real") -> int:
        """Return how many protections are left now."""
        book = quota_book(self.account, rulebook_id, quota_of(money, rules))
        return available(book, rules, self.at_ms)

    @property
    def granted(self) -> bool:
        """Whether the last step was a protection that was used."""
        return isinstance(self.events[-1], ProtectionUsed)

    def all(self, kind: type[E]) -> list[E]:
        """Return the events of a type since the beginning."""
        return [event for _, event in self.log if isinstance(event, kind)]


def opened(player: str = "p1", **funds: int) -> Passbook:
    """Return an account with these funds: `opened(USD=500)`."""
    book = Passbook().do(commands.OpenAccount(player))
    for unit, amount in funds.items():
        book.do(commands.Deposit(unit, amount, "bank"))
    return book


def holding(unit: str, amount: int) -> tuple[AccountEvent, ...]:
    """Return the events of an account that holds so much of a unit."""
    return AccountOpened("p1"), FundsDeposited(unit, amount, "bank")


# Commands in which a test names what matters.


def send(amount: int, unit: str = "USD", **fields: Any) -> commands.SendFunds:  # noqa: ANN401 - any field of it.
    """Return the request of table T1 for a buy-in."""
    command = commands.SendFunds("transfer", unit, amount, "table/T1", "buy_in")
    return msgspec.structs.replace(command, **fields)


def receive(amount: int, unit: str = "USD", **fields: Any) -> commands.ReceiveFunds:  # noqa: ANN401 - any field of it.
    """Return what a player takes with him from table T1."""
    command = commands.ReceiveFunds("p1", "transfer", unit, amount, "table/T1", "leaving")
    return msgspec.structs.replace(command, **fields)


def rules(house: str = "akpoker", **fields: Any) -> ProtectionRules:  # noqa: ANN401 - any field of it.
    """Return a house's protection rules, with changes."""
    return msgspec.structs.replace(load(house).protection, **fields)


def protect(
    hand_id: str = "T1-1",
    terms: ProtectionRules | None = None,
    *,
    outage_id: str = "outage",
    rulebook_id: str = "akpoker",
    unit: str = "USD",
) -> commands.UseProtection:
    """Return the request of a hand's table for a protection, under AKPokerClub's rules unless said."""
    table_id = hand_id.partition("-")[0]
    return commands.UseProtection(table_id, hand_id, outage_id, rulebook_id, terms or rules(rulebook_id), unit)


def reset(
    terms: ProtectionRules | None = None, *, rulebook_id: str = "akpoker", money: MoneyKind = "real"
) -> commands.ResetProtections:
    """Return a player's request for a reset, under AKPokerClub's rules unless said."""
    return commands.ResetProtections(rulebook_id, money, terms or rules(rulebook_id))


class Given:
    """An account after some events."""

    def __init__(self, account: Account | None) -> None:
        """Begin with the account, or none."""
        self._account = account
        self._outcome: tuple[AccountEvent, ...] | Rejected = ()

    def when(self, command: AccountCommand, at_ms: int = 0) -> Self:
        """Decide a command."""
        try:
            self._outcome = decide(self._account, command, at_ms)
        except Rejected as refusal:
            self._outcome = refusal
        return self

    def then(self, *events: AccountEvent) -> None:
        """Assert exactly these events."""
        assert self._outcome == events

    def then_rejected(self, kind: type[Rejected], reason: str) -> None:
        """Assert a refusal of this class for this reason."""
        assert isinstance(self._outcome, kind), f"not refused so: {self._outcome}"
        assert self._outcome.reason == Reason(reason)


def given(*events: AccountEvent) -> Given:
    """Return the account after `events`; without any, nobody's."""
    return Given(replay(events, 0))


def rebuilt(log: list[tuple[int, AccountEvent]]) -> Account | None:
    """Return the account that follows from events at their own times."""
    account = None
    for at_ms, event in log:
        account = evolve(account, event, at_ms)
    return account
