"""Which chips make which pot, what goes back uncalled, and how a pot is shared. Code counts seats from 0."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.poker.pots import OddChipRule, Pot, build_pots, is_contested, share_pot, uncalled_bet, visible_pots
from engine.poker.seats import MEMBERS, Seat, SeatSet, seat_set
from engine.poker.showdown import winners_of

A, B, C, D = 0, 1, 2, 3
RULES: tuple[OddChipRule, ...] = ("all_to_first_left_of_dealer", "one_each_from_left")


def cut(contributions: tuple[int, ...], *live: Seat, dead: int = 0) -> list[tuple[int, set[Seat]]]:
    """Return the pots as (amount, claimants)."""
    pots = build_pots(contributions, seat_set(live), dead)
    return [(pot.amount, set(MEMBERS[pot.claimants])) for pot in pots]


def won(contributions: tuple[int, ...], live: SeatSet, strengths: tuple[int, ...]) -> list[int]:
    """Return what each seat takes from all pots together, the button on the last seat."""
    takings = [0] * len(contributions)
    for pot in build_pots(contributions, live, 0):
        winners = winners_of(pot.claimants, strengths, len(contributions) - 1)
        for share in share_pot(pot.amount, winners, "one_each_from_left", 1):
            takings[share.seat] += share.amount
    return takings


@pytest.mark.parametrize(
    ("bets", "expected"),
    [
        ((0, 0, 0), (-1, 0)),
        ((200, 200, 0), (-1, 0)),
        ((0, 300, 0), (1, 300)),
        ((50, 100, 0, 0), (1, 50)),
        ((100, 500, 200), (1, 300)),
        ((1600, 3000), (1, 1400)),
        ((120_360, 200, 89_820, 89_820), (0, 30_540)),
    ],
)
def test_what_nobody_called_goes_back(bets: tuple[int, ...], expected: tuple[Seat, int]) -> None:
    """FAULT-58, AMB-37, G-AKP-D4: the one above all others gets the difference; a folded player's bet is a call."""
    assert uncalled_bet(bets) == expected


def test_ten_all_ins_make_nine_contested_pots() -> None:
    """G-PAC-7, R-PAC-21: ten stacks of 100 to 1000 make nine contested pots, and 100 go back to the deepest."""
    bets = tuple(range(100, 1001, 100))
    assert uncalled_bet(bets) == (9, 100)
    pots = build_pots((*bets[:9], 900), (1 << 10) - 1, 0)
    assert [pot.amount for pot in pots] == [1000, 900, 800, 700, 600, 500, 400, 300, 200]
    assert all(is_contested(pot) for pot in pots)


@pytest.mark.parametrize(("max_visible", "shown"), [(5, 5), (0, 9), (9, 9), (10, 9)])
def test_players_see_the_first_pots(max_visible: int, shown: int) -> None:
    """G-PAC-7, R-PAC-26: Pacific shows five pots; 0 means all."""
    pots = build_pots((*range(100, 901, 100), 900), (1 << 10) - 1, 0)
    assert visible_pots(pots, max_visible) == pots[:shown]


def test_each_is_paid_from_what_he_matched() -> None:
    """G-PAC-8, R-PAC-20, R-AKP-17, R-PLA-11: all-ins of 100, 300, 500, 500 with ranks A > B > C > D."""
    contributions = (100, 300, 500, 500)
    assert [amount for amount, _ in cut(contributions, A, B, C, D)] == [400, 600, 400]
    assert won(contributions, 0b1111, (9, 8, 7, 6)) == [400, 600, 400, 0]


def test_a_folded_player_can_leave_a_pot_to_one_claimant() -> None:
    """AMB-37: A is all-in for 100, B bets 500, C folds with 200 in; B alone claims the side pot."""
    pots = build_pots((100, 200, 200), seat_set((A, B)), 0)
    assert pots == (Pot(300, 0b011), Pot(200, 0b010))
    assert [is_contested(pot) for pot in pots] == [True, False]


def test_a_protected_player_contests_what_he_had_in() -> None:
    """G-AKP-D2: A 3600, B 1600 protected, C 3600 make a main pot of 4800 and a side pot of 4000 without B."""
    assert cut((3600, 1600, 3600), A, B, C) == [(4800, {A, B, C}), (4000, {A, C})]


