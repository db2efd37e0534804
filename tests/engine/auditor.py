"""An auditor: hears every event of a card room and holds what he was told against what the aggregates are.

After each event he checks that its postings sum to zero, that the lines of the books are the balances of the aggregates
and none is below zero (I4), and that deposits less withdrawals are what is there: accounts, in transit, stacks, pots,
rake and the purses of tournaments (P3). The last he adds up without the books. Tickets and tournament chips are issued:
of these there is what their issuers have given out. He follows each transfer (I12), each hand (I5), each protection
(I10) and what cancelled tournaments pay (I11). Once all is delivered he looks for what is left over (`verify_settled`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from engine.account import events as account
from engine.account.quota import use_of
from engine.account.state import Account
from engine.inbox import noted
from engine.ledger import CASH_DESK, funds_of, postings, ticket_issue
from engine.origin import Origin, chips_unit, name_of
from engine.poker.money import Chips
from engine.reactions import Event, reactions
from engine.table import events as table
from engine.table.state import Table
from engine.tournament import money_events, play_events
from engine.tournament.state import Tournament
from engine.tournament.terms import TICKET
from tests.engine.cancellations_followed import CancellationsFollowed
from tests.engine.courier import Aggregate, CardRoom
from tests.engine.hands_followed import HandsFollowed
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
        self.issued: Counter[str] = Counter()
        """Tickets and tournament chips that were given out, less those that were taken back, by unit."""
        self.transfers = TransfersFollowed()
        self.hands = HandsFollowed()
        self.cancellations = CancellationsFollowed()
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
        self._verify_issued(origin, event)
        self._verify_identity(event)
        self._verify_kind(origin, event, aggregate.state)

    def _verify_kind(self, origin: Origin, event: Any, state: Table | Account | Tournament | None) -> None:  # noqa: ANN401
        """Check what is true of a table, or of a tournament, alone."""
        waited_for = self.transfers.waited_for(origin.aggregate)
        if isinstance(state, Table):
            reserved = {reservation.transfer_id for reservation in state.desk.reservations}
            assert reserved == waited_for, "a reservation ends with its answer"
            self.hands.hear(origin, event, state)
        if isinstance(state, Tournament):
            assert _asked_for(state) == waited_for, "a payment ends with its answer"
            chips_out = self.issued[chips_unit(state.tournament_id)]
            self.cancellations.hear(origin, event, state, chips_out)

    # Money (I4, P3).

    def _verify_postings(self, origin: Origin, event: Event) -> None:
        entries = postings(origin, event)
        for entry in entries:
            self.books[entry.line, entry.unit] += entry.amount
        for unit in {entry.unit for entry in entries}:
            assert sum(entry.amount for entry in entries if entry.unit == unit) == 0, f"I4: {event} does not balance"
        below = [e.line for e in entries if self.books[e.line, e.unit] < 0 and not _gives_out(e.line)]
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
        for unit in {*there, *self.paid_in, *self.issued}:
            came, found = self.paid_in[unit] + self.issued[unit], there[unit]
            assert came == found, f"P3: {came} {unit} came in, {found} is there after {event}"

    def _verify_issued(self, origin: Origin, event: Event) -> None:
        """Count what is issued, and check that the books of its issuer say the same."""
        unit, given_out = _issued(origin, event)
        if not given_out:
            return
        self.issued[unit] += given_out
        issuer = ticket_issue(unit) if unit.startswith(TICKET) else f"chip issue/{name_of(unit)}"
        assert self.books[issuer, unit] == -self.issued[unit], f"I4: {issuer} after {event}"

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
    if isinstance(state, Tournament):
        return lines_of_tournament(state)
    return {} if state is None else lines_of_table(state, passing)


def lines_of_table(state: Table, passing: Chips = 0) -> dict[Line, Chips]:
    """Return the lines of the books that are a table's own."""
    name, unit, chips = state.config.table_id, state.config.unit, chips_in(state)
    pot, rake = chips.pop("pot"), chips.pop("rake held")
    stacks = sum(chips.values()) + passing
    return {(f"stacks/{name}", unit): stacks, (f"pots/{name}", unit): pot, (f"rake held/{name}", unit): rake}


def lines_of_tournament(state: Tournament) -> dict[Line, Chips]:
    """Return the lines of the books that are a tournament's own: its purses."""
    name, terms, purses = state.tournament_id, state.terms, state.purses
    lines = {
        (f"prize pool/{name}", terms.unit): purses.pool,
        (f"bounties/{name}", terms.unit): purses.bounty_pool,
        (f"fees/{name}", terms.unit): purses.fees,
        (f"overlay/{name}", terms.unit): purses.overlay,
        (f"refund cover/{name}", terms.unit): purses.cover,
    }
    if terms.ticket is not None:
        lines[f"tickets held/{name}", terms.ticket.form] = purses.tickets
    return lines


def _gives_out(line: str) -> bool:
    """Say whether a line has the sign of the world outside."""
    return line == CASH_DESK or line.startswith(("ticket issue/", "chip issue/"))


def _asked_for(state: Tournament) -> set[str]:
    """Return the ids of what a tournament waits for; what is free was never asked for."""
    cover = state.calling_off.cover_id if state.calling_off is not None else ""
    payments = {payment.transfer_id for payment in state.payments if payment.amount}
    return {*payments, state.overlay_id, cover} - {""}


def _issued(origin: Origin, event: Event) -> tuple[str, Chips]:
    """Return how much of which unit an event gives out; less than nothing where it takes it back."""
    match event:
        case money_events.TicketIssued():
            return event.unit, event.amount
        case money_events.TicketRedeemed():
            return event.unit, -event.amount
        case play_events.TableOpened(places=places):
            given_out = sum(place.chips for place in places)
        case play_events.EntrySeated(place=place):
            given_out = place.chips
        case play_events.ChipsIssued(amount=given_out):
            pass
        case play_events.EntryReceived(amount=amount) | play_events.ChipsReceived(amount=amount):
            given_out = -amount
        case _:
            given_out = 0
    return chips_unit(name_of(origin.aggregate)), given_out


def _on_record(state: Account, hand_id: str) -> bool:
    return any(use_of(kept.book, hand_id) is not None for kept in state.protections)
