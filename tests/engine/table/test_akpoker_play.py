"""AKPokerClub at the table: who acts, who shows, who wins, and when chips may be added."""

from __future__ import annotations

import pytest

from engine.table.commands import Check, QueueChips, RequestTopUp, Show
from engine.table.events import ChipsAdded, HandEnded, TopUpReserved
from tests.engine.table.game import Game, cash
from tests.engine.table.play import (
    check_down,
    dealt,
    fold_out,
    join,
    play_on,
    posts,
    pots,
    prefer,
    reach,
    shows,
    sit_out,
    won,
)

RICH = 10_000
BOARD = "2c7d9hJsKc"
"""No pair, no three of a suit, no straight without two good cards."""


def akpoker(stacks: list[int | None], button: int = 0) -> Game:
    """Return a 1/2 no-limit table."""
    return cash("akpoker", stacks, button=button, blinds=(100, 200))


# Who acts.


def test_round_one_opens_left_of_the_big_blind() -> None:
    """R-AKP-10: the first to act may call, raise or fold, and not check."""
    game = akpoker([RICH] * 4).start()
    assert game.to_act == 3
    assert game.options == {"fold", "call 200", "raise 400..10000"}
    game.refuses(game.command(Check), "CHECK_NOT_ALLOWED")


def test_the_big_blind_may_check_an_unraised_pot() -> None:
    """R-AKP-10: when nobody has raised the big blind may check."""
    game = akpoker([RICH] * 3).start().call().call()
    assert game.to_act == 2
    assert game.options == {"fold", "check", "raise 400..10000"}


def test_the_big_blind_must_answer_a_raise() -> None:
    """R-AKP-10: after a raise the big blind calls, raises or folds."""
    game = akpoker([RICH] * 3).start().raise_to(600).call()
    assert game.options == {"fold", "call 400", "raise 1000..10000"}


@pytest.mark.parametrize("street", [1, 2, 3])
def test_later_rounds_open_with_the_small_blind(street: int) -> None:
    """R-AKP-11: flop, turn and river open with the player who posted the small blind."""
    assert reach(akpoker([RICH] * 4).start(), street).to_act == 1


def test_a_small_blind_who_is_gone_passes_the_opening_on() -> None:
    """R-AKP-11, AMB-40: when he has folded, the first who can act clockwise from his seat begins."""
    game = akpoker([RICH] * 4).start().call().call().fold().check()
    assert (game.hand.street, game.to_act) == (1, 2)


# Who shows.


def test_the_last_to_bet_shows_first() -> None:
    """R-AKP-12: the last to bet or raise in the final round begins, then clockwise; a weaker hand is mucked."""
    game = akpoker([RICH] * 3).start({0: "AsAd", 1: "QsQd", 2: "KsKd"}, BOARD)
    check_down(reach(game, 3).check().raise_to(400))
    assert shows(game) == [(2, "showdown"), (0, "auto_muck"), (1, "auto_muck")]


def test_a_bet_on_an_earlier_street_does_not_count() -> None:
    """R-AKP-12: when all check the river the first unfolded player left of the dealer begins."""
    game = akpoker([RICH] * 3).start({0: "4s4d", 1: "3s3d", 2: "AsAd"}, BOARD)
    reach(game, 2).check().raise_to(400)
    assert shows(check_down(game)) == [(1, "showdown"), (2, "showdown"), (0, "auto_muck")]


def test_a_weaker_hand_may_be_shown() -> None:
    """R-AKP-12: who is beaten may show all the same when he wishes to be asked."""
    game = prefer(akpoker([RICH] * 2), 0, auto_muck=False)
    check_down(game.start({0: "3s3d", 1: "AsAd"}, BOARD))
    game.do(game.command(Show))
    assert shows(game) == [(1, "showdown"), (0, "chosen")]


# Who wins.


def test_identical_hands_split_only_the_pots_they_took_part_in() -> None:
    """R-AKP-13: the short of two equal hands shares the main pot and has no part in the side pot."""
    game = akpoker([300, 900, 900]).start({0: "AsQd", 1: "AdQs", 2: "5s4d"}, BOARD)
    game.all_in().all_in().call()
    assert pots(game) == [(900, (0, 1, 2)), (1200, (1, 2))]
    assert won(game) == {0: 450, 1: 450 + 1200}


