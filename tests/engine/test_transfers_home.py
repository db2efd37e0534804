"""Money on its way home: who leaves takes all he has, rake goes to the house, and who comes back soon brings it again.

Nothing is delivered until a test says so. The tables are 100/200 no limit: buy-ins from 8000 to 20,000 chips.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.account.commands import FreezeAccount, Withdraw
from engine.account.events import FundsRefused
from engine.origin import HOUSE
from engine.table.after_hand import HANDS_PER_SWEEP
from engine.table.commands import CloseTable, RequestTopUp, ReserveSeat, SweepRake
from engine.table.events import PlayerLeft, RakeSwept
from tests.engine.room_game import RoomGame, books, fund, funds, in_transit, seated, told
from tests.engine.table.play import check_down, push

BUY_IN = 8000
MOST = 20_000

# Going home.


def test_who_leaves_takes_everything_with_him() -> None:
    """`design.md` section 3: `PlayerLeft`, then `FundsReceived`; until it arrives it is in transit and nobody's."""
    game = seated("modern", [BUY_IN, BUY_IN]).leave(1)
    assert (funds(game.room, "p1"), in_transit(game.room)) == (0, BUY_IN)
    game.room.drain()
    assert (funds(game.room, "p1"), in_transit(game.room)) == (BUY_IN, 0)


def test_queued_chips_go_home_too() -> None:
    """O-9: a top-up that waits for the end of the hand is the player's, and leaves with him."""
    game = seated("modern", [BUY_IN, BUY_IN]).start()
    fund(game.room, "p0", 500)
    game.do(RequestTopUp("p0", 500)).room.drain()
    game.leave(0).room.drain()
    assert funds(game.room, "p0") + game.stack(1) == 2 * BUY_IN + 500


def test_who_leaves_with_nothing_sends_nothing() -> None:
    """A transfer is money: of a player who has lost everything there is nothing to deliver."""
    game = seated("modern", [BUY_IN, BUY_IN]).start({0: "AsAd", 1: "2c7d"}, "KsKdKh3c4d")
    push(game)
    game.leave(1)
    assert game.last(PlayerLeft).amount == 0
    assert not game.room.ways()


def test_winnings_reach_a_frozen_account() -> None:
    """`design.md` section 3: a receiver always accepts."""
    game = seated("modern", [BUY_IN, BUY_IN]).leave(0)
    game.room.ask("account/p0", FreezeAccount("alarm", "ann"))
    game.room.drain()
    assert funds(game.room, "p0") == BUY_IN


# Rake.


def raked() -> RoomGame:
    """Return a table that holds 30 chips of rake from one hand."""
    game = seated("modern", [BUY_IN, BUY_IN, BUY_IN])
    check_down(game.start())
    return game


def test_rake_stays_at_the_table_for_now() -> None:
    """`design.md` section 3: it is `rake_held`, a line of the books like stacks and pots."""
    game = raked()
    game.room.drain()
    assert books(game.room) == {"stacks/T1": 3 * BUY_IN - 30, "rake held/T1": 30}


def test_rake_is_swept_to_the_house_when_the_table_closes() -> None:
    """`design.md` section 3: by one transfer; it opens the account of the house if there is none."""
    game = raked().do(CloseTable())
    game.room.drain()
    assert len(game.all(RakeSwept)) == 1
    assert books(game.room)["house funds"] == funds(game.room, HOUSE) == 30


@pytest.mark.parametrize(("hands", "swept"), [(HANDS_PER_SWEEP - 2, 0), (HANDS_PER_SWEEP - 1, 30)])
def test_rake_is_swept_every_thousand_hands(hands: int, swept: int) -> None:
    """`design.md` section 3: after the thousandth hand since the last sweep, not before."""
    game = seated("modern", [BUY_IN, BUY_IN, BUY_IN])
    state = replace(game.table, desk=replace(game.table.desk, hands_since_sweep=hands))
    game.table = game.room.aggregate(game.address).state = state
    check_down(game.start())
    game.room.drain()
    assert funds(game.room, HOUSE) == swept


def test_a_sweep_of_nothing_sends_nothing() -> None:
    """A transfer is money."""
    game = seated("akpoker", [BUY_IN, BUY_IN]).do(SweepRake())
    assert not game.all(RakeSwept)
    assert not game.room.ways()


# Who comes back soon brings what he left with.

WINDOW_MS = 120 * 60_000
SOON_MS = WINDOW_MS - 1000
"""119 min 59 s."""


def gone(withdraws: int = 0, after_ms: int = SOON_MS) -> RoomGame:
    """Return a table which p1 has left with 25,000, some of which he took out of the house, so long ago."""
    game = seated("modern", [12_500, 12_500], rules={"rake.bps": 0})
    push(game.start({0: "2c7d", 1: "AsAd"}, "KsKdKh3c4d"))
    game.leave(1).room.drain()
    if withdraws:
        game.room.ask("account/p1", Withdraw("USD", withdraws, "bank"))
    return game.wait(ms=after_ms)


@pytest.mark.parametrize(
    ("withdraws", "after_ms", "brings"),
    [(0, SOON_MS, 25_000), (2000, SOON_MS, 23_000), (0, WINDOW_MS, BUY_IN), (0, WINDOW_MS, MOST)],
)
def test_the_stack_he_left_with_seats_him(withdraws: int, after_ms: int, brings: int) -> None:
    """G-MOD-8, R-MOD-8: all of it, or all that is left of it; at t + 120 min whatever the table takes."""
    game = gone(withdraws, after_ms).buy_in("p1", 1, brings)
    assert (game.stack(1), funds(game.room, "p1")) == (brings, 25_000 - withdraws - brings)


@pytest.mark.parametrize(("withdraws", "brings"), [(0, 24_999), (0, 23_000), (1999, 23_000)])
def test_less_is_refused_by_an_account_that_holds_more(withdraws: int, brings: int) -> None:
    """G-MOD-8, R-MOD-8: the table asks with `whole_balance_only`, the account refuses, the seat is free again."""
    game = gone(withdraws).buy_in("p1", 1, brings)
    assert [refused.cause for refused in told(game.room, FundsRefused)] == ["not_whole_balance"]
    assert (game.table.seats[1], funds(game.room, "p1")) == (None, 25_000 - withdraws)


def test_too_little_is_not_even_asked_for() -> None:
    """G-MOD-8, R-MOD-8: with 22,499 left in the account the table itself refuses."""
    game = gone(2501)
    game.refuses(ReserveSeat("p1", 1, 22_499), "BUYIN_BELOW_MINIMUM")
    assert not game.room.ways()
