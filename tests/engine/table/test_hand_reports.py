"""What the director of a tournament is told of each hand: where the button is, what everybody had, who is out by whom.

Entries are one more than the seat in which they began. Seat 0 has the small blind, seat 1 the big blind, and the last
seat the button.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given

from engine.table import events as said
from engine.table.commands import CloseTable, QueueChips, RemovePlayer, SeatEntry, VoidHand
from engine.table.events import HandEnded, HandReported, PlayerLeft, TableClosed
from engine.table.hand_events import KnockOut
from engine.table.state import occupant_at
from tests.engine.table.game import Game, tournament, unraked
from tests.engine.table.play import check_down, fold_out, places, prefer, push, won
from tests.engine.table.played import Play
from tests.engine.table.random_play import often, plays

RICH = 10_000
BOARD = "KsQhJd8s6h"
"""Aces win."""
SPLIT = "TsJsQsKsAs"
"""The board plays, and pots are split."""


def table(stacks: list[int | None]) -> Game:
    """Return a tournament table at 50/100."""
    return tournament("modern", stacks, button=len(stacks) - 1)


def reported(game: Game) -> HandReported:
    """Return the last report, which is the last that was said."""
    [report] = [event for event in game.events if isinstance(event, HandReported)]
    return report


def showdown(stacks: list[int | None], *hands: str, board: str = BOARD) -> HandReported:
    """Return the report of a hand in which everybody is all-in; the seats have these hands."""
    return reported(push(table(stacks).start(dict(enumerate(hands)), board)))


# The report.


def test_a_report_says_all_that_the_director_must_know() -> None:
    """`design.md` section 3: number, button, blinds, who was dealt in, what they had and what they have."""
    game = fold_out(table([1000, 1000, 1000]).start())
    stacks = ((1000, 1000, 1000), (950, 1050, 1000))
    assert reported(game) == HandReported(1, 2, 0, 1, (1, 2, 3), *stacks, knock_outs=())


def test_a_hand_is_reported_before_anybody_goes() -> None:
    """`design.md` section 3: the director hears of the hand first, and then of who has left."""
    game = push(table([300, 1000]).start({0: "2c7d", 1: "AsAd"}, BOARD))
    assert [type(event) for event in game.events[-3:]] == [HandEnded, HandReported, PlayerLeft]


def test_each_hand_has_its_own_number() -> None:
    """O-34: the director knows which hand it was."""
    game = fold_out(fold_out(table([1000] * 3).start()).start())
    assert [report.number for report in game.all(HandReported)] == [1, 2]


def test_nobody_directs_a_cash_table() -> None:
    """A cash hand is not reported."""
    assert fold_out(unraked([1000] * 3).start()).all(HandReported) == []


def test_a_hand_that_waits_for_a_show_is_not_over() -> None:
    """While somebody is asked to show, nothing is reported."""
    game = prefer(table([1000] * 3), 0, auto_muck=False)
    assert check_down(game.start({0: "2c7d", 1: "AsAd"}, BOARD)).all(HandReported) == []


def test_stacks_are_in_the_order_of_the_entries() -> None:
    """O-35: what each entry had at the start ranks those who went out together."""
    report = showdown([700, 800, 900], "AsAd", "KsKd", "QdQh", board="2c3d4h8s9h")
    assert dict(zip(report.entries, report.stacks, strict=True)) == {1: 700, 2: 800, 3: 900}
    assert dict(zip(report.entries, report.stacks_after, strict=True)) == {1: 2100, 2: 200, 3: 100}


def test_who_was_not_dealt_in_is_not_reported() -> None:
    """`design.md` section 3: an entry that sat down in mid-hand had no part in it."""
    game = table([1000, 1000, None]).start()
    game.do(SeatEntry("p2", 3, 2, 1000, "t2"))
    assert set(reported(fold_out(game)).entries) == {1, 2}


def test_a_report_precedes_the_closing_of_the_table() -> None:
    """`design.md` section 3: after `TableClosed` a table has nothing to tell of its last hand."""
    game = fold_out(table([1000] * 2).start().do(CloseTable()))
    closing = [HandEnded, HandReported, PlayerLeft, PlayerLeft, TableClosed]
    assert [type(event) for event in game.events[-5:]] == closing


# Where button and blinds are.


def test_with_the_dead_button_a_blind_may_be_at_an_empty_seat() -> None:
    """O-33: the director seats by what the table has, also where nobody sits."""
    game = table([1000, 300, 1000, 1000]).start({1: "2c7d", 2: "AsAd"}, BOARD).all_in().fold().fold().call()
    assert game.table.seats[1] is None
    report = reported(fold_out(game.start()))
    assert (report.button, report.small_blind, report.big_blind) == places(game) == (0, 1, 2)


def test_without_blinds_there_is_the_button_alone() -> None:
    """O-33: -1 stands for a blind that the table does not have."""
    report = reported(fold_out(tournament("modern", [RICH] * 3, blinds=None, ante=("each", 10)).start()))
    assert (report.button, report.small_blind, report.big_blind) == (0, -1, -1)


# Void hands.


def void(game: Game) -> Game:
    """Void the hand in progress."""
    return game.do(VoidHand(game.hand.setup.hand_id, "a fault of ours", "operator"))


def test_in_a_void_hand_nobody_goes_out() -> None:
    """R-AKP-31, AMB-12: stacks are those of its start, all-in or not."""
    game = void(table([300, 1000, 1000]).start().raise_to(300).all_in())
    assert reported(game).stacks_after == reported(game).stacks == (300, 1000, 1000)
    assert reported(game).knock_outs == ()


def test_a_report_says_whether_the_hand_was_void() -> None:
    """O-34: for the director it does not count as one that was played."""
    assert reported(void(table([1000] * 3).start())).voided
    assert not reported(fold_out(table([1000] * 3).start())).voided


def test_after_a_void_hand_the_blinds_are_where_they_were() -> None:
    """`rulebooks.md` section 4: button and blinds are those of the hand before."""
    game = fold_out(table([1000] * 4).start())
    before = game.last(HandReported)
    after = reported(void(game.start()))
    assert (after.number, after.button, after.small_blind, after.big_blind) == (2, 3, 0, 1)
    assert (before.button, before.small_blind, before.big_blind) == (3, 0, 1)


def test_when_the_first_hand_is_void_they_are_nowhere() -> None:
    """`rulebooks.md` section 4: -1 before the first hand."""
    report = reported(void(table([1000] * 3).start()))
    assert (report.button, report.small_blind, report.big_blind) == (-1, -1, -1)


def test_who_was_ordered_to_go_leaves_after_the_report() -> None:
    """AMB-51: with the stack of the start, and that is no knock-out."""
    game = void(table([1000] * 3).start().do(RemovePlayer("p1", "removed")))
    assert [type(event) for event in game.events] == [said.HandVoided, HandReported, PlayerLeft]
    assert (game.last(PlayerLeft).amount, reported(game).knock_outs) == (1000, ())


# Knock-outs.


def test_who_wins_the_last_chips_has_knocked_him_out() -> None:
    """O-35: the entry that is out, and the one that won its chips."""
    assert showdown([300, 1000], "2c7d", "AsAd").knock_outs == (KnockOut(1, winners=(2,)),)


def test_a_fold_knocks_nobody_out() -> None:
    """Chips that are left are left."""
    assert reported(fold_out(table([1000, 1000]).start())).knock_outs == ()


def test_the_side_pot_decides_for_whom_it_was_left() -> None:
    """O-35: the shortest wins the main pot; the last chips of the third go to the winner of the side pot."""
    report = showdown([100, 300, 200], "AsAd", "KsKd", "QdQh", board="2c3d4h8s9h")
    assert report.knock_outs == (KnockOut(3, winners=(2,)),)


def test_each_is_knocked_out_by_the_winner_of_his_own_last_pot() -> None:
    """O-35: one had a share in the main pot alone, the other in the side pot too."""
    report = showdown([50, 100, 300, 300], "2c7d", "AsAd", "KsKd", "JdJh", board="3c3d4h8s9h")
    assert report.knock_outs == (KnockOut(1, winners=(2,)), KnockOut(4, winners=(3,)))


def test_two_who_share_the_pot_share_the_knock_out() -> None:
    """O-35: a split pot has two winners."""
    report = showdown([300, 1000, 1000], "2c7d", "AsKd", "AdKh")
    assert report.knock_outs == (KnockOut(1, winners=(2, 3)),)


def test_who_splits_the_pot_is_not_out() -> None:
    """O-35: he has chips again."""
    assert showdown([300, 300, 300], "2c7d", "3c8d", "4c9d", board=SPLIT).knock_outs == ()


def test_two_go_out_in_one_hand() -> None:
    """O-35: what they had at its start ranks them: here entry 2 had more than entry 1."""
    report = showdown([300, 400, 1000], "2c7d", "3c8d", "AsAd", board="KsQhJd6s5h")
    assert report.knock_outs == (KnockOut(1, winners=(3,)), KnockOut(2, winners=(3,)))
    assert report.stacks[:2] == (300, 400)


def test_everybody_but_one_may_go_out() -> None:
    """O-35: with equal stacks they are tied."""
    report = showdown([500] * 4, "2c7d", "3c8d", "AsAd", "4c9d", board="KsQhJd6s5h")
    assert {out.entry for out in report.knock_outs} == {1, 2, 4}
    assert {out.winners for out in report.knock_outs} == {(3,)}


def test_who_is_knocked_out_by_a_blind_is_reported_with_the_hand_that_he_was_dealt() -> None:
    """The hand starts and ends in one go when the blinds take everything."""
    game = table([50, 100]).start({0: "2c7d", 1: "AsAd"}, BOARD)
    assert reported(game).knock_outs == (KnockOut(1, winners=(2,)),)


def test_an_ante_for_all_may_be_the_last_that_one_had() -> None:
    """O-14: who has only dead chips in has a share in the main pot."""
    rules = {"blinds.ante_order": "ante_first"}
    game = tournament("modern", [RICH, 100, RICH], button=2, ante=("big_blind", 100), rules=rules)
    report = reported(check_down(game.start({0: "AsAd", 1: "2c7d"}, BOARD)))
    assert report.knock_outs == (KnockOut(2, winners=(1,)),)


def test_who_ties_and_gets_no_chip_of_the_pot_is_out() -> None:
    """AMB-26, O-14: an ante of one chip for all, shared by three: he who put it in gets nothing of it."""
    rules = {"blinds.ante_order": "ante_first"}
    terms: dict[str, Any] = {"blinds": (100, 200), "ante": ("big_blind", 100), "smallest_chip": 100, "rules": rules}
    game = check_down(tournament("modern", [RICH, 100, RICH], button=2, **terms).start(board=SPLIT))
    assert won(game) == {0: 300, 1: 0, 2: 200}
    assert reported(game).knock_outs == (KnockOut(2, winners=(1,)),)


# Rebuys.


def bust_with_a_rebuy(*more: RemovePlayer | CloseTable) -> Game:
    """Let p0 lose all his chips in a hand in which a rebuy of 500 waits for him."""
    game = table([300, 1000, 2000]).start({0: "2c7d", 1: "AsAd"}, BOARD).do(QueueChips("p0", 500, "t9"))
    for command in more:
        game.do(command)
    return push(game)


def test_a_rebuy_in_time_saves_from_going_out() -> None:
    """O-31: chips that were bought before the hand ended come into play instead."""
    game = bust_with_a_rebuy()
    assert reported(game).knock_outs == ()
    assert occupant_at(game.table, 0).stack == 500


def test_chips_that_were_bought_are_not_in_the_report() -> None:
    """O-31: the director knows what he sold; the table tells what the hand left."""
    assert reported(bust_with_a_rebuy()).stacks_after[0] == 0


def test_who_goes_with_the_table_takes_his_rebuy_along() -> None:
    """O-31, O-33: at a table that is broken up he leaves with what he bought, and is not out."""
    game = bust_with_a_rebuy(CloseTable())
    left = next(event for event in game.all(PlayerLeft) if event.player == "p0")
    assert (left.amount, game.last(HandReported).knock_outs) == (500, ())


def test_who_was_ordered_to_go_and_lost_everything_is_out() -> None:
    """O-33: a player who was to be removed and loses his last chips before is knocked out like any other."""
    game = table([300, 1000]).start({0: "2c7d", 1: "AsAd"}, BOARD).call().all_in()
    game.do(RemovePlayer("p0", "removed")).call()
    assert (game.last(PlayerLeft).cause, reported(game).knock_outs) == ("removed", (KnockOut(1, winners=(2,)),))


# Every hand.


@often
@given(plays())
def test_every_hand_of_a_tournament_is_reported_once(play: Play) -> None:
    """O-34: the barrier of a synchronised hand hears of each end, played out or void; cash hands are not reported."""
    for hand in play.hands:
        reports = [event for event in hand.events if isinstance(event, HandReported)]
        assert [report.number for report in reports] == [hand.started.number] * (play.opening.kind == "tournament")


@often
@given(plays())
def test_a_report_agrees_with_the_hand(play: Play) -> None:
    """O-35, P3: it names the stacks of the start and of the end, and no chip comes or goes between them."""
    for hand in play.hands:
        ended = [event for event in hand.events if isinstance(event, HandEnded)]
        for report in [event for event in hand.events if isinstance(event, HandReported)]:
            assert report.stacks == hand.started.stacks
            assert sum(report.stacks) == sum(report.stacks_after)
            left = dict(zip(hand.started.seats, report.stacks_after, strict=True))
            assert all(left == dict(zip(end.seats, end.stacks, strict=True)) for end in ended)


@often
@given(plays())
def test_knocked_out_is_who_left_with_nothing(play: Play) -> None:
    """O-35: each of them, by somebody else who was in the hand."""
    for step in play.steps:
        left = {event.entry for event in step.events if isinstance(event, PlayerLeft) and not event.amount}
        for report in [event for event in step.events if isinstance(event, HandReported)]:
            assert {out.entry for out in report.knock_outs} == left
            for out in report.knock_outs:
                assert out.winners
                assert set(out.winners) <= set(report.entries) - left
