"""Logs of card rooms: what tables, accounts and tournaments do in a random run, as the records of one partition.

The run itself is the engine's (`tests.engine.workload`, `tests.engine.tournament_workload`); here its records become
envelopes in a chain, with the sealed seed of each hand, the answers of requests, and several claims.
"""

from __future__ import annotations

from random import Random
from typing import Final, Literal, TypeAlias

from engine.table.commands import StartHand
from services.eventlog.canonical import canonical, request_hash
from services.eventlog.codec.events import Event
from services.eventlog.envelope import Envelope, Sealed, encode
from services.eventlog.judge import Position, chained, genesis
from services.eventlog.log_events import DeliveryAnswered, EpochOpened
from tests.engine.courier import CardRoom, Record
from tests.engine.tournament_workload import TournamentWorkload
from tests.engine.troubles import Dice
from tests.engine.workload import Workload
from tests.services.eventlog.records import HOUSE, PARTITION

Kind: TypeAlias = Literal["cash", "tournament"]
NOON_MS: Final = 1_700_000_000_000
OWN: Final = f"partition/{PARTITION}"


def history(seed: int, kind: Kind = "cash", steps: int = 40) -> list[bytes]:
    """Return the stored records of a run."""
    room = CardRoom(partitions=1)
    workload = (Workload if kind == "cash" else TournamentWorkload)(room, Dice(f"{seed} work"))
    for _ in range(steps):
        workload.step()
        room.drain()
    return Chronicle(Random(f"{seed} claims")).written(room.logs[0])


class Chronicle:
    """Writes the records of a run as a writer would have, and is replaced now and then."""

    def __init__(self, chance: Random) -> None:
        """Begin at the beginning of the partition that tests use."""
        self._chance = chance
        self._at = genesis(HOUSE, PARTITION)
        self._own = 0
        """How many events the partition has of its own, but for claims, which are counted in `_claims`."""
        self._stored: list[bytes] = []

    def written(self, records: list[Record]) -> list[bytes]:
        """Return the stored records, claims included."""
        self._claim(records[0].at_ms)
        for record in records:
            if not self._chance.randrange(50):
                self._claim(record.at_ms)
            self._record(record)
        return self._stored

    def _claim(self, at_ms: int) -> None:
        epoch = self._at.epoch + 1
        event = EpochOpened(f"claim {epoch}", self._at.sequence, self._at.hash)
        claim = Envelope(writer_epoch=epoch, aggregate=OWN, version=0, occurred_at_ms=NOON_MS + at_ms, events=(event,))
        self._add(epoch, claim)
        self._own += 1

    def _record(self, record: Record) -> None:
        events: tuple[Event, ...] = record.events
        address, version = record.aggregate, record.version
        if not events:
            events = (DeliveryAnswered(record.aggregate, record.refusal or ""),)
            self._own += 1
            address, version = OWN, self._own
        content = canonical(record.command)
        envelope = Envelope(
            writer_epoch=self._at.epoch,
            sequence=self._at.sequence + 1,
            prev_hash=self._at.hash,
            aggregate=address,
            version=version,
            command_id=record.command_id,
            command=content,
            request_hash=request_hash(content),
            result=record.command_id.encode(),
            delivery=record.delivery,
            occurred_at_ms=NOON_MS + record.at_ms,
            events=events,
            sealed=self._sealed() if isinstance(record.command, StartHand) else None,
        )
        self._add(self._at.epoch, envelope)

    def _sealed(self) -> Sealed:
        return Sealed("k1", self._chance.randbytes(12), self._chance.randbytes(48))

    def _add(self, epoch: int, envelope: Envelope) -> None:
        stored = encode(envelope)
        self._at = Position(epoch, self._at.sequence + 1, chained(self._at.hash, stored))
        self._stored.append(stored)