def test_a_side_pot_whose_other_claimant_folded_has_one_claimant() -> None:
    """G-AKP-D3: main pot 1800 for A and B, side pot 2000 for A alone after C folded."""
    assert cut((1600, 600, 1600), A, B) == [(1800, {A, B}), (2000, {A})]


def test_a_protected_big_blind_contests_two_from_each() -> None:
    """G-AKP-D6: small blind 100 folded, big blind 200 protected, raiser and caller 600 each."""
    assert cut((100, 200, 600, 600), B, C, D) == [(700, {B, C, D}), (800, {C, D})]


def test_a_short_big_blind_contests_the_main_pot_only() -> None:
    """FAULT-20, G-AKP-6: the big blind has 20 of 30; two call the full 30."""
    assert cut((30, 20, 30, 0), A, B, C) == [(60, {A, B, C}), (20, {A, C})]


def test_a_short_ante_is_contested_at_its_level() -> None:
    """FAULT-26: ante 20, blinds 5/10, the third has 19."""
    assert cut((30, 30, 19), A, B, C) == [(57, {A, B, C}), (22, {A, B})]


def test_a_tiny_ante_takes_its_size_from_everybody() -> None:
    """FAULT-28: seven antes of 120, one of them only 12: the main pot is 84, folded players included."""
    pots = cut((720, 1320, 12, 120, 120, 1320, 120), B, 2, 5)
    assert pots == [(84, {1, 2, 5}), (3648, {1, 5})]


def test_an_all_in_player_stays_in_his_pot_on_later_streets() -> None:
    """FAULT-43: the button is all-in for 100, the others bet 100 more; he wins 300, the side pot holds 200."""
    assert cut((200, 200, 100), A, B, C) == [(300, {A, B, C}), (200, {A, B})]
    assert won((200, 200, 100), 0b111, (5, 4, 9)) == [200, 0, 300]


def test_a_fold_gives_up_every_pot() -> None:
    """FAULT-44: the flop bet of 200 comes back, and only the two live players claim the main pot of 300."""
    assert uncalled_bet((0, 200, 0)) == (B, 200)
    assert cut((100, 100, 100), A, B) == [(300, {A, B})]


def test_each_pot_is_won_among_its_own_claimants() -> None:
    """FAULT-49, FAULT-61: p1 100 is best, p2 and p3 tie with 200, p4 loses: 400, 150, 150, 0."""
    assert won((100, 200, 200, 200), 0b1111, (9, 8, 8, 7)) == [400, 150, 150, 0]


def test_the_second_best_hand_wins_only_where_it_is_eligible() -> None:
    """AMB-38: A 100, B 50, C and D 200 with ranks A > B > C > D: B, second best, has no claim to the last pot."""
    assert [amount for amount, _ in cut((100, 50, 200, 200), A, B, C, D)] == [200, 150, 200]
    assert won((100, 50, 200, 200), 0b1111, (9, 8, 7, 6)) == [350, 0, 200, 0]


def test_an_exact_call_makes_no_empty_pot() -> None:
    """FAULT-53: two all-ins of 500 make exactly one pot."""
    assert cut((500, 500), A, B) == [(1000, {A, B})]


def test_nothing_put_in_makes_no_pot() -> None:
    """FAULT-53: there are no pots of zero chips."""
    assert cut((0, 0, 0), A, B) == []


def test_three_all_ins_over_a_folded_blind_sum_to_zero() -> None:
    """FAULT-58: nets +179840, -200, -89820, -89820."""
    contributions = (89_820, 200, 89_820, 89_820)
    takings = won(contributions, 0b1101, (9, 0, 5, 5))
    nets = [took - gave for took, gave in zip(takings, contributions, strict=True)]
    assert nets == [179_840, -200, -89_820, -89_820]


def test_layers_with_the_same_claimants_are_one_pot() -> None:
    """FAULT-62: three all-ins of 10000 over 300 of folded chips tie: each gets 10100 exactly."""
    contributions = (10_000, 50, 100, 10_000, 150, 10_000)
    assert cut(contributions, 0, 3, 5) == [(30_300, {0, 3, 5})]
    assert won(contributions, seat_set((0, 3, 5)), (5,) * 6) == [10_100, 0, 0, 10_100, 0, 10_100]


