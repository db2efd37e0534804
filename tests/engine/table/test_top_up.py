"""More chips at the table: asked for, queued, brought into play between hands; what does not fit goes back (O-9)."""

from __future__ import annotations

import pytest

from engine.poker.money import CHIPS_MAX
from engine.table.commands import (
    CloseTable,
    HaltTable,
    Leave,
    RequestTopUp,
)
from engine.table.events import (
    TopUpReserved,
)
from tests.engine.table.game import cash, tournament
from tests.engine.table.play import check_down, fixed
from tests.engine.table.top_ups import MAXIMUM, arrive, ask, table

# Asking.


def test_a_top_up_reserves_its_place() -> None:
    """`design.md` section 3: the place is reserved under the id of the transfer that brings the money."""
    game = table()
    transfer_id = ask(game, 500)
    assert game.events == (TopUpReserved(1, "p1", 500, transfer_id),)
    assert [r.top_up for r in game.table.desk.reservations] == [True]


def test_the_table_has_a_maximum() -> None:
    """AMB-44, O-9: nobody may ask for more than brings him to the table's maximum; the refusal tells how much fits."""
    refusal = table().refuses(RequestTopUp("p1", 6001), "BUYIN_ABOVE_MAXIMUM")
    assert refusal.metadata == {"minimum": 0, "maximum": 6000}
    assert ask(table(), 6000)


def test_the_first_seat_tops_up_like_any_other() -> None:
    """O-9: seat 0 is a seat like any other."""
    game = table()
    assert arrive(game, 500, ask(game, 500, "p0"), "p0").stacks[0] == 4500


def test_what_is_under_way_counts() -> None:
    """O-9: two requests together may not pass the maximum."""
    game = table()
    ask(game, 6000)
    game.refuses(RequestTopUp("p1", 1), "BUYIN_ABOVE_MAXIMUM")
    assert ask(game, 6000, "p2")


def test_what_is_queued_counts() -> None:
    """O-9: chips that wait for the end of the hand are as good as in the stack."""
    game = table().start()
    arrive(game, 6000, ask(game, 6000))
    refusal = game.refuses(RequestTopUp("p1", 100), "BUYIN_ABOVE_MAXIMUM")
    assert refusal.metadata["maximum"] == 50


def test_fixed_limit_has_no_maximum() -> None:
    """R-MOD-13: where the table has no maximum a top-up has none."""
    assert ask(fixed("modern", [4000] * 3), 10**12)


def test_who_has_nothing_left_brings_the_minimum() -> None:
    """R-AKP-18, R-AKP-20: a rebuy is a buy-in: with no chips at all, no less than the table's minimum."""
    game = cash("akpoker", [0, 4000, 4000])
    refusal = game.refuses(RequestTopUp("p0", 999), "BUYIN_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": 1000, "maximum": MAXIMUM}
    ask(game, 1000, "p0")
    assert ask(game, 1, "p0")


def test_a_rebuy_at_fixed_limit_has_no_maximum() -> None:
    """R-AKP-18: the refusal says 0 where there is none."""
    refusal = fixed("akpoker", [0, 4000]).refuses(RequestTopUp("p0", 999), "BUYIN_BELOW_MINIMUM")
    assert refusal.metadata == {"minimum": 1000, "maximum": 0}


def test_a_top_up_fits_the_table() -> None:
    """`reliability.md`: all chips of a table together fit an int64, those under way included."""
    game = fixed("modern", [4000] * 3)
    game.refuses(RequestTopUp("p1", CHIPS_MAX - 11_999), "TABLE_FULL_OF_CHIPS")
    ask(game, CHIPS_MAX - 12_000)
    game.refuses(RequestTopUp("p2", 1), "TABLE_FULL_OF_CHIPS")


def test_the_rake_that_the_table_holds_is_among_them() -> None:
    """`reliability.md`: stacks and rake held are 8000 together, as before the hand."""
    game = check_down(fixed("modern", [4000] * 2, bets=(1000, 2000)).start())
    assert game.table.desk.rake_held > 0
    refusal = game.refuses(RequestTopUp("p1", CHIPS_MAX), "TABLE_FULL_OF_CHIPS")
    assert refusal.metadata["maximum"] == CHIPS_MAX - 8000


def test_chips_that_are_queued_are_among_them() -> None:
    """`reliability.md`: they are in no stack yet, and in the sum already."""
    game = fixed("modern", [4000] * 3).start()
    arrive(game, 500, ask(game, 500))
    refusal = game.refuses(RequestTopUp("p1", CHIPS_MAX), "TABLE_FULL_OF_CHIPS")
    assert refusal.metadata["maximum"] == CHIPS_MAX - 12_500


@pytest.mark.parametrize("amount", [0, -1, CHIPS_MAX + 1])
def test_a_top_up_is_a_positive_amount(amount: int) -> None:
    """R-AKP-21: nobody takes chips off the table by asking for less than nothing."""
    table().refuses(RequestTopUp("p1", amount), "FIELD_INVALID")


def test_only_who_sits_here_may_ask() -> None:
    """A top-up needs a stack to add to."""
    table().refuses(RequestTopUp("stranger", 500), "PLAYER_NOT_SEATED")


def test_tournament_chips_are_not_bought_at_the_table() -> None:
    """Rebuys and add-ons come from the director."""
    tournament("modern", [4000] * 3).refuses(RequestTopUp("p1", 500), "NO_BUYIN")


def test_a_closing_table_takes_no_money() -> None:
    """`operations.md` 7b.8: it sends everybody home."""
    table().start().do(CloseTable()).refuses(RequestTopUp("p1", 500), "TABLE_CLOSED")


def test_who_is_leaving_takes_no_more() -> None:
    """AMB-51: he goes when the hand ends."""
    table().start().do(Leave("p1")).refuses(RequestTopUp("p1", 500), "TABLE_CLOSED")


def test_a_halted_table_asks_for_no_money() -> None:
    """After a fault of ours no more money comes to the table."""
    table().do(HaltTable("a fault of ours")).refuses(RequestTopUp("p1", 500), "TABLE_HALTED")


def test_a_house_may_refuse_top_ups_in_a_hand() -> None:
    """`table.topup`, AMB-44: with `refused_in_hand` only who has folded, or is not dealt in, may ask."""
    game = table(rules={"table.topup": "refused_in_hand"}).start()
    game.refuses(RequestTopUp("p1", 500), "TOPUP_IN_HAND")
    assert ask(game.fold(), 500, "p0")
