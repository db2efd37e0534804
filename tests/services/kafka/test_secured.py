"""T-KAF-2: a broker with TLS, SCRAM, certificates and an authorizer lets each do what he may, and nobody else in."""

from __future__ import annotations

import gc
import os
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka.admin import ACLOperation
from kafka.errors import KafkaError, TopicAuthorizationFailedError
from msgspec.structs import replace

from deploy.kafka.launch import KafkaMissingError
from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka import pages as module
from services.eventlog.kafka.clients import made
from services.eventlog.kafka.errors import meaning_of
from services.eventlog.kafka.pages import Pages
from services.eventlog.kafka.security import PASSWORD
from services.eventlog.kafka.settings import KafkaSettings, Security
from services.eventlog.kafka.topics import create
from services.eventlog.ports import Stored
from tests.services.kafka.plugin import free_port, give_up
from tests.services.kafka.secured import ADMIN, DEALER, PASSWORDS, PROJECTOR, Secured, secured
from tests.services.logtool.logs import run

HOUSE = "riverboat"
PORT_FIRST = 25_092
PORTS_PER_WORKER = 100
READS = (ACLOperation.READ, ACLOperation.DESCRIBE)
WRITES = (ACLOperation.READ, ACLOperation.WRITE)
BY_CERTIFICATE = f"CN={DEALER}"

pytestmark = pytest.mark.xdist_group("secured")

REFUSED_SOCKETS = "ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """A broker with a house, whose records the dealer may write and the projector may read."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    port = free_port(PORT_FIRST + worker * PORTS_PER_WORKER)
    try:
        with secured(tmp_path_factory.mktemp("secured"), port) as running:
            settings = running.by_password(HOUSE, ADMIN)
            create(settings, 1, 1)
            running.allow(settings, PROJECTOR, *READS)
            for dealer in (DEALER, BY_CERTIFICATE):
                running.allow(settings, dealer, *WRITES)
            write(running.by_password(HOUSE, DEALER), b"first")
            yield running
    except KafkaMissingError as error:
        give_up(error.message)


def write(settings: KafkaSettings, *records: bytes) -> None:
    """Append records."""
    producer = made(KafkaProducer, settings.producer())
    try:
        for stored in records:
            producer.send(settings.events, stored, partition=0).get(30)
    finally:
        producer.close(timeout=10)


def first(settings: KafkaSettings) -> list[Stored]:
    """Return the first record."""
    with closing(Pages(settings)) as pages:
        return pages.read(0, 0, 1)


def test_a_projector_reads(broker: Secured) -> None:
    """T-KAF-2: what he may."""
    assert first(broker.by_password(HOUSE, PROJECTOR)) == [Stored(0, b"first")]


def test_a_projector_does_not_write(broker: Secured) -> None:
    """T-KAF-2: it is refused, which means that nobody but the operator can help."""
    with pytest.raises(KafkaError) as refusal:
        write(broker.by_password(HOUSE, PROJECTOR), b"forged")
    assert "AuthorizationFailedError" in f"{refusal.value!r}"
    assert meaning_of(refusal.value) == "stop"


@pytest.mark.parametrize("name", [PROJECTOR, DEALER])
def test_nobody_deletes_records(broker: Secured, name: str) -> None:
    """T-KAF-2: neither who reads nor who writes; and what is there stays."""
    settings = broker.by_password(HOUSE, name)
    with closing(made(KafkaAdminClient, settings.admin())) as admin:
        with pytest.raises(TopicAuthorizationFailedError):
            admin.delete_records({TopicPartition(settings.events, 0): 1})
        with pytest.raises(TopicAuthorizationFailedError):
            admin.delete_topics([settings.events])
    assert first(settings) == [Stored(0, b"first")]


def test_a_certificate_is_a_name_too(broker: Secured) -> None:
    """Whoever shows the dealer's certificate writes and reads as the dealer."""
    settings = broker.by_certificate(HOUSE, DEALER)
    with closing(Pages(settings)) as pages:
        end = pages.end(0)
        write(settings, b"by certificate")
        assert pages.read(0, end, 1) == [Stored(end, b"by certificate")]


