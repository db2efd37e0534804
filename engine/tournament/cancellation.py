"""Who gets what when a tournament is called off: one procedure for all houses (rulebooks.md section 4).

A house differs from another in its `CancellationRules` only. With K entries still in:

1. Nobody is out: everybody gets back all he paid, as he paid it (`no_elimination`, `rollback_refund_as`).
2. K = 1: nothing is cancelled; the first prize is paid.
3. R is what the pool has to give: all contributions less the prizes already paid, and the overlay only if it is to be
   distributed; else what is left of the overlay goes back to the house. A single table may have a split of its own:
   the buy-ins out of R, and the rest by `stt_split`.
4. Otherwise buy-ins come back, out of R or from the house on top of it, or only the fee does.
5. Everybody gets the prize of the place that is eliminated next, or all share that one prize.
6. A part of the rest is shared equally, and what is then left by chips.
7. The fee comes back.

A buy-in or a prize out of the pool is never more than R divided by K, so the pool is never exceeded, and in every mode
the lines take exactly R from it. Whoever is out gets nothing. The bounty on a survivor's own head is his in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, get_args

from msgspec.structs import replace

from engine.poker.money import BPS, Chips
from engine.rulebooks.rulebook import CancellationRules, RollbackRefundAs, SingleTableSplit
from engine.tournament.cancellation_case import CancellationCase, EntryAccount
from engine.tournament.prizes import CASH
from engine.tournament.refund_plan import CancellationPlan, Payer, PlanLine, PlanSummary, Procedure, Reason, Sources
from engine.tournament.shares import Claim, by_weight, equally

_Column: TypeAlias = tuple[Reason, Payer, Sequence[Chips]]
"""What each survivor gets for one reason, in minor units, in their order."""

_SPLIT_EQUALLY_BPS: Mapping[SingleTableSplit, int] = {"pro_rata_chips": 0, "equal": BPS, "half_half": BPS // 2}

_BOUNTY = "operations.md section 3, knockout bounties"
_CLAUSES: Mapping[Procedure, Mapping[Reason, str]] = {
    "rollback": {"rollback": "rulebooks.md section 4 step 1; AMB-11, AMB-14"},
    "first_prize": {"prize": "rulebooks.md section 4 step 2; AMB-14", "bounty": _BOUNTY},
    "own_split": {
        "buy_in": "rulebooks.md section 4 step 3; AMB-11, AMB-59",
        "equal_share": "rulebooks.md section 4 step 3; AMB-07, AMB-10",
        "chip_share": "rulebooks.md section 4 step 3; AMB-07, AMB-10, AMB-12",
        "fee": "rulebooks.md section 4 step 7; AMB-11",
        "bounty": _BOUNTY,
    },
    "multi_table": {
        "buy_in": "rulebooks.md section 4 step 4; AMB-09, AMB-11",
        "next_prize": "rulebooks.md section 4 step 5; AMB-08",
        "equal_share": "rulebooks.md section 4 step 6; AMB-10",
        "chip_share": "rulebooks.md section 4 step 6; AMB-10, AMB-12",
        "fee": "rulebooks.md section 4 steps 4 and 7; AMB-09, AMB-11",
        "bounty": _BOUNTY,
    },
}


def plan(case: CancellationCase, rules: CancellationRules) -> CancellationPlan:
    """Return who gets what: a pure function, so whoever plans the same case again has the same plan and hash."""
    _verify(case)
    procedure = _procedure(case, rules)
    remaining = _remaining(case, rules, procedure)
    lines = tuple(_lines(case, rules, procedure, remaining))
    reasons = {line.reason_word for line in lines}
    summary = PlanSummary(
        tournament_id=case.tournament_id,
        unit=case.unit,
        procedure=procedure,
        rules=rules,
        survivors=len(case.survivors),
        in_the_money=case.next_prize > 0,
        remaining=remaining,
        totals=_totals([line.sources for line in lines]),
        unused_overlay=0 if procedure == "first_prize" else case.held - remaining,
        clauses=tuple([(reason, clause) for reason, clause in _CLAUSES[procedure].items() if reason in reasons]),
    )
    assert summary.totals.pool == remaining, "the pool gives exactly what it has to give"
    return CancellationPlan(summary, lines)


def alternatives(case: CancellationCase, rules: CancellationRules) -> tuple[CancellationPlan, ...]:
    """Return the plans with each of the three splits of a single table, for information (AMB-07).

    Empty where no such split is made: in a multi-table tournament, with nobody out, with one left.
    """
    if _procedure(case, rules) != "own_split":
        return ()
    splits: tuple[SingleTableSplit, ...] = get_args(SingleTableSplit)
    return tuple([plan(case, replace(rules, stt_split=split)) for split in splits])


def _verify(case: CancellationCase) -> None:
    """Assert what the books of every tournament show."""
    assert len({entry.entry for entry in case.entries}) == len(case.entries), "an entry is in the books twice"
    assert case.survivors or not case.entries, "the last entry cannot be out"
    assert case.held >= 0, "the pool has paid more than it held"
    assert not case.paid or len(case.survivors) < len(case.entries), "a prize was paid and nobody is out"


def _procedure(case: CancellationCase, rules: CancellationRules) -> Procedure:
    """Choose the way (steps 1 to 3). A tournament that nobody has entered has nothing to give but its overlay."""
    count = len(case.survivors)
    if count == len(case.entries) and (rules.no_elimination == "rollback" or not count):
        return "rollback"
    if count == 1:
        return "first_prize"
    return "own_split" if case.single_table and rules.single_table == "own_split" else "multi_table"


def _remaining(case: CancellationCase, rules: CancellationRules, procedure: Procedure) -> Chips:
    """Return R, what the pool has to give, in minor units."""
    if procedure == "rollback":
        return case.pool
    if procedure == "first_prize":
        return min(case.held, case.prizes[0]) if case.prizes else case.held
    return case.held if rules.distribute_overlay else max(0, case.pool - case.paid)


def _lines(
    case: CancellationCase, rules: CancellationRules, procedure: Procedure, remaining: Chips
) -> Iterator[PlanLine]:
    """Yield the obligations by ascending entry id; there is no line about nothing."""
    if procedure == "rollback":
        for entry in case.survivors:
            yield from rolled_back(entry, rules.rollback_refund_as)
        return
    columns = list(_columns(case, rules, procedure, remaining))
    for index, entry in enumerate(case.survivors):
        for reason, payer, amounts in columns:
            if amounts[index]:
                yield PlanLine(entry.entry, entry.player, reason, CASH, Sources(**{payer: amounts[index]}))


def rolled_back(entry: EntryAccount, refund_as: RollbackRefundAs) -> Iterator[PlanLine]:
    """Yield what an entry gets back: each ticket by itself where it comes back as paid, and the rest in cash (step 1).

    A ticket may have paid for the buy-in and the fee at once, so it may come back out of two purses.
    """
    left = Sources(pool=entry.contributions_pool, fees=entry.fee, bounty_pool=entry.bounty_paid)
    assert sum([value for _, value in entry.paid_as]) == left.amount, "paid_as does not explain what was paid"
    tickets = [(form, value) for form, value in entry.paid_as if form != CASH and refund_as == "as_paid"]
    for number, (form, value) in enumerate(tickets, start=1):
        taken, left = left.split(value)
        yield PlanLine(entry.entry, entry.player, f"rollback/{number}", form, taken)
    if left.amount:
        yield PlanLine(entry.entry, entry.player, "rollback", CASH, left)


def _columns(
    case: CancellationCase, rules: CancellationRules, procedure: Procedure, remaining: Chips
) -> Iterator[_Column]:
    """Yield what the survivors get, reason by reason, in the order of the procedure."""
    survivors = case.survivors
    if procedure == "first_prize":
        yield "prize", "pool", [remaining]
    elif procedure == "own_split":
        yield from _own_split(survivors, rules, remaining)
    else:
        yield from _multi_table(survivors, rules, remaining, case.next_prize)
    yield "bounty", "bounty_pool", [entry.bounty_paid for entry in survivors]


def _own_split(survivors: Sequence[EntryAccount], rules: CancellationRules, left: Chips) -> Iterator[_Column]:
    """Divide R among the survivors of a single table (steps 3 and 7)."""
    buy_ins = _buy_ins(survivors, left)
    yield "buy_in", "pool", buy_ins
    yield from _rest(survivors, left - sum(buy_ins), _SPLIT_EQUALLY_BPS[rules.stt_split])
    if rules.refund_fee_to_survivors:
        yield _fees(survivors)


def _multi_table(
    survivors: Sequence[EntryAccount], rules: CancellationRules, left: Chips, prize: Chips
) -> Iterator[_Column]:
    """Divide R, `left` minor units, among the survivors (steps 4 to 7); `prize` is the next eliminated place's."""
    if rules.mtt_buyin_source == "pool_first":
        buy_ins = _buy_ins(survivors, left)
        yield "buy_in", "pool", buy_ins
        left -= sum(buy_ins)
    elif rules.mtt_buyin_source == "house":
        yield "buy_in", "house", [entry.contributions_pool for entry in survivors]
    if rules.mtt_next_prize == "each":
        prizes = (min(prize, left // len(survivors)),) * len(survivors)
    else:
        prizes = equally(min(prize, left), _stacks(survivors))
    yield "next_prize", "pool", prizes
    equal_bps = rules.equal_share_in_money_bps if prize else rules.equal_share_before_money_bps
    yield from _rest(survivors, left - sum(prizes), equal_bps)
    if rules.refund_fee_to_survivors or rules.mtt_buyin_source == "fee_only":
        yield _fees(survivors)


def _buy_ins(survivors: Sequence[EntryAccount], left: Chips) -> list[Chips]:
    """Return the buy-ins that come back out of `left` minor units."""
    return [min(entry.contributions_pool, left // len(survivors)) for entry in survivors]


def _rest(survivors: Sequence[EntryAccount], rest: Chips, equal_bps: int) -> Iterator[_Column]:
    """Share the `rest`, in minor units: `equal_bps` hundredths of a percent of it equally, the other part by chips."""
    stacks = _stacks(survivors)
    equal = rest * equal_bps // BPS
    yield "equal_share", "pool", equally(equal, stacks)
    yield "chip_share", "pool", by_weight(rest - equal, stacks)


def _fees(survivors: Sequence[EntryAccount]) -> _Column:
    return "fee", "fees", [entry.fee for entry in survivors]


def _stacks(survivors: Sequence[EntryAccount]) -> list[Claim]:
    return [(entry.entry, entry.chips) for entry in survivors]


def _totals(sources: Sequence[Sources]) -> Sources:
    """Add up what is taken from each purse."""
    return Sources(
        pool=sum([each.pool for each in sources]),
        house=sum([each.house for each in sources]),
        fees=sum([each.fees for each in sources]),
        bounty_pool=sum([each.bounty_pool for each in sources]),
    )
