"""The log: commits to SQLite, appends to Kafka, replay, restart, and what a record costs.

Each stands beside a floor or a peer in the same run. What the floors do and leave out is said where they are:
`log_on_sqlite.py`, `log_on_kafka.py`, `replaying.py`, `restarting.py`. Files lie in `build/bench`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from services.eventlog.envelope import decode, encode, header_of
from services.eventlog.judge import Counts, Header, genesis, judge
from tests.bench.harness import Measure, Workload, microseconds_each
from tests.bench.history import Past, past_of
from tests.bench.log_on_kafka import kafka_measures
from tests.bench.log_on_sqlite import sqlite_measures
from tests.bench.replaying import replay_measures
from tests.bench.restarting import restart_measures
from tests.services.eventlog.records import HOUSE, PARTITION

T = TypeVar("T")


def measures(*, quick: bool) -> Iterator[Measure]:
    """Yield the measures of the log."""
    past = past_of(15_000 if quick else 50_000)
    yield from record_measures(past)
    yield from replay_measures(past)
    yield from sqlite_measures(past, quick=quick)
    yield from restart_measures(quick=quick)
    yield from kafka_measures(past, quick=quick)


def record_measures(past: Past) -> Iterator[Measure]:
    """Yield what one record costs in each step, in microseconds."""
    records = past.records
    envelopes, headers = [decode(stored) for stored in records], [header_of(stored) for stored in records]
    steps: dict[str, Workload] = {
        "encode": lambda: each(encode, envelopes),
        "header_of": lambda: each(header_of, records),
        "judge": lambda: judged(records, headers),
        "decode": lambda: each(decode, records),
    }
    for name, step in steps.items():
        yield Measure(name=f"a record: {name}", unit="µs/record", reading=microseconds_each, ours=step)


def each(step: Callable[[T], object], values: Sequence[T]) -> int:
    """Do something with each value, and return their number."""
    for value in values:
        step(value)
    return len(values)


def judged(records: Sequence[bytes], headers: Sequence[Header]) -> int:
    """Judge all records, chaining each to the one before, and return their number."""
    position = genesis(HOUSE, PARTITION)
    for stored, header in zip(records, headers, strict=True):
        verdict = judge(position, header, stored, nothing)
        assert isinstance(verdict, Counts), verdict
        position = verdict.position
    return len(records)


def nothing(_sequence: int) -> None:
    """Remember no hash."""
