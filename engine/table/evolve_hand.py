"""What the events of a hand do to the state. See `evolve.py`.

Chips move in four steps only: out of a stack into the pot (posts, calls, bets), out of the pot back to a bettor
(uncalled bet), out of the pot to the table's rake, and out of the pot to the winners.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.poker import betting as rounds
from engine.poker.betting import NOT_ACTED, Player, Players, Round, player_at
from engine.poker.button import Positions, button_passed
from engine.poker.money import Chips
from engine.poker.seats import MEMBERS, SEATS_MAX, Seat, seat_set
from engine.table import hand_events as events
from engine.table.evolve_seats import with_desk, with_occupant
from engine.table.state import (
    Hand,
    HandSetup,
    Lost,
    MissedTurn,
    Occupant,
    Settlement,
    Street,
    Table,
    Turn,
    hand_of,
    occupant_at,
)

replace = msgspec.structs.replace

STREETS: dict[str, Street] = {"flop": 1, "turn": 2, "river": 3}
LOST_CAUSES = ("disconnected", "quota_used_up", "tournament_rule")
OTHER_CAUSES = ("sat_out", "left")
NO_ROUND = Round(0, 0, 0, 0, 0, 0, 0, 0, -1, -1)
NOBODY_LOST = Lost()
NOTHING_SETTLED = Settlement()


def put(players: Players, seat: Seat, player: Player) -> Players:
    """Return the players with one of them changed."""
    changed = list(players)
    changed[seat] = player
    return tuple(changed)


# The beginning.


def _button_drawn(table: Table, event: events.ButtonDrawn, _at_ms: int) -> Table:
    return with_desk(table, button_drawn=event.button)


def _hand_started(table: Table, event: events.HandStarted, at_ms: int) -> Table:
    nobody = (None,) * table.config.seats
    players: list[Player | None] = list(nobody)
    seats = list(table.seats)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        players[seat] = Player(stack, 0, 0, NOT_ACTED)
        occupant = seats[seat]
        assert occupant is not None, f"nobody sits in seat {seat}"
        if _owed_or_was_away(occupant):
            seats[seat] = replace(
                occupant,
                newcomer=False,
                missed_big=False,
                missed_small=False,
                button_passed=False,
                sat_out_at_ms=occupant.sat_out_at_ms if occupant.sitting_out else None,
            )
    setup = _setup_of(table, event)
    hand = Hand(setup, tuple(players), nobody, 0, (), 0, 0, 0, NO_ROUND, Turn(0, at_ms), NOBODY_LOST, NOTHING_SETTLED)
    since_sweep = table.desk.hands_since_sweep + 1
    desk = replace(table.desk, hands_started=event.number, hands_since_sweep=since_sweep)
    return replace(table, desk=desk, seats=tuple(seats), hand=hand)


def _owed_or_was_away(occupant: Occupant) -> bool:
    """Say whether being dealt in ends something: what he owed is paid, or he owes it no more, and he is back."""
    return bool(occupant.newcomer or occupant.missed_big or occupant.missed_small or occupant.sat_out_at_ms is not None)


def _setup_of(table: Table, event: events.HandStarted) -> HandSetup:
    opens_after = event.button
    if table.config.rulebook.betting.postflop_first == "small_blind_poster" and event.small_blind >= 0:
        opens_after = (event.small_blind - 1) % SEATS_MAX
    return HandSetup(
        event.hand_id,
        event.number,
        table.terms,
        event.button,
        event.small_blind,
        event.big_blind,
        event.seats,
        event.stacks,
        seat_set(event.seats),
        opens_after,
        event.deck_root,
        table.seats,
        table.positions,
    )


def _button_moved(table: Table, event: events.ButtonMoved, _at_ms: int) -> Table:
    positions = Positions(event.button, event.small_blind, event.small_posts, event.big_blind)
    seats = list(table.seats)
    for seat in MEMBERS[button_passed(table.positions, positions)]:
        occupant = seats[seat] if seat < len(seats) else None
        if occupant is not None and occupant.missed_big:
            seats[seat] = replace(occupant, button_passed=True)
    return replace(table, seats=tuple(seats), positions=positions)


def _blind_missed(table: Table, event: events.BlindMissed, _at_ms: int) -> Table:
    if event.blind == "small":
        return with_occupant(table, event.seat, missed_small=True)
    return with_occupant(table, event.seat, missed_big=True, button_passed=False)


def _ante_posted(table: Table, event: events.AntePosted, _at_ms: int) -> Table:
    hand = hand_of(table)
    old = player_at(hand.players, event.seat)
    contribution = old.contribution if event.dead else old.contribution + event.amount
    players = put(hand.players, event.seat, Player(old.stack - event.amount, old.bet, contribution, NOT_ACTED))
    dead = hand.dead + event.amount if event.dead else hand.dead
    return replace(table, hand=replace(hand, players=players, pot=hand.pot + event.amount, dead=dead))


def _blind_posted(table: Table, event: events.BlindPosted, _at_ms: int) -> Table:
    hand = hand_of(table)
    players = _paid(hand.players, event.seat, event.amount, NOT_ACTED)
    return replace(table, hand=replace(hand, players=players, pot=hand.pot + event.amount))


def _dead_blind_posted(table: Table, event: events.DeadBlindPosted, _at_ms: int) -> Table:
    hand, amount = hand_of(table), event.amount
    old = player_at(hand.players, event.seat)
    players = put(hand.players, event.seat, replace(old, stack=old.stack - amount))
    return replace(table, hand=replace(hand, players=players, pot=hand.pot + amount, dead=hand.dead + amount))


def _paid(players: Players, seat: Seat, amount: Chips, answered: Chips) -> Players:
    """Return the players after one of them has put `amount` in on this street."""
    old = player_at(players, seat)
    assert 0 <= amount <= old.stack, "nobody puts in more than he has"
    return put(players, seat, Player(old.stack - amount, old.bet + amount, old.contribution + amount, answered))


def _hole_cards_dealt(table: Table, event: events.HoleCardsDealt, at_ms: int) -> Table:
    hand = hand_of(table)
    setup = hand.setup
    places: list[tuple[int, int] | None] = [None] * table.config.seats
    for seat, pair in zip(event.seats, event.places, strict=True):
        places[seat] = pair
    blinds = setup.big_blind >= 0
    betting = rounds.open_hand(
        setup.terms.limits,
        hand.players,
        setup.dealt,
        setup.terms.stakes.big_blind if blinds else 0,
        setup.big_blind if blinds else setup.button,
    )
    short_blinds = _short_blinds(table, hand) if blinds else 0
    return replace(
        table,
        hand=replace(hand, places=tuple(places), short_blinds=short_blinds, betting=betting, turn=Turn(1, at_ms)),
    )


def _short_blinds(table: Table, hand: Hand) -> Chips:
    """Return how much less than their size the two blinds are."""
    stakes, positions = hand.setup.terms.stakes, table.positions
    assert positions is not None, "blinds have places"
    short = stakes.big_blind - player_at(hand.players, positions.big_blind).bet
    if positions.small_posts:
        short += stakes.small_blind - player_at(hand.players, positions.small_blind).bet
    return short


def _street_dealt(table: Table, event: events.StreetDealt, at_ms: int) -> Table:
    hand = hand_of(table)
    board = hand.board + tuple([shown.card for shown in event.cards])
    street, before = STREETS[event.street], hand.betting
    if before.current_bet == 0 and before.active & (before.active - 1) == 0:  # The run-out: only the board grows.
        return replace(table, hand=replace(hand, street=street, board=board))
    players = tuple([Player(p.stack, 0, p.contribution, NOT_ACTED) if p is not None else None for p in hand.players])
    whole_hand = table.config.rulebook.showdown.showdown_scope == "whole_hand"
    betting = rounds.open_street(
        hand.setup.terms.limits, before, players, hand.setup.opens_after, keep_aggressor=whole_hand
    )
    turn = Turn(hand.turn.number + 1, at_ms) if betting.to_act >= 0 else hand.turn
    return replace(table, hand=replace(hand, players=players, street=street, board=board, betting=betting, turn=turn))


# Actions.


def acted(  # noqa: PLR0913 - one argument for each fact of an action.
    table: Table, players: Players, betting: Round, *, seat: Seat, paid: Chips, cause: events.Cause, at_ms: int
) -> Table:
    """Return the table after an action: the chips are in the pot and the next player's clock runs.

    Who let his turn run out is missing until he acts or comes back (`rulebooks.md` section 4).
    """
    hand, occupant = hand_of(table), occupant_at(table, seat)
    turn = Turn(hand.turn.number + 1, at_ms) if betting.to_act >= 0 else hand.turn
    hand = replace(hand, players=players, pot=hand.pot + paid, betting=betting, turn=turn)
    if cause or occupant.missed_turn:
        table = with_occupant(table, seat, missed_turn=_missed_turn(occupant, cause))
    return replace(table, hand=hand)


def _missed_turn(occupant: Occupant, cause: events.Cause) -> MissedTurn:
    """Return whether a player is missing after a turn; not if he is back since his connection was lost (G-AKP-D9)."""
    if cause in OTHER_CAUSES or (cause in LOST_CAUSES and occupant.connected):
        return occupant.missed_turn
    if cause in LOST_CAUSES:
        return "disconnected"
    return "timeout" if cause else ""


def _folded(table: Table, event: events.Folded, at_ms: int) -> Table:
    hand = hand_of(table)
    seat, cause = event.seat, event.cause
    betting = rounds.after_fold(hand.betting, hand.players, seat)
    return acted(table, hand.players, betting, seat=seat, paid=0, cause=cause, at_ms=at_ms)


def _checked(table: Table, event: events.Checked, at_ms: int) -> Table:
    hand = hand_of(table)
    seat, cause = event.seat, event.cause
    players = _paid(hand.players, seat, 0, hand.betting.level)
    betting = rounds.after_check_or_call(hand.betting, players, seat)
    return acted(table, players, betting, seat=seat, paid=0, cause=cause, at_ms=at_ms)


def _called(table: Table, event: events.Called, at_ms: int) -> Table:
    hand = hand_of(table)
    seat, amount = event.seat, event.amount
    players = _paid(hand.players, seat, amount, hand.betting.level)
    betting = rounds.after_check_or_call(hand.betting, players, seat)
    return acted(table, players, betting, seat=seat, paid=amount, cause="", at_ms=at_ms)


def _raised(table: Table, event: events.Bet | events.Raised, at_ms: int) -> Table:
    hand = hand_of(table)
    seat, amount, raise_to = event.seat, event.amount, event.raise_to
    old = player_at(hand.players, seat)
    assert amount <= old.stack, "nobody puts in more than he has"
    assert old.bet + amount == raise_to, "the amount leads to the bet"
    limits, all_in = hand.setup.terms.limits, amount == old.stack
    betting = rounds.after_raise(limits, hand.betting, seat, raise_to, hand.street, full=event.full, all_in=all_in)
    player = Player(old.stack - amount, raise_to, old.contribution + amount, betting.level)
    players = put(hand.players, seat, player)
    return acted(table, players, betting, seat=seat, paid=amount, cause="", at_ms=at_ms)


def _went_all_in(table: Table, _event: events.WentAllIn, _at_ms: int) -> Table:
    return table


HAND_EVENTS: dict[type, Callable[[Table, Any, int], Table]] = {
    events.ButtonDrawn: _button_drawn,
    events.HandStarted: _hand_started,
    events.ButtonMoved: _button_moved,
    events.BlindMissed: _blind_missed,
    events.AntePosted: _ante_posted,
    events.BlindPosted: _blind_posted,
    events.DeadBlindPosted: _dead_blind_posted,
    events.HoleCardsDealt: _hole_cards_dealt,
    events.StreetDealt: _street_dealt,
    events.Folded: _folded,
    events.Checked: _checked,
    events.Called: _called,
    events.Bet: _raised,
    events.Raised: _raised,
    events.WentAllIn: _went_all_in,
}
"""One function per event type; `evolve` looks its event up here."""
