"""Tournaments in the log: whole ones come back as they were, and no command's record is too large.

A record is measured as it is stored, with the command and with everything around its events as long as it may be; what
is larger than 64 KiB is refused (`EnvelopeTooLargeError`). The states are those of the engine's own tests of sizes.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer.events.v1 import event_pb2
from engine.inbox import Delivery
from engine.rulebooks.loading import load
from engine.tournament import commands
from engine.tournament.cancellation import plan
from engine.tournament.commands import TournamentCommand
from engine.tournament.decide import execute
from engine.tournament.director import due
from engine.tournament.events import TournamentCreated, TournamentEvent
from engine.tournament.money_events import CancellationPlanned
from engine.tournament.payouts import usual_payouts
from engine.tournament.play_events import TableOpened
from engine.tournament.prizes import CASH, Prize
from engine.tournament.refund_plan import CancellationPlan, PlanLine, Sources, joined, parts
from engine.tournament.state import Tournament
from engine.tournament.terms import ENTRIES_MAX, NAME_MAX, ChipSale, Terms, Ticket
from services.eventlog.canonical import canonical, command_of, request_hash
from services.eventlog.codec.events import Event, read, written
from services.eventlog.envelope import Envelope, decode, encode, kind_of
from services.eventlog.ports import RECORD_BYTES_MAX
from tests.engine.tournament.announcements import levels, terms
from tests.engine.tournament.called_off import call_off, refund
from tests.engine.tournament.desk import SEED, Desk, started
from tests.engine.tournament.events import FOUR_LEFT, house
from tests.engine.tournament.lively_tourney import Run, Wishes
from tests.engine.tournament.test_sizes import LONGEST, SHORT, TICKET, crowd

WIDE = "\U0001f0a1"
"""A character of four bytes; names, ids and texts have at most 200 of them."""


def _again(kind: str, event: Event) -> Event:
    """Return an event that was stored and read."""
    return read(kind, event_pb2.Event.FromString(event_pb2.Event(**written(kind, event)).SerializeToString()))


# What is read is what was written.


def test_a_whole_tournament_comes_back() -> None:
    """P4: what a tournament, its tables and its players' accounts say from the announcement to the last prize."""
    rebuy, add_on = ChipSale(1000, 50, 1500, last_level=2), ChipSale(500, 0, 2000, last_level=2)
    sales = {"rebuy": rebuy, "add_on": add_on, "ticket": Ticket("ticket/step", 1433)}
    announced = replace(terms(entries=12, seats=4, bounty=333, hand_for_hand=4), **sales)
    run = Run(announced, 12, Wishes(rebuys=50, add_ons=50, tickets=50, trouble=5))
    run.play_out()
    told = [(kind_of(address), event) for address, event in run.room.log]
    assert {kind for kind, _ in told} == {"account", "table", "tournament"}
    assert [_again(kind, event) for kind, event in told] == [event for _, event in told]


@pytest.mark.parametrize("name", ["akpoker", "modern"])
def test_a_tournament_that_was_called_off_comes_back(name: str) -> None:
    """P4, T-ABU-11: from the announcement to the last refund."""
    log = refund(call_off(started(10, name, seats=5, bounty=50))).log
    assert [_again("tournament", event) for event in log] == log


@pytest.mark.parametrize("size", [500, 7])
def test_a_plan_keeps_its_hash(size: int) -> None:
    """T-ABU-11: the parts come back exactly, so what is paid is what two people have approved by its hash."""
    planned = plan(FOUR_LEFT, house("akpoker"))
    again = [_again("tournament", CancellationPlanned(part)) for part in parts(planned, size)]
    assert joined([event.part for event in again if isinstance(event, CancellationPlanned)]) == planned


@pytest.mark.parametrize("field", ["starts_at_ms", "entries_per_player", "rebuy_seconds", "rebuy", "satellite"])
def test_what_an_announcement_does_not_say_takes_no_room(field: str) -> None:
    """F25: what is absent has its default, so that later announcements can say more."""
    created = event_pb2.Event(**written("tournament", TournamentCreated("T", terms(), "hash"))).tournament_created
    assert not created.terms.HasField(field)  # type: ignore[arg-type]


def test_a_start_at_time_zero_is_a_start() -> None:
    """None and 0 are not the same: a tournament that starts when it is full has no time."""
    created = TournamentCreated("T", terms(starts_at_ms=0), "hash")
    assert _again("tournament", created) == created


# Sizes.


def _stored(command: TournamentCommand, events: tuple[TournamentEvent, ...]) -> bytes:
    """Return the record of a command, which must come back as it was."""
    request, longest = canonical(command), WIDE * 200
    envelope = Envelope(
        writer_epoch=2**40,
        sequence=2**50,
        prev_hash=bytes(32),
        aggregate="tournament/" + WIDE * NAME_MAX,
        version=2**40,
        command_id=longest,
        command=request,
        request_hash=request_hash(request),
        delivery=Delivery(15, 2**50, 2**20),
        causation_id=longest,
        correlation_id=longest,
        occurred_at_ms=2**41,
        events=events,
    )
    stored = encode(envelope)
    assert decode(stored) == envelope
    assert command_of("tournament", request) == command
    return stored


def _run(tournament: Tournament, command: TournamentCommand) -> Tournament:
    """Carry a command out, whose record must not be too large."""
    events, after = execute(tournament, command, 0)
    _stored(command, events)
    return after


def _direct(tournament: Tournament) -> Tournament:
    """Do all that is due."""
    while (command := due(tournament, 0, SEED)) is not None:
        tournament = _run(tournament, command)
    return tournament