def test_a_certificate_without_rights_reads_nothing(broker: Secured) -> None:
    """T-KAF-2: to be known is not to be allowed."""
    with pytest.raises(LogUnavailableError):
        first(broker.by_certificate(HOUSE, PROJECTOR))


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Look for a broker that lets us in for two seconds only."""
    monkeypatch.setattr(module, "REPLAY", module.REPLAY | {"bootstrap_timeout_ms": 2000})
    yield
    close_refused()


def close_refused() -> None:
    """Close sockets that were refused: the library leaves them to the collector, which complains in some later test."""
    for each in gc.get_objects():
        if type(each) is ssl.SSLSocket:  # A proxy of what is gone could not be asked of what class it is.
            each.close()


def strangers(broker: Secured) -> dict[str, KafkaSettings]:
    """Return the settings of those whom the broker, or who should not trust the broker."""
    known = broker.by_password(HOUSE, DEALER)
    return {
        "wrong password": broker.by_password(HOUSE, DEALER, "guessed"),
        "no encryption": replace(known, security=Security()),
        "no certificate": broker.by_certificate(HOUSE, None),
        "certificate of a stranger": broker.by_certificate(HOUSE, "stranger"),
        "broker of a stranger": replace(
            known, security=replace(known.security, ssl_cafile=str(broker.folder / "stranger.crt"))
        ),
        "broker of another name": replace(known, bootstrap=known.bootstrap.replace("127.0.0.1", "localhost")),
    }


@pytest.mark.filterwarnings(REFUSED_SOCKETS)
@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "case",
    [
        "wrong password",
        "no encryption",
        "no certificate",
        "certificate of a stranger",
        "broker of a stranger",
        "broker of another name",
    ],
)
def test_strangers_are_not_let_in(broker: Secured, case: str) -> None:
    """`trust.md` section 6: nor is a broker believed that cannot prove its name."""
    with pytest.raises(LogUnavailableError):
        first(strangers(broker)[case])


@pytest.mark.filterwarnings(REFUSED_SOCKETS)
@pytest.mark.usefixtures("_impatient")
def test_doctor_says_what_a_wrong_password_looks_like(broker: Secured, tmp_path: Path) -> None:
    """A9: Kafka only says that it could not bootstrap; the doctor says what that may mean."""
    arguments = ("--kafka", broker.by_password(HOUSE, DEALER).bootstrap, "--house", HOUSE)
    file = ("--kafka-settings", str(settings_file(broker, tmp_path, DEALER)))
    result = run("doctor", *arguments, *file, **{PASSWORD: "guessed"})
    assert result.exit_code == 1
    assert "that the name or the password is wrong" in result.stdout


def test_doctor_does_not_call_wrong_what_it_may_not_see(broker: Secured, tmp_path: Path) -> None:
    """T-KAF-1: somebody without the right to look at settings hears "unknown"."""
    arguments = ("--kafka", broker.by_password(HOUSE, ADMIN).bootstrap, "--house", HOUSE, "--partitions", "1")
    file = ("--kafka-settings", str(settings_file(broker, tmp_path, PROJECTOR)))
    result = run("doctor", *arguments, *file, **{PASSWORD: PASSWORDS[PROJECTOR]})
    assert f"unknown  {HOUSE}.events retention.ms: it must be -1" in result.stdout
    assert f"unknown  {HOUSE}.owners topic: it must be there: this user may not look" in result.stdout
    assert result.exit_code == 0


def test_tools_connect_as_a_file_says(broker: Secured, tmp_path: Path) -> None:
    """`--kafka-settings`, and the password in the environment; in production too (T-KAF-4)."""
    place = ("--kafka", broker.by_password(HOUSE, PROJECTOR).bootstrap, "--house", HOUSE)
    file = ("--kafka-settings", str(settings_file(broker, tmp_path, PROJECTOR)))
    environment = {PASSWORD: PASSWORDS[PROJECTOR], "DEALER_ENV": "production"}
    result = run("log", "verify", *place, *file, **environment)
    assert result.exit_code == 3
    assert "partition 0 is corrupt at offset 0: the bytes are no envelope" in result.stderr


def settings_file(broker: Secured, folder: Path, name: str) -> Path:
    """Write what an operator's file says of somebody, without his password."""
    path = folder / "kafka.toml"
    path.write_text(f"""
security_protocol = "SASL_SSL"
sasl_mechanism = "SCRAM-SHA-512"
sasl_plain_username = "{name}"
ssl_cafile = "{broker.folder}/ca.crt"
""")
    return path
