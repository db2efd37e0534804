"""Cash tables, accounts and a tournament in one card room, and couriers that work badly: a state machine over all.

Each rule is something that somebody does: a player, the staff, the director, a courier, time. An auditor checks after
every event that the books are right (I4), every hand and pot (I5), every protection (I10), what is paid after a
cancellation (I11) and every transfer (I12). At the end everything is delivered, the tables close, the tournament comes
to its end, all money is in accounts, and who reads the log from its beginning has the same room.

    TOGETHER_EXAMPLES=3000 TOGETHER_STEPS=150 pytest tests/engine/test_everything_together.py        a campaign
    pytest tests/engine/test_everything_together.py --hypothesis-show-statistics                     what was met
"""

from __future__ import annotations

import os
from collections.abc import Callable

from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.ledger import CASH_DESK
from tests.engine import tournament_workload, workload
from tests.engine.auditor import Auditor
from tests.engine.courier import CardRoom, Fault
from tests.engine.sightings import SITUATIONS, Sightings
from tests.engine.table.random_tables import Chance
from tests.engine.tournament_workload import TournamentWorkload
from tests.engine.troubles import FAULTS, Dice
from tests.engine.workload import Workload

EXAMPLES = int(os.environ.get("TOGETHER_EXAMPLES", "70"))
STEPS = int(os.environ.get("TOGETHER_STEPS", "100"))
DATA = st.data()
MISHAPS: tuple[Fault, ...] = ("", *FAULTS)
WORTH_TELLING = (*SITUATIONS, "FundsRefused", "PlayerProtected", "HandVoided", "TournamentFinished", "RakeSwept")
AGAIN = 4
"""So many things at most are done in a row, so that a run gets somewhere."""


class EverythingTogether(RuleBasedStateMachine):
    """A card room in which anything may happen at any time."""

    @initialize(data=DATA, partitions=st.integers(1, 4), under_way=st.booleans())
    def open_room(self, data: st.DataObject, partitions: int, *, under_way: bool) -> None:
        """Open two or three cash tables, and announce a tournament to the same players or let it begin."""
        self.sound = False
        self.room = CardRoom(partitions)
        self.auditor = Auditor(self.room)
        Sightings(self.room)
        chance = drawn(data)
        self.cash, self.tournament = Workload(self.room, chance), TournamentWorkload(self.room, chance)
        if under_way:
            self.tournament.begin()
        self.sound = True

    def do(self, data: st.DataObject, activity: Callable[[], object]) -> None:
        """Let something happen; after a failure nothing is sound any more."""
        self.sound = False
        self.cash.dice = self.tournament.dice = drawn(data)
        activity()
        self.sound = True

    # Players, staff, the director.

    @rule(data=DATA, activity=st.sampled_from(workload.PLAYERS_DO), times=st.integers(1, AGAIN))
    def cash_players(self, data: st.DataObject, activity: workload.Activity, times: int) -> None:
        """Sit down, play, top up, go, lose the connection, come back."""
        for _ in range(times):
            self.do(data, lambda: activity(self.cash))

    @rule(data=DATA, activity=st.sampled_from(tournament_workload.PLAYERS_DO), times=st.integers(1, AGAIN))
    def tournament_players(self, data: st.DataObject, activity: tournament_workload.Activity, times: int) -> None:
        """Register, play, buy chips, lose the connection, come back."""
        for _ in range(times):
            self.do(data, lambda: activity(self.tournament))

    @rule(data=DATA, activity=st.sampled_from(workload.STAFF_DOES))
    def cash_staff(self, data: st.DataObject, activity: workload.Activity) -> None:
        """Pay in and out, freeze an account, halt and close tables, void a hand, sweep the rake."""
        self.do(data, lambda: activity(self.cash))

    @rule(data=DATA, activity=st.sampled_from(tournament_workload.STAFF_DOES))
    def tournament_staff(self, data: st.DataObject, activity: tournament_workload.Activity) -> None:
        """Pause, take somebody off a table, call everything off, approve a plan."""
        self.do(data, lambda: activity(self.tournament))

    @rule(data=DATA, times=st.integers(1, AGAIN))
    def director(self, data: st.DataObject, times: int) -> None:
        """Do what is due."""
        for _ in range(times):
            self.do(data, self.tournament.direct)

    # Couriers, and time.

    @rule(data=DATA, fault=st.sampled_from(MISHAPS))
    def deliver(self, data: st.DataObject, fault: Fault) -> None:
        """Let a courier try a delivery, with a fault or without."""
        ways = self.room.ways()
        if ways:
            courier, target = ways[data.draw(st.integers(0, len(ways) - 1))]
            self.do(data, lambda: courier.deliver(target, fault))

    @rule(data=DATA)
    def deliver_all(self, data: st.DataObject) -> None:
        """Let the couriers bring what they can."""
        self.do(data, self.room.drain)

    @rule(data=DATA)
    def come_again(self, data: st.DataObject) -> None:
        """Let a copy arrive that was late or doubled."""
        if self.room.in_the_air:
            number = data.draw(st.integers(0, len(self.room.in_the_air) - 1))
            self.do(data, lambda: self.room.arrive(number))

    @rule(data=DATA, times=st.integers(1, 4 * AGAIN))
    def run_on(self, data: st.DataObject, times: int) -> None:
        """Let a while pass in which the couriers do their work."""
        for _ in range(times):
            self.do(data, self.tournament.step)
            self.do(data, self.cash.step)
            self.do(data, self.room.drain)

    @rule(restart=st.booleans())
    def confirm(self, *, restart: bool) -> None:
        """Let the couriers write down how far they are; they may be restarted then."""
        for courier in self.room.couriers:
            courier.confirm()
            if restart:
                courier.restart()

    @rule(data=DATA)
    def cut_off(self, data: st.DataObject) -> None:
        """Make an aggregate unreachable, or all of them reachable again."""
        if self.room.unreachable:
            self.room.unreachable.clear()
        else:
            self.room.unreachable.add(data.draw(st.sampled_from(sorted(self.room.aggregates))))

    @rule(ms=st.sampled_from((1000, 20_000, 60_000, 120_000, 7_200_000)))
    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.room.at_ms += ms

    @invariant()
    def what_is_open_can_be_found(self) -> None:
        """I12: whatever has not ended waits for a courier, or for the answer to what one has brought."""
        if self.auditor.transfers.open and not self.room.in_the_air:
            assert self.room.ways(), f"I12: nobody brings {self.auditor.transfers.open}"

    def teardown(self) -> None:
        """Bring everything to its end, and look for what is left over."""
        if not getattr(self, "sound", False):
            return
        self.room.unreachable.clear()
        self.cash.dice = self.tournament.dice = Dice("the end")
        self.tournament.play_out()
        self.cash.go_home()
        self.room.drain()
        self.auditor.verify_settled()
        lines = {line for (line, _), amount in self.auditor.books.items() if amount}
        assert all(line == CASH_DESK or "funds" in line or "ticket issue/" in line for line in lines), lines
        for name in WORTH_TELLING:
            if self.room.tally[name]:
                event(name)


def drawn(data: st.DataObject) -> Chance:
    """Return chance that hypothesis decides."""
    return Chance(lambda least, most: data.draw(numbers(least, most)))


def numbers(least: int, most: int) -> st.SearchStrategy[int]:
    """Return whole numbers from `least` to `most`."""
    return st.integers(least, most)


EverythingTogether.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
TestEverythingTogether = EverythingTogether.TestCase
