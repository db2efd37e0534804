"""Tables, decks and choices for the benchmarks: made once, outside every measured loop, from a fixed seed.

One policy plays for all three engines: among fold (facing a bet), check or call, half the pot, the pot and all-in, as
far as they are legal, one is chosen at random. It is OpenSpiel's betting abstraction `fchpa`.
"""

from __future__ import annotations

import random

from engine.poker.deck import Deck
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.menu import LegalActions
from engine.table.state import Hand, Table
from tests.engine.table.game import Game, cash

PLAYERS = 6
SMALL_BLIND, BIG_BLIND = 50, 100
POOL = 256
CHOICES = 1 << 16

_random = random.Random(20_090_101)
STACKS: tuple[tuple[int, ...], ...] = tuple(
    tuple(_random.randint(5 * BIG_BLIND, 200 * BIG_BLIND) for _ in range(PLAYERS)) for _ in range(64)
)
"""Six uneven stacks each."""

ORDERS: tuple[tuple[int, ...], ...] = tuple(tuple(_random.sample(range(52), 52)) for _ in range(POOL))
"""Shuffled decks."""

CHANCE: tuple[int, ...] = tuple(_random.randrange(60) for _ in range(CHOICES))
"""What the policy draws from: 60 divides by every number of options."""


def tables() -> list[Table]:
    """Return a table per set of stacks, its players ready and owing nothing."""
    return [game(number).table for number in range(len(STACKS))]


def game(number: int) -> Game:
    """Return the table with one of the sets of stacks, and how it came about."""
    rules = {"blinds.entry_post": "none"}
    return cash("modern", STACKS[number], blinds=(SMALL_BLIND, BIG_BLIND), button=PLAYERS - 1, rules=rules)


def decks() -> list[Deck]:
    """Return a deck per order, its commitment made."""
    return [Deck.from_order(order, bytes(32), "bench") for order in ORDERS]


def choose(hand: Hand, player: str, menu: LegalActions, chance: int) -> TableCommand:
    """Return the policy's action for the player to act."""
    hand_id, turn = hand.setup.hand_id, menu.turn
    to_call, raises = menu.call, menu.bet_or_raise
    options = [0, -1] if to_call else [-1]
    if raises is not None:
        pot = hand.pot + to_call
        base = hand.betting.current_bet
        options += [size for size in (base + (pot >> 1), base + pot) if raises.minimum <= size < raises.maximum]
        options.append(raises.maximum)
    option = options[chance % len(options)]
    if option > 0:
        return commands.Raise(player, hand_id, turn, option)
    if option == 0:
        return commands.Fold(player, hand_id, turn)
    return commands.Call(player, hand_id, turn) if to_call else commands.Check(player, hand_id, turn)
