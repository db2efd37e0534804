"""Whole card rooms in which a tournament is called off in mid-hand: every cent and every chip is where it belongs."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.account.commands import Deposit, OpenAccount
from engine.account.state import available_funds
from engine.ledger import by_kind
from engine.origin import HOUSE, account_of, chips_unit
from engine.poker.money import Chips
from engine.table.events import HandVoided
from engine.tournament import commands
from engine.tournament.director import due
from engine.tournament.money_events import ObligationPaid, StacksRecorded
from engine.tournament.state import Purses, left
from tests.engine.auditor import Auditor
from tests.engine.courier import CardRoom
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import PEOPLE, rules
from tests.engine.tournament.desk import SEED
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import Players, may_deal

HOUSES = ("pacific", "planet", "akpoker", "freeguide", "modern")
SOURCE = {"akpoker": "house"}
"""The house that pays buy-ins on top of the pool here."""


def called_off(house: str, rounds: int, entries: int = 14) -> Tourney:
    """Return a tournament called off in the middle of a hand at each table after some rounds, its plan approved."""
    room = QuietRoom()
    rulebook = rules(house, mtt_buyin_source=SOURCE.get(house, "pool_first"))
    announced = terms(house, entries, seats=5, bounty=300, guarantee=20_000, rulebook=rulebook)
    tourney = Tourney(room, announced)
    room.fund(HOUSE, 100_000)
    for number in range(1, entries + 1):
        room.fund(f"p{number}", 1400)
        tourney.do(commands.Register(f"p{number}"))
    tourney.direct()
    players = Players(tourney, rounds)
    for _ in range(rounds):
        players.play_round()
    for table_id in tourney.tables():
        if may_deal(room.table(table_id)):
            players.begin_hand(table_id)
    tourney.do(commands.CancelTournament("a fault", "ann"))
    tourney.direct()
    return tourney


def refund(tourney: Tourney) -> None:
    """Let two people approve the plan, and pay."""
    assert tourney.state.calling_off is not None
    for person in PEOPLE:
        tourney.do(commands.ApproveCancellation(tourney.state.calling_off.plan_hash, person))
    tourney.direct()


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("rounds", [0, 3, 12])
def test_every_cent_is_with_a_player_or_the_house(house: str, rounds: int) -> None:
    """I4, I11, P3: after the refunds accounts hold all there is: no pot, no purse, no chip, nothing on its way."""
    tourney = called_off(house, rounds)
    assert 1 < left(tourney.state) <= 14
    refund(tourney)
    assert (tourney.state.phase, tourney.state.purses) == ("cancelled", Purses())
    kinds = by_kind(tourney.room.balances)
    assert set(kinds) == {("cash desk", "USD"), ("player funds", "USD"), ("house funds", "USD")}
    assert sum(kinds.values()) == 0


def test_hands_in_progress_were_undone() -> None:
    """AMB-12, AMB-13: each table has voided its hand, and what it reports is what all had at its start."""
    room = called_off("modern", 2).room
    voided = [event for _, event in room.log if isinstance(event, HandVoided)]
    reports = [event for _, event in room.log if isinstance(event, StacksRecorded)]
    assert len(voided) == len(reports) == 3
    assert sum([sum(report.stacks) for report in reports]) == 14 * 1500


def test_the_payments_are_the_plan_and_reach_the_players() -> None:
    """I11: what each account got is what the frozen plan says, line by line."""
    tourney = called_off("akpoker", 6)
    before = {f"p{number}": tourney.room.funds(f"p{number}") for number in range(1, 15)}
    assert tourney.state.calling_off is not None
    owed: Counter[str] = Counter()
    for line in tourney.state.calling_off.lines:
        owed[line.player] += line.amount
    refund(tourney)
    assert {player: tourney.room.funds(player) - amount for player, amount in before.items()} == {
        player: owed[player] for player in before
    }


# The couriers may fail and begin again.


def card_room(entries: int) -> CardRoom:
    """Return a room in which a tournament is called off before a hand was played, and is refunded."""
    room = CardRoom()
    Auditor(room)
    for player in (HOUSE, *[f"p{number}" for number in range(1, entries + 1)]):
        room.ask(account_of(player), OpenAccount(player))
        room.ask(account_of(player), Deposit("USD", 5000, "bank"))
    room.ask("tournament/T", commands.CreateTournament("T", terms(entries=entries, seats=5)))
    for number in range(1, entries + 1):
        room.ask("tournament/T", commands.Register(f"p{number}"))
    direct(room)
    room.ask("tournament/T", commands.CancelTournament("a fault", "ann"))
    direct(room)
    calling_off = room.tournament("T").calling_off
    assert calling_off is not None
    for person in PEOPLE:
        room.ask("tournament/T", commands.ApproveCancellation(calling_off.plan_hash, person))
    return room


def direct(room: CardRoom) -> None:
    """Deliver everything and do all that is due, until nothing is."""
    room.drain()
    while (command := due(room.tournament("T"), room.at_ms, SEED)) is not None:
        room.ask("tournament/T", command)
        room.drain()


def funds(room: CardRoom) -> dict[str, Chips]:
    """Return what each account holds."""
    return {
        address: available_funds(room.account(address.partition("/")[2]), "USD")
        for address in room.aggregates
        if address.startswith("account/")
    }


def test_refunds_that_are_delivered_again_are_paid_once() -> None:
    """G-AKP-C9, I11, T-IDEM-8: the couriers forget all that they have delivered and begin anew: the same ledger."""
    room = card_room(12)
    direct(room)
    before = funds(room)
    for courier in room.couriers:
        courier.restart()
    room.drain()
    assert room.tally["delivery repeated"] > 12
    assert funds(room) == before == dict.fromkeys(before, 5000)


def test_refunds_stopped_between_two_players_go_on() -> None:
    """G-AKP-C9: one account has its money, the courier dies, the job is asked again: everybody has it once."""
    room = card_room(12)
    room.ask("tournament/T", commands.PayRefunds())
    room.deliver("account/p7")
    for courier in room.couriers:
        courier.restart()
    direct(room)
    assert funds(room) == dict.fromkeys(funds(room), 5000)
    assert room.tally[ObligationPaid.__name__] == 12


def test_the_chips_of_the_tournament_are_gone() -> None:
    """I4: what was issued has come home; the line of the issuer is empty."""
    tourney = called_off("planet", 3)
    refund(tourney)
    unit = chips_unit(tourney.name)
    assert {line for (line, of), amount in tourney.room.balances.items() if of == unit and amount} == set()
