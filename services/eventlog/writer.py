"""The one writer of a partition: it claims it, serves it, and after anything unclear it claims it again.

    run:   read to the captured end -> append EpochOpened -> read it back, and what lies between -> serve (epoch.py)
           -> something unclear: nothing pending is known -> read on from what was confirmed -> claim again ...
           -> another's epoch, damage, or cancelled: the end

No correctness rests on being the only one who believes to own the partition: of several, the judge lets one count, and
each acknowledges only what was read back as counting (`design.md` section 2). So a claim needs no lock. It needs care:

* Nothing is served before the claim was read back. Until then another may own the partition.
* What lies between the captured end and the claim was written by the owner before, and counts. It is read first.
* After an unknown outcome nothing more is appended in the old epoch: the next record would take the sequence of one
  that may still arrive, and one epoch would have two records for it, which readers take for damage.
* A claim that turns out void lost to another. A writer that has just begun claims again, a few times. One that was
  serving steps down as soon as it reads another's claim: the partition was given to somebody else, and whoever gives
  partitions away decides what is next.

An outage of the log ends nothing: the claim is tried again, at growing intervals, as long as `run` is left running.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from services.eventlog.envelope import Envelope, encode
from services.eventlog.epoch import Epoch
from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.event_time import EventTime
from services.eventlog.expected import Expected
from services.eventlog.judge import Corrupt, Position, Void
from services.eventlog.log_events import EpochOpened
from services.eventlog.memory import Held, Memory
from services.eventlog.ports import Acknowledged, Bookmark, Chance, Clock, Log, Outcome, Scheduler, Unknown
from services.eventlog.reader import Apply, Counted, PartitionReader
from services.eventlog.requests import FencedError, Reply, Request, UnavailableError

CLAIMS_MAX: Final = 5
"""So many claims in a row may lose to another's before a writer gives up."""

WAIT_MS: Final = (50, 100, 200, 500, 1000)
"""How long an outage of the log is waited out, in milliseconds: each time longer, the last one again and again."""

CLAIM_ID_BYTES: Final = 16


class Start(msgspec.Struct, frozen=True):
    """What a writer knows when it begins: a snapshot, or nothing."""

    memory: Memory
    bookmark: Bookmark | None
    """How far the memory goes; the log is compared with it. None at the beginning of the partition."""
    expected: tuple[Position, ...] = ()
    """What was read in the log once, and must be there."""
    snapshot: Literal["none", "used", "rejected", "unavailable"] = "none"
    """What became of the snapshot: for a metric."""
    why: str = ""
    """Why it was not used, for the operator."""


class World(msgspec.Struct, frozen=True):
    """Everything around a writer that is not certain."""

    log: Log
    clock: Clock
    chance: Chance
    """For the names of claims."""
    scheduler: Scheduler
    overlapping: int = 1
    """How many appends may be under way at once; one is right where the log commits in groups."""


