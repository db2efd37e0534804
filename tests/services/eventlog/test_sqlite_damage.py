"""F13 for the log in a file: whatever happens to its bytes, nobody is handed a record that was not stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, NamedTuple

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.eventlog.errors import LogCorruptError, LogError
from services.eventlog.judge import Corrupt, genesis
from services.eventlog.ports import Acknowledged, Log
from services.eventlog.sqlite import SqliteReader
from tests.services.eventlog.records import HOUSE, PARTITION, Pen
from tests.services.eventlog.test_sqlite_contract import SqliteWorld
from tests.services.eventlog.worlds import play

RECORDS: Final = 30
PARTITIONS: Final = (PARTITION, PARTITION + 1)


class Sound(NamedTuple):
    """A log without damage: the bytes of its file, and the records of its partitions."""

    content: bytes
    records: dict[int, list[bytes]]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    """Return a log of two partitions, with small records and some that fill several pages."""
    path = tmp_path_factory.mktemp("sound") / "hands.log"
    pens = {partition: Pen(genesis(HOUSE, partition)) for partition in PARTITIONS}

    async def story(log: Log) -> None:
        for partition, pen in pens.items():
            await log.append(partition, [pen.claim()])
        for number in range(1, RECORDS):
            for partition, pen in pens.items():
                await log.append(partition, [pen.record(bytes(9000 if number % 10 == 0 else number))])

    play(SqliteWorld(path), story)
    return Sound(path.read_bytes(), {partition: read(path, partition)[0] for partition in PARTITIONS})


@pytest.fixture
def path(sound: Sound, tmp_path: Path) -> Path:
    """Return a copy of that log."""
    copy = tmp_path / "hands.log"
    copy.write_bytes(sound.content)
    return copy


def altered(path: Path, change: str, sequence: int) -> None:
    """Let somebody change a row of the table."""
    db = apsw.Connection(str(path))
    db.execute(f"{change} WHERE partition = ? AND sequence = ?", (PARTITION, sequence))
    assert db.changes() == 1
    db.close()


def read(path: Path, partition: int = PARTITION, house: str = HOUSE) -> tuple[list[bytes], LogError | None]:
    """Return what a reader gets who knows how many records there were, and the error that stops it."""

    async def whole() -> LogError | None:
        try:
            reader = SqliteReader(path, house)
        except LogError as error:
            return error
        try:
            while page := await reader.read(partition, len(found) + 1, 7):
                found.extend(each.stored for each in page)
            await reader.read(partition, RECORDS + 1, 1)
        except LogError as error:
            return error
        finally:
            await reader.close()
        return None

    found: list[bytes] = []
    return found, asyncio.run(whole())


def test_a_sound_log_is_read_whole(path: Path) -> None:
    """F13: the damages below are found where there are some."""
    for partition in PARTITIONS:
        found, error = read(path, partition)
        assert (len(found), error) == (RECORDS, None)


@pytest.mark.parametrize(
    ("change", "place", "why"),
    [
        (
            "UPDATE records SET stored = zeroblob(length(stored))",
            17,
            "the bytes are not those that were stored",
        ),
        ("UPDATE records SET stored = x''", 1, "the bytes are not those that were stored"),
        ("UPDATE records SET hash = zeroblob(32)", 30, "the bytes are not those that were stored"),
        ("DELETE FROM records", 1, "the record is missing, the next one is 2"),
        ("DELETE FROM records", 17, "the record is missing, the next one is 18"),
        ("DELETE FROM records", 30, "there is no such record, but somebody has read it"),
        ("UPDATE records SET partition = 99", 17, "the record is missing, the next one is 18"),
        ("UPDATE records SET sequence = 31", 30, "the record is missing, the next one is 31"),
    ],
)
def test_the_place_of_damage_is_named(path: Path, change: str, place: int, why: str) -> None:
    """F13: all before it is read, and the error says where and what; the other partition is not touched."""
    altered(path, change, place)
    found, error = read(path)
    assert len(found) == place - 1
    assert str(error) == f"partition {PARTITION} is corrupt at offset {place}: {why}"
    assert read(path, PARTITION + 1)[1] is None


def test_reading_begins_behind_a_sound_record(path: Path) -> None:
    """F13: a reader that goes on where it was notices that the record before is gone."""
    altered(path, "DELETE FROM records", 17)

    async def whole() -> None:
        reader = SqliteReader(path, HOUSE)
        with pytest.raises(LogCorruptError, match="offset 17: there is no such record, but somebody has read it"):
            await reader.read(PARTITION, 18, 5)
        await reader.close()

    asyncio.run(whole())


def test_the_log_of_another_house_is_corrupt(path: Path) -> None:
    """F13: its chain begins elsewhere."""
    found, error = read(path, house="steamboat")
    assert not found
    assert str(error) == f"partition {PARTITION} is corrupt at offset 1: the bytes are not those that were stored"


def test_nobody_writes_behind_damage(path: Path) -> None:
    """F13: nothing is appended where the last record cannot be trusted; the rest of the commit is."""
    altered(path, "UPDATE records SET stored = x'00'", RECORDS)

    async def story(log: Log) -> None:
        claims = [Pen(genesis(HOUSE, partition)).claim() for partition in (PARTITION, PARTITION + 2)]
        (damaged,), (sound,) = await asyncio.gather(
            log.append(PARTITION, claims[:1]), log.append(PARTITION + 2, claims[1:])
        )
        why = "the bytes are not those that were stored"
        assert damaged == Corrupt("prev_hash", f"partition {PARTITION} is corrupt at offset {RECORDS}: {why}")
        assert isinstance(sound, Acknowledged)

    play(SqliteWorld(path), story)


def test_an_index_that_has_lost_its_way_is_noticed(sound: Sound, path: Path) -> None:
    """F13: some flips in the head of the index let SQLite find nothing where it says that there is something."""
    db = apsw.Connection(str(path))
    start = db.pragma("page_size") * (db.execute("SELECT rootpage - 1 FROM sqlite_schema WHERE type = 'index'").get)
    db.close()
    errors = [read(flipped(sound, path, start + bit // 8, bit % 8))[1] for bit in range(12 * 8)]
    assert any("nothing is found here, but the log ends at 31" in str(error) for error in errors)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 2**20), bit=st.integers(0, 7))
def test_a_flipped_bit_never_makes_a_record(sound: Sound, path: Path, place: int, bit: int) -> None:
    """F13: wherever it is in the file, what is read was stored, and either it is all or there is an error."""
    verify_honest(sound, flipped(sound, path, place % len(sound.content), bit))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(0, 2**20))
def test_a_cut_file_never_makes_a_record(sound: Sound, path: Path, length: int) -> None:
    """F13: the same for a file that has lost its end."""
    path.write_bytes(sound.content[: length % len(sound.content)])
    verify_honest(sound, path)


def flipped(sound: Sound, path: Path, place: int, bit: int) -> Path:
    """Write a log with one bit that is wrong."""
    content = bytearray(sound.content)
    content[place] ^= 1 << bit
    path.write_bytes(content)
    return path


def verify_honest(sound: Sound, path: Path) -> None:
    """Verify that a damaged log gives the beginning of what the sound one has, and an error if that is not all."""
    for partition, stored in sound.records.items():
        found, error = read(path, partition)
        assert found == stored[: len(found)]
        assert error is not None or len(found) == RECORDS
    for leftover in path.parent.glob("hands.log-*"):
        leftover.unlink()
