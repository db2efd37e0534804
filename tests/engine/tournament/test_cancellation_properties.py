"""What is true of every cancellation, tried on random ones in all combinations of modes.

CANCELLATIONS=120000 tries so many; without it a few thousand are tried.
"""

from __future__ import annotations

import os
from itertools import groupby
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from engine.rulebooks.rulebook import BuyinSource, CancellationRules, NextPrize
from engine.tournament.cancellation import alternatives, plan
from engine.tournament.cancellation_case import CancellationCase
from engine.tournament.refund_plan import CancellationPlan
from tests.engine.tournament.random_events import random_event, random_rules, situations

TRIED = int(os.environ.get("CANCELLATIONS", "2304"))
SITUATIONS = tuple(situations())
SOURCES: tuple[BuyinSource, ...] = get_args(BuyinSource)
NEXT_PRIZES: tuple[NextPrize, ...] = get_args(NextPrize)
ROUNDS = -(-TRIED // (len(SOURCES) * len(NEXT_PRIZES) * len(SITUATIONS)))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("next_prize", NEXT_PRIZES)
def test_random_cancellations(source: BuyinSource, next_prize: NextPrize) -> None:
    """Rulebooks.md section 4, AMB-07 to AMB-14, AMB-59: chips are conserved, and more chips never get less."""
    for seed in range(ROUNDS):
        for number, situation in enumerate(SITUATIONS):
            chance = Random(f"{source} {next_prize} {number} {seed}")
            case, rules = random_event(chance, situation), random_rules(chance, source, next_prize, situation)
            planned = plan(case, rules)
            verify_conservation(case, rules, planned)
            verify_who_is_paid(case, rules, planned)
            verify_more_chips_never_get_less(case, planned)
            verify_growing_stack_never_gets_less(case, rules, planned, chance)
            assert all(other.summary.remaining == planned.summary.remaining for other in alternatives(case, rules))


def verify_conservation(case: CancellationCase, rules: CancellationRules, planned: CancellationPlan) -> None:
    """Assert that the pool gives R to the last unit and the overlay's rest to the house, and what the house adds."""
    summary, contributed = planned.summary, sum(entry.contributions_pool for entry in case.entries)
    in_pool = contributed + case.overlay - case.paid
    from_pool = sum(line.sources.pool for line in planned.lines)
    if summary.procedure == "first_prize":
        assert from_pool == min(case.prizes[0], in_pool)
        return
    distributed = rules.distribute_overlay and summary.procedure != "rollback"
    assert from_pool == summary.remaining == max(0, contributed - case.paid + case.overlay * distributed)
    assert from_pool + summary.unused_overlay == in_pool
    assert 0 <= summary.unused_overlay <= case.overlay
    pays = summary.procedure == "multi_table" and rules.mtt_buyin_source == "house"
    assert summary.totals.house == pays * sum(entry.contributions_pool for entry in case.survivors)


def verify_who_is_paid(case: CancellationCase, rules: CancellationRules, planned: CancellationPlan) -> None:
    """Assert that survivors alone are paid, once for each reason, in whole units, with fee and bounty."""
    survivors = {entry.entry: entry for entry in case.survivors}
    assert len({(line.entry, line.reason) for line in planned.lines}) == len(planned.lines)
    for line in planned.lines:
        assert line.player == survivors[line.entry].player
        assert line.amount > 0
        assert min(line.sources.pool, line.sources.house, line.sources.fees, line.sources.bounty_pool) >= 0
    procedure, totals = planned.summary.procedure, planned.summary.totals
    fee_only = procedure == "multi_table" and rules.mtt_buyin_source == "fee_only"
    back = procedure == "rollback" or (procedure != "first_prize" and (rules.refund_fee_to_survivors or fee_only))
    assert totals.fees == back * sum(entry.fee for entry in survivors.values())
    assert totals.bounty_pool == sum(entry.bounty_paid for entry in survivors.values())


def verify_more_chips_never_get_less(case: CancellationCase, planned: CancellationPlan) -> None:
    """Assert that among survivors with equal buy-ins payouts do not fall as chips rise."""
    ranked = sorted(
        case.survivors, key=lambda entry: (entry.contributions_pool, entry.chips, payout_of(planned, entry.entry))
    )
    for _, equals in groupby(ranked, key=lambda entry: entry.contributions_pool):
        payouts = [payout_of(planned, entry.entry) for entry in equals]
        assert payouts == sorted(payouts)


def verify_growing_stack_never_gets_less(
    case: CancellationCase, rules: CancellationRules, planned: CancellationPlan, chance: Random
) -> None:
    """Assert that a survivor with more chips, all others as they were, gets no less than he did."""
    lucky = chance.choice(case.survivors)
    richer = replace(lucky, chips=lucky.chips + chance.choice((1, 2, 50, 10_000)))
    entries = tuple([richer if entry is lucky else entry for entry in case.entries])
    again = plan(replace(case, entries=entries), rules)
    assert payout_of(again, lucky.entry) >= payout_of(planned, lucky.entry)


def payout_of(planned: CancellationPlan, entry: int) -> int:
    """Return all that an entry gets."""
    return sum(line.amount for line in planned.lines if line.entry == entry)
