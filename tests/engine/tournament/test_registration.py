"""Entering a tournament and leaving it before the start: places, entries, late and again (O-30)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.account.commands import SendFunds
from engine.origin import Origin
from engine.reactions import reactions
from engine.tournament import commands
from engine.tournament import money_events as events
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.events import EntrySeated
from engine.tournament.money_events import PaymentReceived, PaymentRequested
from engine.tournament.refund_plan import Sources, obligation_id
from engine.tournament.state import Purses, left
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import SEED, Desk, registering, started

ORIGIN = Origin("tournament/T", 1, 0, "USD")


def punctual(*players: str, **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament for nine that starts after ten seconds, during two levels of which one may come late."""
    usual = {"starts_at_ms": 10_000, "late_levels": 2, "entries_max": 9}
    return Desk(terms(**(usual | changes))).enter(*players)


def under_way(*players: str, **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return such a tournament after its start."""
    return punctual(*players, **changes).wait(seconds=10).direct()


# Places.


def test_registering_reserves_a_place_and_asks_for_the_price() -> None:
    """Design.md section 3: the place comes first and the money after it."""
    desk = registering(1).do(commands.Register("p2"))
    [asked] = desk.events
    assert isinstance(asked, PaymentRequested)
    assert (asked.entry, asked.player, asked.purpose, asked.unit, asked.amount) == (2, "p2", "entry", "USD", 1100)
    assert desk.entry(2).status == "asked"
    send = SendFunds(asked.transfer_id, "USD", 1100, "tournament/T", "entry")
    assert [(r.target, r.command) for r in reactions(ORIGIN, asked)] == [("account/p2", send)]


def test_who_has_paid_is_in() -> None:
    """O-30: an entry has its own number."""
    desk = registering(1).do(commands.Register("p2")).pay()
    assert desk.entry(2).status == "registered"
    assert (desk.state.entered, left(desk.state), desk.state.payments) == (2, 2, ())


@pytest.mark.parametrize("player", ["", "x" * 201, "two\nlines", "house"])
def test_a_player_has_a_name(player: str) -> None:
    """T-ABU-9: a name is a short printable text, and the house's own account plays nothing."""
    refusal = registering(1).refuses(commands.Register(player), "FIELD_INVALID")
    assert refusal.metadata == {"field": "player"}


def test_a_player_is_in_once_at_a_time() -> None:
    """T-ABU-4, I12: be his money there or on its way."""
    desk = registering(1).do(commands.Register("p2"))
    desk.refuses(commands.Register("p1"), "ALREADY_REGISTERED")
    desk.refuses(commands.Register("p2"), "ALREADY_REGISTERED")


def test_reserved_places_count() -> None:
    """O-30: no more entries are asked to pay than have a place."""
    desk = registering(1, entries_max=2).do(commands.Register("p2"))
    assert desk.refuses(commands.Register("p3"), "TOURNAMENT_FULL").metadata == {"most": 2}
    desk.pay().refuses(commands.Register("p3"), "TOURNAMENT_FULL")


def test_a_place_that_is_not_paid_for_is_free_again() -> None:
    """Design.md section 3: the account's refusal ends the reservation, and the player may try once more."""
    desk = registering(1, entries_max=2).do(commands.Register("p2")).refuse()
    assert desk.entry(2).status == "gone"
    desk.enter("p3").refuses(commands.Register("p2"), "TOURNAMENT_FULL")
    desk.do(commands.Unregister("p3"), commands.Register("p2"))
    assert desk.entry_of("p2").number == 4


def test_who_is_out_has_had_his_place() -> None:
    """O-30: re-entries take places of their own."""
    desk = under_way("p1", "p2", "p3", entries_max=3, entries_per_player=2).hand(1, lost={3: 1}).direct()
    desk.refuses(commands.Register("p3"), "TOURNAMENT_FULL")


@pytest.mark.parametrize("with_ticket", [False, True])
def test_nobody_registers_before_the_announcement(with_ticket: bool) -> None:
    """Operations.md section 4: while the house has not paid the guarantee in, nothing is announced."""
    Desk(terms(guarantee=5000)).refuses(commands.Register("p1", with_ticket), "REGISTRATION_CLOSED")


def test_nobody_registers_for_what_is_over() -> None:
    """O-30: neither while it is called off nor after the end."""
    desk = registering(1).do(commands.CancelTournament("fire", "ann"))
    desk.refuses(commands.Register("p2"), "REGISTRATION_CLOSED")
    desk = under_way("p1", "p2").hand(1, lost={2: 1}).direct()
    assert desk.state.phase == "finished"
    desk.refuses(commands.Register("p3"), "REGISTRATION_CLOSED")


# Leaving before the start.


def test_who_unregisters_gets_back_all_that_he_paid() -> None:
    """AMB-11: buy-in, fee and bounty come back before the start, each out of its purse."""
    desk = registering(2, bounty=500).do(commands.Unregister("p2"))
    withdrawn, paid = desk.events
    assert withdrawn == events.EntryWithdrawn(2, "p2")
    sources = Sources(pool=1000, fees=100, bounty_pool=500)
    transfer_id = obligation_id("T", 2, "rollback")
    assert paid == events.ObligationPaid(2, "p2", "rollback", "refund", sources, transfer_id)
    assert desk.state.purses == Purses(pool=1000, fees=100, bounty_pool=500)
    assert (desk.state.entered, desk.entry(2).status) == (1, "gone")


def test_a_freeroll_gives_nothing_back() -> None:
    """Operations.md section 3: nothing was paid."""
    desk = registering(2, buy_in=0, fee=0).do(commands.Unregister("p2"))
    assert desk.events == (events.EntryWithdrawn(2, "p2"),)


def test_who_comes_back_is_another_entry() -> None:
    """Operations.md section 4: obligations are made of the entry, so a second refund has another id."""
    desk = registering(1).do(commands.Unregister("p1")).enter("p1").do(commands.Unregister("p1"))
    paid = desk.said(events.ObligationPaid)
    assert [refund.entry for refund in paid] == [1, 2]
    assert paid[0].transfer_id != paid[1].transfer_id
    assert desk.state.purses == Purses()


def test_unregistering_uses_up_no_entry() -> None:
    """O-30: an entry that was taken back was none."""
    assert registering(1).do(commands.Unregister("p1")).enter("p1").entry(2).status == "registered"


def test_only_who_is_in_can_go() -> None:
    """O-30: a stranger is not in, nor who has gone already."""
    desk = registering(1)
    desk.refuses(commands.Unregister("p2"), "NOT_REGISTERED")
    desk.do(commands.Unregister("p1")).refuses(commands.Unregister("p1"), "NOT_REGISTERED")


def test_nobody_goes_while_his_money_is_on_its_way() -> None:
    """Design.md section 3: only the answer ends a request for money."""
    desk = registering(1).do(commands.Register("p2"))
    desk.refuses(commands.Unregister("p2"), "PAYMENT_PENDING")
    desk.pay().do(commands.Unregister("p2"))


def test_nobody_goes_after_the_start() -> None:
    """O-30: from the draw on, an entry stays."""
    desk = registering(2, entries_max=2).do(commands.StartTournament(SEED))
    desk.refuses(commands.Unregister("p1"), "TOURNAMENT_STARTED")
    desk.direct().refuses(commands.Unregister("p1"), "TOURNAMENT_STARTED")


# Freerolls.


def test_a_freeroll_is_entered_without_payment() -> None:
    """Operations.md section 2: what costs nothing is had at once, and no account is asked."""
    desk = registering(1, buy_in=0, fee=0).do(commands.Register("p2"))
    asked, received = desk.events
    assert isinstance(received, PaymentReceived)
    assert (received.pool, received.fee, received.bounty, received.chips) == (0, 0, 0, 1500)
    assert reactions(ORIGIN, asked) == reactions(ORIGIN, received) == ()
    assert (desk.entry(2).status, desk.entry(2).paid_as, desk.state.payments) == ("registered", (), ())


# The start.


def test_a_sit_and_go_starts_when_it_is_full() -> None:
    """O-30: and not at any time before."""
    desk = registering(2, entries_max=3).wait(seconds=10**6)
    assert (due(desk.state, desk.at_ms, SEED), wakes_at_ms(desk.state)) == (None, None)
    desk.refuses(commands.StartTournament(SEED), "NOTHING_DUE")
    assert due(desk.enter("p3").state, desk.at_ms, SEED) == commands.StartTournament(SEED)


def test_a_full_one_waits_for_money_that_is_on_its_way() -> None:
    """Design.md section 3: a place that may still be given up is not drawn a seat."""
    desk = registering(1, entries_max=2).do(commands.Register("p2"))
    assert due(desk.state, 0, SEED) is None
    desk.refuses(commands.StartTournament(SEED), "NOTHING_DUE")
    assert desk.pay().direct().state.phase == "running"


def test_a_tournament_starts_at_its_time() -> None:
    """O-30: not a millisecond before, though all may be there."""
    desk = punctual("p1", "p2").wait(ms=9_999)
    assert (due(desk.state, desk.at_ms, SEED), wakes_at_ms(desk.state)) == (None, 10_000)
    assert desk.wait(ms=1).direct().state.phase == "running"


def test_too_few_do_not_start() -> None:
    """O-30: the director calls it off at the time of the start, and names the cause."""
    desk = punctual("p1", entries_min=2).sleep()
    [called_off] = desk.said(events.CancellationRequested)
    assert (called_off.cause, called_off.by) == ("too few entries", "director")
    assert desk.state.phase == "cancelling"
    desk.refuses(commands.StartTournament(SEED), "NOTHING_DUE")


@pytest.mark.parametrize(("answer", "phase"), [("pay", "running"), ("refuse", "cancelling")])
def test_the_time_of_the_start_waits_for_money_that_is_on_its_way(answer: str, phase: str) -> None:
    """Design.md section 3: the last entry may be the one that makes enough."""
    desk = punctual("p1").do(commands.Register("p2")).wait(seconds=10)
    assert due(desk.state, desk.at_ms, SEED) is None
    assert getattr(desk, answer)().direct().state.phase == phase


def test_only_who_has_paid_is_drawn_a_seat() -> None:
    """T-ABU-8: the draw names those who are in, in the order of their entries."""
    desk = registering(2, entries_max=3).do(commands.Unregister("p1"), commands.Register("p4")).refuse()
    assert desk.enter("p5", "p6").direct().state.drawn == (2, 4, 5)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_the_start_takes_a_whole_seed(seed: bytes) -> None:
    """T-RNG-6: the draw needs 32 bytes of chance."""
    refusal = registering(2, entries_max=2).refuses(commands.StartTournament(seed), "FIELD_INVALID")
    assert refusal.metadata == {"field": "seed"}


# Late registration.


def test_who_comes_late_gets_a_full_stack_and_a_seat() -> None:
    """O-30: he waits until a table stands still, and sits down with what all others began with."""
    desk = under_way("p1", "p2", "p3").enter("p4")
    assert desk.direct().entry(4).status == "waiting"
    desk.hand(1).direct()
    [seated] = desk.said(EntrySeated)
    assert (seated.place.entry, seated.place.chips, desk.entry(4).status) == (4, 1500, "seated")


def test_during_the_draw_one_already_comes_late() -> None:
    """O-30: who is not in the draw waits for the first seat that can be given."""
    desk = punctual("p1", "p2").wait(seconds=10).do(commands.StartTournament(SEED)).enter("p3")
    assert (desk.entry(3).status, desk.state.drawn) == ("waiting", (1, 2))
    assert desk.direct().entry(3).status == "seated"


def test_without_late_levels_the_start_closes_registration() -> None:
    """O-30: from the draw on."""
    desk = punctual("p1", "p2", late_levels=0).wait(seconds=10).do(commands.StartTournament(SEED))
    desk.refuses(commands.Register("p3"), "REGISTRATION_CLOSED")
    desk.direct().refuses(commands.Register("p3"), "REGISTRATION_CLOSED")


def test_late_registration_ends_with_its_levels() -> None:
    """O-30: two levels of late registration are the first two."""
    desk = under_way("p1", "p2", "p3").sleep().enter("p4")
    desk.sleep().refuses(commands.Register("p5"), "REGISTRATION_CLOSED")
    assert desk.state.clock.level == 2


def test_a_break_belongs_to_the_level_before_it() -> None:
    """O-30, O-32: until the next level begins one may still come."""
    levels = tuple([replace(level, break_seconds=60) for level in terms().levels])
    desk = under_way("p1", "p2", "p3", late_levels=1, levels=levels).sleep().hand(1).direct()
    assert desk.state.clock.on_break == "on"
    desk.enter("p4").sleep().refuses(commands.Register("p5"), "REGISTRATION_CLOSED")


@pytest.mark.parametrize(("answer", "status"), [("pay", "waiting"), ("refuse", "gone")])
def test_money_that_was_asked_for_in_time_may_arrive_later(answer: str, status: str) -> None:
    """Design.md section 3: only the answer ends the reservation, so the prizes wait for it."""
    desk = under_way("p1", "p2", "p3").do(commands.Register("p4")).sleep().sleep()
    assert desk.state.prizes is None
    desk.refuses(commands.FixPrizes(), "NOTHING_DUE")
    getattr(desk, answer)()
    assert desk.entry(4).status == status
    assert desk.direct().state.prizes is not None


def test_nobody_comes_late_to_the_last_one_left() -> None:
    """O-30, O-36: when one alone is left, the tournament is decided."""
    desk = under_way("p1", "p2").hand(1, lost={2: 1}).do(commands.SettleBusts())
    desk.refuses(commands.Register("p3"), "REGISTRATION_CLOSED")
    assert desk.direct().state.phase == "finished"


@pytest.mark.parametrize(("answer", "phase"), [("pay", "running"), ("refuse", "finished")])
def test_who_is_on_his_way_keeps_the_last_one_playing(answer: str, phase: str) -> None:
    """O-30: his place was reserved before it was decided; others may still come with him."""
    desk = under_way("p1", "p2").do(commands.Register("p3")).hand(1, lost={2: 1}).direct()
    assert (desk.state.phase, desk.state.prizes) == ("running", None)
    desk.do(commands.Register("p4")).refuse()
    assert getattr(desk, answer)().direct().state.phase == phase


# Re-entry.


def test_who_is_out_may_enter_again() -> None:
    """O-30: with an entry of his own, for which he pays anew."""
    desk = under_way("p1", "p2", "p3", entries_per_player=2).hand(1, lost={3: 1}).direct().enter("p3")
    assert [(entry.number, entry.player, entry.status) for entry in desk.state.entries[2:]] == [
        (3, "p3", "out"),
        (4, "p3", "waiting"),
    ]
    assert (desk.state.entered, desk.state.purses.pool) == (4, 4000)
    assert desk.hand(1).direct().entry(4).status == "seated"


def test_entries_are_used_up() -> None:
    """O-30: a player has as many as the announcement says."""
    desk = under_way("p1", "p2", "p3").hand(1, lost={3: 1}).direct()
    assert desk.refuses(commands.Register("p3"), "ENTRIES_USED_UP").metadata == {"most": 1}


def test_an_entry_that_was_not_paid_for_is_not_used_up() -> None:
    """O-30: the account may have refused."""
    desk = under_way("p1", "p2", "p3", entries_per_player=2).hand(1, lost={3: 1}).direct()
    assert desk.do(commands.Register("p3")).refuse().enter("p3").entry(5).status == "waiting"


def test_who_has_lost_his_chips_is_in_until_it_is_decided() -> None:
    """O-30: with a rebuy on offer, or before the director has looked, he cannot enter beside himself."""
    desk = under_way("p1", "p2", "p3", entries_per_player=2).hand(1, lost={3: 1})
    assert desk.entry(3).status == "busted"
    desk.refuses(commands.Register("p3"), "ALREADY_REGISTERED")


def test_re_entry_ends_with_late_registration() -> None:
    """O-30: who goes out later is out."""
    desk = under_way("p1", "p2", "p3", entries_per_player=2).sleep().sleep().hand(1, lost={3: 1}).direct()
    desk.refuses(commands.Register("p3"), "REGISTRATION_CLOSED")


def test_a_freeze_out_has_no_way_back() -> None:
    """O-30: a Sit & Go is full when it starts."""
    desk = started(3, entries_per_player=2).hand(1, lost={3: 1}).direct()
    desk.refuses(commands.Register("p3"), "REGISTRATION_CLOSED")
