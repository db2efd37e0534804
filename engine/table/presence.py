"""Coming and going at a table: sitting out and in, paying or waiting for the blind, preferences, leaving.

Nothing here has an effect in the middle of a hand: who is in one plays it to its end, or folds when his turn comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from engine.errors import IllegalAction, NotFound, Reason
from engine.poker.seats import Seat
from engine.table import commands
from engine.table.after_hand import leave
from engine.table.draft import Draft
from engine.table.flow import carry_on
from engine.table.seat_events import (
    EntryPlan,
    EntryPlanned,
    LeaveCause,
    LeaveRequested,
    PlayerSatIn,
    PlayerSatOut,
    PreferencesSet,
    SitOutPlanned,
)
from engine.table.state import Occupant, Table, occupant_at, seat_of

SIT_OUT_PLANS: dict[str, Literal["", "next_hand", "next_big_blind"]] = {
    "now": "next_hand",
    "next_hand": "next_hand",
    "next_big_blind": "next_big_blind",
    "never": "",
}


NEVER_MS = 1 << 62
"""A time that does not come."""


def seated(table: Table, player: str) -> tuple[Seat, Occupant]:
    """Return the player's seat and what the table knows of him.

    Raises:
        NotFound: He does not sit here.
    """
    seat = seat_of(table, player)
    if seat < 0:
        raise NotFound(Reason.PLAYER_NOT_SEATED, "the player does not sit at this table")
    return seat, occupant_at(table, seat)


def in_hand(table: Table, seat: Seat) -> bool:
    """Say whether the seat was dealt in to the hand in progress."""
    return table.hand is not None and table.hand.players[seat] is not None


def _sit_out(draft: Draft, command: commands.SitOut) -> None:
    """Sit out now, after this hand, or when the big blind comes (O-5).

    In a cash hand "now" means after it, and so does the next big blind at a table without blinds. A tournament player
    is absent at once and dealt in all the same (O-40).
    """
    seat, occupant = seated(draft.table, command.player)
    # From here on the command succeeds.
    if occupant.sitting_out:
        return
    plan = SIT_OUT_PLANS[command.at]
    if plan == "next_big_blind" and not draft.table.terms.stakes.big_blind:
        plan = "next_hand"
    if plan and draft.table.config.kind == "tournament":
        draft.emit(PlayerSatOut(seat, "player"))
        carry_on(draft)
    elif plan == "next_hand" and not in_hand(draft.table, seat):
        draft.emit(PlayerSatOut(seat, "player"))
    elif occupant.sits_out_at != plan:
        draft.emit(SitOutPlanned(seat, plan))


def _sit_in(draft: Draft, command: commands.SitIn) -> None:
    """Come back to the game, or to one's turn in a tournament.

    Raises:
        IllegalAction: No chips, or the button has not passed yet since he missed the big blind (R-AKP-15).
    """
    table = draft.table
    seat, occupant = seated(table, command.player)
    if not (occupant.sitting_out or occupant.missed_turn or occupant.sits_out_at):
        return
    if occupant.stack == 0:
        raise IllegalAction(Reason.NO_CHIPS, "the player has no chips")
    _verify_plan(table, occupant, command.plan)
    if occupant.sitting_out and is_blocked(table, occupant):
        raise IllegalAction(Reason.RETURN_BLOCKED, "small blind and button must pass first")
    # From here on the command succeeds.
    draft.emit(PlayerSatIn(seat, command.plan))


def is_blocked(table: Table, occupant: Occupant) -> bool:
    """Say whether a player who missed the big blind must let the button pass (AMB-15).

    The block is waived when without him fewer would play than a hand needs (`rulebooks.md` section 4).
    """
    rules = table.config.rulebook
    if rules.blinds.return_block == "none" or not occupant.missed_big or occupant.button_passed:
        return False
    others = [other for other in table.seats if other is not None and not (other.sitting_out or other.leaving)]
    return len(others) >= rules.table.seats_min


def _plan_entry(draft: Draft, command: commands.PlanEntry) -> None:
    """Choose between posting at once and waiting for the big blind (R-PAC-5, R-PAC-6, R-PLA-15)."""
    seat, occupant = seated(draft.table, command.player)
    _verify_plan(draft.table, occupant, command.plan)
    # From here on the command succeeds.
    if occupant.plan != command.plan:
        draft.emit(EntryPlanned(seat, command.plan))


def _verify_plan(table: Table, occupant: Occupant, plan: EntryPlan) -> None:
    wait_only = table.config.rulebook.blinds.entry_post == "wait_only"
    if plan == "post" and occupant.newcomer and wait_only:
        raise IllegalAction(Reason.POST_NOT_ALLOWED, "newcomers wait for the big blind here")


def _set_preferences(draft: Draft, command: commands.SetPreferences) -> None:
    seat, occupant = seated(draft.table, command.player)
    # From here on the command succeeds.
    if (occupant.auto_muck, occupant.ask_to_show) != (command.auto_muck, command.ask_to_show):
        draft.emit(PreferencesSet(seat, command.auto_muck, command.ask_to_show))


def _leave(draft: Draft, command: commands.Leave) -> None:
    """Leave with all chips; in a hand: fold when the turn comes, and go when it ends (R-AKP-21, AMB-51)."""
    seat, _ = seated(draft.table, command.player)
    if draft.table.config.kind == "tournament":
        raise IllegalAction(Reason.LEAVE_NOT_ALLOWED, "nobody takes chips out of a tournament")
    # From here on the command succeeds.
    _go(draft, seat, "player")


def _remove(draft: Draft, command: commands.RemovePlayer) -> None:
    """Take a player off the table: he sat out too long (O-4), his tournament moves him, or an operator says so."""
    table = draft.table
    seat, occupant = seated(table, command.player)
    if command.cause == "sat_out_too_long" and draft.at_ms < sat_out_ends_at_ms(table, occupant):
        raise IllegalAction(Reason.SIT_OUT_NOT_OVER, "the player may sit out longer")
    if command.cause == "moved" and in_hand(table, seat):
        raise IllegalAction(Reason.HAND_IN_PROGRESS, "players are moved between hands")
    # From here on the command succeeds.
    _go(draft, seat, command.cause)


def sat_out_ends_at_ms(table: Table, occupant: Occupant) -> int:
    """Return when a cash player who sits out loses his seat, in milliseconds on the log; never in a tournament."""
    limit_s, since_ms = table.config.rulebook.table.sit_out_max_s, occupant.sat_out_at_ms
    if not occupant.sitting_out or since_ms is None or limit_s == 0 or table.config.kind == "tournament":
        return NEVER_MS
    return since_ms + 1000 * limit_s


def _go(draft: Draft, seat: Seat, cause: LeaveCause) -> None:
    if not in_hand(draft.table, seat):
        leave(draft, seat, cause)
    elif not occupant_at(draft.table, seat).leaving:
        draft.emit(LeaveRequested(seat, cause))
        carry_on(draft)


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.SitOut: _sit_out,
    commands.SitIn: _sit_in,
    commands.PlanEntry: _plan_entry,
    commands.SetPreferences: _set_preferences,
    commands.Leave: _leave,
    commands.RemovePlayer: _remove,
}
