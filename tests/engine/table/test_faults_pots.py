"""Faults of other engines, sections C and D: pots, side pots, uncalled bets and odd chips.

p1 of the list of faults sits in seat 0 with the small blind, p2 in seat 1 with the big blind, and the last has the
button; of two players p1 has the big blind.
"""

from __future__ import annotations

import pytest

from engine.poker.pots import OddChipRule
from engine.table.events import (
    Bet,
    Called,
    Folded,
    HandEnded,
    PotAwarded,
    UncalledBetReturned,
    WentAllIn,
)
from engine.table.evolve import replay
from tests.engine.table.game import Game, unraked
from tests.engine.table.play import check_down, pots, reach, said, won

P1, P2, P3, P4, P5, _, _, P8, P9, P10 = range(10)
BOARD = "Qs9c4sAs8d"
"""Whoever has an ace has a pair of them, and three with another."""


def three_way_all_in() -> Game:
    """Play p1 100 best, p2 and p3 200 tied, p4 200 worst: all of them all-in."""
    game = unraked([100, 200, 200, 200])
    game.start(hands={P1: "QdQc", P2: "AhKd", P3: "AdKc", P4: "2d3d"}, board=BOARD)
    return game.all_in().all_in().all_in().all_in()


def test_a_player_all_in_keeps_his_pot_over_a_street_without_bets() -> None:
    """FAULT-43: the button is all-in for 100 and best; later bets make a side pot for the better of the others."""
    game = unraked([1000, 1000, 100], blinds=(25, 50))
    game.start(hands={P1: "KdKc", P2: "JdJc", P3: "AdAc"}, board=BOARD).all_in().call().call()
    game.check().check().raise_to(100).call().check().check()
    assert pots(game) == [(300, (P1, P2, P3)), (200, (P1, P2))]
    assert won(game) == {P3: 300, P1: 200}


def test_who_folds_has_no_claim_to_any_pot() -> None:
    """FAULT-44: p3 folds to a bet on the side, which comes back; the main pot is between the other two."""
    game = unraked([100, 1000, 1000])
    game.start(hands={P1: "KdKc", P2: "JdJc", P3: "AdAc"}, board=BOARD).call().call().check()
    game.raise_to(200).fold()
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(P2, 200)]
    assert pots(game) == [(300, (P1, P2))]
    assert won(game) == {P1: 300}


def test_the_last_one_left_wins_whatever_he_holds() -> None:
    """FAULT-46: aces fold, seven-deuce remains and takes the pot; no hand is compared."""
    game = unraked([1000, 1000, 1000]).start(hands={P1: "AdAh", P2: "7d2c"}, board=BOARD)
    game.fold().fold()
    assert won(game) == {P2: 100}
    assert game.stacks[:3] == [950, 1050, 1000]


def test_a_folded_small_blind_gets_nothing() -> None:
    """FAULT-47: p3 limps, p1 folds the best hand and ends with 50 less."""
    game = unraked([1000, 1000, 1000]).start(hands={P1: "AdAc"}, board=BOARD).call().fold()
    check_down(game)
    assert game.stack(P1) == 950
    assert P1 not in won(game)


def test_all_in_is_not_folded() -> None:
    """FAULT-47: a player without chips behind is live and may win, a folded one with chips is not."""
    game = unraked([100, 1000, 1000]).start().call().call().check().fold()
    assert said(game, WentAllIn) == [WentAllIn(P1)]
    assert said(game, Folded) == [Folded(P2)]
    assert pots(game) == [(300, (P1, P3))]


def test_each_pot_has_its_own_best_hands() -> None:
    """FAULT-49: p1 is best and wins the main pot of 400, p2 and p3 tie for the side pot of 300, p4 loses."""
    assert three_way_all_in().last(HandEnded).stacks == (400, 150, 150, 0)


def test_a_short_all_in_does_not_win_the_side_pot() -> None:
    """FAULT-61: there are two pots, so the best hand with 100 of 700 in gets 400 and not all of it."""
    game = three_way_all_in()
    assert pots(game) == [(400, (P1, P2, P3, P4)), (300, (P2, P3, P4))]
    assert said(game, PotAwarded) == [PotAwarded(0, (P1,), (400,), (0,)), PotAwarded(1, (P2, P3), (150, 150), (0, 0))]


def test_two_with_chips_bet_on_when_a_third_is_all_in() -> None:
    """FAULT-50: beside a small blind all-in for 50 the others bet on, and further bets go to the side pot."""
    game = unraked([50, 1000, 1000]).start().call().check()
    assert (game.to_act, game.options) == (P2, {"fold", "check", "bet 100..900"})
    check_down(game.raise_to(100).call())
    assert pots(game) == [(150, (P1, P2, P3)), (300, (P2, P3))]


def test_an_all_in_matched_exactly_makes_one_pot() -> None:
    """FAULT-53: 500 against 500 is one pot of 1000, with no empty pot beside it."""
    game = unraked([500, 500]).start().all_in().call()
    assert pots(game) == [(1000, (P1, P2))]


