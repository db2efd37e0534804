"""Planet Poker at the table: the table's box, buy-ins, blinds, order, actions, showdown. Seats count from 0."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.commands import Check, ReserveSeat
from engine.table.events import (
    BlindMissed,
    BlindPosted,
    Folded,
    HandShown,
    HoleCardsDealt,
    SeatReserved,
    StreetDealt,
)
from engine.table.menu import TableInfo, table_info
from tests.engine.table.game import Game, cash, open_table
from tests.engine.table.play import (
    check_down,
    close_round,
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
    prefer,
    reach,
    said,
    shows,
    sit_in,
    sit_out,
    won,
)

RICH = 100_000
DRY = "2c7d9hTs3s"


# The table.


@pytest.mark.parametrize(
    ("terms", "limits", "blinds", "buyin"),
    [
        ({"limit": "fixed_limit", "bets": (400, 800)}, "$4-$8 Fixed Limit", "Blinds: $2/$4", "Minimum Buy-in $40"),
        (
            {"limit": "fixed_limit", "bets": (5, 10)},
            "$.05-$.10 Fixed Limit",
            "Blinds: $.03/$.05",
            "Minimum Buy-in $.50",
        ),
        ({"blinds": (25, 50)}, "$.25-$.50 No Limit", "Blinds: $.25/$.50", "Minimum Buy-in $10, Maximum Buy-in $50"),
    ],
)
def test_the_information_box(terms: dict[str, Any], limits: str, blinds: str, buyin: str) -> None:
    """G-PLA-6, R-PLA-5: on joining, a player reads the game's name, limits and type, blinds and buy-in."""
    game = open_table("planet", **terms)
    assert table_info(game.table) == TableInfo("Test", "Planet Poker", "Hold'em", limits, blinds, buyin)


def test_no_limit_has_a_least_and_a_largest_buy_in() -> None:
    """G-PLA-5, R-PLA-6: at $.25-$.50 $9.99 and $50.01 are refused with the range, $10 and $50 are accepted."""
    game = open_table("planet", blinds=(25, 50))
    least = game.refuses(ReserveSeat("a", 0, 999), "BUYIN_BELOW_MINIMUM")
    most = game.refuses(ReserveSeat("a", 0, 5001), "BUYIN_ABOVE_MAXIMUM")
    assert least.metadata == most.metadata == {"minimum": 1000, "maximum": 5000}
    game.do(ReserveSeat("a", 0, 1000)).do(ReserveSeat("b", 1, 5000))
    assert [seat.amount for seat in game.all(SeatReserved)] == [1000, 5000]


def test_fixed_limit_has_a_least_buy_in_of_ten_small_bets() -> None:
    """G-PLA-5, R-PLA-6: at $4-$8 the minimum is $40, there is no maximum, and the blinds are $2/$4."""
    game = open_table("planet", limit="fixed_limit", bets=(400, 800))
    game.refuses(ReserveSeat("a", 0, 3999), "BUYIN_BELOW_MINIMUM")
    game.do(ReserveSeat("a", 0, 4000)).do(ReserveSeat("b", 1, 10**9))
    assert len(game.all(SeatReserved)) == 2
    assert posts(fixed("planet", [RICH] * 3, bets=(400, 800)).start()) == [(1, 200, "small"), (2, 400, "big")]


# Blinds and the deal.


@pytest.mark.parametrize(("minimum_bet", "small_blind"), [(400, 200), (300, 100), (5, 3)])
def test_the_small_blind_is_half_the_minimum_bet_rounded_down(minimum_bet: int, small_blind: int) -> None:
    """G-PLA-2, R-PLA-12, R-PLA-13, R-PLA-14: left of the button half, next to him the whole minimum bet."""
    game = fixed("planet", [RICH] * 4, bets=(minimum_bet, 2 * minimum_bet), button=2).start()
    assert places(game) == (2, 3, 0)
    assert posts(game) == [(3, small_blind, "small"), (0, minimum_bet, "big")]


def test_the_blinds_are_in_before_cards_are_dealt() -> None:
    """R-PLA-16: all posts, those of late players too, come before the first card."""
    game = join(play_on(fixed("planet", [RICH] * 4 + [None])), 4, plan="post").start()
    names = [type(event).__name__ for event in hand_log(game)]
    assert names[2:] == ["BlindPosted", "BlindPosted", "BlindPosted", "HoleCardsDealt"]


