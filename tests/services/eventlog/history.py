"""What everybody asked, heard and saw while a log was in use: all that `checker.py` looks at beside the log itself.

An `Attempt` is one request and its answer. A `Sighting` is what somebody who follows the log believed at a place of it:
an owner when a record was confirmed, a projector when he had applied it. Neither knows of simulated logs or of Kafka.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

from services.eventlog.judge import Position
from services.eventlog.memory import Held
from services.eventlog.requests import Reply, Request

_ENCODER = msgspec.msgpack.Encoder()


class Attempt(NamedTuple):
    """What somebody asked, and what he heard."""

    request: Request
    answer: Reply | str
    """Or the name of what was raised; a refusal is its reason."""
    first_asked: int
    """The last sequence, in the aggregate, that anybody had been told when the request was first made."""
    asked: int
    """The same when this attempt was made."""
    stored: int
    """The last sequence that counted when he heard the answer."""
    stale: bool
    """The writer did not know then that it was replaced."""
    at_ms: int = 0
    """When he heard it, in the time of the run."""

    @property
    def name(self) -> str:
        """What a finding calls it."""
        return f"{self.request.command_id} of {self.request.address}"

    @property
    def refused(self) -> bool:
        """Whether the rules have refused it."""
        return isinstance(self.answer, str) and not self.answer.endswith("Error")

    def __str__(self) -> str:
        """Say it in a line."""
        answer = self.answer if isinstance(self.answer, str) else f"done at {self.answer.sequence}"
        about = f"{self.at_ms / 1000:9.3f} s  {self.request.address} {self.request.command_id}"
        stale = ", by a former owner" if self.stale else ""
        return f"{about}: {type(self.request.command).__name__} -> {answer} (log at {self.stored}{stale})"


class Sighting(NamedTuple):
    """What somebody believed of an aggregate at a place of the log."""

    who: str
    """Somebody, in one of his lives: from one start to the next."""
    position: Position
    address: str
    state_hash: bytes


class Finding(NamedTuple):
    """Something that cannot have been."""

    what: str
    """The invariant, and what is wrong."""
    address: str = ""
    command_id: str = ""
    sequence: int = 0

    def __str__(self) -> str:
        """Say it."""
        return self.what


def state_hash(held: Held) -> bytes:
    """Return a hash of an aggregate: state, version and inbox."""
    return sha256(_ENCODER.encode(held)).digest()
