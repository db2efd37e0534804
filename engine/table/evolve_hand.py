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
from engine.poker.pots import Pot
from engine.poker.seats import SEATS_MAX, Seat, seat_set
from engine.table import hand_events as events
from engine.table.evolve_seats import with_desk, with_occupant
from engine.table.state import (
    Hand,
    HandSetup,
    Lost,
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
MISSING: dict[str, str] = {
    "timeout": "timeout",
    "disconnected": "disconnected",
    "quota_used_up": "disconnected",
    "tournament_rule": "disconnected",
}
"""The causes that say that a player missed his turn."""

HOLE_CARDS = 2
OTHER_CAUSES = ("sat_out", "left")
NO_ROUND = Round(0, 0, 0, 0, 0, 0, 0, 0, -1, -1)


def with_hand(table: Table, hand: Hand | None) -> Table:
    """Return the table with this hand in progress."""
    return Table(table.config, table.terms, table.desk, table.seats, table.positions, hand)


def put(players: Players, seat: Seat, player: Player) -> Players:
    """Return the players with one of them changed."""
    changed = list(players)
    changed[seat] = player
    return tuple(changed)


# The beginning.


def _button_drawn(table: Table, event: events.ButtonDrawn, _at_ms: int) -> Table:
    return with_desk(table, button_drawn=event.button)


def _hand_started(table: Table, event: events.HandStarted, at_ms: int) -> Table:
    players: list[Player | None] = [None] * table.config.seats
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        players[seat] = Player(stack, 0, 0, NOT_ACTED)
    nothing = (None,) * table.config.seats
    hand = Hand(
        _setup_of(table, event), tuple(players), nothing, 0, (), 0, 0, 0, NO_ROUND, Turn(0, at_ms), Lost(), Settlement()
    )
    seats = tuple(
        _dealt_in(occupant) if players[seat] is not None and occupant is not None else occupant
        for seat, occupant in enumerate(table.seats)
    )
    table = replace(table, seats=seats, hand=hand)
    return with_desk(table, hands_started=event.number, hands_since_sweep=table.desk.hands_since_sweep + 1)


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


def _dealt_in(occupant: Occupant) -> Occupant:
    """Who is dealt in has paid what he owed, or owes nothing any more."""
    if not (occupant.newcomer or occupant.missed_big or occupant.missed_small):
        return occupant
    return replace(occupant, newcomer=False, missed_big=False, missed_small=False, button_passed=False)


def _button_moved(table: Table, event: events.ButtonMoved, _at_ms: int) -> Table:
    positions = Positions(event.button, event.small_blind, event.small_posts, event.big_blind)
    passed = button_passed(table.positions, positions)
    seats = tuple(
        replace(occupant, button_passed=True)
        if occupant is not None and occupant.missed_big and passed >> seat & 1
        else occupant
        for seat, occupant in enumerate(table.seats)
    )
    return replace(table, seats=seats, positions=positions)


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
    return with_hand(table, replace(hand, players=players, pot=hand.pot + event.amount, dead=dead))


def _blind_posted(table: Table, event: events.BlindPosted, _at_ms: int) -> Table:
    hand = hand_of(table)
    players = _paid(hand.players, event.seat, event.amount, NOT_ACTED)
    return with_hand(table, replace(hand, players=players, pot=hand.pot + event.amount))


def _dead_blind_posted(table: Table, event: events.DeadBlindPosted, _at_ms: int) -> Table:
    hand = hand_of(table)
    old = player_at(hand.players, event.seat)
    players = put(hand.players, event.seat, replace(old, stack=old.stack - event.amount))
    return with_hand(table, replace(hand, players=players, pot=hand.pot + event.amount, dead=hand.dead + event.amount))


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
    return with_hand(
        table,
        replace(hand, places=tuple(places), short_blinds=short_blinds, betting=betting, turn=Turn(1, at_ms)),
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
    whole_hand = table.config.rulebook.showdown.showdown_scope == "whole_hand"
    players = tuple(
        Player(player.stack, 0, player.contribution, NOT_ACTED) if player is not None else None
        for player in hand.players
    )
    betting = rounds.open_street(
        hand.setup.terms.limits, hand.betting, players, hand.setup.opens_after, keep_aggressor=whole_hand
    )
    return with_hand(
        table,
        replace(
            hand,
            players=players,
            street=STREETS[event.street],
            board=hand.board + tuple([shown.card for shown in event.cards]),
            betting=betting,
            turn=Turn(hand.turn.number + 1, at_ms) if betting.to_act >= 0 else hand.turn,
        ),
    )


# Actions.


def acted(table: Table, hand: Hand, players: Players, betting: Round, paid: Chips, at_ms: int) -> Table:
    """Return the table after an action: the chips are in the pot and the next player's clock runs."""
    turn = Turn(hand.turn.number + 1, at_ms) if betting.to_act >= 0 else hand.turn
    hand = Hand(
        hand.setup,
        players,
        hand.places,
        hand.street,
        hand.board,
        hand.pot + paid,
        hand.dead,
        hand.short_blinds,
        betting,
        turn,
        hand.lost,
        hand.settlement,
    )
    return Table(table.config, table.terms, table.desk, table.seats, table.positions, hand)


def _folded(table: Table, event: events.Folded, at_ms: int) -> Table:
    hand = hand_of(table)
    betting = rounds.after_fold(hand.betting, hand.players, event.seat)
    return presence(acted(table, hand, hand.players, betting, 0, at_ms), event.seat, event.cause)


def _checked(table: Table, event: events.Checked, at_ms: int) -> Table:
    hand = hand_of(table)
    players = _paid(hand.players, event.seat, 0, hand.betting.level)
    betting = rounds.after_check_or_call(hand.betting, players, event.seat)
    return presence(acted(table, hand, players, betting, 0, at_ms), event.seat, event.cause)


def _called(table: Table, event: events.Called, at_ms: int) -> Table:
    hand = hand_of(table)
    players = _paid(hand.players, event.seat, event.amount, hand.betting.level)
    betting = rounds.after_check_or_call(hand.betting, players, event.seat)
    return presence(acted(table, hand, players, betting, event.amount, at_ms), event.seat, "")


def _raised(table: Table, event: events.Bet | events.Raised, at_ms: int) -> Table:
    hand = hand_of(table)
    seat, amount = event.seat, event.amount
    old = player_at(hand.players, seat)
    assert amount <= old.stack, "nobody puts in more than he has"
    assert old.bet + amount == event.raise_to, "the amount leads to the bet"
    betting = rounds.after_raise(
        hand.setup.terms.limits,
        hand.betting,
        seat,
        event.raise_to,
        hand.street,
        full=event.full,
        all_in=amount == old.stack,
    )
    players = put(
        hand.players, seat, Player(old.stack - amount, event.raise_to, old.contribution + amount, betting.level)
    )
    return presence(acted(table, hand, players, betting, amount, at_ms), seat, "")


def presence(table: Table, seat: Seat, cause: events.Cause) -> Table:
    """Return the table after a turn: one who let it run out is missing until he acts or comes back (section 4)."""
    missing = MISSING.get(cause, "")
    missed_turn = occupant_at(table, seat).missed_turn
    if missing == missed_turn or cause in OTHER_CAUSES:
        return table
    return with_occupant(table, seat, missed_turn=missing)


def _went_all_in(table: Table, _event: events.WentAllIn, _at_ms: int) -> Table:
    return table


# The end.


def _uncalled_bet_returned(table: Table, event: events.UncalledBetReturned, _at_ms: int) -> Table:
    hand = hand_of(table)
    old = player_at(hand.players, event.seat)
    player = Player(old.stack + event.amount, old.bet - event.amount, old.contribution - event.amount, old.answered)
    return with_hand(table, replace(hand, players=put(hand.players, event.seat, player), pot=hand.pot - event.amount))


def _pot_split(table: Table, event: events.PotSplit, _at_ms: int) -> Table:
    hand = hand_of(table)
    pots = (*hand.settlement.pots, Pot(event.amount, seat_set(event.seats)))
    return with_hand(table, replace(hand, settlement=replace(hand.settlement, pots=pots)))


def _rake_taken(table: Table, event: events.RakeTaken, _at_ms: int) -> Table:
    hand, total = hand_of(table), sum(event.amounts)
    settlement = replace(hand.settlement, rake=event.amounts)
    table = with_hand(table, replace(hand, pot=hand.pot - total, settlement=settlement))
    return with_desk(table, rake_held=table.desk.rake_held + total)


def _show_offered(table: Table, event: events.ShowOffered, at_ms: int) -> Table:
    hand = hand_of(table)
    settlement = replace(hand.settlement, asked=event.seat)
    return with_hand(table, replace(hand, settlement=settlement, turn=Turn(hand.turn.number + 1, at_ms)))


def _hand_shown(table: Table, event: events.HandShown, _at_ms: int) -> Table:
    settlement = hand_of(table).settlement
    shown = settlement.shown | 1 << event.seat if len(event.cards) == HOLE_CARDS else settlement.shown
    return _decided(table, replace(settlement, shown=shown), event.seat)


def _hand_mucked(table: Table, event: events.HandMucked, _at_ms: int) -> Table:
    return _decided(table, hand_of(table).settlement, event.seat)


def _decided(table: Table, settlement: Settlement, seat: Seat) -> Table:
    settlement = replace(settlement, decided=settlement.decided | 1 << seat, asked=-1)
    return with_hand(table, replace(hand_of(table), settlement=settlement))


def _pot_awarded(table: Table, event: events.PotAwarded, _at_ms: int) -> Table:
    hand = hand_of(table)
    players = list(hand.players)
    for seat, amount in zip(event.seats, event.amounts, strict=True):
        old = player_at(hand.players, seat)
        players[seat] = replace(old, stack=old.stack + amount)
    settlement = replace(hand.settlement, awarded=hand.settlement.awarded | 1 << event.pot)
    pot = hand.pot - sum(event.amounts)
    return with_hand(table, replace(hand, players=tuple(players), pot=pot, settlement=settlement))


def _hand_ended(table: Table, event: events.HandEnded, _at_ms: int) -> Table:
    clock = table.config.rulebook.clock
    hand = hand_of(table)
    assert hand.pot == 0, "the pot is empty when a hand has ended"
    seats = list(table.seats)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        occupant = seats[seat]
        assert occupant is not None
        hands_dealt, bank_ms = occupant.hands_dealt + 1, occupant.bank_ms
        if clock.time_bank_every_hands and hands_dealt % clock.time_bank_every_hands == 0:
            bank_ms = min(1000 * clock.time_bank_cap_s, bank_ms + 1000 * clock.time_bank_add_s)
        seats[seat] = replace(occupant, stack=stack, hands_dealt=hands_dealt, bank_ms=bank_ms)
    return Table(table.config, table.terms, table.desk, tuple(seats), table.positions, None)


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
    return with_desk(table, rake_held=table.desk.rake_held - sum(hand.settlement.rake))


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
    events.UncalledBetReturned: _uncalled_bet_returned,
    events.PotSplit: _pot_split,
    events.RakeTaken: _rake_taken,
    events.ShowOffered: _show_offered,
    events.HandShown: _hand_shown,
    events.HandMucked: _hand_mucked,
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
    events.HandVoided: _hand_voided,
}
"""One function per event type; `evolve` looks its event up here."""
