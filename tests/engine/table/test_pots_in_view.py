"""What players see of the pots while a hand is on: the engine plays all of them."""

from __future__ import annotations

from engine.table.evolve import evolve
from engine.table.menu import pots_in_view
from tests.engine.table.game import Game, cash, unraked
from tests.engine.table.play import prefer

BOARD = "2c3d7h8s9c"


def test_without_a_hand_there_is_no_pot() -> None:
    """R-PAC-25: pots belong to a hand."""
    assert pots_in_view(unraked([1000] * 3).table) == ()


def test_the_view_holds_what_is_in_the_middle_after_every_event() -> None:
    """R-PAC-19, R-PAC-25: split, raked and paid pots are in view with what is left to win, whatever came last."""
    game = cash("modern", [900, 3000, 5000]).start({0: "AsAd", 1: "KsKd", 2: "QsQd"}, BOARD).all_in().all_in().call()
    table = None
    for event in game.log:
        table = evolve(table, event, 0)
        assert sum(pot.amount for pot in pots_in_view(table)) == (table.hand.pot if table.hand else 0)


def all_in_by_steps(players: int) -> Game:
    """Return a fixed-limit hand in which each player's blind or call takes his last chip, but for the deepest two."""
    stacks = [10 * (seat + 1) for seat in range(players - 2)] + [5000, 5000]
    game = cash("pacific", stacks, limit="fixed_limit", bets=(200, 400), blinds=None, button=players - 3)
    game.start()
    while game.to_act >= 0 and game.menu.call:
        game.call()
    return game


def test_a_house_shows_only_so_many_pots() -> None:
    """R-PAC-26, G-PAC-7: seven pots are played for, and five are shown."""
    game = all_in_by_steps(8)
    assert [pot.amount for pot in pots_in_view(game.table)] == [80, 70, 60, 50, 40]


def test_a_pot_that_is_paid_is_not_in_view() -> None:
    """R-PAC-24: while the winner is asked whether he shows, nothing is left in the middle."""
    game = prefer(unraked([1000] * 3), 1, ask_to_show=True).start().fold().fold()
    assert (game.hand.pot, pots_in_view(game.table)) == (0, ())
