"""A thread that owns something which only one thread may use: a connection, a client of Kafka."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from services.eventlog.errors import LogUnavailableError

T = TypeVar("T")


class OwnThread:
    """The one thread that uses something of a log; the event loop hands it work."""

    def __init__(self, name: str) -> None:
        """Prepare a thread, which starts with its first work."""
        self._pool = ThreadPoolExecutor(1, name)
        self._ended = False

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns when the thread has done it, behind all that it was given before.

        Raises:
            LogUnavailableError: The thread has ended.
        """
        if self._ended:
            msg = "the log is closed"
            raise LogUnavailableError(msg)
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def end(self, last: Callable[[], None]) -> None:
        """Do one last thing and end, unless that has happened."""
        if not self._ended:
            self._ended = True
            await asyncio.get_running_loop().run_in_executor(self._pool, last)
            self._pool.shutdown()
