"""A table as a whole: opening, levels, and the sweep of its rake."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import Rejected
from engine.rulebooks.loading import load, rulebook_hash
from engine.rulebooks.opening import Stakes, StakesOffer, agree_stakes
from engine.rulebooks.rulebook import Rulebook
from engine.table.commands import (
    ChangeLevel,
    CreateTable,
    SweepRake,
)
from engine.table.decide import decide
from engine.table.events import (
    LevelChanged,
    RakeSwept,
    TableCreated,
)
from tests.engine.table.game import Game, cash, changed, open_table, tournament
from tests.engine.table.play import (
    check_down,
    fixed,
    fold_out,
    play_on,
    posts,
)

RICH = 10_000


def stakes(small: int, big: int, limit: Any = "no_limit") -> Stakes:  # noqa: ANN401 - a literal.
    """Return the stakes of a tournament level."""
    return agree_stakes(load("modern"), StakesOffer(small_blind=small, big_blind=big), limit, "tournament")


def creating(rules: Rulebook, **facts: Any) -> CreateTable:  # noqa: ANN401 - the facts of a table.
    """Return the request for a cash table at 50/100, with some facts changed."""
    known: dict[str, Any] = {"table_id": "T1", "name": "Test", "kind": "cash", "unit": "USD", "seats": 6}
    return CreateTable(**{**known, "rulebook": rules, "stakes": stakes(50, 100), **facts})


# Opening.


def test_a_table_says_all_that_is_in_force() -> None:
    """AMB-42, `design.md` section 6: `TableCreated` freezes the whole rulebook, its hash, the stakes and buy-ins."""
    rules = load("modern")
    hash_ = rulebook_hash(rules)
    created = TableCreated("T1", "Test", "cash", "USD", 6, rules, hash_, stakes(50, 100), 4000, 10_000)
    assert decide(None, creating(rules), 0) == (created,)


def test_a_table_without_a_maximum_says_zero() -> None:
    """R-MOD-13: fixed limit has no maximum buy-in."""
    config = fixed("modern", [RICH] * 2).table.config
    assert (config.buyin_min, config.buyin_max) == (2000, 0)


def test_a_tournament_table_has_no_buyin() -> None:
    """Its chips come from the director."""
    config = tournament("modern", [RICH] * 2).table.config
    assert (config.buyin_min, config.buyin_max) == (0, 0)


@pytest.mark.parametrize("field", ["table_id", "name", "unit"])
def test_a_table_has_an_id_a_name_and_a_unit(field: str) -> None:
    """`errors.py`: an empty name is wrong in every state."""
    with pytest.raises(Rejected, match="FIELD_INVALID") as refusal:
        decide(None, creating(load("modern"), **{field: ""}), 0)
    assert refusal.value.metadata == {"field": field}


@pytest.mark.parametrize("changes", [{"table_id": "SNG9-1"}, {"unit": "chips/SNG9"}])
def test_a_cash_table_does_not_pass_for_a_tournament_s(changes: dict[str, str]) -> None:
    """T-ABU-9: nobody takes the name of a table that a director will open, or its chips."""
    with pytest.raises(Rejected, match="FIELD_INVALID") as refusal:
        decide(None, creating(load("modern"), **changes), 0)
    assert refusal.value.metadata == {"field": next(iter(changes))}


@pytest.mark.parametrize("seats", [1, 11])
def test_a_table_has_as_many_seats_as_the_house_offers(seats: int) -> None:
    """`table.seats_min`, `table.seats_max`."""
    with pytest.raises(Rejected, match="SEATS_NOT_OFFERED"):
        decide(None, creating(load("modern"), seats=seats), 0)


@pytest.mark.parametrize("rule", [{"blinds.straddle": "utg"}, {"showdown.run_it_twice": True}])
def test_what_is_not_dealt_here_is_refused(rule: dict[str, object]) -> None:
    """O-13, O-15: straddles and running it twice are fields for later; no table may promise them."""
    with pytest.raises(Rejected, match="NOT_DEALT_HERE"):
        decide(None, creating(changed(load("modern"), rule)), 0)


IMPOSSIBLE = [{"small_blind": -50}, {"small_blind": 100}, {"ante": 10}, {"small_bet": 100}, {"min_bet": 50}]


@pytest.mark.parametrize("change", IMPOSSIBLE)
def test_a_table_has_stakes_that_its_house_agrees_to(change: dict[str, int]) -> None:
    """AMB-21, AMB-42: numbers that are not the outcome of any offer are refused when the table is created."""
    with pytest.raises(Rejected):
        decide(None, creating(load("modern"), stakes=replace(stakes(50, 100), **change)), 0)


def test_a_house_has_no_table_of_a_limit_that_it_does_not_offer() -> None:
    """R-PAC-2: Pacific Poker deals fixed limit alone."""
    with pytest.raises(Rejected, match="LIMIT_TYPE_NOT_OFFERED"):
        decide(None, creating(load("pacific")), 0)


def test_a_table_is_created_once() -> None:
    """A second request for the same table is refused."""
    open_table("modern").refuses(creating(load("modern")), "TABLE_EXISTS")


# Levels.


def test_a_level_is_in_force_from_the_next_hand_on() -> None:
    """O-32: the hand in progress is played to its end on its own stakes."""
    game = tournament("modern", [RICH] * 3).start().do(ChangeLevel(2, stakes(100, 200)))
    assert game.events == (LevelChanged(2, stakes(100, 200)),)
    assert "raise 200..10000" in game.options
    fold_out(game).start()
    assert posts(game) == [(2, 100, "small"), (0, 200, "big")]
    assert game.menu.call == 200


def test_the_hand_names_its_level() -> None:
    """O-32: `HandStarted` says which level it is played at."""
    game = tournament("modern", [RICH] * 3).do(ChangeLevel(7, stakes(100, 200))).start()
    assert (game.hand.setup.terms.level, game.hand.setup.terms.stakes.big_blind) == (7, 200)


def test_the_level_that_is_in_force_changes_nothing() -> None:
    """A command that changes nothing makes no event."""
    game = tournament("modern", [RICH] * 3).do(ChangeLevel(2, stakes(100, 200)))
    assert game.do(ChangeLevel(2, stakes(100, 200))).events == ()


def test_the_stakes_of_a_cash_table_never_change() -> None:
    """AMB-42: they are frozen in `TableCreated`."""
    cash("modern", [RICH] * 3).refuses(ChangeLevel(2, stakes(100, 200)), "NOT_A_TOURNAMENT")


@pytest.mark.parametrize(
    "other", [stakes(100, 200, "pot_limit"), replace(stakes(100, 200), small_blind=0, big_blind=0)]
)
def test_a_level_has_the_kind_of_stakes_of_its_table(other: Stakes) -> None:
    """O-32: a table keeps its limit type, and its blinds if it has them."""
    tournament("modern", [RICH] * 3).refuses(ChangeLevel(2, other), "STAKES_INVALID")


def test_a_table_without_blinds_goes_on_without_them() -> None:
    """O-32, R-FRE-4: its levels raise the ante."""
    game = tournament("modern", [RICH] * 3, blinds=None, ante=("each", 10))
    higher = replace(game.table.terms.stakes, ante=20)
    assert posts(game.do(ChangeLevel(2, higher)).start()) == [(1, 20, "ante"), (2, 20, "ante"), (0, 20, "ante")]


@pytest.mark.parametrize("change", IMPOSSIBLE)
def test_a_level_has_stakes_that_its_house_agrees_to(change: dict[str, int]) -> None:
    """O-32, AMB-42: what no table could be created with is no level either."""
    with pytest.raises(Rejected):
        tournament("modern", [RICH] * 3).do(ChangeLevel(2, replace(stakes(50, 100), **change)))


def test_levels_count_from_zero() -> None:
    """O-32: there is no level below the first."""
    assert tournament("modern", [RICH] * 3).do(ChangeLevel(0, stakes(100, 200))).table.terms.stakes.big_blind == 200
    tournament("modern", [RICH] * 3).refuses(ChangeLevel(-1, stakes(100, 200)), "FIELD_INVALID")


# Rake.


def raked() -> Game:
    """Return a table that holds the rake of one hand, 10."""
    return check_down(cash("modern", [RICH] * 2, button=0).start())


def test_the_table_holds_its_rake_until_it_is_swept() -> None:
    """`design.md` section 3: rake stays at the table and goes to the house by one transfer."""
    game = raked().do(SweepRake())
    assert [event.amount for event in game.all(RakeSwept)] == [10]
    assert game.table.desk.rake_held == 0


def test_nothing_is_swept_where_nothing_is_held() -> None:
    """A command that changes nothing makes no event."""
    assert raked().do(SweepRake()).do(SweepRake()).events == ()


def after_hands(game: Game, hands: int) -> Game:
    """Return the game as if so many hands had been played since the last sweep."""
    game.table = replace(game.table, desk=replace(game.table.desk, hands_since_sweep=hands))
    return game


@pytest.mark.parametrize(("hands", "swept"), [(998, 0), (999, 1)])
def test_rake_is_swept_every_thousand_hands(hands: int, swept: int) -> None:
    """`design.md` section 3: every 1,000 hands, when the last of them has ended; then the count begins again."""
    game = play_on(after_hands(raked(), hands))
    assert len(game.all(RakeSwept)) == swept
    assert game.table.desk.hands_since_sweep == (0 if swept else hands + 1)


def test_where_nothing_is_held_the_sweep_waits_for_the_first_rake() -> None:
    """`design.md` section 3: no empty transfer is made; the next hand that pays rake brings the sweep."""
    game = play_on(after_hands(cash("modern", [RICH] * 2), 1000))
    assert game.all(RakeSwept) == []
    assert len(check_down(game.start()).all(RakeSwept)) == 1
