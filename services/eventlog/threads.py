"""A thread that owns something which only one thread may use: a connection, a client of Kafka.

It is no `ThreadPoolExecutor`, because every commit of the log goes through it: a future of asyncio and a queue in C are
cheaper than a pool's futures, their locks, and the futures of asyncio that wrap them (`docs/performance.md`).
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from services.eventlog.errors import LogUnavailableError

T = TypeVar("T")

Queue: TypeAlias = SimpleQueue[Callable[[], None] | None]
"""What a thread has to do; None ends it."""


class OwnThread:
    """The one thread that uses something of a log; the event loop hands it work."""

    def __init__(self, name: str) -> None:
        """Prepare a thread, which starts with its first work. It keeps no process alive, and no owner."""
        self._queue: Queue = SimpleQueue()
        self._thread = Thread(target=_work_off, args=(self._queue,), name=name, daemon=True)
        self._ended = False
        weakref.finalize(self, self._queue.put, None)

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns when the thread has done it, behind all that it was given before.

        Raises:
            LogUnavailableError: The thread has ended.
        """
        if self._ended:
            msg = "the log is closed"
            raise LogUnavailableError(msg)
        return await self._handed(work)

    async def end(self, last: Callable[[], None]) -> None:
        """Do one last thing and end, unless that has happened."""
        if not self._ended:
            self._ended = True
            await self._handed(last)
            self._queue.put(None)
            self._thread.join()

    async def _handed(self, work: Callable[[], T]) -> T:
        if self._thread.ident is None:
            self._thread.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._queue.put(partial(_do, work, loop, done))
        return await done


def _work_off(queue: Queue) -> None:
    """Do what comes, until nothing comes any more."""
    while (work := queue.get()) is not None:
        work()


def _do(work: Callable[[], T], loop: asyncio.AbstractEventLoop, done: asyncio.Future[T]) -> None:
    """Do some work, and tell the event loop how it ended, unless that has ended itself."""
    try:
        told = partial(_settle, done, done.set_result, work())
    except BaseException as error:  # noqa: BLE001 - whatever it is, who waits for the work gets it.
        told = partial(_settle, done, done.set_exception, error)
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(told)


def _settle(done: asyncio.Future[Any], settle: Callable[[T], None], value: T) -> None:
    """Say how some work ended, unless nobody waits for it."""
    if not done.cancelled():
        settle(value)
