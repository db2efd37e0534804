"""What accounts answer: money for entries and chips, money that nobody waits for, and the house's guarantee (O-31)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.account.commands import ReceiveFunds, SendFunds
from engine.errors import Rejected
from engine.origin import HOUSE, Origin, return_id
from engine.poker.money import CHIPS_MAX
from engine.reactions import reactions
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.commands import AcceptFunds, RefuseFunds
from engine.tournament.director import due
from engine.tournament.money_events import PaymentReceived, PaymentReturned
from engine.tournament.state import Payment, Purses
from engine.tournament.terms import ChipSale
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk, registering, started

ORIGIN = Origin("tournament/T", 1, 0, "USD")
REBUY = ChipSale(price=900, fee=90, chips=1200, last_level=3, most=3)
ADD_ON = ChipSale(price=800, fee=0, chips=5000, last_level=3)


def answer(payment: Payment, player: str = "p1", **changes: Any) -> AcceptFunds:  # noqa: ANN401 - fields of AcceptFunds.
    """Return the arrival of what a payment asks for, with these changes."""
    return replace(AcceptFunds(player, payment.transfer_id, payment.unit, payment.amount), **changes)


def returned(transfer_id: str, player: str, amount: int, unit: str = "USD", entry: int = 0) -> PaymentReturned:
    """Return the event that sends money straight back."""
    return PaymentReturned(transfer_id, entry, player, "entry", unit, amount, return_id(transfer_id))


# What a payment is for.


@pytest.mark.parametrize(
    ("purpose", "order", "split"),
    [
        ("entry", commands.Register("p4"), (1000, 100, 500, 1500)),
        ("rebuy", commands.Rebuy("p1"), (900, 90, 0, 1200)),
        ("add_on", commands.AddOn("p1"), (800, 0, 0, 5000)),
    ],
)
def test_every_kind_of_payment_is_split_in_one_manner(
    purpose: str, order: commands.TournamentCommand, split: tuple[int, ...]
) -> None:
    """O-31, GLI-19 A.5.4: pool, fee and bounty as announced, and nothing is left over."""
    desk = Desk(terms(starts_at_ms=0, late_levels=1, bounty=500, rebuy=REBUY, add_on=ADD_ON)).enter("p1", "p2", "p3")
    before = desk.direct().state.purses
    desk.do(order).pay()
    [received] = desk.events
    assert isinstance(received, PaymentReceived)
    assert (received.purpose, received.form) == (purpose, "cash")
    assert (received.pool, received.fee, received.bounty, received.chips) == split
    pool, fee, bounty, _ = split
    assert desk.state.purses == Purses(before.pool + pool, before.bounty_pool + bounty, before.fees + fee)


def test_an_entry_remembers_all_that_it_has_paid() -> None:
    """AMB-11: so that it can all be given back, rebuys and add-ons included."""
    desk = started(2, rebuy=REBUY, add_on=ADD_ON).do(commands.Rebuy("p1")).pay().do(commands.AddOn("p1")).pay()
    entry = desk.entry(1)
    assert (entry.pool, entry.fee, entry.paid_as) == (2700, 190, (("cash", 1100), ("cash", 990), ("cash", 800)))
    assert (entry.rebuys, entry.add_ons, entry.due) == (1, 1, 6200)


# Money that is of no use goes straight back.


def test_money_that_nobody_asked_for_goes_back() -> None:
    """Design.md section 3: to where it came from, under an id that is made of the transfer's."""
    desk = registering(1).do(AcceptFunds("p7", "stray", "EUR", 70))
    assert desk.events == (returned("stray", "p7", 70, "EUR"),)
    back = ReceiveFunds("p7", return_id("stray"), "EUR", 70, "tournament/T", "returned")
    assert [(r.target, r.command) for r in reactions(ORIGIN, desk.events[0])] == [("account/p7", back)]
    assert desk.state.purses == Purses(pool=1000, fees=100)


