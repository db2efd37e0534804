"""What can be announced, and what makes no sense (`operations.md` section 2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import InvalidCommand, Rejected
from engine.origin import Origin
from engine.poker.betting import LimitType
from engine.reactions import reactions
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.table.commands import CreateTable
from engine.table.decide import decide as decide_table
from engine.tournament import commands
from engine.tournament.decide import decide
from engine.tournament.money_events import RegistrationOpened, TournamentCreated
from engine.tournament.payouts import PayoutRow, usual_payouts
from engine.tournament.play_events import TableOpened
from engine.tournament.terms import ENTRIES_MAX, MONEY_MAX, SALES_MAX, ChipSale, Level, Terms, Ticket, verify_terms
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import Desk

HOUSES = ("akpoker", "freeguide", "modern", "pacific", "planet")
SALE = ChipSale(price=1000, fee=100, chips=1500, last_level=3)
SUNDAY = Ticket("ticket/Sunday", 1100)
FIRST = terms().levels[0]
WINNER_TAKES_ALL = (PayoutRow(1, (10_000,)),)

GOOD: dict[str, dict[str, Any]] = {
    "Sit & Go": {},
    "Sit & Go, heads-up": {"seats": 2, "entries_max": 2},
    "at a time": {"starts_at_ms": 0, "entries_min": 3, "entries_max": ENTRIES_MAX},
    "re-entries": {"starts_at_ms": 60_000, "late_levels": 6, "entries_per_player": 3},
    "rebuys and add-on": {"rebuy": replace(SALE, most=9, stack_max=1500), "add_on": replace(SALE, first_level=3)},
    "freeroll": {"buy_in": 0, "fee": 0},
    "bounties": {"bounty": 500},
    "satellite": {"satellite": replace(SUNDAY, value=5500)},
    "paid with tickets": {"ticket": SUNDAY},
    "winner takes all": {"payouts": WINNER_TAKES_ALL},
    "breaks": {"levels": (replace(FIRST, break_seconds=300), FIRST)},
    "hand for hand": {"hand_for_hand": 2},
    "largest": {"buy_in": MONEY_MAX, "fee": MONEY_MAX, "bounty": MONEY_MAX, "starting_chips": MONEY_MAX},
}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("kind", GOOD)
def test_every_house_announces_every_kind(house: str, kind: str) -> None:
    """Operations.md section 2: the same few numbers make every kind of tournament, under every rulebook."""
    levels = {"levels": terms(house).levels} if "levels" in GOOD[kind] else {}
    announced = terms(house, **(GOOD[kind] | levels))
    created, opened = decide(None, commands.CreateTournament("T", announced), 0)
    assert isinstance(created, TournamentCreated)
    assert created.terms == announced
    assert opened == RegistrationOpened()


TOO_SMALL_OR_LARGE: tuple[tuple[str, Any], ...] = (
    ("name", ""),
    ("name", "x" * 201),
    ("name", "two\nlines"),
    ("unit", ""),
    ("unit", "\x00"),
    *[(field, amount) for field in ("buy_in", "fee", "bounty", "guarantee") for amount in (-1, MONEY_MAX + 1)],
    ("starting_chips", 0),
    ("starting_chips", MONEY_MAX + 1),
    ("seats", 1),
    ("seats", 11),
    ("entries_max", 1),
    ("entries_max", ENTRIES_MAX + 1),
    ("entries_min", 1),
    ("entries_min", 10),
    ("late_levels", -1),
    ("late_levels", 14),
    ("entries_per_player", 0),
    ("entries_per_player", ENTRIES_MAX + 1),
    ("rebuy_seconds", 0),
    ("rebuy_seconds", 3601),
    ("hand_for_hand", -1),
    ("hand_for_hand", ENTRIES_MAX + 1),
    ("starts_at_ms", -1),
    ("starts_at_ms", 2**63),
    ("levels", ()),
    ("levels", (FIRST,) * 101),
    *[("levels", (replace(FIRST, seconds=seconds),)) for seconds in (-1, 0, 2**63)],
    *[("levels", (replace(FIRST, break_seconds=seconds),)) for seconds in (-1, 2**63)],
)


@pytest.mark.parametrize(("field", "value"), TOO_SMALL_OR_LARGE)
def test_what_is_out_of_range_is_refused(field: str, value: object) -> None:
    """T-ABU-9, FAULT-115: every number has its range and every text its shape; the refusal names the field."""
    assert _refused(_with(field, value)) == field


def _with(field: str, value: object) -> Terms:
    """Return an announcement with one changed field."""
    changes: dict[str, Any] = {field: value}
    return terms(**changes)


def _refused(announced: Terms) -> object:
    """Return the field that an announcement is refused for; the same from a command."""
    with pytest.raises(InvalidCommand) as caught:
        verify_terms(announced)
    with pytest.raises(InvalidCommand):
        decide(None, commands.CreateTournament("T", announced), 0)
    return caught.value.metadata["field"]


UNSOUND_SALES: dict[str, dict[str, int]] = {
    "free": {"price": 0, "fee": 0},
    "negative price": {"price": -1},
    "negative fee": {"fee": -1},
    "too dear": {"price": MONEY_MAX + 1},
    "no chips": {"chips": 0},
    "too many chips": {"chips": MONEY_MAX + 1},
    "negative stack": {"stack_max": -1},
    "huge stack": {"stack_max": MONEY_MAX + 1},
    "never": {"most": 0},
    "too often": {"most": SALES_MAX + 1},
    "before the first level": {"first_level": -1},
    "over before it begins": {"first_level": 2, "last_level": 1},
    "at the last level, which has no end": {"last_level": 13},
}


@pytest.mark.parametrize("field", ["rebuy", "add_on"])
@pytest.mark.parametrize("wrong", UNSOUND_SALES)
def test_chips_are_sold_at_a_price_and_at_levels_that_exist(field: str, wrong: str) -> None:
    """O-31, T-ABU-9: rebuy and add-on have a price, chips, a number, and levels of this tournament."""
    assert _refused(_with(field, replace(SALE, **UNSOUND_SALES[wrong]))) == field


@pytest.mark.parametrize("field", ["rebuy", "add_on"])
def test_a_sale_may_go_to_the_fees_or_to_the_pool_alone(field: str) -> None:
    """O-31: a price without a fee, and a fee without a price, are both a price."""
    verify_terms(_with(field, replace(SALE, fee=0)))
    verify_terms(_with(field, replace(SALE, price=0)))


@pytest.mark.parametrize("field", ["satellite", "ticket"])
@pytest.mark.parametrize(
    "ticket",
    [
        Ticket("Sunday", 1100),
        Ticket("cash", 1100),
        Ticket("ticket/", 1100),
        Ticket("ticket/two\nlines", 1100),
        Ticket("ticket/" + "x" * 200, 1100),
        Ticket("ticket/Sunday", 0),
        Ticket("ticket/Sunday", -1100),
        Ticket("ticket/Sunday", MONEY_MAX + 1),
    ],
)
def test_a_ticket_has_a_name_and_a_value(field: str, ticket: Ticket) -> None:
    """T-ABU-9: the form of a ticket is the unit in which an account holds it, so it has the shape of a text."""
    assert _refused(_with(field, ticket)) == field


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("late_levels", {"late_levels": 1}),
        ("late_levels", {"late_levels": 1, "entries_min": 9}),
        ("payouts", {"satellite": SUNDAY, "payouts": WINNER_TAKES_ALL}),
        ("ticket", {"ticket": replace(SUNDAY, value=1099)}),
        ("ticket", {"ticket": SUNDAY, "bounty": 100}),
        ("ticket", {"ticket": SUNDAY, "satellite": replace(SUNDAY, value=5500)}),
        ("satellite", {"satellite": replace(SUNDAY, value=1000)}),
        ("unit", {"unit": "ticket/Sunday"}),
        ("unit", {"unit": "chips/T"}),
    ],
)
def test_fields_do_not_contradict_each_other(field: str, changes: dict[str, Any]) -> None:
    """Operations.md section 2: nobody is late for a full table, a ticket is worth an entry, and money is money."""
    assert _refused(terms(**changes)) == field


@pytest.mark.parametrize(
    "payouts",
    [
        (PayoutRow(3, (10_000,)),),
        (PayoutRow(1, (10_000,)), PayoutRow(1, (10_000,))),
        (PayoutRow(1, (5000, 5000)),),
        (PayoutRow(2, ()),),
        (PayoutRow(2, (6000, 3999)),),
        (PayoutRow(2, (10_000, 0)),),
        (PayoutRow(2, (4000, 6000)),),
        (PayoutRow(1, (10_000,)), PayoutRow(2**63, (10_000,))),
        tuple([PayoutRow(number, (10_000,)) for number in range(1, 102)]),
        (PayoutRow(1, (10_000,)), PayoutRow(4000, (3,) * 3000 + (1,) * 1000)),
    ],
)
def test_the_payouts_of_an_announcement_are_a_good_table(payouts: tuple[PayoutRow, ...]) -> None:
    """O-36: rows ascend and begin with two entries, the parts sum to the pool and never rise, and all fit a record."""
    assert _refused(terms(payouts=payouts)) == "payouts"


def test_without_payouts_the_usual_ones_count() -> None:
    """O-36: a tournament may bring its own table."""
    assert terms().payout_table == usual_payouts()
    assert terms(payouts=WINNER_TAKES_ALL).payout_table == WINNER_TAKES_ALL


def test_an_entry_costs_all_its_parts() -> None:
    """O-31: the price is the part of the pool, the fee and the bounty."""
    assert terms(bounty=500).price == 1600


def _levels(*offers: tuple[LimitType, StakesOffer]) -> tuple[Level, ...]:
    rulebook = terms().rulebook
    return tuple([Level(agree_stakes(rulebook, offer, limit_type, "tournament"), 60) for limit_type, offer in offers])


BLINDS = StakesOffer(small_blind=10, big_blind=20)
ANTES = StakesOffer(big_blind=0, min_bet=20, ante_type="each", ante=5)
MIXED = _levels(("no_limit", BLINDS), ("fixed_limit", StakesOffer(small_bet=20, big_bet=40)))
BLINDS_THEN_ANTES = _levels(("no_limit", BLINDS), ("no_limit", ANTES))


@pytest.mark.parametrize(
    ("reason", "house", "changes"),
    [
        ("LIMIT_TYPE_NOT_OFFERED", "pacific", {"levels": terms("modern").levels}),
        ("STAKES_INVALID", "modern", {"levels": (replace(FIRST, stakes=replace(FIRST.stakes, min_bet=30)),)}),
        ("SMALL_BLIND_INVALID", "akpoker", {"levels": (replace(FIRST, stakes=replace(FIRST.stakes, small_blind=5)),)}),
        ("STAKES_INVALID", "modern", {"levels": MIXED}),
        ("STAKES_INVALID", "modern", {"levels": BLINDS_THEN_ANTES}),
    ],
)
def test_every_level_has_stakes_of_the_house(reason: str, house: str, changes: dict[str, Any]) -> None:
    """AMB-21, O-32: levels differ in numbers alone, and each is what the house would agree to at a table."""
    with pytest.raises(Rejected) as caught:
        verify_terms(terms(house, **changes))
    assert caught.value.reason == reason


def test_the_house_must_have_tables_of_that_size() -> None:
    """Operations.md section 2: a tournament is played at tables of its house."""
    rulebook = terms().rulebook
    small = replace(rulebook, table=replace(rulebook.table, seats_max=6))
    with pytest.raises(Rejected) as caught:
        verify_terms(terms(rulebook=small))
    assert caught.value.reason == "SEATS_NOT_OFFERED"


@pytest.mark.parametrize("unknown", ["straddle", "run_it_twice"])
def test_what_no_table_deals_is_not_announced(unknown: str) -> None:
    """Design.md section 3: a table that could not be opened would leave its players' money hanging."""
    rulebook = terms().rulebook
    straddled = replace(rulebook, blinds=replace(rulebook.blinds, straddle="utg"))
    twice = replace(rulebook, showdown=replace(rulebook.showdown, run_it_twice=True))
    with pytest.raises(Rejected) as caught:
        verify_terms(terms(rulebook={"straddle": straddled, "run_it_twice": twice}[unknown]))
    assert caught.value.reason == "NOT_DEALT_HERE"


