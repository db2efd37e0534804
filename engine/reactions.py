"""What an event means for other aggregates: commands, each with an id that follows from the event's place.

No operation spans two aggregates (`design.md` section 3). A table reserves a place and the account is asked to pay; the
account answers by paying or refusing, and the table is told. Whoever leaves takes his chips with him, and the account
takes them in. A lost player's protection is asked of his account, which alone knows what is left of it. Tournaments ask
and pay in the same way (`engine/tournament/reactions.py`), and their tables report to them.

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
from engine.origin import HOUSE, Origin, account_of, command_id, director_of, name_of, table_of
from engine.table import commands as table
from engine.table import events as table_events
from engine.table.commands import TableCommand
from engine.table.events import TableEvent
from engine.tournament import commands as tournament
from engine.tournament.commands import TournamentCommand
from engine.tournament.events import TournamentEvent
from engine.tournament.reactions import TOURNAMENT_REACTIONS

Command: TypeAlias = TableCommand | AccountCommand | TournamentCommand
Event: TypeAlias = TableEvent | AccountEvent | TournamentEvent
Target: TypeAlias = tuple[str, Command]


class Reaction(msgspec.Struct, frozen=True, gc=False):
    """A command for another aggregate."""

    target: str
    command_id: str
    command: Command


def reactions(origin: Origin, event: Event) -> tuple[Reaction, ...]:
    """Return the commands that follow from an event for other aggregates, in the order in which they are delivered."""
    react = REACTIONS.get(type(event))
    if react is None:
        return ()
    return tuple(
        Reaction(target, command_id(origin, index), command)
        for index, (target, command) in enumerate(react(origin, event))
    )


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
    """Chips of a cash table go to the player's account, those of an entry to its director; nothing sends nothing."""
    director = director_of(origin)
    if event.amount and director:
        address, number = director
        about = (event.entry, number, event.amount, event.transfer_id)
        yield address, tournament.ReceiveEntry(*about, event.cause, event.luggage)
    elif event.amount:
        yield _receive(origin, event.player, event.transfer_id, event.amount, "leaving")


def _chips_returned(origin: Origin, event: table_events.ChipsReturned) -> Iterator[Target]:
    director = director_of(origin)
    if director:
        yield director[0], tournament.ReceiveChips(event.player, event.amount, event.transfer_id)
    else:
        yield _receive(origin, event.player, event.transfer_id, event.amount, "returned")


def _hand_reported(origin: Origin, event: table_events.HandReported) -> Iterator[Target]:
    """Tell the director, if the table has one."""
    director = director_of(origin)
    if not director:
        return
    address, number = director
    blinds = (event.button, event.small_blind, event.big_blind)
    stacks = (event.entries, event.stacks, event.stacks_after)
    about = (number, event.number, *blinds, *stacks, event.knock_outs, event.voided)
    yield address, tournament.RecordHand(*about)


def _stacks_reported(origin: Origin, event: table_events.StacksReported) -> Iterator[Target]:
    director = director_of(origin)
    if director:
        address, number = director
        yield address, tournament.RecordStacks(number, event.entries, event.stacks)


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
            unit=event.unit,
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
    else:
        yield event.to, tournament.AcceptFunds(player, event.transfer_id, event.unit, event.amount)


def _funds_refused(origin: Origin, event: account_events.FundsRefused) -> Iterator[Target]:
    player = name_of(origin.aggregate)
    if event.purpose == "buy_in":
        yield event.to, table.ReleaseSeat(player, event.transfer_id)
    elif event.purpose == "top_up":
        yield event.to, table.ReleaseTopUp(player, event.transfer_id)
    else:
        yield event.to, tournament.RefuseFunds(player, event.transfer_id)


def _protection_used(origin: Origin, event: account_events.ProtectionUsed) -> Iterator[Target]:
    yield table_of(event.table_id), table.GrantProtection(name_of(origin.aggregate), event.hand_id, event.counted)


def _protection_refused(origin: Origin, event: account_events.ProtectionRefused) -> Iterator[Target]:
    yield table_of(event.table_id), table.RefuseProtection(name_of(origin.aggregate), event.hand_id)


REACTIONS: dict[type, Callable[[Origin, Any], Iterator[Target]]] = {
    table_events.SeatReserved: _seat_reserved,
    table_events.TopUpReserved: _top_up_reserved,
    table_events.PlayerLeft: _player_left,
    table_events.ChipsReturned: _chips_returned,
    table_events.RakeSwept: _rake_swept,
    table_events.ProtectionRequested: _protection_requested,
    table_events.HandVoided: _hand_voided,
    table_events.HandReported: _hand_reported,
    table_events.StacksReported: _stacks_reported,
    account_events.FundsSent: _funds_sent,
    account_events.FundsRefused: _funds_refused,
    account_events.ProtectionUsed: _protection_used,
    account_events.ProtectionRefused: _protection_refused,
    **TOURNAMENT_REACTIONS,
}
"""The events that concern other aggregates; a test names all others, so that a new event is never silent by mistake."""
