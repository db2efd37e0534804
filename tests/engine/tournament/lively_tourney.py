"""Whole tournaments with everything that players may wish, watched event by event.

    run = Run(announced, players=12, wishes=Wishes(late=6, rebuys=70), seed=3)
    run.play_out()                     a watcher has looked at each event, and at all tables when nothing was on its way
    verify_end(run)                    what must be true of any tournament that has ended

Tables are of different speed; players buy again, add on, come late and enter again as chance has it.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import cast

from msgspec import Struct

from engine.errors import Rejected
from engine.ledger import postings
from engine.origin import HOUSE, Origin
from engine.poker.deck import Deck
from engine.reactions import Event
from engine.table import commands as table_commands
from engine.table.hand_events import HandStarted, HandVoided
from engine.tournament import commands, money_events, play_events
from engine.tournament.arranging import is_still
from engine.tournament.commands import TournamentCommand
from engine.tournament.director import wakes_at_ms
from engine.tournament.events import TournamentEvent
from engine.tournament.evolve import evolve
from engine.tournament.seating import rebalance, tables_needed
from engine.tournament.state import DirectedTable, Tournament, entry_of, open_tables, table_of, view
from engine.tournament.terms import Terms
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import HAND_MS, Players, may_deal

FUNDS = 50_000
"""What each player begins with, minor units."""
ISSUERS = ("cash desk", "ticket issue/", "chip issue/")
NO_SEED = bytes(32)


class Wishes(Struct, frozen=True, gc=False):
    """What players do besides playing; the likelihoods are percent."""

    late: int = 0
    """Players who would like to come late."""
    rebuys: int = 0
    add_ons: int = 0
    again: int = 0
    """Enter again after going out."""
    tickets: int = 0
    """Pay with a ticket."""
    trouble: int = 0
    """Of a hand: it is voided, or an operator takes a player off, closes the table or pauses."""


NO_WISHES = Wishes()


class Watcher:
    """Looks at every event in a room with one tournament, with books and a tournament of its own."""

    def __init__(self, room: QuietRoom, name: str) -> None:
        """Begin before the first event."""
        self.room, self.name, self.address = room, name, f"tournament/{name}"
        self.mirror: Tournament | None = None
        self.log: list[TournamentEvent] = []
        self.posted: dict[str, str] = {}
        """Who posted the big blind in his last hand, and where; but for who has been drawn to a new seat since."""
        self.posted_before: dict[str, dict[str, str]] = {}
        """The same before the last hand of each table."""
        room.witness = self.look

    def look(self, origin: Origin, event: Event) -> None:
        """Check the books after an event, and follow what the director and the tables say."""
        self._look_at_books(origin, event)
        if origin.aggregate == self.address:
            self._look_at_director(origin, cast("TournamentEvent", event))
        elif isinstance(event, HandStarted):
            self._look_at_blinds(origin.aggregate, event)
        elif isinstance(event, HandVoided):
            self.posted |= self.posted_before[origin.aggregate]

    def _look_at_books(self, origin: Origin, event: Event) -> None:
        """I4: the sides of an entry sum to zero for each unit, and no line but the issuers' is below zero."""
        sums: Counter[str] = Counter()
        for entry in postings(origin, event):
            sums[entry.unit] += entry.amount
            below = self.room.line(entry.line, entry.unit) < 0
            assert not below or entry.line.startswith(ISSUERS), f"{entry.line} is below zero after {event}"
        assert not any(sums.values()), f"{event} does not balance"

    def _look_at_director(self, origin: Origin, event: TournamentEvent) -> None:
        before = self.mirror
        self.mirror = after = evolve(before, event, origin.at_ms)
        self.log.append(event)
        for table in after.tables:
            assert table.taken.bit_count() <= after.terms.seats
            assert min(table.expected, table.leaving) >= 0
        if isinstance(event, play_events.MoveOrdered) and before is not None:
            self._look_at_move(before, event)
        elif isinstance(event, play_events.HandsAllowed) and before is not None:
            _look_at_sizes(before, event)
        elif isinstance(event, play_events.EntrySeated | play_events.TableOpened) and before is not None:
            self._look_at_seats(before, event)

    def _look_at_move(self, before: Tournament, event: play_events.MoveOrdered) -> None:
        """O-33: who moves to even the tables has not just posted the big blind; to break one is cause enough."""
        sizes = [table.taken.bit_count() for table in open_tables(before) if table.taken]
        if tables_needed(sum(sizes), before.terms.seats) < len(sizes):
            self.posted[event.player] = ""
        else:
            assert self.posted.get(event.player) != f"table/{self.name}-{event.table}"

    def _look_at_seats(self, before: Tournament, event: play_events.EntrySeated | play_events.TableOpened) -> None:
        """Who was not moved, but has new chips, begins anew wherever the draw seats him."""
        for place in event.places if isinstance(event, play_events.TableOpened) else (event.place,):
            if entry_of(before, place.entry).target == (0, -1):
                self.posted[place.player] = ""

    def _look_at_blinds(self, table: str, event: HandStarted) -> None:
        """O-33: nobody posts the big blind twice running because he was moved."""
        self.posted_before[table] = {player: self.posted[player] for player in event.players}
        for seat, player in zip(event.seats, event.players, strict=True):
            if seat == event.big_blind:
                assert self.posted[player] in {"", table}, f"{player} was moved and posts the big blind again"
            self.posted[player] = table if seat == event.big_blind else ""


