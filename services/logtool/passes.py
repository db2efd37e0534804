"""All partitions of a log read from their beginning, one after the other, and their sums."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.logtool.places import OpenLog
from services.logtool.shown import Plain
from services.logtool.survey import Survey
from services.terminal import console_on


async def surveyed(log: OpenLog, partitions: Iterable[int]) -> Sequence[Survey]:
    """Return what is in partitions; progress is shown on a terminal.

    Raises:
        LogCorruptError: A partition has no end that could be read to.
        LogUnavailableError: The log cannot be read now.
    """
    ends = {partition: await log.reader.end(partition) for partition in partitions}
    surveys = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console, shown = console_on(sys.stderr), sys.stderr.isatty()
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        bar = progress.add_task("Reading records", total=sum(ends.values()))
        for partition, end in ends.items():
            survey = Survey(log.house, partition, log.reader, lambda count: progress.advance(bar, count))
            await survey.read_to(end)
            surveys.append(survey)
    return surveys


def total_of(house: str, partitions: Sequence[Plain]) -> dict[str, Any]:
    """Return the sums of surveys, and the surveys."""
    times = [each[name] for each in partitions for name in ("first_ms", "last_ms") if each[name] is not None]
    return {
        "house": house,
        **{name: sum(each[name] for each in partitions) for name in ("records", "bytes", "counted")},
        **{name: _added(each[name] for each in partitions) for name in ("void", "events")},
        "first_ms": min(times, default=None),
        "last_ms": max(times, default=None),
        "partitions": partitions,
    }


def _added(counts: Iterable[Plain]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))
