"""What brokers that cannot be reached do to the log: outcomes are unknown, in time, and nothing else is lost (F7)."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource
from msgspec.structs import replace

from deploy.kafka.cluster import HOST, Cluster
from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.kafka.tickets import WAIT_S
from services.eventlog.ports import Unknown
from tests.services.eventlog.records import PARTITION, Pen
from tests.services.eventlog.worlds import counted, opened
from tests.services.kafka.proxy import Proxy
from tests.services.kafka.worlds import claimed_again, in_house, new_house, outcome

LATE_SECONDS_MAX: Final = 4 * WAIT_S
NOBODY: Final = "127.0.0.1:9"


@pytest.fixture
def proxied(own_kafka: Cluster, kafka_proxy: Proxy) -> KafkaSettings:
    """A house whose dealer comes through the proxy."""
    return replace(new_house(own_kafka.bootstrap), bootstrap=f"{HOST}:{kafka_proxy.port}")


def threads_of(log: KafkaLog) -> int:
    """Return how many threads the log process has."""
    return len(list(Path(f"/proc/{log.pid}/task").iterdir()))


async def unclear(log: KafkaLog, *records: bytes) -> bool:
    """Append records, and return whether the outcome of all is unknown, as it must be in time."""
    async with asyncio.timeout(LATE_SECONDS_MAX):
        return all(isinstance(each, Unknown) for each in await log.append(PARTITION, records))


@pytest.mark.parametrize("lost", ["requests", "answers"])
def test_a_black_hole_leaves_outcomes_unknown(proxied: KafkaSettings, kafka_proxy: Proxy, lost: str) -> None:
    """M9, A1 fact 4: nothing is said to have failed, for where answers are lost it is stored; then the log goes on."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        assert len(await counted(log)) == 1  # All threads are there.
        before, threads = log.pid, threads_of(log)
        kafka_proxy.black_hole(lost)  # type: ignore[arg-type]  # The parameter is a direction.
        stored = [pen.record(b"1"), pen.record(b"2")]
        assert await unclear(log, *stored)
        kafka_proxy.heal()
        await claimed_again(log)
        found = [record for _, record in await counted(log)][1:-1]
        assert found == (stored if lost == "answers" else [])
        assert log.pid == before
        async with asyncio.timeout(LATE_SECONDS_MAX):
            while threads_of(log) > threads:  # noqa: ASYNC110 - they are another process's.
                await asyncio.sleep(0.1)

    in_house(proxied, story)


def test_cut_connections_lose_nothing(proxied: KafkaSettings, kafka_proxy: Proxy) -> None:
    """I1, F7: whatever a writer is told, what counts is what was acknowledged and what was unknown, in their order."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        for turn in range(10):
            calls = [asyncio.ensure_future(outcome(log, pen.record(bytes([turn])))) for _ in range(50)]
            await asyncio.sleep(0)
            kafka_proxy.cut()
            if any(isinstance(found, Unknown) for found in await asyncio.gather(*calls)):
                pen = await claimed_again(log)
            else:
                assert pen.at == (await counted(log))[-1][0].position

    in_house(proxied, story)


def test_without_a_broker_nothing_hangs(kafka_bootstrap: str) -> None:
    """A1 fact 4: who has never reached one learns so, and why."""
    settings = replace(new_house(kafka_bootstrap), bootstrap=NOBODY)

    async def story(log: KafkaLog) -> None:
        asked = asyncio.create_task(log.end(PARTITION))
        assert await unclear(log, Pen().claim())
        with pytest.raises(LogUnavailableError):
            await asked

    in_house(settings, story)


def test_without_topics_nothing_hangs(kafka_bootstrap: str) -> None:
    """A8: no topic is made by appending to it."""
    settings = KafkaSettings(bootstrap=kafka_bootstrap, house="nobody-made-this")

    async def story(log: KafkaLog) -> None:
        assert await unclear(log, Pen().claim())

    in_house(settings, story)


def configure(settings: KafkaSettings, value_ms: str) -> None:
    """Let the brokers refuse records that were stamped longer ago than this."""
    with closing(KafkaAdminClient(bootstrap_servers=settings.bootstrap)) as admin:
        admin.alter_configs([ConfigResource("topic", settings.events, {"message.timestamp.before.max.ms": value_ms})])


def test_a_clock_that_the_brokers_refuse_is_an_alarm(kafka_bootstrap: str) -> None:
    """A5: outcomes are unknown, somebody is told why, and nothing is sent for a while; put right, the log goes on."""
    settings = new_house(kafka_bootstrap)
    said: list[str] = []

    async def story(log: KafkaLog) -> None:
        log.hindered = said.append
        pen = await opened(log)
        configure(settings, "0")
        assert await unclear(log, pen.record())
        assert await unclear(log, pen.claim())
        assert len(said) == 1
        assert "InvalidTimestampError" in said[0]
        configure(settings, "9223372036854775807")
        await claimed_again(log)

    in_house(settings, story)