def test_money_that_comes_twice_goes_back_the_second_time() -> None:
    """I12: an entry is paid once."""
    desk = registering().do(commands.Register("p1"))
    arrival = answer(desk.state.payments[0])
    desk.do(arrival, arrival)
    assert desk.events == (returned(arrival.transfer_id, "p1", 1100),)
    assert (desk.state.entered, desk.state.purses) == (1, Purses(pool=1000, fees=100))


def test_money_that_comes_after_a_refusal_goes_back() -> None:
    """I12: a transfer is resolved once."""
    desk = registering().do(commands.Register("p1"))
    arrival = answer(desk.state.payments[0])
    desk.refuse().do(arrival)
    assert desk.events == (returned(arrival.transfer_id, "p1", 1100),)
    assert desk.entry(1).status == "gone"


def test_money_that_comes_too_late_goes_back() -> None:
    """Design.md section 3: the tournament was called off in the meantime."""
    desk = registering().do(commands.Register("p1"))
    transfer_id = desk.state.payments[0].transfer_id
    desk.do(commands.CancelTournament("fire", "ann")).pay()
    assert desk.events == (returned(transfer_id, "p1", 1100, entry=1),)
    assert (desk.entry(1).status, desk.state.purses, desk.state.payments) == ("gone", Purses(), ())


@pytest.mark.parametrize("order", [commands.Rebuy("p1"), commands.AddOn("p1")])
def test_chips_of_a_tournament_that_was_called_off_are_not_sold(order: commands.TournamentCommand) -> None:
    """Design.md section 3: the money goes back, and the entry is what it was."""
    desk = started(2, rebuy=REBUY, add_on=ADD_ON)
    before = desk.entry(1)
    desk.do(order, commands.CancelTournament("fire", "ann")).pay()
    assert isinstance(desk.events[0], PaymentReturned)
    assert (desk.entry(1), desk.state.payments) == (before, ())


def test_a_cancellation_waits_for_money_that_is_on_its_way() -> None:
    """I11: the plan is made when every request has its answer."""
    desk = registering().do(commands.Register("p1"), commands.CancelTournament("fire", "ann"))
    assert due(desk.state, 0, SEED) is None
    assert due(desk.pay().state, 0, SEED) == commands.PlanCancellation()


@pytest.mark.parametrize("changes", [{"amount": 1099}, {"amount": 1101}, {"amount": 1}, {"unit": "EUR"}])
def test_other_money_than_was_asked_for_goes_back_and_the_place_is_free(changes: dict[str, Any]) -> None:
    """Design.md section 3: a payment is the whole price in the tournament's currency; what comes is its answer."""
    desk = registering().do(commands.Register("p1"))
    arrival = answer(desk.state.payments[0], **changes)
    desk.do(arrival)
    assert returned(arrival.transfer_id, "p1", arrival.amount, arrival.unit) in desk.events
    assert (desk.entry(1).status, desk.state.payments, desk.state.purses) == ("gone", (), Purses())
    assert desk.enter("p1").entry(2).status == "registered"


def test_other_money_than_a_rebuy_costs_goes_back_and_nothing_is_bought() -> None:
    """Design.md section 3, O-31: and the player can try again."""
    desk = started(2, rebuy=REBUY).do(commands.Rebuy("p1"))
    desk.do(answer(desk.state.payments[0], amount=989))
    assert (desk.entry(1).rebuys, desk.entry(1).due, desk.entry(1).status) == (0, 0, "seated")
    assert desk.do(commands.Rebuy("p1")).pay().entry(1).due == 1200


# Refusals.


def test_a_refused_entry_is_gone() -> None:
    """Design.md section 3: only payers refuse; the reservation ends with that."""
    desk = registering().do(commands.Register("p1"))
    transfer_id = desk.state.payments[0].transfer_id
    assert desk.refuse().events == (events.PaymentRefused(transfer_id, 1, "p1", "entry"),)
    assert (desk.entry(1).status, desk.state.payments, desk.state.entered) == ("gone", (), 0)


@pytest.mark.parametrize("order", [commands.Rebuy("p1"), commands.AddOn("p1")])
def test_refused_chips_are_not_bought(order: commands.TournamentCommand) -> None:
    """O-31: the entry plays on as it was, and may ask again."""
    desk = started(2, rebuy=REBUY, add_on=ADD_ON)
    before = desk.entry(1)
    assert desk.do(order).refuse().entry(1) == before
    assert desk.do(order).pay().entry(1).due > 0


