"""Whole tournaments played to the end by players who choose at random, hand by hand at whichever table may deal."""

from __future__ import annotations

import random

from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.menu import legal_actions
from engine.table.start import needs_button_draw, next_deal
from engine.table.state import Table, hand_of, next_hand_id, occupant_at
from tests.engine.tournament.quiet_room import Tourney

HAND_MS = 40_000
"""What a hand takes of the level."""


class Players:
    """Plays hands at the tables of a tournament."""

    def __init__(self, tourney: Tourney, seed: int = 1) -> None:
        """Begin with nothing played."""
        self.tourney, self.room, self.chance = tourney, tourney.room, random.Random(seed)
        self.hands = self.actions = 0

    def play_out(self, hands_max: int = 1_000_000) -> None:
        """Play until the tournament is over."""
        self.tourney.direct()
        while self.tourney.state.phase not in {"finished", "cancelled"}:
            assert self.hands < hands_max, "the tournament does not end"
            if not self.play_round():
                self.tourney.sleep()

    def play_round(self) -> bool:
        """Play one hand at each table that may deal one; say whether there was any."""
        before = self.hands
        for table_id in self.tourney.tables():
            if may_deal(self.room.table(table_id)):
                self.play_hand(table_id)
                self.tourney.direct()
        self.room.at_ms += HAND_MS
        self.tourney.direct()
        return self.hands > before

    def play_hand(self, table_id: str) -> None:
        """Play one hand to its end."""
        self.begin_hand(table_id)
        deck = self.deck
        while (table := self.room.table(table_id)).hand is not None:
            self.room.ask(f"table/{table_id}", self.choose(table), deck)
            self.actions += 1

    def begin_hand(self, table_id: str) -> None:
        """Draw for the button where that is still to be done, and deal."""
        address, table = f"table/{table_id}", self.room.table(table_id)
        if needs_button_draw(table):
            self.room.ask(address, commands.DrawButton(self.chance.randbytes(32)))
        order = list(ALL_CARDS)
        self.chance.shuffle(order)
        self.deck = Deck.from_order(tuple(order), bytes(32), next_hand_id(table))
        self.room.ask(address, commands.StartHand(), self.deck)
        self.hands += 1

    def choose(self, table: Table) -> TableCommand:
        """Return a legal action of the player whose turn it is."""
        hand = hand_of(table)
        seat, turn = hand.betting.to_act, hand.turn.number
        player, hand_id = occupant_at(table, seat).player, hand.setup.hand_id
        menu = legal_actions(table, seat)
        assert menu is not None, "somebody is to act"
        number = self.chance.randrange(20)
        if menu.bet_or_raise is not None and number < 4:
            sizes = menu.bet_or_raise
            raise_to = sizes.maximum if number == 0 else self.chance.randint(sizes.minimum, sizes.maximum)
            return commands.Raise(player, hand_id, turn, raise_to)
        if menu.check:
            return commands.Check(player, hand_id, turn)
        action = commands.Fold if number < 14 else commands.Call
        return action(player, hand_id, turn)


def may_deal(table: Table) -> bool:
    """Say whether a table may deal a hand now."""
    desk = table.desk
    allowed = desk.hands_allowed is None or desk.hands_started < desk.hands_allowed
    still = table.hand is None and not desk.halted and desk.status == "open"
    return allowed and still and (needs_button_draw(table) or next_deal(table) is not None)
