"""The topics of a house, as `trust.md` section 6 wants them: made so, and compared with what a cluster has.

    events      the records, of which none is ever deleted; as many partitions as the house has, for life
    owners      compacted: which dealer serves which partition; few and small records, so one partition
    snapshots   compacted: the latest state of each aggregate, in the partition of the same number

A setting is said with the topic even where brokers have the same default, because a default is the broker's to change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, Final

import msgspec
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import (
    NoError,
    TopicAlreadyExistsError,
    TopicAuthorizationFailedError,
    UnknownTopicOrPartitionError,
    for_code,
)

from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka.clients import made
from services.eventlog.kafka.errors import said
from services.eventlog.kafka.settings import PARTITIONS, KafkaSettings

REPLICATION: Final = 3
"""How many brokers have each record in production, if there are so many."""
BATCH_BYTES_MAX: Final = 1024 * 1024
"""The largest batch that a topic takes: this limits batches, not records, and the group commit fills them."""
AHEAD_MS: Final = 3_600_000
"""A record that is stamped further ahead of the broker's clock is refused."""
SEGMENT_BYTES: Final = 64 * 1024 * 1024
"""Of a compacted topic. The segment that is written is never compacted, and whoever takes over reads all of it."""
AUTO_CREATION: Final = "auto.create.topics.enable"


class Wanted(msgspec.Struct, frozen=True):
    """How a topic must be."""

    partitions: int
    replication: int
    configs: Mapping[str, str]


MISSING: Final = Wanted(0, 0, {})
"""A topic that is not there."""


class Difference(msgspec.Struct, frozen=True):
    """Something that is not as it must be."""

    where: str
    """The topic, or the broker."""
    setting: str
    found: str | None
    """None if it may not be read."""
    wanted: str


