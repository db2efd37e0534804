"""Announcements of tournaments for tests: short levels that double, and whatever else a test says."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.poker.betting import LimitType
from engine.poker.money import Chips
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.rulebooks.rulebook import Rulebook
from engine.tournament.terms import Level, Terms


def levels(rulebook: Rulebook, count: int = 14, first: Chips = 20, seconds: int = 600) -> tuple[Level, ...]:
    """Return levels whose blinds double: no limit, or the last limit type that the house plays."""
    limit_type = rulebook.table.limit_types[-1]
    offers = [_offer(limit_type, first << step) for step in range(count)]
    return tuple([Level(agree_stakes(rulebook, offer, limit_type, "tournament"), seconds) for offer in offers])


def _offer(limit_type: LimitType, big_blind: Chips) -> StakesOffer:
    if limit_type == "fixed_limit":
        return StakesOffer(small_bet=big_blind, big_bet=2 * big_blind)
    return StakesOffer(small_blind=big_blind // 2, big_blind=big_blind)


def terms(house: str = "modern", entries: int = 9, **changes: Any) -> Terms:  # noqa: ANN401 - fields of Terms.
    """Return a Sit & Go of 10 + 1 dollars for `entries` entries at tables of nine, with these changes."""
    rulebook = load(house)
    usual = Terms(
        name="Test",
        unit="USD",
        rulebook=rulebook,
        seats=9,
        starting_chips=1500,
        buy_in=1000,
        fee=100,
        bounty=0,
        entries_min=2,
        entries_max=entries,
        levels=levels(rulebook),
    )
    return replace(usual, **changes)
