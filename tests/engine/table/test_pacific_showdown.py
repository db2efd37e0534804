"""Pacific Poker at the table: pots, odd chips, who shows and who mucks. Seats count from 0."""

from __future__ import annotations

import pytest

from engine.poker.pots import Pot, visible_pots
from engine.poker.seats import seat_set
from engine.table.commands import Muck, Show
from engine.table.events import (
    Checked,
    HandEnded,
    HandShown,
    PotAwarded,
    RakeTaken,
    ShowOffered,
    UncalledBetReturned,
    WentAllIn,
)
from tests.engine.table.game import Game, tournament
from tests.engine.table.play import (
    check_down,
    fixed,
    fold_out,
    hand_log,
    pots,
    prefer,
    push,
    reach,
    run_out,
    said,
    shows,
    won,
)

RICH = 100_000
ROYAL = "TcJcQcKcAc"
"""A board that plays for everybody."""
DRY = "2c7d9hTs3s"
HANDS = {0: "AsAd", 1: "KsKd", 2: "QsQd", 3: "JsJd"}
"""On a dry board seat 0 has the best hand, then 1, 2 and 3."""


@pytest.mark.parametrize(
    ("better", "worse", "cards"),
    [
        ("AsKs", "9s8s", "TsJsQs2d3c"),
        ("8h9h", "KsKh", "5h6h7hKcKd"),
        ("KsKh", "7c2c", "KcKd7h7d2s"),
        ("7d7s", "Ac3c", "KcKd7c2c9h"),
        ("Ac3c", "8d9d", "5c6d7c2cKh"),
        ("8c9c", "KcKd", "5c6d7hKsQd"),
        ("5d5h", "KcQc", "5c6dJhKsQd"),
        ("6h5h", "AcAd", "5c6dJhKs2d"),
        ("2c7h", "AcQd", "5c6dJhKs2d"),
    ],
)
def test_the_ten_categories_rank_in_their_order(better: str, worse: str, cards: str) -> None:
    """R-PAC-33, R-PAC-18: each of the ten, from royal flush to high card, takes the pot from the one below it."""
    game = check_down(fixed("pacific", [RICH] * 2).start(hands={0: better, 1: worse}, board=cards))
    assert won(game) == {0: 200}


@pytest.mark.parametrize(
    ("hands", "cards", "winners"),
    [
        ({0: "AsAd", 1: "AhKd"}, "2c3d7h8sTc", {0: 200}),
        ({0: "As2d", 1: "KhQd"}, "AcKd7h8sTc", {0: 200}),
        ({0: "2c3d", 1: "2h3s"}, "TcJcQcKcAc", {0: 100, 1: 100}),
    ],
)
def test_any_mix_of_hole_cards_and_board_plays(hands: dict[int, str], cards: str, winners: dict[int, int]) -> None:
    """R-PAC-18, R-PAC-22: two hole cards, one, or none: the board alone plays for both, and they split evenly."""
    game = check_down(fixed("pacific", [RICH] * 2).start(hands=hands, board=cards))
    assert won(game) == winners
    assert len(shows(game)) == 2


# Pots.


def test_every_all_in_has_its_own_pot() -> None:
    """G-PAC-8, R-PAC-20: all-in for 100/300/500/500, best hand first: pots 400, 600 and 400, one each to A, B and C."""
    game = push(fixed("pacific", [100, 300, 500, 500]).start(hands=HANDS, board=DRY))
    assert pots(game) == [(400, (0, 1, 2, 3)), (600, (1, 2, 3)), (400, (2, 3))]
    assert won(game) == {0: 400, 1: 600, 2: 400}
    assert game.stacks[:4] == [400, 600, 400, 0]


def test_the_remainder_goes_to_the_next_best_entitled_hand() -> None:
    """R-PAC-20, AMB-38: with 100/50/200/200 in, the best hand takes two pots, the second best neither."""
    game = push(fixed("pacific", [100, 50, 200, 200], bets=(50, 100)).start(hands=HANDS, board=DRY))
    assert pots(game) == [(200, (0, 1, 2, 3)), (150, (0, 2, 3)), (200, (2, 3))]
    assert won(game) == {0: 350, 2: 200}


def test_ten_all_ins_make_nine_pots_of_which_five_are_shown() -> None:
    """G-PAC-7, R-PAC-21, R-PAC-26: nine contested pots, 100 back to the deepest; players see five, nine are played."""
    game = push(fixed("pacific", range(100, 1001, 100), button=8).start())
    assert [amount for amount, _ in pots(game)] == [1000, 900, 800, 700, 600, 500, 400, 300, 200]
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(9, 100)]
    assert {award.pot for award in said(game, PotAwarded)} == set(range(9))
    played = tuple(Pot(amount, seat_set(seats)) for amount, seats in pots(game))
    assert len(visible_pots(played, game.table.config.rulebook.showdown.max_visible_pots)) == 5


