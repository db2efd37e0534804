"""Could this history have been? The invariants of `reliability.md` section 5 that concern the log and its writers.

I1   what was acknowledged is in the log and counts, at that sequence, with that request and that result
I2   no request, and no delivery, has two effects
I3   sequences, epochs, times and versions; with the command, `decide` gives the stored events again
I13  what was told is in real-time order, refusals and "nothing to do" included
I15  what was refused is not in the log, unless it was sent again and carried out then
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from engine.errors import Rejected
from engine.reactions import Command
from services.eventlog import aggregates
from services.eventlog.canonical import canonical, command_of, request_hash
from services.eventlog.envelope import kind_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.log_events import EpochOpened
from services.eventlog.memory import NOTHING, Held, Memory
from services.eventlog.ports import LogReader
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import Reply
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.rooms import Attempt, Room


class Past:
    """The log as a reader finds it, and every state of every aggregate."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.memory = Memory()
        self.counted: list[Counted] = []
        self.states: dict[str, list[tuple[int, Held]]] = {}
        self.findings: list[str] = []

    async def read(self, log: LogReader) -> None:
        """Read everything; a halt is a finding."""
        try:
            await PartitionReader(log, HOUSE, PARTITION).read_on(await log.end(PARTITION), self._apply)
        except LogCorruptError as error:
            self.findings.append(f"a reader halts: {error}")

    def between(self, address: str, first: int, last: int) -> Iterator[Held]:
        """Yield the states that an aggregate had from one sequence to another, both included."""
        states = [(0, NOTHING), *self.states.get(address, [])]
        begun = max((place for place, _ in states if place <= first), default=0)
        yield from (held for place, held in states if begun <= place <= last)

    def _apply(self, counted: Counted) -> None:
        envelope = counted.envelope
        if kind_of(envelope.aggregate) in aggregates.KINDS:
            held = self.memory.held(envelope.aggregate)
            command = command_of(kind_of(envelope.aggregate), envelope.command)
            again, _ = aggregates.execute(envelope.aggregate, held.state, command, envelope.occurred_at_ms)
            if again != envelope.events:
                self.findings.append(f"I3: {envelope.command_id} was decided otherwise")
        if envelope.occurred_at_ms < self.memory.at_ms and not isinstance(envelope.events[0], EpochOpened):
            self.findings.append(f"I3: time goes back at {counted.bookmark.position.sequence}")
        self.memory.apply(counted)
        self.counted.append(counted)
        state = self.memory.held(envelope.aggregate)
        self.states.setdefault(envelope.aggregate, []).append((counted.bookmark.position.sequence, state))


async def findings(room: Room, past: Past) -> list[str]:
    """Return what could not have been."""
    return [
        *room.halts,
        *past.findings,
        *(f"I3: gap after {one}" for one, two in pairwise(_sequences(past)) if two != one + 1),
        *_twice(past),
        *(found for attempt in room.history for found in _heard(attempt, past)),
        *_refused(room, past),
        *(f"I3: {name} differs" for name in past.states if past.memory.held(name) != room.last.confirmed(name)),
    ]


def _sequences(past: Past) -> list[int]:
    return [counted.bookmark.position.sequence for counted in past.counted]


def _twice(past: Past) -> Iterator[str]:
    """I2."""
    envelopes = [counted.envelope for counted in past.counted]
    ids = Counter((each.aggregate, each.command_id) for each in envelopes if each.command_id)
    places = Counter(each.delivery for each in envelopes if each.delivery)
    yield from (
        f"I2: {name} has happened {count} times" for name, count in [*ids.items(), *places.items()] if count > 1
    )


def _heard(attempt: Attempt, past: Past) -> Iterator[str]:
    """I1 and I13 of one answer."""
    answer = attempt.answer
    if not isinstance(answer, str):
        yield from _delivered(attempt, answer, past) if attempt.request.delivery else _done(attempt, answer, past)
    elif answer not in {"UnavailableError", "RequestIdReusedError"} and not _could_be(attempt, past, answer):
        yield f"I13: {attempt.name} was refused for {answer}, which was never so"


def _delivered(attempt: Attempt, answer: Reply, past: Past) -> Iterator[str]:
    """I1: a delivery that was answered is in the log by then."""
    places = (each.envelope.delivery for each in past.counted[: answer.sequence])
    if attempt.request.delivery not in places:
        yield f"I1: {attempt.name} was answered and is not in the log"


def _done(attempt: Attempt, answer: Reply, past: Past) -> Iterator[str]:
    """I1, I13: a request that was acknowledged is at its place, or there was nothing to do."""
    request, name = attempt.request, attempt.name
    found = past.counted[answer.sequence - 1 : answer.sequence]
    if not found or found[0].envelope.command_id != request.command_id:
        if answer.result or not _could_be(attempt, past, ""):
            yield f"I1: {name} was acknowledged at {answer.sequence} and is not there"
        return
    record = found[0].envelope
    if (record.request_hash, record.result) != (request_hash(canonical(request.command)), answer.result):
        yield f"I1: {name} was acknowledged for something else"
    if answer.sequence <= attempt.first_asked:
        yield f"I13: {name} took a place before what was known when it was asked"


def _could_be(attempt: Attempt, past: Past, answer: str) -> bool:
    """Return whether between question and answer there was a state in which the answer was this."""
    request, first = attempt.request, 0 if attempt.stale else attempt.asked
    return any(
        _decided(request.address, held, request.command) == answer
        for held in past.between(request.address, first, attempt.stored)
    )


def _decided(address: str, held: Held, command: Command) -> str:
    """Return the reason of a refusal; what happened instead; or nothing."""
    try:
        events, _ = aggregates.execute(address, held.state, command, 0)
    except Rejected as refusal:
        return refusal.reason
    return "something happens" if events else ""


def _refused(room: Room, past: Past) -> Iterator[str]:
    """I15: a request all of whose attempts were refused has not happened."""
    happened = {(each.envelope.aggregate, each.envelope.command_id) for each in past.counted}
    heard: dict[tuple[str, str], set[bool]] = {}
    for attempt in room.history:
        refused = not isinstance(attempt.answer, Reply) and not attempt.answer.endswith("Error")
        heard.setdefault((attempt.request.address, attempt.request.command_id), set()).add(refused)
    yield from (
        f"I15: {name} was refused and has happened"
        for name, all_of in heard.items()
        if all_of == {True} and name in happened
    )
