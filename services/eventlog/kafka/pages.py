"""Reading the log in Kafka: pages of a partition's records, and its end.

One consumer that names its partition and offset itself. It polls only where the partition is known to go on, so a poll
brings something or something is wrong; at the end nothing is asked that a broker would think about for a while, during
which it answers nothing else on this connection.

Whatever a fetch brings is kept, one fetch for each partition (`FETCH_BYTES`), and pages are cut from it: so partitions
that are replayed in turn are each fetched once. The end that was heard last is remembered, for a log only grows: where
a page begins before it the broker is not asked again.

After any error the consumer is thrown away, since after one out of `poll` the next may never return (`clients.md` A1,
fact 3), and with it all that was kept.
"""

from __future__ import annotations

import sys
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import attrgetter
from typing import Any, Final, NamedTuple

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaTimeoutError

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.kafka.clients import made
from services.eventlog.kafka.errors import meaning_of, said
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import Stored
from services.eventlog.threads import OwnThread

FETCH_BYTES: Final = 2 * 1024 * 1024
"""How much of a partition is fetched, and kept, at once."""

ANSWER_MS: Final = 5000
"""How long a broker may take for one answer."""

ASKED_AGAIN_S: Final = (0.2, 0.8, 0.0)
"""How long is waited before brokers are asked again that have named an end which is too low."""

REPLAY: Final = {"max_partition_fetch_bytes": FETCH_BYTES, "max_poll_records": sys.maxsize}
"""A poll returns the whole of what was fetched."""

_OFFSET: Final = attrgetter("offset")


class Ahead(NamedTuple):
    """What was fetched of a partition: every record that it has from `offset` to the last of them."""

    offset: int
    records: list[Stored]


class Pages:
    """The records of a house, for the one thread that uses this."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Prepare to read; brokers are looked for when something is asked."""
        self._settings = settings
        self._consumer: Any = None
        self._assigned: TopicPartition | None = None
        self._ahead: dict[int, Ahead] = {}
        self._ends: dict[int, int] = {}

    def end(self, partition: int) -> int:
        """Return the offset behind all that has been acknowledged: the high watermark.

        Raises:
            LogUnavailableError: No answer came in time.
        """
        topic = TopicPartition(self._settings.events, partition)
        with self._asking(partition, 0):
            end: int = self._connected().end_offsets([topic], timeout_ms=ANSWER_MS)[topic]
        self._ends[partition] = end
        return end

    def read(self, partition: int, offset: int, limit: int) -> list[Stored]:
        """Return at most `limit` records from `offset`; nothing at the end.

        Raises:
            LogCorruptError: The record there is damaged or gone, or `offset` is behind the end.
            LogUnavailableError: No answer came in time.
        """
        assert limit > 0, "a page has room for a record"
        page = self._kept(partition, offset, limit)
        if page or self._is_end(partition, offset):
            return page
        found = self._fetched(partition, offset)
        if found:
            self._ahead[partition] = Ahead(offset, found)
        return found[:limit]

    def close(self) -> None:
        """Let the consumer go; the next question makes a new one."""
        consumer, self._consumer, self._assigned = self._consumer, None, None
        self._ahead.clear()
        self._ends.clear()
        if consumer is not None:
            with suppress(Exception):  # Whatever it complains about: nobody asks it again.
                consumer.close(autocommit=False, timeout_ms=ANSWER_MS)

    def _kept(self, partition: int, offset: int, limit: int) -> list[Stored]:
        """Return a page of what was fetched before; nothing if the record at `offset` was not."""
        ahead = self._ahead.get(partition)
        if ahead is None or not ahead.offset <= offset <= ahead.records[-1].offset:
            return []
        first = bisect_left(ahead.records, offset, key=_OFFSET)
        return ahead.records[first : first + limit]

    def _is_end(self, partition: int, offset: int) -> bool:
        """Return whether `offset` is the end, and not before it.

        A leader that was replaced and does not know it yet, or one that has just become it, may name an end that is too
        low. What is said here closes a partition for good, so it is said of brokers that were looked for anew.

        Raises:
            LogCorruptError: It is behind the end.
        """
        if offset < self._ends.get(partition, 0):
            return False
        for pause_s in ASKED_AGAIN_S:
            end = self.end(partition)
            if offset <= end:
                return offset == end
            self.close()
            time.sleep(pause_s)
        raise LogCorruptError(partition, end, f"the log ends here, but somebody has read to {offset}")

    def _fetched(self, partition: int, offset: int) -> list[Stored]:
        """Fetch records from an offset that is before the end.

        None are found where only marks of transactions follow. No dealer makes any; whoever did, they are no records.

        Raises:
            LogCorruptError: The record there is damaged or gone.
            LogUnavailableError: None came in time.
        """
        topic = TopicPartition(self._settings.events, partition)
        with self._asking(partition, offset):
            consumer = self._connected()
            if self._assigned != topic:
                consumer.assign([topic])
                self._assigned = topic
            consumer.seek(topic, offset)
            found = consumer.poll(timeout_ms=ANSWER_MS).get(topic)
            if not found and consumer.position(topic, timeout_ms=ANSWER_MS) < self._ends[partition]:
                msg = f"no record came within {ANSWER_MS} ms, though the partition goes on"
                raise KafkaTimeoutError(msg)
        return [Stored(record.offset, record.value or b"") for record in found or ()]

    def _connected(self) -> Any:  # noqa: ANN401 - kafka-python has no types.
        """Return the consumer, a new one after an error."""
        if self._consumer is None:
            self._consumer = made(KafkaConsumer, self._settings.consumer() | REPLAY)
        return self._consumer

    @contextmanager
    def _asking(self, partition: int, offset: int) -> Iterator[None]:
        """Translate errors of Kafka, after letting the consumer go.

        Raises:
            LogCorruptError: The log is not what it was.
            LogUnavailableError: Anything else.
        """
        try:
            yield
        except Exception as error:
            self.close()
            if meaning_of(error) == "damaged":
                raise LogCorruptError(partition, offset, said(error)) from error
            msg = f"partition {partition} cannot be read at offset {offset}: {said(error)}"
            raise LogUnavailableError(msg) from error


class KafkaReader:
    """The `LogReader` of a house in Kafka, with a thread of its own."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Prepare to read; brokers are looked for when something is asked."""
        self._pages = Pages(settings)
        self._thread = OwnThread("kafka-reader")

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        return await self._thread.run(lambda: self._pages.end(partition))

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        return await self._thread.run(lambda: self._pages.read(partition, offset, limit))

    async def close(self) -> None:
        """See `LogReader.close`."""
        await self._thread.end(self._pages.close)
