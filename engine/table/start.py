"""The start of a hand: the button, who is dealt in, the blinds and antes, the hole cards.

`HandStarted` comes first and commits to the deck; then the blinds that passed somebody, the button, the posts, and the
cards as places in the deck. Who plays where is decided in `engine/poker/button.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from engine.errors import IllegalAction, Reason
from engine.poker.betting import player_at
from engine.poker.blinds import pay_blind_and_ante, pay_posts, posts_owed
from engine.poker.button import Deal, Positions, Standing, missed_blinds, next_positions
from engine.poker.cards import DECK_SIZE, rank_of, suit_of
from engine.poker.dealing import deal_order, hole_places
from engine.poker.money import Chips
from engine.poker.seats import Seat, clockwise, seats_in
from engine.poker.shuffle import BUTTON_DRAW, draw_order
from engine.shape import verify_seed
from engine.table import commands
from engine.table.draft import Draft
from engine.table.flow import carry_on
from engine.table.hand_events import (
    AntePosted,
    BlindMissed,
    BlindPosted,
    ButtonDrawn,
    ButtonMoved,
    DeadBlindPosted,
    HandStarted,
    HoleCardsDealt,
    WentAllIn,
)
from engine.table.seat_events import PlayerSatOut
from engine.table.state import Occupant, Table, hand_of, next_hand_id, occupant_at


def standings(table: Table) -> tuple[Standing | None, ...]:
    """Return how each seat stands towards the next hand; in tournaments everybody with chips is dealt in (O-40)."""
    return tuple([_standing(table, occupant) for occupant in table.seats])


def next_deal(table: Table) -> Deal | None:
    """Return who would play the next hand and where, or None when there are not enough players for one."""
    rules, kind = table.config.rulebook, table.config.kind
    return next_positions(
        standings(table),
        table.positions,
        _first_button(table),
        rule=rules.blinds.button_rule.of(kind),
        heads_up=rules.blinds.heads_up_blinds,
        no_double_big_blind=rules.blinds.no_double_big_blind,
        between_allowed=rules.blinds.post_between_button_and_bb,
        with_blinds=table.terms.stakes.big_blind > 0,
        seats_min=rules.table.seats_min,
    )


def needs_button_draw(table: Table) -> bool:
    """Say whether the first button is still to be drawn (R-AKP-5)."""
    rule = table.config.rulebook.blinds.first_button.of(table.config.kind)
    return rule == "high_card" and table.positions is None and table.desk.button_drawn < 0


def _standing(table: Table, occupant: Occupant | None) -> Standing | None:
    if occupant is None or occupant.stack == 0:
        return None
    if table.config.kind == "tournament":
        return "in"
    if occupant.sitting_out or occupant.leaving:
        return "out"
    if not (occupant.newcomer or occupant.missed_big or occupant.missed_small):
        return "in"
    return occupant.plan


def _first_button(table: Table) -> Seat:
    """Return the seat of the first button: the one that was drawn, else that of the player who came first (R-AKP-5)."""
    if table.desk.button_drawn >= 0:
        return table.desk.button_drawn
    arrivals = [(occupant.arrival, seat) for seat, occupant in enumerate(table.seats) if occupant is not None]
    return min(arrivals)[1] if arrivals else 0


def _draw_button(draft: Draft, command: commands.DrawButton) -> None:
    """Give each player a card face up; the highest has the first button (G-AKP-8, AMB-43)."""
    table = draft.table
    verify_seed(command.seed)
    seats = [seat for seat, standing in enumerate(standings(table)) if standing not in {None, "out"}]
    if not needs_button_draw(table):
        raise IllegalAction(Reason.BUTTON_ALREADY_DRAWN, "the button has its place")
    if len(seats) < 2:
        raise IllegalAction(Reason.NOT_ENOUGH_PLAYERS, "fewer than two players are ready")
    # From here on the command succeeds.
    order = draw_order(command.seed, BUTTON_DRAW, table.config.table_id, DECK_SIZE)
    for drawn in _draws(seats, order, redraw=table.config.rulebook.blinds.button_draw_tie == "redraw"):
        draft.emit(drawn)


def _draws(seats: list[Seat], order: tuple[int, ...], *, redraw: bool) -> Iterator[ButtonDrawn]:
    """Draw from one deck, again and again among those that tie where the house redraws."""
    used, tied = 0, seats
    while True:
        cards = order[used : used + len(tied)]
        used += len(tied)
        drawn = list(zip(cards, tied, strict=True))
        best = max(rank_of(card) for card in cards)
        ties = [seat for card, seat in drawn if rank_of(card) == best]
        if len(ties) == 1 or not redraw or used + len(ties) > DECK_SIZE:
            _, winner = max(drawn, key=lambda card_and_seat: (rank_of(card_and_seat[0]), suit_of(card_and_seat[0])))
            yield ButtonDrawn(tuple(tied), tuple(cards), winner)
            return
        yield ButtonDrawn(tuple(tied), tuple(cards), -1)
        tied = ties


def _start_hand(draft: Draft, _command: commands.StartHand) -> None:
    """Deal the next hand; who wished to sit out at his next big blind does so first, even if that leaves no hand."""
    _verify_ready(draft.table)
    while True:
        deal = next_deal(draft.table)
        if deal is None and draft.events:
            return
        if deal is None:
            raise IllegalAction(Reason.NOT_ENOUGH_PLAYERS, "there are not enough players for a hand")
        big_blind = deal.positions.big_blind
        if big_blind < 0 or occupant_at(draft.table, big_blind).sits_out_at != "next_big_blind":
            break
        draft.emit(PlayerSatOut(big_blind, "next_big_blind"))
    root = draft.deck.root
    # From here on the command succeeds.
    before = draft.table
    _announce(draft, deal, root)
    _note_missed_blinds(draft, before, deal)
    _move_button(draft, deal.positions)
    _post(draft, before, deal)
    _deal_hole_cards(draft)
    carry_on(draft)


def _verify_ready(table: Table) -> None:
    desk = table.desk
    if table.hand is not None:
        raise IllegalAction(Reason.HAND_IN_PROGRESS, "a hand is in progress")
    if desk.status != "open":
        raise IllegalAction(Reason.TABLE_CLOSED, "the table deals no more hands")
    if desk.halted:
        raise IllegalAction(Reason.TABLE_HALTED, "the table is halted")
    if desk.paused_at_ms is not None:
        raise IllegalAction(Reason.CLOCK_PAUSED, "the clock is paused")
    if desk.hands_allowed is not None and desk.hands_started >= desk.hands_allowed:
        raise IllegalAction(Reason.HAND_NOT_ALLOWED, "the director does not let this hand be dealt yet")
    if needs_button_draw(table):
        raise IllegalAction(Reason.BUTTON_NOT_DRAWN, "the first button is still to be drawn")


def _announce(draft: Draft, deal: Deal, root: bytes) -> None:
    table, config, positions = draft.table, draft.table.config, deal.positions
    big_blind = positions.big_blind if positions.big_blind >= 0 else None
    seats = deal_order(deal.dealt, positions.button, big_blind, config.rulebook.deal.deal_starts)
    occupants = [occupant_at(table, seat) for seat in seats]
    draft.emit(
        HandStarted(
            next_hand_id(table),
            table.desk.hands_started + 1,
            config.rulebook.id,
            config.rulebook.version,
            config.rulebook_hash,
            table.terms.level,
            table.terms.stakes,
            positions.button,
            positions.small_blind,
            positions.big_blind,
            seats,
            tuple([occupant.player for occupant in occupants]),
            tuple([occupant.stack for occupant in occupants]),
            root,
        )
    )


def _note_missed_blinds(draft: Draft, before: Table, deal: Deal) -> None:
    """Record whom the blinds passed while he sat out; newcomers owe an entry post and miss nothing (R-AKP-15)."""
    absent = 0
    for seat, occupant in enumerate(before.seats):
        if occupant is not None and not occupant.newcomer and not deal.dealt >> seat & 1:
            absent |= 1 << seat
    if not absent:
        return
    missed_big, missed_small = missed_blinds(before.positions, deal.positions, absent)
    for seat in seats_in(missed_big):
        draft.emit(BlindMissed(seat, "big"))
    for seat in seats_in(missed_small):
        draft.emit(BlindMissed(seat, "small"))


def _move_button(draft: Draft, positions: Positions) -> None:
    """Move button and blinds; after the missed blinds, so that a button which passes somebody with them counts."""
    draft.emit(ButtonMoved(positions.button, positions.small_blind, positions.small_posts, positions.big_blind))


def _post(draft: Draft, before: Table, deal: Deal) -> None:
    """Post antes, blinds and what late players owe, before a card is dealt (R-PLA-16)."""
    stakes, positions = before.terms.stakes, deal.positions
    if stakes.ante:
        _post_antes(draft, before, deal)
    if positions.small_posts:
        _post_blind(draft, positions.small_blind, stakes.small_blind, "small")
    if positions.big_blind >= 0:
        _post_blind(draft, positions.big_blind, stakes.big_blind, "big")
    if deal.posters:
        for seat in clockwise(deal.posters, positions.button):
            _post_entry(draft, before, seat)


def _post_antes(draft: Draft, before: Table, deal: Deal) -> None:
    """Post everybody's ante, or one for all from the big blind or the button; a short stack pays by the house's order.

    The antes of `each` are contributions; one for all is dead (O-14).
    """
    stakes, positions, order = before.terms.stakes, deal.positions, before.config.rulebook.blinds.ante_order
    payers = {"big_blind": positions.big_blind, "button": positions.button}
    only = payers.get(stakes.ante_type)
    for seat in clockwise(deal.dealt, positions.button):
        if only is None or seat == only:
            _, ante = pay_blind_and_ante(_stack_of(draft, seat), _blind_due(before, deal, seat), stakes.ante, order)
            if ante:
                draft.emit(AntePosted(seat, ante, only is not None))
                _note_all_in(draft, seat)


def _blind_due(table: Table, deal: Deal, seat: Seat) -> Chips:
    """Return what the seat posts besides an ante: its blind, or what it owes."""
    stakes, positions = table.terms.stakes, deal.positions
    if seat == positions.big_blind:
        return stakes.big_blind
    if positions.small_posts and seat == positions.small_blind:
        return stakes.small_blind
    return sum(_owed(table, seat)) if deal.posters >> seat & 1 else 0


def _post_blind(draft: Draft, seat: Seat, blind: Chips, name: Literal["small", "big"]) -> None:
    """Post a blind, or all that is left of the stack; nothing when an ante has taken it (R-AKP-8, FAULT-29)."""
    stack = _stack_of(draft, seat)
    amount = min(blind, stack)
    if amount:
        draft.emit(BlindPosted(seat, amount, name))
        if amount == stack:
            draft.emit(WentAllIn(seat))


def _stack_of(draft: Draft, seat: Seat) -> Chips:
    """Return what the seat has behind in the hand that is being started."""
    return player_at(hand_of(draft.table).players, seat).stack


def _note_all_in(draft: Draft, seat: Seat) -> None:
    if _stack_of(draft, seat) == 0:
        draft.emit(WentAllIn(seat))


def _owed(table: Table, seat: Seat) -> tuple[Chips, Chips]:
    """Return what a late player owes, as (live, dead) chips."""
    blinds, stakes, occupant = table.config.rulebook.blinds, table.terms.stakes, occupant_at(table, seat)
    return posts_owed(
        newcomer=occupant.newcomer,
        missed_small=occupant.missed_small,
        missed_big=occupant.missed_big,
        entry_post=blinds.entry_post,
        missed_sb_only=blinds.missed_sb_only,
        missed_bb_or_both=blinds.missed_bb_or_both,
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
    )


def _post_entry(draft: Draft, before: Table, seat: Seat) -> None:
    """Post what a late player owes: live first, then dead (R-PAC-13)."""
    live, dead = pay_posts(_stack_of(draft, seat), *_owed(before, seat))
    if live:
        draft.emit(BlindPosted(seat, live, "entry"))
    if dead:
        draft.emit(DeadBlindPosted(seat, dead))
    if live or dead:
        _note_all_in(draft, seat)


def _deal_hole_cards(draft: Draft) -> None:
    seats = hand_of(draft.table).setup.seats
    draft.emit(HoleCardsDealt(seats, hole_places(len(seats))))


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.DrawButton: _draw_button,
    commands.StartHand: _start_hand,
}
