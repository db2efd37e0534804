"""What a partition's writer knows of its aggregates, by records that count alone.

For each aggregate it holds a frozen value, `Held`: the state, the version of its last event, and the inbox, by which a
delivery that comes twice is known. What a record makes of them is worked out by `changes_of` from values, never in
place. So what is only pending can be worked out from what is confirmed, kept beside it, and dropped.

Beside that stand the answers that callers were told, by request id. They are kept as long as a repetition could do harm
and no longer (`trust.md` section 5): a request that is bound to a hand until two later hands had requests, any other by
event time, for as long as its kind of aggregate says. A delivery is not kept by its id at all: its mark is in the inbox
for ever. So replay of the same records remembers and forgets the same. While a hand is in progress, its sealed seed and
the place of the record that has it are known too, for whoever goes on with it needs the deck.

All this may come from a snapshot (`snapshots.py`), which has each aggregate as it was at some place behind the
bookmark. Records that an aggregate has seen are skipped for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from engine.inbox import Inbox, noted
from services.eventlog.aggregates import KINDS, State, hand_of, plays, replay
from services.eventlog.envelope import Envelope, Sealed, kind_of
from services.eventlog.log_events import DeliveryAnswered, EpochOpened
from services.eventlog.ports import Bookmark
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


class SealedHand(msgspec.Struct, frozen=True, gc=False):
    """The seed of a hand in progress."""

    sequence: int
    """Of the record that has it."""
    sealed: Sealed


class Answers(msgspec.Struct, gc=False):
    """What the callers of one aggregate were told."""

    by_time: dict[str, Answer] = {}
    """In the order of time."""
    by_hand: dict[str, dict[str, Answer]] = {}
    """By the hand that a request was bound to, in the order in which each had its first."""

    def find(self, command_id: str) -> Answer | None:
        """Return an answer by its request's id."""
        for answers in (self.by_time, *self.by_hand.values()):
            if command_id in answers:
                return answers[command_id]
        return None

    def add(self, envelope: Envelope, answer: Answer) -> None:
        """Remember an answer, and forget what is too old."""
        hand = hand_of(envelope.aggregate, envelope.command)
        if hand in self.by_hand:
            self.by_hand[hand][envelope.command_id] = answer
        elif hand:
            self.by_hand[hand] = {envelope.command_id: answer}
            if len(self.by_hand) > HANDS_REMEMBERED:
                del self.by_hand[next(iter(self.by_hand))]
        else:
            self.by_time[envelope.command_id] = answer
            self._forget_before(answer.at_ms - KINDS[kind_of(envelope.aggregate)].remembered_ms)

    def _forget_before(self, at_ms: int) -> None:
        while self.by_time and (oldest := next(iter(self.by_time.items())))[1].at_ms < at_ms:
            del self.by_time[oldest[0]]


class Known(msgspec.Struct, frozen=True, gc=False):
    """All that is known of an aggregate."""

    held: Held
    answers: Answers
    """Not to be changed."""
    sealed: SealedHand | None


NOTHING: Final = Held()
Changes: TypeAlias = Mapping[str, Held]
"""Aggregates by their addresses, as a record leaves them."""


class Saved(msgspec.Struct, frozen=True):
    """A memory as a snapshot has it."""

    bookmark: Bookmark
    at_ms: int
    """The latest time up to there."""
    known: Mapping[str, Known]
    """Aggregates by their addresses."""
    ahead: Mapping[str, int]
    """The sequences at which aggregates were saved, of those that were saved behind the bookmark."""


def addresses_of(envelope: Envelope) -> tuple[str, ...]:
    """Return the aggregates that a record changes."""
    event = envelope.events[0]
    return (envelope.aggregate, event.receiver) if isinstance(event, DeliveryAnswered) else (envelope.aggregate,)


def changes_of(envelope: Envelope, held: Callable[[str], Held], seen: Collection[str] = ()) -> Changes:
    """Return what a record makes of aggregates, which `held` gives as they were before it; those in `seen` left out."""
    changes: dict[str, Held] = {}
    if envelope.aggregate not in seen:
        changes[envelope.aggregate] = _happened(envelope, held(envelope.aggregate))
    event = envelope.events[0]
    if isinstance(event, DeliveryAnswered) and event.receiver not in seen:
        changes[event.receiver] = _marked(envelope, held(event.receiver))
    return changes


