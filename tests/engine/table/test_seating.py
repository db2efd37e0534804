"""Taking a seat: held while the dialog is open, reserved once money was asked for, given when the money is there."""

from __future__ import annotations

import pytest

from engine.errors import Reason, Rejected
from engine.poker.money import CHIPS_MAX
from engine.table.commands import (
    CloseTable,
    HaltTable,
    HoldSeat,
    ReleaseSeat,
    ReserveSeat,
    SeatEntry,
    SeatPlayer,
    TableCommand,
)
from engine.table.decide import decide
from engine.table.events import (
    PlayerSeated,
    SeatHeld,
    SeatReleased,
    SeatReserved,
)
from tests.engine.table.game import Game, cash, open_table, tournament

RICH = 10_000
MINUTE_MS = 60_000


def empty() -> Game:
    """Return an empty modern table of six seats, 50/100 no limit: buy-ins from 4000 to 10,000."""
    return open_table("modern")


def reserved(game: Game, player: str = "p1", seat: int = 1, amount: int = 5000) -> str:
    """Let a seat be reserved and return the transfer that the money will come with."""
    return game.do(ReserveSeat(player, seat, amount)).last(SeatReserved).transfer_id


# Holding.


def test_a_seat_is_held_for_a_time() -> None:
    """O-6: while the dialog is open the seat is kept, without money, until a time."""
    game = empty().wait(seconds=5).do(HoldSeat("p1", 1, MINUTE_MS))
    assert game.events == (SeatHeld(1, "p1", 5000 + MINUTE_MS),)


@pytest.mark.parametrize("command", [HoldSeat("p2", 1, 1), ReserveSeat("p2", 1, 5000)])
@pytest.mark.parametrize(("after_ms", "reason"), [(MINUTE_MS - 1, "SEAT_TAKEN"), (MINUTE_MS, "")])
def test_a_hold_binds_others_until_it_expires(command: TableCommand, after_ms: int, reason: str) -> None:
    """O-6: nobody else gets the seat before the hold expires, and anybody does from then on."""
    game = empty().do(HoldSeat("p1", 1, MINUTE_MS)).wait(ms=after_ms)
    if reason:
        game.refuses(command, reason)
    else:
        assert len(game.do(command).events) == 1


def test_his_own_hold_does_not_bind_a_player() -> None:
    """O-6: the player for whom the seat is held may hold it again and reserve it; that ends the hold."""
    game = empty().do(HoldSeat("p1", 1, MINUTE_MS)).do(HoldSeat("p1", 1, MINUTE_MS)).do(ReserveSeat("p1", 1, 5000))
    assert game.table.desk.holds == ()


def test_a_hold_binds_its_seat_alone() -> None:
    """O-6: the seat beside it is free."""
    assert reserved(empty().do(HoldSeat("p1", 1, MINUTE_MS)), "p2", 2)


def test_a_player_holds_one_seat() -> None:
    """O-6: holding another seat gives the first one up."""
    game = empty().do(HoldSeat("p1", 1, MINUTE_MS)).do(HoldSeat("p1", 2, MINUTE_MS))
    assert [hold.seat for hold in game.table.desk.holds] == [2]


def test_an_expired_hold_is_gone_when_another_takes_the_seat() -> None:
    """O-6: then there is nothing left to release, and the new hold stands."""
    game = empty().do(HoldSeat("p1", 1, 1)).wait(ms=1).do(HoldSeat("p2", 1, MINUTE_MS))
    game.refuses(ReleaseSeat("p1"), "RESERVATION_UNKNOWN")
    assert [hold.player for hold in game.table.desk.holds] == ["p2"]


@pytest.mark.parametrize(("after_ms", "cause"), [(999, "player"), (1000, "expired")])
def test_a_held_seat_is_released(after_ms: int, cause: str) -> None:
    """O-6: given up by the player, or expired; the event says which."""
    game = empty().do(HoldSeat("p1", 1, 1000)).wait(ms=after_ms).do(ReleaseSeat("p1"))
    assert game.events == (SeatReleased(1, "p1", cause),)  # type: ignore[arg-type]
    assert game.table.desk.holds == ()


def test_what_is_not_held_is_not_released() -> None:
    """O-6: without a hold there is nothing to release."""
    empty().refuses(ReleaseSeat("p1"), "RESERVATION_UNKNOWN")


# Reserving.


def test_a_reservation_asks_for_the_money() -> None:
    """`design.md` section 3: the place is reserved first, under the id of the transfer that brings the money."""
    game = empty()
    transfer_id = reserved(game)
    assert game.events == (SeatReserved(1, "p1", 5000, transfer_id, whole_balance_only=False),)


def test_no_timer_ends_a_reservation() -> None:
    """O-6: a seat for which money was asked for stays reserved until the account answers."""
    game = empty()
    reserved(game)
    game.wait(seconds=10**6).refuses(ReserveSeat("p2", 1, 5000), "SEAT_TAKEN")


