"""A reader who follows what tournaments pay, and holds a cancellation against its frozen plan (I11).

An obligation is what is owed to an entry for one reason: it is paid once, whatever happens. A plan counts every chip,
those of players between two tables included; two people approve it by its hash, and then its lines are paid, each
once and no other, until nothing is left in the purses.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from engine.origin import Origin, name_of
from engine.poker.money import Chips
from engine.tournament import money_events as said
from engine.tournament.calling_off import case_of
from engine.tournament.events import TournamentEvent
from engine.tournament.play_events import EntryReceived
from engine.tournament.prizes import CASH
from engine.tournament.refund_plan import CancellationPlan, PlanPart, Sources, joined, obligation_id
from engine.tournament.state import Purses, Tournament

Paid: TypeAlias = tuple[int, str, str, str, Chips]
"""The entry, its player, the reason, the form, the amount."""


class CancellationsFollowed:
    """What the tournaments of a card room have paid, and the plans by which they pay when they are called off."""

    def __init__(self) -> None:
        """Begin with nothing paid."""
        self.obligations: set[tuple[str, int, str]] = set()
        """The tournament, the entry, the reason."""
        self.parts: dict[str, list[PlanPart]] = {}
        self.plans: dict[str, CancellationPlan] = {}
        """The plans that are complete, by the tournament's address."""
        self.approved_by: dict[str, list[str]] = {}
        self.paid: dict[str, list[Paid]] = {}
        """Since the plan was complete."""
        self.home_late: Counter[str] = Counter()
        """Chips that came from tables that had made their report: they count, and are out of play."""
        self.taken_off: set[tuple[str, int]] = set()
        """The tournament, and the synchronised hand during which an operator has taken somebody off a table."""

    def hear(self, origin: Origin, event: TournamentEvent, state: Tournament, chips_out: Chips) -> None:
        """Check what an event says of payments; `chips_out` are the tournament's chips that are in play."""
        here = origin.aggregate
        match event:
            case said.CancellationPlanned(part=part):
                self._planned(here, part, state, chips_out)
            case said.CancellationApproved(plan_hash=plan_hash, by=by):
                assert plan_hash == self.parts[here][-1].plan_hash, "I11: what is approved is the plan on record"
                self.approved_by[here].append(by)
            case said.ObligationPaid():
                about = (event.entry, event.player, event.reason)
                self._pay(here, event.transfer_id, (*about, CASH, event.sources.amount))
            case said.TicketIssued():
                about = (event.entry, event.player, event.reason)
                self._pay(here, event.transfer_id, (*about, event.unit, event.amount))
            case EntryReceived(table=table, amount=amount) if state.tables[table - 1].frozen:
                self.home_late[here] += amount
            case EntryReceived(cause="removed") if state.sync is not None:
                self.taken_off.add((here, state.sync.number))
            case said.TournamentCancelled():
                self._verify_end(here, state)
            case _:
                pass

    def _planned(self, here: str, part: PlanPart, state: Tournament, chips_out: Chips) -> None:
        parts = self.parts.setdefault(here, [])
        parts.append(part)
        self._verify_chips_count(here, state, chips_out)
        if part.number == part.count:
            self.plans[here], self.approved_by[here], self.paid[here] = joined(parts), [], []
            assert _summed(self.plans[here]) == part.summary.totals, "I11: the lines are the totals"
            assert part.summary.totals.pool == part.summary.remaining, "I11: the lines are the pool"

    def _verify_chips_count(self, here: str, state: Tournament, chips_out: Chips) -> None:
        """Check that all chips count that there are, wherever they are.

        In a synchronised hand that never was they count where they were before it. Those of one who was taken off his
        table meanwhile do not, and he had not as many then.
        """
        survivors = case_of(state).survivors
        entries = [state.entries[entry.entry - 1] for entry in survivors]
        present, with_director = sum(e.chips + e.due for e in entries), sum(e.due for e in entries)
        assert present == chips_out + with_director + self.home_late[here], f"I11: {present} of {chips_out} chips count"
        if state.sync is None or (here, state.sync.number) not in self.taken_off:
            assert sum(entry.chips for entry in survivors) == present, "I11: a hand that never was makes no chips"

    def _pay(self, here: str, transfer_id: str, line: Paid) -> None:
        entry, _, reason, *_ = line
        assert transfer_id == obligation_id(name_of(here), entry, reason), "I11: an id is made of entry and reason"
        assert (here, entry, reason) not in self.obligations, f"I11: {reason} of entry {entry} is paid again"
        self.obligations.add((here, entry, reason))
        if here in self.plans:
            assert len(set(self.approved_by[here])) == len(self.approved_by[here]) == 2, (
                "I11: two people have approved the plan"
            )
            self.paid[here].append(line)

    def _verify_end(self, here: str, state: Tournament) -> None:
        lines = self.plans[here].lines
        planned = [(line.entry, line.player, line.reason, line.form, line.amount) for line in lines]
        assert self.paid[here] == planned, "I11: what was paid is the plan"
        assert state.purses == Purses(), "I11: nothing is left"


def _summed(plan: CancellationPlan) -> Sources:
    """Return what all lines of a plan take from each purse."""
    sources = [line.sources for line in plan.lines]
    return Sources(
        pool=sum(each.pool for each in sources),
        house=sum(each.house for each in sources),
        fees=sum(each.fees for each in sources),
        bounty_pool=sum(each.bounty_pool for each in sources),
    )
