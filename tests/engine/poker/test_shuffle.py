"""The shuffle: its vector, its arithmetic, and what it depends on."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from engine.poker.cards import ALL_CARDS, cards_text
from engine.poker.shuffle import BUTTON_DRAW, SHUFFLE, below, draw_order, permutation, shuffled, stream

SEED = bytes(range(32))
HAND = "hand-0001"
V1 = (
    "3h9s7h2cAc4d2h7c6h5c2s3dJs9d8dAs5s4c6d4s7sKdJhKc2dQd"
    "Qh7d8hKh8sTd6sKs5dJd5h4h8cJcQs9h6cAh3s3cTsThAd9cQcTc"
)  # fmt: skip


def test_the_vector_gives_its_order() -> None:
    """T-RNG-10, vector V1: the seed 00 01 … 1f and hand-0001 give this order."""
    assert cards_text(shuffled(SEED, HAND)) == V1


def test_the_vector_gives_its_stream() -> None:
    """T-RNG-10, vector V1: the stream begins 7070077bf8e251b9."""
    numbers = stream(SEED, SHUFFLE, HAND)
    assert bytes(next(numbers) for _ in range(8)).hex() == "7070077bf8e251b9"


def test_the_vector_uses_fifty_three_bytes() -> None:
    """T-RNG-10, vector V1: 51 numbers and 2 rejections take 53 bytes of the stream."""
    numbers, untouched = stream(SEED, SHUFFLE, HAND), stream(SEED, SHUFFLE, HAND)
    permutation(52, numbers)
    skipped = [next(untouched) for _ in range(53)]
    assert len(skipped) == 53
    assert [next(numbers) for _ in range(32)] == [next(untouched) for _ in range(32)]


@pytest.mark.parametrize("n", range(2, 53))
def test_every_residue_is_accepted_equally_often(n: int) -> None:
    """T-RNG-1: of the bytes 0 to 255, each residue is accepted exactly floor(256 / n) times."""
    accepted = [0] * n
    for byte in range(256):
        numbers = iter((byte, 0))
        residue = below(n, numbers)
        if next(numbers, None) is not None:  # The second byte was not needed: the first was accepted.
            accepted[residue] += 1
    assert accepted == [256 // n] * n


@pytest.mark.parametrize("n", [257, 1000, 65_536])
def test_more_than_256_choices_take_two_bytes_without_bias(n: int) -> None:
    """T-RNG-1 for large draws, such as the seats of a big tournament: every residue floor(65536 / n) times."""
    accepted = [0] * n
    for number in range(65_536):
        numbers = chain(number.to_bytes(2), repeat(0, 2))
        residue = below(n, numbers)
        if next(numbers, None) is not None:
            accepted[residue] += 1
    assert accepted == [65_536 // n] * n


def test_a_stream_that_ends_gives_no_number() -> None:
    """T-RNG-1: a rejected byte is never used after all, not even the last one."""
    with pytest.raises(ValueError, match="the stream of random bytes has ended"):
        below(52, iter((255, 254)))


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    """T-RNG-6: the seed has 32 bytes; the refusal does not repeat it (H11)."""
    with pytest.raises(ValueError, match=f"^a seed has 32 bytes, not {length}$"):
        shuffled(b"\xaa" * length, HAND)


def test_every_order_holds_every_card_once() -> None:
    """A shuffle loses and doubles no card."""
    assert all(sorted(shuffled(SEED, f"hand-{hand}")) == list(ALL_CARDS) for hand in range(100))


def test_label_and_context_keep_draws_apart() -> None:
    """Trust.md section 1, point 8: the same expansion serves other draws, each with its own label and context."""
    orders = {draw_order(SEED, label, context, 52) for label in (SHUFFLE, BUTTON_DRAW) for context in ("a", "b")}
    assert len(orders) == 4


@pytest.mark.parametrize("n", [0, 1, 2, 9, 500])
def test_a_draw_orders_any_number_of_places(n: int) -> None:
    """Trust.md section 1, point 8: button draws and random seating order as many places as they need."""
    assert sorted(draw_order(SEED, BUTTON_DRAW, "table/T7", n)) == list(range(n))
