"""Entries and chips that the director of a tournament sends to a table, and what a player takes along from another one.

Entries are one more than the seat in which they began. Seat 0 has the small blind, seat 1 the big blind, and the last
seat the button.
"""

from __future__ import annotations

import pytest

from engine.origin import return_id
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.seats import Seat
from engine.table.commands import (
    CloseTable,
    FreezeTable,
    HaltTable,
    QueueChips,
    RemovePlayer,
    SeatEntry,
    SetPreferences,
    SitIn,
    SitOut,
    TableCommand,
)
from engine.table.events import ChipsAdded, ChipsQueued, ChipsReturned, Folded, PlayerLeft, PlayerSeated
from engine.table.seat_events import Away, Luggage
from engine.table.state import occupant_at
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import dealt, fold_out, lose, push, run_out

RICH = 10_000


def table(stacks: list[int | None]) -> Game:
    """Return a tournament table at 50/100."""
    return tournament("modern", stacks, button=len(stacks) - 1)


# What a player takes along to another table.


def moved(game: Game, seat: Seat) -> PlayerLeft:
    """Let the director move a player away."""
    return game.do(RemovePlayer(game.player(seat), "moved")).last(PlayerLeft)


def arrived(luggage: Luggage) -> Game:
    """Return another table, at which p0 and p1 play, after p9 has been seated with what he brought along."""
    return table([1000, 1000, None]).do(SeatEntry("p9", 9, 2, 1000, "t9", luggage))


def test_what_is_left_of_the_time_bank_moves_along() -> None:
    """O-2, O-33: after 10 of 30 seconds of the bank, 20 are left."""
    game = fold_out(table([RICH] * 3).start().call().wait(seconds=45).call())
    assert moved(game, 0).luggage.bank_ms == 20_000


@pytest.mark.parametrize(("brought_ms", "bank_ms"), [(-1, 30_000), (20_000, 20_000), (0, 0)])
def test_a_time_bank_is_the_one_that_was_brought(brought_ms: int, bank_ms: int) -> None:
    """O-2, O-33: who has not played yet gets a new one, who has used his up gets none."""
    assert occupant_at(arrived(Luggage(brought_ms)).table, 2).bank_ms == bank_ms


def test_preferences_and_hands_dealt_move_along() -> None:
    """O-17, O-33, R-MOD-9: who is asked before he mucks is asked at the next table, too, and his hands count on."""
    game = fold_out(table([RICH] * 3).do(SetPreferences("p0", auto_muck=False, ask_to_show=True)).start())
    luggage = moved(game, 0).luggage
    occupant = occupant_at(arrived(luggage).table, 2)
    assert (occupant.auto_muck, occupant.ask_to_show, occupant.hands_dealt) == (False, True, 1)


def timed_out() -> Game:
    """Let p2 miss his turn."""
    return fold_out(run_out(table([RICH] * 3).start()))


def disconnected() -> Game:
    """Let p2 be lost on his turn."""
    return fold_out(run_out(lose(table([RICH] * 3).start(), 2)))


def sat_out() -> Game:
    """Let p2 sit out."""
    return table([RICH] * 3).do(SitOut("p2", "now"))


def present() -> Game:
    """Let p2 fold on his turn."""
    return fold_out(table([RICH] * 3).start())


@pytest.mark.parametrize(
    ("game", "away"),
    [(timed_out(), "timeout"), (disconnected(), "disconnected"), (sat_out(), "sat_out"), (present(), "")],
)
def test_who_is_away_is_away_wherever_he_sits(game: Game, away: Away) -> None:
    """O-33, O-40: the table tells why its player is passed."""
    assert moved(game, 2).luggage.away == away


@pytest.mark.parametrize(
    ("away", "cause"), [("timeout", "timeout"), ("disconnected", "tournament_rule"), ("sat_out", "sat_out")]
)
def test_at_the_new_table_he_is_passed_at_once(away: Away, cause: str) -> None:
    """O-33, O-40: it waits for no turn of one who was away before."""
    game = arrived(Luggage(30_000, away)).start()
    while not game.all(Folded):
        game.call()
    assert game.last(Folded) == Folded(2, cause)  # type: ignore[arg-type]


def test_who_was_there_has_his_turn() -> None:
    """O-33: as at any table."""
    assert arrived(Luggage(30_000)).start().all(Folded) == []


def test_at_the_new_table_he_may_come_back() -> None:
    """O-33, O-40: then his turn is waited for."""
    game = arrived(Luggage(30_000, "timeout")).do(SitIn("p9", "wait")).start()
    assert game.all(Folded) == []


def test_the_entry_goes_with_the_player() -> None:
    """O-30, O-33: by its number the director knows whom the chips belong to."""
    left = moved(table([RICH] * 3), 2)
    assert (left.entry, left.cause, left.amount) == (3, "moved", RICH)
    game = table([1000, 1000, None]).do(SeatEntry(left.player, left.entry, 2, left.amount, "t9", left.luggage))
    assert game.events == (PlayerSeated(2, "p2", RICH, "t9", 3, left.luggage),)


