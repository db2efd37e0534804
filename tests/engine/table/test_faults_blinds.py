"""Faults of other engines, section B: blinds, antes, and the order of posting.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind.
"""

from __future__ import annotations

import pytest

from engine.poker.betting import NOT_ACTED, Player, open_hand
from engine.poker.seats import Seat
from engine.table.commands import RemovePlayer
from engine.table.events import ButtonMoved, Called, HandEnded
from tests.engine.table.game import cash, tournament, unraked
from tests.engine.table.play import (
    bets,
    check_down,
    fold_out,
    leave,
    owed,
    places,
    play_on,
    posts,
    pots,
    said,
    sit_in,
    sit_out,
)

P1, P2, P3, P4, P5, P6, P7 = range(7)


def test_a_short_big_blind_lowers_no_call() -> None:
    """FAULT-20: the big blind has 20 of 30; callers owe 30, and he contests the main pot of 60 alone."""
    game = unraked([1640, 20, 1630, 1920], blinds=(15, 30)).start()
    game.call().fold().call()
    assert said(game, Called) == [Called(P3, 30), Called(P1, 15)]
    check_down(game)
    assert pots(game) == [(60, (P1, P2, P3)), (20, (P1, P3))]


def test_a_big_blind_without_chips_has_no_option() -> None:
    """FAULT-22: who is all-in by his blind is never asked; when all have called the flop is dealt at once."""
    game = unraked([1000, 100, 1000]).start().call().call()
    assert game.hand.street == 1
    assert game.to_act == P1


def test_heads_up_the_small_blind_still_owes_the_difference() -> None:
    """FAULT-23: a big blind all-in for exactly the blind is to be called or folded to, and cannot be raised."""
    game = unraked([20, 1980], blinds=(10, 20)).start()
    assert (game.to_act, game.options) == (P2, {"fold", "call 10"})
    game.fold()
    assert game.stacks == [30, 1970]


def test_an_all_in_over_a_raise_is_offered_to_the_raiser() -> None:
    """FAULT-25: the raiser to 240 faces 1880, so he calls 1640 or folds; play never goes on with unequal bets."""
    game = unraked([1880, 3000], blinds=(60, 120)).start().raise_to(240).all_in()
    assert (game.to_act, game.options) == (P2, {"fold", "call 1640"})


def test_an_ante_larger_than_the_stack_is_all_in() -> None:
    """FAULT-26: 19 of 20 are posted and contest 19 from each; what is left of the antes is with the blinds."""
    game = unraked([100, 100, 19], blinds=(5, 10), ante=("each", 20)).start()
    assert posts(game) == [(P1, 20, "ante"), (P2, 20, "ante"), (P3, 19, "ante"), (P1, 5, "small"), (P2, 10, "big")]
    check_down(game)
    assert pots(game) == [(57, (P1, P2, P3)), (2 + 10 + 10, (P1, P2))]


def test_twelve_chips_and_an_ante_of_120() -> None:
    """FAULT-28: the main pot is 12 from each of seven, and all the rest, 124760, is the side pot of two others."""
    stacks = [11_419, 5530, 12, 58_524, 65_460, 18_579, 59_476]
    game = tournament("modern", stacks, button=P7, seats=7, blinds=(600, 1200), ante=("each", 120))
    game.start(hands={P3: "Qd8c", P5: "AsJh", P7: "AdQc"}, board="5s7h5hKs6h")
    game.raise_to(3600).call().fold().all_in().fold().fold().fold().call()
    assert pots(game) == [(84, (P3, P5, P7)), (124_760, (P5, P7))]
    assert game.last(HandEnded).stacks == (10_699, 4210, 0, 54_804, 5984, 18_459, 124_844)


def test_a_big_blind_that_only_pays_the_ante_lowers_no_call() -> None:
    """FAULT-29: 11 of an ante of 15 and no blind; the full blind is still the price, and the measure of a raise."""
    rules = {"blinds.ante_order": "ante_first"}
    game = unraked([1000, 11, 1000, 1000], blinds=(60, 120), ante=("each", 15), rules=rules).start()
    assert (P2, 11, "ante") in posts(game)
    assert bets(game) == [60, 0, 0, 0]
    game.fold()
    assert game.options == {"fold", "call 120", "raise 240..985"}
    game.call()
    assert (game.to_act, game.menu.call) == (P1, 60)


def test_who_missed_the_small_blind_alone_posts_it_dead() -> None:
    """FAULT-31: out for the small blind after his big blind, he returns for a dead 50, with nothing bet."""
    game = cash("modern", [1000, 1000, 1000, 1000], button=P4).start()
    fold_out(sit_out(game, P2))
    play_on(game)
    sit_in(game, P2).start()
    assert posts(game) == [(P4, 50, "small"), (P1, 100, "big"), (P2, 50, "dead")]
    assert (game.hand.pot, bets(game)[P2], owed(game, P2)) == (200, 0, 100)


