"""The commitment to a deck: its vectors, and that no proof can be bent."""

from __future__ import annotations

import msgspec
import pytest

from engine.poker.cards import parse_cards
from engine.poker.commitment import derive_salt_key, derive_salts, merkle_nodes, proof_path, root_from_proof
from engine.poker.deck import Deck, ShownCard, verify_shown
from engine.poker.shuffle import shuffled

SEED = bytes(range(32))
HAND = "hand-0001"
V2_KEY = bytes(range(0x20, 0x40))
V2_ROOT = bytes.fromhex("c9aa26ad1ec0f06fc39dec4f2f7afed686288230477d71843c9bb758b92bab9e")
V2_FIRST = ShownCard(
    index=0,
    card=27,
    salt=bytes.fromhex("e4177f9d999b7cdc3fa7bfb7d3a4cbf5b9970017d8258a3cf2eb92e63b6d6a59"),
    siblings=bytes.fromhex(
        "e5e0e59dc50998fc25ca90fa8e7f39c1d8d9f10da46307183d6746c09e8f7291"
        "78f94d84b8d2352fab12b0f3594ba5396b9644ace4b53377a64de5ba05f03ab5"
        "596994c2b4cf894d42cd939201871eb31face176d874c24c7ce539f22488ff2b"
        "26e0dfe574b5cac5e4fe9f0109e24ab51a4773af8fdc789c4787b7d5f1ff4d37"
        "9b04aca2ab5dd2e771ad3cbd0822086e40ef75423854e6e333e255c122d48693"
        "28e2d7c9cee910c6f2af7af29f47cc87b9a661005f9072d7e3d39734d3d49bc6"
    ),
)
V2_LAST = ShownCard(
    index=51,
    card=8,
    salt=bytes.fromhex("1199bffae897054f703fb5db601b89e316384c2ac2994ed015b6ddca37882450"),
    siblings=bytes.fromhex(
        "3b2a533e2f30ef5f4eaabc6b22fbd3ad7984cfebb557183ecea1d0c9b43e24e2"
        "3558d266df3bec825e9433e22f6c75ec122ad22b11df39381b1a1b21a2ead6b1"
        "81425c8fe62a831dbdc3c71206d9339eaf7da132fa5ab5babc208923aea2bd5c"
        "ff01eb9acda0bd9ae4c05e0bcc4e62a0c3a0172b8808cd60cb8abae44df76f99"
        "000c43b4caa9b5a9c5d672d4ae41c8577e66790d46d674d1db2ae437163e8515"
        "83394a47e9ad74a06e7f6b20d0d9d4e199c7247bacd3c1e6a4836565e9aac8f8"
    ),
)


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Return the deck of vector V2."""
    return Deck.from_order(shuffled(SEED, HAND), V2_KEY, HAND)


def test_the_vector_gives_its_root(deck: Deck) -> None:
    """T-COM-1, vector V2: order and salt key give this root."""
    assert deck.root == V2_ROOT


@pytest.mark.parametrize("expected", [V2_FIRST, V2_LAST])
def test_the_vector_gives_its_proofs(deck: Deck, expected: ShownCard) -> None:
    """T-COM-1, vector V2: card, salt and siblings of the first and of the last place."""
    assert deck.shown(expected.index) == expected
    assert verify_shown(expected, HAND, V2_ROOT)


def test_the_vector_gives_its_leaf(deck: Deck) -> None:
    """T-COM-1, vector V2: the leaf of the first place."""
    assert deck.nodes[64].hex() == "71f84f2a5255674b0af773c9edd34b18768eb6af92d506de826dd5ded28da5d5"


def test_the_seed_alone_gives_salts_and_root() -> None:
    """T-COM-7, vector V3: salt key, first salt and root follow from the seed."""
    salt_key = derive_salt_key(SEED, HAND)
    assert salt_key.hex() == "206dbc7a6c04f0b5ee7523157ae9134b17378a8940c28ff57b7fa7706af04311"
    salts = derive_salts(salt_key, HAND)
    assert salts[0].hex() == "025fb9ccc9714819d297972c88ee4c72dd1d93bed932455d8ff7475e45bd951b"
    root = Deck.from_seed(SEED, HAND).root
    assert root.hex() == "02fd353783c41f660eb0991bdd767114955bcb1304ddf7ead5218a1200e0729d"


def test_every_card_of_a_deck_verifies(deck: Deck) -> None:
    """T-COM-4: each of the 52 cards, shown, verifies against the root."""
    assert all(verify_shown(deck.shown(index), HAND, deck.root) for index in range(52))


@pytest.mark.parametrize(
    "bent",
    [
        msgspec.structs.replace(V2_FIRST, card=28),
        msgspec.structs.replace(V2_FIRST, index=1),
        msgspec.structs.replace(V2_FIRST, index=64),
        msgspec.structs.replace(V2_FIRST, salt=bytes(32)),
        msgspec.structs.replace(V2_FIRST, salt=V2_FIRST.salt[:-1]),
        msgspec.structs.replace(V2_FIRST, salt=V2_FIRST.salt + b"\0"),
        msgspec.structs.replace(V2_FIRST, siblings=bytes(192)),
        msgspec.structs.replace(V2_FIRST, siblings=V2_FIRST.siblings[:-32]),
        msgspec.structs.replace(V2_FIRST, siblings=V2_FIRST.siblings + bytes(32)),
        msgspec.structs.replace(V2_FIRST, siblings=b""),
        msgspec.structs.replace(V2_LAST, siblings=V2_FIRST.siblings),
    ],
)
def test_a_wrong_card_index_salt_or_sibling_fails(bent: ShownCard) -> None:
    """T-COM-2: a proof with one wrong part is no proof."""
    assert not verify_shown(bent, HAND, V2_ROOT)


@pytest.mark.parametrize("hand_id", ["hand-0002", "hand-000", "hand-00010", ""])
def test_a_proof_holds_for_its_own_hand_only(hand_id: str) -> None:
    """T-COM-2: under another hand id the proof fails."""
    assert not verify_shown(V2_FIRST, hand_id, V2_ROOT)


@pytest.mark.parametrize("root", [bytes(32), V2_ROOT[:-1], b"", V2_ROOT[::-1]])
def test_a_proof_holds_for_its_own_root_only(root: bytes) -> None:
    """T-COM-2: against another root the proof fails."""
    assert not verify_shown(V2_FIRST, HAND, root)


@pytest.mark.parametrize("place", range(4))
def test_every_wrong_card_fails_at_every_place(deck: Deck, place: int) -> None:
    """T-COM-2: of the 52 cards only the right one opens a leaf."""
    shown = deck.shown(place)
    opening = [card for card in range(52) if verify_shown(msgspec.structs.replace(shown, card=card), HAND, V2_ROOT)]
    assert opening == [deck.order[place]]


@pytest.mark.parametrize("index", range(52, 64))
def test_a_place_without_a_card_cannot_be_shown(deck: Deck, index: int) -> None:
    """T-COM-2: the leaves 52 to 63 hold no card; their opening is true, and proves no card."""
    siblings = b"".join(deck.nodes[node] for node in proof_path(index))
    assert root_from_proof(index, 255, deck.salts[index], siblings, HAND) == V2_ROOT
    assert not verify_shown(ShownCard(index, 255, deck.salts[index], siblings), HAND, V2_ROOT)


@pytest.mark.parametrize(("index", "card"), [(-1, 8), (0, -1), (0, 52), (0, 255), (0, 256), (52, 8), (256, 8)])
def test_numbers_that_are_no_place_or_card_fail_without_an_error(index: int, card: int) -> None:
    """T-COM-2: whatever a stranger sends, the answer is no, and never an exception."""
    assert not verify_shown(msgspec.structs.replace(V2_FIRST, index=index, card=card), HAND, V2_ROOT)


def test_salts_keep_equal_cards_apart() -> None:
    """Trust.md section 2: without salts a leaf falls to 52 guesses; no leaf and no salt comes twice."""
    nodes = merkle_nodes(parse_cards("AsKs") * 26, derive_salts(V2_KEY, HAND), HAND)
    assert len(set(nodes[64:])) == 64
    assert len(set(derive_salts(V2_KEY, HAND))) == 64


def test_a_shown_card_gives_away_nothing_else(deck: Deck) -> None:
    """T-COM-4: a proof holds one card and one salt; no sibling is a salt of another card."""
    shown = deck.shown(7)
    siblings = {shown.siblings[start : start + 32] for start in range(0, 192, 32)}
    assert siblings <= set(deck.nodes)
    assert not siblings & set(deck.salts)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    """Trust.md section 2: seed and salt key have 32 bytes."""
    with pytest.raises(ValueError, match=f"^a seed has 32 bytes, not {length}$"):
        derive_salt_key(bytes(length), HAND)
    with pytest.raises(ValueError, match=f"^a salt key has 32 bytes, not {length}$"):
        derive_salts(bytes(length), HAND)
