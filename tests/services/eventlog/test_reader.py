"""The reader of a partition: what it hands on, where it halts, and how it finds its place again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Position
from services.eventlog.ports import Acknowledged, Bookmark
from services.eventlog.reader import Counted, PartitionReader
from tests.services.eventlog.envelopes import message_in
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import ListedLog, Scribe

DAMAGED = b"\xff" * 40


def reader_of(log: ListedLog, saved: Bookmark | None = None) -> PartitionReader:
    """Return a reader of the partition that tests use."""
    return PartitionReader(log, HOUSE, PARTITION, saved)


def read(reader: PartitionReader, end: int) -> list[Counted]:
    """Return what a reader hands on up to an offset."""
    found: list[Counted] = []
    asyncio.run(reader.read_on(end, found.append))
    return found


def written(count: int = 4) -> tuple[list[bytes], Scribe]:
    """Return a claim with records behind it, and who wrote them."""
    scribe = Scribe()
    return [scribe.claim(), *(scribe.record() for _ in range(count - 1))], scribe


def sequences(found: Sequence[Counted]) -> list[int]:
    """Return the places of what was handed on."""
    return [counted.bookmark.position.sequence for counted in found]


def unknown_event(stored: bytes) -> bytes:
    """Return a record with an event that only a later version knows."""
    message = message_in(stored)
    message.events.add().MergeFromString(b"\xba\x3e\x02\x08\x03")
    return message.SerializeToString()


def test_what_counts_is_handed_on_in_order() -> None:
    """R3: each record that counts, once, with the place after it."""
    records, scribe = written()
    reader = reader_of(ListedLog(records))
    found = read(reader, len(records))
    assert sequences(found) == [1, 2, 3, 4]
    assert found[-1].bookmark == reader.bookmark == Bookmark(scribe.at, 3)


def test_what_is_void_is_counted_by_its_reason() -> None:
    """T-IDEM-4: second copies, records behind a lost one and late claims have no effect, whatever they hold."""
    records, scribe = written()
    scribe.record()
    behind_a_loss = unknown_event(scribe.record())
    reader = reader_of(ListedLog([*records, records[2], behind_a_loss, records[0]]))
    assert sequences(read(reader, 7)) == [1, 2, 3, 4]
    assert reader.void == {"old_sequence": 1, "gap": 1, "late_claim": 1}


@pytest.mark.parametrize("spoil", [lambda _: DAMAGED, unknown_event, lambda stored: stored[:-1]])
def test_what_counts_and_cannot_be_read_halts(spoil: Callable[[bytes], bytes]) -> None:
    """Rule 5, R7: bytes that are no envelope and events of a later version halt, and the place is said."""
    records, _ = written()
    reader = reader_of(ListedLog([*records[:2], spoil(records[2]), records[3]]))
    with pytest.raises(LogCorruptError) as halt:
        read(reader, 4)
    assert (halt.value.partition, halt.value.offset) == (PARTITION, 2)


def test_what_comes_before_damage_is_handed_on_first() -> None:
    """R7: a page with damage in it gives what stands before, and the next one halts."""
    records, _ = written()
    reader = reader_of(ListedLog([*records[:2], DAMAGED]))
    assert sequences(asyncio.run(reader.page())) == [1, 2]
    with pytest.raises(LogCorruptError):
        asyncio.run(reader.page())


def test_what_the_judge_calls_corrupt_halts() -> None:
    """Rule 3: a link of the chain that does not fit."""
    records, scribe = written()
    scribe.at = Position(scribe.at.epoch, scribe.at.sequence, b"\x00" * 32)
    with pytest.raises(LogCorruptError, match="in the chain"):
        read(reader_of(ListedLog([*records, scribe.record()])), 5)


def test_a_halt_is_for_good() -> None:
    """R7: not even when the log is mended does the reader go on; it is started anew."""
    records, _ = written()
    log = ListedLog([*records[:2], DAMAGED])
    reader = reader_of(log)
    with pytest.raises(LogCorruptError):
        read(reader, 3)
    log.records = records
    with pytest.raises(LogCorruptError):
        read(reader, 3)
    assert reader.halted is not None


def test_a_log_out_of_reach_is_no_halt() -> None:
    """R3: the caller tries again, and the reader goes on where it was."""
    records, _ = written()
    log = ListedLog(records)
    reader = reader_of(log)
    asyncio.run(reader.page(2))
    log.reachable = False
    with pytest.raises(LogUnavailableError):
        read(reader, 4)
    log.reachable = True
    assert sequences(read(reader, 4)) == [3, 4]


def test_the_size_of_pages_changes_nothing() -> None:
    """R3: a page ends anywhere."""
    records, _ = written(6)
    reader = reader_of(ListedLog([*records[:3], records[1], *records[3:]]))
    found = [counted for _ in range(7) for counted in asyncio.run(reader.page(1))]
    assert sequences(found) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_reader_goes_on_from_its_bookmark(count: int) -> None:
    """R3: behind a claim or a record, with what follows and nothing twice."""
    records, _ = written(5)
    log = ListedLog(records[:count])
    first = reader_of(log)
    read(first, count)
    log.records = records
    assert sequences(read(reader_of(log, first.bookmark), 5)) == list(range(count + 1, 6))


def test_a_bookmark_of_an_empty_partition_is_its_beginning() -> None:
    """R3: who has read nothing starts at the beginning."""
    records, _ = written()
    empty = reader_of(ListedLog()).bookmark
    assert sequences(read(reader_of(ListedLog(records), empty), 4)) == [1, 2, 3, 4]


@pytest.mark.parametrize("count", [1, 3])
def test_a_log_with_another_record_at_the_bookmark_is_corrupt(count: int) -> None:
    """T-IDEM-4: a claim or a record that was replaced is found at the start."""
    records, _ = written(count)
    log = ListedLog(records)
    first = reader_of(log)
    read(first, count)
    other = Scribe()
    log.records = [other.claim(count + 1), *(other.record() for _ in range(3))][-count:] * 3
    with pytest.raises(LogCorruptError, match="read here before"):
        read(reader_of(log, first.bookmark), 5)


def test_a_log_that_ends_before_the_bookmark_is_corrupt() -> None:
    """T-IDEM-4: a log that is shorter than what was read has lost something."""
    records, _ = written()
    log = ListedLog(records)
    first = reader_of(log)
    read(first, 4)
    for left in (3, 2):
        log.records = records[:left]
        with pytest.raises(LogCorruptError):
            asyncio.run(reader_of(log, first.bookmark).page())
        with pytest.raises(LogCorruptError):
            read(reader_of(log, first.bookmark), left)


def test_a_claim_that_did_not_know_what_slipped_in_before_it_is_found_again() -> None:
    """R3: it does not say what it follows, so its epoch is compared, and the next record finds a wrong chain."""
    scribe = Scribe()
    first, late = scribe.claim(), Scribe(scribe.at)
    claim = Scribe(scribe.at).claim()
    log = ListedLog([first, late.record(), claim])
    reader = reader_of(log)
    read(reader, 3)
    log.records.append(Scribe(reader.position).record())
    assert sequences(read(reader_of(log, reader.bookmark), 4)) == [4]
    saved = Bookmark(Position(reader.position.epoch, 3, b"\x01" * 32), 2)
    with pytest.raises(LogCorruptError):
        read(reader_of(log, saved), 4)


def test_a_record_that_the_log_has_read_back_is_followed() -> None:
    """A writer's own records are not read twice: the reader goes on behind them."""
    records, _ = written()
    log = ListedLog(records)
    scribe = Scribe()
    reader = reader_of(log)
    scribe.claim()
    assert reader.follow(Acknowledged(scribe.at, 0)) == Bookmark(scribe.at, 0)
    assert sequences(read(reader, 4)) == [2, 3, 4]
