"""Whose turn it is, and why a command about a turn is refused.

An action names its hand and its turn, so what arrives late, twice or from the wrong player can never take effect
(T-IDEM-7). A refusal says what is open now.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.errors import IllegalAction, NotFound, Reason
from engine.poker.seats import Seat
from engine.table import commands
from engine.table.draft import Draft
from engine.table.state import Hand, Table, occupant_at, seat_of, turn_seat

TurnCommand: TypeAlias = (
    commands.Fold
    | commands.Check
    | commands.Call
    | commands.Raise
    | commands.Show
    | commands.Muck
    | commands.UseTimeBank
)


def to_act(draft: Draft, command: TurnCommand) -> tuple[Hand, Seat]:
    """Return the hand and the seat of the player who gave the command and is to act.

    Raises:
        NotFound: The player does not sit here.
        IllegalAction: It is not his turn, or not the turn that he means.
    """
    table = draft.table
    hand = table.hand
    if hand is not None:
        seat = hand.betting.to_act
        occupant = table.seats[seat]
        if (
            seat >= 0
            and occupant is not None
            and occupant.player == command.player
            and hand.turn.number == command.turn
            and hand.setup.hand_id == command.hand_id
            and not hand.lost.waiting
            and not table.desk.halted
        ):
            return hand, seat
    raise refusal(table, command)


def to_show(draft: Draft, command: commands.Show | commands.Muck) -> tuple[Hand, Seat]:
    """Return the hand and the seat of the player who gave the command and is asked to show or muck.

    Raises:
        NotFound: The player does not sit here.
        IllegalAction: He is not asked.
    """
    hand = draft.table.hand
    if hand is not None and hand.settlement.asked >= 0 and not draft.table.desk.halted:
        seat = hand.settlement.asked
        same_turn = hand.turn.number == command.turn and hand.setup.hand_id == command.hand_id
        if same_turn and occupant_at(draft.table, seat).player == command.player:
            return hand, seat
    raise refusal(draft.table, command)


def refusal(table: Table, command: TurnCommand) -> IllegalAction | NotFound:
    """Return why a player's command about a turn is refused: existence, then the turn, then whose it is."""
    hand = table.hand
    if seat_of(table, command.player) < 0:
        return NotFound(Reason.PLAYER_NOT_SEATED, "the player does not sit at this table")
    if table.desk.halted:
        return IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    if hand is None:
        return IllegalAction(Reason.HAND_NOT_IN_PROGRESS, "no hand is in progress")
    if hand.setup.hand_id != command.hand_id or hand.turn.number != command.turn:
        return stale_turn(hand)
    if hand.lost.waiting:
        return IllegalAction(Reason.PROTECTION_PENDING, "the hand waits for an answer about a protection")
    return IllegalAction(Reason.NOT_YOUR_TURN, "that is not the player's to decide now", seat_to_act=turn_seat(hand))


def stale_turn(hand: Hand) -> IllegalAction:
    """Return the refusal of a command about a turn that is over, with the turn that is open."""
    return IllegalAction(Reason.STALE_TURN, "that turn is over", hand_id=hand.setup.hand_id, turn=hand.turn.number)
