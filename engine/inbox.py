"""What an aggregate has already been delivered, so that a delivery that comes twice takes effect once.

Effects on other aggregates arrive at least once (`design.md` section 3). Each delivery is numbered by the place of the
event that caused it: the sending partition, the record's sequence in it, and an index within the record. The courier
keeps one delivery from a partition to an aggregate under way at a time, in that order, so the highest place handled
says of every other place whether it was handled: one mark per sending partition, however old the aggregate is.
"""

from __future__ import annotations

from operator import attrgetter

import msgspec


class Delivery(msgspec.Struct, frozen=True, gc=False):
    """The place of a delivery; the envelope of what it caused carries it."""

    partition: int
    """The sending partition."""
    sequence: int
    """Of the sender's record in that partition."""
    index: int
    """Counts the deliveries of that record."""


class Inbox(msgspec.Struct, frozen=True, gc=False):
    """The last delivery handled from each partition that ever sent one, in the order of partitions."""

    marks: tuple[Delivery, ...] = ()


def is_new(inbox: Inbox, delivery: Delivery) -> bool:
    """Say whether a delivery has not been handled yet."""
    place = (delivery.sequence, delivery.index)
    return all((mark.sequence, mark.index) < place for mark in inbox.marks if mark.partition == delivery.partition)


def noted(inbox: Inbox, delivery: Delivery) -> Inbox:
    """Return the inbox after a new delivery was handled."""
    assert is_new(inbox, delivery), "a delivery is handled once"
    others = (mark for mark in inbox.marks if mark.partition != delivery.partition)
    return Inbox(tuple(sorted((*others, delivery), key=attrgetter("partition"))))
