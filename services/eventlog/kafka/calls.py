"""The appends that wait for their outcomes, in the dealer: which record of which call a ticket belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from services.eventlog.ports import Outcome, Unknown

UNDER_WAY_RECORDS_MAX: Final = 20_000
UNDER_WAY_BYTES_MAX: Final = 64 * 1024 * 1024
"""No more is under way than this, for the producer takes whatever it is given. Whoever appends bounds it far below."""


class Call:
    """One call of `append`."""

    __slots__ = ("_left", "_outcomes", "done", "partition", "records", "size")

    def __init__(self, partition: int, records: Sequence[bytes], size: int) -> None:
        """Begin without outcomes; all records together have `size` bytes."""
        self.partition, self.records, self.size = partition, records, size
        self.done: asyncio.Future[Sequence[Outcome]] = asyncio.get_running_loop().create_future()
        """Has the outcomes when each record has one; it may be cancelled by the caller."""
        self._left = len(records)
        self._outcomes: list[Outcome | None] = [None] * self._left

    def settle(self, place: int, outcome: Outcome) -> bool:
        """Note the outcome of a record, and return whether it was the last one."""
        self._outcomes[place] = outcome
        self._left -= 1
        if not self._left:
            self.finish()
        return not self._left

    def finish(self, why: str = "") -> None:
        """Tell the caller what is known; what is not, is unknown, and `why` says why."""
        if not self.done.done():
            unknown = Unknown(why)
            self.done.set_result([unknown if outcome is None else outcome for outcome in self._outcomes])


class Calls:
    """All calls that are under way."""

    def __init__(self) -> None:
        """Begin with none."""
        self._open: dict[Call, None] = {}
        self._tickets: dict[int, tuple[Call, int]] = {}
        self._next = 0
        self._records = self._bytes = 0
        self._none_left = asyncio.Event()
        self._none_left.set()

    def has_room(self, call: Call) -> bool:
        """Return whether one more call may be under way."""
        records, size = self._records + len(call.records), self._bytes + call.size
        return records <= UNDER_WAY_RECORDS_MAX and size <= UNDER_WAY_BYTES_MAX

    def add(self, call: Call) -> None:
        """Have a call be under way."""
        self._open[call] = None
        self._records += len(call.records)
        self._bytes += call.size
        self._none_left.clear()

    def number(self, call: Call) -> None:
        """Give the records of a call the next tickets: they are sent now."""
        for place in range(len(call.records)):
            self._tickets[self._next] = (call, place)
            self._next += 1

    def partition_of(self, ticket: int) -> int:
        """Return the partition of a record that waits."""
        return self._tickets[ticket][0].partition

    def settle(self, outcomes: Iterable[tuple[int, Outcome]]) -> None:
        """Let records have their outcomes."""
        for ticket, outcome in outcomes:
            call, place = self._tickets.pop(ticket)
            if call.settle(place, outcome):
                self._remove(call)

    def give_up(self, why: str) -> None:
        """Let every record that has no outcome be unknown, and begin again with the first ticket."""
        for call in list(self._open):
            call.finish(why)
            self._remove(call)
        self._tickets.clear()
        self._next = 0

    async def finished(self) -> None:
        """Return when no call is under way."""
        await self._none_left.wait()

    def _remove(self, call: Call) -> None:
        del self._open[call]
        self._records -= len(call.records)
        self._bytes -= call.size
        if not self._open:
            self._none_left.set()
