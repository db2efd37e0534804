"""Sums, names and decks that no table may take, whatever is asked of it."""

from __future__ import annotations

import msgspec
import pytest

from engine.errors import InvalidCommand, Rejected
from engine.origin import HOUSE
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.poker.money import CHIPS_MAX
from engine.rulebooks.loading import load
from engine.rulebooks.opening import Stakes
from engine.shape import TEXT_MAX
from engine.table import commands
from engine.table.decide import decide
from engine.table.events import ChipsReturned, PlayerSeated, PotAwarded, UncalledBetReturned
from engine.table.menu import table_info
from tests.engine.table.game import cash, open_table, tournament, unraked

UNLIMITED: dict[str, object] = {"table.max_buyin": {}}


def test_all_chips_of_a_table_together_fit_an_int64() -> None:
    """T-ABU-9, FAULT-115: a buy-in that no pot could hold beside what is there is refused."""
    game = cash("modern", [5000], seats=3, rules=UNLIMITED)
    refusal = game.refuses(commands.ReserveSeat("p1", 1, CHIPS_MAX - 4999), "TABLE_FULL_OF_CHIPS")
    assert refusal.metadata["maximum"] == CHIPS_MAX - 5000
    assert game.do(commands.ReserveSeat("p1", 1, CHIPS_MAX - 5000)).events


def test_chips_on_their_way_count_as_well() -> None:
    """T-ABU-9: top-ups that have been asked for will be there too."""
    game = cash("modern", [5000], seats=3, rules=UNLIMITED).do(commands.RequestTopUp("p0", CHIPS_MAX - 6000))
    game.refuses(commands.RequestTopUp("p0", 1001), "TABLE_FULL_OF_CHIPS")


def test_tournament_chips_have_the_same_limit() -> None:
    """T-ABU-9: an entry's chips must leave room for all others', else they go back."""
    game = tournament("modern", [1000, 1000], seats=3).do(commands.SeatEntry("p2", 3, 2, CHIPS_MAX - 1999, "t2"))
    assert (game.last(ChipsReturned).amount, game.table.seats[2]) == (CHIPS_MAX - 1999, None)


def test_another_hands_deck_decides_nothing() -> None:
    """T-COM-4, H5: cards are turned from the deck that the hand committed to, or not at all."""
    game = cash("modern", [1000] * 2).start().all_in()
    game.deck = Deck.from_order(tuple(reversed(ALL_CARDS)), bytes(32), "T1-9")
    with pytest.raises(AssertionError, match="committed"):
        game.call()


def test_without_its_deck_a_hand_waits() -> None:
    """H5: what turns no card goes on; what does is refused until the deck can be had."""
    game = cash("modern", [1000] * 3).start()
    game.deck = None
    game.call().call()
    game.refuses(game.command(commands.Check), "DECK_UNAVAILABLE")


@pytest.mark.parametrize("changes", [{"ante": 10}, {"small_blind": -50}, {"min_bet": 7}, {"big_bet": 9}])
def test_stakes_are_those_that_the_house_would_agree_to(changes: dict[str, int]) -> None:
    """`rulebooks.md` section 1: a level is checked number by number, however it was made."""
    game = tournament("modern", [1000] * 3)
    stakes = msgspec.structs.replace(game.table.terms.stakes, **changes)
    with pytest.raises(Rejected):
        game.do(commands.ChangeLevel(1, stakes))


def test_a_table_is_not_opened_with_stakes_of_another_limit_type() -> None:
    """R-PAC-2: a fixed-limit house opens no other table, whatever the command holds."""
    stakes = Stakes("no_limit", 50, 100, 0, 0, "none", 0, 1, 100)
    command = commands.CreateTable("T", "Test", "cash", "USD", 6, load("pacific"), stakes)
    with pytest.raises(Rejected, match="LIMIT_TYPE_NOT_OFFERED"):
        decide(None, command, 0)


