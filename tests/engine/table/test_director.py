"""What the director of a tournament asks of a table: to deal so many hands and no more, and to stand still.

Entries are one more than the seat in which they began. Seat 0 has the small blind, seat 1 the big blind, and the last
seat the button.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Rejected
from engine.rulebooks.loading import load
from engine.table.commands import (
    CloseTable,
    CreateTable,
    FreezeTable,
    HaltTable,
    LimitHands,
    QueueChips,
    RemovePlayer,
    ResumeTable,
    StartHand,
    TableCommand,
    VoidHand,
)
from engine.table.decide import decide
from engine.table.events import (
    HandReported,
    HandsLimited,
    HandVoided,
    PlayerLeft,
    ProtectionRequested,
    StacksReported,
    TableClosed,
    TableHalted,
)
from tests.engine.table.game import Game, cash, open_table, tournament
from tests.engine.table.play import dealt, fold_out, lose, play_on, run_out

RICH = 10_000
FREEZE = FreezeTable("called off", "operator")


def table(stacks: list[int | None], **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a tournament table at 50/100."""
    return tournament("modern", stacks, button=len(stacks) - 1, **terms)


def kinds(game: Game) -> list[type]:
    """Return the types of the last command's events."""
    return [type(event) for event in game.events]


# How many hands.


def test_the_director_lets_hands_be_dealt() -> None:
    """O-32, O-34: up to a number."""
    assert table([RICH] * 3).do(LimitHands(2)).events == (HandsLimited(2),)


def test_after_the_last_hand_that_is_allowed_none_is_dealt() -> None:
    """O-34: a table that has played its hand waits for the others."""
    play_on(table([RICH] * 3).do(LimitHands(2)), 2).refuses(StartHand(), "HAND_NOT_ALLOWED")


def test_no_hand_at_all_may_be_allowed() -> None:
    """O-32: before the tournament begins nothing is dealt."""
    table([RICH] * 3).do(LimitHands(0)).refuses(StartHand(), "HAND_NOT_ALLOWED")


@pytest.mark.parametrize("game", [table([RICH] * 3), cash("modern", [RICH] * 3)])
def test_without_a_director_there_is_no_limit(game: Game) -> None:
    """O-34: None stands for no limit."""
    assert game.table.desk.hands_allowed is None
    assert play_on(game, 3).table.desk.hands_started == 3


def test_the_hand_in_progress_is_played_on() -> None:
    """O-32, O-34: a limit holds for hands to come."""
    game = fold_out(table([RICH] * 3).start().do(LimitHands(0)))
    assert len(game.all(HandReported)) == 1
    game.refuses(StartHand(), "HAND_NOT_ALLOWED")


def test_a_higher_limit_lets_the_table_go_on() -> None:
    """O-34: one hand more when all tables have ended theirs."""
    game = play_on(table([RICH] * 3).do(LimitHands(1))).do(LimitHands(2))
    assert game.start().hand.setup.number == 2


def test_a_limit_can_be_taken_back() -> None:
    """O-34: when play goes hand for hand, what was allowed before is not any more."""
    play_on(table([RICH] * 3).do(LimitHands(100))).do(LimitHands(1)).refuses(StartHand(), "HAND_NOT_ALLOWED")


def test_a_void_hand_has_used_its_number() -> None:
    """O-34: whether it is dealt again is for the director to say."""
    game = table([RICH] * 3).do(LimitHands(1)).start().do(VoidHand("T1-1", "a fault", "operator"))
    game.refuses(StartHand(), "HAND_NOT_ALLOWED")


def test_the_limit_that_is_in_force_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    assert table([RICH] * 3).do(LimitHands(2)).do(LimitHands(2)).events == ()


def test_hands_count_from_one() -> None:
    """O-34: there is no number below 0 up to which hands could be dealt."""
    assert table([RICH] * 3).refuses(LimitHands(-1), "FIELD_INVALID").metadata == {"field": "up_to"}


@pytest.mark.parametrize("command", [LimitHands(1), FREEZE])
def test_a_cash_table_has_no_director(command: TableCommand) -> None:
    """O-34: limits and freezes are for tournaments."""
    cash("modern", [RICH] * 3).refuses(command, "NOT_A_TOURNAMENT")


# The tournament is called off.


def test_the_hand_in_progress_is_void_and_the_table_stands_still() -> None:
    """`design.md` section 3: void, report, freeze, and the stacks for the plan."""
    game = table([RICH] * 3).start().raise_to(300).do(FREEZE)
    assert kinds(game) == [HandVoided, HandReported, TableHalted, StacksReported]
    assert (game.last(HandVoided).cause, game.last(HandVoided).by) == ("called off", "operator")
    assert game.last(TableHalted) == TableHalted("called off")


def test_the_stacks_are_those_at_the_start_of_the_hand() -> None:
    """AMB-12: `chips_as_of = start_of_hand`, also for those who are all-in: they are still in."""
    game = table([300, 1000, 2000]).start().all_in().all_in().do(FREEZE)
    assert game.last(StacksReported) == StacksReported((1, 2, 3), (300, 1000, 2000))
    assert game.last(HandReported).knock_outs == ()


def test_without_a_hand_the_stacks_are_what_everybody_has() -> None:
    """AMB-12: a table between two hands freezes as it is."""
    game = fold_out(table([1000] * 3).start()).do(FREEZE)
    assert game.events == (TableHalted("called off"), StacksReported((1, 2, 3), (950, 1050, 1000)))


