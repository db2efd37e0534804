"""The deck of a logged hand: its cards where the log has them, and unused ones where it has none.

A log shows only the cards that players showed. Whoever is still in at a showdown and never shown has lost, so he gets
the weakest cards that are left on that board.
"""

from __future__ import annotations

from itertools import combinations

from engine.poker.cards import ALL_CARDS, DECK_SIZE, Card, parse_cards, rank_of
from engine.poker.deck import Deck
from engine.poker.ranking import strength
from engine.poker.seats import Seat
from tests.conformance.hands import LoggedHand, seat_of

UNKNOWN = "????"
SALT_KEY = bytes(32)
BOARD_SIZE = 5


def deck_for(hand: LoggedHand, hand_id: str) -> Deck:
    """Return a deck that deals the hand, from p1 to pn, without burns."""
    board = board_of(hand)
    holes = {seat: _once(pair, board) for seat, pair in hole_cards(hand).items()}
    unused = [card for card in ALL_CARDS if card not in board and card not in [c for pair in holes.values() for c in pair]]
    if len(board) == BOARD_SIZE:
        for seat in losers(hand, holes):
            holes[seat] = weakest(unused, board)
            unused = [card for card in unused if card not in holes[seat]]
    rest = iter(unused)
    pairs = [holes.get(seat) or (next(rest), next(rest)) for seat in range(hand.count)]
    order = (*[first for first, _ in pairs], *[second for _, second in pairs], *board, *rest)
    assert len(order) == DECK_SIZE, f"{hand.id} names a card twice"
    return Deck.from_order(order, SALT_KEY, hand_id)


def _once(pair: tuple[Card, Card], board: tuple[Card, ...]) -> tuple[Card, Card]:
    """Return hole cards that are not on the board: of the same ranks, in the next suit."""
    first, second = ((card + 13) % 52 if card in board else card for card in pair)
    return first, second


def hole_cards(hand: LoggedHand) -> dict[Seat, tuple[Card, Card]]:
    """Return the hole cards that the log knows."""
    dealt = (line.split() for line in hand.actions if line.startswith("d dh") and not line.endswith(UNKNOWN))
    pairs = ((seat_of(player), parse_cards(cards)) for _, _, player, cards in dealt)
    return {seat: (first, second) for seat, (first, second) in pairs}


def board_of(hand: LoggedHand) -> tuple[Card, ...]:
    """Return the cards of the board, as many as the log dealt."""
    return parse_cards("".join(line.split()[2] for line in hand.actions if line.startswith("d db")))


def losers(hand: LoggedHand, holes: dict[Seat, tuple[Card, Card]]) -> list[Seat]:
    """Return who is in at the end with cards that nobody saw."""
    folded = {seat_of(line.split()[0]) for line in hand.actions if line.endswith(" f")}
    if "all_in_player_folded" in hand.features:
        folded = set()
    return [seat for seat in range(hand.count) if seat not in folded and seat not in holes]


def weakest(unused: list[Card], board: tuple[Card, ...]) -> tuple[Card, Card]:
    """Return the two unused cards that make the weakest hand."""
    low = sorted(unused, key=rank_of)
    return min(combinations(low, 2), key=lambda pair: strength(pair, board))
