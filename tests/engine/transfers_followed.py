"""A reader who follows each transfer from where it was asked for to where it ended, by the events alone (I12).

Who has a place for money asks for it, and the account answers; `…` stands for what came of it:

    a seat, a place in a stack    asked -> sent (FundsSent)       -> received (PlayerSeated, ChipsQueued)
    a tournament's payment                                        -> received (PaymentReceived, TicketReceived, …)
    guarantee, cover, redemption  asked -> refused (FundsRefused) -> released (SeatReleased, PaymentRefused, …)

What needs no asking begins as sent: who leaves a table, chips that find no place, rake, prizes, refunds, what goes
straight back; and a tournament's chips, to its tables and home again. Each step is taken once, by whom it concerns,
and with the same amount.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from engine.account import events as account
from engine.origin import HOUSE, Origin, account_of, chips_unit, director_of, name_of, table_of
from engine.poker.money import Chips
from engine.reactions import Event
from engine.table import events as table
from engine.tournament import money_events, play_events
from engine.tournament.prizes import CASH

Stage: TypeAlias = Literal["asked", "sent", "refused", "received", "released"]
Purpose: TypeAlias = Literal["buy_in", "top_up", "home", "payment", "redemption", "guarantee", "cover", "chips"]
HOME: Purpose = "home"
PAYMENT: Purpose = "payment"
REDEMPTION: Purpose = "redemption"
CHIPS: Purpose = "chips"
BEFORE: dict[Stage, Stage] = {"sent": "asked", "refused": "asked", "received": "sent", "released": "refused"}
RESERVED: frozenset[Purpose] = frozenset({"buy_in", "top_up", "payment", "redemption", "guarantee", "cover"})
"""What is asked for; the place for it is kept until the answer."""


class Transfer(NamedTuple):
    """Money or chips that were asked for or sent, and how far they have come; payer and receiver are addresses."""

    stage: Stage
    purpose: Purpose
    payer: str
    receiver: str
    amount: Chips
    unit: str


class Step(NamedTuple):
    """What an event says of a transfer."""

    transfer_id: str
    after: Stage
    other: str
    """The address of its other side; empty where the event does not say it."""
    amount: Chips | None = None
    """None where the event does not say it."""
    purpose: Purpose | None = None
    """An account pays for any purpose."""


class TransfersFollowed:
    """All transfers of a card room."""

    def __init__(self) -> None:
        """Begin with none."""
        self.by_id: dict[str, Transfer] = {}
        self.open: dict[str, Transfer] = {}
        """Those that have not ended."""
        self.passing: Counter[str] = Counter()
        """Chips that have found no place at a table and go back in the same breath, by the table's address."""
        self.redemptions: dict[tuple[str, int], str] = {}
        """The house was asked for the value of a ticket: by the tournament's address and the entry."""

    def hear(self, origin: Origin, event: Event) -> None:
        """Take the steps that an event means for transfers, and begin those that it begins."""
        for step in steps(origin, event):
            self._go_on(origin.aggregate, step, event)
        for transfer_id, transfer in begun(origin, event):
            assert transfer_id not in self.by_id, f"{transfer} begins a second time"
            self.by_id[transfer_id] = self.open[transfer_id] = transfer
        if isinstance(event, table.ChipsQueued | table.ChipsReturned) and event.seat < 0:
            self.passing[origin.aggregate] += event.amount if isinstance(event, table.ChipsQueued) else -event.amount
        if isinstance(event, money_events.TicketReceived):
            self.redemptions[origin.aggregate, event.entry] = event.redemption_id
        if isinstance(event, money_events.TicketReturned):
            self._end_redemption(origin.aggregate, event)

    def _go_on(self, here: str, step: Step, event: Event) -> None:
        transfer = self.by_id[step.transfer_id]
        payer, receiver = transfer.payer, transfer.receiver
        sides = (payer, receiver) if step.after in {"sent", "refused"} else (receiver, payer)
        assert transfer.stage == BEFORE[step.after], f"{transfer} can not be {step.after} now"
        assert step.purpose in {None, transfer.purpose}, f"{event} answers {transfer}"
        assert step.amount in {None, transfer.amount}, f"{event} has the amount of {transfer}"
        assert (here, step.other or sides[1]) == sides, f"{event} has nothing to do with {transfer}"
        self.by_id[step.transfer_id] = self.open[step.transfer_id] = transfer._replace(stage=step.after)
        if step.after in {"received", "released"}:
            del self.open[step.transfer_id]

    def _end_redemption(self, here: str, event: money_events.TicketReturned) -> None:
        """End what the house did not pay for a ticket; if it paid in vain, its money goes back in an event before."""
        redemption_id = self.redemptions[here, event.entry]
        if redemption_id in self.open:
            self._go_on(here, Step(redemption_id, "released", account_of(HOUSE), event.amount, REDEMPTION), event)

    def waited_for(self, address: str) -> set[str]:
        """Return the ids of what a table or a tournament has asked for and has no answer to."""
        waiting = ((id_, transfer) for id_, transfer in self.open.items() if transfer.receiver == address)
        return {id_ for id_, transfer in waiting if transfer.purpose in RESERVED}

    def under_way(self) -> Iterator[Transfer]:
        """Return what was sent and has not arrived."""
        return (transfer for transfer in self.open.values() if transfer.stage == "sent")


