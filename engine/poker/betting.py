"""Betting: who acts next, for how much, and when a round is over.

A round knows three sets of seats. `live` can still win the pot; `active` are the live seats that can still put chips
in (not all-in, not protected); `pending` are the active seats that still owe an action. A bet or raise makes everybody
else who is active pending again, and the round ends when nobody is pending or one seat is left alive.

Three numbers decide what a raise may be:

* `current_bet`  what a seat must have in on this street to call. The nominal big blind, however short it was posted.
* `full_raise`   the last full bet or raise: the least increment of the next one. An all-in for less never shrinks it.
* `level`        how far the betting has been opened. A seat that has acted may raise again when the level has moved far
                 enough since (`may_raise`): a short all-in alone does not reopen the betting, several may (AMB-25).

In fixed limit `level` is the full level that the bet stands for: an all-in to 16 at unit 10 counts as 20.
All amounts are chips in minor units; a seat's `bet` is what it has in on this street, antes and dead posts excluded.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import MEMBERS, NEXT, Seat, SeatSet

replace = msgspec.structs.replace

LimitType: TypeAlias = Literal["fixed_limit", "pot_limit", "no_limit"]
PotLimitRaiseBasis: TypeAlias = Literal["pot_after_call", "pot_before_call"]
ShortAllInReopens: TypeAlias = Literal["sum_full_raise", "single_full_raise", "always"]
ShortAllInCounts: TypeAlias = Literal["half_unit", "full_unit"]
AfterShortAllIn: TypeAlias = Literal["full_level", "add_unit"]

NOT_ACTED = -1
"""The value of `Player.answered` before a player's first action in a round."""

UNLIMITED = 1 << 30
"""The value of `Round.raises_max` when the number of raises is not limited."""


class Limits(msgspec.Struct, frozen=True, gc=False):
    """The betting structure of a hand; the fields are those of `rulebooks.md` section 1, [betting]."""

    limit_type: LimitType
    least_bet: Chips
    """The big blind; at a table without blinds the stated least bet."""
    units: tuple[Chips, Chips, Chips, Chips]
    """Fixed limit: the bet unit of each street."""
    fl_max_raises: int
    uncapped_heads_up: bool
    pot_limit_raise_basis: PotLimitRaiseBasis
    short_all_in_reopens: ShortAllInReopens
    fl_short_all_in_counts: ShortAllInCounts
    fl_after_short_all_in: AfterShortAllIn


class Player(msgspec.Struct, frozen=True, gc=False):
    """The chips of a seat that was dealt in."""

    stack: Chips
    """Behind, not in the pot."""
    bet: Chips
    """In on this street, live posts included."""
    contribution: Chips
    """In the pot in this hand: bets and antes of type `each`; dead posts are not in it."""
    answered: Chips
    """The level of the betting when this player last acted in the round, or NOT_ACTED."""


Players: TypeAlias = tuple[Player | None, ...]
"""One entry per seat of the table; None where nobody was dealt in."""


class Round(msgspec.Struct, frozen=True, gc=False):
    """A betting round."""

    current_bet: Chips
    level: Chips
    full_raise: Chips
    raises: int
    """Bets and raises that count towards the fixed-limit cap; the big blind is the first bet."""
    raises_max: int
    live: SeatSet
    active: SeatSet
    pending: SeatSet
    to_act: Seat
    """-1 when the round is over."""
    aggressor: Seat
    """Who bet or raised last, or -1."""


def player_at(players: Players, seat: Seat) -> Player:
    """Return the player at a seat that was dealt in."""
    player = players[seat]
    assert player is not None, f"seat {seat} was not dealt in"
    return player


# What a player may do.


def is_free(betting: Round, player: Player) -> bool:
    """Say whether a check costs the player nothing."""
    return player.bet >= betting.current_bet


def to_call(betting: Round, player: Player) -> Chips:
    """Return what a call costs: the rest of the bet, or the whole stack when that is less."""
    owed = betting.current_bet - player.bet
    return min(owed, player.stack)