@pytest.mark.parametrize("command", [HoldSeat("p1", 2, MINUTE_MS), ReserveSeat("p1", 2, 5000)])
def test_a_player_has_one_seat_at_a_table(command: TableCommand) -> None:
    """T-ABU-4: reserved or seated, nobody gets a second one."""
    game = empty()
    transfer_id = reserved(game)
    game.refuses(command, "ALREADY_SEATED")
    game.do(SeatPlayer("p1", 5000, transfer_id)).refuses(command, "ALREADY_SEATED")


def test_one_seat_for_each_player_also_in_the_first_seat() -> None:
    """T-ABU-4: seat 0 is a seat like any other."""
    cash("modern", [RICH, RICH, None]).refuses(ReserveSeat("p0", 2, 5000), "ALREADY_SEATED")


def test_reservations_of_others_do_not_bind_him() -> None:
    """T-ABU-4: two players may wait for two seats."""
    game = empty()
    assert reserved(game, "p1", 1) != reserved(game, "p2", 2)


def test_an_occupied_seat_is_taken() -> None:
    """O-6: one seat, one player."""
    cash("modern", [RICH, RICH]).refuses(ReserveSeat("p9", 1, 5000), "SEAT_TAKEN")


def test_tournament_seats_are_not_bought() -> None:
    """The director gives them."""
    tournament("modern", [RICH, RICH, None]).refuses(ReserveSeat("p9", 2, 5000), "NO_BUYIN")


# What is wrong in every state, and where nobody can sit.


@pytest.mark.parametrize(
    "command",
    [
        HoldSeat("p1", 1, 0),
        HoldSeat("p1", 1, -1),
        HoldSeat("p1", 1, 10 * MINUTE_MS + 1),
        HoldSeat("", 1, 1000),
        HoldSeat("house", 1, 1000),
        ReserveSeat("house", 1, 5000),
        ReserveSeat("", 1, 5000),
        ReserveSeat("p1", 1, 0),
        ReserveSeat("p1", 1, -1),
        ReserveSeat("p1", 1, CHIPS_MAX + 1),
        SeatEntry("", 1, 1, 5000, "t"),
        SeatEntry("p1", 0, 1, 5000, "t"),
        SeatEntry("house", 1, 1, 5000, "t"),
        SeatEntry("p1", 1, 1, 5000, ""),
        SeatEntry("p1", 1, 1, 0, "t"),
        SeatPlayer("p1", 0, "t"),
        SeatPlayer("p1", -5, "t"),
        SeatPlayer("", 5000, "t"),
    ],
)
def test_malformed_requests(command: TableCommand) -> None:
    """`errors.py`: no name or the house's own, no time or too much, no positive int64: wrong in every state."""
    empty().refuses(command, "FIELD_INVALID")


SEAT_COMMANDS = [HoldSeat("p1", 1, 1000), ReserveSeat("p1", 1, 5000)]


@pytest.mark.parametrize("command", [HoldSeat("p1", -1, 1000), ReserveSeat("p1", 6, 5000)])
def test_seats_that_are_not_there(command: TableCommand) -> None:
    """Seats count from 0 to one less than the table has."""
    empty().refuses(command, "SEAT_UNKNOWN")


@pytest.mark.parametrize("command", SEAT_COMMANDS)
def test_a_halted_table_takes_nobody(command: TableCommand) -> None:
    """After a fault of ours nobody sits down until the table is resumed."""
    empty().do(HaltTable("a fault of ours")).refuses(command, "TABLE_HALTED")


@pytest.mark.parametrize("command", SEAT_COMMANDS)
def test_a_closing_table_takes_nobody(command: TableCommand) -> None:
    """`operations.md` 7b.8: a table that closes takes no more players."""
    cash("modern", [RICH, RICH, RICH]).start().do(CloseTable()).refuses(command, "TABLE_CLOSED")


# Tournament entries.


def test_an_entry_gets_its_seat_with_its_chips() -> None:
    """The director names the seat, the entry and its chips."""
    game = tournament("modern", [RICH, RICH, None]).do(SeatEntry("p9", 9, 2, 3000, "t9"))
    assert game.events == (PlayerSeated(2, "p9", 3000, "t9", 9),)


def test_cash_players_are_not_entries() -> None:
    """A cash table takes money, not entries."""
    empty().refuses(SeatEntry("p1", 1, 1, 5000, "t"), "NOT_A_TOURNAMENT")


def test_a_table_that_is_not_there_seats_nobody() -> None:
    """`design.md` section 1: only `CreateTable` begins a table."""
    with pytest.raises(Rejected) as refusal:
        decide(None, ReserveSeat("p1", 1, 5000), 0)
    assert refusal.value.reason == Reason.TABLE_UNKNOWN
