"""The engine: six-handed no-limit with random legal play and uneven stacks, beside PokerKit and OpenSpiel.

Each side is asked what is legal, chooses by the same policy and carries the action out, through deal, streets, pots and
showdown; decks are prepared outside. Ours keeps every event. Then what the parts cost.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec

from engine.poker.deck import Deck
from engine.poker.ranking import strength
from engine.table.commands import StartHand, TableCommand
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.evolve import evolve
from engine.table.menu import legal_actions
from engine.table.state import Table
from tests.bench.harness import Measure, as_returned, at_most, microseconds_each, ratio_at_least
from tests.bench.peers import OpenSpiel, PokerKit
from tests.bench.tables import CHANCE, CHOICES, ORDERS, choose, decks, tables

START = StartHand()
GOAL_POKERKIT, GOAL_OPENSPIEL = 50, 1
GOAL_IDLE_BYTES = 20 * 1024


def measures(*, quick: bool) -> Iterator[Measure]:
    """Yield the measures of the engine."""
    hands = 300 if quick else 1500
    ours = Ours()
    yield Measure(
        name="decide + evolve, random legal play",
        unit="actions/s",
        ours=lambda: ours.play(hands),
        peer=lambda: PokerKit().play(max(20, hands // 50)),
        peer_name="PokerKit",
        goal=ratio_at_least(GOAL_POKERKIT),
    )
    spiel: list[OpenSpiel] = []

    def openspiel() -> int:
        spiel[:] = spiel or [OpenSpiel()]
        return spiel[0].play(hands)

    yield Measure(
        name="decide + evolve, random legal play",
        unit="actions/s",
        ours=lambda: ours.play(hands),
        peer=openspiel,
        peer_name="OpenSpiel universal_poker",
        goal=ratio_at_least(GOAL_OPENSPIEL),
    )
    script = ours.script(hands)
    yield Measure(name="decide + evolve, prepared actions", unit="actions/s", ours=lambda: ours.replay_commands(script))
    events = ours.record(hands)
    yield Measure(name="fold stored events", unit="events/s", ours=lambda: ours.fold(events))
    menus = ours.menus(hands)
    yield Measure(name="legal_actions", unit="µs", reading=microseconds_each, ours=lambda: _ask(menus))
    yield Measure(name="shuffle + commitment", unit="µs/hand", reading=microseconds_each, ours=lambda: _shuffle(hands))
    yield Measure(name="ranking of seven cards", unit="µs", reading=microseconds_each, ours=lambda: _rank(4 * hands))
    yield Measure(
        name="an idle table's state", unit="bytes", reading=as_returned, ours=idle_bytes, goal=at_most(GOAL_IDLE_BYTES)
    )


class Ours:
    """The engine, with tables and decks ready."""

    def __init__(self) -> None:
        """Prepare tables and decks."""
        self._tables = tables()
        self._decks = decks()

    def play(self, hands: int) -> int:
        """Play hands, keep every event, and return the number of actions."""
        actions, kept = 0, []
        ready, pool = self._tables, self._decks
        for number in range(hands):
            deck = pool[number % len(pool)]
            events, table = execute(ready[number % len(ready)], START, 0, deck)
            kept.append(events)
            hand = table.hand
            while hand is not None:
                seat = hand.betting.to_act
                menu, occupant = legal_actions(table, seat), table.seats[seat]
                assert menu is not None
                assert occupant is not None
                actions += 1
                command = choose(hand, occupant.player, menu, CHANCE[(number * 31 + actions) % CHOICES])
                events, table = execute(table, command, 0, deck)
                kept.append(events)
                hand = table.hand
        return actions

    def script(self, hands: int) -> list[tuple[Table, Deck, list[TableCommand]]]:
        """Return hands as prepared commands."""
        return [(table, deck, commands) for table, deck, commands, _ in self._hands(hands)]

    def replay_commands(self, script: list[tuple[Table, Deck, list[TableCommand]]]) -> int:
        """Carry out prepared commands, keep every event, and return the number of actions."""
        actions, kept = 0, []
        for table, deck, commands in script:
            actions += len(commands) - 1
            state = table
            for command in commands:
                events, state = execute(state, command, 0, deck)
                kept.append(events)
        return actions

    def record(self, hands: int) -> list[tuple[Table, list[TableEvent]]]:
        """Return hands as stored events."""
        return [(table, events) for table, _, _, events in self._hands(hands)]

    def fold(self, recorded: list[tuple[Table, list[TableEvent]]]) -> int:
        """Fold stored events and return their number."""
        count = 0
        for table, events in recorded:
            state = table
            for event in events:
                state = evolve(state, event, 0)
            count += len(events)
        return count

    def menus(self, hands: int) -> list[tuple[Table, int]]:
        """Return tables with the seat to act, from the first hands."""
        return [
            (table, hand.betting.to_act)
            for start, deck, commands, _ in self._hands(hands)
            for table in _states(start, deck, commands)
            if (hand := table.hand) is not None
        ]

    def _hands(self, hands: int) -> Iterator[tuple[Table, Deck, list[TableCommand], list[TableEvent]]]:
        for number in range(hands):
            start, deck = self._tables[number % len(self._tables)], self._decks[number % len(self._decks)]
            commands: list[TableCommand] = [START]
            made, table = execute(start, START, 0, deck)
            events = list(made)
            while (hand := table.hand) is not None:
                seat = hand.betting.to_act
                menu, occupant = legal_actions(table, seat), table.seats[seat]
                assert menu is not None
                assert occupant is not None
                chance = CHANCE[(number * 31 + len(commands)) % CHOICES]
                commands.append(choose(hand, occupant.player, menu, chance))
                made, table = execute(table, commands[-1], 0, deck)
                events += made
            yield start, deck, commands, events


def _states(table: Table, deck: Deck, commands: list[TableCommand]) -> Iterator[Table]:
    for command in commands:
        _, table = execute(table, command, 0, deck)
        yield table


def _ask(menus: list[tuple[Table, int]]) -> int:
    for table, seat in menus:
        legal_actions(table, seat)
    return len(menus)


def _shuffle(hands: int) -> int:
    for number in range(hands // 4):
        Deck.from_seed(number.to_bytes(32), "bench")
    return hands // 4


def _rank(hands: int) -> int:
    count = len(ORDERS)
    for number in range(hands):
        order = ORDERS[number % count]
        strength((order[0], order[1]), order[2:7])
    return hands


def idle_bytes() -> int:
    """Return the memory of an idle six-handed table after a hand: every object that it does not share with others."""
    deck = decks()[0]
    _, table = execute(tables()[0], START, 0, deck)
    while (hand := table.hand) is not None:
        seat = hand.betting.to_act
        menu, occupant = legal_actions(table, seat), table.seats[seat]
        assert menu is not None
        assert occupant is not None
        _, table = execute(table, choose(hand, occupant.player, menu, 1), 0, deck)
    return deep_size(table, set())


def deep_size(value: object, seen: set[int]) -> int:
    """Return the bytes of a value and all that it refers to, each object once; the rulebook is shared by all tables."""
    if id(value) in seen or value is None:
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, msgspec.Struct):
        return size + sum(deep_size(getattr(value, field), seen) for field in value.__struct_fields__)
    if isinstance(value, tuple):
        return size + sum(deep_size(item, seen) for item in value)
    return size
