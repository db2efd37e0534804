"""Ownership: what a dealer does when partitions are given, taken, fenced and announced; in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress

import pytest

from services.eventlog import snapshots
from services.eventlog.anchors import AnchorsUnusableError
from services.eventlog.envelope import header_of
from services.eventlog.judge import Position
from services.eventlog.ownership import RECLAIM_MS, Owner, Ownership, Partner
from services.eventlog.writer import PartitionWriter, World
from tests.services.eventlog import virtual_time
from tests.services.eventlog.owners import LoopScheduler, cents_of, nobody, opened
from tests.services.eventlog.places import SeededChance
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import SimulatedLog, fair
from tests.services.eventlog.simulated_snapshots import AnchorShelf, SimulatedSnapshots, SnapshotShelf
from tests.services.eventlog.virtual_time import VirtualClock

OTHER = PARTITION + 1


class FickleAnchors(AnchorShelf):
    """Anchors that cannot be read now and then."""

    def __init__(self) -> None:
        """Begin with none, and readable."""
        super().__init__()
        self.unreadable = False

    async def load(self) -> Mapping[int, Position]:
        """See `Anchors.load`."""
        if self.unreadable:
            msg = "too many open files"
            raise AnchorsUnusableError(msg)
        return await super().load()


class House:
    """A store, and dealers that hear each other's announcements."""

    def __init__(self) -> None:
        """Begin without dealers."""
        self.store = Store(HOUSE, header_of)
        self.dealers: dict[str, Ownership] = {}
        self.said: list[tuple[int, Owner]] = []
        self.deaf = False
        """Whether announcements are lost."""
        self.halted: list[tuple[int, Exception]] = []
        self.anchors = FickleAnchors()
        self.alarms: list[str] = []
        self.snapshots = SnapshotShelf()

    def announce(self, partition: int, owner: Owner) -> None:
        """Tell every dealer, a little later."""
        self.said.append((partition, owner))
        if not self.deaf:
            for dealer in self.dealers.values():
                asyncio.get_running_loop().call_later(0.01, dealer.announced, partition, owner)

    @asynccontextmanager
    async def dealer(self, name: str) -> AsyncIterator[Ownership]:
        """Run a dealer."""
        world = World(SimulatedLog(self.store, fair), VirtualClock(), SeededChance(name), LoopScheduler())
        halted = self.halted.append
        partner = Partner(
            name,
            SimulatedSnapshots(self.snapshots),
            self.anchors,
            lambda _: nobody,
            self.announce,
            lambda *what: halted(what),
            self.alarms.append,
        )
        self.dealers[name] = dealer = Ownership(world, HOUSE, partner)
        running = asyncio.create_task(dealer.run())
        try:
            yield dealer
        finally:
            del self.dealers[name]
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def given(dealer: Ownership) -> PartitionWriter:
    """Give a dealer the partition of tests, and return its writer when it serves."""
    dealer.assigned({PARTITION})
    await asyncio.sleep(1)
    writer = dealer.writer(PARTITION)
    assert writer
    return writer


def play(story: Callable[[House], Coroutine[None, None, None]]) -> None:
    """Let a story happen in a house, in virtual time."""
    virtual_time.run(story(House()))


def test_what_is_assigned_is_served_and_announced() -> None:
    """A dealer claims the partitions that it is given, and everybody hears where they are served."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            a.assigned({PARTITION, OTHER})
            await asyncio.sleep(1)
            assert a.writer(PARTITION)
            assert a.writer(OTHER)
            assert b.owners == {PARTITION: Owner(1, "a"), OTHER: Owner(1, "a")}

    play(story)


def test_what_is_taken_is_served_until_it_is_claimed() -> None:
    """A dealer does nothing when a partition is taken from it; the claim of the next one ends its writer."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            a.assigned(())
            await asyncio.sleep(10)
            assert a.writer(PARTITION)
            b.assigned({PARTITION})
            await asyncio.sleep(1)
            assert a.writer(PARTITION) is None
            assert b.writer(PARTITION)

    play(story)


def test_who_is_fenced_claims_again_when_it_was_given_the_partition_still() -> None:
    """F7: of two dealers that were given one partition the second serves it for some seconds, then the first again."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            b.assigned({PARTITION})
            await asyncio.sleep(RECLAIM_MS / 1000 - 0.1)
            assert (a.writer(PARTITION) is None, b.writer(PARTITION) is None) == (True, False)
            await asyncio.sleep(1.5)
            assert (a.writer(PARTITION) is None, b.writer(PARTITION) is None) == (False, True)

    play(story)


def test_a_new_assignment_is_claimed_at_once() -> None:
    """A dealer that was fenced does not wait when partitions are given anew and this one is among them."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            b.assigned({PARTITION})
            await asyncio.sleep(1)
            a.assigned({PARTITION})
            await asyncio.sleep(0.5)
            assert a.writer(PARTITION)

    play(story)


