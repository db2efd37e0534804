"""Playing a logged hand through `decide` and `evolve`, and noting what came of it."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.errors import Reason, Rejected
from engine.poker.cards import Card
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.table import commands
from engine.table.decide import execute
from engine.table.events import AntePosted, BlindPosted, DeadBlindPosted, HandEnded, PotAwarded, PotSplit, StreetDealt, TableEvent
from engine.table.menu import legal_actions
from engine.table.state import Table, next_hand_id
from tests.conformance.adapter import command_for, table_for
from tests.conformance.cards import deck_for
from tests.conformance.hands import LoggedHand, player_name, seat_of

E_: TypeAlias = TableEvent
Bounds: TypeAlias = tuple[int, Chips, Chips | None, Chips | None]
POST_TYPES = {"small": "small_blind", "big": "big_blind", "entry": "post_live"}


class Replay(msgspec.Struct, frozen=True):
    refusal: Reason | None
    at_line: int
    events: tuple[TableEvent, ...]
    menus: tuple[Bounds, ...]
    ended: bool


def replayed(hand: LoggedHand, *, add_unit: bool) -> Replay:
    table = table_for(hand, add_unit=add_unit)
    deck = deck_for(hand, next_hand_id(table))
    start, table = execute(table, commands.StartHand(), 0, deck)
    events = list(start)
    menus: list[Bounds] = []
    for place, line in enumerate(hand.actions):
        if table.hand is None:
            if line.split()[0]=='d' or line.split()[1]=='sm': continue
            return Replay(None, place, tuple(events), tuple(menus), False)
        command = command_for(line, table)
        if command is None:
            continue
        if hand.decisions is not None:
            menus.append(menu(table, seat_of(line.split()[0])))
        try:
            made, table = execute(table, command, 0, deck)
        except Rejected as r:
            return Replay(r.reason, place, tuple(events), tuple(menus), False)
        events += made
    return Replay(None, len(hand.actions), tuple(events), tuple(menus), table.hand is None)

def menu(table: Table, seat: Seat) -> Bounds:
    legal = legal_actions(table, seat)
    if legal is None:
        return (seat + 1, -1, None, None)
    size = legal.bet_or_raise
    return (seat + 1, legal.call, size and size.minimum, size and size.maximum)
