"""Sizes and words of bets and raises under the rules that all houses share. Seats count from 0."""

from __future__ import annotations

import pytest

from engine.poker.betting import LimitType
from engine.rulebooks.loading import HOUSES
from tests.engine.table.game import cash
from tests.engine.table.play import (
    bets,
    fixed,
    play_on,
    posts,
    reach,
    sit_in,
    sit_out,
)

RICH = 100_000
BIG_BET = ("planet", "akpoker", "freeguide", "modern")
"""The houses that offer pot and no limit."""


@pytest.mark.parametrize("house", BIG_BET)
@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_raises_are_not_counted_in_pot_and_no_limit(house: str, limit: LimitType) -> None:
    """Section 4, "raises in pot and no limit": there is no cap on their number."""
    game = cash(house, [RICH] * 3, limit=limit).start()
    for level in range(200, 2200, 100):
        game.raise_to(level)
    assert bets(game) == [2000, 2100, 1900]
    assert game.menu.bet_or_raise is not None


@pytest.mark.parametrize("house", BIG_BET)
def test_a_raise_is_at_least_the_last_full_bet_or_raise(house: str) -> None:
    """Section 4, "least bet": bet 100, raise to 350: the next raise is to 600; a shorter one only if it is all-in."""
    game = reach(cash(house, [900, RICH, RICH]).start(), 1).raise_to(100).raise_to(350)
    assert game.options == {"fold", "call 350", "raise 600..800"}
    game.refuses(game.raising(599), "BET_BELOW_MINIMUM")
    game.call().raise_to(600).call()
    assert game.to_act == 0
    assert "raise 800..800" in game.options


@pytest.mark.parametrize(
    ("house", "hands_out", "most"), [("planet", 2, 1000), ("freeguide", 2, 1000), ("akpoker", 3, 800)]
)
def test_the_pot_of_pot_limit_holds_dead_money(house: str, hands_out: int, most: int) -> None:
    """Section 4, "largest raise": the pot is 600, 100 of it dead: to 200 + 800 after the call, or 200 + 600 before."""
    game = sit_out(play_on(cash(house, [RICH] * 5, limit="pot_limit", blinds=(100, 200))), 3)
    sit_in(play_on(game, hands_out), 3).start()
    assert sum(amount for _, amount, _ in posts(game)) == 600
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.maximum == most


@pytest.mark.parametrize("house", BIG_BET)
def test_the_opening_bet_of_pot_limit_is_at_most_the_pot(house: str) -> None:
    """Section 4, "pot limit, opening bet": 600 in the pot, a bet of 200 to 600."""
    game = reach(cash(house, [RICH] * 3, limit="pot_limit", blinds=(100, 200)).start(), 1)
    refusal = game.refuses(game.raising(601), "BET_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 200, "maximum": 600}


@pytest.mark.parametrize(
    ("house", "first", "short"),
    [("planet", 700, 600), ("freeguide", 700, 600), ("akpoker", 500, 400), ("modern", 700, 700)],
)
def test_a_short_blind_counts_as_posted_or_as_full(house: str, first: int, short: int) -> None:
    """AMB-58, G-MOD-13: pot limit 100/200, first to act: the houses count a blind of 100 as 100, modern as 200."""
    for big_blind, most in ((RICH, first), (100, short)):
        game = cash(house, [RICH, RICH, big_blind, RICH], limit="pot_limit", blinds=(100, 200)).start()
        assert game.menu.call == 200
        assert game.menu.bet_or_raise is not None
        assert game.menu.bet_or_raise.maximum == most


@pytest.mark.parametrize("house", HOUSES)
def test_two_players_have_the_cap_unless_the_house_lets_them_go_on(house: str) -> None:
    """AMB-24: the cap of one bet and three raises holds heads-up; a table with `uncapped_heads_up` has none."""
    for rules, uncapped in (({}, False), ({"betting.uncapped_heads_up": True}, True)):
        game = reach(fixed(house, [RICH] * 2, rules=rules).start(), 1)
        game.raise_to(100).raise_to(200).raise_to(300).raise_to(400)
        assert (game.menu.bet_or_raise is not None) == uncapped


@pytest.mark.parametrize(
    ("house", "raises", "option"),
    [
        ("pacific", ["Raise", "Reraise", "Cap"], "Raise"),
        ("planet", ["Raise", "Raise", "Raise"], "Bet"),
        ("freeguide", ["Raise", "Raise", "Raise"], "Raise"),
    ],
)
def test_the_prompt_speaks_the_words_of_the_house(house: str, raises: list[str], option: str) -> None:
    """R-PAC-16, R-PLA-18: the first, second and third raise of round 1, and the big blind's option."""
    game, seen = fixed(house, [RICH] * 3).start(), []
    while (size := game.menu.bet_or_raise) is not None:
        seen.append(size.label)
        game.raise_to(size.minimum)
    assert seen == raises
    unraised = fixed(house, [RICH] * 3).start().call().call().menu.bet_or_raise
    assert unraised is not None
    assert unraised.label == option
