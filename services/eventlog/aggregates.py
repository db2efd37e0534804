"""The three kinds of aggregates as one: what the writer of a partition must be able to ask of any of them.

    execute(address, state, command, at_ms, deck) -> what happens, and the state after it
    replay(address, state, events, at_ms)         -> the state after the events of a record
    unit_of(state)                                -> what it counts in
    hand_of(address, command)                     -> the hand that a request is bound to, if it is
    plays(state)                                  -> whether a hand is in progress

The kind is what an address begins with: "table/T7", "account/P3", "tournament/SNG9". Everything that is particular to
poker stays behind this table, so that the writer, its memory and the log know none of it. A state is None as long as
the aggregate does not exist. How long a request is remembered is said here too, since it depends on what a repetition
could do (`trust.md` section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from engine.account import decide as account
from engine.account import evolve as account_evolve
from engine.account.commands import AccountCommand
from engine.account.state import Account
from engine.ledger import postings
from engine.origin import Origin
from engine.poker.deck import Deck
from engine.reactions import Command, Event, reactions
from engine.table import decide as table
from engine.table import evolve as table_evolve
from engine.table.state import Table
from engine.tournament import decide as tournament
from engine.tournament import evolve as tournament_evolve
from engine.tournament.commands import TournamentCommand
from engine.tournament.state import Tournament
from services.eventlog.envelope import kind_of

State: TypeAlias = Table | Account | Tournament
Decided: TypeAlias = tuple[tuple[Event, ...], State | None]

DAY_MS: Final = 24 * 60 * 60 * 1000
YEAR_MS: Final = 366 * DAY_MS


class Kind(msgspec.Struct, frozen=True, gc=False):
    """One kind of aggregate."""

    state: type[State]
    execute: Callable[[Any, Any, int, Deck | None], Decided]
    evolve: Callable[[Any, Any, int], State | None]
    remembered_ms: int
    """How long a request to it is remembered, by event time, unless it is bound to a hand."""


def execute(address: str, state: State | None, command: Command, at_ms: int, deck: Deck | None = None) -> Decided:
    """Return what happens when a command arrives at `at_ms` (milliseconds on the log), and the state after it.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    return KINDS[kind_of(address)].execute(state, command, at_ms, deck)


def replay(address: str, state: State | None, events: Iterable[Event], at_ms: int) -> State | None:
    """Return the state after events that happened at `at_ms` (milliseconds on the log)."""
    evolve = KINDS[kind_of(address)].evolve
    for event in events:
        state = evolve(state, event, at_ms)
    return state


def unit_of(state: State | None) -> str:
    """Return what a table counts in, the currency of a tournament; an account names the unit in each event."""
    match state:
        case Table(config=config):
            return config.unit
        case Tournament(terms=terms):
            return terms.unit
        case _:
            return ""


def hand_of(address: str, command: bytes) -> str:
    """Return the hand to which a table's command, in canonical bytes, is bound; empty if it is not bound to one.

    It is refused as stale when that hand is over, so repeating it later does no harm.
    """
    return _BOUND.decode(command).hand_id if address.startswith("table/") else ""


def plays(state: State | None) -> bool:
    """Return whether a hand is in progress, so that its seed may be needed."""
    return isinstance(state, Table) and state.hand is not None


def verify_consequences(origin: Origin, events: tuple[Event, ...]) -> None:
    """Assert that the books balance after events, and work out what follows from them, before any of it is written.

    Args:
        origin: The place of the first event; the others follow it.
        events: What happened.
    """
    for place, event in enumerate(events):
        at = msgspec.structs.replace(origin, version=origin.version + place) if place else origin
        total = sum(entry.amount for entry in postings(at, event))
        assert not total, f"{type(event).__name__} makes or loses {total} of its unit"
        reactions(at, event)


def _execute_account(state: Account | None, command: AccountCommand, at_ms: int, _deck: Deck | None) -> Decided:
    events = account.decide(state, command, at_ms)
    return events, account_evolve.replay(events, at_ms, state)


def _execute_tournament(
    state: Tournament | None, command: TournamentCommand, at_ms: int, _deck: Deck | None
) -> Decided:
    return tournament.execute(state, command, at_ms)


KINDS: Final[Mapping[str, Kind]] = {
    "table": Kind(Table, table.execute, table_evolve.evolve, DAY_MS),
    "account": Kind(Account, _execute_account, account_evolve.evolve, YEAR_MS),
    "tournament": Kind(Tournament, _execute_tournament, tournament_evolve.evolve, YEAR_MS),
}
"""The kinds. A tournament is over long before its requests are forgotten."""


class _Bound(msgspec.Struct, gc=False):
    """The one field of a command that is looked at here."""

    hand_id: str = ""


_BOUND: Final = msgspec.json.Decoder(_Bound)
