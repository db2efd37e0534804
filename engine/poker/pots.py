"""Pots: who may win which chips, and how a pot is shared.

A pot is cut from *contributions*, never from stacks: a protected player has chips behind and still contests only what
he has put in (AMB-32). Every amount that somebody live has put in is a *level*. The chips between two levels form one
pot, claimed by everybody live who reached the upper level; folded players' chips lie in the pots they fill and claim
nothing. Because only live players make levels, two pots never have the same claimants, so no pot is split twice
(FAULT-62), and each pot has fewer claimants than the one before.

Before pots are built the uncalled bet must have gone back (`uncalled_bet`), or the deepest player gets a pot of his
own. A pot with a single claimant can still remain: a folded player's chips above an all-in (AMB-37). It is awarded at
once.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.poker.money import Chips
from engine.poker.seats import MEMBERS, Seat, SeatSet, seat_set

OddChipRule: TypeAlias = Literal["all_to_first_left_of_dealer", "one_each_from_left"]


class Pot(Struct, frozen=True, gc=False):
    """A main or side pot."""

    amount: Chips
    """Chips in the pot, at least 1."""
    claimants: SeatSet
    """The live seats that may win it, at least one."""


class Share(Struct, frozen=True, gc=False):
    """What one winner takes from one pot."""

    seat: Seat
    amount: Chips
    """Chips won, the odd chips included."""
    odd_chips: Chips
    """The part of `amount` that is there because the pot did not divide."""


def uncalled_bet(contributions: tuple[Chips, ...]) -> tuple[Seat, Chips]:
    """Return who gets back how many chips of what all have put in (by seat), or (-1, 0) when everything was matched.

    A folded player's chips count as a call up to their size (rulebooks.md section 4, "uncalled bet"). An ante that
    nobody could match is no bet, but it comes back the same way: it was never played for.
    """
    second, top = sorted(contributions)[-2:]
    if top == second:
        return -1, 0
    return contributions.index(top), top - second


def build_pots(contributions: tuple[Chips, ...], live: SeatSet, dead: Chips) -> tuple[Pot, ...]:
    """Return the pots of a hand, the main pot first (R-PAC-20, R-AKP-17).

    Args:
        contributions: Chips each seat has put in during the hand, uncalled bets taken out, `dead` left out.
        live: The seats that have not folded, at least one.
        dead: Chips of dead blinds, a big-blind ante and a button ante. All of them go into the main pot. Where a live
            seat has nothing but dead chips in (a short stack that paid the ante), they alone are the main pot.
    """
    levels = sorted({contributions[seat] for seat in MEMBERS[live]})
    if len(levels) > 1:
        return _layers(contributions, live, dead, levels)
    total = sum(contributions) + dead
    return (Pot(total, live),) if total else ()


def is_contested(pot: Pot) -> bool:
    """Return whether the pot has two or more claimants and so waits for the showdown (R-PAC-21)."""
    return pot.claimants & (pot.claimants - 1) != 0


def visible_pots(pots: tuple[Pot, ...], max_visible: int) -> tuple[Pot, ...]:
    """Return the pots that players are shown: the first `max_visible`, 0 for all (R-PAC-26). All of them are played."""
    return pots[:max_visible] if max_visible else pots


def share_pot(amount: Chips, winners: tuple[Seat, ...], rule: OddChipRule, unit: Chips) -> tuple[Share, ...]:
    """Return what each winner of a pot takes, in the order of `winners` (AMB-26).

    Args:
        amount: Chips to share, rake taken out.
        winners: The seats that win it, in clockwise order from the left of the button.
        rule: Who gets the units that do not divide.
        unit: Chips in the smallest piece a pot is cut into; what is less than a unit goes to the first winner.
    """
    count = len(winners)
    if count == 1:
        return (Share(winners[0], amount, 0),)
    units, rest = divmod(amount, unit)
    each, odd_units = divmod(units, count)
    if rule == "all_to_first_left_of_dealer":
        odds = [odd_units * unit] + [0] * (count - 1)
    else:
        odds = [unit] * odd_units + [0] * (count - odd_units)
    odds[0] += rest
    return tuple([Share(seat, each * unit + odd, odd) for seat, odd in zip(winners, odds, strict=True)])


def _layers(contributions: tuple[Chips, ...], live: SeatSet, dead: Chips, levels: list[Chips]) -> tuple[Pot, ...]:
    """Cut the chips at every level; what lies above the highest, put in by folded players alone, joins the last pot."""
    pots: list[Pot] = []
    claimants, taken = live, 0
    for level in levels[:-1]:
        reached = dead + sum([min(level, chips) for chips in contributions])
        if reached > taken:
            pots.append(Pot(reached - taken, claimants))
            taken = reached
        claimants = seat_set([seat for seat in MEMBERS[claimants] if contributions[seat] > level])
    pots.append(Pot(sum(contributions) + dead - taken, claimants))
    return tuple(pots)
