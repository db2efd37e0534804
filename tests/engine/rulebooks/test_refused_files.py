"""A file with an unknown, missing or impossible field is refused with file, field and what is allowed."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from engine.rulebooks.loading import RulebookError, build, load, parse
from tests.engine.rulebooks.files import changed, text_of

WRONG_VALUES: tuple[tuple[str, object, str], ...] = (
    ("id", "", "a text that is not empty"),
    ("title", 7, "a text that is not empty"),
    ("version", 0, "a whole number from 1"),
    ("version", True, "a whole number from 1"),
    ("version", 1.0, "a whole number from 1"),
    ("version", 2**63, f"to {2**63 - 1}"),
    ("table_may_set", "clock", "a list, each entry a text"),
    ("table", [], "a table of seats_min, seats_max"),
    ("table.seats_min", 1, "a whole number from 2 to 10"),
    ("table.seats_max", 11, "a whole number from 2 to 10"),
    ("table.limit_types", [], "a list, each entry one of fixed_limit, no_limit, pot_limit"),
    ("table.limit_types", {}, "a list, each entry one of"),
    ("table.min_buyin", 4000, "a table of fixed_limit, pot_limit, no_limit"),
    ("table.topup", "later", "one of queued, refused_in_hand"),
    ("table.sit_out_max_s", -1, "a whole number from 0"),
    ("table.sit_out_max_s", "600", "a whole number from 0"),
    ("table.return_stack_shortfall_bps", 10_001, "a whole number from 0 to 10000"),
    ("blinds.small_blind_rule", "half", "one of exact_half, half_floor_dollar, half_or_stated"),
    ("blinds.small_blind_overrides", 3, "a list, each entry a table of big_blind, small_blind"),
    ("blinds.no_double_big_blind", 1, "true or false"),
    ("blinds.no_double_big_blind", "true", "true or false"),
    ("blinds.button_rule", "moving", "a table of cash, tournament"),
    ("blinds.ante_types", [], "a list, each entry one of big_blind, button, each, none"),
    ("blinds.straddle", None, "one of button, off, utg, utg_restraddle"),
    ("betting.fl_max_raises", -1, "a whole number from 0"),
    ("protection.window_s", 0, "a whole number from 1"),
    ("protection.quota_exhausted_action", "check", "one of fold"),
    ("cancellation.equal_share_in_money_bps", 10_001, "a whole number from 0 to 10000"),
    ("rake.bps", 10_001, "a whole number from 0 to 10000"),
    ("rake.unit", 0, "a whole number from 1"),
    ("rake.min_pot", -1, "a whole number from 0"),
    ("words.raises", [], "a list, each entry a text that is not empty"),
)

WRONG_INSIDE: tuple[tuple[str, object, str, str], ...] = (
    ("table.limit_types", ["no_limit", "spread"], "table.limit_types[1]", "one of fixed_limit, no_limit, pot_limit"),
    ("table.limit_types", ["no_limit", "no_limit"], "table.limit_types[1]", "each value once"),
    ("table.min_buyin", {"spread": {}}, "table.min_buyin.spread", "one of fixed_limit, pot_limit, no_limit"),
    ("table.min_buyin", {"no_limit": {"of": "ante"}}, "table.min_buyin.no_limit.times", "a whole number from 1"),
    (
        "table.min_buyin",
        {"no_limit": {"times": 1, "of": "ante"}},
        "table.min_buyin.no_limit.of",
        "one of big_bet, big_blind, small_blind",
    ),
    (
        "table.max_buyin",
        {"no_limit": {"times": 0, "of": "big_blind"}},
        "table.max_buyin.no_limit.times",
        "a whole number from 1",
    ),
    ("blinds.small_blind_overrides", {"x": 3}, "blinds.small_blind_overrides[0].big_blind", "a whole number from 1"),
    ("blinds.small_blind_overrides", {"05": 3}, "blinds.small_blind_overrides[0].big_blind", "a whole number from 1"),
    ("blinds.small_blind_overrides", {"5": 0}, "blinds.small_blind_overrides[0].small_blind", "a whole number from 1"),
    ("blinds.button_rule", {"cash": "dead"}, "blinds.button_rule.tournament", "one of dead, moving"),
    ("clock.act_seconds", {"no_limit": 0}, "clock.act_seconds.no_limit", "a whole number from 1"),
    (
        "clock.reconnect_grace",
        [{"pot_bb": -1, "seconds": 3}],
        "clock.reconnect_grace[0].pot_bb",
        "a whole number from 0",
    ),
    ("rake.caps_fixed_limit", [{"dealt": 2}], "rake.caps_fixed_limit[0].cap", "a whole number from 0"),
    (
        "rake.caps_fixed_limit",
        [{"dealt": 11, "cap": 1}],
        "rake.caps_fixed_limit[0].dealt",
        "a whole number from 2 to 10",
    ),
    ("words.raises", ["Raise", 2], "words.raises[1]", "a text that is not empty"),
)


def refusal_of(text: str) -> RulebookError:
    """Return why the text is refused as the file "house.toml"."""
    with pytest.raises(RulebookError) as refused:
        parse(text, "house.toml")
    return refused.value


@pytest.mark.parametrize(("field", "value", "allowed"), WRONG_VALUES)
def test_an_impossible_value_is_refused(field: str, value: object, allowed: str) -> None:
    """A value outside the allowed set of `rulebooks.md` section 1 is refused, and so is one of another TOML type."""
    with pytest.raises(RulebookError) as refused:
        changed("modern", {field: value})
    assert (refused.value.file, refused.value.field) == ("modern.toml", field)
    assert allowed in refused.value.allowed


@pytest.mark.parametrize(("field", "value", "at", "allowed"), WRONG_INSIDE)
def test_an_impossible_value_inside_a_field_is_refused(field: str, value: object, at: str, allowed: str) -> None:
    """The dotted path leads to the value itself, through maps and lists (`rulebooks.md` section 1)."""
    with pytest.raises(RulebookError) as refused:
        changed("modern", {field: value})
    assert refused.value.field == at
    assert allowed in refused.value.allowed


def test_an_unknown_field_is_refused() -> None:
    """An unknown field of a section is refused with the names of the known ones (`rulebooks.md` section 1)."""
    refused = refusal_of(text_of("modern").replace('burn = "none"', 'burn = "none"\ncut = "once"'))
    assert (refused.file, refused.field, refused.problem) == ("house.toml", "deal.cut", "is not known")
    assert refused.allowed == "one of deal_starts, burn"


def test_an_unknown_section_is_refused() -> None:
    """An unknown section is refused like an unknown field (`rulebooks.md` section 1)."""
    assert refusal_of(text_of("modern") + "[insurance]\n").field == "insurance"


@pytest.mark.parametrize("section", [None, "table", "blinds", "betting", "clock", "protection", "cancellation", "rake"])
def test_every_field_is_required(section: str | None) -> None:
    """Each field that is taken out is missed by its path (`rulebooks.md` section 1)."""
    tree: dict[str, Any] = tomllib.loads(text_of("modern"))
    fields = tree if section is None else tree[section]
    for name in list(fields):
        taken = fields.pop(name)
        with pytest.raises(RulebookError, match="is missing") as refused:
            build(tree, "modern.toml")
        assert refused.value.field == (name if section is None else f"{section}.{name}")
        fields[name] = taken


def test_a_refusal_says_everything_in_one_line() -> None:
    """The message names file, field, problem and the allowed values."""
    text = text_of("modern").replace('topup = "queued"', 'topup = "later"')
    expected = "house.toml: table.topup cannot be 'later'; allowed: one of queued, refused_in_hand"
    assert str(refusal_of(text)) == expected


def test_a_text_that_is_no_toml_is_refused() -> None:
    """What cannot be parsed is refused with the name of the file."""
    refused = refusal_of("id = ")
    assert (refused.file, refused.field) == ("house.toml", "")
    assert str(refused).startswith("house.toml: is not TOML")


def test_a_field_stated_twice_is_refused() -> None:
    """TOML itself forbids a key twice, so no later line can quietly beat an earlier one."""
    assert "is not TOML" in str(refusal_of('id = "a"\nid = "b"\n'))


@pytest.mark.parametrize("house", ["", "unknown", "Pacific", "../modern"])
def test_an_unknown_house_is_refused(house: str) -> None:
    """Only the five ids name a rulebook."""
    with pytest.raises(RulebookError, match="pacific, planet, akpoker, freeguide, modern"):
        load(house)
