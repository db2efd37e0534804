"""Buying chips while one plays: rebuys of the busted and of small stacks, and the add-on (O-31)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.tournament import commands
from engine.tournament import play_events as events
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.money_events import ObligationPaid
from engine.tournament.state import left
from engine.tournament.terms import ChipSale
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk, started

REBUY = ChipSale(price=900, fee=90, chips=1200, last_level=1, most=2)
ADD_ON = ChipSale(price=800, fee=80, chips=5000, last_level=1)
MINUTE_MS = 60_000


def playing(entries: int = 3, **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament with rebuys, one second after its start."""
    return started(entries, **({"rebuy": REBUY} | changes)).wait(seconds=1)


def busted(**changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament of three in which entry 3 has lost all its chips to entry 1, and thinks."""
    return playing(**changes).hand(1, lost={3: 1}).direct()


def eliminated(desk: Desk) -> list[tuple[int, int, int]]:
    """Return who is out, with the number of his going out, and how many went with him."""
    return [(out.entry, out.out_number, out.tied) for out in desk.said(events.EntryEliminated)]


# Who has lost all his chips.


def test_who_has_lost_all_may_think_about_a_rebuy() -> None:
    """O-31: for as long as the announcement says, a minute unless told."""
    desk = busted()
    assert desk.said(events.EntryBusted) == [events.EntryBusted(3, desk.at_ms + MINUTE_MS)]
    assert (desk.entry(3).status, left(desk.state), desk.state.busted) == ("busted", 3, (3,))
    assert wakes_at_ms(desk.state) == desk.at_ms + MINUTE_MS
    assert busted(rebuy_seconds=5).entry(3).offer_ends_ms == 6_000


def test_who_buys_is_back_with_new_chips() -> None:
    """O-31: he waits for a seat like one who comes late, and is the same entry."""
    desk = busted().do(commands.Rebuy("p3")).pay()
    assert (desk.entry(3).status, desk.entry(3).due, desk.state.busted) == ("waiting", 1200, ())
    [seated] = desk.hand(1).direct().said(events.EntrySeated)
    assert (seated.place.entry, seated.place.chips) == (3, 1200)
    assert (desk.state.entered, desk.entry(3).rebuys, eliminated(desk)) == (3, 1, [])


def test_who_declines_is_out() -> None:
    """O-31: at once, with the place of his bust."""
    desk = busted().do(commands.DeclineRebuy("p3")).direct()
    assert (desk.entry(3).status, eliminated(desk)) == ("out", [(3, 1, 1)])


def test_who_thinks_too_long_is_out() -> None:
    """O-31: not a millisecond before the end of the offer."""
    desk = busted().wait(ms=MINUTE_MS - 1).direct()
    desk.refuses(commands.SettleBusts(), "NOTHING_DUE")
    assert desk.entry(3).status == "busted"
    assert desk.wait(ms=1).direct().entry(3).status == "out"


def test_who_is_out_buys_nothing() -> None:
    """O-31: a rebuy belongs to an entry that is in."""
    desk = busted().do(commands.DeclineRebuy("p3"))
    desk.direct().refuses(commands.Rebuy("p3"), "NOT_REGISTERED")


@pytest.mark.parametrize("over", ["declined", "late"])
def test_an_offer_that_is_over_stays_so_while_others_think(over: str) -> None:
    """O-31: who has declined, or has run out of time, cannot wait and see what others do."""
    desk = playing(4).hand(1, lost={3: 1, 4: 1}).direct().do(commands.Rebuy("p4"))
    desk = desk.do(commands.DeclineRebuy("p3")) if over == "declined" else desk.wait(ms=MINUTE_MS)
    desk.direct().refuses(commands.Rebuy("p3"), "SALE_NOT_OPEN")


def test_without_rebuys_who_has_lost_all_is_out() -> None:
    """O-31: in a freeze-out nobody is offered anything."""
    desk = busted(rebuy=None)
    assert (desk.said(events.EntryBusted), eliminated(desk)) == ([], [(3, 1, 1)])


@pytest.mark.parametrize("order", [commands.DeclineRebuy, commands.Rebuy, commands.AddOn])
def test_a_stranger_buys_and_declines_nothing(order: type[commands.Rebuy]) -> None:
    """O-31: only who is in can."""
    busted(add_on=ADD_ON).refuses(order("p9"), "NOT_REGISTERED")


def test_only_an_offer_can_be_declined() -> None:
    """O-31: not by who has chips, not before it was made, and not twice."""
    desk = playing(3)
    desk.refuses(commands.DeclineRebuy("p3"), "NOTHING_TO_DECLINE")
    desk.hand(1, lost={3: 1}).refuses(commands.DeclineRebuy("p3"), "NOTHING_TO_DECLINE")
    desk.direct().do(commands.DeclineRebuy("p3")).refuses(commands.DeclineRebuy("p3"), "NOTHING_TO_DECLINE")


def test_one_may_buy_before_the_offer_is_made() -> None:
    """O-31: who is quicker than the director loses nothing."""
    desk = playing(3).hand(1, lost={3: 1}).do(commands.Rebuy("p3")).direct()
    assert (desk.said(events.EntryBusted), desk.pay().entry(3).status) == ([], "waiting")


# Money on its way.


@pytest.mark.parametrize(("answer", "status"), [("pay", "waiting"), ("refuse", "out")])
def test_money_on_its_way_stops_the_end_of_the_offer(answer: str, status: str) -> None:
    """Design.md section 3: only the account's answer decides, however long it takes."""
    desk = busted().do(commands.Rebuy("p3")).wait(seconds=300).direct()
    assert desk.entry(3).status == "busted"
    desk.refuses(commands.DeclineRebuy("p3"), "NOTHING_TO_DECLINE")
    assert getattr(desk, answer)().hand(1).do(*_settle(desk)).entry(3).status == status


def _settle(desk: Desk) -> list[commands.SettleBusts]:
    """Return the order to decide about the busted, if it is time."""
    order = due(desk.state, desk.at_ms, SEED)
    return [order] if isinstance(order, commands.SettleBusts) else []


def test_nobody_declines_what_he_is_paying_for() -> None:
    """Design.md section 3: his money is on its way."""
    busted().do(commands.Rebuy("p3")).refuses(commands.DeclineRebuy("p3"), "PAYMENT_PENDING")


def test_a_refusal_in_time_leaves_the_offer_as_it_was() -> None:
    """O-31: he may find other money before the end."""
    desk = busted().do(commands.Rebuy("p3")).wait(seconds=30).refuse().direct()
    assert desk.entry(3).status == "busted"
    assert desk.do(commands.Rebuy("p3")).pay().entry(3).status == "waiting"


def test_one_payment_at_a_time() -> None:
    """Design.md section 3: neither twice the same nor both at once; a late entry pays for itself first."""
    desk = playing(add_on=ADD_ON).do(commands.Rebuy("p1"))
    for order in (commands.Rebuy("p1"), commands.AddOn("p1")):
        desk.refuses(order, "PAYMENT_PENDING")
    desk = Desk(terms(starts_at_ms=0, late_levels=2, rebuy=REBUY)).enter("p1", "p2").direct()
    desk.do(commands.Register("p3")).refuses(commands.Rebuy("p3"), "PAYMENT_PENDING")


# How often, when, and with how many chips.


def test_rebuys_are_used_up() -> None:
    """O-31: as often as announced; after that who has lost all is out at once."""
    desk = playing()
    for _ in range(2):
        desk.do(commands.Rebuy("p3")).pay()
    assert desk.refuses(commands.Rebuy("p3"), "SALES_USED_UP").metadata == {"most": 2}
    desk.hand(1).direct().hand(1, lost={3: 1}).direct()
    assert (desk.said(events.EntryBusted), eliminated(desk)) == ([], [(3, 1, 1)])


@pytest.mark.parametrize(("order", "field"), [(commands.Rebuy("p1"), "rebuy"), (commands.AddOn("p1"), "add_on")])
def test_chips_are_sold_at_their_levels(order: commands.TournamentCommand, field: str) -> None:
    """O-31: not before the first of them, and not after the last."""
    sale: dict[str, Any] = {field: replace(REBUY, first_level=1, last_level=2, stack_max=0)}
    desk = playing(3, **sale)
    sold = []
    for _ in range(4):
        sold.append(due_to_buy(desk, order))
        desk.sleep()
    assert sold == [False, True, True, False]


def due_to_buy(desk: Desk, order: commands.TournamentCommand) -> bool:
    """Say whether chips are sold; if so, one is refused the money."""
    if not desk.state.clock.level or desk.state.clock.level > 2:
        desk.refuses(order, "SALE_NOT_OPEN")
        return False
    desk.do(order).refuse()
    return True


@pytest.mark.parametrize("order", [commands.Rebuy("p1"), commands.AddOn("p1")])
def test_chips_that_are_not_announced_are_not_sold(order: commands.TournamentCommand) -> None:
    """Operations.md section 2: an announcement is never changed."""
    started(2).refuses(order, "SALE_NOT_OPEN")


@pytest.mark.parametrize("order", [commands.Rebuy("p1"), commands.AddOn("p1")])
def test_chips_are_sold_in_play(order: commands.TournamentCommand) -> None:
    """O-31: neither before the start, nor during the draw, nor when it was called off."""
    desk = Desk(terms(entries=2, rebuy=REBUY, add_on=ADD_ON)).enter("p1")
    desk.refuses(order, "SALE_NOT_OPEN")
    desk.enter("p2").do(commands.StartTournament(SEED)).refuses(order, "SALE_NOT_OPEN")
    desk.direct().do(commands.CancelTournament("fire", "ann")).refuses(order, "SALE_NOT_OPEN")


def test_the_break_belongs_to_the_last_level_of_rebuys() -> None:
    """O-31, O-32: the add-on is bought in the break, so that must be time for it."""
    levels = tuple([replace(level, break_seconds=300) for level in terms().levels])
    desk = playing(levels=levels, rebuy=None, add_on=replace(ADD_ON, last_level=0)).sleep().hand(1).direct()
    assert desk.state.clock.on_break == "on"
    assert desk.do(commands.AddOn("p1")).pay().entry(1).due == 5000
    desk.sleep().refuses(commands.AddOn("p2"), "SALE_NOT_OPEN")


def test_the_end_of_the_levels_ends_the_offer() -> None:
    """O-31: who still thinks then is out."""
    desk = playing(rebuy=replace(REBUY, last_level=0)).wait(seconds=570).hand(1, lost={3: 1}).direct()
    assert desk.entry(3).offer_ends_ms > 600_000
    assert desk.sleep().entry(3).status == "out"
    assert desk.at_ms == 600_000


def test_an_offer_does_not_end_in_a_pause() -> None:
    """O-42: whatever has stopped the tournament may keep a player from answering, too."""
    desk = busted().do(commands.PauseTournament("outage", "ann")).wait(seconds=600).direct()
    assert (desk.entry(3).status, wakes_at_ms(desk.state)) == ("busted", None)
    assert desk.do(commands.Rebuy("p3")).pay().entry(3).status == "waiting"


def test_play_goes_on_with_as_much_time_to_think_as_was_left() -> None:
    """O-42: the offer stood still like the clock; it can be declined all the while."""
    desk = busted().wait(seconds=20).do(commands.PauseTournament("outage", "ann")).wait(seconds=600)
    desk.do(commands.ResumeTournament("ann")).direct().wait(seconds=39, ms=999).direct()
    assert desk.entry(3).status == "busted"
    assert desk.wait(ms=1).direct().entry(3).status == "out"
    desk = busted().do(commands.PauseTournament("outage", "ann")).wait(seconds=600).do(commands.DeclineRebuy("p3"))
    assert desk.do(commands.ResumeTournament("ann")).direct().entry(3).status == "out"


@pytest.mark.parametrize(("chips", "may"), [(1499, False), (1500, True)])
def test_a_rebuy_is_for_small_stacks(chips: int, may: bool) -> None:
    """O-31: up to the stack that the announcement names."""
    desk = playing(rebuy=replace(REBUY, stack_max=chips))
    if may:
        assert desk.do(commands.Rebuy("p1")).pay().entry(1).due == 1200
    else:
        refusal = desk.refuses(commands.Rebuy("p1"), "STACK_TOO_LARGE")
        assert refusal.metadata == {"most": 1499, "chips": 1500}


def test_chips_that_are_on_their_way_count_for_the_stack() -> None:
    """O-31: nobody buys twice because the first chips have not arrived."""
    desk = playing(rebuy=replace(REBUY, stack_max=1500)).do(commands.Rebuy("p1")).pay()
    assert desk.refuses(commands.Rebuy("p1"), "STACK_TOO_LARGE").metadata == {"most": 1500, "chips": 2700}


# Chips reach a seat between two hands.


def test_bought_chips_wait_for_the_end_of_the_hand() -> None:
    """O-31: only outside a hand; what was bought twice comes at once."""
    desk = playing(add_on=ADD_ON).do(commands.Rebuy("p1")).pay().do(commands.AddOn("p1")).pay().direct()
    assert (desk.said(events.ChipsIssued), desk.entry(1).chips, desk.entry(1).due) == ([], 1500, 6200)
    [issued] = desk.hand(1).direct().said(events.ChipsIssued)
    assert (issued.entry, issued.player, issued.table, issued.amount) == (1, "p1", 1, 6200)
    assert (desk.entry(1).chips, desk.entry(1).due, desk.state.due) == (7700, 0, ())


def test_chips_go_out_before_the_next_hand() -> None:
    """O-31: the chips first, then the leave to deal."""
    desk = playing().do(commands.Rebuy("p1")).pay().hand(1)
    first = [type(event) for event in desk.do(commands.Arrange(SEED)).events]
    then = [type(event) for event in desk.do(commands.Arrange(SEED)).events]
    assert (first, then) == ([events.ChipsIssued], [events.HandsAllowed])


def test_who_has_bought_in_time_does_not_bust() -> None:
    """O-31: he has lost his seat, and waits for another with the chips that he owns."""
    desk = playing(bounty=500).do(commands.Rebuy("p3")).pay().hand(1, lost={3: 1})
    assert (desk.entry(3).status, desk.entry(3).due, desk.state.busted) == ("waiting", 1200, ())
    desk.direct()
    assert (desk.entry(3).status, desk.entry(3).chips) == ("seated", 1200)
    assert (eliminated(desk), desk.said(ObligationPaid)) == ([], [])


def test_who_is_paying_in_time_does_not_go_out() -> None:
    """Design.md section 3: the money was asked for during the hand in which he lost all."""
    desk = playing().do(commands.Rebuy("p3")).hand(1, lost={3: 1}).direct()
    assert (desk.entry(3).status, desk.said(events.EntryBusted)) == ("busted", [])
    assert desk.pay().entry(3).status == "waiting"


def test_each_shipment_has_an_id_of_its_own() -> None:
    """I12: chips are sent once, under an id made of the entry and a number."""
    desk = playing(2)
    for _ in range(2):
        desk.do(commands.Rebuy("p1")).pay().hand(1).direct()
    ids = [issued.transfer_id for issued in desk.said(events.ChipsIssued)]
    assert len(set(ids)) == 2
    assert desk.entry(1).shipments == 3


# The add-on.


def test_the_add_on_is_for_those_who_have_chips() -> None:
    """O-31: who has lost all buys a rebuy first."""
    desk = busted(add_on=ADD_ON)
    desk.refuses(commands.AddOn("p3"), "SALE_NOT_OPEN")
    assert desk.do(commands.Rebuy("p3")).pay().do(commands.AddOn("p3")).pay().entry(3).due == 6200


def test_the_add_on_is_bought_once_unless_told() -> None:
    """O-31: and rebuys do not count for it."""
    desk = playing(add_on=ADD_ON).do(commands.AddOn("p1")).pay()
    assert desk.refuses(commands.AddOn("p1"), "SALES_USED_UP").metadata == {"most": 1}
    assert (desk.entry(1).add_ons, desk.entry(1).rebuys) == (1, 0)


def test_prizes_wait_for_the_last_sale() -> None:
    """O-36: the pool is what it is when nobody can buy any more."""
    desk = playing(add_on=replace(ADD_ON, first_level=3, last_level=3))
    for _ in range(3):
        assert desk.sleep().state.prizes is None
    desk.do(commands.AddOn("p1")).pay().sleep()
    assert (desk.state.clock.level, desk.state.prize_pool) == (4, 3800)


def test_sales_to_come_do_not_keep_a_winner_waiting() -> None:
    """O-36: when one is left, nobody will buy."""
    desk = playing(2, add_on=replace(ADD_ON, first_level=3, last_level=3)).hand(1, lost={2: 1}).direct()
    assert desk.state.phase == "running"
    assert desk.do(commands.DeclineRebuy("p2")).direct().state.phase == "finished"


# Places and bounties.


@pytest.mark.parametrize("first", ["p3", "p4"])
def test_places_do_not_depend_on_who_declines_first(first: str) -> None:
    """O-35: of two who lose all in one hand, who began it with more has the better place."""
    desk = playing(4).hand(1, lost={2: 3}).direct().do(commands.DeclineRebuy("p2")).direct()
    desk.hand(1, lost={3: 1, 4: 1}).direct().do(commands.DeclineRebuy(first)).wait(ms=MINUTE_MS).direct()
    assert eliminated(desk) == [(2, 1, 1), (4, 2, 1), (3, 3, 1)]


@pytest.mark.parametrize("tied_with", [3, 4])
def test_who_started_with_equal_chips_is_tied_however_long_he_thinks(tied_with: int) -> None:
    """O-35: both have the place, and share what it wins."""
    desk = playing(4).hand(1, lost={3: 1, 4: 1}).direct().do(commands.DeclineRebuy(f"p{tied_with}")).sleep()
    assert sorted(eliminated(desk)) == [(3, 2, 2), (4, 2, 2)]


def test_who_loses_all_later_has_the_better_place() -> None:
    """O-35: whether he may think or not; the one who went before him still does."""
    desk = playing(4, rebuy=replace(REBUY, most=1)).do(commands.Rebuy("p4")).pay()
    desk.hand(1, lost={3: 1}).direct().hand(1, lost={4: 1}).direct()
    assert (eliminated(desk), desk.state.busted) == ([], (3, 4))
    assert eliminated(desk.sleep()) == [(3, 1, 1), (4, 2, 1)]


def test_only_the_last_bust_counts() -> None:
    """O-35: who bought new chips has the place of his final hand."""
    desk = playing(4).hand(1, lost={3: 1}).direct().do(commands.Rebuy("p3")).pay()
    while desk.entry(3).status != "seated":
        desk.hand(1).direct()
    for loser in (4, 3):
        desk.hand(1, lost={loser: 1}).direct().do(commands.DeclineRebuy(f"p{loser}")).direct()
    assert eliminated(desk) == [(4, 1, 1), (3, 2, 1)]


def test_a_bounty_is_won_by_the_final_knock_out() -> None:
    """Operations.md section 3: the head stays on as long as its owner buys; who took it last wins it."""
    desk = playing(bounty=500).hand(1, lost={3: 1}).direct().do(commands.Rebuy("p3")).pay().hand(1).direct()
    assert desk.said(ObligationPaid) == []
    desk.hand(1, lost={3: 2}).direct().do(commands.DeclineRebuy("p3")).direct()
    [bounty] = desk.said(ObligationPaid)
    assert (bounty.player, bounty.reason, bounty.sources.bounty_pool) == ("p2", "knock_out/3", 500)


def test_nobody_wins_while_another_thinks() -> None:
    """O-31: of two, one has lost all and may still buy."""
    desk = playing(2).hand(1, lost={2: 1}).direct()
    assert (desk.state.phase, desk.state.prizes) == ("running", None)
    desk.do(commands.Rebuy("p2")).pay().direct()
    assert (desk.entry(2).status, desk.state.phase) == ("seated", "running")


def test_a_cancellation_ends_all_offers() -> None:
    """Rulebooks.md section 4: who has no chips is no survivor."""
    desk = busted().do(commands.CancelTournament("fire", "ann")).direct()
    assert (desk.entry(3).status, eliminated(desk)) == ("out", [(3, 1, 1)])
