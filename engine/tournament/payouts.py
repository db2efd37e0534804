"""How many places are paid, and which part of the pool each is worth, by the number of entries (`operations.md` O-36).

A tournament may bring a table of its own; `problems` says what is wrong with it. The usual one, `usual_payouts`:

* up to 3 entries the winner takes all, up to 6 it is 65/35, up to 20 it is 50/30/20;
* from 21 entries on it pays between 10 and 20 % of them, and from 60 on between 10 and 15 %;
* from 80 entries on places are grouped in bands of equal prizes, after the nine of the final table;
* the last prize from 21 entries on is at least 1.4 times what an entry pays into the pool;
* fields above 5,000 are paid like one of 5,000: the same places, each worth more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from engine.poker.money import BPS


class PayoutRow(Struct, frozen=True, gc=False):
    """The paid places of a tournament from a number of entries on."""

    entries_from: int
    bps: tuple[int, ...]
    """The part of each place in the pool, the first place first, in hundredths of a percent."""


PayoutTable: TypeAlias = tuple[PayoutRow, ...]
"""Rows by ascending number of entries; the last row that the entries have reached counts."""

_BY_PLACE: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (10_000,)),
    (4, (6_500, 3_500)),
    (7, (5_000, 3_000, 2_000)),
    (21, (4_500, 2_700, 1_700, 1_100)),
    (28, (4_000, 2_500, 1_500, 1_100, 900)),
    (40, (3_600, 2_300, 1_500, 1_100, 850, 650)),
    (50, (3_400, 2_100, 1_450, 1_050, 800, 650, 550)),
    (60, (3_000, 2_000, 1_400, 1_000, 750, 600, 500, 400, 350)),
)
"""Entries from, and the part of each place."""

_BANDS = (*(1,) * 9, 3, 3, 3, 9, 9, 9, 18, 18, 27, 36, 36, 63, 72, 90, 135)
"""How many places share a prize in large fields: 1st, 2nd, … 9th, 10th to 12th, 13th to 15th, and so on."""

# fmt: off
_BY_BAND: tuple[tuple[int, tuple[int, ...]], ...] = (
    (80, (2_705, 2_000, 1_400, 1_000, 750, 560, 430, 340, 275, 180)),
    (100, (2_565, 1_775, 1_250, 925, 700, 560, 450, 370, 310, 220, 145)),
    (130, (2_460, 1_650, 1_175, 875, 675, 550, 450, 370, 310, 230, 155, 110)),
    (180, (2_306, 1_425, 1_000, 775, 600, 500, 410, 350, 300, 235, 170, 130, 81)),
    (260, (2_145, 1_300, 900, 700, 560, 460, 390, 340, 295, 230, 170, 135, 89, 56)),
    (340, (2_035, 1_200, 850, 650, 520, 430, 370, 320, 280, 225, 170, 135, 92, 60, 43)),
    (450, (1_933, 1_100, 750, 580, 460, 390, 330, 290, 255, 210, 160, 130, 92, 63, 47, 33)),
    (600, (1_846, 1_000, 700, 530, 430, 360, 310, 270, 240, 195, 155, 125, 90, 63, 48, 35, 25)),
    (800, (1_738, 925, 650, 490, 400, 330, 285, 250, 225, 185, 145, 120, 86, 61, 47, 35, 26, 19)),
    (1_070, (1_700, 875, 600, 460, 370, 310, 265, 235, 205, 170, 135, 110, 81, 58, 45, 34, 25, 19, 14)),
    (1_400, (1_625, 850, 570, 430, 350, 290, 250, 220, 195, 160, 125, 105, 77, 56, 44, 33, 25, 19, 14, 11)),
    (1_800, (1_604, 790, 530, 400, 310, 260, 225, 195, 175, 145, 115, 95, 71, 52, 41, 31, 24, 19, 14, 11, 9)),
    (2_400, (1_527, 750, 490, 370, 295, 245, 210, 185, 165, 135, 105, 88, 66, 48, 38, 30, 23, 18, 14, 11, 9, 7)),
    (3_100, (1_527, 725, 480, 360, 285, 240, 205, 180, 160, 130, 105, 85, 64, 46, 37, 28, 21, 17, 13, 10, 8, 6, 5)),
    (4_050, (1_451, 700, 450, 330, 265, 220, 190, 165, 145, 120, 95, 79, 59, 43, 34, 26, 20, 16, 12, 10, 8, 6, 5, 4)),
)
# fmt: on
"""Entries from, and the part of one place in each band."""


def payout(table: PayoutTable, entries: int) -> tuple[int, ...]:
    """Return the part of each paid place, in hundredths of a percent.

    Args:
        table: A good one (`problems`).
        entries: How many there are, re-entries included; at least as many as the first row begins with.
    """
    return [row for row in table if row.entries_from <= entries][-1].bps


@cache
def usual_payouts() -> PayoutTable:
    """Return the table of a tournament that brings none."""
    by_band = [(entries, _places(parts)) for entries, parts in _BY_BAND]
    return tuple([PayoutRow(entries, parts) for entries, parts in (*_BY_PLACE, *by_band)])


def problems(table: PayoutTable) -> Iterator[str]:
    """Yield what is wrong with a table that a tournament brings along; nothing for a good one."""
    if not table or table[0].entries_from > 2:
        yield "the first row must begin with 2 entries or fewer"
    if any(lower.entries_from >= higher.entries_from for lower, higher in pairwise(table)):
        yield "the rows must ascend by number of entries"
    for row in table:
        if not 1 <= len(row.bps) <= row.entries_from:
            yield f"{row.entries_from} entries: between one place and one for each entry must be paid"
        if min(row.bps, default=1) < 1 or sum(row.bps) != BPS:
            yield f"{row.entries_from} entries: the parts must be positive and sum to {BPS}"
        if any(better < worse for better, worse in pairwise(row.bps)):
            yield f"{row.entries_from} entries: a place must not be worth less than the next"


def _places(parts: tuple[int, ...]) -> tuple[int, ...]:
    """Write out the parts of bands place by place."""
    return tuple([part for part, count in zip(parts, _BANDS, strict=False) for _ in range(count)])
