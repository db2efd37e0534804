"""What is played in the rooms of F1: accounts, a cash table, a tournament.

At tables people decide by what some writer has confirmed, which may be old: the workloads of the engine's tests
(`tests/engine/workload.py`, `tournament_workload.py`) look at a `View` of it and say what they wish. What they wish
together rests on one look, so much of it is stale or illegal when it arrives; that is welcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.account.commands import (
    Deposit,
    FreezeAccount,
    GiveBackProtection,
    OpenAccount,
    ReceiveFunds,
    SendFunds,
    UnfreezeAccount,
    Withdraw,
)
from engine.inbox import Delivery
from engine.origin import HOUSE, account_of
from engine.poker.deck import Deck
from engine.reactions import Command, Event
from engine.tournament.commands import CreateTournament, Register
from services.eventlog.requests import Request
from services.eventlog.writer import PartitionWriter
from tests.engine.courier import Aggregate, CardRoom
from tests.engine.floor import Floor
from tests.engine.table.random_tables import Chance
from tests.engine.tournament_workload import TournamentWorkload
from tests.engine.tournaments_varied import ANNOUNCED, announcement
from tests.engine.workload import TERMS, Workload, opening
from tests.services.eventlog.owners import names_of
from tests.services.eventlog.places import Place
from tests.services.eventlog.rooms import Room, now_ms
from tests.services.eventlog.virtual_time import NOON_MS

PLAYERS: Final = 4
REQUESTS: Final = 7
"""How often each player of the accounts asks for something."""
STEPS: Final = 25
"""How often each of those at a table does something."""
PEOPLE: Final = 3
"""So many go about at a table at once, each for several players."""
LOOKS_MAX: Final = 1000
"""Somebody who does not see what he looks for goes home after so many looks."""
WAIT_S: Final = 60.0
"""Nobody waits longer for his time."""
SENDER: Final = 9
"""The partition from which deliveries to accounts come, where there is no table."""

Story = Coroutine[Any, Any, None]


class Game(NamedTuple):
    """What is played in a room."""

    name: str
    pace: float
    """Of the trouble: the slower, the longer an owner stays."""
    players: Callable[[Room], Sequence[Story]]
    balanced: bool = True
    """Whether all money that comes was sent by somebody, so that the books must balance."""


# Accounts.


def accounts(room: Room) -> Sequence[Story]:
    """Return players who deposit and withdraw, and a courier who brings transfers from elsewhere."""
    players = [_holder(room, number, Random(f"{room.seed} player {number}")) for number in range(PLAYERS)]
    return [*players, _from_elsewhere(room, Random(f"{room.seed} deliveries"))]


async def _holder(room: Room, number: int, chance: Random) -> None:
    for turn in range(REQUESTS):
        together = [_of_account(f"{number}/{turn}/{each}", chance) for each in range(chance.choice((1, 2, 6)))]
        await room.ask_all(together, chance)
        await asyncio.sleep(chance.choice((0.0, 0.01, 0.1)))


def _of_account(name: str, chance: Random) -> Request:
    player = f"P{chance.randrange(2)}"
    kinds: tuple[Command, ...] = (
        OpenAccount(player),
        Deposit("USD", chance.randrange(1, 100), name),
        Deposit("USD", chance.randrange(1, 100), name),
        Withdraw("USD", chance.randrange(1, 200), name),
        Withdraw("USD", chance.randrange(1, 200), name),
        FreezeAccount("suspicion", name),
        UnfreezeAccount(name),
        UnfreezeAccount(name),
    )
    return Request(account_of(player), chance.choice(kinds), name, tell=names_of)


async def _from_elsewhere(room: Room, chance: Random) -> None:
    """Bring deliveries in their order, each until it is answered, and some again later."""
    done: list[Request] = []
    for sequence in range(1, REQUESTS):
        request = _delivery(sequence, chance)
        await room.ask(request, chance)
        done.append(request)
        if chance.random() < 0.3:
            await room.ask(chance.choice(done), chance)


def _delivery(sequence: int, chance: Random) -> Request:
    player, transfer = f"P{chance.randrange(2)}", f"transfer {sequence}"
    kinds: tuple[Command, ...] = (
        SendFunds(transfer, "USD", chance.randrange(1, 100), "account/nobody", "buy_in"),
        ReceiveFunds(player, transfer, "USD", chance.randrange(1, 100), "table/T1", "leaving"),
        ReceiveFunds("somebody else", transfer, "USD", 1, "table/T1", "leaving"),
        GiveBackProtection(transfer),
    )
    place = Delivery(SENDER, sequence, 0)
    return Request(account_of(player), chance.choice(kinds), transfer, delivery=place, tell=names_of)


# Tables.


class View(CardRoom):
    """A card room as some writer has it confirmed; what is asked there is only wished for."""

    def __init__(self) -> None:
        """See nothing, and wish for nothing."""
        super().__init__()
        self.writer: PartitionWriter | None = None
        self.wishes: list[tuple[str, Command]] = []

    def aggregate(self, address: str) -> Aggregate:
        """Return an aggregate, as it is seen."""
        seen = Aggregate(address)
        if self.writer is not None:
            seen.state = self.writer.confirmed(address).state
        return seen

    def ask(self, address: str, command: Command, deck: Deck | None = None) -> tuple[Event, ...]:
        """Wish for something."""
        assert deck is None or address.startswith("table/"), "only tables need a deck, and the dealer makes it"
        self.wishes.append((address, command))
        return ()

    def drain(self) -> None:
        """Bring nothing: that is the courier's work."""


