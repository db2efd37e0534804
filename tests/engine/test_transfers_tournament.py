"""Money and chips on their way between accounts, a tournament and its tables, edge by edge (F21).

Nothing is delivered until a test says so: `room.deliver(target)` brings the next thing to a target, `room.drain()` all
there is. An entry costs 1000 for the pool and 100 for the house; players have 1500 each.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.account.commands import FreezeAccount
from engine.account.events import FundsReceived, FundsSent
from engine.origin import HOUSE, return_id
from engine.table.commands import RemovePlayer
from engine.tournament import commands
from engine.tournament.calling_off import case_of
from engine.tournament.director import due
from engine.tournament.money_events import ObligationPaid, PaymentReceived, PaymentRefused, PaymentReturned
from engine.tournament.play_events import EntrySeated
from engine.tournament.state import Entry
from tests.engine.auditor import Auditor
from tests.engine.courier import CardRoom, Fault
from tests.engine.room_game import books, fund, funds, told
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.random_tourney import may_deal

T = "tournament/T"
FAULTS: tuple[Fault, ...] = ("lost", "late", "unanswered", "doubled")


def announced(entries: int, **changes: Any) -> CardRoom:  # noqa: ANN401 - the announcement's fields.
    """Return a room in which a Sit & Go was announced, to players who can pay; an auditor looks on."""
    room = CardRoom()
    Auditor(room)
    room.ask(T, commands.CreateTournament("T", terms(entries=entries, **changes)))
    for number in range(1, entries + 1):
        fund(room, f"p{number}", 1500)
    return room


def asked(entries: int = 2, **changes: Any) -> CardRoom:  # noqa: ANN401 - the announcement's fields.
    """Return a room in which all have registered, and nothing is delivered."""
    room = announced(entries, **changes)
    for number in range(1, entries + 1):
        room.ask(T, commands.Register(f"p{number}"))
    return room


def started(entries: int, **changes: Any) -> CardRoom:  # noqa: ANN401 - the announcement's fields.
    """Return a room in which all sit at the tables, and the first hands are allowed."""
    room = asked(entries, **changes)
    room.drain()
    direct(room)
    room.drain()
    return room


def direct(room: CardRoom) -> None:
    """Let the director do what is due, and deliver nothing."""
    while (command := due(room.tournament("T"), room.at_ms, bytes(32))) is not None:
        room.ask(T, command)


def deliver_badly(room: CardRoom, fault: Fault) -> None:
    """Deliver everything, each thing with this fault first; then restart all couriers, so that all comes again."""
    while ways := room.ways():
        courier, target = ways[0]
        courier.deliver(target, fault)
        while room.in_the_air:
            room.arrive()
        if target in courier.targets():
            courier.deliver(target)
    for courier in room.couriers:
        courier.restart()
    room.drain()


def take_off(room: CardRoom, table: str, player: str) -> None:
    """Let an operator take a player off his table."""
    room.ask(f"table/{table}", RemovePlayer(player, "removed"))


# Entries.


def test_an_entry_is_in_when_its_money_has_come() -> None:
    """`design.md` section 3: the place is reserved first, and the money moves when the account pays."""
    room = asked()
    assert (books(room)["player funds/p1"], room.tournament("T").entered) == (1500, 0)
    room.drain()
    assert {line: amount for line, amount in books(room).items() if "T" in line} == {
        "prize pool/T": 2000,
        "fees/T": 200,
    }
    assert room.tournament("T").entered == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_an_entry_is_paid_once_whatever_befalls_it(fault: Fault) -> None:
    """F21, I12, M22, M24: lost, late, unanswered or doubled, and each courier restarted: 1100 are paid, once."""
    room = asked()
    deliver_badly(room, fault)
    assert (funds(room, "p1"), funds(room, "p2")) == (400, 400)
    assert len(told(room, PaymentReceived)) == 2


def test_a_payment_that_comes_again_goes_back() -> None:
    """I12: what was asked for once is taken once, also if the inbox were wrong (`trust.md` T-IDEM-8)."""
    room = asked()
    payment = room.tournament("T").payments[0]
    room.drain()
    (again,) = room.aggregate(T).decide(commands.AcceptFunds("p1", payment.transfer_id, "USD", 1100), 0, None)
    assert isinstance(again, PaymentReturned)


def test_who_cannot_pay_leaves_his_place_to_others() -> None:
    """`design.md` section 3: only payers refuse; the answer frees the place."""
    room = announced(2)
    room.ask("account/p1", FreezeAccount("alarm", "ann"))
    room.ask(T, commands.Register("p1"))
    room.drain()
    assert [refused.player for refused in told(room, PaymentRefused)] == ["p1"]
    assert not room.tournament("T").payments


def test_money_that_comes_too_late_goes_back_under_its_own_id() -> None:
    """`design.md` section 3: called off meanwhile; the way back is another transfer, uuid5(transfer, "return")."""
    room = asked()
    room.deliver("account/p1")
    (sent,) = told(room, FundsSent)
    room.ask(T, commands.CancelTournament("a fault", "ann"))
    room.drain()
    (returned,) = [event for event in told(room, FundsReceived) if event.purpose == "returned"][:1]
    assert returned.transfer_id == return_id(sent.transfer_id)
    assert funds(room, "p1") == 1500


# Prizes.


@pytest.mark.parametrize("fault", FAULTS)
def test_a_prize_is_paid_once_whatever_befalls_it(fault: Fault) -> None:
    """F21, I12, M24, M32: the winner has the pool, the house its fees, and nobody else anything."""
    room = started(2)
    take_off(room, "T-1", "p1")
    deliver_badly(room, fault)
    direct(room)
    deliver_badly(room, fault)
    assert (funds(room, "p1"), funds(room, "p2"), funds(room, HOUSE)) == (400, 2400, 200)
    assert len(told(room, ObligationPaid)) == 1


# Chips.


def seated_at(room: CardRoom, table: str) -> list[str]:
    """Return who sits at a table."""
    return [occupant.player for occupant in room.table(table).seats if occupant is not None]


def breaking() -> tuple[CardRoom, Entry]:
    """Return a room of two tables that have one player each, and who must move; nothing is delivered."""
    room = started(4, seats=3)
    for table in ("T-1", "T-2"):
        take_off(room, table, seated_at(room, table)[0])
    room.drain()
    direct(room)
    (mover,) = [entry for entry in room.tournament("T").entries if entry.status == "moving"]
    return room, mover


def test_nobody_is_seated_before_his_chips_have_come() -> None:
    """O-33: an entry that changes tables goes by way of the director, and its chips are in transit all the time."""
    room, mover = breaking()
    room.deliver(f"table/T-{mover.table}")
    assert not told(room, EntrySeated)
    room.drain()
    assert [event.place.chips for event in told(room, EntrySeated)] == [1500]
    assert len(seated_at(room, f"T-{mover.target[0]}")) == 2


def test_a_hand_that_two_were_let_play_is_not_dealt_to_others() -> None:
    """O-33, O-42: where one is left alone the leave to deal is over, also when somebody joins him in a pause."""
    room, mover = breaking()
    room.ask(T, commands.PauseTournament("a drill", "ann"))
    room.drain()
    table = room.table(f"T-{mover.target[0]}")
    assert len(seated_at(room, table.config.table_id)) == 2
    assert not may_deal(table)


def test_who_is_between_two_tables_counts_when_it_is_called_off() -> None:
    """I11, G-AKP-C9: the plan counts every chip, those in transit between two tables included."""
    room, mover = breaking()
    room.ask(T, commands.CancelTournament("a fault", "ann"))
    room.drain()
    chips = {entry.entry: entry.chips for entry in case_of(room.tournament("T")).survivors}
    assert chips[mover.number] == 1500
    assert sum(chips.values()) == 3000


@pytest.mark.parametrize("fault", FAULTS)
def test_refunds_are_paid_once_whatever_befalls_them(fault: Fault) -> None:
    """F20, I11, M27: everybody has what he paid, once, and nothing is left in the tournament."""
    room = started(4, seats=3)
    room.ask(T, commands.CancelTournament("a fault", "ann"))
    deliver_badly(room, fault)
    direct(room)
    for person in ("ann", "bob"):
        room.ask(T, commands.ApproveCancellation(plan_hash(room), person))
    direct(room)
    deliver_badly(room, fault)
    assert books(room) == {f"player funds/p{number}": 1500 for number in range(1, 5)}


def plan_hash(room: CardRoom) -> bytes:
    """Return the hash of the plan on record."""
    calling_off = room.tournament("T").calling_off
    assert calling_off is not None
    return calling_off.plan_hash
