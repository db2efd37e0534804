"""The books of tournaments: money in purses, tickets, chips with their issuers; the state holds what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import get_args

import pytest
from msgspec.structs import replace

from engine.ledger import MOVES, by_kind, postings, trial_balance
from engine.origin import HOUSE, Origin, chips_unit
from engine.poker.money import Chips
from engine.rulebooks.loading import load
from engine.table.seat_events import Luggage
from engine.tournament import commands, money_events, play_events
from engine.tournament.events import TournamentCreated, TournamentEvent
from engine.tournament.evolve import evolve
from engine.tournament.refund_plan import Sources
from engine.tournament.state import Tournament
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import levels, terms
from tests.engine.tournament.called_off import approve, call_off, cover, down_to, refund, rules
from tests.engine.tournament.desk import Desk, started

SILENT: tuple[type, ...] = (
    # What was asked for has not moved yet, what was refused never will.
    money_events.TournamentCreated,
    money_events.OverlayRequested,
    money_events.OverlayRefused,
    money_events.RegistrationOpened,
    money_events.PaymentRequested,
    money_events.PaymentRefused,
    money_events.EntryWithdrawn,
    money_events.PrizesFixed,
    money_events.CancellationRequested,
    money_events.StacksRecorded,  # Says what stacks are, and does not make them so; HandRecorded likewise.
    money_events.CancellationPlanned,
    money_events.CancellationApproved,
    money_events.CoverRequested,
    money_events.CoverRefused,
    money_events.TournamentCancelled,
    # Play.
    play_events.TournamentStarted,
    play_events.PlayBegan,
    play_events.MoveOrdered,
    play_events.TableBroken,
    play_events.HandsAllowed,
    play_events.HandRecorded,
    play_events.EntryBusted,
    play_events.EntryEliminated,
    play_events.HandForHandBegan,
    play_events.HandForHandEnded,
    play_events.SyncHandStarted,
    play_events.SyncHandClosed,
    play_events.LevelStarted,
    play_events.BreakAnnounced,
    play_events.BreakStarted,
    play_events.TournamentPaused,
    play_events.TournamentResumed,
    play_events.MassDisconnectDetected,
    play_events.TablesClosed,
    play_events.TournamentFinished,
)
"""The events that move nothing."""

T = Origin("tournament/T", 7, 0, "USD")
SUNDAY = "ticket/Sunday"
TABLE = (load("modern"), levels(load("modern"))[0].stakes, 0, 9, "USD")
PLACES = (play_events.Place(1, "p1", 0, 1500, "x"), play_events.Place(2, "p2", 1, 1500, "y"))

SAMPLES: tuple[tuple[TournamentEvent, str, dict[str, Chips]], ...] = (
    (money_events.OverlayReceived("x", 50), "USD", {"in transit/x": -50, "overlay/T": 50}),
    (money_events.CoverReceived("x", 50), "USD", {"in transit/x": -50, "refund cover/T": 50}),
    (money_events.OverlayAdded(50), "USD", {"overlay/T": -50, "prize pool/T": 50}),
    (
        money_events.PaymentReceived("x", 1, "p1", "entry", "cash", 100, 10, 5, 1500),
        "USD",
        {"in transit/x": -115, "prize pool/T": 100, "fees/T": 10, "bounties/T": 5},
    ),
    (
        money_events.PaymentReceived("x", 1, "p1", "rebuy", "cash", 100, 0, 0, 1500),
        "USD",
        {"in transit/x": -100, "prize pool/T": 100},
    ),
    (money_events.PaymentReceived("x", 1, "p1", "entry", "cash", 0, 0, 0, 1500), "USD", {}),
    (
        money_events.PaymentReturned("x", 1, "p1", "entry", "EUR", 50, "y"),
        "EUR",
        {"in transit/x": -50, "in transit/y": 50},
    ),
    (
        money_events.TicketReceived("x", 1, "p1", SUNDAY, 115, "y", "USD"),
        SUNDAY,
        {"in transit/x": -115, "tickets held/T": 115},
    ),
    (money_events.TicketRedeemed(SUNDAY, 115), SUNDAY, {"tickets held/T": -115, "ticket issue/Sunday": 115}),
    (
        money_events.TicketReturned(1, "p1", SUNDAY, 115, "y"),
        SUNDAY,
        {"tickets held/T": -115, "in transit/y": 115},
    ),
    (
        money_events.TicketIssued(1, "p1", "prize", "prize", SUNDAY, 115, "x"),
        SUNDAY,
        {"ticket issue/Sunday": -115, "in transit/x": 115},
    ),
    (
        money_events.ObligationPaid(1, "p1", "rollback", "refund", Sources(100, 20, 10, 5), "x"),
        "USD",
        {"prize pool/T": -100, "refund cover/T": -20, "fees/T": -10, "bounties/T": -5, "in transit/x": 135},
    ),
    (money_events.ObligationPaid(1, "p1", "prize", "prize", Sources(), "x"), "USD", {}),
    (
        money_events.HousePaid("unused_overlay", Sources(pool=30), 20, "x"),
        "USD",
        {"prize pool/T": -30, "overlay/T": -20, "in transit/x": 50},
    ),
    (money_events.HousePaid("fee", Sources(fees=30), 0, "x"), "USD", {"fees/T": -30, "in transit/x": 30}),
    (
        play_events.TableOpened(1, "Test, table 1", *TABLE, PLACES),
        "chips/T",
        {"chip issue/T": -3000, "in transit/x": 1500, "in transit/y": 1500},
    ),
    (play_events.EntrySeated(1, PLACES[0]), "chips/T", {"chip issue/T": -1500, "in transit/x": 1500}),
    (play_events.ChipsIssued(1, "p1", 1, 500, "x"), "chips/T", {"chip issue/T": -500, "in transit/x": 500}),
    (
        play_events.EntryReceived(1, 1, 1500, "x", "moved", Luggage()),
        "chips/T",
        {"in transit/x": -1500, "chip issue/T": 1500},
    ),
    (play_events.ChipsReceived(0, 500, "x", 1), "chips/T", {"in transit/x": -500, "chip issue/T": 500}),
)
"""Events of each kind that moves something, the unit of what it moves, and what it does to each line."""


# Every event.


def test_every_event_moves_something_or_is_silent() -> None:
    """I4: each event of a tournament is named once, as one that moves money, tickets or chips, or none."""
    moving = [kind for kind in MOVES if kind in get_args(TournamentEvent)]
    assert Counter([*moving, *SILENT]) == Counter(get_args(TournamentEvent))


def test_every_kind_of_move_has_a_sample() -> None:
    """The table of samples is complete."""
    assert {type(event) for event, _, _ in SAMPLES} == set(MOVES) & set(get_args(TournamentEvent))


@pytest.mark.parametrize(("event", "unit", "expected"), SAMPLES)
def test_an_event_moves_something_between_these_lines(
    event: TournamentEvent, unit: str, expected: dict[str, Chips]
) -> None:
    """`design.md` section 3: what leaves one line comes to another, and it is of one unit."""
    lines: Counter[str] = Counter()
    for entry in postings(T, event):
        assert entry.unit == unit
        lines[entry.line] += entry.amount
    assert dict(lines) == expected


@pytest.mark.parametrize("event", [event for event, _, _ in SAMPLES])
def test_postings_sum_to_zero(event: TournamentEvent) -> None:
    """I4, M19: double entry, for each unit."""
    sums: Counter[str] = Counter()
    for entry in postings(T, event):
        sums[entry.unit] += entry.amount
    assert set(sums.values()) <= {0}


@pytest.mark.parametrize("kind", [money_events.RegistrationOpened, play_events.PlayBegan])
def test_a_silent_event_has_no_entries(kind: Callable[[], TournamentEvent]) -> None:
    """I4: what moves nothing writes nothing."""
    assert postings(T, kind()) == ()


def test_chips_and_money_never_meet() -> None:
    """`design.md` section 3: tournament chips are a unit of their own, with an issuer of their own."""
    moved = (postings(T, money_events.OverlayAdded(50)), postings(T, play_events.EntrySeated(1, PLACES[0])))
    assert set(by_kind(trial_balance(entry for entries in moved for entry in entries))) == {
        ("overlay", "USD"),
        ("prize pool", "USD"),
        ("chip issue", "chips/T"),
        ("in transit", "chips/T"),
    }


TRANSFERS = (
    money_events.OverlayReceived,
    money_events.CoverReceived,
    money_events.PaymentReceived,
    money_events.PaymentReturned,
    money_events.TicketReceived,
    money_events.TicketIssued,
    money_events.ObligationPaid,
    money_events.HousePaid,
)


# The books and the state.


def finished() -> Desk:
    """Return a tournament with a guarantee, bounties, a ticket, a rebuy and an add-on, played to its end."""
    rebuy, add_on, ticket = ChipSale(1000, 100, 1500), ChipSale(500, 0, 1000, last_level=1), Ticket(SUNDAY, 1150)
    bought = terms(entries=9, seats=5, bounty=50, rebuy=rebuy, add_on=add_on, ticket=ticket)
    desk = Desk(replace(bought, guarantee=12_000))
    desk.do(commands.AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 12_000))
    desk.do(commands.Register("p1", with_ticket=True)).pay().pay()
    desk.do(commands.Register("p0", with_ticket=True)).pay().refuse()
    desk.enter(*[f"p{number}" for number in range(2, 10)]).direct()
    first, second = [entry.number for entry in desk.at(1)][:2]
    desk.hand(1, {second: first}).direct().do(commands.Rebuy(desk.entry(second).player)).pay()
    desk.do(commands.AddOn(desk.entry(first).player)).pay().direct()
    while desk.state.clock.level < 2:
        desk.wait(seconds=600).direct()
    return down_to(desk, 1)


def satellite() -> Desk:
    """Return a satellite of two tickets, played to its end."""
    return down_to(started(6, satellite=Ticket(SUNDAY, 2500)), 2)


def withdrawn() -> Desk:
    """Return a tournament of which one has withdrawn a ticket, and which is then called off with money on its way."""
    desk = Desk(terms(entries=4, ticket=Ticket(SUNDAY, 1100)))
    desk.do(commands.Register("p1", with_ticket=True)).pay().pay().do(commands.Unregister("p1"))
    desk.do(commands.Register("p2", with_ticket=True)).pay().pay().do(commands.Register("p3"))
    return refund(desk.do(commands.CancelTournament("a fault", "ann")).pay().direct())


def covered() -> Desk:
    """Return a tournament called off, of which the house pays a part of the refunds."""
    desk = down_to(started(12, seats=5, bounty=50, rulebook=rules("akpoker", mtt_buyin_source="house")), 7)
    return cover(approve(call_off(desk))).direct()


def with_overlay() -> Desk:
    """Return a tournament called off with a guarantee that is distributed, before the prizes are fixed."""
    rulebook = rules("modern", distribute_overlay=True)
    desk = Desk(terms(entries=5, guarantee=9000, late_levels=1, starts_at_ms=0, rulebook=rulebook))
    desk.do(commands.AcceptFunds(HOUSE, desk.state.overlay_id, "USD", 9000)).enter("p1", "p2", "p3", "p4").direct()
    return refund(call_off(desk.hand(1, {4: 1})))


STORIES = (finished, satellite, withdrawn, covered, with_overlay)


def lines_of(tournament: Tournament) -> dict[tuple[str, str], Chips]:
    """Return what the books say of a tournament's purses, as its state has them."""
    purses, unit = tournament.purses, tournament.terms.unit
    named = {
        ("prize pool/T", unit): purses.pool,
        ("bounties/T", unit): purses.bounty_pool,
        ("fees/T", unit): purses.fees,
        ("overlay/T", unit): purses.overlay,
        ("refund cover/T", unit): purses.cover,
        ("tickets held/T", SUNDAY): purses.tickets,
    }
    return {line: amount for line, amount in named.items() if amount}


