"""A house of its own for each test: its topics in Kafka, and records put there by hand."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.topics import create
from tests.services.kafka.clients import ACKNOWLEDGED_SECONDS_MAX, producing

PARTITIONS: Final = 3


def new_house(bootstrap: str, partitions: int = PARTITIONS, replication: int = 1) -> KafkaSettings:
    """Make the topics of a house that no other test knows."""
    settings = KafkaSettings(bootstrap=bootstrap, house=f"house-{uuid4().hex[:12]}")
    create(settings, partitions, replication)
    return settings


def put(settings: KafkaSettings, partition: int, *records: bytes | None) -> None:
    """Append records to the log, whatever they are."""
    with producing(settings.bootstrap, max_request_size=2_000_000) as producer:
        sent = [producer.send(settings.events, stored, key=b"", partition=partition) for stored in records]
        for future in sent:
            future.get(ACKNOWLEDGED_SECONDS_MAX)
