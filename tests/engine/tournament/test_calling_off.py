"""Calling a tournament off: in every phase, with tables in play and money on its way; what counts, and what ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.errors import Rejected
from engine.origin import HOUSE
from engine.tournament import commands
from engine.tournament import money_events as money
from engine.tournament.commands import TournamentCommand
from engine.tournament.decide import decide
from engine.tournament.director import wakes_at_ms
from engine.tournament.state import Purses
from engine.tournament.terms import Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import (
    CANCEL,
    REBUY,
    call_off,
    calling_off,
    down_to,
    paid,
    refund,
    running,
    to_house,
    verify_waits,
)
from tests.engine.tournament.desk import SEED, Desk, registering, started


def funding() -> Desk:
    """Return a tournament whose guarantee is on its way."""
    return Desk(terms(guarantee=50_000))


def waiting_for_money() -> Desk:
    """Return a tournament in which three are in and the money of a fourth is on its way."""
    return registering(3).do(commands.Register("p4"))


def seating() -> Desk:
    """Return a tournament of three tables, of which one is open."""
    desk = registering(0, entries_max=12, seats=4)
    for number in range(1, 12):
        desk.enter(f"p{number}")
    return desk.enter("p12").do(commands.StartTournament(SEED), commands.OpenTable())


# In every phase.


@pytest.mark.parametrize(
    ("begin", "tables"), [(funding, ()), (registering, ()), (waiting_for_money, ()), (seating, (1,)), (running, (1, 2))]
)
def test_it_can_be_called_off_until_it_is_over(begin: Callable[[], Desk], tables: tuple[int, ...]) -> None:
    """Operations.md section 3: in every phase the tables that are open are told to stand still."""
    desk = begin().do(CANCEL)
    assert desk.events == (money.CancellationRequested("a fault", "ann", tables),)
    assert (desk.state.phase, calling_off(desk).cause, calling_off(desk).by) == ("cancelling", "a fault", "ann")


def test_what_is_over_is_not_called_off() -> None:
    """Rulebooks.md section 4: a tournament that is finished, called off or cancelled is over."""
    finished = down_to(started(3), 1)
    for desk in (finished, registering(2).do(CANCEL), refund(call_off(registering(2)))):
        desk.refuses(CANCEL, "TOURNAMENT_OVER")
    assert finished.state.phase == "finished"


@pytest.mark.parametrize(("cause", "by"), [("", "ann"), ("a fault", ""), ("a\nfault", "ann"), ("a fault", "a" * 201)])
def test_who_and_why_are_said(cause: str, by: str) -> None:
    """T-ABU-11: a cancellation has a cause and a person, both short printable text."""
    registering(2).refuses(commands.CancelTournament(cause, by), "FIELD_INVALID")


def test_nothing_but_the_cancellation_goes_on() -> None:
    """`design.md` section 3: nobody enters, buys or plays; the clock stands still, and time makes nothing due."""
    desk = started(3, rebuy=REBUY, late_levels=2, entries_max=9, starts_at_ms=0).do(CANCEL)
    no_more: dict[TournamentCommand, str] = {
        commands.Register("new"): "REGISTRATION_CLOSED",
        commands.Rebuy("p1"): "SALE_NOT_OPEN",
        commands.PauseTournament("rain", "ann"): "NOT_RUNNING",
        commands.AdvanceLevel(): "NOTHING_DUE",
        commands.FixPrizes(): "NOTHING_DUE",
        commands.FinishTournament(): "NOTHING_DUE",
    }
    for command, reason in no_more.items():
        desk.refuses(command, reason)
    assert (wakes_at_ms(desk.state), desk.state.clock.runs_since_ms) == (None, None)
    assert desk.do(commands.Arrange(SEED)).events == ()


def test_too_few_entries_call_it_off() -> None:
    """O-41, AMB-14: at its time with fewer than the least number it is called off, and everybody gets all back."""
    desk = registering(2, entries_min=3, entries_max=9, starts_at_ms=60_000).wait(seconds=60).direct()
    assert (calling_off(desk).cause, calling_off(desk).by) == ("too few entries", "director")
    assert paid(refund(desk)) == [1100, 1100]


# Before the start.


def test_a_guarantee_on_its_way_is_waited_for_and_goes_back() -> None:
    """Operations.md section 4: the overlay arrives while it is called off; it opens nothing and goes home."""
    desk = funding().do(CANCEL).direct()
    verify_waits(desk)
    refund(desk.do(commands.AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 50_000)).direct())
    assert to_house(desk) == {"unused_overlay": 50_000}
    assert (desk.said(money.RegistrationOpened), desk.state.phase) == ([], "cancelled")


def test_a_guarantee_that_is_refused_is_not_waited_for() -> None:
    """Operations.md section 4: the house has not paid; there is nothing to give back and nothing to ask for."""
    desk = funding().do(CANCEL)
    refund(desk.do(commands.RefuseFunds(HOUSE, desk.state.overlay_id)).direct())
    desk.refuses(commands.RequestOverlay(), "NOTHING_DUE")
    assert (to_house(desk), desk.state.phase) == ({}, "cancelled")


def test_money_on_its_way_is_waited_for_and_goes_straight_back() -> None:
    """ADR 13: no plan is made while an account has not answered; what then arrives goes back and counts for nothing."""
    desk = waiting_for_money().do(CANCEL).direct()
    verify_waits(desk)
    refund(desk.pay().direct())
    assert [event.player for event in desk.said(money.PaymentReturned)] == ["p4"]
    assert (desk.entry(4).status, paid(desk)) == ("gone", [1100] * 3)


def test_money_that_an_account_refuses_is_waited_for() -> None:
    """ADR 13: a refusal is an answer, too."""
    desk = refund(waiting_for_money().do(CANCEL).refuse().direct())
    assert (desk.said(money.PaymentReturned), paid(desk)) == ([], [1100] * 3)


@pytest.mark.parametrize("house_pays", [True, False])
def test_a_ticket_on_its_way_goes_back_to_its_owner(house_pays: bool) -> None:
    """ADR 12, AMB-11: called off while the house redeems a ticket: the ticket goes back, and the money if it comes."""
    desk = registering(1, ticket=Ticket("ticket/Sunday", 1100), entries_max=9)
    desk.do(commands.Register("p2", with_ticket=True)).pay().do(CANCEL)
    refund((desk.pay() if house_pays else desk.refuse()).direct())
    assert [(event.player, event.unit) for event in desk.said(money.TicketReturned)] == [("p2", "ticket/Sunday")]
    assert [event.amount for event in desk.said(money.PaymentReturned)] == [1100] * house_pays
    assert desk.state.purses == Purses()


def test_who_withdrew_before_gets_nothing_again() -> None:
    """T-IDEM-8: an entry that was taken back has had its money."""
    desk = registering(3).do(commands.Unregister("p2"))
    assert paid(refund(call_off(desk))) == [1100, 1100]
    assert [event.entry for event in desk.said(money.ObligationPaid)] == [2, 1, 3]


def test_nobody_has_entered() -> None:
    """AMB-14: an empty plan is approved and paid like any other."""
    desk = refund(call_off(registering()))
    assert (calling_off(desk).lines, calling_off(desk).parts, desk.state.phase) == ((), 1, "cancelled")


def test_who_has_no_seat_yet_counts() -> None:
    """AMB-14: called off while tables are being opened, everybody gets all back, seated or not."""
    desk = refund(call_off(seating()))
    assert paid(desk) == [1100] * 12


def test_an_unknown_tournament_is_not_called_off() -> None:
    """`clients.md` B2: what does not exist is not found."""
    with pytest.raises(Rejected, match="TOURNAMENT_UNKNOWN"):
        decide(None, CANCEL, 0)