def test_cash_players_have_no_luggage() -> None:
    """What they left with is money."""
    left = moved(cash("modern", [RICH] * 3), 1)
    assert (left.entry, left.luggage) == (0, Luggage())


# Entries that find no place.


def closing() -> Game:
    """Return a table that closes after its hand."""
    return table([1000, 1000, None]).start().do(CloseTable())


def closed() -> Game:
    """Return a table that is gone."""
    return table([1000, 1000, None]).do(CloseTable())


@pytest.mark.parametrize(
    ("game", "player", "seat", "amount"),
    [
        (table([1000, 1000, None]), "p9", 1, 1000),
        (table([1000, 1000, None]), "p1", 2, 1000),
        (table([1000, 1000, None]), "p9", 3, 1000),
        (table([1000, 1000, None]), "p9", -1, 1000),
        (table([1000, 1000, None]), "p9", 2, CHIPS_MAX - 1999),
        (closing(), "p9", 2, 1000),
        (closed(), "p9", 2, 1000),
    ],
    ids=["taken", "second seat", "no such seat", "no seat", "too many chips", "closing", "closed"],
)
def test_chips_of_an_entry_without_a_place_go_straight_back(game: Game, player: str, seat: Seat, amount: Chips) -> None:
    """`design.md` section 3, T-ABU-4: only payers refuse; what was sent comes back under an id of its own."""
    seats = game.table.seats
    game.do(SeatEntry(player, 9, seat, amount, "t9"))
    assert game.events == (
        ChipsQueued(-1, player, amount, "t9"),
        ChipsReturned(-1, player, amount, return_id("t9")),
    )
    assert game.table.seats == seats


@pytest.mark.parametrize("stop", [HaltTable("a fault of ours"), FreezeTable("called off", "operator")])
def test_a_table_that_stands_still_takes_in_who_is_on_his_way(stop: TableCommand) -> None:
    """`design.md` section 3: what was sent always has somewhere to land."""
    game = table([1000, 1000, None]).do(stop).do(SeatEntry("p9", 9, 2, 1000, "t9"))
    assert game.events == (PlayerSeated(2, "p9", 1000, "t9", 9),)


def test_who_comes_in_mid_hand_waits_for_the_next() -> None:
    """O-30: he sits there, and is dealt in with the next hand."""
    game = table([1000, 1000, None]).start().do(SeatEntry("p9", 9, 2, 1000, "t9"))
    assert set(dealt(game)) == {0, 1}
    assert 2 in dealt(fold_out(game).start())


# Chips that the director has sold.


def test_chips_bought_between_hands_come_into_play_at_once() -> None:
    """O-31: no reservation waits for them."""
    game = table([1000] * 2).do(QueueChips("p0", 500, "t9"))
    assert game.events == (ChipsQueued(0, "p0", 500, "t9"), ChipsAdded(0, 500))
    assert game.stacks == [1500, 1000]


def test_chips_bought_in_mid_hand_wait_for_its_end() -> None:
    """O-31: outside a hand only."""
    game = table([1000] * 2).start().do(QueueChips("p0", 500, "t9"))
    assert game.events == (ChipsQueued(0, "p0", 500, "t9"),)
    assert sum(fold_out(game).stacks) == 2500


def test_who_is_not_in_the_hand_has_his_chips_at_once() -> None:
    """O-31: he was seated while it is played."""
    game = table([1000, 1000, None]).start().do(SeatEntry("p9", 9, 2, 1000, "t9")).do(QueueChips("p9", 500, "t10"))
    assert game.stacks[2] == 1500


def test_there_is_no_maximum_in_a_tournament() -> None:
    """O-31: every chip that was sold comes into play."""
    assert table([RICH] * 2).do(QueueChips("p0", 10 * RICH, "t9")).stacks == [11 * RICH, RICH]


def gone() -> Game:
    """Return a table whose p0 has lost everything."""
    return push(table([300, 1000, 1000]).start({0: "2c7d", 1: "AsAd", 2: "AhAc"}, "KsQhJd8s6h"))


@pytest.mark.parametrize(("game", "amount"), [(gone(), 500), (table([1000] * 2), CHIPS_MAX - 1999)])
def test_chips_without_a_place_go_straight_back(game: Game, amount: Chips) -> None:
    """`design.md` section 3, T-ABU-9: their player has gone, or the table cannot hold them."""
    before = game.stacks
    game.do(QueueChips("p0", amount, "t9"))
    returned = ChipsReturned(-1, "p0", amount, return_id("t9"))
    assert game.events == (ChipsQueued(-1, "p0", amount, "t9"), returned)
    assert game.stacks == before


def test_all_that_fits_is_taken() -> None:
    """T-ABU-9: up to the last chip that a table can hold."""
    assert table([1000] * 2).do(QueueChips("p0", CHIPS_MAX - 2000, "t9")).stacks == [CHIPS_MAX - 1000, 1000]
