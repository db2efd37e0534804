"""A house of dealers: processes over one Kafka, and what a test does to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from tests.faults.dealer_process import Told
from tests.services.kafka.houses import new_house

ROOT: Final = Path(__file__).resolve().parents[2]
END_S: Final = 30

Part: TypeAlias = Literal["dealer", "log", "both"]
"""Of a dealer: the process that serves, the process of Kafka's clients, or both."""


class Dealer:
    """A dealer's processes."""

    def __init__(self, told: Told, errors: Path) -> None:
        """Start it; what it complains about goes to a file."""
        self.told, self.errors = told, errors
        command = (sys.executable, "-m", "tests.faults.dealer_process")
        known = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with errors.open("a") as file:
            self._process = subprocess.Popen(command, cwd=ROOT, env=known, stdin=subprocess.PIPE, stderr=file)  # noqa: S603 - our own.
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(told) + b"\n")
        self._process.stdin.close()

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended, be it stopped."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """How the process has ended: minus the number of the signal that killed it; None while it is there."""
        return self._process.poll()

    def processor_s(self) -> float:
        """Return how long its processes have worked so far, in seconds of processor time."""
        fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.pids("both")]
        return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")

    def send(self, part: Part, number: signal.Signals) -> None:
        """Send a signal to the dealer, its log process, or both."""
        for pid in self.pids(part):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def pids(self, part: Part) -> list[int]:
        """Return the ids of processes: the dealer's, its log process's, or both."""
        own, path = self._process.pid, Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        log = [int(pid) for pid in path.read_text().split()] if path.exists() else []
        return {"dealer": [own], "log": log, "both": [own, *log]}[part]

    def end(self) -> None:
        """End it in good order."""
        self.send("dealer", signal.SIGTERM)
        self._process.wait(END_S)

    def kill(self) -> None:
        """End it at once, wherever it is, if it has not ended."""
        self.send("both", signal.SIGCONT)
        self._process.kill()
        self._process.wait(END_S)
        Path(self.told.socket).unlink(missing_ok=True)


class House:
    """Dealers over the topics of one house."""

    def __init__(self, bootstrap: str, folder: Path, partitions: int, replication: int = 1) -> None:
        """Make the topics of a new house."""
        self.settings = new_house(bootstrap, partitions, replication)
        self.folder, self.partitions = folder, partitions
        self.dealers: list[Dealer] = []
        self.paths: list[str] = []
        """Where the dealers that were started take requests."""

    def start(self, *, bootstrap: str | None = None, **told_more: Any) -> Dealer:  # noqa: ANN401 - see `Told`.
        """Start one more dealer; what is particular to it is what `Told` has: `forced`, `dies_at`, `dies_in`."""
        number = len(self.dealers)
        settings = msgspec.structs.replace(self.settings, bootstrap=bootstrap or self.settings.bootstrap)
        socket = self.folder / f"{number}.socket"
        told = Told(settings, str(socket), self.partitions, **told_more)
        dealer = Dealer(told, self.folder / f"{number}.errors")
        self.dealers.append(dealer)
        self.paths.append(told.socket)
        return dealer

    def halted(self) -> list[str]:
        """Return what dealers have said of partitions that stay closed."""
        said = [line for dealer in self.dealers for line in dealer.errors.read_text().splitlines()]
        return [line for line in said if line.startswith("HALTED")]


@contextmanager
def house_of(bootstrap: str, folder: Path, partitions: int, replication: int = 1) -> Iterator[House]:
    """Open a house, and leave no process behind."""
    house = House(bootstrap, folder, partitions, replication)
    try:
        yield house
    finally:
        for dealer in house.dealers:
            dealer.kill()
