"""Judging a rulebook whose fields are each right: whether they agree with one another.

The checks are those of `rulebooks.md` section 1, "Checks across fields", and a few without which a field would mean
nothing: a clock for every limit type on offer, big bets only where there are any, thresholds in rising order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.poker.betting import LimitType
from engine.rulebooks.fields import Problem, section_fields
from engine.rulebooks.rulebook import (
    BlindRules,
    BuyinRule,
    ClockRules,
    ProtectionRules,
    RakeCap,
    RakeRules,
    Rulebook,
    TableRules,
)

_LIMIT_TYPES: tuple[LimitType, ...] = ("fixed_limit", "pot_limit", "no_limit")
_FEWEST_PLAYERS = 2
_HALF_BIG_BLINDS = {"small_blind": 1, "big_blind": 2, "big_bet": 4}
"""The usual size of each unit of a buy-in. A table is judged again by its own numbers when it is created."""


def contradictions(rules: Rulebook) -> Iterator[Problem]:
    """Yield where fields of a rulebook contradict one another, in the order of the document."""
    yield from _in_table_may_set(rules.table_may_set)
    yield from _in_table(rules.table)
    yield from _in_blinds(rules.blinds)
    yield from _in_clock(rules.clock, rules.table.limit_types)
    yield from _in_protection(rules.protection)
    yield from _in_rake(rules.rake)


def _in_table_may_set(names: tuple[str, ...]) -> Iterator[Problem]:
    for place, name in enumerate(names):
        section, dot, field = name.partition(".")
        fields = section_fields().get(section, ())
        if not fields or (dot and field not in fields):
            allowed = [f"{section}.{known}" for known in fields] or section_fields()
            yield Problem(f"table_may_set[{place}]", f"names the unknown {name!r}", f"one of {', '.join(allowed)}")


def _in_table(table: TableRules) -> Iterator[Problem]:
    if table.seats_min > table.seats_max:
        yield Problem("table.seats_min", f"is {table.seats_min}", f"at most table.seats_max, {table.seats_max}")
    for limit_type in _LIMIT_TYPES:
        yield from _in_buyin(limit_type, table.min_buyin.of(limit_type), table.max_buyin.of(limit_type))
    fields = (table.return_stack_window_s, table.return_stack_limit_types, table.return_stack_shortfall_bps)
    if any(fields) and not all(fields):
        allowed = "the three return_stack fields all set or all off"
        yield Problem("table.return_stack_window_s", f"is {table.return_stack_window_s}", allowed)


def _in_buyin(limit_type: LimitType, minimum: BuyinRule | None, maximum: BuyinRule | None) -> Iterator[Problem]:
    for name, bound in (("min_buyin", minimum), ("max_buyin", maximum)):
        if bound is not None and bound.of == "big_bet" and limit_type != "fixed_limit":
            yield Problem(f"table.{name}.{limit_type}.of", "counts in big bets", "one of small_blind, big_blind")
    if minimum is not None and maximum is not None and _half_big_blinds(minimum) > _half_big_blinds(maximum):
        allowed = f"at most table.max_buyin.{limit_type}, {maximum.times} × {maximum.of}"
        yield Problem(f"table.min_buyin.{limit_type}", f"is {minimum.times} × {minimum.of}", allowed)


def _half_big_blinds(bound: BuyinRule) -> int:
    return bound.times * _HALF_BIG_BLINDS[bound.of]


def _in_blinds(blinds: BlindRules) -> Iterator[Problem]:
    for override in blinds.small_blind_overrides:
        if override.small_blind >= override.big_blind:
            field = f"blinds.small_blind_overrides.{override.big_blind}"
            yield Problem(field, f"is {override.small_blind}", f"a whole number from 1 to {override.big_blind - 1}")


def _in_clock(clock: ClockRules, limit_types: tuple[LimitType, ...]) -> Iterator[Problem]:
    for limit_type in limit_types:
        if clock.act_seconds.of(limit_type) is None:
            yield Problem(f"clock.act_seconds.{limit_type}", "is missing", "seconds for each of table.limit_types")
    if not _rises([grace.pot_bb for grace in clock.reconnect_grace]):
        yield Problem("clock.reconnect_grace", "is out of order", "entries sorted by pot_bb, none twice")
    if clock.time_bank_start_s > clock.time_bank_cap_s:
        yield Problem("clock.time_bank_start_s", "is more than a bank may hold", "at most clock.time_bank_cap_s")
    if clock.time_bank_start_s == 0 < clock.time_bank_every_hands:
        yield Problem("clock.time_bank_every_hands", "adds to a bank that is not there", "0 without a time bank")


def _in_protection(protection: ProtectionRules) -> Iterator[Problem]:
    if protection.disconnect_policy == "all_in" and not protection.limit_types:
        yield Problem("protection.limit_types", "is empty", "at least one limit type when disconnect_policy is all_in")
    for name, uses in (("allotment", protection.allotment), ("reset_to", protection.reset_to)):
        if uses > protection.max_uses:
            yield Problem(f"protection.{name}", f"is {uses}", f"at most protection.max_uses, {protection.max_uses}")


def _in_rake(rake: RakeRules) -> Iterator[Problem]:
    yield from _in_caps("rake.caps_fixed_limit", rake.caps_fixed_limit)
    yield from _in_caps("rake.caps_pot_no_limit", rake.caps_pot_no_limit)


def _in_caps(field: str, caps: tuple[RakeCap, ...]) -> Iterator[Problem]:
    if caps and caps[0].dealt != _FEWEST_PLAYERS:
        yield Problem(f"{field}[0].dealt", f"is {caps[0].dealt}", f"{_FEWEST_PLAYERS} in the first entry")
    if not _rises([cap.dealt for cap in caps]):
        yield Problem(field, "is out of order", "entries sorted by dealt, none twice")


def _rises(thresholds: Sequence[int]) -> bool:
    return all(lower < upper for lower, upper in pairwise(thresholds))
