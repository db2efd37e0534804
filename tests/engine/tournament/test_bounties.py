"""Bounties: won by knocking somebody out, shared where a pot was, kept by who never was knocked out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.tournament import commands
from engine.tournament.money_events import ObligationPaid
from engine.tournament.refund_plan import obligation_id
from engine.tournament.terms import ChipSale, Ticket
from tests.engine.tournament.called_off import end_hand
from tests.engine.tournament.desk import Desk, started

REBUY = ChipSale(price=1000, fee=0, chips=1500, last_level=1)


def bounties(desk: Desk) -> list[tuple[int, str, int]]:
    """Return who was paid a bounty, for what, and how much."""
    paid = [event for event in desk.said(ObligationPaid) if event.paid == "bounty"]
    assert all(event.sources.amount == event.sources.bounty_pool for event in paid)
    return [(event.entry, event.reason, event.sources.amount) for event in paid]


def test_who_knocks_somebody_out_wins_the_bounty_on_his_head() -> None:
    """One obligation for each head, under an id without the amount (T-IDEM-8)."""
    desk = started(4, bounty=500).hand(1, {1: 3}).direct()
    assert bounties(desk) == [(3, "knock_out/1", 500)]
    paid = desk.said(ObligationPaid)[0]
    assert (paid.player, paid.transfer_id) == ("p3", obligation_id("T", 3, "knock_out/1"))
    assert desk.state.purses.bounty_pool == 1500


def test_a_bounty_stays_on_the_head_of_who_buys_again() -> None:
    """O-31: it is won by who knocks him out for good."""
    desk = started(4, bounty=500, rebuy=REBUY).hand(1, {1: 3}).direct().do(commands.Rebuy("p1")).pay()
    assert (bounties(desk), desk.entry(1).knocked_out_by) == ([], ())
    desk.hand(1).direct().hand(1, {1: 2}).direct()
    assert bounties(desk) == [(2, "knock_out/1", 500)]


@pytest.mark.parametrize(
    ("bounty", "stacks", "shares"),
    [
        (500, {2: 2500, 3: 2500}, {2: 250, 3: 250}),
        (501, {2: 2500, 3: 2500}, {2: 251, 3: 250}),
        (501, {2: 2000, 3: 3000}, {2: 250, 3: 251}),
        (1, {2: 2000, 3: 3000}, {3: 1}),
    ],
    ids=["even", "equal stacks: lower id", "larger stack", "nothing is not paid"],
)
def test_winners_of_a_pot_share_the_bounty(bounty: int, stacks: dict[int, int], shares: dict[int, int]) -> None:
    """The odd cent goes to the larger stack after the hand, then to the lower entry id."""
    before = {1: 1000, 4: 1000} | {entry: stack - 500 for entry, stack in stacks.items()}
    desk = end_hand(started(4, bounty=bounty), 1, before)
    desk.hand(1, {1: [2, 3]}).direct()
    assert {entry: amount for entry, reason, amount in bounties(desk) if reason == "knock_out/1"} == shares


def test_three_who_shared_a_pot_share_the_bounty() -> None:
    """Two odd cents go to two of them."""
    desk = started(4, bounty=500).hand(1, {4: [1, 2, 3]}).direct()
    assert bounties(desk) == [(1, "knock_out/4", 167), (2, "knock_out/4", 167), (3, "knock_out/4", 166)]


def test_one_who_knocks_out_several_wins_each_bounty() -> None:
    """Each head is an obligation of its own."""
    desk = started(4, bounty=500).hand(1, {1: 3, 2: 3}).direct()
    assert bounties(desk) == [(3, "knock_out/1", 500), (3, "knock_out/2", 500)]


def test_the_winner_gets_the_bounty_on_his_own_head() -> None:
    """Nobody has knocked him out; nothing is left in the purse."""
    desk = started(3, bounty=500).hand(1, {1: 3, 2: 3}).direct()
    assert desk.state.phase == "finished"
    assert bounties(desk)[-1] == (3, "bounty", 500)
    assert desk.state.purses.bounty_pool == 0


def test_all_who_have_won_a_ticket_keep_their_own() -> None:
    """In a satellite nobody knocks the last ones out."""
    desk = started(4, bounty=500, satellite=Ticket("ticket/final", 1500)).hand(1, {1: 3, 2: 3}).direct()
    assert [(entry, reason) for entry, reason, _ in bounties(desk)] == [
        (3, "knock_out/1"),
        (3, "knock_out/2"),
        (3, "bounty"),
        (4, "bounty"),
    ]


def test_who_is_taken_off_the_table_was_not_knocked_out() -> None:
    """An operator has taken him off: his own bounty is his."""
    desk = started(3, bounty=500).hand(1)
    desk.do(commands.ReceiveEntry(1, 1, 1500, "t", "removed", desk.entry(1).luggage)).direct()
    assert bounties(desk) == [(1, "bounty", 500)]


def test_a_winner_who_is_out_himself_has_won_it_all_the_same() -> None:
    """He won the pot at another table's hand before; that he lost everything since takes nothing away."""
    desk = started(5, bounty=500).hand(1, {1: 2}).hand(1, {2: 3}).direct()
    assert bounties(desk) == [(2, "knock_out/1", 500), (3, "knock_out/2", 500)]


def test_in_hand_for_hand_bounties_wait_for_the_barrier() -> None:
    """O-34: what happens in a synchronised hand counts when all tables have ended it."""
    desk = started(6, seats=3, hand_for_hand=4, bounty=500)
    one, two, _ = [entry.number for entry in desk.at(1)]
    desk.hand(1, {one: two}).direct()
    assert bounties(desk) == []
    assert bounties(desk.hand(2).direct()) == [(two, f"knock_out/{one}", 500)]


def test_each_entry_of_a_player_has_a_bounty() -> None:
    """O-30: who enters again puts another one on his head."""
    changes: dict[str, Any] = {"starts_at_ms": 0, "late_levels": 2, "entries_per_player": 2, "entries_max": 9}
    desk = started(3, bounty=500, **changes).hand(1, {1: 2}).direct().enter("p1").hand(1).direct()
    desk.hand(1, {4: 3}).direct()
    assert bounties(desk) == [(2, "knock_out/1", 500), (3, "knock_out/4", 500)]


def test_without_bounties_nothing_is_paid_for_a_head() -> None:
    """A bounty of nothing is no obligation."""
    assert bounties(started(3).hand(1, {1: 3, 2: 3}).direct()) == []
