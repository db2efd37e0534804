"""What is demanded of a logged hand, and what is excused: nothing but what is written here.

A hand is *replayed* to its end, or *refused* at the first line that breaks the rules; refused only if the log has a tag
that says so (REASONS). Of a replayed hand everything that the log knows must be equal: the posts, the board, the bounds
of each decision, the stacks before rake, and the published stacks after it.

Excuses are named and counted. Each is demanded, too: a listed hand that does not need its excuse is a mismatch.

* odd chip: PokerKit splits pots with two faults; its value must come out with them (`_as_pokerkit_splits`).
* add unit: the sizing of a raise after a short all-in; with `full_level` the hand must be refused.
* checker bounds: PokerKit offers a raise to one who has checked, after an all-in bet below the least bet.
* limper bounds: PokerKit offers a raise to one who has called, after an all-in that is no full raise over the blind.
* allowed: the strict checker of the files objects to what the rulebook allows (ALLOWED).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Literal, TypeAlias

import msgspec

from engine.errors import Reason
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table.events import (
    AntePosted,
    BlindPosted,
    DeadBlindPosted,
    HandEnded,
    HandStarted,
    PotAwarded,
    PotSplit,
    StreetDealt,
    UncalledBetReturned,
)
from tests.conformance.adapter import actions_of, plays_by_add_unit
from tests.conformance.cards import board_of
from tests.conformance.hands import LoggedHand, listed, player_at
from tests.conformance.replay import Bounds, Replay, play

Excuse: TypeAlias = Literal["odd chip", "add unit", "checker bounds", "limper bounds", "allowed"]

REASONS: dict[str, frozenset[Reason]] = {
    "raise_when_not_reopened": frozenset({Reason.RAISE_NOT_REOPENED}),
    # Where nobody could answer a raise there is no least one, and it is refused whatever its size.
    "below_min_raise": frozenset({Reason.BET_BELOW_MINIMUM, Reason.RAISE_NOT_POSSIBLE}),
    "fl_size": frozenset({Reason.BET_BELOW_MINIMUM, Reason.BET_ABOVE_MAXIMUM}),
}
"""The reasons for which a hand with a tag may be refused."""

HALF_BET = "bovada/2596795140"
"""An all-in of 850 at unit 1600 stands for a bet of 1600 and is raised to 3200 (`rulebooks.md` section 4)."""

ALLOWED = frozenset({HALF_BET, "acpc_gen/nl3/699", "acpc_gen/nl6/1286"})
"""Tagged hands that the rulebook allows: the half bet, and two raises to everything that nobody could answer: calls."""

POST_TYPES = {"small": "small_blind", "big": "big_blind", "entry": "post_live"}


class Verdict(msgspec.Struct, frozen=True):
    """What is to be said of one hand."""

    outcome: Literal["replayed", "refused"]
    excuses: tuple[Excuse, ...] = ()
    problems: tuple[str, ...] = ()


def judge(hand: LoggedHand) -> Verdict:
    """Replay a hand and say whether all is as it must be."""
    played = play(hand, add_unit=plays_by_add_unit(hand))
    if played.refusal is not None:
        wrong = (*_wrong_events(played), *_wrong_refusal(hand, played), *_wrong_bounds(hand, played))
        return Verdict("refused", (), wrong)
    problems = [*_wrong_events(played), *_wrong_excuses(hand), *_wrong_bounds(hand, played)]
    if not played.ended or played.unplayed:
        problems.append(f"ends elsewhere, before {played.unplayed}")
    else:
        problems += [*_wrong_deal(hand, played), *_wrong_stacks(hand, played)]
    return Verdict("replayed", tuple(_excuses(hand, played)), tuple(problems))


def _excuses(hand: LoggedHand, played: Replay) -> Iterator[Excuse]:
    if hand.id in listed("odd_chip_pokerkit"):
        yield "odd chip"
    if hand.id in listed("fixed_limit_add_unit"):
        yield "add unit"
    if any(_is_closed_to_us(*pair) for pair in zip(hand.decisions or (), played.menus, strict=False)):
        yield "checker bounds" if hand.id in listed("bounds_check_then_short_all_in") else "limper bounds"
    if hand.strict_violations:
        yield "allowed"


def _wrong_refusal(hand: LoggedHand, played: Replay) -> Iterator[str]:
    expected = frozenset[Reason]().union(*(REASONS[tag] for tag in hand.strict_violations))
    if played.refusal not in expected or hand.id in ALLOWED:
        allowed = ", ".join(sorted(expected)) or "none"
        yield f"{played.unplayed[0]!r} is refused: {played.refusal}; expected: {allowed}"


def _wrong_events(played: Replay) -> Iterator[str]:
    if not played.replayable:
        yield "the events alone lead to another table"


def _wrong_excuses(hand: LoggedHand) -> Iterator[str]:
    if hand.strict_violations and hand.id not in ALLOWED:
        yield f"is not refused, in spite of {', '.join(hand.strict_violations)}"
    if hand.id in listed("fixed_limit_add_unit") and play(hand).refusal is None:
        yield "is listed, but needs no add_unit"


def _wrong_bounds(hand: LoggedHand, played: Replay) -> Iterator[str]:
    """Yield each decision with other bounds, but for raises that PokerKit alone offers in the hands known for it."""
    is_listed = hand.id in listed("bounds_check_then_short_all_in")
    known = is_listed or hand.strict_violations or "pokerkit_suspect_preflop_short_all_in" in hand.features
    closed = 0
    for theirs, ours in zip(hand.decisions or (), played.menus, strict=False):
        if known and _is_closed_to_us(theirs, ours):
            closed += 1
        elif theirs != ours:
            yield f"offers {ours}, not {theirs}"
    if is_listed and not closed:
        yield "is listed, but its bounds are equal"


def _is_closed_to_us(theirs: Bounds, ours: Bounds) -> bool:
    """Say whether two menus differ in nothing but a raise that PokerKit offers and the engine does not."""
    return theirs[:2] == ours[:2] and theirs[2:] != (None, None) and ours[2:] == (None, None)


def _wrong_deal(hand: LoggedHand, played: Replay) -> Iterator[str]:
    """Yield where seats, board or posts are not the log's."""
    if played.all(HandStarted)[0].seats != tuple(range(hand.count)):
        yield "others are dealt in, or in another order"
    if tuple(shown.card for event in played.all(StreetDealt) for shown in event.cards) != board_of(hand):
        yield "another board is dealt"
    if hand.posts is not None:
        ours, theirs = _posts(hand, played), {(post.p, post.type, post.amount) for post in hand.posts}
        if ours != theirs:
            yield f"posts {sorted(ours - theirs)} instead of {sorted(theirs - ours)}"


