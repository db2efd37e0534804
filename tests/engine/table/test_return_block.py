"""Who missed the big blind must let the small blind and the button pass before he comes back (R-AKP-15, AMB-15).

The helpers number the seats from 1, as the golden test does: of six seats, seat 3 sits out and the others stay.
"""

from __future__ import annotations

from engine.table.commands import SitIn, SitOut
from engine.table.events import BlindMissed, PlayerSatIn
from tests.engine.table.game import Game, cash
from tests.engine.table.play import dealt, fold_out, join, leave, places, play_on, posts, said, sit_in, sit_out

RICH = 10_000
COME_BACK = SitIn("p2", "post")


def before_hand(number: int, house: str = "akpoker") -> Game:
    """Return the table of G-AKP-7 before hand 10, 11, 12 or 13; seat 3 has sat out after hand 9."""
    game = sit_out(play_on(cash(house, [RICH] * 6, button=5, blinds=(100, 200))), 2)
    return play_on(game, number - 10)


def golden_places(game: Game) -> tuple[int, int, int]:
    """Return button, small and big blind of the hand in seats from 1."""
    button, small, big = places(game)
    return button + 1, small + 1, big + 1


def missed(game: Game) -> list[tuple[int, str]]:
    """Return which blinds were missed in the hand, by whom, in seats from 1."""
    return [(event.seat + 1, event.blind) for event in said(game, BlindMissed)]


def test_first_the_big_blind_passes_him() -> None:
    """G-AKP-7: hand 10: button 1, small blind 2, big blind 4: seat 3 has missed the big blind."""
    game = before_hand(10).start()
    assert golden_places(game) == (1, 2, 4)
    assert missed(game) == [(3, "big")]


def test_then_the_small_blind() -> None:
    """G-AKP-7: hand 11: button 2, small blind 4, big blind 5: he has missed the small blind."""
    game = before_hand(11).start()
    assert golden_places(game) == (2, 4, 5)
    assert missed(game) == [(3, "small")]


def test_then_the_button() -> None:
    """G-AKP-7: hand 12: button 4, small blind 5, big blind 6: the button has passed seat 3."""
    game = before_hand(12).start()
    assert golden_places(game) == (4, 5, 6)
    assert missed(game) == []


def test_before_the_big_blind_has_passed_he_is_free() -> None:
    """R-AKP-15: who has missed nothing may come back at once, and owes nothing."""
    game = sit_in(before_hand(10), 2).start()
    assert golden_places(game) == (1, 2, 3)
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]


def test_until_the_button_has_passed_he_is_refused() -> None:
    """R-AKP-15, G-AKP-7: a request to sit in before hand 12 has started is refused (RETURN_BLOCKED)."""
    for number in (11, 12):
        before_hand(number).refuses(COME_BACK, "RETURN_BLOCKED")
        before_hand(number - 1).start().refuses(COME_BACK, "RETURN_BLOCKED")


def test_from_hand_twelve_on_he_may_come_back() -> None:
    """R-AKP-15, R-AKP-16, G-AKP-7: he posts big blind and dead small blind and is dealt in from hand 13."""
    game = before_hand(12).start()
    sit_in(game, 2, "post")
    fold_out(game).start()
    assert golden_places(game) == (5, 6, 1)
    assert posts(game) == [(5, 100, "small"), (0, 200, "big"), (2, 200, "entry"), (2, 100, "dead")]
    assert game.hand.pot == 600


def test_or_wait_for_the_big_blind() -> None:
    """R-AKP-15, G-AKP-7: waiting, he is dealt in when it is his, and posts nothing else."""
    game = sit_in(before_hand(13), 2, "wait")
    assert 2 not in dealt(play_on(game, 2))
    game.start()
    assert golden_places(game) == (1, 2, 3)
    assert posts(game) == [(1, 100, "small"), (2, 200, "big")]


def test_after_that_he_owes_nothing() -> None:
    """R-AKP-16: once dealt in he has paid what he missed."""
    game = play_on(sit_in(before_hand(13), 2, "post"))
    assert [seat for seat, _, _ in posts(game.start()) if seat == 2] == []


def test_who_sits_out_again_is_blocked_again() -> None:
    """R-AKP-15: a big blind missed anew must be paid for anew."""
    game = sit_out(play_on(sit_in(before_hand(13), 2, "post"), 2), 2)
    play_on(game)
    assert missed(game) == [(3, "big")]
    game.refuses(COME_BACK, "RETURN_BLOCKED")


def test_one_who_is_back_is_not_blocked() -> None:
    """R-AKP-15: the block is for who sits out, and not for who takes back a wish to sit out."""
    game = leave(play_on(sit_out(play_on(cash("akpoker", [RICH] * 3, blinds=(100, 200))), 0)), 1)
    join(sit_in(game, 0, "wait"), 1)
    assert sit_in(game.do(SitOut("p0", "next_big_blind")), 0, "wait").events == (PlayerSatIn(0, "wait"),)


def test_other_houses_do_not_block() -> None:
    """AMB-15: without `return_block` he posts what he owes at once."""
    assert 2 in dealt(sit_in(before_hand(12, "freeguide"), 2, "post").start())


def test_the_block_is_waived_when_too_few_would_play() -> None:
    """`rulebooks.md` section 4: enough willing players with chips always make a hand."""
    game = play_on(sit_out(play_on(cash("akpoker", [RICH] * 3, blinds=(100, 200))), 0))
    game.refuses(SitIn("p0", "post"), "RETURN_BLOCKED")
    sit_in(leave(game, 1), 0, "post")
    assert set(dealt(game.start())) == {0, 2}


def test_who_sits_out_does_not_keep_him_out() -> None:
    """`rulebooks.md` section 4: only who would be dealt in counts."""
    game = play_on(sit_out(play_on(cash("akpoker", [RICH] * 3, blinds=(100, 200))), 0))
    sit_in(sit_out(game, 1), 0, "post")
    assert set(dealt(game.start())) == {0, 2}


def test_who_is_about_to_leave_does_not_keep_him_out() -> None:
    """`rulebooks.md` section 4: a player who leaves when the hand ends will not be dealt in."""
    game = play_on(sit_out(play_on(cash("akpoker", [RICH] * 3, blinds=(100, 200))), 0)).start()
    waiting = 1 if game.to_act == 2 else 2
    assert len(sit_in(leave(game, waiting), 0, "post").events) == 1
