"""Rules of betting rounds that all houses share (`rulebooks.md` section 4). Seats count from 0."""

from __future__ import annotations

import pytest

from engine.poker.betting import LimitType
from engine.rulebooks.loading import HOUSES
from engine.table.commands import QueueChips, RequestTopUp
from engine.table.events import (
    BlindPosted,
    HandEnded,
    HandShown,
    PotAwarded,
    RakeTaken,
    StreetDealt,
    TopUpReserved,
    UncalledBetReturned,
    WentAllIn,
)
from engine.table.seat_events import EntryPlan
from tests.engine.table.game import cash
from tests.engine.table.play import (
    check_down,
    dealt,
    fixed,
    fold_out,
    hand_log,
    join,
    leave,
    openers,
    owed,
    places,
    play_on,
    posts,
    pots,
    reach,
    said,
    shows,
    won,
)

RICH = 100_000
BIG_BET = ("planet", "akpoker", "freeguide", "modern")
"""The houses that offer pot and no limit."""


# Blinds.


@pytest.mark.parametrize("house", HOUSES)
def test_in_fixed_limit_the_big_blind_is_the_small_bet(house: str) -> None:
    """Section 4, "big blind", AMB-41: it is the lower limit, and the initial pot is formed of both blinds."""
    game = fixed(house, [RICH] * 3, bets=(200, 400)).start()
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]
    assert game.hand.pot == 300


@pytest.mark.parametrize("house", BIG_BET)
@pytest.mark.parametrize("limit", ["pot_limit", "no_limit"])
def test_in_pot_and_no_limit_the_big_blind_is_as_stated(house: str, limit: LimitType) -> None:
    """Section 4, "big blind", "least bet": as the table states it; it is the least bet of every round."""
    game = cash(house, [RICH] * 3, limit=limit, blinds=(100, 200)).start()
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]
    game = reach(game, 1)
    game.refuses(game.raising(199), "BET_BELOW_MINIMUM")
    assert game.raise_to(200).menu.bet_or_raise is not None


@pytest.mark.parametrize("house", HOUSES)
def test_blinds_are_live_and_posted_before_a_card_is_dealt(house: str) -> None:
    """Section 4, "blinds": they count towards a bet, and every post comes before the first card."""
    game = fixed(house, [RICH] * 3).start()
    assert [owed(game, seat) for seat in range(3)] == [100, 50, 0]
    names = [type(event).__name__ for event in hand_log(game)]
    assert names == ["HandStarted", "ButtonMoved", "BlindPosted", "BlindPosted", "HoleCardsDealt"]


@pytest.mark.parametrize("house", HOUSES)
def test_the_big_blind_has_the_option(house: str) -> None:
    """Section 4, "round ends": a round that all have matched is not over before the big blind has used his option."""
    game = fixed(house, [RICH] * 3).start().call().call()
    assert game.to_act == 2
    assert game.options == {"fold", "check", "raise 200..200"}
    assert game.raise_to(200).to_act == 0
    assert game.call().call().hand.street == 1


@pytest.mark.parametrize("house", HOUSES)
def test_a_short_big_blind_is_all_in_and_changes_no_price(house: str) -> None:
    """AMB-49, section 4, "short blind": he posts his 30; the call stays 100 and the least raise goes to 200."""
    game = fixed(house, [RICH, RICH, 30, RICH]).start()
    assert said(game, BlindPosted)[1] == BlindPosted(2, 30, "big")
    assert said(game, WentAllIn) == [WentAllIn(2)]
    assert game.options == {"fold", "call 100", "raise 200..200"}
    check_down(game)
    assert [amount for amount, _ in pots(game)] == [120, 210]


@pytest.mark.parametrize("house", HOUSES)
def test_a_short_small_blind_is_all_in(house: str) -> None:
    """AMB-49, section 4, "short blind": his 20 are all-in, and he may win 20 from each of the others."""
    game = check_down(
        fixed(house, [RICH, 20, RICH], rules={"rake.bps": 0}).start(hands={1: "AhKh"}, board="QhJhTh2c3d")
    )
    assert pots(game) == [(60, (0, 1, 2)), (160, (0, 2))]
    assert won(game)[1] == 60


# Who comes and goes.


DEALER_POSTS_SMALL = {0: (2, 2, 1), 1: (2, 2, 0), 2: (1, 1, 0)}
DEALER_POSTS_BIG = {0: (1, 2, 1), 1: (0, 2, 0), 2: (1, 0, 1)}


