"""The records whose outcome the dealer waits for, by their bytes: what is read back is known by nothing else.

A record leaves here with exactly one outcome, whichever thread has it first: the one that reads it back, or the one
that gives up what is under way. What comes back later is nobody's, and is judged like everything else in the log.

The same bytes may be under way twice. Then they are the same to everybody, and the first to be read back is the first
that was sent.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from services.eventlog.judge import Corrupt, Void
from services.eventlog.kafka.frames import Outcomes
from services.eventlog.kafka.settings import DELIVERY_MS
from services.eventlog.ports import Acknowledged, Unknown

WAIT_S: Final = DELIVERY_MS / 1000 + 0.5
"""How long a record may be under way. The producer may keep one for ever (F27), so nothing rests on its own limit."""


class Batch:
    """Records that came together."""

    __slots__ = ("arrived_s", "waiting")

    def __init__(self, arrived_s: float, waiting: int) -> None:
        """Begin with all of them waiting."""
        self.arrived_s, self.waiting = arrived_s, waiting


class Tickets:
    """All that is under way. Any thread may use it."""

    def __init__(self, tell: Callable[[Outcomes], None]) -> None:
        """Begin with nothing; `tell` is told outcomes."""
        self._tell = tell
        self._lock = threading.Lock()
        self._next = 0
        self._waiting: dict[int, dict[bytes, list[tuple[int, Batch]]]] = {}
        """By partition and bytes, in the order sent."""
        self._batches: deque[Batch] = deque()
        """In the order in which they came; those before the first that waits are dropped."""
        self._corrupt: dict[int, Corrupt] = {}
        """The partitions that are damaged: nothing is sent to them any more."""

    def take(self, partition: int, records: Iterable[bytes]) -> Batch | None:
        """Give records their tickets; None if they have their outcome already, and must not be sent."""
        with self._lock:
            first = self._next
            batch = Batch(time.monotonic(), 0)
            waiting = self._waiting.setdefault(partition, {})
            for ticket, stored in enumerate(records, first):
                waiting.setdefault(stored, []).append((ticket, batch))
                batch.waiting += 1
            self._next += batch.waiting
            self._batches.append(batch)
            corrupt = self._corrupt.get(partition)
        if corrupt is not None:
            self.condemn(partition, corrupt)
            return None
        return batch

    def waits_for(self, partition: int, stored: bytes | None = None) -> bool:
        """Return whether the dealer waits for a record, or for any of a partition."""
        waiting = self._waiting.get(partition)
        return bool(waiting) if waiting is None or stored is None else stored in waiting

    def settle(self, partition: int, read: Iterable[tuple[bytes, Acknowledged | Void]]) -> None:
        """Tell what became of records that were read back, and were judged in this order."""
        acknowledged: list[tuple[int, Acknowledged]] = []
        void: list[tuple[int, Void]] = []
        with self._lock:
            waiting = self._waiting.get(partition)
            if not waiting:
                return
            for stored, outcome in read:
                same = waiting.get(stored)
                if same is None:
                    continue
                ticket, batch = same.pop(0)
                batch.waiting -= 1
                if not same:
                    del waiting[stored]
                if isinstance(outcome, Acknowledged):
                    acknowledged.append((ticket, outcome))
                else:
                    void.append((ticket, outcome))
        if acknowledged or void:
            self._tell(Outcomes(acknowledged, void))

    def condemn(self, partition: int, corrupt: Corrupt) -> None:
        """Tell that a partition is damaged, now and whenever something is appended to it."""
        with self._lock:
            self._corrupt[partition] = corrupt
            tickets = self._taken_out([partition])
        if tickets:
            self._tell(Outcomes(corrupt=[(ticket, corrupt) for ticket in tickets]))

    def give_up(self, why: str) -> None:
        """Tell of everything under way that its outcome is unknown."""
        unknown = Unknown(why)
        with self._lock:
            tickets = self._taken_out(list(self._waiting))
        if tickets:
            self._tell(Outcomes(unknown=[(ticket, unknown) for ticket in tickets]))

    def is_overdue(self) -> bool:
        """Return whether a record has been under way for too long."""
        with self._lock:
            while self._batches and not self._batches[0].waiting:
                self._batches.popleft()
            return bool(self._batches) and time.monotonic() > self._batches[0].arrived_s + WAIT_S

    def _taken_out(self, partitions: Iterable[int]) -> list[int]:
        """Return the tickets of partitions in their order, which wait no more."""
        tickets = []
        for partition in partitions:
            for same in self._waiting.pop(partition, {}).values():
                for ticket, batch in same:
                    batch.waiting -= 1
                    tickets.append(ticket)
        return sorted(tickets)
