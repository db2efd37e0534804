"""Appending: one producer, which is thrown away at the first sign of trouble.

An error does not say that a record is not in the log, and after one the producer may send later records without it
(`clients.md` A3). So any error, of any record, means that the outcome of everything under way is unknown: the dealer is
told so, what still waits here is not sent any more, the producer goes, and the next record gets a new one.

Nobody waits for the producer's acknowledgements: a record is acknowledged when it is read back (`tail.py`).
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

from kafka import KafkaProducer

from services.eventlog.kafka.clients import made
from services.eventlog.kafka.errors import said
from services.eventlog.kafka.frames import Append
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.tail import Tail
from services.eventlog.kafka.tickets import WAIT_S, Batch, Tickets

CLOSE_S: Final = 10
"""How long a producer may take to end; then it is left alone."""


class Work(NamedTuple):
    """Records to be sent."""

    batch: Batch
    partition: int
    records: list[bytes]


class Failure(NamedTuple):
    """Something went wrong: with a producer, or without anybody's saying so."""

    producer: _Producer | None
    why: str


class _Producer:
    """A producer, and whether it has failed."""

    def __init__(self, settings: KafkaSettings) -> None:
        self.client: Any = made(KafkaProducer, settings.producer())
        self.failed = False


class Appends:
    """Sends records, in a thread that runs `run`."""

    def __init__(self, settings: KafkaSettings, tickets: Tickets, tail: Tail) -> None:
        """Connect to nothing yet."""
        self._settings, self._tickets, self._tail = settings, tickets, tail
        self._queue: SimpleQueue[Work | Failure | None] = SimpleQueue()
        """Bounded by what the dealer lets be under way; None is the end."""
        self._producer: _Producer | None = None

    def take(self, append: Append) -> None:
        """Have records sent, from any thread."""
        batch = self._tickets.take(append.partition, append.records)
        if batch is not None:
            self._tail.follow_on(append.partition)
            self._queue.put(Work(batch, append.partition, append.records))

    def give_up_overdue(self) -> None:
        """Give up what is under way if a record has been for too long; any thread may call this."""
        if self._tickets.is_overdue():
            why = f"it was not read back within {WAIT_S} s"
            self._tickets.give_up(why)
            self._queue.put(Failure(None, why))

    def end(self) -> None:
        """Let `run` come to its end, from any thread."""
        self._queue.put(None)

    def run(self, _ending: threading.Event) -> None:
        """Send until `end` was called."""
        while (item := self._queue.get()) is not None:
            if isinstance(item, Work):
                self._send(item)
            elif item.producer in (None, self._producer):
                self._tickets.give_up(item.why)
                self._discard()
        self._discard()

    def _send(self, work: Work) -> None:
        """Hand records to the producer unless they were given up while they waited."""
        if not work.batch.waiting:
            return
        try:
            if self._producer is None:
                self._producer = _Producer(self._settings)
            self._hand_over(self._producer, work)
        except Exception as error:  # noqa: BLE001 - whatever it was, this producer is not used again.
            self._tickets.give_up(f"it could not be sent: {said(error)}")
            self._discard()

    def _hand_over(self, producer: _Producer, work: Work) -> None:
        topic, partition, now_ms = self._settings.events, work.partition, time.time_ns() // 1_000_000
        send = producer.client.send

        def failed(error: Exception) -> None:
            if not producer.failed:
                producer.failed = True
                self._queue.put(Failure(producer, f"it could not be sent: {said(error)}"))

        for stored in work.records:
            send(topic, stored, partition=partition, timestamp_ms=now_ms).add_errback(failed)

    def _discard(self) -> None:
        """Throw the producer away. What it may still send is judged like everything else."""
        producer, self._producer = self._producer, None
        if producer is not None:
            threading.Thread(target=_close, args=(producer.client,), name="closing", daemon=True).start()


def _close(client: Any) -> None:  # noqa: ANN401 - kafka-python has no types.
    """End a producer and its thread, even if records of it are stuck."""
    sender = client._sender  # noqa: SLF001 - `clients.md` A3: nothing else ends a sender that is stuck.
    sender.force_close()
    sender.join(CLOSE_S)
    with suppress(Exception):  # Whatever it complains about: nobody asks it again.
        client.close(timeout=CLOSE_S)
