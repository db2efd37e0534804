"""Pacific Poker at the table: what one posts who joins, or comes back after missing blinds. Seats count from 0."""

from __future__ import annotations

import pytest

from engine.table.events import BlindMissed
from tests.engine.table.game import Game
from tests.engine.table.play import (
    bets,
    dealt,
    fixed,
    join,
    owed,
    places,
    play_on,
    posts,
    said,
    sit_in,
    sit_out,
)

RICH = 100_000


def running(*stacks: int | None) -> Game:
    """Return a $2/$4 table after its first hand: button 0, blinds from the next two."""
    return play_on(fixed("pacific", stacks, bets=(200, 400)))


# Joining.


def test_at_a_new_table_only_the_blinds_are_posted() -> None:
    """AMB-17, R-PAC-5: in the first hand nobody joins a running table, so nobody owes an entry post."""
    assert posts(running(*[RICH] * 5)) == [(1, 100, "small"), (2, 200, "big")]


def test_who_joins_may_post_a_live_bet_of_the_lower_limit() -> None:
    """R-PAC-5: the post is treated like a blind: he is dealt in at once, and may check or raise it on his turn."""
    game = join(running(*[RICH] * 5, None), 5, plan="post").start()
    assert posts(game) == [(2, 100, "small"), (3, 200, "big"), (5, 200, "entry")]
    assert 5 in dealt(game)
    game.fold()
    assert game.to_act == 5
    assert game.options == {"fold", "check", "raise 400..400"}


def test_several_may_post_at_once() -> None:
    """AMB-17, R-PAC-5: two who join in the same hand post a live bet each, in the order of the seats."""
    game = join(join(running(*[RICH] * 5, None, None), 6, plan="post"), 5, plan="post").start()
    assert posts(game)[2:] == [(5, 200, "entry"), (6, 200, "entry")]


def test_who_joins_may_wait_for_the_big_blind() -> None:
    """R-PAC-6: he sits out until the big blind reaches him, and then owes nothing else."""
    game = join(running(*[RICH] * 5, None), 5)
    for big_blind in (3, 4):
        assert places(play_on(game))[2] == big_blind
        assert 5 not in dealt(game)
    assert posts(game.start()) == [(4, 100, "small"), (5, 200, "big")]


def test_who_joins_in_the_big_blind_posts_it_and_nothing_else() -> None:
    """AMB-17, R-PAC-5: an entry post would be the same bet twice."""
    game = join(running(RICH, RICH, RICH, None, RICH), 3, plan="post").start()
    assert posts(game) == [(2, 100, "small"), (3, 200, "big")]


# Coming back.


def missed_small() -> Game:
    """Return a table whose seat 2 had the big blind and then missed the small blind alone."""
    game = play_on(sit_out(running(*[RICH] * 5), 2))
    assert said(game, BlindMissed) == [BlindMissed(2, "small")]
    return game


def missed_both() -> Game:
    """Return a table whose seat 3 has missed the big blind and the small blind."""
    game = play_on(sit_out(running(*[RICH] * 5), 3))
    assert said(game, BlindMissed) == [BlindMissed(3, "big")]
    assert said(play_on(game), BlindMissed) == [BlindMissed(3, "small")]
    return game


def test_who_missed_only_the_small_blind_posts_a_live_big_blind() -> None:
    """G-PAC-5, R-PAC-12, AMB-16: $2/$4: he posts 200 live and nothing dead; the pot before the action is 500."""
    game = sit_in(missed_small(), 2).start()
    assert posts(game) == [(4, 100, "small"), (0, 200, "big"), (2, 200, "entry")]
    assert game.hand.pot == 500
    assert owed(game, 2) == 0


def test_who_missed_both_blinds_posts_a_live_big_and_a_dead_small_blind() -> None:
    """G-PAC-5, R-PAC-13: 200 live and 100 dead, which goes straight to the pot of 600."""
    game = sit_in(missed_both(), 3).start()
    assert posts(game) == [(0, 100, "small"), (1, 200, "big"), (3, 200, "entry"), (3, 100, "dead")]
    assert game.hand.pot == 600
    assert bets(game)[3] == 200
    assert owed(game, 3) == 0


def test_the_dead_blind_is_no_part_of_his_bet() -> None:
    """G-PAC-5, R-PAC-13: his raise is raise_to 400 and costs 200: the dead 100 is not part of his commitment."""
    game = sit_in(missed_both(), 3).start().fold()
    assert game.to_act == 3
    assert game.options == {"fold", "check", "raise 400..400"}
    before = game.stack(3)
    assert before == RICH - 300
    assert game.raise_to(400).stack(3) == before - 200


@pytest.mark.parametrize("missed", ["small", "both"])
def test_who_comes_back_in_the_big_blind_just_posts_it(missed: str) -> None:
    """AMB-16, R-PAC-12, R-PAC-13: a returning player who waits for the big blind owes nothing else."""
    seat = 2 if missed == "small" else 3
    game = sit_in(missed_small() if missed == "small" else missed_both(), seat, "wait")
    while seat not in dealt(play_on(game)):
        assert places(game)[2] != seat
    assert places(game)[2] == seat
    assert [post for post in posts(game) if post[0] == seat] == [(seat, 200, "big")]


def test_what_was_posted_is_owed_no_more() -> None:
    """R-PAC-13: in the next hand the returned player is a member again and posts nothing."""
    game = play_on(sit_in(missed_both(), 3), hands=2)
    assert len(posts(game)) == 2
    assert 3 in dealt(game)
