"""What late players owe, and what a short stack pays of blinds and antes."""

from __future__ import annotations

import pytest

from engine.poker.blinds import (
    AnteOrder,
    EntryPost,
    MissedBigOrBoth,
    MissedSmallOnly,
    pay_blind_and_ante,
    pay_posts,
    posts_owed,
)


def owed(
    *missed: str,
    entry_post: EntryPost = "post_or_wait",
    sb_only: MissedSmallOnly = "dead_sb",
    bb_or_both: MissedBigOrBoth = "live_bb_dead_sb",
) -> tuple[int, int]:
    """Return what is owed at blinds 100/200 as (live, dead) by one who is a newcomer or missed small or big."""
    return posts_owed(
        newcomer="newcomer" in missed,
        missed_small="small" in missed,
        missed_big="big" in missed,
        entry_post=entry_post,
        missed_sb_only=sb_only,
        missed_bb_or_both=bb_or_both,
        small_blind=100,
        big_blind=200,
    )


def test_pacific_small_blind_missed_is_a_live_big_blind() -> None:
    """G-PAC-5, R-PAC-12, AMB-16: 200 live, nothing dead."""
    assert owed("small", sb_only="live_bb") == (200, 0)


@pytest.mark.parametrize("missed", [("big",), ("small", "big")])
def test_big_blind_or_both_missed(missed: tuple[str, ...]) -> None:
    """G-PAC-5, G-MOD-11, R-PAC-13, R-AKP-16: 200 live and 100 dead."""
    assert owed(*missed) == (200, 100)


def test_small_blind_missed_is_dead() -> None:
    """G-MOD-11, FAULT-31: who missed only the small blind posts that one, dead."""
    assert owed("small") == (0, 100)


def test_a_house_may_ask_for_the_big_blind_alone() -> None:
    """Rulebooks.md section 1, missed_bb_or_both = live_bb: nothing dead."""
    assert owed("small", "big", bb_or_both="live_bb") == (200, 0)


@pytest.mark.parametrize(
    ("entry_post", "expected"), [("post_or_wait", (200, 0)), ("wait_only", (0, 0)), ("none", (0, 0))]
)
def test_a_newcomer_posts_at_most_a_live_big_blind(entry_post: EntryPost, expected: tuple[int, int]) -> None:
    """R-PAC-5, R-AKP-14, AMB-17: also when blinds passed him while he waited."""
    assert owed("newcomer", entry_post=entry_post) == expected
    assert owed("newcomer", "small", "big", entry_post=entry_post) == expected


def test_who_missed_nothing_owes_nothing() -> None:
    """G-MOD-3: a player whom a blind skipped while he played owes nothing."""
    assert owed() == (0, 0)


@pytest.mark.parametrize(
    ("stack", "expected"), [(1000, (200, 100)), (300, (200, 100)), (250, (200, 50)), (200, (200, 0)), (30, (30, 0))]
)
def test_a_short_returner_pays_the_live_post_first(stack: int, expected: tuple[int, int]) -> None:
    """Rulebooks.md section 4, dead money: what is left after the live post goes into the dead one."""
    assert pay_posts(stack, 200, 100) == expected


@pytest.mark.parametrize(
    ("stack", "order", "expected"),
    [
        (1000, "blind_first", (200, 25)),
        (210, "blind_first", (200, 10)),
        (30, "blind_first", (30, 0)),
        (1000, "ante_first", (200, 25)),
        (210, "ante_first", (185, 25)),
        (11, "ante_first", (0, 11)),
    ],
)
def test_a_short_stack_pays_in_the_order_of_the_house(stack: int, order: AnteOrder, expected: tuple[int, int]) -> None:
    """R-AKP-8, O-14, FAULT-29, FAULT-127: a short stack plays on with what it has."""
    assert pay_blind_and_ante(stack, 200, 25, order) == expected
