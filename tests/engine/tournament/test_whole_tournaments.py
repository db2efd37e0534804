"""Whole tournaments at random, from the announcement to the last prize, each watched event by event (O-30 to O-36)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.rulebooks.loading import load
from engine.tournament.events import TournamentEvent
from engine.tournament.money_events import OverlayAdded, TicketIssued, TicketRedeemed
from engine.tournament.play_events import (
    BreakStarted,
    ChipsIssued,
    EntryBusted,
    EntrySeated,
    HandForHandBegan,
    MoveOrdered,
    SyncHandStarted,
    TableBroken,
    TournamentPaused,
)
from engine.tournament.terms import ChipSale, Terms, Ticket
from tests.engine.tournament.announcements import levels, terms
from tests.engine.tournament.lively_tourney import Run, Wishes, verify_end

HANDS_MAX = 1500
HOUSES = ("modern", "akpoker", "pacific", "planet", "freeguide")
TICKET = Ticket("ticket/final", 3000)
SATELLITE_TICKET = Ticket("ticket/step", 1100)
REBUY = ChipSale(price=1000, fee=50, chips=1500, last_level=2, most=3, stack_max=1500)
ADD_ON = ChipSale(price=500, fee=0, chips=2000, first_level=2, last_level=2)
LATE: dict[str, Any] = {"starts_at_ms": 0, "late_levels": 2, "entries_max": 60}


def quick(house: str = "modern", break_seconds: int = 0, **changes: Any) -> Terms:  # noqa: ANN401 - fields of Terms.
    """Return an announcement with levels of five minutes."""
    steps = levels(load(house), seconds=300)
    return terms(house, levels=tuple([replace(level, break_seconds=break_seconds) for level in steps]), **changes)


KINDS: dict[str, tuple[Terms, int, Wishes, tuple[type[TournamentEvent], ...]]] = {
    "heads-up": (quick(entries=2, seats=2), 2, Wishes(), ()),
    "nine-handed": (quick(entries=9, seats=9), 9, Wishes(), ()),
    "six-handed tables": (quick(entries=31, seats=6), 31, Wishes(), (MoveOrdered, TableBroken)),
    "heads-up tables": (quick(entries=16, seats=2), 16, Wishes(), (MoveOrdered, TableBroken)),
    "bounties": (quick(entries=20, seats=6, bounty=501), 20, Wishes(), ()),
    "rebuys and add-on": (
        quick(entries=18, seats=6, rebuy=REBUY, add_on=ADD_ON, break_seconds=60),
        18,
        Wishes(rebuys=70, add_ons=60),
        (EntryBusted, ChipsIssued, BreakStarted),
    ),
    "late and again": (
        quick(seats=6, entries_per_player=3, bounty=200, **LATE),
        12,
        Wishes(late=15, again=40),
        (EntrySeated, MoveOrdered),
    ),
    "all that can be bought": (
        quick(seats=5, entries_per_player=2, rebuy=REBUY, add_on=ADD_ON, bounty=333, break_seconds=60, **LATE),
        11,
        Wishes(late=9, rebuys=50, add_ons=50, again=30),
        (EntryBusted, ChipsIssued, EntrySeated),
    ),
    "satellite": (
        quick(entries=20, seats=6, satellite=TICKET, hand_for_hand=3, fee=0),
        20,
        Wishes(),
        (TicketIssued, HandForHandBegan),
    ),
    "paid with tickets": (quick(entries=12, ticket=SATELLITE_TICKET), 12, Wishes(tickets=50), (TicketRedeemed,)),
    "freeroll": (quick(entries=24, seats=9, buy_in=0, fee=0, guarantee=10_000), 24, Wishes(), (OverlayAdded,)),
    "freeroll for nothing": (quick(entries=12, seats=6, buy_in=0, fee=0), 12, Wishes(), ()),
    "guarantee": (quick(entries=12, seats=6, guarantee=50_000), 12, Wishes(), (OverlayAdded,)),
    "hand for hand": (quick(entries=30, seats=5, hand_for_hand=8), 30, Wishes(), (SyncHandStarted, HandForHandBegan)),
    "hand for hand heads-up": (quick(entries=24, seats=2, hand_for_hand=24), 24, Wishes(), (SyncHandStarted,)),
    "troubles": (
        quick(entries=30, seats=5, bounty=333, hand_for_hand=12, rebuy=REBUY),
        30,
        Wishes(rebuys=50, trouble=10),
        (TournamentPaused, SyncHandStarted),
    ),
    **{house: (quick(house, entries=23, seats=8, bounty=50), 23, Wishes(), (MoveOrdered,)) for house in HOUSES},
}
"""The announcement, players in time, what they wish, and events that such a tournament cannot do without."""


SEEDS = (1, 2, 3)


@cache
def played(kind: str, seed: int) -> Run:
    """Return a tournament of a kind after its end."""
    announced, players, wishes, _ = KINDS[kind]
    run = Run(announced, players, wishes, seed)
    run.play_out(HANDS_MAX)
    return run


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_tournament_is_played_to_its_end(kind: str, seed: int) -> None:
    """O-30 to O-36, I4, I11, I12: after every event the books balance, and at the end all is paid, and once."""
    verify_end(played(kind, seed))


@pytest.mark.parametrize("kind", KINDS)
def test_the_kinds_are_what_they_say(kind: str) -> None:
    """Over some seeds each kind has what it is there to show: moves, rebuys, tickets, synchronised hands."""
    seen = {type(event) for seed in SEEDS for event in played(kind, seed).watcher.log}
    assert not set(KINDS[kind][3]) - seen


# Any announcement.


@st.composite
def sales(draw: st.DrawFn, rebuy: bool) -> ChipSale | None:
    """Draw what can be bought, if anything."""
    if not draw(st.booleans()):
        return None
    first = 0 if rebuy else draw(st.integers(0, 3))
    last = draw(st.integers(first, 3))
    most, stack_max = draw(st.integers(1, 3)), draw(st.sampled_from([0, 1500]))
    price, fee = draw(st.sampled_from([1, 333, 1000])), draw(st.integers(0, 1))
    return ChipSale(price, fee, draw(st.sampled_from([1500, 777])), first, last, most, stack_max)


@st.composite
def announcements(draw: st.DrawFn) -> tuple[Terms, int, Wishes]:
    """Draw a tournament of any kind, how many are there in time, and what they wish."""
    house, players = draw(st.sampled_from(HOUSES)), draw(st.integers(2, 20))
    late = draw(st.booleans())
    changes: dict[str, Any] = {
        "seats": draw(st.integers(2, 10)),
        "buy_in": draw(st.sampled_from([0, 1, 999, 1000])),
        "fee": draw(st.sampled_from([0, 100])),
        "bounty": draw(st.sampled_from([0, 0, 1, 333])),
        "hand_for_hand": draw(st.sampled_from([0, 1, 4, 40])),
        "guarantee": draw(st.sampled_from([0, 0, 7777])),
        "rebuy": draw(sales(rebuy=True)),
        "rebuy_seconds": draw(st.sampled_from([1, 60, 600])),
        "add_on": draw(sales(rebuy=False)),
        "satellite": draw(st.sampled_from([None, None, Ticket("ticket/final", 2500)])),
        "entries_max": 60 if late else players,
    }
    if late:
        changes |= {"starts_at_ms": 0, "late_levels": draw(st.integers(0, 3)), "entries_per_player": 2}
    announced = quick(house, draw(st.sampled_from([0, 90])), **changes)
    wishes = Wishes(draw(st.integers(0, 8)) if late else 0, rebuys=60, add_ons=50, again=30 if late else 0)
    wishes = replace(wishes, trouble=draw(st.sampled_from([0, 0, 10])))
    return announced, players, wishes


@given(announcements(), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_any_tournament_ends_and_balances(drawn: tuple[Terms, int, Wishes], seed: int) -> None:
    """O-30 to O-36, I4, I11, I12: whatever was announced, and whatever the players do."""
    run = Run(*drawn, seed)
    run.play_out(HANDS_MAX)
    verify_end(run)
