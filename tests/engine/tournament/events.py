"""Tournaments to be called off, written as short as the golden tests write them, and plans read as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.rulebooks.loading import load
from engine.rulebooks.rulebook import CancellationRules
from engine.tournament.cancellation_case import CancellationCase, EntryAccount
from engine.tournament.prizes import CASH, Form
from engine.tournament.refund_plan import CancellationPlan


def house(name: str, **modes: object) -> CancellationRules:
    """Return a house's rules, with other values in some fields."""
    return replace(load(name).cancellation, **modes)


def entrant(  # noqa: PLR0913 - these are the facts of an entry.
    entry: int,
    chips: int | None,
    contributions: int = 1000,
    *,
    fee: int = 0,
    bounty: int = 0,
    paid_as: tuple[tuple[Form, int], ...] | None = None,
) -> EntryAccount:
    """Return an entry that is out if it has no chips (None), and that paid in cash unless told."""
    total = contributions + fee + bounty
    paid = paid_as if paid_as is not None else ((CASH, total),) * (total > 0)
    return EntryAccount(
        entry, f"P{entry}", contributions, fee, bounty, paid, "out" if chips is None else "in", chips or 0
    )


def event(  # noqa: PLR0913 - these are the facts of a tournament.
    entries: int,
    buy_in: int,
    stacks: Sequence[int],
    *,
    fee: int = 0,
    bounty: int = 0,
    single_table: bool = False,
    prizes: tuple[int, ...] = (),
    paid: int = 0,
    overlay: int = 0,
) -> CancellationCase:
    """Return a tournament of equal entries, of which the first have `stacks` and the others are out."""
    chips = [*stacks, *[None] * (entries - len(stacks))]
    return CancellationCase(
        tournament_id="SNG9",
        unit="USD",
        single_table=single_table,
        entries=tuple([entrant(n, c, buy_in, fee=fee, bounty=bounty) for n, c in enumerate(chips, start=1)]),
        overlay=overlay,
        paid=paid,
        prizes=prizes,
    )


def column(plan: CancellationPlan, *reasons: str) -> list[int]:
    """Return what each survivor gets for some reasons, in the order of entries; those who get nothing are left out."""
    by_entry: dict[int, int] = {}
    for line in plan.lines:
        if line.reason_word in reasons:
            by_entry[line.entry] = by_entry.get(line.entry, 0) + line.amount
    return list(by_entry.values())


def totals(plan: CancellationPlan) -> list[int]:
    """Return what each survivor gets without the fee, as most golden tests count."""
    return column(plan, "buy_in", "next_prize", "equal_share", "chip_share")


def totals_with_fee(plan: CancellationPlan) -> list[int]:
    """Return all that each survivor gets but a bounty."""
    return column(plan, "buy_in", "next_prize", "equal_share", "chip_share", "fee")


TEN_OF_TWENTY_DOLLARS = event(
    10, 2000, [4100, 2950, 2480, 2010, 1490, 1170, 800], fee=200, single_table=True, prizes=(10_000, 6000, 4000)
)
"""G-AKP-C1."""

PRIZES = (12_000, 7500, 4500, 3300, 2700)
"""Of the event of G-AKP-C4."""

TWELVE_LEFT = event(
    30, 1000, [7200, 6100, 5400, 4800, 4300, 3900, 3500, 3100, 2600, 1900, 1300, 900], fee=100, prizes=PRIZES
)
"""G-AKP-C4."""

FOUR_LEFT = event(30, 1000, [20_000, 12_500, 8000, 4500], fee=100, prizes=PRIZES, paid=2700)
"""G-AKP-C5."""

SATELLITE = event(20, 1100, [18_000, 12_000], prizes=(11_000, 11_000))
"""G-AKP-C6."""

SEVEN_OF_333 = event(7, 333, [5001, 3333, 2166])
"""G-AKP-C7."""
