"""The start of a hand: when it may begin, who is dealt in, and in which order he posts what (R-PLA-16, O-14)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Rejected
from engine.poker.cards import ALL_CARDS
from engine.poker.deck import Deck
from engine.table.commands import PlanEntry, RemovePlayer, SitOut, StartHand
from engine.table.decide import decide
from engine.table.events import (
    AntePosted,
    BlindMissed,
    BlindPosted,
    ButtonMoved,
    HandEnded,
    HandStarted,
    HoleCardsDealt,
    WentAllIn,
)
from engine.table.start import next_deal
from tests.engine.table.game import Game, cash, open_table, seat_players, tournament
from tests.engine.table.play import bets, dealt, fixed, fold_out, join, leave, play_on, posts, said, sit_in, sit_out

RICH = 10_000
Ante = tuple[str, int]


def modern(stacks: list[int | None], **terms: Any) -> Game:  # noqa: ANN401 - the terms of a table.
    """Return a table at 100/200; seat 0 has the button."""
    return cash("modern", stacks, blinds=(100, 200), **terms)


# When.


def test_one_hand_at_a_time() -> None:
    """A hand begins when the last one has ended."""
    modern([RICH] * 3).start().refuses(StartHand(), "HAND_IN_PROGRESS")


def test_two_players_make_a_hand() -> None:
    """R-AKP-1: `seats_min`; who sits out or has no chips does not count."""
    game = sit_out(modern([RICH] * 3), 1)
    assert next_deal(game.table) is not None
    assert next_deal(sit_out(game, 2).table) is None
    game.refuses(StartHand(), "NOT_ENOUGH_PLAYERS")


def test_a_house_may_want_three() -> None:
    """`table.seats_min`: fewer do not play."""
    rules = {"table.seats_min": 3}
    assert next_deal(modern([RICH] * 3, rules=rules).table) is not None
    assert next_deal(modern([RICH] * 2, seats=3, rules=rules).table) is None


def test_an_empty_table_deals_nothing() -> None:
    """R-AKP-5: nobody came first, so nobody deals."""
    game = open_table("akpoker")
    assert next_deal(game.table) is None
    game.refuses(StartHand(), "NOT_ENOUGH_PLAYERS")


def test_without_its_deck_a_hand_does_not_begin() -> None:
    """H5: when the deck cannot be had only this table waits."""
    with pytest.raises(Rejected, match="DECK_UNAVAILABLE"):
        decide(modern([RICH] * 3).table, StartHand(), 0)


def test_a_deck_that_was_not_committed_to_is_never_dealt_from() -> None:
    """T-COM-2, H4: a hand goes on with the deck whose root it began with, or not at all."""
    game = modern([RICH] * 2).start()
    game.deck = Deck.from_order(tuple(reversed(ALL_CARDS)), bytes(32), "T1-9")
    with pytest.raises(AssertionError, match="committed"):
        game.call().check()


# In which order.


def test_all_posts_come_before_the_cards() -> None:
    """R-PLA-16: hand, missed blinds, button, blinds, entry posts, and then the cards."""
    game = sit_in(play_on(sit_out(play_on(modern([RICH] * 6, button=5)), 2), 2), 2, "post")
    sit_out(game, 5).start()
    assert [type(event).__name__ for event in game.events] == [
        "HandStarted",
        "BlindMissed",
        "ButtonMoved",
        "BlindPosted",
        "BlindPosted",
        "BlindPosted",
        "DeadBlindPosted",
        "HoleCardsDealt",
    ]


def test_the_hand_says_who_plays_with_what() -> None:
    """`design.md` section 6: seats in the order of the deal, players, stacks, positions, and the root of the deck."""
    game = modern([RICH, 5000, 3000]).start()
    (started,) = said(game, HandStarted)
    assert (started.seats, started.players, started.stacks) == ((1, 2, 0), ("p1", "p2", "p0"), (5000, 3000, RICH))
    assert game.deck is not None
    assert started.deck_root == game.deck.root
    assert (started.hand_id, started.number) == ("T1-1", 1)


@pytest.mark.parametrize(("button", "order"), [(0, (0, 1, 2)), (1, (1, 2, 0)), (2, (2, 0, 1))])
def test_a_deal_may_start_left_of_the_big_blind(button: int, order: tuple[int, ...]) -> None:
    """R-PAC-31: wherever the big blind sits; of three, the button is left of it."""
    assert dealt(fixed("pacific", [RICH] * 3, button=button).start()) == order


def test_newcomers_miss_no_blind() -> None:
    """AMB-17: what passes a newcomer while he waits adds nothing to his entry post."""
    game = join(play_on(modern([RICH, RICH, None, RICH, RICH])), 2).start()
    assert 2 not in dealt(game)
    assert said(game, BlindMissed) == []


def test_who_waits_goes_on_missing_blinds() -> None:
    """R-AKP-16: one who is back and waits for the big blind is passed by the small blind as before."""
    game = sit_in(play_on(sit_out(play_on(modern([RICH] * 6, button=5)), 2)), 2, "wait").start()
    assert said(game, BlindMissed) == [BlindMissed(2, "small")]


def test_who_has_no_chips_is_not_dealt_in() -> None:
    """O-9: in a tournament he is out, in a cash game he sits out."""
    game = tournament("modern", [RICH, 200, RICH], blinds=(100, 200))
    game.start({0: "AsAd", 1: "2s3d", 2: "4s5d"}, "KcKdQh9s7s").raise_to(400).call().fold()
    assert set(dealt(game.start())) == {0, 2}


# Short stacks.


def test_who_posts_his_last_chip_is_all_in() -> None:
    """R-AKP-8, FAULT-127: `WentAllIn` follows the post that took it."""
    game = modern([RICH, 60, 200, RICH]).start()
    assert game.events[2:6] == (
        BlindPosted(1, 60, "small"),
        WentAllIn(1),
        BlindPosted(2, 200, "big"),
        WentAllIn(2),
    )


def test_a_hand_in_which_all_are_all_in_plays_itself() -> None:
    """FAULT-71: with nobody left to bet the board is run out at once."""
    game = modern([100, 200]).start()
    assert game.table.hand is None
    assert len(game.all(HandEnded)) == 1


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        (220, [(3, 20, "ante"), (3, 200, "entry")]),
        (200, [(3, 200, "entry")]),
        (150, [(3, 150, "entry")]),
        (250, [(3, 50, "ante"), (3, 200, "entry")]),
    ],
)
def test_a_short_newcomer_pays_the_live_post_first(stack: int, expected: list[Any]) -> None:
    """`rulebooks.md` section 4: live post before everything else, where blinds come before antes."""
    game = play_on(modern([RICH, RICH, RICH, None], button=2, ante=("each", 50)))
    bring(game, stack).start()
    assert [post for post in posts(game) if post[0] == 3] == expected


def bring(game: Game, stack: int) -> Game:
    """Seat p3 in seat 3 with this stack, who chooses to post."""
    return seat_players(game, [None, None, None, stack]).do(PlanEntry("p3", "post"))


@pytest.mark.parametrize(
    ("stack", "expected"), [(250, [(2, 200, "entry"), (2, 50, "dead")]), (150, [(2, 150, "entry")])]
)
def test_a_short_returner_pays_the_live_post_first(stack: int, expected: list[Any]) -> None:
    """R-PAC-13, `rulebooks.md` section 4: the dead small blind gets what is left."""
    game = play_on(sit_out(play_on(modern([RICH, RICH, stack, RICH, RICH, RICH], button=5)), 2), 2)
    sit_in(game, 2, "post").start()
    assert [post for post in posts(game) if post[0] == 2] == expected
    assert said(game, WentAllIn) == [WentAllIn(2)]


def test_a_dead_blind_may_take_the_last_chip() -> None:
    """R-MOD-4, FAULT-127: one who missed the small blind alone posts all he has, dead, and is all-in for the pot."""
    game = modern([RICH, RICH, 50, RICH, RICH], rules={"rake.bps": 0}).start({2: "AsAd"}, "KcKdQh9s7s")
    game = play_on(sit_out(fold_out(game), 2))
    assert game.stacks[2] == 100
    sit_in(game, 2, "post").start()
    assert posts(game)[-1] == (2, 100, "dead")
    assert said(game, WentAllIn) == [WentAllIn(2)]


def test_a_newcomer_in_the_small_blind_pays_his_entry_post_first() -> None:
    """`post_between_button_and_bb`, section 4: his entry post stands for the small blind, and comes before the ante."""
    rules = {"blinds.post_between_button_and_bb": True}
    game = leave(play_on(modern([RICH, RICH, RICH, None, RICH], ante=("each", 50), rules=rules)), 1)
    bring(game, 220).start()
    assert said(game, ButtonMoved) == [ButtonMoved(2, 3, small_posts=False, big_blind=4)]
    assert [post for post in posts(game) if post[0] == 3] == [(3, 20, "ante"), (3, 200, "entry")]


def test_an_ante_may_leave_a_newcomer_nothing_to_post() -> None:
    """FAULT-29: where antes come first, one with no more than his ante posts it, is all-in once, and owes nothing."""
    rules = {"blinds.ante_order": "ante_first"}
    game = play_on(modern([RICH, RICH, RICH, None], button=2, ante=("each", 50), rules=rules))
    bring(game, 50).start()
    assert [post for post in posts(game) if post[0] == 3] == [(3, 50, "ante")]
    assert said(game, WentAllIn) == [WentAllIn(3)]


# Antes.


@pytest.mark.parametrize(
    ("ante", "expected", "contribution"),
    [
        (("each", 20), [(1, 20, "ante"), (2, 20, "ante"), (0, 20, "ante")], 120),
        (("big_blind", 20), [(2, 20, "ante")], 100),
        (("button", 20), [(0, 20, "ante")], 100),
    ],
)
def test_who_pays_the_ante(ante: Ante, expected: list[Any], contribution: int) -> None:
    """O-14: everybody his own, or the big blind or the button for all; only antes of `each` are contributions."""
    game = modern([RICH] * 3, ante=ante).start()
    assert [post for post in posts(game) if post[2] == "ante"] == expected
    player = game.hand.players[1]
    assert player is not None
    assert player.contribution == contribution
    assert [event.dead for event in said(game, AntePosted)] == [ante[0] != "each"] * len(expected)


def test_an_ante_is_no_bet() -> None:
    """O-14: it is in the pot and not part of what a call costs."""
    game = modern([RICH] * 3, ante=("big_blind", 20)).start()
    assert (game.hand.pot, bets(game), game.menu.call) == (320, [0, 100, 200], 200)


@pytest.mark.parametrize(
    ("order", "stack", "expected"),
    [
        ("blind_first", 210, [(2, 10, "ante"), (2, 200, "big")]),
        ("blind_first", 150, [(2, 150, "big")]),
        ("ante_first", 210, [(2, 50, "ante"), (2, 160, "big")]),
        ("ante_first", 50, [(2, 50, "ante")]),
        ("ante_first", 30, [(2, 30, "ante")]),
    ],
)
def test_what_a_short_big_blind_pays_first(order: str, stack: int, expected: list[Any]) -> None:
    """O-14, `blinds.ante_order`: the blind before the ante, or the ante before the blind (FAULT-29)."""
    game = modern([RICH, RICH, stack, RICH], ante=("big_blind", 50), rules={"blinds.ante_order": order}).start()
    assert [post for post in posts(game) if post[0] == 2] == expected
    assert said(game, WentAllIn) == [WentAllIn(2)]


def test_an_empty_button_pays_no_ante() -> None:
    """O-14: with a dead button at an empty seat nobody pays the button's ante."""
    game = tournament("modern", [RICH] * 4, blinds=(100, 200), ante=("button", 20))
    play_on(game)
    game.do(RemovePlayer("p1", "moved")).start()
    assert said(game, ButtonMoved)[0].button == 1
    assert said(game, AntePosted) == []


