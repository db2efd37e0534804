"""Reading the log in Kafka keeps the reading half of the contract of logs (`contract.py`), whatever the broker does.

The contract's own suite runs over the adapter that also appends; here are the cases that only Kafka has.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from msgspec.structs import replace

from deploy.kafka.cluster import HOST, Cluster
from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.kafka import pages as module
from services.eventlog.kafka.pages import KafkaReader, Pages
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import Stored
from tests.services.kafka.clients import processor_seconds
from tests.services.kafka.houses import PARTITIONS, new_house, put
from tests.services.kafka.proxy import Proxy

RECORDS = [bytes([number]) * 100 for number in range(30)]


@pytest.fixture
def house(own_kafka: Cluster) -> KafkaSettings:
    """A house with some records in its first partition, in a broker whose files are at hand."""
    settings = new_house(own_kafka.bootstrap)
    put(settings, 0, *RECORDS)
    return settings


@pytest.fixture
def opened() -> Iterator[Callable[[KafkaSettings], Pages]]:
    """Open the pages of a house, and close them in the end."""
    made: list[Pages] = []

    def open_pages(settings: KafkaSettings) -> Pages:
        made.append(Pages(settings))
        return made[-1]

    yield open_pages
    for pages in made:
        pages.close()


@pytest.fixture
def pages(house: KafkaSettings, opened: Callable[[KafkaSettings], Pages]) -> Pages:
    """The pages of the house."""
    return opened(house)


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let answers come within half a second."""
    monkeypatch.setattr(module, "ANSWER_MS", 500)


def test_pages_are_read_from_anywhere_and_repeat(pages: Pages) -> None:
    """LOG-11: from each offset come the records from there on, as many as were asked for."""
    whole = [Stored(offset, stored) for offset, stored in enumerate(RECORDS)]
    assert pages.read(0, 0, 1000) == whole
    for offset in (0, 29, 4, 5, 6, 0):
        assert pages.read(0, offset, 3) == whole[offset : offset + 3]


def test_partitions_are_read_in_turn(house: KafkaSettings, pages: Pages) -> None:
    """LOG-4: pages of one partition do not disturb those of another, and each is fetched once."""
    put(house, 1, *RECORDS[::-1])
    turns = [pages.read(partition, offset, 10) for offset in (0, 10, 20) for partition in (0, 1)]
    assert [each.stored for page in turns[::2] for each in page] == RECORDS
    assert [each.stored for page in turns[1::2] for each in page] == RECORDS[::-1]
    assert [len(ahead.records) for ahead in pages._ahead.values()] == [30, 30]  # noqa: SLF001 - nobody else can tell.


def test_the_end_moves_with_the_records(house: KafkaSettings, pages: Pages) -> None:
    """LOG-10, LOG-14: the end is behind all that was acknowledged, and what came since is read."""
    assert [pages.end(partition) for partition in range(PARTITIONS)] == [30, 0, 0]
    assert pages.read(0, 30, 5) == []
    put(house, 0, b"next")
    assert pages.end(0) == 31
    assert pages.read(0, 30, 5) == [Stored(30, b"next")]


def test_behind_the_end_the_log_is_corrupt(pages: Pages) -> None:
    """LOG-12: at the end there is nothing, behind it the log has lost what somebody read."""
    assert pages.read(2, 0, 5) == []
    with pytest.raises(LogCorruptError, match=r"corrupt at offset 30: .* somebody has read to 31"):
        pages.read(0, 31, 5)


def test_a_record_without_a_value_is_empty(house: KafkaSettings, pages: Pages) -> None:
    """T-KAF-3: a tombstone is handed on as no bytes, which are no envelope."""
    put(house, 1, None)
    assert pages.read(1, 0, 5) == [Stored(0, b"")]


@pytest.mark.parametrize("copies", [0, 1], ids=["at the end", "before a record"])
def test_marks_of_transactions_are_passed_over(house: KafkaSettings, pages: Pages, copies: int) -> None:
    """No dealer makes any; where somebody has, a partition can be read to its end all the same."""
    producer = KafkaProducer(bootstrap_servers=house.bootstrap, transactional_id=house.house)
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(house.events, b"marked", partition=1)
    producer.commit_transaction()
    producer.close()
    put(house, 1, *[b"next"] * copies)
    assert pages.end(1) == 2 + copies
    assert pages.read(1, 0, 1) == [Stored(0, b"marked")]
    assert pages.read(1, 1, 5) == [Stored(2, b"next")] * copies


