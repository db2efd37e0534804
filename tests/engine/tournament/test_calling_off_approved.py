"""A plan is put on record in parts, approved by two people, and covered by the house before anything is paid."""

from __future__ import annotations

from functools import cache

import pytest

from engine.origin import HOUSE
from engine.tournament import commands
from engine.tournament import money_events as money
from engine.tournament.calling_off import case_of
from engine.tournament.cancellation import plan
from engine.tournament.director import due
from engine.tournament.refund_plan import LINES_MAX, joined, plan_hash
from tests.engine.tournament.called_off import approve, call_off, calling_off, cover, down_to, refund, rules
from tests.engine.tournament.desk import SEED, Desk, started

OTHER_HASH = bytes(32)
CANCEL = commands.CancelTournament("a fault", "ann")


def three_left(**modes: object) -> Desk:
    """Return a tournament of eight, called off with three left, of which the plan is made."""
    return call_off(down_to(started(8, seats=4, rulebook=rules("akpoker", **modes)), 3))


@cache
def _many() -> Desk:
    return down_to(started(300), 299).do(CANCEL).freeze()


def many_left() -> Desk:
    """Return a tournament called off with so many left that the plan has parts; none is made yet."""
    desk = Desk(_many().state.terms)
    desk.log, desk.state = list(_many().log), _many().state
    return desk


# The plan.


def test_the_plan_is_a_function_of_the_books() -> None:
    """T-IDEM-8, I11: what is put on record is what anybody plans from the same books."""
    desk = three_left()
    planned = plan(case_of(desk.state), desk.state.terms.rulebook.cancellation)
    assert (calling_off(desk).lines, calling_off(desk).plan_hash) == (planned.lines, plan_hash(planned))


def test_parts_make_the_plan_and_have_one_hash() -> None:
    """`design.md` section 2: a plan of more than 500 lines comes in parts, one record each."""
    parts = [event.part for event in many_left().direct().said(money.CancellationPlanned)]
    assert [(part.number, part.count) for part in parts] == [(1, 2), (2, 2)]
    assert [len(part.lines) for part in parts] == [LINES_MAX, 598 + 299 - LINES_MAX]
    assert {part.plan_hash for part in parts} == {plan_hash(joined(parts))}


def test_a_plan_is_in_force_with_its_last_part() -> None:
    """T-ABU-11: before that nobody can approve it, whatever the hash."""
    desk = many_left().do(commands.PlanCancellation())
    assert not calling_off(desk).complete
    desk.refuses(commands.ApproveCancellation(calling_off(desk).plan_hash, "ann"), "PLAN_UNKNOWN")
    desk.do(commands.PlanCancellation()).refuses(commands.PlanCancellation(), "NOTHING_DUE")
    assert approve(desk).state.calling_off == calling_off(desk)


def test_nothing_is_planned_that_was_not_called_off() -> None:
    """Rulebooks.md section 4: without a cancellation there is no plan, no approval, no cover and no refund."""
    desk = started(3)
    for command in (commands.PlanCancellation(), commands.RequestCover(), commands.PayRefunds()):
        desk.refuses(command, "NOTHING_DUE")
    desk.refuses(commands.ApproveCancellation(OTHER_HASH, "ann"), "PLAN_UNKNOWN")


# The approval.


def test_two_different_people_approve() -> None:
    """T-ABU-11: one is not enough, nor is the same one twice; with the second the plan is paid."""
    desk = approve(three_left(), "ann")
    desk.refuses(commands.ApproveCancellation(calling_off(desk).plan_hash, "ann"), "ALREADY_APPROVED")
    desk.refuses(commands.PayRefunds(), "NOTHING_DUE")
    assert due(desk.state, desk.at_ms, SEED) is None
    approve(desk, "bob")
    assert calling_off(desk).approved_by == ("ann", "bob")
    assert isinstance(due(desk.state, desk.at_ms, SEED), commands.PayRefunds)


def test_a_wrong_hash_approves_nothing() -> None:
    """T-ABU-11: who has seen another plan has not approved this one."""
    desk = three_left()
    for command in (commands.ApproveCancellation(OTHER_HASH, "ann"), commands.ApproveCancellation(b"", "ann")):
        desk.refuses(command, "PLAN_UNKNOWN")
    desk.refuses(commands.ApproveCancellation(calling_off(desk).plan_hash, ""), "FIELD_INVALID")


