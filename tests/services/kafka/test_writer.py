"""A writer on the log in Kafka: it opens, serves, is opened again, and is replaced."""

from __future__ import annotations

import asyncio

import pytest

from services.eventlog.envelope import header_of
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import FencedError, UnavailableError
from services.eventlog.writer import PartitionWriter
from tests.services.eventlog.owners import ask, cents_of, deposit, nobody, opened, owned, until_serving, world_of
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.kafka.worlds import new_house, serve_house


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """A house without records."""
    return new_house(kafka_bootstrap)


def test_a_writer_serves_and_is_opened_again(house: KafkaSettings) -> None:
    """I1: what was acknowledged is there, in another process of the log too, and requests that come again are known."""

    async def first(log: KafkaLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            await asyncio.gather(*(ask(writer, f"d{number}", deposit(1)) for number in range(50)))

    async def second(log: KafkaLog) -> None:
        async with owned(log) as writer:
            await asyncio.gather(*(ask(writer, f"d{number}", deposit(1)) for number in range(51)))
            assert cents_of(writer) == 151

    serve_house(house, first)
    serve_house(house, second)


def test_a_writer_is_replaced(house: KafkaSettings) -> None:
    """I14, M10: another dealer takes over with all that counts; the first is told, and acknowledges nothing more."""

    async def story(log: KafkaLog) -> None:
        writer = PartitionWriter(world_of(log), HOUSE, PARTITION, nobody)
        running = asyncio.create_task(writer.run())
        await until_serving(writer, running)
        await opened(writer)
        other = KafkaLog(house, header_of)
        async with owned(other) as successor:
            assert cents_of(successor) == 100
            with pytest.raises(UnavailableError):
                await ask(writer, "late", deposit(1))
            with pytest.raises(FencedError):
                await running
            assert cents_of(successor) == 100
        await other.close()

    serve_house(house, story)


def test_the_log_can_be_replayed(house: KafkaSettings) -> None:
    """A reader beside the dealer comes to the same position, record by record."""

    async def story(log: KafkaLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            reader, found = KafkaReader(house), list[Counted]()
            replay = PartitionReader(reader, HOUSE, PARTITION)
            await replay.read_on(await reader.end(PARTITION), found.append)
            await reader.close()
            assert replay.position == writer.position
            assert [each.envelope.command_id for each in found] == ["", "open", "first"]

    serve_house(house, story)
