"""Time on a table: when a turn ends, what its end means, lost connections, protections.

The engine reads no clock. A turn ends at a time that follows from the state (`turn_ends_at_ms`): the time to act, then
the grace of a player whose connection is lost, then his time bank. The dealer's timer only submits `TimeOut`; it is
refused when early, and until it is on the log the player may act. What the end of a turn does:

    asked to show or muck        shown at a showdown, hidden when uncontested
    a check costs nothing        Checked, or Folded where the house says so (`timeout_free_action`)
    facing a bet, connected      Folded (timeout)
    facing a bet, lost           PlayerProtected by way of the account, if the policy has it and a stake is in the pot;
                                 else Folded (disconnected; in tournaments: tournament rule)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalAction, Reason
from engine.poker.betting import is_free, player_at
from engine.poker.seats import Seat
from engine.shape import verify_text
from engine.table import commands, settle
from engine.table.draft import Draft
from engine.table.evolve_seats import restarted, with_occupant
from engine.table.flow import carry_on, pass_turn
from engine.table.hand_events import (
    Cause,
    Checked,
    ConnectionLost,
    ConnectionRestored,
    Folded,
    PlayerProtected,
    ProtectionRefused,
    TimeBankStarted,
    TimeBankUsed,
    TurnClockRestarted,
)
from engine.table.presence import seated
from engine.table.protection import ask_for_protection, has_protection
from engine.table.state import Hand, Occupant, Table, hand_of, occupant_at, seat_of, turn_seat
from engine.table.turns import stale_turn, to_act


def turn_ends_at_ms(table: Table) -> int | None:
    """Return when the open turn ends, in milliseconds on the log; None without one, or while the clock stands still."""
    hand, desk = table.hand, table.desk
    if hand is None or desk.paused_at_ms is not None or desk.halted:
        return None
    seat = turn_seat(hand)
    if seat < 0:
        return None
    if hand.betting.to_act < 0:
        return hand.turn.began_ms + 1000 * table.config.rulebook.clock.show_seconds
    return bank_begins_at_ms(table, hand, seat) + bank_for_turn_ms(table, hand, seat)


def bank_begins_at_ms(table: Table, hand: Hand, seat: Seat) -> int:
    """Return when the time to act, and the grace of a lost player, are over (O-1, O-3)."""
    ends_at_ms = hand.turn.began_ms + hand.setup.terms.act_ms
    if not occupant_at(table, seat).connected:
        ends_at_ms += 1000 * grace_seconds(table, hand)
    return max(ends_at_ms, hand.turn.floor_ms)


def grace_seconds(table: Table, hand: Hand) -> int:
    """Return the extra wait for a lost player: the last entry whose `pot_bb` big blinds the pot has reached."""
    seconds = 0
    for grace in table.config.rulebook.clock.reconnect_grace:
        if hand.pot >= grace.pot_bb * hand.setup.terms.stakes.min_bet:
            seconds = grace.seconds
    return seconds


def bank_for_turn_ms(table: Table, hand: Hand, seat: Seat) -> int:
    """Return how much time bank this turn may use: all of it, or nothing (O-2, R-MOD-9)."""
    clock, occupant = table.config.rulebook.clock, occupant_at(table, seat)
    if not (occupant.connected or clock.time_bank_when_disconnected):
        return 0
    invested = player_at(hand.players, seat).contribution > 0
    automatic = clock.time_bank_auto == "always" or (clock.time_bank_auto == "if_invested" and invested)
    return occupant.bank_ms if automatic or hand.turn.bank_started else 0


def spend_time_bank(draft: Draft, hand: Hand, seat: Seat) -> None:
    """Record how much of the time bank the turn that ends now has used."""
    table = draft.table
    if draft.at_ms - hand.turn.began_ms <= hand.setup.terms.act_ms:
        return
    over_ms = _now_ms(table, draft.at_ms) - bank_begins_at_ms(table, hand, seat)
    used_ms = min(over_ms, bank_for_turn_ms(table, hand, seat))
    if used_ms > 0:
        draft.emit(TimeBankUsed(seat, used_ms))


def _now_ms(table: Table, at_ms: int) -> int:
    """Return the time as the turn's clock counts it: it stands still in a pause."""
    paused_at_ms = table.desk.paused_at_ms
    return at_ms if paused_at_ms is None else paused_at_ms


def _time_out(draft: Draft, command: commands.TimeOut) -> None:
    table = draft.table
    hand = open_hand(table, command.hand_id)
    if hand.turn.number != command.turn or turn_seat(hand) < 0:
        raise stale_turn(hand)
    ends_at_ms = turn_ends_at_ms(table)
    if table.desk.halted:
        raise IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    if ends_at_ms is None:
        raise IllegalAction(Reason.CLOCK_PAUSED, "the clock is paused")
    if draft.at_ms < ends_at_ms:
        raise IllegalAction(Reason.TURN_NOT_OVER, "the turn is not over yet", ends_at_ms=ends_at_ms)
    # From here on the command succeeds.
    if hand.betting.to_act < 0:
        settle.stop_asking(draft)
    else:
        spend_time_bank(draft, hand, hand.betting.to_act)
        _miss_turn(draft, hand, hand.betting.to_act)
        carry_on(draft)


def _miss_turn(draft: Draft, hand: Hand, seat: Seat) -> None:
    """Act for a player whose time is over (FAULT-122, `rulebooks.md` section 4)."""
    table = draft.table
    occupant = occupant_at(table, seat)
    cause = _cause_of_missing(table, occupant)
    rules = table.config.rulebook
    free = is_free(hand.betting, player_at(hand.players, seat))
    if free and rules.clock.timeout_free_action == "check":
        draft.emit(Checked(seat, "timeout" if occupant.connected else "disconnected"))
    elif not free and not occupant.connected and has_protection(table, hand, seat):
        ask_for_protection(draft, seat)
    else:
        draft.emit(Folded(seat, cause))


