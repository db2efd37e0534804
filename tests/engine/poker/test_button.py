"""Button and blinds from hand to hand, with numbers. Golden tests number seats from 1, and so do these helpers."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias, TypedDict

import pytest

from engine.poker.button import (
    ButtonRule,
    Deal,
    HeadsUpBlinds,
    Positions,
    Standing,
    button_passed,
    missed_blinds,
    next_positions,
)
from engine.poker.seats import MEMBERS, SeatSet, seat_set

Where: TypeAlias = tuple[int, int | None, int]


class House(TypedDict):
    """The fields of a house that decide about the button."""

    rule: ButtonRule
    heads_up: HeadsUpBlinds
    no_double_big_blind: bool
    between_allowed: bool
    with_blinds: bool


MOVING: House = {
    "rule": "moving",
    "heads_up": "dealer_posts_small",
    "no_double_big_blind": True,
    "between_allowed": False,
    "with_blinds": True,
}
DEALER_BIG: House = {**MOVING, "heads_up": "dealer_posts_big"}
PLAIN: House = {**MOVING, "no_double_big_blind": False}
BETWEEN: House = {**MOVING, "between_allowed": True}
DEAD: House = {**MOVING, "rule": "dead"}
DEAD_BIG: House = {**DEAD, "heads_up": "dealer_posts_big"}
NO_BLINDS: House = {**MOVING, "with_blinds": False}

LETTERS: dict[str, Standing | None] = {"i": "in", "p": "post", "w": "wait", "o": "out", "-": None}


def play(house: House, seats: str, previous: Positions | None = None, first_button: int = 1) -> Deal:
    """Return the next deal; one letter for each seat: in, post, wait, out, or - for nobody."""
    standings = tuple(LETTERS[letter] for letter in seats)
    deal = next_positions(standings, previous, first_button - 1, **house)
    assert deal is not None
    return deal


def at(button: int, small: int, big: int) -> Positions:
    """Return positions in seats from 1."""
    return Positions(button - 1, small - 1, small_posts=True, big_blind=big - 1)


def where(deal: Deal) -> Where:
    """Return (button, small blind or None if nobody posts it, big blind), seats from 1."""
    places = deal.positions
    small = places.small_blind + 1 if places.small_posts else None
    return (places.button + 1, small, places.big_blind + 1)


def numbers(members: SeatSet) -> set[int]:
    """Return a set of seats, numbered from 1."""
    return {seat + 1 for seat in MEMBERS[members]}


@pytest.mark.parametrize("house", [MOVING, DEALER_BIG, DEAD])
def test_the_first_hand(house: House) -> None:
    """AMB-17: at a new table nobody owes a post; the seat that drew the button has it, else the next one."""
    deal = play(house, "iwpi", None, first_button=2)
    assert (where(deal), numbers(deal.dealt), numbers(deal.posters)) == ((2, 3, 4), {1, 2, 3, 4}, set())
    assert where(play(house, "oiii", None, first_button=1)) == (2, 3, 4)


@pytest.mark.parametrize(
    ("house", "expected"), [(MOVING, (1, 1, 2)), (DEALER_BIG, (1, 2, 1)), (DEAD, (1, 1, 2)), (DEAD_BIG, (1, 1, 2))]
)
def test_the_first_hand_heads_up(house: House, expected: Where) -> None:
    """G-MOD-1, G-AKP-3, G-PAC-13, AMB-02, FAULT-35: the dealer posts as the house says, small with a dead button."""
    assert where(play(house, "ii")) == expected


@pytest.mark.parametrize("seats", ["i", "io-", "w", "oo-", ""])
def test_one_player_makes_no_hand(seats: str) -> None:
    """Rulebooks.md section 1, seats_min: fewer than two willing players with chips make no hand."""
    assert next_positions(tuple(LETTERS[letter] for letter in seats), at(1, 2, 3), 0, **MOVING) is None


@pytest.mark.parametrize(
    ("seats", "second", "third"),
    [
        ("i-iii", (2, 3, 4), (3, 4, 5)),
        ("ii-ii", (2, None, 4), (3, 4, 5)),
        ("i--ii", (2, None, 4), (3, 4, 5)),
        ("-iiii", (2, 3, 4), (3, 4, 5)),
        ("iiiii", (2, 3, 4), (3, 4, 5)),
    ],
)
def test_dead_button_when_players_leave(seats: str, second: Where, third: Where) -> None:
    """G-MOD-2, FAULT-34, O-7: after hand 1 with button 1, small blind 2, big blind 3."""
    hand_2 = play(DEAD, seats, at(1, 2, 3))
    assert where(hand_2) == second
    assert where(play(DEAD, seats, hand_2.positions)) == third


@pytest.mark.parametrize(
    ("seats", "expected"), [("i-iii", (3, 4, 5)), ("ii-ii", (2, 4, 5)), ("i--ii", (4, 5, 1)), ("-iiii", (2, 3, 4))]
)
def test_moving_button_when_players_leave(seats: str, expected: Where) -> None:
    """G-MOD-3, AMB-56: after hand 1 with button 1, small blind 2, big blind 3."""
    deal = play(MOVING, seats, at(1, 2, 3))
    assert where(deal) == expected
    assert missed_blinds(at(1, 2, 3), deal.positions, out_seats=0) == (0, 0)


@pytest.mark.parametrize(
    ("gone", "house", "expected"),
    [
        ("-ii", MOVING, (3, 3, 2)),
        ("i-i", MOVING, (3, 3, 1)),
        ("ii-", MOVING, (2, 2, 1)),
        ("-ii", DEALER_BIG, (2, 3, 2)),
        ("i-i", DEALER_BIG, (1, 3, 1)),
        ("ii-", DEALER_BIG, (2, 1, 2)),
        ("-ii", DEAD, (3, 3, 2)),
        ("i-i", DEAD, (3, 3, 1)),
        ("ii-", DEAD, (2, 2, 1)),
        ("-ii", PLAIN, (2, 2, 3)),
        ("i-i", {**DEALER_BIG, "no_double_big_blind": False}, (3, 1, 3)),
    ],
)
def test_three_become_two(gone: str, house: House, expected: Where) -> None:
    """G-MOD-4, AMB-02, FAULT-35: A 1 button, B 2 small, C 3 big; nobody is big blind twice, but in the plain rule."""
    assert where(play(house, gone, at(1, 2, 3))) == expected


@pytest.mark.parametrize("house", [MOVING, DEALER_BIG, DEAD, PLAIN])
def test_heads_up_the_blinds_alternate(house: House) -> None:
    """FAULT-34: ten seats, two players: each is big blind every other hand."""
    positions = play(house, "--i----i--", None, first_button=3).positions
    bigs = [positions.big_blind]
    for _ in range(5):
        positions = play(house, "--i----i--", positions).positions
        bigs.append(positions.big_blind)
    assert all(earlier != later for earlier, later in pairwise(bigs))


@pytest.mark.parametrize("house", [MOVING, DEALER_BIG, DEAD])
def test_a_button_that_sits_out_does_not_stop_the_blinds(house: House) -> None:
    """FAULT-32: seat 3 had the button and sits out; the big blind goes round among the others."""
    positions, bigs = at(3, 1, 2), [2]
    for _ in range(4):
        positions = play(house, "iio", positions).positions
        bigs.append(positions.big_blind + 1)
    assert bigs == [2, 1, 2, 1, 2]


def test_dead_button_two_become_three() -> None:
    """Rulebooks.md section 1, Button: seats 1 button and small, 5 big, newcomer in 3: button 3, small 5, big 1."""
    assert where(play(DEAD, "i-i-i", at(1, 1, 5))) == (3, 5, 1)


def test_dead_button_two_become_three_elsewhere() -> None:
    """Rulebooks.md section 1, Button: a newcomer behind the big blind is the next one."""
    assert where(play(DEAD, "i-i-ii", at(1, 1, 5))) == (1, 5, 6)


def test_dead_button_never_stays_behind_the_big_blind() -> None:
    """Rulebooks.md section 1, Button: the big blind has passed the button's empty seat, so it goes before the small."""
    deal = play(DEAD, "--iii-", at(1, 2, 5))
    assert (where(deal), numbers(deal.dealt)) == ((4, 5, 3), {3, 4, 5})


