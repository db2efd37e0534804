"""One epoch of a writer: from its claim that counts to the first outcome that is unclear.

    submit: decide against pending -> encode -> pending, queued     (or a refusal, or nothing to do)
    append: whatever is queued, in one call (group commit); several calls may overlap
    acknowledged, in order: pending becomes confirmed -> listener -> reply
    anything else: the epoch is over, and nothing that was pending is known to have happened

Two states. *Confirmed* is the memory: records that count. *Pending* lies over it: what each aggregate will be if all
that is under way counts. Commands are decided against pending, or two withdrawals that come together could both be paid
from one balance. Everything that is told rests on confirmed state: a reply waits for its own record, and what rests on
pending records without being one (a refusal, an answer that nothing was to be done, a repeated request) waits for the
last of them that concerns its aggregate. If that does not count, none of it was ever true, and the caller hears
UNAVAILABLE.

An epoch that is over stays over, whatever its late appends bring: their records are judged by whoever reads them. It
takes its pending states with it, so nothing of them can leak into the next one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.errors import Rejected
from engine.inbox import is_new
from services.eventlog.aggregates import execute
from services.eventlog.canonical import canonical, request_hash
from services.eventlog.errors import LogCorruptError
from services.eventlog.event_time import EventTime
from services.eventlog.judge import Corrupt, Void
from services.eventlog.memory import Held, Memory
from services.eventlog.pending import Order, Pending, Record
from services.eventlog.ports import Acknowledged, Log, Outcome, Unknown
from services.eventlog.reader import Apply, Counted, PartitionReader
from services.eventlog.requests import OverloadedError, Reply, Request, RequestIdReusedError, UnavailableError

PENDING_MAX: Final = 10_000
"""No more records are under way than these."""

BATCH_RECORDS: Final = 500
"""No more records are appended in one call than these."""

Unclear: TypeAlias = Void | Corrupt | Unknown


class Flight:
    """Records that are appended together."""

    def __init__(self, records: list[Record]) -> None:
        """Begin without outcomes."""
        self.records = records
        self.outcomes: Sequence[Outcome] | None = None


class Epoch:
    """What a writer does in one epoch. Its claim was read back, so it owns the partition until something is unclear."""

    def __init__(self, log: Log, reader: PartitionReader, memory: Memory, time: EventTime, confirmed: Apply) -> None:
        """Serve.

        Args:
            log: Where records are appended.
            reader: Has read to the claim; it is moved on behind what is acknowledged.
            memory: The confirmed state at the claim.
            time: Dates the events.
            confirmed: Is told each record that has become confirmed.
        """
        self.overlapping = 1
        """How many appends may be under way at once."""
        self.ended: asyncio.Future[Unclear] = asyncio.get_running_loop().create_future()
        """Says what was unclear, when something was; or what went wrong in this process."""
        self._log, self._reader, self._memory, self._time = log, reader, memory, time
        self._confirmed = confirmed
        self._pending = Pending(memory, reader.partition, reader.position)
        self._queue: deque[Record] = deque()
        """Records that wait for an append."""
        self._flights: deque[Flight] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def held(self, address: str) -> Held:
        """Return an aggregate as it will be if all counts that is under way."""
        return self._pending.held(address)

    async def submit(self, request: Request) -> Reply:
        """Carry a request out, once. See `PartitionWriter.submit`."""
        if self.ended.done():
            msg = "the partition is being opened anew"
            raise UnavailableError(msg)
        if len(self._pending) >= PENDING_MAX:
            msg = f"{PENDING_MAX} records are under way"
            raise OverloadedError(msg)
        content = canonical(request.command)
        digest = request_hash(content)
        if request.delivery is None:
            known = await self._known(request, digest)
            if known is not None:
                return known
        elif not is_new(self._pending.held(request.address).inbox, request.delivery):
            return await self._nothing_done(request.address, b"")
        return await self._decided(Order(request, content, digest, self._time.now_ms()))

    def give_up(self, unclear: Unclear) -> None:
        """End the epoch: what is pending may have happened or not, and nobody is told either."""
        if not self.ended.done():
            self.ended.set_result(unclear)
            self._let_go(unclear.reason if isinstance(unclear, Void) else unclear.why)

    async def _known(self, request: Request, digest: bytes) -> Reply | None:
        """Return the answer to a request that comes again.

        Raises:
            RequestIdReusedError: It is another request with an id that was used.
            UnavailableError: It is not known whether the first one has happened.
        """
        record = self._pending.asked(request.address, request.command_id)
        if record is not None:
            await record.settled()
            return _repeated(record.envelope.request_hash, digest, record.reply)
        answer = self._memory.answer(request.address, request.command_id)
        return None if answer is None else _repeated(answer.request_hash, digest, answer.reply)

    async def _decided(self, order: Order) -> Reply:
        """Decide, and return when what was decided is confirmed.

        A delivery that is refused or changes nothing is put on the log all the same, or a restarted receiver might
        carry it out later.

        Raises:
            Rejected: The rules refuse it.
            UnavailableError: It is not known what has become of it, or of what a refusal rests on.
        """
        request, before = order.request, self._pending.held(order.request.address)
        try:
            events, state = execute(request.address, before.state, request.command, order.at_ms, request.deck)
        except Rejected as refusal:
            if request.delivery is not None:
                return await self._sent(self._pending.answer(order, refusal.reason))
            await self._settled(request.address)
            raise
        result = request.tell(events)
        if events:
            return await self._sent(self._pending.record(order, events, state, result))
        if request.delivery is not None:
            return await self._sent(self._pending.answer(order, ""))
        return await self._nothing_done(request.address, result)

    async def _nothing_done(self, address: str, result: bytes) -> Reply:
        """Answer that nothing was to be done, when all is confirmed on which that rests."""
        await self._settled(address)
        return Reply(result, self._reader.position.sequence)

    async def _settled(self, address: str) -> None:
        """Return when the last record under way that changes an aggregate is confirmed.

        Raises:
            UnavailableError: It is not known what has become of it.
        """
        record = self._pending.last(address)
        if record is not None:
            await record.settled()

    async def _sent(self, record: Record) -> Reply:
        """Let a record become pending, and return when it is confirmed.

        Raises:
            UnavailableError: It is not known what has become of it.
        """
        self._pending.add(record)
        self._queue.append(record)
        if len(self._queue) == 1:
            asyncio.get_running_loop().call_soon(self._append_queued)
        await record.settled()
        return record.reply

    def _append_queued(self) -> None:
        """Append what is queued, as far as there is room for one more call."""
        while self._queue and len(self._flights) < self.overlapping:
            flight = Flight([self._queue.popleft() for _ in range(min(len(self._queue), BATCH_RECORDS))])
            self._flights.append(flight)
            task = asyncio.create_task(self._append(flight))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    async def _append(self, flight: Flight) -> None:
        """Append records, and take outcomes in as far as it is their turn."""
        try:
            flight.outcomes = await self._log.append(self._reader.partition, [each.stored for each in flight.records])
        except LogCorruptError as error:
            self.give_up(Corrupt("prev_hash", str(error)))
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the records may be in the log.
            self.give_up(Unknown(f"{type(error).__name__}: {error}"))
        while self._flights and not self.ended.done() and (outcomes := self._flights[0].outcomes) is not None:
            self._land(self._flights.popleft().records, outcomes)
        self._append_queued()

    def _land(self, records: Sequence[Record], outcomes: Sequence[Outcome]) -> None:
        """Confirm records in their order, up to the first of which it is not known that it counts."""
        for record, outcome in zip(records, outcomes, strict=True):
            if not isinstance(outcome, Acknowledged):
                self.give_up(outcome)
                return
            self._confirm(record, outcome)

    def _confirm(self, record: Record, acknowledged: Acknowledged) -> None:
        """Let what was pending become confirmed, and tell."""
        assert acknowledged.position == record.position, "what counts takes the place that it was made for"
        counted = Counted(record.envelope, self._reader.follow(acknowledged))
        self._memory.confirm(counted, record.changes)
        self._confirmed(counted)
        self._pending.remove(record)
        record.settle()

    def _done(self, task: asyncio.Task[None]) -> None:
        """Stop at a mistake of ours, a listener's included: nothing that is known here can be relied upon any more."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self.ended.done():
            self.ended.set_exception(error)
            self._let_go(f"{type(error).__name__}: {error}")

    def _let_go(self, why: str) -> None:
        self._queue.clear()
        self._pending.give_up(f"what became of it is not known: {why}")


def _repeated(first: bytes, digest: bytes, reply: Reply) -> Reply:
    """Return the answer to a request if it is the same as the first one.

    Raises:
        RequestIdReusedError: It is another.
    """
    if first != digest:
        msg = "the request id was used for another request"
        raise RequestIdReusedError(msg)
    return reply
