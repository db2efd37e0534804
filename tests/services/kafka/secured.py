"""A broker that believes nobody: TLS, SCRAM or certificates, and rights that were given (`trust.md` section 6).

It has a listener for each way of proving who one is, SASL_SSL and SSL, and an authorizer. Certificates are made by
openssl for this run alone. The node speaks to itself at a listener without encryption on loopback, as somebody who may
do everything; no client is told of it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from kafka import KafkaAdminClient
from kafka.admin import ACL, ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

from deploy.kafka.cluster import HOST, Cluster, Node, settings
from deploy.kafka.launch import (
    CLUSTER_ID,
    FORMAT_SECONDS_MAX,
    HEAP_MAX,
    JVM,
    STARTED_LOGGER,
    KafkaMissingError,
    await_started,
    complete,
    fetch_jars,
    find_java,
    spawn,
    stop,
)
from services.eventlog.kafka.settings import KafkaSettings, Security

ADMIN: Final = "admin"
DEALER: Final = "dealer"
PROJECTOR: Final = "projector"
PASSWORDS: Final = {ADMIN: "admin's", DEALER: "dealer's", PROJECTOR: "projector's"}
OPENSSL_SECONDS_MAX: Final = 60
CHANGED: Final = """
listeners=SASL_SSL://{host}:{port},SSL://{host}:{tls},INNER://{host}:{inner},CONTROLLER://{host}:{controller}
advertised.listeners=SASL_SSL://{host}:{port},SSL://{host}:{tls},INNER://{host}:{inner}
listener.security.protocol.map=SASL_SSL:SASL_SSL,SSL:SSL,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=INNER
sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.ssl.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location={folder}/broker.pem
ssl.truststore.type=PEM
ssl.truststore.location={folder}/ca.crt
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
"""


class Secured(msgspec.Struct, frozen=True):
    """A running broker, and the certificates that go with it."""

    node: Node
    folder: Path

    def by_password(self, house: str, name: str, password: str = "") -> KafkaSettings:
        """Return the settings of somebody who has a password: his own, or the one that is given."""
        security = Security(
            security_protocol="SASL_SSL",
            sasl_mechanism="SCRAM-SHA-512",
            sasl_plain_username=name,
            sasl_plain_password=password or PASSWORDS[name],
            ssl_cafile=str(self.folder / "ca.crt"),
        )
        return KafkaSettings(bootstrap=f"{HOST}:{self.node.port}", house=house, security=security)

    def by_certificate(self, house: str, name: str | None) -> KafkaSettings:
        """Return the settings of somebody who has a certificate, or of somebody who has none."""
        security = Security(
            security_protocol="SSL",
            ssl_cafile=str(self.folder / "ca.crt"),
            ssl_certfile=str(self.folder / f"{name}.crt") if name else None,
            ssl_keyfile=str(self.folder / f"{name}.key") if name else None,
        )
        return KafkaSettings(bootstrap=f"{HOST}:{self.node.port + 2}", house=house, security=security)

    def allow(self, settings: KafkaSettings, principal: str, *operations: ACLOperation) -> None:
        """Give somebody rights to a house's records."""
        events = ResourcePattern(ResourceType.TOPIC, settings.events)
        rights = [ACL(f"User:{principal}", "*", each, ACLPermissionType.ALLOW, events) for each in operations]
        admin = KafkaAdminClient(**self.by_password(settings.house, ADMIN).admin())
        given: Mapping[str, list[ACL]] = admin.create_acls(rights)
        admin.close()
        assert not given["failed"], given


@contextmanager
def secured(folder: Path, port: int) -> Iterator[Secured]:
    """Start the broker, and end it.

    Raises:
        KafkaMissingError: Java, Maven, the jars or openssl are missing.
    """
    node = Node(1, folder / "node1", port, 0)
    node.folder.mkdir(parents=True)
    make_certificates(folder)
    places = {"host": HOST, "port": port, "controller": port + 1, "tls": port + 2, "inner": port + 3, "folder": folder}
    own = CHANGED.format(**places)
    replaced = {line.partition("=")[0] for line in own.splitlines()}
    common = settings(Cluster(folder, port=port), node).splitlines()
    node.properties.write_text("\n".join(line for line in common if line.partition("=")[0] not in replaced) + own)
    run = [find_java(), "-cp", f"{fetch_jars()}/*", *JVM]
    scram = [f"SCRAM-SHA-512=[name={name},password={password}]" for name, password in PASSWORDS.items()]
    users = [word for each in scram for word in ("--add-scram", each)]
    form = [*run, "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(node.properties), *users]
    wrong = complete(form, FORMAT_SECONDS_MAX)
    assert not wrong, wrong
    spawn([*run, HEAP_MAX, STARTED_LOGGER, "kafka.Kafka", str(node.properties)], node)
    try:
        await_started(node)
        yield Secured(node, folder)
    finally:
        stop(folder)


def make_certificates(folder: Path) -> None:
    """Make an authority, and keys that it has signed: of the broker and of two clients; a third has signed its own.

    Raises:
        KafkaMissingError: There is no openssl.
    """
    if shutil.which("openssl") is None:
        msg = "openssl is needed to make certificates, and the PATH has none"
        raise KafkaMissingError(msg)
    for own in ("ca", "stranger"):
        openssl(folder, "req", "-x509", *key(own), "-out", f"{own}.crt", "-days", "2", "-subj", f"/CN={own}")
    (folder / "names").write_text(f"subjectAltName=IP:{HOST}")
    for name in ("broker", DEALER, PROJECTOR):
        openssl(folder, "req", *key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}")
        signed = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", *signed, "-out", f"{name}.crt")
    (folder / "broker.pem").write_text((folder / "broker.key").read_text() + (folder / "broker.crt").read_text())


def key(name: str) -> tuple[str, ...]:
    """Return the options that make a new key."""
    return ("-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key")


def openssl(folder: Path, *arguments: str) -> None:
    """Run openssl."""
    command = ("openssl", *arguments)
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=OPENSSL_SECONDS_MAX)  # noqa: S603 - ours.
