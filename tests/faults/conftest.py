"""Brokers that a test may break."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest

from deploy.kafka.cluster import Cluster
from deploy.kafka.launch import WORK, KafkaMissingError, alone_in, start, stop
from tests.services.kafka.plugin import free_port, give_up

PORT_FIRST = 24_092
"""Other brokers of a run begin below it."""


@pytest.fixture
def breakable() -> Iterator[Callable[[int], Cluster]]:
    """Return what starts a cluster of so many nodes for one test alone, one at a time on this machine."""
    folder = WORK / "broken"
    with alone_in(WORK / "broken.gate"):

        def started(nodes: int) -> Cluster:
            cluster = Cluster(folder, nodes, free_port(PORT_FIRST))
            try:
                start(cluster)
            except KafkaMissingError as error:
                give_up(error.message)
            return cluster

        try:
            yield started
        finally:
            stop(folder)
            shutil.rmtree(folder, ignore_errors=True)