@pytest.mark.parametrize("story", STORIES)
def test_the_lines_of_a_tournament_are_its_purses(story: Callable[[], Desk]) -> None:
    """I4: after every event the purses hold what the books say, and none is below zero."""
    tournament: Tournament | None = None
    balances: dict[tuple[str, str], Chips] = {}
    for event in story().log:
        assert tournament is not None or isinstance(event, TournamentCreated)
        tournament = evolve(tournament, event, 0)
        balances = trial_balance(postings(T, event), balances)
        held = {key: amount for key, amount in balances.items() if key[0].endswith("/T") and "issue" not in key[0]}
        assert held == lines_of(tournament)
        assert min(held.values(), default=0) >= 0


@pytest.mark.parametrize("story", STORIES)
def test_the_chips_that_are_out_are_in_play(story: Callable[[], Desk]) -> None:
    """I4: what the issuer has given out is in front of those who sit, or on its way to them."""
    tournament: Tournament | None = None
    balances: dict[tuple[str, str], Chips] = {}
    for event in story().log:
        tournament = evolve(tournament, event, 0)
        balances = trial_balance(postings(T, event), balances)
        stacks = sum([entry.chips for entry in tournament.entries])
        assert -balances.get(("chip issue/T", chips_unit("T")), 0) == stacks


@pytest.mark.parametrize("story", STORIES)
def test_when_it_is_over_nothing_is_left(story: Callable[[], Desk]) -> None:
    """I4, I11: finished or cancelled, all money and all tickets have gone to somebody."""
    desk = story()
    balances = trial_balance(entry for event in desk.log for entry in postings(T, event))
    kinds = {kind for kind, unit in by_kind(balances) if unit != chips_unit("T")}
    assert desk.state.phase in {"finished", "cancelled"}
    assert kinds <= {"in transit", "ticket issue"}


@pytest.mark.parametrize("story", STORIES)
def test_no_transfer_of_money_is_sent_twice(story: Callable[[], Desk]) -> None:
    """I12: a transfer brings in what was asked for, once, or takes out what is owed, once."""
    moved = [event.transfer_id for event in story().log if isinstance(event, TRANSFERS)]
    assert max(Counter(moved).values()) == 1
