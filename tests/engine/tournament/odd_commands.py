"""Commands with odd values in every field, and tournaments in every phase for them to meet (T-ABU-9).

A field gets values that are right somewhere, next to all that a careless or hostile sender might put there: nothing,
less than nothing, more than fits, texts that are no names, and reports that contradict themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from hypothesis import strategies as st

from engine.poker.money import CHIPS_MAX
from engine.table.hand_events import KnockOut
from engine.table.seat_events import LeaveCause, Luggage
from engine.tournament import commands
from engine.tournament.commands import TournamentCommand
from engine.tournament.terms import ChipSale, Terms, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk, started

SALE = ChipSale(price=900, fee=90, chips=1200, last_level=1, most=2)
SUNDAY = Ticket("ticket/Sunday", 1100)
BAD_TEXTS = ("", "x" * 201, "two\nlines", "\x00")
BAD_NUMBERS = (-1, CHIPS_MAX + 1, 2**70, -(2**70))
ODD_TERMS = (terms(), terms(guarantee=5000), terms(name=""), terms(buy_in=-1), terms(levels=()))


def _in_play() -> Desk:
    return started(4, seats=2, rebuy=SALE, add_on=SALE, bounty=50).wait(seconds=1)


def _registering() -> Desk:
    desk = Desk(terms(ticket=SUNDAY)).enter("p1")
    return desk.do(commands.Register("p2"), commands.Register("p3", with_ticket=True)).pay()


def _cancelling() -> Desk:
    return _in_play().do(commands.CancelTournament("fire", "ann"))


PHASES: dict[str, Callable[[], Desk]] = {
    "funding": lambda: Desk(terms(guarantee=5000)),
    "registering": _registering,
    "seating": lambda: Desk(terms(entries=2)).enter("p1", "p2").do(commands.StartTournament(SEED)),
    "running": _in_play,
    "moving": lambda: _in_play().hand(1).hand(2, lost={4: 2}).do(commands.Arrange(SEED)),
    "buying": lambda: _in_play().do(commands.Rebuy("p1")).hand(1, lost={3: 1}).direct(),
    "hand for hand": lambda: started(6, seats=3, hand_for_hand=4).wait(seconds=1),
    "paused": lambda: _in_play().do(commands.PauseTournament("outage", "ann")),
    "finished": lambda: started(2).hand(1, lost={2: 1}).direct(),
    "cancelling": _cancelling,
    "planned": lambda: _cancelling().freeze().direct(),
}


@cache
def tournament_in(phase: str) -> Desk:
    """Return a tournament in this phase; nobody may change it."""
    return PHASES[phase]()


@cache
def odd_commands(phase: str) -> st.SearchStrategy[TournamentCommand]:
    """Return commands of every kind for a tournament in this phase, any field of which may be odd."""
    values = _values(tournament_in(phase))
    kinds = [st.builds(kind, **_fields(kind, values)) for kind in get_args(TournamentCommand)]
    return st.one_of(kinds)


def _fields(kind: type, values: dict[Any, st.SearchStrategy[Any]]) -> dict[str, st.SearchStrategy[Any]]:
    hints = get_type_hints(kind)
    return {field.name: values[hints[field.name]] for field in msgspec.structs.fields(kind)}


def _values(desk: Desk) -> dict[Any, st.SearchStrategy[Any]]:
    """Return what the fields of each type may hold: right for this tournament, or odd."""
    texts = st.sampled_from([*BAD_TEXTS, *_names(desk)])
    numbers = st.sampled_from([*BAD_NUMBERS, *range(10), 990, 1100, 1500, CHIPS_MAX])
    several = st.lists(numbers, max_size=3).map(tuple)
    calling_off = desk.state.calling_off
    plan_hash = b"" if calling_off is None else calling_off.plan_hash
    away = st.sampled_from(["", "timeout", "disconnected", "sat_out"])
    return {
        str: texts,
        int: numbers,
        bool: st.booleans(),
        bytes: st.sampled_from([b"", bytes(31), SEED, plan_hash]),
        Terms: st.sampled_from(ODD_TERMS),
        tuple[int, ...]: several,
        tuple[KnockOut, ...]: st.lists(st.builds(KnockOut, numbers, several), max_size=2).map(tuple),
        Luggage: st.builds(Luggage, numbers, away, st.booleans(), st.booleans(), numbers),
        LeaveCause: st.sampled_from(get_args(LeaveCause)),
    }


def _names(desk: Desk) -> Iterator[str]:
    """Yield players, units, people, and what was asked for."""
    yield from ("p1", "p2", "p3", "p4", "p9", "house", "USD", "EUR", "ticket/Sunday", "chips/T", "ann", "bob")
    yield from [payment.transfer_id for payment in desk.state.payments]
    yield desk.state.overlay_id
