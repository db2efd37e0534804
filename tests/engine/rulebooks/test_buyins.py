"""What one must and may bring to a table, by house, limit type and stakes."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAction, Reason
from engine.poker.betting import LimitType
from engine.poker.money import CHIPS_MAX
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes, buyin_limits
from engine.rulebooks.rulebook import Rulebook
from tests.engine.rulebooks.files import changed

FIXED_100 = StakesOffer(small_bet=100, big_bet=200)
BIG_BLIND_200 = StakesOffer(small_blind=100, big_blind=200)
BIG_BLIND_50 = StakesOffer(big_blind=50)

LIMITS: tuple[tuple[str, LimitType, StakesOffer, int, int | None], ...] = (
    ("pacific", "fixed_limit", FIXED_100, 1000, None),
    ("planet", "fixed_limit", StakesOffer(small_bet=400, big_bet=800), 4000, None),
    ("planet", "no_limit", BIG_BLIND_50, 1000, 5000),
    ("planet", "pot_limit", BIG_BLIND_50, 1000, 5000),
    ("akpoker", "fixed_limit", FIXED_100, 1000, None),
    ("akpoker", "no_limit", BIG_BLIND_200, 2000, 20_000),
    ("akpoker", "pot_limit", BIG_BLIND_200, 2000, 20_000),
    ("freeguide", "fixed_limit", FIXED_100, 1000, None),
    ("freeguide", "no_limit", BIG_BLIND_200, 4000, 20_000),
    ("freeguide", "pot_limit", BIG_BLIND_200, 4000, 20_000),
    ("modern", "fixed_limit", FIXED_100, 2000, None),
    ("modern", "no_limit", BIG_BLIND_200, 8000, 20_000),
    ("modern", "pot_limit", BIG_BLIND_200, 8000, 20_000),
)

BUYINS: tuple[tuple[str, LimitType, StakesOffer, int, bool], ...] = (
    ("pacific", "fixed_limit", FIXED_100, 999, False),  # G-PAC-1
    ("pacific", "fixed_limit", FIXED_100, 1000, True),  # G-PAC-1
    ("planet", "no_limit", BIG_BLIND_50, 999, False),  # G-PLA-5
    ("planet", "no_limit", BIG_BLIND_50, 1000, True),  # G-PLA-5
    ("planet", "no_limit", BIG_BLIND_50, 5000, True),  # G-PLA-5
    ("planet", "no_limit", BIG_BLIND_50, 5001, False),  # G-PLA-5
    ("akpoker", "no_limit", BIG_BLIND_200, 1900, False),  # G-AKP-4
    ("akpoker", "no_limit", BIG_BLIND_200, 2000, True),  # G-AKP-4
    ("akpoker", "no_limit", BIG_BLIND_200, 20_000, True),  # G-AKP-4
    ("akpoker", "no_limit", BIG_BLIND_200, 20_100, False),  # G-AKP-4
    ("akpoker", "fixed_limit", FIXED_100, CHIPS_MAX, True),  # G-AKP-4
    ("modern", "no_limit", BIG_BLIND_200, 7999, False),  # G-MOD-12
    ("modern", "no_limit", BIG_BLIND_200, 8000, True),  # G-MOD-12
    ("modern", "no_limit", BIG_BLIND_200, 20_000, True),  # G-MOD-12
    ("modern", "no_limit", BIG_BLIND_200, 20_001, False),  # G-MOD-12
    ("modern", "fixed_limit", FIXED_100, 1999, False),  # G-MOD-12
    ("modern", "fixed_limit", FIXED_100, 2000, True),  # G-MOD-12
)


def limits(rules: Rulebook, offer: StakesOffer, limit_type: LimitType) -> tuple[int, int | None]:
    """Return the least and the largest buy-in of a cash table with the offered stakes."""
    return buyin_limits(rules, agree_stakes(rules, offer, limit_type, "cash"))


@pytest.mark.parametrize(("house", "limit_type", "offer", "minimum", "maximum"), LIMITS)
def test_the_limits_of_the_buyin(
    house: str, limit_type: LimitType, offer: StakesOffer, minimum: int, maximum: int | None
) -> None:
    """R-PAC-4, R-PLA-6, R-AKP-18, R-AKP-19, R-MOD-13, AMB-20, AMB-22, AMB-23: least and largest buy-in per house."""
    assert limits(load(house), offer, limit_type) == (minimum, maximum)


@pytest.mark.parametrize(("house", "limit_type", "offer", "amount", "is_enough"), BUYINS)
def test_golden_buyins(house: str, limit_type: LimitType, offer: StakesOffer, amount: int, is_enough: bool) -> None:
    """G-PAC-1, G-PLA-5, G-AKP-4, G-MOD-12: buy-ins at the edge of what is accepted."""
    minimum, maximum = limits(load(house), offer, limit_type)
    assert (minimum <= amount and (maximum is None or amount <= maximum)) == is_enough


def test_without_blinds_the_least_bet_is_the_unit() -> None:
    """At a table without blinds `min_bet` stands for the big blind in the buy-in too (`rulebooks.md` section 1)."""
    offer = StakesOffer(min_bet=200, ante_type="each", ante=25)
    assert limits(load("freeguide"), offer, "no_limit") == (4000, 20_000)


def test_without_a_minimum_one_chip_will_do() -> None:
    """A limit type without a minimum has none but the smallest amount there is (`table.min_buyin`)."""
    assert limits(changed("modern", {"table.min_buyin": {}}), BIG_BLIND_200, "no_limit") == (1, 20_000)


def test_limits_that_cross_at_these_stakes_are_refused() -> None:
    """Minimum buy-in ≤ maximum, by the table's own numbers: 20 small blinds of 10 are less than 8 big ones of 50."""
    largest = {"no_limit": {"times": 20, "of": "small_blind"}}
    rules = changed(
        "modern", {"table.min_buyin": {"no_limit": {"times": 8, "of": "big_blind"}}, "table.max_buyin": largest}
    )
    assert limits(rules, StakesOffer(small_blind=25, big_blind=50), "no_limit") == (400, 500)
    with pytest.raises(IllegalAction) as rejected:
        limits(rules, StakesOffer(small_blind=10, big_blind=50), "no_limit")
    assert rejected.value.reason == Reason.STAKES_INVALID