def test_dead_money_goes_into_the_main_pot() -> None:
    """Rulebooks.md section 4, dead money: it enlarges the main pot and is nobody's contribution."""
    assert cut((200, 500, 500), A, B, C, dead=100) == [(700, {A, B, C}), (600, {B, C})]


def test_dead_money_alone_is_claimed_by_all_live() -> None:
    """Rulebooks.md section 4, dead money: after a big-blind ante and checks all round the ante is the whole pot."""
    assert cut((0, 0, 0), A, C, dead=100) == [(100, {A, C})]


def test_who_has_only_dead_chips_in_contests_the_dead_chips() -> None:
    """Rulebooks.md section 4, dead money: the button is all-in on the ante he paid for the table."""
    assert cut((0, 200, 200), A, B, C, dead=50) == [(50, {A, B, C}), (400, {B, C})]


def test_who_has_nothing_in_contests_nothing() -> None:
    """AMB-31: without dead chips an all-in for 0 is no stake."""
    assert cut((0, 200, 200), A, B, C) == [(400, {B, C})]


def test_folded_chips_above_every_live_player_join_the_last_pot() -> None:
    """Rulebooks.md section 4, pots: folded players' chips are included whatever their height."""
    assert cut((100, 300, 700, 300), A, B, D) == [(400, {A, B, D}), (1000, {B, D})]
    assert cut((0, 0, 700), A, B) == [(700, {A, B})]


