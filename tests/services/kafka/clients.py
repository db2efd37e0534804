"""kafka-python's clients as the tests use them: impatient, and closed whatever happened to them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final
from uuid import uuid4

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition

ACKNOWLEDGED_SECONDS_MAX: Final = 30
IMPATIENT: Final[dict[str, Any]] = {
    "request_timeout_ms": 2000,
    "delivery_timeout_ms": 4000,
    "max_block_ms": 20_000,
    "reconnect_backoff_max_ms": 200,
    "metrics_enabled": False,
}


class StillRunningError(Exception):
    """Something has used more processor time than it may."""


@contextmanager
def producing(bootstrap: str, **settings: object) -> Iterator[KafkaProducer]:
    """Open a producer, and end its thread even if records of it are stuck."""
    producer = KafkaProducer(bootstrap_servers=bootstrap, **IMPATIENT | settings)
    try:
        yield producer
    finally:
        sender = producer._sender  # noqa: SLF001 - `clients.md` A3: nothing else ends a sender that is stuck.
        sender.force_close()
        sender.join(ACKNOWLEDGED_SECONDS_MAX)
        producer.close(timeout=ACKNOWLEDGED_SECONDS_MAX)


@contextmanager
def consuming(bootstrap: str, topic: str, **settings: object) -> Iterator[KafkaConsumer]:
    """Open a consumer at the beginning of a topic's only partition."""
    consumer = KafkaConsumer(bootstrap_servers=bootstrap, group_id=None, auto_offset_reset="none", **settings)
    try:
        consumer.assign([TopicPartition(topic, 0)])
        consumer.seek_to_beginning()
        yield consumer
    finally:
        consumer.close()


def new_topic(bootstrap: str) -> str:
    """Make a topic of one partition and return its name, which no other has."""
    name = f"test-{uuid4()}"
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    try:
        admin.create_topics({name: {"num_partitions": 1, "replication_factor": 1}}, wait_for_metadata=True)
    finally:
        admin.close()
    return name


def append(producer: KafkaProducer, topic: str, *values: bytes) -> None:
    """Append records one by one, each when the one before it is acknowledged."""
    for value in values:
        producer.send(topic, value, partition=0).get(ACKNOWLEDGED_SECONDS_MAX)


def read(bootstrap: str, topic: str, **settings: object) -> list[bytes]:
    """Return what a topic holds now."""
    with consuming(bootstrap, topic, **settings) as consumer:
        (partition,) = consumer.assignment()
        end = consumer.end_offsets([partition])[partition]
        values: list[bytes] = []
        while consumer.position(partition) < end:
            values += [record.value for record in consumer.poll(timeout_ms=1000).get(partition, ())]
    return values


@contextmanager
def processor_seconds(seconds: int) -> Iterator[None]:
    """Interrupt what runs inside when the process has worked, not waited, for so long.

    Raises:
        StillRunningError: It was interrupted.
    """

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise StillRunningError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