class PartitionWriter:
    """Owns one partition, or tries to, while `run` is running."""

    def __init__(self, world: World, house: str, partition: int, listener: Apply, start: Start | None = None) -> None:
        """Know the partition, and own nothing yet.

        Args:
            world: The log, and everything else that is not certain.
            house: Whose log it is.
            partition: Which of its partitions.
            listener: Is told each record that counts, once and in order, those of former owners included: from the
                start on, before its sender hears of it, and never of what is only pending.
            start: What is known already.
        """
        known = start or Start(Memory(), None)
        self.serving = asyncio.Event()
        """Set while requests are taken."""
        self.opened: Callable[[int], None] = lambda _epoch: None
        """Is told each epoch when it begins to be served."""
        self.partition = partition
        self._world, self._listener = world, listener
        self._memory = known.memory
        self._reader = PartitionReader(world.log, house, partition, known.bookmark)
        self._expected = Expected(partition, known.expected, self._reader.position)
        self._epoch: Epoch | None = None
        self._time: EventTime | None = None
        self._claims: set[str] = set()
        """The ids of this writer's claims."""
        self._owner = ""
        """The id of the last claim that counts."""
        self._claimed = 0
        """The highest epoch that this writer has claimed."""

    @property
    def position(self) -> Position:
        """What is confirmed."""
        return self._reader.position

    @property
    def jumps(self) -> int:
        """How often the clock on the wall has jumped since the partition was opened: anything but 0 is an alarm."""
        return self._time.jumps if self._time else 0

    def confirmed(self, address: str) -> Held:
        """Return an aggregate as it is on the log; an owner that was replaced may not know the latest."""
        return self._memory.held(address)

    def pending(self, address: str) -> Held:
        """Return an aggregate as it will be if all counts that is under way: what a request is decided against.

        For choosing what stands beside a request, such as the deck of the hand then in progress. Nobody is told.
        """
        return self.confirmed(address) if self._epoch is None else self._epoch.held(address)

    async def submit(self, request: Request) -> Reply:
        """Carry a request out, once, however often it comes.

        Raises:
            Rejected: The rules refuse it.
            RequestIdReusedError: The id was used for something else.
            OverloadedError: Too much is under way.
            UnavailableError: It is not known whether it has happened; or the partition is not served here now.
            EnvelopeTooLargeError: What would happen is too large for a record.
        """
        if self._epoch is None:
            msg = "the partition is not served here"
            raise UnavailableError(msg)
        return await self._epoch.submit(request)

    def doubt(self) -> None:
        """Look at the log again, since it is said that another owns the partition: if it is so, `run` ends."""
        if self._epoch is not None:
            self._epoch.give_up(Void("old_epoch"))

    async def run(self) -> None:
        """Own the partition until another does, the log is damaged, or this is cancelled.

        Raises:
            FencedError: Another writer owns it.
            LogCorruptError: It must not be written any more.
        """
        begun = False
        while True:
            self._epoch = await self._opened(begun=begun)
            self.serving.set()
            self.opened(self.position.epoch)
            begun = True
            try:
                unclear = await asyncio.shield(self._epoch.ended)
            finally:
                self._epoch.give_up(Unknown("the owner steps down"))
                self._epoch = None
            if isinstance(unclear, Corrupt):
                raise self._corrupt(unclear)

    async def _opened(self, *, begun: bool) -> Epoch:
        """Claim the partition until a claim counts, and return the epoch.

        Args:
            begun: Whether this writer has served; then another's claim means that it is replaced.

        Raises:
            FencedError: Another writer owns it.
            LogCorruptError: It is damaged.
        """
        lost = outages = 0
        while lost < CLAIMS_MAX:
            outcome = await self._attempt(begun=begun)
            match outcome:
                case Epoch():
                    return outcome
                case Corrupt():
                    raise self._corrupt(outcome)
                case Void():
                    lost += 1
                case Unknown():
                    await self._world.scheduler.sleep(WAIT_MS[min(outages, len(WAIT_MS) - 1)])
                    outages += 1
        msg = f"{CLAIMS_MAX} claims in a row were void"
        raise FencedError(msg)

    async def _attempt(self, *, begun: bool) -> Epoch | Void | Corrupt | Unknown:
        """Read, claim once, and read the claim back.

        Raises:
            FencedError: Another writer owns the partition.
            LogCorruptError: It is damaged.
        """
        try:
            await self._read_on(await self._world.log.end(self.partition))
            if begun:
                self._verify_owner()
            outcome = await self._claim()
            if not isinstance(outcome, Acknowledged):
                return outcome
            await self._read_on(outcome.offset + 1)
        except LogUnavailableError as error:
            return Unknown(str(error))
        self._expected.verify_reached(self._reader.bookmark)
        self._verify_owner()
        assert self.position == outcome.position, "behind a claim nothing counts but what its writer appends"
        self._time = EventTime(self._world.clock, self._memory.at_ms)
        epoch = Epoch(self._world.log, self._reader, self._memory, self._time, self._listener)
        epoch.overlapping = self._world.overlapping
        epoch.ended.add_done_callback(lambda _: self.serving.clear())
        return epoch

    async def _claim(self) -> Outcome:
        """Append a claim of an epoch that is higher than all that are known."""
        at = self.position
        self._claimed = max(self._claimed, at.epoch) + 1
        claim_id = self._world.chance.draw(CLAIM_ID_BYTES).hex()
        self._claims.add(claim_id)
        claim = Envelope(
            writer_epoch=self._claimed,
            aggregate=f"partition/{self.partition}",
            version=0,
            occurred_at_ms=max(self._world.clock.wall_ms(), self._memory.at_ms),
            events=(EpochOpened(claim_id, at.sequence, at.hash),),
        )
        self._world.log.follow(self.partition, self._reader.bookmark)
        (outcome,) = await self._world.log.append(self.partition, [encode(claim)])
        return outcome

    async def _read_on(self, end: int) -> None:
        """Let everything take effect that counts before an offset."""
        await self._reader.read_on(end, self._apply)

    def _apply(self, counted: Counted) -> None:
        self._expected.verify(counted)
        event = counted.envelope.events[0]
        if isinstance(event, EpochOpened):
            self._owner = event.claim_id
        self._memory.apply(counted)
        self._listener(counted)

    def _verify_owner(self) -> None:
        """Step down if the last claim that counts is another's.

        Raises:
            FencedError: It is.
        """
        if self._owner not in self._claims:
            msg = f"epoch {self.position.epoch} of partition {self.partition} belongs to another writer"
            raise FencedError(msg)

    def _corrupt(self, verdict: Corrupt) -> LogCorruptError:
        return LogCorruptError(self.partition, self._reader.bookmark.offset + 1, verdict.why)
