"""Opening a table under a rulebook: what it may set for itself, which stakes it may have, what one must bring.

A request states its stakes as numbers and never as a label (AMB-21): small bet and big bet at fixed limit, small blind
and big blind at pot and no limit. A table without blinds states a least bet (`min_bet`) instead; at fixed limit, where
the small bet is that number, it states a big blind of 0. What is agreed is frozen in `TableCreated` (AMB-42). Refusals
come in the order shape, rules, amounts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec
from msgspec import Struct

from engine.errors import IllegalAction, InvalidCommand, Reason
from engine.poker.betting import LimitType
from engine.poker.money import CHIPS_MAX, Chips
from engine.rulebooks.fields import section_fields
from engine.rulebooks.loading import RulebookError, build
from engine.rulebooks.rulebook import AnteType, BuyinRule, Kind, Rulebook

_DOLLAR: Chips = 100
_LEAST_STATED: Mapping[str, Chips] = {
    "small_blind": 0,
    "big_blind": 0,
    "small_bet": 1,
    "big_bet": 1,
    "ante": 0,
    "smallest_chip": 1,
    "min_bet": 1,
}


class StakesOffer(Struct, frozen=True, gc=False):
    """The stakes as a request states them, in chips; None is not stated."""

    small_blind: Chips | None = None
    big_blind: Chips | None = None
    """0 asks for a table without blinds."""
    small_bet: Chips | None = None
    """Fixed limit only, as is `big_bet`."""
    big_bet: Chips | None = None
    ante_type: AnteType | None = None
    ante: Chips | None = None
    smallest_chip: Chips = 1
    min_bet: Chips | None = None
    """Without a big blind it asks for a table without blinds."""


class Stakes(Struct, frozen=True, gc=False):
    """The agreed stakes of a table or of a tournament level, in chips."""

    limit_type: LimitType
    small_blind: Chips
    """0 at a table without blinds, as is `big_blind`."""
    big_blind: Chips
    small_bet: Chips
    """The unit of rounds 1 and 2; 0 unless fixed limit, as is `big_bet`."""
    big_bet: Chips
    """The unit of rounds 3 and 4."""
    ante_type: AnteType
    ante: Chips
    smallest_chip: Chips
    min_bet: Chips
    """The big blind, or what stands for it wherever it is a unit at a table without blinds."""


def with_overrides(rules: Rulebook, overrides: Mapping[str, object]) -> Rulebook:
    """Return the effective rulebook of a table that sets these fields ("clock.act_seconds") for itself.

    Values have the form that they have in the file.

    Raises:
        InvalidCommand: There is no such field, or its value is impossible or contradicts another (FIELD_INVALID).
        IllegalAction: `table_may_set` names neither the field nor its section (FIELD_NOT_SETTABLE).
    """
    tree = msgspec.to_builtins(rules)
    for name, value in overrides.items():
        section, _, field = name.partition(".")
        if field not in section_fields().get(section, ()):
            settable = ", ".join(rules.table_may_set)
            raise InvalidCommand(Reason.FIELD_INVALID, "no such field", field=name, allowed=settable)
        _verify_settable(rules, section, name)
        tree[section][field] = value
    try:
        return build(tree, rules.id)
    except RulebookError as error:
        raise InvalidCommand(Reason.FIELD_INVALID, str(error), field=error.field, allowed=error.allowed) from error


def verify_dealt_here(rules: Rulebook) -> None:
    """Refuse rules that ask for a game which is not dealt.

    Raises:
        IllegalAction: Straddles, or running it twice (NOT_DEALT_HERE).
    """
    if rules.blinds.straddle != "off" or rules.showdown.run_it_twice:
        raise IllegalAction(Reason.NOT_DEALT_HERE, "straddles and running it twice are not dealt")


def agree_seats(rules: Rulebook, seats: int) -> int:
    """Return the number of seats of a table.

    Raises:
        IllegalAction: The house has no tables of that size (SEATS_NOT_OFFERED).
    """
    least, most = rules.table.seats_min, rules.table.seats_max
    if not least <= seats <= most:
        detail = f"tables have {least} to {most} seats, not {seats}"
        raise IllegalAction(Reason.SEATS_NOT_OFFERED, detail, minimum=least, maximum=most)
    return seats


def agree_stakes(rules: Rulebook, offer: StakesOffer, limit_type: LimitType, kind: Kind) -> Stakes:
    """Return the stakes of a table, or of a tournament level, under its effective rulebook.

    Raises:
        InvalidCommand: An amount is missing, out of range or of another limit type; an ante has no type or no amount.
        IllegalAction: The house does not offer the limit type, the ante or a table without blinds; the small blind is
            not the house's; the numbers contradict one another.
    """
    _verify_shape(offer, limit_type)
    _verify_offered(rules, offer, limit_type)
    _verify_numbers(offer, limit_type)
    unit = _unit(offer, limit_type)
    without_blinds = _is_without_blinds(offer)
    stakes = Stakes(
        limit_type=limit_type,
        small_blind=0 if without_blinds else small_blind_of(rules, unit, offer.small_blind, kind),
        big_blind=0 if without_blinds else unit,
        small_bet=offer.small_bet or 0,
        big_bet=offer.big_bet or 0,
        ante_type=offer.ante_type or "none",
        ante=offer.ante or 0,
        smallest_chip=offer.smallest_chip,
        min_bet=unit,
    )
    if kind == "cash":
        _verify_buyin(rules, stakes)
    return stakes


def verify_stakes(rules: Rulebook, stakes: Stakes, kind: Kind) -> None:
    """Check stakes that come with a command: they are what the house would agree to, number by number.

    Raises:
        InvalidCommand: They are not the outcome of any offer (STAKES_INVALID).
        IllegalAction: As for `agree_stakes`.
    """
    fixed = stakes.limit_type == "fixed_limit"
    offer = StakesOffer(
        small_blind=stakes.small_blind or None,
        big_blind=stakes.big_blind,
        small_bet=stakes.small_bet if fixed else None,
        big_bet=stakes.big_bet if fixed else None,
        ante_type=stakes.ante_type,
        ante=stakes.ante or None,
        smallest_chip=stakes.smallest_chip,
        min_bet=stakes.min_bet,
    )
    if agree_stakes(rules, offer, stakes.limit_type, kind) != stakes:
        raise InvalidCommand(Reason.STAKES_INVALID, "the numbers do not belong together", field="stakes")


def small_blind_of(rules: Rulebook, big_blind: Chips, stated: Chips | None, kind: Kind = "cash") -> Chips:
    """Return the small blind that belongs to a big blind: by the rule, or as `stated` where the rule lets it be.

    Tournament chips have no minor units: there a half is rounded down to one chip, and overrides do not apply.

    Raises:
        IllegalAction: There is none, or not the one stated (SMALL_BLIND_INVALID; AMB-18).
    """
    small_blind = _small_blind_by_rule(rules, big_blind, stated, kind)
    if stated not in {None, small_blind}:
        detail = f"it is {small_blind}, not {stated}"
        raise IllegalAction(Reason.SMALL_BLIND_INVALID, detail, big_blind=big_blind)
    if not 1 <= small_blind < big_blind:
        detail = f"{small_blind} is not from 1 to less than {big_blind}"
        raise IllegalAction(Reason.SMALL_BLIND_INVALID, detail, big_blind=big_blind)
    return small_blind


def buyin_limits(rules: Rulebook, stakes: Stakes) -> tuple[Chips, Chips | None]:
    """Return the least and the largest buy-in of a cash table, in minor units; None where there is no maximum.

    Where the house has no minimum it is one minor unit.
    """
    minimum = rules.table.min_buyin.of(stakes.limit_type)
    maximum = rules.table.max_buyin.of(stakes.limit_type)
    return (
        1 if minimum is None else _buyin(minimum, stakes),
        None if maximum is None else _buyin(maximum, stakes),
    )


def _verify_settable(rules: Rulebook, section: str, name: str) -> None:
    if section not in rules.table_may_set and name not in rules.table_may_set:
        settable = ", ".join(rules.table_may_set)
        raise IllegalAction(Reason.FIELD_NOT_SETTABLE, "the house fixes it", field=name, allowed=settable)


def _verify_shape(offer: StakesOffer, limit_type: LimitType) -> None:
    """Refuse what no house could take."""
    for name, least in _LEAST_STATED.items():
        amount = getattr(offer, name)
        if amount is not None and not least <= amount <= CHIPS_MAX:
            raise InvalidCommand(Reason.FIELD_INVALID, f"{amount} is not from {least} to {CHIPS_MAX}", field=name)
    if bool(offer.ante) != (offer.ante_type not in {None, "none"}):
        missing = "ante_type" if offer.ante else "ante"
        raise InvalidCommand(Reason.FIELD_INVALID, "an ante needs a type and an amount", field=missing)
    fixed = limit_type == "fixed_limit"
    for name in ("small_bet", "big_bet"):
        if (getattr(offer, name) is not None) != fixed:
            raise InvalidCommand(Reason.FIELD_INVALID, "fixed limit states it, no other limit type does", field=name)
    if not fixed and not offer.big_blind and offer.min_bet is None:
        raise InvalidCommand(Reason.FIELD_INVALID, "neither a big blind nor a least bet is stated", field="big_blind")


def _verify_offered(rules: Rulebook, offer: StakesOffer, limit_type: LimitType) -> None:
    if limit_type not in rules.table.limit_types:
        allowed = ", ".join(rules.table.limit_types)
        raise IllegalAction(Reason.LIMIT_TYPE_NOT_OFFERED, f"no {limit_type} tables", allowed=allowed)
    ante_type = offer.ante_type or "none"
    if ante_type not in rules.blinds.ante_types:
        allowed = ", ".join(rules.blinds.ante_types)
        raise IllegalAction(Reason.ANTE_NOT_OFFERED, f"no tables with ante {ante_type}", allowed=allowed)
    if _is_without_blinds(offer) and not (rules.blinds.no_blinds_allowed and offer.ante):
        raise IllegalAction(Reason.BLINDS_REQUIRED, "a table has blinds, or an ante where the house lets it go without")


def _verify_numbers(offer: StakesOffer, limit_type: LimitType) -> None:
    unit = _unit(offer, limit_type)
    if limit_type == "fixed_limit" and offer.big_bet != 2 * unit:
        raise IllegalAction(Reason.STAKES_INVALID, f"it is twice the small bet, {2 * unit}", field="big_bet")
    if offer.big_blind not in {None, 0, unit}:
        raise IllegalAction(Reason.STAKES_INVALID, f"it is the small bet, {unit}", field="big_blind")
    if offer.min_bet not in {None, unit}:
        raise IllegalAction(Reason.STAKES_INVALID, f"it is the big blind or small bet, {unit}", field="min_bet")
    if _is_without_blinds(offer) and offer.small_blind:
        raise IllegalAction(Reason.STAKES_INVALID, "the table has no big blind", field="small_blind")
    if _is_without_blinds(offer) and offer.ante_type == "big_blind":
        raise IllegalAction(Reason.STAKES_INVALID, "no big blind pays the ante", field="ante_type")


def _verify_buyin(rules: Rulebook, stakes: Stakes) -> None:
    minimum, maximum = buyin_limits(rules, stakes)
    most = minimum if maximum is None else maximum
    if not 1 <= minimum <= most <= CHIPS_MAX:
        detail = f"buy-ins from {minimum} to {most} are impossible"
        raise IllegalAction(Reason.STAKES_INVALID, detail, field="min_buyin")


def _small_blind_by_rule(rules: Rulebook, big_blind: Chips, stated: Chips | None, kind: Kind) -> Chips:
    for override in rules.blinds.small_blind_overrides:
        if kind == "cash" and override.big_blind == big_blind:
            return override.small_blind
    rule, half = rules.blinds.small_blind_rule, big_blind // 2
    if rule == "exact_half" and big_blind % 2:
        detail = f"half of {big_blind} is no whole number"
        raise IllegalAction(Reason.SMALL_BLIND_INVALID, detail, big_blind=big_blind)
    if rule == "half_or_stated" and stated is not None:
        return stated
    if rule == "half_floor_dollar" and kind == "cash" and big_blind > _DOLLAR:
        return half - half % _DOLLAR
    return half


def _is_without_blinds(offer: StakesOffer) -> bool:
    return offer.big_blind == 0 or (offer.big_blind is None and offer.min_bet is not None)


def _unit(offer: StakesOffer, limit_type: LimitType) -> Chips:
    unit = offer.small_bet if limit_type == "fixed_limit" else offer.big_blind or offer.min_bet
    assert unit is not None, "_verify_shape refuses an offer without one"
    return unit


def _buyin(bound: BuyinRule, stakes: Stakes) -> Chips:
    match bound.of:
        case "small_blind":
            return bound.times * stakes.small_blind
        case "big_blind":
            return bound.times * stakes.min_bet
        case "big_bet":
            return bound.times * stakes.big_bet
        case _:
            assert_never(bound.of)
