"""What players, cashiers and operators of a card room do in a random run.

A `Workload` opens tables and accounts and lets one thing happen at each step: money comes in or goes out, somebody buys
in, tops up, leaves, is lost or comes back, a hand goes on, a table is halted, its hand voided, the table closed. Many
commands are refused, and that is welcome.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from engine.account import commands as account
from engine.origin import account_of
from engine.table import commands
from engine.table.commands import CreateTable
from engine.table.state import Table
from tests.engine.courier import CardRoom
from tests.engine.floor import Floor
from tests.engine.table.disturbances import back_to_work
from tests.engine.table.game import open_table
from tests.engine.table.random_tables import Chance

MINUTE_MS = 60_000
ROUNDS_MAX = 1000
"""More than it takes to play all hands to their end."""
PROTECTED = {"protection.disconnect_policy": "all_in"}
TERMS: tuple[dict[str, Any], ...] = (
    {"house": "modern", "rules": PROTECTED},
    {"house": "akpoker", "rules": {"protection.trigger": "at_once", "rake.bps": 500}},
    {"house": "pacific", "limit": "fixed_limit", "blinds": None, "bets": (10, 20)},
    {"house": "modern", "rules": {**PROTECTED, "protection.count_per": "outage"}, "unit": "USD/play"},
    {"house": "akpoker", "unit": "EUR"},
)
"""The tables that a run may have."""


@cache
def opening(table_id: str, number: int) -> CreateTable:
    """Return the command that opens a table of these terms."""
    terms = {"blinds": (5, 10), "seats": 4, **TERMS[number]}
    table = open_table(**terms).table
    config = table.config
    named = (table_id, "Test", config.kind, config.unit, config.seats, config.rulebook, table.terms.stakes)
    return CreateTable(*named)


class Workload(Floor):
    """A card room at work."""

    def __init__(self, room: CardRoom, dice: Chance) -> None:
        """Open two or three tables and six accounts, and let everybody ask for a seat."""
        super().__init__(room, dice)
        self.players = [f"p{number}" for number in range(6)]
        self.tables = [f"T{number}" for number in range(dice.pick((2, 2, 3)))]
        self.outages = 0
        for table_id in self.tables:
            self.ask(f"table/{table_id}", opening(table_id, dice.number(0, len(TERMS) - 1)))
        for player in self.players:
            self.ask(account_of(player), account.OpenAccount(player))
            for unit in sorted({self.table(table_id).config.unit for table_id in self.tables}):
                self.ask(account_of(player), account.Deposit(unit, dice.number(1, 3000), "bank"))
            self.buy_in(player, dice.pick(self.tables))

    def step(self) -> None:
        """Let a little time pass and something happen."""
        self.room.at_ms += self.dice.pick((0, 100, 1000, 10_000))
        self.dice.pick(ACTIVITIES)(self)

    def table(self, table_id: str = "") -> Table:
        """Return a table, any without an id."""
        return self.room.table(table_id or self.dice.pick(self.tables))

    def somebody(self, table: Table) -> str:
        """Return somebody who sits at a table; where nobody does, somebody else."""
        seated = [occupant.player for occupant in table.seats if occupant is not None]
        return self.dice.pick(seated or self.players)

    def buy_in(self, player: str, table_id: str) -> None:
        """Let a player ask for a seat with what the table takes, or with what he left it with."""
        table = self.table(table_id)
        least, most = table.config.buyin_min, table.config.buyin_max or 3 * table.config.buyin_min
        left_with = [departure.amount for departure in table.desk.departures if departure.player == player]
        amounts = [least, most, self.dice.number(least, most), *left_with, *(amount - 1 for amount in left_with)]
        free = [seat for seat, occupant in enumerate(table.seats) if occupant is None]
        seat = self.dice.pick(free or [0])
        if self.dice.once_in(2):
            self.ask_table(table, commands.HoldSeat(player, seat, 30_000))
        self.ask_table(table, commands.ReserveSeat(player, seat, self.dice.pick(amounts)))

    # The end.

    def go_home(self) -> None:
        """Close all tables and play what is in progress to its end; without troubles that ends."""
        for table_id in self.tables:
            self.ask(f"table/{table_id}", commands.CloseTable())
        for _ in range(ROUNDS_MAX):
            self.room.drain()
            closing = [id_ for id_ in self.tables if self.table(id_).desk.status != "closed"]
            if not closing:
                return
            for table_id in closing:
                for command in back_to_work(self.table(table_id)):
                    self.ask(f"table/{table_id}", command)
                self.play(self.table(table_id))
        message = "a table does not close"
        raise AssertionError(message)


# What may happen, beside play.


def _play(work: Workload) -> None:
    table = work.table()
    for _ in range(work.dice.number(1, 6)):
        work.play(work.table(table.config.table_id))


def _cashier(work: Workload) -> None:
    player, unit, amount = work.dice.pick(work.players), work.table().config.unit, work.dice.number(1, 1500)
    money = account.Withdraw if work.dice.once_in(2) else account.Deposit
    work.ask(account_of(player), money(unit, amount, "bank"))


def _freeze(work: Workload) -> None:
    address = account_of(work.dice.pick(work.players))
    freeze = work.dice.once_in(3)
    work.ask(address, account.FreezeAccount("alarm", "ann") if freeze else account.UnfreezeAccount("ann"))


def _privilege(work: Workload) -> None:
    address = account_of(work.dice.pick(work.players))
    restore = not work.dice.once_in(4)
    work.ask(address, (account.RestoreProtections if restore else account.RevokeProtections)("ann", "misuse"))


def _buy_in(work: Workload) -> None:
    work.buy_in(work.dice.pick([*work.players, "stranger"]), work.dice.pick(work.tables))


def _hold(work: Workload) -> None:
    seat = work.dice.number(0, 3)
    work.ask_table(work.table(), commands.HoldSeat(work.dice.pick(work.players), seat, 30_000))


def _release(work: Workload) -> None:
    """Let a player leave the buy-in dialog, or its time be over; of a seat whose money was asked for: in vain."""
    work.ask_table(work.table(), commands.ReleaseSeat(work.dice.pick(work.players)))


def _top_up(work: Workload) -> None:
    table = work.table()
    work.ask_table(table, commands.RequestTopUp(work.somebody(table), work.dice.number(1, 900)))


def _leave(work: Workload) -> None:
    table = work.table()
    player = work.somebody(table)
    work.ask_table(table, commands.Leave(player) if work.dice.once_in(2) else commands.RemovePlayer(player, "removed"))


def _sit_out(work: Workload) -> None:
    table = work.table()
    work.ask_table(table, commands.SitOut(work.somebody(table), "now"))


def _lose(work: Workload) -> None:
    """Let a player lose his connection to every table; a turn that waits for him runs out."""
    player = work.somebody(work.table())
    work.outages += 1
    for table_id in work.tables:
        lost = commands.LoseConnection(player, f"outage {work.outages}", work.dice.once_in(8))
        if work.ask(f"table/{table_id}", lost) and work.dice.once_in(2):
            work.time_out(work.table(table_id))


def _restore(work: Workload) -> None:
    player = work.dice.pick(work.players)
    for table_id in work.tables:
        work.ask(f"table/{table_id}", commands.RestoreConnection(player))


def _halt(work: Workload) -> None:
    work.ask_table(work.table(), commands.HaltTable("a fault"))


def _resume(work: Workload) -> None:
    table = work.table()
    for command in back_to_work(table):
        work.ask_table(table, command)


def _void(work: Workload) -> None:
    """Void a hand, preferably one that waits for an account or for a show."""
    hands = [(table, table.hand) for table in map(work.table, work.tables) if table.hand is not None]
    waiting = [(table, hand) for table, hand in hands if hand.lost.waiting or hand.settlement.asked >= 0]
    for table, hand in (waiting or hands)[:1]:
        work.ask_table(table, commands.VoidHand(hand.setup.hand_id, "a fault", "ann"))


def _close(work: Workload) -> None:
    if work.dice.once_in(4):
        work.ask_table(work.table(), commands.CloseTable())


def _sweep(work: Workload) -> None:
    work.ask_table(work.table(), commands.SweepRake())


def _wait(work: Workload) -> None:
    work.room.at_ms += work.dice.pick((1, 20, 119, 121, 4000)) * MINUTE_MS


Activity: TypeAlias = Callable[[Workload], None]
ACTIVITIES: tuple[Activity, ...] = (
    *(_play,) * 24,
    *(_buy_in, _lose) * 3,
    *(_cashier, _top_up, _leave, _restore, _resume, _freeze, _release, _void) * 2,
    *(_privilege, _hold, _sit_out, _halt, _close, _sweep, _wait),
)

PLAYERS_DO: tuple[Activity, ...] = (_play, _buy_in, _lose, _play, _restore, _top_up, _leave, _hold, _release, _sit_out)
STAFF_DOES: tuple[Activity, ...] = (_resume, _cashier, _freeze, _void, _halt, _privilege, _sweep, _close)
