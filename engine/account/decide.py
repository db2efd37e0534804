"""The rules of an account: may this command be carried out now, and what happens then?

`decide` answers with events, or refuses. Checks come in one order: the shape of the command, the existence of the
account, the rules, the amounts; then the line "From here on the command succeeds". What is asked in person may be
refused. What a courier delivers for a table or a tournament is always answered by an event that goes back: money is
sent or not, a protection is used or not. Whatever arrives is taken in.

All that is asked of one account is decided in one order, so two tables cannot spend the same money, nor take the
same last protection (T-ABU-3). A command that changes nothing makes no event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.account import commands, events, quota
from engine.account.commands import AccountCommand
from engine.account.events import AccountEvent, FundsRefusal, ProtectionRefusal
from engine.account.state import Account, available_funds, quota_book
from engine.errors import AmountOutOfRange, IllegalAction, InsufficientFunds, InvalidCommand, NotFound, Reason
from engine.shape import verify_amount, verify_text

DEPOSITS_FILL_TO = 2**53 - 1
"""No deposit lifts a balance above this, in minor units.

Money that is away at a table comes back later and cannot be refused, so a balance must have room above what comes in;
it would take a thousand such deposits to leave int64.
"""

MAY_BE_EMPTY = frozenset({"subject", "outage_id"})


def decide(account: Account | None, command: AccountCommand, at_ms: int) -> tuple[AccountEvent, ...]:
    """Return what happens when `command` arrives at `at_ms` (milliseconds on the log).

    Args:
        account: The account, or None when it does not exist.
        command: What is asked for.
        at_ms: The time of the command's events.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    _verify_shape(command)
    if account is None:
        return _without_account(command)
    return DECIDE[type(command)](account, command, at_ms)


def _verify_shape(command: AccountCommand) -> None:
    """Refuse a text that is empty or no name, and an amount that is not a positive int64 (T-ABU-9)."""
    for field in command.__struct_fields__:
        value = getattr(command, field)
        if isinstance(value, str) and (value or field not in MAY_BE_EMPTY):
            verify_text(field, value)
        if field == "amount":
            verify_amount(field, value)


def _without_account(command: AccountCommand) -> tuple[AccountEvent, ...]:
    """Decide for a player who has no account: money that arrives opens one, so that it always has somewhere to land."""
    match command:
        case commands.OpenAccount():
            return (events.AccountOpened(command.player),)
        case commands.ReceiveFunds():
            return (events.AccountOpened(command.player), _funds_received(command))
        case commands.SendFunds():
            return (_funds_refused(command, "no_account"),)
        case commands.UseProtection():
            return (_protection_refused(command, "no_account"),)
        case commands.GiveBackProtection():
            return ()
        case _:
            raise NotFound(Reason.ACCOUNT_UNKNOWN, "the player has no account")


# The account and its money.


def _open(_account: Account, _command: commands.OpenAccount, _at_ms: int) -> tuple[AccountEvent, ...]:
    raise IllegalAction(Reason.ACCOUNT_EXISTS, "the player has an account")


def _deposit(account: Account, command: commands.Deposit, _at_ms: int) -> tuple[AccountEvent, ...]:
    room = DEPOSITS_FILL_TO - available_funds(account, command.unit)
    if command.amount > room:
        raise AmountOutOfRange(Reason.BALANCE_ABOVE_MAXIMUM, "more than an account can hold", minimum=1, maximum=room)
    # From here on the command succeeds.
    return (events.FundsDeposited(command.unit, command.amount, command.reference),)


def _withdraw(account: Account, command: commands.Withdraw, _at_ms: int) -> tuple[AccountEvent, ...]:
    if account.frozen:
        raise IllegalAction(Reason.ACCOUNT_FROZEN, "nothing may leave the account")
    available = available_funds(account, command.unit)
    if command.amount > available:
        raise InsufficientFunds(Reason.INSUFFICIENT_FUNDS, "more than the account holds", available=available)
    # From here on the command succeeds.
    return (events.FundsWithdrawn(command.unit, command.amount, command.reference),)


def _freeze(account: Account, command: commands.FreezeAccount, _at_ms: int) -> tuple[AccountEvent, ...]:
    return () if account.frozen else (events.AccountFrozen(command.cause, command.by),)


def _unfreeze(account: Account, command: commands.UnfreezeAccount, _at_ms: int) -> tuple[AccountEvent, ...]:
    return (events.AccountUnfrozen(command.by),) if account.frozen else ()


def _send(account: Account, command: commands.SendFunds, _at_ms: int) -> tuple[AccountEvent, ...]:
    """Pay, or answer why not (`design.md` section 3: only payers refuse)."""
    refusal = _refusal_to_pay(account, command)
    if refusal is not None:
        return (_funds_refused(command, refusal),)
    transfer = (command.transfer_id, command.unit, command.amount, command.to, command.purpose, command.subject)
    return (events.FundsSent(*transfer),)