def test_who_hears_of_a_claim_looks_at_the_log() -> None:
    """A note that somebody else has claimed ends a writer if it is true, and only costs an epoch if it is not."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            a.doubted(PARTITION)
            a.doubted(OTHER)
            await asyncio.sleep(1)
            writer = a.writer(PARTITION)
            assert writer
            assert writer.position.epoch == 2

    play(story)


def test_a_lower_epoch_never_replaces_a_higher_one() -> None:
    """What a paused owner announces late is not believed, and the owner repeats what is true."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            a.doubted(PARTITION)
            await asyncio.sleep(1)
            house.said.clear()
            a.announced(PARTITION, Owner(1, "late"))
            assert a.owners[PARTITION] == Owner(2, "a")
            await asyncio.sleep(5)
            assert house.said == [(PARTITION, Owner(2, "a"))]

    play(story)


def test_announcements_that_are_read_again_lead_to_no_more() -> None:
    """However many old ones come before the last, an owner that hears itself last repeats nothing."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            a.doubted(PARTITION)
            await asyncio.sleep(2)
            house.said.clear()
            for owner in (*[Owner(1, "late")] * 1000, Owner(2, "a")):
                a.announced(PARTITION, owner)
            await asyncio.sleep(5)
            assert not house.said

    play(story)


def test_an_announcement_that_was_lost_is_repeated() -> None:
    """An owner announces until it hears itself."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            house.deaf = True
            a.assigned({PARTITION})
            await asyncio.sleep(5)
            assert PARTITION not in b.owners
            house.deaf = False
            await asyncio.sleep(2)
            assert b.owners[PARTITION] == Owner(1, "a")
            house.said.clear()
            await asyncio.sleep(5)
            assert not house.said

    play(story)


def test_damage_closes_one_partition_for_good() -> None:
    """M34: a partition that lacks what an anchor has seen is not claimed again: an alarm; the others are served."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            house.anchors.positions[PARTITION] = Position(3, 7, bytes(32))
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            house.anchors.positions.clear()
            a.assigned({PARTITION, OTHER})
            await asyncio.sleep(10)
            assert (a.writer(PARTITION) is None, a.writer(OTHER) is None) == (True, False)
            assert [partition for partition, _ in house.halted] == [PARTITION] == list(a.halted)

    play(story)


def test_anchors_that_cannot_be_read_now_are_waited_for() -> None:
    """Without them nobody knows what the log must have, so nothing is opened; it is an alarm, and passes."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            house.anchors.unreadable = True
            a.assigned({PARTITION})
            await asyncio.sleep(10)
            assert a.writer(PARTITION) is None
            assert set(house.alarms) == {f"partition {PARTITION} is not opened: too many open files"}
            house.anchors.unreadable = False
            await asyncio.sleep(5)
            assert a.writer(PARTITION)

    play(story)


def test_a_mistake_in_snapshots_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are a cache: what goes wrong with them is an alarm, and the partition is served."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            a.assigned({PARTITION})
            await asyncio.sleep(1)
            monkeypatch.setattr(SnapshotShelf, "land", None)
            await asyncio.sleep(70)
            assert [alarm[:42] for alarm in house.alarms] == [f"no more snapshots are taken of partition {PARTITION}"]
            assert a.writer(PARTITION)

    play(story)


def test_what_is_served_is_anchored_and_kept_in_snapshots() -> None:
    """Positions go to the anchors every 5 s, states to the snapshots every minute; the next owner uses both."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            writer = await given(a)
            await opened(writer)
            await asyncio.sleep(70)
            assert house.anchors.positions == {PARTITION: writer.position}
            assert "account/P1" in house.snapshots.entries[PARTITION]
            other = await given(b)
            assert cents_of(other) == 100

    play(story)


def test_who_replays_takes_no_snapshot_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a claim was read back, the owner before may take some, of states that are later than those of a replay."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a, house.dealer("b") as b:
            writer = await given(a)
            await opened(writer)
            last = writer.position.sequence
            monkeypatch.setattr(snapshots, "PASS_RECORDS", last)
            b.assigned({PARTITION})
            await asyncio.sleep(1)
            kept = house.snapshots.entries[PARTITION]
            assert {sequence for sequence, _ in kept.values()} == {last + 1}

    play(story)


def test_a_dealer_that_ends_gives_everything_up() -> None:
    """After `run` nothing is served, whatever is given then; another dealer finds what was acknowledged."""

    async def story(house: House) -> None:
        async with house.dealer("a") as a:
            writer = await given(a)
            await opened(writer)
        a.assigned({PARTITION})
        await asyncio.sleep(1)
        assert a.writer(PARTITION) is None
        async with house.dealer("b") as b:
            writer = await given(b)
            assert cents_of(writer) == 100

    play(story)
