"""The stakes of a table: which limits, blinds and antes a house takes (`rulebooks.md` section 1, "Checks when …")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalAction, InvalidCommand, Reason, Rejected
from engine.poker.betting import LimitType
from engine.poker.money import CHIPS_MAX
from engine.rulebooks.loading import HOUSES, load
from engine.rulebooks.opening import Stakes, StakesOffer, agree_seats, agree_stakes, small_blind_of
from engine.rulebooks.rulebook import AnteType
from tests.engine.rulebooks.files import changed


def fixed_limit(small_bet: int) -> StakesOffer:
    """Return the usual fixed-limit offer."""
    return StakesOffer(small_bet=small_bet, big_bet=2 * small_bet)


def agreed(house: str, offer: StakesOffer, limit_type: LimitType = "no_limit") -> Stakes:
    """Return the stakes of a cash table."""
    return agree_stakes(load(house), offer, limit_type, "cash")


def refused(house: str, offer: StakesOffer, limit_type: LimitType = "no_limit") -> Rejected:
    """Return why the stakes of a cash table are refused."""
    with pytest.raises(Rejected) as rejected:
        agreed(house, offer, limit_type)
    return rejected.value


SMALL_BLINDS: tuple[tuple[str, int, int], ...] = (
    ("pacific", 100, 50),
    ("pacific", 200, 100),
    ("pacific", 300, 100),
    ("pacific", 500, 200),
    ("pacific", 1000, 500),
    ("pacific", 1500, 700),
    ("pacific", 2500, 1200),
    ("pacific", 50, 25),
    ("pacific", 25, 12),
    ("pacific", 5, 3),
    ("planet", 400, 200),
    ("planet", 300, 100),
    ("planet", 5, 3),
    ("akpoker", 10, 5),
    ("akpoker", 300, 150),
    ("akpoker", 100, 50),
    ("freeguide", 200, 100),
    ("freeguide", 25, 12),
    ("modern", 50, 25),
)

NO_SMALL_BLIND: tuple[tuple[str, int], ...] = (
    ("pacific", 150),
    ("planet", 150),
    ("pacific", 1),
    ("akpoker", 5),
    ("akpoker", 25),
    ("modern", 1),
)

SHAPELESS: tuple[tuple[LimitType, StakesOffer, str], ...] = (
    ("no_limit", StakesOffer(), "big_blind"),
    ("no_limit", StakesOffer(big_blind=0), "big_blind"),
    ("no_limit", StakesOffer(small_blind=50), "big_blind"),
    ("no_limit", StakesOffer(big_blind=-1), "big_blind"),
    ("no_limit", StakesOffer(big_blind=CHIPS_MAX + 1), "big_blind"),
    ("no_limit", StakesOffer(big_blind=100, small_blind=-1), "small_blind"),
    ("no_limit", StakesOffer(big_blind=100, smallest_chip=0), "smallest_chip"),
    ("no_limit", StakesOffer(big_blind=100, ante=10), "ante_type"),
    ("no_limit", StakesOffer(big_blind=100, ante=10, ante_type="none"), "ante_type"),
    ("no_limit", StakesOffer(big_blind=100, ante_type="each"), "ante"),
    ("no_limit", StakesOffer(big_blind=100, ante_type="each", ante=0), "ante"),
    ("no_limit", StakesOffer(big_blind=100, ante_type="each", ante=-5), "ante"),
    ("no_limit", StakesOffer(big_blind=100, small_bet=100), "small_bet"),
    ("pot_limit", StakesOffer(big_blind=100, big_bet=200), "big_bet"),
    ("pot_limit", StakesOffer(min_bet=0), "min_bet"),
    ("fixed_limit", StakesOffer(big_blind=100), "small_bet"),
    ("fixed_limit", StakesOffer(small_bet=100), "big_bet"),
    ("fixed_limit", StakesOffer(small_bet=0, big_bet=0), "small_bet"),
)

CONTRADICTORY: tuple[tuple[LimitType, StakesOffer, str], ...] = (
    ("fixed_limit", StakesOffer(small_bet=100, big_bet=300), "big_bet"),
    ("fixed_limit", StakesOffer(small_bet=100, big_bet=200, big_blind=200), "big_blind"),
    ("fixed_limit", StakesOffer(small_bet=100, big_bet=200, big_blind=100, min_bet=50), "min_bet"),
    ("no_limit", StakesOffer(big_blind=100, min_bet=200), "min_bet"),
    ("no_limit", StakesOffer(min_bet=100, small_blind=50, ante_type="each", ante=10), "small_blind"),
    ("no_limit", StakesOffer(min_bet=100, ante_type="big_blind", ante=100), "ante_type"),
)


@pytest.mark.parametrize(("house", "big_blind", "small_blind"), SMALL_BLINDS)
def test_the_small_blind_follows_the_rule(house: str, big_blind: int, small_blind: int) -> None:
    """G-PAC-2, G-PLA-2, G-AKP-5, R-PAC-9, R-PLA-13, R-AKP-7, R-FRE-5, AMB-18, AMB-42: the house's small blind."""
    assert agreed(house, fixed_limit(big_blind), "fixed_limit").small_blind == small_blind