class Guests:
    """Those who ask for what a floor wishes."""

    def __init__(self, room: Room, name: str, floor: Callable[[View, Chance], Floor]) -> None:
        """Begin with nothing asked."""
        self.room, self.name, self.chance = room, name, Random(f"{room.seed} {name}")
        self.view = View()
        self.floor = floor(self.view, Chance(self.chance.randint))
        self._asked = 0

    def looks(self, place: Place, address: str) -> bool:
        """Look at what a place has confirmed; say whether the aggregate is there."""
        self.view.writer, self.view.wishes = place.writer, []
        self.view.at_ms = NOON_MS + now_ms()
        return self.view.aggregate(address).state is not None

    async def ask(self) -> None:
        """Wait as long as was thought of, and ask for everything that was wished for."""
        await asyncio.sleep(min(WAIT_S, max(0, self.view.at_ms - NOON_MS - now_ms()) / 1000))
        wishes, self.view.wishes = self.view.wishes, []
        requests = [Request(*wish, self._name(), tell=names_of) for wish in wishes]
        if requests:
            await self.room.ask_all(requests, self.chance)

    def _name(self) -> str:
        self._asked += 1
        return f"{self.name}/{self._asked}"


async def _going_about(guests: Guests, address: str, step: Callable[[], None], steps: int) -> None:
    """Look at some place, do something, and ask for it, again and again."""
    for _ in range(LOOKS_MAX):
        if not steps or guests.room.halts:
            return
        if guests.looks(guests.chance.choice(guests.room.places), address):
            step()
            await guests.ask()
            steps -= 1
        await asyncio.sleep(guests.chance.choice((0.0, 0.05, 0.3)))


class Cash(Workload):
    """A cash table at work."""

    def __init__(self, view: View, dice: Chance) -> None:
        """Know who is there and the table; nothing is asked yet."""
        Floor.__init__(self, view, dice)
        self.players, self.tables, self.outages = [f"p{number}" for number in range(4)], ["T1"], 0

    def open(self, terms: int) -> None:
        """Open the table, and let everybody have an account."""
        self.ask("table/T1", opening("T1", terms))
        for player in self.players:
            self.ask(account_of(player), OpenAccount(player))

    def pay_in(self) -> None:
        """Let everybody bring money."""
        for player in self.players:
            self.ask(account_of(player), Deposit(self.table("T1").config.unit, self.dice.number(500, 3000), "bank"))

    def sit_down(self) -> None:
        """Let everybody ask for a seat."""
        for player in self.players:
            self.buy_in(player, "T1")


def cash(room: Room) -> Sequence[Story]:
    """Return people who play at a cash table."""
    return [_evening(room)]


async def _evening(room: Room) -> None:
    host = Guests(room, "host", Cash)
    floor = host.floor
    assert isinstance(floor, Cash)
    floor.open(Random(f"{room.seed} terms").randrange(len(TERMS)))
    await host.ask()
    await _going_about(host, "table/T1", floor.pay_in, 1)
    await _going_about(host, "table/T1", floor.sit_down, 2)
    people = [Guests(room, f"people {number}", Cash) for number in range(PEOPLE)]
    await asyncio.gather(*(_going_about(each, "table/T1", each.floor.step, STEPS) for each in people))  # type: ignore[attr-defined]


class Tourney(TournamentWorkload):
    """A tournament at work."""

    def __init__(self, view: View, dice: Chance) -> None:
        """Know who is there; nothing is asked yet."""
        Floor.__init__(self, view, dice)
        self.name, self.address, self.outages = "T", "tournament/T", 0
        self.players = [f"p{number}" for number in range(6)]
        self.called_off = lambda _state: dice.once_in(12)

    def step(self) -> None:
        """Do what the director does, or let something else happen."""
        if not self.dice.once_in(2) or not self.direct():
            super().step()

    def open(self, number: int) -> None:
        """Announce the tournament, and let everybody have an account."""
        self.ask(self.address, CreateTournament(self.name, announcement(number)))
        for player in (*self.players, HOUSE):
            self.ask(account_of(player), OpenAccount(player))

    def pay_in(self) -> None:
        """Let everybody bring money, and the house most."""
        for player in (*self.players, HOUSE):
            cents = 50_000 if player == HOUSE else 4000
            self.ask(account_of(player), Deposit(self.state.terms.unit, cents, "bank"))

    def enter(self) -> None:
        """Let everybody register."""
        for player in self.players:
            self.ask(self.address, Register(player))


def tournament(room: Room) -> Sequence[Story]:
    """Return people who play a tournament."""
    return [_tournament(room)]


async def _tournament(room: Room) -> None:
    host = Guests(room, "host", Tourney)
    floor = host.floor
    assert isinstance(floor, Tourney)
    floor.open(Random(f"{room.seed} terms").randrange(len(ANNOUNCED)))
    await host.ask()
    await _going_about(host, floor.address, floor.pay_in, 1)
    await _going_about(host, floor.address, floor.enter, 2)
    people = [Guests(room, f"people {number}", Tourney) for number in range(PEOPLE)]
    await asyncio.gather(*(_going_about(each, floor.address, each.floor.step, 2 * STEPS) for each in people))  # type: ignore[attr-defined]


GAMES: Final = (
    Game("accounts", 1.0, accounts, balanced=False),
    Game("cash table", 12.0, cash),
    Game("tournament", 12.0, tournament),
)
OFTEN: Final = (0, 0, 1, 1, 1, 2)


def game_of(seed: int) -> Game:
    """Return what is played in the room of a seed."""
    return GAMES[Random(f"{seed} game").choice(OFTEN)]
