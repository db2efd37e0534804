"""Planet Poker at the table: what a bet or raise may be in fixed, pot and no limit. Seats count from 0."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.events import Called, Raised, WentAllIn
from tests.engine.table.game import Game, cash
from tests.engine.table.play import check_down, fixed, owed, pots, push, reach, said, won

RICH = 100_000
HANDS = {0: "AsAd", 1: "KsKd", 2: "QsQd"}
DRY = "2c7d9hTs3s"


# Fixed limit.


@pytest.mark.parametrize(("raises", "call"), [(0, 300), (1, 600), (2, 900), (3, 1200)])
def test_the_levels_of_round_one(raises: int, call: int) -> None:
    """G-PLA-1, R-PLA-7: at $3-$6 a fresh player sees calls of 300, 600, 900 and 1200."""
    game = fixed("planet", [RICH] * 8, bets=(300, 600)).start()
    for level in range(raises):
        game.raise_to(600 + 300 * level)
    assert game.menu.call == call
    assert (game.menu.bet_or_raise is None) == (call == 1200)


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_a_round_has_a_bet_and_three_raises(street: int) -> None:
    """R-PLA-7, G-PLA-1, AMB-24: each increment is the round's unit, and after the third raise the round is capped."""
    game = reach(fixed("planet", [RICH] * 4, bets=(300, 600)).start(), street)
    unit = 300 if street < 2 else 600
    blind = [300] if street == 0 else []
    assert blind + levels(game) == [unit, 2 * unit, 3 * unit, 4 * unit]
    game.refuses(game.raising(5 * unit), "RAISE_CAPPED")


def levels(game: Game) -> list[int]:
    """Bet and raise as long as the prompt offers it, and return the levels."""
    reached = []
    while (size := game.menu.bet_or_raise) is not None:
        reached.append(size.minimum)
        game.raise_to(size.minimum)
    return reached


@pytest.mark.parametrize(("street", "unit"), [(1, 300), (2, 600), (3, 600)])
@pytest.mark.parametrize(("off", "reason"), [(-1, "BET_BELOW_MINIMUM"), (1, "BET_ABOVE_MAXIMUM")])
def test_the_unit_is_enforced(street: int, unit: int, off: int, reason: str) -> None:
    """R-PLA-7: a bet of any size but the exact unit of the round is refused, with the unit as the range."""
    game = reach(fixed("planet", [RICH] * 3, bets=(300, 600)).start(), street)
    assert game.refuses(game.raising(unit + off), reason).metadata == {"minimum": unit, "maximum": unit}


# Pot limit.


def pot_of_1000(stack: int = RICH) -> Game:
    """Return a pot-limit flop with 1000 in the pot; seat 1 is to open, seat 0 has `stack` left."""
    game = cash("planet", [stack + 500, RICH], limit="pot_limit", blinds=(100, 200)).start()
    return game.raise_to(500).call()


