"""Who has the better hand: the cases that others got wrong, the rulebooks' own examples, and the words for them."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.poker.cards import ALL_CARDS, cards_text, parse_cards
from engine.poker.ranking import Ranking, category_of, ranking, strength


def rank(hole: str, board: str) -> Ranking:
    """Rank a hand given as text."""
    return ranking(parse_cards(hole), parse_cards(board))


def strengths(board: str, *holes: str) -> list[int]:
    """Return the strength of each pair of hole cards on a board of five, given as text."""
    pairs = [parse_cards(hole) for hole in holes]
    return [strength((first, second), parse_cards(board)) for first, second in pairs]


NAMES = [
    ("AsKs", "QsJsTs2c3d", "royal flush", "AsKsQsJsTs", "royal flush"),
    ("9h8h", "7h6h5hAhKh", "straight flush", "9h8h7h6h5h", "straight flush, nine high"),
    ("Ad2d", "3d4d5dKsKh", "straight flush", "5d4d3d2dAd", "straight flush, five high"),
    ("7c7d", "7h7sKd2c2d", "four of a kind", "7c7d7h7sKd", "four of a kind, sevens"),
    ("AcAd", "AhKsKdKc2c", "full house", "AcAdAhKsKd", "full house, aces over kings"),
    ("QcQd", "Qh8s8d2c3d", "full house", "QcQdQh8s8d", "full house, queens over eights"),
    ("6c6d", "2h2s2d6hQd", "full house", "6c6d6h2h2s", "full house, sixes over deuces"),
    ("Ah2h", "9h5h3hKcKd", "flush", "Ah9h5h3h2h", "flush, ace high"),
    ("AcKd", "QhJsTc2d2h", "straight", "AcKdQhJsTc", "straight, ace high"),
    ("QcQd", "Qh8s9d2c3d", "three of a kind", "QcQdQh9d8s", "three of a kind, queens"),
    ("KcKd", "9h9s3d3cAd", "two pair", "KcKd9h9sAd", "two pair, kings and nines"),
    ("KcKd", "9h8s3d2c6d", "one pair", "KcKd9h8s6d", "pair of kings"),
    ("2c2d", "9h8sKdTc5d", "one pair", "2c2dKdTc9h", "pair of deuces"),
    ("AcJd", "9h8s3d2c6d", "high card", "AcJd9h8s6d", "high card, ace"),
    ("7c5d", "4h3s2c", "high card", "7c5d4h3s2c", "high card, seven"),
]


@pytest.mark.parametrize(("hole", "board", "category", "five", "name"), NAMES)
def test_the_standard_ten_have_their_names(hole: str, board: str, category: str, five: str, name: str) -> None:
    """R-PAC-33, R-AKP-35, R-PLA-1: category, the five cards that play with the most significant first, and words."""
    found = rank(hole, board)
    assert (found.category, cards_text(found.five), found.name) == (category, five, name)


def test_the_standard_ten_rank_in_this_order() -> None:
    """R-PAC-33: royal flush, straight flush, four of a kind, full house, flush, straight, … down to high card."""
    found = [rank(hole, board).strength for hole, board, *_ in NAMES]
    assert found == sorted(found, reverse=True)
    assert (found[0], found[-1]) == (7462, 1)
    assert category_of(7462) == "royal flush"
    assert category_of(1) == "high card"


def test_the_wheel_is_the_lowest_straight() -> None:
    """FAULT-83: A-2-3-4-5 is a straight, five high, below 2-3-4-5-6 and above three aces."""
    wheel = rank("Ah2d", "3c4s5hKd9c")
    assert (cards_text(wheel.five), wheel.name) == ("5h4s3c2dAh", "straight, five high")
    assert rank("AcAd", "AhKs9d7c2h").strength < wheel.strength < rank("6h2d", "3c4s5hKd9c").strength


@pytest.mark.parametrize("board", ["QhKcAd2s3c", "JhKcAd2s3c", "QhKcAd2s4c"])
def test_a_straight_does_not_go_round_the_corner(board: str) -> None:
    """R-AKP-35: the ace is high or low in a straight, and never in its middle."""
    assert rank("7d8d", board).category == "high card"


def test_a_kicker_on_the_board_splits() -> None:
    """FAULT-85: two pair and the ace kicker are the best five of both; the other hole cards break no tie."""
    first, second = strengths("Jd7hJcKhKs", "Ah8h", "AsQc")
    assert first == second


def test_of_three_pairs_the_highest_two_play() -> None:
    """FAULT-86: 7h5h on 4d8s4h7d8c is eights and sevens; the fours do not count."""
    assert rank("7h5h", "4d8s4h7d8c").name == "two pair, eights and sevens"


def test_a_pair_has_three_kickers() -> None:
    """FAULT-88: on 9c7s5h5s3c, 8hKs beats 4dQs by its first kicker."""
    king, queen = strengths("9c7s5h5s3c", "8hKs", "4dQs")
    assert king > queen


def test_four_of_a_kind_on_the_board_has_one_kicker() -> None:
    """FAULT-89: on 7h7d7c7s3d, 4c6c beats 2c5c, six against five; 2h2d ties 2c2s, the three plays."""
    six, five, red, black = strengths("7h7d7c7s3d", "4c6c", "2c5c", "2h2d", "2c2s")
    assert six > five > red == black


def test_a_straight_on_the_board_splits_among_all_who_cannot_beat_it() -> None:
    """FAULT-91: on 4 5 6 7 8, AK and QQ split; on J T Q K 9, 92, JK, Q4 and Q8 split four ways."""
    assert len(set(strengths("4c5d6h7s8c", "AcKd", "QhQs"))) == 1
    assert len(set(strengths("JcTdQhKs9c", "9d2d", "JdKd", "Qc4d", "Qs8s"))) == 1


def test_a_pocket_pair_above_two_pairs_on_the_board_plays() -> None:
    """FAULT-92: KK on 7h7d2c2s9d is kings and sevens, and beats A3, which is sevens and deuces."""
    assert rank("KcKd", "7h7d2c2s9d").name == "two pair, kings and sevens"
    kings, ace = strengths("7h7d2c2s9d", "KcKd", "Ac3d")
    assert kings > ace


def test_kickers_after_the_turn() -> None:
    """G-FRE-2, R-FRE-11: on Qs 8s Qc 8h 4c, queens and eights with a king beat queens and eights with a ten."""
    leon, rhys = rank("KhQh", "8sQc8h4c"), rank("QsTd", "8sQc8h4c")
    assert [cards_text(found.five)[::2] for found in (leon, rhys)] == ["QQ88K", "QQ88T"]
    assert leon.strength > rhys.strength


def test_flushes_compare_by_their_second_card() -> None:
    """G-FRE-2, R-FRE-11: with the river 7c, Q-J-7-4-2 beats Q-T-9-7-4 in clubs, and both beat the two pairs."""
    leon, rhys, lisa, steve = strengths("8sQc8h4c7c", "KhQh", "QsTd", "Tc9c", "Jc2c")
    assert steve > lisa > leon > rhys
    assert cards_text(rank("Jc2c", "8sQc8h4c7c").five) == "QcJc7c4c2c"


def test_a_straight_beats_two_pair() -> None:
    """G-FRE-2: with the river Jd, Lisa wins with a queen-high straight."""
    leon, rhys, lisa, steve = strengths("8sQc8h4cJd", "KhQh", "QsTd", "Tc9c", "Jc2c")
    assert lisa > max(leon, rhys, steve)
    assert rank("Tc9c", "8sQc8h4cJd").name == "straight, queen high"


def test_an_ace_on_the_river_takes_the_kickers_place() -> None:
    """G-FRE-2, R-PAC-22: with the river As, Leon and Rhys both have QQ88A and split."""
    leon, rhys, lisa, steve = strengths("8sQc8h4cAs", "KhQh", "QsTd", "Tc9c", "Jc2c")
    assert leon == rhys > max(lisa, steve)


def test_a_flush_on_the_board_is_beaten_only_by_a_higher_card_of_its_suit() -> None:
    """G-FRE-3, R-FRE-11: on Ah Qh 9h 8h 6h, 2hKs and 3cKd play the board; 7h beats them."""
    low_heart, no_heart, seven = strengths("AhQh9h8h6h", "2hKs", "3cKd", "7h2c")
    assert seven > low_heart == no_heart


def test_a_low_card_makes_a_straight_flush() -> None:
    """G-FRE-3, R-FRE-11: on 6h 7h 8h 9h Kh, the 5h makes a straight flush and beats the flush with the Ah."""
    five, ace = strengths("6h7h8h9hKh", "5h2c", "Ah2d")
    assert five > ace
    assert rank("5h2c", "6h7h8h9hKh").name == "straight flush, nine high"


def test_the_lowest_possible_nuts() -> None:
    """G-FRE-4, R-FRE-15: over all sets of five ranks, no three of a suit, the lowest nuts is Q-Q-Q-8-7 on 2 3 7 8 Q."""
    suits = (0, 13, 26, 39, 0)
    nuts: dict[int, list[str]] = {}
    for ranks in combinations(range(13), 5):
        board = tuple(map(int.__add__, ranks, suits))
        rest = [card for card in ALL_CARDS if card not in board]
        best = max(strength(hole, board) for hole in combinations(rest, 2))
        nuts.setdefault(best, []).append(cards_text(board)[::2])
    lowest = min(nuts)
    assert nuts[lowest] == ["2378Q"]
    assert lowest == rank("QhQd", "2c3d7h8sQc").strength
    assert cards_text(rank("QhQd", "2c3d7h8sQc").five)[::2] == "QQQ87"


def test_suits_never_decide() -> None:
    """R-PAC-22, R-AKP-35, AMB-39: the four royal flushes are equal, and so are hands that differ in suits alone."""
    assert {rank(f"A{s}K{s}", f"Q{s}J{s}T{s}").strength for s in "cdhs"} == {7462}
    assert len(set(strengths("2c7d9hJsQc", "AsKd", "AcKh", "AhKs", "AdKc"))) == 1


def test_a_straight_may_hold_four_of_a_suit() -> None:
    """AMB-55: a straight is one also when four of its cards are of one suit; only five make a straight flush."""
    assert rank("8c7c", "6c5c4d2hKd").category == "straight"
    assert rank("8c7c", "6c5c4c2hKd").category == "straight flush"


@pytest.mark.parametrize(("hole", "board"), [("AsKs", "2c3d7h9sJc"), ("2c3c", "AsKsQsJsTs"), ("As2c", "KdKhKc2d2h")])
def test_any_mix_of_hole_cards_and_board_plays(hole: str, board: str) -> None:
    """R-PAC-18, R-FRE-10: two, one or no hole cards play; it is always the best five of seven."""
    seven = parse_cards(hole + board)
    assert rank(hole, board).strength == max(ranking(five[:2], five[2:]).strength for five in combinations(seven, 5))


@pytest.mark.parametrize(
    ("board", "name"),
    [("Ts9s8d", "high card, ace"), ("Ts9s8d7c", "straight, jack high"), ("Ts9s8d7cQs", "flush, ace high")],
)
def test_hands_are_named_from_the_flop_on(board: str, name: str) -> None:
    """A hand is ranked with five, six or seven cards."""
    assert rank("AsJs", board).name == name


@pytest.mark.parametrize("board", ["", "2c3d", "2c3d4h5s6c7d", "As2c3d"])
def test_no_hand_is_made_of_other_than_five_to_seven_cards(board: str) -> None:
    """Too few, too many or equal cards are our mistake and get no ranking."""
    with pytest.raises(ValueError, match="a hand is ranked by five to seven different cards"):
        rank("AsKs", board)


def test_strength_wants_the_whole_board() -> None:
    """The hot function takes two hole cards and a board of five, and nothing else."""
    with pytest.raises(ValueError, match="not enough values to unpack"):
        strengths("2c3d4h5s", "AsKs")
