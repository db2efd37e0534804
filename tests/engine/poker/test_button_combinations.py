"""Button and blinds over every way in which up to five seats can stand, from every position they can have (O-7).

The button of the last hand is always seat 0: turning the table changes nothing. A seat is empty, in, posting or
waiting; one that sits out counts as empty here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

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
from engine.poker.seats import NOBODY, SeatSet, between, next_seat, seat_set, seats_in

STANDINGS: tuple[Standing | None, ...] = ("in", "post", "wait", None)


class House(NamedTuple):
    """The fields of a house that decide about the button, and how many seats to try."""

    seats: int
    rule: ButtonRule = "moving"
    heads_up: HeadsUpBlinds = "dealer_posts_small"
    no_double_big_blind: bool = True
    between_allowed: bool = False

    def deal(self, standings: tuple[Standing | None, ...], previous: Positions) -> Deal | None:
        """Return the next deal."""
        return next_positions(
            standings,
            previous,
            0,
            rule=self.rule,
            heads_up=self.heads_up,
            no_double_big_blind=self.no_double_big_blind,
            between_allowed=self.between_allowed,
            with_blinds=True,
        )


MOVING = [
    House(4, "moving", heads_up, no_double, between_allowed)
    for heads_up in ("dealer_posts_small", "dealer_posts_big")
    for no_double in (True, False)
    for between_allowed in (True, False)
] + [House(5), House(5, heads_up="dealer_posts_big")]
DEAD = [House(4, "dead", between_allowed=True), House(5, "dead")]
every_house = pytest.mark.parametrize("house", MOVING + DEAD)


class Case(NamedTuple):
    """One hand, with who was willing to play it."""

    previous: Positions
    standings: tuple[Standing | None, ...]
    full: SeatSet
    """Who may hold any position: members, and posters where they may post between button and big blind."""
    members: SeatSet
    posting: SeatSet
    willing: SeatSet
    deal: Deal

    @property
    def heads_up(self) -> bool:
        """Whether two are dealt in."""
        return self.deal.dealt.bit_count() == 2


def positions_before(house: House) -> Iterator[Positions]:
    """Yield every position that a hand with the button on seat 0 can have had."""
    others = range(1, house.seats)
    for small, big in product(others, others):
        if small < big:
            yield Positions(0, small, small_posts=True, big_blind=big)
    for other in others:
        if house.heads_up == "dealer_posts_small":
            yield Positions(0, 0, small_posts=True, big_blind=other)
        else:
            yield Positions(0, other, small_posts=True, big_blind=0)


@cache
def cases(house: House) -> list[Case]:
    """Return every case in which two are willing."""
    found = []
    for previous, standings in product(positions_before(house), product(STANDINGS, repeat=house.seats)):
        members, posting, waiting = (
            seat_set(seat for seat, stands in enumerate(standings) if stands == wanted)
            for wanted in ("in", "post", "wait")
        )
        willing = members | posting | waiting
        full = members | posting if house.between_allowed else members
        if full.bit_count() < 2:
            full, members, posting = willing, willing, NOBODY
        deal = house.deal(standings, previous)
        assert (deal is None) == (willing.bit_count() < 2)
        if deal is not None:
            found.append(Case(previous, standings, full, members, posting, willing, deal))
    return found


@every_house
def test_members_are_dealt_in_and_nobody_unwilling(house: House) -> None:
    """R-PAC-7, G-MOD-3: a member always plays, whatever blind skips him."""
    for case in cases(house):
        assert case.full & ~case.deal.dealt == 0, case
        assert case.deal.dealt & ~case.willing == 0, case


@every_house
def test_there_is_one_big_blind_and_another_seat_is_small(house: House) -> None:
    """R-PAC-10, R-PLA-12: the big blind is dealt in; three or more sit as button, small blind, big blind, clockwise."""
    for case in cases(house):
        button, small, big = case.deal.positions.button, case.deal.positions.small_blind, case.deal.positions.big_blind
        assert case.deal.dealt >> big & 1, case
        if case.heads_up:
            assert case.deal.dealt == 1 << small | 1 << big, case
            assert button in {small, big}, case
        else:
            assert between(button, big) >> small & 1, case


@every_house
def test_the_small_blind_is_posted_by_a_member(house: House) -> None:
    """R-PAC-9, G-MOD-2: nobody posts for an empty seat, and a poster pays his post instead."""
    for case in cases(house):
        small = case.deal.positions.small_blind
        assert case.deal.positions.small_posts == bool(case.members >> small & 1), case
        if house.rule == "moving":
            assert case.full >> small & 1, case


@every_house
def test_late_players_come_in_where_they_may(house: House) -> None:
    """AMB-17: posters outside button to big blind, waiters as the big blind, which pays no post."""
    for case in cases(house):
        button, big = case.deal.positions.button, case.deal.positions.big_blind
        assert case.deal.posters == case.deal.dealt & case.posting & ~(1 << big), case
        assert case.deal.dealt & ~(case.full | case.posting | 1 << big) == 0, case
        if not house.between_allowed:
            assert case.deal.posters & (between(button, big) | 1 << button) == 0, case


@pytest.mark.parametrize("house", MOVING)
def test_the_moving_button_moves_to_a_player(house: House) -> None:
    """R-PAC-7, R-AKP-6: it moves on with every hand, but where two members would repeat the big blind (G-MOD-4)."""
    gives_way = house.no_double_big_blind and house.heads_up == "dealer_posts_big"
    for case in cases(house):
        assert case.deal.dealt >> case.deal.positions.button & 1, case
        stays = case.deal.positions.button == case.previous.button
        assert not stays or (gives_way and case.full.bit_count() == 2), case


@every_house
def test_no_member_is_big_blind_twice_running(house: House) -> None:
    """FAULT-32, AMB-56, G-MOD-4: only the plain moving rule repeats it, and only heads-up."""
    for case in cases(house):
        if case.deal.positions.big_blind == case.previous.big_blind and case.full >> case.previous.big_blind & 1:
            assert case.heads_up, case
            assert not house.no_double_big_blind, case


@every_house
def test_when_nobody_leaves_everything_moves_by_one(house: House) -> None:
    """R-PAC-7, R-AKP-6: small blind to button, big blind to small blind, and the next who is willing is big blind."""
    for case in cases(house):
        was, now = case.previous, case.deal.positions
        three = len({was.button, was.small_blind, was.big_blind}) == 3
        if three and all(case.full >> seat & 1 for seat in (was.button, was.small_blind, was.big_blind)):
            expected = (was.small_blind, was.big_blind, next_seat(case.willing, was.big_blind))
            assert (now.button, now.small_blind, now.big_blind) == expected, case


@pytest.mark.parametrize("house", DEAD)
def test_the_dead_button_follows_the_big_blind(house: House) -> None:
    """G-MOD-2: the big blind goes to the next who is willing, the others to the seats before, unless it passes them."""
    for case in cases(house):
        was, now = case.previous, case.deal.positions
        assert now.big_blind == next_seat(case.willing, was.big_blind), case
        if not case.heads_up:
            passed = (between(was.big_blind, now.big_blind) | 1 << now.big_blind) >> was.small_blind & 1
            assert now.small_blind == was.big_blind, case
            assert case.full >> now.button & 1 if passed else now.button == was.small_blind, case


@every_house
def test_nobody_who_is_willing_waits_for_ever(house: House) -> None:
    """R-PAC-6, R-PLA-15: with nobody coming or going, all are in within two rounds and pay the big blind in turn."""
    for case in {(case.deal, case.standings): case for case in cases(house)}.values():
        deal, standings, bigs = case.deal, case.standings, [case.deal.positions.big_blind]
        for _ in range(2 * house.seats):
            standings = tuple("in" if deal.dealt >> seat & 1 else was for seat, was in enumerate(standings))
            following = house.deal(standings, deal.positions)
            assert following is not None
            deal = following
            bigs.append(deal.positions.big_blind)
        assert deal.dealt == case.willing, case
        assert sorted(bigs[-case.willing.bit_count() :]) == list(seats_in(case.willing)), case
        assert house.rule == "moving" or all(earlier != later for earlier, later in pairwise(bigs)), case


@every_house
def test_who_sits_out_misses_each_blind_once_a_round(house: House) -> None:
    """G-AKP-7, R-PLA-15: in a round of the others, big blind, small blind and button pass him exactly once."""
    for case in cases(house):
        others = [seat for seat, stands in enumerate(case.standings) if stands == "in"]
        outs = [seat for seat, stands in enumerate(case.standings) if stands is None]
        if len(others) + len(outs) == house.seats and len(others) >= 2 and outs:
            assert misses_of_a_round(house, case, outs[0], len(others)) == [1, 1, 1], case


def misses_of_a_round(house: House, case: Case, out: int, hands: int) -> list[int]:
    """Return how often the blinds and the button pass the seat in a settled round of so many hands."""
    positions, passed = case.deal.positions, []
    for _ in range(house.seats + hands):
        deal = house.deal(case.standings, positions)
        assert deal is not None
        big, small = missed_blinds(positions, deal.positions, 1 << out)
        passed.append((big >> out, small >> out, button_passed(positions, deal.positions) >> out & 1))
        positions = deal.positions
    return [sum(column) for column in zip(*passed[-hands:], strict=True)]
