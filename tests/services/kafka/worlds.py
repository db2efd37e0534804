"""Houses in a real Kafka, as the tests of the log use them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final
from uuid import uuid4

from services.eventlog.kafka import topics
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.kafka.settings import KafkaSettings
from tests.services.eventlog.records import HOUSE, header_of

PARTITIONS: Final = 8


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
