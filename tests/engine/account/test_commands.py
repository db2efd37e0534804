"""What every command has in common: its shape, the account it needs, its place in the tables."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from engine.account import commands
from engine.account.commands import AccountCommand
from engine.account.decide import DECIDE, MAY_BE_EMPTY, decide
from engine.account.events import AccountEvent, AccountOpened, ProtectionRefused
from engine.account.evolve import EVOLVE, evolve
from engine.account.state import Account
from engine.errors import InvalidCommand, NotFound
from engine.poker.money import CHIPS_MAX
from tests.engine.account.passbook import given, opened, protect, receive, reset, send

EACH: tuple[AccountCommand, ...] = (
    commands.OpenAccount("p1"),
    commands.Deposit("USD", 5, "bank"),
    commands.Withdraw("USD", 5, "bank"),
    commands.FreezeAccount("alarm", "ann"),
    commands.UnfreezeAccount("ann"),
    send(5, subject="entry 7"),
    receive(5),
    protect(),
    reset(),
    commands.GiveBackProtection("T1-1"),
    commands.RevokeProtections("ann", "pulled the plug"),
    commands.RestoreProtections("ann", "appeal"),
)
TEXTS = [
    (command, field)
    for command in EACH
    for field in command.__struct_fields__
    if isinstance(getattr(command, field), str) and field not in MAY_BE_EMPTY
]
WITH_AMOUNT = [command for command in EACH if hasattr(command, "amount")]
ANSWERED = (
    commands.OpenAccount,
    commands.SendFunds,
    commands.ReceiveFunds,
    commands.UseProtection,
    commands.GiveBackProtection,
)


def test_every_command_has_its_rule() -> None:
    """`DECIDE` names each command once, and so does the list of this file."""
    assert set(DECIDE) == set(get_args(AccountCommand)) == {type(command) for command in EACH}


def test_every_event_has_its_effect() -> None:
    """`EVOLVE` names each event but the first of all."""
    assert set(EVOLVE) | {AccountOpened} == set(get_args(AccountEvent))


@pytest.mark.parametrize(("command", "field"), TEXTS)
@pytest.mark.parametrize("account", [None, Account("p1")])
def test_no_field_is_empty(command: AccountCommand, field: str, account: Account | None) -> None:
    """Shape comes first: an empty name is refused in every state, also where the courier delivers."""
    with pytest.raises(InvalidCommand) as refusal:
        decide(account, msgspec.structs.replace(command, **{field: ""}), 0)
    assert refusal.value.metadata == {"field": field}


@pytest.mark.parametrize("command", WITH_AMOUNT)
@pytest.mark.parametrize("amount", [0, -1, CHIPS_MAX + 1])
def test_an_amount_is_a_positive_int64(command: AccountCommand, amount: int) -> None:
    """T-ABU-9: nothing, less than nothing and 2^63 are refused in every state."""
    with pytest.raises(InvalidCommand) as refusal:
        decide(Account("p1"), msgspec.structs.replace(command, amount=amount), 0)
    assert refusal.value.metadata == {"field": "amount"}


@pytest.mark.parametrize("command", [command for command in EACH if not isinstance(command, ANSWERED)])
def test_who_has_no_account_can_do_nothing_with_it(command: AccountCommand) -> None:
    """What is asked in person needs an account."""
    given().when(command).then_rejected(NotFound, "ACCOUNT_UNKNOWN")


def test_a_refused_protection_opens_no_account() -> None:
    """The table has its answer, and there is still no account."""
    refused = ProtectionRefused("T1", "T1-1", "akpoker", "real", "no_account")
    given().when(protect()).then(refused)
    assert evolve(None, refused, 0) is None


def test_a_stranger_has_nothing_to_give_back() -> None:
    """A void hand in which a stranger was refused asks for his protection back, and nothing happens."""
    given().when(commands.GiveBackProtection("T1-1")).then()


@pytest.mark.parametrize("command", EACH)
def test_commands_survive_the_wire(command: AccountCommand) -> None:
    """I3: the envelope holds the command, and the auditor decides it again from the bytes."""
    decoder = msgspec.msgpack.Decoder(AccountCommand)
    assert decoder.decode(msgspec.msgpack.encode(command)) == command


def test_events_and_accounts_survive_the_wire() -> None:
    """I8: a reader that starts from bytes holds what the writer held."""
    book = opened(USD=500).do(protect()).do(reset()).do(protect("T2-1"))
    for command in EACH[1:]:
        book.do(command)
    events = [event for _, event in book.log]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(events), type=list[AccountEvent]) == events
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(book.account), type=Account) == book.account
