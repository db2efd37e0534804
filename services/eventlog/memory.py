"""What a partition's writer knows of its aggregates, by records that count alone.

For each aggregate it holds a frozen value, `Held`: the state, the version of its last event, and the inbox, by which a
delivery that comes twice is known. What a record makes of them is worked out by `changes_of` from values, never in
place. So what is only pending can be worked out from what is confirmed, kept beside it, and dropped.

Beside that stand the answers that callers were told, by request id. They are kept as long as a repetition could do harm
and no longer (`trust.md` section 5): a request that is bound to a hand until two later hands had requests, any other by
event time, for as long as its kind of aggregate says. A delivery is not kept by its id at all: its mark is in the inbox
for ever. So replay of the same records remembers and forgets the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import msgspec

from engine.inbox import Inbox, noted
from services.eventlog.aggregates import KINDS, State, evolve, hand_of
from services.eventlog.envelope import Envelope, kind_of
from services.eventlog.log_events import DeliveryAnswered, EpochOpened
from services.eventlog.reader import Counted
from services.eventlog.requests import Reply

HANDS_REMEMBERED: Final = 2
"""The running hand and the one before it."""


class Held(msgspec.Struct, frozen=True, gc=False):
    """An aggregate; one that does not exist has had no events."""

    state: State | None = None
    version: int = 0
    """Of the last event."""
    inbox: Inbox = Inbox()


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What a caller was told."""

    request_hash: bytes
    reply: Reply
    at_ms: int


NOTHING: Final = Held()
Changes: TypeAlias = Mapping[str, Held]
"""Aggregates by their addresses, as a record leaves them."""


def changes_of(envelope: Envelope, held: Callable[[str], Held]) -> Changes:
    """Return what a record makes of aggregates, which `held` gives as they were before it.

    What the log says of itself has no state. A claim does not know how many events its partition had before it.
    """
    address, events = envelope.aggregate, envelope.events
    before = held(address)
    claims = isinstance(events[0], EpochOpened)
    assert claims or envelope.version == before.version + 1, f"{address} lacks events before {envelope.version}"
    state, inbox = before.state, before.inbox
    if kind_of(address) in KINDS:
        for event in events:
            state = evolve(address, state, event, envelope.occurred_at_ms)  # type: ignore[arg-type]  # Its own kind's.
        inbox = inbox if envelope.delivery is None else noted(inbox, envelope.delivery)
    changes = {address: Held(state, before.version + len(events), inbox)}
    if isinstance(events[0], DeliveryAnswered):
        changes.update(_marked(events[0], envelope, held))
    return changes


def _marked(event: DeliveryAnswered, envelope: Envelope, held: Callable[[str], Held]) -> Changes:
    """Return the receiver of a delivery that changed nothing but its inbox."""
    assert envelope.delivery is not None, "a delivery was answered"
    receiver = held(event.receiver)
    return {event.receiver: msgspec.structs.replace(receiver, inbox=noted(receiver.inbox, envelope.delivery))}


class Memory:
    """The confirmed state of a partition."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.at_ms = 0
        """The latest time on the log, in milliseconds since 1970, UTC."""
        self._held: dict[str, Held] = {}
        self._answers: dict[str, _Answers] = {}

    def held(self, address: str) -> Held:
        """Return an aggregate."""
        return self._held.get(address, NOTHING)

    def answer(self, address: str, command_id: str) -> Answer | None:
        """Return what the caller of a request was told, if that is remembered."""
        answers = self._answers.get(address)
        return answers.find(command_id) if answers else None

    def apply(self, counted: Counted) -> None:
        """Let a record that was read take effect."""
        self.confirm(counted, changes_of(counted.envelope, self.held))

    def confirm(self, counted: Counted, changes: Changes) -> None:
        """Let a record take effect whose changes are known."""
        envelope = counted.envelope
        self._held.update(changes)
        self.at_ms = max(self.at_ms, envelope.occurred_at_ms)
        if envelope.command_id and envelope.delivery is None:
            reply = Reply(envelope.result, counted.bookmark.position.sequence)
            answers = self._answers.setdefault(envelope.aggregate, _Answers())
            answers.add(envelope, Answer(envelope.request_hash, reply, envelope.occurred_at_ms))


class _Answers:
    """What the callers of one aggregate were told."""

    def __init__(self) -> None:
        self._by_time: dict[str, Answer] = {}
        """In the order of time."""
        self._by_hand: dict[str, dict[str, Answer]] = {}
        """By the hand that a request was bound to, in the order in which each had its first."""

    def find(self, command_id: str) -> Answer | None:
        """Return an answer by its request's id."""
        for answers in (self._by_time, *self._by_hand.values()):
            if command_id in answers:
                return answers[command_id]
        return None

    def add(self, envelope: Envelope, answer: Answer) -> None:
        """Remember an answer, and forget what is too old."""
        hand = hand_of(envelope.aggregate, envelope.command)
        answers = self._by_hand.setdefault(hand, {}) if hand else self._by_time
        answers[envelope.command_id] = answer
        if len(self._by_hand) > HANDS_REMEMBERED:
            del self._by_hand[next(iter(self._by_hand))]
        self._forget_before(answer.at_ms - KINDS[kind_of(envelope.aggregate)].remembered_ms)

    def _forget_before(self, at_ms: int) -> None:
        while self._by_time and (oldest := next(iter(self._by_time.items())))[1].at_ms < at_ms:
            del self._by_time[oldest[0]]
