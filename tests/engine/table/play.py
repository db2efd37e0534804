"""Moves and questions for tests of whole tables: come and go, play a hand down, ask what the last hand was.

All of them take a `Game`; what moves returns it, so that steps can be chained. Questions are about the last hand that
was started.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.poker.betting import player_at
from engine.poker.cards import cards_text
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table import commands
from engine.table.clock import turn_ends_at_ms
from engine.table.events import (
    AntePosted,
    BlindPosted,
    DeadBlindPosted,
    HandMucked,
    HandShown,
    HandStarted,
    PotAwarded,
    PotSplit,
    SeatReserved,
    StreetDealt,
    TableEvent,
)
from engine.table.seat_events import EntryPlan
from tests.engine.table.game import Game, cash

E = TypeVar("E")


def fixed(
    house: str, stacks: Sequence[int | None], *, bets: tuple[int, int] = (100, 200), button: Seat = 0, **terms: object
) -> Game:
    """Return a fixed-limit cash table with players, ready for its first hand."""
    return cash(house, stacks, button=button, limit="fixed_limit", bets=bets, **terms)


# Coming and going.


def join(game: Game, seat: Seat, amount: Chips = 10_000, plan: EntryPlan = "wait") -> Game:
    """Let a new player buy in and say how he comes in."""
    player = f"p{seat}"
    game.do(commands.ReserveSeat(player, seat, amount))
    game.do(commands.SeatPlayer(player, amount, game.last(SeatReserved).transfer_id))
    return game.do(commands.PlanEntry(player, plan))


def sit_out(game: Game, seat: Seat) -> Game:
    """Let a player sit out, after the hand if he is in one."""
    return game.do(commands.SitOut(game.player(seat), "now"))


def sit_in(game: Game, seat: Seat, plan: EntryPlan = "post") -> Game:
    """Let a player come back; by default he pays what he owes at once."""
    return game.do(commands.SitIn(game.player(seat), plan))


def leave(game: Game, seat: Seat) -> Game:
    """Let a player leave the table."""
    return game.do(commands.Leave(game.player(seat)))


def prefer(game: Game, seat: Seat, *, auto_muck: bool = True, ask_to_show: bool = False) -> Game:
    """Set how a player's hands are shown."""
    return game.do(commands.SetPreferences(game.player(seat), auto_muck, ask_to_show))


# Clock and connection.


def run_out(game: Game) -> Game:
    """Let the open turn run out."""
    ends_at_ms = turn_ends_at_ms(game.table)
    assert ends_at_ms is not None, "no clock runs"
    game.at_ms = ends_at_ms
    return game.time_out()


def lose(game: Game, seat: Seat, *, house_fault: bool = False) -> Game:
    """Let a player's connection be lost."""
    return game.do(commands.LoseConnection(game.player(seat), "outage", house_fault))


def restore(game: Game, seat: Seat) -> Game:
    """Let a player's connection be back."""
    return game.do(commands.RestoreConnection(game.player(seat)))


def grant(game: Game, seat: Seat) -> Game:
    """Let the account grant the protection that was asked for."""
    return game.do(commands.GrantProtection(game.player(seat), game.hand.setup.hand_id))


def refuse(game: Game, seat: Seat) -> Game:
    """Let the account refuse the protection that was asked for."""
    return game.do(commands.RefuseProtection(game.player(seat), game.hand.setup.hand_id))


# Whole rounds and hands.


def close_round(game: Game) -> Game:
    """Let everybody check or call until the street is over."""
    street = game.hand.street
    while game.table.hand is not None and game.hand.street == street and game.to_act >= 0:
        _pass(game)
    return game


def reach(game: Game, street: int) -> Game:
    """Let everybody check or call until this street is open: 1 flop, 2 turn, 3 river."""
    while game.hand.street < street:
        close_round(game)
    return game


def openers(game: Game) -> list[Seat]:
    """Return who opens each of the four rounds of a hand that has just been dealt, and play it up to the river."""
    seats = [game.to_act]
    while game.hand.street < 3:
        seats.append(close_round(game).to_act)
    return seats


def check_down(game: Game) -> Game:
    """Let everybody check or call until the hand is over, or waits for a show."""
    while game.table.hand is not None and game.hand.betting.to_act >= 0:
        _pass(game)
    return game


def push(game: Game) -> Game:
    """Let everybody bet or raise the most he may, and else call, until no more betting is possible."""
    while game.table.hand is not None and game.to_act >= 0:
        size = game.menu.bet_or_raise
        game = game.call() if size is None else game.raise_to(size.maximum)
    return game


def fold_out(game: Game) -> Game:
    """Let everybody fold until the hand is over."""
    while game.table.hand is not None:
        game.fold()
    return game


def play_on(game: Game, hands: int = 1) -> Game:
    """Deal this many hands in which everybody folds."""
    for _ in range(hands):
        fold_out(game.start())
    return game


def _pass(game: Game) -> None:
    if game.menu.check:
        game.check()
    else:
        game.call()


# What the hand was.


def hand_log(game: Game) -> list[TableEvent]:
    """Return the events since the last hand was started."""
    began = max(index for index, event in enumerate(game.log) if isinstance(event, HandStarted))
    return game.log[began:]


def said(game: Game, kind: type[E]) -> list[E]:
    """Return the events of a type since the last hand was started."""
    return [event for event in hand_log(game) if isinstance(event, kind)]


def places(game: Game) -> tuple[Seat, Seat, Seat]:
    """Return button, small blind and big blind of the hand."""
    (started,) = said(game, HandStarted)
    return started.button, started.small_blind, started.big_blind


def dealt(game: Game) -> tuple[Seat, ...]:
    """Return the seats dealt in, in the order of the deal."""
    (started,) = said(game, HandStarted)
    return started.seats


def posts(game: Game) -> list[tuple[Seat, Chips, str]]:
    """Return what was posted in the hand, in its order: the ante, the blinds, entry posts and dead blinds."""
    posted = []
    for event in hand_log(game):
        match event:
            case AntePosted():
                posted.append((event.seat, event.amount, "ante"))
            case BlindPosted():
                posted.append((event.seat, event.amount, str(event.blind)))
            case DeadBlindPosted():
                posted.append((event.seat, event.amount, "dead"))
            case _:
                pass
    return posted


def bets(game: Game) -> list[Chips]:
    """Return what each seat has in on this street; 0 for a seat without cards."""
    return [player.bet if player is not None else 0 for player in game.hand.players]


def owed(game: Game, seat: Seat) -> Chips:
    """Return what a seat would have to put in to match the bet."""
    return game.hand.betting.current_bet - player_at(game.hand.players, seat).bet


def board(game: Game) -> list[str]:
    """Return the cards that each street brought."""
    return [cards_text(shown.card for shown in street.cards) for street in said(game, StreetDealt)]


def pots(game: Game) -> list[tuple[Chips, tuple[Seat, ...]]]:
    """Return the pots of the hand, the main pot first, each with its claimants."""
    return [(split.amount, split.seats) for split in said(game, PotSplit)]


def won(game: Game) -> dict[Seat, Chips]:
    """Return what each seat won in the hand, all pots together."""
    takings: dict[Seat, Chips] = {}
    for award in said(game, PotAwarded):
        for seat, amount in zip(award.seats, award.amounts, strict=True):
            takings[seat] = takings.get(seat, 0) + amount
    return takings


def shows(game: Game) -> list[tuple[Seat, str]]:
    """Return who showed or mucked in the hand, in order, and why."""
    return [(event.seat, event.cause) for event in hand_log(game) if isinstance(event, HandShown | HandMucked)]
