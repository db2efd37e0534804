"""Money that moves between an account and tables or tournaments: the account pays or answers why not."""

from __future__ import annotations

import pytest

from engine.account.commands import FreezeAccount
from engine.account.events import (
    AccountFrozen,
    AccountOpened,
    FundsReceived,
    FundsRefused,
    FundsSent,
    SendPurpose,
)
from engine.account.evolve import evolve
from engine.account.state import Balance, available_funds
from engine.errors import InvalidCommand
from tests.engine.account.passbook import Passbook, given, holding, opened, receive, send

OPENED = AccountOpened("p1")


def refusal(amount: int, cause: str) -> FundsRefused:
    """Return the answer to `send(amount)`."""
    return FundsRefused("transfer", "USD", amount, "table/T1", "buy_in", "", cause)  # type: ignore[arg-type]


# Paying.


def test_the_account_pays() -> None:
    """`design.md` section 3: the place is reserved, the account sends the money."""
    given(*holding("USD", 500)).when(send(500)).then(FundsSent("transfer", "USD", 500, "table/T1", "buy_in", ""))


def test_what_was_sent_is_gone() -> None:
    """P3: from then on it is in transit, and nobody can spend it again."""
    assert opened(USD=500).do(send(200)).account.balances == (Balance("USD", 300),)


@pytest.mark.parametrize("purpose", ["buy_in", "top_up", "entry", "rebuy", "add_on", "overlay"])
def test_the_receiver_learns_what_it_is_for(purpose: SendPurpose) -> None:
    """`design.md` section 3: both answers name purpose and subject, so that the receiver finds his reservation."""
    command = send(500, to="tournament/S1", purpose=purpose, subject="entry 7")
    sent = FundsSent("transfer", "USD", 500, "tournament/S1", purpose, "entry 7")
    given(*holding("USD", 500)).when(command).then(sent)
    refused = FundsRefused("transfer", "USD", 500, "tournament/S1", purpose, "entry 7", "insufficient_funds")
    given(OPENED).when(command).then(refused)


@pytest.mark.parametrize("unit", ["EUR", "USD/play", "ticket/sunday"])
def test_only_the_unit_that_is_asked_for_pays(unit: str) -> None:
    """Dollars do not pay for a seat at a table for another unit."""
    refused = FundsRefused("transfer", unit, 1, "table/T1", "buy_in", "", "insufficient_funds")
    given(*holding("USD", 500)).when(send(1, unit)).then(refused)


def test_too_little_is_an_answer() -> None:
    """`design.md` section 3: a refusal is an event that goes back; it is no failure of the delivery."""
    given(*holding("USD", 500)).when(send(501)).then(refusal(501, "insufficient_funds"))


def test_a_frozen_account_does_not_pay() -> None:
    """Frozen is an answer too, whatever is there."""
    given(*holding("USD", 500), AccountFrozen("alarm", "ann")).when(send(1)).then(refusal(1, "frozen"))


def test_without_an_account_nothing_is_paid() -> None:
    """A table that asks for the money of somebody unknown gets its answer, so that the seat is released."""
    given().when(send(1)).then(refusal(1, "no_account"))


def test_a_refusal_opens_no_account() -> None:
    """An answer to a table does not make a stranger a player."""
    assert evolve(None, refusal(1, "no_account"), 0) is None


def test_a_refusal_changes_nothing() -> None:
    """The state before and after is the same."""
    book = opened(USD=500)
    before = book.account
    assert book.do(send(501)).account is before


def test_two_tables_cannot_spend_the_same_money() -> None:
    """T-ABU-3: the account decides in order, so of two buy-ins with money for one, one is paid."""
    book = opened(USD=500).do(send(400)).do(send(400, transfer_id="other", to="table/T2"))
    assert [event.to for event in book.all(FundsSent)] == ["table/T1"]
    assert [event.to for event in book.all(FundsRefused)] == ["table/T2"]


# Only the whole balance.


@pytest.mark.parametrize(
    ("amount", "held", "cause"),
    [
        (23000, 23000, ""),
        (23000, 23001, "not_whole_balance"),
        (23000, 22999, "insufficient_funds"),
    ],
)
def test_a_smaller_return_takes_all_he_has(amount: int, held: int, cause: str) -> None:
    """G-MOD-8, R-MOD-8: who brings less than he left with is seated only if that is all his account holds."""
    book = opened(USD=held).do(send(amount, whole_balance_only=True))
    assert [event.cause for event in book.all(FundsRefused)] == ([cause] if cause else [])
    assert available_funds(book.account, "USD") == (held if cause else 0)


def test_money_of_another_unit_is_no_part_of_the_whole() -> None:
    """G-MOD-8: all he has is all he has of the table's unit."""
    book = opened(USD=23000, EUR=5).do(send(23000, whole_balance_only=True))
    assert len(book.all(FundsSent)) == 1


# Taking in.


def test_what_arrives_is_taken_in() -> None:
    """`design.md` section 3: a receiver always accepts."""
    received = FundsReceived("transfer", "USD", 300, "table/T1", "leaving")
    given(*holding("USD", 500)).when(receive(300)).then(received)
    assert available_funds(opened(USD=500).do(receive(300)).account, "USD") == 800


def test_money_that_arrives_opens_the_account() -> None:
    """`design.md` section 3: money always has somewhere to land, the house's rake included."""
    command = receive(70, player="house", purpose="rake")
    given().when(command).then(AccountOpened("house"), FundsReceived("transfer", "USD", 70, "table/T1", "rake"))
    assert Passbook().do(command).account.balances == (Balance("USD", 70),)


def test_money_that_comes_back_can_be_spent_again() -> None:
    """What found no place at a table returns to the account in full."""
    book = opened(USD=500).do(send(500)).do(receive(500, purpose="returned")).do(send(500))
    assert len(book.all(FundsSent)) == 2


def test_a_ticket_comes_back_as_a_ticket() -> None:
    """A ticket is a unit of its own, so what was paid by ticket is refunded as one (`rollback_refund_as`)."""
    book = opened().do(receive(1, "ticket/sunday", purpose="refund"))
    assert book.account.balances == (Balance("ticket/sunday", 1),)


def test_another_players_money_is_not_taken() -> None:
    """A delivery that went astray is a fault of ours and stops there: it writes nothing."""
    given(OPENED).when(receive(300, player="p2")).then_rejected(InvalidCommand, "FIELD_INVALID")


def test_a_frozen_player_keeps_what_he_wins() -> None:
    """Taken in while frozen, it is there once the account is free."""
    book = opened().do(FreezeAccount("alarm", "ann")).do(receive(300))
    assert available_funds(book.account, "USD") == 300
