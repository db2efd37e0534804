"""Which partition an aggregate lives in: for life, so the number of partitions of a house never changes."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 8


def partition_of(address: str, partitions: int) -> int:
    """Return the partition of an aggregate such as "table/T7", from 0 to below `partitions`.

    The same everywhere and for ever: the hash is of the address's bytes, not Python's, which differs by process.
    """
    return int.from_bytes(sha256(address.encode()).digest()[:HASH_BYTES], "big") % partitions
