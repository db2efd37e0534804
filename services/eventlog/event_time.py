"""Time on the log: what the events of a partition are dated with (`design.md` section 2).

It never decreases within a partition, whatever the clock on the wall does and whoever writes. A writer that opens a
partition begins at the time of the wall, or at the last time on the log if that is later. From there on time goes by
the monotonic clock, and is slewed by at most 5 % towards the wall until they agree: to an observer a second lasts
between 950 and 1,050 ms.

A clock that drifts is followed so. A clock that jumps is not: when the wall moves by more than a second against the
monotonic clock between two looks, somebody has set it, or the machine stood still. That is counted, for an alarm, and
time goes on as if it had not happened, until the partition is opened anew. Deadlines are derived from the log, so no
player loses or gains time by it.
"""

from __future__ import annotations

from typing import Final

from services.eventlog.ports import Clock

JUMP_MS: Final = 1000
"""A change of the wall against the monotonic clock above this is a jump."""

SLEW: Final = 20
"""Time is slewed by at most one part in so many: 5 %."""


class EventTime:
    """The time of one partition while one writer has it open."""

    def __init__(self, clock: Clock, last_ms: int) -> None:
        """Begin now; `last_ms` is the last time on the log, in milliseconds since 1970, UTC."""
        self.jumps = 0
        """How often the clock on the wall has jumped."""
        self._clock = clock
        self._monotonic_ms = clock.monotonic_ms()
        self._ahead_ms = clock.wall_ms() - self._monotonic_ms
        """By how much the wall was ahead of the monotonic clock at the last look."""
        self._parts = max(self._wall_ms(), last_ms) * SLEW
        """The time in parts of a millisecond, so that the smallest step is slewed too."""
        self._behind_parts = self._wall_ms() * SLEW - self._parts
        """How far the time is behind the wall as it would be without its jumps; negative if it is before it."""

    def now_ms(self) -> int:
        """Return the time for an event that happens now, in milliseconds since 1970, UTC."""
        monotonic_ms = self._clock.monotonic_ms()
        elapsed_ms = monotonic_ms - self._monotonic_ms
        self._monotonic_ms = monotonic_ms
        self._notice_drift()
        slewed = max(-elapsed_ms, min(self._behind_parts, elapsed_ms))
        self._behind_parts -= slewed
        self._parts += elapsed_ms * SLEW + slewed
        return self._parts // SLEW

    def _notice_drift(self) -> None:
        """Add what the wall has moved against the monotonic clock to what is to be made up for, unless it jumped."""
        ahead_ms = self._clock.wall_ms() - self._monotonic_ms
        moved_ms = ahead_ms - self._ahead_ms
        self._ahead_ms = ahead_ms
        if abs(moved_ms) > JUMP_MS:
            self.jumps += 1
        else:
            self._behind_parts += moved_ms * SLEW

    def _wall_ms(self) -> int:
        return self._monotonic_ms + self._ahead_ms
