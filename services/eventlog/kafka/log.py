"""The log in Kafka, as the dealer uses it: the promises of `ports.py`, kept by a process of its own (`child.py`).

    append -> one frame for each partition and iteration of the loop -> the log process -> Kafka
           <- outcomes by ticket, those of one poll in one frame     <- judged there <- read back

The dealer's loop does as little as can be: it checks that bytes are a record, numbers them, and waits. When the process
is lost, so is the outcome of all that was under way, and reads must be asked again; the next process is told how far
each partition was read back, so that it need not begin at its beginning.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain, count
from typing import Final

from services.eventlog.envelope import header_of as header_of_envelope
from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.kafka.calls import Call, Calls
from services.eventlog.kafka.child import Child
from services.eventlog.kafka.frames import (
    Announce,
    Announced,
    Append,
    Assigned,
    Damaged,
    End,
    EndIs,
    Fenced,
    Follow,
    Hello,
    Hindered,
    Join,
    Note,
    Outcomes,
    Page,
    Pong,
    Read,
    ToDealer,
    Unreadable,
)
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ownership import Owner, Ownership
from services.eventlog.ports import RECORD_BYTES_MAX, Bookmark, HeaderOf, Outcome, Stored, Unknown

CLAIMS_REMEMBERED: Final = 1_000

READ_S: Final = 30.0
"""How long an answer to a read may take; brokers that are away are noticed long before."""


class KafkaLog:
    """The `Log` of the one dealer that this process is."""

    def __init__(self, settings: KafkaSettings, header_of: HeaderOf = header_of_envelope) -> None:
        """Start the log process; the event loop must be running. Brokers are looked for by it.

        Args:
            settings: Where the log is.
            header_of: A function of a module, which the log process can import.

        Raises:
            OSError: The process cannot be started.
        """
        self.ownership: Ownership | None = None
        """Is told of partitions that another writer has claimed, and after `join` what is assigned and announced."""
        self.hindered: Callable[[str], None] = lambda _why: None
        """Is told, again and again, why nothing can be appended until an operator has done something: an alarm."""
        self._joined = False
        self._loop = asyncio.get_running_loop()
        self._header_of = header_of
        self._closed = False
        self._calls = Calls()
        self._gathered: list[Call] = []
        """The calls of this iteration of the loop."""
        self._followed: dict[int, Bookmark] = {}
        """How far each partition was read back."""
        self._claims: deque[str] = deque(maxlen=CLAIMS_REMEMBERED)
        """The ids of the claims that were appended here; one that was given up may count all the same."""
        self._numbers = count()
        self._questions: dict[int, tuple[int, asyncio.Future[Page | EndIs]]] = {}
        self._child = Child(Hello(settings, f"{header_of.__module__}:{header_of.__qualname__}"), self)

    @property
    def pid(self) -> int | None:
        """The number of the log process; None while there is none."""
        return self._child.pid

    def follow(self, partition: int, bookmark: Bookmark) -> None:
        """See `Log.follow`."""
        known = self._followed.get(partition)
        if known is None or known.offset < bookmark.offset:
            self._followed[partition] = bookmark
        self._child.send(Follow(partition, self._followed[partition]))

    def join(self) -> None:
        """Ask to be given partitions, and to hear who serves the others."""
        self._joined = True
        self._child.send(Join())

    def announce(self, partition: int, owner: Owner) -> None:
        """Have it announced who serves a partition."""
        self._child.send(Announce(partition, owner))

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """See `Log.append`."""
        self._verify_open()
        size = self._verified_size(records)
        if not records:
            return []
        call = Call(partition, records, size)
        if not self._child.is_running or not self._calls.has_room(call):
            why = "too much is under way" if self._child.is_running else "the log process is being started again"
            return [Unknown(why)] * len(records)
        self._calls.add(call)
        if not self._gathered:
            self._loop.call_soon(self._send_gathered)
        self._gathered.append(call)
        return await call.done

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        number = next(self._numbers)
        answer = await self._asked(number, partition, End(number, partition))
        assert isinstance(answer, EndIs), "an answer fits its question"
        return answer.offset

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        number = next(self._numbers)
        answer = await self._asked(number, partition, Read(number, partition, offset, limit))
        assert isinstance(answer, Page), "an answer fits its question"
        return answer.records

    async def close(self) -> None:
        """See `LogReader.close`."""
        self._closed = True
        await self._calls.finished()
        self._fail_questions("the log is closed")
        await self._child.close()

    def began(self) -> None:
        """Tell a new process what is followed. Tickets begin at 0."""
        for partition, bookmark in self._followed.items():
            self._child.send(Follow(partition, bookmark))
        if self._joined:
            self._child.send(Join())

    def heard(self, frame: ToDealer) -> None:
        """Take in what the process says."""
        match frame:
            case Outcomes():
                self._take_in(frame)
            case Page() | EndIs() | Unreadable():
                self._answered(frame)
            case Fenced():
                self._fenced(frame)
            case Damaged(partition=partition):
                self._doubt(partition)
            case Hindered(why=why):
                self.hindered(why)
            case Pong():
                pass
            case note:
                self._note(note)

    def lost(self, why: str) -> None:
        """Let everything that only the process knew be unknown."""
        self._gathered.clear()
        self._calls.give_up(why)
        self._fail_questions(why)
        self._note(Assigned(()))

    def _verify_open(self) -> None:
        """Make sure that the log is open.

        Raises:
            LogUnavailableError: It is closed.
        """
        if self._closed:
            msg = "the log is closed"
            raise LogUnavailableError(msg)

    def _verified_size(self, records: Sequence[bytes]) -> int:
        """Make sure that these are records, remember claims, and return how many bytes they have together.

        Raises:
            ValueError: One of them is too large. So it is with whatever `HeaderOf` raises.
        """
        size = 0
        for stored in records:
            if len(stored) > RECORD_BYTES_MAX:
                msg = f"a record has more than {RECORD_BYTES_MAX} bytes"
                raise ValueError(msg)
            claim = self._header_of(stored).claim
            if claim is not None:
                self._claims.append(claim.claim_id)
            size += len(stored)
        return size

    def _send_gathered(self) -> None:
        """Send what was appended in this iteration of the loop."""
        gathered, self._gathered = self._gathered, []
        by_partition: dict[int, list[Call]] = {}
        for call in gathered:
            by_partition.setdefault(call.partition, []).append(call)
        for partition, calls in by_partition.items():
            for call in calls:
                self._calls.number(call)
            self._child.send(Append(partition, [stored for call in calls for stored in call.records]))
        self._child.flush()

    def _take_in(self, frame: Outcomes) -> None:
        if frame.acknowledged:
            ticket, last = frame.acknowledged[-1]
            self._followed[self._calls.partition_of(ticket)] = Bookmark(last.position, last.offset)
        self._calls.settle(chain(frame.acknowledged, frame.void, frame.corrupt, frame.unknown))

    def _fenced(self, frame: Fenced) -> None:
        """Hear of a claim that nobody waits for: another's, or one of this log's own that was given up."""
        if frame.claim_id not in self._claims:
            self._followed.pop(frame.partition, None)
            self._doubt(frame.partition)

    def _doubt(self, partition: int) -> None:
        if self.ownership is not None:
            self.ownership.doubted(partition)

    def _note(self, note: Note) -> None:
        match note, self.ownership:
            case Assigned(partitions=partitions), Ownership() as ownership:
                ownership.assigned(partitions)
            case Announced(partition=partition, owner=owner), Ownership() as ownership:
                ownership.announced(partition, owner)
            case _:
                pass  # Nobody has asked for it.

    async def _asked(self, number: int, partition: int, question: Read | End) -> Page | EndIs:
        """Return the answer to a question.

        Raises:
            LogCorruptError: The log is damaged.
            LogUnavailableError: There is no answer now.
        """
        self._verify_open()
        if not self._child.is_running:
            msg = "the log process is being started again"
            raise LogUnavailableError(msg)
        answered: asyncio.Future[Page | EndIs] = self._loop.create_future()
        self._questions[number] = (partition, answered)
        self._child.send(question)
        try:
            async with asyncio.timeout(READ_S):
                return await answered
        except TimeoutError as error:
            msg = f"the log process did not answer within {READ_S:.0f} s"
            raise LogUnavailableError(msg) from error
        finally:
            self._questions.pop(number, None)

    def _answered(self, frame: Page | EndIs | Unreadable) -> None:
        """Hand an answer on, unless nobody waits for it any more."""
        partition, answered = self._questions.get(frame.number, (0, None))
        if answered is None or answered.done():
            return
        if not isinstance(frame, Unreadable):
            answered.set_result(frame)
        elif frame.offset is None:
            answered.set_exception(LogUnavailableError(frame.why))
        else:
            answered.set_exception(LogCorruptError(partition, frame.offset, frame.why))

    def _fail_questions(self, why: str) -> None:
        for _, answered in self._questions.values():
            if not answered.done():
                answered.set_exception(LogUnavailableError(why))
