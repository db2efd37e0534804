"""Prizes fixed before the money, paid once each, and how a tournament ends (`operations.md` O-36)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.tournament import commands
from engine.tournament.director import due
from engine.tournament.money_events import HousePaid, ObligationPaid, OverlayAdded, PrizeRow, PrizesFixed, TicketIssued
from engine.tournament.payouts import PayoutRow
from engine.tournament.play_events import MoveOrdered, TablesClosed, TournamentFinished
from engine.tournament.refund_plan import Sources
from engine.tournament.state import Purses
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import end_hand
from tests.engine.tournament.desk import Desk, registering, started
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import Players

THREE_PAID = (PayoutRow(2, (6000, 4000)), PayoutRow(4, (5000, 3000, 2000)))
LATE: dict[str, Any] = {"starts_at_ms": 0, "late_levels": 1, "entries_max": 40}
REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=1, stack_max=1500)
ADD_ON = ChipSale(price=500, fee=0, chips=1000, first_level=2, last_level=2)
TICKET = Ticket("ticket/final", 3000)


def prizes(desk: Desk) -> dict[int, int]:
    """Return what each entry has won in money."""
    return {event.entry: event.sources.pool for event in desk.said(ObligationPaid) if event.paid == "prize"}


def to_house(desk: Desk) -> dict[str, tuple[Sources, int]]:
    """Return what the house was paid, by what for."""
    return {event.debt: (event.sources, event.overlay) for event in desk.said(HousePaid)}


def guaranteed(guarantee: int, entries: int = 3, **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament with a guarantee that the house has paid in; all entries are in and play."""
    desk = registering(0, entries_max=entries, guarantee=guarantee, **changes)
    desk.do(commands.AcceptFunds("house", desk.state.overlay_id, "USD", guarantee))
    return desk.enter(*[f"p{number}" for number in range(1, entries + 1)]).direct()


# Prizes are fixed.


def test_prizes_are_fixed_when_nobody_can_enter_any_more() -> None:
    """O-36: at once where nobody comes late: before a card is dealt, and they sum to the pool."""
    (fixed,) = started(9).said(PrizesFixed)
    assert fixed == PrizesFixed(
        9, 9000, (PrizeRow(1, "cash", 4500), PrizeRow(1, "cash", 2700), PrizeRow(1, "cash", 1800))
    )


def test_equal_prizes_in_a_row_are_one_row() -> None:
    """O-36: a large field's prizes fit into a small record."""
    (fixed,) = started(100, seats=10).said(PrizesFixed)
    assert [row.places for row in fixed.rows] == [*(1,) * 9, 3, 3]
    assert sum(row.places * row.amount for row in fixed.rows) == fixed.pool == 100_000


@pytest.mark.parametrize(
    ("changes", "level"),
    [
        ({}, 0),
        ({"late_levels": 2}, 2),
        ({"rebuy": REBUY}, 2),
        ({"add_on": ADD_ON}, 3),
        ({"rebuy": REBUY, "add_on": ADD_ON, "late_levels": 1}, 3),
    ],
    ids=["freeze-out", "late", "rebuys", "add-on to come", "all"],
)
def test_prizes_are_fixed_with_the_last_sale(changes: dict[str, Any], level: int) -> None:
    """O-36: what can still be paid in belongs to the prizes, so they are not known before."""
    desk = started(9, starts_at_ms=0, **changes)
    for _ in range(level):
        assert (desk.said(PrizesFixed), desk.state.prizes) == ([], None)
        desk.refuses(commands.FixPrizes(), "NOTHING_DUE")
        desk.sleep()
    assert len(desk.said(PrizesFixed)) == 1
    desk.refuses(commands.FixPrizes(), "NOTHING_DUE")


def test_prizes_wait_for_money_on_its_way() -> None:
    """O-36: who has asked in time is in, and what he pays is won."""
    desk = started(9, **LATE).do(commands.Register("late")).sleep()
    assert desk.said(PrizesFixed) == []
    assert desk.pay().direct().said(PrizesFixed)[0].pool == 10_000


