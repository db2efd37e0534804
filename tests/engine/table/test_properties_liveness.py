"""Properties of every table: who wants to play and has chips gets to play, and a void hand never was.

They are stated about random plays (`random_play.py`): whatever has happened at a table, it can go on.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Reason, Rejected
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.table import commands
from engine.table import events as said
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.evolve import evolve
from engine.table.menu import legal_actions
from engine.table.seat_events import EntryPlan
from engine.table.start import next_deal, standings
from engine.table.state import Table, hand_of, next_hand_id, occupant_at
from tests.engine.table.disturbances import back_to_work
from tests.engine.table.played import DealtHand, Play, Step
from tests.engine.table.random_play import often, plays

PLANS = st.sampled_from(["post", "wait"])


def open_tables(play: Play) -> Iterator[tuple[Table, int]]:
    """Yield the table, in service, after every step that left it without a hand, and the time."""
    for step in play.steps:
        if step.after.hand is None and step.after.desk.status == "open" and step.events:
            yield in_service(step.after, step.at_ms), step.at_ms


def in_service(table: Table, at_ms: int) -> Table:
    """Return the table neither halted nor paused, with the director's leave to deal."""
    for command in back_to_work(table):
        _, table = execute(table, command, at_ms)
    return table


def after_all_sat_in(table: Table, at_ms: int, plan: EntryPlan) -> tuple[Table, set[Reason]]:
    """Return the table after everybody with chips asked to play, and why some were refused.

    Where newcomers may not post, they ask to wait for the big blind instead.
    """
    refused: set[Reason] = set()
    for player in [occupant.player for occupant in table.seats if occupant is not None and occupant.stack]:
        for way in (plan, "wait"):
            try:
                _, table = execute(table, commands.SitIn(player, way), at_ms)
            except Rejected as refusal:
                refused.add(refusal.reason)
    return table, refused


def with_chips(table: Table) -> set[str]:
    """Return the players who have chips."""
    return {occupant.player for occupant in table.seats if occupant is not None and occupant.stack}


def start(table: Table, at_ms: int) -> tuple[tuple[TableEvent, ...], Table]:
    """Start a hand with an ordered deck."""
    return execute(table, commands.StartHand(), at_ms, a_deck(table))


def a_deck(table: Table) -> Deck:
    """Return an ordered deck for the next hand."""
    return Deck.from_order(ALL_CARDS, bytes(32), next_hand_id(table))


@often
@given(plays(), PLANS)
def test_enough_willing_players_always_make_a_hand(play: Play, plan: EntryPlan) -> None:
    """Section 4, return block: enough players who have chips and want to play make a hand, whatever they owe."""
    for table, at_ms in open_tables(play):
        seated, _ = after_all_sat_in(table, at_ms, plan)
        if len(with_chips(seated)) >= seated.config.rulebook.table.seats_min:
            events, _ = start(seated, at_ms)
            assert any(isinstance(event, said.HandStarted) for event in events)


@often
@given(plays(), PLANS)
def test_only_the_return_block_keeps_a_player_out(play: Play, plan: EntryPlan) -> None:
    """R-AKP-15, AMB-15: who has chips may sit in at once, but for the return block and for posts that are not taken."""
    for table, at_ms in open_tables(play):
        _, refused = after_all_sat_in(table, at_ms, plan)
        rules = table.config.rulebook.blinds
        allowed = {Reason.RETURN_BLOCKED} if rules.return_block == "until_button_passes" else set()
        allowed |= {Reason.POST_NOT_ALLOWED} if rules.entry_post == "wait_only" and plan == "post" else set()
        assert refused <= allowed


@often
@given(plays())
def test_a_hand_is_promised_if_it_can_start(play: Play) -> None:
    """`next_deal` tells what StartHand will do, but for players who sit out when the big blind comes to them."""
    for table, at_ms in open_tables(play):
        if not any(occupant is not None and occupant.sits_out_at == "next_big_blind" for occupant in table.seats):
            deal = next_deal(table)
            if deal is None:
                with pytest.raises(Rejected, match=Reason.NOT_ENOUGH_PLAYERS):
                    start(table, at_ms)
            else:
                started = next(event for event in start(table, at_ms)[0] if isinstance(event, said.HandStarted))
                assert (started.button, started.big_blind) == (deal.positions.button, deal.positions.big_blind)