def _happened(envelope: Envelope, before: Held) -> Held:
    """Return an aggregate after the events of its record.

    What the log says of itself has no state. A claim does not know how many events its partition had before it.
    """
    address, events = envelope.aggregate, envelope.events
    claims = isinstance(events[0], EpochOpened)
    assert claims or envelope.version == before.version + 1, f"{address} lacks events before {envelope.version}"
    state, inbox = before.state, before.inbox
    if kind_of(address) in KINDS:
        state = replay(address, state, events, envelope.occurred_at_ms)  # type: ignore[arg-type]  # Its own kind's.
        inbox = inbox if envelope.delivery is None else noted(inbox, envelope.delivery)
    return Held(state, before.version + len(events), inbox)


def _marked(envelope: Envelope, receiver: Held) -> Held:
    """Return the receiver of a delivery that changed nothing but its inbox."""
    assert envelope.delivery is not None, "a delivery was answered"
    return msgspec.structs.replace(receiver, inbox=noted(receiver.inbox, envelope.delivery))


class Memory:
    """The confirmed state of a partition."""

    def __init__(self, saved: Saved | None = None) -> None:
        """Begin with nothing, or with a snapshot."""
        known = saved.known if saved else {}
        self.bookmark = saved.bookmark if saved else None
        """The last record that took effect; None before the first."""
        self.at_ms = saved.at_ms if saved else 0
        """The latest time on the log, in milliseconds since 1970, UTC."""
        self._held = {address: each.held for address, each in known.items()}
        self._answers = {address: each.answers for address, each in known.items()}
        self._sealed = {address: each.sealed for address, each in known.items() if each.sealed}
        self._ahead = saved.ahead if saved else {}

    def __len__(self) -> int:
        """Return how many aggregates there are."""
        return len(self._held)

    def __iter__(self) -> Iterator[str]:
        """Yield the addresses of all aggregates."""
        yield from self._held

    def held(self, address: str) -> Held:
        """Return an aggregate."""
        return self._held.get(address, NOTHING)

    def answer(self, address: str, command_id: str) -> Answer | None:
        """Return what the caller of a request was told, if that is remembered."""
        answers = self._answers.get(address)
        return answers.find(command_id) if answers else None

    def sealed(self, address: str) -> SealedHand | None:
        """Return the sealed seed of a table's hand in progress."""
        return self._sealed.get(address)

    def known(self, address: str) -> Known:
        """Return all that is known of an aggregate."""
        return Known(self.held(address), self._answers.get(address, Answers()), self._sealed.get(address))

    def apply(self, counted: Counted) -> None:
        """Let a record that was read take effect, but not on aggregates that a snapshot has as they were behind it."""
        envelope = counted.envelope
        seen = self._seen(envelope, counted.bookmark.position.sequence) if self._ahead else ()
        self._take(counted, changes_of(envelope, self.held, seen))
        if envelope.aggregate not in seen:
            self._remember(counted)

    def confirm(self, counted: Counted, changes: Changes) -> None:
        """Let a record take effect whose changes are known."""
        self._take(counted, changes)
        self._remember(counted)

    def _seen(self, envelope: Envelope, sequence: int) -> list[str]:
        """Return the aggregates of a record that have seen it."""
        return [address for address in addresses_of(envelope) if self._ahead.get(address, 0) >= sequence]

    def _take(self, counted: Counted, changes: Changes) -> None:
        """Be behind a record."""
        self._held.update(changes)
        self.bookmark = counted.bookmark
        self.at_ms = max(self.at_ms, counted.envelope.occurred_at_ms)

    def _remember(self, counted: Counted) -> None:
        """Keep what a record says beside its events: the answer, and the seed of a hand."""
        envelope, sequence = counted.envelope, counted.bookmark.position.sequence
        if envelope.command_id and envelope.delivery is None:
            answers = self._answers.setdefault(envelope.aggregate, Answers())
            answer = Answer(envelope.request_hash, Reply(envelope.result, sequence), envelope.occurred_at_ms)
            answers.add(envelope, answer)
        if envelope.sealed is not None or envelope.aggregate in self._sealed:
            self._keep_sealed(counted)

    def _keep_sealed(self, counted: Counted) -> None:
        """Keep the seed that a record brings, as long as the hand is in progress."""
        envelope = counted.envelope
        if not plays(self.held(envelope.aggregate).state):
            self._sealed.pop(envelope.aggregate, None)
        elif envelope.sealed is not None:
            self._sealed[envelope.aggregate] = SealedHand(counted.bookmark.position.sequence, envelope.sealed)