def test_a_decided_tournament_sells_nothing_more() -> None:
    """O-36: one is left before the add-on comes: nobody buys chips against nobody."""
    desk = started(3, add_on=ADD_ON, starts_at_ms=0, late_levels=1).hand(1, {1: 2, 3: 2}).direct()
    assert (desk.state.phase, prizes(desk)) == ("finished", {2: 3000})


def test_who_went_out_early_is_paid_when_prizes_are_fixed() -> None:
    """O-36: his place was in the money all along; it was only not known what it is worth."""
    desk = started(4, payouts=THREE_PAID, **LATE).hand(1, {1: 2, 3: 4}).direct()
    assert (desk.said(ObligationPaid), desk.state.phase) == ([], "running")
    desk.sleep()
    assert desk.said(PrizesFixed)[0].rows == tuple([PrizeRow(1, "cash", amount) for amount in (2000, 1200, 800)])
    assert prizes(desk) == {1: 400, 3: 400}
    desk.refuses(commands.PayPrizes(), "NOTHING_DUE")


@pytest.mark.parametrize(("late", "paid"), [((), {3: 800}), (("late",), {})], ids=["of four", "of five"])
def test_a_late_entry_pushes_the_early_ones_down(late: tuple[str, ...], paid: dict[int, int]) -> None:
    """O-30, O-36: the third of four has won something, and as the fourth of five he has not."""
    desk = started(4, payouts=THREE_PAID, **LATE).hand(1, {1: 2}).direct().hand(1, {3: 2}).direct()
    assert prizes(desk.enter(*late).sleep()) == paid


# Prizes are paid.


def test_every_prize_is_paid_once() -> None:
    """O-36, I11: in the order in which the entries go; all that was in the pool is paid."""
    desk = started(9)
    for entry in (1, 2, 3, 4, 5, 6, 7, 8):
        desk.hand(1, {entry: 9}).direct()
    assert prizes(desk) == {7: 1800, 8: 2700, 9: 4500}
    assert set(Counter(event.transfer_id for event in desk.said(ObligationPaid)).values()) == {1}
    assert (desk.state.purses, desk.state.prizes_paid) == (Purses(), 9000)
    desk.refuses(commands.PayPrizes(), "NOTHING_DUE")


def test_a_share_of_nothing_is_settled_without_a_transfer() -> None:
    """O-35: three share a prize of one cent; the place of each is settled, and no account gets nothing."""
    payouts = (PayoutRow(2, (6000, 4000)), PayoutRow(6, (4000, 3000, 2000, 1000)))
    desk = started(6, seats=3, hand_for_hand=2, buy_in=1, fee=0, payouts=payouts)
    (one, two, three), (four, five, _) = ([entry.number for entry in desk.at(table)] for table in (1, 2))
    desk.hand(1, {one: three, two: three}).hand(2, {four: five}).direct()
    assert sorted(prizes(desk).values()) == [0, 0, 1]
    assert desk.state.unpaid == ()


def test_many_prizes_are_paid_in_portions() -> None:
    """O-36, ADR 13: no record grows with the number of winners, and nobody is forgotten."""
    desk = started(60, seats=10, buy_in=2950, satellite=TICKET)
    for table in range(1, 7):
        desk.bust(table, 1 if table == 1 else 0)
    while desk.state.phase == "running":
        desk.do(due(desk.state, desk.at_ms, desk.seed()) or commands.PayPrizes())
    assert 0 < len(desk.do(commands.PayPrizes()).said(TicketIssued)) <= 30
    assert len({event.entry for event in desk.direct().said(TicketIssued)}) == len(desk.said(TicketIssued)) == 59


# The end.


def test_the_last_one_has_won() -> None:
    """O-36: he has the first place and its prize, and the tables close."""
    desk = started(3).hand(1, {1: 3, 2: 3})
    desk.refuses(commands.FinishTournament(), "NOTHING_DUE")
    desk.direct()
    assert desk.said(TournamentFinished) == [TournamentFinished((3,))]
    assert desk.said(TablesClosed) == [TablesClosed((1,))]
    assert (desk.entry(3).status, desk.entry(3).out_number, desk.state.phase) == ("won", 3, "finished")


