"""A table of a card room for tests: played like any `Game`, but its money comes from accounts and goes back there.

    game = seated("modern", [8000, 8000])          p0 and p1 have bought in; the money came by courier
    game.do(RequestTopUp("p0", 500))               the table has asked; nothing is delivered yet
    game.room.deliver("account/p0")                the account has paid
    game.room.drain()                              everything is where it belongs

After each step `game.table` is the table in the room, also when a delivery has changed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeVar

from engine.account.commands import Deposit, OpenAccount
from engine.account.state import available_funds
from engine.ledger import postings, trial_balance
from engine.origin import Origin
from engine.poker.deck import Deck
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.reactions import Event
from engine.table.commands import CreateTable, Leave, ReserveSeat, TableCommand
from engine.table.state import Table
from tests.engine.courier import CardRoom
from tests.engine.table.game import Game, open_table

E = TypeVar("E")
FIRST_TO_SIT = {"cash": "first_to_sit", "tournament": "first_to_sit"}


class RoomGame(Game):
    """A table in play in a card room."""

    def __init__(self, room: CardRoom, table: Table) -> None:
        """Begin with a table of the room."""
        super().__init__(table, room.at_ms)
        self.room = room
        self.address = f"table/{table.config.table_id}"
        room.witnesses.append(self._hear)

    def do(self, command: TableCommand, deck: Deck | None = None) -> Self:
        """Carry out a command; what follows from it for others waits to be delivered."""
        before = len(self.log)
        self.room.at_ms = self.at_ms = max(self.room.at_ms, self.at_ms)
        self.room.ask(self.address, command, deck or self.deck)
        self.events = tuple(self.log[before:])
        return self

    def wait(self, *, seconds: float = 0, ms: int = 0) -> Self:
        """Let time pass in the whole room."""
        super().wait(seconds=seconds, ms=ms)
        self.room.at_ms = max(self.room.at_ms, self.at_ms)
        return self

    def leave(self, seat: Seat) -> Self:
        """Let a player leave; what he takes with him is not delivered yet."""
        return self.do(Leave(self.player(seat)))

    def _hear(self, origin: Origin, event: Any) -> None:  # noqa: ANN401 - an event of any aggregate.
        if origin.aggregate == self.address:
            self.table = self.room.table(self.table.config.table_id)
            self.log.append(event)

    def buy_in(self, player: str, seat: Seat, amount: Chips) -> Self:
        """Let a player buy in and wait for the answer."""
        self.do(ReserveSeat(player, seat, amount))
        self.room.drain()
        return self


def open_room_table(room: CardRoom, house: str, table_id: str = "T1", **terms: Any) -> RoomGame:  # noqa: ANN401
    """Open a table in a room, 100/200 unless said; the first to sit has the first button."""
    terms.setdefault("blinds", (100, 200))
    rules = {"blinds.first_button": FIRST_TO_SIT, **terms.pop("rules", {})}
    table = open_table(house, rules=rules, **terms).table
    config = table.config
    named = (table_id, "Test", config.kind, config.unit, config.seats, config.rulebook, table.terms.stakes)
    room.ask(f"table/{table_id}", CreateTable(*named))
    return RoomGame(room, room.table(table_id))


def fund(room: CardRoom, player: str, amount: Chips, unit: str = "USD") -> None:
    """Give a player an account, if he has none, with money from outside."""
    if room.aggregate(f"account/{player}").state is None:
        room.ask(f"account/{player}", OpenAccount(player))
    room.ask(f"account/{player}", Deposit(unit, amount, "bank"))


def seated(
    house: str,
    stacks: Sequence[Chips],
    room: CardRoom | None = None,
    table_id: str = "T1",
    **terms: Any,  # noqa: ANN401 - the terms of a table.
) -> RoomGame:
    """Return a table at which p0, p1 and so on have bought in with all they had, each in the seat of his number."""
    room = room or CardRoom()
    game = open_room_table(room, house, table_id, **terms)
    for seat, stack in enumerate(stacks):
        fund(room, f"p{seat}", stack)
        game.buy_in(f"p{seat}", seat, stack)
    return game


# What there is to see.


def funds(room: CardRoom, player: str, unit: str = "USD") -> Chips:
    """Return what a player can spend; nothing without an account."""
    state = room.aggregate(f"account/{player}").state
    return 0 if state is None else available_funds(room.account(player), unit)


def told(room: CardRoom, kind: type[E]) -> list[E]:
    """Return all events of a type, partition by partition."""
    records = (record for log in room.logs for record in log)
    return [event for record in records for event in record.events if isinstance(event, kind)]


def books(room: CardRoom) -> dict[str, Chips]:
    """Return the balance of every line of the books, without the cash desk; for rooms of one unit."""
    records = (record for log in room.logs for record in log)
    placed: list[tuple[Origin, Event]] = [
        (record.origin(place), event) for record in records for place, event in enumerate(record.events)
    ]
    balances = trial_balance(entry for origin, event in placed for entry in postings(origin, event))
    return {line: amount for (line, _), amount in balances.items() if line != "cash desk"}


def in_transit(room: CardRoom) -> Chips:
    """Return how much money is under way."""
    return sum(amount for line, amount in books(room).items() if line.startswith("in transit"))
