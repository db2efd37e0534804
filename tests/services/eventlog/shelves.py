"""What a simulated log has really stored, and what befalls it there.

A `Store` has a `Shelf` for each partition: a list of records in which they land. A healthy one keeps what has landed.
The damages are what no log may do, and disks do: the end is lost in a crash, the last record loses its end, a byte is
another one, somebody else's bytes come in. They fall into two kinds, as with a real log: a process that has judged the
records before goes on in its own belief (`Judging`), one that opens the partition later judges what is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from services.eventlog.codec.faults import UnreadableRecordError
from services.eventlog.judge import Corrupt, Counts, Position, Recent, genesis, judge
from services.eventlog.ports import Acknowledged, Bookmark, HeaderOf, Outcome


class Judging:
    """A judge at work: how far he has come in the records of a partition."""

    def __init__(self, header_of: HeaderOf, bookmark: Bookmark) -> None:
        """Begin behind a bookmark."""
        self.position: Position = bookmark.position
        self._header_of, self._next, self._recent = header_of, bookmark.offset + 1, Recent(bookmark.position)
        self._stopped: Corrupt | None = None

    def judge(self, records: list[bytes], offset: int) -> Outcome:
        """Judge everything up to the record at an offset, and return what becomes of that one."""
        if self._next > offset:
            self._stopped = Corrupt("not_reached", f"here ends the log at {offset}, and {self._next} was read before")
        while self._stopped is None and self._next < offset:
            self._see(records)
        return self._stopped or self._see(records)

    def _see(self, records: list[bytes]) -> Outcome:
        offset, self._next = self._next, self._next + 1
        stored = records[offset]
        try:
            verdict = judge(self.position, self._header_of(stored), stored, self._recent.hash_at)
        except UnreadableRecordError as error:
            verdict = Corrupt("prev_hash", error.reason)
        if isinstance(verdict, Counts):
            self.position = verdict.position
            self._recent.add(self.position)
            return Acknowledged(self.position, offset)
        if isinstance(verdict, Corrupt):
            self._stopped = verdict
        return verdict


class Shelf:
    """What is stored of one partition."""

    def __init__(self, house: str, partition: int, header_of: HeaderOf) -> None:
        """Begin with nothing."""
        self.records: list[bytes] = []
        self.end = 0
        """Behind the last record of which a caller was told."""
        self.damaged = False
        self.judging = Judging(header_of, Bookmark(genesis(house, partition), -1))
        """By those who were there before any damage."""
        self._header_of = header_of

    @property
    def position(self) -> Position:
        """How far the log has come, before any damage."""
        return self.judging.position

    def followed(self, bookmark: Bookmark) -> Judging:
        """Return how somebody judges who has read as far as his bookmark; without damage all judge alike."""
        return Judging(self._header_of, bookmark) if self.damaged else self.judging

    def lose(self, count: int) -> None:
        """Lose all but the first `count` records, acknowledged or not."""
        del self.records[count:]
        self.end, self.damaged = min(self.end, count), True

    def tear(self, length: int) -> None:
        """Let the last record lose all but its first `length` bytes."""
        self.records[-1] = self.records[-1][:length]
        self.damaged = True

    def flip(self, offset: int, place: int, bit: int) -> None:
        """Let a bit of a record be another one."""
        stored = bytearray(self.records[offset])
        stored[place] ^= 1 << bit
        self.records[offset] = bytes(stored)
        self.damaged = True

    def intrude(self, stored: bytes) -> None:
        """Let bytes come in from somebody else."""
        self.records.append(stored)
        self.damaged = True


class Store:
    """What is really stored, and what has happened to it."""

    def __init__(self, house: str, header_of: HeaderOf) -> None:
        """Begin with nothing."""
        self.header_of = header_of
        self.shelves: defaultdict[int, Shelf] = _Shelves(house, header_of)
        self.tally: Counter[str] = Counter()
        """How often what a run is meant to meet was met."""
        self.unknown: list[bytes] = []
        """The records of which a caller heard that nothing is known."""

    def land(self, partition: int, stored: bytes, judging: Judging | None = None) -> Outcome:
        """Store a record, and return what somebody thinks of it."""
        shelf = self.shelves[partition]
        shelf.records.append(stored)
        outcome = (judging or shelf.judging).judge(shelf.records, len(shelf.records) - 1)
        if not isinstance(outcome, Acknowledged):
            kind = type(outcome).__name__.lower()
            self.tally[f"{kind} {getattr(outcome, 'reason', '')}"] += 1
        return outcome


class _Shelves(defaultdict[int, Shelf]):
    def __init__(self, house: str, header_of: HeaderOf) -> None:
        super().__init__()
        self._house, self._header_of = house, header_of

    def __missing__(self, partition: int) -> Shelf:
        self[partition] = Shelf(self._house, partition, self._header_of)
        return self[partition]
