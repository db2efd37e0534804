"""The books: every event as double entries that sum to zero for each unit.

    cash desk                  what came in from outside and went out again, with the sign of the world outside
    player funds/<player>      what a player can take out or take to a table
    house funds                what belongs to the house: swept rake, and what it pays from
    in transit/<transfer>      sent and not yet received
    stacks/<table>             chips in front of players, queued ones included
    pots/<table>               chips in the middle of a hand
    rake held/<table>          taken from pots and not yet swept

Money only ever moves from one of these to another. Therefore, at every instant and for every unit (P3),

    deposits - withdrawals = player funds + house funds + in transit + stacks + pots + rake held

and no line but the cash desk is ever below zero. Table and ledger share one rake function and one event for what it
took, so they cannot disagree (`operations.md` section 4). Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from engine.account import events as account
from engine.account.events import AccountEvent
from engine.origin import HOUSE, Origin, name_of
from engine.poker.money import Chips
from engine.table import events as table
from engine.table.events import TableEvent

CASH_DESK = "cash desk"


class Posting(msgspec.Struct, frozen=True, gc=False):
    """One side of an entry: `amount` is added to the line, in minor units of `unit`."""

    line: str
    unit: str
    amount: Chips


Moves: TypeAlias = tuple[tuple[str, str, Chips], ...]
"""From a line, to a line, how much."""


def postings(origin: Origin, event: TableEvent | AccountEvent) -> tuple[Posting, ...]:
    """Return the entries of an event; they sum to zero for each unit."""
    moves = MOVES.get(type(event))
    if moves is None:
        return ()
    unit = getattr(event, "unit", origin.unit)
    entries = []
    for source, target, amount in moves(name_of(origin.aggregate), event):
        if amount:
            entries += [Posting(source, unit, -amount), Posting(target, unit, amount)]
    return tuple(entries)


def trial_balance(
    entries: Iterable[Posting], before: Mapping[tuple[str, str], Chips] = {}
) -> dict[tuple[str, str], Chips]:
    """Return the balance of each (line, unit) after some entries; lines at zero are left out."""
    balances = dict(before)
    for entry in entries:
        key = (entry.line, entry.unit)
        balances[key] = balances.get(key, 0) + entry.amount
    return {key: balance for key, balance in balances.items() if balance}


def by_kind(balances: Mapping[tuple[str, str], Chips]) -> dict[tuple[str, str], Chips]:
    """Return a trial balance by kind of line: all stacks together, all that is in transit, and so on."""
    return trial_balance(Posting(line.partition("/")[0], unit, amount) for (line, unit), amount in balances.items())


def funds_of(player: str) -> str:
    """Return the line of an account."""
    return "house funds" if player == HOUSE else f"player funds/{player}"


def in_transit(transfer_id: str) -> str:
    """Return the line of a transfer."""
    return f"in transit/{transfer_id}"


def _deposited(player: str, event: account.FundsDeposited) -> Moves:
    return ((CASH_DESK, funds_of(player), event.amount),)


def _withdrawn(player: str, event: account.FundsWithdrawn) -> Moves:
    return ((funds_of(player), CASH_DESK, event.amount),)


def _sent(player: str, event: account.FundsSent) -> Moves:
    return ((funds_of(player), in_transit(event.transfer_id), event.amount),)


def _received(player: str, event: account.FundsReceived) -> Moves:
    return ((in_transit(event.transfer_id), funds_of(player), event.amount),)


def _arrived(table_id: str, event: table.PlayerSeated | table.ChipsQueued) -> Moves:
    return ((in_transit(event.transfer_id), f"stacks/{table_id}", event.amount),)


def _departed(table_id: str, event: table.PlayerLeft | table.ChipsReturned) -> Moves:
    return ((f"stacks/{table_id}", in_transit(event.transfer_id), event.amount),)


def _put_in(
    table_id: str,
    event: table.AntePosted | table.BlindPosted | table.DeadBlindPosted | table.Called | table.Bet | table.Raised,
) -> Moves:
    return ((f"stacks/{table_id}", f"pots/{table_id}", event.amount),)


def _uncalled(table_id: str, event: table.UncalledBetReturned) -> Moves:
    return ((f"pots/{table_id}", f"stacks/{table_id}", event.amount),)


def _raked(table_id: str, event: table.RakeTaken) -> Moves:
    return ((f"pots/{table_id}", f"rake held/{table_id}", sum(event.amounts)),)


def _awarded(table_id: str, event: table.PotAwarded) -> Moves:
    return ((f"pots/{table_id}", f"stacks/{table_id}", sum(event.amounts)),)


def _voided(table_id: str, event: table.HandVoided) -> Moves:
    return (
        (f"rake held/{table_id}", f"pots/{table_id}", event.rake),
        (f"pots/{table_id}", f"stacks/{table_id}", sum(event.refunds)),
    )


def _swept(table_id: str, event: table.RakeSwept) -> Moves:
    return ((f"rake held/{table_id}", in_transit(event.transfer_id), event.amount),)


MOVES: dict[type, Callable[[str, Any], Moves]] = {
    account.FundsDeposited: _deposited,
    account.FundsWithdrawn: _withdrawn,
    account.FundsSent: _sent,
    account.FundsReceived: _received,
    table.PlayerSeated: _arrived,
    table.ChipsQueued: _arrived,
    table.PlayerLeft: _departed,
    table.ChipsReturned: _departed,
    table.AntePosted: _put_in,
    table.BlindPosted: _put_in,
    table.DeadBlindPosted: _put_in,
    table.Called: _put_in,
    table.Bet: _put_in,
    table.Raised: _put_in,
    table.UncalledBetReturned: _uncalled,
    table.RakeTaken: _raked,
    table.PotAwarded: _awarded,
    table.HandVoided: _voided,
    table.RakeSwept: _swept,
}
"""The events that move chips; all others move none, and a test holds that against the aggregates' own balances."""
