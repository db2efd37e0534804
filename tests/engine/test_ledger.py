"""The books: which events move money, between which lines, and that the lines are what tables and accounts hold."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.account import commands
from engine.account import events as account
from engine.account.commands import AccountCommand
from engine.account.decide import decide
from engine.account.events import AccountEvent
from engine.account.evolve import evolve
from engine.account.state import Account
from engine.errors import Rejected
from engine.ledger import CASH_DESK, MOVES, Posting, by_kind, funds_of, in_transit, postings, printed, trial_balance
from engine.origin import HOUSE, Origin
from engine.poker.money import Chips
from engine.reactions import Event
from engine.table import events as table
from engine.table.commands import QueueChips, RequestTopUp, ReserveSeat
from engine.table.events import TableEvent
from tests.engine.auditor import lines_of_table
from tests.engine.table.game import cash
from tests.engine.table.play import fold_out
from tests.engine.table.played import Play
from tests.engine.table.random_play import often, plays

SILENT: tuple[type, ...] = (
    # A table as a whole, its seats and who sits there. What was asked for has not moved yet.
    table.TableCreated,
    table.TableClosing,
    table.TableClosed,
    table.TableHalted,
    table.TableResumed,
    table.LevelChanged,
    table.HandsLimited,
    table.StacksReported,
    table.ClockPaused,
    table.ClockResumed,
    table.SeatHeld,
    table.SeatReserved,
    table.SeatReleased,
    table.LeaveRequested,
    table.PlayerSatOut,
    table.SitOutPlanned,
    table.PlayerSatIn,
    table.EntryPlanned,
    table.PreferencesSet,
    table.TopUpReserved,
    table.TopUpReleased,
    table.ChipsAdded,  # From the queue of a player into his stack: both are on the line of the stacks.
    # A hand. HandStarted, HandEnded and HandReported say what stacks are; they do not make them so.
    table.ButtonDrawn,
    table.HandStarted,
    table.ButtonMoved,
    table.BlindMissed,
    table.HoleCardsDealt,
    table.StreetDealt,
    table.Folded,
    table.Checked,
    table.WentAllIn,  # Comes with the call, bet, raise or post that moved the chips.
    table.TimeBankStarted,
    table.TimeBankUsed,
    table.TurnClockRestarted,
    table.ConnectionLost,
    table.ConnectionRestored,
    table.ProtectionRequested,
    table.PlayerProtected,
    table.ProtectionRefused,
    table.PotSplit,
    table.ShowOffered,
    table.HandShown,
    table.HandMucked,
    table.HandEnded,
    table.HandReported,
    # An account.
    account.AccountOpened,
    account.AccountFrozen,
    account.AccountUnfrozen,
    account.FundsRefused,
    account.ProtectionUsed,
    account.ProtectionRefused,
    account.ProtectionsReset,
    account.ProtectionGivenBack,
    account.ProtectionsRevoked,
    account.ProtectionsRestored,
)
"""The events that move no money."""

OURS = frozenset({*get_args(TableEvent), *get_args(AccountEvent)})
"""Those of tournaments are in `test_ledger_tournament.py`."""

AT_TABLE = Origin("table/T1", 7, 0, "USD")
AT_ACCOUNT = Origin("account/p1", 7, 0, "")
AT_HOUSE = Origin(f"account/{HOUSE}", 7, 0, "")

SAMPLES: tuple[tuple[Origin, Event, dict[str, Chips]], ...] = (
    (AT_ACCOUNT, account.FundsDeposited("USD", 50, "bank"), {CASH_DESK: -50, "player funds/p1": 50}),
    (AT_ACCOUNT, account.FundsWithdrawn("USD", 50, "bank"), {"player funds/p1": -50, CASH_DESK: 50}),
    (
        AT_ACCOUNT,
        account.FundsSent("x", "USD", 50, "table/T1", "buy_in", ""),
        {"player funds/p1": -50, "in transit/x": 50},
    ),
    (
        AT_ACCOUNT,
        account.FundsReceived("x", "USD", 50, "table/T1", "leaving"),
        {"in transit/x": -50, "player funds/p1": 50},
    ),
    (AT_HOUSE, account.FundsReceived("x", "USD", 50, "table/T1", "rake"), {"in transit/x": -50, "house funds": 50}),
    (AT_TABLE, table.PlayerSeated(0, "p1", 50, "x"), {"in transit/x": -50, "stacks/T1": 50}),
    (AT_TABLE, table.ChipsQueued(0, "p1", 50, "x"), {"in transit/x": -50, "stacks/T1": 50}),
    (AT_TABLE, table.PlayerLeft(0, "p1", 50, "x", "player"), {"stacks/T1": -50, "in transit/x": 50}),
    (AT_TABLE, table.PlayerLeft(0, "p1", 0, "x", "player"), {}),
    (AT_TABLE, table.ChipsReturned(0, "p1", 50, "x"), {"stacks/T1": -50, "in transit/x": 50}),
    (AT_TABLE, table.AntePosted(0, 5, dead=False), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.BlindPosted(0, 5, "small"), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.DeadBlindPosted(0, 5), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.Called(0, 5), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.Bet(0, 5, 5, full=True), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.Raised(0, 5, 9, full=True), {"stacks/T1": -5, "pots/T1": 5}),
    (AT_TABLE, table.UncalledBetReturned(0, 5), {"pots/T1": -5, "stacks/T1": 5}),
    (AT_TABLE, table.RakeTaken((7, 0, 3)), {"pots/T1": -10, "rake held/T1": 10}),
    (AT_TABLE, table.PotAwarded(0, (0, 1), (6, 5), (1, 0)), {"pots/T1": -11, "stacks/T1": 11}),
    (
        AT_TABLE,
        table.HandVoided("T1-1", "a fault", "ann", (0, 1), (50, 50), (30, -10), 2, ()),
        {"rake held/T1": -2, "pots/T1": 2 - 20, "stacks/T1": 20},
    ),
    (AT_TABLE, table.RakeSwept(10, "x"), {"rake held/T1": -10, "in transit/x": 10}),
)
"""One event or more of each kind that moves money, with what it does to each line."""


def lines(entries: tuple[Posting, ...]) -> dict[str, Chips]:
    """Return the sum of the entries of each line."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[entry.line] += entry.amount
    return dict(sums)


