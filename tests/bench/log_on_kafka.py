"""Append until read back on a real Kafka, beside the same loop written directly on kafka-python.

*bare loop*: a producer and a consumer in one process, with the settings of the log's own (`kafka/settings.py`). One
thread sends, another polls, and no more records are under way than the number outstanding: a record counts when the
consumer has it. Nothing is parsed or judged, and no event loop waits.

Ours is `KafkaLog` with its process: so many callers in one event loop, each of whom appends one record and waits until
it was read back as counting.

The broker is the one that KAFKA_BOOTSTRAP names, or one that is started for the run; without one the rows say what is
missing. Both sides make a topic for each round, and neither its making nor the first record is measured.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Final

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from deploy.kafka.launch import KafkaMissingError
from services.eventlog.envelope import header_of
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import Acknowledged
from tests.bench.harness import Measure, as_returned, ratio_at_least
from tests.bench.history import Past
from tests.services.eventlog.records import PARTITION
from tests.services.kafka.plugin import shared
from tests.services.kafka.worlds import new_house

RECORDS: Final = {1: 200, 10: 2000, 100: 8000, 1000: 15_000}
"""How many records a round appends, by the number outstanding: one or two seconds each."""
GOAL: Final = ratio_at_least(0.8)
POLL_MS: Final = 1000


def kafka_measures(past: Past, *, quick: bool) -> Iterator[Measure]:
    """Yield appends until read back, in records per second."""
    records = past.records
    with ExitStack() as stack:
        bootstrap = broker(stack)
        for outstanding, full in RECORDS.items() if bootstrap else ():
            batch = records[: 1 + full // (4 if quick else 1)]
            yield Measure(
                name=f"Kafka append until read back, {outstanding} outstanding",
                unit="records/s",
                reading=as_returned,
                ours=partial(ours, bootstrap, batch, outstanding),
                peer=partial(bare, bootstrap, batch, outstanding),
                peer_name="bare loop",
                goal=GOAL,
            )


def broker(stack: ExitStack) -> str:
    """Return the address of a Kafka, or "" after saying what is missing."""
    try:
        return os.environ.get("KAFKA_BOOTSTRAP") or stack.enter_context(shared()).bootstrap
    except KafkaMissingError as error:
        sys.stderr.write(f"KAFKA MISSING, nothing to measure: {error.message}\n")
        return ""


def ours(bootstrap: str, records: Sequence[bytes], outstanding: int) -> float:
    """Append records to a new topic with our log, and return records per second."""
    return asyncio.run(appended(new_house(bootstrap), records, outstanding))


async def appended(settings: KafkaSettings, records: Sequence[bytes], outstanding: int) -> float:
    """Let callers append a record each, again and again."""
    log = KafkaLog(settings, header_of)
    try:
        turns = iter(records)
        await one_by_one(log, islice(turns, 1))
        start = time.perf_counter()
        await asyncio.gather(*(one_by_one(log, turns) for _ in range(outstanding)))
        return (len(records) - 1) / (time.perf_counter() - start)
    finally:
        await log.close()


async def one_by_one(log: KafkaLog, turns: Iterator[bytes]) -> None:
    """Append whatever is next."""
    for stored in turns:
        (outcome,) = await log.append(PARTITION, [stored])
        assert isinstance(outcome, Acknowledged), outcome


def bare(bootstrap: str, records: Sequence[bytes], outstanding: int) -> float:
    """Append records to a new topic with kafka-python alone, and return records per second."""
    settings = new_house(bootstrap)
    producer = KafkaProducer(**settings.producer())
    consumer = KafkaConsumer(**settings.consumer())
    try:
        partition = TopicPartition(settings.events, PARTITION)
        consumer.assign([partition])
        consumer.seek(partition, 0)
        producer.send(settings.events, records[0], partition=PARTITION)
        read_back(consumer, 1, threading.Semaphore(0))
        room = threading.Semaphore(outstanding)
        reading = threading.Thread(target=read_back, args=(consumer, len(records) - 1, room))
        start = time.perf_counter()
        reading.start()
        for stored in records[1:]:
            room.acquire()
            producer.send(settings.events, stored, partition=PARTITION)
        reading.join()
        return (len(records) - 1) / (time.perf_counter() - start)
    finally:
        producer.close()
        consumer.close()


def read_back(consumer: KafkaConsumer, count: int, room: threading.Semaphore) -> None:
    """Poll until so many records came, and make room for one more with each."""
    while count:
        for found in consumer.poll(timeout_ms=POLL_MS).values():
            count -= len(found)
            room.release(len(found))
