"""Properties of every table: no chip is lost, every hand ends, and the events alone give the state.

They are stated about random plays (`random_play.py`): several hands at a random table under any rulebook and limit.
"""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import msgspec
import pytest
from hypothesis import given

from engine.errors import Rejected
from engine.poker.betting import player_at
from engine.poker.money import Chips
from engine.poker.seats import Seat, seats_in
from engine.table import commands
from engine.table import events as said
from engine.table.clock import turn_ends_at_ms
from engine.table.decide import decide, execute
from engine.table.events import TableEvent
from engine.table.evolve import evolve, replay
from engine.table.state import Hand, Table, hand_of, occupant_at
from tests.engine.table.bookkeeper import Bookkeeper, chips_in, chips_of
from tests.engine.table.played import OF_A_HAND, Play
from tests.engine.table.random_play import often, plays, seeded_play

encode = msgspec.msgpack.encode

PLAYS_TO_SEE_ALL = 300


@often
@given(plays())
def test_chips_are_conserved_at_every_event(play: Play) -> None:
    """`rulebooks.md` section 11.1, I4: what is at the table changes only by what comes from outside or leaves."""
    book = Bookkeeper()
    for event in play.opened:
        book.hear(event)
    for moment in play.moments:
        book.hear(moment.event)
        assert sum(chips_in(moment.after).values()) == book.outside


@often
@given(plays())
def test_events_alone_tell_where_every_chip_is(play: Play) -> None:
    """`rulebooks.md` section 11.1: a reader who follows the amounts in the events has the chips of the state."""
    book = Bookkeeper()
    for event in play.opened:
        book.hear(event)
    for moment in play.moments:
        book.hear(moment.event)
        assert chips_of(book) == chips_in(moment.after)
        assert book.total == book.outside


@often
@given(plays())
def test_no_place_holds_less_than_nothing(play: Play) -> None:
    """I4: no stack, queue or pot is ever negative."""
    for moment in play.moments:
        assert min(chips_in(moment.after).values()) >= 0


@often
@given(plays())
def test_awards_rake_and_returns_are_the_contributions(play: Play) -> None:
    """`rulebooks.md` section 11.1, I5: what was put in has gone back, to the winners or to the house, in each hand."""
    book = Bookkeeper()
    for event in (*play.opened, *play.events):
        book.hear(event)
        if isinstance(event, said.HandEnded):
            assert book.awarded + book.rake_of_hand + book.returned == book.put_in


@often
@given(plays())
def test_pots_and_returns_are_the_contributions(play: Play) -> None:
    """I5: when betting is over, the pots hold all that was put in and did not go back, dead chips included."""
    book = Bookkeeper()
    for event in play.opened:
        book.hear(event)
    for moment in play.moments:
        book.hear(moment.event)
        hand = moment.after.hand
        if isinstance(moment.event, said.HandEnded):
            split = hand_of(moment.before).settlement.pots
            assert not split or sum(pot.amount for pot in split) + book.returned == book.put_in
        assert hand is None or hand.pot >= hand.dead or hand.settlement.winners


@often
@given(plays())
def test_every_pot_is_awarded_once(play: Play) -> None:
    """I5: each pot that was split, or the one pot that nobody contested, goes to somebody once."""
    for hand in play.hands:
        split = [event.pot for event in hand.events if isinstance(event, said.PotSplit)]
        awarded = [event.pot for event in hand.events if isinstance(event, said.PotAwarded)]
        assert sorted(awarded) == (split or [0]) or not hand.was_played_out


@often
@given(plays())
def test_an_award_is_its_pot_less_its_rake(play: Play) -> None:
    """R-PAC-19, AMB-57: a pot's winners share what was split less what was raked from that very pot."""
    for hand in play.hands:
        rakes = next((event.amounts for event in hand.events if isinstance(event, said.RakeTaken)), None)
        split = {event.pot: event.amount for event in hand.events if isinstance(event, said.PotSplit)}
        for event in hand.events:
            if isinstance(event, said.PotAwarded) and split:
                assert sum(event.amounts) == split[event.pot] - (rakes[event.pot] if rakes else 0)


