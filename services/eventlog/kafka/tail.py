"""The tail of the log: every record of the partitions that the dealer writes is read back here, judged, and told.

One consumer reads all that is followed; a partition is followed from the bookmark that the dealer gave, or from its
beginning. The judge sees each record once, in the log's order:

    own, counts or void       told to the dealer, by its bytes (`tickets.py`)
    corrupt, or no record     told for all that is under way there; the partition is read no more
    another's claim counts    told as a fence; the partition rests when nothing of ours is under way there any more

A partition that rests is remembered, and read on where it was as soon as something is appended to it. Whatever the
consumer raises, it is never polled again, since that might not return (`clients.md` A1, fact 3): a new one goes on from
our own offsets, which are those behind the last record that was judged.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from kafka import KafkaConsumer, TopicPartition

from services.eventlog.judge import Claim, Corrupt, Counts, Header, Recent, Void, genesis, judge
from services.eventlog.kafka.clients import made
from services.eventlog.kafka.errors import meaning_of, said
from services.eventlog.kafka.frames import Damaged, Fenced
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.tickets import Tickets
from services.eventlog.ports import Acknowledged, Bookmark, HeaderOf

POLL_MS: Final = 50
"""How long a poll waits: a partition that is new, or rests no more, is read after that."""

PAUSE_S: Final = 0.2
"""Between a consumer that failed and the next."""

PROBES: Final = 2
"""What is before damage in a fetch comes first, and the error with the next poll."""

PROBE_MS: Final = 500
"""How long a partition is waited for that may be damaged; of damage a broker tells at once."""

STUCK_S: Final = 30.0
"""No turn takes so long, whatever the brokers do, unless the consumer never returns."""

_PARTITION: Final = re.compile(r"partition=(\d+)")


class Followed:
    """A partition that is read."""

    def __init__(self, partition: int, bookmark: Bookmark) -> None:
        """Begin behind a bookmark."""
        self.partition = partition
        self.position = bookmark.position
        self.offset = bookmark.offset + 1
        """Of the next record."""
        self.recent = Recent(bookmark.position)
        self.is_fenced = False
        """Whether the current epoch is another's."""


