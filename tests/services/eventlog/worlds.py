"""Where the logs of an adapter live during tests, and how a test makes something happen to one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeAlias

from services.eventlog.judge import Corrupt, Counts, Position, Recent, genesis, judge
from services.eventlog.ports import Acknowledged, Log, LogReader, Outcome
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of


class World(Protocol):
    """A place for one log of `HOUSE`, empty at first, and the time in which it lives."""

    def open(self) -> Log:
        """Open the log as its writer does; nobody else writes it."""

    def open_reader(self) -> LogReader:
        """Open the log as a projector does, beside the writer that made it."""

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """Let a story happen to its end."""


Story: TypeAlias = Callable[[Log], Awaitable[None]]


def play(world: World, story: Story) -> None:
    """Open the log, let the story happen to it, and close it."""

    async def whole() -> None:
        log = world.open()
        try:
            await story(log)
        finally:
            await log.close()

    world.run(whole())


async def opened(log: Log, partition: int = PARTITION) -> Pen:
    """Return the pen of a writer that owns a partition of an empty log."""
    pen = Pen(genesis(HOUSE, partition))
    (outcome,) = await log.append(partition, [pen.claim()])
    assert isinstance(outcome, Acknowledged)
    return pen


async def counted(log: LogReader, partition: int = PARTITION) -> list[tuple[Acknowledged, bytes]]:
    """Return what counts up to the end, read two at a time."""
    position, offset, end = genesis(HOUSE, partition), 0, await log.end(partition)
    recent, found = Recent(position), []
    while offset < end:
        page = await log.read(partition, offset, 2)
        assert page, "before the end there is something"
        for offset, stored in ((each.offset, each.stored) for each in page):
            verdict = judge(position, header_of(stored), stored, recent.hash_at)
            assert not isinstance(verdict, Corrupt), verdict.why
            if isinstance(verdict, Counts):
                position = verdict.position
                recent.add(position)
                found.append((Acknowledged(position, offset), stored))
        offset += 1
    return found


async def last(log: LogReader, partition: int = PARTITION) -> Position:
    """Return the position after all that counts; something does."""
    return (await counted(log, partition))[-1][0].position


def acknowledged(outcomes: Sequence[Outcome]) -> list[bool]:
    """Return which records were acknowledged."""
    return [isinstance(outcome, Acknowledged) for outcome in outcomes]
