"""What is pending in an epoch: records under way, and what aggregates will be if all of them count.

    held(address)               an aggregate as it will be: what commands are decided against
    record(order, ...)          the record of what happened, behind all that is under way
    answer(order, reason)       the record of a delivery that changed nothing
    add(record) · remove(...)   it is under way · it is confirmed

`record` and `answer` change nothing. They run everything that could fail by a mistake of ours, the books, what follows,
encoding, before anything is written; only `add` lets the record count as pending, all at once. A record knows its place
for good: its sequence and prev_hash are those behind the record before it, whether that is confirmed yet or not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import NamedTuple

from msgspec.structs import replace

from engine.inbox import noted
from engine.origin import Origin
from engine.reactions import Event
from services.eventlog.aggregates import State, unit_of, verify_consequences
from services.eventlog.codec.events import Event as AnyEvent
from services.eventlog.envelope import Envelope, encode
from services.eventlog.judge import Position, chained
from services.eventlog.log_events import DeliveryAnswered
from services.eventlog.memory import Changes, Held, Memory
from services.eventlog.requests import Reply, Request, UnavailableError


class Order(NamedTuple):
    """A request that is decided now."""

    request: Request
    content: bytes
    """Its command in canonical bytes."""
    digest: bytes
    at_ms: int
    """When its events happen."""


class Record:
    """A record under way."""

    def __init__(self, envelope: Envelope, stored: bytes, position: Position, changes: Changes) -> None:
        """Keep what becomes true when it counts, at `position`."""
        self.envelope, self.stored, self.position, self.changes = envelope, stored, position, changes
        self.reply = Reply(envelope.result, position.sequence)
        self._waiting: list[asyncio.Future[str]] = []

    async def settled(self) -> None:
        """Return when the record was read back as counting.

        Raises:
            UnavailableError: It was not, and what has become of it is not known.
        """
        waiter: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        if why := await waiter:
            raise UnavailableError(why)

    def settle(self, why: str = "") -> None:
        """Let go of everybody who waits; `why` says what is unclear, if something is."""
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(why)


class Pending:
    """All that is pending."""

    def __init__(self, memory: Memory, partition: int, position: Position) -> None:
        """Begin with nothing: what is confirmed at `position` is all there is."""
        self._memory, self._partition = memory, partition
        self._position = position
        """The position after all that is under way."""
        self._under_way: deque[Record] = deque()
        self._last: dict[str, Record] = {}
        """The last record under way that changes an aggregate."""
        self._asked: dict[tuple[str, str], Record] = {}
        """The records under way by the aggregate and the id of the request; no deliveries, which the inbox knows, and
        whose ids a caller may have used as well."""

    def __len__(self) -> int:
        """Return how many records are under way."""
        return len(self._under_way)

    def held(self, address: str) -> Held:
        """Return an aggregate as it will be if all counts that is under way."""
        record = self._last.get(address)
        return record.changes[address] if record else self._memory.held(address)

    def last(self, address: str) -> Record | None:
        """Return the last record under way that changes an aggregate."""
        return self._last.get(address)

    def asked(self, address: str, command_id: str) -> Record | None:
        """Return the record under way that a request has led to."""
        return self._asked.get((address, command_id))

    def record(self, order: Order, events: tuple[Event, ...], state: State | None, result: bytes) -> Record:
        """Return the record of what happened to the aggregate that a request is for, and of which `state` follows.

        Raises:
            EnvelopeTooLargeError: It is too large for the log.
        """
        address, delivery = order.request.address, order.request.delivery
        before = self.held(address)
        verify_consequences(Origin(address, before.version + 1, order.at_ms, unit_of(state)), events)
        inbox = before.inbox if delivery is None else noted(before.inbox, delivery)
        after = Held(state, before.version + len(events), inbox)
        return self._encoded(order, address, events, result, {address: after})

    def answer(self, order: Order, reason: str) -> Record:
        """Return the record of a delivery that changes nothing but the inbox of its receiver."""
        receiver, delivery = order.request.address, order.request.delivery
        assert delivery is not None, "a delivery is answered"
        address = f"partition/{self._partition}"
        before, marked = self.held(address), self.held(receiver)
        changes = {
            address: replace(before, version=before.version + 1),
            receiver: replace(marked, inbox=noted(marked.inbox, delivery)),
        }
        return self._encoded(order, address, (DeliveryAnswered(receiver, reason),), b"", changes)

    def add(self, record: Record) -> None:
        """Let a record be under way."""
        self._position = record.position
        self._last.update(dict.fromkeys(record.changes, record))
        if record.envelope.delivery is None:
            self._asked[_key(record)] = record
        self._under_way.append(record)

    def remove(self, record: Record) -> None:
        """Let the first record under way be so no more: it is confirmed."""
        assert self._under_way.popleft() is record, "records are confirmed in their order"
        for address in record.changes:
            if self._last[address] is record:
                del self._last[address]
        if record.envelope.delivery is None:
            del self._asked[_key(record)]

    def give_up(self, why: str) -> None:
        """Let nothing be under way any more, and tell everybody who waits why it is not known what became of it."""
        self._last.clear()
        self._asked.clear()
        while self._under_way:
            self._under_way.popleft().settle(why)

    def _encoded(
        self, order: Order, address: str, events: tuple[AnyEvent, ...], result: bytes, changes: Changes
    ) -> Record:
        """Return a record behind all that is under way."""
        request, before = order.request, self._position
        envelope = Envelope(
            writer_epoch=before.epoch,
            sequence=before.sequence + 1,
            prev_hash=before.hash,
            aggregate=address,
            version=self.held(address).version + 1,
            command_id=request.command_id,
            command=order.content,
            request_hash=order.digest,
            result=result,
            delivery=request.delivery,
            causation_id=request.causation_id,
            correlation_id=request.correlation_id,
            occurred_at_ms=order.at_ms,
            events=events,
            sealed=request.sealed,
        )
        stored = encode(envelope)
        return Record(
            envelope, stored, Position(before.epoch, before.sequence + 1, chained(before.hash, stored)), changes
        )


def _key(record: Record) -> tuple[str, str]:
    return record.envelope.aggregate, record.envelope.command_id
