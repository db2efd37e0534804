"""The proxy, before a server that sends back what it gets, and before the real broker."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator

import pytest
from kafka import KafkaAdminClient
from kafka.errors import KafkaConnectionError, KafkaTimeoutError

from deploy.kafka.cluster import Cluster
from tests.services.kafka.clients import append, producing, read
from tests.services.kafka.proxy import HOST, Direction, Proxy

PATIENCE_SECONDS = 30
SILENCE_SECONDS = 0.3


class Echo(socketserver.BaseRequestHandler):
    """Sends back what it gets."""

    request: socket.socket

    def handle(self) -> None:
        """Serve one connection to its end."""
        while data := self.request.recv(65536):
            self.request.sendall(data)


class EchoServer(socketserver.ThreadingTCPServer):
    """Echoes each connection in a thread of its own; a connection that is reset is no news."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """A proxy before an echo."""
    with EchoServer((HOST, 0), Echo) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        with Proxy(server.server_address[1]) as opened:
            yield opened
        server.shutdown()


@pytest.fixture
def client(proxy: Proxy) -> Iterator[socket.socket]:
    """A connection through the proxy that has worked once."""
    with connect(proxy) as opened:
        assert echo(opened, b"first")
        yield opened


def connect(proxy: Proxy) -> socket.socket:
    """Return a connection through the proxy."""
    return socket.create_connection((HOST, proxy.port), timeout=PATIENCE_SECONDS)


def echo(client: socket.socket, message: bytes) -> bool:
    """Send a message and return whether exactly it came back."""
    client.sendall(message)
    with client.makefile("rb", buffering=0) as file:
        back = b""
        while len(back) < len(message) and (more := file.read(65536)):
            back += more
    return back == message


def is_silent(client: socket.socket) -> bool:
    """Return whether nothing comes for a while, neither bytes nor an end."""
    client.settimeout(SILENCE_SECONDS)
    try:
        client.recv(1)
    except TimeoutError:
        return True
    finally:
        client.settimeout(PATIENCE_SECONDS)
    return False


def test_bytes_pass_unchanged(client: socket.socket) -> None:
    """F10: in good weather a stream that is larger than any buffer passes as it is."""
    message = bytes(range(256)) * 8192
    threading.Thread(target=client.sendall, args=(message,), daemon=True).start()
    back = b""
    while len(back) < len(message):
        back += client.recv(65536)
    assert back == message


def test_cut_resets(proxy: Proxy, client: socket.socket) -> None:
    """F10: a cut is a reset for those who are connected, and the next connection works."""
    proxy.cut()
    with pytest.raises(ConnectionResetError):
        client.recv(1)
    with connect(proxy) as again:
        assert echo(again, b"again")


@pytest.mark.parametrize("directions", [(), ("requests",), ("answers",)])
def test_black_hole_is_silent(proxy: Proxy, client: socket.socket, directions: tuple[Direction, ...]) -> None:
    """F10: in a black hole, both ways or one, no answer comes and nobody is told."""
    proxy.black_hole(*directions)
    client.sendall(b"lost")
    assert is_silent(client)


def test_healed_connection_with_a_hole_is_reset(proxy: Proxy, client: socket.socket) -> None:
    """F10: a stream that lost bytes is reset when the weather is good again; it never goes on with a hole."""
    proxy.black_hole("requests")
    client.sendall(b"lost")
    assert is_silent(client)
    proxy.heal()
    with pytest.raises(ConnectionResetError):
        client.recv(1)


def test_healed_connection_without_a_hole_goes_on(proxy: Proxy, client: socket.socket) -> None:
    """F10: a connection that carried nothing into the black hole is as good as before."""
    proxy.black_hole()
    proxy.heal()
    assert echo(client, b"second")


def test_black_hole_swallows_the_end() -> None:
    """F10: a side that closes in a black hole is not missed by the other until the weather is good again."""
    with socket.create_server((HOST, 0)) as server:
        server.settimeout(PATIENCE_SECONDS)
        with Proxy(server.getsockname()[1]) as before, connect(before) as client:
            accepted, _ = server.accept()
            before.black_hole("answers")
            accepted.close()
            assert is_silent(client)
            before.heal()
            assert client.recv(1) == b""


def test_new_connections_fall_into_the_black_hole(proxy: Proxy) -> None:
    """F10: whoever connects during the black hole is silent too, and works when it is over."""
    proxy.black_hole("answers")
    with connect(proxy) as client:
        client.sendall(b"lost")
        assert is_silent(client)
    proxy.heal()
    with connect(proxy) as client:
        assert echo(client, b"found")


def test_delay_holds_back_until_healed(proxy: Proxy, client: socket.socket) -> None:
    """F9: a delayed answer is not lost: it comes when the delay is over, here because the weather changes."""
    proxy.delay(3_600_000, "answers")
    client.sendall(b"late")
    assert is_silent(client)
    proxy.heal()
    assert client.recv(16) == b"late"


def test_short_delay_ends_by_itself(proxy: Proxy, client: socket.socket) -> None:
    """F9: delayed bytes come without anybody's doing, and in order."""
    proxy.delay(50)
    assert echo(client, b"one")
    assert echo(client, b"two")


