"""A cluster of Kafka on loopback: which nodes it has, where their files are, and what their settings say.

A broker inherits a lock on its pid file and so holds it for as long as it lives. Whether it runs is therefore a
question to the kernel, the number in the file is never that of a stranger, and a crash leaves nothing to clean up.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from string import Template
from typing import Final

import msgspec

HERE: Final = Path(__file__).parent
HOST: Final = "127.0.0.1"
PORT: Final = 9092
PORTS_PER_NODE: Final = 10


class Node(msgspec.Struct, frozen=True):
    """One broker and its files."""

    number: int
    folder: Path
    port: int
    """Where clients connect. The controller has the next one, then come two for each proxied listener."""
    proxied: int
    """How many of its listeners are advertised elsewhere, at most 4."""

    @property
    def properties(self) -> Path:
        """Its settings, written anew at each start."""
        return self.folder / "server.properties"

    @property
    def data(self) -> Path:
        """Its records."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """What it has said since its last start."""
        return self.folder / "log"

    @property
    def pid_file(self) -> Path:
        """The file that it locks while it lives."""
        return self.folder / "pid"

    @property
    def pid(self) -> int:
        """The process id of the broker, meaningful while it runs."""
        return int(self.pid_file.read_text())

    def runs(self) -> bool:
        """Return whether the broker lives, be it paused."""
        try:
            file = self.pid_file.open()
        except FileNotFoundError:
            return False
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def proxy_ports(self) -> list[tuple[int, int]]:
        """Return for each proxied listener where a proxy listens, as its clients are told, and where it connects to."""
        return [(self.port + 3 + 2 * index, self.port + 2 + 2 * index) for index in range(self.proxied)]


class Cluster(msgspec.Struct, frozen=True):
    """Nodes that replicate each other's records."""

    folder: Path
    size: int = 1
    port: int = PORT
    """The first node's; each next node has one that is `PORTS_PER_NODE` higher."""
    proxied: int = 0

    @property
    def nodes(self) -> list[Node]:
        """The nodes, numbered from 1."""
        return [
            Node(number, self.folder / f"node{number}", self.port + (number - 1) * PORTS_PER_NODE, self.proxied)
            for number in range(1, self.size + 1)
        ]

    @property
    def bootstrap(self) -> str:
        """The addresses that a client is given."""
        return ",".join(f"{HOST}:{node.port}" for node in self.nodes)


def settings(cluster: Cluster, node: Node) -> str:
    """Return the text of a node's settings: the template with its numbers filled in."""
    proxied = [(f"PROXY{index}", *ports) for index, ports in enumerate(node.proxy_ports(), start=1)]
    own = [("PLAINTEXT", node.port, node.port), *proxied]
    listening = [*((name, target) for name, _, target in own), ("CONTROLLER", node.port + 1)]
    return Template((HERE / node.properties.name).read_text()).substitute(
        number=node.number,
        data=node.data,
        listeners=",".join(f"{name}://{HOST}:{port}" for name, port in listening),
        advertised=",".join(f"{name}://{HOST}:{told}" for name, told, _ in own),
        protocols=",".join(f"{name}:PLAINTEXT" for name, _ in listening),
        voters=",".join(f"{voter.number}@{HOST}:{voter.port + 1}" for voter in cluster.nodes),
        replication=cluster.size,
        in_sync=(cluster.size + 1) // 2,
    )
