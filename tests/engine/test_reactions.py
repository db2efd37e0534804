"""What follows from an event for other aggregates, and the ids under which it is delivered."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from engine.account import commands as account_commands
from engine.account import events as account
from engine.account.decide import DECIDE as ACCOUNT_DECIDES
from engine.account.events import AccountEvent
from engine.origin import HOUSE, Origin, command_id, event_id, name_of
from engine.reactions import REACTIONS, Command, Event, Reaction, reactions
from engine.rulebooks.loading import load
from engine.table import commands as table_commands
from engine.table import events as table
from engine.table.decide import DECIDE as TABLE_DECIDES
from engine.table.events import TableEvent

CONCERN_NOBODY_ELSE: tuple[type, ...] = (
    # A table and its seats.
    table.TableCreated,
    table.TableClosing,
    table.TableClosed,
    table.TableHalted,
    table.TableResumed,
    table.LevelChanged,
    table.HandsLimited,
    table.ClockPaused,
    table.ClockResumed,
    table.SeatHeld,
    table.SeatReleased,
    table.PlayerSeated,
    table.LeaveRequested,
    table.PlayerSatOut,
    table.SitOutPlanned,
    table.PlayerSatIn,
    table.EntryPlanned,
    table.PreferencesSet,
    table.TopUpReleased,
    table.ChipsQueued,
    table.ChipsAdded,
    # A hand.
    table.ButtonDrawn,
    table.HandStarted,
    table.ButtonMoved,
    table.BlindMissed,
    table.AntePosted,
    table.BlindPosted,
    table.DeadBlindPosted,
    table.HoleCardsDealt,
    table.StreetDealt,
    table.Folded,
    table.Checked,
    table.Called,
    table.Bet,
    table.Raised,
    table.WentAllIn,
    table.TimeBankStarted,
    table.TimeBankUsed,
    table.TurnClockRestarted,
    table.ConnectionLost,
    table.ConnectionRestored,
    table.PlayerProtected,
    table.ProtectionRefused,
    table.UncalledBetReturned,
    table.PotSplit,
    table.RakeTaken,
    table.ShowOffered,
    table.HandShown,
    table.HandMucked,
    table.PotAwarded,
    table.HandEnded,
    # An account: what arrived has arrived, and the rest is between the player and the house.
    account.AccountOpened,
    account.FundsDeposited,
    account.FundsWithdrawn,
    account.AccountFrozen,
    account.AccountUnfrozen,
    account.FundsReceived,
    account.ProtectionsReset,
    account.ProtectionGivenBack,
    account.ProtectionsRevoked,
    account.ProtectionsRestored,
)
"""The events from which nothing follows for others."""

OURS = frozenset({*get_args(TableEvent), *get_args(AccountEvent)})
"""Those of tournaments, and what their tables tell them, are in `test_reactions_tournament.py`."""

TO_THE_DIRECTOR = frozenset({table.HandReported, table.StacksReported})

T1 = Origin("table/T1", 7, 0, "USD")
P1 = Origin("account/p1", 7, 0, "")
RULES = load("akpoker").protection
SENT = ("x", "USD", 50, "table/T1")

SAMPLES: tuple[tuple[Origin, Event, tuple[tuple[str, Command], ...]], ...] = (
    (
        T1,
        table.SeatReserved(0, "p1", 50, "x", whole_balance_only=True),
        (("account/p1", account_commands.SendFunds(*SENT, "buy_in", whole_balance_only=True)),),
    ),
    (T1, table.TopUpReserved(0, "p1", 50, "x"), (("account/p1", account_commands.SendFunds(*SENT, "top_up")),)),
    (
        T1,
        table.PlayerLeft(0, "p1", 50, "x", "player"),
        (("account/p1", account_commands.ReceiveFunds("p1", *SENT, "leaving")),),
    ),
    (T1, table.PlayerLeft(0, "p1", 0, "x", "player"), ()),
    (
        T1,
        table.ChipsReturned(-1, "p1", 50, "x"),
        (("account/p1", account_commands.ReceiveFunds("p1", *SENT, "returned")),),
    ),
    (T1, table.RakeSwept(50, "x"), (("account/house", account_commands.ReceiveFunds(HOUSE, *SENT, "rake")),)),
    (
        T1,
        table.ProtectionRequested(0, "p1", "T1-3", "outage", "akpoker", RULES, "EUR"),
        (("account/p1", account_commands.UseProtection("T1", "T1-3", "outage", "akpoker", RULES, "EUR")),),
    ),
    (
        T1,
        table.HandVoided("T1-3", "a fault", "ann", (), (), (), 0, ("p1", "p2")),
        (
            ("account/p1", account_commands.GiveBackProtection("T1-3")),
            ("account/p2", account_commands.GiveBackProtection("T1-3")),
        ),
    ),
    (P1, account.FundsSent(*SENT, "buy_in", ""), (("table/T1", table_commands.SeatPlayer("p1", 50, "x")),)),
    (P1, account.FundsSent(*SENT, "top_up", ""), (("table/T1", table_commands.QueueChips("p1", 50, "x")),)),
    (
        P1,
        account.FundsRefused(*SENT, "buy_in", "", "frozen"),
        (("table/T1", table_commands.ReleaseSeat("p1", "x")),),
    ),
    (
        P1,
        account.FundsRefused(*SENT, "top_up", "", "frozen"),
        (("table/T1", table_commands.ReleaseTopUp("p1", "x")),),
    ),
    (
        P1,
        account.ProtectionUsed("T1", "T1-3", "outage", "akpoker", "real", True, 1, 60, "aged"),  # noqa: FBT003 - counted.
        (("table/T1", table_commands.GrantProtection("p1", "T1-3")),),
    ),
    (
        P1,
        account.ProtectionRefused("T1", "T1-3", "akpoker", "real", "used_up"),
        (("table/T1", table_commands.RefuseProtection("p1", "T1-3")),),
    ),
)
"""Events of each kind that concern others, with the commands that follow and for whom."""


def test_every_event_concerns_others_or_is_known_not_to() -> None:
    """`design.md` section 3: no new event is silent by mistake."""
    assert Counter([*OURS.intersection(REACTIONS), *CONCERN_NOBODY_ELSE]) == Counter(OURS)


def test_every_kind_of_reaction_has_a_sample() -> None:
    """The table of samples is complete."""
    assert {type(event) for _, event, _ in SAMPLES} == OURS.intersection(REACTIONS) - TO_THE_DIRECTOR


@pytest.mark.parametrize(("origin", "event", "expected"), SAMPLES)
def test_what_follows_from_an_event(origin: Origin, event: Event, expected: tuple[tuple[str, Command], ...]) -> None:
    """`design.md` section 3: commands for whom it concerns, in this order, with the amount and ids of the event."""
    assert [(reaction.target, reaction.command) for reaction in reactions(origin, event)] == list(expected)


def test_nothing_follows_from_what_concerns_nobody_else() -> None:
    """A check is between the table and its players."""
    assert reactions(T1, table.Checked(0)) == ()


@pytest.mark.parametrize(("origin", "event", "expected"), SAMPLES)
def test_the_receiver_knows_what_to_do(origin: Origin, event: Event, expected: tuple[tuple[str, Command], ...]) -> None:
    """A command goes to an aggregate that has rules for it."""
    assert len(reactions(origin, event)) == len(expected)
    for target, command in expected:
        assert type(command) in (TABLE_DECIDES if target.startswith("table/") else ACCOUNT_DECIDES)


# Ids.


def test_ids_follow_from_the_place_alone() -> None:
    """I2, M24: whoever delivers, and however often, delivers under the same id; it is on the log for ever."""
    event = table.HandVoided("T1-3", "a fault", "ann", (), (), (), 0, ("p1", "p2"))
    ids = [reaction.command_id for reaction in reactions(T1, event)]
    assert ids == [reaction.command_id for reaction in reactions(T1, event)]
    assert ids == ["795b9ff1-a794-5702-a383-317784c684f5", "a6fa9a02-577b-5116-ad79-46e8dfc6d319"]


def test_the_id_of_an_event_is_that_of_its_place() -> None:
    """`design.md` section 1: an event's id is uuid5 of aggregate and version; neither time nor unit enters it."""
    assert event_id(T1) == event_id(Origin("table/T1", 7, 99, "EUR"))
    assert str(event_id(T1)) == "d27e5a1e-990b-52b7-8a31-aebc4f9a6d5e"


def test_no_two_reactions_share_an_id() -> None:
    """I2: other aggregates, versions and indexes have other ids."""
    places = [Origin(name, version, 0, "USD") for name in ("table/T1", "table/T17") for version in (7, 71)]
    ids = [command_id(place, index) for place in places for index in range(12)]
    assert len(set(ids)) == len(ids)


def test_a_name_is_what_follows_the_kind() -> None:
    """Names of players and tables may hold a slash of their own."""
    assert (name_of("table/T7"), name_of("account/a/b")) == ("T7", "a/b")


def test_a_reaction_is_a_value() -> None:
    """The courier may compare what it delivers again with what it delivered before."""
    assert reactions(T1, table.RakeSwept(5, "x")) == (
        Reaction(
            "account/house", command_id(T1, 0), account_commands.ReceiveFunds(HOUSE, "x", "USD", 5, "table/T1", "rake")
        ),
    )
