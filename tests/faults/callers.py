"""Callers who ask dealers for things while faults are done to them, and note what they asked and heard.

A caller knows all dealers and asks them in turn until one knows the answer. "Unavailable", a broken connection and
silence mean the same to him: he asks again, under the same id (P6). Some requests he repeats long after.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count, pairwise
from random import Random
from typing import Final

import msgspec
import pytest

from engine.account.commands import Deposit, OpenAccount, Withdraw
from engine.reactions import Command
from services.eventlog.canonical import canonical
from services.eventlog.partitions import partition_of
from services.eventlog.requests import Reply, Request
from tests.faults.dealer_process import LINE_BYTES_MAX, Answer, Ask
from tests.services.eventlog.history import Attempt
from tests.services.eventlog.owners import names_of

PATIENCE_S: Final = 2.0
"""How long an answer is waited for."""
PAUSE_S: Final = 0.05
FINISH_S: Final = 60.0
"""So long may it take after the last fault until every caller knows what became of his last request."""
ENDLESS: Final = 1 << 60


class Line:
    """A caller's connection to one dealer."""

    def __init__(self, path: str) -> None:
        """Connect when something is asked."""
        self._path = path
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._numbers = count(1)

    async def ask(self, request: Request) -> Answer | None:
        """Return the answer; None if there is none."""
        number = next(self._numbers)
        line = Ask(number, request.address, canonical(request.command), request.command_id)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._exchange(line)
        except (OSError, TimeoutError, msgspec.DecodeError):
            self.close()
            return None

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _exchange(self, line: Ask) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(self._path, limit=LINE_BYTES_MAX)
        reader, writer = self._streams
        writer.write(msgspec.json.encode(line) + b"\n")
        while True:
            answer = msgspec.json.decode(await reader.readline(), type=Answer)
            if answer.number == line.number:
                return answer


class Lines(dict[str, Line]):
    """A caller's connections, by the path of the dealer's socket."""

    def __missing__(self, path: str) -> Line:
        """Make a connection to a dealer that was not asked before."""
        self[path] = Line(path)
        return self[path]


class Load:
    """Callers of a house, and what they have noted."""

    def __init__(self, paths: list[str], partitions: int, seed: str, only: int | None = None) -> None:
        """Begin with nothing noted; `paths` are those of the sockets of dealers, `only` the one partition to use."""
        self._only = only
        self.paths, self.partitions, self.seed = paths, partitions, seed
        self.history: list[Attempt] = []
        self.acknowledged_at: dict[int, list[float]] = {}
        """When somebody was told something in a partition, in seconds of the monotonic clock."""
        self.owners: dict[int, str] = {}
        """Who was the last to acknowledge something in a partition: the path of his socket."""
        self.tally: Counter[str] = Counter()
        self.stopped = asyncio.Event()
        self.insisting: set[str] = set()
        """What callers ask for now."""
        self._told: Counter[str] = Counter()
        self._epochs: Counter[int] = Counter()
        self._first: dict[tuple[str, str], int] = {}

    async def run(self, callers: int) -> None:
        """Let callers ask until `stopped` is set, and every one of them knows what became of his last request."""
        await asyncio.gather(*(self._caller(number) for number in range(callers)))

    def acknowledged_since(self, moment: float) -> set[int]:
        """Return the partitions in which something was acknowledged after a moment."""
        return {partition for partition, times in self.acknowledged_at.items() if times[-1] > moment}

    def silence(self, partition: int, since: float) -> float:
        """Return the longest time, in seconds, that a partition has acknowledged nothing after a moment."""
        times = self.acknowledged_at[partition]
        last = max((each for each in times if each <= since), default=since)
        later = [last, *(each for each in times if each > since)]
        return max((after - before for before, after in pairwise(later)), default=float("inf"))

    async def _caller(self, number: int) -> None:
        chance = Random(f"{self.seed} caller {number}")
        lines = Lines()
        done: list[Request] = []
        path = chance.choice(self.paths)
        for request in self._requests(number, chance):
            path = await self._insist(request, lines, path)
            done.append(request)
            if chance.random() < 0.1:
                path = await self._insist(chance.choice(done), lines, path)
            if self.stopped.is_set():
                break
        for line in lines.values():
            line.close()

    def _requests(self, number: int, chance: Random) -> Iterator[Request]:
        """Yield what a caller asks for. Each partition has an account, which several callers share."""
        partition = number % self.partitions if self._only is None else self._only
        player = next(name for name in map("P{}".format, count()) if self._partition_of(name) == partition)
        for turn in count():
            name = f"{number}/{turn}"
            kinds: tuple[Command, ...] = (
                Deposit("USD", chance.randrange(1, 100), name),
                Withdraw("USD", chance.randrange(1, 200), name),
            )
            command = chance.choice(kinds) if turn else OpenAccount(player)
            yield Request(f"account/{player}", command, name, tell=names_of)

    def _partition_of(self, player: str) -> int:
        return partition_of(f"account/{player}", self.partitions)

    async def _insist(self, request: Request, lines: Lines, path: str) -> str:
        """Ask until the answer is known, and return who knew it."""
        others, name = Random(request.command_id), f"{request.command_id} of {request.address}"
        self.insisting.add(name)
        while not await self._attempt(request, lines, path):
            path = others.choice(self.paths)
            await asyncio.sleep(PAUSE_S)
        self.insisting.remove(name)
        return path

    async def _attempt(self, request: Request, lines: Lines, path: str) -> bool:
        """Ask once, note what was heard, and return whether that was an answer."""
        partition = partition_of(request.address, self.partitions)
        asked, epoch = self._told[request.address], self._epochs[partition]
        first = self._first.setdefault((request.address, request.command_id), asked)
        answer = await lines[path].ask(request)
        self.tally[answer.kind if answer else "silence"] += 1
        heard = _heard(answer)
        if answer is not None and answer.kind == "done":
            self._told[request.address] = max(self._told[request.address], answer.sequence)
            self.acknowledged_at.setdefault(partition, []).append(time.monotonic())
            self.owners[partition] = path
        stale = answer is not None and answer.epoch < epoch
        if answer is not None:
            self._epochs[partition] = max(epoch, self._epochs[partition], answer.epoch)
        stored = answer.sequence if answer and answer.kind == "refused" else ENDLESS
        self.history.append(Attempt(request, heard, first, asked, stored, stale))
        return heard != "UnavailableError"


def _heard(answer: Answer | None) -> Reply | str:
    """Return what a caller notes."""
    match answer:
        case Answer(kind="done"):
            return Reply(answer.text.encode(), answer.sequence)
        case Answer(kind="refused"):
            return answer.text
        case Answer(kind="reused"):
            return "RequestIdReusedError"
        case _:
            return "UnavailableError"


@asynccontextmanager
async def asking(load: Load, callers: int) -> AsyncIterator[Load]:
    """Let callers ask while something else happens; then let them finish."""
    running = asyncio.create_task(load.run(callers))
    try:
        yield load
        load.stopped.set()
        done, _ = await asyncio.wait((running,), timeout=FINISH_S)
        if not done:
            pytest.fail(f"P5: after {FINISH_S} s a caller still asks for {sorted(load.insisting)}; heard: {load.tally}")
        await running
    finally:
        running.cancel()