def test_an_opening_bet_is_from_the_big_blind_to_the_pot() -> None:
    """R-PLA-8: with 1000 in the pot the opener may bet from 200, the big blind, to 1000."""
    game = pot_of_1000()
    assert game.options == {"fold", "check", "bet 200..1000"}
    refusal = game.refuses(game.raising(1001), "BET_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 200, "maximum": 1000}
    game.refuses(game.raising(199), "BET_BELOW_MINIMUM")


def test_for_a_raise_the_pot_is_measured_after_the_call() -> None:
    """G-PLA-3, R-PLA-8: pot $10, bet $5: call 500, increment 500 to 2000, at most $25 put in; then the pot is $40."""
    game = pot_of_1000().raise_to(500)
    assert game.options == {"fold", "call 500", "raise 1000..2500"}
    game.refuses(game.raising(2501), "BET_ABOVE_MAXIMUM")
    assert game.raise_to(2500).events == (Raised(0, 2500, 2500, full=True),)
    assert game.hand.pot == 4000


def test_the_pot_counts_a_short_blind_as_it_was_posted() -> None:
    """AMB-58, AMB-49: with the big blind all-in for 100 the call stays 200, the least raise 400, the largest 600."""
    game = cash("planet", [RICH, RICH, 100, RICH], limit="pot_limit", blinds=(100, 200)).start()
    assert game.hand.pot == 200
    assert game.options == {"fold", "call 200", "raise 400..600"}
    full = cash("planet", [RICH] * 4, limit="pot_limit", blinds=(100, 200)).start()
    assert full.options == {"fold", "call 200", "raise 400..700"}


# Pot and no limit.


@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_a_raise_is_at_least_the_bet_before_it(limit: str) -> None:
    """G-PLA-4, R-PLA-9: after a bet of $5 a raise to 700 is refused and one to 1000 accepted."""
    game = cash("planet", [RICH] * 2, limit=limit, blinds=(100, 200)).start().call().check().raise_to(300)
    game.call().raise_to(500)
    refusal = game.refuses(game.raising(700), "BET_BELOW_MINIMUM")
    assert refusal.metadata["minimum"] == 1000
    assert game.raise_to(1000).events == (Raised(0, 1000, 1000, full=True),)


@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_all_in_for_less_is_always_allowed(limit: str) -> None:
    """G-PLA-4, R-PLA-9: a stack of 700 may go all-in to 700, though a full raise would go to 1000."""
    game = cash("planet", [1200, RICH], limit=limit, blinds=(100, 200)).start().raise_to(500).call().raise_to(500)
    assert "raise 700..700" in game.options
    game.refuses(game.raising(699), "BET_BELOW_MINIMUM")
    assert game.all_in().events[:2] == (Raised(0, 700, 700, full=False), WentAllIn(0))


@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_the_least_raise_grows_with_the_largest_raise_of_the_round(limit: str) -> None:
    """R-PLA-9: bet 100, raise to 300: the next goes to 500 at least; in the next round it is the big blind again."""
    game = reach(cash("planet", [RICH] * 3, limit=limit).start(), 1).raise_to(100).raise_to(300)
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.minimum == 500
    game.call().call()
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.minimum == 100


def test_in_no_limit_one_may_bet_the_stack_at_any_time() -> None:
    """R-PLA-10: the opener bets from the big blind to all he has, and any later player may go all-in too."""
    game = reach(cash("planet", [5000, RICH, 3000]).start(), 1)
    assert game.options == {"fold", "check", f"bet 100..{RICH - 100}"}
    game.refuses(game.raising(99), "BET_BELOW_MINIMUM")
    assert game.check().options == {"fold", "check", "bet 100..2900"}
    assert game.all_in().options == {"fold", "call 2900", "raise 4900..4900"}


# The prompt and the stack.


@pytest.mark.parametrize(
    ("limit", "terms", "least", "most"),
    [
        ("fixed_limit", {"bets": (100, 200)}, 200, 200),
        ("pot_limit", {"blinds": (50, 100)}, 200, 350),
        ("no_limit", {"blinds": (50, 100)}, 200, 10_000),
    ],
)
def test_the_prompt_shows_the_largest_wager_and_starts_at_the_smallest(
    limit: str, terms: dict[str, Any], least: int, most: int
) -> None:
    """R-PLA-4: least, largest and default size of the bet prompt; the default is the least."""
    size = cash("planet", [10_000] * 4, limit=limit, **terms).start().menu.bet_or_raise
    assert size is not None
    assert (size.minimum, size.maximum, size.default) == (least, most, least)


def test_a_call_is_limited_to_the_stack() -> None:
    """R-PLA-11: nobody is forced out for lack of chips: facing 1000 with 300 left one may call for 300."""
    game = cash("planet", [RICH, RICH, 400]).start().raise_to(1100).fold()
    assert game.options == {"fold", "call 300"}
    assert game.call().events[:2] == (Called(2, 300), WentAllIn(2))


def test_an_all_in_player_wins_from_each_what_he_matched() -> None:
    """R-PLA-11: two opponents have more chips, so a side pot forms; the best hand wins 400 from each, no more."""
    game = cash("planet", [400, RICH, RICH]).start(hands=HANDS, board=DRY).raise_to(400).raise_to(1000).call()
    check_down(game)
    assert pots(game) == [(1200, (0, 1, 2)), (1200, (1, 2))]
    assert won(game) == {0: 1200, 1: 1200}


def test_one_opponent_with_more_chips_makes_no_side_pot() -> None:
    """R-PLA-11: heads-up the rest of the larger stack was never called and goes back."""
    game = push(cash("planet", [400, RICH]).start(hands=HANDS, board=DRY))
    assert pots(game) == [(800, (0, 1))]
    assert game.stacks == [800, RICH - 400]
    assert said(game, WentAllIn)[-1] == WentAllIn(0)


def test_a_short_big_blind_leaves_call_and_raise_as_they_are() -> None:
    """AMB-49: in no limit too the call stays the full big blind, and the least raise one big blind more."""
    game = cash("planet", [RICH, RICH, 30, RICH]).start()
    assert game.options == {"fold", "call 100", f"raise 200..{RICH}"}
    assert owed(game, 1) == 50