class Tail:
    """Reads back, in a thread that runs `run`."""

    def __init__(
        self, settings: KafkaSettings, header_of: HeaderOf, tickets: Tickets, tell: Callable[[Fenced | Damaged], None]
    ) -> None:
        """Follow nothing yet."""
        self._settings, self._header_of, self._tickets, self._tell = settings, header_of, tickets, tell
        self._asked: deque[tuple[int, Bookmark]] = deque()
        self._woken = threading.Event()
        self._reading: set[int] = set()
        """The partitions that are read now, or will be soon."""
        self._known: dict[int, Followed] = {}
        self._consumer: Any = None
        self._assigned: set[int] = set()
        self._turned_s = time.monotonic()

    def follow(self, partition: int, bookmark: Bookmark) -> None:
        """Read a partition from behind a bookmark, unless it is read already; one other thread may call this."""
        if partition not in self._reading:
            self._asked.append((partition, bookmark))
            self._reading.add(partition)
            self._woken.set()

    def follow_on(self, partition: int) -> None:
        """Read a partition from where it was, or else from its beginning. Called like `follow`.

        Whoever waits for a record must have its ticket before: a partition rests only if nobody waits.
        """
        if partition not in self._reading:
            self.follow(partition, Bookmark(genesis(self._settings.house, partition), -1))

    def is_stuck(self) -> bool:
        """Return whether the thread will never be heard of again."""
        return time.monotonic() > self._turned_s + STUCK_S

    def run(self, ending: threading.Event) -> None:
        """Read until `ending` is set."""
        while not ending.is_set():
            self._turned_s = time.monotonic()
            try:
                self._turn()
            except Exception as error:  # noqa: BLE001 - whatever it was, this consumer must not be polled again.
                self._let_go(error)
                ending.wait(PAUSE_S)
        if self._consumer is not None:
            close(self._consumer)

    def _turn(self) -> None:
        """Read what has come."""
        self._begin_asked()
        if self._consumer is None:
            self._assigned = set()
            self._consumer = made(KafkaConsumer, self._settings.consumer())
        if self._assigned != self._reading:
            self._assign()
        if not self._assigned:
            self._woken.wait(POLL_MS / 1000)
            self._woken.clear()
            return
        for topic, records in self._consumer.poll(timeout_ms=POLL_MS).items():
            self._read(self._known[topic.partition], records)

    def _begin_asked(self) -> None:
        """Begin where the dealer asked for it, or behind that, where a partition was read before."""
        while self._asked:
            partition, bookmark = self._asked.popleft()
            known = self._known.get(partition)
            if known is None or known.offset <= bookmark.offset:
                self._known[partition] = Followed(partition, bookmark)
                self._assigned.discard(partition)

    def _assign(self) -> None:
        """Have the consumer read what is to be read, the new partitions from our own offsets."""
        reading = self._reading.copy() & self._known.keys()
        self._consumer.assign([self._topic(partition) for partition in reading])
        for partition in reading - self._assigned:
            self._consumer.seek(self._topic(partition), self._known[partition].offset)
        self._assigned = reading

    def _topic(self, partition: int) -> TopicPartition:
        return TopicPartition(self._settings.events, partition)

    def _read(self, followed: Followed, records: Iterable[Any]) -> None:
        """Judge records, and tell what became of those that the dealer waits for."""
        judged: list[tuple[bytes, Acknowledged | Void]] = []
        corrupt = None
        for record in records:
            stored = record.value or b""
            outcome = self._judged(followed, stored, record.offset)
            if isinstance(outcome, Corrupt):
                corrupt = outcome
                break
            judged.append((stored, outcome))
            followed.offset = record.offset + 1
        self._tickets.settle(followed.partition, judged)
        if corrupt is not None:
            self._condemn(followed.partition, corrupt)
        elif followed.is_fenced:
            self._rest(followed.partition)

    def _judged(self, followed: Followed, stored: bytes, offset: int) -> Acknowledged | Void | Corrupt:
        """Return what a record is, and move on behind it if it counts."""
        try:
            header = self._header_of(stored)
        except Exception as error:  # noqa: BLE001 - whatever it raises, these bytes are no record.
            return Corrupt("prev_hash", f"the record at offset {offset} cannot be read: {error}")
        verdict = judge(followed.position, header, stored, followed.recent.hash_at)
        if not isinstance(verdict, Counts):
            return verdict
        followed.position = verdict.position
        followed.recent.add(verdict.position)
        if header.claim is not None:
            self._note_claim(followed, header, header.claim, stored)
        return Acknowledged(verdict.position, offset)

    def _note_claim(self, followed: Followed, header: Header, claim: Claim, stored: bytes) -> None:
        """Tell of a claim that counts if nobody waits for it."""
        followed.is_fenced = not self._tickets.waits_for(followed.partition, stored)
        if followed.is_fenced:
            self._tell(Fenced(followed.partition, header.epoch, claim.claim_id))

    def _condemn(self, partition: int, corrupt: Corrupt) -> None:
        """Read a damaged partition no more."""
        self._reading.discard(partition)
        self._tickets.condemn(partition, corrupt)
        self._tell(Damaged(partition))

    def _rest(self, partition: int) -> None:
        """Read a partition no more unless somebody waits; who comes now, finds that it rests."""
        self._reading.discard(partition)
        if self._tickets.waits_for(partition):
            self._reading.add(partition)

    def _let_go(self, error: Exception) -> None:
        """Let go of a consumer that has raised, and give up what may not be read back in time."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            threading.Thread(target=close, args=(consumer,), name="closing", daemon=True).start()
        if meaning_of(error) == "damaged":
            named = [int(number) for number in _PARTITION.findall(str(error))]
            for partition in named or filter(self._is_damaged, list(self._assigned)):
                self._condemn(partition, Corrupt("not_reached", said(error)))
        else:
            self._tickets.give_up(f"the log cannot be read back: {said(error)}")

    def _is_damaged(self, partition: int) -> bool:
        """Return whether a partition cannot be read where it goes on, asking for nothing else.

        Damage in the head of a batch is told without saying where, and all the others are not to be closed for it.
        """
        self._turned_s = time.monotonic()
        consumer = None
        try:
            consumer = made(KafkaConsumer, self._settings.consumer())
            consumer.assign([self._topic(partition)])
            consumer.seek(self._topic(partition), self._known[partition].offset)
            for _ in range(PROBES):
                if not consumer.poll(timeout_ms=PROBE_MS):
                    break
        except Exception as error:  # noqa: BLE001 - whatever else it was, that is no damage.
            return meaning_of(error) == "damaged"
        finally:
            if consumer is not None:
                close(consumer)
        return False


def close(consumer: Any) -> None:  # noqa: ANN401 - kafka-python has no types.
    """Close a consumer, whatever state it is in."""
    with suppress(Exception):  # Whatever it complains about: nobody asks it again.
        consumer.close(autocommit=False)
