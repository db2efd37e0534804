"""The log in Kafka keeps the contract of logs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.services.eventlog.contract import LogContract
from tests.services.eventlog.worlds import World
from tests.services.kafka.worlds import KafkaWorld


class TestKafka(LogContract):
    """The suite, over houses of a real Kafka. Each has a log process of its own, so there are fewer examples."""

    examples = 12

    @pytest.fixture
    def worlds(self, kafka_bootstrap: str) -> Callable[[], World]:
        """Return what makes a new house."""
        return lambda: KafkaWorld(kafka_bootstrap)
