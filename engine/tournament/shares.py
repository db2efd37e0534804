"""How an amount is divided without losing a unit: the one rounding function of the house (`operations.md` section 4).

No share is ever rounded on its own. Every share is floored first, and the units that are then left over go one each to
some of the claimants, in an order that leaves nothing to chance (rulebooks.md section 4, AMB-10):

* by weight: to the largest remainders, ties to the larger weight, then to the lower entry id;
* equally: to the larger weights (stacks), ties to the lower entry id.

So the shares always sum to the amount, and a larger weight never has the smaller share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.poker.money import Chips

EntryId: TypeAlias = int
"""The number of an entry in its tournament. A player who enters again has a new one."""

Claim: TypeAlias = tuple[EntryId, int]
"""Who claims, and with what weight: an entry and its stack, or a place and its percentage. No weight is negative."""


def by_weight(total: Chips, claims: Sequence[Claim]) -> tuple[Chips, ...]:
    """Return each claim's share of `total` chips in proportion to its weight, in the order of `claims`.

    Claims without any weight at all share equally. With no claims there must be nothing to share.
    """
    assert min([weight for _, weight in claims], default=0) >= 0, "nobody claims less than nothing"
    whole = sum([weight for _, weight in claims])
    if not whole:
        return equally(total, claims)
    products = [total * weight for _, weight in claims]

    def precedence(index: int) -> tuple[int, int, int]:
        entry, weight = claims[index]
        return -(products[index] % whole), -weight, entry

    return _topped_up(total, [product // whole for product in products], precedence)


def equally(total: Chips, claims: Sequence[Claim]) -> tuple[Chips, ...]:
    """Return each claim's equal share of `total` chips, in the order of `claims`; weights decide about odd units only.

    With no claims there must be nothing to share.
    """

    def precedence(index: int) -> tuple[int, int]:
        entry, weight = claims[index]
        return -weight, entry

    count = len(claims)
    return _topped_up(total, [total // count] * count if count else [], precedence)


def _topped_up(total: Chips, floors: list[Chips], precedence: Callable[[int], tuple[int, ...]]) -> tuple[Chips, ...]:
    """Hand out what the floored shares leave of `total`, one unit each in order of precedence."""
    assert total >= 0, "nobody shares less than nothing"
    left = total - sum(floors)
    assert left <= len(floors), "there is nobody to share it"
    for index in sorted(range(len(floors)), key=precedence)[:left]:
        floors[index] += 1
    return tuple(floors)