def test_trickle_comes_in_drops(proxy: Proxy, client: socket.socket) -> None:
    """F10: at one byte a second the first byte comes alone; what is behind it is not lost."""
    proxy.trickle(1, "answers")
    client.sendall(b"drop")
    assert client.recv(16) == b"d"
    proxy.heal()
    assert client.makefile("rb").read(3) == b"rop"


def test_refusing_server_resets_the_client() -> None:
    """F8: a server that does not listen is a connection that is reset."""
    with socket.create_server((HOST, 0)) as closed:
        port = closed.getsockname()[1]
    with Proxy(port) as proxy, pytest.raises(ConnectionResetError), connect(proxy) as client:
        client.recv(1)


def test_port_in_use_is_refused(proxy: Proxy) -> None:
    """Two proxies cannot stand at one port, which is how tests share the broker's proxied listeners."""
    with pytest.raises(OSError, match="in use"), Proxy(proxy.port, proxy.port):
        pass


def through(proxy: Proxy) -> str:
    """Return the address under which clients of Kafka find the proxy."""
    return f"{HOST}:{proxy.port}"


def test_kafka_through_the_proxy(kafka_proxy: Proxy, own_topic: str) -> None:
    """F10: in good weather records are appended and read through the proxy."""
    with producing(through(kafka_proxy)) as producer:
        append(producer, own_topic, b"first", b"second")
    assert read(through(kafka_proxy), own_topic) == [b"first", b"second"]


def test_client_is_sent_round_no_proxy(kafka_proxy: Proxy) -> None:
    """F10: the broker tells a client that came through the proxy no other address than the proxy's."""
    admin = KafkaAdminClient(bootstrap_servers=through(kafka_proxy))
    brokers = admin.describe_cluster()["brokers"]
    admin.close()
    assert [broker["port"] for broker in brokers] == [kafka_proxy.port]


def test_cut_fails_a_record_that_is_stored(kafka_proxy: Proxy, own_kafka: Cluster, own_topic: str) -> None:
    """F10, A3: a cut before the answer is an error, although the record is in the log: failure means unknown."""
    with producing(through(kafka_proxy), enable_idempotence=False, retries=0) as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole("answers")
        record = producer.send(own_topic, b"second", partition=0)
        while read(own_kafka.bootstrap, own_topic) != [b"first", b"second"]:
            assert not record.is_done
        kafka_proxy.cut()
        with pytest.raises(KafkaConnectionError):
            record.get(PATIENCE_SECONDS)


def test_cut_is_mended_by_the_client(kafka_proxy: Proxy, own_kafka: Cluster, own_topic: str) -> None:
    """F10: after a cut an idempotent producer connects again by itself and stores the next record once."""
    with producing(through(kafka_proxy)) as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.cut()
        append(producer, own_topic, b"second")
    assert read(own_kafka.bootstrap, own_topic) == [b"first", b"second"]


def test_black_hole_is_a_timeout(kafka_proxy: Proxy, own_topic: str) -> None:
    """F10: a record that falls into a black hole fails when its time is over."""
    with producing(through(kafka_proxy)) as producer:
        append(producer, own_topic, b"first")
        kafka_proxy.black_hole()
        with pytest.raises(KafkaTimeoutError):
            append(producer, own_topic, b"second")
