"""`dealer doctor`: is this machine, and are the logs that it is shown, as they must be? One line for each thing.

ok        as it must be
WRONG     not so, and what to do about it
unknown   it cannot be seen from here
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

import apsw
import click
import msgspec
from rich.text import Text

from services.eventlog.errors import LogError
from services.eventlog.kafka import topics
from services.eventlog.kafka.security import ENVIRONMENT, PRODUCTION
from services.eventlog.kafka.settings import PARTITIONS, KafkaSettings
from services.eventlog.kafka.topics import REPLICATION, Difference
from services.eventlog.sqlite_file import open_to_read, verify_version
from services.logtool.places import KAFKA_OPTIONS, settings_of
from services.terminal import console_on

CHECKED: Final = (b"123456789", 0xE3069283)
"""What CRC-32C must make of these bytes."""
BOOTSTRAP: Final = "bootstrap"
STYLES: Final = {"ok": "green", "WRONG": "bold white on red", "unknown": "yellow"}


class Check(msgspec.Struct, frozen=True):
    """What was found of one thing."""

    name: str
    state: Literal["ok", "WRONG", "unknown"]
    found: str
    todo: str = ""
    """What helps; empty if nothing needs help."""


class Plan(msgspec.Struct, frozen=True):
    """How the topics must be, and whether those that are missing are made."""

    partitions: int
    replication: int | None
    """None for as many as the brokers allow, at most three."""
    create: bool


@click.command("doctor")
@click.option("--log", "path", type=click.Path(path_type=Path), help="Look at this SQLite log, too.")
@click.option("--house", help="Whose topics to look at; with --kafka.")
@click.option("--create", is_flag=True, help="Make the topics that are missing.")
@click.option(
    "--partitions", type=click.IntRange(1), default=PARTITIONS, show_default=True, help="Of the house, for life."
)
@click.option("--replication", type=click.IntRange(1), help="How many brokers have each record [default: 3, or 1].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@KAFKA_OPTIONS[0]
@KAFKA_OPTIONS[1]
@KAFKA_OPTIONS[2]
def doctor_command(  # noqa: PLR0913 - one for each option.
    *,
    path: Path | None,
    house: str | None,
    create: bool,
    partitions: int,
    replication: int | None,
    as_json: bool,
    kafka: str | None,
    kafka_settings: Path | None,
    kafka_prefix: str,
) -> None:
    """Check that this machine and its logs are as they must be, and say what to do where they are not.

    Exit codes: 0 all is well, or cannot be seen from here; 1 something is wrong.
    """
    if (kafka is None) != (house is None):
        msg = "--kafka and --house go together"
        raise click.UsageError(msg)
    checks = [*of_machine(), *([] if path is None else of_file(path))]
    if kafka is not None and house is not None:
        settings = settings_of(kafka, house, kafka_settings, kafka_prefix)
        checks += of_kafka(settings, Plan(partitions, replication, create))
    show(checks, as_json=as_json)
    if any(check.state == "WRONG" for check in checks):
        sys.exit(1)


def of_machine() -> Iterator[Check]:
    """Yield what concerns every log."""
    yield (
        Check("assertions", "ok", "Python checks them")
        if __debug__
        else Check("assertions", "WRONG", "Python skips them", "run without -O and PYTHONOPTIMIZE")
    )
    version = apsw.sqlite_lib_version()
    try:
        verify_version(version)
        yield Check("SQLite", "ok", version)
    except LogError as error:
        yield Check("SQLite", "WRONG", str(error), "install the versions of apsw that requirements/ names")
    yield of_checksums()


def of_checksums() -> Check:
    """Return whether checksums are computed fast, and right."""
    content, checksum = CHECKED
    todo = "install kafka-python with its extra crc32c"
    try:
        computed: int = import_module("crc32c").crc32c(content)
    except ImportError as error:
        return Check("crc32c", "WRONG", f"it does not load, and Kafka is several times slower: {error}", todo)
    if computed != checksum:
        return Check("crc32c", "WRONG", f"it makes {computed:#x} of what is {checksum:#x}", todo)
    return Check("crc32c", "ok", "it loads and is right")


def of_file(path: Path) -> Iterator[Check]:
    """Yield what there is to say of a SQLite log."""
    restore = "restore a copy that `dealer log verify` finds sound, and keep this one"
    try:
        db = open_to_read(path)
    except LogError as error:
        yield Check("file", "WRONG", str(error), "is the path right, and may this user read it?")
        return
    yield Check("file", "ok", f"{path} is a log of the format that this version knows")
    try:
        said = [str(row) for (row,) in db.execute("PRAGMA quick_check")]
    except apsw.Error as error:
        said = [str(error)]
    finally:
        db.close()
    if said == ["ok"]:
        yield Check("pages", "ok", "SQLite finds no damage; `dealer log verify` reads every record")
    else:
        yield Check("pages", "WRONG", f"{said[0]} ({len(said)} findings)".replace("\n", " "), restore)


def of_kafka(settings: KafkaSettings, plan: Plan) -> Iterator[Check]:
    """Yield what there is to say of the brokers and of a house's topics."""
    try:
        brokers = topics.brokers(settings)
    except LogError as error:
        yield Check("brokers", "WRONG", str(error), _reaching(settings, str(error)))
        return
    yield Check("brokers", "ok", f"{brokers} in the cluster")
    replication = plan.replication or (REPLICATION if brokers >= REPLICATION else 1)
    try:
        yield from of_topics(settings, msgspec.structs.replace(plan, replication=replication))
    except LogError as error:
        yield Check("topics", "WRONG", str(error))