def test_the_blinds_move_on_from_a_button_that_sits_out() -> None:
    """FAULT-32: the third had the button and sits out; of the others nobody posts the big blind twice running."""
    game = unraked([1000, 1000, 1000]).start()
    fold_out(sit_out(game, P3))
    found = [places(play_on(game)) for _ in range(4)]
    assert found == [(P2, P2, P1), (P1, P1, P2), (P2, P2, P1), (P1, P1, P2)]


@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_two_players_of_ten_seats_take_turns(kind: str) -> None:
    """FAULT-34: the button is the small blind, and each posts the big blind every other hand."""
    stacks = [None, None, None, 1000, None, None, None, 1000, None, None]
    game = unraked(stacks, kind=kind)
    found = [places(play_on(game)) for _ in range(4)]
    assert found == [(3, 3, 7), (7, 7, 3), (3, 3, 7), (7, 7, 3)]


def test_a_button_rests_on_an_empty_seat_where_the_rule_is_dead() -> None:
    """FAULT-34: tournaments of this house have the dead button, and `ButtonMoved` says where it lies."""
    game = play_on(tournament("modern", [1000] * 5, button=0))
    game.do(RemovePlayer("p1", "moved")).start()
    assert said(game, ButtonMoved) == [ButtonMoved(1, 2, small_posts=True, big_blind=3)]


def test_a_moving_button_passes_an_empty_seat() -> None:
    """FAULT-34: cash tables of this house have the moving button, and `ButtonMoved` says where it is."""
    game = play_on(unraked([1000] * 5))
    leave(game, 0).start()
    assert said(game, ButtonMoved) == [ButtonMoved(1, 2, small_posts=True, big_blind=3)]


@pytest.mark.parametrize(
    ("short", "expected"),
    [(0, (2, 2, 1)), (1, (2, 2, 0)), (2, (1, 1, 0))],
    ids=["button", "small blind", "big blind"],
)
@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_three_become_two(kind: str, short: Seat, expected: tuple[Seat, Seat, Seat]) -> None:
    """FAULT-35, G-MOD-4: whoever busts, the one who is due posts the big blind, the other has button and small."""
    stacks = [1000, 1000, 1000]
    stacks[short] = 100
    game = cash("modern", stacks, button=0, kind=kind, rules={"rake.bps": 0})
    hands = dict(zip([seat for seat in range(3) if seat != short], ["AsAh", "KsKh"], strict=True))
    check_down(game.start(hands={short: "2c7d", **hands}, board="Qd9d8h4s3s"))
    game.start()
    assert places(game) == expected


@pytest.mark.parametrize(("big_blind", "opener"), [(1, 0), (0, 1)])
def test_heads_up_with_one_blind_the_other_opens(big_blind: Seat, opener: Seat) -> None:
    """FAULT-37: with the blinds 0 and 2 the player left of the largest blind opens, whichever seat it is in."""
    limits = unraked([200, 200], blinds=(1, 2)).table.terms.limits
    players = tuple(Player(200, 2 * (seat == big_blind), 0, NOT_ACTED) for seat in range(2))
    assert open_hand(limits, players, 0b11, 2, opens_after=big_blind).to_act == opener


def test_the_big_blind_has_an_option_in_an_unraised_pot() -> None:
    """FAULT-38: when only the small blind limps he may check or raise, and no flop comes before he has."""
    game = unraked([1000, 1000, 1000, 1000]).start().fold().fold().call()
    assert (game.hand.street, game.to_act) == (0, P2)
    assert game.options == {"fold", "check", "raise 200..1000"}
    assert game.check().hand.street == 1


def test_call_and_raise_mean_the_same_in_every_seat() -> None:
    """FAULT-40: a call is what is still to be paid, a raise is a total, for the small blind as for the big."""
    game = unraked([200, 200, 200], blinds=(1, 2)).start().fold()
    assert (game.to_act, game.hand.betting.current_bet, game.menu.call) == (P1, 2, 1)
    assert game.options == {"fold", "call 1", "raise 4..200"}
    game.call()
    assert (game.to_act, game.hand.betting.current_bet, game.menu.call) == (P2, 2, 0)
    assert game.options == {"fold", "check", "raise 4..200"}


@pytest.mark.parametrize("big_blind_stack", [1000, 125, 110, 60])
def test_antes_and_short_blinds_change_no_price(big_blind_stack: int) -> None:
    """FAULT-41: with an ante of 25 the first to act owes 100, not 75; with a big blind of 60 he owes 100, not 60."""
    game = unraked([1000, big_blind_stack, 1000], ante=("each", 25)).start()
    assert (game.to_act, game.menu.call) == (P3, 100)
    assert game.call().last(Called) == Called(P3, 100)