def test_the_deal_starts_left_of_the_button() -> None:
    """G-PAC-6, AMB-27: under Planet six players with the button at 0 are dealt 1, 2, 3, 4, 5, 0, twice."""
    (cards,) = said(fixed("planet", [RICH] * 6).start(), HoleCardsDealt)
    assert cards.seats == (1, 2, 3, 4, 5, 0)
    assert cards.places == ((0, 6), (1, 7), (2, 8), (3, 9), (4, 10), (5, 11))


def test_everybody_owes_both_blinds_once_a_round() -> None:
    """R-PLA-15, R-PLA-12: while the button goes round once, each of four players has each blind exactly once."""
    game = play_on(cash("planet", [RICH] * 4), hands=4)
    posted = game.all(BlindPosted)
    assert [blind.seat for blind in posted if blind.blind == "small"] == [1, 2, 3, 0]
    assert [blind.seat for blind in posted if blind.blind == "big"] == [2, 3, 0, 1]


def returning(seat: int, hands: int, plan: str) -> Game:
    """Return a $1/$2 no-limit hand to which `seat` comes back after sitting out for some hands."""
    game = sit_out(play_on(cash("planet", [RICH] * 5, blinds=(100, 200))), seat)
    return sit_in(play_on(game, hands), seat, "post" if plan == "post" else "wait").start()


def test_who_missed_the_small_blind_pays_it_dead_on_return() -> None:
    """R-PLA-15, AMB-16: the equivalent of one missed small blind is 100 dead: he still owes the whole call of 200."""
    game = returning(2, 1, "post")
    assert [event.blind for event in game.all(BlindMissed)] == ["small"]
    assert posts(game)[2:] == [(2, 100, "dead")]
    assert game.hand.pot == 400
    assert owed(game, 2) == 200


def test_who_missed_both_blinds_pays_both_on_return() -> None:
    """R-PLA-15: the equivalent of both is 200 live and 100 dead."""
    game = returning(3, 2, "post")
    assert [event.blind for event in game.all(BlindMissed)] == ["big", "small"]
    assert posts(game)[2:] == [(3, 200, "entry"), (3, 100, "dead")]
    assert owed(game, 3) == 0


def test_one_may_come_in_on_the_blind() -> None:
    """R-PLA-15: who waits for the big blind, on return or when he first sits down, pays that and nothing else."""
    game = returning(3, 2, "wait")
    fold_out(game)
    join(leave(game, 4), 4)
    while 3 not in dealt(play_on(game)):
        assert 4 not in dealt(game)
    assert places(game)[2] == 3
    assert [post for post in posts(game) if post[0] == 3] == [(3, 200, "big")]
    assert posts(game.start())[1:] == [(4, 200, "big")]


def test_heads_up_the_dealer_posts_the_small_blind() -> None:
    """AMB-02: the button posts the small blind, acts first in round 1, then last; the other has the first card."""
    game = cash("planet", [RICH] * 2).start()
    assert posts(game) == [(0, 50, "small"), (1, 100, "big")]
    assert dealt(game) == (1, 0)
    assert openers(game) == [0, 1, 1, 1]


# Order and actions.


def test_round_one_starts_left_of_the_big_blind() -> None:
    """R-PLA-17: the small blind acts after the button, the big blind after the small blind."""
    game = cash("planet", [RICH] * 5).start()
    order = [game.to_act, *(game.call().to_act for _ in range(4))]
    assert order == [3, 4, 0, 1, 2]


def test_in_round_one_a_player_puts_money_in_or_folds() -> None:
    """G-PLA-7, R-PLA-3, R-PLA-17, AMB-19: "bet or fold" means call, raise or fold; a check is refused."""
    game = cash("planet", [RICH] * 4).start()
    assert game.options == {"fold", "call 100", f"raise 200..{RICH}"}
    refusal = game.refuses(game.command(Check), "CHECK_NOT_ALLOWED")
    assert refusal.metadata == {"to_call": 100}


def test_the_big_blind_may_check_or_raise() -> None:
    """G-PLA-7, R-PLA-18, AMB-19: unraised, the big blind has the option, and his prompt says "Bet"."""
    game = cash("planet", [RICH] * 3).start().call().call()
    assert game.options == {"fold", "check", f"raise 200..{RICH}"}
    assert game.menu.bet_or_raise is not None
    assert game.menu.bet_or_raise.label == "Bet"
    assert game.check().hand.street == 1


