"""What a table can be asked: imperatives that may be refused.

Players are named by `player`; what they do in a hand is bound to `hand_id` and `turn`, so a late or repeated command
can never take effect anywhere else. A command holds no card, no time of the day, and no
chance but the seed of a button draw, which is of no use afterwards. Amounts are chips in minor units.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import Kind, Rulebook
from engine.table.seat_events import EntryPlan, Luggage

# The table.


class CreateTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Open a table under an effective rulebook, with stakes that `agree_stakes` has checked."""

    table_id: str
    name: str
    kind: Kind
    unit: str
    seats: int
    rulebook: Rulebook
    stakes: Stakes
    prize_unit: str = ""
    """At a tournament table: the currency of its prizes."""


class CloseTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Finish the hand in progress, send everybody home, then close."""


class HaltTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Stop the table after a fault of ours."""

    cause: str


class ResumeTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Put a halted table back into service."""

    by: str


class ChangeLevel(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Set the stakes of the next hands (tournaments)."""

    level: int
    stakes: Stakes


class LimitHands(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Deal no hand with a number above this (tournaments): the director lets each hand be dealt."""

    up_to: int


class FreezeTable(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Undo the hand in progress, stand still and report the stacks: the tournament is called off."""

    cause: str
    by: str


class PauseClock(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Let no turn run out and start no hand."""


class ResumeClock(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Let the clock run again."""


class SweepRake(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Send the rake that the table holds to the house."""


# Seats and chips.


class HoldSeat(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Keep a seat while the player looks at the buy-in dialog."""

    player: str
    seat: Seat
    hold_ms: int


class ReserveSeat(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take a seat with this buy-in: the seat is reserved and the money asked for."""

    player: str
    seat: Seat
    amount: Chips


class SeatPlayer(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The buy-in has arrived."""

    player: str
    amount: Chips
    transfer_id: str


class SeatEntry(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Seat a tournament entry with its chips, and with what it brings along from another table."""

    player: str
    entry: int
    seat: Seat
    amount: Chips
    transfer_id: str
    luggage: Luggage = Luggage()


class ReleaseSeat(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give up a held seat; for a reserved one: the account refused the money."""

    player: str
    transfer_id: str = ""


class RequestTopUp(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Ask for more chips."""

    player: str
    amount: Chips


class QueueChips(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A top-up has arrived; at a tournament table a rebuy or an add-on."""

    player: str
    amount: Chips
    transfer_id: str


class ReleaseTopUp(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account refused a top-up."""

    player: str
    transfer_id: str


class SitOut(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Be dealt no more hands: now, after this hand, or from the next big blind; `never` takes a plan back."""

    player: str
    at: Literal["now", "next_hand", "next_big_blind", "never"]


class SitIn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Come back; `plan` says how to pay what is owed."""

    player: str
    plan: EntryPlan


class PlanEntry(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Choose to post at once or to wait for the big blind."""

    player: str
    plan: EntryPlan


class SetPreferences(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Set auto muck and ask to show."""

    player: str
    auto_muck: bool
    ask_to_show: bool


class Leave(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Leave the table with all chips."""

    player: str


class RemovePlayer(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take a player off the table: sat out too long (checked), moved by the director, or by an operator."""

    player: str
    cause: Literal["sat_out_too_long", "moved", "removed"]


# The hand.


class DrawButton(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Draw for the first button; the seed is fresh, 32 bytes, and of no use afterwards."""

    seed: bytes


class StartHand(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Deal the next hand from the deck given beside the command."""


class Fold(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give up the hand."""

    player: str
    hand_id: str
    turn: int


class Check(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Pass when there is nothing to call."""

    player: str
    hand_id: str
    turn: int


class Call(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Match the bet, or put in the whole stack when that is less."""

    player: str
    hand_id: str
    turn: int


class Raise(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Bet or raise to a total for this street; all-in is `raise_to` = everything he has."""

    player: str
    hand_id: str
    turn: int
    raise_to: Chips


class Show(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Show one or both cards when asked; `cards` counts 0 for the first card, 1 for the second (O-17)."""

    player: str
    hand_id: str
    turn: int
    cards: tuple[int, ...] = (0, 1)


class Muck(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Keep the cards secret when asked."""

    player: str
    hand_id: str
    turn: int


class TimeOut(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The time of this turn is over; refused when it is not."""

    hand_id: str
    turn: int


class UseTimeBank(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Take the time bank for this turn."""

    player: str
    hand_id: str
    turn: int


class RestartTurnClock(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Give the open turn its time again after an outage of ours."""

    hand_id: str
    turn: int


class LoseConnection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The gateway reports the player's connection as lost."""

    player: str
    outage_id: str
    house_fault: bool = False


class RestoreConnection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The gateway reports the player as back."""

    player: str


class GrantProtection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account granted the protection that the hand asked for."""

    player: str
    hand_id: str
    counted: bool = True
    """It is a use of the player's quota; not when his outage has cost one already (`count_per`)."""


class RefuseProtection(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account has no protection left."""

    player: str
    hand_id: str


class VoidHand(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Undo the hand in progress."""

    hand_id: str
    cause: str
    by: str


TableCommand: TypeAlias = (
    CreateTable
    | CloseTable
    | HaltTable
    | ResumeTable
    | ChangeLevel
    | LimitHands
    | FreezeTable
    | PauseClock
    | ResumeClock
    | SweepRake
    | HoldSeat
    | ReserveSeat
    | SeatPlayer
    | SeatEntry
    | ReleaseSeat
    | RequestTopUp
    | QueueChips
    | ReleaseTopUp
    | SitOut
    | SitIn
    | PlanEntry
    | SetPreferences
    | Leave
    | RemovePlayer
    | DrawButton
    | StartHand
    | Fold
    | Check
    | Call
    | Raise
    | Show
    | Muck
    | TimeOut
    | UseTimeBank
    | RestartTurnClock
    | LoseConnection
    | RestoreConnection
    | GrantProtection
    | RefuseProtection
    | VoidHand
)
