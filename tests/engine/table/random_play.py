"""Random play for the properties: several hands in a row at a random table, with everything that may happen meanwhile.

`plays()` is the strategy. It deals hands, lets the players act, and now and then lets something else happen: a player
leaves, is lost, comes back, tops up, lets his turn run out; the table is halted, its hand voided, its level changed.
Some commands are meant to be refused. A property is a statement about the record of a play (`played.py`).
"""

from __future__ import annotations

import random
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.table import commands
from engine.table.clock import turn_ends_at_ms
from engine.table.commands import TableCommand
from engine.table.menu import legal_actions
from engine.table.state import Table, hand_of, next_hand_id, occupant_at, turn_seat
from tests.engine.table import disturbances
from tests.engine.table.game import stacked_deck
from tests.engine.table.played import Play
from tests.engine.table.random_tables import Chance, an_opening

HANDS = 5
DISTURBANCES_MAX = 40
"""So many things at most happen in a hand beside the players' actions."""
STEPS_BACK = 3
"""A player is back in the game after asking for chips, getting them and sitting in."""


@st.composite
def plays(draw: st.DrawFn, hands: int = HANDS) -> Play:
    """Return a play of some hands at a random table, all of it chosen by hypothesis."""
    return a_play(Chance(lambda least, most: draw(_numbers(least, most))), hands)


def seeded_play(seed: int) -> Play:
    """Return the random play that belongs to a number."""
    return a_play(Chance(random.Random(seed).randint), HANDS)


@cache
def _numbers(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def a_play(chance: Chance, hands: int) -> Play:
    """Play some hands at a random table."""
    play = Play(an_opening(chance))
    for player in [occupant.player for occupant in play.table.seats if occupant is not None]:
        if chance.once_in(4):
            play.do(commands.SetPreferences(player, auto_muck=False, ask_to_show=True))
    for _ in range(hands):
        _between_hands(play, chance)
        _start(play, chance)
        _play_hand(play, chance)
    return play


def a_deck(table: Table, chance: Chance) -> Deck:
    """Return a deck for the next hand; in one hand of four the board plays, so that pots are split."""
    if chance.once_in(4):
        return stacked_deck(table, {}, "TsJsQsKsAs")
    order = list(ALL_CARDS)
    random.Random(chance.number(0, 1 << 30)).shuffle(order)
    return Deck.from_order(tuple(order), bytes(32), next_hand_id(table))


def _start(play: Play, chance: Chance) -> None:
    """Ask for the next hand, or in vain for another one while a hand is in progress."""
    if not play.in_hand:
        play.deck = a_deck(play.table, chance)
    play.do(commands.StartHand())


def _between_hands(play: Play, chance: Chance) -> None:
    """Let things happen, and most of those who are out of the game come back."""
    for _ in range(chance.pick((0, 0, 1, 3, 6))):
        _disturb(play, chance)
    _back_to_work(play)
    for seat in range(play.table.config.seats):
        steps = 0 if chance.once_in(2) else STEPS_BACK
        for _ in range(steps):
            command = disturbances.comeback(play.table, seat, chance)
            if command is None or not play.do(command):
                break


def _back_to_work(play: Play) -> bool:
    """Let a table that was stopped go on; say whether it was."""
    resuming = disturbances.back_to_work(play.table)
    for command in resuming:
        play.do(command)
    return bool(resuming)


def _play_hand(play: Play, chance: Chance) -> None:
    """Play the hand to its end: after so many disturbances the players only act."""
    left, every = DISTURBANCES_MAX, chance.pick((1000, 8, 3))
    while play.in_hand:
        play.at_ms += chance.pick((0, 1000, 20_000, 33_000))
        if left and chance.once_in(every):
            left -= 1
            _disturb(play, chance)
        elif _back_to_work(play):
            continue
        elif _is_away(play.table) and not chance.once_in(4):
            _let_time_pass(play)
            play.do(commands.TimeOut(hand_of(play.table).setup.hand_id, hand_of(play.table).turn.number))
        else:
            play.do(a_decision(play.table, chance))


def _is_away(table: Table) -> bool:
    """Say whether the hand waits for a player whose connection is lost."""
    seat = turn_seat(hand_of(table))
    return seat >= 0 and not occupant_at(table, seat).connected


def _let_time_pass(play: Play) -> None:
    """Wait until the open turn is over."""
    play.at_ms = max(play.at_ms, turn_ends_at_ms(play.table) or 0)


def _disturb(play: Play, chance: Chance) -> None:
    command = disturbances.any_of(play.table, chance)
    if isinstance(command, commands.TimeOut) and not chance.once_in(4):
        _let_time_pass(play)
    if isinstance(command, commands.StartHand):
        _start(play, chance)
    else:
        play.do(command)


def a_decision(table: Table, chance: Chance) -> TableCommand:
    """Return a legal decision of whomever the hand waits for: a player to act or to show, or an account."""
    hand = hand_of(table)
    hand_id, turn = hand.setup.hand_id, hand.turn.number
    if hand.lost.waiting:
        player = occupant_at(table, hand.lost.waiting.bit_length() - 1).player
        refused = chance.once_in(2)
        return (commands.RefuseProtection if refused else commands.GrantProtection)(player, hand_id)
    player = occupant_at(table, turn_seat(hand)).player
    menu = legal_actions(table, turn_seat(hand))
    if menu is None:
        return commands.Muck(player, hand_id, turn) if chance.once_in(2) else commands.Show(player, hand_id, turn)
    wish = chance.pick(("stay", "stay", "stay", "stay", "raise", "raise", "fold"))
    if wish == "raise" and menu.bet_or_raise is not None:
        least, most = menu.bet_or_raise.minimum, menu.bet_or_raise.maximum
        amount = chance.pick((least, least, most, chance.number(least, most)))
        return commands.Raise(player, hand_id, turn, amount)
    if wish == "fold" and menu.fold:
        return commands.Fold(player, hand_id, turn)
    return commands.Check(player, hand_id, turn) if menu.check else commands.Call(player, hand_id, turn)


often = settings(
    max_examples=settings().max_examples * 2 // 5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""How many plays a property is tried on: 40 in a quick run, 2,000 with HYPOTHESIS_PROFILE=thorough."""

for_500_hands = settings(often, max_examples=3 * often.max_examples)
for_1000_hands = settings(often, max_examples=6 * often.max_examples)
"""A play has four or five hands."""
