"""Cards as small integers: 13 · suit + rank, suits c d h s, ranks 2 to A. So 0 is the 2c and 51 is the As.

An integer costs nothing to make, to compare or to keep, and indexes tables. Text is for people, tests and files: a card
is two characters, the rank in upper case and the suit in lower case. Any other text is refused and never taken for some
card (FAULT-94).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int
"""A card, 0 to 51."""

Rank: TypeAlias = int
"""The rank of a card: 0 is the deuce, 12 the ace."""

Suit: TypeAlias = int
"""The suit of a card: clubs, diamonds, hearts, spades are 0, 1, 2, 3. It never decides a comparison (AMB-39)."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"

DECK_SIZE = len(RANKS) * len(SUITS)

ALL_CARDS: tuple[Card, ...] = tuple(range(DECK_SIZE))
"""The ordered deck: 2c … Ac, 2d … Ad, 2h … Ah, 2s … As."""

FIVE: Rank = RANKS.index("5")
ACE: Rank = RANKS.index("A")


def rank_of(card: Card) -> Rank:
    """Return the rank of a card, 0 (deuce) to 12 (ace)."""
    return card % len(RANKS)


def suit_of(card: Card) -> Suit:
    """Return the suit of a card, 0 (clubs) to 3 (spades)."""
    return card // len(RANKS)


def card_text(card: Card) -> str:
    """Return a card as its two characters, such as "As"."""
    return TEXTS[card]


def cards_text(cards: Iterable[Card]) -> str:
    """Return cards as one text without separators, such as "AsKd"; no cards give the empty text."""
    return "".join(TEXTS[card] for card in cards)


def parse_card(text: str) -> Card:
    """Return the card that `text` names.

    Raises:
        ValueError: The text is anything but one rank of "23456789TJQKA" followed by one suit of "cdhs".
    """
    card = _CARDS.get(text)
    if card is None:
        msg = f"{text!r} is no card: a card is one of {RANKS} and one of {SUITS}, such as 'As' or 'Td'"
        raise ValueError(msg)
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that `text` names, in its order; the empty text names none. The inverse of `cards_text`.

    Raises:
        ValueError: Two characters in a row are no card, one is left over, or a card comes twice.
    """
    cards = tuple(parse_card(text[start : start + 2]) for start in range(0, len(text), 2))
    if len(set(cards)) < len(cards):
        msg = f"{text!r} names a card twice"
        raise ValueError(msg)
    return cards


TEXTS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The text of every card."""

_CARDS: dict[str, Card] = {text: card for card, text in enumerate(TEXTS)}
