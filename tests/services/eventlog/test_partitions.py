"""Where an aggregate lives is the same for ever."""

from __future__ import annotations

from collections import Counter

from services.eventlog.partitions import partition_of


def test_an_aggregate_lives_where_it_always_did() -> None:
    """These places are pinned: were they to change, nobody would find what is on the log."""
    addresses = ("table/T1", "account/P1", "account/Zoë", "tournament/SNG9")
    assert [partition_of(address, 16) for address in addresses] == [7, 6, 6, 3]


def test_aggregates_are_spread() -> None:
    """No partition has many more than its share."""
    shares = Counter(partition_of(f"account/P{number}", 16) for number in range(16_000))
    assert (len(shares), min(shares.values()) > 800, max(shares.values()) < 1200) == (16, True, True)
