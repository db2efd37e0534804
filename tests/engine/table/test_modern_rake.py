"""The rake of the modern rulebook: 5 %, pot by pot, capped by the number of players dealt in, no flop no drop."""

from __future__ import annotations

import pytest

from engine.table.events import RakeTaken
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import check_down, fixed, fold_out, pots, reach, said, won

RICH = 100_000


def pot_before_the_flop(total: int) -> Game:
    """Return a six-handed hand on the flop with this pot: the raiser and the blind who makes it come out."""
    game = cash("modern", [RICH] * 6, blinds=(1, 2)).start()
    game.raise_to((total - 1) // 2).fold().fold().fold()
    if total % 2:
        game.fold().call()
    else:
        game.call().fold()
    assert game.hand.pot == total
    return game


@pytest.mark.parametrize(("pot", "rake"), [(488, 24), (19, 0), (7999, 399), (8000, 400)])
def test_five_percent_rounded_down(pot: int, rake: int) -> None:
    """R-MOD-12, G-MOD-5: 5 % of the pot, rounded down to a cent; the winner gets the rest."""
    game = check_down(pot_before_the_flop(pot))
    assert said(game, RakeTaken) == ([RakeTaken((rake,))] if rake else [])
    assert sum(won(game).values()) == pot - rake
    assert game.table.desk.rake_held == rake


def side_pot(short: int, deep: int, *, big_blind_calls: bool) -> Game:
    """Return a six-handed hand with an all-in for `short` and two players in for `deep`."""
    game = cash("modern", [RICH, RICH, RICH, deep, short, RICH], blinds=(1, 2)).start().all_in().all_in()
    if big_blind_calls:
        return game.fold().fold().fold().call()
    return game.call().fold().fold().fold()


@pytest.mark.parametrize(
    ("short", "deep", "big_blind_calls", "amounts", "rakes"),
    [
        (1333, 2583, True, [4000, 2500], (200, 125)),
        (1333, 4333, True, [4000, 6000], (200, 200)),
        (9, 5009, False, [30, 10_000], (1, 399)),
    ],
)
def test_pot_by_pot_until_the_cap(
    short: int, deep: int, big_blind_calls: bool, amounts: list[int], rakes: tuple[int, ...]
) -> None:
    """R-MOD-12, G-MOD-5, AMB-57: the main pot pays first; the total never exceeds 400 with six dealt in."""
    game = side_pot(short, deep, big_blind_calls=big_blind_calls)
    assert [amount for amount, _ in pots(game)] == amounts
    assert said(game, RakeTaken) == [RakeTaken(rakes)]
    assert sum(won(game).values()) == sum(amounts) - sum(rakes)


def test_two_players_pay_at_most_one() -> None:
    """R-MOD-12, G-MOD-5: two dealt in, pot 2600: the cap of 100, not 130."""
    game = check_down(cash("modern", [RICH] * 2, blinds=(1, 2)).start().raise_to(1300).call())
    assert said(game, RakeTaken) == [RakeTaken((100,))]


@pytest.mark.parametrize(("players", "cap"), [(3, 100), (5, 200)])
def test_fixed_limit_has_caps_of_its_own(players: int, cap: int) -> None:
    """R-MOD-12, G-MOD-5: at fixed limit three players pay at most 100, five at most 200."""
    game = check_down(fixed("modern", [RICH] * players, bets=(1000, 2000)).start())
    assert said(game, RakeTaken) == [RakeTaken((cap,))]


def test_no_flop_no_drop() -> None:
    """R-MOD-12, G-MOD-5: a pot that is won before the flop pays nothing."""
    assert fold_out(cash("modern", [RICH] * 6).start().raise_to(5000)).all(RakeTaken) == []


def test_a_returned_bet_is_not_raked() -> None:
    """R-MOD-12, G-MOD-5: 488 in the pot and 350 that nobody called: 24."""
    game = reach(pot_before_the_flop(488), 3).raise_to(350).fold()
    assert said(game, RakeTaken) == [RakeTaken((24,))]


def test_tournaments_pay_no_rake() -> None:
    """R-MOD-12: tournament chips are no money, and no table takes any away."""
    assert check_down(tournament("modern", [RICH] * 6).start()).all(RakeTaken) == []
