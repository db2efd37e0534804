"""The judge: which records of a partition count. The one opinion that dealer, projectors and auditor share.

A log may hold what should not be there: records of an owner that was paused and woke, second copies, records behind one
that was lost. No log is asked to prevent that. Instead every reader puts each record, in the log's order, to `judge`,

    (epoch, sequence, hash) × record → counts | void | corrupt

and from the same bytes all of them hear the same. `design.md` section 2 has the rules, `reliability.md` section 4 what
happened without them. What counts takes the next sequence and enters the chain: the hash after it is
sha256(hash before ‖ stored bytes), and the hash before the first is sha256("dealer/log/v1" ‖ house ‖ partition).

1. A claim (`EpochOpened`) counts if its epoch is higher than every one before. Its writer cannot know what the old
   owner still manages to append, so the judge gives it its sequence, and its own `sequence` and `prev_hash` are not
   looked at. But it has a sequence and enters the hash like any other: else a record that slips in just before it would
   be covered by no hash. Two claims of one epoch: the first counts.
2. Any other record counts if its epoch is the current one, its sequence the next, and its prev_hash the hash so far.
   Each of the three would do without one of the others, so no campaign can miss one, and only direct tests can. All
   stay: the epoch turns an old owner away and says so, sequence and hash find what is lost, the hash what was altered.
   Before the first claim no epoch is the current one.
3. Right epoch, right sequence, wrong prev_hash: corrupt. A healthy writer never makes it, because after an unknown
   outcome it opens a new epoch before it appends again. Were it void, so would be all behind it; the next owner would
   open behind the damage, and what was acknowledged would be gone unnoticed.
4. Everything else is void, and skipping it is harmless: nobody was told that it happened.
5. A claim says what its writer had `reached`. The writer had read that in this log before it appended the claim, so any
   judge has counted it too when it comes to the claim, however late that lands, and as often as it does. If it has not,
   or has another hash there, acknowledged records are missing: corrupt. This is asked of void claims as well: when a
   tail is lost, the claim that saw it may well be second to one that did not.

What must be remembered for rule 5. A claim can land any number of records behind what its writer had reached, so the
hash there may lie far back. `judge` asks `hash_at` for it. A log that can look up every hash does; a reader without
that keeps the last ones (`Recent`) and answers None for older ones, which contradicts nothing. Two things make this
sound. Memory never chooses between counts and void, those follow from the position alone; it can only turn either into
corrupt, so readers that remember differently either agree or halt. And little is lost: most claims find an owner that
is dead, and land right behind what their writer had read; for one to land far behind that, the owner whom it replaces
must have been busy all the while. What a short memory misses is still found by those who had read it: each reader
compares its saved position with the log when it starts, and so does the claimant.

Bytes that cannot be parsed never come here: `envelope.py` finds them, and a reader halts as it does for corrupt.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec

GENESIS: Final = b"dealer/log/v1"
PARTITION_BYTES: Final = 4
"""A partition enters the genesis as a number of fixed width, so that no two pairs of house and partition look alike."""

REMEMBERED: Final = 4096
"""How many hashes `Recent` keeps, at about 73 bytes each."""

HashAt: TypeAlias = Callable[[int], bytes | None]
"""The hash that the chain had after a sequence that was counted; None if the reader does not remember."""

VoidReason: TypeAlias = Literal["late_claim", "old_epoch", "unopened_epoch", "old_sequence", "gap"]
"""Why a record does not count: a claim of an epoch that is not new; a record of an epoch that is over, or of one whose
claim did not count; a sequence that is taken (often by the same record), or one behind a record that is missing."""

CorruptReason: TypeAlias = Literal["prev_hash", "not_reached", "other_hash"]
"""What gives damage away: a link of the chain that does not fit (rule 3); a claim that had reached more than there is,
or something else (rule 5)."""


class Claim(msgspec.Struct, frozen=True, gc=False):
    """What an `EpochOpened` record says of its writer."""

    claim_id: str
    reached_sequence: int
    """The last sequence that the writer had counted before it claimed, its own earlier claims read back; 0 for none."""
    reached_hash: bytes
    """The chain's hash there."""


class Header(msgspec.Struct, frozen=True, gc=False):
    """What the judge looks at in an envelope."""

    epoch: int
    """The writer's epoch; for a claim the one that it opens, at least 1."""
    sequence: int
    """The record's place in its partition, from 1; without meaning for a claim."""
    prev_hash: bytes
    """The chain's hash before the record; without meaning for a claim."""
    claim: Claim | None
    """Set for `EpochOpened` only."""


