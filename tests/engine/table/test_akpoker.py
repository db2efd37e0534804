"""AKPokerClub at the table: its limits, blinds and order of play. Seats count from 0, golden tests from 1."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Rejected
from engine.rulebooks.loading import load, rulebook_hash
from engine.table.commands import ReserveSeat, StartHand
from engine.table.events import (
    HandStarted,
    HoleCardsDealt,
    PlayerLeft,
    SeatReserved,
    StreetDealt,
    WentAllIn,
)
from tests.engine.table.game import Game, cash, open_table, seat_players
from tests.engine.table.play import (
    check_down,
    dealt,
    fixed,
    join,
    leave,
    places,
    play_on,
    posts,
    pots,
    reach,
    said,
)

RICH = 100_000


def akpoker(stacks: list[int | None], **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a 1/2 table, no limit unless told otherwise; seat 0 has the button."""
    return cash("akpoker", stacks, blinds=(100, 200), **terms)


def raise_to_max(game: Game) -> int:
    """Return the largest bet or raise on the menu."""
    offer = game.menu.bet_or_raise
    assert offer is not None
    return offer.maximum


# The table.


@pytest.mark.parametrize("players", [2, 10])
def test_a_hand_is_two_cards_each_and_five_on_the_board(players: int) -> None:
    """R-AKP-1: two to ten players get two cards each of 52 and share five."""
    game = check_down(akpoker([RICH] * players).start())
    (cards,) = said(game, HoleCardsDealt)
    assert len(cards.seats) == players
    assert len({place for pair in cards.places for place in pair}) == 2 * players
    assert [len(street.cards) for street in said(game, StreetDealt)] == [3, 1, 1]


@pytest.mark.parametrize("seats", [1, 11])
def test_no_table_has_one_seat_or_eleven(seats: int) -> None:
    """R-AKP-1: tables have 2 to 10 seats."""
    with pytest.raises(Rejected, match="SEATS_NOT_OFFERED"):
        open_table("akpoker", seats=seats)


def test_every_hand_names_the_rules_in_force() -> None:
    """R-AKP-27: a hand says by which rulebook, version and text it is played."""
    rules = load("akpoker")
    (started,) = said(akpoker([RICH] * 3).start(), HandStarted)
    named = (started.rulebook_id, started.rulebook_version, started.rulebook_hash)
    assert named == ("akpoker", 1, rulebook_hash(rules))


@pytest.mark.parametrize(
    ("limit", "amount", "reason"),
    [
        ("no_limit", 1900, "BUYIN_BELOW_MINIMUM"),
        ("no_limit", 2000, ""),
        ("no_limit", 20_000, ""),
        ("no_limit", 20_100, "BUYIN_ABOVE_MAXIMUM"),
        ("pot_limit", 1999, "BUYIN_BELOW_MINIMUM"),
        ("pot_limit", 2000, ""),
        ("pot_limit", 20_001, "BUYIN_ABOVE_MAXIMUM"),
        ("fixed_limit", 999, "BUYIN_BELOW_MINIMUM"),
        ("fixed_limit", 1000, ""),
        ("fixed_limit", 10**15, ""),
    ],
)
def test_buyins_follow_from_the_blinds(limit: Any, amount: int, reason: str) -> None:  # noqa: ANN401 - a literal.
    """R-AKP-18, R-AKP-19, G-AKP-4: 10 big blinds and no maximum at fixed limit; else 20 small to 100 big blinds."""
    bets = (100, 200) if limit == "fixed_limit" else None
    game = open_table("akpoker", limit=limit, blinds=(100, 200), bets=bets)
    request = ReserveSeat("p0", 0, amount)
    if reason:
        game.refuses(request, reason)
    else:
        assert game.do(request).last(SeatReserved).amount == amount


def test_no_chips_leave_the_table_until_the_player_does() -> None:
    """R-AKP-21: who leaves takes all his chips, and nothing takes any before."""
    game = play_on(akpoker([3000, 3000, 3000]))
    whole = game.stack(1)
    assert leave(game, 1).last(PlayerLeft).amount == whole


# The limits.


@pytest.mark.parametrize(
    ("street", "offer"), [(0, "raise 200..200"), (1, "bet 100..100"), (2, "bet 200..200"), (3, "bet 200..200")]
)
def test_fixed_limit_moves_in_units(street: int, offer: str) -> None:
    """R-AKP-2: bets and raises are exactly the small unit in rounds 1 and 2 and exactly double in 3 and 4."""
    assert offer in reach(fixed("akpoker", [RICH] * 3).start(), street).options


@pytest.mark.parametrize(("house", "most"), [("akpoker", 3000), ("planet", 4000)])
def test_a_pot_limit_raise_is_measured_before_the_call(house: str, most: int) -> None:
    """R-AKP-3, G-AKP-1: 10 in the pot, bet 10: the next may bet 30 in total; 40 where the call counts."""
    game = reach(cash(house, [RICH] * 5, limit="pot_limit", blinds=(100, 200)).start(), 1)
    game.raise_to(1000)
    assert game.menu.call == 1000
    assert raise_to_max(game) == most


@pytest.mark.parametrize(("house", "first", "small"), [("akpoker", 500, 500), ("planet", 700, 600)])
def test_the_same_formula_holds_in_round_one(house: str, first: int, small: int) -> None:
    """G-AKP-1: at 1/2 the first to act may raise to 500 (usual 700), the small blind to 500 (usual 600)."""
    game = cash(house, [RICH] * 3, limit="pot_limit", blinds=(100, 200)).start()
    assert raise_to_max(game) == first
    assert raise_to_max(game.fold()) == small


