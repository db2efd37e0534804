"""Seeds of decks beside records, as the dealer keeps them; here they are sealed in name only."""

from __future__ import annotations

from functools import lru_cache

from engine.poker.deck import Deck
from services.eventlog.envelope import Sealed

KEY = "no key"
SEED_BYTES = 32
TAG = bytes(16)


def sealed(seed: bytes) -> Sealed:
    """Return what stands in the record of a hand's start."""
    return Sealed(KEY, bytes(12), seed + TAG)


def opened(kept: Sealed, hand_id: str) -> Deck:
    """Return the deck of a hand whose seed was kept."""
    return deck_of(kept.ciphertext[:SEED_BYTES], hand_id)


@lru_cache(maxsize=1000)
def deck_of(seed: bytes, hand_id: str) -> Deck:
    """Return the deck that a seed makes."""
    return Deck.from_seed(seed, hand_id)