@often
@given(plays())
def test_who_owes_nothing_is_dealt_in(play: Play) -> None:
    """O-40, AMB-54: who has chips, sits in and owes no post gets cards in every hand; nobody else but posters does."""
    for moment in play.moments:
        if isinstance(moment.event, said.HandStarted):
            ways = standings(moment.before)
            members = {seat for seat, way in enumerate(ways) if way == "in"}
            willing = {seat for seat, way in enumerate(ways) if way in {"in", "post", "wait"}}
            assert members <= set(moment.event.seats) <= willing


@often
@given(plays(), PLANS)
def test_nobody_who_wants_to_play_waits_for_ever(play: Play, plan: EntryPlan) -> None:
    """AMB-15, AMB-17: while others only fold, all who keep their chips are dealt in within two rounds of the button."""
    table = in_service(play.table, play.at_ms)
    waiting = {player for player in with_chips(table) if table.desk.status == "open"}
    for _ in range(2 * table.config.seats + 2):
        table, _ = after_all_sat_in(table, play.at_ms, plan)
        waiting &= with_chips(table)
        if len(with_chips(table)) < table.config.rulebook.table.seats_min:
            return
        events, table = start(table, play.at_ms)
        waiting -= {player for e in events if isinstance(e, said.HandStarted) for player in e.players}
        table = folded_down(table, play.at_ms)
    assert not waiting


def folded_down(table: Table, at_ms: int) -> Table:
    """Return the table after a hand in which everybody folds if he may."""
    deck = Deck.from_order(ALL_CARDS, bytes(32), f"{table.config.table_id}-{table.desk.hands_started}")
    while table.hand is not None:
        hand = hand_of(table)
        menu = legal_actions(table, hand.betting.to_act) if hand.betting.to_act >= 0 else None
        kind = commands.Muck if menu is None else commands.Fold if menu.fold else commands.Check
        seat = hand.settlement.asked if menu is None else menu.seat
        player = occupant_at(table, seat).player
        _, table = execute(table, kind(player, hand.setup.hand_id, hand.turn.number), at_ms, deck)
    return table


def moments_of(hand: DealtHand) -> list[Step]:
    """Return some steps that left the hand in progress."""
    return [step for step in hand.steps[:: max(1, len(hand.steps) // 4)] if step.after.hand is not None]


def void(step: Step) -> tuple[tuple[TableEvent, ...], Table]:
    """Void the hand after a step."""
    command = commands.VoidHand(hand_of(step.after).setup.hand_id, "a fault", "an operator")
    return execute(step.after, command, step.at_ms)


@often
@given(plays())
def test_a_void_hand_gives_every_stack_back(play: Play) -> None:
    """Section 4, void, R-AKP-31: whenever a hand is voided, each stack is as it was when the hand started."""
    for hand in play.hands:
        for step in moments_of(hand):
            table = evolve(step.after, void(step)[0][0], step.at_ms)
            stacks = tuple(occupant_at(table, seat).stack for seat in hand.started.seats)
            assert stacks == hand.started.stacks


@often
@given(plays())
def test_a_void_hand_pays_no_rake(play: Play) -> None:
    """Section 4, void: the rake of a hand that is voided after it was taken goes back with the pots."""
    for hand in play.hands:
        taken = 0
        for step in hand.steps:
            taken += sum(sum(event.amounts) for event in step.events if isinstance(event, said.RakeTaken))
            if step.after.hand is not None:
                table = evolve(step.after, void(step)[0][0], step.at_ms)
                assert table.desk.rake_held == step.after.desk.rake_held - taken


@often
@given(plays())
def test_after_a_void_hand_the_positions_are_the_same(play: Play) -> None:
    """Section 4, void: the next hand has button and blinds of the void one, if the same players want to play."""
    for hand in play.hands:
        before = hand.steps[0].before
        for step in moments_of(hand):
            _, after = void(step)
            assert after.positions == before.positions
            same_level = msgspec.structs.replace(after, terms=before.terms)
            if standings(before) == standings(after):
                assert next_deal(same_level) == next_deal(before)