def test_dead_button_heads_up_with_a_late_player_before_the_small_blind() -> None:
    """Rulebooks.md section 1, Button: no button for one who owes a post, so two play and the third waits one hand."""
    deal = play(DEAD, "ipi", at(1, 1, 3))
    assert (where(deal), numbers(deal.dealt)) == ((3, 3, 1), {1, 3})
    assert where(play(DEAD, "ipi", deal.positions)) == (3, 1, 2)


def test_a_late_player_on_the_dead_button_waits() -> None:
    """AMB-17: joining on the button means to wait."""
    deal = play(DEAD, "ipiii", at(1, 2, 3))
    assert (where(deal), numbers(deal.dealt)) == ((2, 3, 4), {1, 3, 4, 5})


def test_moving_button_two_become_three_without_a_second_big_blind() -> None:
    """AMB-56: 1 had button and big blind, and a member who owes nothing has come, on either side of the small blind."""
    deal = play(DEALER_BIG, "iii", at(1, 3, 1))
    assert (where(deal), numbers(deal.dealt)) == ((3, 1, 2), {1, 2, 3})
    deal = play(DEALER_BIG, "iii", at(1, 2, 1))
    assert (where(deal), numbers(deal.dealt)) == ((3, 1, 2), {1, 2, 3})


def test_a_member_who_was_not_dealt_in_does_not_push_the_blinds_back() -> None:
    """AMB-56: where newcomers owe nothing, one in seat 2 takes no position before the button has passed him."""
    deal = play(MOVING, "iiii", at(1, 3, 4))
    assert (where(deal), numbers(deal.dealt)) == ((3, 4, 1), {1, 2, 3, 4})
    assert where(play(MOVING, "iiii", deal.positions)) == (4, 1, 2)


