"""The simulated log keeps the contract of logs where nothing was done to it, and does what it was told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.services.eventlog import virtual_time
from tests.services.eventlog.contract import LogContract
from tests.services.eventlog.records import HOUSE, header_of
from tests.services.eventlog.shelves import Store
from tests.services.eventlog.simulated import SimulatedLog, fair
from tests.services.eventlog.worlds import World


class SimulatedWorld:
    """A store in virtual time."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.store = Store(HOUSE, header_of)

    def open(self) -> SimulatedLog:
        """See `World.open`."""
        return SimulatedLog(self.store, fair)

    def open_reader(self) -> SimulatedLog:
        """See `World.open_reader`."""
        return self.open()

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """See `World.run`."""
        virtual_time.run(story)


class TestSimulated(LogContract):
    """The suite, in virtual time."""

    @pytest.fixture
    def worlds(self) -> Callable[[], World]:
        """Return what makes a new store."""
        return SimulatedWorld