def test_levels_count_from_0() -> None:
    """O-32: no level has a number below 0."""
    game = tournament("modern", [1000] * 3)
    game.refuses(commands.ChangeLevel(-1, game.table.terms.stakes), "FIELD_INVALID")


@pytest.mark.parametrize("name", ["", "x" * (TEXT_MAX + 1), "a\nb", "\ud800", HOUSE])
def test_what_is_no_players_name(name: str) -> None:
    """H12, design section 2: names end up in records of limited size, and the house's own is nobody's."""
    with pytest.raises(InvalidCommand):
        open_table("modern").do(commands.ReserveSeat(name, 0, 5000))


def test_a_seat_is_held_for_minutes_only() -> None:
    """O-6: the buy-in dialog is not a reservation."""
    open_table("modern").refuses(commands.HoldSeat("p1", 0, 600_001), "FIELD_INVALID")


def test_money_for_another_amount_finds_no_place() -> None:
    """I12: what arrives is what was asked for, else it goes straight back and the seat still waits."""
    game = open_table("modern").do(commands.ReserveSeat("p1", 0, 5000))
    (reservation,) = game.table.desk.reservations
    game.do(commands.SeatPlayer("p1", 4999, reservation.transfer_id))
    assert not game.all(PlayerSeated)


def test_an_ante_that_nobody_could_match_comes_back_unraked() -> None:
    """R-PLA-11, AMB-50: against 20 chips only 20 of an ante of 100 are played for (room hand bovada/2690849153)."""
    game = cash("modern", [5000, 20], ante=("each", 100), rules={"blinds.ante_order": "ante_first"})
    game.start({0: "2c7d", 1: "AsAd"}, "KsKdKh3c4d")
    assert (game.last(UncalledBetReturned).amount, game.stacks) == (130, [4980, 38])


def test_antes_are_contributions_like_any_other() -> None:
    """`rulebooks.md` section 4: a short call and its ante match what the big blind put in without an ante."""
    game = unraked([5000, 100, 90], ante=("each", 30)).start({0: "2c7d", 1: "AsAd", 2: "KsKd"}, "Qs9h8h3c4d")
    game.all_in().fold()
    assert (game.last(UncalledBetReturned).amount, game.last(PotAwarded).amounts) == (10, (260,))


def test_a_rebuy_is_a_buy_in() -> None:
    """R-AKP-18, R-AKP-20, R-PLA-6: who has nothing left brings the least buy-in, not a cent."""
    game = cash("modern", [5000, 4000, 5000]).start({0: "2c7d", 1: "3c8d", 2: "AsAd"}, "Qs9h8h5c4s")
    game.fold().all_in().call()
    game.refuses(commands.RequestTopUp("p1", game.table.config.buyin_min - 1), "BUYIN_BELOW_MINIMUM")


def test_a_closed_table_is_not_halted() -> None:
    """Design section 6: after `TableClosed` a table says nothing more."""
    game = open_table("modern").do(commands.CloseTable())
    game.refuses(commands.HaltTable("fault"), "TABLE_CLOSED")


def test_sitting_in_for_a_moment_gains_no_time() -> None:
    """O-4, `table.sit_out_max_s`: only being dealt a hand ends the time of sitting out."""
    game = cash("modern", [5000] * 3).do(commands.SitOut("p0", "now")).wait(seconds=599)
    game.do(commands.SitIn("p0", "wait")).do(commands.SitOut("p0", "now")).wait(seconds=1)
    assert game.do(commands.RemovePlayer("p0", "sat_out_too_long")).events


def test_money_is_written_the_way_of_its_currency() -> None:
    """R-PLA-5: dollars have their sign before the amount, other currencies their name behind it."""
    euros = open_table("modern", unit="EUR", blinds=(123_450, 246_900)).table
    assert table_info(euros).blinds == "Blinds: 1,234.50 EUR/2,469 EUR"


def test_tournament_chips_are_written_without_a_currency() -> None:
    """R-PLA-5: they are no money, whatever is played for."""
    assert table_info(tournament("modern", [5000] * 2, prize_unit="EUR").table).blinds == "Blinds: 50/100"
