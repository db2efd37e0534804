"""Disconnection protection: whose stake the house protects, and how it is asked for (R-AKP-22, R-PAC-27).

The table only asks. The player's account knows what is left of his quota and answers (`design.md` section 3); until
then the hand waits. A protected player is all-in for what he has in the pot, and keeps his stack.
"""

from __future__ import annotations

from engine.poker.betting import player_at
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table.draft import Draft
from engine.table.hand_events import PlayerProtected, ProtectionRequested
from engine.table.state import Hand, Table, hand_of, occupant_at


def has_protection(table: Table, hand: Hand, seat: Seat) -> bool:
    """Say whether the policy protects this player's stake in this hand (R-AKP-22, R-AKP-30, AMB-31, AMB-36).

    It is asked for once in a hand, whatever the answer.
    """
    rules, stakes = table.config.rulebook.protection, hand.setup.terms.stakes
    asked = (hand.lost.waiting | hand.lost.refused) >> seat & 1
    return (
        not asked
        and rules.disconnect_policy == "all_in"
        and stakes.limit_type in rules.limit_types
        and (table.config.kind == "cash" or rules.in_tournaments)
        and protected_stake(table, hand, seat) > 0
    )


def protected_stake(table: Table, hand: Hand, seat: Seat) -> Chips:
    """Return what of a player's contribution is worth a protection; a matched ante may count or not (AMB-31)."""
    contribution = player_at(hand.players, seat).contribution
    if table.config.rulebook.protection.ante_only_protected or hand.setup.terms.stakes.ante_type != "each":
        return contribution
    return contribution - hand.setup.terms.stakes.ante


def ask_for_protection(draft: Draft, seat: Seat) -> None:
    """Ask the account; an outage of the house costs no use and needs no question (AMB-33)."""
    table, hand = draft.table, hand_of(draft.table)
    occupant, rulebook = occupant_at(table, seat), table.config.rulebook
    if occupant.house_fault:
        draft.emit(PlayerProtected(seat, player_at(hand.players, seat).contribution, counted=False))
        return
    draft.emit(
        ProtectionRequested(
            seat,
            occupant.player,
            hand.setup.hand_id,
            occupant.outage_id,
            rulebook.id,
            rulebook.protection,
            table.config.prize_unit or table.config.unit,
        )
    )
