"""F13: a log of hands that were really played is damaged, byte class by byte class: everybody halts, and nobody spins.

Who looks at the log again after a damage: a projector that had read just so far, one that reads everything anew, an
owner who opens the partition and has an anchor, one who goes on from a snapshot. Between them nothing is missed; which
of them can notice what, the theory in `judge.py` says.

F13_TIMES=200 python -m pytest tests/services/eventlog/test_f13.py     a campaign
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import pytest

from dealer.events.v1 import envelope_pb2
from services.eventlog.envelope import Envelope, encode, header_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.log_events import EpochOpened
from services.eventlog.memory import Memory
from services.eventlog.ports import RECORD_BYTES_MAX, Bookmark, Stored
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.writer import PartitionWriter, Start, World
from tests.services.eventlog import virtual_time
from tests.services.eventlog.byte_classes import CLASSES, places_of
from tests.services.eventlog.checker import Past
from tests.services.eventlog.games import cash
from tests.services.eventlog.owners import LoopScheduler, nobody
from tests.services.eventlog.places import SeededChance
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.rooms import Room
from tests.services.eventlog.shelves import Shelf, Store
from tests.services.eventlog.simulated import SimulatedLog, fair
from tests.services.eventlog.virtual_time import VirtualClock

TIMES: Final = int(os.environ.get("F13_TIMES", "20"))
"""How often each damage is done, each time at another place."""
SEEDS: Final = 50
"""Among so many evenings there is one that has everything."""
READS_MAX: Final = 10
"""Nobody looks more often than this at a log that fits on a page."""


class Evening(NamedTuple):
    """A log of hands that were played, sound to its end."""

    records: list[bytes]
    counted: list[Counted]

    @property
    def alone(self) -> list[Counted]:
        """What counts and has no second copy behind it, which would count in its place: then nothing is lost."""
        return [counted for counted in self.counted if self.records.count(self.records[counted.bookmark.offset]) == 1]

    @property
    def has_all(self) -> bool:
        """Whether there are hands with their seeds, several owners, void records, and bytes of every class."""
        seeds = sum(counted.envelope.sealed is not None for counted in self.counted)
        classes = {name for stored in self.records for name in places_of(stored)}
        void = len(self.records) - len(self.counted)
        return seeds > 2 and self.counted[-1].envelope.writer_epoch > 5 and void > 5 and classes == set(CLASSES)

    def store(self) -> Store:
        """Return a copy of it."""
        store = Store(HOUSE, header_of)
        for stored in self.records:
            store.land(PARTITION, stored)
        return store


class CountedLog(SimulatedLog):
    """A log that counts how often it is read."""

    reads = 0

    async def read(self, partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        self.reads += 1
        return await super().read(partition, offset, limit)


async def played(seed: int) -> Evening:
    """Play an evening."""
    room, past = Room(seed, pace=30), Past()
    await room.play(cash)
    await room.heal()
    await past.read(SimulatedLog(room.store, fair))
    return Evening(room.store.shelves[PARTITION].records, past.counted)


@pytest.fixture(scope="module")
def evening() -> Evening:
    """Return the log of the first evening that has everything."""
    evenings = (virtual_time.run(played(seed)) for seed in range(SEEDS))
    return next(evening for evening in evenings if evening.has_all)


async def rereads(log: CountedLog, saved: Bookmark | None) -> None:
    """Read from a saved bookmark to the end; None reads everything anew."""
    await PartitionReader(log, HOUSE, PARTITION, saved).read_on(await log.end(PARTITION), nobody)


async def opens(log: CountedLog, start: Start) -> None:
    """Open the partition."""
    world = World(log, VirtualClock(), SeededChance("opens"), LoopScheduler())
    writer = PartitionWriter(world, HOUSE, PARTITION, nobody, start)
    running, serving = asyncio.create_task(writer.run()), asyncio.create_task(writer.serving.wait())
    await asyncio.wait((running, serving), return_when=asyncio.FIRST_COMPLETED)
    if not running.done():
        running.cancel()
        return
    serving.cancel()
    await running


Look: TypeAlias = Callable[[CountedLog], Coroutine[Any, Any, None]]


def halt_of(store: Store, looks: Look) -> LogCorruptError | None:
    """Return what halts somebody who looks at a log; he does not look for ever, and says where and why."""
    log, halt = CountedLog(store, fair), None
    try:
        virtual_time.run(looks(log))
    except LogCorruptError as error:
        halt = error
    assert log.reads <= READS_MAX, "it spins"
    assert halt is None or (halt.partition == PARTITION and halt.why)
    return halt


def verify_found(evening: Evening, store: Store, first: Counted) -> None:
    """Verify that damage is found by all who can notice it; `first` is the first record that it is in."""
    last, read_before = evening.counted[-1].bookmark, first.bookmark
    if first.envelope.header.claim is None:  # Of a claim he may know the epoch only (`reader.py`).
        assert halt_of(store, lambda log: rereads(log, read_before)), "a projector that had read just so far"
    assert halt_of(store, lambda log: opens(log, Start(Memory(), None, (last.position,)))), "an owner with an anchor"
    goes_on = halt_of(store, lambda log: opens(log, Start(Memory(), last)))
    anew = halt_of(store, lambda log: rereads(log, None))
    assert anew or goes_on, "who reads everything anew, once an owner has claimed what he had from a snapshot"


@pytest.mark.parametrize("name", CLASSES)
def test_a_flipped_bit_is_found(evening: Evening, name: str) -> None:
    """F13, P4: in every class of bytes of records that count, and of which there is no second copy."""
    chance = Random(name)
    having = [counted for counted in evening.alone if name in places_of(evening.records[counted.bookmark.offset])]
    for _ in range(TIMES):
        store, counted = evening.store(), chance.choice(having)
        offset = counted.bookmark.offset
        place = chance.choice(places_of(evening.records[offset])[name])
        store.shelves[PARTITION].flip(offset, place, chance.randrange(8))
        verify_found(evening, store, counted)


def test_a_bit_in_a_void_record_changes_nothing_or_halts(evening: Evening) -> None:
    """F13: nobody was ever told of such a record, so it may stay unnoticed."""
    chance, counting = Random("void"), {counted.bookmark.offset for counted in evening.counted}
    void = [offset for offset in range(len(evening.records)) if offset not in counting]
    for _ in range(TIMES):
        store, past, offset = evening.store(), Past(), chance.choice(void)
        store.shelves[PARTITION].flip(offset, chance.randrange(len(evening.records[offset])), chance.randrange(8))
        virtual_time.run(past.read(SimulatedLog(store, fair)))
        assert past.halt or [each.bookmark for each in past.counted] == [each.bookmark for each in evening.counted]


def test_a_tail_that_is_gone_is_found(evening: Evening) -> None:
    """F13, M6, M34: whole records are missing at the end, acknowledged ones among them."""
    chance = Random("tail")
    for _ in range(TIMES):
        store, first = evening.store(), chance.choice(evening.alone)
        store.shelves[PARTITION].lose(first.bookmark.offset)
        verify_found(evening, store, first)


def test_a_claim_of_one_who_had_read_more_gives_the_loss_away(evening: Evening) -> None:
    """F13, M6: it was under way when the tail went, and lands behind what is left; nobody has kept a position."""
    chance, last = Random("claim"), evening.counted[-1].bookmark.position
    opened = EpochOpened("under way", last.sequence, last.hash)
    address = f"partition/{PARTITION}"
    claim = Envelope(writer_epoch=last.epoch + 1, aggregate=address, version=0, occurred_at_ms=0, events=(opened,))
    for _ in range(TIMES):
        store, first = evening.store(), chance.choice(evening.alone)
        store.shelves[PARTITION].lose(first.bookmark.offset)
        store.shelves[PARTITION].intrude(encode(claim))
        assert halt_of(store, lambda log: rereads(log, None))


def test_a_torn_tail_is_found(evening: Evening) -> None:
    """F13: the last record has lost its end."""
    chance, last = Random("torn"), evening.counted[-1]
    for _ in range(TIMES):
        store = evening.store()
        shelf = store.shelves[PARTITION]
        shelf.lose(last.bookmark.offset + 1)
        shelf.tear(chance.randrange(len(shelf.records[-1])))
        verify_found(evening, store, last)


def unknown_event(shelf: Shelf, chance: Random) -> bytes:
    """Return a record that counts, of a version that knows more events."""
    message = envelope_pb2.Envelope(writer_epoch=shelf.position.epoch, sequence=shelf.position.sequence + 1)
    message.prev_hash, message.aggregate, message.version = shelf.position.hash, "table/T1", 1
    event = bytes((0xFA, 0x7D, chance.randrange(1, 9)))
    message.events.add().MergeFromString(event + bytes(event[-1]))
    return message.SerializeToString()


FOREIGN: Final[dict[str, Callable[[Shelf, Random], bytes]]] = {
    "garbage": lambda _, chance: chance.randbytes(chance.randrange(1, 300)),
    "unknown event": unknown_event,
    "above the limit": lambda _, chance: bytes(RECORD_BYTES_MAX + chance.randrange(1, 9)),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_record_that_no_dealer_of_this_version_writes_halts_everybody(evening: Evening, name: str) -> None:
    """F13, M5, T-KAF-5: it is not skipped, wherever somebody begins to read."""
    chance, last = Random(name), evening.counted[-1].bookmark
    for _ in range(TIMES):
        store = evening.store()
        shelf = store.shelves[PARTITION]
        shelf.intrude(FOREIGN[name](shelf, chance))
        looks: tuple[Look, ...] = (
            lambda log: rereads(log, None),
            lambda log: rereads(log, last),
            lambda log: opens(log, Start(Memory(), None)),
        )
        halts = [halt_of(store, look) for look in looks]
        assert [halt and halt.offset for halt in halts] == [len(evening.records)] * 3
