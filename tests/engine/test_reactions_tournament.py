"""What follows from a tournament's events for accounts and tables, and what accounts and tables tell a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import get_args

import pytest

from engine.account import commands as account_commands
from engine.account import events as account
from engine.account.decide import DECIDE as ACCOUNT_DECIDES
from engine.account.events import SendPurpose
from engine.origin import HOUSE, Origin, command_id
from engine.reactions import REACTIONS, Command, Event, reactions
from engine.rulebooks.loading import load
from engine.table import commands as table_commands
from engine.table import events as table
from engine.table.decide import DECIDE as TABLE_DECIDES
from engine.table.hand_events import KnockOut
from engine.table.seat_events import Luggage
from engine.tournament import commands, money_events, play_events
from engine.tournament.decide import DECIDE as TOURNAMENT_DECIDES
from engine.tournament.events import TournamentEvent
from engine.tournament.refund_plan import Sources
from tests.engine.tournament.announcements import levels

CONCERN_NOBODY_ELSE: tuple[type, ...] = (
    # Money: what has arrived is in the purses; what was not paid moves nothing.
    money_events.TournamentCreated,
    money_events.OverlayReceived,
    money_events.OverlayRefused,
    money_events.RegistrationOpened,
    money_events.PaymentReceived,
    money_events.PaymentRefused,
    money_events.TicketRedeemed,
    money_events.EntryWithdrawn,
    money_events.PrizesFixed,
    money_events.OverlayAdded,
    money_events.StacksRecorded,
    money_events.CancellationPlanned,
    money_events.CancellationApproved,
    money_events.CoverReceived,
    money_events.CoverRefused,
    money_events.TournamentCancelled,
    # Play: the tables hear of hands by HandsAllowed, and of the clock by LevelStarted alone.
    play_events.TournamentStarted,
    play_events.PlayBegan,
    play_events.EntryReceived,
    play_events.ChipsReceived,
    play_events.HandRecorded,
    play_events.EntryBusted,
    play_events.EntryEliminated,
    play_events.HandForHandBegan,
    play_events.HandForHandEnded,
    play_events.SyncHandStarted,
    play_events.SyncHandClosed,
    play_events.BreakAnnounced,
    play_events.BreakStarted,
    play_events.TournamentPaused,
    play_events.TournamentResumed,
    play_events.MassDisconnectDetected,
    play_events.TournamentFinished,
)
"""The events from which nothing follows for others."""

T = Origin("tournament/T", 7, 0, "USD")
T3 = Origin("table/T-3", 7, 0, "chips/T")
P1 = Origin("account/p1", 7, 0, "")
HOUSE_ACCOUNT = Origin(f"account/{HOUSE}", 7, 0, "")
CASH_TABLE = Origin("table/T1", 7, 0, "USD")
SUNDAY = "ticket/Sunday"
RULEBOOK = load("modern")
STAKES, NEXT_STAKES = (level.stakes for level in levels(RULEBOOK, 2))
LUGGAGE = Luggage(bank_ms=9000, away="timeout")
PLACE = play_events.Place(1, "p1", 4, 1500, "x", LUGGAGE)
SEAT = table_commands.SeatEntry("p1", 1, 4, 1500, "x", LUGGAGE)
OUT = (KnockOut(2, (1,)),)


def opened(level: int) -> play_events.TableOpened:
    """Return the opening of a table at a level."""
    return play_events.TableOpened(3, "Test, table 3", RULEBOOK, STAKES, level, 9, "USD", (PLACE,))


CREATE = table_commands.CreateTable(
    "T-3", "Test, table 3", "tournament", "chips/T", 9, RULEBOOK, STAKES, prize_unit="USD"
)


def asked(transfer_id: str, unit: str, amount: int, purpose: SendPurpose) -> account_commands.SendFunds:
    """Return what an account is asked for."""
    return account_commands.SendFunds(transfer_id, unit, amount, "tournament/T", purpose)


def given(player: str, unit: str, amount: int, purpose: account.ReceivePurpose) -> account_commands.ReceiveFunds:
    """Return what an account gets under the id "x"."""
    return account_commands.ReceiveFunds(player, "x", unit, amount, "tournament/T", purpose)


SAMPLES: tuple[tuple[Origin, Event, tuple[tuple[str, Command], ...]], ...] = (
    (T, money_events.OverlayRequested("x", 50), (("account/house", asked("x", "USD", 50, "overlay")),)),
    (T, money_events.CoverRequested("x", 50), (("account/house", asked("x", "USD", 50, "cover")),)),
    (
        T,
        money_events.PaymentRequested("x", 1, "p1", "entry", "USD", 50),
        (("account/p1", asked("x", "USD", 50, "entry")),),
    ),
    (
        T,
        money_events.PaymentRequested("x", 1, "p1", "add_on", "USD", 50),
        (("account/p1", asked("x", "USD", 50, "add_on")),),
    ),
    (
        T,
        money_events.PaymentRequested("x", 1, "p1", "entry", SUNDAY, 50),
        (("account/p1", asked("x", SUNDAY, 50, "entry")),),
    ),
    (T, money_events.PaymentRequested("x", 1, "p1", "entry", "USD", 0), ()),
    (
        T,
        money_events.PaymentReturned("y", 1, "p1", "entry", "EUR", 50, "x"),
        (("account/p1", given("p1", "EUR", 50, "returned")),),
    ),
    (
        T,
        money_events.TicketReceived("y", 1, "p1", SUNDAY, 50, "x", "USD"),
        (("account/house", asked("x", "USD", 50, "ticket")),),
    ),
    (
        T,
        money_events.TicketReturned(1, "p1", SUNDAY, 50, "x"),
        (("account/p1", given("p1", SUNDAY, 50, "returned")),),
    ),
    (
        T,
        money_events.ObligationPaid(1, "p1", "rollback", "refund", Sources(20, 15, 10, 5), "x"),
        (("account/p1", given("p1", "USD", 50, "refund")),),
    ),
    (
        T,
        money_events.ObligationPaid(1, "p1", "bounty", "bounty", Sources(bounty_pool=50), "x"),
        (("account/p1", given("p1", "USD", 50, "bounty")),),
    ),
    (T, money_events.ObligationPaid(1, "p1", "prize", "prize", Sources(), "x"), ()),
    (
        T,
        money_events.TicketIssued(1, "p1", "prize", "prize", SUNDAY, 50, "x"),
        (("account/p1", given("p1", SUNDAY, 50, "prize")),),
    ),
    (
        T,
        money_events.HousePaid("unused_overlay", Sources(pool=30), 20, "x"),
        (("account/house", given(HOUSE, "USD", 50, "unused_overlay")),),
    ),
    (
        T,
        money_events.HousePaid("fee", Sources(fees=50), 0, "x"),
        (("account/house", given(HOUSE, "USD", 50, "fee")),),
    ),
    (
        T,
        money_events.CancellationRequested("a fault", "ann", (1, 3)),
        (
            ("table/T-1", table_commands.FreezeTable("a fault", "ann")),
            ("table/T-3", table_commands.FreezeTable("a fault", "ann")),
        ),
    ),
    (
        T,
        opened(0),
        (("table/T-3", CREATE), ("table/T-3", table_commands.LimitHands(0)), ("table/T-3", SEAT)),
    ),
    (
        T,
        opened(2),
        (
            ("table/T-3", CREATE),
            ("table/T-3", table_commands.ChangeLevel(2, STAKES)),
            ("table/T-3", table_commands.LimitHands(0)),
            ("table/T-3", SEAT),
        ),
    ),
    (T, play_events.EntrySeated(3, PLACE), (("table/T-3", SEAT),)),
    (T, play_events.ChipsIssued(1, "p1", 3, 50, "x"), (("table/T-3", table_commands.QueueChips("p1", 50, "x")),)),
    (T, play_events.MoveOrdered(1, "p1", 3, 4, 0), (("table/T-3", table_commands.RemovePlayer("p1", "moved")),)),
    (T, play_events.TableBroken(3), (("table/T-3", table_commands.CloseTable()),)),
    (
        T,
        play_events.TablesClosed((1, 3)),
        (("table/T-1", table_commands.CloseTable()), ("table/T-3", table_commands.CloseTable())),
    ),
    (
        T,
        play_events.HandsAllowed(((1, 8), (3, 5))),
        (("table/T-1", table_commands.LimitHands(8)), ("table/T-3", table_commands.LimitHands(5))),
    ),
    (
        T,
        play_events.LevelStarted(1, NEXT_STAKES, (1, 3)),
        (
            ("table/T-1", table_commands.ChangeLevel(1, NEXT_STAKES)),
            ("table/T-3", table_commands.ChangeLevel(1, NEXT_STAKES)),
        ),
    ),
)
"""Events of each kind that concern others, with the commands that follow and for whom."""

FROM_TABLES: tuple[tuple[Event, tuple[tuple[str, Command], ...]], ...] = (
    (
        table.PlayerLeft(4, "p1", 50, "x", "moved", 1, LUGGAGE),
        (("tournament/T", commands.ReceiveEntry(1, 3, 50, "x", "moved", LUGGAGE)),),
    ),
    (table.PlayerLeft(4, "p1", 0, "x", "busted", 1, LUGGAGE), ()),
    (table.ChipsReturned(-1, "p1", 50, "x"), (("tournament/T", commands.ReceiveChips("p1", 50, "x")),)),
    (
        table.HandReported(5, 0, 1, 4, (1, 2), (1500, 1500), (3000, 0), OUT),
        (("tournament/T", commands.RecordHand(3, 5, 0, 1, 4, (1, 2), (1500, 1500), (3000, 0), OUT)),),
    ),
    (
        table.HandReported(5, -1, -1, -1, (1, 2), (1500, 1500), (1500, 1500), (), voided=True),
        (("tournament/T", commands.RecordHand(3, 5, -1, -1, -1, (1, 2), (1500, 1500), (1500, 1500), (), voided=True)),),
    ),
    (
        table.StacksReported((1, 2), (1500, 1500)),
        (("tournament/T", commands.RecordStacks(3, (1, 2), (1500, 1500))),),
    ),
    (table.HandsLimited(5), ()),
)
"""What the third table of a tournament says, and what its director is told."""

PURPOSES: tuple[SendPurpose, ...] = ("entry", "rebuy", "add_on", "overlay", "ticket", "cover")


def test_every_event_concerns_others_or_is_known_not_to() -> None:
    """`design.md` section 3: no new event is silent by mistake."""
    concerning = [kind for kind in REACTIONS if kind in get_args(TournamentEvent)]
    assert Counter([*concerning, *CONCERN_NOBODY_ELSE]) == Counter(get_args(TournamentEvent))


def test_every_kind_of_reaction_has_a_sample() -> None:
    """The table of samples is complete."""
    assert {type(event) for _, event, _ in SAMPLES} == set(REACTIONS) & set(get_args(TournamentEvent))


@pytest.mark.parametrize(("origin", "event", "expected"), SAMPLES)
def test_what_follows_from_an_event(origin: Origin, event: Event, expected: tuple[tuple[str, Command], ...]) -> None:
    """`design.md` section 3: for whom it concerns, in this order, each under the id of its place."""
    follow = reactions(origin, event)
    assert [(reaction.target, reaction.command) for reaction in follow] == list(expected)
    assert [reaction.command_id for reaction in follow] == [command_id(origin, index) for index in range(len(follow))]


@pytest.mark.parametrize(("event", "expected"), FROM_TABLES)
def test_what_a_table_tells_its_director(event: Event, expected: tuple[tuple[str, Command], ...]) -> None:
    """`design.md` section 3: who left with his chips, chips that found no place, ended hands, stacks that froze."""
    assert [(reaction.target, reaction.command) for reaction in reactions(T3, event)] == list(expected)


@pytest.mark.parametrize(
    "event",
    [
        table.HandReported(5, 0, 1, 4, (1, 2), (1500, 1500), (3000, 0), OUT),
        table.StacksReported((1, 2), (1500, 1500)),
    ],
)
def test_a_table_without_a_director_reports_to_nobody(event: Event) -> None:
    """`design.md` section 3: where no tournament has issued the chips, nobody waits for a report."""
    assert reactions(CASH_TABLE, event) == ()


def test_a_table_without_a_director_sends_chips_to_accounts() -> None:
    """`design.md` section 3: what is of a currency goes where money goes, whoever sat there."""
    (reaction,) = reactions(CASH_TABLE, table.PlayerLeft(4, "p1", 50, "x", "removed", 1, LUGGAGE))
    assert reaction.target == "account/p1"


@pytest.mark.parametrize("purpose", PURPOSES)
def test_what_an_account_answers_goes_to_the_tournament(purpose: SendPurpose) -> None:
    """`design.md` section 3: entry, rebuy, add-on, overlay, a ticket's value, cover: paid or refused, it is told."""
    payer, player = (P1, "p1") if purpose in {"entry", "rebuy", "add_on"} else (HOUSE_ACCOUNT, HOUSE)
    about = ("x", "USD", 50, "tournament/T", purpose, "")
    (sent,) = reactions(payer, account.FundsSent(*about))
    (refused,) = reactions(payer, account.FundsRefused(*about, "frozen"))
    assert (sent.target, sent.command) == ("tournament/T", commands.AcceptFunds(player, "x", "USD", 50))
    assert (refused.target, refused.command) == ("tournament/T", commands.RefuseFunds(player, "x"))


