"""The state of a table: a value that `evolve` replaces, never changes.

    Table
    ├── config      fixed at creation: name, kind, unit, effective rulebook
    ├── terms       stakes and betting limits in force for the next hand
    ├── desk        what is neither a seat nor a hand: held and reserved seats, money on its way, rake, the clock
    ├── seats       one Occupant or None per seat
    ├── positions   button and blinds of the last hand
    └── hand        the hand in progress, or None
        ├── setup       fixed when it started, with what voiding it brings back
        ├── players     chips per seat: stack, bet, contribution
        ├── betting     the round: who is live, active, pending; the bet; who is to act
        ├── turn        whose clock runs since when
        ├── lost        disconnection protections asked, granted, refused
        └── settlement  pots, rake, shows, once betting is over

There is no card in here but those that everybody has seen: the deck stays beside the state (H4).
Amounts are chips in minor units, times milliseconds on the log.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.betting import Limits, Players, Round
from engine.poker.button import Positions
from engine.poker.cards import Card
from engine.poker.money import Chips
from engine.poker.pots import Pot
from engine.poker.seats import Seat, SeatSet
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import Kind, Rulebook
from engine.table.seat_events import EntryPlan, LeaveCause

Street: TypeAlias = Literal[0, 1, 2, 3]
"""0 before the flop, 1 flop, 2 turn, 3 river."""


MissedTurn: TypeAlias = Literal["", "timeout", "disconnected"]
"""Why a player is missing: a turn ran out and he has neither acted nor come back since."""


class Config(msgspec.Struct, frozen=True, gc=False):
    """What `TableCreated` fixed for the life of the table."""

    table_id: str
    name: str
    kind: Kind
    unit: str
    seats: int
    rulebook: Rulebook
    rulebook_hash: str
    buyin_min: Chips
    buyin_max: Chips
    """0 when there is no maximum."""
    prize_unit: str
    """Of a tournament; empty at a cash table."""


class Terms(msgspec.Struct, frozen=True, gc=False):
    """The stakes, and the betting limits that follow from them and the rulebook."""

    level: int
    stakes: Stakes
    limits: Limits
    act_ms: int
    """Time for a turn."""
    rake_caps: tuple[tuple[int, Chips], ...]
    """The most rake of a hand, by the number of players dealt in (`cap_for`)."""


class Occupant(msgspec.Struct, frozen=True, gc=False):
    """A player in his seat, between hands. During a hand `stack` is what he started it with."""

    player: str
    stack: Chips
    entry: int = 0
    arrival: int = 0
    """Counts the players who ever sat down here: the lowest came first."""
    sitting_out: bool = False
    sat_out_at_ms: int | None = None
    """Since when he has been dealt no hand because he sat out; sitting in alone does not end it."""
    sits_out_at: Literal["", "next_hand", "next_big_blind"] = ""
    newcomer: bool = False
    """Owes an entry post or waits for the big blind."""
    missed_small: bool = False
    missed_big: bool = False
    button_passed: bool = False
    """The button has passed since he missed the big blind (`return_block`)."""
    plan: EntryPlan = "wait"
    queued: Chips = 0
    leaving: LeaveCause | Literal[""] = ""
    auto_muck: bool = True
    ask_to_show: bool = False
    connected: bool = True
    outage_id: str = ""
    house_fault: bool = False
    missed_turn: MissedTurn = ""
    bank_ms: int = 0
    hands_dealt: int = 0


class Hold(msgspec.Struct, frozen=True, gc=False):
    """A seat kept for a player at the buy-in dialog, until a time."""

    seat: Seat
    player: str
    until_ms: int


class Reservation(msgspec.Struct, frozen=True, gc=False):
    """A seat, or with `top_up` a place in a stack, for money that was asked for."""

    seat: Seat
    player: str
    amount: Chips
    transfer_id: str
    top_up: bool = False


class Departure(msgspec.Struct, frozen=True, gc=False):
    """What a player left with, for as long as he must bring it back (R-MOD-8)."""

    player: str
    amount: Chips
    at_ms: int


class Desk(msgspec.Struct, frozen=True, gc=False):
    """What belongs to the table and to nobody's seat."""

    status: Literal["open", "closing", "closed"] = "open"
    halted: str = ""
    """Why the table stands still, or empty."""
    paused_at_ms: int | None = None
    """Since when the clock stands still, or None."""
    holds: tuple[Hold, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    departures: tuple[Departure, ...] = ()
    arrivals: int = 0
    transfers: int = 0
    """Counts the transfers that began here; their ids derive from it."""
    button_drawn: Seat = -1
    hands_started: int = 0
    hands_allowed: int | None = None
    """The number of the last hand that the director lets be dealt; None where there is no director."""
    rake_held: Chips = 0
    hands_since_sweep: int = 0


class HandSetup(msgspec.Struct, frozen=True, gc=False):
    """What is fixed when a hand starts."""

    hand_id: str
    number: int
    terms: Terms
    button: Seat
    small_blind: Seat
    big_blind: Seat
    seats: tuple[Seat, ...]
    """In the order of the deal."""
    stacks: tuple[Chips, ...]
    dealt: SeatSet
    opens_after: Seat
    """Rounds 2 to 4 open with the first active seat after this one (`postflop_first`)."""
    deck_root: bytes
    seats_before: tuple[Occupant | None, ...]
    positions_before: Positions | None


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A decision that is waited for. Numbers grow within the hand and are never used twice."""

    number: int
    began_ms: int
    floor_ms: int = 0
    """The time to act is not over before this: the player has just come back."""
    bank_started: bool = False


class Lost(msgspec.Struct, frozen=True, gc=False):
    """Disconnection protections in this hand."""

    waiting: SeatSet = 0
    """Asked for and not answered: the hand waits."""
    protected: SeatSet = 0
    refused: SeatSet = 0
    requests: tuple[str, ...] = ()
    """The players for whom a protection was asked."""


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """The end of a hand, once no more betting is possible."""

    pots: tuple[Pot, ...] = ()
    rake: tuple[Chips, ...] = ()
    winners: tuple[tuple[int, SeatSet], ...] = ()
    """The pots that were awarded, and who got chips of them, in the order of the awards."""
    shown: SeatSet = 0
    """Hands that lie face up, both cards."""
    decided: SeatSet = 0
    """Seats that have shown or mucked."""
    asked: Seat = -1
    """Who is asked to show or muck; his clock runs."""


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A hand in progress."""

    setup: HandSetup
    players: Players
    places: tuple[tuple[int, int] | None, ...]
    """Places in the deck of the hole cards, by seat."""
    street: Street
    board: tuple[Card, ...]
    pot: Chips
    """Everything in the middle."""
    dead: Chips
    """The part of it that is in nobody's contribution and belongs to the main pot."""
    short_blinds: Chips
    """How much less than their size the blinds were (`pot_limit_short_blinds`)."""
    betting: Round
    turn: Turn
    lost: Lost
    settlement: Settlement


class Table(msgspec.Struct, frozen=True, gc=False):
    """A table."""

    config: Config
    terms: Terms
    desk: Desk
    seats: tuple[Occupant | None, ...]
    positions: Positions | None
    hand: Hand | None


def seat_of(table: Table, player: str) -> Seat:
    """Return the player's seat, or -1."""
    for seat, occupant in enumerate(table.seats):
        if occupant is not None and occupant.player == player:
            return seat
    return -1


def occupant_at(table: Table, seat: Seat) -> Occupant:
    """Return who sits in an occupied seat."""
    occupant = table.seats[seat]
    assert occupant is not None, f"nobody sits in seat {seat}"
    return occupant


def chips_of(occupant: Occupant) -> Chips:
    """Return what a player has at the table between hands: his stack, and chips that have come and are not in play."""
    return occupant.stack + occupant.queued


def hand_of(table: Table) -> Hand:
    """Return the hand in progress."""
    assert table.hand is not None, "no hand in progress"
    return table.hand


def is_awarded(settlement: Settlement, pot: int) -> bool:
    """Say whether a pot has gone to its winners."""
    return any(number == pot for number, _ in settlement.winners)


def turn_seat(hand: Hand) -> Seat:
    """Return whose decision the hand waits for: to act, or to show; -1 for nobody's."""
    if hand.lost.waiting:
        return -1
    if hand.betting.to_act >= 0:
        return hand.betting.to_act
    return hand.settlement.asked


def next_hand_id(table: Table) -> str:
    """Return the id that the next hand will have; its deck is committed under it."""
    return f"{table.config.table_id}-{table.desk.hands_started + 1}"
