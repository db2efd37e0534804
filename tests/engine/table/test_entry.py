"""Coming in: a newcomer posts a big blind or waits for it; who missed blinds pays them or waits (AMB-17)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.commands import PlanEntry, SitIn, TableCommand
from engine.table.events import EntryPlanned, PlayerSatIn
from tests.engine.table.game import Game, cash, open_table
from tests.engine.table.play import dealt, join, places, play_on, posts, sit_in, sit_out

RICH = 10_000


def table(players: int = 3, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a modern table, 50/100; seat 0 has the button."""
    return cash("modern", [RICH] * players, **terms)


def test_a_newcomer_waits_unless_he_says_otherwise() -> None:
    """R-AKP-14, R-PAC-6: he is dealt in when the big blind reaches him."""
    game = play_on(cash("modern", [RICH, RICH, RICH, None], button=2))
    assert 3 not in dealt(join(game, 3).start())


@pytest.mark.parametrize(("plan", "expected"), [("post", [(3, 100, "entry")]), ("wait", [])])
def test_he_chooses_to_post_or_to_wait(plan: Any, expected: list[Any]) -> None:  # noqa: ANN401 - a literal.
    """R-PAC-5, R-PAC-6, R-AKP-14: a live big blind now, or nothing until it is his."""
    game = join(play_on(cash("modern", [RICH, RICH, RICH, None], button=2)), 3, plan=plan).start()
    assert [post for post in posts(game) if post[0] == 3] == expected


def test_the_choice_is_an_event() -> None:
    """R-PAC-5: `EntryPlanned`, once; the same choice again changes nothing."""
    game = table().do(PlanEntry("p1", "post"))
    assert game.events == (EntryPlanned(1, "post"),)
    assert game.do(PlanEntry("p1", "post")).events == ()


def test_between_button_and_big_blind_nobody_posts() -> None:
    """AMB-17: between button and small blind he waits, though he chose to post; he posts when both have passed him."""
    game = join(play_on(cash("modern", [RICH, RICH, None, RICH, RICH])), 2, plan="post")
    assert 2 not in dealt(play_on(game))
    assert places(game) == (1, 3, 4)
    assert posts(game.start()) == [(4, 50, "small"), (0, 100, "big"), (2, 100, "entry")]


def test_a_house_may_let_him_post_there() -> None:
    """`post_between_button_and_bb`: then he posts at once, wherever he sits."""
    rules = {"blinds.post_between_button_and_bb": True}
    game = join(play_on(cash("modern", [RICH, RICH, None, RICH, RICH], rules=rules)), 2, plan="post").start()
    assert (2, 100, "entry") in posts(game)


def test_several_newcomers_post_at_once() -> None:
    """AMB-17: several posters may come in at once."""
    game = play_on(cash("modern", [RICH, RICH, RICH, None, None], button=2))
    join(join(game, 3, plan="post"), 4, plan="post").start()
    assert posts(game)[2:] == [(3, 100, "entry"), (4, 100, "entry")]


def test_at_a_new_table_nobody_owes_a_post() -> None:
    """AMB-17: in the first hand nobody posts but the blinds."""
    game = open_table("akpoker")
    for seat in range(4):
        join(game, seat)
    assert posts(game.start()) == [(1, 50, "small"), (2, 100, "big")]


@pytest.mark.parametrize("command", [PlanEntry("p3", "post"), SitIn("p3", "post")])
def test_a_house_may_let_newcomers_only_wait(command: TableCommand) -> None:
    """`blinds.entry_post = wait_only`: posting is refused to a newcomer."""
    game = play_on(cash("modern", [RICH, RICH, RICH, None], rules={"blinds.entry_post": "wait_only"}))
    sit_out(join(game, 3), 3).refuses(command, "POST_NOT_ALLOWED")


def test_there_one_who_missed_blinds_may_still_post() -> None:
    """`blinds.entry_post` is about newcomers; who missed a blind pays it as the house says."""
    game = sit_out(play_on(table(5, rules={"blinds.entry_post": "wait_only"})), 2)
    assert sit_in(play_on(game), 2, "post").events == (PlayerSatIn(2, "post"),)


def test_a_house_may_ask_for_no_entry_post() -> None:
    """`blinds.entry_post = none`: a newcomer is dealt in and owes nothing."""
    game = play_on(cash("modern", [RICH, RICH, RICH, None], button=2, rules={"blinds.entry_post": "none"}))
    assert 3 in dealt(join(game, 3).start())
    assert len(posts(game)) == 2
