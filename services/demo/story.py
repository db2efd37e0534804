"""A hand of six whose story is always the same and whose cards never are.

Nobody in production chooses a deck (T-OPS-3), so nothing here depends on the cards: two players fold, a short stack
goes all-in on the flop, a medium one on the turn and the last two on the river. Whatever is dealt, there is a main pot
and two side pots, an uncalled bet goes back, and one player lets his time run out. Who acts first depends on the
button, which is drawn; each player therefore follows a rule and not a list of moves.

The table asks for money and is answered at once, because the accounts that would answer are no part of this.
"""

from __future__ import annotations

import secrets

import msgspec

from engine.poker.betting import LimitType
from engine.poker.deck import Deck
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.shuffle import SEED_BYTES
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.rulebooks.rulebook import Rulebook
from engine.table import commands
from engine.table.clock import turn_ends_at_ms
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.menu import legal_actions
from engine.table.start import needs_button_draw
from engine.table.state import Hand, Table, hand_of, next_hand_id, occupant_at, turn_seat
from engine.table.transfers import next_transfer_id
from services.demo.record import Recorded

LIMIT_TYPE: LimitType = "no_limit"
SMALL_BLIND, BIG_BLIND = 100, 200
STACKS: dict[str, Chips] = {"Ada": 8000, "Ben": 12000, "Cleo": 18000, "Dov": 20000, "Eve": 15000, "Finn": 9650}
"""Buy-ins in minor units, inside the limits of every house with no limit."""
FOLDS, SLEEPS = "Eve", "Finn"
ALL_IN = CHIPS_MAX
THINKING_MS = 4000


class Scene(msgspec.Struct, frozen=True, gc=False):
    """One street: who opens the betting with how much, and who then goes all-in."""

    opener: str
    raise_to: Chips
    all_in: str = ""


SCENES = (Scene("Cleo", 600), Scene("Cleo", 1500, "Ada"), Scene("Dov", 2000, "Ben"), Scene("Dov", ALL_IN))


class Story:
    """A table in play and all that it has said so far."""

    def __init__(self, rulebook: Rulebook) -> None:
        """Open the table.

        Raises:
            Rejected: The house does not offer no limit.
        """
        stakes = agree_stakes(
            rulebook, StakesOffer(small_blind=SMALL_BLIND, big_blind=BIG_BLIND), LIMIT_TYPE, kind="cash"
        )
        command = commands.CreateTable("demo", "Demonstration", "cash", "USD/play", len(STACKS), rulebook, stakes)
        self.at_ms = 0
        self.history: list[Recorded] = []
        self.table = self._record(*execute(None, command, self.at_ms))

    def do(self, command: commands.TableCommand, deck: Deck | None = None) -> None:
        """Carry out a command and record what happened."""
        self.table = self._record(*execute(self.table, command, self.at_ms, deck))

    def _record(self, events: tuple[TableEvent, ...], table: Table) -> Table:
        for event in events:
            self.history.append(Recorded(len(self.history) + 1, self.at_ms, event))
        return table


def play(rulebook: Rulebook) -> Story:
    """Play the demonstration hand under a rulebook, with cards that nobody knows beforehand.

    Raises:
        Rejected: The house does not offer no limit.
    """
    story = Story(rulebook)
    for seat, (player, amount) in enumerate(STACKS.items()):
        _take_seat(story, player, seat, amount)
    if needs_button_draw(story.table):
        story.do(commands.DrawButton(secrets.token_bytes(SEED_BYTES)))
    deck = Deck.from_seed(secrets.token_bytes(SEED_BYTES), next_hand_id(story.table))
    story.do(commands.StartHand(), deck)
    while story.table.hand is not None:
        _take_turn(story, deck)
    return story


def _take_seat(story: Story, player: str, seat: int, amount: Chips) -> None:
    transfer_id = next_transfer_id(story.table)
    story.do(commands.ReserveSeat(player, seat, amount))
    story.do(commands.SeatPlayer(player, amount, transfer_id))


def _take_turn(story: Story, deck: Deck) -> None:
    hand = hand_of(story.table)
    player = occupant_at(story.table, turn_seat(hand)).player
    if player == SLEEPS:
        ends_at_ms = turn_ends_at_ms(story.table)
        assert ends_at_ms is not None, "a turn is open and the clock runs"
        story.at_ms = ends_at_ms
        story.do(commands.TimeOut(hand.setup.hand_id, hand.turn.number), deck)
    else:
        story.at_ms += THINKING_MS
        story.do(choose(story.table, hand, player), deck)


def choose(table: Table, hand: Hand, player: str) -> commands.TableCommand:
    """Return what the player to act does in this story."""
    turn = (player, hand.setup.hand_id, hand.turn.number)
    menu = legal_actions(table, turn_seat(hand))
    assert menu is not None, "somebody is to act"
    scene, opened = SCENES[hand.street], hand.betting.aggressor >= 0
    if player == FOLDS:
        return commands.Fold(*turn)
    if menu.bet_or_raise is not None and (player == scene.all_in if opened else player == scene.opener):
        wanted = ALL_IN if opened else scene.raise_to
        return commands.Raise(*turn, raise_to=min(wanted, menu.bet_or_raise.maximum))
    return commands.Call(*turn) if menu.call else commands.Check(*turn)
