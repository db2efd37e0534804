"""freeguide2poker at the table: blinds or antes only, order, limits, burns, kickers. Seats count from 0."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from engine.errors import Reason, Rejected
from engine.poker.cards import ALL_CARDS, cards_text, parse_cards
from engine.poker.deck import ShownCard
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.table.commands import Check, CreateTable, Muck, Show
from engine.table.decide import decide
from engine.table.events import HandEnded, HoleCardsDealt, StreetDealt
from engine.table.evolve import replay
from engine.table.menu import table_info
from tests.engine.table.game import Game, cash, open_table, seat_players, with_button
from tests.engine.table.play import (
    bets,
    check_down,
    dealt,
    fixed,
    fold_out,
    hand_log,
    join,
    openers,
    places,
    play_on,
    posts,
    prefer,
    reach,
    said,
    shows,
    won,
)

RICH = 100_000


# The table.


@pytest.mark.parametrize("players", [2, 10])
def test_two_to_ten_players(players: int) -> None:
    """R-FRE-1: from two to ten players are dealt in to one hand."""
    assert len(dealt(cash("freeguide", [RICH] * players).start())) == players


@pytest.mark.parametrize("blinds", [(50, 100), (40, 100), (99, 100)])
def test_the_small_blind_is_usually_half(blinds: tuple[int, int]) -> None:
    """R-FRE-5: small blind left of the dealer, as the table states it; the big blind is the minimum bet."""
    game = cash("freeguide", [RICH] * 3, blinds=blinds).start()
    assert posts(game) == [(1, blinds[0], "small"), (2, blinds[1], "big")]
    assert reach(game, 1).options == {"fold", "check", f"bet {blinds[1]}..{RICH - 100}"}


def test_the_button_rotates_clockwise() -> None:
    """R-FRE-5: after each hand the button goes to the next player."""
    game = cash("freeguide", [RICH] * 4)
    assert [places(play_on(game))[0] for _ in range(5)] == [0, 1, 2, 3, 0]


def test_heads_up_the_dealer_posts_the_small_blind() -> None:
    """AMB-02: the button posts the small blind, acts first in round 1 and last on flop, turn and river."""
    game = cash("freeguide", [RICH] * 2).start()
    assert posts(game) == [(0, 50, "small"), (1, 100, "big")]
    assert openers(game) == [0, 1, 1, 1]


# The deal.


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_the_deal_starts_left_of_the_dealer_and_ends_with_him(players: int) -> None:
    """R-FRE-12, G-PAC-6, AMB-27: two cards each, one at a time."""
    (cards,) = said(cash("freeguide", [RICH] * players).start(), HoleCardsDealt)
    assert cards.seats == (*range(1, players), 0)
    assert cards.places == tuple((player, players + player) for player in range(players))


@pytest.mark.parametrize(
    ("house", "board"),
    [
        ("freeguide", [[8, 9, 10], [12], [14]]),
        ("pacific", [[8, 9, 10], [11], [12]]),
        ("planet", [[8, 9, 10], [11], [12]]),
    ],
)
def test_turn_and_river_are_preceded_by_a_burn(house: str, board: list[list[int]]) -> None:
    """R-FRE-13, AMB-46: four players: freeguide burns a card before turn and river, the online rooms none."""
    streets = said(check_down(fixed(house, [RICH] * 4).start()), StreetDealt)
    assert [[card.index for card in street.cards] for street in streets] == board


def cards_in(value: object) -> Iterator[str]:
    """Return every card that is turned up anywhere in a value."""
    if isinstance(value, ShownCard):
        yield cards_text([value.card])
    elif isinstance(value, tuple):
        for item in value:
            yield from cards_in(item)
    elif isinstance(value, msgspec.Struct):
        yield from cards_in(msgspec.structs.astuple(value))


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_hole_cards_are_private_until_the_end(street: int) -> None:
    """R-FRE-3: until the showdown the events hold no card but those of the board; a hand won by folds shows none."""
    game = reach(cash("freeguide", [RICH] * 3).start(board="2c7d9hTs3s"), street)
    fold_out(game)
    assert list(cards_in(tuple(hand_log(game)))) == ["2c", "7d", "9h", "Ts", "3s"][: street + 2 if street else 0]


# Order and actions.


def test_round_one_opens_left_of_the_big_blind_later_ones_left_of_the_dealer() -> None:
    """R-FRE-4: with the button at 0 seat 3 opens round 1, seat 1 the others."""
    game = cash("freeguide", [RICH] * 5).start()
    assert openers(game) == [3, 1, 1, 1]


def test_the_first_to_act_cannot_check_in_round_one() -> None:
    """R-FRE-14: he calls, raises or folds; the big blind is live, and its owner may raise when it is only called."""
    game = cash("freeguide", [RICH] * 3).start()
    game.refuses(game.command(Check), "CHECK_NOT_ALLOWED")
    game.call().call()
    assert game.to_act == 2
    assert game.options == {"fold", "check", f"raise 200..{RICH}"}
    assert game.raise_to(300).to_act == 0


@pytest.mark.parametrize(("street", "unit"), [(0, 200), (1, 200), (2, 400), (3, 400)])
def test_limit_moves_in_one_and_two_big_blinds(street: int, unit: int) -> None:
    """R-FRE-6: rounds 1 and 2 move in big blinds, rounds 3 and 4 in twice as much; any other size is refused."""
    game = reach(fixed("freeguide", [RICH] * 3, bets=(200, 400)).start(), street)
    level = game.hand.betting.current_bet + unit
    assert f"{level}..{level}" in " ".join(game.options)
    refusal = game.refuses(game.raising(level + 1), "BET_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": level, "maximum": level}


def test_no_limit_goes_from_the_least_raise_to_all_chips() -> None:
    """R-FRE-7: any amount over the minimum raise, up to everything he has at the table."""
    game = cash("freeguide", [RICH, 7000, 8000]).start().raise_to(350)
    assert game.options == {"fold", "call 300", "raise 600..7000"}
    game.refuses(game.raising(7001), "BET_ABOVE_MAXIMUM")
    assert game.all_in().options == {"fold", "call 6900", "raise 8000..8000"}


def test_the_maximum_raise_of_pot_limit_is_the_pot() -> None:
    """R-FRE-8: pot 600, bet 300: the pot after the call is 1200, so the raise goes from 300 to 1500."""
    game = reach(cash("freeguide", [RICH] * 3, limit="pot_limit", blinds=(100, 200)).start(), 1).raise_to(300)
    assert game.options == {"fold", "call 300", "raise 600..1500"}
    refusal = game.refuses(game.raising(1501), "BET_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 600, "maximum": 1500}


# Without blinds.


def ante_only(**terms: object) -> Game:
    """Return a hand of three players at a table with antes of 10, a least bet of 100 and no blinds."""
    return cash("freeguide", [RICH] * 3, blinds=None, ante=("each", 10), **terms).start()  # type: ignore[arg-type]


def test_without_blinds_round_one_opens_left_of_the_dealer() -> None:
    """G-FRE-5, R-FRE-4, AMB-48: antes only: the player left of the dealer opens round 1 and may check."""
    game = ante_only()
    assert posts(game) == [(1, 10, "ante"), (2, 10, "ante"), (0, 10, "ante")]
    assert bets(game) == [0, 0, 0]
    assert game.to_act == 1
    assert game.options == {"fold", "check", f"bet 100..{RICH - 10}"}


def test_without_blinds_a_round_of_checks_deals_the_flop() -> None:
    """G-FRE-5, R-FRE-4: nobody has an option; when all three have checked, the flop comes and seat 1 opens again."""
    game = ante_only().check().check()
    assert game.hand.street == 0
    assert game.check().hand.street == 1
    assert game.to_act == 1


def test_without_blinds_the_deal_starts_left_of_the_dealer() -> None:
    """G-FRE-5, R-FRE-12: there is no big blind; positions are -1, and the box tells the ante."""
    game = ante_only()
    assert places(game) == (0, -1, -1)
    assert dealt(game) == (1, 2, 0)
    assert table_info(game.table).blinds == "Ante: $.10"


def test_without_blinds_the_dealer_is_last_in_every_round() -> None:
    """R-FRE-4, G-FRE-5: heads-up too the player left of the dealer opens all four rounds."""
    game = cash("freeguide", [RICH] * 2, blinds=None, ante=("each", 10)).start()
    assert openers(game) == [1, 1, 1, 1]


def test_without_blinds_a_newcomer_pays_the_ante_alone() -> None:
    """AMB-48, R-FRE-4: there is no blind to wait for or to post: he is dealt in to the next hand."""
    game = join(fold_out(ante_only(seats=4)), 3).start()
    assert posts(game) == [(2, 10, "ante"), (3, 10, "ante"), (0, 10, "ante"), (1, 10, "ante")]
    assert 3 in dealt(game)


def test_without_blinds_limit_has_a_bet_and_three_raises() -> None:
    """R-FRE-4, R-FRE-6: round 1 begins without a bet: 100, 200, 300, 400, then call or fold."""
    offer = StakesOffer(small_bet=100, big_bet=200, big_blind=0, ante_type="each", ante=10)
    stakes = agree_stakes(load("freeguide"), offer, "fixed_limit", "cash")
    opened = replay(decide(None, CreateTable("T1", "Test", "cash", "USD", 3, load("freeguide"), stakes), 0), 0)
    assert opened is not None
    game = with_button(seat_players(Game(opened), [RICH] * 3), 0).start()
    assert game.options == {"fold", "check", "bet 100..100"}
    game.raise_to(100).raise_to(200).raise_to(300).raise_to(400)
    assert game.options == {"fold", "call 200"}


def test_beside_blinds_a_short_stack_pays_its_blind_before_its_ante() -> None:
    """R-FRE-5, AMB-49: of 105 the big blind of 100 is paid first, then 5 of the ante of 10."""
    game = cash("freeguide", [RICH, RICH, 105], ante=("each", 10)).start()
    assert posts(game) == [(1, 10, "ante"), (2, 5, "ante"), (0, 10, "ante"), (1, 50, "small"), (2, 100, "big")]
    assert game.menu.call == 100


@pytest.mark.parametrize("house", ["planet", "akpoker"])
def test_other_houses_have_no_table_without_blinds(house: str) -> None:
    """AMB-48, R-FRE-4: of the houses only freeguide plays for antes alone."""
    with pytest.raises(Rejected) as refusal:
        open_table(house, blinds=None, ante=("each", 10))
    assert refusal.value.reason == Reason.ANTE_NOT_OFFERED


# The end of a hand.


def test_a_hand_is_won_by_everyone_else_folding() -> None:
    """R-FRE-2, R-FRE-9: the last one left takes the pot at once, and no hand is compared or shown."""
    game = fold_out(cash("freeguide", [RICH] * 3).start().raise_to(300))
    assert won(game) == {0: 250}
    assert shows(game) == []


@pytest.mark.parametrize("answer", [Show, Muck])
def test_an_uncontested_winner_need_not_show(answer: type[Show | Muck]) -> None:
    """R-FRE-9: asked because he wishes to be, he may show or not; the pot is his already."""
    game = prefer(cash("freeguide", [RICH] * 2), 0, ask_to_show=True).start().raise_to(300).fold()
    assert won(game) == {0: 200}
    game.do(game.command(answer))
    assert shows(game) == [(0, "chosen" if answer is Show else "uncontested")]
    assert isinstance(hand_log(game)[-1], HandEnded)


FOUR = {0: "KhQh", 1: "QsTd", 2: "Tc9c", 3: "Jc2c"}
"""Leon, Rhys, Lisa and Steve of the document's example of kickers."""


