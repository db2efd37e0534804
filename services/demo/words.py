"""Amounts, cards, lists and lines: how the demonstration writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from engine.poker.betting import player_at
from engine.poker.cards import RANKS, Card, rank_of, suit_of
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table.state import Table, occupant_at

SUIT_SIGNS = "♣♦♥♠"
"""In the order of the engine's suits."""

Kind: TypeAlias = Literal["title", "heading", "action", "fact", "alarm"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line of a story, in parts that a display may align."""

    kind: Kind
    text: str
    who: str = ""
    pot: str = ""
    """What is in the middle afterwards."""
    stack: str = ""
    """What the player has behind afterwards."""


Words: TypeAlias = Callable[[Any, Any, Table], Iterator[Line]]
"""From the table before the event (None before the first one), the event, and the table after it."""


def money(table: Table, amount: Chips) -> str:
    """Write an amount: "$4", "$2.50", "-$3"; tournament chips as they are."""
    sign, size = "-" if amount < 0 else "", abs(amount)
    if table.config.kind == "tournament":
        return f"{sign}{size:,}"
    whole, cents = divmod(size, 100)
    return f"{sign}${whole:,}" + (f".{cents:02}" if cents else "")


def gain(table: Table, amount: Chips) -> str:
    """Write what somebody won or lost: "+$4", "-$4", "even"."""
    return f"{'+' if amount > 0 else ''}{money(table, amount)}" if amount else "even"


def cards_in_words(cards: Iterable[Card]) -> str:
    """Write cards with their suit's sign: "K♣ 9♦"."""
    return " ".join(RANKS[rank_of(card)] + SUIT_SIGNS[suit_of(card)] for card in cards)


def listed(names: Sequence[str]) -> str:
    """Write a list: "Ada", "Ada and Ben", "Ada, Ben and Cleo"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def name_at(table: Table, seat: Seat) -> str:
    """Return who sits in an occupied seat."""
    return occupant_at(table, seat).player


def pot_name(number: int) -> str:
    """Return a pot's name: the main pot is number 0."""
    return f"side pot {number}" if number else "the main pot"


def act(table: Table, seat: Seat, text: str) -> Line:
    """Return the line of something a player did in a hand; `table` is the table afterwards."""
    hand = table.hand
    assert hand is not None, "somebody acts in a hand"
    stack = player_at(hand.players, seat).stack
    return Line("action", text, name_at(table, seat), money(table, hand.pot), money(table, stack))


def pay(table: Table, seat: Seat, text: str) -> Line:
    """Return the line of chips that a player put in, all-in or not; `table` is the table afterwards."""
    hand = table.hand
    assert hand is not None, "chips are put in in a hand"
    return act(table, seat, text if player_at(hand.players, seat).stack else f"{text} and is all-in")
