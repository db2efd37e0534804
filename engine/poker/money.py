"""Amounts of money: whole numbers of minor units (cents), or of tournament chips. Never a fraction.

Here is also the rake, in one function for table and ledger alike (`operations.md` O-20). It is taken pot by pot, the
main pot first, until the cap is reached: all of it from the main pot would let a short stack pay for the side pots of
others (AMB-57). Uncalled bets are no part of a pot, so they are never raked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Chips: TypeAlias = int
"""An amount in minor units (cash) or whole chips (tournaments). An alias, because a wrapper costs 60 ns a sum."""

CHIPS_MAX = 2**63 - 1
"""The largest amount that fits the int64 of the wire format."""

BPS = 10_000
"""Hundredths of a percent in the whole."""


def rake_of_pots(  # noqa: PLR0913 - these are the terms of a house's rake, one argument for each field.
    amounts: tuple[Chips, ...],
    *,
    bps: int,
    cap: Chips | None,
    unit: Chips,
    min_pot: Chips,
    flop_dealt: bool,
    no_flop_no_drop: bool,
) -> tuple[Chips, ...]:
    """Return the rake of every pot, in chips (R-MOD-12, AMB-57).

    Args:
        amounts: Chips in each pot, the main pot first.
        bps: The rate in hundredths of a percent.
        cap: Most chips the house takes from the hand (`cap_for`); None for no limit.
        unit: The rake of each pot is rounded down to a multiple of this, in chips.
        min_pot: No rake when all pots together hold fewer chips.
        flop_dealt: Whether the hand saw a flop.
        no_flop_no_drop: Whether a hand without a flop is free of rake.
    """
    total = sum(amounts)
    if not bps or total < min_pot or (no_flop_no_drop and not flop_dealt):
        return (0,) * len(amounts)
    rakes: list[Chips] = []
    left = total if cap is None else cap
    for amount in amounts:
        rake = min(amount * bps // BPS, left) // unit * unit
        rakes.append(rake)
        left -= rake
    return tuple(rakes)


def cap_for(caps: Sequence[tuple[int, Chips]], players_dealt: int) -> Chips | None:
    """Return the cap in chips: that of the last (players dealt, cap) entry not above `players_dealt`.

    An empty sequence means no cap. Entries ascend and begin with 2 players, the fewest that make a hand.
    """
    found = None
    for dealt, cap in caps:
        if dealt <= players_dealt:
            found = cap
    return found
