"""Money on its way between tables and accounts, edge by edge (F21): reserve the place, then move the money.

Nothing is delivered until a test says so: `room.deliver(target)` brings the next thing to a target, `room.drain()` all
there is. The tables are 100/200 no limit: buy-ins from 8000 to 20,000 chips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from engine.account.commands import FreezeAccount
from engine.account.events import FundsReceived, FundsRefused, FundsSent
from engine.origin import return_id
from engine.table.commands import (
    CloseTable,
    HaltTable,
    HoldSeat,
    Leave,
    ReleaseSeat,
    RemovePlayer,
    RequestTopUp,
    ReserveSeat,
    TableCommand,
)
from engine.table.events import (
    ChipsReturned,
    PlayerLeft,
    PlayerSeated,
    SeatReleased,
    SeatReserved,
    TableClosed,
    TopUpReserved,
)
from engine.table.state import Reservation, occupant_at
from tests.engine.courier import CardRoom
from tests.engine.room_game import RoomGame, books, fund, funds, open_room_table, seated, told
from tests.engine.table.play import check_down, fold_out

BUY_IN = 8000
MOST = 20_000
Begin: TypeAlias = Callable[[], RoomGame]


def empty_table(player_has: int = 10_000) -> RoomGame:
    """Return a table at which nobody sits; p0 has an account."""
    game = open_room_table(CardRoom(), "modern")
    fund(game.room, "p0", player_has)
    return game


def reserved(game: RoomGame) -> tuple[Reservation, ...]:
    """Return what the table waits for."""
    return game.table.desk.reservations


def asked(player_has: int = 10_000) -> RoomGame:
    """Return a table that waits for the buy-in of p0; nothing is delivered."""
    return empty_table(player_has).do(ReserveSeat("p0", 0, BUY_IN))


def paid() -> RoomGame:
    """Return a table for which the buy-in of p0 is in transit."""
    game = asked()
    game.room.deliver("account/p0")
    return game


# A buy-in.


def test_a_buy_in_moves_no_money_before_the_account_pays() -> None:
    """`design.md` section 3: the place is reserved first."""
    game = asked()
    assert books(game.room) == {"player funds/p0": 10_000}
    assert [r.player for r in reserved(game)] == ["p0"]


def test_what_the_account_pays_is_in_transit() -> None:
    """P3: what was sent and is not yet received is counted as in transit, under the id of the reservation."""
    game = paid()
    (sent,) = told(game.room, FundsSent)
    assert books(game.room) == {"player funds/p0": 2000, f"in transit/{sent.transfer_id}": BUY_IN}
    assert sent.transfer_id == game.last(SeatReserved).transfer_id


def test_what_arrives_seats_the_player() -> None:
    """`design.md` section 3: `SeatReserved`, `FundsSent`, `PlayerSeated`; nothing is left over."""
    game = paid()
    game.room.deliver(game.address)
    assert game.last(PlayerSeated).transfer_id == game.last(SeatReserved).transfer_id
    assert books(game.room) == {"player funds/p0": 2000, "stacks/T1": BUY_IN}
    assert not reserved(game)
    assert not game.room.ways()


def stranger() -> RoomGame:
    """Return a table that waits for somebody who has no account."""
    return open_room_table(CardRoom(), "modern").do(ReserveSeat("p0", 0, BUY_IN))


def frozen() -> RoomGame:
    """Return a table that waits for somebody whose account is frozen meanwhile."""
    game = asked()
    game.room.ask("account/p0", FreezeAccount("alarm", "ann"))
    return game


def poor() -> RoomGame:
    """Return a table that waits for somebody who has too little."""
    return asked(BUY_IN - 1)


@pytest.mark.parametrize(
    ("cause", "begin"), [("no_account", stranger), ("frozen", frozen), ("insufficient_funds", poor)]
)
def test_a_refused_buy_in_releases_the_seat(cause: str, begin: Begin) -> None:
    """`reliability.md` section 11: the account refuses, the table says `SeatReleased`, and no money has moved."""
    game = begin()
    before = books(game.room)
    game.room.drain()
    assert [refused.cause for refused in told(game.room, FundsRefused)] == [cause]
    assert game.log[-1] == SeatReleased(0, "p0", "funds_refused", game.last(SeatReserved).transfer_id)
    assert (books(game.room), reserved(game), game.table.seats[0]) == (before, (), None)


def test_a_released_seat_can_be_taken() -> None:
    """`reliability.md` I12: a refused transfer is resolved by releasing the seat, which is then anybody's."""
    game = poor()
    fund(game.room, "p1", BUY_IN)
    game.room.drain()
    assert game.buy_in("p1", 0, BUY_IN).player(0) == "p1"