@pytest.mark.parametrize("gone", [0, 1, 2])
@pytest.mark.parametrize("house", HOUSES)
def test_when_three_become_two_nobody_has_the_big_blind_twice(house: str, gone: int) -> None:
    """AMB-02, G-MOD-4: after button 0, small 1, big 2 one leaves; seat 2 never posts the big blind again at once."""
    game = play_on(fixed(house, [RICH] * 3))
    assert places(game) == (0, 1, 2)
    expected = DEALER_POSTS_BIG if house in {"pacific", "akpoker"} else DEALER_POSTS_SMALL
    assert places(leave(game, gone).start()) == expected[gone]


@pytest.mark.parametrize("plan", ["post", "wait"])
@pytest.mark.parametrize("house", HOUSES)
def test_nobody_joins_between_button_and_big_blind(house: str, plan: EntryPlan) -> None:
    """AMB-17, R-PAC-5, R-PLA-15: there he waits until the button has passed him; then he may post, or go on waiting."""
    game = join(play_on(fixed(house, [RICH, RICH, None, RICH, RICH])), 2, plan=plan)
    assert places(play_on(game)) == (1, 3, 4)
    assert 2 not in dealt(game)
    assert places(game.start()) == (3, 4, 0)
    assert (2 in dealt(game)) == (plan == "post")


@pytest.mark.parametrize("house", HOUSES)
def test_chips_that_are_bought_in_a_hand_come_into_play_after_it(house: str) -> None:
    """AMB-44: accepted at any time; the stack changes when the hand ends."""
    game = fixed(house, [5000] * 3).start().do(RequestTopUp("p0", 700))
    game.do(QueueChips("p0", 700, game.last(TopUpReserved).transfer_id))
    assert game.stack(0) == 5000
    assert fold_out(game).stack(0) == 5700


# Who acts, and when a round is over.


@pytest.mark.parametrize("house", HOUSES)
def test_the_first_round_opens_after_the_big_blind_the_others_after_the_button(house: str) -> None:
    """AMB-40, section 4, "first to act": with more than two players every house has the same order."""
    game = fixed(house, [RICH] * 5).start()
    assert openers(game) == [3, 1, 1, 1]


@pytest.mark.parametrize("house", HOUSES)
def test_a_seat_that_cannot_act_passes_the_opening_on(house: str) -> None:
    """AMB-40: the small blind is all-in, the big blind has folded: clockwise the next who can act opens the flop."""
    game = fixed(house, [RICH, 50, RICH, RICH, RICH]).start()
    game.raise_to(200).call().call().fold()
    assert game.hand.street == 1
    assert game.to_act == 3


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", [1, 2, 3])
def test_check_raise_is_allowed(house: str, street: int) -> None:
    """Section 4, "check-raise": in every round after the first."""
    game = reach(fixed(house, [RICH] * 3).start(), street)
    unit = 100 if street == 1 else 200
    assert game.check().raise_to(unit).fold().raise_to(2 * unit).hand.pot == 300 + 3 * unit


@pytest.mark.parametrize("house", HOUSES)
def test_check_raise_is_allowed_in_round_one(house: str) -> None:
    """Section 4, "check-raise": a newcomer checks his post, the big blind raises, and the newcomer raises again."""
    game = join(play_on(fixed(house, [RICH] * 4 + [None])), 4, plan="post").start()
    assert game.to_act == 4
    game.check().fold().fold().fold().raise_to(200)
    assert game.to_act == 4
    assert game.options == {"fold", "call 100", "raise 300..300"}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_the_last_one_left_takes_the_pot_at_once(house: str, street: int) -> None:
    """Section 4, "last one left": no later street is dealt and no card revealed."""
    game = reach(fixed(house, [RICH] * 3).start(), street)
    fold_out(game)
    assert len(said(game, StreetDealt)) == street
    assert said(game, HandShown) == []
    assert len(said(game, PotAwarded)) == len(said(game, HandEnded)) == 1


@pytest.mark.parametrize("house", HOUSES)
def test_an_uncalled_bet_goes_back_before_the_rake(house: str) -> None:
    """Section 4, "uncalled bet": 100 of the last bet was never called: it comes back first, and 300 are raked."""
    game = reach(fixed(house, [RICH] * 3, rules={"rake.bps": 500, "rake.caps_fixed_limit": []}).start(), 1)
    game.raise_to(100).fold().fold()
    names = [type(event).__name__ for event in game.events]
    assert names[:4] == ["Folded", "UncalledBetReturned", "RakeTaken", "PotAwarded"]
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(1, 100)]
    assert said(game, RakeTaken) == [RakeTaken((15,))]
    assert won(game) == {1: 285}


@pytest.mark.parametrize("house", HOUSES)
def test_nobody_shows_when_all_fold_in_round_one(house: str) -> None:
    """Section 4, "show and muck": with ask to show off, the default, the hand ends at once."""
    game = fold_out(fixed(house, [RICH] * 3).start())
    assert shows(game) == []
    assert game.table.hand is None
