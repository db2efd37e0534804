"""Every way to bet in a few tiny games, counted: one wrong legal action anywhere in a tree changes its numbers.

Chess programs find faults in their move generators with such counts ("perft"). The engine's tree is walked along every
action of every menu, each size of a raise included. `tiny_betting.py` counts the same trees without the engine, and
PokerKit those of two players where its own faults do not matter: it counts the big blind as no bet, so fixed limit is
compared with stacks that end before the cap, and it has no fold where a check is free.
"""

from __future__ import annotations

from copy import deepcopy

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, State

from engine.poker.deck import Deck
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.decide import execute
from engine.table.events import PotSplit
from engine.table.menu import legal_actions
from engine.table.state import Table, hand_of, occupant_at
from tests.engine.table import tiny_betting
from tests.engine.table.game import cash
from tests.engine.table.tiny_betting import NOTHING, Count, TinyGame, added

COUNTS: dict[TinyGame, Count] = {
    TinyGame("no_limit", (10, 10)): Count(5257, 2169, 8344),
    TinyGame("no_limit", (3, 9)): Count(65, 29, 100),
    TinyGame("no_limit", (1, 7)): Count(1, 1, 0),
    TinyGame("no_limit", (6, 6, 6)): Count(3157, 1525, 5292),
    TinyGame("no_limit", (3, 5, 4)): Count(287, 162, 481),
    TinyGame("no_limit", (8, 8, 5)): Count(8139, 4915, 13226),
    TinyGame("no_limit", (9, 9, 7), big_blind=3): Count(2653, 1475, 4402),
    TinyGame("no_limit", (6, 1, 1)): Count(2, 2, 2),
    TinyGame("no_limit", (4, 4, 4, 4)): Count(1393, 769, 2416),
    TinyGame("no_limit", (5, 2, 3, 1)): Count(132, 112, 218),
    TinyGame("no_limit", (7, 7, 5, 3), small_blind=2, big_blind=3): Count(1226, 964, 2028),
    TinyGame("pot_limit", (10, 10)): Count(4737, 1961, 7512),
    TinyGame("pot_limit", (10, 10), pot_after_call=False): Count(4595, 1905, 7284),
    TinyGame("pot_limit", (6, 6, 6)): Count(3157, 1525, 5292),
    TinyGame("pot_limit", (9, 5, 7), big_blind=3, pot_after_call=False): Count(787, 451, 1286),
    TinyGame("fixed_limit", (24, 24)): Count(5705, 2371, 9038),
    TinyGame("fixed_limit", (13, 13), most_raises=1): Count(617, 235, 998),
    TinyGame("fixed_limit", (6, 9, 8)): Count(2167, 1204, 3621),
    TinyGame("fixed_limit", (7, 7, 7)): Count(4735, 2221, 8010),
    TinyGame("fixed_limit", (9, 13, 11), small_blind=2, big_blind=4): Count(1357, 712, 2294),
    TinyGame("fixed_limit", (6, 16, 10), small_blind=2, big_blind=4, most_raises=2): Count(453, 257, 758),
    TinyGame("fixed_limit", (12, 12, 5, 6), small_blind=2, big_blind=4): Count(3015, 2222, 5112),
    TinyGame("no_limit", (7, 7), free_folds=False): Count(498, 249, 881),
    TinyGame("fixed_limit", (8, 8), free_folds=False): Count(170, 85, 321),
}
"""The size of every tree: hands, hands with a showdown, actions."""


def name_of(game: TinyGame) -> str:
    """Return a short name."""
    basis = "" if game.pot_after_call else "-before-call"
    return f"{game.limit}-{'-'.join(map(str, game.stacks))}{basis}"


