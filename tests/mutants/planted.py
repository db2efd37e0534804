"""The planted mutants of the table engine: what is broken, where, and which tests must notice.

`reliability.md` section 7 gives M1 to M35; M20 and M21 are those of the engine. The B mutants are our own, in betting,
blinds, pots and shows. A patch replaces a text that occurs exactly once in its file.
"""

from __future__ import annotations

from typing import NamedTuple

PERFT = "tests/engine/table/test_perft.py::test_every_betting_tree_has_its_size"
CHIPS = "tests/engine/table/test_properties.py"
RULES = "tests/engine/table/test_properties_rules.py"


class Mutant(NamedTuple):
    """A fault and the tests that must fail because of it."""

    id: str
    fault: str
    file: str
    old: str
    new: str
    killers: tuple[str, ...]


MUTANTS = (
    Mutant(
        "M20",
        "an uncalled bet is not returned",
        "engine/table/flow.py",
        "if amount and live >> seat & 1:",
        "if amount < 0:",
        (f"{CHIPS}::test_no_uncalled_bet_stays_in_the_middle",),
    ),
    Mutant(
        "M21",
        "odd chips are dropped",
        "engine/poker/pots.py",
        "odds = [unit] * odd_units + [0] * (count - odd_units)",
        "odds = [0] * count",
        (f"{CHIPS}::test_chips_are_conserved_at_every_event",),
    ),
    Mutant(
        "B1",
        "a short all-in shrinks the least raise",
        "engine/poker/betting.py",
        "max(betting.full_raise, raise_to - betting.current_bet) if full else betting.full_raise,",
        "raise_to - betting.current_bet,",
        (f"{PERFT}[no_limit-3-5-4]",),
    ),
    Mutant(
        "B2",
        "a raise does not open the betting again to those who have acted",
        "engine/poker/betting.py",
        "        _level_after(limits, betting, raise_to, street, full=full),\n",
        "        betting.level,\n",
        (f"{PERFT}[no_limit-8-8-5]",),
    ),
    Mutant(
        "B3",
        "who has acted is not asked again after a raise",
        "engine/poker/betting.py",
        "    pending = betting.active & ~(1 << seat)\n    return Round(\n        raise_to,",
        "    pending = betting.pending & ~(1 << seat)\n    return Round(\n        raise_to,",
        (f"{PERFT}[no_limit-3-5-4]",),
    ),
    Mutant(
        "B4",
        "fixed limit has one raise too many",
        "engine/poker/betting.py",
        "return 1 + limits.fl_max_raises",
        "return 2 + limits.fl_max_raises",
        (f"{RULES}::test_fixed_limit_has_a_cap",),
    ),
    Mutant(
        "B5",
        "a call takes the whole bet from a stack that is shorter",
        "engine/poker/betting.py",
        "return min(owed, player.stack)",
        "return owed",
        (f"{PERFT}[no_limit-3-5-4]",),
    ),
    Mutant(
        "B6",
        "a short all-in opens the betting again",
        "engine/poker/betting.py",
        "return grown >= betting.full_raise",
        "return grown > 0",
        (f"{PERFT}[no_limit-8-8-5]",),
    ),
    Mutant(
        "B7",
        "the big blind loses the option",
        "engine/poker/betting.py",
        "active if to_act >= 0 else 0,\n        to_act,\n        -1,",
        "active & ~(1 << opens_after) if to_act >= 0 else 0,\n        to_act,\n        -1,",
        (f"{PERFT}[no_limit-3-9]",),
    ),
    Mutant(
        "B8",
        "pot limit forgets the call",
        "engine/poker/betting.py",
        'basis = pot + owed if limits.pot_limit_raise_basis == "pot_after_call" else pot',
        "basis = pot",
        (f"{PERFT}[pot_limit-10-10]",),
    ),
    Mutant(
        "B9",
        "the seat after the one left of the button opens the flop",
        "engine/table/evolve_hand.py",
        "opens_after = event.button\n",
        "opens_after = (event.button + 1) % SEATS_MAX\n",
        (f"{RULES}::test_the_menu_follows_from_rulebook_and_events",),
    ),
    Mutant(
        "B10",
        "a short big blind lowers the price of a call",
        "engine/table/evolve_hand.py",
        "setup.terms.stakes.big_blind if blinds else 0,",
        "player_at(hand.players, setup.big_blind).bet if blinds else 0,",
        (f"{RULES}::test_the_menu_follows_from_rulebook_and_events",),
    ),
    Mutant(
        "B11",
        "a dead blind counts as a bet",
        "engine/table/evolve_hand.py",
        "players = put(hand.players, event.seat, replace(old, stack=old.stack - amount))",
        "players = _paid(hand.players, event.seat, amount, NOT_ACTED)",
        ("tests/engine/table/test_pacific_posts.py", "tests/engine/table/test_modern.py"),
    ),
    Mutant(
        "B12",
        "heads-up the blinds are the wrong way round",
        "engine/poker/button.py",
        'return (button, button, other) if heads_up == "dealer_posts_small" else (button, other, button)',
        'return (button, other, button) if heads_up == "dealer_posts_small" else (button, button, other)',
        ("tests/engine/poker/test_button.py",),
    ),
    Mutant(
        "B13",
        "the big blind misses those whom it did not pass",
        "engine/poker/button.py",
        "big = _across(previous.big_blind, current.big_blind)",
        "big = _across(current.big_blind, previous.big_blind)",
        ("tests/engine/table/test_return_block.py",),
    ),
    Mutant(
        "B14",
        "folded players still claim the pots",
        "engine/table/settle.py",
        "pots = build_pots(contributions, live, hand.dead)",
        "pots = build_pots(contributions, hand.setup.dealt, hand.dead)",
        (f"{RULES}::test_contested_pots_are_fewer_than_live_players",),
    ),
    Mutant(
        "B15",
        "layers that the same players claim stay separate pots",
        "engine/poker/pots.py",
        "levels = sorted({contributions[seat] for seat in MEMBERS[live]})",
        "levels = sorted(set(contributions) - {0})",
        ("tests/engine/poker/test_pots.py",),
    ),
    Mutant(
        "B16",
        "the rake goes beyond its cap",
        "engine/poker/money.py",
        "min(amount * bps // BPS, left)",
        "amount * bps // BPS",
        ("tests/engine/poker/test_rake.py",),
    ),
    Mutant(
        "B17",
        "a hand that ties with a shown one is mucked",
        "engine/poker/showdown.py",
        "strengths[other] > strengths[seat]",
        "strengths[other] >= strengths[seat]",
        ("tests/engine/poker/test_showdown.py",),
    ),
    Mutant(
        "B18",
        "a pot is won by the best hand of all, whoever may claim it",
        "engine/table/settle.py",
        "number: winners_of(pot.claimants, strengths, hand.setup.button)",
        "number: winners_of(hand.betting.live, strengths, hand.setup.button)",
        ("tests/engine/table/test_properties_cards.py::test_each_pot_goes_to_its_best_claimants",),
    ),
)
