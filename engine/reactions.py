"""What an event means for other aggregates: commands, each with an id that follows from the event's place.

No operation spans two aggregates (`design.md` section 3). A table reserves a place and the account is asked to pay; the
account answers by paying or refusing, and the table is told. Whoever leaves takes his chips with him, and the account
takes them in. A lost player's protection is asked of his account, which alone knows what is left of it.

The courier delivers these commands at least once and in order per target; the receiver's inbox makes it exactly once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec

from engine.account import commands as account
from engine.account import events as account_events
from engine.account.commands import AccountCommand
from engine.account.events import AccountEvent
from engine.origin import HOUSE, Origin, command_id, name_of
from engine.table import commands as table
from engine.table import events as table_events
from engine.table.commands import TableCommand
from engine.table.events import TableEvent

Command: TypeAlias = TableCommand | AccountCommand
Target: TypeAlias = tuple[str, Command]


class Reaction(msgspec.Struct, frozen=True, gc=False):
    """A command for another aggregate."""

    target: str
    command_id: str
    command: Command


def reactions(origin: Origin, event: TableEvent | AccountEvent) -> tuple[Reaction, ...]:
    """Return the commands that follow from an event for other aggregates, in the order in which they are delivered."""
    react = REACTIONS.get(type(event))
    if react is None:
        return ()
    return tuple(
        Reaction(target, command_id(origin, index), command)
        for index, (target, command) in enumerate(react(origin, event))
    )


def account_of(player: str) -> str:
    """Return the address of a player's account."""
    return f"account/{player}"


# What a table's events mean.


def _seat_reserved(origin: Origin, event: table_events.SeatReserved) -> Iterator[Target]:
    yield _pay(origin, event, "buy_in", whole_balance_only=event.whole_balance_only)


def _top_up_reserved(origin: Origin, event: table_events.TopUpReserved) -> Iterator[Target]:
    yield _pay(origin, event, "top_up")


def _pay(
    origin: Origin,
    event: table_events.SeatReserved | table_events.TopUpReserved,
    purpose: account_events.SendPurpose,
    *,
    whole_balance_only: bool = False,
) -> Target:
    command = account.SendFunds(
        transfer_id=event.transfer_id,
        unit=origin.unit,
        amount=event.amount,
        to=origin.aggregate,
        purpose=purpose,
        whole_balance_only=whole_balance_only,
    )
    return account_of(event.player), command


def _player_left(origin: Origin, event: table_events.PlayerLeft) -> Iterator[Target]:
    """Chips of a cash table go to the player's account; who leaves with nothing sends nothing."""
    if event.amount and not event.entry:
        yield _receive(origin, event.player, event.transfer_id, event.amount, "leaving")


def _chips_returned(origin: Origin, event: table_events.ChipsReturned) -> Iterator[Target]:
    yield _receive(origin, event.player, event.transfer_id, event.amount, "returned")


def _rake_swept(origin: Origin, event: table_events.RakeSwept) -> Iterator[Target]:
    yield _receive(origin, HOUSE, event.transfer_id, event.amount, "rake")


def _receive(
    origin: Origin, player: str, transfer_id: str, amount: int, purpose: account_events.ReceivePurpose
) -> Target:
    command = account.ReceiveFunds(
        player=player,
        transfer_id=transfer_id,
        unit=origin.unit,
        amount=amount,
        sender=origin.aggregate,
        purpose=purpose,
    )
    return account_of(player), command


def _protection_requested(origin: Origin, event: table_events.ProtectionRequested) -> Iterator[Target]:
    yield (
        account_of(event.player),
        account.UseProtection(
            table_id=name_of(origin.aggregate),
            hand_id=event.hand_id,
            outage_id=event.outage_id,
            rulebook_id=event.rulebook_id,
            rules=event.rules,
            unit=origin.unit,
        ),
    )


def _hand_voided(_origin: Origin, event: table_events.HandVoided) -> Iterator[Target]:
    for player in event.protected:
        yield account_of(player), account.GiveBackProtection(event.hand_id)


# What an account's events mean.


def _funds_sent(origin: Origin, event: account_events.FundsSent) -> Iterator[Target]:
    player = name_of(origin.aggregate)
    if event.purpose == "buy_in":
        yield event.to, table.SeatPlayer(player, event.amount, event.transfer_id)
    elif event.purpose == "top_up":
        yield event.to, table.QueueChips(player, event.amount, event.transfer_id)


def _funds_refused(origin: Origin, event: account_events.FundsRefused) -> Iterator[Target]:
    player = name_of(origin.aggregate)
    if event.purpose == "buy_in":
        yield event.to, table.ReleaseSeat(player, event.transfer_id)
    elif event.purpose == "top_up":
        yield event.to, table.ReleaseTopUp(player, event.transfer_id)


def _protection_used(origin: Origin, event: account_events.ProtectionUsed) -> Iterator[Target]:
    yield f"table/{event.table_id}", table.GrantProtection(name_of(origin.aggregate), event.hand_id, event.counted)


def _protection_refused(origin: Origin, event: account_events.ProtectionRefused) -> Iterator[Target]:
    yield f"table/{event.table_id}", table.RefuseProtection(name_of(origin.aggregate), event.hand_id)


REACTIONS: dict[type, Callable[[Origin, Any], Iterator[Target]]] = {
    table_events.SeatReserved: _seat_reserved,
    table_events.TopUpReserved: _top_up_reserved,
    table_events.PlayerLeft: _player_left,
    table_events.ChipsReturned: _chips_returned,
    table_events.RakeSwept: _rake_swept,
    table_events.ProtectionRequested: _protection_requested,
    table_events.HandVoided: _hand_voided,
    account_events.FundsSent: _funds_sent,
    account_events.FundsRefused: _funds_refused,
    account_events.ProtectionUsed: _protection_used,
    account_events.ProtectionRefused: _protection_refused,
}
"""The events that concern other aggregates; a test names all others, so that a new event is never silent by mistake."""