def test_a_member_who_cannot_push_the_blinds_back_takes_his_place() -> None:
    """R-PAC-9: once the last big blind has left, the next two after the button are the blinds, newcomers or not."""
    assert where(play(MOVING, "iii-ii", at(1, 2, 4))) == (2, 3, 5)


def test_two_members_and_one_who_waits_behind_them() -> None:
    """AMB-56: 4 would be big blind again, so the button goes to him, and who waits behind 2 makes three."""
    deal = play(MOVING, "-iwi", at(1, 2, 4))
    assert (where(deal), numbers(deal.dealt)) == ((4, 2, 3), {2, 3, 4})


@pytest.mark.parametrize("house", [MOVING, DEAD])
def test_who_waits_is_dealt_in_with_the_big_blind(house: House) -> None:
    """R-PAC-6, R-PLA-15, R-AKP-14, AMB-17: he posts it and nothing else."""
    waiting = play(house, "iiiwi", at(5, 1, 2))
    assert (where(waiting), numbers(waiting.dealt)) == ((1, 2, 3), {1, 2, 3, 5})
    deal = play(house, "iiiwi", waiting.positions)
    assert (where(deal), numbers(deal.dealt), deal.posters) == ((2, 3, 4), {1, 2, 3, 4, 5}, 0)


@pytest.mark.parametrize("house", [MOVING, DEAD])
def test_who_posts_may_come_in_anywhere_else(house: House) -> None:
    """R-PAC-5, AMB-17: several posters may come in at once; the one in the big blind pays that alone."""
    deal = play(house, "iipppi", at(6, 1, 2))
    assert (where(deal), numbers(deal.dealt), numbers(deal.posters)) == ((1, 2, 3), {1, 2, 3, 4, 5, 6}, {4, 5})


def test_nobody_posts_between_button_and_big_blind() -> None:
    """AMB-17, O-8: who sits there waits until the button has passed him."""
    deal = play(MOVING, "ipiwi", at(5, 1, 3))
    assert (where(deal), numbers(deal.dealt)) == ((1, 3, 4), {1, 3, 4, 5})
    later = play(MOVING, "ipiii", deal.positions)
    assert (where(later), numbers(later.posters)) == ((3, 4, 5), {2})


