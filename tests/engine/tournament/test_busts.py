"""Who is out, when, and in which place (`operations.md` O-31, O-34, O-35)."""

from __future__ import annotations

import pytest

from engine.table import commands as table_commands
from engine.tournament import commands
from engine.tournament.money_events import ObligationPaid
from engine.tournament.payouts import PayoutRow
from engine.tournament.play_events import EntryBusted, EntryEliminated
from engine.tournament.state import left
from engine.tournament.terms import ChipSale
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.called_off import end_hand
from tests.engine.tournament.desk import Desk, registering, started
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import Players

REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=1, most=1)


def gone(desk: Desk) -> list[tuple[int, int, int]]:
    """Return who went out, in which order and with which number, and how many share it."""
    return [(event.entry, event.out_number, event.tied) for event in desk.said(EntryEliminated)]


# Places.


def test_the_first_to_go_has_the_last_place() -> None:
    """O-35: the k-th of n to go has place n - k + 1."""
    desk = started(4).hand(1, {3: 1}).direct().hand(1, {2: 4}).direct()
    assert gone(desk) == [(3, 1, 1), (2, 2, 1)]
    assert left(desk.state) == 2


def test_of_one_hand_the_one_who_started_with_more_ranks_higher() -> None:
    """O-35: chips at the start of the hand decide, not the order in which they were lost."""
    desk = end_hand(started(4), 1, {1: 1000, 2: 1400, 3: 1600, 4: 2000}).direct()
    desk.hand(1, {2: 4, 1: 4, 3: 4}).direct()
    assert gone(desk) == [(1, 1, 1), (2, 2, 1), (3, 3, 1)]


def test_equals_of_one_hand_share_the_better_place() -> None:
    """O-35: three of equal chips go together, whoever of them is named first."""
    desk = started(5).hand(1, {3: 1, 5: 1, 2: 1}).direct()
    assert sorted(gone(desk)) == [(2, 3, 3), (3, 3, 3), (5, 3, 3)]


def test_the_prizes_of_tied_places_are_averaged() -> None:
    """O-35: 3301 and 2700 for the second and third: 3001 to the lower entry id, 3000 to the other."""
    payouts = (PayoutRow(2, (6000, 4000)), PayoutRow(3, (3999, 3301, 2700)))
    desk = started(4, buy_in=2500, payouts=payouts).hand(1, {4: 2}).direct().hand(1, {1: 2, 3: 2}).direct()
    paid = {event.entry: event.sources.amount for event in desk.said(ObligationPaid)}
    assert paid == {1: 3001, 3: 3000, 2: 3999}


def test_without_hand_for_hand_the_earlier_hand_counts_first() -> None:
    """O-35: at two tables at almost the same time it is the order of the reports, whatever the stacks were."""
    desk = started(6, seats=3)
    one, two, three = [entry.number for entry in desk.at(1)]
    end_hand(desk, 1, {one: 2000, two: 1500, three: 1000}).direct()
    four, five, _ = [entry.number for entry in desk.at(2)]
    desk.hand(1, {one: two}).hand(2, {four: five}).direct()
    assert gone(desk) == [(one, 1, 1), (four, 2, 1)]


def test_each_hand_with_a_bust_is_a_round_of_its_own() -> None:
    """O-35: two hands at one table before the director looks are two."""
    desk = started(5).hand(1, {1: 2}).hand(1).hand(1, {3: 2}).direct()
    assert (gone(desk), desk.state.bust_rounds) == ([(1, 1, 1), (3, 2, 1)], 2)


def test_the_last_chips_are_on_record() -> None:
    """O-35: what he had when the hand began, and who won it."""
    desk = end_hand(started(4), 1, {1: 1000, 2: 1400, 3: 1600, 4: 2000}).hand(1, {1: [2, 4]})
    assert (desk.entry(1).chips_at_bust, desk.entry(1).knocked_out_by) == (1000, (2, 4))
    assert (desk.entry(1).status, desk.entry(1).table, desk.entry(1).seat) == ("busted", 0, -1)


def test_many_busts_go_in_portions() -> None:
    """O-35, ADR 13: forty by one command, the first to bust first, and nobody is forgotten."""
    desk = started(90, seats=2)
    for table in range(1, 46):
        one, two = [entry.number for entry in desk.at(table)]
        desk.hand(table, {one: two})
    first = list(desk.state.busted)
    assert len(desk.do(commands.SettleBusts()).said(EntryEliminated)) == 40
    desk.do(commands.SettleBusts()).refuses(commands.SettleBusts(), "NOTHING_DUE")
    assert gone(desk) == [(entry, number, 1) for number, entry in enumerate(first, start=1)]