def test_a_poster_who_matches_may_check() -> None:
    """AMB-19: besides the big blind only one whose post already matches may check in round 1."""
    game = join(play_on(cash("planet", [RICH] * 4 + [None])), 4, plan="post").start()
    assert game.to_act == 4
    assert game.options == {"fold", "check", f"raise 200..{game.stack(4) + 100}"}


@pytest.mark.parametrize("street", [1, 2, 3])
def test_later_rounds_start_left_of_the_dealer_with_check_bet_or_fold(street: int) -> None:
    """R-PLA-19: without a bet check, bet or fold; after a bet call, raise or fold."""
    game = reach(cash("planet", [RICH] * 3).start(), street)
    assert game.to_act == 1
    assert game.options == {"fold", "check", f"bet 100..{RICH - 100}"}
    assert game.raise_to(300).options == {"fold", "call 300", f"raise 600..{RICH - 100}"}


def test_a_fold_is_accepted_although_a_check_is_free() -> None:
    """G-PLA-8, R-PLA-19: on the flop without a bet a fold is accepted, and the hand is dead."""
    game = reach(cash("planet", [RICH] * 3).start(), 1).fold()
    assert game.events == (Folded(1),)
    assert game.check().check().hand.street == 2
    assert game.to_act == 2


@pytest.mark.parametrize("street", [1, 2, 3])
def test_check_raise_is_allowed(street: int) -> None:
    """R-PLA-3: who has checked may raise when somebody bets after him."""
    game = reach(fixed("planet", [RICH] * 2).start(), street)
    unit = 100 if street == 1 else 200
    game.check().raise_to(unit)
    assert f"raise {2 * unit}..{2 * unit}" in game.options


# The end of the hand.


def test_four_rounds_and_a_showdown() -> None:
    """R-PLA-2: a round before the flop, one each after flop, turn and river; with equal bets the cards are shown."""
    game = cash("planet", [RICH] * 3).start()
    rounds = [game.hand.street]
    while close_round(game).table.hand is not None:
        rounds.append(game.hand.street)
    assert rounds == [0, 1, 2, 3]
    assert [street.street for street in said(game, StreetDealt)] == ["flop", "turn", "river"]
    assert shows(game)


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_one_player_left_takes_the_pot_without_showdown(street: int) -> None:
    """R-PLA-2: at the end of any round; the winner shows nothing, whatever his preference says."""
    game = prefer(prefer(cash("planet", [RICH] * 2), 0, ask_to_show=True), 1, ask_to_show=True)
    reach(game.start(), street).fold()
    assert len(said(game, StreetDealt)) == street
    assert shows(game) == []
    assert game.table.hand is None


@pytest.mark.parametrize(
    ("hands", "board", "winners"),
    [
        ({0: "AsAd", 1: "AhKd"}, DRY, {0: 200}),
        ({0: "As2d", 1: "KhQd"}, "AcKd7h8sTc", {0: 200}),
        ({0: "2c3d", 1: "2h3s"}, "TcJcQcKcAc", {0: 100, 1: 100}),
    ],
)
def test_none_one_or_both_hole_cards_play(hands: dict[int, str], board: str, winners: dict[int, int]) -> None:
    """R-PLA-1: the best five of seven, with two, one or none of the hole cards."""
    assert won(check_down(cash("planet", [RICH] * 2).start(hands=hands, board=board))) == winners


HANDS = {0: "AsAd", 1: "KsKd", 2: "QsQd"}


def test_the_last_to_open_or_raise_shows_first() -> None:
    """R-PLA-20, AMB-28: seat 2 raised last on the river and shows first; the worse hand then is mucked unseen."""
    game = reach(cash("planet", [RICH] * 3).start(hands=HANDS, board=DRY), 3)
    game.raise_to(100).raise_to(200).call().call()
    assert shows(game) == [(2, "showdown"), (0, "showdown"), (1, "auto_muck")]
    assert [event.seat for event in said(game, HandShown)] == [2, 0]


def test_after_a_checked_river_the_first_left_of_the_button_shows() -> None:
    """G-PLA-9, AMB-28: nobody opened in the final round, though seat 2 bet the turn: seat 1 shows first."""
    game = reach(cash("planet", [RICH] * 3).start(hands=HANDS, board=DRY), 2)
    check_down(game.check().raise_to(100).call().call())
    assert shows(game) == [(1, "showdown"), (2, "auto_muck"), (0, "showdown")]
