"""Who returns to a table soon brings the stack he left with (R-MOD-8, O-11)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table.commands import Leave, ReserveSeat, SeatPlayer
from engine.table.events import SeatReserved
from tests.engine.table.game import Game, cash, open_table
from tests.engine.table.play import fixed, leave

MINUTE_MS = 60_000
SOON_MS = 120 * MINUTE_MS - 1000
"""119 min 59 s."""


def gone_with(stack: int, after_ms: int = SOON_MS, **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a modern table, 100/200 no limit, which p1 left with a stack so long ago; buy-ins 8000 to 20,000."""
    game = cash("modern", [10_000, stack, 10_000], blinds=(100, 200), **terms)
    return leave(game.wait(seconds=77), 1).wait(ms=after_ms)


def back_with(game: Game, amount: int) -> SeatReserved:
    """Return the reservation of p1 for this amount."""
    return game.do(ReserveSeat("p1", 1, amount)).last(SeatReserved)


def test_he_may_bring_it_though_it_is_above_the_maximum() -> None:
    """R-MOD-8, G-MOD-8: left with 25,000, back after 119 min 59 s with 25,000: accepted at a maximum of 20,000."""
    assert not back_with(gone_with(25_000), 25_000).whole_balance_only


def test_he_may_not_bring_more() -> None:
    """R-MOD-8, G-MOD-8: what he left with is the most then."""
    refusal = gone_with(25_000).refuses(ReserveSeat("p1", 1, 25_001), "BUYIN_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 22_500, "maximum": 25_000}


@pytest.mark.parametrize("amount", [24_999, 23_000, 22_500])
def test_less_is_good_only_as_all_that_he_has(amount: int) -> None:
    """R-MOD-8, G-MOD-8: up to 10 % less is asked for with `whole_balance_only`; the account decides."""
    assert back_with(gone_with(25_000), amount).whole_balance_only


def test_more_than_a_tenth_less_is_refused() -> None:
    """R-MOD-8, G-MOD-8: 22,499 is refused whatever he has."""
    refusal = gone_with(25_000).refuses(ReserveSeat("p1", 1, 22_499), "BUYIN_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": 22_500, "maximum": 25_000}


@pytest.mark.parametrize(("amount", "reason"), [(7999, "BUYIN_BELOW_MINIMUM"), (20_001, "BUYIN_ABOVE_MAXIMUM")])
def test_after_two_hours_the_tables_own_limits_apply(amount: int, reason: str) -> None:
    """R-MOD-8, G-MOD-8: at t + 120 min he is as free as anybody."""
    game = gone_with(25_000, 120 * MINUTE_MS)
    game.refuses(ReserveSeat("p1", 1, amount), reason)
    assert not back_with(game, 8000).whole_balance_only


def test_only_he_is_bound() -> None:
    """R-MOD-8: the rule is per player and table."""
    gone_with(25_000).refuses(ReserveSeat("p9", 1, 25_000), "BUYIN_ABOVE_MAXIMUM")


@pytest.mark.parametrize(("stack", "least"), [(5000, 8000), (8500, 8000), (9000, 8100), (10_001, 9001)])
def test_the_tables_minimum_holds_as_well(stack: int, least: int) -> None:
    """R-MOD-8: who left with less than the minimum brings the minimum; a tenth is rounded in the table's favour."""
    refusal = gone_with(stack).refuses(ReserveSeat("p1", 1, least - 1), "BUYIN_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": least, "maximum": 20_000}


def test_who_left_with_less_may_bring_more() -> None:
    """R-MOD-8: the rule keeps winnings at the table; up to the maximum anybody may bring more."""
    assert not back_with(gone_with(9000), 20_000).whole_balance_only


def test_who_left_with_nothing_is_free() -> None:
    """R-MOD-8: a stack that is lost need not be brought back."""
    game = cash("modern", [10_000, 8000, 10_000], blinds=(100, 200))
    game.start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s").call().all_in().fold().call()
    assert not back_with(leave(game, 1), 8000).whole_balance_only


def test_the_last_departure_counts() -> None:
    """R-MOD-8: he left with 25,000, came back with them, and left at once: the two hours begin again."""
    game = gone_with(25_000)
    transfer_id = back_with(game, 25_000).transfer_id
    game.do(SeatPlayer("p1", 25_000, transfer_id)).do(Leave("p1")).wait(ms=SOON_MS)
    game.refuses(ReserveSeat("p1", 1, 20_000), "BUYIN_BELOW_MINIMUM")


def test_old_departures_are_forgotten() -> None:
    """R-MOD-8: the table remembers only whom it may still bind."""
    game = leave(gone_with(25_000, 120 * MINUTE_MS), 2)
    assert [departure.player for departure in game.table.desk.departures] == ["p2"]


def test_not_at_fixed_limit() -> None:
    """R-MOD-8: at fixed limit the minimum is all that counts."""
    game = leave(fixed("modern", [50_000] * 3), 1)
    assert not back_with(game, 2000).whole_balance_only


def test_not_for_play_money() -> None:
    """R-MOD-8: nor where nothing is at stake."""
    assert not back_with(gone_with(25_000, unit="USD/play"), 8000).whole_balance_only


def test_houses_without_the_rule_remember_nobody() -> None:
    """O-11: with a window of 0 the rule is off."""
    game = leave(cash("akpoker", [50_000] * 3), 1)
    assert game.table.desk.departures == ()
    assert not back_with(game, 1000).whole_balance_only


def test_an_empty_table_binds_nobody() -> None:
    """R-MOD-8: who comes for the first time has left with nothing."""
    assert not back_with(open_table("modern", blinds=(100, 200)), 8000).whole_balance_only
