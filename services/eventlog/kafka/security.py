"""How a client proves who it is, from a file of the operator's; and what production does not do without.

The file is TOML with the fields of `Security`. Its password may be left out and be in the environment instead, where no
backup and no repository finds it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from kafka.errors import KafkaConfigurationError

from services.eventlog.kafka.settings import Security

ENVIRONMENT: Final = "DEALER_ENV"
PRODUCTION: Final = "production"
PASSWORD: Final = "DEALER_KAFKA_PASSWORD"  # noqa: S105 - the name of the variable.


def read_security(path: Path, environment: Mapping[str, str]) -> Security:
    """Return what a file says, with the password of the environment if the file has none.

    Raises:
        ValueError: It cannot be read, or says what cannot be meant.
    """
    try:
        said: dict[str, Any] = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read: {error}"
        raise ValueError(msg) from error
    if "sasl_mechanism" in said and PASSWORD in environment:
        said.setdefault("sasl_plain_password", environment[PASSWORD])
    try:
        return msgspec.convert(said, Security)
    except msgspec.ValidationError as error:
        msg = f"{path}: {error}"
        raise ValueError(msg) from error


def verify_production(told: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    """Refuse to connect in production as `trust.md` section 6 forbids; `told` is what a client is told.

    Raises:
        KafkaConfigurationError: Others could read, or pretend to be a broker or the dealer.
    """
    if environment.get(ENVIRONMENT) != PRODUCTION:
        return
    if not told["security_protocol"].endswith("SSL"):
        msg = f"{told['security_protocol']} is refused in production: others could read and write"
        raise KafkaConfigurationError(msg)
    if not told.get("ssl_check_hostname"):
        msg = "brokers must be known by their names in production"
        raise KafkaConfigurationError(msg)
    if told.get("sasl_mechanism") != "SCRAM-SHA-512" and not told.get("ssl_certfile"):
        msg = "production needs SCRAM-SHA-512 or a client's certificate"
        raise KafkaConfigurationError(msg)
