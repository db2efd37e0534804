"""The money in a log: the auditor of the engine's tests hears every event of a partition that counts (I4, I5, I10-I12).

He holds the books, the aggregates and the transfers against each other after each event. Once nothing is delivered any
more, nothing may be in transit, and each reaction to each event has been carried out once (`verify_settled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.errors import Reason
from engine.inbox import noted
from engine.reactions import Event
from services.eventlog.canonical import command_of
from services.eventlog.envelope import Envelope, kind_of
from services.eventlog.log_events import DeliveryAnswered, EpochOpened
from services.eventlog.reader import Counted
from tests.engine.auditor import Auditor
from tests.engine.courier import CardRoom, Record
from tests.services.eventlog.history import Finding


class Books:
    """A card room that is what the log says, and its auditor."""

    def __init__(self) -> None:
        """Begin with an empty room."""
        self.room = CardRoom(partitions=1)
        self.auditor = Auditor(self.room)
        self.in_transit_at_takeover = 0
        """How often money was on its way when an epoch was opened."""

    def findings(self, counted: Sequence[Counted], *, settled: bool) -> Iterator[Finding]:
        """Yield what is wrong first; `settled` asks whether everything has arrived, too."""
        for record in counted:
            envelope, sequence = record.envelope, record.bookmark.position.sequence
            try:
                self._hear(envelope, sequence)
            except AssertionError as error:
                yield Finding(str(error), envelope.aggregate, envelope.command_id, sequence)
                return
        try:
            if settled:
                self.auditor.verify_settled()
        except AssertionError as error:
            yield Finding(str(error))

    def _hear(self, envelope: Envelope, sequence: int) -> None:
        match envelope.events[0]:
            case EpochOpened():
                self.in_transit_at_takeover += any(self.auditor.transfers.under_way())
            case DeliveryAnswered(receiver=receiver, reason=reason):
                self._write(envelope, sequence, receiver, (), Reason(reason) if reason else None)
            case _:
                self._write(envelope, sequence, envelope.aggregate, envelope.events)  # type: ignore[arg-type]

    def _write(
        self,
        envelope: Envelope,
        sequence: int,
        address: str,
        events: tuple[Event, ...],
        refusal: Reason | None = None,
    ) -> None:
        """Let events take effect, each heard by the auditor, and keep the record."""
        aggregate = self.room.aggregate(address)
        if envelope.delivery is not None:
            aggregate.inbox = noted(aggregate.inbox, envelope.delivery)
        version = aggregate.version + 1
        for event in events:
            origin = aggregate.evolve(event, envelope.occurred_at_ms)
            for witness in self.room.witnesses:
                witness(origin, event)
        command = command_of(kind_of(address), envelope.command)
        about = (0, sequence, address, version, envelope.occurred_at_ms, aggregate.unit, envelope.command_id)
        self.room.logs[0].append(Record(*about, command, envelope.delivery, events, refusal))
