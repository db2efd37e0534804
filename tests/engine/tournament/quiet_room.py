"""A card room in which nothing goes wrong: every command is carried out at once, with all that follows from it.

For whole tournaments of many tables, where the courier's troubles are not the subject (`tests/engine/courier.py` has
those): deliveries are first in, first out, nothing is lost, late or doubled. The director is asked what is due after
each event. If books are kept, each event is posted, and the trial balance is there at any time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, cast

from engine.account.commands import Deposit, OpenAccount
from engine.account.state import available_funds
from engine.ledger import postings
from engine.origin import HOUSE, Origin, account_of
from engine.poker.deck import Deck
from engine.poker.money import Chips
from engine.reactions import Command, Event, reactions
from engine.table.state import Table
from engine.tournament.commands import CreateTournament
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.state import Entry, Tournament
from engine.tournament.terms import Terms
from services.eventlog import aggregates

Log: TypeAlias = list[tuple[str, Event]]
Seeds: TypeAlias = Iterator[bytes]


def numbered_seeds() -> Seeds:
    """Yield a new seed each time, always the same ones."""
    number = 0
    while True:
        number += 1
        yield number.to_bytes(32)


class QuietRoom:
    """Accounts, tables and tournaments at one time."""

    def __init__(self, *, books: bool = True) -> None:
        """Begin with an empty room."""
        self.at_ms = 0
        self.states: dict[str, Any] = {}
        self.versions: Counter[str] = Counter()
        self.log: Log = []
        self.keeps_books = books
        self.balances: Counter[tuple[str, str]] = Counter()
        self.seeds = numbered_seeds()
        self.witness: Callable[[Origin, Event], None] | None = None
        self._waiting: deque[tuple[str, Command]] = deque()

    def ask(self, address: str, command: Command, deck: Deck | None = None) -> tuple[Event, ...]:
        """Carry a command out, with everything that follows from it; raise what `decide` raises."""
        events = self._carry_out(address, command, deck)
        while self._waiting:
            self._carry_out(*self._waiting.popleft(), None)
        return events

    def _carry_out(self, address: str, command: Command, deck: Deck | None) -> tuple[Event, ...]:
        events, after = aggregates.execute(address, self.states.get(address), command, self.at_ms, deck)
        self.states[address] = after
        unit = aggregates.unit_of(after)
        for event in events:
            self.versions[address] += 1
            self._hear(Origin(address, self.versions[address], self.at_ms, unit), event)
        return events

    def _hear(self, origin: Origin, event: Event) -> None:
        if self.keeps_books:
            self.log.append((origin.aggregate, event))
            for entry in postings(origin, event):
                self.balances[entry.line, entry.unit] += entry.amount
        if self.witness is not None:
            self.witness(origin, event)
        self._waiting.extend([(reaction.target, reaction.command) for reaction in reactions(origin, event)])

    def fund(self, player: str, amount: Chips, unit: str = "USD") -> None:
        """Give a player an account with money, or with tickets."""
        address = account_of(player)
        if address not in self.states:
            self.ask(address, OpenAccount(player))
        self.ask(address, Deposit(unit, amount, "test"))

    def funds(self, player: str, unit: str = "USD") -> Chips:
        """Return what a player can spend."""
        account = self.states.get(account_of(player))
        return 0 if account is None else available_funds(account, unit)

    def table(self, table_id: str) -> Table:
        """Return a table."""
        return cast("Table", self.states[f"table/{table_id}"])

    def line(self, line: str, unit: str = "USD") -> Chips:
        """Return the balance of a line of the books."""
        return self.balances[line, unit]


class Tourney:
    """A tournament in a quiet room, run by its director."""

    def __init__(self, room: QuietRoom, terms: Terms, name: str = "T") -> None:
        """Set it up; the house has money for its guarantee and its tickets."""
        self.room, self.name, self.address = room, name, f"tournament/{name}"
        room.fund(HOUSE, max(1, 2 * terms.guarantee))
        room.ask(self.address, CreateTournament(name, terms))

    @property
    def state(self) -> Tournament:
        """The tournament now."""
        return cast("Tournament", self.room.states[self.address])

    def entry(self, number: int) -> Entry:
        """Return an entry."""
        return self.state.entries[number - 1]

    def do(self, command: Any) -> tuple[Event, ...]:  # noqa: ANN401 - any command of a tournament.
        """Give the tournament a command."""
        return self.room.ask(self.address, command)

    def direct(self) -> None:
        """Do all that is due now."""
        while (command := due(self.state, self.room.at_ms, next(self.room.seeds))) is not None:
            self.do(command)

    def sleep(self) -> None:
        """Wait until time makes something due, and do it."""
        wakes = wakes_at_ms(self.state)
        assert wakes is not None, "nothing becomes due by time alone"
        self.room.at_ms = max(self.room.at_ms, wakes)
        self.direct()

    def tables(self) -> list[str]:
        """Return the ids of the tables that are in play."""
        return [f"{self.name}-{table.number}" for table in self.state.tables if table.open]
