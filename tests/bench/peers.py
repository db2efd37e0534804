"""The peers of the engine benchmark, played by the same policy: PokerKit and OpenSpiel's `universal_poker`."""

from __future__ import annotations

from typing import Any

from tests.bench.tables import BIG_BLIND, CHANCE, CHOICES, ORDERS, PLAYERS, POOL, SMALL_BLIND, STACKS


class PokerKit:
    """PokerKit's no-limit hold'em; it deals and settles by its own automations."""

    def __init__(self) -> None:
        """Import the package; it must be installed for benchmarks."""
        import pokerkit

        self._automations = tuple(pokerkit.Automation)
        self._create = pokerkit.NoLimitTexasHoldem.create_state

    def play(self, hands: int) -> int:
        """Play hands and return the number of actions."""
        actions = 0
        for number in range(hands):
            stacks = STACKS[number % len(STACKS)]
            blinds = (SMALL_BLIND, BIG_BLIND)
            state = self._create(self._automations, True, 0, blinds, BIG_BLIND, stacks, PLAYERS)  # noqa: FBT003
            while state.status:
                actions += 1
                self._act(state, CHANCE[(number * 31 + actions) % CHOICES])
        return actions

    def _act(self, state: Any, chance: int) -> None:  # noqa: ANN401 - the peer's own type.
        to_call = state.checking_or_calling_amount
        options = [0, -1] if to_call else [-1]
        if state.can_complete_bet_or_raise_to():
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            pot, base = state.total_pot_amount + to_call, max(state.bets)
            options += [size for size in (base + (pot >> 1), base + pot) if least <= size < most]
            options.append(most)
        option = options[chance % len(options)]
        if option > 0:
            state.complete_bet_or_raise_to(option)
        elif option == 0:
            state.fold()
        else:
            state.check_or_call()


class OpenSpiel:
    """OpenSpiel's C++ core, with its betting abstraction; cards come from prepared decks."""

    def __init__(self) -> None:
        """Import the package and load a game per set of stacks."""
        import pyspiel

        self._games = [pyspiel.load_game(_game(stacks)) for stacks in STACKS]

    def play(self, hands: int) -> int:
        """Play hands and return the number of actions."""
        actions = 0
        games, count = self._games, len(self._games)
        for number in range(hands):
            state, order, place = games[number % count].new_initial_state(), ORDERS[number % POOL], 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(order[place])
                    place += 1
                else:
                    legal = state.legal_actions()
                    actions += 1
                    state.apply_action(legal[CHANCE[(number * 31 + actions) % CHOICES] % len(legal)])
        return actions


def _game(stacks: tuple[int, ...]) -> str:
    blinds = " ".join(str(blind) for blind in (SMALL_BLIND, BIG_BLIND, *[0] * (PLAYERS - 2)))
    return (
        f"universal_poker(betting=nolimit,bettingAbstraction=fchpa,numPlayers={PLAYERS},numRounds=4,blind={blinds},"
        "firstPlayer=3 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        f"stack={' '.join(str(stack) for stack in stacks)})"
    )
