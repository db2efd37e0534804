"""Random walks through a tournament with everything in it: re-entries, rebuys, an add-on, bounties, tickets, moves.

Players and accounts do whatever comes, tables end hands, time passes, and at the end the tournament is played out. All
along the books must show what came in, and afterwards every cent and every chip is accounted for (I4, I5, I12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Rejected
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.director import wakes_at_ms
from engine.tournament.state import Purses, accepted, open_tables
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import Desk

REBUY = ChipSale(price=900, fee=90, chips=1200, last_level=3, most=3, stack_max=3000)
ADD_ON = ChipSale(price=800, fee=0, chips=5000, first_level=2, last_level=3)
ANNOUNCED = terms(
    seats=3,
    starts_at_ms=10_000,
    entries_max=9,
    late_levels=3,
    entries_per_player=2,
    bounty=75,
    rebuy=REBUY,
    add_on=ADD_ON,
    ticket=Ticket("ticket/Sunday", 1175),
    guarantee=12_000,
)
Step: TypeAlias = Callable[[Desk, int], object]


def _pay(desk: Desk, number: int) -> None:
    """Let money arrive that somebody was asked for."""
    if desk.state.payments:
        desk.pay(number % len(desk.state.payments))


def _refuse(desk: Desk, number: int) -> None:
    """Let an account refuse to pay."""
    if desk.state.payments:
        desk.refuse(number % len(desk.state.payments))


def _hand(desk: Desk, number: int) -> None:
    """Let a table end its hand; often somebody loses all to his neighbour, sometimes two do."""
    playing = [table for table in open_tables(desk.state) if not table.idle]
    if playing:
        table = playing[number % len(playing)].number
        winner, *others = [entry.number for entry in desk.at(table)]
        desk.hand(table, lost=dict.fromkeys(others[: number % 3], winner))


def _arrive(desk: Desk, number: int) -> None:
    """Let an entry leave its table that was told to."""
    moving = [entry.number for entry in desk.state.entries if entry.status == "moving"]
    if moving:
        desk.arrive(moving[number % len(moving)])


STEPS: dict[str, Step] = {
    "register": lambda desk, number: desk.do(commands.Register(f"p{number}")),
    "register with a ticket": lambda desk, number: desk.do(commands.Register(f"p{number}", with_ticket=True)),
    "unregister": lambda desk, number: desk.do(commands.Unregister(f"p{number}")),
    "rebuy": lambda desk, number: desk.do(commands.Rebuy(f"p{number}")),
    "add-on": lambda desk, number: desk.do(commands.AddOn(f"p{number}")),
    "decline": lambda desk, number: desk.do(commands.DeclineRebuy(f"p{number}")),
    "pay": _pay,
    "refuse": _refuse,
    "hand": _hand,
    "arrive": _arrive,
    "direct": lambda desk, _: desk.direct(),
    "wait": lambda desk, number: desk.wait(seconds=5 ** (number % 5)).direct(),
    "pause": lambda desk, _: desk.do(commands.PauseTournament("outage", "ann")),
    "resume": lambda desk, _: desk.do(commands.ResumeTournament("ann")),
}


def _step(desk: Desk, step: str, number: int) -> None:
    """Do something, if it is possible."""
    try:
        STEPS[step](desk, number)
    except Rejected:
        return


def _play_out(desk: Desk) -> None:
    """Let nobody buy any more, and all tables play to the end."""
    while desk.state.payments:
        desk.refuse()
    _step(desk, "resume", 0)
    for number in range(500):
        if desk.direct().state.phase == "finished":
            return
        before = desk.state
        _hand(desk, 1)
        _arrive(desk, number)
        if desk.state is before:
            desk.sleep()
    assert desk.state.phase == "finished", "the tournament does not end"


def _verify_books(desk: Desk) -> None:
    """Assert that purses and stacks are what was paid in, less what was paid out."""
    state, out = desk.state, Purses()
    entries = accepted(state)
    obligations = [paid.sources for paid in desk.said(events.ObligationPaid)]
    for took in [*obligations, *[paid.sources for paid in desk.said(events.HousePaid)]]:
        out = Purses(out.pool + took.pool, out.bounty_pool + took.bounty_pool, out.fees + took.fees)
    pool = sum([received.pool for received in desk.said(events.PaymentReceived)]) + state.overlay_added
    fees = sum([received.fee for received in desk.said(events.PaymentReceived)])
    bounties = sum([received.bounty for received in desk.said(events.PaymentReceived)])
    held = state.purses
    assert (held.pool, held.bounty_pool, held.fees) == (pool - out.pool, bounties - out.bounty_pool, fees - out.fees)
    withdrawn = 1500 * len(desk.said(events.EntryWithdrawn))
    bought = sum([received.chips for received in desk.said(events.PaymentReceived)]) - withdrawn
    assert bought == sum([entry.chips + entry.due for entry in entries])
    live = Counter([entry.player for entry in entries if entry.status not in {"out", "won"}])
    assert max(live.values(), default=1) == 1
    assert len(entries) == state.entered <= 9


@given(
    st.integers(2, 7),
    st.lists(st.tuples(st.sampled_from([*STEPS, "hand", "hand", "pay", "pay", "direct"]), st.integers(0, 5))),
)
@settings(max_examples=60, deadline=None)
def test_whatever_players_do_the_books_are_right(players: int, steps: list[tuple[str, int]]) -> None:
    """I4, I5, I12, operations.md section 4: all is where the books say, and at the end nothing is left."""
    desk = Desk(ANNOUNCED)
    desk.do(commands.AcceptFunds("house", desk.state.overlay_id, "USD", 12_000))
    desk.enter(*[f"p{number}" for number in range(players)]).sleep()
    for step, number in steps:
        _step(desk, step, number)
        _verify_books(desk)
    _play_out(desk)
    _verify_books(desk)
    assert (desk.state.phase, desk.state.purses, wakes_at_ms(desk.state)) == ("finished", Purses(), None)
    paid = [obligation.transfer_id for obligation in desk.said(events.ObligationPaid)]
    assert len(set(paid)) == len(paid)
    assert desk.state.prizes_paid == desk.state.prize_pool >= 12_000
    places = Counter([entry.out_number for entry in accepted(desk.state)])
    assert all(places[entry.out_number] == entry.tied for entry in accepted(desk.state))
