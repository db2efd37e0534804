"""Blinds, antes and the posts of those who come in late: how many chips a seat owes, and what a short stack pays of it.

A *live* post counts as the seat's bet, a *dead* one belongs to the pot alone. A short stack always plays on: it puts in
what it has and is all-in (R-AKP-8, FAULT-127); the price of a call stays that of the full blind, which is decided
elsewhere.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.poker.money import Chips

EntryPost: TypeAlias = Literal["post_or_wait", "wait_only", "none"]
MissedSmallOnly: TypeAlias = Literal["live_bb", "dead_sb"]
MissedBigOrBoth: TypeAlias = Literal["live_bb_dead_sb", "live_bb"]
AnteOrder: TypeAlias = Literal["blind_first", "ante_first"]


def posts_owed(  # noqa: PLR0913 - one argument for each fact and for each field of the house.
    *,
    newcomer: bool,
    missed_small: bool,
    missed_big: bool,
    entry_post: EntryPost,
    missed_sb_only: MissedSmallOnly,
    missed_bb_or_both: MissedBigOrBoth,
    small_blind: Chips,
    big_blind: Chips,
) -> tuple[Chips, Chips]:
    """Return what a seat posts to be dealt in at once, as (live, dead) chips (R-PAC-5, R-PAC-12, R-PAC-13, R-AKP-16).

    A newcomer owes at most a live big blind, whatever passed him while he waited (AMB-17). Where newcomers must wait
    for the big blind, there is nothing to post.
    """
    if newcomer:
        return (big_blind if entry_post == "post_or_wait" else 0), 0
    if missed_big:
        return big_blind, (small_blind if missed_bb_or_both == "live_bb_dead_sb" else 0)
    if missed_small:
        return (big_blind, 0) if missed_sb_only == "live_bb" else (0, small_blind)
    return 0, 0


def pay_posts(stack: Chips, live: Chips, dead: Chips) -> tuple[Chips, Chips]:
    """Return the (live, dead) chips that `stack` can pay; the live post comes first (rulebooks.md section 4)."""
    paid = min(stack, live)
    return paid, min(stack - paid, dead)


def pay_blind_and_ante(stack: Chips, blind: Chips, ante: Chips, order: AnteOrder) -> tuple[Chips, Chips]:
    """Return the (blind, ante) chips that `stack` can pay, in the house's order (`operations.md` O-14)."""
    if order == "blind_first":
        paid = min(stack, blind)
        return paid, min(stack - paid, ante)
    paid = min(stack, ante)
    return min(stack - paid, blind), paid
