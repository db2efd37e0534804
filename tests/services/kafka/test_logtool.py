"""`dealer log` and `dealer doctor` on a real broker: T-KAF-1, T-KAF-3."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from click.testing import Result
from msgspec.structs import replace

from services.eventlog.errors import LogCorruptError
from services.eventlog.judge import genesis
from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.kafka.settings import KafkaSettings
from services.eventlog.ports import RECORD_BYTES_MAX
from services.eventlog.reader import PartitionReader
from services.logtool.places import settings_of
from tests.services.eventlog.scribe import Scribe
from tests.services.kafka.houses import PARTITIONS, new_house, put
from tests.services.logtool.logs import json_of, of_a_later_version, run

PARTITION = 1


@pytest.fixture
def house(kafka_bootstrap: str) -> KafkaSettings:
    """A house with its topics."""
    return new_house(kafka_bootstrap, PARTITIONS)


@pytest.fixture
def scribe(house: KafkaSettings) -> Scribe:
    """The writer of a partition, which has a claim, five deposits, and a copy of the last."""
    scribe = Scribe(genesis(house.house, PARTITION))
    records = [scribe.claim(), *(scribe.record() for _ in range(5))]
    put(house, PARTITION, *records, records[-1])
    return scribe


def log(command: str, house: KafkaSettings, *arguments: str) -> Result:
    """Run a command of `dealer log`."""
    return run("log", command, "--kafka", house.bootstrap, "--house", house.house, *arguments)


@pytest.mark.usefixtures("scribe")
def test_commands_read_a_log_in_kafka(house: KafkaSettings) -> None:
    """What is void is counted by its reason; tail has it too, at its offset."""
    total = json_of(log("stat", house, "--json"))
    assert (total["records"], total["counted"], total["void"]) == (7, 6, {"old_sequence": 1})
    assert len(log("tail", house, "-n", "99").stdout.splitlines()) == 7
    assert "6 of 7 records count, 1 are void (old_sequence 1)" in log("verify", house).stdout


def test_show_finds_a_sequence_or_an_offset(house: KafkaSettings, scribe: Scribe) -> None:
    """A sequence is that of the record which counts, at whatever offset; a void record has an offset only."""
    put(house, PARTITION, scribe.claim())
    shown = json_of(log("show", house, str(PARTITION), "7", "--json"))
    assert (shown["offset"], shown["events"][0]["type"]) == (7, "EpochOpened")
    assert json_of(log("show", house, str(PARTITION), "--offset", "6", "--json"))["sequence"] == 6
    result = log("show", house, str(PARTITION), "8")
    assert (result.exit_code, result.stderr) == (1, "Error: partition 1 has no sequence 8: it has counted to 7\n")


@pytest.mark.parametrize("case", ["random bytes", "no value", "oversize", "unknown event", "wrong type"])
def test_bad_bytes_halt_every_reader_where_they_are(house: KafkaSettings, scribe: Scribe, case: str) -> None:
    """T-KAF-3: each reader halts at that offset, its position unchanged; the tools say so and end with 3."""
    before, stored = scribe.at, scribe.record()
    bad = {
        "random bytes": random.Random(1).randbytes(300),
        "no value": None,
        "oversize": stored + bytes(RECORD_BYTES_MAX),
        "unknown event": of_a_later_version(stored),
        "wrong type": stored.replace(b"account/P1", b"tableau/P1"),
    }[case]
    put(house, PARTITION, bad, stored)
    assert halted(house) == (7, before)
    for command in ("tail", "verify", "stat"):
        result = log(command, house)
        assert result.exit_code == 3
        assert "partition 1 is corrupt at offset 7: " in result.stderr


def halted(house: KafkaSettings) -> tuple[int, object]:
    """Return where a reader of the partition halts, and its position then."""

    async def story() -> tuple[int, object]:
        log = KafkaReader(house)
        reader = PartitionReader(log, house.house, PARTITION)
        with pytest.raises(LogCorruptError) as halt:
            await reader.read_on(await log.end(PARTITION), lambda _: None)
        await log.close()
        return halt.value.offset, reader.position

    return asyncio.run(story())


def test_a_partition_that_cannot_be_is_refused(house: KafkaSettings) -> None:
    """Exit code 2: the partitions that there are are named."""
    result = log("tail", house, "-p", "77")
    assert result.exit_code == 2
    assert "there is no partition 77: they are 0 to 2" in result.stderr


def test_a_log_that_cannot_be_reached_ends_with_four(house: KafkaSettings) -> None:
    """Exit code 4: a house without topics."""
    result = log("verify", replace(house, house="nobody"))
    assert result.exit_code == 4
    assert "there is no topic nobody.events" in result.stderr


def test_prefix_and_file_reach_the_settings(tmp_path: Path) -> None:
    """`--kafka-prefix` and `--kafka-settings` are used."""
    path = tmp_path / "kafka.toml"
    path.write_text('security_protocol = "SSL"')
    settings = settings_of("b:1", "h", path, "poker.")
    assert (settings.events, settings.security.security_protocol) == ("poker.h.events", "SSL")


def doctor(house: KafkaSettings, *arguments: str) -> Result:
    """Run the doctor for a house."""
    places = ("--kafka", house.bootstrap, "--house", house.house)
    return run("doctor", *places, "--partitions", str(PARTITIONS), *arguments)


def test_doctor_finds_topics_as_they_must_be(house: KafkaSettings) -> None:
    """T-KAF-1: all well, exit code 0."""
    result = doctor(house, "--replication", "1")
    assert result.exit_code == 0
    assert "ok       topics: 3 partitions, replication 1" in result.stdout


def test_doctor_names_what_differs(house: KafkaSettings) -> None:
    """T-KAF-1: a line for each difference, with what to do, exit code 1."""
    result = doctor(house, "--replication", "3")
    assert result.exit_code == 1
    lines = [line for line in result.stdout.splitlines() if line.startswith("WRONG")]
    assert len(lines) == 6
    assert lines[0].startswith(f"WRONG    {house.events} replication: it is 1 and must be 3: give it replicas")
    assert f"--alter --topic {house.events} --add-config min.insync.replicas=2" in lines[1]


def test_doctor_makes_missing_topics(house: KafkaSettings) -> None:
    """T-KAF-1: without `--create` they are wrong, with it they are made."""
    new = replace(house, house=f"{house.house}-new")
    assert doctor(new, "--replication", "1").stdout.count("is missing") == 3
    assert f"ok       created: {new.events}, {new.owners}" in doctor(new, "--replication", "1", "--create").stdout
    assert doctor(new, "--replication", "1").exit_code == 0


def test_doctor_says_why_a_topic_cannot_be_made(house: KafkaSettings) -> None:
    """A cluster with too few brokers: in the broker's own words."""
    result = doctor(replace(house, house=f"{house.house}-new"), "--replication", "99", "--create")
    assert result.exit_code == 1
    assert "cannot be made: Unable to replicate the partition 99 time(s)" in result.stdout


def test_doctor_says_that_production_needs_encryption(house: KafkaSettings) -> None:
    """T-KAF-4: it connects as little as the dealer does."""
    result = run("doctor", "--kafka", house.bootstrap, "--house", house.house, DEALER_ENV="production")
    assert result.exit_code == 1
    assert "PLAINTEXT is refused in production" in result.stdout
