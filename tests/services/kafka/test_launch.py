"""The launcher of Kafka, as somebody types it, and what it says when it cannot do what it is asked for."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from deploy.kafka import launch
from deploy.kafka.cluster import HOST, Cluster, Node
from deploy.kafka.launch import KafkaMissingError, KafkaNotStartedError, main, start, stop, within
from tests.services.kafka.clients import append, new_topic, producing, read
from tests.services.kafka.plugin import PORT_LAST, free_port

DIE_SECONDS_MAX = 30
PORT = PORT_LAST - 1000
PORTS_PER_WORKER = 100


@pytest.fixture
def place(own_kafka: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A work folder of its own, with the jars that are there already; what runs in it is stopped at the end."""
    (tmp_path / "jars").symlink_to(own_kafka.folder.parent / "jars")
    monkeypatch.setattr(launch, "WORK", tmp_path)
    yield tmp_path
    stop(tmp_path / "nodes-1")


@pytest.fixture
def port(worker_id: str) -> int:
    """A port that no other worker chooses."""
    number = int(worker_id.removeprefix("gw")) if worker_id != "master" else 0
    return free_port(PORT + number * PORTS_PER_WORKER)


@pytest.fixture
def lonely_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of one empty folder."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def type_in(*arguments: str) -> str:
    """Run the command, which succeeds, and return what it says."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def place_script(path: Path, *lines: str) -> None:
    """Write a program."""
    path.write_text("\n".join(("#!/bin/sh", *lines)))
    path.chmod(0o755)


def test_start_prints_the_address_and_stop_ends_it(place: Path, port: int) -> None:
    """`start` prints what KAFKA_BOOTSTRAP must be, a second one finds it running, `stop` ends it once."""
    address = f"KAFKA_BOOTSTRAP={HOST}:{port}\n"
    assert type_in("start", "--port", str(port)).endswith(address)
    assert type_in("start", "--port", str(port)) == f"Kafka runs already.\n{address}"
    assert type_in("stop") == "Kafka stopped.\n"
    assert type_in("stop") == "No Kafka runs here.\n"
    assert not Node(1, place / "nodes-1/node1", 0, 0).runs()


def test_killed_broker_starts_again_with_its_records(place: Path, port: int) -> None:
    """F8: a broker that was killed does not count as running, and its records are there when it starts again."""
    cluster = Cluster(place / "nodes-1", port=port)
    (node,) = cluster.nodes
    assert start(cluster) == 1
    topic = new_topic(cluster.bootstrap)
    with producing(cluster.bootstrap) as producer:
        append(producer, topic, b"first")
    os.kill(node.pid, signal.SIGKILL)
    assert within(DIE_SECONDS_MAX, lambda: not node.runs())
    assert start(cluster) == 1
    assert read(cluster.bootstrap, topic) == [b"first"]


def test_broker_that_ends_early_is_quoted(place: Path, port: int) -> None:
    """A broker that ends before it is ready is an error with the last lines of its log, and nothing is left behind."""
    cluster = Cluster(place / "nodes-1", port=port)
    (node,) = cluster.nodes
    node.data.mkdir(parents=True)
    (node.data / "meta.properties").write_text("version=1\ncluster.id=another\nnode.id=2\n")
    with pytest.raises(KafkaNotStartedError, match=r"(?s)node 1 ended by itself.*Stored node id 2 doesn't match"):
        start(cluster)
    assert not node.runs()


def test_port_in_use_is_named(place: Path) -> None:
    """A port at which somebody listens is named before anything is started."""
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["start", "--port", str(port)])
    assert result.exit_code == 1
    assert f"Port {port} is in use" in result.output
    assert not (place / "nodes-1/node1").exists()


def test_running_cluster_is_left_alone(own_kafka: Cluster) -> None:
    """A cluster that runs is not started again."""
    assert start(own_kafka) == 0


def test_other_settings_are_refused(own_kafka: Cluster) -> None:
    """A cluster that runs with other ports or listeners is not taken for the one that is asked for."""
    with pytest.raises(KafkaNotStartedError, match="runs already, but with other settings"):
        start(msgspec.structs.replace(own_kafka, proxied=0))


def test_missing_java_is_named(lonely_path: Path) -> None:
    """Without Java the error says which is needed and where it was looked for."""
    with pytest.raises(KafkaMissingError, match="Java 17 or newer is needed, and the PATH has none"):
        start(Cluster(lonely_path / "nodes-1"))


def test_old_java_is_no_java(lonely_path: Path) -> None:
    """A Java that is too old does not count."""
    place_script(lonely_path / "java", """echo 'openjdk version "11.0.22" 2024-01-16' >&2""")
    with pytest.raises(KafkaMissingError, match="Java 17 or newer is needed"):
        start(Cluster(lonely_path / "nodes-1"))


def test_java_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JAVA_HOME decides; the PATH is not asked then."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(KafkaMissingError, match=f"JAVA_HOME={tmp_path} has none"):
        start(Cluster(tmp_path / "nodes-1"))


def test_missing_maven_is_named(lonely_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Maven and without jars the error says that Maven is needed."""
    monkeypatch.setattr(launch, "WORK", lonely_path)
    place_script(lonely_path / "java", """echo 'openjdk version "17.0.1"' >&2""")
    with pytest.raises(KafkaMissingError, match="Maven is needed to fetch Kafka"):
        start(Cluster(lonely_path / "nodes-1"))


def test_failure_of_maven_is_quoted(lonely_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Maven says when it fails is in the error, and no half-filled folder is taken for the jars."""
    monkeypatch.setattr(launch, "WORK", lonely_path)
    place_script(lonely_path / "java", """echo 'openjdk version "17.0.1"' >&2""")
    place_script(lonely_path / "mvn", "echo 'no route to host'", "exit 1")
    with pytest.raises(KafkaMissingError, match="Maven could not fetch Kafka: no route to host"):
        start(Cluster(lonely_path / "nodes-1"))
    assert not (lonely_path / "jars").exists()
