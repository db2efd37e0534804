"""Ids of transfers: made from the table and a count, the same on every replay, never used twice."""

from __future__ import annotations

from msgspec.structs import replace

from engine.origin import return_id
from engine.table.commands import CloseTable, RequestTopUp, ReserveSeat, SeatPlayer
from engine.table.events import ChipsReturned, PlayerLeft, RakeSwept, SeatReserved, TopUpReserved
from tests.engine.table.game import Game, cash
from tests.engine.table.play import check_down, leave


def played() -> Game:
    """Return a table at which every kind of transfer has begun."""
    game = cash("modern", [8000, 8000, 8000, None], blinds=(100, 200))
    game.do(ReserveSeat("p3", 3, 8000)).do(RequestTopUp("p0", 500))
    check_down(game.start())
    game.do(SeatPlayer("p3", 8000, game.last(SeatReserved).transfer_id))
    return leave(game, 1).do(SeatPlayer("p9", 8000, "stray")).do(CloseTable())


def begun(game: Game) -> list[str]:
    """Return the ids of all transfers that began at the table, in order."""
    kinds = SeatReserved | TopUpReserved | PlayerLeft | ChipsReturned | RakeSwept
    return [event.transfer_id for event in game.log if isinstance(event, kinds)]


def test_no_id_is_used_twice() -> None:
    """`design.md` section 3: the receiver accepts once per transfer id, so two transfers never share one."""
    ids = begun(played())
    assert len(ids) == 7
    assert len(set(ids)) == len(ids)


def test_ids_are_the_same_on_every_replay() -> None:
    """`design.md` section 3: ids come from where a transfer begins, not from chance or the clock."""
    later = played().wait(seconds=5)
    assert begun(played()) == begun(later)


def test_the_first_ids_never_change() -> None:
    """Ids are on the log for ever: the first transfer of table T1, and the return of a transfer."""
    assert begun(played())[0] == "76b3d811-5ec7-5415-b0a6-c27216340cc8"
    assert return_id("stray") == "4a11a7e7-719a-5dd1-b65d-f29de315e496"


def test_another_table_has_other_ids() -> None:
    """`design.md` section 3: the id names its table."""
    game = cash("modern", [8000, 8000, None])
    game.table = replace(game.table, config=replace(game.table.config, table_id="T2"))
    transfer_id = game.do(ReserveSeat("p2", 2, 5000)).last(SeatReserved).transfer_id
    assert transfer_id != begun(played())[0]


def test_a_return_has_the_id_of_its_transfer() -> None:
    """`design.md` section 3: money that found no place goes back as uuid5(transfer, "return")."""
    assert return_id("stray") in begun(played())
