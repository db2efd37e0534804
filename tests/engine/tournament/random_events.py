"""Random tournaments that are called off at a random moment, the same for ever from the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple, get_args

from engine.rulebooks.rulebook import BuyinSource, CancellationRules, NextPrize, NoElimination, SingleTableSplit
from engine.tournament.cancellation_case import CancellationCase
from engine.tournament.prizes import prizes_from
from engine.tournament.shares import by_weight
from tests.engine.tournament.events import entrant, house


class Situation(NamedTuple):
    """Everything about a cancellation that is one of a few."""

    own_split: SingleTableSplit | None
    """None: the procedure of multi-table events, for a single table too."""
    equal_bps: int | None
    """The equal share before the money and in it; None for any."""
    overlay: str
    """"none", "returned" or "distributed"."""
    in_the_money: bool
    no_elimination: NoElimination


def situations() -> Iterator[Situation]:
    """Yield every combination."""
    yield from (
        Situation(*each)
        for each in product(
            (None, *get_args(SingleTableSplit)),
            (0, 5000, 10_000, None),
            ("none", "returned", "distributed"),
            (False, True),
            get_args(NoElimination),
        )
    )


def random_rules(chance: Random, source: BuyinSource, next_prize: NextPrize, situation: Situation) -> CancellationRules:
    """Return rules with these modes, and the others by chance."""
    any_bps = [chance.randrange(10_001) if situation.equal_bps is None else situation.equal_bps for _ in range(2)]
    return house(
        "akpoker",
        no_elimination=situation.no_elimination,
        rollback_refund_as=chance.choice(("as_paid", "cash")),
        single_table="own_split" if situation.own_split else "as_multi_table",
        stt_split=situation.own_split or "half_half",
        mtt_buyin_source=source,
        mtt_next_prize=next_prize,
        equal_share_before_money_bps=any_bps[0],
        equal_share_in_money_bps=any_bps[1],
        refund_fee_to_survivors=chance.random() < 0.5,
        distribute_overlay=situation.overlay == "distributed",
    )


def random_event(chance: Random, situation: Situation) -> CancellationCase:
    """Return a tournament of up to 30 entries; half of them have equal buy-ins, a few are freerolls."""
    entries = chance.randint(3, 30)
    places = chance.randint(1, entries - 1)
    left = chance.randint(1, places) if situation.in_the_money else chance.randint(places + 1, entries)
    buy_ins = _buy_ins(chance, entries)
    overlay = 0 if situation.overlay == "none" else chance.randint(1, 5000)
    parts = sorted((chance.randint(1, 100) for _ in range(places)), reverse=True)
    prizes = prizes_from(sum(buy_ins) + overlay, by_weight(10_000, list(enumerate(parts))))
    fee, bounty = chance.choice((0, 100)), chance.choice((0, 50))
    stacks = _stacks(chance, left) + [None] * (entries - left)
    chance.shuffle(stacks)
    accounts = [
        entrant(number, stack, buy_in, fee=fee, bounty=bounty)
        for number, (stack, buy_in) in enumerate(zip(stacks, buy_ins, strict=True), start=1)
    ]
    return CancellationCase(
        tournament_id="SNG9",
        unit="USD",
        single_table=situation.own_split is not None or chance.random() < 0.5,
        entries=tuple(accounts),
        overlay=overlay,
        paid=sum(prizes[left:]),
        prizes=prizes,
    )


def _buy_ins(chance: Random, entries: int) -> list[int]:
    buy_in = chance.choice((0, 1, 7, 333, 1000, chance.randint(1, 100_000)))
    equal = chance.random() < 0.5
    return [buy_in if equal else buy_in * chance.randint(1, 4) for _ in range(entries)]


def _stacks(chance: Random, left: int) -> list[int | None]:
    """Return stacks that are often equal, some of them huge or tiny."""
    most = chance.choice((1, 3, 100, 20_000))
    return [chance.randint(0, most) for _ in range(left)]
