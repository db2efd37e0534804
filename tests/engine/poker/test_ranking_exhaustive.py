"""Every hand there is: all sets of five cards, all patterns of seven, and another library's opinion.

The reference here shares nothing with the evaluator. It compares five cards as people do: by category, then by the
ranks of the largest group, then by the next. It is slow, so it judges one hand of each class, and counting shows that
the classes are complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement, pairwise

import pytest
from pokerkit import StandardHighHand

from engine.poker.cards import ALL_CARDS, Card, cards_text, rank_of, suit_of
from engine.poker.ranking import CLASSES, Category, category_of, ranking, strength, strength_of_five
from engine.poker.shuffle import shuffled

HANDS: dict[Category, tuple[int, int]] = {
    "high card": (1_302_540, 1020),
    "one pair": (1_098_240, 384),
    "two pair": (123_552, 144),
    "three of a kind": (54_912, 64),
    "straight": (10_200, 1020),
    "flush": (5_108, 4),
    "full house": (3_744, 24),
    "four of a kind": (624, 4),
    "straight flush": (36, 4),
    "royal flush": (4, 4),
}
"""The published number of hands of each category, and how many hands each of its classes holds."""

PATTERNS: dict[tuple[int, ...], Category] = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "one pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}


def judged(five: tuple[Card, ...]) -> tuple[Category, list[int]]:
    """Judge five cards as people do: the category, and the ranks that decide within it, most significant first."""
    ranks = Counter(map(rank_of, five))
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    is_flush = len(set(map(suit_of, five))) == 1
    if order == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]
    if len(order) == 5 and order[0] - order[4] == 4:
        royal: Category = "royal flush" if order[0] == 12 else "straight flush"
        return (royal if is_flush else "straight"), order
    return ("flush" if is_flush else PATTERNS[tuple(sorted(ranks.values(), reverse=True))]), order


@pytest.fixture(scope="module")
def all_hands() -> Counter[int]:
    """Return how many of the 2,598,960 hands of five cards have each strength."""
    return Counter(map(strength_of_five, combinations(ALL_CARDS, 5)))


def one_of_each_class() -> dict[int, tuple[Card, ...]]:
    """Return one hand for each strength, from all flushes in clubs and all other sets of five ranks."""
    suits = (0, 13, 26, 39, 0)
    mixed = (
        tuple(map(int.__add__, ranks, suits)) for ranks in combinations_with_replacement(range(13), 5) if spread(ranks)
    )
    return {strength_of_five(five): five for five in chain(combinations(range(13), 5), mixed)}


def spread(ranks: tuple[int, ...]) -> bool:
    """Tell whether a deck has these ranks: at most four cards are alike."""
    return max(Counter(ranks).values()) <= 4


def test_all_five_card_hands_fall_into_7462_classes(all_hands: Counter[int]) -> None:
    """R-PAC-33: the 2,598,960 hands have the strengths 1 to 7,462, and no other."""
    assert all_hands.total() == 2_598_960
    assert sorted(all_hands) == list(range(1, 7463))


def test_all_five_card_hands_have_the_published_counts(all_hands: Counter[int]) -> None:
    """R-PAC-33: each category has as many hands as combinatorics says, and so has each single class of it."""
    hands: Counter[Category] = Counter()
    for number, count in all_hands.items():
        hands[category_of(number)] += count
        assert count == HANDS[category_of(number)][1]
    assert hands == {category: total for category, (total, _) in HANDS.items()}


def test_every_class_is_judged_as_people_do() -> None:
    """R-PAC-22, R-PAC-33, R-AKP-35: one hand of each class, sorted by strength, is sorted by category and ranks."""
    classes = one_of_each_class()
    assert sorted(classes) == list(range(1, 7463))
    order = list(CLASSES)
    judgements = [(order.index(category), ranks) for category, ranks in (judged(classes[n]) for n in range(1, 7463))]
    assert all(weaker < stronger for weaker, stronger in pairwise(judgements))
    assert [order[place] for place, _ in judgements] == [category_of(number) for number in range(1, 7463)]


def test_every_class_shows_its_five_cards_in_order() -> None:
    """R-PAC-22: the five cards of a ranking are sorted as they are compared: groups first, then kickers."""
    for five in one_of_each_class().values():
        shown = [rank_of(card) for card in ranking(five[:2], five[2:]).five]
        groups = list(dict.fromkeys(shown))
        assert groups == [rank % 13 for rank in judged(five)[1]]


def seven_without_flush() -> Iterator[tuple[Card, ...]]:
    """Yield seven cards for each of the 49,205 ways to choose their ranks, with no five of a suit."""
    for ranks in combinations_with_replacement(range(13), 7):
        if spread(ranks):
            yield tuple(rank + 13 * (place % 4) for place, rank in enumerate(ranks))


def test_seven_cards_without_a_flush_are_worth_their_best_five() -> None:
    """R-PAC-18, R-FRE-10: for every choice of seven ranks, the strength is that of the best five."""
    count = 0
    for a, b, *board in seven_without_flush():
        best = max(map(strength_of_five, combinations((a, b, *board), 5)))
        assert strength((a, b), tuple(board)) == best
        count += 1
    assert count == 49_205


@pytest.mark.parametrize("suited", [5, 6, 7])
@pytest.mark.parametrize("suit", range(4))
def test_seven_cards_with_a_flush_are_worth_their_best_five(suit: int, suited: int) -> None:
    """R-FRE-11: for every choice of five, six or seven suited ranks, the strength is that of the best flush."""
    aces = [13 * other + 12 for other in range(4) if other != suit]  # The most that a flush may have beside it.
    for flush in combinations(range(13 * suit, 13 * suit + 13), suited):
        a, b, *board = (*aces[: 7 - suited], *flush)
        best = max(map(strength_of_five, combinations(flush, 5)))
        assert strength((a, b), tuple(board)) == best


def test_the_order_of_the_cards_does_not_matter() -> None:
    """R-PAC-18: hole cards and board are one hand of seven, in whatever order they were dealt."""
    for hand in range(2_000):
        a, b, *board = shuffled(hand.to_bytes(32), "order")[:7]
        c, d, *rest = sorted((a, b, *board))
        assert strength((a, b), tuple(board)) == strength((c, d), tuple(rest)) == ranking((b, a), tuple(board)).strength


def test_pokerkit_agrees() -> None:
    """R-PAC-33: over 5,000 random hands another library finds the same category, five ranks and class."""
    for number in range(5_000):
        a, b, *board = shuffled(number.to_bytes(32), "pokerkit")[:7]
        ours = ranking((a, b), tuple(board))
        theirs = StandardHighHand.from_game(cards_text((a, b)), cards_text(board))
        label = theirs.entry.label.value.lower()
        assert ours.category.replace("royal", "straight") == label
        assert sorted(map(rank_of, ours.five)) == sorted("23456789TJQKA".index(card.rank) for card in theirs.cards)
        assert ours.strength == strength((a, b), tuple(board)) == theirs.entry.index + 1
