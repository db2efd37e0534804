"""Deliveries come at least once and take effect once, and what that costs in memory does not grow."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.inbox import Delivery, Inbox, is_new, noted

PARTITIONS = 16


def handled(*places: tuple[int, int, int]) -> Inbox:
    """Return the inbox after these deliveries."""
    inbox = Inbox()
    for place in places:
        inbox = noted(inbox, Delivery(*place))
    return inbox


@pytest.mark.parametrize(
    ("place", "new"),
    [
        ((3, 10, 1), False),
        ((3, 10, 0), False),
        ((3, 9, 7), False),
        ((3, 10, 2), True),
        ((3, 11, 0), True),
        ((4, 1, 0), True),
        ((2, 10, 1), True),
    ],
)
def test_a_place_is_handled_once(place: tuple[int, int, int], new: bool) -> None:
    """I12: after (10, 1) of partition 3, only a higher sequence or index of that partition is new."""
    assert is_new(handled((3, 10, 1)), Delivery(*place)) is new


def test_everything_is_new_at_first() -> None:
    """Nothing was handled yet, the very first record included."""
    assert is_new(Inbox(), Delivery(0, 0, 0))


def test_nothing_is_handled_twice() -> None:
    """Asking first is the caller's duty: handling what is not new is a fault of ours."""
    with pytest.raises(AssertionError, match="handled once"):
        noted(handled((3, 10, 1)), Delivery(3, 10, 1))


def test_the_order_of_partitions_does_not_matter() -> None:
    """I8: the same deliveries give the same inbox, whichever partition came first."""
    assert handled((1, 5, 0), (0, 9, 0)) == handled((0, 9, 0), (1, 5, 0))


@given(st.lists(st.tuples(st.integers(0, PARTITIONS - 1), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2))))
def test_at_least_once_becomes_once(steps: list[tuple[int, int, int, int]]) -> None:
    """I12: with repeats of anything before, each delivery is new exactly once, and one mark a partition is enough."""
    inbox, sent = Inbox(), dict.fromkeys(range(PARTITIONS), (0, -1))
    for partition, ahead, index, repeats in steps:
        sequence, last = sent[partition]
        place = (sequence + ahead, index + (last + 1 if not ahead else 0))
        sent[partition] = place
        inbox = noted(inbox, Delivery(partition, *place))
        assert not any(is_new(inbox, Delivery(partition, place[0] - i, place[1])) for i in range(repeats + 1))
    assert len(inbox.marks) == len({step[0] for step in steps})


def test_an_old_inbox_is_small() -> None:
    """`design.md` section 3: one mark per sending partition, however many deliveries there were."""
    inbox = Inbox()
    for number in range(10_000):
        inbox = noted(inbox, Delivery(number % PARTITIONS, number, 0))
    assert len(inbox.marks) == PARTITIONS
    assert len(msgspec.msgpack.encode(inbox)) < 1000


def test_an_inbox_survives_the_wire() -> None:
    """A snapshot holds the marks; a restarted receiver knows what it has handled."""
    inbox = handled((1, 5, 0), (0, 9, 3))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(inbox), type=Inbox) == inbox
