"""Who has which place and what it is worth: prizes, ties, satellites and bounties (`operations.md` O-35, O-36).

Prizes are made from percentages, in hundredths of a percent, of all that is in the pool (overlay included), and
`shares.py` makes the units come out: the prizes always sum to the pool and never grow from a place to the next. All
busts of one hand, or of one synchronised hand over all tables, are ranked together by the chips at the start of that
hand; who started with equal chips is tied, and the prizes of the tied places are averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct

from engine.poker.money import Chips
from engine.tournament.shares import Claim, EntryId, by_weight, equally

Form: TypeAlias = str
"""What something is paid in: "cash", or "ticket/…" with the ticket's name."""

CASH: Form = "cash"


class Prize(Struct, frozen=True, gc=False):
    """What a place is worth."""

    form: Form
    amount: Chips
    """Minor units; of a ticket its value."""


class Finish(Struct, frozen=True, gc=False):
    """The place of an entry that is out."""

    entry: EntryId
    place: int
    """Counted from 1. Tied entries have the best of their places."""
    prize: Chips
    """Minor units; 0 for a place that is not paid."""


def prizes_from(pool: Chips, bps: Sequence[int]) -> tuple[Chips, ...]:
    """Return the prizes by place, the first place first: all of `pool`, in minor units (O-36).

    Args:
        pool: What there is to win, overlay included, in minor units.
        bps: The part of each place, in hundredths of a percent, never rising, 10,000 in all (`payouts.py`).
    """
    return by_weight(pool, list(enumerate(bps, start=1)))


def average_prizes(prizes: Sequence[Chips], entries: Sequence[EntryId]) -> tuple[Chips, ...]:
    """Return what each of the tied `entries` gets of the prizes of their places, in minor units (O-35).

    The units that do not divide go to the lower entry ids.
    """
    return equally(sum(prizes), [(entry, 0) for entry in entries])


def rank_busts(busts: Sequence[Claim]) -> tuple[tuple[EntryId, ...], ...]:
    """Return the entries that busted in one hand, in groups of the tied, the best place first (O-35).

    Args:
        busts: Each entry and its chips at the start of the hand: of the synchronised hand in hand-for-hand play.
    """
    ranked = sorted(busts, key=lambda bust: (-bust[1], bust[0]))
    groups = groupby(ranked, key=lambda bust: bust[1])
    return tuple([tuple([entry for entry, _ in group]) for _, group in groups])


def finishes(busts: Sequence[Claim], left: int, prizes: Sequence[Chips]) -> tuple[Finish, ...]:
    """Return the places and prizes of all who busted in one hand, the best place first (O-35).

    Args:
        busts: As for `rank_busts`.
        left: Entries that are still in after the hand.
        prizes: By place, the first place first, in minor units; the places after the last are not paid.
    """
    found: list[Finish] = []
    for tied in rank_busts(busts):
        taken = left + len(found)
        amounts = average_prizes(prizes[taken : taken + len(tied)], tied)
        found += [Finish(entry, taken + 1, amount) for entry, amount in zip(tied, amounts, strict=True)]
    return tuple(found)


def satellite_prizes(pool: Chips, tickets: int, ticket: Prize) -> tuple[Prize, ...]:
    """Return the prizes of a satellite by place: equal tickets, and the rest of the pool as cash to the next place.

    Args:
        pool: What there is to win, overlay included, in minor units; at least the value of all tickets.
        tickets: How many are won.
        ticket: One of them.
    """
    rest = pool - tickets * ticket.amount
    assert rest >= 0, "a satellite gives away more tickets than its pool holds; overlay must be paid in before"
    return (ticket,) * tickets + ((Prize(CASH, rest),) if rest else ())


def share_bounty(bounty: Chips, winners: Sequence[Claim]) -> tuple[Chips, ...]:
    """Return what each winner of the pot that knocked a player out gets of the bounty on his head, in minor units.

    A bounty is won by knocking somebody out and in no other way, so who is never knocked out, the winner of the
    tournament or a survivor of a cancelled one, keeps the bounty on his own head.

    Args:
        bounty: The bounty on the head of the player who is out, in minor units.
        winners: Each entry that had a share of that pot, and its chips after the hand, which decide about odd units.
    """
    return equally(bounty, winners)
