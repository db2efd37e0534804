"""`dealer log`: the records of a log, in a SQLite file or in Kafka, and whether they are as they must be."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import nullcontext, suppress
from typing import Any, Final, TypeAlias

import click
import msgspec
from rich.text import Text

from services.logtool.failures import CorruptLog, in_one_sentence, sentence
from services.logtool.passes import surveyed, total_of
from services.logtool.places import OpenLog, Place, of_log, opened
from services.logtool.records import NoSuchRecordError, offset_of, record_at, records_from, tail_of
from services.logtool.shown import Plain, line_of, lines_of, lines_of_stat, lines_of_verify
from services.terminal import console_on

Lines: TypeAlias = Callable[[Plain], Sequence[Text]]

FOLLOW_SECONDS: Final = 0.2
"""How often a log is asked whether it goes on."""

PARTITION: Final = click.IntRange(0, 2**31 - 1)
"""There are no more partitions, in Kafka or elsewhere."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
partition_option = click.option(
    "--partition", "-p", "wanted", type=PARTITION, multiple=True, help="Only this one; may be repeated."
)


@click.group("log")
def log_group() -> None:
    """Look at the records of a log.

    Exit codes: 1 what was asked for is not there, 2 the command line makes no sense, 3 the log is corrupt (stderr says
    at which offset, and why), 4 it cannot be reached or opened.
    """


@log_group.command("tail")
@of_log
@partition_option
@click.option("-n", "count", type=click.IntRange(1), default=10, show_default=True, help="How many records.")
@click.option("--follow", "-f", is_flag=True, help="Go on with what is appended, until ctrl-C.")
@json_option
def tail_command(place: Place, wanted: Sequence[int], count: int, *, follow: bool, as_json: bool) -> None:
    """Print the last records, whether they count or not."""

    async def story() -> None:
        async with opened(place) as log:
            partitions = chosen(log, wanted)
            ends = {partition: await log.reader.end(partition) for partition in partitions}
            records, wrong = await tail_of(log, ends, count)
            show_lines(records, as_json=as_json)
            if wrong is not None:
                raise wrong
            if follow:
                await go_on(log, ends, as_json=as_json)

    with suppress(KeyboardInterrupt) if follow else nullcontext():
        run(place, story())


@log_group.command("show")
@of_log
@click.argument("partition", type=PARTITION)
@click.argument("sequence", type=click.IntRange(1), required=False)
@click.option("--offset", type=click.IntRange(0), help="The record at this offset, whether it counts or not.")
@json_option
def show_command(place: Place, partition: int, sequence: int | None, offset: int | None, *, as_json: bool) -> None:
    """Print one record whole: the one that counts as SEQUENCE, or the one at --offset. What is sealed stays sealed."""
    if (sequence is None) == (offset is None):
        msg = "say which record: either its sequence or --offset"
        raise click.UsageError(msg)

    async def story() -> None:
        async with opened(place) as log:
            chosen(log, (partition,))
            at = offset if sequence is None else await offset_of(log, partition, sequence)
            assert at is not None, "one of the two was given"
            record = await record_at(log, partition, at)
        show(record, lines_of(record), as_json=as_json)

    run(place, story())


@log_group.command("verify")
@of_log
@partition_option
@json_option
def verify_command(place: Place, wanted: Sequence[int], *, as_json: bool) -> None:
    """Read everything: judge each record, follow the chain of hashes, decode what counts, look at numbers and times.

    The hashes at the end are those that an anchor or another copy of the log must have at the same place.
    """
    run(place, whole(place, wanted, lines_of_verify, as_json=as_json))


@log_group.command("stat")
@of_log
@partition_option
@json_option
def stat_command(place: Place, wanted: Sequence[int], *, as_json: bool) -> None:
    """Count what is in the log: records, bytes, events by their type, epochs, times, and what is void and why."""
    run(place, whole(place, wanted, lines_of_stat, as_json=as_json))


async def whole(place: Place, wanted: Sequence[int], lines: Lines, *, as_json: bool) -> None:
    """Read partitions from the beginning and print what was found; damage in one does not keep the others from it.

    Raises:
        CorruptLog: A partition is corrupt; what is wrong with each has been said then.
    """
    async with opened(place) as log:
        surveys = await surveyed(log, chosen(log, wanted))
    total = total_of(place.house, [survey.plain() for survey in surveys])
    show(total, lines(total), as_json=as_json)
    wrong = [sentence(survey.wrong, place) for survey in surveys if survey.wrong is not None]
    if wrong:
        raise CorruptLog("\n".join(wrong))


async def go_on(log: OpenLog, ends: dict[int, int], *, as_json: bool) -> None:
    """Print what is appended behind `ends`, for ever."""
    while True:
        for partition, end in ends.items():
            async for record in records_from(log, partition, end, await log.reader.end(partition)):
                show_lines([record], as_json=as_json)
                ends[partition] = record["offset"] + 1
        await asyncio.sleep(FOLLOW_SECONDS)


def chosen(log: OpenLog, wanted: Sequence[int]) -> Sequence[int]:
    """Return the partitions that were asked for, or all.

    Raises:
        click.UsageError: There can be no such partition.
    """
    if not log.numbered and (missing := set(wanted) - set(log.partitions)):
        msg = f"there is no partition {min(missing)}: they are 0 to {len(log.partitions) - 1}"
        raise click.UsageError(msg)
    return wanted or log.partitions


def run(place: Place, story: Coroutine[Any, Any, None]) -> None:
    """Carry a command out.

    Raises:
        click.ClickException: It could not be; the exception has a sentence and an exit code.
    """
    with in_one_sentence(place):
        try:
            asyncio.run(story)
        except NoSuchRecordError as error:
            raise click.ClickException(str(error)) from error


def show_lines(records: Sequence[Plain], *, as_json: bool) -> None:
    """Print records, each on a line."""
    for record in records:
        show(record, [line_of(record)], as_json=as_json)


def show(whole: Plain, lines: Sequence[Text], *, as_json: bool) -> None:
    """Print something, as JSON or for a person."""
    if as_json:
        click.echo(msgspec.json.encode(whole))
    else:
        console = console_on(sys.stdout)
        for line in lines:
            console.print(line)
