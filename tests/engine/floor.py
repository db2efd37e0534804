"""Hands at the tables of a card room, played by chance; who asks for what he may not have is refused, and no more."""

from __future__ import annotations

from random import Random

from engine.errors import Rejected
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.reactions import Command
from engine.table import commands
from engine.table.clock import turn_ends_at_ms
from engine.table.start import needs_button_draw, next_deal
from engine.table.state import Occupant, Table, next_hand_id, occupant_at, turn_seat
from tests.engine.courier import CardRoom
from tests.engine.table.random_play import a_decision
from tests.engine.table.random_tables import Chance


class Floor:
    """The tables of a card room, and chance."""

    def __init__(self, room: CardRoom, dice: Chance) -> None:
        """Begin with nothing asked."""
        self.room, self.dice = room, dice

    def ask(self, address: str, command: Command, deck: Deck | None = None) -> bool:
        """Ask an aggregate for something, and say whether it was done."""
        try:
            self.room.ask(address, command, deck)
        except Rejected:
            return False
        return True

    def ask_table(self, table: Table, command: commands.TableCommand, deck: Deck | None = None) -> bool:
        """Ask a table for something, and say whether it was done."""
        return self.ask(f"table/{table.config.table_id}", command, deck)

    def play(self, table: Table) -> None:
        """Let the hand at a table go on, or the next one start."""
        if table.hand is None:
            self._start(table)
            return
        seat = turn_seat(table.hand)
        if seat < 0:
            return
        if occupant_at(table, seat).connected and not self.dice.once_in(12):
            self.ask_table(table, a_decision(table, self.dice))
        else:
            self.time_out(table)

    def time_out(self, table: Table) -> None:
        """Wait until the open turn is over."""
        hand, ends_at_ms = table.hand, turn_ends_at_ms(table)
        if hand is not None and ends_at_ms is not None:
            self.room.at_ms = max(self.room.at_ms, ends_at_ms)
            self.ask_table(table, commands.TimeOut(hand.setup.hand_id, hand.turn.number))

    def _start(self, table: Table) -> None:
        """Start a hand; who sits out comes back for it, and who has no chips asks for some."""
        for occupant in table.seats:
            if occupant is not None and not self.dice.once_in(4):
                self._come_back(table, occupant)
        if needs_button_draw(table):
            self.ask_table(table, commands.DrawButton(bytes(32)))
        if next_deal(self.room.table(table.config.table_id)) is None:
            return
        order = list(ALL_CARDS)
        Random(self.dice.number(0, 1 << 30)).shuffle(order)
        self.ask_table(table, commands.StartHand(), Deck.from_order(tuple(order), bytes(32), next_hand_id(table)))

    def _come_back(self, table: Table, occupant: Occupant) -> None:
        asked = self.dice.once_in(2)
        self.ask_table(table, commands.SetPreferences(occupant.player, auto_muck=not asked, ask_to_show=asked))
        if occupant.stack == 0:
            self.ask_table(table, commands.RequestTopUp(occupant.player, table.config.buyin_min))
        if not occupant.connected and self.dice.once_in(2):
            self.ask_table(table, commands.RestoreConnection(occupant.player))
        if occupant.sitting_out or occupant.missed_turn:
            self.ask_table(table, commands.SitIn(occupant.player, "post"))
