"""The simulated log: a log that does to its callers what a real one may do, on purpose (`reliability.md` section 3).

A `Store` (`shelves.py`) is what has really been stored, and where damage is done. A `SimulatedLog` is one process's way
to it. What becomes of an append is a `Fate`, and a log is given what chooses fates:

    which records of it land     all; none; only the first ones; all but the first
    after how long               others may overtake it; a landing after a takeover is a late one
    how often                    a second copy
    whether its caller is told   or hears "unknown": at once, whatever becomes of the records

Appends whose caller is told land in the order of calls. One whose caller has heard "unknown" may land whenever it will.
Ends are stale as far as that is allowed, pages are short, and reads fail for a while. A process can be paused: then it
hears nothing, and what it sends waits. What is told is always true: without faults this log keeps the contract.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Void
from services.eventlog.ports import RECORD_BYTES_MAX, Acknowledged, Bookmark, Outcome, Stored, Unknown
from tests.services.eventlog.shelves import Judging, Store

Part: TypeAlias = Literal["all", "none", "first", "last"]
LATE_MS: Final = 3_000


class Fate(NamedTuple):
    """What becomes of an append."""

    part: Part = "all"
    lands_ms: int = 0
    answers_ms: int = 0
    """How long it takes from the landing until the caller hears of it; until he hears "unknown", from the call."""
    told: bool = True
    copies: int = 1


class SimulatedLog:
    """One process's way to a store."""

    def __init__(self, store: Store, fate: Callable[[], Fate], weather: Random | None = None) -> None:
        """Meet what `fate` chooses; without `weather` reading is easy."""
        self.store, self._fate, self._weather = store, fate, weather
        self._closed = False
        self._busy: set[asyncio.Future[None]] = set()
        self._free_s = 0.0
        """When everything has landed of which a caller will be told."""
        self._paused_until_s = 0.0
        self._judging: dict[int, Judging] = {}

    def pause(self, pause_ms: int) -> None:
        """Hear nothing and send nothing for a while."""
        self._paused_until_s = asyncio.get_running_loop().time() + pause_ms / 1000

    def follow(self, partition: int, bookmark: Bookmark) -> None:
        """See `Log.follow`."""
        self._judging[partition] = self.store.shelves[partition].followed(bookmark)

    async def append(self, partition: int, records: Sequence[bytes]) -> Sequence[Outcome]:
        """See `Log.append`."""
        self._verify(records)
        if not records:
            return []
        fate = self._fate()
        self.store.tally["several in one append"] += len(records) > 1
        landed = self._landing(partition, list(records), fate)
        if fate.told:
            outcomes = await asyncio.shield(landed)
            await self._pass(fate.answers_ms)
            self.store.tally["own record void"] += any(isinstance(outcome, Void) for outcome in outcomes)
            ends = [outcome.offset + 1 for outcome in outcomes if isinstance(outcome, Acknowledged)]
            shelf = self.store.shelves[partition]
            shelf.end = max(shelf.end, *ends, 0)
            return outcomes
        await self._pass(fate.answers_ms)
        self.store.tally[f"unknown, {fate.part} stored"] += 1
        self.store.unknown += records
        return [Unknown("the answer was lost")] * len(records)

    async def end(self, partition: int) -> int:
        """See `LogReader.end`."""
        await self._reach()
        shelf = self.store.shelves[partition]
        return self._weather.randint(shelf.end, len(shelf.records)) if self._weather else len(shelf.records)

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        await self._reach()
        records = self.store.shelves[partition].records
        if offset > len(records):
            raise LogCorruptError(partition, len(records), f"there is nothing at {offset}, which was read before")
        count = self._weather.randint(1, limit) if self._weather else limit
        return [Stored(place, records[place]) for place in range(offset, min(offset + count, len(records)))]

    async def close(self) -> None:
        """See `LogReader.close`."""
        self._closed = True
        if self._busy:
            await asyncio.wait(self._busy)

    def _verify(self, records: Sequence[bytes]) -> None:
        self._verify_open()
        for stored in records:
            if len(stored) > RECORD_BYTES_MAX:
                msg = "the record is too large"
                raise ValueError(msg)
            self.store.header_of(stored)

    def _landing(self, partition: int, records: list[bytes], fate: Fate) -> asyncio.Future[list[Outcome]]:
        """Send records on their way, and return what will become of them."""
        loop = asyncio.get_running_loop()
        at_s = max(loop.time(), self._paused_until_s) + fate.lands_ms / 1000
        if fate.told:
            at_s = self._free_s = max(at_s, self._free_s + 1e-6)
        landed: asyncio.Future[list[Outcome]] = loop.create_future()
        self._busy.add(landed)  # type: ignore[arg-type]  # Only waited for.
        landed.add_done_callback(self._busy.discard)
        loop.call_at(at_s, lambda: landed.set_result(self._landed(partition, records, fate)))
        return landed

    def _landed(self, partition: int, records: list[bytes], fate: Fate) -> list[Outcome]:
        """Let records land, as many of them and as often as fate will, and return what the first copies are."""
        landing = {"all": records, "none": [], "first": records[: len(records) // 2], "last": records[1:]}[fate.part]
        outcomes: list[Outcome] = []
        for _ in range(fate.copies):
            outcomes += [self.store.land(partition, stored, self._judging.get(partition)) for stored in landing]
        lost: list[Outcome] = [Unknown("it did not arrive")] * (len(records) - len(landing))
        first = outcomes[: len(landing)]
        return lost + first if fate.part == "last" else first + lost

    async def _reach(self) -> None:
        """Get through to the store, if that is possible now."""
        self._verify_open()
        await self._pass(self._weather.randint(0, 5) if self._weather else 0)
        if self._weather and self._weather.random() < 0.03:
            msg = "the log cannot be reached"
            raise LogUnavailableError(msg)

    async def _pass(self, delay_ms: int) -> None:
        """Let time pass, until a pause is over."""
        await asyncio.sleep(delay_ms / 1000)
        await asyncio.sleep(max(0.0, self._paused_until_s - asyncio.get_running_loop().time()))

    def _verify_open(self) -> None:
        if self._closed:
            msg = "the log is closed"
            raise LogUnavailableError(msg)


def fair() -> Fate:
    """Return the fate of an append that nothing happens to."""
    return Fate()


class Misfortune:
    """Chooses fates."""

    def __init__(self, chance: Random, share: float, note: Callable[[str], None] = lambda _: None) -> None:
        """Draw from `chance`, a `share` of bad ones; `note` is told of those."""
        self.chance, self.share, self.note = chance, share, note

    def __call__(self) -> Fate:
        """Return the next fate."""
        fate = self._drawn(self.chance)
        if not fate.told or fate.copies > 1 or fate.part != "all":
            self.note(str(fate))
        return fate

    def _drawn(self, chance: Random) -> Fate:
        usual = Fate(lands_ms=chance.choice((0, 1, 1, 2, 5, 20)), answers_ms=chance.choice((0, 1, 2, 10)))
        if chance.random() >= self.share:
            return usual._replace(copies=chance.choice((1,) * 19 + (2,)))
        late_ms = chance.choice((0, 50, 90, 300, chance.randrange(LATE_MS)))
        part: Part = chance.choice(("all", "all", "all", "none", "none", "first", "last"))
        return Fate(
            part, late_ms, chance.choice((0, 5, 50)), told=chance.random() < 0.2, copies=chance.choice((1, 1, 2))
        )
