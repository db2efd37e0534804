"""The log in Kafka does what only Kafka's log can: it judges from where it was told, and tells of other writers."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Final

import pytest

from deploy.kafka.cluster import Cluster
from services.eventlog.judge import Corrupt, Void, genesis
from services.eventlog.kafka.calls import UNDER_WAY_RECORDS_MAX
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import BATCH_BYTES, KafkaSettings
from services.eventlog.ownership import Ownership
from services.eventlog.ports import Acknowledged, Bookmark, Unknown
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of
from tests.services.eventlog.worlds import acknowledged, counted, last, opened
from tests.services.kafka.houses import put
from tests.services.kafka.worlds import in_house, new_house, outcome

GARBAGE: Final = b"\xff no record"
HEARD_SECONDS_MAX: Final = 20
BEFORE_LENGTH: Final = 8
LENGTH: Final = 4
"""A batch in Kafka's files begins with its offset; then comes how long it is."""


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """A house without records."""
    return new_house(kafka_bootstrap)


def flip_in_head(segment: Path) -> None:
    """Damage the length of the second batch in a file of the broker."""
    content = bytearray(segment.read_bytes())
    second = BEFORE_LENGTH + LENGTH + int.from_bytes(content[BEFORE_LENGTH : BEFORE_LENGTH + LENGTH], "big")
    content[second + BEFORE_LENGTH : second + BEFORE_LENGTH + LENGTH] = bytes(LENGTH)
    segment.write_bytes(content)


class Told(Ownership):
    """Notes of which partitions it was told that something there is another's."""

    def __init__(self) -> None:
        """Begin with none."""
        self.partitions: list[int] = []
        self.heard = asyncio.Event()

    def doubted(self, partition: int) -> None:
        """Note it."""
        self.partitions.append(partition)
        self.heard.set()


def test_what_was_read_already_is_not_judged_again(house: KafkaSettings) -> None:
    """The log goes on behind the bookmark of the writer: what is damaged before it was its reader's business."""
    pen = Pen()
    put(house, PARTITION, GARBAGE, pen.claim())

    async def story(log: KafkaLog) -> None:
        log.follow(PARTITION, Bookmark(pen.at, 1))
        assert acknowledged(await log.append(PARTITION, [pen.record(), pen.record()])) == [True, True]

    in_house(house, story)


def test_without_a_bookmark_all_is_judged(house: KafkaSettings) -> None:
    """LOG-6: bytes that are no record make the partition corrupt, and it stays so."""
    pen = Pen()
    put(house, PARTITION, GARBAGE, pen.claim())

    async def story(log: KafkaLog) -> None:
        for _ in range(2):
            found = await outcome(log, pen.record())
            assert isinstance(found, Corrupt)
            assert "offset 0 cannot be read" in found.why
        assert acknowledged(await log.append(0, [])) == []

    in_house(house, story)


def test_damage_stays_in_its_partition(house: KafkaSettings) -> None:
    """LOG-4: the others are appended to."""
    put(house, 0, GARBAGE)

    async def story(log: KafkaLog) -> None:
        (found,), _ = await asyncio.gather(log.append(0, [Pen().claim()]), opened(log))
        assert isinstance(found, Corrupt)
        assert isinstance(await outcome(log, Pen(await last(log)).claim()), Acknowledged)

    in_house(house, story)


def test_damage_of_which_no_place_is_told_stays_in_its_partition(own_kafka: Cluster) -> None:
    """LOG-4: so it is with the head of a batch; the broker says only that something cannot be read."""
    house, pen = new_house(own_kafka.bootstrap), Pen(genesis(HOUSE, 0))
    put(house, 0, pen.claim())
    put(house, 0, pen.record())
    flip_in_head(own_kafka.nodes[0].data / f"{house.events}-0/00000000000000000000.log")

    async def story(log: KafkaLog) -> None:
        (found,), healthy = await asyncio.gather(log.append(0, [pen.claim()]), opened(log))
        assert isinstance(found, Corrupt)
        healthy = Pen(healthy.at, "next")
        assert isinstance(await outcome(log, healthy.claim()), Acknowledged)

    in_house(house, story)


def test_another_writer_is_told_of(house: KafkaSettings) -> None:
    """A claim of another writer is told at once, though nothing is under way; what is appended late is void."""

    async def story(log: KafkaLog) -> None:
        old, log.ownership = await opened(log), Told()
        rival = KafkaLog(house, header_of)
        new = Pen(old.at, "new")
        assert isinstance(await outcome(rival, new.claim()), Acknowledged)
        await asyncio.wait_for(log.ownership.heard.wait(), HEARD_SECONDS_MAX)
        assert await outcome(log, old.record()) == Void("old_epoch")
        assert isinstance(await outcome(rival, new.record()), Acknowledged)
        assert log.ownership.partitions == [PARTITION]
        await rival.close()

    in_house(house, story)


def test_who_was_fenced_may_claim_again(house: KafkaSettings) -> None:
    """A partition that rests is read on where it was."""

    async def story(log: KafkaLog) -> None:
        old, log.ownership = await opened(log), Told()
        put(house, PARTITION, Pen(old.at, "new").claim())
        await asyncio.wait_for(log.ownership.heard.wait(), HEARD_SECONDS_MAX)
        back = Pen(await last(log), "back")
        assert acknowledged(await log.append(PARTITION, [back.claim(), back.record()])) == [True, True]

    in_house(house, story)


def test_a_full_batch_is_taken(house: KafkaSettings) -> None:
    """T-KAF-5: records of the largest size that come together, more than a batch holds."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        records = [pen.record(bytes(65_000)) for _ in range(3 * BATCH_BYTES // 65_000)]
        assert all(acknowledged(await log.append(PARTITION, records)))
        assert [stored for _, stored in await counted(log)][1:] == records

    in_house(house, story)


def test_what_the_socket_does_not_take_waits(house: KafkaSettings) -> None:
    """LOG-8: many calls at once, more than the way to the log process holds, are carried out in their order."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        calls = [log.append(PARTITION, [pen.record(bytes(5000))]) for _ in range(2000)]
        assert all(all(acknowledged(outcomes)) for outcomes in await asyncio.gather(*calls))

    in_house(house, story)


@pytest.mark.parametrize(("records", "size"), [(UNDER_WAY_RECORDS_MAX + 1, 1), (1100, 64_000)])
def test_too_much_is_refused(house: KafkaSettings, records: int, size: int) -> None:
    """A1 fact 5: more than may be under way has an unknown outcome at once, nothing of it is sent."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        before = pen.at
        found = await log.append(PARTITION, [Pen(before).record(bytes(size))] * records)
        assert found == [Unknown("too much is under way")] * records
        assert await last(log) == before

    in_house(house, story)


def test_nothing_is_left_behind(house: KafkaSettings) -> None:
    """A8: a log that is closed leaves no process and no thread."""
    pids: list[int] = []
    before = threading.active_count()

    async def story(log: KafkaLog) -> None:
        await opened(log)
        pids.append(log.pid or 0)

    in_house(house, story)
    assert not Path(f"/proc/{pids[0]}").exists()
    assert threading.active_count() == before