def test_a_folded_players_chips_make_no_contested_pot() -> None:
    """R-PAC-21, AMB-37: chips that only one live player matched are his at once; one all-in makes one contested pot."""
    game = reach(fixed("pacific", [100, RICH, RICH]).start(), 1)
    game.raise_to(100).call().raise_to(200).fold()
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(1, 200)]
    assert pots(game) == [(300, (0, 1)), (200, (1,))]
    awards = [type(event).__name__ for event in game.events]
    assert awards.index("PotAwarded") < awards.index("StreetDealt")


def test_the_winner_has_the_pot_less_rake_and_less_what_a_better_all_in_hand_wins() -> None:
    """R-PAC-19: rake comes out of each pot before it is awarded, and the best hand takes what it is entitled to."""
    game = reach(fixed("pacific", [100, RICH, RICH], rules={"rake.bps": 500}).start(hands=HANDS, board=DRY), 1)
    check_down(game.raise_to(100).call())
    assert pots(game) == [(300, (0, 1, 2)), (200, (1, 2))]
    assert said(game, RakeTaken) == [RakeTaken((15, 10))]
    assert won(game) == {0: 285, 1: 190}


def test_a_player_without_chips_stays_live_and_has_no_more_actions() -> None:
    """R-PAC-25: who runs out of chips without folding is all-in to the showdown; the others play on for a side pot."""
    game = fixed("pacific", [100, RICH, RICH]).start(hands=HANDS, board=DRY).call()
    assert said(game, WentAllIn) == [WentAllIn(0)]
    check_down(game)
    assert {event.seat for event in said(game, Checked)} == {1, 2}
    assert won(game) == {0: 300}


# Odd chips.


def three_way_tie(house: str, button: int) -> Game:
    """Play a pot of 101 that three players tie for: the small blind of 14 folds, the others are in for 29."""
    game = fixed(house, [RICH] * 4, bets=(29, 58), button=button, rules={"rake.bps": 0}).start(board=ROYAL)
    return check_down(game.call().call().fold())


@pytest.mark.parametrize(
    ("house", "shares"),
    [("pacific", (35, 33, 33)), ("planet", (34, 34, 33)), ("freeguide", (34, 34, 33)), ("modern", (34, 34, 33))],
)
@pytest.mark.parametrize("button", range(4))
def test_odd_chips_go_to_the_left_of_the_dealer(house: str, shares: tuple[int, ...], button: int) -> None:
    """G-PAC-9, R-PAC-22, AMB-26: of 101 among three, Pacific gives both odd cents to the first winner."""
    (award,) = said(three_way_tie(house, button), PotAwarded)
    assert award.seats == tuple((button + left) % 4 for left in (2, 3, 4))
    assert award.amounts == shares
    assert award.odd_chips == tuple(share - 33 for share in shares)


def test_each_pot_has_its_own_odd_chips() -> None:
    """AMB-26, R-PAC-22: the odd chips of main and side pot are counted apart; both go to the first winner."""
    game = fixed("pacific", [RICH, RICH, RICH, 25, RICH], bets=(25, 50)).start(board=ROYAL)
    reach(game.call().call().call().fold(), 1)
    reach(game, 1).raise_to(25).call().call()
    check_down(game.raise_to(50).fold().call())
    assert pots(game) == [(112, (0, 2, 3)), (175, (0, 2))]
    assert [award.seats for award in said(game, PotAwarded)] == [(2, 3, 0), (2, 0)]
    assert [award.amounts for award in said(game, PotAwarded)] == [(38, 37, 37), (88, 87)]


@pytest.mark.parametrize(
    ("house", "shares"), [("pacific", (100, 50, 50)), ("planet", (75, 75, 50)), ("freeguide", (75, 75, 50))]
)
def test_tournament_pots_are_split_in_smallest_chips(house: str, shares: tuple[int, ...]) -> None:
    """AMB-26, R-PAC-22: of 8 chips of 25 two are odd: Pacific gives both to the first, others one each."""
    game = tournament(house, [RICH] * 4, limit="fixed_limit", bets=(50, 100), smallest_chip=25).start(board=ROYAL)
    check_down(reach(game, 1).fold())
    (award,) = said(game, PotAwarded)
    assert (award.seats, award.amounts) == ((2, 3, 0), shares)


# Showing and mucking.

FLUSH, STRAIGHT, HEARTS = "Ah9h", "5c4d", "6h7h8c2h3s"


def shown_down(hands: dict[int, str], board: str, bettor: int) -> Game:
    """Play heads-up to a showdown in which `bettor` has bet the river. Seat 1 acts first, seat 0 last."""
    game = reach(fixed("pacific", [RICH] * 2).start(hands=hands, board=board), 3)
    if bettor == 0:
        game.check()
    return check_down(game.raise_to(200))


