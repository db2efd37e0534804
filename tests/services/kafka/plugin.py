"""Give tests a Kafka: the one that KAFKA_BOOTSTRAP names, or one that the launcher starts for this run alone.

All workers of a run share the broker. Each holds a shared lock for as long as it may need it, and whoever lets go last
stops the broker and deletes its records. The kernel takes the lock from a worker that dies. If the last one dies, the
broker stays; the next run uses it and stops it, and so does `make kafka-stop`.

Without a Kafka the tests are skipped, and the run's last lines say in red what is missing; where CI is set they fail.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final, NoReturn

import pytest

from deploy.kafka.cluster import PORTS_PER_NODE, Cluster, Node
from deploy.kafka.launch import WORK, KafkaMissingError, alone_in, is_free, start, stop
from tests.services.kafka.proxy import Proxy

FOLDER: Final = WORK / "tests"
GATE: Final = WORK / "tests.users"
PORT_FIRST: Final = 19_092
PORT_LAST: Final = 29_092
PROXIED: Final = 4
PROXY_SECONDS_MAX: Final = 120
MISSING: Final = "KAFKA MISSING"


@pytest.fixture(scope="session")
def kafka_bootstrap(request: pytest.FixtureRequest) -> str:
    """The address of a Kafka that tests may make topics in."""
    named = os.environ.get("KAFKA_BOOTSTRAP")
    if named:
        return named
    cluster: Cluster = request.getfixturevalue("own_kafka")
    return cluster.bootstrap


@pytest.fixture(scope="session")
def own_kafka() -> Iterator[Cluster]:
    """A cluster of one node that belongs to this run, so that its files are at hand and its listeners are proxied."""
    try:
        with shared() as cluster:
            yield cluster
    except KafkaMissingError as error:
        give_up(error.message)


@pytest.fixture
def kafka_proxy(own_kafka: Cluster) -> Iterator[Proxy]:
    """A proxy before the run's broker, which sends a client that came through it to no other address."""
    with proxy_before(own_kafka.nodes[0]) as proxy:
        yield proxy


@contextmanager
def proxy_before(node: Node) -> Iterator[Proxy]:
    """Open a proxy at a port that a listener of the broker advertises and no other test uses now."""
    deadline = time.monotonic() + PROXY_SECONDS_MAX
    with contextlib.ExitStack() as stack:
        while (proxy := first_free_proxy(node, stack)) is None:
            assert time.monotonic() < deadline, "other tests use every proxied listener, and for too long"
            time.sleep(0.1)
        yield proxy


def first_free_proxy(node: Node, stack: contextlib.ExitStack) -> Proxy | None:
    """Open a proxy at the first port where none stands, if there is such a port."""
    for port, target in node.proxy_ports():
        with contextlib.suppress(OSError):
            return stack.enter_context(Proxy(target, port))
    return None


@contextmanager
def shared() -> Iterator[Cluster]:
    """Start the run's broker unless another worker has; stop it unless another worker still uses it."""
    GATE.mkdir(parents=True, exist_ok=True)
    with (GATE / "users").open("w") as users:
        with alone_in(GATE):
            fcntl.flock(users, fcntl.LOCK_SH)
            cluster = started()
        try:
            yield cluster
        finally:
            with alone_in(GATE):
                stop_if_last(users, cluster)


def started() -> Cluster:
    """Return the run's cluster, running."""
    noted = GATE / "port"
    if not Node(1, FOLDER / "node1", 0, 0).runs():
        noted.write_text(str(free_port()))
    cluster = Cluster(FOLDER, port=int(noted.read_text()), proxied=PROXIED)
    start(cluster)
    return cluster


def free_port(first: int = 0) -> int:
    """Return the first of a row of ports at none of which anybody listens."""
    rows = range(first or PORT_FIRST, PORT_LAST, PORTS_PER_NODE)
    return next(row for row in rows if all(is_free(row + index) for index in range(PORTS_PER_NODE)))


def stop_if_last(users: IO[str], cluster: Cluster) -> None:
    """Give the lock back, and end what nobody holds it for any more."""
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    stop(cluster.folder)
    for node in cluster.nodes:
        shutil.rmtree(node.data, ignore_errors=True)


def give_up(reason: str) -> NoReturn:
    """Skip the tests that need a broker, or fail them where it must not be missing."""
    if "CI" in os.environ:
        pytest.fail(f"{MISSING}: {reason}", pytrace=False)
    pytest.skip(f"{MISSING}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line, whichever worker skipped them, that tests did not run and what is missing."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = [str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped]
    missing = [reason for reason in reasons if reason.startswith(MISSING)]
    if missing:
        terminalreporter.write_line(f"{missing[0]}. {len(missing)} tests did not run.", red=True, bold=True)
