"""A reader who follows each transfer from where it was asked for to where it ended, by the events alone (I12).

    a seat or a place in a stack is reserved   asked -> sent (FundsSent)       -> received (PlayerSeated, ChipsQueued)
                                               asked -> refused (FundsRefused) -> released (SeatReleased, TopUpReleased)
    a player leaves, chips or rake go home              sent                   -> received (FundsReceived)

Each step is taken once, by whom it concerns, and with the same amount.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from engine.account import events as account
from engine.origin import HOUSE, Origin
from engine.poker.money import Chips
from engine.reactions import account_of
from engine.table import events as table
from tests.engine.courier import Event

Stage: TypeAlias = Literal["asked", "sent", "refused", "received", "released"]
Purpose: TypeAlias = Literal["buy_in", "top_up", "home"]
Step: TypeAlias = (
    account.FundsSent
    | account.FundsRefused
    | account.FundsReceived
    | table.PlayerSeated
    | table.ChipsQueued
    | table.SeatReleased
    | table.TopUpReleased
)

STEPS: dict[type, tuple[Stage, Stage]] = {
    account.FundsSent: ("asked", "sent"),
    account.FundsRefused: ("asked", "refused"),
    account.FundsReceived: ("sent", "received"),
    table.PlayerSeated: ("sent", "received"),
    table.ChipsQueued: ("sent", "received"),
    table.SeatReleased: ("refused", "released"),
    table.TopUpReleased: ("refused", "released"),
}
PURPOSES: dict[type, Purpose] = {
    account.FundsReceived: "home",
    table.PlayerSeated: "buy_in",
    table.SeatReleased: "buy_in",
    table.ChipsQueued: "top_up",
    table.TopUpReleased: "top_up",
}
"""What the transfer must be for; an account pays for any purpose. A buy-in always finds the seat that waits for it."""


class Transfer(NamedTuple):
    """Money that was asked for or sent, and how far it has come; payer and receiver are addresses."""

    stage: Stage
    purpose: Purpose
    payer: str
    receiver: str
    amount: Chips
    unit: str


class TransfersFollowed:
    """All transfers of a card room."""

    def __init__(self) -> None:
        """Begin with none."""
        self.by_id: dict[str, Transfer] = {}
        self.open: dict[str, Transfer] = {}
        """Those that have not ended."""
        self.passing: Counter[str] = Counter()
        """Chips that have found no place at a table and go back in the same breath, by the table's address."""

    def hear(self, origin: Origin, event: Event) -> None:
        """Take the step that an event means for a transfer, if it means one."""
        beginning = begun(origin, event)
        if beginning is not None:
            transfer_id, transfer = beginning
            assert transfer_id not in self.by_id, f"{transfer} begins a second time"
            self.by_id[transfer_id] = self.open[transfer_id] = transfer
        elif isinstance(event, Step) and not _frees_a_hold(event):
            self._go_on(origin, event)
        if isinstance(event, table.ChipsQueued | table.ChipsReturned) and event.seat < 0:
            self.passing[origin.aggregate] += event.amount if isinstance(event, table.ChipsQueued) else -event.amount

    def _go_on(self, origin: Origin, event: Step) -> None:
        transfer_id = (
            self._refused_buy_in(origin, event) if isinstance(event, table.SeatReleased) else event.transfer_id
        )
        transfer = self.by_id[transfer_id]
        before, after = STEPS[type(event)]
        here, there = transfer.receiver, transfer.payer
        if before == "asked":
            here, there = there, here
        assert transfer.stage == before, f"{transfer} can not be {after} now"
        assert transfer.purpose == PURPOSES.get(type(event), transfer.purpose), f"{event} answers {transfer}"
        assert transfer.amount == getattr(event, "amount", transfer.amount), f"{event} has the amount of {transfer}"
        assert (origin.aggregate, _other_side(event)) == (here, there), f"{event} has nothing to do with {transfer}"
        self.by_id[transfer_id] = self.open[transfer_id] = transfer._replace(stage=after)
        if after in {"received", "released"}:
            del self.open[transfer_id]

    def _refused_buy_in(self, origin: Origin, event: table.SeatReleased) -> str:
        sides = ("refused", "buy_in", account_of(event.player), origin.aggregate)
        return next(id_ for id_, transfer in self.open.items() if transfer[:4] == sides)

    def waited_for(self, address: str) -> set[str]:
        """Return the ids of what a table has asked for and has no answer to."""
        return {id_ for id_, transfer in self.open.items() if transfer.receiver == address}

    def under_way(self) -> Iterator[Transfer]:
        """Return what was sent and has not arrived."""
        return (transfer for transfer in self.open.values() if transfer.stage == "sent")


def begun(origin: Origin, event: Event) -> tuple[str, Transfer] | None:
    """Return the transfer that begins with an event, and its id; who leaves with nothing sends nothing."""
    here, unit = origin.aggregate, origin.unit
    match event:
        case table.SeatReserved():
            transfer = Transfer("asked", "buy_in", account_of(event.player), here, event.amount, unit)
        case table.TopUpReserved():
            transfer = Transfer("asked", "top_up", account_of(event.player), here, event.amount, unit)
        case table.PlayerLeft() | table.ChipsReturned() if event.amount:
            transfer = Transfer("sent", "home", here, account_of(event.player), event.amount, unit)
        case table.RakeSwept():
            transfer = Transfer("sent", "home", here, account_of(HOUSE), event.amount, unit)
        case _:
            return None
    return event.transfer_id, transfer


def _frees_a_hold(event: Step) -> bool:
    """Say whether a seat is free again that was only held: no money was asked for."""
    return isinstance(event, table.SeatReleased) and event.cause != "funds_refused"


def _other_side(event: Step) -> str:
    match event:
        case account.FundsSent() | account.FundsRefused():
            return event.to
        case account.FundsReceived():
            return event.sender
        case _:
            return account_of(event.player)
