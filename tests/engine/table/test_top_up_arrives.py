"""More chips have arrived, or were refused: they come into play between hands; what does not fit goes back (O-9)."""

from __future__ import annotations

import pytest

from engine.origin import return_id
from engine.table.commands import (
    CloseTable,
    Leave,
    QueueChips,
    ReleaseTopUp,
    ReserveSeat,
    SeatPlayer,
)
from engine.table.events import (
    ChipsAdded,
    ChipsQueued,
    ChipsReturned,
    HandEnded,
    PlayerLeft,
    PlayerSatOut,
    SeatReserved,
    TableClosed,
    TopUpReleased,
)
from tests.engine.table.game import cash
from tests.engine.table.play import fold_out, leave, sit_out
from tests.engine.table.top_ups import MAXIMUM, arrive, ask, table

# Arriving.


def test_between_hands_the_chips_come_into_play_at_once() -> None:
    """O-9: `ChipsQueued`, and at once `ChipsAdded`."""
    game = table()
    transfer_id = ask(game, 500)
    assert arrive(game, 500, transfer_id).events == (ChipsQueued(1, "p1", 500, transfer_id), ChipsAdded(1, 500))
    assert game.stacks[1] == 4500


@pytest.mark.parametrize("folded", [False, True])
def test_in_a_hand_they_wait_for_its_end(folded: bool) -> None:
    """O-9, AMB-44: only chips that were on the table before the hand can be wagered; folded players wait as well."""
    game = table().start().call()
    if folded:
        game.fold()
    arrive(game, 500, ask(game, 500))
    assert game.all(ChipsAdded) == []
    assert game.stacks[1] == 3950
    fold_out(game)
    assert [type(event) for event in game.events[-2:]] == [HandEnded, ChipsAdded]


def test_who_is_not_dealt_in_does_not_wait() -> None:
    """R-AKP-20, AMB-44: a player not involved in the hand may add while it runs."""
    game = sit_out(table(), 1).start()
    assert arrive(game, 500, ask(game, 500)).events[-1] == ChipsAdded(1, 500)


def test_what_exceeds_the_maximum_goes_back() -> None:
    """O-9: he asked for 6000 with 4000, and won 1200 before they came into play."""
    game = table().start().call()
    transfer_id = ask(game, 6000)
    arrive(game.raise_to(600).call().call(), 6000, transfer_id)
    fold_out(game.raise_to(600))
    assert game.last(ChipsAdded) == ChipsAdded(1, 4800)
    back = game.last(ChipsReturned)
    assert (back.seat, back.player, back.amount, game.stacks[1]) == (1, "p1", 1200, MAXIMUM)


def test_all_of_it_goes_back_where_there_is_no_room() -> None:
    """O-9: above the maximum nothing is added, and nothing is taken away."""
    game = table().start({0: "2s3d", 1: "AsAd", 2: "4s5d"}, "KcKdQh9s7s").call()
    transfer_id = ask(game, 6000)
    arrive(game.all_in().call(), 6000, transfer_id).call()
    assert game.all(ChipsAdded) == []
    assert (game.last(ChipsReturned).amount, game.stacks[1]) == (6000, 12_000)


def test_queued_chips_keep_a_player_in_the_game() -> None:
    """O-9: who has lost his stack plays on with the chips that waited for the end of the hand."""
    game = table().start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s").call()
    transfer_id = ask(game, 500)
    arrive(game.all_in().fold(), 500, transfer_id).call()
    assert game.stacks[1] == 500
    assert game.all(PlayerSatOut) == []


def test_a_top_up_that_was_not_asked_for_goes_back() -> None:
    """`design.md` section 3: money without a place is returned under an id made from the one it came with."""
    game = arrive(table(), 500, "stray")
    returned = ChipsReturned(-1, "p1", 500, return_id("stray"))
    assert game.events == (ChipsQueued(-1, "p1", 500, "stray"), returned)
    assert game.stacks[1] == 4000