def _refusal_to_pay(account: Account, command: commands.SendFunds) -> FundsRefusal | None:
    available = available_funds(account, command.unit)
    if account.frozen:
        return "frozen"
    if command.amount > available:
        return "insufficient_funds"
    if command.whole_balance_only and command.amount < available:
        return "not_whole_balance"
    return None


def _funds_refused(command: commands.SendFunds, cause: FundsRefusal) -> events.FundsRefused:
    transfer = (command.transfer_id, command.unit, command.amount, command.to, command.purpose, command.subject)
    return events.FundsRefused(*transfer, cause)


def _receive(account: Account, command: commands.ReceiveFunds, _at_ms: int) -> tuple[AccountEvent, ...]:
    """Take the money in, whatever the state of the account; only another player's is none of ours."""
    if command.player != account.player:
        raise InvalidCommand(Reason.FIELD_INVALID, "the money is for another player", field="player")
    # From here on the command succeeds.
    return (_funds_received(command),)


def _funds_received(command: commands.ReceiveFunds) -> events.FundsReceived:
    transfer = (command.transfer_id, command.unit, command.amount, command.sender, command.purpose)
    return events.FundsReceived(*transfer)


# Protections.


def _use_protection(account: Account, command: commands.UseProtection, at_ms: int) -> tuple[AccountEvent, ...]:
    """Protect the player if a use is left, or if the hand or its outage has one already (R-PAC-28, R-AKP-29)."""
    rules = command.rules
    money = quota.quota_of(quota.money_of(command.unit), rules)
    book = quota_book(account, command.rulebook_id, money)
    left = quota.available(book, rules, at_ms)
    covered = quota.covers(book, rules, command.hand_id, command.outage_id, at_ms)
    if account.revoked is not None:
        return (_protection_refused(command, "revoked"),)
    if not covered and not left:
        return (_protection_refused(command, "used_up"),)
    return (
        events.ProtectionUsed(
            table_id=command.table_id,
            hand_id=command.hand_id,
            outage_id=command.outage_id,
            rulebook_id=command.rulebook_id,
            money=money,
            counted=not covered,
            remaining=left if covered else left - 1,
            window_s=rules.window_s,
            refill=rules.allotment_refill,
        ),
    )


def _protection_refused(command: commands.UseProtection, cause: ProtectionRefusal) -> events.ProtectionRefused:
    money = quota.quota_of(quota.money_of(command.unit), command.rules)
    return events.ProtectionRefused(command.table_id, command.hand_id, command.rulebook_id, money, cause)


def _reset_protections(account: Account, command: commands.ResetProtections, at_ms: int) -> tuple[AccountEvent, ...]:
    """Restore the uses if the house's rules allow another reset now; each request is checked (R-AKP-28)."""
    rules = command.rules
    money = quota.quota_of(command.money, rules)
    book = quota_book(account, command.rulebook_id, money)
    if account.revoked is not None:
        raise IllegalAction(Reason.PROTECTIONS_REVOKED, "the player has no protections to reset")
    if not quota.can_reset(book, rules, at_ms):
        raise IllegalAction(Reason.RESETS_USED_UP, "no reset is left in this window", max_resets=rules.max_resets)
    # From here on the command succeeds.
    terms = (rules.window_s, rules.allotment_refill)
    remaining = quota.available(quota.with_reset(book, *terms, at_ms), rules, at_ms)
    return (events.ProtectionsReset(command.rulebook_id, money, remaining, *terms),)


def _give_back(account: Account, command: commands.GiveBackProtection, _at_ms: int) -> tuple[AccountEvent, ...]:
    """Give back what a void hand has used, in whichever quota it was; nothing if it has used nothing (I10)."""
    for kept in account.protections:
        use = quota.use_of(kept.book, command.hand_id)
        if use is not None:
            freed = len(use.hands) == 1
            return (events.ProtectionGivenBack(command.hand_id, kept.rulebook_id, kept.money, freed),)
    return ()


def _revoke(account: Account, command: commands.RevokeProtections, _at_ms: int) -> tuple[AccountEvent, ...]:
    return (events.ProtectionsRevoked(command.by, command.why),) if account.revoked is None else ()


def _restore(account: Account, command: commands.RestoreProtections, _at_ms: int) -> tuple[AccountEvent, ...]:
    return () if account.revoked is None else (events.ProtectionsRestored(command.by, command.why),)


DECIDE: dict[type, Callable[[Account, Any, int], tuple[AccountEvent, ...]]] = {
    commands.OpenAccount: _open,
    commands.Deposit: _deposit,
    commands.Withdraw: _withdraw,
    commands.FreezeAccount: _freeze,
    commands.UnfreezeAccount: _unfreeze,
    commands.SendFunds: _send,
    commands.ReceiveFunds: _receive,
    commands.UseProtection: _use_protection,
    commands.ResetProtections: _reset_protections,
    commands.GiveBackProtection: _give_back,
    commands.RevokeProtections: _revoke,
    commands.RestoreProtections: _restore,
}
"""One function per command type; a test holds it complete."""
