"""A lost player's protection between table and account: the account decides, so no use is taken twice (I10).

The tables are AKPokerClub's, 100/200 no limit: a player has two protections in seven days. Nothing is delivered until
a test says so.
"""

from __future__ import annotations

import pytest

from engine.account.commands import RevokeProtections
from engine.account.events import ProtectionGivenBack, ProtectionRefused, ProtectionUsed
from engine.account.quota import available
from engine.account.state import quota_book
from engine.errors import Reason
from engine.table.commands import Fold, RestoreConnection, SitIn, VoidHand
from engine.table.events import Folded, PlayerProtected, ProtectionRequested
from tests.engine.courier import CardRoom
from tests.engine.room_game import RoomGame, fund, open_room_table, seated, told
from tests.engine.table.play import lose, run_out

BUY_IN = 10_000
ONE_LEFT = {"protection.allotment": 1, "protection.reset_to": 1}


def waiting(game: RoomGame) -> RoomGame:
    """Let p1 be lost when he faces a raise, and his turn run out: the hand waits for his account."""
    game.start()
    while game.hand.betting.current_bet == 200:
        game = game.call() if game.player(game.to_act) == "p1" else game.raise_to(600)
    while game.player(game.to_act) != "p1":
        game.call()
    lose(game, game.to_act)
    run_out(game)
    assert isinstance(game.events[-1], ProtectionRequested)
    return game


def back_again(game: RoomGame) -> RoomGame:
    """Let the hand end and p1 come back to the game."""
    while game.table.hand is not None:
        game.fold()
    return game.do(RestoreConnection("p1")).do(SitIn("p1", "post"))


def one_table() -> RoomGame:
    """Return a table that waits for the account of p1."""
    return waiting(seated("akpoker", [BUY_IN] * 3))


def left(game: RoomGame) -> int:
    """Return how many protections p1 has left under the rules of the table."""
    rules = game.table.config.rulebook.protection
    return available(quota_book(game.room.account("p1"), "akpoker", "real"), rules, game.room.at_ms)


def void(game: RoomGame) -> RoomGame:
    """Void the hand in progress."""
    return game.do(VoidHand(game.hand.setup.hand_id, "a fault of ours", "ann"))


# Asked and answered.


def test_a_protection_is_asked_for_used_and_granted() -> None:
    """`design.md` section 3: `ProtectionRequested`, `ProtectionUsed`, `PlayerProtected`; one use is gone."""
    game = one_table()
    game.room.drain()
    assert [(used.hand_id, used.remaining) for used in told(game.room, ProtectionUsed)] == [("T1-1", 1)]
    assert game.last(PlayerProtected).counted
    assert left(game) == 1


def test_the_hand_waits_for_the_account() -> None:
    """`reliability.md` section 11: while the account is out of reach nobody acts, and no clock decides."""
    game = one_table()
    game.room.unreachable.add("account/p1")
    game.wait(seconds=3600).room.drain()
    game.refuses(game.command(Fold, 0), "PROTECTION_PENDING")
    game.room.unreachable.clear()
    game.room.drain()
    assert game.all(PlayerProtected)


def test_without_the_privilege_he_folds() -> None:
    """`design.md` section 3: `ProtectionRequested`, `ProtectionRefused`, `Folded`."""
    game = one_table()
    game.room.ask("account/p1", RevokeProtections("ann", "misuse"))
    game.room.drain()
    assert [refused.cause for refused in told(game.room, ProtectionRefused)] == ["revoked"]
    assert game.last(Folded).cause == "quota_used_up"


def test_the_third_time_in_a_week_he_folds() -> None:
    """R-AKP-22, I10: two hands are protected, the third is not."""
    game = seated("akpoker", [BUY_IN] * 3)
    for _ in range(3):
        waiting(game).room.drain()
        back_again(game)
    assert [used.remaining for used in told(game.room, ProtectionUsed)] == [1, 0]
    assert [refused.cause for refused in told(game.room, ProtectionRefused)] == ["used_up"]


# Two tables at once.


def two_tables() -> tuple[RoomGame, RoomGame]:
    """Return two tables at which p1 has been lost in a hand; both wait for his account, which has one use left."""
    room = CardRoom()
    tables = [open_room_table(room, "akpoker", table_id, rules=ONE_LEFT) for table_id in ("T1", "T2")]
    for game in tables:
        for seat in range(3):
            fund(room, f"p{seat}", BUY_IN)
            game.buy_in(f"p{seat}", seat, BUY_IN)
    first, second = tables
    return waiting(first), waiting(second)


@pytest.mark.parametrize("cut_off", ["table/T1", "table/T2", ""])
def test_two_tables_cannot_take_the_same_last_protection(cut_off: str) -> None:
    """M26, I10: the account decides: of two tables that lose the same player one protects him, the other folds him."""
    first, second = two_tables()
    first.room.unreachable.add(cut_off)
    first.room.drain()
    first.room.unreachable.clear()
    first.room.drain()
    answers = [len(game.all(PlayerProtected)) for game in (first, second)]
    folded = [event.cause for game in (first, second) for event in game.all(Folded)]
    assert (sorted(answers), folded.count("quota_used_up")) == ([0, 1], 1)
    assert [used.remaining for used in told(first.room, ProtectionUsed)] == [0]


# A void hand.


@pytest.mark.parametrize("delivered", [(), ("account/p1",), ("account/p1", "table/T1")])
def test_a_void_hand_gives_its_protection_back(delivered: tuple[str, ...]) -> None:
    """I10: before the account was asked, while its answer was under way, or after the player was protected."""
    game = one_table()
    for target in delivered:
        game.room.deliver(target)
    void(game).room.drain()
    assert [given.freed for given in told(game.room, ProtectionGivenBack)] == [True]
    assert left(game) == 2


def test_an_answer_to_a_void_hand_is_refused_and_that_is_an_answer() -> None:
    """`design.md` section 3: the delivery is written down as refused and not tried again; no other hand is touched."""
    game = one_table()
    game.room.deliver("account/p1")
    void(game).start()
    game.room.drain()
    refusals = [record.refusal for log in game.room.logs for record in log if record.refusal]
    assert refusals == [Reason.STALE_TURN]
    assert not game.all(PlayerProtected)


def test_a_refused_protection_is_not_given_back() -> None:
    """I10: a hand that is voided gives back what it has cost, and a refusal has cost nothing."""
    game = one_table()
    game.room.ask("account/p1", RevokeProtections("ann", "misuse"))
    game.room.deliver("account/p1")
    void(game).room.drain()
    assert not told(game.room, ProtectionGivenBack)
