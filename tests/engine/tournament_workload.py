"""What players, operators and the director of a tournament do in a random run.

A `TournamentWorkload` announces a tournament to players of whom some are poor, and a house that may be poor too. One
thing happens at each step: somebody registers, withdraws, plays, buys chips, is lost or taken off his table; a table is
halted, its hand voided; accounts are frozen; the director does what is due, often late; and in half of the runs
everything is called off at a bad moment. Many commands are refused, and that is welcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from engine.account import commands as account
from engine.account.state import Account
from engine.origin import HOUSE, account_of
from engine.table import commands as table_commands
from engine.table.state import Table
from engine.tournament import commands
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.state import Tournament
from tests.engine.bad_moments import CALLED_OFF
from tests.engine.courier import CardRoom
from tests.engine.floor import Floor
from tests.engine.table.random_tables import Chance
from tests.engine.tournament.desk import OF_DIRECTOR
from tests.engine.tournament.random_tourney import may_deal
from tests.engine.tournaments_varied import ANNOUNCED, announcement

MINUTE_MS = 60_000
ROUNDS_MAX = 3000
"""More than it takes to play a tournament to its end."""
SEED_MAX = 1 << 62


class TournamentWorkload(Floor):
    """A tournament at work."""

    def __init__(self, room: CardRoom, dice: Chance, name: str = "T") -> None:
        """Open the accounts of ten players, announce a tournament, and let most of them register."""
        super().__init__(room, dice)
        self.name, self.address = name, f"tournament/{name}"
        self.players = [f"p{number}" for number in range(10)]
        self.outages = 0
        self.called_off = dice.pick(CALLED_OFF)
        announced = announcement(dice.number(0, len(ANNOUNCED) - 1))
        for player in self.players:
            self.give(player, announced.unit, dice.pick((5000, dice.number(1, 3000))))
            if announced.ticket is not None and dice.once_in(2):
                self.give(player, announced.ticket.form, announced.ticket.value)
        self.give(HOUSE, announced.unit, dice.pick((50_000, 50_000, dice.number(1, 10_000))))
        self.ask(self.address, commands.CreateTournament(name, announced))
        self.room.drain()
        for player in self.players:
            self.do(commands.Register(player, with_ticket=dice.once_in(3)))

    @property
    def state(self) -> Tournament:
        """The tournament now."""
        return self.room.tournament(self.name)

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state.phase in {"finished", "cancelled"}

    def step(self) -> None:
        """Let a little time pass and something happen."""
        self.room.at_ms += self.dice.pick((0, 100, 1000, 4000))
        self.dice.pick(ACTIVITIES)(self)
        if self.dice.once_in(4):
            _call_off(self)

    def do(self, command: commands.TournamentCommand) -> bool:
        """Ask the tournament for something, and say whether it was done."""
        return self.ask(self.address, command)

    def give(self, player: str, unit: str, amount: int) -> None:
        """Give a player money or a ticket from outside."""
        if self.room.aggregate(account_of(player)).state is None:
            self.ask(account_of(player), account.OpenAccount(player))
        self.ask(account_of(player), account.Deposit(unit, amount, "bank"))

    def tables(self) -> list[Table]:
        """Return the tables that exist and are not closed."""
        numbers = [table.number for table in self.state.tables]
        states = [self.room.aggregate(f"table/{self.name}-{number}").state for number in numbers]
        return [state for state in states if isinstance(state, Table) and state.desk.status != "closed"]

    def somebody(self) -> str:
        """Return a player, most often one who is in."""
        players = [entry.player for entry in self.state.entries if entry.status not in {"out", "gone"}]
        return self.dice.pick(self.players if not players or self.dice.once_in(4) else players)

    def play_on(self, table: Table) -> None:
        """Let the hand at a table go on, or the next one start if the director lets it."""
        now = self.room.table(table.config.table_id)
        if now.hand is not None or may_deal(now):
            self.play(now)

    def direct(self) -> bool:
        """Do what is due next, and say whether there was anything."""
        command = due(self.state, self.room.at_ms, self.dice.number(0, SEED_MAX).to_bytes(32))
        if command is not None:
            self.room.ask(self.address, command)
        return command is not None

    def approve(self, by: str) -> None:
        """Let a person approve the plan of the cancellation."""
        calling_off = self.state.calling_off
        if calling_off is not None:
            self.do(commands.ApproveCancellation(calling_off.plan_hash, by))

    def begin(self) -> None:
        """Let all be in who find a place, and the first hands be allowed."""
        for player in self.players:
            self.give(player, self.state.terms.unit, self.state.terms.price + 1)
            self.do(commands.Register(player))
        self.room.drain()
        self.room.at_ms += MINUTE_MS
        self._direct_all()

    def _direct_all(self) -> None:
        while self.direct():
            self.room.drain()

    # The end.

    def play_out(self) -> None:
        """Bring the tournament to its end; without troubles, and with a house that can pay, it comes to one."""
        self._restore_order()
        for _ in range(ROUNDS_MAX):
            self.room.drain()
            self._direct_all()
            if self.is_over:
                return
            self._help()
            for table in self.tables():
                self.play_on(table)
            self._wake()
        message = f"the tournament does not end: {self.state}"
        raise AssertionError(message)

    def _restore_order(self) -> None:
        """Let all accounts pay, and call off what nobody can start any more."""
        for player in [*self.players, HOUSE]:
            self.ask(account_of(player), account.UnfreezeAccount("ann"))
        self.give(HOUSE, self.state.terms.unit, 100_000)
        self.room.drain()
        self.do(commands.RequestOverlay())
        self.room.drain()
        if self.state.phase == "registering" and self.state.terms.starts_at_ms is None:
            self.do(commands.CancelTournament("too few have come", "ann"))

    def _help(self) -> None:
        """Do what only people do: resume, approve, ask the house again."""
        self.do(commands.ResumeTournament("ann"))
        self.approve("ann")
        self.approve("bob")
        self.do(commands.RequestCover())
        for table in self.tables():
            if not self.state.calling_off and table.desk.halted:
                self.ask_table(table, table_commands.ResumeTable("ann"))

    def _wake(self) -> None:
        """Let time pass as it does while hands are played, or up to what waits for time alone."""
        wakes = wakes_at_ms(self.state)
        playing = any(table.hand is not None for table in self.tables())
        self.room.at_ms = max(self.room.at_ms + 500, wakes if wakes is not None and not playing else 0)


# What may happen.


def _play(work: TournamentWorkload) -> None:
    tables = work.tables()
    if not tables:
        return
    table = work.dice.pick(tables)
    for _ in range(work.dice.number(1, 8)):
        work.play_on(table)


def _direct(work: TournamentWorkload) -> None:
    for _ in range(work.dice.number(1, 4)):
        work.direct()


def _direct_late(work: TournamentWorkload) -> None:
    """Give a command of the director that was due once, perhaps, and mostly is not now: it does no harm."""
    work.do(work.dice.pick(OF_DIRECTOR))


def _register(work: TournamentWorkload) -> None:
    out = [entry.player for entry in work.state.entries if entry.status == "out"]
    player = work.dice.pick(out if out and work.dice.once_in(2) else [*work.players, "stranger"])
    work.do(commands.Register(player, with_ticket=work.dice.once_in(3)))


def _unregister(work: TournamentWorkload) -> None:
    work.do(commands.Unregister(work.somebody()))


def _buy(work: TournamentWorkload) -> None:
    player = work.somebody()
    busted = [entry.player for entry in work.state.entries if entry.status == "busted"]
    if busted:
        player = work.dice.pick(busted)
    bought = work.do(commands.Rebuy(player)) or work.do(commands.AddOn(player))
    if not bought and work.dice.once_in(3):
        work.do(commands.DeclineRebuy(player))


def _cashier(work: TournamentWorkload) -> None:
    unit, amount = work.state.terms.unit, work.dice.number(1, 3000)
    money = account.Withdraw if work.dice.once_in(2) else account.Deposit
    work.ask(account_of(work.dice.pick([*work.players, HOUSE])), money(unit, amount, "bank"))


def _freeze(work: TournamentWorkload) -> None:
    address = account_of(work.dice.pick([*work.players, HOUSE, HOUSE]))
    state = work.room.aggregate(address).state
    frozen = isinstance(state, Account) and state.frozen
    work.ask(address, account.UnfreezeAccount("ann") if frozen else account.FreezeAccount("alarm", "ann"))


def _disturb_table(work: TournamentWorkload) -> None:
    """Let the staff do something to a table, or a player ask it for what he may not have here."""
    tables = work.tables()
    if not tables:
        return
    table = work.dice.pick(tables)
    asked = work.dice.pick(TROUBLES)(work, table)
    if asked is not None:
        work.ask_table(table, asked)


def _halt(_work: TournamentWorkload, _table: Table) -> table_commands.TableCommand:
    return table_commands.HaltTable("a fault")


def _resume(work: TournamentWorkload, table: Table) -> table_commands.TableCommand | None:
    """Put a table back into service, but not one that stands still because everything is called off."""
    return table_commands.ResumeTable("ann") if table.desk.halted and work.state.calling_off is None else None


def _void(_work: TournamentWorkload, table: Table) -> table_commands.TableCommand | None:
    return None if table.hand is None else table_commands.VoidHand(table.hand.setup.hand_id, "a fault", "ann")


def _take_off(work: TournamentWorkload, table: Table) -> table_commands.TableCommand | None:
    """Take somebody off a table for good, or as if the director had ordered him to another one."""
    seated = [occupant.player for occupant in table.seats if occupant is not None]
    cause = work.dice.pick(REMOVALS)
    return table_commands.RemovePlayer(work.dice.pick(seated), cause) if seated and work.dice.once_in(2) else None


def _sit_out(work: TournamentWorkload, _table: Table) -> table_commands.TableCommand:
    return table_commands.SitOut(work.somebody(), "now")


def _close(work: TournamentWorkload, _table: Table) -> table_commands.TableCommand | None:
    return table_commands.CloseTable() if work.dice.once_in(3) else None


def _mistake(work: TournamentWorkload, _table: Table) -> table_commands.TableCommand:
    return work.dice.pick(as_at_a_cash_table(work.somebody(), work.dice.number(0, 3)))


def as_at_a_cash_table(player: str, seat: int) -> list[table_commands.TableCommand]:
    """Return what a player may ask of a cash table only."""
    return [
        table_commands.HoldSeat(player, seat, 30_000),
        table_commands.ReserveSeat(player, seat, 400),
        table_commands.RequestTopUp(player, 400),
        table_commands.Leave(player),
    ]


def _lose(work: TournamentWorkload) -> None:
    player = work.somebody()
    work.outages += 1
    for table in work.tables():
        lost = table_commands.LoseConnection(player, f"outage {work.outages}", work.dice.once_in(8))
        if work.ask_table(table, lost) and work.dice.once_in(2):
            work.time_out(work.room.table(table.config.table_id))


def _restore(work: TournamentWorkload) -> None:
    player = work.somebody()
    for table in work.tables():
        work.ask_table(table, table_commands.RestoreConnection(player))


def _pause(work: TournamentWorkload) -> None:
    if work.dice.once_in(4):
        work.do(commands.PauseTournament("a drill", "ann"))
    elif work.dice.once_in(6):
        since_ms = max(0, work.room.at_ms - 5 * MINUTE_MS)
        work.do(commands.ReportDisconnected(len(work.state.entries), since_ms))
    else:
        work.do(commands.ResumeTournament("ann"))


def _call_off(work: TournamentWorkload) -> None:
    """Call the tournament off, where its time has come."""
    if work.called_off(work.state):
        work.do(commands.CancelTournament("a fault", "ann"))


def _approve(work: TournamentWorkload) -> None:
    work.approve(work.dice.pick(("ann", "bob", "eve")))


def _ask_house(work: TournamentWorkload) -> None:
    work.do(commands.RequestOverlay())
    work.do(commands.RequestCover())


def _wait(work: TournamentWorkload) -> None:
    work.room.at_ms += work.dice.pick((1, 1, 2)) * MINUTE_MS


Trouble: TypeAlias = Callable[[TournamentWorkload, Table], table_commands.TableCommand | None]
TROUBLES: tuple[Trouble, ...] = (_resume, _resume, _resume, _halt, _void, _take_off, _sit_out, _close, _mistake)
REMOVALS: tuple[Literal["removed", "moved"], ...] = ("removed", "removed", "removed", "moved")

Activity: TypeAlias = Callable[[TournamentWorkload], None]
ACTIVITIES: tuple[Activity, ...] = (
    *(_play,) * 24,
    *(_direct,) * 12,
    *(_register, _buy) * 3,
    *(_disturb_table, _direct_late) * 4,
    *(_cashier, _freeze, _lose, _restore, _approve) * 2,
    *(_unregister, _pause, _ask_house, _wait),
)

PLAYERS_DO: tuple[Activity, ...] = (_play, _register, _buy, _play, _lose, _restore, _unregister)
STAFF_DOES: tuple[Activity, ...] = (_disturb_table, _approve, _cashier, _freeze, _pause, _ask_house, _call_off)