@pytest.mark.parametrize("transfer_id", ["stray", ""])
def test_nobody_refuses_what_was_not_asked_for(transfer_id: str) -> None:
    """I12, T-ABU-9: an answer names a request; an empty name is none."""
    desk = registering(1)
    with pytest.raises(Rejected):
        desk.do(RefuseFunds("p1", transfer_id))
    desk.do(commands.CancelTournament("fire", "ann"))
    with pytest.raises(Rejected):
        desk.do(RefuseFunds("house", transfer_id))


def test_a_refusal_ends_a_request_once() -> None:
    """I12: the second one finds nothing."""
    desk = registering().do(commands.Register("p1"))
    transfer_id = desk.state.payments[0].transfer_id
    desk.refuse().refuses(RefuseFunds("p1", transfer_id), "RESERVATION_UNKNOWN")


@pytest.mark.parametrize(
    ("field", "value"),
    [("amount", 0), ("amount", -1), ("amount", CHIPS_MAX + 1), ("player", ""), ("transfer_id", ""), ("unit", "\n")],
)
def test_what_arrives_has_a_shape(field: str, value: object) -> None:
    """T-ABU-9, FAULT-115: money is a positive int64 of a named unit, from somebody, under an id."""
    desk = registering().do(commands.Register("p1"))
    changes: dict[str, Any] = {field: value}
    refusal = desk.refuses(answer(desk.state.payments[0], **changes), "FIELD_INVALID")
    assert refusal.metadata == {"field": field}


# The guarantee.


def test_the_guarantee_is_asked_for_before_anything_is_announced() -> None:
    """Operations.md section 4: overlay is a transfer from the house, made before it is advertised."""
    desk = Desk(terms(guarantee=50_000))
    assert [type(event) for event in desk.log] == [events.TournamentCreated, events.OverlayRequested]
    asked = desk.log[1]
    assert isinstance(asked, events.OverlayRequested)
    send = SendFunds(asked.transfer_id, "USD", 50_000, "tournament/T", "overlay")
    assert [(r.target, r.command) for r in reactions(ORIGIN, asked)] == [("account/house", send)]
    assert (desk.state.phase, due(desk.state, 10**15, SEED)) == ("funding", None)


def guaranteed(**changes: Any) -> tuple[Desk, AcceptFunds]:  # noqa: ANN401 - fields of AcceptFunds.
    """Return a tournament that waits for its guarantee, and the arrival of it, with these changes."""
    desk = Desk(terms(guarantee=50_000))
    return desk, replace(AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 50_000), **changes)


def test_the_guarantee_opens_registration() -> None:
    """Operations.md section 4: it is there, so it may be advertised; it is no part of the pool yet."""
    desk, arrival = guaranteed()
    desk.do(arrival)
    assert desk.events == (events.OverlayReceived(arrival.transfer_id, 50_000), events.RegistrationOpened())
    assert (desk.state.phase, desk.state.purses) == ("registering", Purses(overlay=50_000))
    assert desk.enter("p1").entry(1).status == "registered"


def test_a_guarantee_that_comes_twice_goes_back_the_second_time() -> None:
    """I12: the house pays once."""
    desk, arrival = guaranteed()
    desk.do(arrival, arrival)
    assert desk.events == (returned(arrival.transfer_id, HOUSE, 50_000),)
    assert desk.state.purses == Purses(overlay=50_000)


def test_without_the_guarantee_nothing_is_announced() -> None:
    """Operations.md section 4: the house may refuse, and can be asked again, under another id."""
    desk, arrival = guaranteed()
    desk.refuses(commands.RequestOverlay(), "PAYMENT_PENDING")
    desk.do(RefuseFunds(HOUSE, arrival.transfer_id)).refuses(commands.Register("p1"), "REGISTRATION_CLOSED")
    desk.do(commands.RequestOverlay())
    assert desk.state.overlay_id not in {"", arrival.transfer_id}
    desk.do(arrival)
    assert desk.events == (returned(arrival.transfer_id, HOUSE, 50_000),)
    desk.do(AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 50_000)).enter("p1")


