"""Random tables for the properties: a house, a game, players with stacks of all sizes, and what a house may vary.

An `Opening` says all that a table begins with, and can be opened with everybody a few seats further clockwise. Chips
are small numbers that do not divide well; stacks go from one chip to forty big blinds, so that short blinds, side pots
and odd chips are common.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from engine.poker.betting import LimitType
from engine.rulebooks.loading import HOUSES, load
from engine.rulebooks.rulebook import AnteType, Kind, Rulebook
from engine.table.events import ButtonDrawn, PlayerSeated, TableEvent
from tests.engine.table.game import changed, open_table

T = TypeVar("T")

UNIT = 10
"""The big blind, and the small bet of fixed limit."""

VARIATIONS = (
    "betting.fl_max_raises = 1",
    "betting.uncapped_heads_up = true",
    "betting.short_all_in_reopens = 'single_full_raise'",
    "betting.short_all_in_reopens = 'always'",
    "betting.fl_short_all_in_counts = 'full_unit'",
    "betting.fl_after_short_all_in = 'add_unit'",
    "betting.fold_when_check_free = false",
    "betting.postflop_first = 'small_blind_poster'",
    "betting.pot_limit_short_blinds = 'as_full'",
    "betting.pot_limit_raise_basis = 'pot_before_call'",
    "blinds.entry_post = 'wait_only'",
    "blinds.entry_post = 'none'",
    "blinds.post_between_button_and_bb = true",
    "blinds.return_block = 'until_button_passes'",
    "blinds.missed_bb_or_both = 'live_bb'",
    "blinds.no_double_big_blind = false",
    "blinds.button_rule = {cash = 'dead', tournament = 'moving'}",
    "blinds.ante_order = 'ante_first'",
    "deal.burn = 'flop_turn_river'",
    "showdown.expose_all_in = 'always'",
    "showdown.muck_losers = false",
    "showdown.showdown_first = 'left_of_button'",
    "showdown.showdown_scope = 'whole_hand'",
    "showdown.odd_chip_rule = 'all_to_first_left_of_dealer'",
    "clock.show_seconds = 0",
    "clock.timeout_free_action = 'fold'",
    "clock.time_bank_auto = 'always'",
    "clock.time_bank_start_s = 30\nclock.time_bank_cap_s = 60",
    "protection.trigger = 'at_once'",
    "protection.in_tournaments = true",
    "protection.ante_only_protected = false",
    "rake.bps = 500",
    "rake.min_pot = 45",
    "rake.no_flop_no_drop = false",
    "rake.unit = 3",
    "table.seats_min = 3",
    "table.topup = 'refused_in_hand'",
)
"""What no house, or only some house, does: a table may have a few of these."""

PROTECTION = (
    "protection.disconnect_policy = 'all_in'",
    "protection.limit_types = ['fixed_limit', 'pot_limit', 'no_limit']",
)


KINDS: tuple[Kind, ...] = ("cash", "tournament")


class Chance:
    """Choices, made by hypothesis or by a seed; hypothesis makes them simpler when a test has failed."""

    def __init__(self, number: Callable[[int, int], int]) -> None:
        """Begin with what returns a number from the first to the second argument."""
        self.number = number

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options; the first is the simplest."""
        return options[self.number(0, len(options) - 1)]

    def once_in(self, times: int) -> bool:
        """Say yes about once in so many times."""
        return self.number(1, times) == times


class Opening(NamedTuple):
    """What a table begins with."""

    house: str
    limit: LimitType
    kind: Kind
    stacks: tuple[int | None, ...]
    """By seat; None where nobody sits."""
    button: int
    """Who drew the first button."""
    ante: tuple[AnteType, int] | None
    blinds: bool
    smallest_chip: int
    variations: tuple[str, ...]

    def events(self, turned: int = 0) -> tuple[TableEvent, ...]:
        """Return how the table was opened and filled; with `turned`, everybody sits so many seats further clockwise."""
        fixed, cash = self.limit == "fixed_limit", self.kind == "cash"
        created = open_table(
            varied(self.house, self.variations),
            limit=self.limit,
            blinds=(UNIT // 2, UNIT) if self.blinds and not fixed else None,
            bets=(UNIT, 2 * UNIT) if fixed else None,
            ante=self.ante,
            seats=len(self.stacks),
            kind=self.kind,
            smallest_chip=self.smallest_chip,
            unit="USD" if cash else "chips/SNG1",
        ).log
        seated = [
            PlayerSeated((seat + turned) % len(self.stacks), f"p{seat}", stack, f"t{seat}", 0 if cash else seat + 1)
            for seat, stack in enumerate(self.stacks)
            if stack is not None
        ]
        return (*created, *seated, ButtonDrawn((), (), (self.button + turned) % len(self.stacks)))


@cache
def varied(house: str, variations: tuple[str, ...]) -> Rulebook:
    """Return the house's rulebook with some fields as these lines of TOML say."""
    rules: dict[str, object] = {}
    for line in (line for variation in variations for line in variation.splitlines()):
        name, _, value = line.partition(" = ")
        rules[name] = tomllib.loads(f"value = {value}")["value"]
    return changed(load(house), rules)


def an_opening(chance: Chance) -> Opening:
    """Return how a random table begins: two to ten seats, two or more of them taken."""
    house, kind = chance.pick(HOUSES), chance.pick(KINDS)
    rules = load(house)
    ante_type = chance.pick(rules.blinds.ante_types)
    stacks = _stacks(chance)
    possible = VARIATIONS if len(stacks) > 2 else [line for line in VARIATIONS if "seats_min" not in line]
    variations = tuple(sorted({chance.pick(possible) for _ in range(chance.pick((0, 0, 1, 2, 4)))}))
    return Opening(
        house,
        chance.pick(rules.table.limit_types),
        kind,
        stacks,
        chance.number(0, len(stacks) - 1),
        None if ante_type == "none" else (ante_type, chance.pick((1, 3, 12))),
        blinds=ante_type not in {"each", "button"} or not chance.once_in(3),
        smallest_chip=chance.pick((1, 1, 5)) if kind == "tournament" else 1,
        variations=variations + (PROTECTION if chance.once_in(3) else ()),
    )


def _stacks(chance: Chance) -> tuple[int | None, ...]:
    """Return stacks from a single chip to forty big blinds; about one seat in six is empty."""
    seats = chance.pick((2, 3, 3, 4, 6, 6, 9, 10))
    stacks: list[int | None] = [a_stack(chance) for _ in range(seats)]
    for seat in range(2, seats):
        if chance.once_in(6):
            stacks[seat] = None
    return tuple(stacks)


def a_stack(chance: Chance) -> int:
    """Return a stack: mostly some big blinds, often less than two, sometimes less than one blind."""
    least, most = chance.pick(((10 * UNIT, 40 * UNIT), (1, 40 * UNIT), (UNIT, 8 * UNIT), (1, 2 * UNIT)))
    return chance.number(least, most)