def test_a_halted_table_reports_as_well() -> None:
    """`design.md` section 3: it keeps the cause for which it was halted."""
    game = table([1000] * 2).do(HaltTable("a fault of ours")).do(FREEZE)
    assert game.events == (StacksReported((1, 2), (1000, 1000)),)
    assert game.table.desk.halted == "a fault of ours"


def test_the_hand_of_a_halted_table_is_void() -> None:
    """AMB-12: no hand is left open when the plan is made."""
    game = table([1000] * 2).start().do(HaltTable("a fault of ours")).do(FREEZE)
    assert kinds(game) == [HandVoided, HandReported, StacksReported]


def test_who_asks_again_is_told_again() -> None:
    """`design.md` section 3: the answer is given to every request."""
    assert table([1000] * 2).do(FREEZE).do(FREEZE).events == (StacksReported((1, 2), (1000, 1000)),)


def test_chips_that_wait_for_the_end_of_the_hand_count() -> None:
    """AMB-12, O-31: what was bought in mid-hand is its buyer's."""
    game = table([1000] * 2).start().do(QueueChips("p0", 500, "t9")).do(FREEZE)
    assert game.last(StacksReported) == StacksReported((1, 2), (1500, 1000))


def test_who_was_ordered_to_go_has_gone() -> None:
    """AMB-12: his chips are with the director, and what he left with is his stack of the start."""
    game = table([1000] * 3).start().all_in().do(RemovePlayer("p2", "removed")).do(FREEZE)
    assert game.last(StacksReported).entries == (1, 2)
    assert (game.last(PlayerLeft).entry, game.last(PlayerLeft).amount) == (3, 1000)


def test_a_table_where_nobody_sits_reports_nobody() -> None:
    """`design.md` section 3: the director need not know which tables are empty."""
    game = open_table("modern", kind="tournament").do(FREEZE)
    assert game.last(StacksReported) == StacksReported((), ())


def test_a_closed_table_answers_and_is_not_halted() -> None:
    """`operations.md` 7b.8: it is gone for good; whoever sat there has taken his chips along."""
    assert table([1000] * 2).do(CloseTable()).do(FREEZE).events == (StacksReported((), ()),)


def test_a_closing_table_sends_everybody_away_when_its_hand_is_void() -> None:
    """AMB-12: with the stacks of the start of the hand; there is nothing left to freeze."""
    game = table([1000] * 2).start().do(CloseTable()).do(FREEZE)
    assert kinds(game) == [HandVoided, HandReported, PlayerLeft, PlayerLeft, TableClosed, StacksReported]
    assert [event.amount for event in game.all(PlayerLeft)] == [1000, 1000]


def test_a_frozen_table_deals_no_hand() -> None:
    """`design.md` section 3: no chip moves any more."""
    table([1000] * 2).do(FREEZE).refuses(StartHand(), "TABLE_HALTED")


def test_a_frozen_table_can_be_resumed() -> None:
    """A tournament that goes on after all: by an operator."""
    game = table([1000] * 2).do(FREEZE).do(ResumeTable("operator"))
    assert set(dealt(game.start())) == {0, 1}


@pytest.mark.parametrize(("command", "field"), [(FreezeTable("", "ann"), "cause"), (FreezeTable("fire", ""), "by")])
def test_a_freeze_has_a_cause_and_a_name(command: FreezeTable, field: str) -> None:
    """`operations.md` 7b.6: administration says why and who."""
    assert table([1000] * 2).refuses(command, "FIELD_INVALID").metadata == {"field": field}


# What is played for.


def protected(kind: str, **terms: Any) -> ProtectionRequested:  # noqa: ANN401 - the terms of a table.
    """Return what is asked of the account of a lost player."""
    rules = {"protection.in_tournaments": True}
    begin = {"cash": cash, "tournament": tournament}[kind]
    game = begin("akpoker", [RICH] * 3, blinds=(100, 200), rules=rules, **terms).start().raise_to(600)
    return run_out(lose(game, 1)).last(ProtectionRequested)


@pytest.mark.parametrize(
    ("kind", "prize_unit", "unit"),
    [("tournament", "EUR", "EUR"), ("tournament", "USD/play", "USD/play"), ("cash", "", "USD")],
)
def test_a_protection_is_counted_by_what_is_played_for(kind: str, prize_unit: str, unit: str) -> None:
    """`rulebooks.md` section 4, quota: real and play money apart; in a tournament its prizes decide."""
    assert protected(kind, prize_unit=prize_unit).unit == unit


def test_a_table_names_the_currency_of_its_prizes() -> None:
    """`design.md` section 6: all that is in force stands in `TableCreated`."""
    game = open_table("modern", kind="tournament", prize_unit="EUR")
    assert (game.log[0].prize_unit, game.table.config.prize_unit) == ("EUR", "EUR")  # type: ignore[union-attr]


def test_the_currency_of_prizes_is_a_name() -> None:
    """`errors.py`: what is no text is wrong in every state."""
    stakes = table([1000] * 2).table.terms.stakes
    command = CreateTable("T1", "Test", "tournament", "chips/SNG1", 6, load("modern"), stakes, "a\nb")
    with pytest.raises(Rejected, match="FIELD_INVALID") as refusal:
        decide(None, command, 0)
    assert refusal.value.metadata == {"field": "prize_unit"}