def test_one_who_waits_for_a_seat_may_have_won() -> None:
    """An operator has taken off all others before he got his seat."""
    desk = started(2, **LATE).enter("late")
    for number in (1, 2):
        desk.do(commands.ReceiveEntry(number, 1, 1500, f"t{number}", "removed", desk.entry(number).luggage))
    desk.direct()
    assert (desk.said(TournamentFinished), prizes(desk)) == ([TournamentFinished((3,))], {3: 3000})


@pytest.mark.parametrize("command", [commands.FinishTournament(), commands.FixPrizes(), commands.PayPrizes()])
@pytest.mark.parametrize("desk", [registering(2), started(2)], ids=["before", "in play"])
def test_nothing_ends_before_it_is_decided(desk: Desk, command: commands.TournamentCommand) -> None:
    """O-36: the director asks for what is due and for nothing else."""
    desk.refuses(command, "NOTHING_DUE")


def test_the_house_gets_the_fees_at_the_end() -> None:
    """Until then a cancellation may have to give them back."""
    desk = started(3)
    assert (to_house(desk), desk.state.purses.fees) == ({}, 300)
    assert to_house(desk.hand(1, {1: 3, 2: 3}).direct()) == {"fee": (Sources(fees=300), 0)}


def test_without_fees_the_house_is_not_paid() -> None:
    """A debt of nothing is none."""
    assert to_house(started(3, fee=0).hand(1, {1: 3, 2: 3}).direct()) == {}


@pytest.mark.parametrize(
    ("guarantee", "added", "back"), [(2000, 0, 2000), (3000, 0, 3000), (3001, 1, 3000), (10_000, 7000, 3000)]
)
def test_unused_overlay_goes_back(guarantee: int, added: int, back: int) -> None:
    """O-36: the house adds what the pool lacks of its guarantee, and has the rest back at once."""
    desk = guaranteed(guarantee)
    assert [event.amount for event in desk.said(OverlayAdded)] == [added] * (added > 0)
    assert to_house(desk)["unused_overlay"] == (Sources(), back)
    assert (desk.state.purses.pool, desk.state.purses.overlay) == (3000 + added, 0)
    assert sum(prizes(desk.hand(1, {1: 3, 2: 3}).direct()).values()) == max(3000, guarantee)


def test_a_freeroll_plays_for_its_guarantee() -> None:
    """O-36: nobody has paid anything, and the whole guarantee is won."""
    desk = guaranteed(10_000, buy_in=0, fee=0)
    assert "unused_overlay" not in to_house(desk)
    assert prizes(desk.hand(1, {1: 3, 2: 3}).direct()) == {3: 10_000}
    assert (desk.state.purses, desk.state.phase) == (Purses(), "finished")


def test_a_freeroll_without_any_prize_ends_cleanly() -> None:
    """O-36: there is a winner, and no money moves."""
    desk = started(3, buy_in=0, fee=0).hand(1, {1: 3, 2: 3}).direct()
    assert (desk.state.phase, desk.entry(3).status, desk.state.unpaid) == ("finished", "won", ())
    assert (sum(prizes(desk).values()), to_house(desk)) == (0, {})


def test_a_finished_tournament_does_nothing_more() -> None:
    """Its chips come home; nothing becomes due and nobody can enter."""
    desk = started(3).hand(1, {1: 3, 2: 3}).direct()
    desk.do(commands.ReceiveEntry(3, 1, 4500, "home", "table_closing", desk.entry(3).luggage))
    assert (desk.entry(3).chips, desk.entry(3).status, desk.direct().events) == (0, "won", desk.events)
    desk.refuses(commands.Register("p4"), "REGISTRATION_CLOSED")
    assert desk.do(commands.Arrange(bytes(32))).events == ()


def test_all_chips_are_taken_back() -> None:
    """What was issued is out of play, and each account has what its entry has won."""
    tourney = Tourney(QuietRoom(), terms(entries=5))
    for number in range(1, 6):
        tourney.room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
    Players(tourney).play_out(hands_max=500)
    assert tourney.room.line("chip issue/T", "chips/T") == 0
    assert sorted(tourney.room.funds(f"p{number}") for number in range(1, 6)) == [0, 0, 0, 1750, 3250]
    assert tourney.room.table("T-1").desk.status == "closed"


# Satellites.


