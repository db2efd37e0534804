"""Who serves which partition: a compacted topic that every dealer reads from its beginning and writes its own into.

It guides requests to their owner and nothing else: an announcement that is lost, late, or cannot be read makes a
request go astray once, and the owner that hears something else than itself repeats what is true (`ownership.py`).
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

import msgspec
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from services.eventlog.kafka.clients import end_producer, keep_going, made
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ownership import Owner

POLL_MS: Final = 200
WAITING_MAX: Final = 1_000
"""No more announcements wait to be made than these; what is dropped is repeated by its owner."""

Heard: TypeAlias = Callable[[int, Owner], None]


class Announcements:
    """The topic, in a thread of its own that runs `run`."""

    def __init__(self, settings: KafkaSettings, heard: Heard) -> None:
        """Read and write nothing yet; `heard` is told each announcement, old ones first, one's own too."""
        self._settings, self._heard = settings, heard
        self._waiting: queue.Queue[tuple[int, Owner]] = queue.Queue(WAITING_MAX)
        self._consumer: KafkaConsumer | None = None
        self._producer: KafkaProducer | None = None

    def announce(self, partition: int, owner: Owner) -> None:
        """Have an announcement made soon, from any thread."""
        with suppress(queue.Full):
            self._waiting.put_nowait((partition, owner))

    def run(self, ending: threading.Event) -> None:
        """Read and write until `ending` is set."""
        keep_going(ending, self._turn, self._close)

    def _turn(self) -> None:
        """Write what waits, and read what there is."""
        if self._consumer is None:
            self._consumer = self._reading()
        while not self._waiting.empty():
            partition, owner = self._waiting.get_nowait()
            if self._producer is None:
                self._producer = made(KafkaProducer, self._settings.producer())
            key, value = str(partition).encode(), msgspec.json.encode(owner)
            self._producer.send(self._settings.owners, value, key, partition=0)
        for records in self._consumer.poll(timeout_ms=POLL_MS).values():
            for record in records:
                self._hear(record.key, record.value)

    def _hear(self, key: bytes | None, value: bytes | None) -> None:
        """Pass an announcement on; what is none is nobody's."""
        with suppress(ValueError, TypeError, OverflowError, msgspec.MsgspecError):
            self._heard(int(key or b""), msgspec.json.decode(value or b"", type=Owner))

    def _reading(self) -> KafkaConsumer:
        """Return a consumer at the beginning of the topic."""
        consumer = made(KafkaConsumer, self._settings.consumer())
        consumer.assign([TopicPartition(self._settings.owners, 0)])
        consumer.seek_to_beginning()
        return consumer

    def _close(self) -> None:
        """Let go of both clients; what was not sent is repeated by its owner."""
        consumer, producer = self._consumer, self._producer
        self._consumer = self._producer = None
        with suppress(Exception):  # Whatever it complains about: nobody asks it again.
            if consumer is not None:
                consumer.close()
        if producer is not None:
            end_producer(producer)