def steps(origin: Origin, event: Event) -> Iterator[Step]:
    """Yield what an event says of transfers that have begun before."""
    match event:
        case account.FundsSent():
            yield Step(event.transfer_id, "sent", event.to, event.amount)
        case account.FundsRefused():
            yield Step(event.transfer_id, "refused", event.to, event.amount)
        case account.FundsReceived():
            yield Step(event.transfer_id, "received", event.sender, event.amount, HOME)
        case play_events.EntryReceived():
            source = table_of(f"{name_of(origin.aggregate)}-{event.table}")
            yield Step(event.transfer_id, "received", source, event.amount, CHIPS)
        case play_events.ChipsReceived():
            yield Step(event.transfer_id, "received", "", event.amount, CHIPS)
        case _:
            yield from _steps_at_table(origin, event)
            yield from _steps_of_money(event)


def _steps_at_table(origin: Origin, event: Event) -> Iterator[Step]:
    director = (director_of(origin) or ("", 0))[0]
    match event:
        case table.PlayerSeated() | table.ChipsQueued() if director:
            yield Step(event.transfer_id, "received", director, event.amount, CHIPS)
        case table.PlayerSeated():
            yield Step(event.transfer_id, "received", account_of(event.player), event.amount, "buy_in")
        case table.ChipsQueued():
            yield Step(event.transfer_id, "received", account_of(event.player), event.amount, "top_up")
        case table.SeatReleased() if event.cause == "funds_refused":
            yield Step(event.transfer_id, "released", account_of(event.player), None, "buy_in")
        case table.TopUpReleased():
            yield Step(event.transfer_id, "released", account_of(event.player), None, "top_up")
        case _:
            pass


def _steps_of_money(event: Event) -> Iterator[Step]:
    """Yield what a tournament says of money that it has asked for; what is free was never asked for."""
    house = account_of(HOUSE)
    match event:
        case money_events.PaymentReceived():
            amount, by_house = event.pool + event.fee + event.bounty, event.form != CASH
            payer, purpose = (house, REDEMPTION) if by_house else (account_of(event.player), PAYMENT)
            if amount:
                yield Step(event.transfer_id, "received", payer, amount, purpose)
        case money_events.TicketReceived():
            yield Step(event.transfer_id, "received", account_of(event.player), event.amount, PAYMENT)
        case money_events.PaymentReturned():
            purpose = REDEMPTION if event.player == HOUSE else PAYMENT
            yield Step(event.transfer_id, "received", account_of(event.player), event.amount, purpose)
        case money_events.PaymentRefused():
            yield Step(event.transfer_id, "released", account_of(event.player), None, PAYMENT)
        case money_events.OverlayReceived():
            yield Step(event.transfer_id, "received", house, event.amount, "guarantee")
        case money_events.OverlayRefused():
            yield Step(event.transfer_id, "released", house, None, "guarantee")
        case money_events.CoverReceived():
            yield Step(event.transfer_id, "received", house, event.amount, "cover")
        case money_events.CoverRefused():
            yield Step(event.transfer_id, "released", house, None, "cover")
        case _:
            pass


