"""The plan of a cancelled tournament as a document: who is owed what, why and from where; its hash and its parts.

An *obligation* is one thing that is owed for one reason to one entry, and the same obligation is never paid twice: its
id is made from (tournament, entry, reason) and from nothing else. The amount is no part of it (`trust.md` T-IDEM-8), or
a plan that was wrong and made anew would pay again.

Two people approve a plan by its hash, so the hash binds everything: the tournament, the rules, the totals, every line.
The encoding that is hashed is MessagePack of the structs as they stand here, lines as arrays without field names. For
the log, where a record is small, the lines are cut into parts; each part carries the summary and the hash of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Literal, TypeAlias
from uuid import NAMESPACE_OID, uuid5

import msgspec
from msgspec import Struct

from engine.poker.money import Chips
from engine.rulebooks.rulebook import CancellationRules
from engine.tournament.prizes import Form
from engine.tournament.shares import EntryId

Procedure: TypeAlias = Literal["rollback", "first_prize", "own_split", "multi_table"]
"""Which way of rulebooks.md section 4 was gone: step 1, step 2, step 3, steps 4 to 6. `first_prize` cancels nothing."""

Reason: TypeAlias = Literal["rollback", "prize", "buy_in", "next_prize", "equal_share", "chip_share", "fee", "bounty"]

Payer: TypeAlias = Literal["pool", "house", "fees", "bounty_pool"]
"""The purses: the tournament's prize pool, the house on top of it, and the fees and bounties the tournament holds."""

LINES_MAX = 500
"""Lines in one part (`design.md` section 2)."""
PART_BYTES_MAX = 48 * 1024
"""Bytes of one part, so that its record with everything around it stays below 64 KiB."""
_COUNTS_MAX = 2**32
"""Stands for counts not known yet: nothing that is counted here takes more bytes."""


class Sources(Struct, frozen=True, gc=False, array_like=True):
    """How much comes from which purse, in minor units. Only what is rolled back may come from several."""

    pool: Chips = 0
    house: Chips = 0
    fees: Chips = 0
    bounty_pool: Chips = 0

    @property
    def amount(self) -> Chips:
        """All of it."""
        return self.pool + self.house + self.fees + self.bounty_pool

    def split(self, amount: Chips) -> tuple[Sources, Sources]:
        """Return `amount` minor units of it, taken from one purse after the other, and what is then left."""
        pool = min(self.pool, amount)
        house = min(self.house, amount - pool)
        fees = min(self.fees, amount - pool - house)
        bounty_pool = min(self.bounty_pool, amount - pool - house - fees)
        rest = Sources(self.pool - pool, self.house - house, self.fees - fees, self.bounty_pool - bounty_pool)
        return Sources(pool, house, fees, bounty_pool), rest


class PlanLine(Struct, frozen=True, gc=False, array_like=True):
    """One obligation: unique by (entry, reason)."""

    entry: EntryId
    player: str
    reason: str
    """A `Reason`; "rollback/2" is the second ticket that an entry was paid with and gets back."""
    form: Form
    sources: Sources

    @property
    def amount(self) -> Chips:
        """What is owed, in minor units; of a ticket its value."""
        return self.sources.amount

    @property
    def reason_word(self) -> str:
        """The `Reason`, without the number of the ticket."""
        return self.reason.partition("/")[0]


class PlanSummary(Struct, frozen=True, gc=False):
    """What a plan says about the whole."""

    tournament_id: str
    unit: str
    """The currency."""
    procedure: Procedure
    rules: CancellationRules
    """The modes that were used."""
    survivors: int
    """K: entries still in."""
    in_the_money: bool
    """Whether every survivor was already sure of a prize."""
    remaining: Chips
    """R: what the pool has to give, in minor units. The lines take exactly this from the pool."""
    totals: Sources
    """What all lines together take from each purse."""
    unused_overlay: Chips
    """Goes from the pool back to the house, in minor units (rulebooks.md section 4 step 3)."""
    clauses: tuple[tuple[Reason, str], ...]
    """Where each reason used is written down."""


class CancellationPlan(Struct, frozen=True, gc=False):
    """Who gets what, by ascending entry id."""

    summary: PlanSummary
    lines: tuple[PlanLine, ...]

    def clause(self, line: PlanLine) -> str:
        """Return where the reason of a line of this plan is written down."""
        return dict[str, str](self.summary.clauses)[line.reason_word]


class PlanPart(Struct, frozen=True, gc=False):
    """Part `number` of `count` of a plan."""

    number: int
    """Counted from 1."""
    count: int
    plan_hash: bytes
    """Of the whole plan."""
    summary: PlanSummary
    lines: tuple[PlanLine, ...]


def obligation_id(tournament_id: str, entry: EntryId, reason: str) -> str:
    """Return the id under which an obligation is paid, the same for ever and whatever the amount."""
    return str(uuid5(NAMESPACE_OID, f"tournament/{tournament_id}/entry/{entry}/{reason}"))


def plan_hash(plan: CancellationPlan) -> bytes:
    """Return the SHA-256 of the plan's canonical encoding."""
    return sha256(msgspec.msgpack.encode(plan)).digest()


def parts(plan: CancellationPlan, size: int = LINES_MAX) -> tuple[PlanPart, ...]:
    """Cut a plan into parts of at most `size` lines and `PART_BYTES_MAX` bytes each; without lines it is one part."""
    whole = plan_hash(plan)
    frame = PlanPart(_COUNTS_MAX, _COUNTS_MAX, whole, plan.summary, ())
    room = PART_BYTES_MAX - len(msgspec.msgpack.encode(frame)) - len(msgspec.msgpack.encode(_COUNTS_MAX))
    runs = list(_runs(plan.lines, size, room)) or [()]
    return tuple([PlanPart(number, len(runs), whole, plan.summary, lines) for number, lines in enumerate(runs, 1)])


def joined(plan_parts: Sequence[PlanPart]) -> CancellationPlan:
    """Return the plan that all parts, in their order, were cut from."""
    lines = tuple([line for part in plan_parts for line in part.lines])
    plan = CancellationPlan(plan_parts[0].summary, lines)
    count, whole = len(plan_parts), plan_hash(plan)
    expected = [(number, count, whole) for number in range(1, count + 1)]
    assert [(part.number, part.count, part.plan_hash) for part in plan_parts] == expected, "parts of another plan"
    return plan


def _runs(lines: Sequence[PlanLine], size: int, room: int) -> Iterator[tuple[PlanLine, ...]]:
    """Cut lines into runs of at most `size` lines and `room` bytes."""
    first, used = 0, 0
    for index, line in enumerate(lines):
        need = len(msgspec.msgpack.encode(line))
        assert need <= room, "a line alone is too large for a record"
        if index - first == size or used + need > room:
            yield tuple(lines[first:index])
            first, used = index, 0
        used += need
    if used:
        yield tuple(lines[first:])
