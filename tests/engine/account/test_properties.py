"""Money over whole random lives of an account: nothing is lost, nothing is below zero, and it stays small."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from engine.account import commands
from engine.account.commands import AccountCommand
from engine.account.decide import decide
from engine.account.events import AccountEvent, FundsDeposited, FundsReceived, FundsRefused, FundsSent, FundsWithdrawn
from engine.account.evolve import evolve
from engine.account.state import Account, available_funds
from engine.errors import Rejected
from engine.inbox import Delivery, Inbox, is_new, noted
from tests.engine.account.passbook import Passbook, opened, rebuilt, receive, send

UNITS = ("USD", "USD/play", "ticket/sunday")
PARTITIONS = 16
SMALL_BYTES = 4096

amounts = st.integers(1, 500)
units = st.sampled_from(UNITS)
orders: st.SearchStrategy[AccountCommand] = st.one_of(
    st.builds(commands.Deposit, units, amounts, st.just("bank")),
    st.builds(commands.Withdraw, units, amounts, st.just("bank")),
    st.builds(send, amounts, units, whole_balance_only=st.booleans()),
    st.builds(receive, amounts, units),
    st.just(commands.FreezeAccount("alarm", "ann")),
    st.just(commands.UnfreezeAccount("ann")),
)
lives = st.lists(orders, max_size=40)


def lived(orders_given: list[AccountCommand]) -> Passbook:
    """Return an account after these commands, of which some may be refused."""
    book = opened()
    for order in orders_given:
        try:
            book.do(order)
        except Rejected:
            continue
    return book


def flow(event: AccountEvent) -> tuple[str, int]:
    """Return a unit and what the event brings into the account of it; less than nothing is what it takes out."""
    match event:
        case FundsDeposited() | FundsReceived():
            return event.unit, event.amount
        case FundsWithdrawn() | FundsSent():
            return event.unit, -event.amount
        case _:
            return "USD", 0


@given(lives)
def test_what_came_in_less_what_went_out_is_there(orders_given: list[AccountCommand]) -> None:
    """P3, I4: unit by unit, the balance is the sum of the events."""
    book, sums = lived(orders_given), Counter[str]()
    for _, event in book.log:
        unit, amount = flow(event)
        sums[unit] += amount
    assert {unit: available_funds(book.account, unit) for unit in UNITS} == {unit: sums[unit] for unit in UNITS}


@given(lives)
def test_no_balance_is_ever_negative(orders_given: list[AccountCommand]) -> None:
    """I4: at no event of a life, in no unit; and only what is there is listed."""
    account = None
    for at_ms, event in lived(orders_given).log:
        account = evolve(account, event, at_ms)
        assert account is not None
        assert all(balance.available > 0 for balance in account.balances)


@given(lives)
def test_a_replay_gives_the_same_account(orders_given: list[AccountCommand]) -> None:
    """P4: every reader reaches the same state from the same events."""
    book = lived(orders_given)
    assert rebuilt(book.log) == book.account


@given(lives)
def test_a_courier_is_always_answered(orders_given: list[AccountCommand]) -> None:
    """I12: each request for money has exactly one answer, and each arrival is taken in."""
    account: Account | None = Account("p1")
    for order in orders_given:
        if isinstance(order, commands.SendFunds | commands.ReceiveFunds):
            (answer,) = decide(account, order, 0)
            assert isinstance(answer, FundsSent | FundsRefused | FundsReceived)
            account = evolve(account, answer, 0)


def test_an_old_account_is_small() -> None:
    """`design.md` section 3: after 100,000 transfers from every partition, account and inbox hold a few numbers."""
    account: Account | None = opened(USD=1000).account
    inbox = Inbox()
    for number in range(50_000):
        (sent,) = decide(account, send(700, transfer_id=f"out {number}"), number)
        delivery = Delivery(number % PARTITIONS, number, 0)
        assert is_new(inbox, delivery)
        inbox = noted(inbox, delivery)
        (received,) = decide(evolve(account, sent, number), receive(700, transfer_id=f"in {number}"), number)
        account = evolve(evolve(account, sent, number), received, number)
    size = len(msgspec.msgpack.encode((account, inbox)))
    print(f"account and inbox after 100,000 transfers: {size} bytes")  # noqa: T201 - seen with pytest -s.
    assert size < SMALL_BYTES
    assert account == opened(USD=1000).account
