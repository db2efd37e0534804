"""The modern button when players go: moving at cash tables, dead in tournaments. Seats count from 1 in here."""

from __future__ import annotations

import pytest

from engine.table.commands import RemovePlayer
from engine.table.events import BlindMissed, ButtonMoved
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import check_down, fold_out, leave, places, play_on, reach, said

RICH = 100_000
HOUSES = ("modern", "akpoker")


def gone(game: Game, seats: tuple[int, ...]) -> Game:
    """Play a hand, then let the players in these seats, counted from 1, go for good."""
    play_on(game)
    for seat in seats:
        if game.table.config.kind == "cash":
            leave(game, seat - 1)
        else:
            game.do(RemovePlayer(game.player(seat - 1), "moved"))
    return game


def positions(game: Game) -> tuple[int, int | None, int]:
    """Return the seats, from 1, of button, posted small blind and big blind."""
    (moved,) = said(game, ButtonMoved)
    return moved.button + 1, moved.small_blind + 1 if moved.small_posts else None, moved.big_blind + 1


def last_to_act(game: Game) -> int:
    """Play the flop and return the seat, from 1, that acts last on it."""
    reach(game, 1)
    last = game.to_act
    while game.hand.street == 1:
        last = game.to_act
        game.check()
    return last + 1


DEAD = [
    ((2,), (2, 3, 4), 1, (3, 4, 5), 3),
    ((3,), (2, None, 4), 2, (3, 4, 5), 2),
    ((2, 3), (2, None, 4), 1, (3, 4, 5), 1),
    ((1,), (2, 3, 4), 2, (3, 4, 5), 3),
]


@pytest.mark.parametrize(("left", "second", "last_in_second", "third", "last_in_third"), DEAD)
def test_tournaments_have_a_dead_button(
    left: tuple[int, ...],
    second: tuple[int, int | None, int],
    last_in_second: int,
    third: tuple[int, int | None, int],
    last_in_third: int,
) -> None:
    """R-MOD-3, G-MOD-2: the big blind moves on, the small blind and the button follow, to empty seats as well."""
    game = gone(tournament("modern", [RICH] * 5), left).start()
    assert (positions(game), last_to_act(game)) == (second, last_in_second)
    check_down(game).start()
    assert (positions(game), last_to_act(game)) == (third, last_in_third)


MOVING = [((2,), (3, 4, 5)), ((3,), (2, 4, 5)), ((2, 3), (4, 5, 1)), ((1,), (2, 3, 4))]


@pytest.mark.parametrize(("left", "second"), MOVING)
def test_cash_tables_have_a_moving_button(left: tuple[int, ...], second: tuple[int, int, int]) -> None:
    """R-MOD-3, G-MOD-3: button and blinds go to the next players; who is skipped owes nothing."""
    game = gone(cash("modern", [RICH] * 5), left).start()
    assert positions(game) == second
    assert game.all(BlindMissed) == []


A, B, C = 1, 2, 3
THREE_BECOME_TWO = [
    (A, (C, C, B), (B, C, B), (C, C, B)),
    (B, (C, C, A), (A, C, A), (C, C, A)),
    (C, (B, B, A), (B, A, B), (B, B, A)),
]


@pytest.mark.parametrize(("left", "dealer_small", "dealer_big", "dead"), THREE_BECOME_TWO)
def test_nobody_posts_the_big_blind_twice_when_three_become_two(
    left: int, dealer_small: tuple[int, ...], dealer_big: tuple[int, ...], dead: tuple[int, ...]
) -> None:
    """G-MOD-4, AMB-56: button A, small blind B, big blind C before; the button gives way where it must."""
    tables = [cash(house, [RICH] * 3) for house in HOUSES] + [tournament("modern", [RICH] * 3)]
    found = [positions(gone(game, (left,)).start()) for game in tables]
    assert found == [dealer_small, dealer_big, dead]


def test_a_skipped_player_posts_his_blinds_as_they_come() -> None:
    """G-MOD-3: seat 4 skips the big blind when 2 has gone, and is small blind of the second hand."""
    game = fold_out(gone(cash("modern", [RICH] * 5), (2,)).start())
    assert places(game.start()) == (3, 4, 0)
