"""A tournament alone, for given-when-then: the test plays accounts and tables.

    desk = started(18, seats=9)                      two tables, all entries in, the first hands are allowed
    desk.hand(1, lost={3: 5})                        table 1 ends a hand: entry 3 lost all its chips to entry 5
    desk.direct()                                    the director does what is due
    assert desk.entry(3).status == "out"

What accounts and tables say is made up in the form in which couriers bring it. After each step, the events alone must
give the same tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

import pytest

from engine.errors import Rejected
from engine.poker.seats import clockwise, seat_set
from engine.table.hand_events import KnockOut
from engine.tournament import commands
from engine.tournament.commands import TournamentCommand
from engine.tournament.decide import decide, execute
from engine.tournament.director import due, wakes_at_ms
from engine.tournament.events import TournamentEvent
from engine.tournament.evolve import replay
from engine.tournament.state import Entry, open_tables, table_of
from engine.tournament.terms import Terms
from tests.engine.tournament.announcements import terms

E = TypeVar("E")
SEED = bytes(range(32))
OF_DIRECTOR: tuple[TournamentCommand, ...] = (
    commands.StartTournament(SEED),
    commands.OpenTable(),
    commands.BeginPlay(),
    commands.Arrange(SEED),
    commands.AdvanceLevel(),
    commands.SettleBusts(),
    commands.FixPrizes(),
    commands.PayPrizes(),
    commands.FinishTournament(),
    commands.PlanCancellation(),
    commands.PayRefunds(),
)
"""What a director commands, one of each."""


class Desk:
    """A tournament and its history."""

    def __init__(self, announced: Terms, name: str = "T") -> None:
        """Set it up."""
        self.at_ms, self.number = 0, 0
        self.log: list[TournamentEvent] = []
        self.events, self.state = execute(None, commands.CreateTournament(name, announced), 0)
        self.log += self.events

    def do(self, *orders: TournamentCommand) -> Self:
        """Carry commands out."""
        for command in orders:
            before = self.state
            self.events, self.state = execute(before, command, self.at_ms)
            assert replay(self.events, self.at_ms, before) == self.state, "decide and evolve agree"
            self.log += self.events
        return self

    def refuses(self, command: TournamentCommand, reason: str) -> Rejected:
        """Check that a command is refused for this reason, and return the refusal."""
        with pytest.raises(Rejected) as caught:
            decide(self.state, command, self.at_ms)
        assert caught.value.reason == reason
        return caught.value

    def wait(self, *, seconds: float = 0, ms: int = 0) -> Self:
        """Let time pass."""
        self.at_ms += int(1000 * seconds) + ms
        return self

    def seed(self) -> bytes:
        """Return fresh chance, the same in each run."""
        self.number += 1
        return self.number.to_bytes(32)

    def direct(self) -> Self:
        """Do all that is due now."""
        while (command := due(self.state, self.at_ms, self.seed())) is not None:
            self.do(command)
        return self

    def sleep(self) -> Self:
        """Wait until time makes something due, and do it."""
        wakes = wakes_at_ms(self.state)
        assert wakes is not None, "nothing becomes due by time alone"
        self.at_ms = max(self.at_ms, wakes)
        return self.direct()

    # Accounts.

    def pay(self, number: int = -1) -> Self:
        """Let the money arrive that was asked for: by default what was asked for last."""
        payment = self.state.payments[number]
        player = self.entry(payment.entry).player
        return self.do(commands.AcceptFunds(player, payment.transfer_id, payment.unit, payment.amount))

    def refuse(self, number: int = -1) -> Self:
        """Let an account refuse to pay."""
        payment = self.state.payments[number]
        return self.do(commands.RefuseFunds(self.entry(payment.entry).player, payment.transfer_id))

    def enter(self, *players: str) -> Self:
        """Register players, who pay at once."""
        for player in players:
            self.do(commands.Register(player))
            if self.state.payments:
                self.pay()
        return self

    # Tables.

    def at(self, table: int) -> list[Entry]:
        """Return who sits at a table, by seat."""
        there = [entry for entry in self.state.entries if entry.table == table and entry.status == "seated"]
        return sorted(there, key=lambda entry: entry.seat)

    def hand(self, table: int, lost: Mapping[int, int | Sequence[int]] | None = None, *, voided: bool = False) -> Self:
        """Let a table end a hand, in which some entries lost all their chips to others (one, or equal shares)."""
        there, lost = self.at(table), lost or {}
        after = {entry.number: entry.chips for entry in there}
        knock_outs: list[KnockOut] = []
        for loser, to in lost.items():
            winners = (to,) if isinstance(to, int) else tuple(to)
            for winner in winners:
                after[winner] += self.entry(loser).chips // len(winners)
            after[winners[0]] += self.entry(loser).chips % len(winners)
            after[loser] = 0
            knock_outs.append(KnockOut(loser, winners))
        places = clockwise(seat_set([entry.seat for entry in there]), table_of(self.state, table).button)
        button, small_blind, big_blind = (places * 3)[:3]
        numbers = tuple([entry.number for entry in there])
        stacks = tuple([entry.chips for entry in there])
        hand = table_of(self.state, table).hands + 1
        return self.do(
            commands.RecordHand(
                table=table,
                number=hand,
                button=button,
                small_blind=small_blind,
                big_blind=big_blind,
                entries=numbers,
                stacks=stacks,
                stacks_after=tuple([after[number] for number in numbers]),
                knock_outs=tuple(knock_outs),
                voided=voided,
            )
        )

    def bust(self, table: int, count: int) -> Self:
        """Let a table end a hand in which the last `count` players there lose everything to the first one."""
        first, *others = [entry.number for entry in self.at(table)]
        return self.hand(table, dict.fromkeys(others[len(others) - count :], first))

    def arrive(self, number: int) -> Self:
        """Let a moving entry leave its table with its chips."""
        entry = self.entry(number)
        about = (number, entry.table, entry.chips, f"move-{number}-{len(self.log)}")
        return self.do(commands.ReceiveEntry(*about, "moved", entry.luggage))

    def freeze(self, *tables: int) -> Self:
        """Let tables report their stacks to a tournament that is called off; all of them if none is named."""
        for table in tables or [table.number for table in self.state.tables if table.open]:
            there = self.at(table)
            stacks = tuple([entry.chips for entry in there])
            self.do(commands.RecordStacks(table, tuple([entry.number for entry in there]), stacks))
        return self

    # What is there.

    def entry(self, number: int) -> Entry:
        """Return an entry."""
        return self.state.entries[number - 1]

    def entry_of(self, player: str) -> Entry:
        """Return the last entry of a player."""
        return [entry for entry in self.state.entries if entry.player == player][-1]

    def sizes(self) -> list[int]:
        """Return how many sit, or are on their way, at each open table."""
        return [table.taken.bit_count() for table in open_tables(self.state)]

    def playing(self) -> list[int]:
        """Return the tables that may deal a hand."""
        return [table.number for table in open_tables(self.state) if not table.idle]

    def said(self, kind: type[E]) -> list[E]:
        """Return all events of a kind, from the beginning."""
        return [event for event in self.log if isinstance(event, kind)]


def registering(entries: int = 0, house: str = "modern", **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament with p1, p2, … in; the announcement says one entry more than that, unless told."""
    changes.setdefault("entries_max", max(2, entries + 1))
    return Desk(terms(house, **changes)).enter(*[f"p{number}" for number in range(1, entries + 1)])


def started(entries: int, house: str = "modern", **changes: Any) -> Desk:  # noqa: ANN401 - fields of Terms.
    """Return a tournament of p1, p2, … with all tables open and the first hands allowed."""
    changes.setdefault("entries_max", entries)
    desk = Desk(terms(house, **changes)).enter(*[f"p{number}" for number in range(1, entries + 1)])
    return desk.direct()
