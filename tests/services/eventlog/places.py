"""Those who follow a partition in a simulated room: processes with a writer, and a projector. All say what they saw."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.poker.deck import Deck
from engine.table.commands import StartHand
from engine.table.state import Hand, Table, next_hand_id
from services.eventlog.aggregates import State
from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.memory import Memory
from services.eventlog.opening import start_from
from services.eventlog.ports import Bookmark, LogReader
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import FencedError, Reply, Request
from services.eventlog.snapshots import Snapshots, SnapshotStoreError
from services.eventlog.writer import PartitionWriter, World
from tests.services.eventlog.checker import changed_by
from tests.services.eventlog.history import Sighting, state_hash
from tests.services.eventlog.owners import LoopScheduler
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.sealing import SEED_BYTES, deck_of, opened, sealed
from tests.services.eventlog.simulated import Misfortune, SimulatedLog
from tests.services.eventlog.simulated_snapshots import AnchorShelf, SimulatedSnapshots
from tests.services.eventlog.virtual_time import VirtualClock

LOOKS_S: Final = 0.2


class SeededChance:
    """A `Chance` that a seed repeats."""

    def __init__(self, seed: str) -> None:
        """Begin."""
        self._random = Random(seed)

    def draw(self, count: int) -> bytes:
        """See `Chance.draw`."""
        return self._random.randbytes(count)


class Life(NamedTuple):
    """What a process is started with."""

    name: str
    log: SimulatedLog
    snapshots: SimulatedSnapshots
    anchors: AnchorShelf
    overlapping: int = 1
    ahead_ms: int = 0
    """Of the wall that its clock shows."""


class Place:
    """A process with a writer, if it is running."""

    def __init__(self, confirmed: Callable[[Counted, State | None], None], halted: Callable[[str], None]) -> None:
        """Begin without a writer; `confirmed` and `halted` are told what happens here."""
        self.running: asyncio.Task[None] | None = None
        self.writer: PartitionWriter | None = None
        self.log: SimulatedLog | None = None
        self.sightings: list[Sighting] = []
        self.tally: Counter[str] = Counter()
        self._memory, self._seeds = Memory(), ""
        self._confirmed, self._halted = confirmed, halted
        self._decks: dict[bytes, Deck] = {}
        """Of the hands that were started here, by their roots, whether that is confirmed or not."""

    @property
    def serves(self) -> bool:
        """Whether the writer here takes requests: it owns the partition, or believes so."""
        return self.writer is not None and self.writer.serving.is_set()

    def start(self, life: Life, *, for_good: bool = False) -> None:
        """Start a process; one that is there for good claims again whenever it was replaced."""
        self.stop()
        self.log, self._seeds, self._decks = life.log, life.name, {}
        self.running = asyncio.create_task(self._run(life, for_good=for_good))

    def stop(self) -> None:
        """Let the process die."""
        if self.running is not None:
            self.running.cancel()
        self.running = self.writer = None

    async def submit(self, request: Request, writer: PartitionWriter) -> Reply:
        """Ask the writer, with the deck that the request needs; see `PartitionWriter.submit`."""
        state = writer.pending(request.address).state
        if not isinstance(state, Table):
            return await writer.submit(request)
        if isinstance(request.command, StartHand):
            return await writer.submit(self._with_new_deck(request, state, writer.position.epoch))
        deck = None if state.hand is None else self._deck(request.address, state.hand)
        return await writer.submit(replace(request, deck=deck))

    def _with_new_deck(self, request: Request, table: Table, epoch: int) -> Request:
        """Return a request for a hand with a deck for it: in one epoch the same, in another a new one."""
        hand_id = next_hand_id(table)
        seed = Random(f"{self._seeds} epoch {epoch} hand {hand_id}").randbytes(SEED_BYTES)
        deck = deck_of(seed, hand_id)
        self._decks[deck.root] = deck
        return replace(request, deck=deck, sealed=sealed(seed))

    def _deck(self, address: str, hand: Hand) -> Deck:
        """Return the deck of a hand that was started here, or whose seed is in the log."""
        deck = self._decks.get(hand.setup.deck_root)
        if deck is not None:
            return deck
        kept = self._memory.sealed(address)
        assert kept is not None, "the seed of a confirmed hand is remembered"
        return opened(kept.sealed, hand.setup.hand_id)

    async def _run(self, life: Life, *, for_good: bool) -> None:
        """Own the partition until another does, or for good."""
        start = await start_from(life.snapshots, life.anchors, HOUSE, PARTITION)
        self.tally[f"snapshot {start.snapshot}"] += 1
        world = World(life.log, VirtualClock(life.ahead_ms), SeededChance(life.name), LoopScheduler(), life.overlapping)
        snapshots = Snapshots(life.snapshots, start.memory, HOUSE, PARTITION)

        def see(counted: Counted) -> None:
            snapshots.changed(counted)
            if start.snapshot != "used" or writer.serving.is_set():
                self._note(life.name, writer, counted)
            self._confirmed(counted, writer.confirmed(counted.envelope.aggregate).state)

        self.writer = writer = PartitionWriter(world, HOUSE, PARTITION, see, start)
        self._memory = start.memory
        keeping = asyncio.create_task(self._keep(life, writer, snapshots))
        try:
            await self._own(writer, for_good=for_good)
        finally:
            keeping.cancel()

    def _note(self, who: str, writer: PartitionWriter, counted: Counted) -> None:
        """Note what the owner believes."""
        for address in changed_by(counted.envelope):
            seen = state_hash(writer.confirmed(address))
            self.sightings.append(Sighting(who, counted.bookmark.position, address, seen))

    async def _own(self, writer: PartitionWriter, *, for_good: bool) -> None:
        while True:
            try:
                await writer.run()
            except FencedError:
                self.tally["owner stepped down"] += 1
                if not for_good:
                    return
            except LogCorruptError as error:
                self._halted(str(error))
                return

    async def _keep(self, life: Life, writer: PartitionWriter, snapshots: Snapshots) -> None:
        """Take snapshots and keep anchors at times that chance gives, as long as the process lives."""
        chance = Random(f"{life.name} keeps")
        await writer.serving.wait()
        while True:
            await asyncio.sleep(chance.choice((0.0, 0.1, 1.0, 5.0)))
            await life.anchors.keep({PARTITION: writer.position})
            with suppress(SnapshotStoreError):
                await snapshots.take()
            self.tally["snapshot taken"] += 1
            await asyncio.sleep(chance.choice((0.1, 10.0, 60.0)))


class Projector:
    """A reader who saves with each record what he has made of it and how far he is (R2), and goes on from there."""

    def __init__(self, log: LogReader) -> None:
        """Begin at the beginning."""
        self.memory = Memory()
        self.saved: Bookmark | None = None
        self.sightings: list[Sighting] = []
        self.log = log

    async def run(self, chance: Random) -> None:
        """Read on until this is cancelled, and be restarted now and then."""
        while True:
            with suppress(LogUnavailableError):
                await self.read_on(chance.randrange(1, 60))
            await asyncio.sleep(chance.choice((LOOKS_S, LOOKS_S, 10 * LOOKS_S)))

    async def read_on(self, limit: int) -> None:
        """Start, compare with what is saved, and read at most so many records.

        Raises:
            LogCorruptError: The log is damaged.
            LogUnavailableError: It cannot be read now.
        """
        reader = PartitionReader(self.log, HOUSE, PARTITION, self.saved)
        end = await self.log.end(PARTITION)
        await reader.read_on(min(end, reader.bookmark.offset + 1 + limit), self._apply)

    def _apply(self, counted: Counted) -> None:
        self.memory.apply(counted)
        self.saved = counted.bookmark
        for address in changed_by(counted.envelope):
            seen = state_hash(self.memory.held(address))
            self.sightings.append(Sighting("projector", counted.bookmark.position, address, seen))


def misfortune(name: str, share: float, note: Callable[[str], None]) -> Misfortune:
    """Return fates of a process's appends."""
    return Misfortune(Random(f"{name} fates"), share, lambda fate: note(f"{name}: {fate}"))
