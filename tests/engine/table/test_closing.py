"""Closing a table: the hand is played to its end, everybody goes home, the rake is swept, and then it is gone."""

from __future__ import annotations

import pytest

from engine.table.commands import (
    CloseTable,
    HaltTable,
    HoldSeat,
    PauseClock,
    ReserveSeat,
    SeatPlayer,
    StartHand,
    TableCommand,
    VoidHand,
)
from engine.table.events import (
    ChipsReturned,
    HandEnded,
    PlayerLeft,
    RakeSwept,
    SeatReleased,
    SeatReserved,
    TableClosed,
    TableClosing,
)
from tests.engine.table.game import Game, cash, open_table, tournament
from tests.engine.table.play import check_down, fold_out, leave, sit_out

RICH = 10_000
CLOSE = CloseTable()


def names(game: Game) -> list[str]:
    """Return the names of the last command's events."""
    return [type(event).__name__ for event in game.events]


def test_an_empty_table_closes_at_once() -> None:
    """`operations.md` 7b.8: nothing is left to finish."""
    assert open_table("modern").do(CLOSE).events == (TableClosing(), TableClosed())


def test_between_hands_everybody_goes_home() -> None:
    """`operations.md` 7b.8: with all his chips, and with the reason."""
    game = cash("modern", [RICH, 5000]).do(CLOSE)
    assert names(game) == ["TableClosing", "PlayerLeft", "PlayerLeft", "TableClosed"]
    assert [(event.amount, event.cause) for event in game.all(PlayerLeft)] == [
        (RICH, "table_closing"),
        (5000, "table_closing"),
    ]


def test_the_hand_in_progress_is_played_to_its_end() -> None:
    """`operations.md` 7b.8: closing lets the hand finish, then stops."""
    game = cash("akpoker", [RICH] * 3).start().do(CLOSE)
    assert game.events == (TableClosing(),)
    fold_out(game)
    assert names(game)[-5:] == ["HandEnded", "PlayerLeft", "PlayerLeft", "PlayerLeft", "TableClosed"]
    assert sum(event.amount for event in game.all(PlayerLeft)) == 3 * RICH


def test_who_is_not_in_the_hand_goes_at_once() -> None:
    """`operations.md` 7b.8: he has nothing to finish."""
    game = sit_out(cash("akpoker", [RICH] * 3), 1).start().do(CLOSE)
    assert names(game) == ["TableClosing", "PlayerLeft"]


def test_no_hand_is_started_any_more() -> None:
    """`operations.md` 7b.8: a closed table deals no more."""
    cash("modern", [RICH] * 3).do(CLOSE).refuses(StartHand(), "TABLE_CLOSED")


def test_a_hand_that_is_voided_sends_everybody_home_as_well() -> None:
    """R-AKP-31: with the stacks of its start."""
    game = cash("akpoker", [RICH, 5000]).start().do(CLOSE).do(VoidHand("T1-1", "fault", "operator"))
    assert names(game) == ["HandVoided", "PlayerLeft", "PlayerLeft", "TableClosed"]
    assert [event.amount for event in game.all(PlayerLeft)] == [RICH, 5000]


def test_the_rake_goes_before_the_table() -> None:
    """`design.md` section 3: rake is swept at close."""
    game = check_down(cash("modern", [RICH] * 2).start()).do(CLOSE)
    assert game.events[-2:] == (game.last(RakeSwept), TableClosed())


def test_held_seats_are_given_up() -> None:
    """O-6: who was at the buy-in dialog is told."""
    game = open_table("modern").do(HoldSeat("p1", 1, 1000)).do(CLOSE)
    assert game.events == (TableClosing(), SeatReleased(1, "p1", "table_closing"), TableClosed())


def test_money_on_its_way_keeps_the_table_open() -> None:
    """`design.md` section 3: `TableClosed` waits for transfers under way, also through a hand."""
    game = cash("akpoker", [RICH, RICH, None]).do(ReserveSeat("p2", 2, 5000))
    transfer_id = game.last(SeatReserved).transfer_id
    fold_out(game.start().do(CLOSE))
    assert game.all(TableClosed) == []
    game.do(SeatPlayer("p2", 5000, transfer_id))
    assert names(game) == ["PlayerSeated", "PlayerLeft", "TableClosed"]


def test_money_that_comes_during_the_last_hand_goes_home_before_it() -> None:
    """`design.md` section 3: the table closes with the hand, since nothing is on its way any more."""
    game = cash("akpoker", [RICH, RICH, None]).do(ReserveSeat("p2", 2, 5000))
    game.start().do(CLOSE).do(SeatPlayer("p2", 5000, game.last(SeatReserved).transfer_id))
    assert names(game) == ["PlayerSeated", "PlayerLeft"]
    assert names(fold_out(game))[-1] == "TableClosed"


def test_stray_money_returns_while_the_last_hand_is_played() -> None:
    """`design.md` section 3: it goes back, and the hand goes on."""
    game = cash("akpoker", [RICH, RICH]).start().do(CLOSE).do(SeatPlayer("p2", 5000, "stray"))
    assert names(game) == ["ChipsQueued", "ChipsReturned"]
    assert game.last(ChipsReturned).amount == 5000


def test_who_asked_to_leave_leaves_for_his_own_reason() -> None:
    """AMB-51: the reason that came first stands."""
    game = fold_out(leave(cash("akpoker", [RICH] * 3).start(), 1).do(CLOSE))
    assert [event.cause for event in game.all(PlayerLeft)] == ["table_closing", "player", "table_closing"]


def test_closing_twice_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    game = cash("akpoker", [RICH] * 3).start().do(CLOSE)
    assert game.do(CLOSE).events == ()
    assert fold_out(game).do(CLOSE).events == ()


@pytest.mark.parametrize("command", [HaltTable("a fault of ours"), PauseClock()])
def test_a_closed_table_is_gone_for_good(command: TableCommand) -> None:
    """`operations.md` 7b.8: nothing is left that could be halted or paused."""
    open_table("modern").do(CLOSE).refuses(command, "TABLE_CLOSED")


def test_a_tournament_table_closes_the_same_way() -> None:
    """The director gets every stack back."""
    game = fold_out(tournament("akpoker", [RICH] * 3).start().do(CLOSE))
    assert isinstance(game.events[-1], TableClosed)
    assert game.last(HandEnded).seats == (0, 1, 2)
    assert sum(event.amount for event in game.all(PlayerLeft)) == 3 * RICH
