"""Showing and mucking under the rules that all houses share (`rulebooks.md` section 4). Seats count from 0."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.rulebooks.loading import HOUSES
from engine.table.commands import Muck, Show
from engine.table.events import HandEnded, HandShown, PotAwarded, ShowOffered, StreetDealt
from tests.engine.table.game import Game, cash, tournament
from tests.engine.table.play import (
    check_down,
    fixed,
    hand_log,
    prefer,
    push,
    reach,
    run_out,
    said,
    shows,
    won,
)

RICH = 100_000
HANDS = {0: "AsAd", 1: "KsKd", 2: "QsQd"}
"""On the dry board seat 0 has the best hand, then 1, then 2."""
DRY = "2c7d9hTs3s"


def on_the(street: int, house: str, rules: Mapping[str, object] | None = None) -> Game:
    """Return a fixed-limit hand of three on this street; seat 1 opens."""
    return reach(fixed(house, [RICH] * 3, rules=rules).start(HANDS, DRY), street)


# Who shows first.


@pytest.mark.parametrize("house", HOUSES)
def test_the_last_aggressor_of_the_final_round_shows_first(house: str) -> None:
    """AMB-28: seat 2 raised last on the river: he shows, then clockwise seat 0; seat 1 is beaten and mucks."""
    game = check_down(on_the(3, house).raise_to(200).raise_to(400))
    assert shows(game) == [(2, "showdown"), (0, "showdown"), (1, "auto_muck")]


@pytest.mark.parametrize("house", HOUSES)
def test_without_a_bet_in_the_final_round_the_first_left_of_the_button_shows(house: str) -> None:
    """AMB-28: seat 2 bet the turn, but nobody the river; the first live seat left of the button shows first."""
    game = check_down(on_the(2, house).check().raise_to(200))
    assert shows(game) == [(1, "showdown"), (2, "auto_muck"), (0, "showdown")]


@pytest.mark.parametrize("house", ["pacific", "planet", "freeguide"])
def test_where_the_aggressor_is_looked_for_is_the_houses_rule(house: str) -> None:
    """AMB-28: with `showdown_scope = whole_hand` the bettor of the turn shows first although the river was checked."""
    game = check_down(on_the(2, house, rules={"showdown.showdown_scope": "whole_hand"}).check().raise_to(200))
    assert shows(game) == [(2, "showdown"), (0, "showdown"), (1, "auto_muck")]


@pytest.mark.parametrize("house", ["pacific", "planet", "freeguide"])
def test_a_house_may_always_begin_left_of_the_button(house: str) -> None:
    """AMB-28: with `showdown_first = left_of_button` the aggressor plays no part."""
    game = check_down(on_the(3, house, rules={"showdown.showdown_first": "left_of_button"}).check().raise_to(200))
    assert shows(game)[0] == (1, "showdown")


# All-in with betting closed.


def all_in_before_the_flop(game: Game) -> list[str]:
    """Let two players be all-in before the flop; return the kinds of the events from then on, cards only."""
    push(game.start(HANDS, DRY))
    kinds = (HandShown, StreetDealt)
    return [
        event.street if isinstance(event, StreetDealt) else event.cause
        for event in hand_log(game)
        if isinstance(event, kinds)
    ]


@pytest.mark.parametrize("house", ["pacific", "planet", "akpoker", "freeguide"])
def test_the_houses_expose_all_ins_in_tournaments_only(house: str) -> None:
    """O-39, AMB-28: in a cash game the cards stay down until the river is out, in a tournament they go up before."""
    cash_game = fixed(house, [300, 300])
    assert all_in_before_the_flop(cash_game)[:4] == ["flop", "turn", "river", "showdown"]
    sit_and_go = tournament(house, [300, 300], limit="fixed_limit", bets=(100, 200))
    assert all_in_before_the_flop(sit_and_go) == ["all_in", "all_in", "flop", "turn", "river"]


def test_modern_exposes_all_ins_everywhere() -> None:
    """AMB-28: `expose_all_in = always`."""
    assert all_in_before_the_flop(cash("modern", [300, 300])) == ["all_in", "all_in", "flop", "turn", "river"]


@pytest.mark.parametrize("house", ["planet", "freeguide"])
def test_a_house_may_never_expose_all_ins(house: str) -> None:
    """AMB-28: with `expose_all_in = never` the cards stay down in tournaments too."""
    game = tournament(house, [300, 300], rules={"showdown.expose_all_in": "never"})
    assert all_in_before_the_flop(game)[:4] == ["flop", "turn", "river", "showdown"]


# Asked to show or muck.


def with_manual_muck(house: str, *seats: int) -> Game:
    """Return a hand of three that is checked down after these seats have turned auto muck off."""
    game = fixed(house, [RICH] * 3, rules={"rake.bps": 0})
    for seat in seats:
        prefer(game, seat, auto_muck=False)
    return check_down(game.start(HANDS, DRY))


@pytest.mark.parametrize("house", HOUSES)
def test_pots_are_awarded_before_anybody_is_asked(house: str) -> None:
    """Section 4, "show and muck": the pot is with the winner while seat 2 is still asked; the hand ends after him."""
    game = with_manual_muck(house, 2)
    assert won(game) == {0: 300}
    assert game.stacks[0] == RICH + 200
    names = [type(event).__name__ for event in hand_log(game)]
    assert names[-2:] == ["PotAwarded", "ShowOffered"]
    assert isinstance(game.do(game.command(Muck)).events[-1], HandEnded)


def test_each_in_turn_is_asked() -> None:
    """Section 4, "show and muck": the first one has answered before the next is asked; nobody answers for another."""
    game = with_manual_muck("planet", 0, 1, 2)
    game.refuses(game.command(Show, 2), "NOT_YOUR_TURN")
    game.do(game.command(Show)).do(game.command(Muck)).do(game.command(Show))
    assert said(game, ShowOffered) == [ShowOffered(1), ShowOffered(2), ShowOffered(0)]
    assert shows(game) == [(1, "chosen"), (2, "chosen"), (0, "chosen")]
    assert len(said(game, PotAwarded)) == 1


@pytest.mark.parametrize("house", HOUSES)
def test_who_does_not_answer_has_shown(house: str) -> None:
    """Section 4, "show and muck": after `show_seconds` the hand is shown at a showdown."""
    game = run_out(with_manual_muck(house, 2))
    assert game.at_ms == 5000
    assert (2, "timeout") in shows(game)
    assert game.table.hand is None


def test_the_first_to_show_may_not_hide_an_unbeaten_hand() -> None:
    """AMB-29, section 4, "show and muck": nothing lies face up yet, so the muck of seat 1 shows his cards."""
    game = with_manual_muck("planet", 1)
    game.do(game.command(Muck))
    assert shows(game) == [(1, "not_beaten"), (2, "auto_muck"), (0, "showdown")]


def test_a_winner_must_show_to_win() -> None:
    """AMB-29: seat 0 wins the pot; whatever he says his cards are shown, for that reason."""
    game = with_manual_muck("freeguide", 0)
    game.do(game.command(Muck))
    assert shows(game)[-1] == (0, "not_beaten")
    assert won(game) == {0: 300}


def test_at_a_showdown_both_cards_are_shown() -> None:
    """Section 4, "show and muck": one card of two is enough only when the pot was uncontested."""
    game = with_manual_muck("planet", 2)
    one = Show(game.player(2), game.hand.setup.hand_id, game.hand.turn.number, (1,))
    game.refuses(one, "BOTH_CARDS_SHOWN")


@pytest.mark.parametrize("house", HOUSES)
def test_nobody_is_asked_by_default(house: str) -> None:
    """Section 4, "show and muck": auto muck is on and ask to show is off, so the hand ends with its last action."""
    game = check_down(on_the(3, house))
    assert said(game, ShowOffered) == []
    assert isinstance(game.events[-1], HandEnded)


@pytest.mark.parametrize(
    ("house", "asked"), [("pacific", 1), ("planet", 0), ("akpoker", 0), ("freeguide", 1), ("modern", 1)]
)
def test_may_an_uncontested_winner_show(house: str, asked: int) -> None:
    """R-PAC-24, R-FRE-9, section 4: who has asked to be asked is asked only where the house lets the winner show."""
    game = prefer(fixed(house, [RICH] * 3), 0, ask_to_show=True).start().raise_to(200).fold().fold()
    assert len(said(game, ShowOffered)) == asked
    assert (game.table.hand is None) == (asked == 0)


@pytest.mark.parametrize(
    ("rules", "loser"), [({"showdown.muck_losers": False}, "showdown"), ({"clock.show_seconds": 0}, "auto_muck")]
)
def test_a_house_may_ask_nobody(rules: dict[str, object], loser: str) -> None:
    """R-PLA-20, section 4: where nobody may muck all show; where there is no time to choose auto muck is on for all."""
    game = prefer(prefer(cash("planet", [RICH] * 2, rules=rules), 0, auto_muck=False), 1, auto_muck=False)
    check_down(game.start({0: "KsKd", 1: "AsAd"}, DRY))
    assert shows(game) == [(1, "showdown"), (0, loser)]
    assert isinstance(game.events[-1], HandEnded)
