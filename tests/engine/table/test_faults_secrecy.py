"""Faults of other engines, section G: no card is told to anybody but those that were turned up.

Each scenario is played twice with the same actions and board, once with some cards in the dark places of the deck and
once with others. If events, state and menus are the same, nothing of those cards is in them. The commitment to the
whole deck, its root and the sibling hashes of proofs, differs by design and is left out of the comparison; and the
salts, which open a card, are looked for in the bytes of the events themselves.

p1 of the list of faults sits in seat 0 with the big blind, p2 in seat 1 with button and small blind.
"""

from __future__ import annotations

import inspect
from typing import get_args

import msgspec

from engine.table import state
from engine.table.events import HandMucked, HandShown, HandStarted, PotAwarded, StreetDealt, TableEvent
from engine.table.state import Table
from tests.engine.table.game import Game, unraked
from tests.engine.table.play import check_down, reach, said

P1, P2 = range(2)
BOARD = "Qs9c4sAs8d"
HOLE = ((0, 2), (1, 3))
"""Places in the deck of the hole cards of p1 and p2: the first card goes to the left of the button."""
BOARD_PLACES = {4, 5, 6, 7, 8}

replace = msgspec.structs.replace


def at_the_river(hands: dict[int, str]) -> Game:
    """Play two players to the river."""
    return reach(unraked([1000, 1000]).start(hands=hands, board=BOARD), 3)


def without_commitment(event: TableEvent) -> TableEvent:
    """Return an event without the root of the deck, and without the hashes that lead to it."""
    match event:
        case HandStarted():
            return replace(event, deck_root=b"")
        case StreetDealt() | HandShown():
            return replace(event, cards=tuple(replace(shown, siblings=b"") for shown in event.cards))
        case _:
            return event


def told(game: Game) -> list[TableEvent]:
    """Return all that was said at the table, but for the commitment."""
    return [without_commitment(event) for event in game.log]


def opened(game: Game) -> set[int]:
    """Return the places of the deck whose salt is somewhere in the bytes of the events."""
    assert game.deck is not None
    log = msgspec.msgpack.encode(game.log)
    return {place for place in range(52) if game.deck.salts[place] in log}


def test_a_hand_that_ends_by_a_fold_shows_no_cards() -> None:
    """FAULT-95: a bet on the river and a fold: no hole card of anybody is in the events, and none can be opened."""
    aces, kings = (at_the_river({P1: hand}).raise_to(100).fold() for hand in ("AdAc", "KdKc"))
    assert said(aces, PotAwarded) == [PotAwarded(0, (P1,), (200,), (0,))]
    assert said(aces, HandShown) == []
    assert told(aces) == told(kings)
    assert opened(aces) == BOARD_PLACES


def test_a_mucked_hand_stays_secret() -> None:
    """FAULT-97: the loser mucks; he might have held another hand, and nobody could tell."""
    low, high = (check_down(at_the_river({P1: "AdAc", P2: hand})) for hand in ("2c3d", "KdJh"))
    assert said(low, HandMucked) == [HandMucked(P2, "auto_muck")]
    assert told(low) == told(high)
    assert opened(low) == {*BOARD_PLACES, *HOLE[P1]}


def test_before_the_showdown_nobody_can_see_a_hand() -> None:
    """FAULT-98: until then events, state and menu are the same whatever was dealt, so no view can have it from them."""
    strong, weak = (at_the_river({P1: one, P2: other}) for one, other in (("AdAc", "KdKc"), ("2c3d", "5h6h")))
    assert told(strong) == told(weak)
    assert strong.menu == weak.menu
    assert uncommitted(strong.table) == uncommitted(weak.table)
    assert opened(strong) == BOARD_PLACES


def uncommitted(table: Table) -> Table:
    """Return the state without the root of the deck."""
    assert table.hand is not None
    return replace(table, hand=replace(table.hand, setup=replace(table.hand.setup, deck_root=b"")))


def test_an_event_has_no_place_for_a_hidden_card() -> None:
    """FAULT-98: of all events only a street, a shown hand and the draw for the button hold cards; a deal has places."""
    holders = {
        kind.__name__
        for kind in get_args(TableEvent)
        if any("Card" in str(annotation) for annotation in kind.__annotations__.values())
    }
    assert holders == {"StreetDealt", "HandShown", "ButtonDrawn"}


def test_the_state_has_no_place_for_a_hidden_card() -> None:
    """FAULT-98: of all that a table knows only the board holds cards, and nothing holds a deck."""
    kinds = [kind for _, kind in inspect.getmembers(state, inspect.isclass) if issubclass(kind, msgspec.Struct)]
    holders = {
        (kind.__name__, field)
        for kind in kinds
        for field, annotation in kind.__annotations__.items()
        if any(word in str(annotation) for word in ("Card", "Deck"))
    }
    assert holders == {("Hand", "board")}


def test_a_showdown_opens_what_was_shown_and_no_more() -> None:
    """FAULT-97: when both show, four hole cards and the board are open, and the other 43 cards stay in the dark."""
    game = check_down(at_the_river({P1: "2c3d", P2: "AdAc"}))
    shown = {card.index for event in said(game, HandShown) for card in event.cards}
    assert shown == {*HOLE[P1], *HOLE[P2]}
    assert opened(game) == {*BOARD_PLACES, *HOLE[P1], *HOLE[P2]}
