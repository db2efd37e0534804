"""What the writer of a partition is asked, and what it answers.

    Reply                    done: it is in the log and counts, or there was nothing to do
    Rejected                 (the engine's) refused by the rules; nothing has changed
    RequestIdReusedError     the id was used for something else; nothing has changed
    UnavailableError         not known: it may have happened, or may yet; send the same request again
    OverloadedError          not done, because too much is under way; send the same request again later

An unavailable request is not a failed one. Whoever repeats it under the same id gets the stored answer if it has
happened, and lets it happen once if it has not (P2, P6).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from engine.inbox import Delivery
from engine.poker.deck import Deck
from engine.reactions import Command, Event
from services.eventlog.envelope import Sealed

Tell: TypeAlias = Callable[[tuple[Event, ...]], bytes]
"""Makes of what happened, which may be nothing, what the caller is told, now and whenever he asks again."""


def _nothing(_events: tuple[Event, ...]) -> bytes:
    return b""


class Request(msgspec.Struct, frozen=True, gc=False):
    """A command for an aggregate, and what belongs to it."""

    address: str
    """Such as "table/T7"."""
    command: Command
    command_id: str
    """The caller's request id, or the derived id of a delivery; unique in its aggregate."""
    deck: Deck | None = None
    """At a table: the new hand's, or that of the hand in progress."""
    delivery: Delivery | None = None
    """Where it comes from, if a courier brings it."""
    tell: Tell = _nothing
    causation_id: str = ""
    correlation_id: str = ""
    sealed: Sealed | None = None
    """The new hand's seed."""


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The request has been carried out."""

    result: bytes
    """What the caller is told."""
    sequence: int
    """Its place in the partition; if nothing was to be done, a place at which that was so."""


class UnavailableError(Exception):
    """Whether it has happened, or will, is not known."""


class OverloadedError(Exception):
    """Too much is under way; it has not been looked at."""


class RequestIdReusedError(Exception):
    """The id was used for another request."""


class FencedError(Exception):
    """Another writer owns the partition, or wins every claim for it: this one no longer serves it."""