def begun(origin: Origin, event: Event) -> Iterator[tuple[str, Transfer]]:
    """Yield the transfers that begin with an event, and their ids; who leaves with nothing sends nothing."""
    here, unit, director = origin.aggregate, origin.unit, (director_of(origin) or ("", 0))[0]
    match event:
        case table.SeatReserved():
            yield event.transfer_id, Transfer("asked", "buy_in", account_of(event.player), here, event.amount, unit)
        case table.TopUpReserved():
            yield event.transfer_id, Transfer("asked", "top_up", account_of(event.player), here, event.amount, unit)
        case table.PlayerLeft() | table.ChipsReturned() if event.amount:
            purpose, receiver = (CHIPS, director) if director else (HOME, account_of(event.player))
            yield event.transfer_id, Transfer("sent", purpose, here, receiver, event.amount, unit)
        case table.RakeSwept():
            yield event.transfer_id, Transfer("sent", HOME, here, account_of(HOUSE), event.amount, unit)
        case _:
            yield from _asked_by_tournament(here, unit, event)
            yield from _sent_home_by_tournament(here, unit, event)
            yield from _chips_sent(here, event)


def _asked_by_tournament(here: str, unit: str, event: Event) -> Iterator[tuple[str, Transfer]]:
    house = account_of(HOUSE)
    match event:
        case money_events.PaymentRequested() if event.amount:
            payer = account_of(event.player)
            yield event.transfer_id, Transfer("asked", PAYMENT, payer, here, event.amount, event.unit)
        case money_events.TicketReceived():
            asked = Transfer("asked", REDEMPTION, house, here, event.amount, event.money_unit)
            yield event.redemption_id, asked
        case money_events.OverlayRequested():
            yield event.transfer_id, Transfer("asked", "guarantee", house, here, event.amount, unit)
        case money_events.CoverRequested():
            yield event.transfer_id, Transfer("asked", "cover", house, here, event.amount, unit)
        case _:
            pass


def _sent_home_by_tournament(here: str, unit: str, event: Event) -> Iterator[tuple[str, Transfer]]:
    match event:
        case money_events.PaymentReturned() | money_events.TicketReturned():
            receiver = account_of(event.player)
            yield event.return_id, Transfer("sent", HOME, here, receiver, event.amount, event.unit)
        case money_events.TicketIssued():
            receiver = account_of(event.player)
            yield event.transfer_id, Transfer("sent", HOME, here, receiver, event.amount, event.unit)
        case money_events.ObligationPaid() if event.sources.amount:
            receiver = account_of(event.player)
            yield event.transfer_id, Transfer("sent", HOME, here, receiver, event.sources.amount, unit)
        case money_events.HousePaid():
            amount = event.sources.amount + event.overlay
            yield event.transfer_id, Transfer("sent", HOME, here, account_of(HOUSE), amount, unit)
        case _:
            pass


def _chips_sent(here: str, event: Event) -> Iterator[tuple[str, Transfer]]:
    """Yield the chips that a tournament sends to its tables."""
    name = name_of(here)
    places: list[tuple[int, Chips, str]] = []
    match event:
        case play_events.TableOpened():
            places = [(event.number, place.chips, place.transfer_id) for place in event.places]
        case play_events.EntrySeated(table=number, place=place):
            places = [(number, place.chips, place.transfer_id)]
        case play_events.ChipsIssued():
            places = [(event.table, event.amount, event.transfer_id)]
        case _:
            pass
    for number, chips, transfer_id in places:
        receiver = table_of(f"{name}-{number}")
        yield transfer_id, Transfer("sent", CHIPS, here, receiver, chips, chips_unit(name))