@pytest.mark.parametrize(
    ("hands", "board", "winners"),
    [
        (FOUR, "8sQc8h4c2h", {0: 400}),
        (FOUR, "8sQc8h4c7c", {3: 400}),
        (FOUR, "8sQc8h4cJd", {2: 400}),
        (FOUR, "8sQc8h4cAs", {0: 200, 1: 200}),
        ({0: "2hKs", 1: "3cKd", 2: "4c4d"}, "AhQh9h8h6h", {0: 100, 1: 100, 2: 100}),
        ({0: "2hKs", 1: "3cKd", 2: "7h4d"}, "AhQh9h8h6h", {2: 300}),
        ({0: "5hKs", 1: "AhKd"}, "6h7h8h9hKh", {0: 200}),
        ({0: "2c3d", 1: "2d3h", 2: "2h3s"}, "TcJcQcKcAc", {0: 100, 1: 100, 2: 100}),
        ({0: "QdQh", 1: "8c8d", 2: "7s7c", 3: "AcAd"}, "2c3d7h8sQc", {0: 400}),
    ],
)
def test_who_wins_the_pot(hands: dict[int, str], board: str, winners: dict[int, int]) -> None:
    """G-FRE-2, G-FRE-3, R-FRE-2, R-FRE-10, R-FRE-11, R-FRE-15: kickers, flushes, the board, and the lowest nuts."""
    game = check_down(cash("freeguide", [RICH] * len(hands)).start(hands=hands, board=board))
    assert won(game) == winners


def test_no_hand_beats_three_queens_on_the_lowest_board() -> None:
    """G-FRE-4, R-FRE-15: on 2-3-7-8-Q without three of a suit the queens win against every other hand dealt."""
    taken = set(parse_cards("2c3d7h8sQcQdQh"))
    rest = [card for card in ALL_CARDS if card not in taken]
    for start in range(0, len(rest) - 17, 9):
        others = {seat: cards_text(rest[start + 2 * seat - 2 : start + 2 * seat]) for seat in range(1, 10)}
        game = cash("freeguide", [RICH] * 10).start(hands={0: "QdQh", **others}, board="2c3d7h8sQc")
        assert won(check_down(game)) == {0: 1000}
