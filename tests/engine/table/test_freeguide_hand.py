"""The worked hand of freeguide2poker (G-FRE-1), card by card and chip by chip.

Limit $2/$4. Clockwise: Lisa is the dealer, Leon the small blind, Rhys the big blind, then Steve.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.poker.cards import cards_text
from engine.poker.seats import Seat
from engine.table.events import (
    Bet,
    Called,
    Checked,
    Folded,
    HandEnded,
    HandMucked,
    HandShown,
    HoleCardsDealt,
    PotAwarded,
    PotSplit,
    Raised,
    StreetDealt,
)
from tests.engine.table.game import Game
from tests.engine.table.play import board, fixed, hand_log, places, posts, said

LISA, LEON, RHYS, STEVE = 0, 1, 2, 3
START = 10_000
HANDS = {LEON: "Qs9h", RHYS: "KsJh", LISA: "Ac7c"}

Step = tuple[Seat, Callable[[Game], Game], object]

ROUND_1: tuple[Step, ...] = (
    (STEVE, Game.fold, Folded(STEVE)),
    (LISA, Game.call, Called(LISA, 200)),
    (LEON, Game.call, Called(LEON, 100)),
    (RHYS, Game.check, Checked(RHYS)),
)
FLOP: tuple[Step, ...] = (
    (LEON, Game.check, Checked(LEON)),
    (RHYS, lambda game: game.raise_to(200), Bet(RHYS, 200, 200, full=True)),
    (LISA, lambda game: game.raise_to(400), Raised(LISA, 400, 400, full=True)),
    (LEON, Game.call, Called(LEON, 400)),
    (RHYS, Game.call, Called(RHYS, 200)),
)
TURN: tuple[Step, ...] = (
    (LEON, Game.check, Checked(LEON)),
    (RHYS, Game.check, Checked(RHYS)),
    (LISA, Game.check, Checked(LISA)),
)
RIVER: tuple[Step, ...] = (
    (LEON, lambda game: game.raise_to(400), Bet(LEON, 400, 400, full=True)),
    (RHYS, Game.call, Called(RHYS, 400)),
    (LISA, Game.fold, Folded(LISA)),
)
ALL = (*ROUND_1, *FLOP, *TURN, *RIVER)


def played(steps: tuple[Step, ...]) -> Game:
    """Play these steps, each by the player whose turn it must be and with the event it must make."""
    game = fixed("freeguide", [START] * 4, bets=(200, 400)).start(hands=HANDS, board="9cKc3h5s9d")
    for seat, act, event in steps:
        assert game.to_act == seat
        assert act(game).events[0] == event
    return game


def test_the_blinds_are_one_and_two_dollars() -> None:
    """G-FRE-1: Lisa has the button, Leon posts the small blind of $1, Rhys the big blind of $2."""
    game = played(())
    assert places(game) == (LISA, LEON, RHYS)
    assert posts(game) == [(LEON, 100, "small"), (RHYS, 200, "big")]


def test_the_deal_goes_round_twice() -> None:
    """G-FRE-1, R-FRE-12: Leon, Rhys, Steve, Lisa, twice: it starts left of the dealer and ends with the dealer."""
    (cards,) = said(played(()), HoleCardsDealt)
    assert cards.seats == (LEON, RHYS, STEVE, LISA)
    assert cards.places == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize(
    ("steps", "pot", "street"),
    [
        (ROUND_1, 600, "flop"),
        ((*ROUND_1, *FLOP), 1800, "turn"),
        ((*ROUND_1, *FLOP, *TURN), 1800, "river"),
    ],
)
def test_the_pot_after_each_round(steps: tuple[Step, ...], pot: int, street: str) -> None:
    """G-FRE-1: $6 after round 1, $18 after the flop, and no more on the turn, which all check."""
    game = played(steps)
    assert game.hand.pot == pot
    assert [event.street for event in game.events if isinstance(event, StreetDealt)] == [street]


def test_the_board_lies_behind_two_burned_cards() -> None:
    """G-FRE-1, R-FRE-13, AMB-46: the flop is 9c Kc 3h at places 8 to 10, the turn 5s at 12, the river 9d at 14."""
    game = played(ALL)
    assert board(game) == ["9cKc3h", "5s", "9d"]
    assert [[card.index for card in street.cards] for street in said(game, StreetDealt)] == [[8, 9, 10], [12], [14]]


def test_leon_wins_26_dollars() -> None:
    """G-FRE-1: nine-nine-nine-king-queen beats kings and nines; the pot of $26 goes to Leon in one piece."""
    game = played(ALL)
    assert said(game, PotSplit) == [PotSplit(0, 2600, (LEON, RHYS))]
    assert said(game, PotAwarded) == [PotAwarded(0, (LEON,), (2600,), (0,))]


def test_what_everybody_won_and_lost() -> None:
    """G-FRE-1: Leon wins 1600, Rhys loses 1000, Lisa 600 and Steve nothing."""
    game = played(ALL)
    assert [stack - START for stack in game.stacks] == [-600, 1600, -1000, 0]
    assert hand_log(game)[-1] == HandEnded("T1-1", (0, 1, 2, 3), tuple(game.stacks))


def test_only_leon_shows() -> None:
    """G-FRE-1, R-FRE-3: Leon bet last and shows the queen and the nine; Rhys is beaten and mucks unseen."""
    game = played(ALL)
    (shown,) = said(game, HandShown)
    assert (shown.seat, cards_text(card.card for card in shown.cards)) == (LEON, "Qs9h")
    assert said(game, HandMucked) == [HandMucked(RHYS, "auto_muck")]
