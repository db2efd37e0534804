"""Money that comes into an account from outside and goes out again, and accounts that are frozen."""

from __future__ import annotations

import pytest

from engine.account.commands import Deposit, FreezeAccount, OpenAccount, UnfreezeAccount, Withdraw
from engine.account.decide import DEPOSITS_FILL_TO
from engine.account.events import (
    AccountFrozen,
    AccountOpened,
    AccountUnfrozen,
    FundsDeposited,
    FundsReceived,
    FundsWithdrawn,
)
from engine.account.state import Balance, available_funds
from engine.errors import AmountOutOfRange, IllegalAction, InsufficientFunds
from engine.poker.money import CHIPS_MAX
from tests.engine.account.passbook import given, holding, opened, receive

OPENED = AccountOpened("p1")
FROZEN = AccountFrozen("fraud alarm", "ann")


def test_an_account_is_opened() -> None:
    """An account begins with its player's name."""
    given().when(OpenAccount("p1")).then(OPENED)


def test_a_player_has_one_account() -> None:
    """A second account for the same player is refused."""
    given(OPENED).when(OpenAccount("p1")).then_rejected(IllegalAction, "ACCOUNT_EXISTS")


def test_a_deposit_is_there_to_spend() -> None:
    """P3: deposits are one side of the equation, so each is a fact with its reference."""
    given(OPENED).when(Deposit("USD", 500, "bank 1")).then(FundsDeposited("USD", 500, "bank 1"))
    assert opened(USD=500).account.balances == (Balance("USD", 500),)


def test_a_withdrawal_leaves_the_account() -> None:
    """P3: withdrawals are the other side."""
    given(*holding("USD", 500)).when(Withdraw("USD", 200, "bank 2")).then(FundsWithdrawn("USD", 200, "bank 2"))
    assert available_funds(opened(USD=500).do(Withdraw("USD", 200, "bank 2")).account, "USD") == 300


def test_all_may_be_withdrawn() -> None:
    """A unit of which nothing is left is not listed."""
    assert opened(USD=500).do(Withdraw("USD", 500, "bank 2")).account.balances == ()


@pytest.mark.parametrize(("unit", "amount"), [("USD", 501), ("USD", CHIPS_MAX), ("EUR", 1), ("USD/play", 1)])
def test_nobody_withdraws_what_is_not_there(unit: str, amount: int) -> None:
    """I4: no account is ever negative, in any unit."""
    given(*holding("USD", 500)).when(Withdraw(unit, amount, "x")).then_rejected(InsufficientFunds, "INSUFFICIENT_FUNDS")


def test_the_refusal_says_what_is_there() -> None:
    """Clients read the metadata, never the English."""
    assert opened(USD=500).refuses(Withdraw("USD", 501, "x"), "INSUFFICIENT_FUNDS").metadata == {"available": 500}


def test_units_are_kept_apart() -> None:
    """`rulebooks.md` section 4, quota: one account per player, balances per currency and kind of money."""
    book = opened(USD=500).do(Deposit("USD/play", 9000, "gift")).do(Deposit("EUR", 70, "bank"))
    assert book.account.balances == (Balance("EUR", 70), Balance("USD", 500), Balance("USD/play", 9000))


def test_a_balance_fits_the_wire() -> None:
    """T-ABU-9: a deposit that would take the balance above int64 is refused with the room that is left."""
    command = Deposit("USD", 6, "bank")
    given(*holding("USD", DEPOSITS_FILL_TO - 5)).when(command).then_rejected(AmountOutOfRange, "BALANCE_ABOVE_MAXIMUM")
    refusal = opened(USD=DEPOSITS_FILL_TO - 5).refuses(command, "BALANCE_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 1, "maximum": 5}
    assert available_funds(opened(USD=DEPOSITS_FILL_TO - 6).do(command).account, "USD") == DEPOSITS_FILL_TO


# Frozen.


def test_an_account_is_frozen_for_a_cause() -> None:
    """Who froze it and why stays on record."""
    given(OPENED).when(FreezeAccount("fraud alarm", "ann")).then(FROZEN)


def test_nothing_leaves_a_frozen_account() -> None:
    """Frozen, even an amount that is there is not paid out."""
    frozen = given(*holding("USD", 500), FROZEN)
    frozen.when(Withdraw("USD", 1, "x")).then_rejected(IllegalAction, "ACCOUNT_FROZEN")


def test_a_frozen_account_still_takes_in() -> None:
    """`design.md` section 3: only payers refuse; what a frozen player wins or is sent must land somewhere."""
    frozen = given(OPENED, FROZEN)
    frozen.when(receive(300)).then(FundsReceived("transfer", "USD", 300, "table/T1", "leaving"))
    frozen.when(Deposit("USD", 5, "bank")).then(FundsDeposited("USD", 5, "bank"))


def test_an_account_is_unfrozen() -> None:
    """From then on money leaves again."""
    given(OPENED, FROZEN).when(UnfreezeAccount("bob")).then(AccountUnfrozen("bob"))
    book = opened(USD=500).do(FreezeAccount("alarm", "ann")).do(UnfreezeAccount("bob"))
    assert book.do(Withdraw("USD", 500, "x")).account.balances == ()


def test_freezing_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event; the first cause stands."""
    given(OPENED, FROZEN).when(FreezeAccount("another", "bob")).then()


def test_unfreezing_what_is_not_frozen_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    given(OPENED).when(UnfreezeAccount("bob")).then()