def test_a_buyin_in_small_blinds_needs_small_blinds() -> None:
    """A table without blinds whose house counts buy-ins in small blinds would have a minimum of nothing: refused."""
    rules = changed("modern", {"table.min_buyin": {"no_limit": {"times": 20, "of": "small_blind"}}})
    with pytest.raises(IllegalAction, match="STAKES_INVALID"):
        limits(rules, StakesOffer(min_bet=200, ante_type="each", ante=25), "no_limit")


@pytest.mark.parametrize("big_blind", [CHIPS_MAX // 100 + 1, CHIPS_MAX])
def test_stakes_whose_buyin_fits_no_int64_are_refused(big_blind: int) -> None:
    """Amounts are int64: stakes so high that 100 big blinds are not is no table."""
    with pytest.raises(IllegalAction, match="STAKES_INVALID"):
        limits(load("modern"), StakesOffer(big_blind=big_blind), "no_limit")


def test_the_highest_possible_stakes() -> None:
    """The highest stakes whose largest buy-in is an int64 are allowed."""
    assert limits(load("modern"), StakesOffer(big_blind=CHIPS_MAX // 100), "no_limit")[1] == CHIPS_MAX // 100 * 100


def test_a_tournament_table_has_no_buyin() -> None:
    """The bounds of the buy-in are about cash; a level of a tournament is not judged by them."""
    stakes = agree_stakes(load("modern"), StakesOffer(big_blind=CHIPS_MAX - 1), "no_limit", "tournament")
    assert stakes.big_blind == CHIPS_MAX - 1