@pytest.mark.parametrize(("char", "length"), [("p", 1), ("p", 200), ("é", 15), (WIDE, 60), (WIDE, 200)])
@pytest.mark.parametrize("form", [CASH, "ticket/x", TICKET.form])
def test_a_part_of_a_plan_fits_a_record(char: str, length: int, form: str) -> None:
    """`design.md` section 2: the parts, cut by their bytes in another encoding, are not much larger in that of the log.

    They are at their largest with some of these names and these amounts, and leave room for 8,000 bytes.
    """
    sources = Sources(2**62, 2**62, 2**62, 2**62)
    lines = [PlanLine(9000 + number, char * length, "rollback/100", form, sources) for number in range(1000)]
    summary = replace(plan(FOUR_LEFT, house("akpoker")).summary, tournament_id=WIDE * NAME_MAX, unit=WIDE * NAME_MAX)
    for part in parts(CancellationPlan(summary, tuple(lines))):
        assert len(_stored(commands.PlanCancellation(), (CancellationPlanned(part),))) < RECORD_BYTES_MAX - 8000


CALLED_OFF = {
    "10,000 entries at 5,000 tables": crowd(ENTRIES_MAX, ENTRIES_MAX),
    "1,500 are left of 10,000": crowd(ENTRIES_MAX, 1500, seats=9),
    "the longest names, and tickets": crowd(300, 300, LONGEST, ticket=TICKET, buy_in=1000, fee=50),
}


@pytest.mark.parametrize("tournament", CALLED_OFF.values(), ids=CALLED_OFF.keys())
def test_calling_off_fits_records(tournament: Tournament) -> None:
    """`design.md` section 2: every command from the cancellation to the last refund, all tables included."""
    tournament = _run(tournament, commands.CancelTournament(WIDE * 200, WIDE * 200))
    frozen = tuple([replace(table, frozen=True) for table in tournament.tables])
    tournament = _direct(replace(tournament, tables=frozen))
    assert tournament.calling_off is not None
    for person in (LONGEST + "ann", LONGEST + "bob"):
        tournament = _run(tournament, commands.ApproveCancellation(tournament.calling_off.plan_hash, person))
    assert _direct(tournament).phase == "cancelled"


def test_prizes_with_the_longest_names_fit_records() -> None:
    """ADR 13: prizes that are due, each a ticket with the longest name, and what goes to the house for it."""
    tournament = crowd(200, 100, LONGEST, satellite=TICKET)
    unpaid = tuple([entry.number for entry in tournament.entries[100:]])
    purses = replace(tournament.purses, pool=200_000)
    tournament = replace(tournament, prizes=(Prize(TICKET.form, 1000),) * 200, unpaid=unpaid, purses=purses)
    while tournament.unpaid:
        tournament = _run(tournament, commands.PayPrizes())
    assert tournament.prizes_paid == 100 * 1000


def test_the_end_of_a_large_tournament_fits_a_record() -> None:
    """`design.md` section 2: thousands of winners, and thousands of tables that close."""
    tournament = replace(crowd(ENTRIES_MAX, 5000, satellite=TICKET), prizes=(Prize(TICKET.form, 1000),) * 5000)
    assert len(_run(tournament, commands.FinishTournament()).unpaid) == 5000


def test_thousands_of_tables_are_let_play_by_one_record() -> None:
    """O-32, `design.md` section 2: all tables of the largest tournament may deal their next hand."""
    tournament = crowd(ENTRIES_MAX, ENTRIES_MAX, LONGEST)
    tables = [replace(table, idle=True, hands=9999) for table in tournament.tables]
    tournament = _run(replace(tournament, tables=tuple(tables)), commands.Arrange(SEED))
    assert not any(table.idle for table in tournament.tables)


def test_opening_tables_with_the_longest_names_fits_records() -> None:
    """ADR 13: all commands from the announcement until ten players sit at each of two tables."""
    desk = Desk(terms("akpoker", 20, seats=10, name=WIDE * NAME_MAX, unit=WIDE * NAME_MAX))
    desk.enter(*[f"{LONGEST}{number}" for number in range(20)])
    while (command := due(desk.state, 0, SEED)) is not None:
        _stored(command, desk.do(command).events)
    assert [len(opened.places) for opened in desk.said(TableOpened)] == [10, 10]


HUNDRED_LEVELS = (levels(load("modern"), 20) * 5)[:100]
ANNOUNCED = {
    "a hundred levels": terms(entries=100, levels=HUNDRED_LEVELS),
    "the usual prizes, stated": terms(entries=ENTRIES_MAX, payouts=usual_payouts()),
    "all of it": terms(entries=ENTRIES_MAX, levels=HUNDRED_LEVELS, payouts=usual_payouts(), name=WIDE * NAME_MAX),
}


@pytest.mark.parametrize("announced", ANNOUNCED.values(), ids=ANNOUNCED.keys())
def test_a_long_announcement_fits_a_record(announced: Terms) -> None:
    """O-32, O-36: levels and prizes are stated in the command and in what it says."""
    command = commands.CreateTournament("T", announced)
    _stored(command, execute(None, command, 0)[0])


@pytest.mark.parametrize("name", [SHORT, LONGEST])
def test_many_who_go_out_fit_records(name: str) -> None:
    """O-35: a hundred busts at once, each knocked out by one entry, which gets the bounty."""
    tournament = crowd(200, 200, name)
    gone = [
        replace(entry, status="busted", chips_at_bust=entry.number, bust_round=1, knocked_out_by=(1,))
        for entry in tournament.entries[100:]
    ]
    busted = tuple([entry.number for entry in gone])
    tournament = replace(tournament, entries=(*tournament.entries[:100], *gone), busted=busted, bust_rounds=1)
    while tournament.busted:
        tournament = _run(tournament, commands.SettleBusts())
    assert tournament.outs == 100