def test_two_tables_cannot_have_the_same_money() -> None:
    """T-ABU-3: who asks for two seats with money for one gets one."""
    first = asked()
    second = open_room_table(first.room, "modern", "T2").do(ReserveSeat("p0", 0, BUY_IN))
    first.room.drain()
    assert sum(table.table.seats[0] is not None for table in (first, second)) == 1
    assert not reserved(first) + reserved(second)


# What happens while a buy-in is under way.


def test_a_closing_table_waits_for_money_under_way() -> None:
    """`design.md` section 3: `TableClosed` waits for transfers under way."""
    game = paid().do(CloseTable())
    assert not game.all(TableClosed)
    game.room.drain()
    assert [type(event).__name__ for event in game.log[-3:]] == ["PlayerSeated", "PlayerLeft", "TableClosed"]


@pytest.mark.parametrize("begin", [asked, paid])
def test_money_that_comes_to_a_closing_table_comes_back(begin: Begin) -> None:
    """`design.md` section 3: it is taken in and goes home at once as a transfer of its own."""
    game = begin().do(CloseTable())
    game.room.drain()
    (received,) = told(game.room, FundsReceived)
    assert received.transfer_id == game.last(PlayerLeft).transfer_id != game.last(SeatReserved).transfer_id
    assert books(game.room) == {"player funds/p0": 10_000}


def test_a_refusal_lets_a_closing_table_close() -> None:
    """`design.md` section 3: a refusal ends a transfer as well."""
    game = poor().do(CloseTable())
    assert not game.all(TableClosed)
    game.room.drain()
    assert game.all(TableClosed)


def test_a_halted_table_takes_money_in() -> None:
    """`design.md` section 3: a receiver always accepts, also when a fault of ours has stopped the table meanwhile."""
    game = paid().do(HaltTable("a fault"))
    game.room.drain()
    assert game.stack(0) == BUY_IN


@pytest.mark.parametrize("command", [Leave("p0"), RemovePlayer("p0", "removed"), ReleaseSeat("p0")])
@pytest.mark.parametrize("begin", [asked, paid])
def test_nobody_goes_before_his_money_has_come(begin: Begin, command: TableCommand) -> None:
    """`reliability.md` F21: leaving while the buy-in is in transit is refused; he sits down first, and can go then."""
    game = begin()
    game.refuses(command, "RESERVATION_UNKNOWN" if isinstance(command, ReleaseSeat) else "PLAYER_NOT_SEATED")
    game.room.drain()
    assert game.stack(0) == BUY_IN
    game.leave(0).room.drain()
    assert funds(game.room, "p0") == 10_000


def test_no_timer_releases_a_seat_whose_funds_were_sent() -> None:
    """M23, `reliability.md` section 11: crash or no crash, the seat stays reserved until the table has the money."""
    game = empty_table().do(HoldSeat("p0", 0, 30_000)).do(ReserveSeat("p0", 0, BUY_IN))
    game.room.deliver("account/p0")
    game.wait(seconds=3600).refuses(ReleaseSeat("p0"), "RESERVATION_UNKNOWN")
    game.refuses(ReserveSeat("p1", 0, BUY_IN), "SEAT_TAKEN")
    game.room.drain()
    assert game.player(0) == "p0"


def test_a_hold_has_no_money() -> None:
    """`design.md` section 3: `SeatHeld` asks nobody for anything, so there is nothing to give back when it expires."""
    game = empty_table().do(HoldSeat("p0", 0, 30_000))
    assert not game.room.ways()
    assert game.wait(seconds=30).do(ReleaseSeat("p0")).events == (SeatReleased(0, "p0", "expired"),)
    assert books(game.room) == {"player funds/p0": 10_000}


