"""What a tournament says: facts in the past tense, in the order in which they happened.

Reserved for later: `DealAgreed`, with the amounts that the players left have agreed on (O-37).
"""

from __future__ import annotations

from typing import TypeAlias

from engine.tournament.money_events import (
    CancellationApproved,
    CancellationPlanned,
    CancellationRequested,
    CoverReceived,
    CoverRefused,
    CoverRequested,
    EntryWithdrawn,
    HousePaid,
    ObligationPaid,
    OverlayAdded,
    OverlayReceived,
    OverlayRefused,
    OverlayRequested,
    PaymentReceived,
    PaymentRefused,
    PaymentRequested,
    PaymentReturned,
    PrizesFixed,
    RegistrationOpened,
    StacksRecorded,
    TicketIssued,
    TicketReceived,
    TicketRedeemed,
    TicketReturned,
    TournamentCancelled,
    TournamentCreated,
)
from engine.tournament.play_events import (
    BreakAnnounced,
    BreakStarted,
    ChipsIssued,
    ChipsReceived,
    EntryBusted,
    EntryEliminated,
    EntryReceived,
    EntrySeated,
    HandForHandBegan,
    HandForHandEnded,
    HandRecorded,
    HandsAllowed,
    LevelStarted,
    MassDisconnectDetected,
    MoveOrdered,
    PlayBegan,
    SyncHandClosed,
    SyncHandStarted,
    TableBroken,
    TableOpened,
    TablesClosed,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)

TournamentEvent: TypeAlias = (
    TournamentCreated
    | OverlayRequested
    | OverlayReceived
    | OverlayRefused
    | RegistrationOpened
    | PaymentRequested
    | PaymentReceived
    | PaymentRefused
    | PaymentReturned
    | TicketReceived
    | TicketRedeemed
    | TicketReturned
    | EntryWithdrawn
    | TournamentStarted
    | TableOpened
    | PlayBegan
    | EntrySeated
    | ChipsIssued
    | MoveOrdered
    | EntryReceived
    | ChipsReceived
    | TableBroken
    | HandsAllowed
    | HandRecorded
    | EntryBusted
    | EntryEliminated
    | HandForHandBegan
    | HandForHandEnded
    | SyncHandStarted
    | SyncHandClosed
    | LevelStarted
    | BreakAnnounced
    | BreakStarted
    | TournamentPaused
    | TournamentResumed
    | MassDisconnectDetected
    | PrizesFixed
    | OverlayAdded
    | ObligationPaid
    | TicketIssued
    | HousePaid
    | TablesClosed
    | TournamentFinished
    | CancellationRequested
    | StacksRecorded
    | CancellationPlanned
    | CancellationApproved
    | CoverRequested
    | CoverReceived
    | CoverRefused
    | TournamentCancelled
)

__all__ = [
    "BreakAnnounced",
    "BreakStarted",
    "CancellationApproved",
    "CancellationPlanned",
    "CancellationRequested",
    "ChipsIssued",
    "ChipsReceived",
    "CoverReceived",
    "CoverRefused",
    "CoverRequested",
    "EntryBusted",
    "EntryEliminated",
    "EntryReceived",
    "EntrySeated",
    "EntryWithdrawn",
    "HandForHandBegan",
    "HandForHandEnded",
    "HandRecorded",
    "HandsAllowed",
    "HousePaid",
    "LevelStarted",
    "MassDisconnectDetected",
    "MoveOrdered",
    "ObligationPaid",
    "OverlayAdded",
    "OverlayReceived",
    "OverlayRefused",
    "OverlayRequested",
    "PaymentReceived",
    "PaymentRefused",
    "PaymentRequested",
    "PaymentReturned",
    "PlayBegan",
    "PrizesFixed",
    "RegistrationOpened",
    "StacksRecorded",
    "SyncHandClosed",
    "SyncHandStarted",
    "TableBroken",
    "TableOpened",
    "TablesClosed",
    "TicketIssued",
    "TicketReceived",
    "TicketRedeemed",
    "TicketReturned",
    "TournamentCancelled",
    "TournamentCreated",
    "TournamentEvent",
    "TournamentFinished",
    "TournamentPaused",
    "TournamentResumed",
    "TournamentStarted",
]