# Every event.


def test_every_event_moves_money_or_is_silent() -> None:
    """I4: an event that is new has its entries, or somebody has decided that it moves nothing."""
    assert Counter([*OURS.intersection(MOVES), *SILENT]) == Counter(OURS)


def test_every_kind_of_move_has_a_sample() -> None:
    """The table of samples is complete."""
    assert {type(event) for _, event, _ in SAMPLES} == OURS.intersection(MOVES)


@pytest.mark.parametrize(("origin", "event", "expected"), SAMPLES)
def test_an_event_moves_money_between_these_lines(origin: Origin, event: Event, expected: dict[str, Chips]) -> None:
    """`design.md` section 3: what leaves one line comes to another, in the unit of the event or of its table."""
    entries = postings(origin, event)
    assert lines(entries) == expected
    assert {entry.unit for entry in entries} <= {"USD"}


@pytest.mark.parametrize(("origin", "event"), [(origin, event) for origin, event, _ in SAMPLES])
def test_postings_sum_to_zero(origin: Origin, event: Event) -> None:
    """I4, M19: double entry; nothing is written on one side only, nothing twice on the other."""
    assert sum(entry.amount for entry in postings(origin, event)) == 0


def test_a_silent_event_has_no_entries() -> None:
    """I4: what moves nothing writes nothing."""
    assert postings(AT_TABLE, table.Checked(0)) == ()


def test_entries_of_nothing_are_left_out() -> None:
    """A void hand without rake has no entry for rake."""
    voided = table.HandVoided("T1-1", "a fault", "ann", (0, 1), (50, 50), (5, 10), 0, ())
    assert [entry.line for entry in postings(AT_TABLE, voided)] == ["pots/T1", "stacks/T1"]


# Balances.


def test_a_trial_balance_can_be_printed() -> None:
    """Design.md section 3: a row for each line, by unit, and each unit sums to zero."""
    entries = postings(AT_ACCOUNT, account.FundsDeposited("USD", 1_234_50, "bank"))
    rows = [line.split() for line in printed(trial_balance(entries)).splitlines()]
    assert rows == [
        ["cash", "desk", "-123,450", "USD"],
        ["player", "funds/p1", "123,450", "USD"],
        ["sum", "0", "USD"],
    ]


