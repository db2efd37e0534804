"""Snapshots in a compacted topic, so that whoever takes a partition over begins with them (`snapshots.py`).

A topic keeps the last value of a key and knows nothing of older and later ones, and an owner that was replaced, or a
producer that was given up, may send at any time. So whoever writes has keys of his own,

    <key of the entry> NUL <name of the writer> [NUL <sequence> NUL <number of the part>]

and among the values of all writers a reader takes the one with the highest sequence. What one producer sends lands in
its order; after the first failure it is thrown away, and what comes next has another name. What a later entry has made
useless, whoever wrote it, is deleted once that is acknowledged. Such a deletion may come late as well, so whoever loads
a partition, to own it, writes it under a new name: only those who load later know it.

A value begins with its sequence and the number of its other parts. Those of a large entry are acknowledged before the
first is sent, so an entry is there as a whole, or the one before it still is.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaTimeoutError

from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka.clients import end_producer, made
from services.eventlog.kafka.errors import said
from services.eventlog.kafka.settings import DELIVERY_MS, KafkaSettings
from services.eventlog.snapshot_rows import Entry
from services.eventlog.snapshots import SnapshotStoreError
from services.eventlog.threads import OwnThread

PART_BYTES: Final = 512 * 1024
"""A record of Kafka may have a megabyte."""

PARTS_MAX: Final = 1_000
"""No entry has more parts, so one that says so is damaged."""

ANSWER_MS: Final = 5_000
"""How long a broker may take for one answer."""

LOAD_S: Final = 30
"""How long loading may take; a partition that takes longer is replayed from the beginning."""

PUT_S: Final = 2 * DELIVERY_MS // 1000
"""How long the acknowledgement of entries may take."""

NUMBER_BYTES: Final = 8
HEAD_BYTES: Final = 2 * NUMBER_BYTES
NUL: Final = b"\x00"

T = TypeVar("T")


class Value(NamedTuple):
    """An entry as the topic has it."""

    sequence: int
    stored: bytes


class Kept(NamedTuple):
    """What is known of an entry: that with the highest sequence, and all keys under which there is anything."""

    sequence: int
    keys: AbstractSet[bytes]


NOTHING: Final = Kept(0, frozenset())


class KafkaSnapshots:
    """The `SnapshotStore` of a house in Kafka, with a thread of its own."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Connect to nothing yet."""
        self._settings = settings
        self._thread = OwnThread("kafka-snapshots")
        self._producer: Any = None
        self._names: dict[int, bytes] = {}
        """Under which partitions are written; a new one after each load, and with each producer."""
        self._kept: defaultdict[int, dict[bytes, Kept]] = defaultdict(dict)

    async def load(self, partition: int) -> Mapping[str, bytes]:
        """See `SnapshotStore.load`."""
        return await self._run(lambda: self._loaded(partition))

    async def put(self, partition: int, entries: Sequence[Entry]) -> None:
        """See `SnapshotStore.put`."""
        await self._run(lambda: self._put(partition, entries))

    async def clear(self, partition: int) -> None:
        """See `SnapshotStore.clear`."""
        await self._run(lambda: self._clear(partition))

    async def close(self) -> None:
        """See `SnapshotStore.close`."""
        await self._thread.end(self._let_go)

    async def _run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns in the thread.

        Raises:
            SnapshotStoreError: It has failed, for whatever reason.
        """
        try:
            return await self._thread.run(lambda: self._tried(work))
        except LogUnavailableError as error:
            msg = "the store is closed"
            raise SnapshotStoreError(msg) from error

    def _tried(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except Exception as error:
            self._let_go()
            msg = f"the snapshots in {self._settings.snapshots} cannot be used now: {said(error)}"
            raise SnapshotStoreError(msg) from error

    def _loaded(self, partition: int) -> dict[str, bytes]:
        """Return the last entry of each key, and know under which keys there is anything."""
        self._names.pop(partition, None)
        found = self._read(partition)
        last, keys = dict[bytes, Value](), defaultdict[bytes, set[bytes]](set)
        for key, content in found.items():
            entry, *part = _split(key)
            keys[entry].add(key)
            if not part and (value := _value(key, content, found)).sequence >= last.get(entry, value).sequence:
                last[entry] = value
        nothing = Value(0, b"")
        self._kept[partition] = {each: Kept(last.get(each, nothing).sequence, keys[each]) for each in keys}
        return {entry.decode(errors="replace"): value.stored for entry, value in last.items()}

    def _read(self, partition: int) -> dict[bytes, bytes]:
        """Return what the topic has under each key, up to the end that it has now."""
        topic, deadline = TopicPartition(self._settings.snapshots, partition), time.monotonic() + LOAD_S
        latest = dict[bytes, bytes | None]()
        consumer = made(KafkaConsumer, self._settings.consumer())
        try:
            end = consumer.end_offsets([topic], timeout_ms=ANSWER_MS)[topic]
            begin = consumer.beginning_offsets([topic], timeout_ms=ANSWER_MS)[topic]
            consumer.assign([topic])
            consumer.seek(topic, begin)
            while begin < end and consumer.position(topic, timeout_ms=ANSWER_MS) < end:
                for record in consumer.poll(timeout_ms=ANSWER_MS).get(topic, ()):
                    latest[record.key or b""] = record.value
                _verify_time(deadline)
        finally:
            with suppress(Exception):  # Whatever it complains about: nobody asks it again.
                consumer.close(autocommit=False, timeout_ms=ANSWER_MS)
        return {key: value for key, value in latest.items() if value is not None}

    def _put(self, partition: int, entries: Sequence[Entry]) -> None:
        """Send entries, and when they are there, delete what they have made useless.

        After an error a producer may still send what is behind the record that was lost (`clients.md` A3). So what
        takes the place of something else is acknowledged before that goes.
        """
        kept = self._kept[partition]
        later = [entry for entry in entries if entry.sequence >= kept.get(entry.key.encode(), NOTHING).sequence]
        mains, parts, useless = dict[bytes, bytes](), dict[bytes, bytes](), set[bytes]()
        for entry in later:
            key = entry.key.encode()
            main, rest = self._values(self._named(partition, key), entry)
            useless |= kept.get(key, NOTHING).keys - main.keys() - rest.keys()
            kept[key] = Kept(entry.sequence, kept.get(key, NOTHING).keys | main.keys() | rest.keys())
            mains |= main
            parts |= rest
        self._send(partition, parts)
        self._send(partition, mains)
        self._send(partition, dict.fromkeys(useless))
        for entry in later:
            key = entry.key.encode()
            kept[key] = Kept(entry.sequence, kept[key].keys - useless)

    def _named(self, partition: int, key: bytes) -> bytes:
        """Return the key under which an entry is written now."""
        self._connected()
        return NUL.join((key, self._names.setdefault(partition, secrets.token_hex(6).encode())))

    def _values(self, main: bytes, entry: Entry) -> tuple[dict[bytes, bytes], dict[bytes, bytes]]:
        """Return the first part of an entry, and its others, by their keys."""
        stored = entry.stored()
        first, *others = [stored[at : at + PART_BYTES] for at in range(0, len(stored), PART_BYTES)]
        head = entry.sequence.to_bytes(NUMBER_BYTES, "big") + len(others).to_bytes(NUMBER_BYTES, "big")
        rest = {_part_key(main, entry.sequence, number): part for number, part in enumerate(others)}
        return {main: head + first}, rest

    def _clear(self, partition: int) -> None:
        self._send(partition, dict.fromkeys(self._read(partition)))
        self._kept.pop(partition, None)

    def _send(self, partition: int, values: Mapping[bytes, bytes | None]) -> None:
        """Put values in place of those that keys have, or delete them, and return when that is acknowledged."""
        deadline = time.monotonic() + PUT_S
        producer = self._connected()
        topic = self._settings.snapshots
        for future in [producer.send(topic, value, key, partition=partition) for key, value in values.items()]:
            future.get(max(0.0, deadline - time.monotonic()))

    def _connected(self) -> Any:  # noqa: ANN401 - kafka-python has no types.
        """Return the producer, a new one after an error."""
        if self._producer is None:
            self._producer = made(KafkaProducer, self._settings.producer())
            self._names.clear()
        return self._producer

    def _let_go(self) -> None:
        """Throw the producer away; what it may still send is under keys of its own."""
        producer, self._producer = self._producer, None
        if producer is not None:
            threading.Thread(target=end_producer, args=(producer,), name="closing", daemon=True).start()


def _split(key: bytes) -> list[bytes]:
    """Return the key of an entry, and if this is a part of it, its number behind that."""
    entry, _, *part = key.split(NUL, 2)
    return [entry, *part]


def _part_key(main: bytes, sequence: int, number: int) -> bytes:
    return NUL.join((main, str(sequence).encode(), str(number).encode()))


def _value(key: bytes, content: bytes, found: Mapping[bytes, bytes]) -> Value:
    """Return an entry with all its parts; one that lacks some is damaged, and its checksum will say so."""
    sequence = int.from_bytes(content[:NUMBER_BYTES], "big")
    others = int.from_bytes(content[NUMBER_BYTES:HEAD_BYTES], "big")
    rest = (found.get(_part_key(key, sequence, number), b"") for number in range(min(others, PARTS_MAX)))
    return Value(sequence, b"".join((content[HEAD_BYTES:], *rest)))


def _verify_time(deadline: float) -> None:
    if time.monotonic() > deadline:
        msg = f"it took longer than {LOAD_S} s"
        raise KafkaTimeoutError(msg)
