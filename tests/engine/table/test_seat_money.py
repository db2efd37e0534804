"""The money for a seat: it arrives and gives the seat, is refused and frees it, or finds no place and goes back."""

from __future__ import annotations

import pytest

from engine.origin import return_id
from engine.poker.money import CHIPS_MAX
from engine.table.commands import (
    CloseTable,
    HaltTable,
    ReleaseSeat,
    ReserveSeat,
    SeatEntry,
    SeatPlayer,
)
from engine.table.events import (
    ChipsQueued,
    ChipsReturned,
    PlayerLeft,
    PlayerSeated,
    SeatReleased,
    SeatReserved,
    TableClosed,
)
from tests.engine.table.game import Game, open_table, tournament

RICH = 10_000


def empty() -> Game:
    """Return an empty modern table of six seats, 50/100 no limit: buy-ins from 4000 to 10,000."""
    return open_table("modern")


def reserved(game: Game, player: str = "p1", seat: int = 1, amount: int = 5000) -> str:
    """Let a seat be reserved and return the transfer that the money will come with."""
    return game.do(ReserveSeat(player, seat, amount)).last(SeatReserved).transfer_id


# The money has arrived.


def test_the_money_gives_the_seat() -> None:
    """`design.md` section 3: `SeatReserved`, `FundsSent`, `PlayerSeated`; the reservation is over."""
    game = empty()
    transfer_id = reserved(game)
    game.do(SeatPlayer("p1", 5000, transfer_id))
    assert game.events == (PlayerSeated(1, "p1", 5000, transfer_id),)
    assert game.table.desk.reservations == ()


def test_a_halted_table_still_seats_whom_it_asked_for_money() -> None:
    """`design.md` section 3: only payers refuse; what was sent always has somewhere to land."""
    game = empty()
    transfer_id = reserved(game)
    game.do(HaltTable("a fault of ours")).do(SeatPlayer("p1", 5000, transfer_id))
    assert game.stacks[1] == 5000


def test_money_without_a_place_goes_straight_back() -> None:
    """`design.md` section 3: taken in and at once returned, under an id made from the one it came with."""
    game = empty().do(SeatPlayer("p1", 5000, "stray"))
    returned = ChipsReturned(-1, "p1", 5000, return_id("stray"))
    assert game.events == (ChipsQueued(-1, "p1", 5000, "stray"), returned)
    assert game.stacks == [0] * 6


def test_money_that_comes_twice_goes_back_the_second_time() -> None:
    """`design.md` section 3: a seat is given once."""
    game = empty()
    transfer_id = reserved(game)
    game.do(SeatPlayer("p1", 5000, transfer_id)).do(SeatPlayer("p1", 5000, transfer_id))
    assert isinstance(game.events[-1], ChipsReturned)
    assert sum(game.stacks) == 5000


@pytest.mark.parametrize(("player", "amount"), [("p2", 5000), ("p1", 4999)])
def test_money_that_was_not_asked_for_so_goes_back(player: str, amount: int) -> None:
    """`design.md` section 3: another player's money, or another amount, finds no place under this transfer."""
    game = empty()
    transfer_id = reserved(game)
    game.do(SeatPlayer(player, amount, transfer_id))
    assert isinstance(game.events[-1], ChipsReturned)
    assert game.stacks == [0] * 6


def test_a_closing_table_seats_him_and_sends_him_home() -> None:
    """`design.md` section 3: the money that was asked for arrives, goes back with the player, and the table closes."""
    game = empty()
    transfer_id = reserved(game)
    game.do(CloseTable())
    assert game.all(TableClosed) == []
    game.do(SeatPlayer("p1", 5000, transfer_id))
    assert [type(event) for event in game.events] == [PlayerSeated, PlayerLeft, TableClosed]
    assert game.last(PlayerLeft).amount == 5000


def test_money_for_a_closed_table_goes_back() -> None:
    """`design.md` section 3: a table that is gone keeps no money."""
    game = empty().do(CloseTable()).do(SeatPlayer("p1", 5000, "stray"))
    assert [type(event) for event in game.events] == [ChipsQueued, ChipsReturned]


# The money was refused.


def test_a_refusal_frees_the_seat() -> None:
    """`design.md` section 3: `FundsRefused` leads to `SeatReleased`, and others may have the seat."""
    game = empty()
    transfer_id = reserved(game)
    game.do(ReleaseSeat("p1", transfer_id))
    assert game.events == (SeatReleased(1, "p1", "funds_refused", transfer_id),)
    assert reserved(game, "p2")


def test_a_refusal_is_about_its_own_transfer() -> None:
    """`design.md` section 3: others go on waiting."""
    game = empty()
    reserved(game, "p1", 1)
    game.do(ReleaseSeat("p2", reserved(game, "p2", 2)))
    assert [reservation.player for reservation in game.table.desk.reservations] == ["p1"]


def test_a_refusal_that_nobody_waits_for() -> None:
    """Only a reservation under this transfer can be given up."""
    empty().refuses(ReleaseSeat("p1", "stray"), "RESERVATION_UNKNOWN")


def test_the_last_refusal_lets_a_closing_table_close() -> None:
    """`design.md` section 3: `TableClosed` waits for transfers under way."""
    game = empty()
    transfer_id = reserved(game)
    game.do(CloseTable()).do(ReleaseSeat("p1", transfer_id))
    assert game.events == (SeatReleased(1, "p1", "funds_refused", transfer_id), TableClosed())


# How much a table can hold.


def test_all_chips_of_a_table_fit_an_int64() -> None:
    """`reliability.md`: an entry with which the sum of a table would overflow finds no place; one that fits does."""
    game = tournament("modern", [RICH, CHIPS_MAX - RICH - 5, None])
    assert game.do(SeatEntry("p9", 9, 2, 6, "t9")).stacks[2] == 0
    assert game.do(SeatEntry("p9", 9, 2, 5, "t10")).stacks[2] == 5


def test_money_under_way_is_among_them() -> None:
    """`reliability.md`: what was asked for counts before it arrives."""
    game = open_table("modern", limit="fixed_limit", bets=(100, 200))
    reserved(game, "p1", 1, CHIPS_MAX - 2000)
    refusal = game.refuses(ReserveSeat("p2", 2, 2001), "TABLE_FULL_OF_CHIPS")
    assert refusal.metadata["maximum"] == 2000
