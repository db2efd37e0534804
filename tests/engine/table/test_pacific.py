"""Pacific Poker at the table: its limits, blinds, deal, actions and cap. Seats count from 0, golden tests from 1."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Reason, Rejected
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.table.commands import Check, CreateTable, ReserveSeat
from engine.table.decide import decide
from engine.table.events import BlindPosted, Folded, HoleCardsDealt, SeatReserved, StreetDealt
from tests.engine.table.game import open_table
from tests.engine.table.play import (
    bets,
    board,
    check_down,
    dealt,
    fixed,
    fold_out,
    hand_log,
    lose,
    openers,
    places,
    play_on,
    posts,
    reach,
    said,
    sit_out,
    won,
)

RICH = 100_000


# The table.


@pytest.mark.parametrize("players", [2, 10])
def test_a_hand_is_two_cards_each_and_five_on_the_board(players: int) -> None:
    """R-PAC-1: two to ten players have two private cards each and share five, with four betting rounds."""
    game = check_down(fixed("pacific", [RICH] * players).start())
    (cards,) = said(game, HoleCardsDealt)
    assert len(cards.seats) == len(set(cards.seats)) == players
    assert len({place for pair in cards.places for place in pair}) == 2 * players
    assert [len(street.cards) for street in said(game, StreetDealt)] == [3, 1, 1]


@pytest.mark.parametrize("seats", [1, 11])
def test_no_table_has_one_seat_or_eleven(seats: int) -> None:
    """R-PAC-1: tables have 2 to 10 seats."""
    rules = load("pacific")
    stakes = agree_stakes(rules, StakesOffer(small_bet=100, big_bet=200), "fixed_limit", "cash")
    with pytest.raises(Rejected) as refusal:
        decide(None, CreateTable("T1", "Test", "cash", "USD", seats, rules, stakes), 0)
    assert refusal.value.reason == Reason.SEATS_NOT_OFFERED
    assert refusal.value.metadata == {"minimum": 2, "maximum": 10}


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"limit": "fixed_limit", "bets": (100, 250)}, "STAKES_INVALID"),
        ({"limit": "fixed_limit", "bets": (150, 300)}, "SMALL_BLIND_INVALID"),
        ({"limit": "fixed_limit", "bets": (100, 200), "ante": ("each", 10)}, "ANTE_NOT_OFFERED"),
        ({"limit": "pot_limit"}, "LIMIT_TYPE_NOT_OFFERED"),
        ({"limit": "no_limit"}, "LIMIT_TYPE_NOT_OFFERED"),
    ],
)
def test_any_other_table_is_refused(terms: dict[str, Any], reason: str) -> None:
    """R-PAC-2, R-PAC-8, G-PAC-2: fixed limit only, the lower limit half the higher, no antes, no small blind of 0."""
    with pytest.raises(Rejected) as refusal:
        open_table("pacific", **terms)
    assert refusal.value.reason == Reason(reason)


def test_a_buy_in_is_at_least_ten_times_the_lower_limit() -> None:
    """R-PAC-4, G-PAC-1: at $1/$2 a buy-in of $9.99 is refused with the least, $10 is accepted, and so is any more."""
    game = open_table("pacific", limit="fixed_limit", bets=(100, 200))
    refusal = game.refuses(ReserveSeat("poor", 0, 999), "BUYIN_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": 1000, "maximum": 0}
    game.do(ReserveSeat("just", 0, 1000)).do(ReserveSeat("rich", 1, 10**12))
    assert [seat.amount for seat in game.all(SeatReserved)] == [1000, 10**12]


# Button and blinds.


@pytest.mark.parametrize(
    ("lower", "small_blind"),
    [
        (100, 50),
        (200, 100),
        (300, 100),
        (500, 200),
        (1000, 500),
        (1500, 700),
        (2500, 1200),
        (50, 25),
        (25, 12),
        (5, 3),
    ],
)
def test_the_blinds_are_half_the_lower_limit_and_all_of_it(lower: int, small_blind: int) -> None:
    """G-PAC-2, R-PAC-9, R-PAC-10, AMB-18: half, rounded down to whole dollars above $1; the big blind is the limit."""
    game = fixed("pacific", [RICH] * 3, bets=(lower, 2 * lower)).start()
    assert posts(game) == [(1, small_blind, "small"), (2, lower, "big")]


def test_the_blinds_go_to_the_first_two_who_sit_in_left_of_the_dealer() -> None:
    """R-PAC-9, R-PAC-10, R-PAC-8: who sits out is passed over, and nothing but the two blinds starts the pot."""
    game = sit_out(sit_out(fixed("pacific", [RICH] * 6), 1), 3).start()
    assert places(game) == (0, 2, 4)
    assert posts(game) == [(2, 50, "small"), (4, 100, "big")]
    assert game.hand.pot == 150


def test_the_button_goes_to_the_next_who_sits_in() -> None:
    """R-PAC-7: after each hand the button goes clockwise to the next player who sits in."""
    game = play_on(fixed("pacific", [RICH] * 5))
    assert places(play_on(sit_out(game, 1)))[0] == 2
    assert [places(play_on(game))[0] for _ in range(4)] == [3, 4, 0, 2]


def test_who_lost_his_connection_sits_in_until_the_hand_ends() -> None:
    """AMB-54, R-PAC-7: a player without connection still gets button and blinds while he has not missed a turn."""
    game = lose(play_on(fixed("pacific", [RICH] * 4)), 1).start()
    assert places(game) == (1, 2, 3)
    assert 1 in dealt(game)


def test_heads_up_the_dealer_posts_the_big_blind_and_acts_last() -> None:
    """G-PAC-13, AMB-02: button A posts the big blind, B the small; B has the first card and acts first always."""
    game = fixed("pacific", [RICH] * 2).start()
    assert posts(game) == [(1, 50, "small"), (0, 100, "big")]
    assert dealt(game) == (1, 0)
    assert openers(game) == [1, 1, 1, 1]


# The deal.


def test_the_deal_starts_left_of_the_big_blind() -> None:
    """G-PAC-6, R-PAC-31, AMB-27: six players, button 0, big blind 2: cards to 3, 4, 5, 0, 1, 2, one each, twice."""
    game = fixed("pacific", [RICH] * 6).start()
    (cards,) = said(game, HoleCardsDealt)
    assert cards.seats == (3, 4, 5, 0, 1, 2)
    assert cards.places == ((0, 6), (1, 7), (2, 8), (3, 9), (4, 10), (5, 11))


def test_a_hand_runs_from_the_blinds_to_the_showdown() -> None:
    """R-PAC-32: small blind, big blind, hole cards, round 1, flop, round 2, turn, round 3, river, round 4, showdown."""
    game = check_down(fixed("pacific", [RICH] * 2).start(hands={0: "AsAd", 1: "KsKd"}, board="2c7d9hTh3s"))
    names = [type(event).__name__ for event in hand_log(game)][2:]
    checks = ["Checked", "Checked"]
    expected = ["BlindPosted", "BlindPosted", "HoleCardsDealt", "Called", "Checked"]
    expected += [*(["StreetDealt", *checks] * 3), "PotSplit", "HandShown", "HandShown", "PotAwarded", "HandEnded"]
    assert names == expected
    assert [blind.blind for blind in said(game, BlindPosted)] == ["small", "big"]
    assert board(game) == ["2c7d9h", "Th", "3s"]


# Acting.


def test_round_one_starts_left_of_the_big_blind_and_later_ones_left_of_the_dealer() -> None:
    """R-PAC-14: always clockwise; a later round begins with the first unfolded player left of the dealer."""
    game = fixed("pacific", [RICH] * 5).start()
    order = []
    for _ in range(5):
        order.append(game.to_act)
        game = game.check() if game.menu.check else game.fold() if game.to_act == 1 else game.call()
    assert order == [3, 4, 0, 1, 2]
    assert game.to_act == 2
    assert game.check().to_act == 3


@pytest.mark.parametrize(("street", "unit"), [(0, 100), (1, 100), (2, 200), (3, 200)])
def test_rounds_one_and_two_move_in_the_lower_limit_the_others_in_the_higher(street: int, unit: int) -> None:
    """R-PAC-3: the one size of a bet or raise is the lower limit in rounds 1 and 2, the higher in rounds 3 and 4."""
    game = reach(fixed("pacific", [RICH] * 3).start(), street)
    size = game.menu.bet_or_raise
    assert size is not None
    assert size.minimum == size.maximum == size.default == game.hand.betting.current_bet + unit


def test_after_the_cap_one_may_only_call_or_fold() -> None:
    """G-PAC-3, R-PAC-16, AMB-24: 100 → 200 → 300 → 400 in round 1; once 400 is reached, everybody calls or folds."""
    game = fixed("pacific", [RICH] * 4).start()
    game.raise_to(200).raise_to(300).raise_to(400)
    assert game.options == {"call 300", "fold"}
    game.refuses(game.raising(500), "RAISE_CAPPED")
    assert game.call().options == {"call 200", "fold"}
    assert game.call().options == {"call 100", "fold"}
    assert game.call().hand.street == 1


def test_the_cap_on_the_turn_is_four_times_the_higher_limit() -> None:
    """G-PAC-3, R-PAC-16: on the turn 200 → 400 → 600 → 800, then call or fold."""
    game = reach(fixed("pacific", [RICH] * 3).start(), 2)
    game.raise_to(200).raise_to(400).raise_to(600).raise_to(800)
    assert bets(game) == [600, 800, 400]
    assert game.options == {"call 400", "fold"}
    game.refuses(game.raising(1000), "RAISE_CAPPED")


def test_a_capped_round_stays_capped_for_two() -> None:
    """AMB-24: folds that leave two players do not open a capped round, and two players have the same cap."""
    game = fixed("pacific", [RICH] * 3).start()
    game.raise_to(200).raise_to(300).raise_to(400).fold()
    assert game.options == {"call 100", "fold"}
    game.call().raise_to(100).raise_to(200).raise_to(300).raise_to(400)
    assert game.options == {"call 100", "fold"}


@pytest.mark.parametrize(
    ("street", "words"), [(0, ["Raise", "Reraise", "Cap"]), (1, ["Bet", "Raise", "Reraise", "Cap"])]
)
def test_the_first_increase_is_a_bet_the_next_are_raises(street: int, words: list[str]) -> None:
    """R-PAC-15, R-PAC-16: bet, Raise, Reraise, Cap; in round 1 the big blind is the bet."""
    game, seen = reach(fixed("pacific", [RICH] * 3).start(), street), []
    while (size := game.menu.bet_or_raise) is not None:
        seen.append(size.label)
        game.raise_to(size.minimum)
    assert seen == words


def test_a_call_matches_at_least_the_big_blind_and_a_fold_forfeits_what_is_in() -> None:
    """R-PAC-15, R-PAC-11: the small blind is live and calls for the rest; a folded blind stays in the pot."""
    game = fixed("pacific", [RICH] * 4).start().call()
    refusal = game.refuses(game.command(Check), "CHECK_NOT_ALLOWED")
    assert refusal.metadata == {"to_call": 100}
    game.fold()
    assert game.options == {"fold", "call 50", "raise 200..200"}
    game.fold().check()
    assert game.stacks == [RICH, RICH - 50, RICH - 100, RICH - 100]
    assert game.hand.pot == 250


def test_the_big_blind_has_the_option() -> None:
    """G-PAC-4, R-PAC-11: three players all call $1; the action returns to the big blind: check, raise or fold."""
    game = fixed("pacific", [RICH] * 3).start().call().call()
    assert game.hand.street == 0
    assert game.to_act == 2
    assert game.options == {"fold", "check", "raise 200..200"}
    assert game.check().hand.street == 1


# How a round ends.


def test_a_round_ends_when_all_check() -> None:
    """R-PAC-17 (a): the turn comes when all have checked, not before."""
    game = reach(fixed("pacific", [RICH] * 3).start(), 1).check().check()
    assert game.hand.street == 1
    assert game.check().hand.street == 2


def test_a_round_ends_when_all_have_matched_the_last_increase() -> None:
    """R-PAC-17 (b): after a raise everybody else has to answer it once more."""
    game = reach(fixed("pacific", [RICH] * 3).start(), 1).raise_to(100).call().raise_to(200).call()
    assert game.hand.street == 1
    assert game.call().hand.street == 2


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_a_hand_ends_when_one_player_is_left(street: int) -> None:
    """R-PAC-17 (c): the last one left gets the pot at once, in any round, and no further street is dealt."""
    game = reach(fixed("pacific", [RICH] * 3).start(), street)
    pot, opener = game.hand.pot, game.to_act
    game.raise_to(game.hand.betting.current_bet + (100 if street < 2 else 200))
    fold_out(game)
    own = 100 if street == 0 else 0
    assert won(game) == {opener: pot + own}
    assert len(said(game, StreetDealt)) == street
    assert len(said(game, Folded)) == 2
