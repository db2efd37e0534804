"""The commitment to a deck: one root of 32 bytes, and a proof for each single card (`trust.md` section 2).

To publish a hash of the seed and then the seed would reveal every mucked hand. So each place of the deck gets a leaf of
its own, salted because 52 guesses would otherwise open it, and the leaves are joined pairwise to a Merkle tree:

    nodes[1]                                      the root, public before the first blind is posted
    nodes[2]            nodes[3]                  the parent of node k is node k // 2, its sibling is node k ^ 1
    …
    nodes[64] … nodes[127]                        the leaves: 52 places, then 12 that hold no card but 255

The proof of place i is what is missing on the way from its leaf to the root: the six siblings. The first of them is the
leaf of a neighbouring, perhaps mucked card; that hash is harmless, because it is salted. Its card and salt together
would open it, and those never leave the deck unless the card is shown.

Salts come from a key, and the key from the seed, so that the seed is all that has to be kept under seal.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from engine.poker.cards import DECK_SIZE, Card
from engine.poker.shuffle import require_key

HASH_BYTES = 32
LEAVES = 64
HEIGHT = 6
"""The steps from a leaf to the root: 2 ** 6 = 64."""

_NO_CARD = 255
_BYTE = tuple(bytes([value]) for value in range(256))


def derive_salt_key(seed: bytes, hand_id: str) -> bytes:
    """Return the 32 bytes from which all salts of a hand are made.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    require_key(seed, "seed")
    return hmac.digest(seed, f"salt-key/v1\0{hand_id}".encode(), "sha256")


def derive_salts(salt_key: bytes, hand_id: str) -> tuple[bytes, ...]:
    """Return the salts of the 64 leaves; one that is revealed tells nothing about the others.

    Raises:
        ValueError: The salt key is not 32 bytes long.
    """
    require_key(salt_key, "salt key")
    keyed = hmac.new(salt_key, f"salt/v1\0{hand_id}\0".encode(), "sha256")
    salts = []
    for index in range(LEAVES):
        salt = keyed.copy()  # Each salt hashes the same beginning: it is fed in once.
        salt.update(_BYTE[index])
        salts.append(salt.digest())
    return tuple(salts)


def merkle_nodes(order: tuple[Card, ...], salts: tuple[bytes, ...], hand_id: str) -> tuple[bytes, ...]:
    """Return the tree over an order of 52 cards: 128 nodes, the root at 1, the leaves from 64 on, nothing at 0."""
    prefix = _leaf_prefix(hand_id)
    padded = order + (_NO_CARD,) * (LEAVES - DECK_SIZE)
    leaves = [_leaf(prefix, index, card, salt) for index, (card, salt) in enumerate(zip(padded, salts, strict=True))]
    nodes = [b""] * LEAVES + leaves
    for parent in range(LEAVES - 1, 0, -1):
        nodes[parent] = _node(nodes[2 * parent], nodes[2 * parent + 1])
    return tuple(nodes)


def proof_path(index: int) -> tuple[int, ...]:
    """Return the six nodes that prove the leaf of place `index`, from the leaf's sibling upwards."""
    return tuple((LEAVES + index >> step) ^ 1 for step in range(HEIGHT))


def root_from_proof(index: int, card: Card, salt: bytes, siblings: bytes, hand_id: str) -> bytes:
    """Return the root to which a proof leads: the real one only if every argument is right; 192 bytes of siblings."""
    node, place = _leaf(_leaf_prefix(hand_id), index, card, salt), LEAVES + index
    for start in range(0, HEIGHT * HASH_BYTES, HASH_BYTES):
        sibling = siblings[start : start + HASH_BYTES]
        node = _node(sibling, node) if place & 1 else _node(node, sibling)
        place >>= 1
    return node


def _leaf_prefix(hand_id: str) -> bytes:
    name = hand_id.encode()
    return b"\x00deck/v1" + len(name).to_bytes(2) + name


def _leaf(prefix: bytes, index: int, card: Card, salt: bytes) -> bytes:
    return sha256(prefix + _BYTE[index] + _BYTE[card] + salt).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
