"""Refusals: why a command was not carried out.

    Rejected
    ├── InvalidCommand      wrong in every state: a malformed or missing field, an amount below 0 or above int64
    ├── NotFound            no such table, player, seat, reservation or account
    ├── IllegalAction       well formed, but the rules forbid it now
    ├── AmountOutOfRange    a legal action of the wrong size; carries the legal range
    └── InsufficientFunds   an account holds less than is asked of it

A refusal writes nothing and changes nothing. Clients read `reason` and `metadata`, never the English `detail`.
Assertions are for our own mistakes, `Rejected` is for everybody else's.
"""

from __future__ import annotations

from enum import StrEnum, unique


@unique
class Reason(StrEnum):
    """Stable reason codes, at most 63 characters, part of the public contract (`clients.md` B2)."""

    # Wrong in every state.
    FIELD_INVALID = "FIELD_INVALID"
    # Unknown things.
    TABLE_UNKNOWN = "TABLE_UNKNOWN"
    PLAYER_NOT_SEATED = "PLAYER_NOT_SEATED"
    SEAT_UNKNOWN = "SEAT_UNKNOWN"
    RESERVATION_UNKNOWN = "RESERVATION_UNKNOWN"
    # Opening a table.
    TABLE_EXISTS = "TABLE_EXISTS"
    LIMIT_TYPE_NOT_OFFERED = "LIMIT_TYPE_NOT_OFFERED"
    SEATS_NOT_OFFERED = "SEATS_NOT_OFFERED"
    STAKES_INVALID = "STAKES_INVALID"
    SMALL_BLIND_INVALID = "SMALL_BLIND_INVALID"
    ANTE_NOT_OFFERED = "ANTE_NOT_OFFERED"
    BLINDS_REQUIRED = "BLINDS_REQUIRED"
    FIELD_NOT_SETTABLE = "FIELD_NOT_SETTABLE"
    # Acting in a hand.
    HAND_NOT_IN_PROGRESS = "HAND_NOT_IN_PROGRESS"
    STALE_TURN = "STALE_TURN"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    CHECK_IS_FREE = "CHECK_IS_FREE"
    CHECK_NOT_ALLOWED = "CHECK_NOT_ALLOWED"
    NOTHING_TO_CALL = "NOTHING_TO_CALL"
    RAISE_CAPPED = "RAISE_CAPPED"
    RAISE_NOT_REOPENED = "RAISE_NOT_REOPENED"
    RAISE_NOT_POSSIBLE = "RAISE_NOT_POSSIBLE"
    BET_BELOW_MINIMUM = "BET_BELOW_MINIMUM"
    BET_ABOVE_MAXIMUM = "BET_ABOVE_MAXIMUM"
    BOTH_CARDS_SHOWN = "BOTH_CARDS_SHOWN"
    TIME_BANK_EMPTY = "TIME_BANK_EMPTY"
    TURN_NOT_OVER = "TURN_NOT_OVER"
    PROTECTION_PENDING = "PROTECTION_PENDING"
    PROTECTION_NOT_ASKED = "PROTECTION_NOT_ASKED"
    # Starting a hand.
    HAND_IN_PROGRESS = "HAND_IN_PROGRESS"
    NOT_ENOUGH_PLAYERS = "NOT_ENOUGH_PLAYERS"
    BUTTON_NOT_DRAWN = "BUTTON_NOT_DRAWN"
    BUTTON_ALREADY_DRAWN = "BUTTON_ALREADY_DRAWN"
    DECK_UNAVAILABLE = "DECK_UNAVAILABLE"
    HAND_NOT_ALLOWED = "HAND_NOT_ALLOWED"
    # Seats and chips.
    SEAT_TAKEN = "SEAT_TAKEN"
    ALREADY_SEATED = "ALREADY_SEATED"
    NO_BUYIN = "NO_BUYIN"
    BUYIN_BELOW_MINIMUM = "BUYIN_BELOW_MINIMUM"
    BUYIN_ABOVE_MAXIMUM = "BUYIN_ABOVE_MAXIMUM"
    TABLE_FULL_OF_CHIPS = "TABLE_FULL_OF_CHIPS"
    TOPUP_IN_HAND = "TOPUP_IN_HAND"
    NO_CHIPS = "NO_CHIPS"
    RETURN_BLOCKED = "RETURN_BLOCKED"
    POST_NOT_ALLOWED = "POST_NOT_ALLOWED"
    LEAVE_NOT_ALLOWED = "LEAVE_NOT_ALLOWED"
    SIT_OUT_NOT_OVER = "SIT_OUT_NOT_OVER"
    # The table as a whole.
    TABLE_CLOSED = "TABLE_CLOSED"
    TABLE_HALTED = "TABLE_HALTED"
    CLOCK_PAUSED = "CLOCK_PAUSED"
    NOT_A_TOURNAMENT = "NOT_A_TOURNAMENT"
    NOT_DEALT_HERE = "NOT_DEALT_HERE"
    # Accounts.
    ACCOUNT_UNKNOWN = "ACCOUNT_UNKNOWN"
    ACCOUNT_EXISTS = "ACCOUNT_EXISTS"
    ACCOUNT_FROZEN = "ACCOUNT_FROZEN"
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    BALANCE_ABOVE_MAXIMUM = "BALANCE_ABOVE_MAXIMUM"
    RESETS_USED_UP = "RESETS_USED_UP"
    PROTECTIONS_REVOKED = "PROTECTIONS_REVOKED"
    # Tournaments.
    TOURNAMENT_UNKNOWN = "TOURNAMENT_UNKNOWN"
    TOURNAMENT_EXISTS = "TOURNAMENT_EXISTS"
    TOURNAMENT_STARTED = "TOURNAMENT_STARTED"
    TOURNAMENT_OVER = "TOURNAMENT_OVER"
    TOURNAMENT_FULL = "TOURNAMENT_FULL"
    REGISTRATION_CLOSED = "REGISTRATION_CLOSED"
    ALREADY_REGISTERED = "ALREADY_REGISTERED"
    NOT_REGISTERED = "NOT_REGISTERED"
    ENTRIES_USED_UP = "ENTRIES_USED_UP"
    TICKET_NOT_TAKEN = "TICKET_NOT_TAKEN"
    PAYMENT_PENDING = "PAYMENT_PENDING"
    SALE_NOT_OPEN = "SALE_NOT_OPEN"
    SALES_USED_UP = "SALES_USED_UP"
    STACK_TOO_LARGE = "STACK_TOO_LARGE"
    NOTHING_TO_DECLINE = "NOTHING_TO_DECLINE"
    NOTHING_DUE = "NOTHING_DUE"
    NOT_RUNNING = "NOT_RUNNING"
    PLAN_UNKNOWN = "PLAN_UNKNOWN"
    ALREADY_APPROVED = "ALREADY_APPROVED"


class Rejected(Exception):  # noqa: N818 - the field's word for a refused command; it is no error of ours.
    """A command was refused. Nothing was written and nothing changed."""

    def __init__(self, reason: Reason, detail: str, **metadata: int | str) -> None:
        """Refuse for `reason`; `detail` is one English sentence for logs; `metadata` is for machines."""
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.metadata = metadata


class InvalidCommand(Rejected):
    """The command is wrong in every state."""


class NotFound(Rejected):
    """The command names a table, player, seat, reservation or account that is not there."""


class IllegalAction(Rejected):
    """The rules forbid the command now."""


class AmountOutOfRange(Rejected):
    """The action is legal, its size is not; `metadata` has `minimum` and `maximum`, in chips."""


class InsufficientFunds(Rejected):
    """The account holds less than is asked of it; `metadata` has `available`, in minor units."""
