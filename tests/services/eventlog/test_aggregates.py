"""The three kinds of aggregates behind one table."""

from __future__ import annotations

import pytest

from engine.account.commands import Deposit, OpenAccount
from engine.account.events import FundsDeposited
from engine.errors import NotFound
from engine.ledger import postings
from engine.origin import Origin
from engine.reactions import Command
from engine.table.commands import Fold
from engine.tournament.commands import CreateTournament
from services.eventlog import aggregates
from services.eventlog.aggregates import execute, hand_of, replay, unit_of, verify_consequences
from services.eventlog.canonical import canonical
from tests.engine.tournament.announcements import terms
from tests.engine.workload import opening

CREATED: tuple[tuple[str, Command, str], ...] = (
    ("table/T1", opening("T1", 0), "USD"),
    ("account/P1", OpenAccount("P1"), ""),
    ("tournament/T", CreateTournament("T", terms()), "USD"),
)


@pytest.mark.parametrize(("address", "command", "unit"), CREATED)
def test_what_is_executed_can_be_replayed(address: str, command: Command, unit: str) -> None:
    """Each kind: the events alone lead to the state that the command led to, and it says what it counts in."""
    events, state = execute(address, None, command, 1_000)
    assert replay(address, None, events, 1_000) == state is not None
    assert unit_of(state) == unit


def test_a_refusal_comes_through() -> None:
    """What the rules refuse is refused here too."""
    with pytest.raises(NotFound):
        execute("account/P1", None, Deposit("USD", 100, "cash"), 0)


def test_a_command_of_a_hand_is_bound_to_it() -> None:
    """`trust.md` section 5: a repeated action of a hand that is over is refused as stale, so it is not remembered."""
    assert hand_of("table/T1", canonical(Fold("P1", "T1/7", 3))) == "T1/7"


@pytest.mark.parametrize(("address", "command", "_unit"), CREATED)
def test_other_commands_are_bound_to_no_hand(address: str, command: Command, _unit: str) -> None:
    """`trust.md` section 5: they are remembered by time."""
    assert not hand_of(address, canonical(command))


def test_money_made_from_nothing_is_found_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """M19: entries that do not sum to zero are an assertion, so nothing is written."""
    origin, event = Origin("account/P1", 2, 0, ""), FundsDeposited("USD", 100, "cash")
    verify_consequences(origin, (event, event))
    monkeypatch.setattr(aggregates, "postings", lambda origin, event: postings(origin, event)[:1])
    with pytest.raises(AssertionError, match="makes or loses"):
        verify_consequences(origin, (event,))
