"""Refunds are paid line by line, each once: in small commands, stopped and run again, until the purses are empty."""

from __future__ import annotations

from collections import Counter
from functools import cache
from uuid import NAMESPACE_OID, uuid5

import pytest
from msgspec.structs import replace

from engine.tournament import commands
from engine.tournament import money_events as money
from engine.tournament import play_events as play
from engine.tournament.calling_off import LINES_PAID_MAX
from engine.tournament.evolve import evolve, replay
from engine.tournament.refund_plan import Sources, obligation_id
from engine.tournament.state import Purses, Tournament
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import (
    approve,
    call_off,
    calling_off,
    down_to,
    obligations,
    paid,
    refund,
    rules,
    to_house,
)
from tests.engine.tournament.desk import Desk, started

PAYING = (money.ObligationPaid, money.TicketIssued, money.HousePaid)


def copied(tournament: Tournament, name: str = "T") -> Desk:
    """Return a desk at which a tournament goes on; its log begins here."""
    desk = Desk(tournament.terms, name)
    desk.log, desk.state = [], tournament
    return desk


@cache
def _approved() -> Tournament:
    return approve(call_off(down_to(started(60, "akpoker", seats=6, bounty=50, guarantee=0), 40))).state


def approved() -> Desk:
    """Return a tournament called off with forty of sixty left, whose plan of many lines is approved."""
    return copied(_approved())


# In small commands.


def test_each_line_is_paid_once() -> None:
    """I11: the payments are the plan, line by line, in its order."""
    desk = approved().direct()
    lines = [(line.entry, line.player, line.reason, line.sources) for line in calling_off(desk).lines]
    assert [(e.entry, e.player, e.reason, e.sources) for e in desk.said(money.ObligationPaid)] == lines
    assert len(lines) == calling_off(desk).paid_lines == 5 * 40


