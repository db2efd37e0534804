"""Appending: one producer, which is thrown away at the first sign of trouble.

An error does not say that a record is not in the log, and after one the producer may send later records without it
(`clients.md` A3). So any error, of any record, means that the outcome of everything under way is unknown: the dealer is
told so, what still waits here is not sent any more, the producer goes, and the next record gets a new one.

Records go to the producer in the thread that takes them from the dealer, because one thread less to wake makes a tenth
more. They go right into the producer's batches, and its thread is woken when all that came together are in. Its public
`send` looks up the topic for each record, which is half of the work, may wait for an answer to that, and wakes the
thread at the first record, which then goes alone. What does have to wait is making a producer and learning where the
partitions are, so that has a thread of its own, and records wait for it here.

Some errors will come again until an operator has done something: a right is missing, a setting is wrong, our clock is
ahead of the brokers' (`errors.py`). Those are told, and for a while nothing is sent, which is to stop claiming.

Nobody waits for the producer's acknowledgements: a record is acknowledged when it is read back (`tail.py`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kafka import KafkaProducer, TopicPartition

from services.eventlog.kafka.clients import end_producer, made
from services.eventlog.kafka.errors import meaning_of, said
from services.eventlog.kafka.frames import Append, Hindered
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.tail import Tail
from services.eventlog.kafka.tickets import WAIT_S, Batch, Tickets

HINDERED_S: Final = 5.0
"""How long nothing is sent after an error that only an operator can do something about."""

IN_VAIN: Final = ("step down", "stop", "ahead")


class Work(NamedTuple):
    """Records to be sent."""

    batch: Batch
    partition: int
    records: list[bytes]


class Appends:
    """Sends records."""

    def __init__(self, settings: KafkaSettings, tickets: Tickets, tail: Tail, tell: Callable[[Hindered], None]) -> None:
        """Connect to nothing yet."""
        self._settings, self._tickets, self._tail, self._tell = settings, tickets, tail, tell
        self._hindered_until_s = 0.0
        self._lock = threading.Lock()
        """Held while records are handed over, so that they keep their order."""
        self._producer: Any = None
        """None before it is made, and after it has failed."""
        self._partitions: frozenset[int] = frozenset()
        """Those that there are."""
        self._making = False
        self._waiting: list[Work] = []
        """Bounded by what the dealer lets be under way."""

    def take(self, append: Append) -> None:
        """Send records."""
        batch = self._tickets.take(append.partition, append.records)
        if time.monotonic() < self._hindered_until_s:
            self._tickets.give_up("nothing is sent for a while, because it would be in vain")
        elif batch is not None:
            self._tail.follow_on(append.partition)
            with self._lock:
                self._send(Work(batch, append.partition, append.records))

    def give_up_overdue(self) -> None:
        """Give up what is under way if a record has been for too long."""
        if self._tickets.is_overdue():
            self._fail(self._producer, f"it was not read back within {WAIT_S} s")

    def close(self) -> None:
        """Send no more."""
        self._fail(self._producer, "the log process ends")

    def _send(self, work: Work) -> None:
        """Hand records to the producer if there is one; the caller has the lock."""
        if self._producer is not None:
            try:
                self._hand_over(self._producer, work)
            except Exception as error:  # noqa: BLE001 - whatever it was, this producer is not used again.
                self._fail_soon(self._producer, error)
            return
        self._waiting.append(work)
        if not self._making:
            self._making = True
            threading.Thread(target=self._make, name="making a producer", daemon=True).start()

    def _make(self) -> None:
        """Make a producer that knows where the partitions are, and send what has waited for it."""
        producer = None
        try:
            producer = made(KafkaProducer, self._settings.producer())
            self._partitions = frozenset(producer.partitions_for(self._settings.events))
        except Exception as error:  # noqa: BLE001 - whatever it was, there is no producer.
            self._making = False
            self._note(error)
            self._fail(producer, f"the log cannot be reached: {said(error)}")
            return
        with self._lock:
            self._producer, self._making = producer, False
            waiting, self._waiting = self._waiting, []
            for work in waiting:
                if work.batch.waiting:  # Else it was given up.
                    self._send(work)

    def _hand_over(self, producer: Any, work: Work) -> None:  # noqa: ANN401 - kafka-python has no types.
        """Put records into the producer's batches (F27 pins how), and wake its thread."""
        if work.partition not in self._partitions:
            msg = f"{self._settings.events} has no partition {work.partition}"
            raise LookupError(msg)
        topic, now_ms = TopicPartition(self._settings.events, work.partition), time.time_ns() // 1_000_000
        put = producer._accumulator.append  # noqa: SLF001 - see the head of this file.

        def failed(error: Exception) -> None:
            if self._producer is producer:
                self._fail_soon(producer, error)

        for stored in work.records:
            future, *_ = put(topic, now_ms, None, stored, [])
            future.add_errback(failed)
        producer._sender.wakeup()  # noqa: SLF001 - the same.

    def _fail_soon(self, producer: Any, error: Exception) -> None:  # noqa: ANN401 - kafka-python has no types.
        """Note that a producer has failed; its own thread, which may tell so, must not wait for anything of ours."""
        self._producer = None
        self._note(error)
        why = f"it could not be sent: {said(error)}"
        threading.Thread(target=self._fail, args=(producer, why), name="failing", daemon=True).start()

    def _note(self, error: Exception) -> None:
        """Tell of an error that will come again, and send nothing for a while."""
        if meaning_of(error) in IN_VAIN:
            self._hindered_until_s = time.monotonic() + HINDERED_S
            self._tell(Hindered(said(error)))

    def _fail(self, producer: Any, why: str) -> None:  # noqa: ANN401 - kafka-python has no types.
        """Give up all that is under way, and throw a producer away; what it may still send is judged like the rest."""
        with self._lock:
            self._waiting.clear()
            if self._producer is producer:
                self._producer = None
        self._tickets.give_up(why)
        if producer is not None:
            threading.Thread(target=end_producer, args=(producer,), name="closing", daemon=True).start()
