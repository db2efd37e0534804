"""Who has the better hand: the best five of a player's two hole cards and the board (R-PAC-18, R-PLA-1, R-FRE-10).

All five rulebooks rank alike: the standard ten, from the royal flush to the high card (R-PAC-33). The ace is high, or
low in the straight 5-4-3-2-A; within a category ranks decide, the larger group first and then the kickers; suits never
do (R-AKP-35, R-PAC-22, AMB-39, AMB-55). That leaves 7,462 classes of five cards that can be told apart, and a
`strength` is the number of the class: 1 for 7-5-4-3-2, 7,462 for a royal flush, equal for hands that split.

The hot question, which of several hands is best, is answered by `strength`: one call of the perfect-hash evaluator
`phevaluator`. Its tables know seven cards at once, so the best five are never searched for. `ranking` answers what
people ask: which five cards, and what is it called? It may take thirty times as long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate, combinations
from typing import Literal, TypeAlias

import msgspec
from phevaluator.evaluator import evaluate_5cards, evaluate_7cards

from engine.poker.cards import ACE, ALL_CARDS, FIVE, SUITS, Card, rank_of, suit_of

Category: TypeAlias = Literal[
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
]

CLASSES: dict[Category, int] = {
    "high card": 1277,
    "one pair": 2860,
    "two pair": 858,
    "three of a kind": 858,
    "straight": 10,
    "flush": 1277,
    "full house": 156,
    "four of a kind": 156,
    "straight flush": 9,
    "royal flush": 1,
}
"""The categories from the weakest to the strongest, with the number of classes that each holds."""

STRONGEST = sum(CLASSES.values())
"""The strength of a royal flush, 7,462."""


class Ranking(msgspec.Struct, frozen=True, gc=False):
    """What a hand is worth, in numbers and in words."""

    category: Category
    five: tuple[Card, ...]
    """The five cards that play, the most significant first: trips before kickers, and 5-4-3-2-A for the wheel."""
    strength: int
    """1 to 7,462; the higher wins, equal ones split."""
    name: str
    """The hand in words, such as "two pair, kings and nines"."""


def strength(hole: tuple[Card, Card], board: tuple[Card, ...]) -> int:
    """Return the strength of the best five of two hole cards and a board of five, all different; bigger is better."""
    a, b = hole
    c, d, e, f, g = board
    return _MIRROR - evaluate_7cards(_IDS[a], _IDS[b], _IDS[c], _IDS[d], _IDS[e], _IDS[f], _IDS[g])


def strength_of_five(five: tuple[Card, ...]) -> int:
    """Return the strength of exactly five different cards; bigger is better."""
    a, b, c, d, e = five
    return _MIRROR - evaluate_5cards(_IDS[a], _IDS[b], _IDS[c], _IDS[d], _IDS[e])


def ranking(hole: tuple[Card, ...], board: tuple[Card, ...]) -> Ranking:
    """Return the best five of a hand in words, from the flop on.

    Of several equal fives, hole cards are preferred to the board's.

    Raises:
        ValueError: Hole cards and board together are not five to seven different cards.
    """
    cards = hole + board
    if not 5 <= len(set(cards)) == len(cards) <= 7:
        msg = "a hand is ranked by five to seven different cards"
        raise ValueError(msg)
    best = max(combinations(cards, 5), key=strength_of_five)
    number = strength_of_five(best)
    category = category_of(number)
    five = _most_significant_first(best)
    return Ranking(category, five, number, _name(category, five))


def category_of(number: int) -> Category:
    """Return the category of a strength, 1 to 7,462."""
    return _CATEGORIES[bisect_right(_LAST, number - 1)]


def _most_significant_first(five: tuple[Card, ...]) -> tuple[Card, ...]:
    times = Counter(rank_of(card) for card in five)
    ordered = tuple(sorted(five, key=lambda card: (times[rank_of(card)], rank_of(card)), reverse=True))
    first, second = rank_of(ordered[0]), rank_of(ordered[1])
    is_wheel = len(times) == len(five) and (first, second) == (ACE, FIVE)
    return ordered[1:] + ordered[:1] if is_wheel else ordered


def _name(category: Category, five: tuple[Card, ...]) -> str:
    first, fourth = rank_of(five[0]), rank_of(five[3])
    return _NAMES[category].format(top=_WORDS[first], tops=_PLURALS[first], others=_PLURALS[fourth])


_IDS: tuple[int, ...] = tuple(len(SUITS) * rank_of(card) + suit_of(card) for card in ALL_CARDS)
"""The evaluator's number of each card: 4 · rank + suit."""

_MIRROR = STRONGEST + 1
"""The evaluator counts the other way round, from 1 for a royal flush to 7,462: the two numbers add up to this."""

_CATEGORIES = tuple(CLASSES)
_LAST = tuple(accumulate(CLASSES.values()))
"""The highest strength of each category."""

_NAMES: dict[Category, str] = {
    "high card": "high card, {top}",
    "one pair": "pair of {tops}",
    "two pair": "two pair, {tops} and {others}",
    "three of a kind": "three of a kind, {tops}",
    "straight": "straight, {top} high",
    "flush": "flush, {top} high",
    "full house": "full house, {tops} over {others}",
    "four of a kind": "four of a kind, {tops}",
    "straight flush": "straight flush, {top} high",
    "royal flush": "royal flush",
}
"""Each category in words: `top` is the rank of the first of the five cards, `others` that of the fourth."""

_WORDS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_PLURALS = tuple(word + ("es" if word == "six" else "s") for word in _WORDS)
