"""How clients prove who they are: settings that contradict each other, production (T-KAF-4), and nothing that leaks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.errors import KafkaConfigurationError

from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka.clients import made
from services.eventlog.kafka.pages import Pages
from services.eventlog.kafka.security import PASSWORD, read_security, verify_production
from services.eventlog.kafka.settings import KafkaSettings, Security

ROOT = Path(__file__).resolve().parents[3]
SCRAM: dict[str, Any] = {
    "security_protocol": "SASL_SSL",
    "sasl_mechanism": "SCRAM-SHA-512",
    "sasl_plain_username": "dealer",
    "sasl_plain_password": "swordfish",
}
MTLS: dict[str, Any] = {
    "security_protocol": "SSL",
    "ssl_cafile": "ca.pem",
    "ssl_certfile": "c.pem",
    "ssl_keyfile": "k.pem",
}
PRODUCTION = {"DEALER_ENV": "production"}


def told(**security: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of Security.
    """Return what a client is told."""
    return KafkaSettings(bootstrap="127.0.0.1:1", house="h", security=Security(**security)).consumer()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (SCRAM | {"sasl_plain_password": None}, "SASL needs a mechanism, a name and a password"),
        (SCRAM | {"sasl_mechanism": None}, "SASL needs a mechanism, a name and a password"),
        (SCRAM | {"security_protocol": "SSL"}, "nothing else does"),
        ({"security_protocol": "SASL_PLAINTEXT"}, "SASL needs a mechanism, a name and a password"),
        ({"ssl_cafile": "ca.pem"}, "PLAINTEXT does not use them"),
        (MTLS | {"ssl_keyfile": None}, "a certificate needs its key"),
        (MTLS | {"ssl_certfile": None}, "a key its certificate"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(said: dict[str, Any], why: str) -> None:
    """What cannot be meant is refused with the reason."""
    with pytest.raises(ValueError, match=why):
        Security(**said)


@pytest.mark.parametrize("said", [SCRAM, MTLS | {"ssl_password": "swordfish"}])
def test_nothing_that_is_secret_is_printed(said: dict[str, Any]) -> None:
    """H11: neither alone nor inside of the settings."""
    settings = KafkaSettings(bootstrap="b:1", house="h", security=Security(**said))
    assert "swordfish" not in f"{settings} {settings!r} {settings.security}"


@pytest.mark.parametrize("said", [SCRAM, MTLS | {"ssl_password": "p", "ssl_check_hostname": False}])
def test_every_client_is_told(said: dict[str, Any]) -> None:
    """SASL, TLS and certificates reach producer, consumer, group member and administration, and each knows them."""
    settings = KafkaSettings(bootstrap="b:1", house="h", security=Security(**said))
    kinds = (KafkaProducer, KafkaConsumer, KafkaConsumer, KafkaAdminClient)
    each = (settings.producer(), settings.consumer(), settings.member(), settings.admin())
    for kind, client in zip(kinds, each, strict=True):
        assert said.items() <= client.items()
        assert client.keys() <= kind.DEFAULT_CONFIG.keys()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "PLAINTEXT is refused in production"),
        (SCRAM | {"security_protocol": "SASL_PLAINTEXT"}, "SASL_PLAINTEXT is refused in production"),
        (SCRAM | {"ssl_check_hostname": False}, "brokers must be known by their names"),
        (SCRAM | {"sasl_mechanism": "SCRAM-SHA-256"}, "SCRAM-SHA-512 or a client's certificate"),
        ({"security_protocol": "SSL"}, "SCRAM-SHA-512 or a client's certificate"),
    ],
)
def test_production_refuses_what_others_could_read(said: dict[str, Any], why: str) -> None:
    """T-KAF-4: no encryption, brokers without names, clients without proof: refused in production only."""
    with pytest.raises(KafkaConfigurationError, match=why):
        verify_production(told(**said), PRODUCTION)
    verify_production(told(**said), {"DEALER_ENV": "development"})
    verify_production(told(**said), {})


@pytest.mark.parametrize("said", [SCRAM, MTLS, MTLS | SCRAM])
def test_production_takes_what_is_safe(said: dict[str, Any]) -> None:
    """T-KAF-4: SCRAM-SHA-512 over TLS, or a client's certificate, or both."""
    verify_production(told(**said), PRODUCTION)


def test_no_client_is_made_in_production_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    """T-KAF-4: it is refused before anybody is connected to."""
    monkeypatch.setenv("DEALER_ENV", "production")
    with pytest.raises(KafkaConfigurationError, match="PLAINTEXT is refused in production"):
        made(KafkaConsumer, told())
    with pytest.raises(LogUnavailableError, match="PLAINTEXT is refused in production"):
        Pages(KafkaSettings(bootstrap="127.0.0.1:1", house="h")).end(0)


def test_all_clients_are_made_in_one_place() -> None:
    """T-KAF-4: nobody makes a client of Kafka otherwise, so nobody goes round that."""
    constructed = re.compile(r"Kafka(?:Producer|Consumer|AdminClient)\(")
    assert not [path for path in (ROOT / "services").rglob("*.py") if constructed.search(path.read_text())]


def test_a_file_says_it_all(tmp_path: Path) -> None:
    """The operator's file has the fields of `Security`, its password may be in the environment, and the file's wins."""
    path = tmp_path / "kafka.toml"
    path.write_text("".join(f'{name} = "{value}"\n' for name, value in SCRAM.items() if name != "sasl_plain_password"))
    assert read_security(path, {PASSWORD: "swordfish"}) == Security(**SCRAM)
    path.write_text(path.read_text() + 'sasl_plain_password = "marlin"\n')
    assert read_security(path, {PASSWORD: "swordfish"}) == Security(**SCRAM | {"sasl_plain_password": "marlin"})


def test_a_password_is_for_those_who_have_a_name(tmp_path: Path) -> None:
    """A password in the environment changes nothing where certificates are used."""
    path = tmp_path / "kafka.toml"
    path.write_text("".join(f'{name} = "{value}"\n' for name, value in MTLS.items()))
    assert read_security(path, {PASSWORD: "swordfish"}) == msgspec.convert(MTLS, Security)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('sasl_password = "swordfish"', "unknown field `sasl_password`"),
        ('security_protocol = "TLS"', "Invalid enum value 'TLS'"),
        ('security_protocol = "SASL_SSL"', "SASL needs a mechanism"),
        ("ssl_check_hostname = 1", "Expected `bool`, got `int`"),
        ("no toml", "cannot be read"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_file_without_sense_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """With the name of the file and the reason, and without what it holds."""
    path = tmp_path / "kafka.toml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=why) as refusal:
        read_security(path, {})
    assert str(path) in str(refusal.value)
    assert "swordfish" not in str(refusal.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A path that leads nowhere is named."""
    with pytest.raises(ValueError, match="nowhere cannot be read"):
        read_security(tmp_path / "nowhere", {})
