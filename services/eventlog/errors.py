"""What can go wrong with the log as a whole. Outcomes of appends are no errors: `ports.py` has them.

    LogError
    ├── LogCorruptError        damaged at a place: the reader halts there and says so, and never skips
    ├── LogUnavailableError    cannot be used now; says nothing about what is in it
    ├── LogInUseError          another process writes it: this one must not
    └── LogUnusableError       nothing that this version may open: other software, or a file of something else

Adapters translate the errors of their drivers into these, once, at their edge.
"""

from __future__ import annotations


class LogError(Exception):
    """The root of this tree."""


class LogCorruptError(LogError):
    """The log is damaged."""

    def __init__(self, partition: int, offset: int, why: str) -> None:
        """Say where: `offset` is that of the first record that cannot be trusted."""
        super().__init__(f"partition {partition} is corrupt at offset {offset}: {why}")
        self.partition = partition
        self.offset = offset
        self.why = why


class LogUnavailableError(LogError):
    """The log cannot be used now."""


class LogInUseError(LogError):
    """Another process writes this log."""


class LogUnusableError(LogError):
    """What is here must not be opened as a log."""
