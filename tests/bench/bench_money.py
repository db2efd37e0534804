"""Money and tournaments: accounts, transfers from end to end, a refund plan, and a whole tournament.

Everything runs on the engine alone, with the reactions that carry money between aggregates. A floor stands beside it:
what the same work costs without what makes it safe (events, transfers, a director).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from engine.account.commands import Deposit, OpenAccount, ReceiveFunds, SendFunds, Withdraw
from engine.account.decide import decide
from engine.account.evolve import evolve
from engine.account.state import Account
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.table.commands import CreateTable, Leave, ReserveSeat, StartHand
from engine.table.decide import execute
from engine.table.state import next_hand_id
from engine.tournament.cancellation import plan
from engine.tournament.cancellation_case import CancellationCase, EntryAccount
from engine.tournament.commands import Register
from engine.tournament.seating import TableView, draw_seats, rebalance
from tests.bench.harness import Measure, microseconds_each
from tests.engine.table.game import tournament
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.quiet_room import QuietRoom, Tourney
from tests.engine.tournament.random_tourney import Players

BUY_IN = 10_000
SEED = bytes(range(32))


def measures(*, quick: bool) -> Iterator[Measure]:
    """Yield the measures of money and tournaments."""
    rounds, entries = (500, 200) if quick else (5000, 1000)
    yield Measure(
        name="account commands, decide + evolve",
        unit="commands/s",
        ours=lambda: account_commands(rounds),
        peer=lambda: bare_balances(rounds),
        peer_name="a dict of balances",
    )
    room = a_room_with_a_table()
    yield Measure(
        name="transfers end to end: buy in, leave",
        unit="transfers/s",
        ours=lambda: transfers(room, rounds // 5),
        peer=lambda: bare_transfers(rounds // 5),
        peer_name="a dict of balances",
    )
    yield from planners()
    name = f"a {entries}-entry tournament to its end"
    yield Measure(
        name=name,
        unit="actions/s",
        ours=lambda: played(entries).actions,
        peer=lambda: lone_table_actions(10 * entries),
        peer_name="the same players, no director",
    )
    yield Measure(name=name, unit="hands/s", ours=lambda: played(entries).hands)


def planners() -> Iterator[Measure]:
    """Yield the time of one refund plan, and of one seat draw with one balancing, each of a big tournament."""
    case, rules = a_case(10_000), load("akpoker").cancellation
    yield in_milliseconds("refund plan for 10,000 entries", lambda: len(plan(case, rules).lines))
    thinned = [TableView(number, 9, (1 << 2 + number % 8) - 1) for number in range(1, 557)]
    yield in_milliseconds(
        "seats for 5,000 entries: draw, then balance 556 tables",
        lambda: len(draw_seats(5000, 9, SEED)) + len(rebalance(thinned, SEED, "bench")),
    )


def in_milliseconds(name: str, planned: Callable[[], int]) -> Measure:
    """Return the measure of one call of a planner, which returns the length of its plan."""
    return Measure(
        name=name,
        unit="ms",
        reading=lambda work, seconds: microseconds_each(work, seconds) / 1000,
        ours=lambda: float(planned() > 0),
    )


def account_commands(rounds: int) -> int:
    """Carry out four commands a round at one account, keep every event, and return their number."""
    account: Account | None = None
    kept = []
    for event in decide(None, OpenAccount("p"), 0):
        account = evolve(account, event, 0)
    for number in range(rounds):
        transfer = (f"t{number}", "USD", BUY_IN)
        for command in (
            Deposit("USD", BUY_IN, "cash"),
            SendFunds(*transfer, "table/T", "buy_in"),
            ReceiveFunds("p", *transfer, "table/T", "leaving"),
            Withdraw("USD", BUY_IN, "cash"),
        ):
            events = decide(account, command, number)
            kept.append(events)
            for event in events:
                account = evolve(account, event, number)
    return 4 * rounds


def bare_balances(rounds: int) -> int:
    """Do to one number in a dictionary what four commands do to an account."""
    balances = {"USD": 0}
    for _ in range(rounds):
        for amount in (BUY_IN, -BUY_IN, BUY_IN, -BUY_IN):
            if balances["USD"] + amount >= 0:
                balances["USD"] += amount
    return 4 * rounds


def a_room_with_a_table() -> QuietRoom:
    """Return a card room with a cash table and a player who has money."""
    room = QuietRoom(books=False)
    rules = load("modern")
    stakes = agree_stakes(rules, StakesOffer(small_blind=100, big_blind=200), "no_limit", "cash")
    room.ask("table/T", CreateTable("T", "Bench", "cash", "USD", 6, rules, stakes))
    room.fund("p", 100 * BUY_IN)
    return room


def transfers(room: QuietRoom, rounds: int) -> int:
    """Let a player buy in and leave: reservation, payment and seat, then home; return the number of transfers."""
    for _ in range(rounds):
        room.ask("table/T", ReserveSeat("p", 0, BUY_IN))
        room.ask("table/T", Leave("p"))
    return 2 * rounds


def bare_transfers(rounds: int) -> int:
    """Move a number between two places in a dictionary, there and back."""
    balances = {"account": 100 * BUY_IN, "table": 0}
    for _ in range(rounds):
        for source, target in (("account", "table"), ("table", "account")):
            if balances[source] >= BUY_IN:
                balances[source] -= BUY_IN
                balances[target] += BUY_IN
    return 2 * rounds


def a_case(entries: int) -> CancellationCase:
    """Return a multi-table tournament in which a tenth is out."""
    chance = Random(10)
    accounts = [
        EntryAccount(
            number,
            f"player-{number}",
            1000,
            100,
            0,
            (("cash", 1100),),
            "out" if number % 10 == 0 else "in",
            0 if number % 10 == 0 else chance.randint(1, 100_000),
        )
        for number in range(1, entries + 1)
    ]
    return CancellationCase("T", "USD", single_table=False, entries=tuple(accounts))


def played(entries: int) -> Players:
    """Return the players of a tournament that they have just played to its end, hand for hand near the money."""
    room = QuietRoom(books=False)
    tourney = Tourney(room, terms(entries=entries, hand_for_hand=3))
    for number in range(entries):
        room.fund(f"p{number}", 2000)
        tourney.do(Register(f"p{number}"))
    players = Players(tourney)
    players.play_out()
    return players


def lone_table_actions(hands: int) -> int:
    """Play hands at one full table without a director, by the same choices, and return the number of actions."""
    players = Players(Tourney(QuietRoom(books=False), terms()))
    table = tournament("modern", [1500] * 9, blinds=(10, 20)).table
    actions, order = 0, list(ALL_CARDS)
    for _ in range(hands):
        players.chance.shuffle(order)
        deck = Deck.from_order(tuple(order), bytes(32), next_hand_id(table))
        _, state = execute(table, StartHand(), 0, deck)
        while state.hand is not None:
            _, state = execute(state, players.choose(state), 0, deck)
            actions += 1
    return actions
