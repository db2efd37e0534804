"""Entries that are paid with a ticket: the house answers for it, so the purses hold nothing but money (AMB-14)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.account.commands import ReceiveFunds, SendFunds
from engine.origin import HOUSE, Origin, return_id
from engine.reactions import reactions
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.commands import AcceptFunds, RefuseFunds
from engine.tournament.director import due
from engine.tournament.money_events import HousePaid, ObligationPaid, TicketIssued, TicketReceived, TicketReturned
from engine.tournament.refund_plan import Sources, obligation_id
from engine.tournament.state import Payment, Purses
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk
from tests.engine.tournament.quiet_room import QuietRoom, Tourney

ORIGIN = Origin("tournament/T", 1, 0, "USD")
SUNDAY = Ticket("ticket/Sunday", 1100)
FREE, BOUGHT = Purses(), Purses(pool=1000, fees=100)


def open_desk(**changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament that takes tickets."""
    return Desk(terms(ticket=SUNDAY, **changes))


def with_ticket(**changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament in which p1's ticket has arrived, and the house was asked to redeem it."""
    return open_desk(**changes).do(commands.Register("p1", with_ticket=True)).pay()


def redeeming(desk: Desk) -> Payment:
    """Return what the house was asked for."""
    [payment] = desk.state.payments
    assert payment.ticket_of
    return payment


def redeem(desk: Desk, **changes: Any) -> Desk:  # noqa: ANN401 - fields of AcceptFunds.
    """Let the house's money arrive."""
    payment = redeeming(desk)
    return desk.do(replace(AcceptFunds(HOUSE, payment.transfer_id, payment.unit, payment.amount), **changes))


def test_a_ticket_is_asked_for_instead_of_money() -> None:
    """O-30: the account that holds it is asked for its value in the ticket's own unit."""
    desk = open_desk().do(commands.Register("p1", with_ticket=True))
    [asked] = desk.events
    assert isinstance(asked, events.PaymentRequested)
    assert (asked.unit, asked.amount) == ("ticket/Sunday", 1100)
    send = SendFunds(asked.transfer_id, "ticket/Sunday", 1100, "tournament/T", "entry")
    assert [(r.target, r.command) for r in reactions(ORIGIN, asked)] == [("account/p1", send)]


def test_one_may_still_pay_with_money() -> None:
    """O-30: a ticket is another way to pay, not the only one."""
    assert open_desk().enter("p1").entry(1).paid_as == (("cash", 1100),)


@pytest.mark.parametrize("changes", [{}, {"buy_in": 0, "fee": 0}])
def test_tickets_are_taken_where_the_announcement_says_so(changes: dict[str, Any]) -> None:
    """O-30: and a freeroll takes none."""
    Desk(terms(**changes)).refuses(commands.Register("p1", with_ticket=True), "TICKET_NOT_TAKEN")


def test_the_house_is_asked_to_redeem_a_ticket() -> None:
    """Operations.md section 4: a ticket alone is no money, and what is not funded is not played for."""
    desk = with_ticket()
    [received] = desk.events
    assert isinstance(received, TicketReceived)
    assert (received.entry, received.player, received.unit, received.amount) == (1, "p1", "ticket/Sunday", 1100)
    send = SendFunds(received.redemption_id, "USD", 1100, "tournament/T", "ticket")
    assert [(r.target, r.command) for r in reactions(ORIGIN, received)] == [("account/house", send)]
    assert (desk.entry(1).status, desk.state.purses) == ("asked", Purses(tickets=1100))


def test_a_redeemed_ticket_is_an_entry() -> None:
    """O-31, GLI-19 A.5.4: its money is split like any other, and the ticket is void."""
    desk = redeem(with_ticket())
    redeemed, received = desk.events
    assert redeemed == events.TicketRedeemed("ticket/Sunday", 1100)
    assert isinstance(received, events.PaymentReceived)
    assert (received.form, received.pool, received.fee, received.chips) == ("ticket/Sunday", 1000, 100, 1500)
    assert (desk.entry(1).status, desk.entry(1).paid_as) == ("registered", (("ticket/Sunday", 1100),))
    assert (desk.state.purses, desk.state.payments) == (BOUGHT, ())


def test_a_player_without_the_ticket_gets_no_place() -> None:
    """Design.md section 3: his account refuses, and the house was never asked."""
    desk = open_desk().do(commands.Register("p1", with_ticket=True)).refuse()
    assert (desk.entry(1).status, desk.said(TicketReceived)) == ("gone", [])


def test_a_ticket_that_is_being_redeemed_has_its_place() -> None:
    """O-30: its entry is asked for until the house has answered."""
    desk = with_ticket(entries_max=2).enter("p2")
    desk.refuses(commands.Register("p3"), "TOURNAMENT_FULL")
    desk.refuses(commands.Register("p1"), "ALREADY_REGISTERED")
    desk.refuses(commands.Unregister("p1"), "PAYMENT_PENDING")
    assert due(desk.state, 0, SEED) is None
    assert redeem(desk).direct().state.phase == "running"


def test_a_ticket_that_is_not_redeemed_goes_back() -> None:
    """Design.md section 3: to its owner, under an id made of the transfer that brought it; the place is free."""
    desk = with_ticket()
    brought = redeeming(desk).ticket_of
    [back] = desk.do(RefuseFunds(HOUSE, redeeming(desk).transfer_id)).events
    assert back == TicketReturned(1, "p1", "ticket/Sunday", 1100, return_id(brought))
    home = ReceiveFunds("p1", return_id(brought), "ticket/Sunday", 1100, "tournament/T", "returned")
    assert [(r.target, r.command) for r in reactions(ORIGIN, back)] == [("account/p1", home)]
    assert (desk.entry(1).status, desk.state.purses, desk.state.payments) == ("gone", FREE, ())


def test_a_ticket_that_comes_too_late_goes_back() -> None:
    """Design.md section 3: the house is not even asked."""
    desk = open_desk().do(commands.Register("p1", with_ticket=True), commands.CancelTournament("fire", "ann")).pay()
    [back] = desk.events
    assert isinstance(back, events.PaymentReturned)
    assert (back.player, back.unit, back.amount) == ("p1", "ticket/Sunday", 1100)
    assert (desk.entry(1).status, desk.state.purses) == ("gone", FREE)


def test_a_redemption_that_comes_too_late_goes_back_to_both() -> None:
    """Design.md section 3: the money to the house and the ticket to its owner."""
    desk = with_ticket().do(commands.CancelTournament("fire", "ann"))
    asked = redeeming(desk)
    money, ticket = redeem(desk).events
    assert isinstance(money, events.PaymentReturned)
    assert (money.player, money.unit, money.amount) == (HOUSE, "USD", 1100)
    assert money.return_id == return_id(asked.transfer_id)
    assert ticket == TicketReturned(1, "p1", "ticket/Sunday", 1100, return_id(asked.ticket_of))
    assert (desk.entry(1).status, desk.state.purses, desk.state.payments) == ("gone", FREE, ())


def test_a_cancellation_waits_for_the_house() -> None:
    """I11, I12: nothing stays in transit."""
    desk = with_ticket().do(commands.CancelTournament("fire", "ann"))
    assert due(desk.state, 0, SEED) is None
    desk.do(RefuseFunds(HOUSE, redeeming(desk).transfer_id))
    assert due(desk.state, 0, SEED) == commands.PlanCancellation()


@pytest.mark.parametrize("changes", [{"amount": 1099}, {"unit": "EUR"}, {"unit": "ticket/Sunday"}])
def test_other_money_than_the_value_goes_back_and_so_does_the_ticket(changes: dict[str, Any]) -> None:
    """Design.md section 3: the house has not redeemed it."""
    desk = redeem(with_ticket(), **changes)
    [back] = desk.said(events.PaymentReturned)
    assert (back.player, back.amount, back.unit) == (HOUSE, changes.get("amount", 1100), changes.get("unit", "USD"))
    [ticket] = desk.said(TicketReturned)
    assert (ticket.player, desk.entry(1).status) == ("p1", "gone")
    assert (desk.state.purses, desk.state.payments) == (FREE, ())


def test_a_late_entry_may_be_paid_with_a_ticket() -> None:
    """O-30: it waits for the house, and then for a seat."""
    desk = open_desk(starts_at_ms=0, late_levels=1).enter("p1", "p2", "p3").direct()
    desk.do(commands.Register("p4", with_ticket=True)).pay()
    assert redeem(desk).entry(4).status == "waiting"
    assert (desk.entry(4).due, desk.state.due) == (1500, (4,))


# Back in the form paid.


def test_who_unregisters_gets_his_ticket_back() -> None:
    """AMB-11, AMB-14: the ticket is his again, and the money that stood for it is the house's."""
    desk = redeem(with_ticket()).do(commands.Unregister("p1"))
    withdrawn, issued, paid = desk.events
    assert withdrawn == events.EntryWithdrawn(1, "p1")
    ticket = ("ticket/Sunday", 1100, obligation_id("T", 1, "rollback/1"))
    assert issued == TicketIssued(1, "p1", "rollback/1", "refund", *ticket)
    money = Sources(pool=1000, fees=100)
    assert paid == HousePaid("ticket", money, 0, obligation_id("T", 1, "rollback/1/ticket"))
    assert desk.state.purses == FREE


@pytest.mark.parametrize("house", ["akpoker", "modern"])
def test_a_rollback_gives_everybody_back_what_he_paid_with(house: str) -> None:
    """AMB-11, AMB-14: tickets to those who came with tickets, money to the others."""
    desk = redeem(Desk(terms(house, ticket=SUNDAY)).do(commands.Register("p1", with_ticket=True)).pay()).enter("p2")
    called_off(desk)
    [issued], [refund] = desk.said(TicketIssued), desk.said(ObligationPaid)
    assert (issued.player, issued.unit, issued.amount) == ("p1", "ticket/Sunday", 1100)
    assert (refund.player, refund.sources) == ("p2", Sources(pool=1000, fees=100))
    assert [paid.debt for paid in desk.said(HousePaid)] == ["ticket"]
    assert (desk.state.phase, desk.state.purses) == ("cancelled", FREE)


def called_off(desk: Desk) -> None:
    """Let a tournament be called off, and its plan be approved and paid."""
    desk.do(commands.CancelTournament("fire", "ann")).freeze().direct()
    assert desk.state.calling_off is not None
    plan_hash = desk.state.calling_off.plan_hash
    desk.do(*[commands.ApproveCancellation(plan_hash, person) for person in ("ann", "bob")]).direct()


def test_a_rollback_after_the_start_gives_the_ticket_back_and_the_rebuy_in_money() -> None:
    """AMB-11, AMB-14: each payment in the form in which it was made."""
    rebuy = commands.Rebuy("p1")
    sale = ChipSale(price=900, fee=90, chips=1000, last_level=1)
    desk = redeem(with_ticket(entries_max=2, rebuy=sale)).enter("p2").direct().do(rebuy).pay()
    called_off(desk)
    refunds = [(paid.player, paid.reason, paid.sources.amount) for paid in desk.said(ObligationPaid)]
    assert refunds == [("p1", "rollback", 990), ("p2", "rollback", 1100)]
    assert [issued.reason for issued in desk.said(TicketIssued)] == ["rollback/1"]


# With real accounts.


@pytest.mark.parametrize("funded", [True, False])
def test_books_balance_whatever_the_house_says(funded: bool) -> None:
    """I4: tickets and money are conserved apart, when a ticket is redeemed, refused, and given back."""
    room = QuietRoom()
    room.fund("p1", 1100, "ticket/Sunday")
    tourney = Tourney(room, terms(ticket=SUNDAY))
    if funded:
        room.fund(HOUSE, 1100)
    before = room.funds(HOUSE)
    tourney.do(commands.Register("p1", with_ticket=True))
    assert tourney.entry(1).status == ("registered" if funded else "gone")
    assert room.funds("p1", "ticket/Sunday") == (0 if funded else 1100)
    assert room.funds(HOUSE) == before - 1100 * funded
    if funded:
        tourney.do(commands.Unregister("p1"))
    assert (room.funds("p1", "ticket/Sunday"), room.funds(HOUSE)) == (1100, before)