@pytest.mark.parametrize(("house", "most"), [("akpoker", 2000), ("planet", 2500)])
def test_ten_plus_five_leads_to_twenty(house: str, most: int) -> None:
    """G-AKP-1: pot 10, bet 5: this house lets 20 be put in, the usual reading 25."""
    game = reach(cash(house, [RICH] * 5, limit="pot_limit", blinds=(100, 200)).start(), 1)
    assert raise_to_max(game.raise_to(500)) == most


@pytest.mark.parametrize("house", ["akpoker", "planet"])
def test_an_opening_bet_is_at_most_the_pot(house: str) -> None:
    """G-AKP-2: with 10 in the pot the first bet is at most 10 in both readings."""
    game = reach(cash(house, [RICH] * 5, limit="pot_limit", blinds=(100, 200)).start(), 1)
    assert "bet 200..1000" in game.options


def test_pot_limit_raises_are_not_counted() -> None:
    """R-AKP-3: pot limit has no cap on the number of raises."""
    game = akpoker([10**9] * 2, limit="pot_limit").start()
    for _ in range(9):
        game.raise_to(raise_to_max(game))
    assert game.menu.bet_or_raise is not None


def test_no_limit_is_any_amount_from_the_big_blind_on() -> None:
    """R-AKP-4: the least bet is the big blind, the largest everything one has."""
    game = reach(akpoker([5000] * 3).start(), 1)
    assert "bet 200..4800" in game.options
    game.refuses(game.raising(199), "BET_BELOW_MINIMUM")


# Button and blinds.


def test_the_first_to_sit_deals_first() -> None:
    """R-AKP-5: in a cash game the first player to take a seat is the first dealer."""
    game = open_table("akpoker", blinds=(100, 200))
    for seat in (4, 1, 2):
        join(game, seat)
    assert places(game.start()) == (4, 1, 2)


def test_the_button_moves_from_player_to_player() -> None:
    """R-AKP-6: it moves clockwise with each hand, past empty seats."""
    game = akpoker([RICH, RICH, None, RICH], seats=4)
    assert [places(play_on(game))[0] for _ in range(4)] == [0, 1, 3, 0]


def test_blinds_are_left_of_the_dealer() -> None:
    """R-AKP-7: small blind left of the dealer, big blind next, exactly twice as large."""
    assert posts(akpoker([RICH] * 4).start()) == [(1, 100, "small"), (2, 200, "big")]


@pytest.mark.parametrize(("blinds", "offered"), [((2, 5), False), ((12, 25), False), ((5, 10), True)])
def test_the_small_blind_is_exactly_half(blinds: tuple[int, int], *, offered: bool) -> None:
    """R-AKP-7, G-AKP-5: big blinds of 5 and 25 have no half and are refused; 10 has 5."""
    if offered:
        assert open_table("akpoker", blinds=blinds).table.terms.stakes.small_blind == blinds[0]
    else:
        with pytest.raises(Rejected, match="SMALL_BLIND_INVALID"):
            open_table("akpoker", blinds=blinds)


@pytest.mark.parametrize(("bets", "small"), [((100, 200), 50), ((300, 600), 150)])
def test_the_small_blind_of_fixed_limit_is_half_the_small_bet(bets: tuple[int, int], small: int) -> None:
    """G-AKP-4, G-AKP-5: 1/2 limit has blinds 0.50 and 1; $3/$6 has a small blind of 1.50."""
    stakes = open_table("akpoker", limit="fixed_limit", bets=bets).table.terms.stakes
    assert (stakes.small_blind, stakes.big_blind) == (small, bets[0])


def test_a_short_big_blind_is_all_in_and_the_call_stays_whole() -> None:
    """R-AKP-8, G-AKP-6: the big blind posts his 1; the others call 2; the main pot takes 1 from each."""
    game = akpoker([5000, 5000, 100]).start()
    assert said(game, WentAllIn) == [WentAllIn(2)]
    assert game.menu.call == 200
    assert pots(check_down(game)) == [(300, (0, 1, 2)), (200, (0, 1))]


def test_a_short_small_blind_is_all_in() -> None:
    """R-AKP-8: a player short of the blind posts all he has."""
    game = akpoker([5000, 60, 5000]).start()
    assert posts(game) == [(1, 60, "small"), (2, 200, "big")]
    assert said(game, WentAllIn) == [WentAllIn(1)]


HEADS_UP = [("akpoker", 1), ("planet", 0), ("freeguide", 0), ("modern", 0)]


@pytest.mark.parametrize(("house", "small"), HEADS_UP)
def test_heads_up_blinds_and_order(house: str, small: int) -> None:
    """R-AKP-9, G-AKP-3: the dealer posts the big blind and is last in every round; elsewhere he posts the small."""
    game = cash(house, [RICH] * 2, blinds=(100, 200)).start()
    assert posts(game) == [(small, 100, "small"), (1 - small, 200, "big")]
    assert dealt(game) == (1, 0)
    assert game.to_act == small
    assert [reach(game, street).to_act for street in (1, 2, 3)] == [1, 1, 1]


def test_a_tournament_draws_for_the_button() -> None:
    """R-AKP-5: players who are seated at the same time draw cards before the first hand."""
    game = seat_players(open_table("akpoker", kind="tournament", unit="chips/SNG1"), [RICH] * 3)
    game.refuses(StartHand(), "BUTTON_NOT_DRAWN")