def _look_at_sizes(before: Tournament, event: play_events.HandsAllowed) -> None:
    """O-33: no table with a move to come is let play; when all stand still, they are few and even."""
    tables = open_tables(before)
    allowed = {number for number, hand in event.hands if hand > table_of(before, number).hands}
    if not allowed or any(entry.status == "waiting" for entry in before.entries):
        return
    sources = {move.source[0] for move in rebalance([view(before, table) for table in tables], NO_SEED, "moves")}
    assert not sources & allowed, f"tables {sources & allowed} have moves to come"
    if all(is_still(table) for table in tables):
        sizes = [table.taken.bit_count() for table in tables if table.taken]
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == tables_needed(sum(sizes), before.terms.seats)


class Run(Players):
    """A tournament of lively players from the announcement to the end."""

    def __init__(self, announced: Terms, players: int, wishes: Wishes = NO_WISHES, seed: int = 1) -> None:
        """Set it up and let all register who are there in time."""
        room = QuietRoom()
        self.watcher = Watcher(room, "T")
        super().__init__(Tourney(room, announced), seed)
        self.chance, self.wishes, self.slow = random.Random(seed), wishes, seed % 3
        self.players = [f"p{number}" for number in range(1, players + wishes.late + 1)]
        self.late = self.players[players:]
        room.fund(HOUSE, FUNDS * (1 + len(self.players)))
        for player in self.players:
            self._fund(player)
        for player in self.players[:players]:
            self._register(player)

    def _fund(self, player: str) -> None:
        terms = self.tourney.state.terms
        self.room.fund(player, FUNDS)
        if terms.ticket is not None and self._wants(self.wishes.tickets):
            self.room.fund(player, terms.ticket.value, terms.ticket.form)

    def _wants(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def _register(self, player: str) -> None:
        ticket = self.tourney.state.terms.ticket
        with_ticket = ticket is not None and self.room.funds(player, ticket.form) > 0
        self.ask(commands.Register(player, with_ticket=with_ticket))

    def ask(self, command: TournamentCommand) -> None:
        """Ask for something that may be refused."""
        try:
            self.tourney.do(command)
        except Rejected:
            return

    def play_round(self) -> bool:
        """Play hands at some of the tables that may deal; say whether there was any."""
        ready = [table for table in self.tourney.tables() if self._may_deal(table)]
        if not ready:
            return self._goes_on()
        for table in self.chance.sample(ready, self.chance.randint(1, len(ready))) if self.slow else ready:
            if self._may_deal(table):
                self.play_hand(table)
                self.tourney.direct()
                self.verify_quiet()
                self.wish()
        self.room.at_ms += HAND_MS
        self.tourney.direct()
        self.verify_quiet()
        return True

    def _may_deal(self, table_id: str) -> bool:
        table = self.room.table(table_id)
        return may_deal(table) and sum([occupant is not None for occupant in table.seats]) > 1

    def _goes_on(self) -> bool:
        """Let an operator end a pause; say whether there was one."""
        paused = self.tourney.state.clock.paused
        if paused:
            self.ask(commands.ResumeTournament("olga"))
            self.tourney.direct()
        return paused

    def begin_hand(self, table_id: str) -> None:
        """Deal, and perhaps have some trouble with it."""
        super().begin_hand(table_id)
        table = self.room.table(table_id)
        if table.hand is not None and self._wants(self.wishes.trouble):
            trouble = self.chance.randrange(4)
            if trouble == 0:
                void = table_commands.VoidHand(table.hand.setup.hand_id, "fault", "olga")
                self.room.ask(f"table/{table_id}", void)
            elif trouble == 1:
                self._take_off(table_id, self.deck)
            elif trouble == 2:
                self.room.ask(f"table/{table_id}", table_commands.CloseTable())
            else:
                self.ask(commands.PauseTournament("alarm", "olga"))

    def _take_off(self, table_id: str, deck: Deck | None = None) -> None:
        players = [occupant.player for occupant in self.room.table(table_id).seats if occupant is not None]
        if players:
            remove = table_commands.RemovePlayer(self.chance.choice(players), "removed")
            self.room.ask(f"table/{table_id}", remove, deck)

    def wish(self) -> None:
        """Let players do what they would like to do between hands, and the director what follows."""
        tournament = self.tourney.state
        for entry in tournament.entries:
            if entry.status == "busted" and entry.offer_ends_ms:
                self._decide_on_rebuy(entry.player)
            elif entry.status == "seated" and not entry.add_ons and self._wants(self.wishes.add_ons):
                self.ask(commands.AddOn(entry.player))
            elif entry.status == "out" and self._wants(self.wishes.again):
                self._register(entry.player)
        if self.late and self._wants(50):
            self._register(self.late.pop())
        if self.tourney.tables() and self._wants(self.wishes.trouble):
            self._take_off(self.chance.choice(self.tourney.tables()))
        self.tourney.direct()
        self.verify_quiet()

    def _decide_on_rebuy(self, player: str) -> None:
        if self._wants(self.wishes.rebuys):
            self.ask(commands.Rebuy(player))
        elif self._wants(50):
            self.ask(commands.DeclineRebuy(player))

    def verify_quiet(self) -> None:
        """Check, when nothing is on its way, that the director knows what the tables have (and when to look again)."""
        tournament, room = self.tourney.state, self.room
        assert self.watcher.mirror == tournament
        wakes = wakes_at_ms(tournament)
        assert wakes is None or wakes > room.at_ms, "time alone has made something due, and it was not done"
        assert not any(line.startswith("in transit") and amount for (line, _), amount in room.balances.items())
        for table in tournament.tables:
            self._verify_table(tournament, table)
        chips = sum(entry.chips for entry in tournament.entries)
        assert room.line("chip issue/T", "chips/T") == -chips

    def _verify_table(self, tournament: Tournament, known: DirectedTable) -> None:
        table = self.room.table(f"T-{known.number}")
        at = {entry.number: (entry.seat, entry.chips) for entry in tournament.entries if entry.table == known.number}
        sits = {
            occupant.entry: (seat, occupant.stack) for seat, occupant in enumerate(table.seats) if occupant is not None
        }
        assert at == sits
        assert known.taken == sum([1 << seat for seat, _ in sits.values()])
        assert (known.expected, known.leaving) == (0, 0)
        assert known.open == (table.desk.status == "open")


# The end.


def verify_end(run: Run) -> None:
    """Check all that must be true of a tournament that has ended, of its books and of each account."""
    tournament, room = run.tourney.state, run.room
    assert tournament.phase == "finished"
    held = {kind: amount for (kind, _), amount in room.balances.items() if amount}
    assert all(line.startswith(("player funds/", "house funds", "cash desk", "ticket issue")) for line in held)
    assert not any(rest for rest in (tournament.payments, tournament.unpaid, tournament.sync))
    assert all(tournament.entries[number - 1].status == "won" for number in tournament.busted)
    verify_places(tournament)
    verify_prizes(run)
    verify_accounts(run)


def verify_places(tournament: Tournament) -> None:
    """O-35: each place is taken once, by one entry or by as many as are tied for it."""
    groups = Counter([(entry.out_number, entry.tied) for entry in tournament.entries if entry.status in {"out", "won"}])
    taken: list[int] = []
    for (highest, tied), count in groups.items():
        assert tied == count
        taken += range(highest - tied + 1, highest + 1)
    assert sorted(taken) == list(range(1, tournament.entered + 1))


def verify_prizes(run: Run) -> None:
    """O-36, I11: each entry has one prize at most, and the prizes are all that was in the pool."""
    log = run.watcher.log
    (fixed,) = [event for event in log if isinstance(event, money_events.PrizesFixed)]
    assert sum([row.places * row.amount for row in fixed.rows]) == fixed.pool
    money = [event for event in log if isinstance(event, money_events.ObligationPaid)]
    tickets = [event for event in log if isinstance(event, money_events.TicketIssued)]
    won = [(event.entry, event.sources.amount) for event in money if event.reason == "prize"]
    won += [(event.entry, event.amount) for event in tickets]
    assert sum([amount for _, amount in won]) == fixed.pool == run.tourney.state.prizes_paid
    assert max(Counter([entry for entry, _ in won]).values()) == 1
    assert max(Counter([event.transfer_id for event in money]).values(), default=1) == 1


def verify_accounts(run: Run) -> None:
    """I4, I12: every account has what it began with, less what it has paid, and what it has won."""
    terms, expected = run.tourney.state.terms, defaultdict[str, int](lambda: FUNDS)
    for event in run.watcher.log:
        match event:
            case money_events.PaymentReceived(player=player, form="cash"):
                expected[player] -= event.pool + event.fee + event.bounty
            case money_events.ObligationPaid(player=player):
                expected[player] += event.sources.amount
            case _:
                continue
    funds = {player: run.room.funds(player, terms.unit) for player in run.players}
    assert funds == {player: expected[player] for player in run.players}
    assert sum(funds.values()) + run.room.line("house funds") == -run.room.line("cash desk")