@pytest.mark.parametrize("desk", [registering(2), started(2)], ids=["before", "in play"])
def test_nobody_is_out_who_has_chips(desk: Desk) -> None:
    """There is nothing to decide."""
    desk.refuses(commands.SettleBusts(), "NOTHING_DUE")


def test_a_second_entry_has_a_place_of_its_own() -> None:
    """O-30: who enters again has another entry, and the first one keeps its place."""
    desk = started(3, starts_at_ms=0, late_levels=2, entries_per_player=2, entries_max=9)
    desk.hand(1, {1: 2}).direct().enter("p1").hand(1).direct()
    assert [(entry.number, entry.status) for entry in desk.state.entries if entry.player == "p1"] == [
        (1, "out"),
        (4, "seated"),
    ]
    assert gone(desk.hand(1, {4: 2}).direct()) == [(1, 1, 1), (4, 2, 1)]


# Offers of a rebuy.


def test_who_may_buy_again_has_time_to_think() -> None:
    """O-31: he is not out before the offer ends."""
    desk = started(4, rebuy=REBUY, rebuy_seconds=30).wait(seconds=10).hand(1, {1: 2}).direct()
    assert (desk.said(EntryBusted), gone(desk)) == ([EntryBusted(1, 40_000)], [])
    desk.refuses(commands.SettleBusts(), "NOTHING_DUE")
    assert gone(desk.sleep()) == [(1, 1, 1)]
    assert desk.at_ms == 40_000


def test_nobody_thinks_himself_into_a_better_place() -> None:
    """O-35: the one declines at once and the other waits for the end of his offer: they are tied all the same."""
    desk = (
        started(4, rebuy=REBUY).wait(seconds=1).hand(1, {1: 3, 2: 3}).direct().do(commands.DeclineRebuy("p2")).direct()
    )
    assert gone(desk) == []
    assert sorted(gone(desk.sleep())) == [(1, 2, 2), (2, 2, 2)]


def test_a_later_bust_waits_for_an_earlier_one() -> None:
    """O-35: who has no rebuy left does not go before one who lost his chips in an earlier hand and thinks about it."""
    desk = started(4, rebuy=REBUY).do(commands.Rebuy("p2")).pay().hand(1).direct()
    desk.hand(1, {1: 3}).direct().hand(1, {2: 3}).direct()
    assert (gone(desk), desk.state.busted) == ([], (1, 2))
    assert gone(desk.sleep()) == [(1, 1, 1), (2, 2, 1)]


def test_a_rebuy_lets_the_others_of_that_hand_go() -> None:
    """O-31: his money is waited for; then those who are out are told."""
    desk = started(4, rebuy=REBUY).wait(seconds=1).hand(1, {1: 3, 2: 3}).direct().do(commands.DeclineRebuy("p2"))
    desk.do(commands.Rebuy("p1")).wait(seconds=300).direct()
    assert gone(desk) == []
    desk.pay().direct()
    assert (gone(desk), desk.entry(1).status) == ([(2, 1, 1)], "waiting")


def test_a_refused_rebuy_ends_with_the_offer() -> None:
    """O-31: the account did not pay, and there is no second offer."""
    desk = started(4, rebuy=REBUY).hand(1, {1: 3}).direct().do(commands.Rebuy("p1")).wait(seconds=61).direct()
    assert (gone(desk), desk.refuse().direct().said(EntryBusted)) == ([], [EntryBusted(1, 60_000)])
    assert gone(desk) == [(1, 1, 1)]


def test_offers_end_with_the_sale() -> None:
    """O-31: at a level without rebuys all who think about one are out, the first to bust first."""
    desk = started(5, rebuy=REBUY, rebuy_seconds=3600).hand(1, {4: 3}).direct().hand(1, {1: 3, 2: 3}).direct()
    desk.sleep()
    assert gone(desk) == []
    assert gone(desk.sleep()) == [(4, 1, 1), (1, 3, 2), (2, 3, 2)]
    assert desk.state.clock.level == 2


