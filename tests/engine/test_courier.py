"""The courier of the model: at least once, in order for each target, and once in effect (`design.md` section 3)."""

from __future__ import annotations

import pytest

from engine.table.commands import ReserveSeat
from engine.table.events import PlayerSeated
from tests.engine.courier import CardRoom, Courier, Fault, Record
from tests.engine.room_game import RoomGame, fund, open_room_table, seated

BUY_IN = 8000


def room_with_requests(players: int = 2) -> RoomGame:
    """Return a table that has asked the accounts of some players for their buy-ins."""
    game = open_room_table(CardRoom(), "modern")
    for seat in range(players):
        fund(game.room, f"p{seat}", BUY_IN)
        game.do(ReserveSeat(f"p{seat}", seat, BUY_IN))
    return game


def courier_for(game: RoomGame, target: str) -> Courier:
    """Return the courier that has something for a target."""
    return next(courier for courier, other in game.room.ways() if other == target)


def records(room: CardRoom, address: str) -> list[Record]:
    """Return the records of an aggregate that deliveries made."""
    return [record for log in room.logs for record in log if record.aggregate == address and record.delivery]


@pytest.mark.parametrize("fault", ["lost", "late", "unanswered"])
def test_what_was_not_answered_is_tried_again(fault: Fault) -> None:
    """I12, M25: the courier goes on until it has an answer, and the receiver takes it in once."""
    game = room_with_requests()
    courier = courier_for(game, "account/p0")
    courier.deliver("account/p0", fault)
    assert "account/p0" in courier.targets()
    game.room.drain()
    assert (len(records(game.room, "account/p0")), game.stack(0)) == (1, BUY_IN)


def test_what_comes_twice_takes_effect_once() -> None:
    """I2, I12, M22: the receiver has marked what it has handled from this partition."""
    game = room_with_requests()
    courier_for(game, "account/p0").deliver("account/p0", "doubled")
    game.room.arrive()
    assert len(records(game.room, "account/p0")) == 1
    assert game.room.tally["delivery repeated"] == 1


def test_a_failure_holds_up_its_target_alone() -> None:
    """`design.md` section 3: while one account is out of reach, others pay and are seated."""
    game = room_with_requests()
    game.room.unreachable.add("account/p0")
    game.room.drain()
    assert [event.player for event in game.all(PlayerSeated)] == ["p1"]


def test_nothing_overtakes_what_has_failed() -> None:
    """M32: the next delivery to a target waits for the one before it, however often that fails."""
    game = seated("modern", [BUY_IN, BUY_IN])
    game.leave(0).do(ReserveSeat("p0", 0, BUY_IN))
    courier = courier_for(game, "account/p0")
    for _ in range(3):
        courier.deliver("account/p0", "lost")
    game.room.drain()
    assert [type(record.command).__name__ for record in records(game.room, "account/p0")][-2:] == [
        "ReceiveFunds",
        "SendFunds",
    ]
    assert game.stack(0) == BUY_IN


def test_a_restarted_courier_delivers_again_under_the_same_ids() -> None:
    """M24: it knows only the confirmed position; what was done after it is recognised."""
    game = room_with_requests()
    game.room.deliver("account/p0")
    for courier in game.room.couriers:
        courier.restart()
    game.room.drain()
    assert len(records(game.room, "account/p0")) == 1
    assert game.room.tally["delivery repeated"] > 0
    assert game.stacks[:2] == [BUY_IN, BUY_IN]


def test_the_confirmed_position_stops_before_what_is_not_answered() -> None:
    """`design.md` section 3: a courier that starts there delivers everything that was not answered."""
    game = room_with_requests()
    courier = courier_for(game, "account/p0")
    place = courier.waiting["account/p0"][0].place
    courier.confirm()
    assert courier.confirmed == place.sequence - 1
    courier.deliver("account/p0")
    courier.confirm()
    assert courier.confirmed >= place.sequence


def test_what_is_confirmed_is_not_delivered_again() -> None:
    """`design.md` section 3: the confirmed position tells a restarted courier where to go on."""
    game = room_with_requests()
    game.room.drain()
    for courier in game.room.couriers:
        courier.confirm()
        courier.restart()
    assert not game.room.ways()
