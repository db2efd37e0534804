"""What follows from an action without anybody deciding it: the rest of the turn order, streets, run-outs, the showdown.

`carry_on` is called after every event that may have ended a turn. It deals on until somebody has to decide something or
the hand has ended. Players who left, or are absent from a tournament table, are passed at once and with the reason.
"""

from __future__ import annotations

from typing import Literal

from engine.poker.betting import is_free, player_at
from engine.poker.dealing import board_places
from engine.poker.deck import ShownCard
from engine.poker.pots import uncalled_bet
from engine.poker.seats import Seat, at_most_one
from engine.table import settle
from engine.table.draft import Draft
from engine.table.hand_events import Cause, Checked, Folded, StreetDealt, UncalledBetReturned
from engine.table.protection import ask_for_protection, has_protection
from engine.table.state import Hand, Table, hand_of, occupant_at

STREET_NAMES: tuple[Literal["flop", "turn", "river"], ...] = ("flop", "turn", "river")
RIVER = 3


def carry_on(draft: Draft) -> None:
    """Go on until the hand waits for a decision, or has ended; a halted table stands still."""
    while True:
        hand = draft.table.hand
        if hand is None or hand.lost.waiting or hand.settlement.asked >= 0 or draft.table.desk.halted:
            return
        seat = hand.betting.to_act
        if seat < 0:
            _close_round(draft)
            continue
        cause = automatic_cause(draft.table, hand, seat)
        if not cause:
            return
        pass_turn(draft, hand, seat, cause)


def automatic_cause(table: Table, hand: Hand, seat: Seat) -> Cause:
    """Return why the dealer acts at once for the seat to act, or "" when its turn is to be waited for.

    Who has left folds on his turn (AMB-51, FAULT-112); who is absent from a tournament table is passed until he
    returns; who was refused a protection before his turn came, and is still away, is passed when it does.
    """
    occupant = occupant_at(table, seat)
    if occupant.leaving:
        return "left"
    if hand.lost.refused >> seat & 1 and not occupant.connected:
        return "quota_used_up"
    if table.config.kind == "cash":
        return ""
    if occupant.missed_turn == "disconnected":
        return "tournament_rule"
    return "timeout" if occupant.missed_turn else "sat_out" if occupant.sitting_out else ""


def pass_turn(draft: Draft, hand: Hand, seat: Seat, cause: Cause) -> None:
    """Check when that costs nothing, else fold; who has left always folds.

    One whose connection is lost in a tournament that protects is protected if he can be (`in_tournaments`).
    """
    free = is_free(hand.betting, player_at(hand.players, seat))
    if free and cause != "left":
        draft.emit(Checked(seat, cause))
    elif cause == "tournament_rule" and has_protection(draft.table, hand, seat):
        ask_for_protection(draft, seat)
    else:
        draft.emit(Folded(seat, cause))


def _close_round(draft: Draft) -> None:
    """End a betting round: on to the next street, or, when nobody can bet any more, to the end of the hand."""
    hand = hand_of(draft.table)
    live, active = hand.betting.live, hand.betting.active
    if hand.street < RIVER and not at_most_one(live) and not at_most_one(active):
        deal_street(draft)
        return
    contributions = tuple([player.contribution if player is not None else 0 for player in hand.players])
    seat, amount = uncalled_bet(contributions)
    if amount and live >> seat & 1:
        draft.emit(UncalledBetReturned(seat, amount))
    if at_most_one(live):
        settle.win_uncontested(draft)
        return
    settle.close_betting(draft)
    while hand_of(draft.table).street < RIVER:
        deal_street(draft)
    settle.show_down(draft)


def deal_street(draft: Draft) -> None:
    """Deal flop, turn or river, each card with its proof."""
    hand = hand_of(draft.table)
    places = board_places(len(hand.setup.seats), draft.table.config.rulebook.deal.burn)
    indexes: tuple[int, ...] = (places.turn,) if hand.street == 1 else (places.river,) if hand.street else places.flop
    deck = draft.deck
    cards: tuple[ShownCard, ...] = tuple([deck.shown(index) for index in indexes])
    draft.emit(StreetDealt(STREET_NAMES[hand.street], cards))