@pytest.mark.parametrize("event", [event for _, event, _ in SAMPLES])
def test_the_receiver_knows_what_to_do(event: Event) -> None:
    """A command goes to an aggregate that has rules for it."""
    decides: dict[str, dict[type, Callable[..., object]]] = {
        "table": dict(TABLE_DECIDES),
        "account": dict(ACCOUNT_DECIDES),
        "tournament": dict(TOURNAMENT_DECIDES),
    }
    for reaction in (*reactions(T, event), *[r for e, _ in FROM_TABLES for r in reactions(T3, e)]):
        assert type(reaction.command) in decides[reaction.target.partition("/")[0]]


def test_a_name_of_a_tournament_may_have_a_dash() -> None:
    """The number of a table is what follows the last one."""
    origin = Origin("table/SNG-9-12", 7, 0, "chips/SNG-9")
    (told,) = reactions(origin, table.StacksReported((), ()))
    assert (told.target, told.command) == ("tournament/SNG-9", commands.RecordStacks(12, (), ()))


def test_nothing_is_sent_that_is_nothing() -> None:
    """I12: a freeroll asks nobody for money, and a tied share of no cent is paid without a transfer."""
    free = money_events.PaymentRequested("x", 1, "p1", "entry", "USD", 0)
    no_cent = money_events.ObligationPaid(1, "p1", "prize", "prize", Sources(), "x")
    assert reactions(T, free) == reactions(T, no_cent) == ()


def test_what_is_sent_is_what_leaves_the_purses() -> None:
    """I4: the account gets the sum of what an obligation takes from each purse, whatever the purses."""
    for sources in (Sources(1, 2, 3, 4), Sources(0, 0, 7, 0), Sources(house=9)):
        (reaction,) = reactions(T, money_events.ObligationPaid(1, "p1", "fee", "refund", sources, "x"))
        assert isinstance(reaction.command, account_commands.ReceiveFunds)
        assert reaction.command.amount == sources.amount