def test_offers_are_made_in_portions() -> None:
    """O-31, ADR 13: all who lost their chips have one, however many."""
    desk = started(90, seats=2, rebuy=REBUY)
    for table in range(1, 46):
        one, two = [entry.number for entry in desk.at(table)]
        desk.hand(table, {one: two})
    assert len(desk.do(commands.SettleBusts()).said(EntryBusted)) == 40
    assert len({event.entry for event in desk.direct().said(EntryBusted)}) == 45


# Taken off the table by an operator.


def test_who_is_taken_off_is_out() -> None:
    """His chips leave play, and he has the place of who goes now."""
    desk = started(4).hand(1, {2: 3}).direct().hand(1)
    desk.do(commands.ReceiveEntry(1, 1, 1500, "t", "removed", desk.entry(1).luggage)).direct()
    assert gone(desk) == [(2, 1, 1), (1, 2, 1)]
    assert (desk.entry(1).status, desk.entry(1).chips, desk.entry(1).table) == ("out", 0, 0)


def test_who_is_taken_off_with_chips_goes_after_those_who_lost_theirs() -> None:
    """O-35: their hand was before, even if the director had not decided about them."""
    desk = started(4).hand(1, {1: 3, 2: 3})
    desk.do(commands.ReceiveEntry(3, 1, 4500, "t", "removed", desk.entry(3).luggage)).direct()
    assert (sorted(gone(desk)), desk.entry(4).status) == ([(1, 2, 2), (2, 2, 2), (3, 3, 1)], "won")


def test_the_last_one_who_is_taken_off_has_won() -> None:
    """Nobody is left whom he could lose to."""
    desk = started(2).hand(1, {1: 2}).do(commands.SettleBusts())
    desk.do(commands.ReceiveEntry(2, 1, 3000, "t", "removed", desk.entry(2).luggage)).direct()
    assert (gone(desk), desk.entry(2).status, desk.state.phase) == ([(1, 1, 1)], "won", "finished")


@pytest.mark.parametrize(("stacks", "winner"), [({1: 1500, 2: 1500}, 1), ({1: 1000, 2: 2000}, 2)], ids=["tied", "more"])
def test_of_the_last_two_without_chips_one_has_won(stacks: dict[int, int], winner: int) -> None:
    """They think about a rebuy when the last other one is taken off; who started with more wins, or the lower entry."""
    desk = end_hand(started(3, rebuy=REBUY), 1, {**stacks, 3: 1500}).direct().hand(1, {1: 3, 2: 3}).direct()
    desk.do(commands.ReceiveEntry(3, 1, 4500, "t", "removed", desk.entry(3).luggage)).direct().sleep()
    assert (desk.state.phase, desk.entry(winner).status, desk.entry(3 - winner).status) == ("finished", "won", "out")
    assert gone(desk) == [(3, 1, 1), (3 - winner, 2, 1)]


def room_of(entries: int) -> Tourney:
    """Return a tournament in a room, with the first hand allowed."""
    tourney = Tourney(QuietRoom(), terms(entries=entries))
    for number in range(1, entries + 1):
        tourney.room.fund(f"p{number}", 1100)
        tourney.do(commands.Register(f"p{number}"))
    tourney.direct()
    return tourney


def test_who_is_taken_off_between_two_hands_leaves_a_winner() -> None:
    """Of two players one is taken off before their hand begins; it is never dealt, and nobody waits for it."""
    tourney = room_of(2)
    tourney.room.ask("table/T-1", table_commands.RemovePlayer("p1", "removed"))
    tourney.direct()
    assert (tourney.state.phase, tourney.entry(2).status) == ("finished", "won")


@pytest.mark.parametrize("entries", [2, 3])
def test_who_was_taken_off_in_a_hand_has_no_chips(entries: int) -> None:
    """He plays it as one who is away and goes when it ends; the report of that hand gives him nothing back."""
    tourney = room_of(entries)
    players = Players(tourney)
    players.begin_hand("T-1")
    tourney.room.ask("table/T-1", table_commands.RemovePlayer("p1", "removed"))
    while (table := tourney.room.table("T-1")).hand is not None:
        tourney.room.ask("table/T-1", players.choose(table), players.deck)
    tourney.direct()
    assert (tourney.entry(1).status, tourney.entry(1).chips) == ("out", 0)
    players.play_out(hands_max=500)
    assert tourney.room.line("chip issue/T", "chips/T") == 0
