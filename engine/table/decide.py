"""The rules of a table: may this command be carried out now, and what happens then?

`decide` answers with events, or refuses. Checks come in one order: the shape of the command, the existence of what it
names, the rules, the amounts; then the line "From here on the command succeeds". Nothing is ever half done.

What a player may do on his turn stands in this file, from top to bottom: fold, check, call, bet or raise. The sizes
come from `engine/poker/betting.py` (`raise_range` is the line that decides a minimum raise). Whatever follows from an
action without anybody deciding it (the next street, the run-out, pots, the end of the hand) is in `flow.py` and
`settle.py`; the start of a hand in `start.py`; clocks, lost connections and protections in `clock.py`; seats and chips
between hands in `seating.py` and `presence.py`; opening, closing, levels and pauses in `lifecycle.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import AmountOutOfRange, IllegalAction, NotFound, Reason
from engine.poker import betting as rounds
from engine.poker.betting import player_at
from engine.poker.deck import Deck
from engine.poker.seats import Seat
from engine.shape import verify_amount
from engine.table import clock, commands, lifecycle, presence, seating, settle, start
from engine.table.commands import CreateTable, TableCommand
from engine.table.draft import Draft
from engine.table.events import Bet, Called, Checked, Folded, Raised, TableEvent, WentAllIn
from engine.table.evolve import evolve
from engine.table.flow import carry_on
from engine.table.menu import pot_for_limit
from engine.table.state import Hand, Table
from engine.table.turns import to_act


def decide(table: Table | None, command: TableCommand, at_ms: int, deck: Deck | None = None) -> tuple[TableEvent, ...]:
    """Return what happens when `command` arrives at `at_ms` (milliseconds on the log).

    Args:
        table: The table, or None when it does not exist.
        command: What is asked for.
        at_ms: The time of the command's events.
        deck: For `StartHand` the new hand's deck, otherwise the running hand's; needed only where cards are turned.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    return execute(table, command, at_ms, deck)[0]


def execute(
    table: Table | None, command: TableCommand, at_ms: int, deck: Deck | None = None
) -> tuple[tuple[TableEvent, ...], Table]:
    """Return `decide`'s events and the table after them: `decide` and `evolve` in one step, at the price of one.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    if table is None:
        if not isinstance(command, CreateTable):
            raise NotFound(Reason.TABLE_UNKNOWN, "no such table")
        events = lifecycle.create(command)
        return events, evolve(None, events[0], at_ms)
    draft = Draft(table, at_ms, deck)
    DECIDE[type(command)](draft, command)
    return tuple(draft.events), draft.table


def _fold(draft: Draft, command: commands.Fold) -> None:
    """Give up the hand; allowed even when a check costs nothing, if the house says so (R-PLA-19)."""
    hand, seat = to_act(draft, command)
    free = rounds.is_free(hand.betting, player_at(hand.players, seat))
    if free and not draft.table.config.rulebook.betting.fold_when_check_free:
        raise IllegalAction(Reason.CHECK_IS_FREE, "a check costs nothing here")
    # From here on the command succeeds.
    clock.spend_time_bank(draft, hand, seat)
    draft.emit(Folded(seat))
    carry_on(draft)


def _check(draft: Draft, command: commands.Check) -> None:
    """Pass without putting in chips; in round 1 only who has the full blind in may do so (R-PLA-3, R-FRE-14)."""
    hand, seat = to_act(draft, command)
    owed = hand.betting.current_bet - player_at(hand.players, seat).bet
    if owed > 0:
        raise IllegalAction(Reason.CHECK_NOT_ALLOWED, "there is a bet to call", to_call=owed)
    # From here on the command succeeds.
    clock.spend_time_bank(draft, hand, seat)
    draft.emit(Checked(seat))
    carry_on(draft)


def _call(draft: Draft, command: commands.Call) -> None:
    """Match the bet; a call is limited to the stack (R-PLA-11)."""
    hand, seat = to_act(draft, command)
    if rounds.is_free(hand.betting, player_at(hand.players, seat)):
        raise IllegalAction(Reason.NOTHING_TO_CALL, "there is no bet to call")
    # From here on the command succeeds.
    clock.spend_time_bank(draft, hand, seat)
    _put_in_call(draft, hand, seat)
    carry_on(draft)


def _raise(draft: Draft, command: commands.Raise) -> None:
    """Bet or raise to a total for this street; everything he has is always a legal size."""
    raise_to = command.raise_to
    verify_amount("raise_to", raise_to)
    hand, seat = to_act(draft, command)
    limits, betting, player = hand.setup.terms.limits, hand.betting, player_at(hand.players, seat)
    all_in = player.stack + player.bet
    if not rounds.may_raise(limits, betting, hand.players, seat):
        _call_all_in(draft, hand, seat, raise_to)
        return
    minimum, maximum = rounds.raise_range(limits, betting, player, hand.street, pot_for_limit(draft.table, hand))
    if raise_to < minimum:
        raise AmountOutOfRange(Reason.BET_BELOW_MINIMUM, "less than the least raise", minimum=minimum, maximum=maximum)
    if raise_to > maximum:
        raise AmountOutOfRange(Reason.BET_ABOVE_MAXIMUM, "more than allowed", minimum=minimum, maximum=maximum)
    # From here on the command succeeds.
    clock.spend_time_bank(draft, hand, seat)
    full = rounds.is_full_raise(limits, betting, hand.street, raise_to)
    event = Raised if betting.current_bet else Bet
    draft.emit(event(seat, raise_to - player.bet, raise_to, full))
    if raise_to == all_in:
        draft.emit(WentAllIn(seat))
    carry_on(draft)


def _call_all_in(draft: Draft, hand: Hand, seat: Seat, raise_to: int) -> None:
    """Take "everything he has" as a call where nobody could answer a raise, or where it does not exceed the bet.

    Raises:
        IllegalAction: The player may not raise: the cap is reached, or the betting is not open to him.
    """
    limits, betting, player = hand.setup.terms.limits, hand.betting, player_at(hand.players, seat)
    everything = raise_to == player.stack + player.bet
    owes = betting.current_bet > player.bet
    answered = rounds.can_be_answered(betting, hand.players, seat)
    if everything and owes and (raise_to <= betting.current_bet or not answered):
        # From here on the command succeeds.
        clock.spend_time_bank(draft, hand, seat)
        _put_in_call(draft, hand, seat)
        carry_on(draft)
        return
    if betting.raises >= betting.raises_max:
        raise IllegalAction(Reason.RAISE_CAPPED, "the round has had all its raises")
    if not rounds.is_reopened(limits, betting, player):
        raise IllegalAction(Reason.RAISE_NOT_REOPENED, "a short all-in does not reopen the betting")
    raise IllegalAction(Reason.RAISE_NOT_POSSIBLE, "nobody could answer, or the stack is too short to raise")


def _put_in_call(draft: Draft, hand: Hand, seat: Seat) -> None:
    player = player_at(hand.players, seat)
    amount = rounds.to_call(hand.betting, player)
    draft.emit(Called(seat, amount))
    if amount == player.stack:
        draft.emit(WentAllIn(seat))


DECIDE: dict[type, Callable[[Draft, Any], None]] = {
    commands.Fold: _fold,
    commands.Check: _check,
    commands.Call: _call,
    commands.Raise: _raise,
    **start.COMMANDS,
    **clock.COMMANDS,
    **settle.COMMANDS,
    **seating.COMMANDS,
    **presence.COMMANDS,
    **lifecycle.COMMANDS,
}
"""One function per command type; a test holds it complete."""
