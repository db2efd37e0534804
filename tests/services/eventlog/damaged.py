"""F1 in rooms whose log is damaged one day, as no log may be: it ends in a halt that says where and why.

A damage is noticed by the judge, by a claim that had reached more, by somebody who saved a position, by an anchor or a
snapshot. One that is not noticed must have left alone everything that anybody had kept a position of, or could only
touch what a dead owner had told last, within the time between two anchors. And after it nobody hears that something has
happened which is not in the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.account.commands import OpenAccount
from services.eventlog.codec.faults import UnreadableRecordError
from services.eventlog.envelope import decode
from services.eventlog.errors import LogCorruptError
from services.eventlog.ports import RECORD_BYTES_MAX
from services.eventlog.requests import Reply, Request
from tests.services.eventlog.checker import Past, changed_by, heard
from tests.services.eventlog.history import Attempt, Finding
from tests.services.eventlog.owners import names_of
from tests.services.eventlog.records import PARTITION
from tests.services.eventlog.rooms import Room, now_ms
from tests.services.eventlog.simulated import SimulatedLog, fair

RECORDS: Final = 60
"""The damage is done when there are so many records, or fewer."""
LOOKS_S: Final = 0.05


class Damage(NamedTuple):
    """What was done, and what was so before."""

    kind: str
    at_ms: int
    counted: int
    """The last sequence that counted."""
    kept: int
    """The last sequence of which somebody had kept a position that survives him."""


class DamagedRoom(Room):
    """A room in which damage is done while people play."""

    damage: Damage | None = None

    async def harm(self) -> None:
        """Wait until there are some records, and do damage."""
        chance = Random(f"{self.seed} damage")
        shelf, wanted = self.store.shelves[PARTITION], chance.randrange(2, RECORDS)
        while len(shelf.records) < wanted:  # noqa: ASYNC110 - in virtual time a look costs nothing.
            await asyncio.sleep(LOOKS_S)
        counted, kept = shelf.position.sequence, self._kept()
        kind = chance.choice(("end lost", "tail torn", "bit flipped", "bit flipped", "foreign bytes"))
        count = len(shelf.records)
        if kind == "end lost":
            shelf.lose(count - chance.randrange(1, min(count, 6) + 1))
        elif kind == "tail torn":
            shelf.tear(chance.randrange(len(shelf.records[-1])))
        elif kind == "bit flipped":
            offset = chance.randrange(count)
            shelf.flip(offset, chance.randrange(len(shelf.records[offset])), chance.randrange(8))
        else:
            shelf.intrude(chance.randbytes(chance.choice((20, 200, RECORD_BYTES_MAX + 1))))
        self.damage = Damage(kind, now_ms(), counted, kept)
        self.note(f"damage: {kind}, {count} records, {counted} counted, positions kept up to {kept}")

    def _kept(self) -> int:
        """Return the last sequence that the projector or an anchor has kept."""
        anchor, saved = self.anchors.positions.get(PARTITION), self.projector.saved
        return max(anchor.sequence if anchor else 0, saved.position.sequence if saved else 0)

    async def look(self) -> Past:
        """Let everybody look at the log again who may: the projector, and a writer that opens the partition."""
        self.calm()
        owner = self.places[0]
        while not self.halts and not owner.serves:  # noqa: ASYNC110 - in virtual time a look costs nothing.
            await asyncio.sleep(LOOKS_S)
        await self.ask(Request("account/last", OpenAccount("last"), "last", tell=names_of), Random(0))
        owner.stop()
        self.projector.log = SimulatedLog(self.store, fair)
        try:
            await self.projector.read_on(len(self.store.shelves[PARTITION].records) + 1)
        except LogCorruptError as error:
            self.halt(f"the projector: {error}")
        past = Past()
        await past.read(SimulatedLog(self.store, fair))
        if past.halt is not None:
            self.halt(f"a new reader: {past.halt}")
        return past

    def verdict(self, past: Past) -> list[Finding]:
        """Return what is wrong with how the damage was dealt with."""
        assert self.damage is not None, "the story is about damage"
        found = list(self._told_wrongly())
        found += [Finding(f"F13: a halt does not say where and why: {why}") for why in self.halts if not _says(why)]
        if not self.halts:
            found += [each for each in self._missed(past) if each.sequence <= self.damage.kept]
        return found

    def _missed(self, past: Past) -> Iterator[Finding]:
        """Yield what somebody was told before and is not so any more."""
        for attempt in self.history:
            if isinstance(attempt.answer, Reply):
                yield from heard(attempt, past)

    def _told_wrongly(self) -> Iterator[Finding]:
        """Yield what somebody was told after the damage and is not stored."""
        assert self.damage is not None, "the story is about damage"
        stored = set(_stored(self.store.shelves[PARTITION].records))
        for attempt in self.history:
            if _happened_after(attempt, self.damage):
                name = (attempt.request.address, attempt.request.command_id)
                if name not in stored:
                    yield Finding(f"I1: {attempt.name} was acknowledged after the damage and is not there", *name)


def _happened_after(attempt: Attempt, damage: Damage) -> bool:
    answer = attempt.answer
    return isinstance(answer, Reply) and bool(answer.result) and answer.sequence > damage.counted


def _stored(records: list[bytes]) -> Iterator[tuple[str, str]]:
    for stored in records:
        try:
            envelope = decode(stored)
        except UnreadableRecordError:
            continue
        yield changed_by(envelope)[-1], envelope.command_id


def _says(why: str) -> bool:
    """Say whether a halt names its place and its reason."""
    return "corrupt at offset" in why and bool(why.partition(": ")[2])
