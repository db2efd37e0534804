"""Random play for the properties: several hands in a row at a random table, with everything that may happen meanwhile.

`plays()` is the strategy. It deals hands, lets the players act, and now and then lets something else happen: a player
leaves, is lost, comes back, tops up, lets his turn run out; the table is halted, its hand voided, its level changed.
Some commands are meant to be refused. A `Play` records every step with the table before and after it, so a property
is a statement about a recorded play; shown by hypothesis, a play is the list of its commands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple, get_args

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from engine.errors import Reason, Rejected
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.table import commands
from engine.table import events as said
from engine.table.clock import turn_ends_at_ms
from engine.table.commands import TableCommand
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.evolve import evolve, replay
from engine.table.menu import legal_actions
from engine.table.state import Table, hand_of, next_hand_id, occupant_at, turn_seat
from tests.engine.table import disturbances
from tests.engine.table.random_tables import Chance, Opening, an_opening

HANDS = 5
DISTURBANCES_MAX = 40
"""So many things at most happen in a hand beside the players' actions."""
STEPS_BACK = 3
"""A player is back in the game after asking for chips, getting them and sitting in."""


class Step(NamedTuple):
    """One command and what came of it."""

    before: Table
    command: TableCommand
    at_ms: int
    deck: Deck | None
    events: tuple[TableEvent, ...]
    after: Table
    refusal: Reason | None


class Moment(NamedTuple):
    """One event, with the table before and after it."""

    before: Table
    event: TableEvent
    after: Table


class Play:
    """A table and all that happened at it."""

    def __init__(self, opening: Opening) -> None:
        """Open the table and seat its players."""
        self.opening = opening
        self.opened = opening.events()
        table = replay(self.opened, 0)
        assert table is not None
        self.first = self.table = table
        self.at_ms = 0
        self.deck: Deck | None = None
        self.steps: list[Step] = []

    def do(self, command: TableCommand) -> bool:
        """Carry out a command and record it; say whether it was accepted."""
        before, refusal = self.table, None
        try:
            events, self.table = execute(before, command, self.at_ms, self.deck)
        except Rejected as rejected:
            events, refusal = (), rejected.reason
        self.steps.append(Step(before, command, self.at_ms, self.deck, events, self.table, refusal))
        return refusal is None

    @property
    def events(self) -> list[TableEvent]:
        """Everything that was said after the table was opened and filled."""
        return [event for step in self.steps for event in step.events]

    @property
    def moments(self) -> Iterator[Moment]:
        """Every event after the opening, with the table before and after it."""
        for step in self.steps:
            before = step.before
            for event in step.events:
                after = evolve(before, event, step.at_ms)
                yield Moment(before, event, after)
                before = after

    @property
    def hands(self) -> list[list[TableEvent]]:
        """The events from each `HandStarted` on, to the next one."""
        hands: list[list[TableEvent]] = []
        for event in self.events:
            if isinstance(event, said.HandStarted):
                hands.append([])
            if hands:
                hands[-1].append(event)
        return hands

    def __repr__(self) -> str:
        """Show how the table was opened and what it was asked."""
        lines = [f"  {step.at_ms} {step.command}{f' -> {step.refusal}' if step.refusal else ''}" for step in self.steps]
        return "\n".join([f"Play of {self.opening}", *lines])


@st.composite
def plays(draw: st.DrawFn, hands: int = HANDS) -> Play:
    """Return a play of some hands at a random table."""
    chance = Chance(draw)
    play = Play(an_opening(chance))
    for player in [occupant.player for occupant in play.table.seats if occupant is not None]:
        if chance.once_in(4):
            play.do(commands.SetPreferences(player, auto_muck=False, ask_to_show=True))
    for _ in range(hands):
        _between_hands(play, chance)
        play.deck = a_deck(play.table, chance)
        play.do(commands.StartHand())
        _play_hand(play, chance)
    return play


