"""The log process: all of Kafka's clients of one dealer, so that their threads do not slow down the dealer's loop.

    main thread        takes the dealer's frames, and appends (`appends.py`); it waits for nothing, so it always answers
    tail               owns the consumer that reads back, and the judge (`tail.py`)
    reading            owns the consumer for pages (`reading.py`)
    group              owns the member of the group that spreads partitions (`group.py`), if the dealer joins it
    announcements      owns the clients that read and write who serves what (`announcements.py`), likewise

The threads keep the interpreter as long as it lets them (5 ms): who has begun a batch should finish it. With a tenth of
that, batches are smaller, and a third less goes through.

It is started by `child.py` with one end of a socket pair, and lives as long as the other end is open. Nothing that it
knows is worth keeping: the dealer takes its end for an unknown outcome of all that is under way, and starts another.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NoReturn, Protocol

from services.eventlog.kafka.announcements import Announcements
from services.eventlog.kafka.appends import Appends
from services.eventlog.kafka.frames import (
    RECEIVED_BYTES,
    TO_PROCESS,
    Announce,
    Announced,
    Append,
    Assigned,
    End,
    Follow,
    Hello,
    Join,
    Ping,
    Pong,
    Read,
    Received,
    ToDealer,
    ToProcess,
    framed,
)
from services.eventlog.kafka.group import Group
from services.eventlog.kafka.reading import Reading
from services.eventlog.kafka.tail import Tail
from services.eventlog.kafka.tickets import Tickets
from services.eventlog.ports import HeaderOf

ANSWERING_S: Final = 3.0
"""A dealer that has sent nothing for so long hangs."""

END_S: Final = 3.0
"""How long the threads may take to close their clients."""

GARBAGE_OBJECTS: Final = 100_000
"""So many new objects are looked through for garbage at once. Thousands of records are under way at any time, which all
are looked through in vain, and next to nothing here is ever garbage in a cycle."""


class Channel:
    """This end of the socket pair."""

    def __init__(self, end: socket.socket) -> None:
        """Use an end of a socket pair, which blocks."""
        self._socket = end
        self._sending = threading.Lock()

    def tell(self, frame: ToDealer) -> None:
        """Send a frame, from any thread; to a dealer that is gone, nothing."""
        sent = framed(frame)
        with self._sending, suppress(OSError):
            self._socket.sendall(sent)

    def frames(self) -> Iterator[ToProcess]:
        """Yield what the dealer sends, until it is gone."""
        received = Received()
        with suppress(ConnectionError):
            while piece := self._socket.recv(RECEIVED_BYTES):
                for content in received.contents(piece):
                    yield TO_PROCESS.decode(content)


class Department(Protocol):
    """Something that owns a client of Kafka, and the one thread that uses it."""

    def run(self, ending: threading.Event) -> None:
        """Work until `ending` is set; then close the client and return."""


class LogProcess:
    """Hands the dealer's frames on to the departments."""

    def __init__(self, hello: Hello, channel: Channel) -> None:
        """Start the departments."""
        self._channel = channel
        self._heard_s = time.monotonic()
        self._ending = threading.Event()
        tickets = Tickets(channel.tell)
        self._tail = Tail(hello.settings, _found(hello.header_of), tickets, channel.tell)
        self._appends = Appends(hello.settings, tickets, self._tail, channel.tell)
        self._reading = Reading(hello.settings, channel.tell)
        self._announcements = Announcements(hello.settings, lambda *heard: channel.tell(Announced(*heard)))
        self._group = Group(hello.settings, self.is_dealer_answering, self._given)
        self._threads: list[threading.Thread] = []
        self._start({"tail": self._tail, "reading": self._reading})

    def is_dealer_answering(self) -> bool:
        """Return whether the dealer was heard of within the last seconds."""
        return time.monotonic() < self._heard_s + ANSWERING_S

    def take(self, frame: ToProcess) -> None:
        """Hand a frame on, without waiting for anything."""
        match frame:
            case Append():
                self._appends.take(frame)
            case Follow(partition=partition, bookmark=bookmark):
                self._tail.follow(partition, bookmark)
            case Read() | End():
                self._reading.ask(frame)
            case Ping():
                self._pinged()
            case Join():
                self._start({"group": self._group, "announcements": self._announcements})
            case Announce(partition=partition, owner=owner):
                self._announcements.announce(partition, owner)
            case Hello():
                pass

    def end(self) -> None:
        """Let the departments close their clients, as far as they do so soon."""
        self._ending.set()
        self._appends.close()
        self._reading.end()
        until = time.monotonic() + END_S
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _start(self, departments: Mapping[str, Department]) -> None:
        """Let departments work, each in a thread of its own."""
        for name, department in departments.items():
            thread = threading.Thread(target=department.run, args=(self._ending,), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _given(self, partitions: frozenset[int]) -> None:
        self._channel.tell(Assigned(tuple(sorted(partitions))))

    def _pinged(self) -> None:
        """Answer, and look after what nobody else would notice: records that take too long, a thread that is stuck."""
        self._heard_s = time.monotonic()
        self._channel.tell(Pong())
        self._appends.give_up_overdue()
        if self._tail.is_stuck():
            os._exit(1)


def _found(header_of: str) -> HeaderOf:
    module, _, name = header_of.partition(":")
    found: HeaderOf = getattr(importlib.import_module(module), name)
    return found


def main(descriptor: int) -> NoReturn:
    """Serve the dealer at the other end of a socket, until it is gone."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # What ends the dealer reaches its group, and it may still need this.
    gc.set_threshold(GARBAGE_OBJECTS)
    with socket.socket(fileno=descriptor) as end:
        channel = Channel(end)
        frames = channel.frames()
        hello = next(frames, None)
        if isinstance(hello, Hello):
            process = LogProcess(hello, channel)
            for frame in frames:
                process.take(frame)
            process.end()
    os._exit(0)  # No thread of a client, stuck or not, keeps the process alive, and nothing is left to be saved.


if __name__ == "__main__":
    main(int(sys.argv[1]))