def wanted(
    settings: KafkaSettings, partitions: int = PARTITIONS, replication: int = REPLICATION, *, flush: bool = False
) -> dict[str, Wanted]:
    """Return how each topic of a house must be.

    Args:
        settings: Whose topics.
        partitions: How many partitions the house has, for life.
        replication: How many brokers have each record.
        flush: Whether each record is synced to disk before it is acknowledged: for production with a single broker.
    """
    durable = {
        "min.insync.replicas": str(replication // 2 + 1),
        "unclean.leader.election.enable": "false",
        "message.timestamp.type": "CreateTime",
        "message.timestamp.after.max.ms": str(AHEAD_MS),
        "max.message.bytes": str(BATCH_BYTES_MAX),
        **({"flush.messages": "1"} if flush else {}),
    }
    kept = {**durable, "cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
    compacted = {**durable, "cleanup.policy": "compact", "segment.bytes": str(SEGMENT_BYTES)}
    return {
        settings.events: Wanted(partitions, replication, kept),
        settings.owners: Wanted(1, replication, compacted),
        settings.snapshots: Wanted(partitions, replication, compacted),
    }


def create(
    settings: KafkaSettings, partitions: int = PARTITIONS, replication: int = REPLICATION, *, flush: bool = False
) -> list[str]:
    """Make the topics that are missing, leave the others as they are, and return which were made.

    Raises:
        LogUnavailableError: The brokers cannot be reached, or refuse.
    """
    plan = wanted(settings, partitions, replication, flush=flush)
    with _admin(settings) as admin:
        there = _described(admin, plan)
        missing = {name: _request(topic) for name, topic in plan.items() if name not in there}
        for name, request in missing.items():
            _create(admin, name, request)
        admin.wait_for_topics(list(plan))
    return list(missing)


def brokers(settings: KafkaSettings) -> int:
    """Return how many brokers the cluster has.

    Raises:
        LogUnavailableError: None of those that are named can be reached, or they refuse.
    """
    with _admin(settings) as admin:
        return len(admin.describe_cluster()["brokers"])


def partitions_of(settings: KafkaSettings) -> int:
    """Return how many partitions a house's log has.

    Raises:
        LogUnavailableError: There is no such log, or the brokers cannot be reached, or refuse.
    """
    with _admin(settings) as admin:
        there = _described(admin, [settings.events]).get(settings.events, MISSING)
    if there is None or there is MISSING:
        why = "this user may not look at" if there is None else "there is no"
        msg = f"{settings.bootstrap}: {why} topic {settings.events}"
        raise LogUnavailableError(msg)
    return there.partitions


def differences(
    settings: KafkaSettings, partitions: int = PARTITIONS, replication: int = REPLICATION, *, flush: bool = False
) -> list[Difference]:
    """Return what is not as it must be with a house's topics, and with brokers that would make topics by themselves.

    Raises:
        LogUnavailableError: The brokers cannot be reached, or refuse.
    """
    plan = wanted(settings, partitions, replication, flush=flush)
    with _admin(settings) as admin:
        there, configs = _described(admin, plan), _configs(admin, "topic", list(plan))
        found = [
            _of_topic(name, topic, there.get(name, MISSING), configs.get(name, {})) for name, topic in plan.items()
        ]
        numbers = [str(broker["broker_id"]) for broker in admin.describe_cluster()["brokers"]]
        said_by = _configs(admin, "broker", numbers)
    rules = {AUTO_CREATION: "false"}
    found += [_of_configs(f"broker {number}", rules, said_by.get(number, {})) for number in numbers]
    return [difference for each in found for difference in each]


def _of_topic(name: str, topic: Wanted, there: Wanted | None, configs: Mapping[str, str]) -> list[Difference]:
    if there is None or there is MISSING:
        return [Difference(name, "topic", None if there is None else "missing", "there")]
    numbers = {"partitions": str(topic.partitions), "replication": str(topic.replication)}
    found = {"partitions": str(there.partitions), "replication": str(there.replication)}
    return _of_configs(name, numbers, found) + _of_configs(name, topic.configs, configs)


def _of_configs(where: str, rules: Mapping[str, str], found: Mapping[str, str]) -> list[Difference]:
    return [
        Difference(where, setting, found.get(setting), value)
        for setting, value in rules.items()
        if found.get(setting) != value
    ]


def _request(topic: Wanted) -> dict[str, Any]:
    return {
        "num_partitions": topic.partitions,
        "replication_factor": topic.replication,
        "configs": dict(topic.configs),
    }


def _create(admin: KafkaAdminClient, name: str, request: Mapping[str, Any]) -> None:
    """Make a topic, unless somebody else was quicker.

    Raises:
        LogUnavailableError: The brokers refuse.
    """
    (answer,) = admin.create_topics({name: request}, raise_errors=False)["topics"]
    error = for_code(answer["error_code"])
    if error not in {NoError, TopicAlreadyExistsError}:
        msg = f"topic {name} cannot be made: {answer['error_message'] or error.__name__}"
        raise LogUnavailableError(msg)


def _described(admin: KafkaAdminClient, names: Iterable[str]) -> dict[str, Wanted | None]:
    """Return partitions and replication of the topics that are there; None for one that may not be looked at.

    Raises:
        LogUnavailableError: The brokers cannot say.
    """
    found: dict[str, Wanted | None] = {}
    for topic in admin.describe_topics(list(names)):
        error = for_code(topic["error_code"])
        if error is NoError:
            parts = topic["partitions"]
            found[topic["name"]] = Wanted(len(parts), min(len(part["replica_nodes"]) for part in parts), {})
        elif error is TopicAuthorizationFailedError:
            found[topic["name"]] = None
        elif error is not UnknownTopicOrPartitionError:
            msg = f"topic {topic['name']} cannot be looked at: {error.__name__}"
            raise LogUnavailableError(msg)
    return found


def _configs(admin: KafkaAdminClient, kind: str, names: list[str]) -> dict[str, dict[str, str]]:
    """Return the settings of topics or brokers; none where they may not be read."""
    resources = [ConfigResource(ConfigResourceType[kind.upper()], name) for name in names]
    described = admin.describe_configs(resources, config_filter="all").get(kind, {})
    return {name: {key: value["value"] for key, value in each.items()} for name, each in described.items()}


@contextmanager
def _admin(settings: KafkaSettings) -> Iterator[KafkaAdminClient]:
    """Lend a client that may look at topics and make them.

    Raises:
        LogUnavailableError: The brokers cannot be reached, or refuse.
    """
    try:
        with closing(made(KafkaAdminClient, settings.admin())) as admin:
            yield admin
    except LogUnavailableError:
        raise
    except Exception as error:
        msg = f"{settings.bootstrap}: {said(error)}"
        raise LogUnavailableError(msg) from error
