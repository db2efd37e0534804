"""An auditor: hears every event of a card room and holds what he was told against what the aggregates are.

After each event he checks that its postings sum to zero, that the lines of the books are the balances of the aggregates
and none is below zero (I4), and that deposits less withdrawals are what is there: accounts, in transit, stacks, pots
and rake (P3). The last he adds up without the books. He follows each transfer (I12) and each protection (I10). Once all
is delivered he looks for what is left over (`verify_settled`).
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from engine.account import events as account
from engine.account.quota import use_of
from engine.account.state import Account
from engine.inbox import noted
from engine.ledger import CASH_DESK, funds_of, postings
from engine.origin import Origin, name_of
from engine.poker.money import Chips
from engine.reactions import reactions
from engine.table import events as table
from engine.table.state import Table
from tests.engine.courier import Aggregate, CardRoom, Event
from tests.engine.table.bookkeeper import chips_in
from tests.engine.transfers_followed import TransfersFollowed

Line: TypeAlias = tuple[str, str]
"""Its name and its unit."""


class Auditor:
    """What was heard in a room, and what must hold."""

    def __init__(self, room: CardRoom) -> None:
        """Begin with a room in which nothing has happened."""
        self.room = room
        self.books: Counter[Line] = Counter()
        self.paid_in: Counter[str] = Counter()
        """Deposits less withdrawals, by unit."""
        self.held: dict[str, dict[Line, Chips]] = {}
        """The money of each aggregate, as its state has it."""
        self.transfers = TransfersFollowed()
        self.versions: Counter[str] = Counter()
        self.protected: Counter[tuple[str, str]] = Counter()
        """How often a player is protected in a hand, according to his account."""
        self.voided: set[tuple[str, str]] = set()
        """Players and hands in which their protection was given back."""
        room.witnesses.append(self.hear)

    def hear(self, origin: Origin, event: Event) -> None:
        """Check everything after an event."""
        self.versions[origin.aggregate] += 1
        assert origin.version == self.versions[origin.aggregate], "I3: versions are gap-free"
        aggregate = self.room.aggregate(origin.aggregate)
        self.transfers.hear(origin, event)
        self._hear_of_protection(origin, event)
        self._verify_postings(origin, event)
        self._verify_lines(aggregate)
        self._verify_identity(event)
        if isinstance(aggregate.state, Table):
            reserved = {reservation.transfer_id for reservation in aggregate.state.desk.reservations}
            assert reserved == self.transfers.waited_for(origin.aggregate), "a reservation ends with its answer"

    # Money (I4, P3).

    def _verify_postings(self, origin: Origin, event: Event) -> None:
        entries = postings(origin, event)
        for entry in entries:
            self.books[entry.line, entry.unit] += entry.amount
        for unit in {entry.unit for entry in entries}:
            assert sum(entry.amount for entry in entries if entry.unit == unit) == 0, f"I4: {event} does not balance"
        below = {entry.line for entry in entries if self.books[entry.line, entry.unit] < 0} - {CASH_DESK}
        assert not below, f"I4: below zero after {event}: {below}"

    def _verify_lines(self, aggregate: Aggregate) -> None:
        lines = lines_of(aggregate, self.transfers.passing[aggregate.address])
        for line in self.held.get(aggregate.address, {}) | lines:
            now = lines.get(line, 0)
            assert self.books[line] == now >= 0, f"I4: {line} holds {now}, the books say {self.books[line]}"
        self.held[aggregate.address] = lines

    def _verify_identity(self, event: Event) -> None:
        match event:
            case account.FundsDeposited():
                self.paid_in[event.unit] += event.amount
            case account.FundsWithdrawn():
                self.paid_in[event.unit] -= event.amount
            case _:
                pass
        there: Counter[str] = Counter()
        for lines in self.held.values():
            for (_, unit), amount in lines.items():
                there[unit] += amount
        for transfer in self.transfers.under_way():
            there[transfer.unit] += transfer.amount
        for unit in {*there, *self.paid_in}:
            came, found = self.paid_in[unit], there[unit]
            assert came == found, f"P3: {came} {unit} came in, {found} is there after {event}"

    # Protections (I10).

    def _hear_of_protection(self, origin: Origin, event: Event) -> None:
        name = name_of(origin.aggregate)
        match event:
            case account.ProtectionUsed(hand_id=hand_id):
                self.protected[name, hand_id] += 1
                assert self.protected[name, hand_id] == 1, "I10: once in a hand"
                assert event.remaining >= 0, "I10: no more uses than there are"
            case account.ProtectionGivenBack(hand_id=hand_id):
                self.protected[name, hand_id] -= 1
            case table.PlayerProtected(seat=seat, counted=True):
                state = self.room.table(name)
                player, hand = state.seats[seat], state.hand
                assert player is not None
                assert hand is not None
                assert self.protected[player.player, hand.setup.hand_id] == 1, "I10: the account has granted it"
            case table.HandVoided(hand_id=hand_id, protected=players, rake=rake):
                self.room.tally["rake of a void hand"] += rake > 0
                self.voided |= {(player, hand_id) for player in players}
            case _:
                pass

    # When everything is delivered.

    def verify_settled(self) -> None:
        """Check that nothing is left over, that each delivery took effect once, and that a replay agrees."""
        assert not self.transfers.open, f"I12: not resolved: {self.transfers.open}"
        assert not any(self.transfers.passing.values()), "nothing stands between two places"
        self._verify_protections_given_back()
        self._verify_deliveries()
        self._verify_replay()

    def _verify_protections_given_back(self) -> None:
        """I10: what a void hand has cost is given back, whether it was voided before the answer or after it."""
        for player, hand_id in self.voided:
            assert not self.protected[player, hand_id], f"I10: {hand_id} was voided, {player} is protected in it"
            state = self.room.aggregate(f"account/{player}").state
            assert not (isinstance(state, Account) and _on_record(state, hand_id)), "I10: the use is gone"

    def _verify_deliveries(self) -> None:
        """I2, I12: each reaction to each event has been carried out once, under its own id."""
        records = [record for log in self.room.logs for record in log]
        done = Counter((record.aggregate, record.command_id) for record in records)
        assert not done or max(done.values()) == 1, "I2: no command id has two effects"
        wanted = {
            (reaction.target, reaction.command_id)
            for record in records
            for place, event in enumerate(record.events)
            for reaction in reactions(record.origin(place), event)
        }
        assert wanted == {(record.aggregate, record.command_id) for record in records if record.delivery is not None}

    def _verify_replay(self) -> None:
        """P4: who reads the log from its beginning has the same aggregates."""
        replayed: dict[str, Aggregate] = {}
        for record in (record for log in self.room.logs for record in log):
            aggregate = replayed.setdefault(record.aggregate, Aggregate(record.aggregate))
            if record.delivery is not None:
                aggregate.inbox = noted(aggregate.inbox, record.delivery)
            for event in record.events:
                aggregate.evolve(event, record.at_ms)
        for address, aggregate in replayed.items():
            other = self.room.aggregate(address)
            assert (aggregate.state, aggregate.version) == (other.state, other.version), f"P4: {address}"
            assert aggregate.inbox == other.inbox, f"P4: the inbox of {address}"


def lines_of(aggregate: Aggregate, passing: Chips = 0) -> dict[Line, Chips]:
    """Return the lines of the books that are an aggregate's own, with what its state says of them.

    `passing` are the chips that have found no place at a table and are about to go back.
    """
    name, state = name_of(aggregate.address), aggregate.state
    if isinstance(state, Account):
        return {(funds_of(name), balance.unit): balance.available for balance in state.balances}
    return {} if state is None else lines_of_table(state, passing)


def lines_of_table(state: Table, passing: Chips = 0) -> dict[Line, Chips]:
    """Return the lines of the books that are a table's own."""
    name, unit, chips = state.config.table_id, state.config.unit, chips_in(state)
    pot, rake = chips.pop("pot"), chips.pop("rake held")
    stacks = sum(chips.values()) + passing
    return {(f"stacks/{name}", unit): stacks, (f"pots/{name}", unit): pot, (f"rake held/{name}", unit): rake}


def _on_record(state: Account, hand_id: str) -> bool:
    return any(use_of(kept.book, hand_id) is not None for kept in state.protections)