def test_a_third_person_changes_nothing() -> None:
    """T-ABU-11: two have approved; who comes later is told no harm, and the house is asked once."""
    desk = approve(three_left(mtt_buyin_source="house"))
    before = desk.state
    assert approve(desk, "eve").state == before
    assert len(desk.said(money.CoverRequested)) == 1


def test_a_plan_of_nothing_needs_two_people_too() -> None:
    """T-ABU-11: also where only the house gets something."""
    desk = call_off(started(3, buy_in=0, fee=0))
    assert calling_off(desk).lines == ()
    assert approve(desk, "ann").direct().state.phase == "cancelling"
    assert approve(desk, "bob").direct().state.phase == "cancelled"


# What the house pays on top of the pool.


def test_the_house_is_asked_when_two_have_approved() -> None:
    """AMB-09: literally read, buy-ins come from the house: it must pay before anybody is paid."""
    desk = approve(three_left(mtt_buyin_source="house"), "ann")
    assert desk.said(money.CoverRequested) == []
    (asked,) = approve(desk, "bob").said(money.CoverRequested)
    assert (asked.amount, calling_off(desk).cover_id) == (3000, asked.transfer_id)
    assert due(desk.state, desk.at_ms, SEED) is None
    desk.refuses(commands.PayRefunds(), "NOTHING_DUE")
    assert cover(desk).direct().state.phase == "cancelled"


def test_what_the_house_has_paid_goes_to_survivors() -> None:
    """AMB-09, I11: the cover is paid out to the last cent, each line from the purse that it names."""
    desk = refund(three_left(mtt_buyin_source="house"))
    lines = [event.sources for event in desk.said(money.ObligationPaid) if event.reason == "buy_in"]
    assert [(sources.house, sources.pool) for sources in lines] == [(1000, 0)] * 3
    assert desk.state.purses.cover == 0


def test_a_house_that_does_not_pay_is_asked_again() -> None:
    """AMB-09: a refusal stops nothing for ever; an operator asks again, under a new id."""
    desk = approve(three_left(mtt_buyin_source="house"))
    first = calling_off(desk).cover_id
    desk.do(commands.RefuseFunds(HOUSE, first)).refuses(commands.PayRefunds(), "NOTHING_DUE")
    assert due(desk.state, desk.at_ms, SEED) is None
    second = calling_off(desk.do(commands.RequestCover())).cover_id
    assert second not in {"", first}
    desk.refuses(commands.RequestCover(), "PAYMENT_PENDING")
    cover(desk).refuses(commands.RequestCover(), "PAYMENT_PENDING")
    assert desk.direct().state.phase == "cancelled"


@pytest.mark.parametrize(("unit", "amount"), [("USD", 2999), ("EUR", 3000), ("USD/play", 3000)])
def test_another_amount_or_unit_is_no_cover(unit: str, amount: int) -> None:
    """AMB-09, I4: what was not asked for goes straight back, and the house can be asked again."""
    desk = approve(three_left(mtt_buyin_source="house"))
    desk.do(commands.AcceptFunds(HOUSE, calling_off(desk).cover_id, unit, amount))
    assert [(event.unit, event.amount) for event in desk.said(money.PaymentReturned)] == [(unit, amount)]
    assert (calling_off(desk).covered, calling_off(desk).cover_id) == (False, "")
    assert refund_after_asking(desk).state.phase == "cancelled"


def refund_after_asking(desk: Desk) -> Desk:
    """Ask the house again, which pays now."""
    return cover(desk.do(commands.RequestCover())).direct()


def test_nobody_asks_a_house_that_owes_nothing() -> None:
    """AMB-09: where the pool pays all, there is no cover."""
    desk = approve(three_left())
    assert desk.said(money.CoverRequested) == []
    desk.refuses(commands.RequestCover(), "NOTHING_DUE")


def test_the_house_is_not_asked_before_two_have_approved() -> None:
    """T-ABU-11: no money moves on one person's word."""
    desk = approve(three_left(mtt_buyin_source="house"), "ann")
    desk.refuses(commands.RequestCover(), "NOTHING_DUE")
