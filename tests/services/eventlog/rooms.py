"""F1: a random game with three writers of one partition over the simulated log, in virtual time.

What is played, a seed decides (`games.py`): money of accounts, a cash table, a tournament. Players ask some writer, and
when they hear that nothing is known they ask again, another one perhaps and perhaps much later; some repeat what was
acknowledged long ago, some use an id for something else. A courier brings what follows from what was confirmed, a
projector reads along. Meanwhile writers are started, stopped, paused, and take the partition from each other, and bits
of their snapshots are flipped. In some rooms the log itself is damaged one day, as no log may be (`damaged.py`). Each
of these has chance of its own, so a change in one of them leaves the seeds of the others alone.

What everybody asked, heard and saw is kept (`history.py`); `checker.py` says whether it could have been.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from random import Random
from typing import Any, Final

from engine.account.commands import Deposit, OpenAccount
from engine.errors import Rejected
from services.eventlog.envelope import header_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.requests import Reply, Request, RequestIdReusedError, UnavailableError
from services.eventlog.writer import PartitionWriter
from tests.services.eventlog.couriers import Courier
from tests.services.eventlog.history import Attempt, Sighting
from tests.services.eventlog.owners import names_of
from tests.services.eventlog.places import Life, Place, Projector, misfortune
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import SimulatedLog, fair
from tests.services.eventlog.simulated_snapshots import AnchorShelf, SimulatedSnapshots, SnapshotShelf

WRITERS: Final = 3
ATTEMPTS_MAX: Final = 200
HEALED_MS: Final = 15_000
"""I14: so soon after the last fault something is acknowledged again."""


class Room:
    """The room of one seed: writers, courier, projector, and trouble."""

    def __init__(self, seed: int, pace: float = 1.0) -> None:
        """Set it up; `pace` says how much time lies between troubles, as a multiple of 0.3 s."""
        options = Random(f"{seed} options")
        self.seed, self.pace, self.overlapping = seed, pace, options.choice((1, 1, 2, 4))
        self.share = options.choice((0.0, 0.05, 0.1, 0.3))
        self.store = Store(HOUSE, header_of)
        self.snapshots, self.anchors = SnapshotShelf(), AnchorShelf()
        self.courier = Courier(self.ask)
        self.places = [Place(self.courier.hear, self.halt) for _ in range(WRITERS)]
        self.projector = Projector(SimulatedLog(self.store, fair, Random(f"{seed} projector's weather")))
        self.history: list[Attempt] = []
        self.schedule: list[str] = []
        """What was done to whom, and when."""
        self.halts: list[str] = []
        self.late = False
        """I14: nothing was acknowledged in time when all was healed."""
        self.lives = 0
        self.tally = self.store.tally
        self._told: Counter[str] = Counter()
        self._first: dict[tuple[str, str], int] = {}

    @property
    def options(self) -> str:
        """What the seed has chosen, for reports."""
        return f"share of bad fates {self.share}, appends at once {self.overlapping}, pace {self.pace}"

    @property
    def sightings(self) -> Iterator[Sighting]:
        """Yield what everybody saw."""
        for place in self.places:
            yield from place.sightings
        yield from self.projector.sightings

    def note(self, what: str) -> None:
        """Add a line to the schedule."""
        self.schedule.append(f"{now_ms() / 1000:9.3f} s  {what}")

    def halt(self, why: str) -> None:
        """Note that somebody has halted."""
        self.halts.append(why)
        self.note(f"halt: {why}")

    async def play(self, game: Callable[[Room], Sequence[Coroutine[Any, Any, None]]]) -> None:
        """Play to the end, in trouble."""
        chance = Random(f"{self.seed} trouble")
        others = [
            asyncio.create_task(self._trouble(chance)),
            asyncio.create_task(self.courier.run(Random(f"{self.seed} courier"))),
            asyncio.create_task(self._project(Random(f"{self.seed} projector"))),
            asyncio.create_task(self.harm()),
        ]
        try:
            await asyncio.gather(*game(self))
        finally:
            for task in others:
                task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def harm(self) -> None:
        """Do damage to the log; not here."""

    async def heal(self) -> None:
        """I12, I14: one healthy writer, the first acknowledgement in time, and everything is delivered."""
        self.calm()
        try:
            async with asyncio.timeout(HEALED_MS / 1000):
                await self.ask(Request("account/last", OpenAccount("last"), "last", tell=names_of), Random(0))
        except TimeoutError:
            self.late = True
        if not self.late and not self.halts:
            await self.courier.drain(Random(f"{self.seed} healed"))

    def calm(self) -> None:
        """Let one writer own the partition for good: a claim of a dead owner may still land late."""
        for place in self.places:
            place.stop()
        self.note("healed")
        log, snapshots = SimulatedLog(self.store, fair), SimulatedSnapshots(self.snapshots)
        self.places[0].start(Life(f"{self.seed} healed", log, snapshots, self.anchors), for_good=True)

    async def ask(self, request: Request, chance: Random) -> Reply | str:
        """Ask until the answer is known; whom, and how patiently, is a matter of chance."""
        for _ in range(ATTEMPTS_MAX):
            answer = await self.attempt(request, self._whom(chance))
            if answer != "UnavailableError" or self.halts:
                return answer
            await asyncio.sleep(chance.choice((0.0, 0.1, 0.1, 0.1, 0.5, 2.0)))
        return "UnavailableError"

    def _whom(self, chance: Random) -> Place:
        """Return somebody to ask: mostly one who serves, or believes so."""
        serving = [place for place in self.places if place.serves]
        return chance.choice(serving if serving and chance.random() < 0.8 else self.places)

    async def attempt(self, request: Request, place: Place) -> Reply | str:
        """Ask once, and keep what was heard."""
        asked = self._told[request.address]
        first = self._first.setdefault((request.address, request.command_id), asked)
        answer, writer = await _answer(request, place)
        if isinstance(answer, Reply):
            self._told[request.address] = max(self._told[request.address], answer.sequence)
        stored = self.store.shelves[PARTITION].position
        stale = writer is None or writer.position.epoch < stored.epoch
        self.history.append(Attempt(request, answer, first, asked, stored.sequence, stale, now_ms()))
        return answer

    async def ask_all(self, requests: list[Request], chance: Random) -> None:
        """Ask for several things together, and now and then for something again, or with an id that was used."""
        await asyncio.gather(*(self.ask(request, chance) for request in requests))
        old = chance.choice(self.history).request
        if chance.random() < 0.2:
            await self.attempt(old, chance.choice(self.places))
        if chance.random() < 0.1 and old.delivery is None and old.address.startswith("account/"):
            other = Request(old.address, Deposit("USD", 77, "another"), old.command_id, tell=names_of)
            await self.attempt(other, chance.choice(self.places))

    def start(self, place: Place, ahead_ms: int) -> None:
        """Start a process, with a clock of its own."""
        self.lives += 1
        name = f"{self.seed} writer {self.places.index(place)} life {self.lives}"
        log = SimulatedLog(self.store, misfortune(name, self.share, self.note), Random(f"{name} weather"))
        snapshots = SimulatedSnapshots(self.snapshots, Random(f"{name} snapshots"), self.share / 10)
        place.start(Life(name, log, snapshots, self.anchors, self.overlapping, ahead_ms))

    async def _project(self, chance: Random) -> None:
        try:
            await self.projector.run(chance)
        except LogCorruptError as error:
            self.halt(f"the projector: {error}")

    async def _trouble(self, chance: Random) -> None:
        """Start, stop and pause writers for ever."""
        while True:
            place = chance.choice(self.places)
            stays = [other for other in self.places if other.running and not other.running.done()]
            deed = chance.choice(("start", "start", "start", "stop", "pause", "pause", "nothing", "spoil"))
            if not stays or deed == "start":
                self.start(place, chance.choice((0, 0, -3_600_000, 500, 3_600_000)))
            elif deed == "stop":
                place.stop()
            elif deed == "pause" and place.log is not None:
                place.log.pause(chance.choice((20, 200, 2000)))
            elif deed == "spoil":
                self._spoil(chance)
            self.note(f"{deed if stays else 'start'} writer {self.places.index(place)}")
            await asyncio.sleep(self.pace * chance.choice((0.0, 0.02, 0.1, 0.3, 1.0)))

    def _spoil(self, chance: Random) -> None:
        """Let a bit of the snapshot be another one."""
        entries = self.snapshots.entries[PARTITION]
        if not entries:
            return
        key = chance.choice(sorted(entries))
        sequence, stored = entries[key]
        place = chance.randrange(len(stored))
        spoilt = stored[:place] + bytes((stored[place] ^ 1 << chance.randrange(8),)) + stored[place + 1 :]
        entries[key] = sequence, spoilt


async def _answer(request: Request, place: Place) -> tuple[Reply | str, PartitionWriter | None]:
    writer = place.writer
    if writer is None:
        return "UnavailableError", None
    try:
        return await place.submit(request, writer), writer
    except Rejected as refusal:
        return refusal.reason, writer
    except (UnavailableError, RequestIdReusedError) as error:
        return type(error).__name__, writer


def now_ms() -> int:
    """Return the time of the run, in milliseconds since its beginning."""
    return int(asyncio.get_running_loop().time() * 1000)