def of_topics(settings: KafkaSettings, plan: Plan) -> Iterator[Check]:
    """Yield what there is to say of a house's topics, made first if they are to be.

    Raises:
        LogError: The brokers cannot say, or refuse.
    """
    assert plan.replication is not None, "it follows from the brokers"
    alone = plan.replication == 1 and os.environ.get(ENVIRONMENT) == PRODUCTION
    if plan.create:
        made = topics.create(settings, plan.partitions, plan.replication, flush=alone)
        yield Check("created", "ok", ", ".join(made) or "nothing was missing")
    found = topics.differences(settings, plan.partitions, plan.replication, flush=alone)
    yield from (_different(difference) for difference in found)
    if not found:
        yield Check("topics", "ok", f"{plan.partitions} partitions, replication {plan.replication}")


def show(checks: list[Check], *, as_json: bool) -> None:
    """Print what was found."""
    if as_json:
        whole: dict[str, Any] = {"well": all(check.state != "WRONG" for check in checks), "checks": checks}
        click.echo(msgspec.json.encode(whole))
        return
    console = console_on(sys.stdout)
    for check in checks:
        todo = f": {check.todo}" if check.todo else ""
        console.print(Text.assemble((f"{check.state:<7}", STYLES[check.state]), f"  {check.name}: {check.found}{todo}"))


def _different(difference: Difference) -> Check:
    name = f"{difference.where} {difference.setting}"
    if difference.found is None:
        return Check(name, "unknown", f"it must be {difference.wanted}", "this user may not look")
    return Check(name, "WRONG", f"it is {difference.found} and must be {difference.wanted}", _remedy(difference))


def _remedy(difference: Difference) -> str:
    """Return what to do about a difference."""
    match difference.setting:
        case "topic":
            return "make it with --create"
        case "partitions":
            return "it cannot change in a house's life: is --partitions right?"
        case "replication":
            return "give it replicas with kafka-reassign-partitions, or say --replication"
        case topics.AUTO_CREATION:
            return "set it in the broker's server.properties, and restart it"
        case setting:
            change = f"--alter --topic {difference.where} --add-config {setting}={difference.wanted}"
            return f"kafka-configs --bootstrap-server ... {change}"


def _reaching(settings: KafkaSettings, error: str) -> str:
    """Return what an error may mean. Kafka says no more when it does not believe who we are (`clients.md` A9)."""
    if BOOTSTRAP not in error:
        return "see the message"
    causes = ["no broker listens there", "it wants another security_protocol"]
    if settings.security.sasl_mechanism is not None:
        causes.append("the name or the password is wrong")
    if settings.security.is_encrypted:
        causes.append("one side does not trust the other's certificate, or it has another name")
    return f"Kafka does not say why; it may be that {', that '.join(causes)}"
