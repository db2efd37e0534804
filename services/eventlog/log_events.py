"""What the log says of itself: who writes a partition, how far couriers have come, who opened what is sealed.

These facts belong to no game, so they belong to aggregates of their own and move nobody's version: "partition/5" and
"audit/5", with the number of the partition that they stand in.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class EpochOpened(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A writer has claimed the partition; it stands alone in its record, whose place the judge assigns."""

    claim_id: str
    reached_sequence: int
    """The last record that the writer had judged when it claimed."""
    reached_hash: bytes
    """The chain's hash after that record, 32 bytes."""


class DeliveriesConfirmed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The courier has delivered everything that follows from this partition's records up to one of them."""

    up_to: int
    """The sequence of that record."""


class DeliveryAnswered(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A delivery was handled and changed nothing: the rules refused it, or there was nothing to do.

    Which delivery, the envelope says. Without this record a restarted receiver would not know that it was handled, and
    might carry it out in another state.
    """

    receiver: str
    """The aggregate that it was for, such as "account/P3"."""
    reason: str
    """The code of the refusal; empty if there was nothing to do."""


class SealedAccessed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Sealed seeds are about to be opened; none is before this was read back (`trust.md` section 3)."""

    hand_id: str
    """Empty for all hands of a range of records."""
    first_sequence: int
    last_sequence: int
    requester: str
    approvers: tuple[str, ...]
    """Two, neither of them the requester."""
    reason: str


PartitionEvent: TypeAlias = EpochOpened | DeliveriesConfirmed | DeliveryAnswered
AuditEvent: TypeAlias = SealedAccessed