@pytest.mark.parametrize("tournament_id", ["", "x" * 201, "two\nlines"])
def test_a_tournament_has_an_id(tournament_id: str) -> None:
    """T-ABU-9: its tables and chips are named after it."""
    with pytest.raises(InvalidCommand) as caught:
        decide(None, commands.CreateTournament(tournament_id, terms()), 0)
    assert caught.value.metadata == {"field": "tournament_id"}


@pytest.mark.parametrize("field", ["name", "tournament_id"])
def test_the_longest_name_leaves_room_for_the_numbers_of_tables(field: str) -> None:
    """Design.md section 3: what may be announced can be played, so each of its tables can be opened."""
    texts = [{field: "x" * length} for length in range(200, 100, -1)]
    desk = next(desk for text in texts if (desk := _announced(**text)) is not None)
    desk.enter(*[f"p{number}" for number in range(2)]).direct()
    [opened] = desk.said(TableOpened)
    origin = Origin(f"tournament/{desk.state.tournament_id}", 1, 0, "USD")
    create = reactions(origin, opened)[0].command
    assert isinstance(create, CreateTable)
    assert decide_table(None, create, 0)


def _announced(name: str = "Test", tournament_id: str = "T") -> Desk | None:
    """Return a tournament of these names, or None if they are refused."""
    try:
        return Desk(terms(entries=2, name=name), tournament_id)
    except InvalidCommand:
        return None