@pytest.mark.parametrize("guarantee", [0, 50_000])
def test_a_guarantee_that_is_there_is_not_asked_for(guarantee: int) -> None:
    """Operations.md section 4: it is paid in once."""
    desk, arrival = guaranteed()
    desk = desk.do(arrival) if guarantee else Desk(terms())
    desk.refuses(commands.RequestOverlay(), "NOTHING_DUE")


@pytest.mark.parametrize("changes", [{"amount": 49_999}, {"amount": 50_001}, {"unit": "EUR"}])
def test_another_amount_than_the_guarantee_is_none(changes: dict[str, Any]) -> None:
    """Operations.md section 4: it goes back, nothing is announced, and the house can be asked again."""
    desk, arrival = guaranteed(**changes)
    desk.do(arrival)
    assert returned(arrival.transfer_id, HOUSE, arrival.amount, arrival.unit) in desk.events
    assert (desk.state.phase, desk.state.purses) == ("funding", Purses())
    desk.do(commands.RequestOverlay()).do(AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 50_000))
    assert desk.state.phase == "registering"


@pytest.mark.parametrize("arrives", [True, False])
def test_who_is_called_off_before_its_guarantee_came_gives_it_back(arrives: bool) -> None:
    """Operations.md section 4: the plan waits for the house's answer; registration does not open any more."""
    desk, arrival = guaranteed()
    desk.do(commands.CancelTournament("second thoughts", "ann"))
    assert due(desk.state, 0, SEED) is None
    desk.do(arrival if arrives else RefuseFunds(HOUSE, arrival.transfer_id)).direct()
    assert (desk.state.phase, desk.said(events.RegistrationOpened)) == ("cancelling", [])
    for person in ("ann", "bob"):
        assert desk.state.calling_off is not None
        desk.do(commands.ApproveCancellation(desk.state.calling_off.plan_hash, person))
    assert (desk.direct().state.phase, desk.state.purses) == ("cancelled", Purses())
    assert [paid.overlay for paid in desk.said(events.HousePaid)] == [50_000] * arrives


# All of it together.

STEPS = st.lists(st.tuples(st.sampled_from(["register", "pay", "refuse", "again", "leave"]), st.integers(0, 4)))


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_what_came_in_is_there_or_went_back(steps: list[tuple[str, int]]) -> None:
    """I4, I12: before the start, money received is what the entries that are in have paid, plus what went home."""
    desk, came = Desk(terms(entries=3, bounty=50)), 0
    for step, number in steps:
        came += _step(desk, step, number)
    into = [entry for entry in desk.state.entries if entry.status == "registered"]
    home = sum([paid.sources.amount for paid in desk.said(events.ObligationPaid)])
    home += sum([back.amount for back in desk.said(PaymentReturned)])
    assert came == 1150 * len(into) + home
    assert desk.state.purses == Purses(1000 * len(into), 50 * len(into), 100 * len(into))
    assert len(into) + len(desk.state.payments) <= 3
    assert len({entry.player for entry in into}) == len(into) == desk.state.entered


def _step(desk: Desk, step: str, number: int) -> int:
    """Do something, if it is possible, and return how much money has arrived."""
    orders: dict[str, commands.TournamentCommand] = {
        "register": commands.Register(f"p{number}"),
        "leave": commands.Unregister(f"p{number}"),
    }
    asked = [event for event in desk.said(events.PaymentRequested) if event.entry == number]
    for event in asked:
        orders["again"] = AcceptFunds(event.player, event.transfer_id, "USD", 1150)
    for payment in desk.state.payments[number : number + 1]:
        player = desk.entry(payment.entry).player
        orders["pay"] = answer(payment, player)
        orders["refuse"] = RefuseFunds(player, payment.transfer_id)
    try:
        desk.do(*[orders[step]] if step in orders else [])
    except Rejected:
        return 0
    return 1150 if step in {"pay", "again"} and step in orders else 0