def may_raise(limits: Limits, betting: Round, players: Players, seat: Seat) -> bool:
    """Say whether the seat to act may bet or raise at all (AMB-24, AMB-25, `rulebooks.md` section 4)."""
    player = player_at(players, seat)
    return (
        player.stack + player.bet > betting.current_bet
        and betting.raises < betting.raises_max
        and is_reopened(limits, betting, player)
        and can_be_answered(betting, players, seat)
    )


def is_reopened(limits: Limits, betting: Round, player: Player) -> bool:
    """Say whether the betting is open to the player: he has not acted, or it has grown enough since (R-MOD-7)."""
    if player.answered == NOT_ACTED:
        return True
    grown = betting.level - player.answered
    if limits.limit_type == "fixed_limit" or limits.short_all_in_reopens != "sum_full_raise":
        return grown > 0
    return grown >= betting.full_raise


def can_be_answered(betting: Round, players: Players, seat: Seat) -> bool:
    """Say whether another active seat could put in more than the current bet (FAULT-17)."""
    current_bet = betting.current_bet
    for other in MEMBERS[betting.active & ~(1 << seat)]:
        rival = players[other]
        if rival is not None and rival.stack + rival.bet > current_bet:
            return True
    return False


def raise_range(limits: Limits, betting: Round, player: Player, street: int, pot: Chips) -> tuple[Chips, Chips]:
    """Return the least and the largest `raise_to` of a player who may raise.

    The least raise goes to the current bet plus the last full bet or raise; an all-in for less is always legal
    (`rulebooks.md` section 4). `pot` holds everything in the middle, this street's bets and dead money included.
    """
    all_in = player.stack + player.bet
    if limits.limit_type == "fixed_limit":
        exact = fixed_raise_to(limits, betting, street)
        return (exact, exact) if exact < all_in else (all_in, all_in)
    minimum = betting.current_bet + betting.full_raise
    maximum = all_in
    if limits.limit_type == "pot_limit":
        maximum = min(all_in, max(minimum, pot_limit_raise_to(limits, betting, player, pot)))
    return (minimum, maximum) if minimum < maximum else (maximum, maximum)


def fixed_raise_to(limits: Limits, betting: Round, street: int) -> Chips:
    """Return the one size of the next fixed-limit bet or raise: a unit above the level (`fl_after_short_all_in`)."""
    base = betting.level if limits.fl_after_short_all_in == "full_level" else betting.current_bet
    return base + limits.units[street]


def pot_limit_raise_to(limits: Limits, betting: Round, player: Player, pot: Chips) -> Chips:
    """Return the largest pot-limit raise: committed + to_call + basis, the pot before or after the call (AMB-01)."""
    owed = betting.current_bet - player.bet
    basis = pot + owed if limits.pot_limit_raise_basis == "pot_after_call" else pot
    return betting.current_bet + basis


def is_full_raise(limits: Limits, betting: Round, street: int, raise_to: Chips) -> bool:
    """Say whether a bet or raise is a full one: it reopens the betting and counts towards the cap."""
    if limits.limit_type != "fixed_limit":
        return raise_to - betting.current_bet >= betting.full_raise
    missing = fixed_raise_to(limits, betting, street) - raise_to
    return missing == 0 or (limits.fl_short_all_in_counts == "half_unit" and 2 * missing <= limits.units[street])


# What an action does to the round.


def open_hand(limits: Limits, players: Players, dealt: SeatSet, opening_bet: Chips, opens_after: Seat) -> Round:
    """Return the first round, once blinds and antes are in.

    Args:
        limits: The betting structure.
        players: The chips after all posts.
        dealt: The seats that got cards.
        opening_bet: The nominal big blind, which counts as the first bet; 0 at a table without blinds.
        opens_after: The first pending seat after this one opens: the big blind, or the button without blinds.
    """
    active = dealt
    for seat, player in enumerate(players):
        if player is not None and player.stack == 0:
            active &= ~(1 << seat)
    to_act = next_to_act(players, dealt, active, active, opens_after)
    return Round(
        opening_bet,
        opening_bet,
        limits.least_bet,
        int(opening_bet > 0),
        raises_allowed(limits, dealt),
        dealt,
        active,
        active if to_act >= 0 else 0,
        to_act,
        -1,
    )