def test_a_command_pays_some_lines() -> None:
    """`design.md` section 2: a record is small, so a plan of 200 lines takes eight commands or more."""
    desk, lines = approved(), []
    while desk.state.phase == "cancelling":
        lines += [len([e for e in desk.do(commands.PayRefunds()).events if isinstance(e, money.ObligationPaid)])]
    assert [count for count in lines if count] == [LINES_PAID_MAX] * (200 // LINES_PAID_MAX)


def test_paid_twice_is_refused() -> None:
    """T-IDEM-8: whoever runs the job once more after its end is told that nothing is due."""
    approved().direct().refuses(commands.PayRefunds(), "NOTHING_DUE")


def test_two_jobs_at_once_pay_each_line_once() -> None:
    """T-IDEM-8: two that saw the same state give two commands; the second goes on where the first has ended."""
    desk = approved().do(commands.PayRefunds(), commands.PayRefunds()).direct()
    ids = Counter([event.transfer_id for event in desk.said(money.ObligationPaid)])
    assert (len(ids), set(ids.values())) == (200, {1})


def test_stopped_anywhere_and_run_again_it_pays_the_same() -> None:
    """G-AKP-C9, T-IDEM-8, M27: after each event the job is run anew: in the end the same payments were made, once."""
    whole = approved().direct().log
    payments = [event for event in whole if isinstance(event, PAYING)]
    for stopped in range(0, len(whole), 7):
        before = replay(whole[:stopped], 0, _approved())
        assert before is not None
        again = [] if before.phase == "cancelled" else copied(before).direct().log
        assert [event for event in [*whole[:stopped], *again] if isinstance(event, PAYING)] == payments


def test_a_stop_before_the_last_words_pays_nothing_again() -> None:
    """G-AKP-C9: stopped after the last line, after the house was paid, or after the tables were closed."""
    whole = approved().direct().log
    for stopped in range(len(whole) - 4, len(whole)):
        before = replay(whole[:stopped], 0, _approved())
        assert before is not None
        desk = copied(before).direct()
        assert desk.state.phase == "cancelled"
        assert Counter([*whole[:stopped], *desk.log])[whole[-3]] == 1


# Ids.


def test_an_obligation_is_named_by_tournament_entry_and_reason() -> None:
    """M27, T-IDEM-8: the id is uuid5 of these three and of nothing else; it is on the log for ever."""
    for event in approved().direct().said(money.ObligationPaid):
        assert event.transfer_id == str(uuid5(NAMESPACE_OID, f"tournament/T/entry/{event.entry}/{event.reason}"))
    assert obligation_id("T", 1, "buy_in") == "0d948fe7-2129-564d-9ac4-6c9171bfa64c"


def test_another_amount_is_the_same_obligation() -> None:
    """M27: a plan made from other chips owes other amounts under the same ids, so none of them is paid again."""
    ids = []
    for chips in ((4000, 1500, 500), (2000, 2000, 2000)):
        desk = down_to(started(4, "akpoker"), 3).do(commands.CancelTournament("a fault", "ann"))
        desk.do(commands.RecordStacks(1, tuple([entry.number for entry in desk.at(1)]), chips))
        ids.append({(e.entry, e.reason): e.transfer_id for e in obligations(refund(desk.direct()))})
    assert ids[0] == ids[1]


def test_no_two_payments_share_an_id() -> None:
    """I12: prizes, refunds and what goes back to the house, also what went back when the prizes were fixed."""
    desk = refund(call_off(down_to(started_with_guarantee(50_000), 4)))
    ids = Counter([event.transfer_id for event in desk.log if isinstance(event, PAYING)])
    assert to_house(desk) == {"unused_overlay": 30_000, "left_over": 20_000, "fee": 26 * 100}
    assert max(ids.values()) == 1


def test_one_left_has_won_under_the_id_of_a_prize() -> None:
    """AMB-14, ADR 13: a first prize is one obligation, whether a tournament is finished or called off."""
    two = down_to(started(4, bounty=50), 2)
    called = refund(call_off(two.hand(*last_bust(two))))
    finished = down_to(started(4, bounty=50), 1)
    assert [(e.reason, e.paid) for e in obligations(called)] == [("prize", "prize"), ("bounty", "bounty")]
    of_finished = {event.transfer_id for event in finished.said(money.ObligationPaid)}
    assert {event.transfer_id for event in obligations(called)} <= of_finished
    assert to_house(called) == {"fee": 400}


@pytest.mark.parametrize(("guarantee", "won"), [(0, [4500, 2700, 1800]), (12_000, [6000, 3600, 2400])])
def test_one_left_before_prizes_are_fixed(guarantee: int, won: list[int]) -> None:
    """AMB-14, rulebooks.md section 4 step 2: one left is no cancellation, so the second and third have won, too."""
    rebuy = ChipSale(1000, 100, 1500, last_level=3)
    desk = Desk(terms(entries=9, rebuy=rebuy, guarantee=guarantee))
    if guarantee:
        desk.do(commands.AcceptFunds("house", desk.state.overlay_id, "USD", guarantee))
    desk.enter(*[f"p{number}" for number in range(1, 10)]).direct().hand(1, dict.fromkeys(range(3, 10), 1)).direct()
    refund(call_off(desk.wait(seconds=60).direct().hand(1, {2: 1}).direct()))
    prizes = {event.entry: event.sources.amount for event in desk.said(money.ObligationPaid)}
    assert (prizes[1], prizes[2], sum(prizes.values())) == (won[0], won[1], sum(won))
    assert desk.state.purses == Purses()


# What is left.


@pytest.mark.parametrize("house", ["pacific", "planet", "akpoker", "freeguide", "modern"])
@pytest.mark.parametrize("left", [1, 2, 4, 7, 12])
def test_nothing_is_left_in_the_purses(house: str, left: int) -> None:
    """I11, rulebooks.md section 4: pool, bounties, fees, overlay: all goes to players or to the house."""
    desk = started(12, house, seats=6, bounty=77, guarantee=0, fee=99, buy_in=1001)
    down_to(desk, max(left, 2))
    refund(call_off(desk if left > 1 else desk.hand(*last_bust(desk))))
    out = sum([event.sources.amount for event in desk.said(money.ObligationPaid)])
    assert (desk.state.phase, desk.state.purses) == ("cancelled", Purses())
    assert out + sum(to_house(desk).values()) == 12 * (1001 + 99 + 77)


def last_bust(desk: Desk) -> tuple[int, dict[int, int]]:
    """Return the table at which two are left, and that the second of them loses all."""
    winner, loser = [entry for entry in desk.state.entries if entry.status == "seated"]
    return winner.table, {loser.number: winner.number}


def started_with_guarantee(guarantee: int, house: str = "akpoker", **modes: object) -> Desk:
    """Return a tournament of thirty with a guarantee that has been paid in."""
    rulebook = rules(house, **modes)
    desk = Desk(terms(entries=30, seats=10, guarantee=guarantee, rulebook=rulebook))
    desk.do(commands.AcceptFunds("house", desk.state.overlay_id, "USD", guarantee))
    return desk.enter(*[f"p{number}" for number in range(1, 31)]).direct()


@pytest.mark.parametrize(
    ("distributed", "players", "back"), [(False, 30_000 + 12 * 100, 20_000), (True, 50_000 + 12 * 100, 0)]
)
def test_the_guarantee_goes_back_or_is_played_out(distributed: bool, players: int, back: int) -> None:
    """AMB-11: the overlay is the house's, whether it is in the pool already or not, unless it is to be distributed."""
    desk = refund(call_off(down_to(started_with_guarantee(50_000, distribute_overlay=distributed), 12)))
    assert sum(paid(desk)) == players
    assert (to_house(desk).pop("left_over", 0), to_house(desk)["unused_overlay"]) == (back, 30_000)


@pytest.mark.parametrize("distributed", [True, False])
def test_overlay_before_the_prizes_are_fixed(distributed: bool) -> None:
    """ADR 13, AMB-11: then it is what the pool lacks of the guarantee, and is added if it is to be distributed."""
    rulebook = rules("akpoker", distribute_overlay=distributed)
    late = {"late_levels": 2, "starts_at_ms": 0, "entries_max": 9}
    desk = Desk(replace(terms(guarantee=10_000, rulebook=rulebook), **late))
    desk.do(commands.AcceptFunds("house", desk.state.overlay_id, "USD", 10_000)).enter("p1", "p2", "p3", "p4").direct()
    refund(call_off(desk.hand(1, {4: 1})))
    assert [event.amount for event in desk.said(money.OverlayAdded)] == [6000] * distributed
    assert sum(paid(desk, "buy_in", "chip_share")) == 10_000 * distributed + 4000 * (not distributed)


def test_survivors_keep_the_bounties_on_their_heads() -> None:
    """Operations.md section 3: who was never knocked out keeps his own; those of the others were paid before."""
    desk = refund(call_off(started(4, bounty=500).hand(1, {4: 1})))
    bounties = [event for event in desk.said(money.ObligationPaid) if event.paid == "bounty"]
    assert [(event.entry, event.reason) for event in bounties] == [
        (1, "knock_out/4"),
        (1, "bounty"),
        (2, "bounty"),
        (3, "bounty"),
    ]


def test_a_ticket_comes_back_as_a_ticket_and_its_money_to_the_house() -> None:
    """AMB-11, ADR 12: a ticket that is rolled back leaves as a ticket; the house answers for it again."""
    desk = Desk(terms(entries=3, ticket=Ticket("ticket/Sunday", 1100)))
    desk.do(commands.Register("p1", with_ticket=True)).pay().pay().enter("p2")
    refund(call_off(desk))
    (ticket,) = desk.said(money.TicketIssued)
    assert (ticket.entry, ticket.reason, ticket.unit, ticket.amount) == (1, "rollback/1", "ticket/Sunday", 1100)
    assert to_house(desk) == {"ticket": 1100}
    assert desk.state.purses == Purses()


def test_once_somebody_is_out_a_ticket_is_paid_in_cash() -> None:
    """AMB-11: then shares of the pool are paid, and they are money."""
    desk = Desk(terms(entries=3, ticket=Ticket("ticket/Sunday", 1100)))
    desk.do(commands.Register("p1", with_ticket=True)).pay().pay().enter("p2", "p3").direct()
    refund(call_off(desk.hand(1, {3: 1})))
    assert desk.said(money.TicketIssued) == []


def test_the_tables_are_closed_last() -> None:
    """`design.md` section 3: the chips come home from all tables that were open, and then it is cancelled."""
    desk = approved().direct()
    open_before = tuple([table.number for table in _approved().tables if table.open])
    assert desk.log[-2:] == [play.TablesClosed(open_before), money.TournamentCancelled()]
    assert len(open_before) > 1


def test_chips_that_come_home_afterwards_change_nothing() -> None:
    """I4: the tables send everybody's chips back when they close; the tournament takes them in."""
    desk = refund(call_off(down_to(started(4, add_on=ChipSale(1000, 0, 500)), 3)))
    for entry in desk.state.entries[:3]:
        desk.do(commands.ReceiveEntry(entry.number, 1, 2000, f"x{entry.number}", "table_closing", entry.luggage))
        assert [type(event) for event in desk.events] == [play.EntryReceived]
    assert (desk.state.phase, desk.state.purses) == ("cancelled", Purses())


@pytest.mark.parametrize("purse", ["pool", "house", "fees", "bounty_pool"])
def test_a_purse_pays_no_cent_that_it_does_not_hold(purse: str) -> None:
    """Operations.md section 4: the pool is an account, and nothing overpays it."""
    held = replace(_approved(), purses=Purses(pool=99, cover=99, fees=99, bounty_pool=99))
    paid_out = money.ObligationPaid(1, "p1", "prize", "prize", Sources(**{purse: 100}), "x")
    with pytest.raises(AssertionError, match="what it does not hold"):
        evolve(held, paid_out, 0)
