"""The end of a hand: pots, rake, who shows, who wins.

1. The last one left takes the pot at once; no card is turned (`win_uncontested`).
2. Otherwise, once no bet is possible any more, pots are built from contributions and raked, main pot first; a pot with
   one claimant is his at once; where the house exposes all-ins, all live hands are turned up (`close_betting`).
3. After the river the hands are shown in order. Who has auto muck on never holds up the game: he shows what wins or is
   not yet beaten, and mucks what is. Who has it off is asked. Pots are awarded before anybody is asked (`show_down`).

The dealer ranks all live hands, shown or not, so mucking never loses a winner (AMB-29).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalAction, InvalidCommand, Reason
from engine.poker.money import Chips, cap_for, rake_of_pots
from engine.poker.pots import build_pots, is_contested, share_pot
from engine.poker.ranking import strength
from engine.poker.seats import MEMBERS, Seat, SeatSet, at_most_one, seat_set
from engine.poker.showdown import beaten, show_order, winners_of
from engine.table import after_hand, commands
from engine.table.draft import Draft
from engine.table.hand_events import (
    HandEnded,
    HandMucked,
    HandShown,
    PotAwarded,
    PotSplit,
    RakeTaken,
    ShowCause,
    ShowOffered,
)
from engine.table.state import Hand, Table, hand_of, is_awarded, occupant_at
from engine.table.turns import to_show

BOTH = (0, 1)
NO_ODD_CHIPS = (0,)


def win_uncontested(draft: Draft) -> None:
    """Give everything in the middle to the last one left; no hand is ranked (FAULT-46)."""
    table, hand = draft.table, hand_of(draft.table)
    seat = MEMBERS[hand.betting.live][0]
    (rake,) = _take_rake(draft, (hand.pot,), flop_dealt=hand.street > 0)
    draft.emit(PotAwarded(0, (seat,), (hand.pot - rake,), NO_ODD_CHIPS))
    showdown = table.config.rulebook.showdown
    may_show = showdown.uncontested_shows == "optional" and occupant_at(table, seat).ask_to_show
    if may_show and table.config.rulebook.clock.show_seconds:
        draft.emit(ShowOffered(seat))
    else:
        _end(draft)


def close_betting(draft: Draft) -> None:
    """Split the pots, take the rake, award what has one claimant, and turn up all-in hands (R-PAC-20, R-AKP-17)."""
    hand = hand_of(draft.table)
    live = hand.betting.live
    contributions = tuple([player.contribution if player is not None else 0 for player in hand.players])
    pots = build_pots(contributions, live, hand.dead)
    for number, pot in enumerate(pots):
        draft.emit(PotSplit(number, pot.amount, MEMBERS[pot.claimants]))
    rakes = _take_rake(draft, tuple([pot.amount for pot in pots]), flop_dealt=True)
    for number, pot in enumerate(pots):
        if not is_contested(pot):
            draft.emit(PotAwarded(number, MEMBERS[pot.claimants], (pot.amount - rakes[number],), NO_ODD_CHIPS))
    if live != hand.betting.active and exposes_all_in(draft.table):
        for seat in _show_order(draft.table, hand):
            _show(draft, seat, "all_in")


def exposes_all_in(table: Table) -> bool:
    """Say whether the table turns up all live hands once betting is over and a player is all-in (O-39)."""
    rule = table.config.rulebook.showdown.expose_all_in
    return rule == "always" or (rule == "tournament_only" and table.config.kind == "tournament")


def show_down(draft: Draft) -> None:
    """Show the hands in order, award the pots, and end the hand unless somebody is asked."""
    hand = hand_of(draft.table)
    settlement = hand.settlement
    strengths = _strengths(draft, hand)
    winners = _winners(hand, strengths)
    asked = -1
    if settlement.decided != hand.betting.live:
        asked = _show_in_turn(draft, strengths, winners)
    for number, seats in winners.items():
        if not is_awarded(settlement, number):
            _award(draft, number, seats)
    if asked >= 0:
        draft.emit(ShowOffered(asked))
    else:
        _end(draft)


def _take_rake(draft: Draft, amounts: tuple[Chips, ...], *, flop_dealt: bool) -> tuple[Chips, ...]:
    """Take the rake of these pots; tournaments have none."""
    table, hand = draft.table, hand_of(draft.table)
    rules = table.config.rulebook.rake
    if not rules.bps or table.config.kind == "tournament":
        return (0,) * len(amounts)
    rakes = rake_of_pots(
        amounts,
        bps=rules.bps,
        cap=cap_for(hand.setup.terms.rake_caps, len(hand.setup.seats)),
        unit=rules.unit,
        min_pot=rules.min_pot,
        flop_dealt=flop_dealt,
        no_flop_no_drop=rules.no_flop_no_drop,
    )
    if any(rakes):
        draft.emit(RakeTaken(rakes))
    return rakes


def _strengths(draft: Draft, hand: Hand) -> list[int]:
    """Return the strength of every live hand, by seat; 0 elsewhere."""
    order, board = draft.deck.order, hand.board
    strengths = [0] * len(hand.players)
    for seat in MEMBERS[hand.betting.live]:
        first, second = _places(hand, seat)
        strengths[seat] = strength((order[first], order[second]), board)
    return strengths


def _winners(hand: Hand, strengths: list[int]) -> dict[int, tuple[Seat, ...]]:
    """Return who wins each contested pot, by its number, the one left of the button first (AMB-38)."""
    return {
        number: winners_of(pot.claimants, strengths, hand.setup.button)
        for number, pot in enumerate(hand.settlement.pots)
        if is_contested(pot)
    }


def _places(hand: Hand, seat: Seat) -> tuple[int, int]:
    places = hand.places[seat]
    assert places is not None, f"seat {seat} has no cards"
    return places


def _show_order(table: Table, hand: Hand) -> tuple[Seat, ...]:
    rule = table.config.rulebook.showdown.showdown_first
    return show_order(hand.betting.live, hand.setup.button, hand.betting.aggressor, rule)


def _show_in_turn(draft: Draft, strengths: list[int], winners: dict[int, tuple[Seat, ...]]) -> Seat:
    """Let the players show or muck in order; return the first one who is to be asked, or -1."""
    table, hand = draft.table, hand_of(draft.table)
    rules = table.config.rulebook
    for seat in _show_order(table, hand):
        settlement = hand_of(draft.table).settlement
        if settlement.decided >> seat & 1:
            continue
        if rules.showdown.muck_losers:
            if rules.clock.show_seconds and not occupant_at(table, seat).auto_muck:
                return seat
            if beaten(seat, strengths, _winning(winners), settlement.shown):
                draft.emit(HandMucked(seat, "auto_muck"))
                continue
        _show(draft, seat, "showdown")
    return -1


def _winning(winners: dict[int, tuple[Seat, ...]]) -> SeatSet:
    """Return who wins a share of a contested pot."""
    return seat_set([seat for seats in winners.values() for seat in seats])


def _show(draft: Draft, seat: Seat, cause: ShowCause, cards: tuple[int, ...] = BOTH) -> None:
    places = _places(hand_of(draft.table), seat)
    deck = draft.deck
    draft.emit(HandShown(seat, tuple([deck.shown(places[card]) for card in cards]), cause))


def _award(draft: Draft, number: int, winners: tuple[Seat, ...]) -> None:
    """Give a pot, less its rake, to the best hands that have a claim to it, in equal shares."""
    table, hand = draft.table, hand_of(draft.table)
    settlement, rules = hand.settlement, table.config.rulebook.showdown
    amount = settlement.pots[number].amount
    if settlement.rake:
        amount -= settlement.rake[number]
    if len(winners) == 1:
        draft.emit(PotAwarded(number, winners, (amount,), NO_ODD_CHIPS))
        return
    smallest_chip = rules.odd_chip_unit.of(table.config.kind) == "smallest_chip"
    unit = hand.setup.terms.stakes.smallest_chip if smallest_chip else 1
    shares = share_pot(amount, winners, rules.odd_chip_rule, unit)
    odd_chips = tuple([share.odd_chips for share in shares])
    draft.emit(PotAwarded(number, winners, tuple([share.amount for share in shares]), odd_chips))


def _end(draft: Draft) -> None:
    hand = hand_of(draft.table)
    stacks = tuple([player.stack for player in hand.players if player is not None])
    draft.emit(HandEnded(hand.setup.hand_id, MEMBERS[hand.setup.dealt], stacks))
    after_hand.report_hand(draft, hand)
    after_hand.settle_seats(draft)
    after_hand.close_if_empty(draft)


def _show_when_asked(draft: Draft, command: commands.Show) -> None:
    """Show one or both cards (O-17); at a showdown always both."""
    if command.cards not in (BOTH, (0,), (1,)):
        raise InvalidCommand(Reason.FIELD_INVALID, "cards are 0, 1 or both", field="cards")
    hand, seat = to_show(draft, command)
    if is_showdown(hand) and command.cards != BOTH:
        raise IllegalAction(Reason.BOTH_CARDS_SHOWN, "at a showdown both cards are shown")
    # From here on the command succeeds.
    _show(draft, seat, "chosen", command.cards)
    _go_on_showing(draft)


def _muck_when_asked(draft: Draft, command: commands.Muck) -> None:
    """Keep the cards secret; a hand that is not beaten is shown all the same (`rulebooks.md` section 4)."""
    hand, seat = to_show(draft, command)
    # From here on the command succeeds.
    if not is_showdown(hand):
        draft.emit(HandMucked(seat, "uncontested"))
    else:
        strengths = _strengths(draft, hand)
        if beaten(seat, strengths, _winning(_winners(hand, strengths)), hand.settlement.shown):
            draft.emit(HandMucked(seat, "chosen"))
        else:
            _show(draft, seat, "not_beaten")
    _go_on_showing(draft)


def stop_asking(draft: Draft) -> None:
    """Do what an unanswered question means: shown at a showdown, hidden when uncontested."""
    hand = hand_of(draft.table)
    seat = hand.settlement.asked
    if is_showdown(hand):
        _show(draft, seat, "timeout")
    else:
        draft.emit(HandMucked(seat, "uncontested"))
    _go_on_showing(draft)


def is_showdown(hand: Hand) -> bool:
    """Say whether more than one hand is still live."""
    return not at_most_one(hand.betting.live)


def _go_on_showing(draft: Draft) -> None:
    hand = hand_of(draft.table)
    if is_showdown(hand):
        show_down(draft)
    else:
        _end(draft)


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.Show: _show_when_asked,
    commands.Muck: _muck_when_asked,
}
