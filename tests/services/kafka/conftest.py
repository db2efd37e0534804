"""A topic for each test; `plugin.py` has the brokers."""

from __future__ import annotations

import pytest

from deploy.kafka.cluster import Cluster
from tests.services.kafka.clients import new_topic


@pytest.fixture
def topic(kafka_bootstrap: str) -> str:
    """A new topic of one partition."""
    return new_topic(kafka_bootstrap)


@pytest.fixture
def own_topic(own_kafka: Cluster) -> str:
    """A new topic in the broker that belongs to this run."""
    return new_topic(own_kafka.bootstrap)