@often
@given(plays())
def test_no_uncalled_bet_stays_in_the_middle(play: Play) -> None:
    """Section 4, uncalled bet: when betting is over, nobody live has more in than another player has matched."""
    for hand in play.hands:
        put_in = dict.fromkeys(range(len(play.opening.stacks)), 0)
        for event in hand.events:
            if isinstance(event, said.PotSplit | said.PotAwarded):
                deepest, second = sorted(put_in, key=lambda seat: put_in[seat], reverse=True)[:2]
                folded = {done.seat for done in hand.events if isinstance(done, said.Folded)}
                assert put_in[deepest] == put_in[second] or deepest in folded
            elif isinstance(event, said.UncalledBetReturned):
                put_in[event.seat] -= event.amount
            elif isinstance(event, PAYMENTS) and not getattr(event, "dead", False):
                put_in[event.seat] += event.amount


PAYMENTS = (said.AntePosted, said.BlindPosted, said.Called, said.Bet, said.Raised)
"""What a player pays for his claim to the pots, but for dead antes."""


@often
@given(plays())
def test_a_short_stack_wins_only_what_it_matched(play: Play) -> None:
    """R-PLA-11, R-AKP-17: who was outbid by a live player wins from each opponent no more than he has in."""
    for moment in play.moments:
        hand = moment.before.hand
        if isinstance(moment.event, said.HandEnded) and hand is not None:
            contributions = {s: p.contribution for s, p in enumerate(hand.players) if p is not None}
            deepest = max(contributions[seat] for seat in seats_in(hand.betting.live))
            for seat, own in contributions.items():
                if own < deepest:
                    matched = sum(min(own, other) for other in contributions.values())
                    assert player_at(hand.players, seat).stack <= stack_behind(hand, seat, own) + matched + hand.dead


def stack_behind(hand: Hand, seat: Seat, contribution: Chips) -> Chips:
    """Return the chips that a player kept out of the hand; what he paid dead is counted as kept."""
    return dict(zip(hand.setup.seats, hand.setup.stacks, strict=True))[seat] - contribution


@often
@given(plays())
def test_all_posts_are_in_before_a_card_is_dealt(play: Play) -> None:
    """R-PLA-16: blinds, antes and entry posts come before the cards, and cards before any action."""
    for hand in play.hands:
        dealt = next(number for number, event in enumerate(hand.events) if isinstance(event, said.HoleCardsDealt))
        posts = said.AntePosted | said.BlindPosted | said.DeadBlindPosted
        assert not any(isinstance(event, posts) for event in hand.events[dealt:])
        assert not any(isinstance(event, DECISIONS) for event in hand.events[:dealt])


@often
@given(plays())
def test_every_hand_ends_within_a_bound(play: Play) -> None:
    """A hand of n players with R raises waits for at most n (4 + R) actions, n answers of accounts and n shows.

    Each full raise puts in at least the least bet and each short one ends a stack, so R <= chips / least bet + n.
    """
    for hand in play.hands:
        players = len(hand.started.seats)
        raises = sum(hand.started.stacks) // hand.started.stakes.min_bet + players
        decisions = sum(isinstance(event, DECISIONS) for event in hand.events)
        assert decisions <= players * (4 + raises) + players + players


DECISIONS = (
    said.Folded,
    said.Checked,
    said.Called,
    said.Bet,
    said.Raised,
    said.PlayerProtected,
    said.ProtectionRefused,
    said.HandMucked,
)