@pytest.mark.parametrize(
    ("hands", "board", "winners"),
    [
        ({0: "AsKs", 1: "AdKd"}, "QcJcTh3d2d", {0, 1}),
        ({0: "AsAd", 1: "KsKd"}, "Kc3h4d8s9s", {1}),
        ({0: "5s4s", 1: "KsQd"}, "Ac2d3h9sKd", {0}),
        ({0: "5s4s", 1: "6s5d"}, "Ac2d3h4d9s", {1}),
        ({0: "KsQs", 1: "3d4h"}, "2sAcKdQh9s", {0}),
        ({0: "As2d", 1: "Ks3d"}, "QsJs9s4s2h", {0}),
        ({0: "6s7s", 1: "AcAd"}, "8s9sTdAhKs", {0}),
        ({0: "6h7h", 1: "AcAs"}, "8h9hTcAdKs", {0}),
        ({0: "5s6s", 1: "AsKs"}, "7s8s9sQs2d", {0}),
    ],
)
def test_the_standard_ten_rank_hands(hands: dict[int, str], board: str, winners: set[int]) -> None:
    """R-AKP-35, R-AKP-13, AMB-55: standard ranking, the ace high or low in straights, suits never count."""
    game = check_down(akpoker([RICH] * 2).start(hands, board))
    assert set(won(game)) == winners


def test_an_all_in_winner_takes_only_the_pots_formed_while_he_was_in() -> None:
    """R-AKP-17: the best hand wins the main pot; the side pot goes to the next best that is eligible."""
    game = akpoker([300, 900, 900]).start({0: "AsAd", 1: "QsQd", 2: "3s3d"}, BOARD)
    game.all_in().all_in().call()
    assert pots(game) == [(900, (0, 1, 2)), (1200, (1, 2))]
    assert won(game) == {0: 900, 1: 1200}


def test_the_best_hand_takes_every_pot_it_is_eligible_for() -> None:
    """R-AKP-17: main and side pots go to one player when he has the best hand in each."""
    game = akpoker([300, 900, 900]).start({0: "3s3d", 1: "AsAd", 2: "QsQd"}, BOARD)
    game.all_in().all_in().call()
    assert won(game) == {1: 2100}


# Coming in and adding chips.


def test_a_new_player_may_post_the_big_blind() -> None:
    """R-AKP-14: he posts a live big blind where he sits and may check or raise it."""
    game = join(play_on(akpoker([RICH, RICH, RICH, None], button=2)), 3, plan="post").start()
    assert posts(game) == [(1, 100, "small"), (2, 200, "big"), (3, 200, "entry")]
    assert game.to_act == 3
    assert game.options == {"fold", "check", "raise 400..10000"}


def test_a_new_player_may_wait_for_the_big_blind() -> None:
    """R-AKP-14: waiting, he is dealt no card until the big blind reaches him, and then posts nothing else."""
    game = join(play_on(akpoker([RICH, RICH, RICH, None, RICH], button=4)), 3, plan="wait")
    assert set(dealt(play_on(game))) == {0, 1, 2, 4}
    assert posts(game.start()) == [(2, 100, "small"), (3, 200, "big")]


def top_up(game: Game, player: str, amount: int) -> Game:
    """Let a top-up be asked for and arrive."""
    game.do(RequestTopUp(player, amount))
    return game.do(QueueChips(player, amount, game.last(TopUpReserved).transfer_id))


def test_chips_wait_for_the_end_of_the_hand() -> None:
    """R-AKP-20: nothing is added to the stack of a player in the hand before it has ended."""
    game = top_up(akpoker([3000, 3000, 3000]).start(), "p1", 500)
    assert game.all(ChipsAdded) == []
    fold_out(game)
    assert [type(event) for event in game.events[-2:]] == [HandEnded, ChipsAdded]
    assert game.last(ChipsAdded) == ChipsAdded(1, 500)


def test_a_player_outside_the_hand_adds_at_once() -> None:
    """R-AKP-20: who is not dealt in may add chips while the hand runs."""
    game = sit_out(akpoker([3000, 3000, 3000]), 1).start()
    top_up(game, "p1", 500)
    assert game.stack(1) == 3500
