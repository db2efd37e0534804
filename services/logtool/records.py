"""Single records of a log, as they are stored: whether they count is not asked here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from services.eventlog.codec.faults import UnreadableRecordError
from services.eventlog.envelope import decode
from services.eventlog.errors import LogCorruptError
from services.eventlog.ports import Stored
from services.eventlog.reader import PAGE_RECORDS, Counted, PartitionReader
from services.logtool.places import OpenLog
from services.logtool.shown import Plain, plain_record


class NoSuchRecordError(Exception):
    """The record that somebody asked for is not there."""


async def records_from(log: OpenLog, partition: int, offset: int, end: int) -> AsyncIterator[Plain]:
    """Yield the records from an offset to before an end.

    Raises:
        LogCorruptError: At the first that cannot be read.
        LogUnavailableError: The log cannot be read now.
    """
    while offset < end:
        for record in await log.reader.read(partition, offset, min(PAGE_RECORDS, end - offset)):
            yield _shown(partition, record)
            offset = record.offset + 1


async def tail_of(log: OpenLog, partitions: Iterable[int], count: int) -> tuple[list[Plain], LogCorruptError | None]:
    """Return the last records of these partitions together, by time; and what is corrupt, if something among them is.

    Raises:
        LogUnavailableError: The log cannot be read now.
    """
    found: list[Plain] = []
    wrong: LogCorruptError | None = None
    for partition in partitions:
        try:
            end = await log.reader.end(partition)
            async for record in records_from(log, partition, max(0, end - count), end):
                found.append(record)  # noqa: PERF401 - what comes before damage is kept.
        except LogCorruptError as error:
            wrong = wrong or error
    found.sort(key=lambda record: (record["occurred_at_ms"], record["partition"], record["offset"]))
    return found[-count:], wrong


async def record_at(log: OpenLog, partition: int, offset: int) -> Plain:
    """Return the record at an offset.

    Raises:
        LogCorruptError: It cannot be read.
        LogUnavailableError: The log cannot be read now.
        NoSuchRecordError: There is none.
    """
    end = await log.reader.end(partition)
    found = await log.reader.read(partition, offset, 1) if offset < end else []
    if not found or found[0].offset != offset:
        msg = f"partition {partition} has no record at offset {offset}: it ends at {end}"
        raise NoSuchRecordError(msg)
    return _shown(partition, found[0])


async def offset_of(log: OpenLog, partition: int, sequence: int) -> int:
    """Return the offset of the record that counts as this sequence; where offsets are not sequences, all are judged.

    Raises:
        LogCorruptError: The partition is corrupt before it.
        LogUnavailableError: The log cannot be read now.
        NoSuchRecordError: There is none.
    """
    if log.numbered:
        return sequence
    reader = PartitionReader(log.reader, log.house, partition)
    found: list[int] = []

    def look_at(counted: Counted) -> None:
        if counted.bookmark.position.sequence == sequence:
            found.append(counted.bookmark.offset)

    end = await log.reader.end(partition)
    for step in range(0, end, PAGE_RECORDS):
        await reader.read_on(min(step + PAGE_RECORDS, end), look_at)
        if found:
            return found[0]
    msg = f"partition {partition} has no sequence {sequence}: it has counted to {reader.position.sequence}"
    raise NoSuchRecordError(msg)


def _shown(partition: int, record: Stored) -> Plain:
    try:
        envelope = decode(record.stored)
    except UnreadableRecordError as error:
        raise LogCorruptError(partition, record.offset, error.reason) from error
    return plain_record(partition, record.offset, len(record.stored), envelope)