def test_a_full_batch_is_read(house: KafkaSettings, pages: Pages) -> None:
    """T-KAF-5: records of any size that the topic takes come through."""
    large = bytes(1_000_000)
    put(house, 1, large, b"small", large, large)
    assert [len(pages.read(1, offset, 1)[0].stored) for offset in range(4)] == [1_000_000, 5, 1_000_000, 1_000_000]


def test_what_is_deleted_is_missed(house: KafkaSettings, pages: Pages) -> None:
    """I1, F13: whoever reads from the beginning of a log whose beginning is gone is told so, and not what follows."""
    admin = KafkaAdminClient(bootstrap_servers=house.bootstrap)
    admin.delete_records({TopicPartition(house.events, 0): 10})
    admin.close()
    with pytest.raises(LogCorruptError, match="partition 0 is corrupt at offset 0"):
        pages.read(0, 0, 5)
    assert pages.read(0, 10, 1) == [Stored(10, RECORDS[10])]


def test_damage_halts_where_it_is(own_kafka: Cluster, house: KafkaSettings, pages: Pages) -> None:
    """F13, A1 fact 3: behind a flipped bit nothing is read, however often it is asked for, and the rest still is."""
    for stored in (b"first", b"second", b"third"):
        put(house, 1, stored)
    segment = own_kafka.nodes[0].data / f"{house.events}-1/00000000000000000000.log"
    with segment.open("r+b") as file:
        file.seek(segment.read_bytes().index(b"second"))
        file.write(b"S")
    with processor_seconds(20):
        for _ in range(3):
            assert pages.read(1, 0, 5) == [Stored(0, b"first")]
            with pytest.raises(LogCorruptError, match="partition 1 is corrupt at offset 1"):
                pages.read(1, 1, 5)
            assert len(pages.read(0, 0, 5)) == 5


def test_damage_is_not_waited_for_elsewhere(own_kafka: Cluster, house: KafkaSettings, pages: Pages) -> None:
    """A1 fact 3: a consumer that has met damage in one partition reads others, and back, and never spins."""
    for stored in (b"first", b"second"):
        put(house, 1, stored)
    segment = own_kafka.nodes[0].data / f"{house.events}-1/00000000000000000000.log"
    content = segment.read_bytes()
    segment.write_bytes(content.replace(b"second", b"Second"))
    with processor_seconds(20):
        assert pages.read(1, 0, 5) == [Stored(0, b"first")]
        assert len(pages.read(0, 0, 5)) == 5
        with pytest.raises(LogCorruptError, match="offset 1"):
            pages.read(1, 1, 5)


def test_silence_is_no_damage(
    kafka_proxy: Proxy,
    house: KafkaSettings,
    opened: Callable[[KafkaSettings], Pages],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """F10: a network that swallows everything makes the log unavailable; when it heals, reading goes on."""
    impatient(monkeypatch)
    pages = opened(replace(house, bootstrap=f"{HOST}:{kafka_proxy.port}"))
    assert pages.read(0, 0, 10) == [Stored(offset, RECORDS[offset]) for offset in range(10)]
    kafka_proxy.black_hole()
    with pytest.raises(LogUnavailableError):
        pages.end(0)
    kafka_proxy.heal()
    assert pages.read(0, 10, 1) == [Stored(10, RECORDS[10])]


def test_a_missing_log_is_unavailable(
    house: KafkaSettings, opened: Callable[[KafkaSettings], Pages], monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-KAF-1: a topic or a partition that nobody made is not made by reading it."""
    impatient(monkeypatch)
    for settings, partition in ((replace(house, house="nobody"), 0), (house, PARTITIONS)):
        with pytest.raises(LogUnavailableError):
            opened(settings).read(partition, 0, 1)


def test_attempts_in_vain_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """F27: kafka-python leaves a thread behind for each client that finds no broker; ours do not."""
    monkeypatch.setattr(module, "REPLAY", module.REPLAY | {"bootstrap_timeout_ms": 200})
    before = threading.active_count()
    with socket.create_server((HOST, 0)) as silent:
        nowhere = KafkaSettings(bootstrap=f"{HOST}:{silent.getsockname()[1]}", house="nowhere")
        for _ in range(3):
            with pytest.raises(LogUnavailableError, match="Unable to bootstrap"):
                Pages(nowhere).end(0)
    within = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < within:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_reader_keeps_the_contract_of_closing(house: KafkaSettings) -> None:
    """LOG-16: it reads until it is closed, then says so, and may be closed twice."""

    async def story() -> None:
        reader = KafkaReader(house)
        assert len(await reader.read(0, 0, await reader.end(0))) == len(RECORDS)
        for _ in range(2):
            await reader.close()
            with pytest.raises(LogUnavailableError, match="the log is closed"):
                await reader.end(0)

    asyncio.run(story())
