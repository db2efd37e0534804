"""A tiny model of the judge, which knows no hashes: histories are compared whole, as tuples of records.

Each record is kept with what its writer knew when it made it. That makes the rules plain: an ordinary record counts in
the current epoch if its writer knew exactly what has counted; a claim counts if its epoch is new, and is damage found
if its writer knew something that is not the beginning of what has counted.
"""

from __future__ import annotations

from functools import reduce
from typing import Literal, TypeAlias

from services.eventlog.judge import Claim, Corrupt, Counts, Header, Verdict, Void, chained, genesis
from tests.services.eventlog.records import HOUSE, PARTITION, record

History: TypeAlias = tuple[bytes, ...]
Answer: TypeAlias = Literal["counts", "void", "corrupt"]


class Made:
    """A record, with what its writer knew."""

    def __init__(self, name: str, epoch: int, sequence: int, knew: History, *, claims: bool) -> None:
        """Make it as a writer does; the name is its own, so no other record has its bytes."""
        before = reduce(chained, knew, genesis(HOUSE, PARTITION).hash)
        claim = Claim(name, len(knew), before) if claims else None
        self.name, self.epoch, self.sequence, self.knew, self.claims = name, epoch, sequence, knew, claims
        self.header = Header(epoch, 0 if claims else sequence, before, claim)
        self.stored = record(self.header, name.encode())


class Model:
    """What has counted."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.epoch = 0
        self.counted: History = ()

    def answer(self, made: Made) -> Answer:
        """Return what becomes of a record, and let it count if it does."""
        if made.claims:
            if self.counted[: len(made.knew)] != made.knew:
                return "corrupt"
            if made.epoch <= self.epoch:
                return "void"
        elif self.epoch == 0 or (made.epoch, made.sequence) != (self.epoch, len(self.counted) + 1):
            return "void"
        elif made.knew != self.counted:
            return "corrupt"
        self.epoch = made.epoch
        self.counted += (made.stored,)
        return "counts"


def answer_of(verdict: Verdict) -> Answer:
    """Return the verdict of the judge in the words of the model."""
    match verdict:
        case Counts():
            return "counts"
        case Void():
            return "void"
        case Corrupt():
            return "corrupt"