def test_a_house_may_let_him_post_there() -> None:
    """AMB-17: with post_between_button_and_bb he is a member who pays, so the small blind can be his seat, unposted."""
    deal = play(BETWEEN, "iipii", at(1, 2, 4))
    assert (where(deal), numbers(deal.posters)) == ((2, 4, 5), {3})
    deal = play(BETWEEN, "ipi", at(3, 3, 1))
    assert (where(deal), numbers(deal.posters)) == ((1, None, 3), {2})


@pytest.mark.parametrize("house", [MOVING, DEAD])
@pytest.mark.parametrize("seats", ["iwo", "pwo", "wwo", "ppo"])
def test_enough_willing_players_always_make_a_hand(house: House, seats: str) -> None:
    """AMB-17, rulebooks.md section 4, return block: with one member or none, all who are willing play without posts."""
    deal = play(house, seats, at(3, 1, 2))
    assert (where(deal), numbers(deal.dealt), deal.posters) == ((2, 2, 1), {1, 2}, 0)


def test_without_blinds_the_button_moves_on() -> None:
    """R-FRE-4, G-FRE-5: at an ante-only table everybody who is willing is dealt in and nobody posts."""
    first = play(NO_BLINDS, "oiwp", None, first_button=1)
    assert first == Deal(Positions(1, -1, small_posts=False, big_blind=-1), 0b1110, 0)
    second = play(NO_BLINDS, "oiwp", first.positions)
    assert second.positions.button == 2
    assert missed_blinds(first.positions, second.positions, 0b0001) == (0, 0)


def test_one_who_sits_out_misses_both_blinds_and_the_button() -> None:
    """G-AKP-7, R-AKP-15: seat 3 sits out; hand 10 takes the big blind past him, 11 the small, 12 the button."""
    positions, out = at(6, 1, 2), seat_set((2,))
    story = []
    for _ in range(4):
        deal = play(DEALER_BIG, "iioiii", positions)
        big, small = missed_blinds(positions, deal.positions, out)
        story.append(
            (where(deal), numbers(big), numbers(small), 3 in numbers(button_passed(positions, deal.positions)))
        )
        positions = deal.positions
    assert story == [
        ((1, 2, 4), {3}, set(), False),
        ((2, 4, 5), set(), {3}, False),
        ((4, 5, 6), set(), set(), True),
        ((5, 6, 1), set(), set(), False),
    ]


def test_after_the_button_has_passed_he_may_post() -> None:
    """G-AKP-7: from hand 13 he is dealt in with his posts."""
    deal = play(DEALER_BIG, "iipiii", at(4, 5, 6))
    assert (where(deal), numbers(deal.posters)) == ((5, 6, 1), {3})


def test_an_unposted_small_blind_is_missed_by_its_seat() -> None:
    """G-MOD-2, R-MOD-4: with the dead button, who sits out after his big blind misses the small blind."""
    deal = play(DEAD, "iioii", at(1, 2, 3))
    assert where(deal) == (2, None, 4)
    assert missed_blinds(at(1, 2, 3), deal.positions, seat_set((2,))) == (0, seat_set((2,)))


def test_before_the_first_hand_nothing_is_missed() -> None:
    """AMB-17: no blind has been anywhere yet."""
    assert missed_blinds(None, at(1, 2, 3), 0b11111000) == (0, 0)
    assert button_passed(None, at(1, 2, 3)) == 0


def test_a_button_that_stays_passes_nobody() -> None:
    """G-MOD-4: where the button stays to avoid a second big blind, a seat that sits out has not been passed by it."""
    deal = play(DEALER_BIG, "i-io", at(1, 2, 3))
    assert where(deal) == (1, 3, 1)
    assert button_passed(at(1, 2, 3), deal.positions) == 0


def test_a_house_that_wants_three_lets_the_waiting_one_in() -> None:
    """`rulebooks.md` section 4, return block: two members and one who waits between them make a hand of three."""
    standings: tuple[Standing | None, ...] = ("in", "wait", "in")
    previous = Positions(2, 0, small_posts=True, big_blind=0)
    two, three = (next_positions(standings, previous, 0, **MOVING, seats_min=least) for least in (2, 3))
    assert two is not None
    assert three is not None
    assert (two.dealt, three.dealt) == (0b101, 0b111)
