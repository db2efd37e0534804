"""The deck of one hand: the order of its cards, fixed and committed to before anybody posts a blind.

A deck is a value beside the table's state and never inside it: no command, event or snapshot holds one (`trust.md` H4).
What leaves it is the root, when the hand starts, and a `ShownCard` for each card that its owner may see or that is
turned up. Anybody can check a shown card against the root: it lay at that place before the deal.

Production makes decks with `Deck.from_seed` alone. Which place belongs to which seat or street is told in `dealing.py`.
"""

from __future__ import annotations

import hmac
from operator import itemgetter
from typing import Self

import msgspec

from engine.poker.cards import ALL_CARDS, DECK_SIZE, Card
from engine.poker.commitment import (
    HASH_BYTES,
    HEIGHT,
    derive_salt_key,
    derive_salts,
    merkle_nodes,
    proof_path,
    root_from_proof,
)
from engine.poker.shuffle import shuffled


class ShownCard(msgspec.Struct, frozen=True, gc=False):
    """One card with the proof that it lay at its place of the deck (`trust.md` section 2)."""

    index: int
    """The place in the deck, 0 to 51."""
    card: Card
    salt: bytes
    """32 bytes; with the card it opens the leaf."""
    siblings: bytes
    """192 bytes: the six hashes on the way to the root, the leaf's sibling first."""

    def __repr__(self) -> str:
        """Name the place only: before it is turned up, the card is its owner's secret (H11)."""
        return f"ShownCard(index={self.index})"


class Deck(msgspec.Struct, frozen=True, gc=False):
    """The 52 cards of a hand in their order, with what proves each of them. Wholly secret, but for the root."""

    order: tuple[Card, ...]
    """The cards; the index is the place."""
    salts: tuple[bytes, ...]
    """The salts of the 64 leaves, 32 bytes each."""
    nodes: tuple[bytes, ...]
    """The Merkle tree, so that a proof is a look-up."""
    root: bytes
    """The public commitment to the order, 32 bytes."""

    @classmethod
    def from_seed(cls, seed: bytes, hand_id: str) -> Self:
        """Return the deck of a hand: the seed alone yields order, salts and root.

        Raises:
            ValueError: The seed is not 32 bytes long.
        """
        return cls.from_order(shuffled(seed, hand_id), derive_salt_key(seed, hand_id), hand_id)

    @classmethod
    def from_order(cls, order: tuple[Card, ...], salt_key: bytes, hand_id: str) -> Self:
        """Return a deck with a given order, for audits and tests.

        Raises:
            ValueError: The order does not hold each of the 52 cards once, or the salt key is not 32 bytes long.
        """
        if sorted(order) != list(ALL_CARDS):
            msg = "the order of a deck holds each of the 52 cards once"
            raise ValueError(msg)
        salts = derive_salts(salt_key, hand_id)
        nodes = merkle_nodes(order, salts, hand_id)
        return cls(order, salts, nodes, root=nodes[1])

    def shown(self, index: int) -> ShownCard:
        """Return the card at place `index`, 0 to 51, with its proof."""
        siblings = b"".join(_SIBLINGS[index](self.nodes))
        return ShownCard(index, self.order[index], self.salts[index], siblings)

    def __repr__(self) -> str:
        """Tell nothing: a deck in a log or an error report would be the end of its hand (H11, T-SEC-7)."""
        return "Deck(secret)"


def verify_shown(shown: ShownCard, hand_id: str, root: bytes) -> bool:
    """Tell whether a shown card lay at its place in the deck of this hand that `root` committed to (T-COM-2)."""
    return (
        0 <= shown.index < DECK_SIZE  # The places above hold no card: opening one of them proves nothing.
        and 0 <= shown.card < DECK_SIZE
        and len(shown.salt) == HASH_BYTES
        and len(shown.siblings) == HEIGHT * HASH_BYTES
        and hmac.compare_digest(root_from_proof(shown.index, shown.card, shown.salt, shown.siblings, hand_id), root)
    )


_SIBLINGS = tuple(itemgetter(*proof_path(index)) for index in range(DECK_SIZE))
