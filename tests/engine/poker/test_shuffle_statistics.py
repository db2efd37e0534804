"""Is the shuffle fair? Statistics over 20,000 decks, and three unfair shuffles that must be caught.

The decks come from fixed seeds, so each statistic is one number that never changes. A bound is the quantile of the
chi-square distribution that a fair shuffle crosses once in a million sets of decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, permutations, product

import pytest

from engine.poker.shuffle import below, permutation, shuffled, stream

N = 20_000
Shuffle = Callable[[int, Iterator[int]], list[int]]


def shuffle_of_1999(n: int, numbers: Iterator[int]) -> list[int]:
    """Swap every place with one of the first n - 1: the loop that was broken in public."""
    order = list(range(n))
    for i in range(n):
        j = below(n - 1, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def naive_swap(n: int, numbers: Iterator[int]) -> list[int]:
    """Swap every place with any place: n ** n paths cannot spread evenly over n! orders."""
    order = list(range(n))
    for i in range(n):
        j = below(n, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def byte_modulo(n: int, numbers: Iterator[int]) -> list[int]:
    """Run Fisher-Yates with the remainder of a byte, which favours small numbers."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(numbers) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@pytest.fixture(scope="module")
def decks() -> list[tuple[int, ...]]:
    """Return 20,000 shuffled decks, each from a seed of its own."""
    return [shuffled(hand.to_bytes(32), f"hand-{hand}") for hand in range(N)]


def chi_square(observed: Iterable[int], expected: float) -> float:
    """Return the sum of (observed - expected) ** 2 / expected."""
    return sum((count - expected) ** 2 for count in observed) / expected


def position_statistic(decks: Iterable[Iterable[int]]) -> float:
    """Return T of T-RNG-3: how unevenly 52 cards fall on 52 places, chi-square with 2,601 degrees if fair."""
    places = [Counter(cards) for cards in zip(*decks, strict=True)]
    return 51 / 52 * sum(chi_square((place[card] for card in range(52)), N / 52) for place in places)


def reached_orders(shuffle: Shuffle, n: int, choices: Iterable[int]) -> Counter[tuple[int, ...]]:
    """Return how often each order comes when every sequence of choices is played once."""
    return Counter(tuple(shuffle(n, iter(path))) for path in product(*map(range, choices)))


def test_every_order_of_four_is_reached_once() -> None:
    """T-RNG-2: all sequences of choices for four cards give the 24 orders, once each."""
    assert reached_orders(permutation, 4, (4, 3, 2)) == Counter(permutations(range(4)))


def test_the_shuffle_of_1999_does_not_reach_every_order_once() -> None:
    """T-RNG-2 has teeth: the 1999 loop fails the same count, for four cards and for three."""
    assert reached_orders(shuffle_of_1999, 4, (3, 3, 3, 3)) != Counter(permutations(range(4)))
    three = reached_orders(shuffle_of_1999, 3, (2, 2, 2))
    assert (sum(three.values()), len(three)) == (8, 4)


def test_the_naive_swap_reaches_some_orders_more_often() -> None:
    """T-RNG-2 has teeth: of 27 paths, 231, 213 and 132 come 5 times, 312, 321 and 123 come 4 times."""
    orders = reached_orders(naive_swap, 3, (3, 3, 3))
    often = {(1, 2, 0), (1, 0, 2), (0, 2, 1)}
    assert orders == {order: 5 if order in often else 4 for order in permutations(range(3))}


def test_every_card_comes_equally_often_at_every_place(decks: list[tuple[int, ...]]) -> None:
    """T-RNG-3: the position matrix is even, and not too even."""
    assert 2272.4 < position_statistic(decks) < 2958.3


@pytest.mark.parametrize(("unfair", "least"), [(shuffle_of_1999, 15_000), (naive_swap, 15_000), (byte_modulo, 4_000)])
def test_unfair_shuffles_are_caught(unfair: Shuffle, least: int) -> None:
    """T-RNG-5, T-RNG-3: the 1999 shuffle, the naive swap and the byte modulo are far above 2958.3."""
    numbers = stream(bytes(32), "test/v1", unfair.__name__)
    assert position_statistic(unfair(52, numbers) for _ in range(N)) > least


def test_the_last_card_of_1999_never_stays_last() -> None:
    """T-RNG-5: with a partner from 1 to 51 of 52, the last card can never stay last; expected would be 385."""
    numbers = stream(bytes(32), "test/v1", "last")
    assert not any(shuffle_of_1999(52, numbers)[-1] == 51 for _ in range(2_000))


def test_the_first_two_cards_are_any_pair(decks: list[tuple[int, ...]]) -> None:
    """T-RNG-4: the ordered pairs of the first two cards, chi-square with 2,651 degrees."""
    pairs = Counter(deck[:2] for deck in decks)
    statistic = chi_square((pairs[pair] for pair in permutations(range(52), 2)), N / (52 * 51))
    assert 2319.2 < statistic < 3011.6


def test_as_many_cards_stay_in_place_as_chance_wants(decks: list[tuple[int, ...]]) -> None:
    """T-RNG-4: fixed points follow Poisson(1): 0, 1, … 5, and 6 or more, chi-square with 6 degrees."""
    fixed = Counter(min(6, sum(map(int.__eq__, deck, range(52)))) for deck in decks)
    chances = [0.367879, 0.367879, 0.183940, 0.061313, 0.015328, 0.003066, 0.000594]
    statistic = sum((fixed[k] - N * chance) ** 2 / (N * chance) for k, chance in enumerate(chances))
    assert statistic < 38.3


def test_consecutive_hands_are_independent(decks: list[tuple[int, ...]]) -> None:
    """T-RNG-4: the same card at the same place in consecutive hands, chi-square with 52 degrees."""
    repeats = [0] * 52
    for before, after in pairwise(decks):
        for place in range(52):
            repeats[place] += before[place] == after[place]
    assert 16.9 < chi_square(repeats, (N - 1) / 52) < 115.5


@pytest.mark.parametrize("cards", [range(5), range(47, 52), range(0, 52, 11), range(20, 25), (51, 0, 25, 26, 12)])
def test_five_cards_lie_in_any_order(decks: list[tuple[int, ...]], cards: Iterable[int]) -> None:
    """T-RNG-4: the order among five given cards, chi-square with 119 degrees."""
    five = sorted(cards)
    orders = Counter(tuple(card for card in deck if card in five) for deck in decks)
    statistic = chi_square((orders[order] for order in permutations(five)), N / 120)
    assert 59.5 < statistic < 207.2


def test_decks_of_five_come_in_any_order() -> None:
    """T-RNG-4: a deck of five cards is shuffled into its 120 orders equally often."""
    orders = Counter(tuple(permutation(5, stream(hand.to_bytes(32), "test/v1", "five"))) for hand in range(N))
    assert 59.5 < chi_square((orders[order] for order in permutations(range(5))), N / 120) < 207.2
