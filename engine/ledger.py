"""The books: every event as double entries that sum to zero for each unit.

    cash desk                  what came in from outside and went out again, with the sign of the world outside
    player funds/<player>      what a player can take out or take to a table
    house funds                what belongs to the house: swept rake, and what it pays from
    in transit/<transfer>      sent and not yet received
    stacks/<table>             chips in front of players, queued ones included
    pots/<table>               chips in the middle of a hand
    rake held/<table>          taken from pots and not yet swept
    prize pool/<tournament>    what its places will win
    bounties/<tournament>      on the heads of its entries
    fees/<tournament>          the house's share of the entries, until it is over
    overlay/<tournament>       paid in by the house for the guarantee and not needed so far
    refund cover/<tournament>  paid in by the house for refunds beyond the pool
    tickets held/<tournament>  came in and are not redeemed yet

Two lines are issuers: what they have given out is their debt, with the sign of the world outside.

    ticket issue/<ticket>      tickets that players have won and not used
    chip issue/<tournament>    chips that are in play, of the unit chips/<tournament>

Money only ever moves from one of these to another. Therefore, at every instant and for every currency (P3),

    deposits - withdrawals = player funds + house funds + in transit + stacks + pots + rake held + tournaments

and no line but the cash desk and the issuers is ever below zero. Table and ledger share one rake function and one event
for what it took, so they cannot disagree (`operations.md` section 4). Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from engine.account import events as account
from engine.account.events import AccountEvent
from engine.origin import HOUSE, Origin, chips_unit, name_of
from engine.poker.money import Chips
from engine.table import events as table
from engine.table.events import TableEvent
from engine.tournament import money_events, play_events
from engine.tournament.events import TournamentEvent
from engine.tournament.refund_plan import Sources

CASH_DESK = "cash desk"


class Posting(msgspec.Struct, frozen=True, gc=False):
    """One side of an entry: `amount` is added to the line, in minor units of `unit`."""

    line: str
    unit: str
    amount: Chips


Moves: TypeAlias = tuple[tuple[str, str, Chips], ...]
"""From a line, to a line, how much."""


def postings(origin: Origin, event: TableEvent | AccountEvent | TournamentEvent) -> tuple[Posting, ...]:
    """Return the entries of an event; they sum to zero for each unit."""
    moves = MOVES.get(type(event))
    if moves is None:
        return ()
    unit = getattr(event, "unit", origin.unit)
    if type(event) in OF_CHIPS:
        unit = chips_unit(name_of(origin.aggregate))
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


def printed(balances: Mapping[tuple[str, str], Chips]) -> str:
    """Return a trial balance as text for people: a row per line, by unit, each unit with its sum, which is zero."""
    rows = []
    for unit in sorted({unit for _, unit in balances}):
        amounts = {line: amount for (line, other), amount in sorted(balances.items()) if other == unit}
        rows += [f"{line:<60}{amount:>20,} {unit}" for line, amount in amounts.items()]
        rows.append(f"{'sum':<60}{sum(amounts.values()):>20,} {unit}")
    return "\n".join(rows)


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


# What a tournament's events move: money, tickets, and its chips.


def _house_paid_in(name: str, event: money_events.OverlayReceived | money_events.CoverReceived) -> Moves:
    purse = "overlay" if isinstance(event, money_events.OverlayReceived) else "refund cover"
    return ((in_transit(event.transfer_id), f"{purse}/{name}", event.amount),)


def _overlay_added(name: str, event: money_events.OverlayAdded) -> Moves:
    return ((f"overlay/{name}", f"prize pool/{name}", event.amount),)


def _payment_received(name: str, event: money_events.PaymentReceived) -> Moves:
    source = in_transit(event.transfer_id)
    return (
        (source, f"prize pool/{name}", event.pool),
        (source, f"fees/{name}", event.fee),
        (source, f"bounties/{name}", event.bounty),
    )


def _payment_returned(_name: str, event: money_events.PaymentReturned) -> Moves:
    return ((in_transit(event.transfer_id), in_transit(event.return_id), event.amount),)


def _ticket_received(name: str, event: money_events.TicketReceived) -> Moves:
    return ((in_transit(event.transfer_id), f"tickets held/{name}", event.amount),)


def _ticket_redeemed(name: str, event: money_events.TicketRedeemed) -> Moves:
    return ((f"tickets held/{name}", ticket_issue(event.unit), event.amount),)


def _ticket_returned(name: str, event: money_events.TicketReturned) -> Moves:
    return ((f"tickets held/{name}", in_transit(event.return_id), event.amount),)


def _ticket_issued(_name: str, event: money_events.TicketIssued) -> Moves:
    return ((ticket_issue(event.unit), in_transit(event.transfer_id), event.amount),)


def ticket_issue(form: str) -> str:
    """Return the line of all tickets of a kind that are out."""
    return f"ticket issue/{name_of(form)}"


def _obligation_paid(name: str, event: money_events.ObligationPaid) -> Moves:
    return _from_purses(name, event.sources, event.transfer_id)


def _house_paid(name: str, event: money_events.HousePaid) -> Moves:
    overlay = (f"overlay/{name}", in_transit(event.transfer_id), event.overlay)
    return (*_from_purses(name, event.sources, event.transfer_id), overlay)


def _from_purses(name: str, sources: Sources, transfer_id: str) -> Moves:
    target = in_transit(transfer_id)
    return (
        (f"prize pool/{name}", target, sources.pool),
        (f"refund cover/{name}", target, sources.house),
        (f"fees/{name}", target, sources.fees),
        (f"bounties/{name}", target, sources.bounty_pool),
    )


def _table_opened(name: str, event: play_events.TableOpened) -> Moves:
    return tuple([_issued(name, place) for place in event.places])


def _entry_seated(name: str, event: play_events.EntrySeated) -> Moves:
    return (_issued(name, event.place),)


def _issued(name: str, place: play_events.Place) -> tuple[str, str, Chips]:
    return f"chip issue/{name}", in_transit(place.transfer_id), place.chips


def _chips_issued(name: str, event: play_events.ChipsIssued) -> Moves:
    return ((f"chip issue/{name}", in_transit(event.transfer_id), event.amount),)


def _chips_came(name: str, event: play_events.EntryReceived | play_events.ChipsReceived) -> Moves:
    return ((in_transit(event.transfer_id), f"chip issue/{name}", event.amount),)


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
    money_events.OverlayReceived: _house_paid_in,
    money_events.CoverReceived: _house_paid_in,
    money_events.OverlayAdded: _overlay_added,
    money_events.PaymentReceived: _payment_received,
    money_events.PaymentReturned: _payment_returned,
    money_events.TicketReceived: _ticket_received,
    money_events.TicketRedeemed: _ticket_redeemed,
    money_events.TicketReturned: _ticket_returned,
    money_events.TicketIssued: _ticket_issued,
    money_events.ObligationPaid: _obligation_paid,
    money_events.HousePaid: _house_paid,
    play_events.TableOpened: _table_opened,
    play_events.EntrySeated: _entry_seated,
    play_events.ChipsIssued: _chips_issued,
    play_events.EntryReceived: _chips_came,
    play_events.ChipsReceived: _chips_came,
}
"""The events that move chips; all others move none, and a test holds that against the aggregates' own balances."""

OF_CHIPS = frozenset(
    {
        play_events.TableOpened,
        play_events.EntrySeated,
        play_events.ChipsIssued,
        play_events.EntryReceived,
        play_events.ChipsReceived,
    }
)
"""The events of a tournament that move its chips and not its money."""
