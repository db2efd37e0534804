"""Snapshots in a compacted topic: the suite of all stores, and what only a topic may meet."""

from __future__ import annotations

import pytest

from deploy.kafka.cluster import Cluster
from services.eventlog.envelope import header_of
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.snapshots import KafkaSnapshots
from services.eventlog.opening import start_from
from services.eventlog.snapshots import SnapshotStore, SnapshotStoreError
from tests.services.eventlog.cached import cached
from tests.services.eventlog.owners import ADDRESS, ask, opened, withdraw
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import SimulatedLog, fair
from tests.services.eventlog.simulated_snapshots import AnchorShelf
from tests.services.eventlog.snapshot_contract import OpenStore, SnapshotContract, play, put, values
from tests.services.kafka.proxy import HOST, Proxy
from tests.services.kafka.worlds import new_house


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """Return a house of its own."""
    return new_house(kafka_bootstrap, partitions=PARTITION + 1)


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


def test_what_an_owner_that_was_replaced_deletes_late_is_nothing_new(house: KafkaSettings) -> None:
    """What it makes useless is what it knew, not what the same dealer put there when it owned the partition again."""

    async def story(owner: SnapshotStore) -> None:
        await put(owner, P1=3, manifest=3)
        late = KafkaSnapshots(house)
        await late.load(0)
        await owner.load(0)
        await put(owner, P1=7, manifest=7)
        await put(late, P1=5, manifest=5)
        assert values(await late.load(0)) == {"P1": b"P1 7", "manifest": b"manifest 7"}
        await late.close()

    play(lambda: KafkaSnapshots(house), story)


def test_what_an_abandoned_producer_sends_late_changes_nothing(house: KafkaSettings) -> None:
    """`clients.md` A3: a failed send may land later, also behind what was sent in its place."""

    async def story(store: SnapshotStore) -> None:
        assert isinstance(store, KafkaSnapshots)
        await put(store, P1=3, manifest=3)
        key = store._named(0, b"P1")  # noqa: SLF001 - that of the producer that is given up.
        late, store._producer = store._producer, None  # noqa: SLF001 - as after an error.
        await put(store, P1=7, manifest=7)
        late.send(house.snapshots, b"\0" * 7 + b"\5" + b"\0" * 8 + b"late", key, partition=0).get(10)
        late.close(timeout=10)
        assert values(await store.load(0)) == {"P1": b"P1 7", "manifest": b"manifest 7"}

    play(lambda: KafkaSnapshots(house), story)


def test_brokers_that_do_not_answer_cost_no_more_than_the_snapshot(own_kafka: Cluster, kafka_proxy: Proxy) -> None:
    """F10, R6: every wait ends; when the brokers answer again, the same store is used on."""
    straight = new_house(own_kafka.bootstrap, partitions=PARTITION + 1)
    proxied = KafkaSettings(bootstrap=f"{HOST}:{kafka_proxy.port}", house=straight.house, prefix=straight.prefix)

    async def story(store: SnapshotStore) -> None:
        await put(store, P1=3, manifest=3)
        kafka_proxy.black_hole()
        with pytest.raises(SnapshotStoreError, match="cannot be used now"):
            await put(store, P1=5)
        with pytest.raises(SnapshotStoreError, match="cannot be used now"):
            await store.load(0)
        kafka_proxy.heal()
        await put(store, P1=6)
        assert values(await store.load(0))["P1"] == b"P1 6"

    play(lambda: KafkaSnapshots(proxied), story)


def test_takeover_on_another_host_begins_with_the_snapshot(house: KafkaSettings) -> None:
    """`design.md` section 2: whoever takes a partition over replays what came after the last snapshot."""

    async def story(store: SnapshotStore) -> None:
        log = SimulatedLog(Store(HOUSE, header_of), fair)
        async with cached(log, store) as first:
            await opened(first.writer)
            await first.snapshots.take()
            await ask(first.writer, "w1", withdraw(1))
            other = KafkaSnapshots(house)
            start = await start_from(other, AnchorShelf(), HOUSE, PARTITION)
            await other.close()
            assert (start.snapshot, start.memory.held(ADDRESS).version) == ("used", 2)

    play(lambda: KafkaSnapshots(house), story)