def test_an_uncalled_bet_is_no_winnings() -> None:
    """FAULT-55: a bet of 300 into 200 comes back before the pot of 200 is awarded."""
    game = unraked([1000, 1000]).start().call().check().raise_to(300).fold()
    assert game.events[:3] == (Folded(P2), UncalledBetReturned(P1, 300), PotAwarded(0, (P1,), (200,), (0,)))


def test_the_part_of_a_bet_that_came_back_was_never_bet() -> None:
    """FAULT-56: 254 on the river is called all-in for 220: both have put in 220, and 34 comes back."""
    game = reach(unraked([1000, 320]).start(), 3).raise_to(254).call()
    assert (game.last(Bet).amount, game.last(Called).amount) == (254, 220)
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(P1, 34)]
    assert pots(game) == [(200 + 220 + 220, (P1, P2))]


def test_three_all_ins_over_a_folded_blind_add_up() -> None:
    """FAULT-58: the profits are +179840, -200, -89820 and -89820, and 30540 comes back."""
    stacks = [120_360, 100_000, 89_820, 89_820]
    game = unraked(stacks, blinds=(100, 200)).start(hands={P1: "AdAc"}, board=BOARD)
    game.all_in().call().all_in().fold()
    assert said(game, UncalledBetReturned) == [UncalledBetReturned(P1, 30_540)]
    profits = [after - before for after, before in zip(game.stacks, stacks, strict=False)]
    assert profits == [179_840, -200, -89_820, -89_820]


def test_nothing_is_left_in_the_middle() -> None:
    """FAULT-59: each pot is paid once, to those with a claim to it, and before the hand ends nothing is left."""
    game = three_way_all_in()
    before_the_end = game.log[: game.log.index(game.last(HandEnded))]
    table = replay(before_the_end, 0)
    assert table is not None
    assert table.hand is not None
    assert (table.hand.pot, [pot for pot, _ in table.hand.settlement.winners]) == (0, [0, 1])
    assert sum(won(game).values()) == sum(amount for amount, _ in pots(game)) == 700


def test_layers_with_the_same_claimants_are_shared_as_one() -> None:
    """FAULT-62: three all-ins of 10,000 over 300 of folded chips tie, and each gets 10,100 exactly."""
    hands = {P8: "AcKh", P9: "AdKc", P10: "AhKd"}
    game = unraked([10_000] * 10).start(hands=hands, board=BOARD)
    game.call().fold().fold().fold().fold().call().call().call().call().check()
    game.check().check().check().all_in().call().call().fold().fold().fold()
    assert pots(game) == [(30_300, (P8, P9, P10))]
    assert won(game) == {P8: 10_100, P9: 10_100, P10: 10_100}


def test_a_split_makes_whole_chips() -> None:
    """FAULT-64: of a pot of 5 the first of two winners left of the button gets 3, the other 2."""
    game = unraked([100, 100, 100], blinds=(1, 2)).start(hands={P2: "AhKd", P3: "AdKc"}, board=BOARD)
    check_down(game.call().fold())
    assert said(game, PotAwarded) == [PotAwarded(0, (P2, P3), (3, 2), (1, 0))]


def pot_of_101(hands: dict[int, str], rule: OddChipRule = "one_each_from_left") -> Game:
    """Check down a pot of 101 that p1, p2 and p4 have put in: 33 each and an ante of 2 for all."""
    rules = {"showdown.odd_chip_rule": rule}
    game = unraked([1000] * 4, blinds=(16, 33), ante=("big_blind", 2), rules=rules).start(hands=hands, board=BOARD)
    return check_down(game.fold())


def test_the_odd_chip_goes_by_position() -> None:
    """FAULT-65: p1 and p4 share 101, and p1, the first left of the button, gets 51; events and rule alone decide."""
    game = pot_of_101({P1: "AhKd", P2: "2c3c", P4: "AdKc"})
    assert pots(game) == [(101, (P1, P2, P4))]
    assert said(game, PotAwarded) == [PotAwarded(0, (P1, P4), (51, 50), (1, 0))]


@pytest.mark.parametrize(
    ("rule", "shares"), [("one_each_from_left", (34, 34, 33)), ("all_to_first_left_of_dealer", (35, 33, 33))]
)
def test_who_gets_the_odd_chips_is_a_rule_of_the_house(rule: OddChipRule, shares: tuple[int, ...]) -> None:
    """FAULT-67: one each in order, or all to the first where the house says so."""
    game = pot_of_101({P1: "AhKd", P2: "AcKh", P4: "AdKc"}, rule)
    assert game.last(PotAwarded).amounts == shares


def test_no_half_chips() -> None:
    """FAULT-68: two share 1349, and the stacks are 10113 and 10112, not 10112 and a half each."""
    game = unraked([10_000] * 6).start(hands={P1: "2cAc", P2: "9sTc", P5: "6dAd"}, board=BOARD)
    game.fold().fold().raise_to(225).fold().call().call()
    reach(game, 3).check().check().raise_to(337).call().fold()
    assert pots(game) == [(1349, (P1, P5))]
    assert game.last(HandEnded).stacks == (10_113, 9775, 10_000, 10_000, 10_112, 10_000)
