"""The topics of a house are made and compared as `trust.md` section 6 says (T-KAF-1)."""

from __future__ import annotations

from uuid import uuid4

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource
from msgspec.structs import replace

from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka import topics
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.topics import Difference
from tests.services.kafka.houses import PARTITIONS, new_house


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """A house with its topics."""
    return new_house(kafka_bootstrap)


def altered(settings: KafkaSettings, name: str, value: str) -> list[Difference]:
    """Return the differences when somebody has altered a setting of the events."""
    admin = KafkaAdminClient(bootstrap_servers=settings.bootstrap)
    admin.alter_configs([ConfigResource("topic", settings.events, {name: value})])
    admin.close()
    return topics.differences(settings, PARTITIONS, 1)


def test_what_was_made_is_as_wanted(house: KafkaSettings) -> None:
    """T-KAF-1: topics that were made differ in nothing, are made once, and tell how many partitions there are."""
    assert topics.differences(house, PARTITIONS, 1) == []
    assert topics.create(house, PARTITIONS, 1) == []
    assert topics.partitions_of(house) == PARTITIONS


def test_only_what_is_missing_is_made(kafka_bootstrap: str) -> None:
    """T-KAF-1: each topic that is missing is named and made."""
    house = KafkaSettings(bootstrap=kafka_bootstrap, house=f"house-{uuid4().hex[:12]}")
    names = [house.events, house.owners, house.snapshots]
    assert [each.where for each in topics.differences(house, 1, 1) if each.found == "missing"] == names
    assert topics.create(house, 1, 1) == names


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cleanup.policy", "compact"),
        ("retention.ms", "604800000"),
        ("retention.bytes", "1000000000"),
        ("max.message.bytes", "1000"),
        ("message.timestamp.type", "LogAppendTime"),
        ("message.timestamp.after.max.ms", "9223372036854775807"),
        ("min.insync.replicas", "2"),
        ("unclean.leader.election.enable", "true"),
    ],
)
def test_each_setting_that_differs_is_found(house: KafkaSettings, name: str, value: str) -> None:
    """T-KAF-1: whatever somebody alters is named, with what it is and what it must be."""
    right = topics.wanted(house, PARTITIONS, 1)[house.events].configs[name]
    assert altered(house, name, value) == [Difference(house.events, name, value, right)]


def test_numbers_that_differ_are_found(house: KafkaSettings) -> None:
    """T-KAF-1: partitions, replication, and the sync that a single broker in production needs."""
    found = {each.setting for each in topics.differences(house, 16, 3, flush=True) if each.where == house.events}
    assert found == {"partitions", "replication", "min.insync.replicas", "flush.messages"}


@pytest.mark.parametrize(("replication", "in_sync"), [(1, "1"), (3, "2")])
def test_most_replicas_are_in_sync(house: KafkaSettings, replication: int, in_sync: str) -> None:
    """T-KAF-1: two of three replicas have a record before it is acknowledged."""
    plan = topics.wanted(house, replication=replication)
    assert {topic.configs["min.insync.replicas"] for topic in plan.values()} == {in_sync}


def test_a_log_that_is_not_there_is_named(house: KafkaSettings) -> None:
    """A house that has no topics is unavailable, with the name of the topic."""
    with pytest.raises(LogUnavailableError, match=r"there is no topic nobody\.events"):
        topics.partitions_of(replace(house, house="nobody"))
