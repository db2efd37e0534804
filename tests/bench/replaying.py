"""Replay: from stored bytes to the state of tables, beside the library `eventsourcing`.

Ours is `PartitionReader` over the records, which judges and decodes them, and the fold of their events: what a
projector of tables does. A dealer that opens a partition does more (`Memory.apply`): it remembers what callers were
told, sealed seeds, and marks of deliveries. Both are measured. The records lie in a list.

The library's side is `repository.get` of aggregates in its in-memory recorder, with its own JSON transcoder. It has
the same tables with the same events, each with its fields as JSON has them, and its aggregates fold them by the same
`evolve`, so both sides come to the same states; that is compared once. It verifies no chain and remembers no answers.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

import msgspec

from engine.reactions import Event
from engine.table.events import TableEvent
from engine.table.evolve import evolve
from engine.table.state import Table
from services.eventlog.aggregates import State, replay
from services.eventlog.envelope import decode, kind_of
from services.eventlog.memory import Memory
from services.eventlog.ports import Stored
from services.eventlog.reader import Counted, PartitionReader
from tests.bench.harness import Measure, ratio_at_least
from tests.bench.history import Past
from tests.services.eventlog.records import HOUSE, PARTITION

GOAL: Final = ratio_at_least(5)


class Fact(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An event as the library has it; a struct, because msgspec knows how to convert one without asking again."""

    event: TableEvent


class Records:
    """A `LogReader` over records in a list."""

    def __init__(self, records: Sequence[bytes]) -> None:
        """Hold them."""
        self._records = [Stored(place, stored) for place, stored in enumerate(records)]

    async def end(self, _partition: int) -> int:
        """See `LogReader.end`."""
        return len(self._records)

    async def read(self, _partition: int, offset: int, limit: int) -> Sequence[Stored]:
        """See `LogReader.read`."""
        return self._records[offset : offset + limit]

    async def close(self) -> None:
        """See `LogReader.close`."""


def replay_measures(past: Past) -> Iterator[Measure]:
    """Yield the replay of a log."""
    records = Records(past.records)
    library: list[Callable[[], int]] = []

    def ours() -> int:
        asyncio.run(folded(records))
        return past.events

    def opening() -> int:
        asyncio.run(replayed(records))
        return past.events

    def peer() -> int:
        library[:] = library or [in_library(past)]
        return library[0]()

    measure = partial(Measure, unit="events/s", peer=peer, peer_name="eventsourcing")
    yield measure(name="replay: stored bytes to table states", ours=ours, goal=GOAL)
    yield measure(name="replay: all that a dealer knows when it opens a partition", ours=opening)


async def folded(records: Records) -> Mapping[str, State | None]:
    """Return the states of the tables."""
    tables: dict[str, State | None] = {}

    def apply(counted: Counted) -> None:
        envelope = counted.envelope
        if kind_of(envelope.aggregate) == "table":
            before = tables.get(envelope.aggregate)
            events = cast("tuple[Event, ...]", envelope.events)
            tables[envelope.aggregate] = replay(envelope.aggregate, before, events, envelope.occurred_at_ms)

    await PartitionReader(records, HOUSE, PARTITION).read_on(await records.end(PARTITION), apply)
    return tables


async def replayed(records: Records) -> Memory:
    """Return all that a dealer knows from the records."""
    reader, memory = PartitionReader(records, HOUSE, PARTITION), Memory()
    await reader.read_on(await records.end(PARTITION), memory.apply)
    return memory


def in_library(past: Past) -> Callable[[], int]:
    """Store the same events with the library, and return what replays them and returns their number."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate

    class Folded(Aggregate):  # type: ignore[misc]  # The library has no types here, see pyproject.toml.
        """A table."""

        def __init__(self) -> None:
            self.state: Table | None = None

        class Happened(Aggregate.Event):  # type: ignore[misc]  # Likewise.
            """Any event of a table."""

            at_ms: int
            fact: Any

            def apply(self, aggregate: Aggregate) -> None:
                event = msgspec.convert((self.fact,), Fact).event
                aggregate.state = evolve(aggregate.state, event, self.at_ms)

    house: Application[Any] = Application()
    tables: dict[str, Folded] = defaultdict(Folded)
    for envelope in map(decode, past.records[1:]):
        for event in envelope.events:
            fact = msgspec.to_builtins(event)
            tables[envelope.aggregate].trigger_event(Folded.Happened, at_ms=envelope.occurred_at_ms, fact=fact)
    house.save(*tables.values())
    verify_states(past, {address: house.repository.get(table.id).state for address, table in tables.items()})
    return partial(in_repository, house.repository, [table.id for table in tables.values()])


def verify_states(past: Past, states: Mapping[str, Table]) -> None:
    """Assert that both sides do the same work."""
    records = Records(past.records)
    memory = asyncio.run(replayed(records))
    assert {address: memory.held(address).state for address in states} == states, "the states differ"
    assert asyncio.run(folded(records)) == states, "the states differ"


def in_repository(repository: Any, ids: Sequence[Any]) -> int:  # noqa: ANN401 - the peer's own types.
    """Replay aggregates, and return how many events they have, the one of the library's own not counted."""
    return sum(repository.get(each).version - 1 for each in ids)