@often
@given(plays())
def test_a_hand_that_nobody_attends_ends_by_itself(play: Play) -> None:
    """However a hand stands, it ends when every turn runs out and every account refuses: in 6 n + 2 steps at most."""
    for step in play.steps[:: max(1, len(play.steps) // 8)]:
        table, at_ms = step.after, step.at_ms
        for _ in range(6 * table.config.seats + 2):
            if table.hand is not None:
                at_ms = max(at_ms, turn_ends_at_ms(table) or 0)
                _, table = execute(table, what_happens_by_itself(table), at_ms, step.deck)
        assert table.hand is None


def what_happens_by_itself(table: Table) -> commands.TableCommand:
    """Return what happens to a hand that nobody attends."""
    hand = hand_of(table)
    if table.desk.halted:
        return commands.ResumeTable("an operator")
    if table.desk.paused_at_ms is not None:
        return commands.ResumeClock()
    if hand.lost.waiting:
        player = occupant_at(table, hand.lost.waiting.bit_length() - 1).player
        return commands.RefuseProtection(player, hand.setup.hand_id)
    return commands.TimeOut(hand.setup.hand_id, hand.turn.number)


@often
@given(plays())
def test_a_hand_ends_once_and_nothing_of_it_comes_before_or_after(play: Play) -> None:
    """`rulebooks.md` section 11.3, T-COM-3: from HandStarted to one HandEnded or HandVoided, and no further."""
    in_hand = False
    for event in play.events:
        if isinstance(event, said.HandStarted):
            assert not in_hand
            in_hand = True
        elif isinstance(event, OF_A_HAND):
            assert in_hand, f"{event} belongs to no hand"
            in_hand = not isinstance(event, said.HandEnded | said.HandVoided)
    assert not in_hand


@often
@given(plays())
def test_a_turn_is_decided_once(play: Play) -> None:
    """T-IDEM-7: turn numbers grow within a hand, and no two decisions are about the same one."""
    accepted = [step.command for step in play.steps if step.refusal is None]
    decided = [(command.hand_id, command.turn) for command in accepted if isinstance(command, TURNS)]
    assert len(decided) == len(set(decided))
    for (hand_id, turn), (later_hand_id, later_turn) in pairwise(decided):
        assert hand_id != later_hand_id or turn < later_turn


TURNS = (
    commands.Fold,
    commands.Check,
    commands.Call,
    commands.Raise,
    commands.Show,
    commands.Muck,
    commands.TimeOut,
)


@often
@given(plays())
def test_turn_numbers_never_go_back(play: Play) -> None:
    """T-IDEM-7: whatever happens in a hand, the number of its open turn never falls."""
    for moment in play.moments:
        if moment.before.hand is not None and moment.after.hand is not None:
            assert moment.before.hand.turn.number <= moment.after.hand.turn.number


@often
@given(plays())
def test_every_event_can_be_applied_and_changes_something(play: Play) -> None:
    """`design.md` section 1: `evolve` is total over what `decide` makes; all but three events change the table."""
    for moment in play.moments:
        assert moment.after is not moment.before or isinstance(moment.event, FOR_READERS_ALONE)


FOR_READERS_ALONE = (said.WentAllIn, said.HandReported, said.StacksReported)
"""What a reader need not work out for himself."""


@often
@given(plays())
def test_replaying_any_prefix_gives_the_live_state(play: Play) -> None:
    """`rulebooks.md` section 11.2: the events up to any step, and nothing else, give its state, byte for byte."""
    table = replay(play.opened, 0)
    assert table is not None
    for step in play.steps:
        for event in step.events:
            table = evolve(table, event, step.at_ms)
        assert encode(table) == encode(step.after)


@often
@given(plays())
def test_stored_events_give_the_live_state(play: Play) -> None:
    """`rulebooks.md` section 11.2: events that were encoded and decoded give the same state, byte for byte."""
    decode = msgspec.msgpack.Decoder(tuple[TableEvent, ...]).decode
    table = replay(decode(encode(play.opened)), 0)
    assert table is not None
    for step in play.steps:
        table = replay(decode(encode(step.events)), step.at_ms, table)
    assert encode(table) == encode(play.table)


@often
@given(plays())
def test_a_decision_can_be_decided_again(play: Play) -> None:
    """I3: with the command, the time and the deck, `decide` gives the stored events again."""
    for step in play.steps:
        if step.refusal is None:
            assert decide(step.before, step.command, step.at_ms, step.deck) == step.events


@often
@given(plays())
def test_a_refused_command_changes_nothing(play: Play) -> None:
    """A refusal leaves the table as it was, and the same command is refused again for the same reason."""
    for step in play.steps:
        if step.refusal is not None:
            before = encode(step.before)
            with pytest.raises(Rejected) as refusal:
                decide(step.before, step.command, step.at_ms, step.deck)
            assert refusal.value.reason == step.refusal
            assert encode(step.before) == encode(step.after) == before


def test_random_play_reaches_every_event() -> None:
    """The properties say something: plays come by every event that a table can make after it was opened."""
    seen = {type(event) for seed in range(PLAYS_TO_SEE_ALL) for event in seeded_play(seed).events}
    assert set(get_args(TableEvent)) - seen == {said.TableCreated, said.ButtonDrawn}