@pytest.mark.parametrize(("house", "big_blind"), NO_SMALL_BLIND)
def test_a_table_without_a_possible_small_blind_is_refused(house: str, big_blind: int) -> None:
    """G-PAC-2, G-AKP-5, AMB-18: $1.50/$3 rounds down to 0, and AKPokerClub has no half of an odd big blind."""
    rejected = refused(house, fixed_limit(big_blind), "fixed_limit")
    assert isinstance(rejected, IllegalAction)
    assert rejected.reason == Reason.SMALL_BLIND_INVALID


@pytest.mark.parametrize(("house", "stated"), [("pacific", 50), ("akpoker", 100), ("akpoker", 0), ("planet", 150)])
def test_a_stated_small_blind_must_be_the_houses(house: str, stated: int) -> None:
    """A table that states a small blind its rule does not allow is refused (`rulebooks.md` section 1)."""
    offer = StakesOffer(small_bet=300, big_bet=600, small_blind=stated)
    assert refused(house, offer, "fixed_limit").reason == Reason.SMALL_BLIND_INVALID


def test_a_stated_small_blind_may_repeat_the_rule() -> None:
    """To state what the rule gives changes nothing."""
    assert agreed("planet", StakesOffer(small_blind=100, big_blind=300)).small_blind == 100


@pytest.mark.parametrize("stated", [1, 10, 24])
def test_some_houses_let_the_table_state_it(stated: int) -> None:
    """R-FRE-5: the small blind is *usually* half the big blind; real tables of $.25-$.50 have 10 (AMB-18)."""
    assert agreed("freeguide", StakesOffer(small_blind=stated, big_blind=25)).small_blind == stated


@pytest.mark.parametrize("stated", [0, 25, 26])
def test_a_stated_small_blind_is_less_than_the_big_blind(stated: int) -> None:
    """AMB-18: 1 ≤ small blind < big blind, whatever the rule."""
    assert refused("modern", StakesOffer(small_blind=stated, big_blind=25)).reason == Reason.SMALL_BLIND_INVALID


@pytest.mark.parametrize("rule", ["half_floor_dollar", "exact_half", "half_or_stated"])
def test_an_override_beats_every_rule(rule: str) -> None:
    """`small_blind_overrides` beats all three rules, and what a table states (`rulebooks.md` section 1)."""
    rules = changed("modern", {"blinds.small_blind_rule": rule, "blinds.small_blind_overrides": {"25": 10}})
    assert small_blind_of(rules, 25, None) == 10
    with pytest.raises(IllegalAction):
        small_blind_of(rules, 25, 12)


def test_tournament_chips_are_no_dollars() -> None:
    """Tournament chips have no minor units, so a level of 150 has its half, 75, and no override (AMB-18)."""
    assert small_blind_of(load("planet"), 150, None, "tournament") == 75
    assert small_blind_of(load("planet"), 5, None, "tournament") == 2