def test_a_satellite_ends_when_as_many_are_left_as_there_are_tickets() -> None:
    """O-36: 9,500 hold three tickets of 3,000, and 500 for the fourth."""
    desk = started(10, buy_in=950, satellite=TICKET, seats=10)
    for entry in (1, 2, 3, 4, 5, 6):
        desk.hand(1, {entry: 10}).direct()
    assert (desk.state.phase, desk.said(TicketIssued)) == ("running", [])
    desk.hand(1, {7: 10}).direct()
    assert desk.said(TournamentFinished) == [TournamentFinished((8, 9, 10))]
    assert prizes(desk) == {7: 500}
    tickets = [(event.player, event.unit, event.amount) for event in desk.said(TicketIssued)]
    assert tickets == [(f"p{number}", "ticket/final", 3000) for number in (8, 9, 10)]


def test_the_money_of_a_ticket_goes_to_the_house() -> None:
    """O-36, ADR 12: it answers for the ticket from now on."""
    desk = started(4, satellite=TICKET).hand(1, {1: 4, 2: 4, 3: 4}).direct()
    assert prizes(desk) == {1: 334, 2: 333, 3: 333}
    assert [event.sources for event in desk.said(HousePaid) if event.debt == "ticket"] == [Sources(pool=3000)]
    assert desk.state.purses == Purses()


def test_who_shares_a_ticket_is_paid_its_money() -> None:
    """O-35: two tickets for three left; two go out tied for the second: half of it each, and of the rest."""
    desk = started(7, satellite=TICKET)
    desk.hand(1, {1: 5, 2: 6, 3: 7}).direct().hand(1, {4: 5}).direct()
    end_hand(desk, 1, {5: 4500, 6: 3000, 7: 3000}).direct().hand(1, {6: 5, 7: 5}).direct()
    assert prizes(desk) == {6: 2000, 7: 2000}
    assert [event.entry for event in desk.said(TicketIssued)] == [5]


def test_one_who_goes_out_with_others_may_have_a_ticket() -> None:
    """O-35: two tickets for three left; both others go out in one hand: who had more has the second ticket."""
    desk = started(7, satellite=TICKET)
    desk.hand(1, {1: 5, 2: 6, 3: 7}).direct().hand(1, {4: 5}).direct()
    end_hand(desk, 1, {5: 4500, 6: 2000, 7: 4000}).direct().hand(1, {6: 5, 7: 5}).direct()
    assert ([event.entry for event in desk.said(TicketIssued)], prizes(desk)) == ([7, 5], {6: 1000})


def test_no_prize_of_a_satellite_is_larger_than_the_one_before() -> None:
    """O-36: rebuys have made more of the pool than tickets for all but one; nobody is better off as the last."""
    rebuy = ChipSale(price=4000, fee=0, chips=1500)
    desk = started(3, satellite=TICKET, rebuy=rebuy, seats=3)
    for number in (1, 2, 3):
        desk.do(commands.Rebuy(f"p{number}")).pay()
    (fixed,) = desk.hand(1).direct().sleep().said(PrizesFixed)
    assert (fixed.pool, sum(row.places * row.amount for row in fixed.rows)) == (15_000, 15_000)
    assert [row.amount for row in fixed.rows] == sorted([row.amount for row in fixed.rows], reverse=True)


def test_a_pool_below_one_ticket_is_won_in_money() -> None:
    """O-36: the winner takes what there is."""
    desk = started(2, satellite=TICKET).hand(1, {1: 2}).direct()
    assert (prizes(desk), desk.said(TicketIssued)) == ({2: 2000}, [])


def test_a_satellite_at_several_tables_ends_when_all_stand_still() -> None:
    """O-36: the hands in progress count; then all tables close at once."""
    desk = started(6, seats=3, buy_in=2500, satellite=TICKET)
    one, two, _ = [entry.number for entry in desk.at(1)]
    desk.hand(1, {one: two}).direct()
    assert (desk.state.phase, desk.said(MoveOrdered)) == ("running", [])
    desk.hand(2).direct()
    assert desk.said(TablesClosed) == [TablesClosed((1, 2))]
    assert len(desk.said(TournamentFinished)[0].winners) == 5
