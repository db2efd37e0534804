"""What a log must have, because somebody has read it there: positions from anchors, and from valid snapshots.

A tail that was cut off, or a log that was put in place of another, cannot be seen from inside: what is left is a log in
order. So whoever opens a partition compares it with positions that were kept elsewhere. Each must be passed exactly,
its hash included; one before the place from which is read is covered by the chain. None may lie behind what was counted
when the claim was read back, for all of them were read in this log before the claim was appended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from services.eventlog.errors import LogCorruptError
from services.eventlog.judge import Position
from services.eventlog.ports import Bookmark
from services.eventlog.reader import Counted


class Expected:
    """The positions that a partition must still come to."""

    def __init__(self, partition: int, positions: Iterable[Position], begun: Position) -> None:
        """Expect those of `positions` that are not before `begun`, from where is read on."""
        self._partition = partition
        self._unmet: defaultdict[int, set[Position]] = defaultdict(set)
        for position in positions:
            if position.sequence >= begun.sequence and position != begun:
                self._unmet[position.sequence].add(position)

    def verify(self, counted: Counted) -> None:
        """Compare the place after a record that counts.

        Raises:
            LogCorruptError: Something else was there once.
        """
        if not self._unmet:
            return
        here = counted.bookmark.position
        if self._unmet.pop(here.sequence, set()) - {here}:
            raise self._contradicted(counted.bookmark.offset, here.sequence)

    def verify_reached(self, bookmark: Bookmark) -> None:
        """Compare the place to which the partition was read.

        Raises:
            LogCorruptError: There was more once, or something else where reading began.
        """
        if not self._unmet:
            return
        last = max(self._unmet)
        if last <= bookmark.position.sequence:
            raise self._contradicted(bookmark.offset, last)
        why = f"an anchor or a snapshot has seen sequence {last}, but here is only {bookmark.position.sequence}"
        raise LogCorruptError(self._partition, bookmark.offset + 1, why)

    def _contradicted(self, offset: int, sequence: int) -> LogCorruptError:
        why = f"an anchor or a snapshot has seen another record at sequence {sequence}"
        return LogCorruptError(self._partition, offset, why)