@pytest.mark.parametrize("sequence", range(4))
def test_a_trial_balance_is_there_at_any_sequence(sequence: int) -> None:
    """Design.md section 3: the books after each event are those of all events up to it."""
    deposit, sent = account.FundsDeposited("USD", 50, "bank"), account.FundsSent("x", "USD", 50, "T", "buy_in", "")
    log = (deposit, deposit, sent)
    balances = trial_balance(entry for event in log[:sequence] for entry in postings(AT_ACCOUNT, event))
    assert balances.get((CASH_DESK, "USD"), 0) == -50 * min(sequence, 2)
    assert printed(balances).count("sum") == (sequence > 0)


def test_a_trial_balance_goes_on_from_another() -> None:
    """Entries add up, whenever they were written; a line with nothing on it is left out."""
    first = trial_balance(postings(AT_ACCOUNT, account.FundsDeposited("USD", 50, "bank")))
    second = trial_balance(postings(AT_ACCOUNT, account.FundsSent("x", "USD", 50, "table/T1", "buy_in", "")), first)
    assert second == {(CASH_DESK, "USD"): -50, (in_transit("x"), "USD"): 50}


def test_every_unit_balances_for_itself() -> None:
    """`design.md` section 3: dollars and play money never meet."""
    deposits = [account.FundsDeposited("USD", 50, "bank"), account.FundsDeposited("USD/play", 70, "gift")]
    balances = trial_balance(entry for deposit in deposits for entry in postings(AT_ACCOUNT, deposit))
    assert balances[funds_of("p1"), "USD"] == -balances[CASH_DESK, "USD"] == 50
    assert balances[funds_of("p1"), "USD/play"] == -balances[CASH_DESK, "USD/play"] == 70


def test_lines_add_up_by_kind() -> None:
    """P3: the equation has one term for all stacks, one for all that is in transit."""
    balances = {("stacks/T1", "USD"): 5, ("stacks/T2", "USD"): 6, ("pots/T1", "USD"): 1, (CASH_DESK, "USD"): -12}
    assert by_kind(balances) == {("stacks", "USD"): 11, ("pots", "USD"): 1, (CASH_DESK, "USD"): -12}


def test_who_is_called_house_is_the_house() -> None:
    """`design.md` section 3: swept rake belongs to the house, not to a player."""
    assert (funds_of(HOUSE), funds_of("p1")) == ("house funds", "player funds/p1")


# The books and the aggregates.


@often
@given(play=plays())
def test_the_lines_of_a_table_are_its_chips(play: Play) -> None:
    """I4: after every event stacks, pot and rake held are what the books say, and none is below zero."""
    origin = Origin("table/T1", 0, 0, play.table.config.unit)
    balances = trial_balance(entry for event in play.opened for entry in postings(origin, event))
    passing = 0
    for moment in play.moments:
        balances = trial_balance(postings(origin, moment.event), balances)
        if isinstance(moment.event, table.ChipsQueued | table.ChipsReturned) and moment.event.seat < 0:
            passing = moment.event.amount if isinstance(moment.event, table.ChipsQueued) else 0
        for line, amount in lines_of_table(moment.after, passing).items():
            assert balances.get(line, 0) == amount >= 0


AMOUNTS = st.integers(1, 9)
UNITS = st.sampled_from(["USD", "EUR", "USD/play"])
COMMANDS: st.SearchStrategy[AccountCommand] = st.one_of(
    st.builds(commands.Deposit, UNITS, AMOUNTS, st.just("bank")),
    st.builds(commands.Withdraw, UNITS, AMOUNTS, st.just("bank")),
    st.builds(commands.SendFunds, st.just("x"), UNITS, AMOUNTS, st.just("table/T1"), st.just("buy_in")),
    st.builds(commands.ReceiveFunds, st.just("p1"), st.just("x"), UNITS, AMOUNTS, st.just("t"), st.just("leaving")),
    st.builds(commands.FreezeAccount, st.just("alarm"), st.just("ann")),
    st.builds(commands.UnfreezeAccount, st.just("ann")),
)