def test_a_table_without_blinds_has_antes_alone() -> None:
    """R-FRE-4: nobody posts a blind, and none is missed."""
    game = sit_out(cash("freeguide", [RICH] * 4, blinds=None, ante=("each", 10)), 2).start()
    assert posts(game) == [(1, 10, "ante"), (3, 10, "ante"), (0, 10, "ante")]
    assert (said(game, HandStarted)[0].big_blind, said(game, BlindMissed)) == (-1, [])
    assert len(said(game, HoleCardsDealt)[0].seats) == 3


def test_a_next_big_blind_that_nobody_has_means_the_next_hand() -> None:
    """O-5: at a table without blinds who waits for one to sit out sits out at once."""
    game = cash("freeguide", [RICH] * 3, blinds=None, ante=("each", 10)).do(SitOut("p1", "next_big_blind"))
    assert 1 not in dealt(play_on(game, 4))


def test_there_a_wish_that_was_not_made_is_not_carried_out() -> None:
    """O-5: `never` stays never."""
    game = cash("freeguide", [RICH] * 3, blinds=None, ante=("each", 10)).do(SitOut("p1", "never"))
    assert 1 in dealt(game.start())


def test_a_table_without_blinds_may_have_an_empty_last_seat() -> None:
    """R-FRE-4: nobody is looked for in a big blind that is not there."""
    assert dealt(cash("freeguide", [RICH, RICH, None], blinds=None, ante=("each", 10)).start()) == (1, 0)


def test_who_left_before_the_hand_is_not_in_it() -> None:
    """R-AKP-21: seats are looked at when the hand begins."""
    assert 1 not in dealt(leave(modern([RICH] * 3), 1).start())