def _cause_of_missing(table: Table, occupant: Occupant) -> Cause:
    if occupant.connected:
        return "timeout"
    return "tournament_rule" if table.config.kind == "tournament" else "disconnected"


def _protection_asked_of(draft: Draft, command: commands.GrantProtection | commands.RefuseProtection) -> Seat:
    hand = open_hand(draft.table, command.hand_id)
    seat = seat_of(draft.table, command.player)
    if seat < 0 or not hand.lost.waiting >> seat & 1:
        raise IllegalAction(Reason.PROTECTION_NOT_ASKED, "no protection was asked for this player")
    return seat


def _grant_protection(draft: Draft, command: commands.GrantProtection) -> None:
    seat = _protection_asked_of(draft, command)
    # From here on the command succeeds.
    contribution = player_at(hand_of(draft.table).players, seat).contribution
    draft.emit(PlayerProtected(seat, contribution, command.counted))
    carry_on(draft)


def _refuse_protection(draft: Draft, command: commands.RefuseProtection) -> None:
    """Fold the player whose turn is over and who has no use left (R-PAC-29).

    Where the question was asked at once, who is back plays on, and who is still away is passed when his turn comes.
    """
    seat = _protection_asked_of(draft, command)
    # From here on the command succeeds.
    draft.emit(ProtectionRefused(seat))
    hand = hand_of(draft.table)
    at_once = draft.table.config.rulebook.protection.trigger == "at_once"
    if hand.betting.to_act == seat and not at_once:
        pass_turn(draft, hand, seat, "quota_used_up")
    carry_on(draft)


def _lose_connection(draft: Draft, command: commands.LoseConnection) -> None:
    verify_text("outage_id", command.outage_id)
    seat, occupant = seated(draft.table, command.player)
    # From here on the command succeeds.
    if not occupant.connected:
        return
    draft.emit(ConnectionLost(seat, command.player, command.outage_id, command.house_fault))
    hand, rules = draft.table.hand, draft.table.config.rulebook.protection
    if hand is not None and rules.trigger == "at_once" and _bites_at_once(draft.table, hand, seat):
        ask_for_protection(draft, seat)
        carry_on(draft)


def _bites_at_once(table: Table, hand: Hand, seat: Seat) -> bool:
    """Say whether a lost connection freezes the player's stake before his turn (`trigger = at_once`, AMB-30).

    Nothing is asked while a check costs him nothing (AMB-34), or while the table stands still.
    """
    betting = hand.betting
    if betting.to_act < 0 or table.desk.halted or not betting.active >> seat & 1:
        return False
    free = betting.to_act == seat and is_free(betting, player_at(hand.players, seat))
    return not free and has_protection(table, hand, seat)


def _restore_connection(draft: Draft, command: commands.RestoreConnection) -> None:
    seat, occupant = seated(draft.table, command.player)
    # From here on the command succeeds.
    if not occupant.connected:
        draft.emit(ConnectionRestored(seat, command.player, _floor_on_return_ms(draft.table, seat, draft.at_ms)))


def _floor_on_return_ms(table: Table, seat: Seat, at_ms: int) -> int:
    """Return what gives one who comes back on his turn at least `min_seconds_after_reconnect`, bank included.

    Only once a turn, so that nobody can hold the table up by coming and going.
    """
    hand = table.hand
    if hand is None or hand.betting.to_act != seat or hand.turn.floor_ms:
        return 0
    back = with_occupant(table, seat, connected=True)
    bank_ms = bank_for_turn_ms(back, hand, seat)
    floor_ms = _now_ms(table, at_ms) + 1000 * table.config.rulebook.clock.min_seconds_after_reconnect - bank_ms
    return floor_ms if floor_ms > bank_begins_at_ms(back, hand, seat) else 0


def _use_time_bank(draft: Draft, command: commands.UseTimeBank) -> None:
    hand, seat = to_act(draft, command)
    if not occupant_at(draft.table, seat).bank_ms:
        raise IllegalAction(Reason.TIME_BANK_EMPTY, "no time bank is left")
    # From here on the command succeeds.
    if not hand.turn.bank_started:
        draft.emit(TimeBankStarted(seat, hand.turn.number))


def _restart_turn_clock(draft: Draft, command: commands.RestartTurnClock) -> None:
    """Give the open turn its full time again, so that nobody pays for our outage (`design.md` section 8)."""
    table = draft.table
    hand = open_hand(table, command.hand_id)
    if hand.turn.number != command.turn or turn_seat(hand) < 0:
        raise stale_turn(hand)
    # From here on the command succeeds.
    ends_at_ms = turn_ends_at_ms(restarted(table, draft.at_ms))
    draft.emit(TurnClockRestarted(hand.turn.number, ends_at_ms or 0))


def open_hand(table: Table, hand_id: str) -> Hand:
    """Return the hand in progress if it is the one meant.

    Raises:
        IllegalAction: No hand is in progress, or another one.
    """
    hand = table.hand
    if hand is None:
        raise IllegalAction(Reason.HAND_NOT_IN_PROGRESS, "no hand is in progress")
    if hand.setup.hand_id != hand_id:
        raise stale_turn(hand)
    return hand


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.TimeOut: _time_out,
    commands.GrantProtection: _grant_protection,
    commands.RefuseProtection: _refuse_protection,
    commands.LoseConnection: _lose_connection,
    commands.RestoreConnection: _restore_connection,
    commands.UseTimeBank: _use_time_bank,
    commands.RestartTurnClock: _restart_turn_clock,
}
