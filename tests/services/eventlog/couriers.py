"""A courier in a simulated room: brings what follows from confirmed records to their targets, in the same partition.

He keeps the order of records for each target, one delivery at a time, and repeats each until it is answered; a refusal
is an answer. Now and then he is restarted: then he knows only up to which record all was answered, and begins there
again, while what he sent before may still be on its way. `engine/inbox.py` says why nothing happens twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

from engine.inbox import Delivery
from engine.origin import Origin
from engine.reactions import reactions
from services.eventlog import aggregates
from services.eventlog.aggregates import State
from services.eventlog.envelope import kind_of
from services.eventlog.reader import Counted
from services.eventlog.requests import Reply, Request
from tests.services.eventlog.owners import names_of
from tests.services.eventlog.records import PARTITION

LOOKS_S: Final = 0.2

Ask = Callable[[Request, Random], Awaitable[Reply | str]]


class Courier:
    """Brings deliveries."""

    def __init__(self, ask: Ask) -> None:
        """Begin at the beginning of the log; `ask` repeats a request until it is answered."""
        self.repeated = 0
        """How many deliveries were brought again after a restart."""
        self._ask = ask
        self._outbox: list[list[Request]] = []
        """What follows from each record, by its sequence."""
        self._read = self._answered = self._furthest = 0
        self._waiting: dict[str, deque[Request]] = {}
        self._busy: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    def hear(self, counted: Counted, state: State | None) -> None:
        """Note what follows from a record that some owner has confirmed; `state` is that of its aggregate."""
        if counted.bookmark.position.sequence == len(self._outbox) + 1:
            self._outbox.append(list(_consequences(counted, aggregates.unit_of(state))))

    async def run(self, chance: Random) -> None:
        """Work until this is cancelled, and be restarted now and then."""
        while True:
            self._take_up(chance)
            await asyncio.sleep(LOOKS_S)
            if chance.random() < LOOKS_S / 5:
                self._restart(keep=chance.random() < 0.5)

    async def drain(self, chance: Random) -> None:
        """Bring everything, and everything that follows from it."""
        self._restart(keep=False)
        while self._read < len(self._outbox) or any(self._waiting.values()):
            self._take_up(chance)
            await asyncio.sleep(LOOKS_S)

    def _take_up(self, chance: Random) -> None:
        """Read on, and let somebody be under way to each target for which something waits."""
        if self._failed is not None:
            raise self._failed
        for requests in self._outbox[self._read :]:
            for request in requests:
                self._queue(request, chance)
        self.repeated += sum(map(len, self._outbox[self._read : self._furthest]))
        self._read = len(self._outbox)
        self._furthest = max(self._furthest, self._read)
        if not any(self._waiting.values()):
            self._answered = self._read

    def _queue(self, request: Request, chance: Random) -> None:
        waiting = self._waiting.setdefault(request.address, deque())
        waiting.append(request)
        if len(waiting) == 1:
            task = asyncio.create_task(self._bring(waiting, chance))
            self._busy.add(task)
            task.add_done_callback(self._done)

    async def _bring(self, waiting: deque[Request], chance: Random) -> None:
        while waiting:
            answer = await self._ask(waiting[0], chance)
            if answer != "UnavailableError":
                waiting.popleft()
            else:
                await asyncio.sleep(LOOKS_S)

    def _restart(self, *, keep: bool) -> None:
        """Forget all but what is known to be answered; `keep` leaves what is under way on its way."""
        if not keep:
            for task in self._busy:
                task.cancel()
        self._waiting, self._read = {}, self._answered

    def _done(self, task: asyncio.Task[None]) -> None:
        self._busy.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failed = task.exception()


def _consequences(counted: Counted, unit: str) -> list[Request]:
    """Return the deliveries that follow from a record."""
    envelope = counted.envelope
    found: list[Request] = []
    if kind_of(envelope.aggregate) not in aggregates.KINDS:
        return []
    sequence = counted.bookmark.position.sequence
    for place, event in enumerate(envelope.events):
        origin = Origin(envelope.aggregate, envelope.version + place, envelope.occurred_at_ms, unit)
        for reaction in reactions(origin, event):  # type: ignore[arg-type]  # What happens to games has reactions.
            delivery = Delivery(PARTITION, sequence, len(found))
            content = (reaction.target, reaction.command, reaction.command_id)
            found.append(Request(*content, delivery=delivery, tell=names_of))
    return found
