"""Faults of other engines, FAULT-118: a table can be killed at any event and rebuilt from what was written.

Whole stories of a table are played, with time going on. Everything that a service would write down goes through bytes:
the events, a snapshot of the state, the seed of the deck. What comes out of the bytes must be what was in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self, get_args

import msgspec
import pytest

from engine.poker.deck import Deck
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.decide import execute
from engine.table.events import TableEvent, TopUpReserved
from engine.table.evolve import evolve
from engine.table.seat_events import Luggage
from engine.table.state import Table, next_hand_id
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import (
    check_down,
    fixed,
    fold_out,
    grant,
    join,
    leave,
    lose,
    prefer,
    reach,
    refuse,
    restore,
    run_out,
    sit_in,
    sit_out,
)

SEED = bytes(range(32))
PROTECTED = {"protection.disconnect_policy": "all_in"}


class Step(NamedTuple):
    """A command that was carried out."""

    at_ms: int
    before: Table
    command: TableCommand
    hand_id: str
    """Of the hand in progress, or to come."""
    events: tuple[TableEvent, ...]
    after: Table


class Story(Game):
    """A table in play that remembers every step, and whose clock goes on by 1234 ms between them."""

    def __init__(self, game: Game) -> None:
        """Begin with a table that is ready for its first hand."""
        super().__init__(game.table)
        self.log = list(game.log)
        self.opening = tuple(game.log)
        self.steps: list[Step] = []

    def do(self, command: TableCommand, deck: Deck | None = None) -> Self:
        """Carry out a command and remember it."""
        self.wait(ms=1234)
        before = self.table
        hand_id = before.hand.setup.hand_id if before.hand is not None else next_hand_id(before)
        super().do(command, deck or Deck.from_seed(SEED, hand_id))
        self.steps.append(Step(self.at_ms, before, command, hand_id, self.events, self.table))
        return self

    def deal(self) -> Self:
        """Start a hand from the seed."""
        return self.do(commands.StartHand())


def side_pots_and_rake() -> Story:
    """Three all-ins of different sizes, then a hand with a bet on each street."""
    story = Story(cash("modern", [300, 1000, 2500, 4000], button=3))
    check_down(story.deal().all_in().all_in().all_in().all_in())
    reach(story.deal(), 1).raise_to(100)
    check_down(reach(story, 2).raise_to(200))
    return story


def shows_and_mucks() -> Story:
    """A showdown and an uncontested pot at which everybody is asked, and one who lets his time run out."""
    story = Story(cash("modern", [1000, 1000, 1000], button=2))
    for seat in range(3):
        prefer(story, seat, auto_muck=False, ask_to_show=True)
    check_down(story.deal()).do(story.command(commands.Muck))
    story.do(story.command(commands.Show))
    run_out(story)
    story.deal().fold().fold().do(story.command(commands.Show))
    return story


def coming_and_going() -> Story:
    """Players join, top up, sit out, miss blinds, come back and leave, some of it in the middle of a hand."""
    story = Story(cash("modern", [5000, 5000, 5000, 5000], button=3, seats=6))
    join(reach(story.deal(), 1), 4, 5000, "post")
    story.do(commands.RequestTopUp(story.player(0), 1000))
    story.do(commands.QueueChips(story.player(0), 1000, story.last(TopUpReserved).transfer_id))
    check_down(leave(sit_out(story, 1), 2))
    fold_out(story.deal())
    sit_in(story, 1)
    fold_out(story.deal())
    fold_out(story.deal())
    return story


def lost_connections() -> Story:
    """Turns run out, time bank is used, protections are granted and refused, a hand is void."""
    story = Story(cash("modern", [1000, 1000, 1000], button=2, rules=PROTECTED))
    lose(story.deal().raise_to(300), 0)
    grant(run_out(story), 0)
    lose(story, 1)
    refuse(run_out(story), 1)
    restore(restore(story, 0), 1)
    sit_in(sit_in(story, 0), 1)
    run_out(story.deal()).do(commands.PauseClock()).do(commands.ResumeClock())
    story.do(commands.RestartTurnClock(story.hand.setup.hand_id, story.hand.turn.number))
    story.do(commands.VoidHand(story.hand.setup.hand_id, "a fault of ours", "operator"))
    return story


def capped_raises() -> Story:
    """Fixed limit up to the cap on every street."""
    story = Story(fixed("pacific", [20_000, 20_000, 20_000]))
    story.deal()
    while story.table.hand is not None:
        raises = story.menu.bet_or_raise
        story.call() if raises is None else story.raise_to(raises.minimum)
    return story


def rising_levels() -> Story:
    """One is lost and passed at once, one is out, the next level has antes, and the tournament is called off."""
    story = Story(tournament("modern", [300, 1000, 1000], button=2))
    lose(story.deal(), 1)
    story.all_in().call()
    check_down(run_out(story))
    stakes = msgspec.structs.replace(story.table.terms.stakes, ante_type="each", ante=10)
    fold_out(story.do(commands.ChangeLevel(2, stakes)).deal())
    story.do(commands.LimitHands(3)).do(commands.SeatEntry("p3", 4, 0, 700, "t4", Luggage(5000, "timeout")))
    story.deal().do(commands.QueueChips("p2", 300, "t5")).do(commands.FreezeTable("called off", "operator"))
    return story


def money_and_closing() -> Story:
    """Seats are held and given up, money finds no place, the table is halted, resumed, swept and closed."""
    story = Story(cash("modern", [5000, 5000], button=1, seats=6))
    story.do(commands.HoldSeat("p5", 5, 60_000)).do(commands.ReleaseSeat("p5"))
    for _ in range(2):
        story.do(commands.RequestTopUp("p0", 1000))
    first, second = (reserved.transfer_id for reserved in story.all(TopUpReserved))
    story.do(commands.ReleaseTopUp("p0", first)).do(commands.QueueChips("p7", 1000, second))
    reach(story.deal(), 2).do(commands.UseTimeBank(story.player(0), "T1-1", story.hand.turn.number))
    story.do(commands.HaltTable("a fault of ours")).do(commands.ResumeTable("operator"))
    check_down(story.do(commands.CloseTable()))
    return story


STORIES = [
    side_pots_and_rake,
    shows_and_mucks,
    coming_and_going,
    lost_connections,
    capped_raises,
    rising_levels,
    money_and_closing,
]


def opened(story: Story) -> Table:
    """Return the table before the first step, rebuilt from bytes."""
    table: Table | None = None
    for event in story.opening:
        table = evolve(table, msgspec.msgpack.decode(written(event), type=TableEvent), 0)
    assert table == story.steps[0].before
    return table


def written(value: Table | TableEvent) -> bytes:
    """Return the bytes of an event or a state."""
    return msgspec.msgpack.encode(value)


@pytest.mark.parametrize("tell", STORIES)
def test_any_prefix_of_the_events_gives_the_live_state(tell: Callable[[], Story]) -> None:
    """FAULT-118, rulebooks.md section 11.2: events read back from bytes lead to the live state, byte for byte."""
    story = tell()
    rebuilt = opened(story)
    for step in story.steps:
        live = step.before
        for event in step.events:
            live = evolve(live, event, step.at_ms)
            rebuilt = evolve(rebuilt, msgspec.msgpack.decode(written(event), type=TableEvent), step.at_ms)
            assert written(rebuilt) == written(live)
        assert written(rebuilt) == written(step.after)


@pytest.mark.parametrize("tell", STORIES)
def test_a_snapshot_after_any_event_is_the_whole_state(tell: Callable[[], Story]) -> None:
    """FAULT-118: killed after each event and restored from bytes each time, the table ends in the same state."""
    story = tell()
    restored = opened(story)
    for step in story.steps:
        for event in step.events:
            restored = msgspec.msgpack.decode(written(evolve(restored, event, step.at_ms)), type=Table)
        assert restored == step.after


@pytest.mark.parametrize("tell", STORIES)
def test_after_a_restart_commands_have_the_same_effect(tell: Callable[[], Story]) -> None:
    """FAULT-118: before each command the state is restored and the deck made anew from its seed; nothing is redealt."""
    for step in tell().steps:
        restored = msgspec.msgpack.decode(written(step.before), type=Table)
        events, table = execute(restored, step.command, step.at_ms, Deck.from_seed(SEED, step.hand_id))
        assert (events, table) == (step.events, step.after)


def test_the_stories_tell_everything() -> None:
    """FAULT-118: every kind of event occurs in the stories above."""
    told = {type(event) for tell in STORIES for event in tell().log}
    assert told == set(get_args(TableEvent))
