"""A dealer as the fault tests run it: log process, ownership and writers of production, and a socket for callers.

`python -m tests.faults.dealer_process` reads what it is told from its standard input, one line of JSON, and answers
callers at a socket in the file system, in lines of JSON, until it is ended: by SIGTERM in good order, or otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final, Literal

import msgspec

from engine.errors import Rejected
from services.eventlog import snapshots
from services.eventlog.anchors import AnchorFile
from services.eventlog.canonical import command_of
from services.eventlog.envelope import kind_of
from services.eventlog.kafka import child
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.snapshots import KafkaSnapshots
from services.eventlog.ownership import Ownership, Partner
from services.eventlog.partitions import partition_of
from services.eventlog.ports import Log
from services.eventlog.requests import OverloadedError, Request, RequestIdReusedError, UnavailableError
from services.eventlog.writer import World
from tests.faults.deadly_log_process import TURN
from tests.faults.points import DeadlyLog, DeadlyStore, Point
from tests.services.eventlog.owners import LoopScheduler, SystemChance, SystemClock, names_of, nobody

OVERLAPPING: Final = 8
SNAPSHOT_MS: Final = 500
LINE_BYTES_MAX: Final = 1 << 20


class Told(msgspec.Struct, frozen=True):
    """What a dealer is told when it begins."""

    settings: KafkaSettings
    socket: str
    """Where it answers: the path of a socket, which is also its address."""
    partitions: int
    forced: tuple[int, ...] | None = None
    """Partitions that it takes to be its own, whatever the group says (F7)."""
    dies_at: Point | None = None
    """Where its processes are killed (F5), when they come there for the `dies_in`th time."""
    dies_in: int = 1


class Ask(msgspec.Struct, frozen=True):
    """A line of a caller."""

    number: int
    address: str
    command: bytes
    """In canonical bytes."""
    command_id: str


class Answer(msgspec.Struct, frozen=True):
    """The dealer's answer."""

    number: int
    kind: Literal["done", "refused", "unavailable", "reused"]
    text: str
    """The result, the reason of a refusal, or why nothing is known."""
    sequence: int = 0
    """Where it is; for a refusal what was confirmed when it was released."""
    epoch: int = 0
    """The epoch of who answers."""


class Dealer:
    """The process."""

    def __init__(self, told: Told) -> None:
        """Open the log, and own nothing yet."""
        self.told = told
        self.log, log = prepared(told)
        world = World(log, SystemClock(), SystemChance(), LoopScheduler(), OVERLAPPING)
        self.log.hindered = self.say
        self.snapshots = KafkaSnapshots(told.settings)
        store = DeadlyStore(self.snapshots, told.dies_at) if told.dies_at else self.snapshots
        self.anchors = AnchorFile(Path(f"{told.socket}.anchors"), told.settings.house)
        partner = Partner(
            told.socket,
            store,
            self.anchors,
            lambda _: nobody,
            self.log.announce,
            self.halted,
            self.say,
        )
        self.ownership = Ownership(world, told.settings.house, partner)

    async def run(self) -> None:
        """Serve until somebody says that it is enough."""
        enough = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, enough.set)
        self.log.ownership = self.ownership
        if self.told.forced is None:
            self.log.join()
        else:
            self.ownership.assigned(self.told.forced)
        server = await asyncio.start_unix_server(self.hear, self.told.socket, limit=LINE_BYTES_MAX)
        owning = asyncio.create_task(self.ownership.run())
        await enough.wait()
        server.close()
        owning.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await owning
        await self.log.close()
        await self.snapshots.close()
        await self.anchors.close()

    def halted(self, partition: int, error: Exception) -> None:
        """Say that a partition stays closed."""
        self.say(f"HALTED {partition}: {error!r}")

    def say(self, sentence: str) -> None:
        """Complain."""
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one caller; what he asks without waiting is carried out together."""
        tasks: set[asyncio.Task[None]] = set()
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                task = asyncio.create_task(self.reply(msgspec.json.decode(line, type=Ask), writer))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        writer.close()

    async def reply(self, ask: Ask, writer: asyncio.StreamWriter) -> None:
        """Answer one line."""
        answer = await self.answer(ask)
        if not writer.is_closing():
            writer.write(msgspec.json.encode(answer) + b"\n")

    async def answer(self, ask: Ask) -> Answer:
        """Carry out what was asked, if the partition is served here."""
        owner = self.ownership.writer(partition_of(ask.address, self.told.partitions))
        if owner is None:
            return Answer(ask.number, "unavailable", "it is not served here")
        command = command_of(kind_of(ask.address), ask.command)
        try:
            reply = await owner.submit(Request(ask.address, command, ask.command_id, tell=names_of))
        except Rejected as refusal:
            return Answer(ask.number, "refused", refusal.reason, owner.position.sequence, owner.position.epoch)
        except RequestIdReusedError as error:
            return Answer(ask.number, "reused", str(error))
        except (UnavailableError, OverloadedError) as error:
            return Answer(ask.number, "unavailable", str(error))
        return Answer(ask.number, "done", reply.result.decode(), reply.sequence, owner.position.epoch)


def prepared(told: Told) -> tuple[KafkaLog, Log]:
    """Return the log, and what the writers are given for it."""
    if told.dies_at is None:
        log = KafkaLog(told.settings)
        return log, log
    snapshots.PASS_MS = SNAPSHOT_MS  # type: ignore[misc]  # Soon, for whoever is to die of it.
    if told.dies_at == "acknowledged by the broker, not read back":
        os.environ[TURN] = str(told.dies_in)
        child.MODULE = "tests.faults.deadly_log_process"  # type: ignore[misc]  # The process that dies there.
    log = KafkaLog(told.settings)
    return log, DeadlyLog(log, told.dies_at, told.dies_in)


async def main() -> None:
    """Be told, and serve."""
    await Dealer(msgspec.json.decode(sys.stdin.readline(), type=Told)).run()


if __name__ == "__main__":
    asyncio.run(main())
