"""What a tournament is: announced once, and never changed (`operations.md` section 2).

The same few numbers make a Sit & Go (starts when full) or a tournament with a starting time, on one table or many; a
freeze-out, or one with re-entries, rebuys and an add-on; a freeroll (the buy-in is 0 and a guarantee is played for),
a guarantee, bounties, a satellite (its prizes are tickets); entries paid with money or with a ticket.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.errors import IllegalAction, InvalidCommand, Reason, Rejected
from engine.origin import chips_unit
from engine.poker.money import Chips
from engine.poker.seats import SEATS_MAX
from engine.rulebooks.opening import Stakes, agree_seats, verify_dealt_here, verify_stakes
from engine.rulebooks.rulebook import Rulebook
from engine.shape import TEXT_MAX, is_text, verify_texts
from engine.tournament.payouts import PayoutTable, problems, usual_payouts
from engine.tournament.prizes import Form

ENTRIES_MAX = 10_000
MONEY_MAX = 2**40
"""The largest price, guarantee or stack, so that those of all entries together are far from the end of int64."""
LEVELS_MAX = 100
ROWS_MAX = 100
PLACES_MAX = 3000
"""Of a table of payouts, so that an announcement fits its record."""
SECONDS_MAX = 7 * 24 * 3600
TIME_MAX = 2**53
SALES_MAX = 100
"""How often an entry can buy the same chips."""
NAME_MAX = TEXT_MAX - 20
"""Characters: tables are named after their tournament, with a number."""
TICKET = "ticket/"
"""How the form of a ticket begins; the unit in which an account holds tickets has the same name."""


class Level(Struct, frozen=True, gc=False):
    """Stakes, for how long, and the break that follows (O-32)."""

    stakes: Stakes
    seconds: int
    break_seconds: int = 0


class ChipSale(Struct, frozen=True, gc=False):
    """Chips that an entry can buy while it plays: a rebuy or an add-on (O-31)."""

    price: Chips
    """Goes into the prize pool, minor units."""
    fee: Chips
    chips: Chips
    """How many chips one gets."""
    first_level: int = 0
    last_level: int = 0
    most: int = 1
    """How often an entry can buy."""
    stack_max: Chips = 0
    """Who has more chips than this cannot buy; 0 where it does not matter. A rebuy is for small stacks."""


class Ticket(Struct, frozen=True, gc=False):
    """A voucher for an entry; the house answers for its value."""

    form: Form
    """"ticket/…"."""
    value: Chips
    """Minor units."""


class Terms(Struct, frozen=True, gc=False):
    """The announcement of a tournament. Prices and prizes are minor units of `unit`, stacks are tournament chips."""

    name: str
    unit: str
    rulebook: Rulebook
    seats: int
    """At each table."""
    starting_chips: Chips
    buy_in: Chips
    """Goes into the prize pool."""
    fee: Chips
    bounty: Chips
    """On each head; 0 without bounties."""
    entries_min: int
    entries_max: int
    levels: tuple[Level, ...]
    """The last one lasts until the end; nobody enters or buys chips in it."""
    starts_at_ms: int | None = None
    """None: it starts when it is full (Sit & Go)."""
    late_levels: int = 0
    """During so many levels one may still register (O-30)."""
    entries_per_player: int = 1
    """More than one: who is out may enter again while registration is open."""
    rebuy: ChipSale | None = None
    rebuy_seconds: int = 60
    """How long one who has lost all his chips may think about a rebuy."""
    add_on: ChipSale | None = None
    guarantee: Chips = 0
    """The least that is played for; the house pays it in before the tournament is announced."""
    payouts: PayoutTable = ()
    """Empty for the usual one."""
    satellite: Ticket | None = None
    """The prizes are as many of these as the pool holds."""
    ticket: Ticket | None = None
    """An entry can be paid with one of these."""
    hand_for_hand: int = 0
    """Play hand for hand when at most so many entries must go before all are in the money; 0 for never (O-34)."""

    @property
    def price(self) -> Chips:
        """What an entry costs, minor units."""
        return self.buy_in + self.fee + self.bounty

    @property
    def payout_table(self) -> PayoutTable:
        """How the pool is divided."""
        return self.payouts or usual_payouts()


def verify_terms(terms: Terms) -> None:
    """Refuse an announcement that makes no sense.

    Raises:
        InvalidCommand: A field is out of its range, or contradicts another (FIELD_INVALID with its name).
        IllegalAction: The house plays no such tables, or these stakes are not its own.
    """
    verify_texts(terms, "name", "unit", most=NAME_MAX)
    for field, least, most in _ranges(terms):
        if not least <= getattr(terms, field) <= most:
            raise _invalid(field, f"{field} is from {least} to {most}")
    for field, problem in _problems(terms):
        raise _invalid(field, problem)
    agree_seats(terms.rulebook, terms.seats)
    verify_dealt_here(terms.rulebook)
    for level in terms.levels:
        verify_stakes(terms.rulebook, level.stakes, "tournament")
    first = terms.levels[0].stakes
    if any(_kind(level.stakes) != _kind(first) for level in terms.levels):
        raise IllegalAction(Reason.STAKES_INVALID, "all levels have one limit type, and blinds or none")


def _kind(stakes: Stakes) -> tuple[str, bool]:
    return stakes.limit_type, stakes.big_blind > 0


def _invalid(field: str, problem: str) -> Rejected:
    return InvalidCommand(Reason.FIELD_INVALID, problem, field=field)


def _ranges(terms: Terms) -> Iterator[tuple[str, int, int]]:
    yield from [(field, 0, MONEY_MAX) for field in ("buy_in", "fee", "bounty", "guarantee")]
    yield "starting_chips", 1, MONEY_MAX
    yield "seats", 2, SEATS_MAX
    yield "entries_max", 2, ENTRIES_MAX
    yield "entries_min", 2, terms.entries_max
    yield "late_levels", 0, max(0, len(terms.levels) - 1)
    yield "entries_per_player", 1, ENTRIES_MAX
    yield "rebuy_seconds", 1, 3600
    yield "hand_for_hand", 0, ENTRIES_MAX


def _problems(terms: Terms) -> Iterator[tuple[str, str]]:
    """Yield what is wrong, with the field it is wrong in."""
    if not 1 <= len(terms.levels) <= LEVELS_MAX:
        yield "levels", f"a tournament has 1 to {LEVELS_MAX} levels"
    seconds = [(level.seconds, level.break_seconds) for level in terms.levels]
    if any(not (1 <= level <= SECONDS_MAX and 0 <= pause <= SECONDS_MAX) for level, pause in seconds):
        yield "levels", f"a level lasts 1 to {SECONDS_MAX} seconds, and its break no longer"
    if terms.unit.startswith((TICKET, chips_unit(""))):
        yield "unit", "a tournament is played for a currency"
    if terms.starts_at_ms is None and terms.late_levels:
        yield "late_levels", "who starts when full has nobody late"
    if terms.starts_at_ms is not None and not 0 <= terms.starts_at_ms <= TIME_MAX:
        yield "starts_at_ms", f"it is from 0 to {TIME_MAX}"
    if terms.satellite is not None and terms.payouts:
        yield "payouts", "the prizes of a satellite are tickets"
    if len(terms.payouts) > ROWS_MAX or sum([len(row.bps) for row in terms.payouts]) > PLACES_MAX:
        yield "payouts", f"at most {ROWS_MAX} rows and {PLACES_MAX} places in all"
    if any(row.entries_from > ENTRIES_MAX for row in terms.payouts):
        yield "payouts", f"no tournament has more than {ENTRIES_MAX} entries"
    for problem in problems(terms.payout_table):
        yield "payouts", problem
    yield from _problems_of_sales(terms)


def _problems_of_sales(terms: Terms) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with what can be bought, won, or paid with."""
    for field, sale in (("rebuy", terms.rebuy), ("add_on", terms.add_on)):
        if sale is not None and not _is_sound(sale, len(terms.levels) - 1):
            yield field, "it has a price, chips, a number, and levels before the last"
    for field, ticket in (("satellite", terms.satellite), ("ticket", terms.ticket)):
        if ticket is not None and not _is_sound_ticket(ticket):
            yield field, f"a ticket has a value, and its form is {TICKET} and a name"
    tickets = [ticket for ticket in (terms.satellite, terms.ticket) if ticket is not None]
    if len({ticket.form for ticket in tickets}) < len(set(tickets)):
        yield "ticket", "tickets of one form have one value"
    if terms.satellite is not None and terms.satellite.value <= terms.buy_in:
        yield "satellite", "a ticket is worth more than one entry pays in"
    if terms.ticket is not None and terms.ticket.value != terms.price:
        yield "ticket", "a ticket is worth what an entry costs"


def _is_sound(sale: ChipSale, levels: int) -> bool:
    money = (sale.price, sale.fee, sale.chips, sale.stack_max)
    in_range = all(0 <= amount <= MONEY_MAX for amount in money) and sale.chips > 0 and sale.price + sale.fee > 0
    return in_range and 1 <= sale.most <= SALES_MAX and 0 <= sale.first_level <= sale.last_level < levels


def _is_sound_ticket(ticket: Ticket) -> bool:
    named = is_text(ticket.form) and ticket.form.startswith(TICKET) and len(ticket.form) > len(TICKET)
    return named and 0 < ticket.value <= MONEY_MAX
