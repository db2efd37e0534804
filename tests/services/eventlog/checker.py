"""Could this history have been? The invariants of `reliability.md` section 5 that concern the log and its writers.

I1   what was acknowledged is in the log and counts, at that sequence, with that request and that result
I2   no request, and no delivery, has two effects
I3   sequences, epochs, times and versions; with command and deck, `decide` gives the stored events again
I8   whoever followed the log had the state that its records make, at every place where he says what he had
I9   his positions only grow, and are those of the log
I13  what was told is in real-time order in the order of sequences, refusals and "nothing to do" included
I15  what was refused is not in the log, unless it was sent again and carried out then

It takes what everybody heard and saw (`history.py`) and any `LogReader`, so whatever log a test has run on can be
checked with it. I14 is a matter of time: whoever runs the test measures it. I4, I5, I10 to I12 are in `books.py`.

A refusal by a paused former owner may rest on an old state, because he cannot know that he was replaced.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Final

from engine.errors import Reason, Rejected
from engine.poker.deck import Deck
from engine.reactions import Command
from engine.table.state import Table, next_hand_id
from services.eventlog import aggregates
from services.eventlog.canonical import canonical, command_of, request_hash
from services.eventlog.envelope import Envelope, kind_of
from services.eventlog.errors import LogCorruptError
from services.eventlog.judge import VoidReason
from services.eventlog.log_events import DeliveryAnswered, EpochOpened
from services.eventlog.memory import NOTHING, Held, Memory
from services.eventlog.ports import LogReader
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.requests import Reply
from tests.services.eventlog.history import Attempt, Finding, Sighting, state_hash
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.sealing import opened

ANY_TIME_MS: Final = 1 << 50
"""Later than all deadlines."""
_SEQUENCE: Final = itemgetter(0)


class Past:
    """The log as a reader finds it, and every state of every aggregate."""

    def __init__(self, house: str = HOUSE, partition: int = PARTITION) -> None:
        """Begin with nothing."""
        self.house, self.partition = house, partition
        self.memory = Memory()
        self.counted: list[Counted] = []
        self.states: dict[str, list[tuple[int, int, Held]]] = {}
        """Of each aggregate: the sequence, the time, and what it was from there on."""
        self.decks: dict[bytes, Deck] = {}
        """By their roots."""
        self.halt: LogCorruptError | None = None
        self.void: Counter[VoidReason] = Counter()
        self.findings: list[Finding] = []

    async def read(self, log: LogReader) -> None:
        """Read everything; a halt is a finding."""
        reader = PartitionReader(log, self.house, self.partition)
        self.void = reader.void
        try:
            await reader.read_on(await log.end(self.partition), self._apply)
        except LogCorruptError as error:
            self.halt = error
            self.findings.append(Finding(f"P4: a reader halts: {error}", sequence=reader.position.sequence))

    def between(self, address: str, first: int, last: int) -> Iterator[tuple[Held, int, int]]:
        """Yield the states that an aggregate had from one sequence to another, and from when to when each was so.

        The last one comes first: most of what was heard rests on that.
        """
        states = self.states.get(address, [])
        until_ms = ANY_TIME_MS
        after = bisect_right(states, last, key=_SEQUENCE)
        if after < len(states):
            until_ms = states[after][1]
        for sequence, at_ms, held in reversed(states[_begun(states, first) : after]):
            yield held, at_ms, until_ms
            until_ms = at_ms
            if sequence <= first:
                return
        yield NOTHING, 0, until_ms

    def deck_at(self, state: object) -> Deck | None:
        """Return the deck of the hand in progress, as it was sealed."""
        hand = state.hand if isinstance(state, Table) else None
        return None if hand is None else self.decks.get(hand.setup.deck_root)

    def at(self, sequence: int) -> Counted | None:
        """Return the record at a sequence."""
        found = self.counted[sequence - 1 : sequence] if sequence > 0 else []
        return found[0] if found else None

    def _apply(self, counted: Counted) -> None:
        envelope, sequence = counted.envelope, counted.bookmark.position.sequence
        if kind_of(envelope.aggregate) in aggregates.KINDS:
            self._decide_again(envelope, sequence)
        if envelope.occurred_at_ms < self.memory.at_ms and not isinstance(envelope.events[0], EpochOpened):
            self.findings.append(Finding(f"I3: time goes back at {sequence}", envelope.aggregate, "", sequence))
        self.memory.apply(counted)
        self.counted.append(counted)
        for address in changed_by(envelope):
            state = self.memory.held(address)
            self.states.setdefault(address, []).append((sequence, envelope.occurred_at_ms, state))

    def _decide_again(self, envelope: Envelope, sequence: int) -> None:
        state = self.memory.held(envelope.aggregate).state
        deck = self.deck_at(state)
        if envelope.sealed is not None:
            assert isinstance(state, Table)
            deck = opened(envelope.sealed, next_hand_id(state))
            self.decks[deck.root] = deck
        command = command_of(kind_of(envelope.aggregate), envelope.command)
        again, _ = aggregates.execute(envelope.aggregate, state, command, envelope.occurred_at_ms, deck)
        if again != envelope.events:
            what = f"I3: {envelope.command_id} of {envelope.aggregate} was decided otherwise"
            self.findings.append(Finding(what, envelope.aggregate, envelope.command_id, sequence))


def _begun(states: Sequence[tuple[int, int, Held]], first: int) -> int:
    """Return the place of the state that was so at a sequence, 0 if there was none yet."""
    return max(0, bisect_right(states, first, key=_SEQUENCE) - 1)


def changed_by(envelope: Envelope) -> tuple[str, ...]:
    """Return the aggregates that a record changes."""
    event = envelope.events[0]
    return (envelope.aggregate, event.receiver) if isinstance(event, DeliveryAnswered) else (envelope.aggregate,)


def findings(history: Sequence[Attempt], sightings: Iterable[Sighting], past: Past) -> list[Finding]:
    """Return what could not have been."""
    return [
        *past.findings,
        *_gaps(past),
        *_twice(past),
        *(found for attempt in history for found in heard(attempt, past)),
        *_refused(history, past),
        *_seen(sightings, past),
    ]


def _gaps(past: Past) -> Iterator[Finding]:
    """I3."""
    places = [counted.bookmark.position for counted in past.counted]
    for one, two in pairwise(places):
        if two.sequence != one.sequence + 1 or two.epoch < one.epoch:
            yield Finding(f"I3: {two} follows {one}", sequence=two.sequence)


def _twice(past: Past) -> Iterator[Finding]:
    """I2."""
    envelopes = [counted.envelope for counted in past.counted]
    ids = Counter((each.aggregate, each.command_id) for each in envelopes if each.command_id)
    places = Counter((changed_by(each)[-1], each.delivery) for each in envelopes if each.delivery)
    for (address, command_id), count in ids.items():
        if count > 1:
            yield Finding(f"I2: {command_id} of {address} has happened {count} times", address, command_id)
    for (address, place), count in places.items():
        if count > 1:
            yield Finding(f"I2: {place} to {address} has happened {count} times", address)


def heard(attempt: Attempt, past: Past) -> Iterator[Finding]:
    """Yield what is wrong with one answer: I1 and I13."""
    answer, about = attempt.answer, (attempt.request.address, attempt.request.command_id)
    if not isinstance(answer, str):
        check = _delivered if attempt.request.delivery else _done
        yield from (Finding(what, *about, answer.sequence) for what in check(attempt, answer, past))
    elif attempt.refused and not _could_be(attempt, past, answer):
        yield Finding(f"I13: {attempt.name} was refused for {answer}, which was never so", *about, attempt.stored)


def _delivered(attempt: Attempt, answer: Reply, past: Past) -> Iterator[str]:
    """I1: a delivery that was answered is in the log by then."""
    places = ((changed_by(each.envelope)[-1], each.envelope.delivery) for each in past.counted[: answer.sequence])
    if (attempt.request.address, attempt.request.delivery) not in places:
        yield f"I1: {attempt.name} was answered and is not in the log"


def _done(attempt: Attempt, answer: Reply, past: Past) -> Iterator[str]:
    """I1, I13: a request that was acknowledged is at its place, or there was nothing to do."""
    request, name, found = attempt.request, attempt.name, past.at(answer.sequence)
    if found is None or found.envelope.command_id != request.command_id:
        if answer.result or not _could_be(attempt, past, ""):
            yield f"I1: {name} was acknowledged at {answer.sequence} and is not there"
        return
    record = found.envelope
    if (record.request_hash, record.result) != (request_hash(canonical(request.command)), answer.result):
        yield f"I1: {name} was acknowledged for something else"
    if answer.sequence <= attempt.first_asked:
        yield f"I13: {name} took a place before what was known when it was asked"


def _could_be(attempt: Attempt, past: Past, answer: str) -> bool:
    """Return whether between question and answer there was a state, and a time, in which the answer was this.

    The time of a refusal is on no record, and the clock of the next writer may be behind: it has no upper bound.
    """
    request, first = attempt.request, 0 if attempt.stale else attempt.asked
    return any(
        _decided(request.address, held, request.command, at_ms, past.deck_at(held.state)) == answer
        for held, begun_ms, ended_ms in past.between(request.address, first, attempt.stored)
        for at_ms in ((0, begun_ms, ended_ms, ANY_TIME_MS) if attempt.stale else (begun_ms, ended_ms, ANY_TIME_MS))
    )


def _decided(address: str, held: Held, command: Command, at_ms: int, deck: Deck | None) -> str:
    """Return the reason of a refusal; what happened instead; or nothing."""
    try:
        events, _ = aggregates.execute(address, held.state, command, at_ms, deck)
    except Rejected as refusal:
        return "something happens" if refusal.reason is Reason.DECK_UNAVAILABLE else refusal.reason
    return "something happens" if events else ""


def _refused(history: Sequence[Attempt], past: Past) -> Iterator[Finding]:
    """I15: a request all of whose attempts were refused has not happened."""
    happened = {(each.envelope.aggregate, each.envelope.command_id) for each in past.counted}
    outcomes: dict[tuple[str, str], set[bool]] = {}
    for attempt in history:
        outcomes.setdefault((attempt.request.address, attempt.request.command_id), set()).add(attempt.refused)
    for name, all_of in outcomes.items():
        if all_of == {True} and name in happened:
            yield Finding(f"I15: {name} was refused and has happened", *name)


def _seen(sightings: Iterable[Sighting], past: Past) -> Iterator[Finding]:
    """I8, I9."""
    hashes = {
        (sequence, address): state_hash(held) for address, states in past.states.items() for sequence, _, held in states
    }
    last: dict[str, int] = {}
    for who, position, address, seen in sightings:
        sequence, found = position.sequence, past.at(position.sequence)
        about = (address, "", sequence)
        if sequence < last.get(who, 0):
            yield Finding(f"I9: {who} went back from {last[who]} to {sequence}", *about)
        last[who] = sequence
        if found is None or found.bookmark.position != position:
            yield Finding(f"I9: {who} was at {position}, where the log is not", *about)
        elif hashes.get((sequence, address)) != seen:
            yield Finding(f"I8: {who} had another state of {address} at {sequence}", *about)
