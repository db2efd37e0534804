"""`rulebooks.md` section 1, "Checks across fields": fields that are each possible but contradict one another."""

from __future__ import annotations

import pytest

from engine.rulebooks.loading import RulebookError
from tests.engine.rulebooks.files import changed

BUYIN_5_BB = {"no_limit": {"times": 5, "of": "big_blind"}}

CONTRADICTIONS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("seats_min ≤ seats_max", {"table.seats_min": 6, "table.seats_max": 5}, "table.seats_min"),
    ("minimum ≤ maximum buy-in", {"table.max_buyin": BUYIN_5_BB}, "table.min_buyin.no_limit"),
    (
        "minimum ≤ maximum buy-in in other units",
        {"table.min_buyin": BUYIN_5_BB, "table.max_buyin": {"no_limit": {"times": 9, "of": "small_blind"}}},
        "table.min_buyin.no_limit",
    ),
    (
        "minimum ≤ maximum buy-in in big bets",
        {"table.max_buyin": {"fixed_limit": {"times": 19, "of": "big_blind"}}},
        "table.min_buyin.fixed_limit",
    ),
    (
        "big bets only at fixed limit",
        {"table.max_buyin": {"pot_limit": {"times": 50, "of": "big_bet"}}},
        "table.max_buyin.pot_limit.of",
    ),
    ("return stack all set or all off", {"table.return_stack_window_s": 0}, "table.return_stack_window_s"),
    ("return stack all set or all off", {"table.return_stack_limit_types": []}, "table.return_stack_window_s"),
    ("return stack all set or all off", {"table.return_stack_shortfall_bps": 0}, "table.return_stack_window_s"),
    ("override < big blind", {"blinds.small_blind_overrides": {"5": 5}}, "blinds.small_blind_overrides.5"),
    ("a clock per limit type", {"clock.act_seconds": {"fixed_limit": 25}}, "clock.act_seconds.pot_limit"),
    (
        "grace sorted by pot_bb",
        {"clock.reconnect_grace": [{"pot_bb": 9, "seconds": 3}, {"pot_bb": 9, "seconds": 4}]},
        "clock.reconnect_grace",
    ),
    ("a bank holds what it starts with", {"clock.time_bank_start_s": 61}, "clock.time_bank_start_s"),
    ("no bank, nothing to add", {"clock.time_bank_start_s": 0}, "clock.time_bank_every_hands"),
    ("allotment ≤ max_uses", {"protection.allotment": 9}, "protection.allotment"),
    ("reset_to ≤ max_uses", {"protection.reset_to": 9}, "protection.reset_to"),
    (
        "all_in needs limit types",
        {"protection.disconnect_policy": "all_in", "protection.limit_types": []},
        "protection.limit_types",
    ),
    ("first cap at 2", {"rake.caps_fixed_limit": [{"dealt": 3, "cap": 1}]}, "rake.caps_fixed_limit[0].dealt"),
    (
        "caps sorted by dealt",
        {"rake.caps_pot_no_limit": [{"dealt": 2, "cap": 1}, {"dealt": 4, "cap": 2}, {"dealt": 3, "cap": 3}]},
        "rake.caps_pot_no_limit",
    ),
    ("table_may_set names sections", {"table_may_set": ["clock", "colour"]}, "table_may_set[1]"),
    ("table_may_set names fields", {"table_may_set": ["clock.colour"]}, "table_may_set[0]"),
    ("table_may_set names no half field", {"table_may_set": ["clock."]}, "table_may_set[0]"),
    ("the version is the house's", {"table_may_set": ["version"]}, "table_may_set[0]"),
)

AGREEMENTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("one size of table", {"table.seats_min": 5, "table.seats_max": 5}),
    ("minimum = maximum buy-in", {"table.min_buyin": BUYIN_5_BB, "table.max_buyin": BUYIN_5_BB}),
    (
        "10 small blinds are 5 big blinds",
        {"table.min_buyin": {"no_limit": {"times": 10, "of": "small_blind"}}, "table.max_buyin": BUYIN_5_BB},
    ),
    (
        "return stack off",
        {
            "table.return_stack_window_s": 0,
            "table.return_stack_limit_types": [],
            "table.return_stack_shortfall_bps": 0,
        },
    ),
    ("the least override", {"blinds.small_blind_overrides": {"2": 1}}),
    ("allotment = max_uses", {"protection.allotment": 8, "protection.reset_to": 8}),
    ("no protection needs no limit types", {"protection.limit_types": []}),
    ("no caps", {"rake.caps_fixed_limit": [], "rake.caps_pot_no_limit": []}),
    ("nothing settable", {"table_may_set": []}),
)


@pytest.mark.parametrize(("rule", "changes", "field"), CONTRADICTIONS)
def test_a_contradiction_is_refused(rule: str, changes: dict[str, object], field: str) -> None:
    """Each check across fields of `rulebooks.md` section 1 refuses the file and names a field of the contradiction."""
    with pytest.raises(RulebookError) as refused:
        changed("modern", changes)
    assert (refused.value.field, refused.value.file) == (field, "modern.toml"), rule


@pytest.mark.parametrize(("rule", "changes"), AGREEMENTS)
def test_the_limit_of_a_check_is_allowed(rule: str, changes: dict[str, object]) -> None:
    """The checks across fields of `rulebooks.md` section 1 refuse nothing that just agrees."""
    assert changed("modern", changes).id == "modern", rule


def test_overrides_are_ordered_by_size() -> None:
    """The order in which a file lists its overrides is no part of the hash: 5 comes before 25 before 100."""
    overrides = changed("modern", {"blinds.small_blind_overrides": {"100": 40, "5": 3, "25": 10}}).blinds
    assert [pair.big_blind for pair in overrides.small_blind_overrides] == [5, 25, 100]


def test_the_refusal_of_an_unknown_settable_lists_the_known() -> None:
    """A wrong name in `table_may_set` is answered with the names that there are."""
    with pytest.raises(RulebookError, match=r"one of deal\.deal_starts, deal\.burn"):
        changed("modern", {"table_may_set": ["deal.cut"]})
