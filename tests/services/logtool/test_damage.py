"""F13, T-KAF-3: whatever is in the file, the tools end with a sentence and an exit code, and never with a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import Result

from services.eventlog.ports import RECORD_BYTES_MAX
from tests.services.eventlog.records import PARTITION
from tests.services.logtool.logs import OTHER_PARTITION, append, log, scribe_of, smuggle

COMMANDS = (("tail", "-n", "1000"), ("show", str(PARTITION), "3"), ("verify",), ("stat",))
CODES = (0, 3, 4)
PAGE_BYTES = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a log with two partitions."""
    path = tmp_path / "hands.log"
    scribe_of(path, records=60), scribe_of(path, OTHER_PARTITION)
    return path


def tried(path: Path) -> list[Result]:
    """Return what each command makes of a file; those that fail say why in sentences."""
    results = [log(command, path, *arguments) for command, *arguments in COMMANDS]
    for result in results:
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code in CODES
        assert result.stderr.startswith("Error: ") if result.exit_code else not result.stderr
    return results


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        (random.Random(1).randbytes(300), "the bytes are no envelope"),
        (b"", "the record does not say what it follows"),
        (bytes(RECORD_BYTES_MAX + 1), f"the record has {RECORD_BYTES_MAX + 1} bytes"),
    ],
)
def test_bytes_that_no_dealer_wrote_are_corrupt(tmp_path: Path, stored: bytes, why: str) -> None:
    """T-KAF-3: random bytes, no bytes, too many bytes: the offset, the reason, exit code 3."""
    path = tmp_path / "hands.log"
    smuggle(path, scribe_of(path).at, stored)
    for command in ("tail", "verify", "stat"):
        result = log(command, path)
        assert result.exit_code == 3
        assert f"partition {PARTITION} is corrupt at offset 6: {why}" in result.stderr


def test_what_comes_before_damage_is_printed(tmp_path: Path) -> None:
    """A tail prints what can be read, and then what cannot."""
    path = tmp_path / "hands.log"
    smuggle(path, scribe_of(path).at, b"noise")
    assert len(log("tail", path, "-n", "3").stdout.splitlines()) == 2


def test_damage_in_one_partition_leaves_the_others(path: Path) -> None:
    """`verify` reads every partition to its end or its damage, and says both."""
    path.write_bytes(path.read_bytes().replace(b"cent 30", b"CENT 30"))
    result = log("verify", path)
    assert result.exit_code == 3
    assert f"BAD  partition {PARTITION}: 30 of 30 records count" in result.stdout
    assert f"ok   partition {OTHER_PARTITION}: 5 of 5 records count" in result.stdout
    assert result.stderr.count("is corrupt at offset 31") == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_flipped_bit_is_survived(path: Path, seed: int) -> None:
    """F13: wherever it is."""
    content, chance = path.read_bytes(), random.Random(seed)
    for _ in range(12):
        damaged = bytearray(content)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        tried(path)


@pytest.mark.parametrize("kept", [0, 1, 100, PAGE_BYTES, PAGE_BYTES * 2 + 7, PAGE_BYTES * 3])
def test_a_file_that_was_cut_off_is_no_sound_log(path: Path, kept: int) -> None:
    """F13: no command that reads everything finds nothing wrong."""
    path.write_bytes(path.read_bytes()[:kept])
    assert all(result.exit_code for result in tried(path)[2:])


def test_noise_is_no_log(tmp_path: Path) -> None:
    """Exit code 4: there is nothing that could be opened."""
    path = tmp_path / "hands.log"
    path.write_bytes(random.Random(2).randbytes(10_000))
    assert {result.exit_code for result in tried(path)} == {4}


def test_a_missing_log_is_not_made(tmp_path: Path) -> None:
    """Exit code 4, and no file is left behind."""
    path = tmp_path / "hands.log"
    assert {result.exit_code for result in tried(path)} == {4}
    assert not list(tmp_path.iterdir())


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    """Exit code 4."""
    assert {result.exit_code for result in tried(tmp_path)} == {4}


def test_a_log_that_is_written_can_be_looked_at(path: Path) -> None:
    """Looking disturbs no writer: what is appended later is there."""
    assert {result.exit_code for result in tried(path)} == {0}
    append(path, PARTITION + 2, scribe_of(path, PARTITION + 2).record())
    assert {result.exit_code for result in tried(path)} == {0}