def test_who_buys_in_after_his_hold_expired_is_seated() -> None:
    """`design.md` section 3: an expired hold binds nobody, its own player neither."""
    game = empty_table().do(HoldSeat("p0", 0, 30_000)).wait(seconds=31)
    assert game.buy_in("p0", 0, BUY_IN).stack(0) == BUY_IN


# A top-up.


def topping_up(amount: int = 500, player_has: int = 500) -> RoomGame:
    """Return a table that waits for a top-up of p0; nothing is delivered."""
    game = seated("modern", [BUY_IN, BUY_IN])
    if player_has:
        fund(game.room, "p0", player_has)
    return game.do(RequestTopUp("p0", amount))


def test_a_top_up_between_hands_comes_into_play_at_once() -> None:
    """`design.md` section 3: `TopUpReserved`, `FundsSent`, `ChipsQueued`, `ChipsAdded`."""
    game = topping_up()
    game.room.drain()
    assert [type(event).__name__ for event in game.log[-3:]] == ["TopUpReserved", "ChipsQueued", "ChipsAdded"]
    assert (game.stack(0), books(game.room)) == (8500, {"stacks/T1": 16_500})


def test_a_top_up_in_a_hand_waits_for_its_end() -> None:
    """R-AKP-20: it is the player's at once, and in play with the next hand."""
    game = topping_up().start()
    stacks = game.stacks
    game.room.drain()
    assert (game.stacks, occupant_at(game.table, 0).queued) == (stacks, 500)
    assert sum(fold_out(game).stacks) == 16_500


def test_a_refused_top_up_is_released() -> None:
    """`design.md` section 3: `TopUpReserved`, `FundsRefused`, `TopUpReleased`; nothing has moved."""
    game = topping_up(player_has=499)
    game.room.drain()
    assert (game.stack(0), reserved(game)) == (BUY_IN, ())
    assert books(game.room) == {"player funds/p0": 499, "stacks/T1": 16_000}


def test_a_refused_top_up_makes_room_for_another() -> None:
    """O-9: what is under way counts towards the maximum, what was refused does not."""
    game = topping_up(MOST - BUY_IN, player_has=500)
    game.refuses(RequestTopUp("p0", 1), "BUYIN_ABOVE_MAXIMUM")
    game.room.drain()
    game.do(RequestTopUp("p0", 500)).room.drain()
    assert game.stack(0) == 8500


def test_a_top_up_for_one_who_has_left_goes_back() -> None:
    """`design.md` section 3: `FundsReceived` and at once returned, with the transfer id uuid5(transfer, "return")."""
    game = topping_up().leave(0)
    game.room.drain()
    returned = game.last(ChipsReturned)
    assert returned.transfer_id == return_id(game.last(TopUpReserved).transfer_id)
    assert [event.purpose for event in told(game.room, FundsReceived)] == ["leaving", "returned"]
    assert funds(game.room, "p0") == BUY_IN + 500


def test_leaving_the_dialog_forgets_no_top_up() -> None:
    """M23: a seat that he held for coming back is released; what he asked for before he left is still waited for."""
    game = topping_up().leave(0).do(HoldSeat("p0", 3, 30_000)).do(ReleaseSeat("p0"))
    assert [reservation.top_up for reservation in reserved(game)] == [True]
    game.do(CloseTable())
    assert not game.all(TableClosed)


def test_a_top_up_that_has_become_too_much_goes_back() -> None:
    """O-9, AMB-44: he has won meanwhile, so only a part fits below the maximum; the rest is his account's again."""
    game = seated("modern", [15_000, 15_000]).start({0: "AsAd", 1: "2c7d"}, "KsKdKh3c4d")
    fund(game.room, "p0", 5000)
    game.do(RequestTopUp("p0", 5000)).room.drain()
    check_down(game.raise_to(2000).call())
    game.room.drain()
    assert (game.stack(0), funds(game.room, "p0")) == (MOST, 16_900 + 5000 - MOST)


def test_a_closing_table_waits_for_a_top_up() -> None:
    """`design.md` section 3: the player is gone, his top-up comes and goes, then the table closes."""
    game = topping_up().do(CloseTable())
    assert not game.all(TableClosed)
    game.room.drain()
    assert isinstance(game.log[-1], TableClosed)
    assert books(game.room) == {"player funds/p0": BUY_IN + 500, "player funds/p1": BUY_IN}
