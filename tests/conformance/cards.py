"""The deck of a logged hand: cards where the log has them, and unused ones where it has none.

A log shows only the cards that players showed. Whoever is still in at a showdown and never showed has lost, so he gets
the weakest two cards that are left.
"""

from __future__ import annotations

from itertools import combinations

from engine.poker.cards import ALL_CARDS, DECK_SIZE, RANKS, Card, parse_cards
from engine.poker.deck import Deck
from engine.poker.ranking import strength
from engine.poker.seats import Seat
from tests.conformance.hands import LoggedHand, player_at, seat_of

UNKNOWN = "????"
BOARD_SIZE = 5
SALT_KEY = bytes(32)


def deck_for(hand: LoggedHand, hand_id: str) -> Deck:
    """Return a deck that deals the hand from p1 to pn, without burns."""
    board = board_of(hand)
    holes = _known_holes(hand, board)
    used = {*board, *(card for pair in holes.values() for card in pair)}
    unused = [card for card in ALL_CARDS if card not in used]
    if len(board) == BOARD_SIZE:
        for seat in _unseen(hand, holes):
            holes[seat] = min(combinations(unused, 2), key=lambda pair: strength(pair, board))
            unused = [card for card in unused if card not in holes[seat]]
    rest = iter(unused)
    pairs = [holes.get(seat) or (next(rest), next(rest)) for seat in range(hand.count)]
    order = (*(first for first, _ in pairs), *(second for _, second in pairs), *board, *rest)
    return Deck.from_order(order, SALT_KEY, hand_id)


def board_of(hand: LoggedHand) -> tuple[Card, ...]:
    """Return the cards of the board, as many as the log has."""
    return parse_cards("".join(line.removeprefix("d db ") for line in hand.actions if line.startswith("d db")))


def _known_holes(hand: LoggedHand, board: tuple[Card, ...]) -> dict[Seat, tuple[Card, Card]]:
    used, holes = set(board), {}
    for line in hand.actions:
        if line.startswith("d dh") and not line.endswith(UNKNOWN):
            _, _, player, cards = line.split()
            first, second = (_unless_used(card, used) for card in parse_cards(cards))
            holes[seat_of(player)] = first, second
    return holes


def _unless_used(card: Card, used: set[Card]) -> Card:
    """Return the card, or where the log has it twice, the next suit's of its rank; it is used from now on."""
    while card in used:
        card = (card + len(RANKS)) % DECK_SIZE
    used.add(card)
    return card


def _unseen(hand: LoggedHand, holes: dict[Seat, tuple[Card, Card]]) -> list[Seat]:
    """Return who is in at the end with cards that nobody saw."""
    folded = {line.removesuffix(" f") for line in hand.actions if line.endswith(" f")} - hand.folded_all_in
    return [seat for seat in range(hand.count) if seat not in holes and player_at(seat) not in folded]
