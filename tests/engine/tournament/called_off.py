"""Tournaments that are called off: played down to given stacks, planned, approved by two people, and paid.

    desk = started(10, "akpoker", seats=10)
    end_hand(desk, 1, {1: 9000, 2: 6000})            everybody else at table 1 lost everything in one hand
    settle(desk)                                     the director has done what was due
    refund(call_off(desk))                           all tables have reported; ann and bob have approved; all is paid
    assert paid(desk, "buy_in") == [2000, 2000]      what the entries got, the one with most chips first

Hands are made up in the form in which tables report them, and no chip comes from nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from engine.origin import HOUSE
from engine.poker.money import Chips
from engine.poker.seats import clockwise, seat_set
from engine.rulebooks.loading import load
from engine.rulebooks.rulebook import Rulebook
from engine.table.hand_events import KnockOut
from engine.tournament import commands
from engine.tournament.director import due
from engine.tournament.money_events import HousePaid, ObligationPaid, TicketIssued
from engine.tournament.state import CallingOff, DirectedTable, left, open_tables, table_of
from engine.tournament.terms import ChipSale
from tests.engine.tournament.desk import SEED, Desk, started

PEOPLE = ("ann", "bob")
CANCEL = commands.CancelTournament("a fault", "ann")
REBUY = ChipSale(1000, 100, 1500, last_level=3, most=2)


def rules(house: str, **modes: object) -> Rulebook:
    """Return a rulebook with other values in some fields of its cancellation."""
    rulebook = load(house)
    return replace(rulebook, cancellation=replace(rulebook.cancellation, **modes))


def running() -> Desk:
    """Return a tournament at two tables, of which one is out."""
    return down_to(started(10, seats=6), 9)


# Play.


def end_hand(desk: Desk, table: int, after: Mapping[int, Chips]) -> Desk:
    """Let a table end a hand after which these entries have these stacks; all others there have lost everything."""
    there = desk.at(table)
    stacks = [after.get(entry.number, 0) for entry in there]
    assert sum(stacks) == sum([entry.chips for entry in there]), "no chip comes from nowhere"
    winner = max(after, key=lambda number: after[number])
    places = clockwise(seat_set([entry.seat for entry in there]), table_of(desk.state, table).button)
    button, small_blind, big_blind = (places * 3)[:3]
    return desk.do(
        commands.RecordHand(
            table=table,
            number=table_of(desk.state, table).hands + 1,
            button=button,
            small_blind=small_blind,
            big_blind=big_blind,
            entries=tuple([entry.number for entry in there]),
            stacks=tuple([entry.chips for entry in there]),
            stacks_after=tuple(stacks),
            knock_outs=tuple([KnockOut(e.number, (winner,)) for e in there if e.number not in after]),
        )
    )


def in_play(desk: Desk) -> list[DirectedTable]:
    """Return the tables that play a hand."""
    return [table for table in open_tables(desk.state) if not table.idle]


def settle(desk: Desk) -> Desk:
    """Let the director do all that is due, and everybody arrive who moves."""
    desk.direct()
    while moving := [entry.number for entry in desk.state.entries if entry.status == "moving"]:
        desk.arrive(moving[0]).direct()
    return desk


def down_to(desk: Desk, count: int) -> Desk:
    """Play until so many entries are left: in each round one entry wins everything at a table, the others play on."""
    while (more := left(desk.state) - count) > 0:
        first, *others = [table.number for table in in_play(desk)]
        winner, *losers = [entry.number for entry in desk.at(first)]
        desk.hand(first, dict.fromkeys(losers[:more], winner))
        for number in others:
            desk.hand(number)
        settle(desk)
    return desk


# The cancellation.


def calling_off(desk: Desk) -> CallingOff:
    """Return the cancellation."""
    assert desk.state.calling_off is not None, "nobody has called the tournament off"
    return desk.state.calling_off


def call_off(desk: Desk) -> Desk:
    """Call the tournament off; the tables report at once, and the plan is made."""
    return settle(desk.do(commands.CancelTournament("a fault", "ann")).freeze())


def approve(desk: Desk, *people: str) -> Desk:
    """Let people approve the plan, by default two."""
    for person in people or PEOPLE:
        desk.do(commands.ApproveCancellation(calling_off(desk).plan_hash, person))
    return desk


def cover(desk: Desk) -> Desk:
    """Let the money arrive that the house was asked for on top of the pool."""
    summary, terms = calling_off(desk).summary, desk.state.terms
    assert summary is not None, "it is asked for when the plan is approved"
    return desk.do(commands.AcceptFunds(HOUSE, calling_off(desk).cover_id, terms.unit, summary.totals.house))


def refund(desk: Desk) -> Desk:
    """Let two people approve the plan, the house pay its part, and all be paid."""
    approve(desk)
    return (cover(desk) if calling_off(desk).cover_id else desk).direct()


def verify_waits(desk: Desk) -> None:
    """Assert that nothing is due, no plan is made, and none can be."""
    assert due(desk.state, desk.at_ms, SEED) is None
    assert calling_off(desk).parts == 0
    desk.refuses(commands.PlanCancellation(), "NOTHING_DUE")


# What was paid.


def obligations(desk: Desk) -> list[ObligationPaid | TicketIssued]:
    """Return what the cancellation has paid to players, in its order."""
    about = [event for event in desk.log if isinstance(event, ObligationPaid | TicketIssued)]
    return about[len(about) - calling_off(desk).paid_lines :]


def paid(desk: Desk, *reasons: str) -> list[Chips]:
    """Return what entries got for some reasons, or for all; the one with most chips first, equals by number."""
    got: Counter[int] = Counter()
    for event in obligations(desk):
        if not reasons or event.reason in reasons:
            got[event.entry] += event.sources.amount if isinstance(event, ObligationPaid) else event.amount
    return [got[number] for number in sorted(got, key=lambda number: (-desk.entry(number).chips, number))]


def to_house(desk: Desk) -> dict[str, Chips]:
    """Return what the house got from the tournament, by what for."""
    debts: Counter[str] = Counter()
    for event in desk.said(HousePaid):
        debts[event.debt] += event.sources.amount + event.overlay
    return dict(debts)
