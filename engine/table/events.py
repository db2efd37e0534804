"""What a table says: facts in the past tense, in the order in which they happened.

A command makes one or more events; together they are the only way a table changes (`evolve`). Every event that moves
chips carries the amount of every seat it touches, so a reader never has to know a rule to follow the money. Amounts are
chips in minor units (whole chips in tournaments), times are milliseconds of the envelope, seats count from 0.

Hole cards are dealt as places in the deck: no event holds a card, salt or seed that was not shown to everybody (H1).
"""

from __future__ import annotations

from typing import TypeAlias

from engine.table.hand_events import (
    AntePosted,
    Bet,
    BlindMissed,
    BlindPosted,
    ButtonDrawn,
    ButtonMoved,
    Called,
    Checked,
    ConnectionLost,
    ConnectionRestored,
    DeadBlindPosted,
    Folded,
    HandEnded,
    HandMucked,
    HandReported,
    HandShown,
    HandStarted,
    HandVoided,
    HoleCardsDealt,
    PlayerProtected,
    PotAwarded,
    PotSplit,
    ProtectionRefused,
    ProtectionRequested,
    Raised,
    RakeTaken,
    ShowOffered,
    StreetDealt,
    TimeBankStarted,
    TimeBankUsed,
    TurnClockRestarted,
    UncalledBetReturned,
    WentAllIn,
)
from engine.table.seat_events import (
    ChipsAdded,
    ChipsQueued,
    ChipsReturned,
    ClockPaused,
    ClockResumed,
    EntryPlanned,
    HandsLimited,
    LeaveRequested,
    LevelChanged,
    PlayerLeft,
    PlayerSatIn,
    PlayerSatOut,
    PlayerSeated,
    PreferencesSet,
    RakeSwept,
    SeatHeld,
    SeatReleased,
    SeatReserved,
    SitOutPlanned,
    StacksReported,
    TableClosed,
    TableClosing,
    TableCreated,
    TableHalted,
    TableResumed,
    TopUpReleased,
    TopUpReserved,
)

TableEvent: TypeAlias = (
    TableCreated
    | TableClosing
    | TableClosed
    | TableHalted
    | TableResumed
    | LevelChanged
    | HandsLimited
    | StacksReported
    | ClockPaused
    | ClockResumed
    | SeatHeld
    | SeatReserved
    | SeatReleased
    | PlayerSeated
    | PlayerLeft
    | LeaveRequested
    | PlayerSatOut
    | SitOutPlanned
    | PlayerSatIn
    | EntryPlanned
    | PreferencesSet
    | TopUpReserved
    | TopUpReleased
    | ChipsQueued
    | ChipsAdded
    | ChipsReturned
    | RakeSwept
    | ButtonDrawn
    | HandStarted
    | ButtonMoved
    | BlindMissed
    | AntePosted
    | BlindPosted
    | DeadBlindPosted
    | HoleCardsDealt
    | StreetDealt
    | Folded
    | Checked
    | Called
    | Bet
    | Raised
    | WentAllIn
    | TimeBankStarted
    | TimeBankUsed
    | TurnClockRestarted
    | ConnectionLost
    | ConnectionRestored
    | ProtectionRequested
    | PlayerProtected
    | ProtectionRefused
    | UncalledBetReturned
    | PotSplit
    | RakeTaken
    | ShowOffered
    | HandShown
    | HandMucked
    | PotAwarded
    | HandEnded
    | HandVoided
    | HandReported
)

__all__ = [
    "AntePosted",
    "Bet",
    "BlindMissed",
    "BlindPosted",
    "ButtonDrawn",
    "ButtonMoved",
    "Called",
    "Checked",
    "ChipsAdded",
    "ChipsQueued",
    "ChipsReturned",
    "ClockPaused",
    "ClockResumed",
    "ConnectionLost",
    "ConnectionRestored",
    "DeadBlindPosted",
    "EntryPlanned",
    "Folded",
    "HandEnded",
    "HandMucked",
    "HandReported",
    "HandShown",
    "HandStarted",
    "HandVoided",
    "HandsLimited",
    "HoleCardsDealt",
    "LeaveRequested",
    "LevelChanged",
    "PlayerLeft",
    "PlayerProtected",
    "PlayerSatIn",
    "PlayerSatOut",
    "PlayerSeated",
    "PotAwarded",
    "PotSplit",
    "PreferencesSet",
    "ProtectionRefused",
    "ProtectionRequested",
    "Raised",
    "RakeSwept",
    "RakeTaken",
    "SeatHeld",
    "SeatReleased",
    "SeatReserved",
    "ShowOffered",
    "SitOutPlanned",
    "StacksReported",
    "StreetDealt",
    "TableClosed",
    "TableClosing",
    "TableCreated",
    "TableEvent",
    "TableHalted",
    "TableResumed",
    "TimeBankStarted",
    "TimeBankUsed",
    "TopUpReleased",
    "TopUpReserved",
    "TurnClockRestarted",
    "UncalledBetReturned",
    "WentAllIn",
]
