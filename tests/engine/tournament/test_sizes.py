"""What one command says fits a record, also with the most entries, the smallest tables and the longest names.

A record is at most 64 KiB (`design.md` section 2). The encoding that is measured here stands for that of the log, so
there is some room above what is allowed here. The states are built as they are, without all that leads to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.tournament import commands
from engine.tournament.calling_off import LINES_PAID_MAX
from engine.tournament.commands import TournamentCommand
from engine.tournament.decide import execute
from engine.tournament.director import due
from engine.tournament.events import TournamentEvent
from engine.tournament.prizes import CASH, Prize
from engine.tournament.refund_plan import PART_BYTES_MAX
from engine.tournament.state import CallingOff, DirectedTable, Entry, LevelClock, Purses, Tournament
from engine.tournament.terms import ENTRIES_MAX, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED

ROOM = PART_BYTES_MAX + 256
"""Bytes: a part of a plan and the event around it."""
LONGEST = "\U0001f0a1" * 195
"""The longest names that players can have are 200 characters, of four bytes each; what is left tells them apart."""
SHORT = "player"
TICKET = Ticket("ticket/" + "\U0001f0a1" * 193, 1100)


def crowd(entries: int, left: int, name: str = SHORT, seats: int = 2, **changes: Any) -> Tournament:  # noqa: ANN401
    """Return a tournament in play with so many entries, of which the first are left."""
    announced = terms("akpoker", ENTRIES_MAX, seats=seats, bounty=50, **changes)
    cost = (announced.buy_in, announced.fee, announced.bounty)
    paid_as = ((announced.ticket.form if announced.ticket else CASH, announced.price),)
    numbers = range(1, entries + 1)
    there = [Entry(n, f"{name}{n}", "seated", *cost, paid_as, 1 + (n - 1) // seats, (n - 1) % seats) for n in numbers]
    placed = [replace(entry, chips=1000 + entry.number) for entry in there[:left]]
    out = [replace(entry, status="out", out_number=entries + 1 - entry.number, table=0) for entry in there[left:]]
    tables = [DirectedTable(n, (1 << seats) - 1, 0, 0, 1, hands=1) for n in range(1, 2 - (-left // seats))]
    return Tournament(
        "T",
        announced,
        "hash",
        phase="running",
        entries=(*placed, *out),
        tables=tuple(tables),
        purses=Purses(entries * announced.buy_in, left * announced.bounty, entries * announced.fee),
        clock=LevelClock(runs_since_ms=0),
        entered=entries,
        outs=entries - left,
    )


def weight(events: Sequence[TournamentEvent]) -> int:
    """Return the bytes of a command's events."""
    return len(msgspec.msgpack.encode(list(events)))


def run(tournament: Tournament, command: TournamentCommand) -> Tournament:
    """Carry a command out, whose events must fit a record."""
    events, after = execute(tournament, command, 0)
    assert weight(events) <= ROOM, f"{type(command).__name__}: {weight(events)} bytes"
    return after


def direct(tournament: Tournament) -> Tournament:
    """Do all that is due."""
    while (command := due(tournament, 0, SEED)) is not None:
        tournament = run(tournament, command)
    return tournament


def refund(tournament: Tournament) -> Tournament:
    """Call a tournament off, plan, approve, and pay."""
    tournament = run(tournament, commands.CancelTournament(LONGEST, LONGEST))
    frozen = tuple([replace(table, frozen=True) for table in tournament.tables])
    tournament = direct(replace(tournament, tables=frozen))
    assert tournament.calling_off is not None
    assert tournament.calling_off.complete
    for person in (LONGEST + "ann", LONGEST + "bob"):
        tournament = run(tournament, commands.ApproveCancellation(tournament.calling_off.plan_hash, person))
    return direct(tournament)


def planned(tournament: Tournament) -> CallingOff:
    """Return the cancellation."""
    assert tournament.calling_off is not None
    return tournament.calling_off


