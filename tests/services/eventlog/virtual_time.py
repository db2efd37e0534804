"""An event loop in which time passes only when there is nothing to do: an hour takes as long as what happens in it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

NOON_MS: Final = 1_700_000_000_000


class _Selector(selectors.SelectSelector):
    """Where the loop waits: instead of waiting, it lets the time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready now; if that is nothing, it is later now.

        Raises:
            RuntimeError: Nothing will ever happen.
        """
        ready = super().select(0)
        if timeout is None and not ready:
            msg = "everybody waits for somebody"
            raise RuntimeError(msg)
        if not ready:
            self.now_s += timeout or 0
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop of asyncio, with a clock of its own."""

    def __init__(self) -> None:
        """Begin at 0."""
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Return the seconds since the beginning."""
        return self._virtual.now_s


class VirtualClock:
    """A `Clock` in the time of the loop that runs; the wall may be off."""

    def __init__(self, ahead_ms: int = 0) -> None:
        """Show noon at the beginning, or `ahead_ms` more."""
        self.ahead_ms = ahead_ms

    def wall_ms(self) -> int:
        """See `Clock.wall_ms`."""
        return NOON_MS + self.ahead_ms + self.monotonic_ms()

    def monotonic_ms(self) -> int:
        """See `Clock.monotonic_ms`."""
        return int(asyncio.get_running_loop().time() * 1000)


def run(story: Coroutine[Any, Any, T]) -> T:
    """Let a story happen to its end, in virtual time, and return what it returns."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)
