"""Snapshots in a compacted topic: the suite of all stores, and what only a topic may meet."""

from __future__ import annotations

import pytest

from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.snapshots import KafkaSnapshots
from services.eventlog.snapshots import SnapshotStore
from tests.services.eventlog.snapshot_contract import OpenStore, SnapshotContract, play, put, values
from tests.services.kafka.worlds import new_house


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """Return a house of its own."""
    return new_house(kafka_bootstrap, partitions=2)


class TestKafkaSnapshots(SnapshotContract):
    """The suite, over a topic of a real Kafka."""

    @pytest.fixture
    def open_store(self, house: KafkaSettings) -> OpenStore:
        """Return what connects to the topic."""
        return lambda: KafkaSnapshots(house)


def test_what_an_owner_that_was_replaced_sends_late_changes_nothing(house: KafkaSettings) -> None:
    """Whatever of it lands, and whatever of it the topic keeps: the later row stays."""

    async def story(late: SnapshotStore) -> None:
        await put(late, P1=3, manifest=3)
        owner = KafkaSnapshots(house)
        await owner.load(0)
        await put(owner, P1=7, manifest=7)
        await put(late, P1=5, manifest=5)
        assert values(await owner.load(0)) == {"P1": b"P1 7", "manifest": b"manifest 7"}
        await owner.close()

    play(lambda: KafkaSnapshots(house), story)