def _posts(hand: LoggedHand, played: Replay) -> set[tuple[str, str, Chips]]:
    """Return who posted what; where nobody had a decision, a small blind that came back uncalled was never posted."""
    nobody_acts = not any(actions_of(hand))
    returned = {event.seat: event.amount for event in played.all(UncalledBetReturned) if nobody_acts}
    posts = {(player_at(event.seat), "ante", event.amount) for event in played.all(AntePosted)}
    posts |= {(player_at(event.seat), "post_dead", event.amount) for event in played.all(DeadBlindPosted)}
    for event in played.all(BlindPosted):
        if event.amount > returned.get(event.seat, 0):
            posts.add((player_at(event.seat), POST_TYPES[event.blind], event.amount))
    return posts


def _wrong_stacks(hand: LoggedHand, played: Replay) -> Iterator[str]:
    """Yield where the stacks are not those before rake, or not those published after it."""
    (end,) = played.all(HandEnded)
    stacks, expected = end.stacks, hand.pokerkit_finishing_stacks
    if hand.pokerkit_vs_site == "differs":
        expected = None
    if hand.id in listed("odd_chip_pokerkit"):
        if stacks == expected:
            yield "is listed, but no odd chip differs"
        stacks = _as_pokerkit_splits(stacks, played)
    if expected not in {None, stacks}:
        yield f"ends with {stacks}, not {expected}"
    yield from _wrong_published(hand, end.stacks, played.all(PotAwarded))


def _as_pokerkit_splits(stacks: tuple[Chips, ...], played: Replay) -> tuple[Chips, ...]:
    """Return the stacks as two faults of PokerKit make them; the pots and their winners are the engine's.

    It joins pots that the same winners contest once the losers are out, and it gives all of a remainder to one winner.
    """
    awards, result = played.all(PotAwarded), list(stacks)
    winning = {seat for award in awards for seat in award.seats}
    claimants = [winning & set(split.seats) for split in played.all(PotSplit)]
    joined: list[tuple[set[Seat], tuple[Seat, ...], Chips]] = []
    for award in sorted(awards, key=attrgetter("pot")):
        amount = sum(award.amounts)
        for seat, share in zip(award.seats, award.amounts, strict=True):
            result[seat] -= share
        if joined and joined[-1][0] == claimants[award.pot]:
            amount += joined.pop()[2]
        joined.append((claimants[award.pot], award.seats, amount))
    for _, seats, amount in joined:
        each, rest = divmod(amount, len(seats))
        for seat in seats:
            result[seat] += each
        result[seats[0]] += rest
    return tuple(result)


def _wrong_published(hand: LoggedHand, stacks: tuple[Chips, ...], awards: list[PotAwarded]) -> Iterator[str]:
    """Yield where the published stacks differ; who bears the rake is known only where one player wins (README 6)."""
    winners = {seat for award in awards for seat in award.seats}
    if hand.published is None or (hand.site_rake and len(winners) > 1):
        return
    after = list(stacks)
    after[min(winners)] -= hand.site_rake
    differences = [abs(ours - theirs) for ours, theirs in zip(after, hand.published, strict=True)]
    # Sources that publish half chips differ by less than one chip in each pot that does not divide.
    whole = hand.pokerkit_vs_site.startswith("exact") and hand.id not in listed("odd_chip_pokerkit")
    odd_pots = 0 if whole else sum(any(award.odd_chips) for award in awards)
    if any(differences) and max(differences) >= odd_pots:
        yield f"ends with {after} after rake, not {hand.published}"
