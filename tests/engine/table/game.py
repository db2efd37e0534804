"""A table for tests: opens one, seats players, stacks decks, and lets the player to act do things by name.

    game = cash("modern", stacks=[1000, 1000, 1000], blinds=(50, 100), button=0)
    game.start(hands={0: "AsKd"}, board="2c3d4h5s9c")
    game.call().fold().check()

Seats count from 0. After each step `game.events` holds what that step made and `game.table` the table.
`given(...).when(...).then(...)` states a single decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self, TypeVar

import pytest

from engine.errors import Reason, Rejected
from engine.poker.betting import LimitType, player_at
from engine.poker.cards import ALL_CARDS, Card, parse_cards
from engine.poker.dealing import board_places, deal_order, hole_places
from engine.poker.deck import Deck
from engine.poker.seats import Seat
from engine.rulebooks.loading import load
from engine.rulebooks.opening import Stakes, StakesOffer, agree_stakes, with_overrides
from engine.rulebooks.rulebook import Kind, Rulebook
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.decide import decide, execute
from engine.table.events import ProtectionRequested, TableEvent
from engine.table.evolve import evolve, replay
from engine.table.menu import LegalActions, legal_actions
from engine.table.start import next_deal
from engine.table.state import Hand, Table, next_hand_id, occupant_at, turn_seat

E = TypeVar("E")
SALT_KEY = bytes(32)
HOUR_MS = 3_600_000


class Game:
    """A table in play."""

    def __init__(self, table: Table, at_ms: int = 0) -> None:
        """Begin with a table."""
        self.table = table
        self.at_ms = at_ms
        self.deck: Deck | None = None
        self.events: tuple[TableEvent, ...] = ()
        self.log: list[TableEvent] = []

    def do(self, command: TableCommand, deck: Deck | None = None) -> Self:
        """Carry out a command; raise what `decide` raises."""
        self.events, self.table = execute(self.table, command, self.at_ms, deck or self.deck)
        self.log.extend(self.events)
        return self

    def refuses(self, command: TableCommand, reason: str) -> Rejected:
        """Assert that a command is refused for `reason` and that nothing changes; return the refusal."""
        before = self.table
        with pytest.raises(Rejected) as refusal:
            self.do(command)
        assert refusal.value.reason == Reason(reason)
        assert self.table is before
        return refusal.value

    def wait(self, *, seconds: float = 0, ms: int = 0) -> Self:
        """Let time pass."""
        self.at_ms += int(seconds * 1000) + ms
        return self

    # Hands.

    def start(self, hands: Mapping[Seat, str] | None = None, board: str = "") -> Self:
        """Start a hand with a deck that gives these seats these cards, and this board."""
        self.deck = stacked_deck(self.table, hands or {}, board)
        return self.do(commands.StartHand())

    @property
    def hand(self) -> Hand:
        """The hand in progress."""
        assert self.table.hand is not None, "no hand in progress"
        return self.table.hand

    @property
    def to_act(self) -> Seat:
        """The seat whose decision is waited for, or -1."""
        return turn_seat(self.hand)

    def player(self, seat: Seat) -> str:
        """Return who sits there."""
        return occupant_at(self.table, seat).player

    def fold(self, seat: Seat | None = None) -> Self:
        """Let the player to act fold; with `seat`, that player."""
        return self.do(self.command(commands.Fold, seat))

    def check(self, seat: Seat | None = None) -> Self:
        """Let the player to act check."""
        return self.do(self.command(commands.Check, seat))

    def call(self, seat: Seat | None = None) -> Self:
        """Let the player to act call."""
        return self.do(self.command(commands.Call, seat))

    def raise_to(self, amount: int, seat: Seat | None = None) -> Self:
        """Let the player to act bet or raise to a total."""
        return self.do(self.raising(amount, seat))

    def all_in(self) -> Self:
        """Let the player to act put in everything he has, as a raise."""
        player = player_at(self.hand.players, self.to_act)
        return self.raise_to(player.stack + player.bet)

    def time_out(self) -> Self:
        """Let the open turn run out, at the time it is over."""
        return self.do(commands.TimeOut(self.hand.setup.hand_id, self.hand.turn.number))

    def command(self, kind: type[E], seat: Seat | None = None) -> E:
        """Return an action of the player to act, or of `seat`, for the open turn."""
        player = self.player(self.to_act if seat is None else seat)
        return kind(player, self.hand.setup.hand_id, self.hand.turn.number)  # type: ignore[call-arg]

    def raising(self, amount: int, seat: Seat | None = None) -> commands.Raise:
        """Return a bet or raise of the player to act, or of `seat`, for the open turn."""
        player = self.player(self.to_act if seat is None else seat)
        return commands.Raise(player, self.hand.setup.hand_id, self.hand.turn.number, amount)

    @property
    def menu(self) -> LegalActions:
        """What the player to act may do."""
        menu = legal_actions(self.table, self.to_act)
        assert menu is not None
        return menu

    @property
    def options(self) -> set[str]:
        """The menu in short: fold, check, call 30, raise 60..500."""
        menu, options = self.menu, set()
        if menu.fold:
            options.add("fold")
        if menu.check:
            options.add("check")
        if menu.call:
            options.add(f"call {menu.call}")
        if menu.bet_or_raise is not None:
            word = "raise" if self.hand.betting.current_bet else "bet"
            options.add(f"{word} {menu.bet_or_raise.minimum}..{menu.bet_or_raise.maximum}")
        return options

    # What there is.

    @property
    def stacks(self) -> list[int]:
        """The stacks by seat, of the hand in progress or between hands; 0 for an empty seat."""
        return [self.stack(seat) for seat in range(self.table.config.seats)]

    def stack(self, seat: Seat) -> int:
        """Return a stack."""
        hand = self.table.hand
        if hand is not None and hand.players[seat] is not None:
            return player_at(hand.players, seat).stack
        occupant = self.table.seats[seat]
        return occupant.stack if occupant is not None else 0

    def all(self, kind: type[E]) -> list[E]:
        """Return the events of a type since the game began."""
        return [event for event in self.log if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        """Return the last event of a type."""
        return self.all(kind)[-1]


def open_table(  # noqa: PLR0913 - a table has many facts; tests name only those that matter.
    house: str | Rulebook,
    *,
    limit: LimitType = "no_limit",
    blinds: tuple[int, int] | None = (50, 100),
    bets: tuple[int, int] | None = None,
    ante: tuple[str, int] | None = None,
    seats: int = 6,
    kind: Kind = "cash",
    smallest_chip: int = 1,
    unit: str = "USD",
    rules: Mapping[str, object] | None = None,
    prize_unit: str = "",
) -> Game:
    """Open an empty table. `rules` are fields of the rulebook that this table needs otherwise, "section.field"."""
    rulebook = changed(load(house) if isinstance(house, str) else house, rules or {})
    stakes = stakes_of(rulebook, limit, blinds, bets, ante, kind, smallest_chip)
    command = commands.CreateTable("T1", "Test", kind, unit, seats, rulebook, stakes, prize_unit)
    events = decide(None, command, 0)
    table = replay(events, 0)
    assert table is not None
    game = Game(table)
    game.log.extend(events)
    return game


def changed(rulebook: Rulebook, rules: Mapping[str, object]) -> Rulebook:
    """Return a rulebook with any fields changed, whatever the house lets a table set."""
    import msgspec  # noqa: PLC0415 - only here.

    free = msgspec.structs.replace(rulebook, table_may_set=tuple(sorted(rules)))
    return msgspec.structs.replace(with_overrides(free, rules), table_may_set=rulebook.table_may_set)


def stakes_of(  # noqa: PLR0913, PLR0917 - one argument for each fact.
    rulebook: Rulebook,
    limit: LimitType,
    blinds: tuple[int, int] | None,
    bets: tuple[int, int] | None,
    ante: tuple[str, int] | None,
    kind: Kind,
    smallest_chip: int,
) -> Stakes:
    """Return stakes as the house agrees to them; fixed limit states bets and its blinds follow from the rule."""
    ante_type, amount = ante or (None, None)
    if bets:
        offer = StakesOffer(small_bet=bets[0], big_bet=bets[1], ante_type=ante_type, ante=amount)  # type: ignore[arg-type]
    elif blinds:
        offer = StakesOffer(small_blind=blinds[0], big_blind=blinds[1], ante_type=ante_type, ante=amount)  # type: ignore[arg-type]
    else:
        offer = StakesOffer(min_bet=100, ante_type=ante_type, ante=amount)  # type: ignore[arg-type]
    import msgspec  # noqa: PLC0415 - only here.

    return agree_stakes(rulebook, msgspec.structs.replace(offer, smallest_chip=smallest_chip), limit, kind)


def seat_players(game: Game, stacks: Sequence[int | None]) -> Game:
    """Seat one player per stack, p0 in seat 0 and so on; None leaves a seat empty. Members: they owe no post."""
    from engine.table.events import PlayerSeated  # noqa: PLC0415 - only here.

    for seat, stack in enumerate(stacks):
        if stack is not None:
            entry = seat + 1 if game.table.config.kind == "tournament" else 0
            event = PlayerSeated(seat, f"p{seat}", stack, f"t{seat}", entry)
            game.table = evolve(game.table, event, game.at_ms)
            game.log.append(event)
    return game


def with_button(game: Game, button: Seat) -> Game:
    """Let the first hand have its button here."""
    from engine.table.events import ButtonDrawn  # noqa: PLC0415 - only here.

    event = ButtonDrawn((), (), button)
    game.table = evolve(game.table, event, game.at_ms)
    game.log.append(event)
    return game


def cash(house: str | Rulebook, stacks: Sequence[int | None], *, button: Seat = 0, **terms: object) -> Game:
    """Return a cash table with players, ready for its first hand."""
    terms.setdefault("seats", max(2, len(stacks)))
    return with_button(seat_players(open_table(house, **terms), stacks), button)  # type: ignore[arg-type]


def unraked(stacks: Sequence[int | None], *, rules: Mapping[str, object] | None = None, **terms: object) -> Game:
    """Return a modern table without rake, cash unless said, whose last seat has the button.

    So seat 0 posts the small blind and seat 1 the big blind; of two players seat 0 has the big blind.
    """
    without_rake = {"rake.bps": 0, **(rules or {})}
    return cash("modern", stacks, button=len(stacks) - 1, rules=without_rake, **terms)


def tournament(house: str | Rulebook, stacks: Sequence[int | None], *, button: Seat = 0, **terms: object) -> Game:
    """Return a tournament table with players, ready for its first hand."""
    return cash(house, stacks, button=button, kind="tournament", unit="chips/SNG1", **terms)


def stacked_deck(table: Table, hands: Mapping[Seat, str], board: str) -> Deck:
    """Return a deck for the next hand that gives these cards; all others lie where they fall."""
    deal = next_deal(table)
    if deal is None:
        return Deck.from_order(ALL_CARDS, SALT_KEY, next_hand_id(table))
    rules, positions = table.config.rulebook.deal, deal.positions
    big_blind = positions.big_blind if positions.big_blind >= 0 else None
    seats = deal_order(deal.dealt, positions.button, big_blind, rules.deal_starts)
    wanted: dict[int, Card] = {}
    for seat, pair in zip(seats, hole_places(len(seats)), strict=True):
        if seat in hands:
            wanted.update(zip(pair, parse_cards(hands[seat]), strict=True))
    places = board_places(len(seats), rules.burn)
    wanted.update(zip((*places.flop, places.turn, places.river), parse_cards(board), strict=False))
    rest = iter([card for card in ALL_CARDS if card not in wanted.values()])
    order = tuple(wanted[place] if place in wanted else next(rest) for place in range(52))
    return Deck.from_order(order, SALT_KEY, next_hand_id(table))


def protection_request(game: Game, seat: Seat, outage_id: str = "outage") -> ProtectionRequested:
    """Return what the table asks of the account of a lost player."""
    config = game.table.config
    hand_id, rules = game.hand.setup.hand_id, config.rulebook.protection
    unit = config.prize_unit or config.unit
    return ProtectionRequested(seat, game.player(seat), hand_id, outage_id, config.rulebook.id, rules, unit)


class Given:
    """A table after some events."""

    def __init__(self, table: Table, deck: Deck | None = None) -> None:
        """Begin with the table."""
        self._table, self._deck = table, deck
        self._outcome: tuple[TableEvent, ...] | Rejected = ()

    def when(self, command: TableCommand, at_ms: int = 0) -> Self:
        """Decide a command."""
        try:
            self._outcome = decide(self._table, command, at_ms, self._deck)
        except Rejected as refusal:
            self._outcome = refusal
        return self

    def then(self, *events: TableEvent) -> None:
        """Assert exactly these events."""
        assert self._outcome == events

    def then_rejected(self, reason: str) -> None:
        """Assert a refusal for this reason."""
        assert isinstance(self._outcome, Rejected), f"not refused: {self._outcome}"
        assert self._outcome.reason == Reason(reason)


def given(*events: TableEvent, table: Table | None = None, at_ms: int = 0, deck: Deck | None = None) -> Given:
    """Return the table after `events`, which begin with `TableCreated` unless a table is given."""
    replayed = replay(events, at_ms, table)
    assert replayed is not None
    return Given(replayed, deck)
