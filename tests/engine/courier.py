"""A model of the courier and of those between whom it runs: a card room in one process, without log files or threads.

Aggregates (tables, accounts, tournaments) live in partitions. What a command makes of an aggregate is one record, at
the next sequence of its partition. Each partition has a courier. It reads the partition's records, asks `reactions`
what their events mean for others, and delivers that, in the order of the records, one delivery at a time to each target
(`design.md` section 3).

A delivery may be lost, come late, come twice, or its answer may be lost: the courier tries it again until it has an
answer, and meanwhile nothing else goes to that target. The receiver's inbox sees to it that it takes effect once. A
refusal by the receiver is an answer. A courier that is restarted knows only the confirmed position: up to there all
deliveries were answered. It delivers the rest again, under the same ids. Which is next, and what befalls it, tests say.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias, cast
from zlib import crc32

from engine.account.state import Account
from engine.errors import Reason, Rejected
from engine.inbox import Delivery, Inbox, is_new, noted
from engine.origin import Origin
from engine.poker.deck import Deck
from engine.reactions import Command, Event, Reaction, reactions
from engine.table.state import Table
from engine.tournament.state import Tournament
from services.eventlog import aggregates
from services.eventlog.aggregates import State

Witness: TypeAlias = Callable[[Origin, Event], None]
"""Is told each event as soon as it has taken effect."""
Fault: TypeAlias = Literal["", "lost", "late", "unanswered", "doubled"]
"""What befalls a delivery; late: it arrives when the courier has given it up; doubled: it arrives again later."""
DELIVERIES_MAX = 10_000
"""More than any test makes in one go."""


class Record(NamedTuple):
    """What one command made of an aggregate, at its place in the log."""

    partition: int
    sequence: int
    aggregate: str
    version: int
    """Of the first event."""
    at_ms: int
    unit: str
    """What the aggregate counts in; empty for an account, and for a tournament the currency."""
    command_id: str
    command: Command
    delivery: Delivery | None
    """Which delivery it was, if the command did not come from outside."""
    events: tuple[Event, ...]
    refusal: Reason | None
    """Why a delivery was refused. A refused command from outside leaves no record."""

    def origin(self, place: int) -> Origin:
        """Return where the event at `place` stands."""
        return Origin(self.aggregate, self.version + place, self.at_ms, self.unit)


class Message(NamedTuple):
    """A reaction on its way, with the place by which its receiver knows it again."""

    place: Delivery
    reaction: Reaction


class Aggregate:
    """A table, an account or a tournament, as its partition has it; it may not exist yet."""

    def __init__(self, address: str) -> None:
        """Begin with nothing."""
        self.address = address
        self.state: State | None = None
        self.version = 0
        """Of the last event."""
        self.inbox = Inbox()

    @property
    def unit(self) -> str:
        """What a table counts in, the currency of a tournament; an account names the unit in each event."""
        return aggregates.unit_of(self.state)

    def decide(self, command: Command, at_ms: int, deck: Deck | None) -> tuple[Event, ...]:
        """Return what happens, or raise `Rejected`."""
        events, _ = aggregates.execute(self.address, self.state, command, at_ms, deck)
        return events

    def evolve(self, event: Event, at_ms: int) -> Origin:
        """Let an event take effect, and return where it stands."""
        self.state = aggregates.replay(self.address, self.state, (event,), at_ms)
        self.version += 1
        return Origin(self.address, self.version, at_ms, self.unit)


class CardRoom:
    """Partitions with their aggregates, records and couriers, at one time."""

    def __init__(self, partitions: int = 3) -> None:
        """Begin with an empty room."""
        self.at_ms = 0
        self.aggregates: dict[str, Aggregate] = {}
        self.decks: dict[str, Deck] = {}
        """The deck of each table's last hand."""
        self.logs: list[list[Record]] = [[] for _ in range(partitions)]
        self.couriers = [Courier(self, partition) for partition in range(partitions)]
        self.in_the_air: list[Message] = []
        """Copies of deliveries that are still to arrive, wanted or not."""
        self.unreachable: set[str] = set()
        """Aggregates to which nothing can be delivered now."""
        self.witnesses: list[Witness] = []
        self.tally: Counter[str] = Counter()
        """How often what a run is meant to meet was met."""

    def aggregate(self, address: str) -> Aggregate:
        """Return the aggregate at an address."""
        return self.aggregates.setdefault(address, Aggregate(address))

    def table(self, table_id: str) -> Table:
        """Return a table."""
        return cast("Table", self.aggregate(f"table/{table_id}").state)

    def account(self, player: str) -> Account:
        """Return a player's account."""
        return cast("Account", self.aggregate(f"account/{player}").state)

    def tournament(self, tournament_id: str) -> Tournament:
        """Return a tournament."""
        return cast("Tournament", self.aggregate(f"tournament/{tournament_id}").state)

    def ask(self, address: str, command: Command, deck: Deck | None = None) -> tuple[Event, ...]:
        """Carry out a command that comes from outside; raise what `decide` raises."""
        events = self.aggregate(address).decide(command, self.at_ms, deck or self.decks.get(address))
        if deck is not None:
            self.decks[address] = deck
        if events:
            number = sum(map(len, self.logs))
            self._write(None, Reaction(address, f"request {number}", command), events, None)
        return events

    def receive(self, place: Delivery, reaction: Reaction) -> None:
        """Take a delivery in, once; a refusal is an answer and is written down."""
        aggregate = self.aggregate(reaction.target)
        if not is_new(aggregate.inbox, place):
            self.tally["delivery repeated"] += 1
            return
        events: tuple[Event, ...] = ()
        refusal = None
        try:
            events = aggregate.decide(reaction.command, self.at_ms, self.decks.get(reaction.target))
        except Rejected as rejected:
            refusal = rejected.reason
            self.tally["delivery refused"] += 1
        self._write(place, reaction, events, refusal)

    def _write(
        self, delivery: Delivery | None, reaction: Reaction, events: tuple[Event, ...], refusal: Reason | None
    ) -> None:
        """Let events take effect, and add the record to the log."""
        aggregate, partition = self.aggregate(reaction.target), crc32(reaction.target.encode()) % len(self.logs)
        version = aggregate.version + 1
        if delivery is not None:
            aggregate.inbox = noted(aggregate.inbox, delivery)
        for event in events:
            origin = aggregate.evolve(event, self.at_ms)
            self.tally[type(event).__name__] += 1
            for witness in self.witnesses:
                witness(origin, event)
        place = (partition, len(self.logs[partition]) + 1, reaction.target, version, self.at_ms, aggregate.unit)
        self.logs[partition].append(Record(*place, reaction.command_id, reaction.command, delivery, events, refusal))

    def ways(self) -> list[tuple[Courier, str]]:
        """Return every courier with every target for which something waits."""
        return [(courier, target) for courier in self.couriers for target in courier.targets()]

    def arrive(self, number: int = 0) -> None:
        """Let a copy arrive that is still in the air."""
        self.receive(*self.in_the_air.pop(number))

    def deliver(self, target: str) -> None:
        """Deliver the next thing that waits for a target."""
        next(courier for courier, other in self.ways() if other == target).deliver(target)

    def drain(self) -> None:
        """Deliver everything, and everything that follows from it."""
        while self.in_the_air:
            self.arrive()
        left = DELIVERIES_MAX
        while ways := [way for way in self.ways() if way[1] not in self.unreachable]:
            courier, target = ways[0]
            courier.deliver(target)
            left -= 1
            assert left, "deliveries without end"


