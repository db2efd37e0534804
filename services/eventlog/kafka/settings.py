"""What Kafka's clients are told: the settings of `clients.md` A3 and A4, each of them on purpose.

No client gets a serialiser: bytes go in and come out. After an exception from one, `poll` would spin for ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import asdict

ADDRESS: Final = re.compile(r"([a-zA-Z0-9._-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")
TOPIC_NAME: Final = re.compile(r"[a-zA-Z0-9._-]{1,200}")
SESSION_MS: Final = 6_000
"""After so long without a heartbeat a member of the group is dead."""
POLL_INTERVAL_MS: Final = 8_000
"""After so long without a poll a member of the group hangs, and its partitions go to others."""
REQUEST_MS: Final = 3_000
DELIVERY_MS: Final = 8_000
"""How long the producer tries to get a record into the log."""
BATCH_BYTES: Final = 512 * 1024
PARTITIONS: Final = 16
"""How many partitions a house has, for life."""

Protocol: TypeAlias = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
Mechanism: TypeAlias = Literal["SCRAM-SHA-256", "SCRAM-SHA-512"]


class Security(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """How a client proves who it is, and knows the brokers: TLS, SASL SCRAM, or certificates on both sides.

    Raises:
        ValueError: The settings contradict each other.
    """

    security_protocol: Protocol = "PLAINTEXT"
    sasl_mechanism: Mechanism | None = None
    sasl_plain_username: str | None = None
    """The name, with SCRAM too."""
    sasl_plain_password: str | None = None
    ssl_cafile: str | None = None
    """Whose signatures of brokers are trusted; those that the system trusts if None."""
    ssl_certfile: str | None = None
    """The client's certificate, where brokers ask for one."""
    ssl_keyfile: str | None = None
    ssl_password: str | None = None
    """Of the key file."""
    ssl_check_hostname: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        sasl = (self.sasl_mechanism, self.sasl_plain_username, self.sasl_plain_password)
        if self.security_protocol.startswith("SASL") != all(sasl) or any(sasl) != all(sasl):
            msg = "SASL needs a mechanism, a name and a password, and nothing else does"
            raise ValueError(msg)
        tls = (self.ssl_cafile, self.ssl_certfile, self.ssl_keyfile, self.ssl_password)
        if any(tls) and not self.is_encrypted:
            msg = f"files for TLS are given, but {self.security_protocol} does not use them"
            raise ValueError(msg)
        if bool(self.ssl_certfile) != bool(self.ssl_keyfile):
            msg = "a certificate needs its key, and a key its certificate"
            raise ValueError(msg)

    def __repr__(self) -> str:
        """Name neither passwords nor files."""
        return f"Security(security_protocol={self.security_protocol!r}, sasl_mechanism={self.sasl_mechanism!r})"

    @property
    def is_encrypted(self) -> bool:
        """Return whether nobody on the way can read."""
        return self.security_protocol.endswith("SSL")


class KafkaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a house's log is, and how to get there.

    Raises:
        ValueError: There can be no topic for this house.
    """

    bootstrap: str
    """Addresses of brokers: `host:port`, separated by commas."""
    house: str
    """Whose log it is; it gives the topics and the group their names."""
    prefix: str = ""
    """What stands before these names, where a cluster has rules for names or rights that go by them."""
    client: str = "dealer"
    """What the clients are called in the brokers' logs."""
    security: Security = Security()

    def __post_init__(self) -> None:
        """Refuse a house whose topics could not be named."""
        if not all(map(ADDRESS.fullmatch, self.bootstrap.split(","))):
            msg = f"{self.bootstrap!r} does not name brokers: host:port is wanted, or several, separated by commas"
            raise ValueError(msg)
        if not TOPIC_NAME.fullmatch(self.name):
            msg = f"the topics of house {self.name!r} cannot be named: only letters, digits, dots, - and _ are allowed"
            raise ValueError(msg)

    @property
    def name(self) -> str:
        """What the names of topics and group begin with."""
        return self.prefix + self.house

    @property
    def events(self) -> str:
        """The topic of the records, of which nothing is ever deleted."""
        return f"{self.name}.events"

    @property
    def owners(self) -> str:
        """The compacted topic that tells who serves which partition."""
        return f"{self.name}.owners"

    @property
    def snapshots(self) -> str:
        """The compacted topic of snapshots."""
        return f"{self.name}.snapshots"

    @property
    def group(self) -> str:
        """The consumer group that spreads partitions over dealers."""
        return f"{self.name}.dealers"

    def connection(self) -> dict[str, Any]:
        """Return what every client is told."""
        told: Mapping[str, Any] = {name: value for name, value in asdict(self.security).items() if value is not None}
        return {"bootstrap_servers": self.bootstrap.split(","), "client_id": self.client, **told}

    def producer(self) -> dict[str, Any]:
        """Return the settings of the producer (A3).

        What keeps order and copies apart is said explicitly: a setting that contradicts it raises then, where it would
        silently be switched off otherwise (T-IDEM-6).
        """
        return {
            **self.connection(),
            "enable_idempotence": True,
            "acks": "all",
            "linger_ms": 0,
            "batch_size": BATCH_BYTES,
            "max_request_size": 1_000_000,
            "request_timeout_ms": REQUEST_MS,
            "delivery_timeout_ms": DELIVERY_MS,
            "retry_backoff_ms": 20,
            "reconnect_backoff_max_ms": 2000,
            "max_block_ms": 5000,
            "bootstrap_timeout_ms": 10_000,
            "allow_auto_create_topics": False,
            "metrics_enabled": False,
        }

    def consumer(self) -> dict[str, Any]:
        """Return the settings of a reader of one topic, which says itself what it reads from where (A4)."""
        return {
            **self.connection(),
            "group_id": None,
            "enable_auto_commit": False,
            "auto_offset_reset": "none",
            "isolation_level": "read_uncommitted",
            "check_crcs": True,
            "fetch_min_bytes": 1,
            "fetch_max_wait_ms": 500,
            "request_timeout_ms": 5000,
            "reconnect_backoff_max_ms": 2000,
            "bootstrap_timeout_ms": 10_000,
            "allow_auto_create_topics": False,
            "metrics_enabled": False,
        }

    def admin(self) -> dict[str, Any]:
        """Return the settings of a client that looks at topics and makes them."""
        return {
            **self.connection(),
            "request_timeout_ms": 5000,
            "reconnect_backoff_max_ms": 2000,
            "bootstrap_timeout_ms": 10_000,
        }

    def member(self) -> dict[str, Any]:
        """Return the settings of a member of the group, which reads nothing (A4)."""
        return {
            **self.consumer(),
            "group_id": self.group,
            "auto_offset_reset": "latest",
            "session_timeout_ms": SESSION_MS,
            "heartbeat_interval_ms": SESSION_MS // 3,
            "max_poll_interval_ms": POLL_INTERVAL_MS,
        }