def a_deck(table: Table, chance: Chance) -> Deck:
    """Return a deck for the next hand; one in four lets the board play wherever it can, so that pots are split."""
    order = list(ALL_CARDS)
    random.Random(chance.number(0, 1 << 30)).shuffle(order)
    if chance.once_in(4):
        order.sort(key=lambda card: card // 13 == 3 and card % 13 >= 6)
        order = order[:20] + order[-7:] + order[20:-7]
    return Deck.from_order(tuple(order), bytes(32), next_hand_id(table))


def _between_hands(play: Play, chance: Chance) -> None:
    """Let things happen, and most of those who are out of the game come back."""
    for _ in range(chance.pick((0, 0, 1, 3, 6))):
        _disturb(play, chance)
    _back_to_work(play)
    for seat in range(play.table.config.seats):
        steps = 0 if chance.once_in(3) else STEPS_BACK
        for _ in range(steps):
            command = disturbances.comeback(play.table, seat, chance)
            if command is None or not play.do(command):
                break


def _back_to_work(play: Play) -> None:
    for command in disturbances.back_to_work(play.table):
        play.do(command)


def _play_hand(play: Play, chance: Chance) -> None:
    """Play the hand to its end: after so many disturbances the players only act."""
    left, every = DISTURBANCES_MAX, chance.pick((1000, 8, 3))
    while play.table.hand is not None:
        play.at_ms += chance.pick((0, 1000, 20_000, 33_000))
        if left and chance.once_in(every):
            left -= 1
            _disturb(play, chance)
            continue
        _back_to_work(play)
        if _is_away(play.table) and not chance.once_in(4):
            _let_time_pass(play)
            play.do(commands.TimeOut(hand_of(play.table).setup.hand_id, hand_of(play.table).turn.number))
        else:
            play.do(a_decision(play.table, chance))


def _is_away(table: Table) -> bool:
    """Say whether the hand waits for a player whose connection is lost."""
    seat = turn_seat(hand_of(table))
    return seat >= 0 and not occupant_at(table, seat).connected


def _let_time_pass(play: Play) -> None:
    """Wait until the open turn is over."""
    play.at_ms = max(play.at_ms, turn_ends_at_ms(play.table) or 0)


def _disturb(play: Play, chance: Chance) -> None:
    command = disturbances.any_of(play.table, chance)
    if isinstance(command, commands.TimeOut) and not chance.once_in(4):
        _let_time_pass(play)
    play.do(command)


def a_decision(table: Table, chance: Chance) -> TableCommand:
    """Return a legal decision of whomever the hand waits for: a player to act or to show, or an account."""
    hand = hand_of(table)
    hand_id, turn = hand.setup.hand_id, hand.turn.number
    if hand.lost.waiting:
        player = occupant_at(table, hand.lost.waiting.bit_length() - 1).player
        answer = chance.pick((commands.GrantProtection, commands.RefuseProtection))
        return answer(player, hand_id)
    player = occupant_at(table, turn_seat(hand)).player
    menu = legal_actions(table, turn_seat(hand))
    if menu is None:
        return chance.pick((commands.Show(player, hand_id, turn), commands.Muck(player, hand_id, turn)))
    wish = chance.pick(("stay", "stay", "stay", "stay", "raise", "raise", "fold"))
    if wish == "raise" and menu.bet_or_raise is not None:
        least, most = menu.bet_or_raise.minimum, menu.bet_or_raise.maximum
        amount = chance.pick((least, least, most, chance.number(least, most)))
        return commands.Raise(player, hand_id, turn, amount)
    if wish == "fold" and menu.fold:
        return commands.Fold(player, hand_id, turn)
    return commands.Check(player, hand_id, turn) if menu.check else commands.Call(player, hand_id, turn)


def hand_events(events: list[TableEvent]) -> list[TableEvent]:
    """Return the events that belong to a hand in progress; connections come and go without one."""
    return [event for event in events if isinstance(event, OF_A_HAND)]


OF_A_HAND = tuple(
    kind
    for kind in get_args(TableEvent)
    if kind.__module__ == "engine.table.hand_events"
    and kind not in {said.ButtonDrawn, said.HandStarted, said.ConnectionLost, said.ConnectionRestored}
)

often = settings(
    max_examples=settings().max_examples * 2 // 5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""How many plays a property is tried on."""

reproducibly = settings(
    often, max_examples=300, derandomize=True, database=None, phases=[Phase.generate], report_multiple_bugs=False
)
"""The same plays in every run, for what must be met among them."""
