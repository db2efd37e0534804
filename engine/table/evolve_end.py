"""What the end of a hand does to the state: pots, rake, shows, awards. See `evolve.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from engine.poker.betting import player_at
from engine.poker.pots import Pot
from engine.poker.seats import seat_set
from engine.table import hand_events as events
from engine.table.evolve_hand import put
from engine.table.evolve_seats import with_desk
from engine.table.state import Occupant, Table, Turn, hand_of, occupant_at

replace = msgspec.structs.replace
HOLE_CARDS = 2


def _uncalled_bet_returned(table: Table, event: events.UncalledBetReturned, _at_ms: int) -> Table:
    hand, amount = hand_of(table), event.amount
    old = player_at(hand.players, event.seat)
    bet = max(0, old.bet - amount)
    player = replace(old, stack=old.stack + amount, bet=bet, contribution=old.contribution - amount)
    return replace(table, hand=replace(hand, players=put(hand.players, event.seat, player), pot=hand.pot - amount))


def _pot_split(table: Table, event: events.PotSplit, _at_ms: int) -> Table:
    hand = hand_of(table)
    pots = (*hand.settlement.pots, Pot(event.amount, seat_set(event.seats)))
    return replace(table, hand=replace(hand, settlement=replace(hand.settlement, pots=pots)))


def _rake_taken(table: Table, event: events.RakeTaken, _at_ms: int) -> Table:
    hand, total = hand_of(table), sum(event.amounts)
    settlement = replace(hand.settlement, rake=event.amounts)
    desk = replace(table.desk, rake_held=table.desk.rake_held + total)
    return replace(table, desk=desk, hand=replace(hand, pot=hand.pot - total, settlement=settlement))


def _show_offered(table: Table, event: events.ShowOffered, at_ms: int) -> Table:
    hand = hand_of(table)
    settlement = replace(hand.settlement, asked=event.seat)
    return replace(table, hand=replace(hand, settlement=settlement, turn=Turn(hand.turn.number + 1, at_ms)))


def _hand_shown(table: Table, event: events.HandShown, _at_ms: int) -> Table:
    hand, bit = hand_of(table), 1 << event.seat
    before = hand.settlement
    shown = before.shown | bit if len(event.cards) == HOLE_CARDS else before.shown
    settlement = replace(before, shown=shown, decided=before.decided | bit, asked=-1)
    return replace(table, hand=replace(hand, settlement=settlement))


def _hand_mucked(table: Table, event: events.HandMucked, _at_ms: int) -> Table:
    hand = hand_of(table)
    settlement = replace(hand.settlement, decided=hand.settlement.decided | 1 << event.seat, asked=-1)
    return replace(table, hand=replace(hand, settlement=settlement))


def _pot_awarded(table: Table, event: events.PotAwarded, _at_ms: int) -> Table:
    hand = hand_of(table)
    players = list(hand.players)
    for seat, amount in zip(event.seats, event.amounts, strict=True):
        old = player_at(hand.players, seat)
        players[seat] = replace(old, stack=old.stack + amount)
    paid = seat_set([seat for seat, amount in zip(event.seats, event.amounts, strict=True) if amount])
    settlement = replace(hand.settlement, winners=(*hand.settlement.winners, (event.pot, paid)))
    pot = hand.pot - sum(event.amounts)
    return replace(table, hand=replace(hand, players=tuple(players), pot=pot, settlement=settlement))


def _hand_ended(table: Table, event: events.HandEnded, _at_ms: int) -> Table:
    clock = table.config.rulebook.clock
    every, cap_ms, added_ms = clock.time_bank_every_hands, 1000 * clock.time_bank_cap_s, 1000 * clock.time_bank_add_s
    assert hand_of(table).pot == 0, "the pot is empty when a hand has ended"
    seats = list(table.seats)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        occupant = seats[seat]
        assert occupant is not None, f"nobody sits in seat {seat}"
        hands_dealt, bank_ms = occupant.hands_dealt + 1, occupant.bank_ms
        if every and hands_dealt % every == 0:
            bank_ms = min(cap_ms, bank_ms + added_ms)
        seats[seat] = replace(occupant, stack=stack, hands_dealt=hands_dealt, bank_ms=bank_ms)
    return replace(table, seats=tuple(seats), hand=None)


def _hand_voided(table: Table, event: events.HandVoided, _at_ms: int) -> Table:
    hand = hand_of(table)
    seats = list(table.seats)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        seats[seat] = replace(occupant_at(table, seat), stack=stack)
    before = hand.setup.seats_before
    table = replace(
        table,
        hand=None,
        positions=hand.setup.positions_before,
        seats=tuple(_as_before(now, was) for now, was in zip(seats, before, strict=True)),
    )
    return with_desk(table, rake_held=table.desk.rake_held - event.rake)


def _as_before(now: Occupant | None, was: Occupant | None) -> Occupant | None:
    """A player who was there before the void hand owes the blinds that he owed then."""
    if now is None or was is None or now.player != was.player or now.arrival != was.arrival:
        return now
    return replace(
        now,
        newcomer=was.newcomer,
        missed_small=was.missed_small,
        missed_big=was.missed_big,
        button_passed=was.button_passed,
    )


def _hand_reported(table: Table, _event: events.HandReported, _at_ms: int) -> Table:
    return table


END_EVENTS: dict[type, Callable[[Table, Any, int], Table]] = {
    events.UncalledBetReturned: _uncalled_bet_returned,
    events.PotSplit: _pot_split,
    events.RakeTaken: _rake_taken,
    events.ShowOffered: _show_offered,
    events.HandShown: _hand_shown,
    events.HandMucked: _hand_mucked,
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
    events.HandVoided: _hand_voided,
    events.HandReported: _hand_reported,
}
"""One function per event type; `evolve` looks its event up here."""
