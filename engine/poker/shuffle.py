"""From a seed to an order: the shuffle, and every other draw by chance (`trust.md` section 1).

The engine has no chance of its own. Whoever calls it brings 32 bytes from the operating system, fresh for each hand and
each draw, and everything here is a pure function of them:

    seed ──HMAC-SHA256──▶ stream of bytes ──rejection──▶ numbers below n ──Fisher-Yates──▶ order

Three properties make an order fair, and each was missing in a shuffle that was broken in public in 1999. The seed is
longer than the 226 bits that number all decks, and is used once. A number below n is drawn by rejection, because a
remainder alone favours small numbers whenever n does not divide the range. And every swap has a partner at or below
its own place, so that each of the n! orders is reached by exactly one sequence of numbers.

The label keeps draws apart: the same seed under another label or context gives an unrelated stream.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from itertools import chain, count

from engine.poker.cards import DECK_SIZE, Card

SEED_BYTES = 32
"""The length of a seed, and of every key derived from one."""

SHUFFLE = "shuffle/v1"
"""The label of a hand's deck; its context is the hand id."""

BUTTON_DRAW = "button-draw/v1"
"""The label of a draw for the button."""


def shuffled(seed: bytes, hand_id: str) -> tuple[Card, ...]:
    """Return the 52 cards in the order that the seed gives for this hand, first card first.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    return draw_order(seed, SHUFFLE, hand_id, DECK_SIZE)


def draw_order(seed: bytes, label: str, context: str, n: int) -> tuple[int, ...]:
    """Return the numbers 0 to n - 1 in the order that the seed gives: for button draws and random seating.

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    return tuple(permutation(n, stream(seed, label, context)))


def stream(seed: bytes, label: str, context: str) -> Iterator[int]:
    """Return the endless stream of bytes of a seed, each 0 to 255.

    Block k is HMAC-SHA256 under the seed of `label ‖ 0x00 ‖ context ‖ 0x00 ‖ k as 8 bytes`, k = 0, 1, …

    Raises:
        ValueError: The seed is not 32 bytes long.
    """
    require_key(seed, "seed")
    prefix = f"{label}\0{context}\0".encode()
    return chain.from_iterable(hmac.digest(seed, prefix + k.to_bytes(8), "sha256") for k in count())


def permutation(n: int, numbers: Iterator[int]) -> list[int]:
    """Return the numbers 0 to n - 1, shuffled by Fisher-Yates with bytes taken from `numbers` (T-RNG-2).

    Raises:
        ValueError: `numbers` ended before the order was complete.
    """
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(i + 1, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def below(n: int, numbers: Iterator[int]) -> int:
    """Return a number from 0 to n - 1, all equally likely, from the next bytes of `numbers` (T-RNG-1).

    One byte makes the number, two or more if n is above 256. What lies above the greatest multiple of n would favour
    small remainders: it is thrown away, and the next is taken.

    Raises:
        ValueError: `numbers` ended before one was accepted.
    """
    reach, candidates = 256, numbers
    if n > reach:
        width = (n - 1).bit_length() + 7 >> 3
        reach, candidates = 256**width, map(int.from_bytes, zip(*[numbers] * width, strict=False))
    limit = reach - reach % n
    for number in candidates:
        if number < limit:
            return number % n
    msg = "the stream of random bytes has ended"
    raise ValueError(msg)


def require_key(key: bytes, name: str) -> None:
    """Check the length of a seed or key, without a word about its content.

    Raises:
        ValueError: It is not 32 bytes long.
    """
    if len(key) != SEED_BYTES:
        msg = f"a {name} has {SEED_BYTES} bytes, not {len(key)}"
        raise ValueError(msg)
