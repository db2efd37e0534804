"""`dealer log` on a SQLite log, as somebody types it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.eventlog.envelopes import RECORD
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import Scribe
from tests.services.logtool.logs import (
    DEPOSIT,
    OTHER_PARTITION,
    append,
    changed,
    json_of,
    log,
    of_a_later_version,
    run,
    scribe_of,
    smuggle,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file, in a folder of its own."""
    return tmp_path / "hands.log"


def test_tail_prints_the_last_records_of_all_partitions(path: Path) -> None:
    """The last ones by time, each on a line with its place and its events."""
    scribe_of(path), scribe_of(path, OTHER_PARTITION)
    result = log("tail", path, "-n", "2")
    assert result.exit_code == 0
    places = [line.split()[2] for line in result.stdout.splitlines()]
    assert places == [f"{OTHER_PARTITION}@4", f"{OTHER_PARTITION}@5"]
    assert result.stdout.splitlines()[-1].endswith("account/P1 v4      FundsDeposited")


def test_tail_keeps_to_a_partition(path: Path) -> None:
    """`--partition` leaves the others out; JSON has one object on each line."""
    scribe_of(path), scribe_of(path, OTHER_PARTITION)
    lines = log("tail", path, "-p", str(PARTITION), "-n", "99", "--json").stdout.splitlines()
    assert [f'"partition":{PARTITION},"offset":{offset}' in line for offset, line in enumerate(lines, 1)] == [True] * 5


def test_tail_follows_until_it_is_interrupted(path: Path) -> None:
    """`--follow` prints what is appended, and ctrl-C ends it as it should."""
    scribe = scribe_of(path)
    command = (sys.executable, "-m", "services.cli", "log", "tail", "--file", str(path), "--house", HOUSE, "-fn1")
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as following:  # noqa: S603 - ours.
        assert following.stdout is not None
        assert f"{PARTITION}@5" in following.stdout.readline()
        append(path, PARTITION, scribe.record())
        assert f"{PARTITION}@6" in following.stdout.readline()
        following.send_signal(signal.SIGINT)
        _, said = following.communicate(timeout=30)
    assert (following.returncode, said) == (0, "")


def test_show_prints_every_field(path: Path) -> None:
    """A record whole; what would move the terminal's cursor or colour it is written out."""
    scribe = scribe_of(path)
    append(path, PARTITION, scribe.record(DEPOSIT))
    result = log("show", path, str(PARTITION), "6")
    assert result.exit_code == 0
    for part in ("sequence           6", "event 5  FundsDeposited", "amount             5", r"from the \x1b[31mbank"):
        assert part in result.stdout


def test_show_never_opens_what_is_sealed(path: Path) -> None:
    """H11: neither ciphertext nor nonce is shown, only under which key they are."""
    scribe = Scribe()
    append(path, PARTITION, scribe.claim())
    append(path, PARTITION, changed(scribe.record(), sealed=RECORD.sealed, command=RECORD.command))
    for arguments in (("--json",), ()):
        text = log("show", path, str(PARTITION), "2", *arguments).stdout
        assert '{"key_id":"k1"}' in text
        assert "0001020304" not in text
    assert json_of(log("show", path, str(PARTITION), "2", "--json"))["command"]["type"] == "Call"


def test_show_says_what_is_not_there(path: Path) -> None:
    """Beyond the end there is nothing: a sentence, exit code 1."""
    scribe_of(path)
    for arguments in (("99",), ("--offset", "0"), ("--offset", "6")):
        result = log("show", path, str(PARTITION), *arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "has no record at offset" in result.stderr


def test_verify_ends_with_the_position_of_each_partition(path: Path) -> None:
    """I3: the hash at the end is the chain's, and everything is counted."""
    scribes = {PARTITION: scribe_of(path), OTHER_PARTITION: scribe_of(path, OTHER_PARTITION, records=9)}
    result = log("verify", path)
    assert result.exit_code == 0
    for partition, scribe in scribes.items():
        assert f"ok   partition {partition}: " in result.stdout
        assert f"sequence {scribe.at.sequence}, hash {scribe.at.hash.hex()}" in result.stdout
    assert "15 of 15 records count, 15 events; every record is as it must be" in result.stdout


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"version": 7}, "account/P1 continues with event 7, and 5 is the next"),
        ({"occurred_at_ms": -5}, "time goes back by 5 ms"),
    ],
)
def test_verify_finds_what_no_writer_writes(path: Path, fields: dict[str, int], why: str) -> None:
    """I3: a gap in the events of an aggregate, or time that goes back: the offset and the reason, exit code 3."""
    scribe = scribe_of(path)
    append(path, PARTITION, changed(scribe.record(), **fields))
    result = log("verify", path)
    assert result.exit_code == 3
    assert f"partition {PARTITION} is corrupt at offset 6: {why}" in result.stderr


def test_verify_of_another_house_says_so(path: Path) -> None:
    """The chain begins with the house: from the first record on nothing fits, and the reason may be the name."""
    scribe_of(path)
    result = run("log", "verify", "--file", str(path), "--house", "steamboat")
    assert result.exit_code == 3
    assert "unless this is not the log of house 'steamboat'" in result.stderr


def test_stat_counts_everything(path: Path) -> None:
    """Records, bytes, events by their type, epochs and times, as JSON."""
    scribe = scribe_of(path)
    records = [scribe.claim(), changed(scribe.record(), occurred_at_ms=1_700_000_000_000)]
    append(path, PARTITION, *records)
    total = json_of(log("stat", path, "--json"))
    assert (total["records"], total["counted"], total["void"]) == (7, 7, {})
    assert total["events"] == {"EpochOpened": 2, "FundsDeposited": 5}
    assert (total["first_ms"], total["last_ms"]) == (0, 1_700_000_000_000)
    assert [(each["partition"], each["epoch"]) for each in total["partitions"]] == [(PARTITION, 2)]
    assert total["bytes"] > sum(map(len, records))
    assert "from 1970-01-01 00:00:00.000Z to 2023-11-14 22:13:20.000Z" in log("stat", path).stdout


def test_an_event_of_a_later_version_halts(path: Path) -> None:
    """T-KAF-3: an event that this version does not know is corrupt for each command that reads it."""
    scribe = scribe_of(path)
    smuggle(path, scribe.at, of_a_later_version(scribe.record()))
    for arguments in (("tail",), ("show", str(PARTITION), "6"), ("verify",), ("stat",)):
        result = log(arguments[0], path, *arguments[1:])
        assert result.exit_code == 3
        assert "is corrupt at offset 6: this version does not know event number 1023" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--house", "h"),
        ("verify", "--house", "h", "--file", "a", "--kafka", "b:1"),
        ("verify", "--file", "a"),
        ("verify", "--house", "h", "--file", "a", "--kafka-settings", "b"),
        ("verify", "--house", "no house!", "--kafka", "b:1"),
        ("show", "--house", "h", "--file", "a", "1"),
        ("show", "--house", "h", "--file", "a", "1", "2", "--offset", "3"),
        ("tail", "--house", "h", "--file", "a", "-n", "0"),
        ("tail", "--house", "h", "--file", "a", "-p", "9" * 20),
        ("show", "--house", "h", "--file", "a", "9" * 20, "1"),
    ],
)
def test_command_line_without_sense_is_refused(arguments: tuple[str, ...]) -> None:
    """Exit code 2, and the last line says what makes no sense."""
    result = run("log", *arguments)
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].startswith("Error: ")