@given(st.sampled_from(HOUSES), st.integers(100, 10**15))
def test_an_even_big_blind_of_two_dollars_and_more_has_a_small_blind(house: str, half: int) -> None:
    """AMB-18: every house has a small blind for it, at most the half and less than a dollar below it."""
    assert 0 <= half - small_blind_of(load(house), 2 * half, None) < 100


def test_fixed_limit_names_its_bets() -> None:
    """R-PAC-2, R-PAC-10, R-PLA-14: the lower limit is half the higher and is the big blind."""
    assert agreed("pacific", fixed_limit(400), "fixed_limit") == Stakes(
        limit_type="fixed_limit",
        small_blind=200,
        big_blind=400,
        small_bet=400,
        big_bet=800,
        ante_type="none",
        ante=0,
        smallest_chip=1,
        min_bet=400,
    )


@pytest.mark.parametrize("house", HOUSES)
def test_the_higher_limit_is_twice_the_lower(house: str) -> None:
    """R-PAC-2: any other table is refused, in every house."""
    rejected = refused(house, StakesOffer(small_bet=200, big_bet=500), "fixed_limit")
    assert (rejected.reason, rejected.metadata) == (Reason.STAKES_INVALID, {"field": "big_bet"})


def test_no_limit_names_its_blinds() -> None:
    """AMB-21: "1/2" is small and big blind at no limit, stated as 100 and 200; there are no bets to name."""
    stakes = agreed("modern", StakesOffer(small_blind=100, big_blind=200, min_bet=200, smallest_chip=25))
    assert (stakes.small_blind, stakes.big_blind, stakes.small_bet, stakes.big_bet) == (100, 200, 0, 0)
    assert (stakes.min_bet, stakes.smallest_chip) == (200, 25)


@pytest.mark.parametrize("limit_type", ["pot_limit", "no_limit"])
def test_a_limit_type_must_be_on_offer(limit_type: LimitType) -> None:
    """Pacific Poker has fixed limit only (`table.limit_types`)."""
    rejected = refused("pacific", StakesOffer(big_blind=200), limit_type)
    assert isinstance(rejected, IllegalAction)
    assert (rejected.reason, rejected.metadata) == (Reason.LIMIT_TYPE_NOT_OFFERED, {"allowed": "fixed_limit"})


@pytest.mark.parametrize(("limit_type", "offer", "field"), SHAPELESS)
def test_an_offer_without_shape_is_refused(limit_type: LimitType, offer: StakesOffer, field: str) -> None:
    """Amounts that are missing, out of int64, or of another limit type, and antes without a type, are FIELD_INVALID."""
    rejected = refused("modern", offer, limit_type)
    assert isinstance(rejected, InvalidCommand)
    assert (rejected.reason, rejected.metadata) == (Reason.FIELD_INVALID, {"field": field})


@pytest.mark.parametrize(("limit_type", "offer", "field"), CONTRADICTORY)
def test_contradictory_numbers_are_refused(limit_type: LimitType, offer: StakesOffer, field: str) -> None:
    """Stated numbers that belong together must agree (`rulebooks.md` section 1)."""
    rejected = refused("modern", offer, limit_type)
    assert isinstance(rejected, IllegalAction)
    assert (rejected.reason, rejected.metadata) == (Reason.STAKES_INVALID, {"field": field})


@pytest.mark.parametrize("ante_type", ["each", "big_blind", "button"])
def test_modern_has_every_ante(ante_type: AnteType) -> None:
    """`blinds.ante_types`: modern tables and levels may use all of them."""
    stakes = agreed("modern", StakesOffer(big_blind=200, ante_type=ante_type, ante=200))
    assert (stakes.ante_type, stakes.ante) == (ante_type, 200)


