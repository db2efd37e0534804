"""The dealer's side of its log process: starts it, talks to it, notices when it is gone or hangs, and starts another.

All of it happens in the event loop. What is sent within one iteration of the loop leaves in one piece, and nothing here
ever waits for the process: what the socket does not take is kept until it does, bounded by what the log lets be under
way. A process that leaves five pings in a row without an answer hangs; it is killed, also if it is stopped.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Final, Protocol

import msgspec

from services.eventlog.kafka.frames import (
    RECEIVED_BYTES,
    TO_DEALER,
    Hello,
    Ping,
    Pong,
    Received,
    ToDealer,
    ToProcess,
    framed,
)

PING_S: Final = 1.0
UNANSWERED_MAX: Final = 5
"""So many pings may wait for their answers."""
START_UNANSWERED_MAX: Final = 30
"""So many while a process starts, which takes a second or so, and much longer on a busy machine."""
PAUSES_S: Final = (0.2, 0.5, 1.0)
"""Before a process is started again; the last one again and again until one has answered."""
END_S: Final = 5.0
"""How long a process may take to close its clients."""

MODULE: Final = "services.eventlog.kafka.process"


class Parent(Protocol):
    """Who has a log process."""

    def began(self) -> None:
        """Hear that a new process is there, which knows nothing."""

    def heard(self, frame: ToDealer) -> None:
        """Hear a frame of the process."""

    def lost(self, why: str) -> None:
        """Hear that the process is gone, and all it knew."""


class Child:
    """The log process, or the pause before the next one."""

    def __init__(self, hello: Hello, parent: Parent) -> None:
        """Start a process; the event loop must be running.

        Raises:
            OSError: It cannot be started.
        """
        self._hello, self._parent = hello, parent
        self._loop = asyncio.get_running_loop()
        self._process: subprocess.Popen[bytes] | None = None
        self._reaping: set[asyncio.Future[int]] = set()
        self._failures = 0
        self._out = bytearray()
        """What waits to be sent."""
        self._is_full = False
        """Whether the socket takes no more now."""
        self._start()

    @property
    def is_running(self) -> bool:
        """Whether there is a process to send to."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid if self._process else None

    def send(self, frame: ToProcess) -> None:
        """Send a frame at the end of this iteration of the loop; without a process, nothing."""
        if self._process is None:
            return
        if not self._out:
            self._loop.call_soon(self.flush)
        self._out += framed(frame)

    def flush(self) -> None:
        """Send what is waiting, as much as the socket takes."""
        if self._process is None or self._is_full or not self._out:
            return
        try:
            sent = self._socket.send(self._out)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._lose(f"the log process is gone: {error}")
            return
        del self._out[:sent]
        if self._out:
            self._is_full = True
            self._loop.add_writer(self._socket, self._room)

    async def close(self) -> None:
        """End the process in good order, and start no other."""
        process = self._process
        self._timer.cancel()
        if process is not None:
            self._let_go(process)
            for future in list(self._reaping):
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(future), END_S)
            if process.poll() is None:
                process.kill()
        await asyncio.gather(*self._reaping)

    def _start(self) -> None:
        """Start a process and tell it what it must know."""
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = _started(theirs)
            except OSError:
                self._socket.close()
                raise
        self._socket.settimeout(0)
        self._received = Received()
        self._out.clear()
        self._is_full = False
        self._unanswered, self._unanswered_max = 0, START_UNANSWERED_MAX
        self._loop.add_reader(self._socket, self._readable)
        self.send(self._hello)
        self._parent.began()
        self._ping()

    def _start_again(self) -> None:
        try:
            self._start()
        except OSError:
            self._pause()

    def _pause(self) -> None:
        """Start another process after a while."""
        pause_s = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        self._timer = self._loop.call_later(pause_s, self._start_again)

    def _ping(self) -> None:
        """Ask whether the process lives, unless it has not answered for too long."""
        if self._unanswered >= self._unanswered_max:
            self._lose(f"the log process did not answer {self._unanswered} times")
            return
        self._unanswered += 1
        self.send(Ping())
        self._timer = self._loop.call_later(PING_S, self._ping)

    def _readable(self) -> None:
        """Hear what has come."""
        try:
            piece = self._socket.recv(RECEIVED_BYTES)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._lose("the log process has ended")
            return
        for content in self._received.contents(piece):
            if self._process is not None:  # What a process has said that is lost now, is lost.
                self._hear(content)

    def _hear(self, content: bytes) -> None:
        try:
            frame: ToDealer = TO_DEALER.decode(content)
        except msgspec.MsgspecError as error:
            self._lose(f"the log process cannot be understood: {error}")
            return
        if isinstance(frame, Pong):
            self._unanswered, self._unanswered_max, self._failures = 0, UNANSWERED_MAX, 0
        else:
            self._parent.heard(frame)

    def _room(self) -> None:
        """Go on sending."""
        self._loop.remove_writer(self._socket)
        self._is_full = False
        self.flush()

    def _lose(self, why: str) -> None:
        """Have no process any more, and start another after a while."""
        process = self._process
        if process is not None:
            self._timer.cancel()
            self._let_go(process)
            process.kill()
            self._pause()
            self._parent.lost(why)

    def _let_go(self, process: subprocess.Popen[bytes]) -> None:
        """Close the socket, which ends a process that can still see it, and have its end noticed."""
        self._process = None
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        future = asyncio.ensure_future(asyncio.to_thread(process.wait))
        self._reaping.add(future)
        future.add_done_callback(self._reaping.discard)


def _started(theirs: socket.socket) -> subprocess.Popen[bytes]:
    """Return a process that has one end of a socket pair, and finds the modules that this one finds."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    descriptor = theirs.fileno()
    return subprocess.Popen(  # noqa: S603 - every word of the command is ours.
        [sys.executable, "-m", MODULE, str(descriptor)],
        stdin=subprocess.DEVNULL,
        pass_fds=[descriptor],
        env=environment,
    )