@given(asked=st.lists(COMMANDS, max_size=30))
def test_the_lines_of_an_account_are_its_balances(asked: list[AccountCommand]) -> None:
    """I4: after every event the account holds what the books say, in every unit."""
    held = Account("p1")
    balances: dict[tuple[str, str], Chips] = {}
    for command in asked:
        try:
            events = decide(held, command, 0)
        except Rejected:
            continue
        for event in events:
            held = evolve(held, event, 0) or held
            balances = trial_balance(postings(AT_ACCOUNT, event), balances)
        line = {unit: amount for (line, unit), amount in balances.items() if line == funds_of("p1")}
        assert line == {balance.unit: balance.available for balance in held.balances}


# Lessons from a failed ledger (`operations.md` section 4).


def test_nobody_but_the_rake_function_computes_rake() -> None:
    """Two implementations differed by a cent: one function, called in one place; the books take what the event says."""
    callers = [
        path.name
        for path in Path(engine.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rake_of_pots"
    ]
    assert callers == ["settle.py"]
    assert lines(postings(AT_TABLE, table.RakeTaken((1, 1, 1))))["rake held/T1"] == 3


def test_absolute_stacks_erase_no_top_up() -> None:
    """Absolute writes of stacks raced with increments: what is queued while a hand runs is there after its end."""
    game = cash("modern", [8000, 8000], blinds=(100, 200)).do(RequestTopUp("p0", 500))
    waits = game.table.desk.reservations[0]
    game.start().do(QueueChips("p0", 500, waits.transfer_id))
    assert sum(fold_out(game).stacks) == 16_500


def test_only_events_with_amounts_move_money() -> None:
    """Events only: those that state stacks (HandStarted, StacksReported) move nothing, those that move say how much."""
    assert {table.HandStarted, table.HandEnded, table.HandReported, table.StacksReported} <= set(SILENT)
    assert all({"amount", "amounts", "refunds"} & set(kind.__annotations__) for kind in OURS.intersection(MOVES))


def test_a_pot_that_pays_more_than_it_holds_is_seen() -> None:
    """Nothing refused an overpayment: a pot is an account, and one that is overdrawn shows in the trial balance."""
    said: list[TableEvent] = [table.BlindPosted(0, 5, "big"), table.PotAwarded(0, (1,), (6,), (0,))]
    balances = trial_balance(entry for event in said for entry in postings(AT_TABLE, event))
    assert balances["pots/T1", "USD"] == -1


def test_a_transfer_id_does_not_derive_from_the_amount() -> None:
    """One obligation, one id: asking for another amount at the same place of the log is the same transfer (M27)."""
    ids = [
        cash("modern", [8000, None], blinds=(100, 200)).do(ReserveSeat("p1", 1, amount)).last(table.SeatReserved)
        for amount in (8000, 9000)
    ]
    assert len({reserved.transfer_id for reserved in ids}) == 1


@pytest.mark.parametrize("purpose", ["leaving", "returned", "rake"])
def test_money_never_appears_at_its_goal_unless_it_was_sent(purpose: account.ReceivePurpose) -> None:
    """Buy-ins were destroyed in the wallet and minted again: here what arrives comes out of its transfer, or shows."""
    entries = postings(AT_ACCOUNT, account.FundsReceived("x", "USD", 50, "table/T1", purpose))
    assert trial_balance(entries)[in_transit("x"), "USD"] == -50


def test_the_equation_balances_at_every_moment_of_a_transfer() -> None:
    """The assertion to be made at least hourly: P3 holds before, while and after money is on its way."""
    log: list[tuple[Origin, Event]] = [
        (AT_ACCOUNT, account.FundsDeposited("USD", 50, "bank")),
        (AT_ACCOUNT, account.FundsSent("x", "USD", 50, "table/T1", "buy_in", "")),
        (AT_TABLE, table.PlayerSeated(0, "p1", 50, "x")),
        (AT_TABLE, table.BlindPosted(0, 5, "big")),
    ]
    balances: dict[tuple[str, str], Chips] = {}
    for origin, event in log:
        balances = trial_balance(postings(origin, event), balances)
        there = sum(amount for (kind, _), amount in by_kind(balances).items() if kind != CASH_DESK)
        assert there == -balances.get((CASH_DESK, "USD"), 0)
