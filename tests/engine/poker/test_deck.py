"""The deck of a hand: what makes it, what it hides, and that nothing public leads to it."""

from __future__ import annotations

import ast
import inspect
from collections import Counter

import pytest

from engine.poker import commitment, deck, shuffle
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck

SEED = bytes(range(32))
HAND = "hand-0001"


def flipped(bit: int) -> bytes:
    """Return the seed with one of its 256 bits changed."""
    return (int.from_bytes(SEED) ^ 1 << bit).to_bytes(32)


def test_a_deck_is_a_function_of_seed_and_hand() -> None:
    """Trust.md section 1, point 7: after a crash the same seed gives the same deck."""
    assert Deck.from_seed(SEED, HAND) == Deck.from_seed(SEED, HAND)
    assert Deck.from_seed(SEED, HAND) != Deck.from_seed(SEED, "hand-0002")


def test_each_bit_of_the_seed_changes_the_whole_deck() -> None:
    """FAULT-124: with the hand id unchanged, orders and roots share nothing; about one card in 52 stays by chance."""
    original = Deck.from_seed(SEED, HAND)
    decks = [Deck.from_seed(flipped(bit), HAND) for bit in range(256)]
    assert len({other.order for other in decks} | {original.order}) == 257
    assert len({other.root for other in decks} | {original.root}) == 257
    stayed = sum(sum(map(int.__eq__, original.order, other.order)) for other in decks)
    assert 176 < stayed < 336  # Expected are 256, with a standard deviation of 16.


def test_each_bit_of_the_seed_changes_every_salt() -> None:
    """FAULT-124: no salt and no node of the tree is known from another seed under the same hand id."""
    secrets = Counter(Deck.from_seed(SEED, HAND).salts + Deck.from_seed(SEED, HAND).nodes[1:])
    for bit in range(256):
        other = Deck.from_seed(flipped(bit), HAND)
        secrets.update(other.salts + other.nodes[1:])
    assert set(secrets.values()) == {1}


def test_the_deck_comes_from_the_seed_alone() -> None:
    """FAULT-124, T-RNG-6: by design no clock, no generator and no table leads to a deck, only hash functions."""
    sources = [inspect.getsource(module) for module in (shuffle, commitment, deck)]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    own = {"engine.poker.cards", "engine.poker.commitment", "engine.poker.shuffle"}
    neutral = {"__future__", "collections.abc", "itertools", "msgspec", "operator", "typing"}
    assert imported <= own | neutral | {"hashlib", "hmac"}


def test_a_deck_says_nothing_about_itself() -> None:
    """T-SEC-7, H11: the text of a deck and of a card's proof holds no card, salt or hash."""
    secret = Deck.from_seed(SEED, HAND)
    assert repr(secret) == str(secret) == "Deck(secret)"
    assert repr(secret.shown(7)) == str(secret.shown(7)) == "ShownCard(index=7)"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_makes_no_deck(length: int) -> None:
    """T-RNG-6: the seed has 32 bytes."""
    with pytest.raises(ValueError, match=f"^a seed has 32 bytes, not {length}$"):
        Deck.from_seed(bytes(length), HAND)


@pytest.mark.parametrize("order", [(), ALL_CARDS[:51], (*ALL_CARDS, 0), (0, *ALL_CARDS[:51]), (*ALL_CARDS[:51], 52)])
def test_an_order_that_is_no_deck_is_refused(order: tuple[int, ...]) -> None:
    """An order holds each of the 52 cards once; the refusal does not repeat it (H11)."""
    with pytest.raises(ValueError, match=r"^the order of a deck holds each of the 52 cards once$"):
        Deck.from_order(order, SEED, HAND)


def test_there_is_no_card_beyond_the_last() -> None:
    """T-COM-6: only the 52 places that hold a card can be shown."""
    with pytest.raises(IndexError):
        Deck.from_seed(SEED, HAND).shown(52)