@pytest.mark.parametrize(("player", "amount"), [("p2", 500), ("p1", 501)])
def test_money_that_was_not_asked_for_so_goes_back(player: str, amount: int) -> None:
    """`design.md` section 3: another player's money, or another amount, finds no place under this transfer."""
    game = table()
    arrive(game, amount, ask(game, 500), player)
    assert isinstance(game.events[-1], ChipsReturned)
    assert game.stacks == [4000] * 3


@pytest.mark.parametrize("command", [QueueChips("", 500, "t"), QueueChips("p1", 0, "t"), QueueChips("p1", -5, "t")])
def test_malformed_arrivals(command: QueueChips) -> None:
    """`errors.py`: money has an owner and is more than nothing."""
    table().refuses(command, "FIELD_INVALID")


def test_a_top_up_for_one_who_has_left_goes_back() -> None:
    """`design.md` section 3: what finds no place goes straight back."""
    game = table()
    transfer_id = ask(game, 500)
    assert isinstance(arrive(leave(game, 1), 500, transfer_id).events[-1], ChipsReturned)
    assert game.table.desk.reservations == ()


def test_a_top_up_finds_the_player_in_his_new_seat() -> None:
    """`design.md` section 3: he left and came back while the money was on its way; it is his all the same."""
    game = table()
    transfer_id = ask(game, 500)
    leave(game, 1).do(ReserveSeat("p1", 1, 4000))
    game.do(SeatPlayer("p1", 4000, game.last(SeatReserved).transfer_id))
    assert arrive(game, 500, transfer_id).stacks[1] == 4500


def test_who_leaves_takes_queued_chips_along() -> None:
    """R-AKP-21: he leaves with everything that is his."""
    game = table().start()
    arrive(game, 500, ask(game, 500))
    fold_out(game.do(Leave("p1")))
    assert game.last(PlayerLeft).amount == 4000 - 50 + 500


# Refused.


def test_a_refused_top_up_frees_its_place() -> None:
    """`design.md` section 3: `FundsRefused` leads to `TopUpReleased`."""
    game = table()
    transfer_id = ask(game, 6000)
    game.do(ReleaseTopUp("p1", transfer_id))
    assert game.events == (TopUpReleased(1, "p1", transfer_id),)
    assert ask(game, 6000)


def test_a_refusal_is_about_its_own_transfer() -> None:
    """`design.md` section 3: others go on waiting."""
    game = table()
    ask(game, 500)
    game.do(ReleaseTopUp("p2", ask(game, 600, "p2")))
    assert [reservation.player for reservation in game.table.desk.reservations] == ["p1"]


def test_a_refusal_that_nobody_waits_for() -> None:
    """Only a top-up under way can be given up."""
    table().refuses(ReleaseTopUp("p1", "stray"), "RESERVATION_UNKNOWN")


def test_a_seat_is_not_given_up_with_a_top_up() -> None:
    """A refused top-up is no refused buy-in: the two answers are kept apart."""
    game = cash("modern", [4000, 4000, None])
    transfer_id = game.do(ReserveSeat("p2", 2, 4000)).last(SeatReserved).transfer_id
    game.refuses(ReleaseTopUp("p2", transfer_id), "RESERVATION_UNKNOWN")


# While the table closes.


def test_a_closing_table_waits_for_a_top_up() -> None:
    """`design.md` section 3: `TableClosed` waits for transfers under way; the money goes back."""
    game = table()
    transfer_id = ask(game, 500)
    assert game.do(CloseTable()).all(TableClosed) == []
    arrive(game, 500, transfer_id)
    assert [type(event) for event in game.events] == [ChipsQueued, ChipsReturned, TableClosed]


def test_a_closing_table_waits_for_a_refusal() -> None:
    """`design.md` section 3: or for the word that it will not come."""
    game = table()
    transfer_id = ask(game, 500)
    game.do(CloseTable()).do(ReleaseTopUp("p1", transfer_id))
    assert game.events == (TopUpReleased(1, "p1", transfer_id), TableClosed())