@pytest.mark.parametrize(
    ("amount", "winners", "rule", "expected"),
    [
        (101, 3, "all_to_first_left_of_dealer", [35, 33, 33]),
        (101, 3, "one_each_from_left", [34, 34, 33]),
        (10_002, 4, "one_each_from_left", [2501, 2501, 2500, 2500]),
        (5, 2, "one_each_from_left", [3, 2]),
        (101, 2, "one_each_from_left", [51, 50]),
        (20_225, 2, "all_to_first_left_of_dealer", [10_113, 10_112]),
        (300, 3, "all_to_first_left_of_dealer", [100, 100, 100]),
    ],
)
def test_odd_chips(amount: int, winners: int, rule: OddChipRule, expected: list[int]) -> None:
    """G-PAC-9, G-MOD-7, R-PAC-22, AMB-26, FAULT-64, FAULT-65, FAULT-67, FAULT-68: whole chips, by position."""
    shares = share_pot(amount, tuple(range(winners)), rule, 1)
    assert [share.amount for share in shares] == expected
    assert [share.odd_chips for share in shares] == [share.amount - amount // winners for share in shares]


@pytest.mark.parametrize(
    ("amount", "rule", "expected"),
    [
        (10_050, "one_each_from_left", [3350, 3350, 3350]),
        (10_100, "one_each_from_left", [3375, 3375, 3350]),
        (10_110, "one_each_from_left", [3385, 3375, 3350]),
        (10_110, "all_to_first_left_of_dealer", [3410, 3350, 3350]),
        (10, "one_each_from_left", [10, 0, 0]),
    ],
)
def test_a_pot_is_split_in_the_smallest_chip(amount: int, rule: OddChipRule, expected: list[int]) -> None:
    """AMB-26: tournaments split in the smallest chip, here 25; what is less goes to the first winner."""
    assert [share.amount for share in share_pot(amount, (4, 0, 2), rule, 25)] == expected


def test_shares_keep_the_order_of_the_winners() -> None:
    """G-PAC-9, FAULT-65: seat order from the left of the button decides who gets the odd chip."""
    assert [(share.seat, share.odd_chips) for share in share_pot(7, (4, 1), "one_each_from_left", 1)] == [
        (4, 1),
        (1, 0),
    ]


def test_one_winner_has_no_odd_chips() -> None:
    """AMB-26: nothing is odd in a pot that is not split, whatever the unit."""
    (share,) = share_pot(110, (3,), "one_each_from_left", 25)
    assert (share.amount, share.odd_chips) == (110, 0)


@st.composite
def middles(draw: st.DrawFn) -> tuple[tuple[int, ...], SeatSet, int]:
    """Draw contributions, live seats and dead chips; equal amounts are frequent."""
    contributions = tuple(draw(st.lists(st.integers(0, 12), min_size=2, max_size=10)))
    live = draw(st.integers(1, (1 << len(contributions)) - 1))
    return contributions, live, draw(st.sampled_from((0, 0, 1, 5)))


def pots_chip_by_chip(contributions: tuple[int, ...], live: SeatSet, dead: int) -> list[tuple[int, SeatSet]]:
    """Build the pots by walking up one chip at a time: the slow truth."""
    pots: dict[SeatSet, int] = {live: dead} if dead and not all(contributions[seat] for seat in MEMBERS[live]) else {}
    left_over = 0 if pots else dead
    for level in range(1, max(contributions) + 1):
        reached = [seat for seat, chips in enumerate(contributions) if chips >= level]
        claimants = seat_set(reached) & live or next(reversed(pots), live)
        pots[claimants] = pots.get(claimants, 0) + len(reached) + left_over
        left_over = 0
    return [(amount, claimants) for claimants, amount in pots.items()]


@given(middles())
def test_pots_are_those_found_chip_by_chip(middle: tuple[tuple[int, ...], SeatSet, int]) -> None:
    """R-PAC-20, FAULT-62: layers with the same claimants are one pot, and every chip lies where it belongs."""
    contributions, live, dead = middle
    assert [(pot.amount, pot.claimants) for pot in build_pots(contributions, live, dead)] == pots_chip_by_chip(
        contributions, live, dead
    )


@given(middles())
def test_no_chip_is_lost_or_made(middle: tuple[tuple[int, ...], SeatSet, int]) -> None:
    """Rulebooks.md section 11.1: the pots hold all contributions and the dead money, and none is empty."""
    contributions, live, dead = middle
    pots = build_pots(contributions, live, dead)
    assert sum(pot.amount for pot in pots) == sum(contributions) + dead
    assert all(pot.amount > 0 for pot in pots)


@given(middles())
def test_contested_pots_are_fewer_than_live_players(middle: tuple[tuple[int, ...], SeatSet, int]) -> None:
    """R-PAC-21, rulebooks.md section 11.6: at most one less, and every pot has a claimant."""
    contributions, live, dead = middle
    pots = build_pots(contributions, live, dead)
    assert sum(map(is_contested, pots)) <= live.bit_count() - 1
    assert all(pot.claimants and pot.claimants & ~live == 0 for pot in pots)


@given(middles())
def test_each_pot_has_fewer_claimants_than_the_one_before(middle: tuple[tuple[int, ...], SeatSet, int]) -> None:
    """FAULT-53, FAULT-62: claimants strictly shrink, so no two pots have the same."""
    for outer, inner in pairwise(build_pots(*middle)):
        assert inner.claimants & ~outer.claimants == 0
        assert inner.claimants != outer.claimants


@given(
    st.integers(1, 10**15),
    st.permutations(range(10)).flatmap(lambda seats: st.integers(1, 10).map(lambda count: tuple(seats[:count]))),
    st.sampled_from(RULES),
    st.sampled_from((1, 25, 100)),
)
def test_shares_sum_to_the_pot(amount: int, winners: tuple[Seat, ...], rule: OddChipRule, unit: int) -> None:
    """FAULT-59, rulebooks.md section 11.1: after the awards nothing is left in the pot."""
    shares = share_pot(amount, winners, rule, unit)
    assert tuple(share.seat for share in shares) == winners
    assert sum(share.amount for share in shares) == amount
    assert len({share.amount - share.odd_chips for share in shares}) == 1


@given(st.integers(1, 10**6), st.integers(2, 10), st.sampled_from((1, 25, 100)))
def test_one_each_from_left_differs_by_one_unit(amount: int, count: int, unit: int) -> None:
    """R-MOD-5: nobody gets two odd units; only what is less than a unit comes on top, to the first."""
    shares = share_pot(amount, tuple(range(count)), "one_each_from_left", unit)
    whole = [shares[0].amount - amount % unit] + [share.amount for share in shares[1:]]
    assert max(whole) - min(whole) in {0, unit}
    assert whole == sorted(whole, reverse=True)