def test_a_worse_hand_is_mucked_unseen() -> None:
    """G-PAC-12, R-PAC-23: A shows a flush, B holds a straight with auto muck on: B mucks and nobody sees his cards."""
    game = shown_down({0: FLUSH, 1: STRAIGHT}, HEARTS, bettor=0)
    assert shows(game) == [(0, "showdown"), (1, "auto_muck")]
    assert [event.seat for event in said(game, HandShown)] == [0]


def test_an_equal_hand_must_be_shown() -> None:
    """G-PAC-12, AMB-29: a tie is not a lower value: B shows although auto muck is on, and wins half."""
    game = shown_down({0: "As4h", 1: "Ad4s"}, "2c7d9hTsJc", bettor=0)
    assert shows(game) == [(0, "showdown"), (1, "showdown")]
    assert won(game) == {0: 300, 1: 300}


def test_the_first_to_show_cannot_muck() -> None:
    """AMB-29, R-PAC-23: no higher hand is showing yet, so the first hand is shown even though it loses."""
    game = shown_down({0: FLUSH, 1: STRAIGHT}, HEARTS, bettor=1)
    assert shows(game) == [(1, "showdown"), (0, "showdown")]
    assert won(game) == {0: 600}


def test_a_hand_that_wins_only_a_side_pot_must_be_shown() -> None:
    """AMB-29: seat 1 is beaten for the main pot but wins the side pot, so only seat 2 may muck."""
    game = reach(fixed("pacific", [100, RICH, RICH], button=2).start(hands=HANDS, board=DRY), 1)
    check_down(game.raise_to(100).call())
    assert shows(game) == [(0, "showdown"), (1, "showdown"), (2, "auto_muck")]
    assert won(game) == {0: 300, 1: 200}


def asked() -> Game:
    """Return a showdown in which seat 0 has shown a flush and seat 1, with a straight, has auto muck off."""
    game = prefer(fixed("pacific", [RICH] * 2), 1, auto_muck=False).start(hands={0: FLUSH, 1: STRAIGHT}, board=HEARTS)
    return check_down(reach(game, 3).check().raise_to(200))


@pytest.mark.parametrize(("answer", "seen"), [(Muck, [0]), (Show, [0, 1])])
def test_who_has_auto_muck_off_is_asked(answer: type[Muck | Show], seen: list[int]) -> None:
    """R-PAC-23, AMB-29: the pot is awarded at once; then the beaten player may muck, or show if he wants to."""
    game = asked()
    assert won(game) == {0: 600}
    assert said(game, ShowOffered) == [ShowOffered(1)]
    assert shows(game.do(game.command(answer))) == [(0, "showdown"), (1, "chosen")]
    assert [event.seat for event in said(game, HandShown)] == seen
    assert game.table.hand is None


def test_an_unbeaten_hand_is_shown_even_when_it_is_mucked() -> None:
    """AMB-29: the dealer ranks all live hands: a manual muck of an unbeaten hand shows it, and loses no winner."""
    game = prefer(fixed("pacific", [RICH] * 2), 0, auto_muck=False).start(hands={0: FLUSH, 1: STRAIGHT}, board=HEARTS)
    check_down(game)
    assert shows(game) == [(1, "showdown")]
    game.do(game.command(Muck))
    assert shows(game) == [(1, "showdown"), (0, "not_beaten")]
    assert game.table.hand is None


# Won without a showdown.


def test_who_wins_because_all_others_folded_shows_nothing() -> None:
    """G-PAC-11, R-PAC-24: no event reveals a card, the hand ends at once, and a later Show Hand is refused."""
    game = fixed("pacific", [RICH] * 3).start().raise_to(200)
    show = game.command(Show)
    fold_out(game)
    assert shows(game) == []
    assert isinstance(hand_log(game)[-1], HandEnded)
    game.refuses(show, "HAND_NOT_IN_PROGRESS")


def uncontested() -> Game:
    """Return a hand that seat 0 has just won uncontested, with ask to show on."""
    game = prefer(fixed("pacific", [RICH] * 3), 0, ask_to_show=True).start(hands={0: "AsKd"})
    return game.raise_to(200).fold().fold()


def test_show_hand_shows_once_before_the_hand_ends() -> None:
    """G-PAC-11, R-PAC-24: with ask to show on, Show Hand within the time gives exactly one `HandShown`."""
    game = uncontested()
    assert won(game) == {0: 250}
    game.wait(seconds=5).do(game.command(Show))
    (shown,) = said(game, HandShown)
    assert (shown.seat, shown.cause, len(shown.cards)) == (0, "chosen", 2)
    assert isinstance(hand_log(game)[-1], HandEnded)


def test_show_hand_comes_too_late_after_its_time() -> None:
    """G-PAC-11: without Show Hand within `show_seconds` the hand stays hidden, and Show Hand is refused afterwards."""
    game = uncontested()
    show = game.command(Show)
    run_out(game)
    assert game.at_ms == 5000
    assert shows(game) == [(0, "uncontested")]
    game.refuses(show, "HAND_NOT_IN_PROGRESS")
