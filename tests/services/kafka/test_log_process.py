"""The log process dies with its dealer, and its dealer lives on without it (F6)."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from services.eventlog.errors import LogUnavailableError
from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import Acknowledged, Bookmark, Outcome, Unknown
from tests.services.eventlog.records import PARTITION, Pen
from tests.services.eventlog.worlds import counted, opened
from tests.services.kafka.houses import put
from tests.services.kafka.worlds import claimed_again, in_house, new_house, outcome

ROOT: Final = Path(__file__).resolve().parents[3]
END_SECONDS_MAX: Final = 20
NOBODY: Final = "127.0.0.1:9"


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """A house without records."""
    return new_house(kafka_bootstrap)


@pytest.mark.parametrize("broker", ["there", "away"])
def test_it_ends_with_its_dealer(kafka_bootstrap: str, broker: str) -> None:
    """F6: whatever its threads wait for, a log process does not outlive a dealer that is killed."""
    command = [sys.executable, "-m", "tests.services.kafka.log_alone", kafka_bootstrap if broker == "there" else NOBODY]
    known = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, cwd=ROOT, env=known, stdout=subprocess.PIPE, text=True) as dealer:  # noqa: S603 - our own.
        assert dealer.stdout is not None
        process = os.pidfd_open(int(dealer.stdout.readline()))
        dealer.kill()
    assert select.select([process], [], [], END_SECONDS_MAX)[0] == [process]
    os.close(process)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_what_was_under_way_is_unknown(house: KafkaSettings, blow: signal.Signals) -> None:
    """I1, M9: a log process that dies or hangs loses nothing that was acknowledged, and another one goes on."""

    async def story(log: KafkaLog) -> None:
        pen = await opened(log)
        told: list[Outcome] = []
        appending = asyncio.create_task(append_on(log, pen, told))
        while len(told) < 20:  # noqa: ASYNC110 - nobody tells how far it is.
            await asyncio.sleep(0)
        os.kill(log.pid or 0, blow)
        unclear = await appending
        assert {type(each) for each in unclear} <= {Acknowledged, Unknown}
        assert isinstance(unclear[-1], Unknown)
        await claimed_again(log)
        known = [entry for entry, _ in await counted(log)]
        assert [each for each in (*told, *unclear) if isinstance(each, Acknowledged) and each not in known] == []

    in_house(house, story)


async def append_on(log: KafkaLog, pen: Pen, told: list[Outcome]) -> Sequence[Outcome]:
    """Append ten records at a time until some are not acknowledged, and return their outcomes."""
    while True:
        found = await log.append(PARTITION, [pen.record() for _ in range(10)])
        if not all(isinstance(each, Acknowledged) for each in found):
            return found
        told += found


def test_another_process_goes_on_where_the_first_was(house: KafkaSettings) -> None:
    """It is told how far each partition was read back, and does not begin at its beginning."""
    pen = Pen()
    put(house, PARTITION, b"\xff no record", pen.claim())

    async def story(log: KafkaLog) -> None:
        log.follow(PARTITION, Bookmark(pen.at, 1))
        assert isinstance(await outcome(log, pen.record()), Acknowledged)
        os.kill(log.pid or 0, signal.SIGKILL)
        assert isinstance(await outcome_in_time(log, pen.record()), Acknowledged)

    in_house(house, story)


async def outcome_in_time(log: KafkaLog, stored: bytes) -> Outcome:
    """Append a record until its outcome is known."""
    while isinstance(found := await outcome(log, stored), Unknown):  # noqa: ASYNC110 - nobody tells when there is a process.
        await asyncio.sleep(0.05)
    return found


def test_reads_fail_while_there_is_no_process(house: KafkaSettings) -> None:
    """A question that the process did not answer must be asked again."""

    async def story(log: KafkaLog) -> None:
        await opened(log)
        os.kill(log.pid or 0, signal.SIGSTOP)
        reading = asyncio.create_task(log.read(PARTITION, 0, 1))
        await asyncio.sleep(0.01)
        os.kill(log.pid or 0, signal.SIGKILL)
        with pytest.raises(LogUnavailableError, match="the log process"):
            await reading
        await claimed_again(log)
        assert len(await counted(log)) == 2

    in_house(house, story)


def test_closing_does_not_wait_for_a_process_that_hangs(house: KafkaSettings) -> None:
    """A process that is stopped is killed."""

    async def story(log: KafkaLog) -> None:
        await opened(log)
        os.kill(log.pid or 0, signal.SIGSTOP)

    in_house(house, story)