def open_street(limits: Limits, betting: Round, players: Players, opens_after: Seat, *, keep_aggressor: bool) -> Round:
    """Return the round of a later street: no bets yet, the first active seat after `opens_after` to act.

    With fewer than two active seats there is nothing to bet about and the round is over at once (FAULT-71); the last
    aggressor then stays the one of the last round that was played.
    """
    live, active = betting.live, betting.active
    to_act = next_to_act(players, live, active, active, opens_after)
    return Round(
        0,
        0,
        limits.least_bet,
        0,
        raises_allowed(limits, live),
        live,
        active,
        active if to_act >= 0 else 0,
        to_act,
        betting.aggressor if keep_aggressor or to_act < 0 else -1,
    )


def after_fold(betting: Round, players: Players, seat: Seat) -> Round:
    """Return the round after the seat has folded."""
    out = ~(1 << seat)
    return _passed(betting, players, seat, betting.live & out, betting.active & out)


def after_check_or_call(betting: Round, players: Players, seat: Seat) -> Round:
    """Return the round after a check or call; `players` hold the chips after it."""
    active = betting.active if player_at(players, seat).stack else betting.active & ~(1 << seat)
    return _passed(betting, players, seat, betting.live, active)


def after_protection(betting: Round, players: Players, seat: Seat) -> Round:
    """Return the round after a lost player was declared all-in for what he has in (R-AKP-22, AMB-32)."""
    return _passed(betting, players, seat, betting.live, betting.active & ~(1 << seat))


def after_raise(  # noqa: PLR0913 - one argument for each fact of a raise.
    limits: Limits, betting: Round, seat: Seat, raise_to: Chips, street: int, *, full: bool, all_in: bool
) -> Round:
    """Return the round after a bet or raise: everybody else who is active owes an answer."""
    pending = betting.active & ~(1 << seat)
    return Round(
        raise_to,
        _level_after(limits, betting, raise_to, street, full=full),
        max(betting.full_raise, raise_to - betting.current_bet) if full else betting.full_raise,
        betting.raises + full,
        betting.raises_max,
        betting.live,
        pending if all_in else betting.active,
        pending,
        NEXT[pending][seat],
        seat,
    )


def raises_allowed(limits: Limits, live: SeatSet) -> int:
    """Return how many bets and raises a round may have: one bet and the raises of the rulebook (AMB-24)."""
    if limits.limit_type != "fixed_limit" or (limits.uncapped_heads_up and live.bit_count() == 2):
        return UNLIMITED
    return 1 + limits.fl_max_raises


def next_to_act(players: Players, live: SeatSet, active: SeatSet, pending: SeatSet, after: Seat) -> Seat:
    """Return the first pending seat clockwise after `after`, or -1 when the round is over.

    A seat that is alone with chips is asked only when it has less in than another live seat (FAULT-22, FAULT-23,
    FAULT-71).
    """
    if not pending or live & (live - 1) == 0:
        return -1
    if active & (active - 1) == 0 and not _owes(players, live, pending):
        return -1
    return NEXT[pending][after]


def _owes(players: Players, live: SeatSet, alone: SeatSet) -> bool:
    """Say whether the only active seat has less in on this street than another live seat."""
    bet = player_at(players, alone.bit_length() - 1).bet
    return max([player_at(players, seat).bet for seat in MEMBERS[live]]) > bet


def _passed(betting: Round, players: Players, seat: Seat, live: SeatSet, active: SeatSet) -> Round:
    """Return the round after `seat` has acted, or gone, without raising."""
    pending = betting.pending & active & ~(1 << seat)
    after = seat if betting.to_act == seat else betting.to_act - 1
    to_act = next_to_act(players, live, active, pending, after)
    return replace(betting, live=live, active=active, pending=pending, to_act=to_act)


def _level_after(limits: Limits, betting: Round, raise_to: Chips, street: int, *, full: bool) -> Chips:
    if limits.limit_type == "fixed_limit":
        if limits.fl_after_short_all_in == "full_level":
            return betting.level + limits.units[street] if full else betting.level
        return raise_to if full else betting.level
    return betting.level if limits.short_all_in_reopens == "single_full_raise" and not full else raise_to
