"""F1: a random game of accounts, with three writers of one partition over the simulated log, in virtual time.

Players open accounts, deposit and withdraw; a courier brings transfers. Each asks some writer, and when he hears that
nothing is known he asks again, another one perhaps and perhaps much later. Some repeat what was acknowledged long ago,
some use an id for something else. Meanwhile writers are started, stopped, paused, and take the partition from each
other. Each of these has chance of its own, so a change in one of them leaves the seeds of the others alone.

What everybody asked and heard is the `History`; `checker.py` says whether it could have been.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.account.commands import (
    Deposit,
    FreezeAccount,
    GiveBackProtection,
    OpenAccount,
    ReceiveFunds,
    SendFunds,
    UnfreezeAccount,
    Withdraw,
)
from engine.errors import Rejected
from engine.inbox import Delivery
from engine.reactions import Command
from services.eventlog.envelope import header_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.requests import FencedError, Reply, Request, RequestIdReusedError, UnavailableError
from services.eventlog.writer import PartitionWriter, World
from tests.services.eventlog.owners import LoopScheduler, names_of, nobody
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import Misfortune, SimulatedLog, fair
from tests.services.eventlog.virtual_time import VirtualClock

WRITERS: Final = 3
PLAYERS: Final = 4
REQUESTS: Final = 7
"""How many each player makes."""
SENDER: Final = 9
"""The partition whose courier brings deliveries."""
ATTEMPTS_MAX: Final = 200
HEALED_MS: Final = 15_000


class Attempt(NamedTuple):
    """What somebody asked, and what he heard."""

    request: Request
    answer: Reply | str
    """Or the name of what was raised; a refusal is its reason."""
    first_asked: int
    """The last sequence, in the aggregate, that anybody had been told when the request was first made."""
    asked: int
    """The same when this attempt was made."""
    stored: int
    """The last sequence that counted when he heard the answer."""
    stale: bool
    """The writer did not know then that it was replaced."""

    @property
    def name(self) -> str:
        """What a finding calls it."""
        return f"{self.request.command_id} of {self.request.address}"


class SeededChance:
    """A `Chance` that a seed repeats."""

    def __init__(self, seed: str) -> None:
        """Begin."""
        self._random = Random(seed)

    def draw(self, count: int) -> bytes:
        """See `Chance.draw`."""
        return self._random.randbytes(count)


class Place:
    """A process with a writer, if it is running."""

    def __init__(self, room: Room, number: int) -> None:
        """Begin without a writer."""
        self.room, self.number, self.lives = room, number, 0
        self.running: asyncio.Task[None] | None = None
        self.writer: PartitionWriter | None = None
        self.log: SimulatedLog | None = None

    def start(self, ahead_ms: int) -> None:
        """Start a process, with a clock of its own."""
        self.lives += 1
        name = f"{self.room.seed} writer {self.number} life {self.lives}"
        fates = Misfortune(Random(f"{name} fates"), self.room.share)
        self.log = SimulatedLog(self.room.store, fates, Random(f"{name} weather"))
        world = World(self.log, VirtualClock(ahead_ms), SeededChance(name), LoopScheduler(), self.room.overlapping)
        self.writer = PartitionWriter(world, HOUSE, PARTITION, nobody)
        self.running = asyncio.create_task(self.run(self.writer))

    def stop(self) -> None:
        """Let the process die."""
        if self.running is not None:
            self.running.cancel()
        self.running = self.writer = None

    async def run(self, writer: PartitionWriter) -> None:
        """Own the partition until another does."""
        try:
            await writer.run()
        except FencedError:
            self.room.tally["stepped down"] += 1
        except LogCorruptError as error:
            self.room.halts.append(str(error))


class Room:
    """The game of one seed."""

    def __init__(self, seed: int) -> None:
        """Set it up."""
        options = Random(f"{seed} options")
        self.seed, self.overlapping = seed, options.choice((1, 1, 2, 4))
        self.share = options.choice((0.0, 0.05, 0.1, 0.3))
        self.store = Store(HOUSE, header_of)
        self.places = [Place(self, number) for number in range(WRITERS)]
        self.history: list[Attempt] = []
        self.halts: list[str] = []
        self.tally = self.store.tally
        self._told: Counter[str] = Counter()
        self._first: dict[tuple[str, str], int] = {}

    async def play(self) -> None:
        """Play to the end, heal everything, and let one more request be acknowledged."""
        trouble = asyncio.create_task(self._trouble(Random(f"{self.seed} trouble")))
        players = [self._player(number, Random(f"{self.seed} player {number}")) for number in range(PLAYERS)]
        await asyncio.gather(*players, self._courier(Random(f"{self.seed} courier")))
        trouble.cancel()
        await self._heal()

    async def _heal(self) -> None:
        """I14: one healthy writer, and the first acknowledgement in time."""
        for place in self.places:
            place.stop()
        log = SimulatedLog(self.store, fair)
        world = World(log, VirtualClock(), SeededChance(f"{self.seed} healed"), LoopScheduler())
        writer = PartitionWriter(world, HOUSE, PARTITION, nobody)
        self.places[0].writer = writer
        running = asyncio.create_task(self._own(writer))
        self.last = writer
        try:
            async with asyncio.timeout(HEALED_MS / 1000):
                await self.ask(Request("account/last", OpenAccount("last"), "last", tell=names_of), Random(0))
        except TimeoutError:
            self.halts.append("I14: nothing was acknowledged in time")
        running.cancel()

    async def _own(self, writer: PartitionWriter) -> None:
        """Own the partition for good: a claim of a dead owner may land late, and then it is claimed again."""
        while not self.halts:
            await self.places[0].run(writer)

    async def ask(self, request: Request, chance: Random) -> Reply | str:
        """Ask until the answer is known; whom, and how patiently, is a matter of chance."""
        for _ in range(ATTEMPTS_MAX):
            answer = await self.attempt(request, chance.choice([self.places[0], *self.places]))
            if answer != "UnavailableError" or self.halts:
                return answer
            await asyncio.sleep(chance.choice((0.0, 0.1, 0.1, 0.1, 0.5, 2.0)))
        return "UnavailableError"

    async def attempt(self, request: Request, place: Place) -> Reply | str:
        """Ask once, and keep what was heard."""
        asked = self._told[request.address]
        first = self._first.setdefault((request.address, request.command_id), asked)
        answer, writer = await self._answer(request, place)
        if isinstance(answer, Reply):
            self._told[request.address] = max(self._told[request.address], answer.sequence)
        stored = self.store.shelves[PARTITION].position
        stale = writer is None or writer.position.epoch < stored.epoch
        self.history.append(Attempt(request, answer, first, asked, stored.sequence, stale))
        return answer

    async def _answer(self, request: Request, place: Place) -> tuple[Reply | str, PartitionWriter | None]:
        writer = place.writer
        if writer is None:
            return "UnavailableError", None
        try:
            return await writer.submit(request), writer
        except Rejected as refusal:
            return refusal.reason, writer
        except (UnavailableError, RequestIdReusedError) as error:
            return type(error).__name__, writer

    async def _player(self, number: int, chance: Random) -> None:
        """Make requests, some of them together, and repeat old ones."""
        done: list[Request] = []
        for turn in range(REQUESTS):
            together = [self._request(f"{number}/{turn}/{each}", chance) for each in range(chance.choice((1, 2, 6)))]
            await asyncio.gather(*(self.ask(request, chance) for request in together))
            done += together
            old = chance.choice(done)
            if chance.random() < 0.2:
                await self.attempt(old, chance.choice(self.places))
            if chance.random() < 0.1:
                other = Request(old.address, Deposit("USD", 77, "another"), old.command_id, tell=names_of)
                await self.attempt(other, chance.choice(self.places))
            await asyncio.sleep(chance.choice((0.0, 0.01, 0.1)))

    def _request(self, name: str, chance: Random) -> Request:
        player = f"P{chance.randrange(2)}"
        kinds: tuple[Command, ...] = (
            OpenAccount(player),
            Deposit("USD", chance.randrange(1, 100), name),
            Deposit("USD", chance.randrange(1, 100), name),
            Withdraw("USD", chance.randrange(1, 200), name),
            Withdraw("USD", chance.randrange(1, 200), name),
            FreezeAccount("suspicion", name),
            UnfreezeAccount(name),
            UnfreezeAccount(name),
        )
        return Request(f"account/{player}", chance.choice(kinds), name, tell=names_of)

    async def _courier(self, chance: Random) -> None:
        """Bring deliveries in their order, each until it is answered, and some again later."""
        done: list[Request] = []
        for sequence in range(1, REQUESTS):
            request = self._delivery(sequence, chance)
            await self.ask(request, chance)
            done.append(request)
            if chance.random() < 0.3:
                await self.ask(chance.choice(done), chance)

    def _delivery(self, sequence: int, chance: Random) -> Request:
        player, transfer = f"P{chance.randrange(2)}", f"transfer {sequence}"
        kinds: tuple[Command, ...] = (
            SendFunds(transfer, "USD", chance.randrange(1, 100), "table/T1", "buy_in"),
            ReceiveFunds(player, transfer, "USD", chance.randrange(1, 100), "table/T1", "leaving"),
            ReceiveFunds("somebody else", transfer, "USD", 1, "table/T1", "leaving"),
            GiveBackProtection(transfer),
        )
        place = Delivery(SENDER, sequence, 0)
        return Request(f"account/{player}", chance.choice(kinds), transfer, delivery=place, tell=names_of)

    async def _trouble(self, chance: Random) -> None:
        """Start, stop and pause writers for ever."""
        for place in self._chosen(chance):
            stays = [other for other in self.places if other.running and not other.running.done()]
            deed = chance.choice(("start", "start", "start", "stop", "pause", "pause", "nothing"))
            if not stays or deed == "start":
                place.stop()
                place.start(chance.choice((0, 0, -3_600_000, 500, 3_600_000)))
            elif deed == "stop":
                place.stop()
            elif deed == "pause" and place.log is not None:
                place.log.pause(chance.choice((20, 200, 2000)))
            await asyncio.sleep(chance.choice((0.0, 0.02, 0.1, 0.3, 1.0)))

    def _chosen(self, chance: Random) -> Iterator[Place]:
        while True:
            yield chance.choice(self.places)