@pytest.mark.parametrize(
    ("house", "ante_type"),
    [("pacific", "each"), ("planet", "each"), ("akpoker", "big_blind"), ("freeguide", "button")],
)
def test_an_ante_must_be_on_offer(house: str, ante_type: AnteType) -> None:
    """R-PAC-8: no antes; the other houses have those of `blinds.ante_types`."""
    offer = StakesOffer(small_bet=200, big_bet=400, ante_type=ante_type, ante=20)
    rejected = refused(house, offer, "fixed_limit")
    assert isinstance(rejected, IllegalAction)
    assert rejected.reason == Reason.ANTE_NOT_OFFERED


def test_a_house_may_insist_on_antes() -> None:
    """Where `blinds.ante_types` does not list `none`, a table without an ante is refused."""
    with pytest.raises(IllegalAction, match="ANTE_NOT_OFFERED"):
        agree_stakes(changed("modern", {"blinds.ante_types": ["each"]}), StakesOffer(big_blind=200), "no_limit", "cash")


def test_a_table_may_go_without_blinds() -> None:
    """AMB-48: freeguide2poker has tables with antes only; `min_bet` stands for the big blind."""
    stakes = agreed("freeguide", StakesOffer(min_bet=200, ante_type="each", ante=25))
    assert (stakes.small_blind, stakes.big_blind, stakes.min_bet, stakes.ante) == (0, 0, 200, 25)


def test_a_fixed_limit_table_without_blinds_has_its_small_bet() -> None:
    """At fixed limit the small bet is the least bet of a table without blinds (`rulebooks.md` section 1)."""
    offer = StakesOffer(small_bet=200, big_bet=400, big_blind=0, ante_type="each", ante=25)
    stakes = agreed("freeguide", offer, "fixed_limit")
    assert (stakes.small_blind, stakes.big_blind, stakes.min_bet, stakes.big_bet) == (0, 0, 200, 400)


def test_blinds_are_required_where_the_house_has_them() -> None:
    """`blinds.no_blinds_allowed` is off at Pacific, Planet and AKPokerClub, with or without an ante."""
    with pytest.raises(IllegalAction, match="BLINDS_REQUIRED"):
        agree_stakes(
            changed("akpoker", {"blinds.ante_types": ["none", "each"]}),
            StakesOffer(min_bet=200, ante_type="each", ante=25),
            "no_limit",
            "cash",
        )
    assert refused("planet", StakesOffer(min_bet=200)).reason == Reason.BLINDS_REQUIRED


def test_a_table_without_blinds_needs_an_ante() -> None:
    """Without blinds and without an ante there would be nothing to play for (`rulebooks.md` section 1)."""
    assert refused("modern", StakesOffer(min_bet=200)).reason == Reason.BLINDS_REQUIRED


def test_a_level_may_have_an_ante_where_the_house_has_it() -> None:
    """A tournament level is agreed like the stakes of a table, with the antes of the rulebook."""
    offer = StakesOffer(small_blind=75, big_blind=150, ante_type="big_blind", ante=150, smallest_chip=25)
    stakes = agree_stakes(load("modern"), offer, "no_limit", "tournament")
    assert (stakes.small_blind, stakes.big_blind, stakes.ante, stakes.smallest_chip) == (75, 150, 150, 25)


@pytest.mark.parametrize("seats", [2, 6, 10])
def test_a_table_has_two_to_ten_seats(seats: int) -> None:
    """R-PAC-1, R-AKP-1, R-FRE-1: 2 to 10 players."""
    assert agree_seats(load("pacific"), seats) == seats


@pytest.mark.parametrize("seats", [-1, 0, 1, 11, 2**63])
def test_other_sizes_are_refused(seats: int) -> None:
    """R-PAC-1, R-AKP-1, R-FRE-1: no table has fewer than 2 or more than 10 seats."""
    with pytest.raises(IllegalAction) as rejected:
        agree_seats(load("akpoker"), seats)
    assert rejected.value.reason == Reason.SEATS_NOT_OFFERED
    assert rejected.value.metadata == {"minimum": 2, "maximum": 10}
