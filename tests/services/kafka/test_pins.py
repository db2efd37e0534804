"""What our code believes about kafka-python, so that an upgrade which changes it fails here (F27).

`clients.md` part A says where each fact comes from and which rule follows from it. None of them is a wish: where the
library mends one, the rule may be loosened, and the test goes with it.
"""

from __future__ import annotations

import gc
import inspect
import time

import pytest
from kafka import KafkaProducer, TopicPartition
from kafka.errors import CorruptRecordError, KafkaConfigurationError, KafkaTimeoutError
from kafka.serializer import Deserializer

from deploy.kafka.cluster import HOST, Cluster
from tests.services.kafka.clients import (
    ACKNOWLEDGED_SECONDS_MAX,
    StillRunningError,
    append,
    consuming,
    processor_seconds,
    producing,
    read,
)
from tests.services.kafka.proxy import Proxy

CONFLICTS = [{"acks": 1}, {"retries": 0}, {"max_in_flight_requests_per_connection": 6}]


class Choosy(Deserializer):  # type: ignore[misc]  # The library has no types.
    """Refuses one value."""

    def deserialize(self, _topic: str, _headers: object, value: bytes) -> bytes:
        """Return the value as it is.

        Raises:
            LookupError: It is the one.
        """
        if value == b"second":
            raise LookupError
        return value


def test_poll_spins_after_a_deserialiser_raised(kafka_bootstrap: str, topic: str) -> None:
    """F27, A1 fact 3: behind an exception of a deserialiser poll() works for ever and heeds no timeout."""
    with producing(kafka_bootstrap) as producer:
        append(producer, topic, b"first", b"second")
    with consuming(kafka_bootstrap, topic, value_deserializer=Choosy()) as consumer:
        (records,) = consumer.poll(timeout_ms=10_000).values()
        assert [record.value for record in records] == [b"first"]
        with pytest.raises(LookupError):
            consumer.poll(timeout_ms=10_000)
        with pytest.raises(StillRunningError), processor_seconds(1):
            consumer.poll(timeout_ms=1)


def test_poll_spins_after_a_damaged_record(own_kafka: Cluster, own_topic: str) -> None:
    """F27, A1 fact 3: behind a record whose checksum is wrong poll() works for ever and heeds no timeout."""
    with producing(own_kafka.bootstrap) as producer:
        append(producer, own_topic, b"first", b"second")
    segment = own_kafka.nodes[0].data / f"{own_topic}-0/00000000000000000000.log"
    with segment.open("r+b") as file:
        file.seek(segment.read_bytes().index(b"second"))
        file.write(b"S")
    with consuming(own_kafka.bootstrap, own_topic) as consumer:
        assert len(consumer.poll(timeout_ms=10_000)) == 1
        with pytest.raises(CorruptRecordError):
            consumer.poll(timeout_ms=10_000)
        with pytest.raises(StillRunningError), processor_seconds(1):
            consumer.poll(timeout_ms=1)


def test_commit_succeeds_without_one_of_its_records(kafka_proxy: Proxy, own_kafka: Cluster, own_topic: str) -> None:
    """F27, A1 fact 1: a transaction commits although a record of it failed. The reason for "no transactions"."""
    with producing(f"{HOST}:{kafka_proxy.port}", transactional_id=own_topic) as producer:
        producer.init_transactions()
        producer.begin_transaction()
        append(producer, own_topic, b"debit")
        kafka_proxy.black_hole("requests")
        with pytest.raises(KafkaTimeoutError):
            append(producer, own_topic, b"credit")
        kafka_proxy.heal()
        producer.commit_transaction()
    assert read(own_kafka.bootstrap, own_topic, isolation_level="read_committed") == [b"debit"]


@pytest.mark.parametrize("call", ["commit_transaction", "abort_transaction"])
def test_transactions_end_without_a_timeout(call: str) -> None:
    """F27, A1 fact 4: nobody can say how long the end of a transaction may take."""
    assert list(inspect.signature(getattr(KafkaProducer, call)).parameters) == ["self"]


def test_there_is_no_back_pressure() -> None:
    """F27, A1 fact 5: `buffer_memory` is gone, so what is in flight must be bounded by us."""
    with pytest.raises(ValueError, match="buffer_memory"):
        KafkaProducer(buffer_memory=1_000_000)


@pytest.mark.parametrize("conflict", CONFLICTS)
def test_idempotence_is_switched_off_silently(kafka_bootstrap: str, conflict: dict[str, int]) -> None:
    """F27, A3: acks=1, no retries or more than five in flight switch idempotence off, and nothing is raised."""
    with producing(kafka_bootstrap, **conflict) as producer:
        assert producer.config["enable_idempotence"] is False


@pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("conflict", CONFLICTS)
def test_idempotence_that_was_asked_for_stays(kafka_bootstrap: str, conflict: dict[str, int]) -> None:
    """F27, A3: the same settings are refused where idempotence is said explicitly."""
    with pytest.raises(KafkaConfigurationError), producing(kafka_bootstrap, enable_idempotence=True, **conflict):
        pass
    gc.collect()  # It connects before it refuses, and leaves its sockets to the collector, which complains.


def test_future_raises_when_time_runs_out(kafka_proxy: Proxy, own_topic: str) -> None:
    """F27, A2: get() of a record that is not acknowledged in time raises; it used to return None."""
    with producing(f"{HOST}:{kafka_proxy.port}") as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole()
        with pytest.raises(KafkaTimeoutError):
            producer.send(own_topic, b"second", partition=0).get(timeout=0.1)


def test_close_raises_and_leaves_its_thread(kafka_proxy: Proxy, own_topic: str) -> None:
    """F27, A3: close() with a batch pending raises, and the sender's thread lives on."""
    with producing(f"{HOST}:{kafka_proxy.port}") as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole()
        producer.send(own_topic, b"second", partition=0)
        with pytest.raises(KafkaTimeoutError):
            producer.close(timeout=0.1)
        assert producer._sender.is_alive()  # noqa: SLF001 - no public name leads to the thread.


def test_force_close_ends_the_thread(kafka_proxy: Proxy, own_topic: str) -> None:
    """F27, A3: the private `force_close` of the sender ends a thread that close() cannot end."""
    with producing(f"{HOST}:{kafka_proxy.port}") as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole()
        producer.send(own_topic, b"second", partition=0)
        sender = producer._sender  # noqa: SLF001 - the fact is about a private name.
        sender.force_close()
        sender.join(ACKNOWLEDGED_SECONDS_MAX)
        assert not sender.is_alive()


@pytest.mark.parametrize(("idempotent", "stored"), [(True, 2), (False, 4)])
def test_one_batch_in_flight(
    kafka_proxy: Proxy, own_kafka: Cluster, own_topic: str, *, idempotent: bool, stored: int
) -> None:
    """F27, A3: with idempotence a partition's next batch waits for the answer to the one before it, else it does not.

    Each record is a batch of its own here, and no answer comes: what is stored had been sent without waiting.
    """
    settings = {"enable_idempotence": idempotent, "acks": "all", "batch_size": 0}
    with producing(f"{HOST}:{kafka_proxy.port}", max_in_flight_requests_per_connection=5, **settings) as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole("answers")
        second, *_ = [producer.send(own_topic, value, partition=0) for value in (b"second", b"third", b"fourth")]
        with pytest.raises(KafkaTimeoutError):
            second.get(ACKNOWLEDGED_SECONDS_MAX)
    assert len(read(own_kafka.bootstrap, own_topic)) == stored


def test_delivery_timeout_does_not_end_what_waits_behind(kafka_proxy: Proxy, own_topic: str) -> None:
    """F27: once a record has expired, an idempotent producer that nobody answers lets no later one expire.

    It waits for a new producer id and does nothing else, so our own deadline alone ends a wait for a future.
    """
    with producing(f"{HOST}:{kafka_proxy.port}", request_timeout_ms=1000, delivery_timeout_ms=2000) as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole()
        second = producer.send(own_topic, b"second", partition=0)
        time.sleep(0.5)
        third = producer.send(own_topic, b"third", partition=0)
        with pytest.raises(KafkaTimeoutError, match="Expiring"):
            second.get(ACKNOWLEDGED_SECONDS_MAX)
        with pytest.raises(KafkaTimeoutError, match="waiting"):
            third.get(timeout=3)
        assert not third.is_done


def test_what_goes_into_the_batches_is_sent(kafka_bootstrap: str, topic: str) -> None:
    """F27: records can be put right into the producer's batches, as `send` does, and their futures tell of them."""
    with producing(kafka_bootstrap) as producer:
        assert producer.partitions_for(topic) == {0}
        put = producer._accumulator.append  # noqa: SLF001 - the fact is about private names.
        futures = [put(TopicPartition(topic, 0), 1_000, None, value, [])[0] for value in (b"first", b"second")]
        producer._sender.wakeup()  # noqa: SLF001 - the same.
        found = [future.get(ACKNOWLEDGED_SECONDS_MAX) for future in futures]
        assert [(each.offset, each.timestamp) for each in found] == [(0, 1_000), (1, 1_000)]
    assert read(kafka_bootstrap, topic) == [b"first", b"second"]