class Position(msgspec.Struct, frozen=True, gc=False):
    """What has been counted: the last record's epoch and sequence, and the chain's hash after it."""

    epoch: int
    """The current epoch; 0 before the first claim."""
    sequence: int
    """The last sequence that counted; 0 for none."""
    hash: bytes
    """32 bytes."""


class Counts(msgspec.Struct, frozen=True, gc=False):
    """The record counts; `position` is the one after it."""

    position: Position


class Void(msgspec.Struct, frozen=True, gc=False):
    """The record is skipped, and the position stays."""

    reason: VoidReason


class Corrupt(msgspec.Struct, frozen=True, gc=False):
    """The log is damaged: the reader halts here."""

    reason: CorruptReason
    why: str
    """A sentence for the operator, who knows the place from the reader."""


Verdict: TypeAlias = Counts | Void | Corrupt


def genesis(house: str, partition: int) -> Position:
    """Return the position before the first record of a partition."""
    return Position(0, 0, sha256(GENESIS + house.encode() + partition.to_bytes(PARTITION_BYTES, "big")).digest())


def chained(before: bytes, stored: bytes) -> bytes:
    """Return the chain's hash after a record: `before` is the hash before it, `stored` its bytes in the log."""
    return sha256(before + stored).digest()


def judge(position: Position, header: Header, stored: bytes, hash_at: HashAt) -> Verdict:
    """Return whether a record counts for a reader at `position`.

    Args:
        position: What the reader has counted.
        header: What the record says of itself.
        stored: The record's bytes as they are in the log.
        hash_at: The reader's memory, asked for sequences below its position only.
    """
    if header.claim is not None:
        return _judge_claim(position, header.epoch, header.claim, stored, hash_at)
    if header.epoch < position.epoch:
        return Void("old_epoch")
    if header.epoch > position.epoch or not position.epoch:
        return Void("unopened_epoch")
    following = position.sequence + 1
    if header.sequence != following:
        return Void("old_sequence" if header.sequence < following else "gap")
    if header.prev_hash != position.hash:
        return Corrupt("prev_hash", f"{_named(header.prev_hash)} in the record, {_named(position.hash)} in the chain")
    return Counts(Position(header.epoch, following, chained(position.hash, stored)))


def _judge_claim(position: Position, epoch: int, claim: Claim, stored: bytes, hash_at: HashAt) -> Verdict:
    """Apply rules 1 and 5."""
    loss = _loss(position, claim, hash_at)
    if loss is not None:
        return loss
    if epoch <= position.epoch:
        return Void("late_claim")
    return Counts(Position(epoch, position.sequence + 1, chained(position.hash, stored)))


def _loss(position: Position, claim: Claim, hash_at: HashAt) -> Corrupt | None:
    """Return what is wrong if the writer of a claim had read something that is not there."""
    reached = claim.reached_sequence
    if reached > position.sequence:
        return Corrupt("not_reached", f"claim {claim.claim_id} had read to {reached}, here is {position.sequence}")
    found = position.hash if reached == position.sequence else hash_at(reached)
    if found is None or found == claim.reached_hash:
        return None
    why = f"claim {claim.claim_id} had {_named(claim.reached_hash)} at {reached}, here is {_named(found)}"
    return Corrupt("other_hash", why)


def _named(digest: bytes) -> str:
    """Return enough of a hash to tell it from others."""
    return digest.hex()[:16]


class Recent:
    """The memory of a reader that cannot look up old hashes: those after the last records that it counted."""

    def __init__(self, position: Position) -> None:
        """Begin at a position, of whose past nothing is known."""
        self._last = position.sequence
        self._hashes = deque((position.hash,), maxlen=REMEMBERED)

    def add(self, position: Position) -> None:
        """Remember the position after one more record that counted."""
        assert position.sequence == self._last + 1, f"sequence {position.sequence} does not follow {self._last}"
        self._last = position.sequence
        self._hashes.append(position.hash)

    def hash_at(self, sequence: int) -> bytes | None:
        """Return the hash after `sequence`, None if it is not remembered."""
        back = self._last - sequence
        return self._hashes[-1 - back] if 0 <= back < len(self._hashes) else None