def test_calling_off_ten_thousand_entries() -> None:
    """`design.md` section 2: a rollback of 10,000 entries at 5,000 tables, every command of it."""
    tournament = refund(crowd(ENTRIES_MAX, ENTRIES_MAX))
    assert (tournament.phase, planned(tournament).paid_lines) == ("cancelled", ENTRIES_MAX)
    assert planned(tournament).parts >= 20


def test_a_plan_of_many_lines_for_each() -> None:
    """`design.md` section 2: 1,500 are left of 10,000 and get five payments each."""
    tournament = refund(crowd(ENTRIES_MAX, 1500, seats=9))
    assert (tournament.phase, planned(tournament).paid_lines) == ("cancelled", 5 * 1500)


@pytest.mark.parametrize("left", [299, 300])
def test_calling_off_with_the_longest_names(left: int) -> None:
    """ADR 13: however long the names are that players give themselves; also where each gets a ticket back."""
    tournament = refund(crowd(300, left, LONGEST, ticket=TICKET, buy_in=1000, fee=50))
    assert tournament.phase == "cancelled"


def test_the_last_words_of_a_large_tournament() -> None:
    """`design.md` section 2: the last payments, what goes to the house, and the closing of 5,000 tables."""
    large = crowd(ENTRIES_MAX, ENTRIES_MAX, LONGEST, ticket=TICKET, buy_in=1000, fee=50)
    count = 2 * LINES_PAID_MAX
    purses = Purses(1000 * count + 1, 50 * count, 50 * count + 1, overlay=1)
    tournament = refund(replace(large, entries=large.entries[:count], entered=count, purses=purses))
    assert (tournament.phase, planned(tournament).paid_lines) == ("cancelled", count)


# Prizes.


def test_prizes_of_ten_thousand_entries() -> None:
    """O-36, `design.md` section 2: the prizes of all places are one event, whose places come in bands."""
    tournament = run(crowd(ENTRIES_MAX, 5000), commands.FixPrizes())
    assert tournament.prizes is not None
    assert len(tournament.prizes) > 500
    assert sum([prize.amount for prize in tournament.prizes]) == tournament.prize_pool


def test_prizes_with_the_longest_names() -> None:
    """ADR 13: prizes that are due are paid in small commands, tickets as well as money."""
    prizes = (Prize(TICKET.form, 1000),) * 300
    tournament = crowd(400, 100, LONGEST, satellite=TICKET)
    unpaid = tuple([entry.number for entry in tournament.entries[100:300]])
    tournament = replace(tournament, prizes=prizes, unpaid=unpaid, purses=replace(tournament.purses, pool=400_000))
    while tournament.unpaid:
        tournament = run(tournament, commands.PayPrizes())
    assert tournament.prizes_paid == 200 * 1000


def test_a_satellite_with_thousands_of_winners() -> None:
    """`design.md` section 2: all who are in when as many are left as there are tickets; the tables close."""
    prizes = (Prize(TICKET.form, 1000),) * 5000
    tournament = replace(crowd(ENTRIES_MAX, 5000, satellite=TICKET), prizes=prizes)
    tournament = run(tournament, commands.FinishTournament())
    assert len(tournament.unpaid) == 5000


@pytest.mark.parametrize(("name", "busted"), [(SHORT, 1000), (LONGEST, 100)])
@pytest.mark.parametrize("tied", [True, False])
def test_many_go_out_at_once(name: str, busted: int, tied: bool) -> None:
    """O-35, `design.md` section 2: all busts of a synchronised hand over thousands of tables, tied or not."""
    tournament = crowd(2 * busted, 2 * busted, name)
    gone = [
        replace(entry, status="busted", chips_at_bust=100 if tied else entry.number, bust_round=1, knocked_out_by=(1,))
        for entry in tournament.entries[busted:]
    ]
    entries = (*tournament.entries[:busted], *gone)
    tournament = replace(tournament, entries=entries, busted=tuple([entry.number for entry in gone]), bust_rounds=1)
    while tournament.busted:
        tournament = run(tournament, commands.SettleBusts())
    places = {entry.out_number for entry in tournament.entries[busted:]}
    assert places == ({busted} if tied else set(range(1, busted + 1)))
    assert {entry.tied for entry in tournament.entries[busted:]} == {busted if tied else 1}
