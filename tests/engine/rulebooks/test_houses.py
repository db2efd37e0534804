"""The five files hold what the houses say: `rulebooks.md` section 2, row by row, and hashes that pin the rest."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from engine.rulebooks.loading import HOUSES, canonical, load, rulebook_hash
from engine.rulebooks.rulebook import Rulebook
from tests.engine.rulebooks.files import text_of

FL, PL, NL = "fixed_limit", "pot_limit", "no_limit"
ALL = [FL, PL, NL]
GRACE = [{"pot_bb": pot, "seconds": seconds} for pot, seconds in ((0, 30), (10, 60), (50, 120), (100, 240))]
CAPS_FL = [{"dealt": dealt, "cap": cap} for dealt, cap in ((2, 100), (4, 200), (6, 300))]
CAPS_BIG = [{"dealt": dealt, "cap": cap} for dealt, cap in ((2, 100), (3, 200), (4, 300), (6, 400))]
TABLE_SETS = ["table.min_buyin", "table.max_buyin", "clock", "rake"]
MODERN_SETS = [*TABLE_SETS, "protection.disconnect_policy", "showdown.expose_all_in", "blinds.straddle"]


def times(unit: str, **counts: int) -> dict[str, object]:
    """Return a bound of the buy-in in the form of the file."""
    return {limit_type: {"times": count, "of": unit} for limit_type, count in counts.items()}


def pair(cash: str, tournament: str) -> dict[str, str]:
    """Return a value for both kinds of table in the form of the file."""
    return {"cash": cash, "tournament": tournament}


BOTH_MOVING = pair("moving", "moving")
BOTH_DRAWN = pair("high_card", "high_card")
MAX_100 = times("big_blind", pot_limit=100, no_limit=100)
MIN_FL = times("big_blind", fixed_limit=10)
MIN_BB = MIN_FL | times("big_blind", pot_limit=20, no_limit=20)
MIN_SB = MIN_FL | times("small_blind", pot_limit=20, no_limit=20)
MIN_MODERN = times("big_bet", fixed_limit=10) | times("big_blind", pot_limit=40, no_limit=40)
ACT = {FL: 25, PL: 35, NL: 35}
RAISES_PAC = ["Raise", "Reraise", "Cap"]

# The columns are those of the matrix: pacific, planet, akpoker, freeguide, modern.
MATRIX: tuple[tuple[str, object, object, object, object, object], ...] = (
    ("title", "Pacific Poker", "Planet Poker", "AKPokerClub", "freeguide2poker", "Modern"),
    ("version", 1, 1, 1, 1, 1),
    ("table_may_set", ["clock", "rake"], TABLE_SETS, TABLE_SETS, TABLE_SETS, MODERN_SETS),
    ("table.seats_min", 2, 2, 2, 2, 2),
    ("table.seats_max", 10, 10, 10, 10, 10),
    ("table.limit_types", [FL], ALL, ALL, ALL, ALL),
    ("table.min_buyin", MIN_FL, MIN_BB, MIN_SB, MIN_BB, MIN_MODERN),
    ("table.max_buyin", {}, MAX_100, MAX_100, MAX_100, MAX_100),
    ("table.topup", "queued", "queued", "queued", "queued", "queued"),
    ("table.return_stack_window_s", 0, 0, 0, 0, 7200),
    ("table.return_stack_limit_types", [], [], [], [], [PL, NL]),
    ("table.return_stack_shortfall_bps", 0, 0, 0, 0, 1000),
    (
        "blinds.small_blind_rule",
        "half_floor_dollar",
        "half_floor_dollar",
        "exact_half",
        "half_or_stated",
        "half_or_stated",
    ),
    ("blinds.small_blind_overrides", {"5": 3}, {"5": 3}, {}, {}, {}),
    (
        "blinds.heads_up_blinds",
        "dealer_posts_big",
        "dealer_posts_small",
        "dealer_posts_big",
        "dealer_posts_small",
        "dealer_posts_small",
    ),
    ("blinds.no_double_big_blind", True, True, True, True, True),
    ("blinds.button_rule", BOTH_MOVING, BOTH_MOVING, BOTH_MOVING, BOTH_MOVING, pair("moving", "dead")),
    ("blinds.first_button", BOTH_DRAWN, BOTH_DRAWN, pair("first_to_sit", "high_card"), BOTH_DRAWN, BOTH_DRAWN),
    ("blinds.post_between_button_and_bb", False, False, False, False, False),
    ("blinds.missed_sb_only", "live_bb", "dead_sb", "dead_sb", "dead_sb", "dead_sb"),
    ("blinds.return_block", "none", "none", "until_button_passes", "none", "none"),
    ("blinds.no_blinds_allowed", False, False, False, True, True),
    ("blinds.ante_types", ["none"], ["none"], ["none"], ["none", "each"], ["none", "each", "big_blind", "button"]),
    ("betting.fl_max_raises", 3, 3, 3, 3, 3),
    ("betting.uncapped_heads_up", False, False, False, False, False),
    (
        "betting.pot_limit_raise_basis",
        "pot_after_call",
        "pot_after_call",
        "pot_before_call",
        "pot_after_call",
        "pot_after_call",
    ),
    ("betting.pot_limit_short_blinds", "as_posted", "as_posted", "as_posted", "as_posted", "as_full"),
    (
        "betting.postflop_first",
        "left_of_button",
        "left_of_button",
        "small_blind_poster",
        "left_of_button",
        "left_of_button",
    ),
    ("betting.fold_when_check_free", True, True, True, True, True),
    ("deal.deal_starts", "left_of_big_blind", "left_of_button", "left_of_button", "left_of_button", "left_of_button"),
    ("deal.burn", "none", "none", "none", "turn_river", "none"),
    ("showdown.muck_losers", True, True, True, True, True),
    ("showdown.uncontested_shows", "optional", "never", "never", "optional", "optional"),
    (
        "showdown.expose_all_in",
        "tournament_only",
        "tournament_only",
        "tournament_only",
        "tournament_only",
        "always",
    ),
    (
        "showdown.odd_chip_rule",
        "all_to_first_left_of_dealer",
        "one_each_from_left",
        "one_each_from_left",
        "one_each_from_left",
        "one_each_from_left",
    ),
    ("showdown.max_visible_pots", 5, 0, 0, 0, 0),
    ("clock.act_seconds", {FL: 25}, ACT, ACT, ACT, ACT),
    ("clock.reconnect_grace", GRACE, GRACE, GRACE, GRACE, []),
    ("clock.timeout_free_action", "check", "check", "check", "check", "check"),
    ("clock.time_bank_start_s", 0, 0, 0, 0, 30),
    ("clock.time_bank_add_s", 0, 0, 0, 0, 5),
    ("clock.time_bank_every_hands", 0, 0, 0, 0, 10),
    ("clock.time_bank_cap_s", 0, 0, 0, 0, 60),
    ("clock.time_bank_auto", "never", "never", "never", "never", "if_invested"),
    ("clock.time_bank_when_disconnected", False, False, False, False, True),
    ("protection.disconnect_policy", "all_in", "none", "all_in", "none", "none"),
    ("protection.limit_types", [FL], [], ALL, [], ALL),
    ("protection.in_tournaments", False, False, False, False, False),
    ("protection.window_s", 86_400, 604_800, 604_800, 604_800, 604_800),
    ("protection.allotment", 2, 2, 2, 2, 2),
    ("protection.reset_to", 2, 2, 2, 2, 2),
    ("protection.max_uses", 2, 8, 8, 8, 8),
    ("protection.max_resets", 0, 3, 3, 3, 3),
    ("cancellation.no_elimination", "rollback", "rollback", "rollback", "rollback", "rollback"),
    ("cancellation.single_table", "own_split", "own_split", "own_split", "own_split", "as_multi_table"),
    ("cancellation.stt_split", "pro_rata_chips", "pro_rata_chips", "pro_rata_chips", "pro_rata_chips", "half_half"),
    ("cancellation.mtt_buyin_source", "pool_first", "pool_first", "pool_first", "pool_first", "fee_only"),
    ("cancellation.mtt_next_prize", "each", "each", "each", "each", "each"),
    ("cancellation.equal_share_before_money_bps", 5000, 5000, 5000, 5000, 5000),
    ("cancellation.equal_share_in_money_bps", 5000, 5000, 5000, 5000, 0),
    ("rake.bps", 0, 0, 0, 0, 500),
    ("rake.caps_fixed_limit", [], [], [], [], CAPS_FL),
    ("rake.caps_pot_no_limit", [], [], [], [], CAPS_BIG),
    ("rake.no_flop_no_drop", True, True, True, True, True),
    ("words.bb_option", "Raise", "Bet", "Raise", "Raise", "Raise"),
    ("words.raises", RAISES_PAC, ["Raise"], ["Raise"], ["Raise"], ["Raise"]),
)

HASHES = {
    ("pacific", 1): "258b02fa099a5fdf4abf4bb1dc0553c3a3cc9ee21e1d281600dfc3d1101471f2",
    ("planet", 1): "a2d04afb07bf79cb33529094fb133fcece816bf613460a187545dc119939e4de",
    ("akpoker", 1): "d0563637f48e19ffa6370dce9d3b14fed4b73297fd8d9b3e5ee90b529ec6b604",
    ("freeguide", 1): "a6bb12fcd5e272686266d507ecfbba9bded5e3451bc9ae4684eca6cf129f3e05",
    ("modern", 1): "e3aa2a3eb82653eabb03d0e7f50a654cccd54a41b472f9326b5f78b258d006d2",
}


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: str(row[0]))
def test_files_hold_the_matrix(row: tuple[object, ...]) -> None:
    """Each field of `rulebooks.md` section 2 stands in the five files with the values of its row."""
    for house, expected in zip(HOUSES, row[1:], strict=True):
        value: Any = tomllib.loads(text_of(house))
        for name in str(row[0]).split("."):
            value = value[name]
        assert value == expected, house


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_is_loaded_by_its_id(house: str) -> None:
    """The id written in every `HandStarted` is the name of the file."""
    assert load(house).id == house


@pytest.mark.parametrize("house", HOUSES)
def test_a_change_needs_a_new_version(house: str) -> None:
    """A changed value changes the hash, and needs a new `version`; the old one is kept (`rulebooks.md` section 1)."""
    assert rulebook_hash(load(house)) == HASHES[house, load(house).version]


@pytest.mark.parametrize("house", HOUSES)
def test_the_canonical_encoding_can_be_read_back(house: str) -> None:
    """The bytes that are hashed hold every field, so the same rulebook comes out of them."""
    assert msgspec.json.decode(canonical(load(house)), type=Rulebook) == load(house)


def test_the_canonical_encoding_keeps_the_order_of_the_document() -> None:
    """The hash is taken over every field in the order of `rulebooks.md` section 1, which all five files share."""
    for house in HOUSES:
        encoded, file = msgspec.json.decode(canonical(load(house))), tomllib.loads(text_of(house))
        assert list(encoded) == list(file)
        assert [list(encoded[name]) for name in list(file)[4:]] == [list(file[name]) for name in list(file)[4:]]


def test_a_rulebook_never_changes() -> None:
    """A rulebook is a value all the way down: it can be hashed and has no list or map in it."""
    assert len({load(house) for house in HOUSES}) == len(HOUSES)


def test_a_value_per_kind_is_looked_up() -> None:
    """R-MOD-3: moving button in cash games, dead button in tournaments."""
    rule = load("modern").blinds.button_rule
    assert (rule.of("cash"), rule.of("tournament")) == ("moving", "dead")


def test_a_turn_has_its_time() -> None:
    """AMB-52: 25 s at fixed limit, 35 s at pot and no limit."""
    clock = load("planet").clock
    assert [clock.seconds_to_act("fixed_limit"), clock.seconds_to_act("pot_limit")] == [25, 35]


def test_overrides_of_the_small_blind_are_pairs() -> None:
    """R-PLA-13: the map of the file becomes pairs in ascending order of the big blind."""
    pairs = load("planet").blinds.small_blind_overrides
    assert [(pair.big_blind, pair.small_blind) for pair in pairs] == [(5, 3)]