def count(game: TinyGame) -> Count:
    """Return how many hands, showdowns and actions the engine's tree has."""
    bets = (game.big_blind, 2 * game.big_blind) if game.limit == "fixed_limit" else None
    basis = "pot_after_call" if game.pot_after_call else "pot_before_call"
    table = cash(
        "modern",
        game.stacks,
        limit=game.limit,
        bets=bets,
        blinds=None if bets else (game.small_blind, game.big_blind),
        rules={
            "betting.pot_limit_raise_basis": basis,
            "betting.fold_when_check_free": game.free_folds,
            "betting.fl_max_raises": game.most_raises,
        },
    )
    table.start()
    assert table.deck is not None
    return below(table.table, table.deck, showdown=bool(table.all(PotSplit)))


def below(table: Table, deck: Deck, *, showdown: bool) -> Count:
    """Return what is below a table; without a hand in progress it is the end of one."""
    if table.hand is None:
        return Count(1, int(showdown), 0)
    total = NOTHING
    for action in actions(table):
        events, after = execute(table, action, 0, deck)
        contested = showdown or any(isinstance(event, PotSplit) for event in events)
        total = added(total, below(after, deck, showdown=contested), action=1)
    return total


def actions(table: Table) -> list[TableCommand]:
    """Return everything that is on the menu of the player to act."""
    hand = hand_of(table)
    menu = legal_actions(table, hand.betting.to_act)
    assert menu is not None
    who = (occupant_at(table, menu.seat).player, hand.setup.hand_id, menu.turn)
    menu_actions: list[TableCommand] = [commands.Check(*who) if menu.check else commands.Call(*who)]
    if menu.fold:
        menu_actions.append(commands.Fold(*who))
    if menu.bet_or_raise is not None:
        sizes = range(menu.bet_or_raise.minimum, menu.bet_or_raise.maximum + 1)
        menu_actions += [commands.Raise(*who, size) for size in sizes]
    return menu_actions


@pytest.mark.parametrize("game", COUNTS, ids=name_of)
def test_every_betting_tree_has_its_size(game: TinyGame) -> None:
    """Section 4, AMB-24, AMB-25: the legal actions of every place in the tree, for all three limits."""
    assert count(game) == COUNTS[game]


@pytest.mark.parametrize("game", COUNTS, ids=name_of)
def test_the_counts_are_those_of_another_program(game: TinyGame) -> None:
    """Section 4: a queue of players to ask and lists of numbers come to the same counts."""
    assert tiny_betting.count(game) == COUNTS[game]


@pytest.mark.parametrize("game", [game for game in COUNTS if not game.free_folds], ids=name_of)
def test_the_counts_are_those_of_pokerkit(game: TinyGame) -> None:
    """R-PLA-9, R-PLA-10: PokerKit finds as many hands for two players."""
    assert pokerkit_hands(pokerkit_state(game)) == COUNTS[game].hands


def pokerkit_state(game: TinyGame) -> State:
    """Return PokerKit's state at the start of a hand for two, in which it does by itself all but the actions."""
    blinds, by_itself = (game.small_blind, game.big_blind), tuple(Automation)
    if game.limit == "fixed_limit":
        bets = (game.unit(0), game.unit(3))
        return FixedLimitTexasHoldem.create_state(by_itself, False, 0, blinds, *bets, game.stacks, 2)  # noqa: FBT003
    return NoLimitTexasHoldem.create_state(by_itself, False, 0, blinds, game.unit(0), game.stacks, 2)  # noqa: FBT003


def pokerkit_hands(state: State) -> int:
    """Return how many ways there are to end the hand."""
    if not state.status:
        return 1
    sizes = range(0)
    if state.can_complete_bet_or_raise_to():
        least, most = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        assert least is not None
        assert most is not None
        sizes = range(least, most + 1)
    hands = 0
    for size in ([-1] if state.can_fold() else []) + [0, *sizes]:
        after = deepcopy(state)
        if size > 0:
            after.complete_bet_or_raise_to(size)
        else:
            after.check_or_call() if size == 0 else after.fold()
        hands += pokerkit_hands(after)
    return hands
