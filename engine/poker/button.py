"""The button: who has it, who posts the blinds, who is dealt in, and whom the blinds have passed.

One pure function, `next_positions`, goes from the last hand's positions to the next, whoever has come or gone since.

*Moving* button: it goes to the next player, and the next two post the blinds. Who is skipped by a blind because
others left owes nothing. *Dead* button: the big blind goes to the next player, the small blind to the seat of the last
big blind and the button to the seat of the last small blind, whether anybody sits there or not.

A seat stands in one of four ways (`Standing`). Members ("in") may hold any position. "post" and "wait" come in late:
both may take the big blind and then owe nothing else; "post" is otherwise dealt in where he pays his debt, after the
big blind and before the button (AMB-17). Where the house lets him post between button and big blind too, he is a member
who pays. Nobody who is willing waits for ever, and two willing players always make a hand.

**Nobody posts the big blind twice running.** With the dead button this holds by itself. The moving button needs two
rules for it. Members who were not dealt in last hand and sit before the last big blind would push the blinds back to
him, so they take no position until the button has passed them (`_latecomers`). With two players the button may have to
go to the other one (`no_double_big_blind`, G-MOD-4).

Where the big blind reaches the button's own seat although more than two can play, the button goes to the last of them
before the small blind, with either rule.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.poker.seats import NOBODY, SEATS_MAX, Seat, SeatSet, between, clockwise, next_seat

Standing: TypeAlias = Literal["in", "post", "wait", "out"]
"""A full member; owes a post and pays it now; waits for the big blind; occupied but not to be dealt in."""
ButtonRule: TypeAlias = Literal["moving", "dead"]
HeadsUpBlinds: TypeAlias = Literal["dealer_posts_small", "dealer_posts_big"]


class Positions(Struct, frozen=True, gc=False):
    """Where button and blinds are in a hand. -1 stands for a blind that the table does not have."""

    button: Seat
    small_blind: Seat
    """The seat the small blind belongs to, which may be empty with the dead button."""
    small_posts: bool
    """Whether that seat posts it: not if nobody plays there, nor if he pays an entry post instead."""
    big_blind: Seat


class Deal(Struct, frozen=True, gc=False):
    """Who plays the next hand, and where."""

    positions: Positions
    dealt: SeatSet
    """The seats dealt in. From this hand on they owe no post."""
    posters: SeatSet
    """Those of them that pay their post; never the big blind."""


def next_positions(  # noqa: PLR0913 - one argument for each field of the house.
    standings: tuple[Standing | None, ...],
    previous: Positions | None,
    first_button: Seat,
    *,
    rule: ButtonRule,
    heads_up: HeadsUpBlinds,
    no_double_big_blind: bool,
    between_allowed: bool,
    with_blinds: bool,
    seats_min: int = 2,
) -> Deal | None:
    """Return the positions of the next hand, or None when too few are willing to play (R-PAC-7, G-MOD-2 to 4).

    Args:
        standings: How each seat of the table stands; None for an empty seat or one without chips.
        previous: Positions of the last hand that was played; None before the table's first.
        first_button: The seat that drew the first button; if it does not play, the next one gets it.
        rule: Moving or dead button.
        heads_up: Who posts what with two players and the moving button. With the dead button the dealer posts small.
        no_double_big_blind: Whether the button gives way when two players would repeat the big blind.
        between_allowed: Whether a late player may post between the button and the big blind.
        with_blinds: Whether the table has blinds, for all its life.
        seats_min: Fewest players for a hand. When fewer would be dealt in, all who are willing are members this time.
    """
    members, posting, waiting = _by_standing(standings)
    willing = members | posting | waiting
    if willing.bit_count() < seats_min:
        return None
    last_button = (first_button - 1) % SEATS_MAX if previous is None else previous.button
    if not with_blinds:
        return Deal(Positions(next_seat(willing, last_button), -1, small_posts=False, big_blind=-1), willing, NOBODY)
    if previous is None:
        places = _first(willing, last_button, "dealer_posts_small" if rule == "dead" else heads_up)
        return _deal(places, willing, willing, NOBODY)

    def deal(core: SeatSet, members: SeatSet, posting: SeatSet) -> Deal:
        if rule == "dead":
            places = _dead(core, willing, posting, previous)
        else:
            places = _moving(core, willing, previous, heads_up, no_double_big_blind=no_double_big_blind)
        return _deal(places, core, members, posting)

    core = members | posting if between_allowed else members
    if core.bit_count() > 1:
        usual = deal(core, members, posting)
        if usual.dealt.bit_count() >= seats_min:
            return usual
    # Too few members for a hand: all who are willing are members this time.
    return deal(willing, willing, NOBODY)


def missed_blinds(previous: Positions | None, current: Positions, out_seats: SeatSet) -> tuple[SeatSet, SeatSet]:
    """Return which of `out_seats` missed the big and which the small blind in this hand, as (big, small) (G-AKP-7).

    `out_seats` are occupied and not dealt in. A blind has missed the seats that it moved across; the small blind also
    the seat where it lies unposted.
    """
    if previous is None or current.big_blind < 0:
        return NOBODY, NOBODY
    big = _across(previous.big_blind, current.big_blind)
    small = _across(previous.small_blind, current.small_blind)
    if not current.small_posts:
        small |= 1 << current.small_blind
    return big & out_seats, small & out_seats


def button_passed(previous: Positions | None, current: Positions) -> SeatSet:
    """Return the seats that the button moved across with this hand (R-AKP-15)."""
    return NOBODY if previous is None else _across(previous.button, current.button)


_Places: TypeAlias = tuple[Seat, Seat, Seat]
"""Button, small blind, big blind."""


def _by_standing(standings: tuple[Standing | None, ...]) -> tuple[SeatSet, SeatSet, SeatSet]:
    """Return who is in, who posts and who waits."""
    members = posting = waiting = NOBODY
    for seat, standing in enumerate(standings):
        if standing == "in":
            members |= 1 << seat
        elif standing == "post":
            posting |= 1 << seat
        elif standing == "wait":
            waiting |= 1 << seat
    return members, posting, waiting


def _first(willing: SeatSet, last_button: Seat, heads_up: HeadsUpBlinds) -> _Places:
    button, small, *others = clockwise(willing, last_button)
    return (button, small, others[0]) if others else _heads_up(button, small, heads_up)


def _heads_up(button: Seat, other: Seat, heads_up: HeadsUpBlinds) -> _Places:
    return (button, button, other) if heads_up == "dealer_posts_small" else (button, other, button)


def _moving(
    core: SeatSet, willing: SeatSet, previous: Positions, heads_up: HeadsUpBlinds, *, no_double_big_blind: bool
) -> _Places:
    """Move the button to the next player; the blinds follow it."""
    on_time = core & ~_latecomers(core, previous)
    button = next_seat(on_time & ~(1 << previous.button) or core, previous.button)
    small = next_seat(on_time & ~(1 << button) or core & ~(1 << button), button)
    big = next_seat(willing, small)
    if big != button:
        return button, small, big
    if core.bit_count() > 2:
        return _last_before(small, core), small, big
    places = _heads_up(button, small, heads_up)
    if no_double_big_blind and places[2] == previous.big_blind:
        return _other_button(button, small, willing, heads_up)
    return places


def _latecomers(core: SeatSet, previous: Positions) -> SeatSet:
    """Return the seats whose members would push the blinds back to the last big blind, if he is still in.

    Only the small blind was dealt in between the last button and the last big blind.
    """
    if not core >> previous.big_blind & 1:
        return NOBODY
    return between(previous.button, previous.big_blind) & ~(1 << previous.small_blind)


def _other_button(button: Seat, other: Seat, willing: SeatSet, heads_up: HeadsUpBlinds) -> _Places:
    """Give the button to the other of two members; one who waits behind the new small blind makes it three."""
    big = next_seat(willing, button)
    return _heads_up(other, button, heads_up) if big == other else (other, button, big)


def _dead(core: SeatSet, willing: SeatSet, posting: SeatSet, previous: Positions) -> _Places:
    """Move the big blind to the next player; small blind and button follow to the seats before.

    A button that the big blind has reached or passed goes before the small blind. With two, the other has both.
    """
    button, small = previous.small_blind, previous.big_blind
    big = next_seat(willing, small)
    others = core & ~(1 << big)
    if (between(small, big) | 1 << big) >> button & 1:
        button = _last_before(small, others)
    dealt = core | 1 << big | _may_post(posting, button, big)
    if dealt.bit_count() == 2:
        button = small = next_seat(others, big)
    return button, small, big


def _last_before(seat: Seat, members: SeatSet) -> Seat:
    """Return the member nearest to `seat` counter-clockwise; `seat` itself only if it is the only one."""
    return clockwise(members & ~(1 << seat) or members, seat)[-1]


def _may_post(posting: SeatSet, button: Seat, big: Seat) -> SeatSet:
    """Return the late players who are neither on the button nor between it and the big blind."""
    return posting & ~between(button, big) & ~(1 << button)


def _deal(places: _Places, core: SeatSet, members: SeatSet, posting: SeatSet) -> Deal:
    button, small, big = places
    dealt = core | 1 << big
    if button not in (small, big):
        dealt |= _may_post(posting, button, big)
    positions = Positions(button, small, members >> small & 1 == 1, big)
    return Deal(positions, dealt, dealt & posting & ~(1 << big))


def _across(start: Seat, end: Seat) -> SeatSet:
    """Return the seats strictly between two seats clockwise; none when nothing moved."""
    return NOBODY if start == end else between(start, end)
