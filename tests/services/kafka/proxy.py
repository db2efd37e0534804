"""A TCP proxy that does to a connection what networks do: cut it, swallow it, delay it, let it trickle.

Whoever is tested connects to the proxy, the proxy connects to the server and passes bytes on in both directions, each
in the weather of its direction. `requests` flow to the server, `answers` come from it.

* cut: every connection is reset. New ones are taken, so this is a moment and no state.
* black hole: bytes go nowhere, and neither does the news that one side has closed. Nobody is told.
* delay: each piece of the stream waits before it goes on, and what is behind it waits too.
* trickle: so many bytes a second and no more.

`heal` ends the weather. A connection that lost bytes is reset then, because a stream with a hole must never go on.
A new connection is always taken, also into a black hole: there it is silent, as if the network failed a moment later.

The proxy lives in a thread with an event loop of its own; its methods may be called from any thread and return when the
weather has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

import msgspec

HOST: Final = "127.0.0.1"
PIECE_BYTES: Final = 64 * 1024
TRICKLES_PER_SECOND: Final = 10
RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)

Direction: TypeAlias = Literal["requests", "answers"]
BOTH: Final[tuple[Direction, ...]] = ("requests", "answers")


class Weather(msgspec.Struct, frozen=True):
    """What happens to the bytes of one direction."""

    lost: bool = False
    delay_ms: int = 0
    bytes_per_second: int = 0
    """0 for no limit."""


class Connection:
    """A client's connection and ours to the server. `holes` says whether bytes were lost."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        """Join two streams that are open."""
        self._writers = (client, server)
        self.holes = False

    def reset(self) -> None:
        """Close both sides with a reset, whatever is still on its way."""
        for writer in self._writers:
            if not writer.is_closing():
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
                writer.transport.abort()

    def close(self) -> None:
        """Close both sides when what was passed on has gone out."""
        for writer in self._writers:
            writer.close()


class Proxy:
    """Listens while the context is open; `port` says where."""

    def __init__(self, target_port: int, port: int = 0) -> None:
        """Stand before a server on loopback; port 0 takes a free one."""
        self.port = port
        self._target_port = target_port
        self._weather: dict[Direction, Weather] = dict.fromkeys(BOTH, Weather())
        self._connections: set[Connection] = set()
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> Self:
        """Begin to listen.

        Raises:
            OSError: The port is in use.
        """
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        except OSError:
            self._end_loop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Reset every connection and stop listening."""
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._end_loop()

    def cut(self) -> None:
        """Reset all connections."""
        self._do(self._reset_all)

    def black_hole(self, *directions: Direction) -> None:
        """Lose what flows, both ways unless told which."""
        self._set(Weather(lost=True), directions)

    def delay(self, delay_ms: int, *directions: Direction) -> None:
        """Hold each piece back for so many milliseconds, both ways unless told which."""
        self._set(Weather(delay_ms=delay_ms), directions)

    def trickle(self, bytes_per_second: int, *directions: Direction) -> None:
        """Pass on so many bytes a second, both ways unless told which."""
        self._set(Weather(bytes_per_second=bytes_per_second), directions)

    def heal(self) -> None:
        """Pass everything on again; connections that lost bytes are reset."""
        self._set(Weather(), BOTH)
        self._do(self._reset_holes)

    def _set(self, weather: Weather, directions: tuple[Direction, ...]) -> None:
        def change() -> None:
            self._weather |= dict.fromkeys(directions or BOTH, weather)
            self._changed.set()
            self._changed = asyncio.Event()

        self._do(change)

    def _do(self, call: Callable[[], None]) -> None:
        """Run `call` in the loop's thread and wait for it."""

        async def run() -> None:
            call()

        asyncio.run_coroutine_threadsafe(run(), self._loop).result()

    def _reset_all(self) -> None:
        for connection in self._connections:
            connection.reset()

    def _reset_holes(self) -> None:
        for connection in self._connections:
            if connection.holes:
                connection.reset()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, HOST, self.port, reuse_address=True)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        self._reset_all()
        serving = asyncio.all_tasks() - {asyncio.current_task()}
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        """Serve one client. A server that refuses is a client that is reset."""
        with contextlib.suppress(asyncio.CancelledError):
            try:
                server_in, server_out = await asyncio.open_connection(HOST, self._target_port)
            except OSError:
                Connection(client_out, client_out).reset()
                return
            connection = Connection(client_out, server_out)
            await self._join(
                connection,
                self._pass_on("requests", connection, client_in, server_out),
                self._pass_on("answers", connection, server_in, client_out),
            )

    async def _join(self, connection: Connection, *ways: Coroutine[None, None, None]) -> None:
        """Pass bytes on both ways until either has come to its end, and close what is left."""
        self._connections.add(connection)
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            self._connections.discard(connection)
            connection.close()

    async def _pass_on(
        self, direction: Direction, connection: Connection, source: asyncio.StreamReader, sink: asyncio.StreamWriter
    ) -> None:
        """Pass on one direction to its end. A reset by either side is an end like any other."""
        with contextlib.suppress(ConnectionError):
            while piece := await source.read(PIECE_BYTES):
                await self._send(direction, connection, piece, sink)
        while self._weather[direction].lost:
            await self._changed.wait()

    async def _send(
        self, direction: Direction, connection: Connection, piece: bytes, sink: asyncio.StreamWriter
    ) -> None:
        """Send a piece as the weather allows, which is looked at anew whenever it changes."""
        await self._unless_changed(self._weather[direction].delay_ms / 1000)
        while piece and not (weather := self._weather[direction]).lost:
            limit = weather.bytes_per_second
            size = max(1, limit // TRICKLES_PER_SECOND) if limit else len(piece)
            sink.write(piece[:size])
            await sink.drain()
            piece = piece[size:]
            await self._unless_changed(size / limit if limit else 0)
        connection.holes = connection.holes or bool(piece)

    async def _unless_changed(self, seconds: float) -> None:
        """Wait, or until the weather changes."""
        if seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
