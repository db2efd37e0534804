"""The log in a SQLite file keeps the contract of logs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from services.eventlog.sqlite import SqliteLog, SqliteReader
from tests.services.eventlog.contract import LogContract
from tests.services.eventlog.records import HOUSE, header_of
from tests.services.eventlog.worlds import World


class SqliteWorld:
    """A file."""

    def __init__(self, path: Path) -> None:
        """Name the file, which is made when the log is opened."""
        self.path = path

    def open(self) -> SqliteLog:
        """See `World.open`."""
        return SqliteLog(self.path, HOUSE, header_of)

    def open_reader(self) -> SqliteReader:
        """See `World.open_reader`."""
        return SqliteReader(self.path, HOUSE)

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """See `World.run`."""
        asyncio.run(story)


class TestSqlite(LogContract):
    """The suite, over files."""

    @pytest.fixture
    def worlds(self, tmp_path: Path) -> Callable[[], World]:
        """Return what makes a new file."""
        numbers = count()
        return lambda: SqliteWorld(tmp_path / f"{next(numbers)}.log")