class Courier:
    """Delivers what follows from the records of one partition."""

    def __init__(self, room: CardRoom, partition: int) -> None:
        """Begin at the beginning of the log."""
        self.room, self.partition = room, partition
        self.confirmed = self.read = self.restarts = 0
        self.waiting: dict[str, deque[Message]] = {}

    def restart(self) -> None:
        """Forget everything but the confirmed position."""
        self.room.tally["restart with deliveries waiting"] += len(self.targets()) > 0
        self.read, self.waiting = self.confirmed, {}
        self.restarts += 1

    def confirm(self) -> None:
        """Write down up to which record everything was answered."""
        self.targets()
        oldest = (waiting[0].place.sequence for waiting in self.waiting.values() if waiting)
        self.confirmed = min((sequence - 1 for sequence in oldest), default=self.read)

    def targets(self) -> list[str]:
        """Read on in the log, and return for whom something waits."""
        log = self.room.logs[self.partition]
        for message in (message for record in log[self.read :] for message in self._messages(record)):
            self.waiting.setdefault(message.reaction.target, deque()).append(message)
        self.read = max(self.read, len(log))
        return [target for target, waiting in self.waiting.items() if waiting]

    def _messages(self, record: Record) -> Iterator[Message]:
        """Return what follows from a record; a delivery is numbered by its place, the same after a restart."""
        of_events = (reactions(record.origin(place), event) for place, event in enumerate(record.events))
        for index, reaction in enumerate(reaction for several in of_events for reaction in several):
            yield Message(Delivery(self.partition, record.sequence, index), reaction)

    def deliver(self, target: str, fault: Fault = "") -> None:
        """Try the first delivery that waits for a target; it waits on until an answer comes back."""
        waiting = self.waiting[target]
        reached = target not in self.room.unreachable and fault not in {"lost", "late"}
        if fault in {"late", "doubled"}:
            self.room.in_the_air.append(waiting[0])
        if reached:
            self.room.receive(*waiting[0])
        if reached and fault != "unanswered":
            waiting.popleft()
