"""Start Apache Kafka on this machine, and stop it: `make kafka`, `make kafka-stop`.

Nothing is installed. Maven fetches the jars that `pom.xml` pins, Java runs them, every address is on loopback, and all
that comes of it lies in `build/kafka`:

    jars/                        what Maven fetched
    nodes-1/node1/               a cluster of one, `make kafka`: its settings, its data, its log, its process id
    nodes-3/node1, node2, node3  a cluster of three, `make kafka NODES=3`

Starting and stopping take a lock on the cluster's folder, so whoever comes second finds the work done. Records outlive
a stop; who wants none of them deletes the cluster's folder.
"""

from __future__ import annotations

import base64
import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from deploy.kafka.cluster import HERE, HOST, PORT, Cluster, Node, settings

WORK: Final = HERE.parents[1] / "build/kafka"
CLUSTER_ID: Final = base64.urlsafe_b64encode(b"dealer-log-local").decode().rstrip("=")
JAVA_MIN: Final = 17
JVM: Final = ("-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
HEAP_MAX: Final = "-Xmx512m"
STARTED: Final = "Kafka Server started"
STARTED_LOGGER: Final = "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info"
FETCH_SECONDS_MAX: Final = 600
FORMAT_SECONDS_MAX: Final = 60
START_SECONDS_MAX: Final = 60
STOP_SECONDS_MAX: Final = 15
LOG_TAIL_LINES: Final = 15


class KafkaNotStartedError(click.ClickException):
    """Kafka did not start; the message says why and what to do."""


class KafkaMissingError(KafkaNotStartedError):
    """This machine lacks Java, Maven or the jars."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Start and stop Apache Kafka on this machine."""


@main.command("start")
@click.option("--nodes", type=click.Choice([1, 3]), default=1, show_default=True, help="How many brokers.")
@click.option("--port", type=click.IntRange(1024, 65000), default=PORT, show_default=True, help="Of the first broker.")
def start_command(nodes: int, port: int) -> None:
    """Start a cluster, or find it running, and print its address."""
    cluster = Cluster(WORK / f"nodes-{nodes}", nodes, port)
    if not start(cluster):
        say("Kafka runs already.")
    click.echo(f"KAFKA_BOOTSTRAP={cluster.bootstrap}")


@main.command("stop")
def stop_command() -> None:
    """Stop every cluster that was started here."""
    folders = {pid_file.parents[1] for pid_file in WORK.glob("*/node*/pid")}
    stopped = sum(stop(folder) for folder in folders)
    say("Kafka stopped." if stopped else "No Kafka runs here.")


def start(cluster: Cluster) -> int:
    """Start the nodes that do not run and return how many that were, when all have said that they are ready.

    Raises:
        KafkaMissingError: Java, Maven or the jars are missing.
        KafkaNotStartedError: A port is in use, the cluster runs with other settings, or a node did not get ready.
    """
    with alone_in(cluster.folder):
        wanted = [node for node in cluster.nodes if not node.runs()]
        verify_settings(cluster, [node for node in cluster.nodes if node not in wanted])
        if wanted:
            run = [find_java(), "-cp", f"{fetch_jars()}/*", *JVM]
            verify_ports(wanted)
            for node in wanted:
                prepare(run, cluster, node)
            launch(run, wanted)
    return len(wanted)


def stop(folder: Path) -> int:
    """Stop the nodes of a cluster and return how many ran; one that does not end by itself is killed."""
    with alone_in(folder):
        running = [node for node in nodes_in(folder) if node.runs()]
        for number, seconds in ((signal.SIGTERM, STOP_SECONDS_MAX), (signal.SIGKILL, STOP_SECONDS_MAX)):
            for node in filter(Node.runs, running):
                os.kill(node.pid, number)
            within(seconds, lambda: not any(node.runs() for node in running))
    return len(running)


def nodes_in(folder: Path) -> list[Node]:
    """Return the nodes of a cluster of which only the folder is known."""
    return [Node(number, path, 0, 0) for number, path in enumerate(sorted(folder.glob("node*/")), start=1)]


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process starts or stops this cluster, and keep it so."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def find_java() -> str:
    """Return the path of a Java that is new enough.

    Raises:
        KafkaMissingError: There is none.
    """
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin" if home else None)
    said = subprocess.run([java, "-version"], check=False, capture_output=True, text=True).stderr if java else ""  # noqa: S603 - constant.
    version = re.search(r'version "(\d+)', said)
    if java is None or version is None or int(version[1]) < JAVA_MIN:
        where = f"JAVA_HOME={home}" if home else "the PATH"
        msg = f"Java {JAVA_MIN} or newer is needed, and {where} has none (Debian: openjdk-17-jre-headless)"
        raise KafkaMissingError(msg)
    return java


def fetch_jars() -> Path:
    """Return the folder of Kafka's jars, filled by Maven when the list in `pom.xml` is new.

    Raises:
        KafkaMissingError: There is no Maven, or it could not fetch them.
    """
    pom, jars, fetched = HERE / "pom.xml", WORK / "jars", WORK / "jars.new"
    with alone_in(WORK):
        if (jars / pom.name).is_file() and (jars / pom.name).read_bytes() == pom.read_bytes():
            return jars
        maven = shutil.which("mvn")
        if maven is None:
            msg = "Maven is needed to fetch Kafka, and the PATH has none (Debian: maven)"
            raise KafkaMissingError(msg)
        say("Fetching Kafka with Maven ...")
        shutil.rmtree(fetched, ignore_errors=True)
        options = (f"-DoutputDirectory={fetched}", "-DincludeScope=runtime")
        command = [maven, "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", *options]
        if wrong := complete(command, FETCH_SECONDS_MAX):
            msg = f"Maven could not fetch Kafka: {wrong}"
            raise KafkaMissingError(msg)
        shutil.copy(pom, fetched)
        shutil.rmtree(jars, ignore_errors=True)
        return fetched.rename(jars)


def complete(command: list[str], seconds: int) -> str:
    """Run a command to its end and return what went wrong: nothing, or the last lines that it said."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=seconds)  # noqa: S603 - ours.
    except subprocess.TimeoutExpired:
        return f"it was not done within {seconds} s"
    return tail(done.stdout + done.stderr) or f"exit code {done.returncode}" if done.returncode else ""


def verify_settings(cluster: Cluster, running: Sequence[Node]) -> None:
    """Refuse to add nodes to a cluster that was started with other ports or listeners."""
    for node in running:
        if node.properties.read_text() != settings(cluster, node):
            msg = f"Kafka runs already, but with other settings ({node.properties}): stop it first"
            raise KafkaNotStartedError(msg)


def verify_ports(nodes: Sequence[Node]) -> None:
    """Refuse to start where somebody listens already."""
    for node in nodes:
        for port in (node.port, node.port + 1, *(target for _, target in node.proxy_ports())):
            if not is_free(port):
                msg = f"Port {port} is in use: stop what listens there (`make kafka-stop`?) or choose another --port"
                raise KafkaNotStartedError(msg)


def is_free(port: int) -> bool:
    """Return whether nobody listens at a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def prepare(run: Sequence[str], cluster: Cluster, node: Node) -> None:
    """Write a node's settings and, before its first start, its empty store."""
    node.folder.mkdir(exist_ok=True)
    node.properties.write_text(settings(cluster, node))
    if not (node.data / "meta.properties").exists():
        command = [*run, "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(node.properties)]
        if wrong := complete(command, FORMAT_SECONDS_MAX):
            msg = f"Kafka could not format {node.data}: {wrong}"
            raise KafkaNotStartedError(msg)


def launch(run: Sequence[str], nodes: Sequence[Node]) -> None:
    """Start brokers together and wait until each is ready; if one is not, none is left behind."""
    say(f"Starting Kafka, log in {nodes[0].log} ...")
    try:
        for node in nodes:
            spawn([*run, HEAP_MAX, STARTED_LOGGER, "kafka.Kafka", str(node.properties)], node)
        for node in nodes:
            await_started(node)
    except BaseException:
        for node in filter(Node.runs, nodes):
            os.kill(node.pid, signal.SIGKILL)
        raise


def spawn(command: list[str], node: Node) -> None:
    """Start a broker in a session of its own. It inherits its log and the lock on its pid file, which says its id."""
    with node.log.open("w") as log, node.pid_file.open("w") as pid_file:
        fcntl.flock(pid_file, fcntl.LOCK_EX)
        os.set_inheritable(pid_file.fileno(), True)  # noqa: FBT003 - takes no keyword.
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, log.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, log.fileno(), 2),
        ]
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=streams, setsid=True)
        pid_file.write(f"{pid}\n")


def await_started(node: Node) -> None:
    """Wait until a broker says that it is ready.

    Raises:
        KafkaNotStartedError: It ended, or did not say so in time.
    """
    if within(START_SECONDS_MAX, lambda: STARTED in node.log.read_text() or not node.runs()) and node.runs():
        return
    how = f"was not ready within {START_SECONDS_MAX} s" if node.runs() else "ended by itself"
    msg = f"Kafka node {node.number} {how}. The end of {node.log}:\n{tail(node.log.read_text())}"
    raise KafkaNotStartedError(msg)


def within(seconds: int, condition: Callable[[], bool]) -> bool:
    """Wait for a condition and return whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return met


def tail(text: str) -> str:
    """Return the last lines of what a program said."""
    return "\n".join(text.splitlines()[-LOG_TAIL_LINES:])


def say(sentence: str) -> None:
    """Tell the person who waits."""
    click.echo(sentence, err=True)


if __name__ == "__main__":
    main(prog_name="python -m deploy.kafka.launch")
