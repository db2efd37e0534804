"""Where a log is: a SQLite file or a house's topic in Kafka, as the options of a command say."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import click

from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.kafka.security import read_security
from services.eventlog.kafka.settings import KafkaSettings, Security
from services.eventlog.kafka.topics import partitions_of
from services.eventlog.ports import LogReader
from services.eventlog.sqlite import SqliteReader

CLIENT: Final = "dealer-log"
"""What the brokers call us in their logs."""

Command: TypeAlias = Callable[..., None]


class Place(NamedTuple):
    """A log that somebody named."""

    house: str
    path: Path | None
    kafka: KafkaSettings | None

    @property
    def name(self) -> str:
        """What a sentence calls it."""
        return str(self.path) if self.kafka is None else f"{self.kafka.events} at {self.kafka.bootstrap}"


class OpenLog(NamedTuple):
    """A log that is open to be read."""

    house: str
    reader: LogReader
    partitions: Sequence[int]
    """Those that may have records."""
    numbered: bool
    """Whether offsets are sequences, because only what counts is stored."""


KAFKA_OPTIONS: Final = (
    click.option("--kafka", metavar="HOST:PORT[,...]", help="The log is in Kafka, which these brokers lead to."),
    click.option(
        "--kafka-settings",
        type=click.Path(path_type=Path),
        help="A TOML file that says how to connect: security_protocol, sasl_mechanism, sasl_plain_username, "
        "ssl_cafile, ssl_certfile, ssl_keyfile ... The password may be in DEALER_KAFKA_PASSWORD instead.",
    ),
    click.option("--kafka-prefix", default="", help="What the names of topics begin with, before the house."),
)
"""What says how to get to Kafka."""


def of_log(command: Command) -> Command:
    """Give a command the options that say which log it reads; it gets the `Place` as `place`."""

    @wraps(command)
    def placed(
        *,
        file: Path | None,
        kafka: str | None,
        house: str,
        kafka_settings: Path | None,
        kafka_prefix: str,
        **others: Any,  # noqa: ANN401 - whatever the command has besides.
    ) -> None:
        if (file is None) == (kafka is None):
            msg = "say where the log is: either --file or --kafka"
            raise click.UsageError(msg)
        if kafka is None and (kafka_settings is not None or kafka_prefix):
            msg = "--kafka-settings and --kafka-prefix are for --kafka"
            raise click.UsageError(msg)
        settings = None if kafka is None else settings_of(kafka, house, kafka_settings, kafka_prefix)
        command(place=Place(house, file, settings), **others)

    options = (
        click.option("--file", type=click.Path(path_type=Path), help="The log is this SQLite file."),
        click.option("--house", required=True, help="Whose log it is: the chain of hashes begins with the name."),
        *KAFKA_OPTIONS,
    )
    for option in reversed(options):
        placed = option(placed)
    return placed


def settings_of(bootstrap: str, house: str, path: Path | None, prefix: str) -> KafkaSettings:
    """Return the settings of Kafka's clients.

    Raises:
        click.BadParameter: They make no sense.
    """
    try:
        security = Security() if path is None else read_security(path, os.environ)
        return KafkaSettings(bootstrap=bootstrap, house=house, prefix=prefix, client=CLIENT, security=security)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--kafka'") from error


@asynccontextmanager
async def opened(place: Place) -> AsyncIterator[OpenLog]:
    """Lend a log, open to be read.

    Raises:
        LogError: It cannot be opened, or cannot be read.
    """
    if place.kafka is not None:
        kafka = KafkaReader(place.kafka)
        partitions = range(await asyncio.to_thread(partitions_of, place.kafka))
        log = OpenLog(place.house, kafka, partitions, numbered=False)
    else:
        assert place.path is not None, "a log is in a file or in Kafka"
        file = SqliteReader(place.path, place.house)
        log = OpenLog(place.house, file, await file.partitions(), numbered=True)
    try:
        yield log
    finally:
        await log.reader.close()
