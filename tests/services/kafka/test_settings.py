"""T-KAF-1: what the deployment files of Kafka must say, in one table, and that they say the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from kafka.errors import KafkaTimeoutError

from deploy.kafka.cluster import HERE, HOST, Cluster, settings
from deploy.kafka.launch import CLUSTER_ID
from services.eventlog.ports import RECORD_BYTES_MAX
from tests.services.kafka.clients import append, new_topic, producing

DURABLE = {
    "auto.create.topics.enable": "false",
    "log.cleanup.policy": "delete",
    "log.message.timestamp.after.max.ms": "3600000",
    "log.message.timestamp.type": "CreateTime",
    "log.retention.bytes": "-1",
    "log.retention.ms": "-1",
    "message.max.bytes": "1048576",
    "unclean.leader.election.enable": "false",
}
PLACES = {
    "advertised.listeners",
    "controller.quorum.voters",
    "listener.security.protocol.map",
    "listeners",
    "log.dirs",
}
BATCH_BYTES_MAX = 512 * 1024


def of_nodes(size: int) -> list[dict[str, str]]:
    """Return the settings of each node of a cluster."""
    cluster = Cluster(Path("nodes"), size, proxied=2)
    return [dict(re.findall(r"^([a-z.]+)=(.*)$", settings(cluster, node), re.MULTILINE)) for node in cluster.nodes]


def composed() -> dict[str, Any]:
    """Return the only service of the compose file."""
    service: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text())["services"]["kafka"]
    return service


@pytest.mark.parametrize(("size", "in_sync"), [(1, "1"), (3, "2")])
def test_settings_are_durable(size: int, in_sync: str) -> None:
    """T-KAF-1: every record on every node, most of them in sync, no unclean election, nothing deleted by age."""
    wanted = DURABLE | {"min.insync.replicas": in_sync, "default.replication.factor": str(size)}
    for node in of_nodes(size):
        assert wanted.items() <= node.items()


def test_nodes_listen_on_loopback_only() -> None:
    """T-KAF-4: what listens without encryption listens on loopback, also what is told to clients."""
    for node in of_nodes(3):
        addresses = ",".join(node[name] for name in ("listeners", "advertised.listeners", "controller.quorum.voters"))
        assert set(re.findall(r"[/@]([\d.]+):\d+", addresses)) == {HOST}


def test_proxied_listeners_are_advertised_where_a_proxy_stands() -> None:
    """F10: each proxied listener tells clients the port of its proxy, and nothing else is told another port."""
    (node,) = of_nodes(1)
    assert node["listeners"] == (
        "PLAINTEXT://127.0.0.1:9092,PROXY1://127.0.0.1:9094,PROXY2://127.0.0.1:9096,CONTROLLER://127.0.0.1:9093"
    )
    assert node["advertised.listeners"] == (
        "PLAINTEXT://127.0.0.1:9092,PROXY1://127.0.0.1:9095,PROXY2://127.0.0.1:9097"
    )


def test_container_has_the_same_settings() -> None:
    """T-KAF-1: the container is told all that the template says, but for the places."""
    environment = composed()["environment"]
    said = {name[6:].lower().replace("_", "."): value for name, value in environment.items() if name != "CLUSTER_ID"}
    (node,) = of_nodes(1)
    assert said.keys() == node.keys() | {"heap.opts"}
    assert {name: said[name] for name in node if name not in PLACES} == {
        name: value for name, value in node.items() if name not in PLACES
    }
    assert environment["CLUSTER_ID"] == CLUSTER_ID


def test_container_is_pinned_to_the_version_of_the_jars() -> None:
    """T-KAF-1: every image has an exact version, and Kafka's is that of `pom.xml`."""
    version = re.search(r"kafka_2.13</artifactId>\s*<version>(\d+\.\d+\.\d+)</version>", (HERE / "pom.xml").read_text())
    assert version is not None
    assert composed()["image"] == f"apache/kafka:{version[1]}"


def test_container_publishes_on_loopback_only() -> None:
    """T-KAF-4: the container's listener without encryption is published on loopback."""
    assert all(port.startswith(f"{HOST}:") for port in composed()["ports"])


def test_jars_are_pinned() -> None:
    """`trust.md` section 10: every version in `pom.xml` is exact, and it names no place to fetch from."""
    pom = (HERE / "pom.xml").read_text()
    versions = re.findall(r"</artifactId>\s*<version>(.*)</version>", pom)
    assert all(re.fullmatch(r"\d+(\.\d+)*", version) for version in versions)
    assert len(versions) == pom.count("<artifactId>")
    assert "repositor" not in pom


def test_full_batch_of_largest_records_is_taken(own_kafka: Cluster) -> None:
    """T-KAF-5: the broker takes a batch as large as the group commit makes it, of records as large as they may be."""
    topic = new_topic(own_kafka.bootstrap)
    with producing(
        own_kafka.bootstrap, batch_size=BATCH_BYTES_MAX, max_request_size=1_000_000, linger_ms=200
    ) as producer:
        sent = [producer.send(topic, bytes(RECORD_BYTES_MAX), partition=0) for _ in range(7)]
        assert [record.get(30).offset for record in sent] == list(range(7))


def test_topics_are_not_made_by_mistake(own_kafka: Cluster) -> None:
    """T-KAF-1: the broker makes no topic because somebody writes to it."""
    with producing(own_kafka.bootstrap, max_block_ms=1000) as producer, pytest.raises(KafkaTimeoutError):
        append(producer, "no-such-topic", b"first")
