"""What the services ask of the world: a log, time, chance, waiting, and keys. Everything uncertain is behind these.

Production puts Kafka or SQLite, the operating system and asyncio behind them; tests put a log that misbehaves and a
time that only moves when asked. A service gets them as arguments and knows no more than this file says. All adapters of
`Log` pass one suite of tests, whose requirements repeat what is promised here.

A log holds bytes. An adapter never assigns, renumbers, alters or re-sends them: sequence, prev_hash and sealed are
fixed when a command is decided, and whether a record counts is the judge's answer to its bytes. Inside a log a record
has an `offset`, a number that grows with each record of its partition: Kafka's own, or the sequence where the log
stores only what counts.

To append is to learn an outcome, one for each record:

* Acknowledged: read back as counting. Nothing else may be told to anybody as done.
* Void: it does not count, whether it is stored or not. That says nothing about another copy of it, which may.
* Corrupt: the log is damaged, at this record or before it.
* Unknown: an error, a timeout, a closed connection. It is no failure: the record may be in the log, or may still come.

Whatever is not Acknowledged means the same to a writer: it gives up what it had pending, reads on from what it had
confirmed, and opens a new epoch before it appends again. Only Corrupt, here or as an error, stops the partition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec

from services.eventlog.judge import Corrupt, Header, Position, Void

RECORD_BYTES_MAX: Final = 64 * 1024
"""The largest record. A writer checks before it decides; an adapter takes no larger one."""

HeaderOf: TypeAlias = Callable[[bytes], Header]
"""Reads the header from a record's bytes. Adapters are given it, so that they know no envelope."""


class Acknowledged(msgspec.Struct, frozen=True, gc=False):
    """The record is in the log for good and counts."""

    position: Position
    """The position after it."""
    offset: int
    """Where it is. Position and offset are what a reader saves, and compares with the log when it starts."""


class Bookmark(msgspec.Struct, frozen=True, gc=False):
    """How far a reader has come: the position after the last record that counted, and the offset of that record."""

    position: Position
    offset: int
    """-1 before the first record."""


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """Whether the record is in the log, or will be, is not known."""

    why: str
    """A sentence for the operator."""


Outcome: TypeAlias = Acknowledged | Void | Corrupt | Unknown


class Stored(msgspec.Struct, frozen=True, gc=False):
    """A record as it is in the log, whether it counts or not."""

    offset: int
    stored: bytes


class LogReader(Protocol):
    """The reading side, all that projectors and auditors get."""

    async def end(self, partition: int) -> int:
        """Return an offset behind every record that was acknowledged before the call; 0 for an empty partition.

        Recovery captures it once and reads to it, however fast the log grows meanwhile.

        Raises:
            LogCorruptError: The log is damaged.
            LogUnavailableError: The log cannot be read now.
        """

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """Return records in the order of the log, from the first at `offset` or behind it, at most `limit` (1 or more).

        Returns at once, and with at least one record if `offset` is before an end that was captured. Nothing is
        returned at the end. Reads of one offset always return the same bytes.

        Raises:
            LogCorruptError: The bytes are not those that were stored, or `offset` is behind the end: then whoever read
                that far has read records that are gone.
            LogUnavailableError: The log cannot be read now.
        """

    async def close(self) -> None:
        """Let go of everything that is held; waits for appends under way, and may be called twice."""


class Log(LogReader, Protocol):
    """Both sides, for the dealer alone."""

    def follow(self, partition: int, bookmark: Bookmark) -> None:
        """Know how far a writer has read that is about to claim, so that judging its records can begin there.

        A log that is not told judges from the beginning of the partition: that is slow, and the same. One that keeps
        what counts knows already.
        """

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """Append records in this order, behind those of earlier calls, and return one outcome for each.

        The batch is no unit: some of it may count and the rest not. A caller that is cancelled learns no outcome, and
        the records go their way. Calls may overlap, and are committed together where the log can.

        Raises:
            LogUnavailableError: The log is closed, and nothing was appended.
            ValueError: A record is larger than `RECORD_BYTES_MAX`, and nothing was appended. So it is with whatever
                `HeaderOf` raises about bytes that are no record.
        """


class Clock(Protocol):
    """Time. The engine never sees it: the dealer makes `at_ms` of it."""

    def wall_ms(self) -> int:
        """Return the time of day: milliseconds since 1970, UTC. It may jump either way."""

    def monotonic_ms(self) -> int:
        """Return milliseconds since a moment that is fixed while the process lives. Never goes back."""


class Chance(Protocol):
    """Chance, for the seeds of decks and for ids that nobody can guess. One object for each use, never shared."""

    def draw(self, count: int) -> bytes:
        """Return `count` bytes from a source fit for cryptography; tests repeat them from a seed."""


class Timer(Protocol):
    """Something that will happen."""

    def cancel(self) -> None:
        """Make sure that it does not; without effect if it has."""


class Scheduler(Protocol):
    """Waiting, in the time of `Clock.monotonic_ms`."""

    def after(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """Call `call` once, not before `delay_ms` milliseconds are over; those due together in the order asked for."""

    async def sleep(self, delay_ms: int) -> None:
        """Return when `delay_ms` milliseconds are over, not before."""


class KeySource(Protocol):
    """Key-encryption keys, which never leave it (`trust.md` section 3)."""

    async def current(self) -> str:
        """Return the id of the key under which new hands are sealed.

        Raises:
            ConnectionError: The source cannot be reached now.
        """

    async def derive(self, key_id: str, info: bytes) -> bytes:
        """Return the 32 bytes HKDF-SHA256(key, no salt, `info`).

        Raises:
            ConnectionError: The source cannot be reached now.
            KeyError: There is no such key, or not any more.
        """
