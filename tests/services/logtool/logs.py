"""Logs in files for tests of the tools, sound ones and such as no dealer writes, and the command that looks at them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import msgspec
from click.testing import CliRunner, Result
from msgspec.structs import replace

from engine.account.events import FundsDeposited
from services.cli import main
from services.eventlog.envelope import decode, encode, header_of
from services.eventlog.judge import Position, chained, genesis
from services.eventlog.sqlite import SqliteLog
from services.eventlog.sqlite_file import open_to_write
from services.eventlog.sqlite_rows import Rows
from tests.services.eventlog.envelopes import message_in
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import Scribe

OTHER_PARTITION: Final = PARTITION + 1
UNKNOWN_EVENT: Final = b"\xfa\x3f\x00"
"""Field number 1023, which no event has."""


def run(*arguments: str, **environment: str) -> Result:
    """Run `dealer`, in an environment that says so much more."""
    return CliRunner().invoke(main, arguments, prog_name="dealer", env=environment)


def log(command: str, path: Path, *arguments: str) -> Result:
    """Run a command of `dealer log` on a file."""
    return run("log", command, "--file", str(path), "--house", HOUSE, *arguments)


def json_of(result: Result) -> Any:  # noqa: ANN401 - whatever JSON has.
    """Return what a command has printed as JSON."""
    return msgspec.json.decode(result.stdout)


def scribe_of(path: Path, partition: int = PARTITION, records: int = 4) -> Scribe:
    """Write a claim and some deposits into a partition, and return who may write more."""
    scribe = Scribe(genesis(HOUSE, partition))
    append(path, partition, scribe.claim(), *(scribe.record() for _ in range(records)))
    return scribe


def append(path: Path, partition: int, *records: bytes) -> None:
    """Append records as a dealer does."""

    async def story() -> None:
        sqlite = SqliteLog(path, HOUSE, header_of)
        await sqlite.append(partition, records)
        await sqlite.close()

    asyncio.run(story())


def smuggle(path: Path, at: Position, stored: bytes) -> None:
    """Put any bytes behind a position of the partition that tests use, with a hash that fits."""
    db = open_to_write(path)
    Rows(db, HOUSE).insert(PARTITION, Position(at.epoch, at.sequence + 1, chained(at.hash, stored)), stored)
    db.close()


def changed(stored: bytes, **fields: object) -> bytes:
    """Return a record with other fields."""
    return encode(replace(decode(stored), **fields))


def of_a_later_version(stored: bytes) -> bytes:
    """Return a record with an event that this version does not know."""
    message = message_in(stored)
    message.events[0].ParseFromString(UNKNOWN_EVENT)
    return message.SerializeToString()


DEPOSIT: Final = FundsDeposited("USD", 5, "from the \x1b[31mbank")
"""A deposit whose reference would colour a terminal."""
