"""What a table may set for itself when it is created, and how anything else is refused."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAction, InvalidCommand, Reason
from engine.rulebooks.loading import HOUSES, load, rulebook_hash
from engine.rulebooks.opening import StakesOffer, agree_stakes, buyin_limits, with_overrides
from tests.engine.rulebooks.files import changed

IMPOSSIBLE: tuple[tuple[dict[str, object], str, str], ...] = (
    ({"clock.warning_seconds": -1}, "clock.warning_seconds", "a whole number from 0"),
    ({"clock.warning_seconds": True}, "clock.warning_seconds", "a whole number from 0"),
    ({"clock.time_bank_auto": "maybe"}, "clock.time_bank_auto", "one of always, if_invested, never"),
    ({"clock.act_seconds": {"no_limit": 20}}, "clock.act_seconds.fixed_limit", "seconds for each"),
    ({"rake.bps": 10_001}, "rake.bps", "a whole number from 0 to 10000"),
    ({"rake.caps_fixed_limit": [{"dealt": 3, "cap": 50}]}, "rake.caps_fixed_limit[0].dealt", "2 in the first entry"),
    (
        {"table.min_buyin": {"no_limit": {"times": 101, "of": "big_blind"}}},
        "table.min_buyin.no_limit",
        "100 × big_blind",
    ),
    ({"blinds.straddle": "sleeper"}, "blinds.straddle", "one of button, off, utg, utg_restraddle"),
)


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_that_sets_nothing_has_the_houses_rulebook(house: str) -> None:
    """Only what `table_may_set` names may differ; nothing set is nothing changed, hash included."""
    assert rulebook_hash(with_overrides(load(house), {})) == rulebook_hash(load(house))


def test_a_table_may_set_a_field_of_a_settable_section() -> None:
    """Pacific's `table_may_set` names `clock` and `rake` whole; the rake is 0 unless the table sets it (AMB-50)."""
    rules = with_overrides(load("pacific"), {"rake.bps": 250, "clock.act_seconds": {"fixed_limit": 15}})
    assert (rules.rake.bps, rules.clock.seconds_to_act("fixed_limit")) == (250, 15)
    assert rulebook_hash(rules) != rulebook_hash(load("pacific"))


def test_a_table_may_set_a_settable_field() -> None:
    """R-MOD-10: a table may switch protection on."""
    rules = with_overrides(load("modern"), {"protection.disconnect_policy": "all_in", "blinds.straddle": "utg"})
    assert (rules.protection.disconnect_policy, rules.blinds.straddle) == ("all_in", "utg")


def test_only_the_named_fields_change() -> None:
    """The effective rulebook is the house's in everything that the table did not set."""
    assert with_overrides(load("modern"), {"blinds.straddle": "utg"}) == changed("modern", {"blinds.straddle": "utg"})


def test_a_table_may_have_its_own_buyin() -> None:
    """AMB-22: a table may differ where the house says "usually" (R-AKP-19) or "generally" (R-PLA-6)."""
    rules = with_overrides(load("akpoker"), {"table.min_buyin": {"no_limit": {"times": 40, "of": "big_blind"}}})
    stakes = agree_stakes(rules, StakesOffer(big_blind=200), "no_limit", "cash")
    assert buyin_limits(rules, stakes) == (8000, 20_000)


@pytest.mark.parametrize(
    ("house", "field"),
    [
        ("pacific", "table.min_buyin"),
        ("planet", "protection.disconnect_policy"),
        ("modern", "protection.limit_types"),
        ("modern", "table.seats_max"),
    ],
)
def test_another_field_is_the_houses(house: str, field: str) -> None:
    """What `table_may_set` does not name, by field or by section, is refused as FIELD_NOT_SETTABLE."""
    with pytest.raises(IllegalAction) as rejected:
        with_overrides(load(house), {"clock.show_seconds": 7, field: 2})
    assert rejected.value.reason == Reason.FIELD_NOT_SETTABLE
    assert rejected.value.metadata == {"field": field, "allowed": ", ".join(load(house).table_may_set)}


@pytest.mark.parametrize("name", ["clock", "clock.", "clock.colour", "colour", "version", "", "id.x", "clock.show.x"])
def test_an_unknown_field_is_refused(name: str) -> None:
    """A name that is no field of a section is FIELD_INVALID in every house."""
    with pytest.raises(InvalidCommand) as rejected:
        with_overrides(load("pacific"), {name: 1})
    assert rejected.value.reason == Reason.FIELD_INVALID
    assert rejected.value.metadata == {"field": name, "allowed": "clock, rake"}


@pytest.mark.parametrize(("overrides", "field", "allowed"), IMPOSSIBLE)
def test_an_impossible_value_is_refused(overrides: dict[str, object], field: str, allowed: str) -> None:
    """Values are judged like those of a file: by field, and across fields (`rulebooks.md` section 1)."""
    with pytest.raises(InvalidCommand) as rejected:
        with_overrides(load("modern"), overrides)
    assert (rejected.value.reason, rejected.value.metadata["field"]) == (Reason.FIELD_INVALID, field)
    assert allowed in str(rejected.value.metadata["allowed"])


def test_a_table_may_state_small_blinds_in_the_form_of_the_file() -> None:
    """A map from big blind to small blind is taken as in the file, where the house lets a table set it."""
    rules = changed("modern", {"table_may_set": ["blinds.small_blind_overrides"]})
    pairs = with_overrides(rules, {"blinds.small_blind_overrides": {"25": 10}}).blinds.small_blind_overrides
    assert [(pair.big_blind, pair.small_blind) for pair in pairs] == [(25, 10)]
