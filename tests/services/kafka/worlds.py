"""Houses in a real Kafka, as the tests of the log use them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias
from uuid import uuid4

from services.eventlog import envelope
from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka import topics
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import Acknowledged, HeaderOf, Outcome
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of
from tests.services.eventlog.worlds import last

PARTITIONS: Final = 8
CLAIM_SECONDS_MAX: Final = 60
AGAIN_SECONDS: Final = 0.1

Story: TypeAlias = Callable[[KafkaLog], Coroutine[Any, Any, None]]


def new_house(bootstrap: str, partitions: int = PARTITIONS) -> KafkaSettings:
    """Make the topics of a house, and return how to get there; all houses have one name, as the tests' records want."""
    settings = KafkaSettings(bootstrap=bootstrap, house=HOUSE, prefix=f"{uuid4()}.")
    topics.create(settings, partitions, replication=1)
    return settings


class KafkaWorld:
    """A house of its own."""

    def __init__(self, bootstrap: str) -> None:
        """Make its topics."""
        self.settings = new_house(bootstrap)

    def open(self) -> KafkaLog:
        """See `World.open`."""
        return KafkaLog(self.settings, header_of)

    def open_reader(self) -> KafkaReader:
        """See `World.open_reader`."""
        return KafkaReader(self.settings)

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """See `World.run`."""
        asyncio.run(story)


def in_house(settings: KafkaSettings, story: Story, header_of: HeaderOf = header_of) -> None:
    """Let a story happen to the log of a house."""

    async def whole() -> None:
        log = KafkaLog(settings, header_of)
        try:
            await story(log)
        finally:
            await log.close()

    asyncio.run(whole())


def serve_house(settings: KafkaSettings, story: Story) -> None:
    """Let a story happen to the log of a house whose records are the dealer's own."""
    in_house(settings, story, envelope.header_of)


async def claimed_again(log: KafkaLog) -> Pen:
    """Claim until a claim counts, as a writer does after an unknown outcome, and return its pen."""
    async with asyncio.timeout(CLAIM_SECONDS_MAX):
        while True:
            with contextlib.suppress(LogUnavailableError):
                pen = Pen(await last(log), "again")
                if isinstance(await outcome(log, pen.claim()), Acknowledged):
                    return pen
            await asyncio.sleep(AGAIN_SECONDS)


async def outcome(log: KafkaLog, stored: bytes) -> Outcome:
    """Append a record, and return what became of it."""
    (found,) = await log.append(PARTITION, [stored])
    return found
