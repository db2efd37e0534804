"""Time on the log: it never decreases, follows a drift slowly, and a jump not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.eventlog.event_time import EventTime

NOON_MS = 1_700_000_000_000
HOUR_MS = 3_600_000


class HandClock:
    """A clock that a test moves: time that passes, and a wall that somebody sets."""

    def __init__(self) -> None:
        """Show noon."""
        self.passed_ms = 5_000
        self.wall = NOON_MS

    def wall_ms(self) -> int:
        """See `Clock.wall_ms`."""
        return self.wall

    def monotonic_ms(self) -> int:
        """See `Clock.monotonic_ms`."""
        return self.passed_ms

    def move(self, elapsed_ms: int, wall_ms: int | None = None) -> None:
        """Let time pass; the wall moves by as much, or by something else."""
        self.passed_ms += elapsed_ms
        self.wall += elapsed_ms if wall_ms is None else wall_ms


def test_time_begins_at_the_wall_and_passes() -> None:
    """A writer that opens a partition begins at the time of the wall."""
    clock = HandClock()
    time = EventTime(clock, 0)
    clock.move(1234)
    assert time.now_ms() == NOON_MS + 1234


def test_time_begins_at_the_last_time_on_the_log() -> None:
    """I3: a writer whose clock is behind that of the owner before does not go back."""
    clock = HandClock()
    time = EventTime(clock, NOON_MS + 500)
    assert time.now_ms() == NOON_MS + 500


def test_a_clock_that_is_behind_the_log_is_approached_by_5_percent() -> None:
    """Time is slewed towards the wall: 50 ms in a second."""
    clock = HandClock()
    time = EventTime(clock, NOON_MS + 500)
    clock.move(1000)
    assert time.now_ms() == NOON_MS + 1450
    clock.move(100_000)
    assert time.now_ms() == clock.wall


@pytest.mark.parametrize("drift_ms", [-1000, -300, 300, 1000])
def test_a_drift_is_followed_by_at_most_5_percent(drift_ms: int) -> None:
    """The wall moves by up to a second against the monotonic clock, a leap second included."""
    clock = HandClock()
    time = EventTime(clock, 0)
    clock.move(1000, 1000 + drift_ms)
    assert time.now_ms() == NOON_MS + 1000 + (50 if drift_ms > 0 else -50)
    clock.move(40_000)
    assert time.now_ms() == clock.wall
    assert time.jumps == 0


@pytest.mark.parametrize("jump_ms", [-24 * HOUR_MS, -HOUR_MS, -1001, 1001, HOUR_MS, 48 * HOUR_MS])
def test_a_jump_is_counted_and_not_followed(jump_ms: int) -> None:
    """F12: an hour, days, and back; time goes on by the monotonic clock."""
    clock = HandClock()
    time = EventTime(clock, 0)
    clock.move(1000, 1000 + jump_ms)
    assert time.now_ms() == NOON_MS + 1000
    clock.move(HOUR_MS)
    assert time.now_ms() == NOON_MS + 1000 + HOUR_MS
    assert time.jumps == 1


def test_the_smallest_steps_are_slewed_too() -> None:
    """A thousand looks in a second add up to 5 % of it."""
    clock = HandClock()
    time = EventTime(clock, NOON_MS + 500)
    for _ in range(1000):
        clock.move(1)
        time.now_ms()
    assert time.now_ms() == NOON_MS + 1450


@given(st.integers(-HOUR_MS, HOUR_MS), st.lists(st.tuples(st.integers(0, 5000), st.integers(-HOUR_MS, HOUR_MS))))
def test_whatever_the_wall_does_time_goes_on(ahead_ms: int, moves: list[tuple[int, int]]) -> None:
    """M28, F12, I3: it never decreases, and passes between 95 % and 105 % as fast as the monotonic clock."""
    clock = HandClock()
    time = EventTime(clock, NOON_MS + ahead_ms)
    before_ms = time.now_ms()
    assert before_ms >= NOON_MS + ahead_ms
    for elapsed_ms, wall_ms in moves:
        clock.move(elapsed_ms, wall_ms)
        now_ms = time.now_ms()
        assert elapsed_ms * 95 // 100 <= now_ms - before_ms <= elapsed_ms * 105 // 100 + 1
        before_ms = now_ms
