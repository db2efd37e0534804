"""The tournaments of random runs: few entries, short stacks, and among them every way to enter, to buy and to win."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from engine.rulebooks.loading import load
from engine.tournament.payouts import PayoutRow
from engine.tournament.terms import ChipSale, Terms, Ticket
from tests.engine.table.game import changed
from tests.engine.tournament.announcements import levels, terms

DAY_TICKET = Ticket("ticket/day", 1100)
FINAL_TICKET = Ticket("ticket/final", 2500)
REBUY = ChipSale(price=1000, fee=50, chips=300, last_level=2, most=2, stack_max=300)
ADD_ON = ChipSale(price=500, fee=0, chips=400, first_level=1, last_level=3)
PROTECTED = {"protection.disconnect_policy": "all_in", "protection.in_tournaments": True}
MANY_PRIZES = (PayoutRow(2, (6000, 4000)), PayoutRow(4, (4000, 3000, 2000, 1000)))
HOUSE_PAYS = {"cancellation.mtt_buyin_source": "house"}
AT_ONE = {"starts_at_ms": 60_000}
LATE = {**AT_ONE, "late_levels": 2}

ANNOUNCED: tuple[dict[str, Any], ...] = (
    {"entries": 4, "seats": 4, "bounty": 301, "rules": PROTECTED},
    {"entries": 8, "seats": 3, **LATE, "entries_per_player": 2, "rebuy": REBUY, "add_on": ADD_ON},
    {"house": "akpoker", "entries": 7, "seats": 4, **AT_ONE, "rules": HOUSE_PAYS, "guarantee": 9001},
    {"entries": 9, "seats": 3, "hand_for_hand": 6, "payouts": MANY_PRIZES, **AT_ONE, "ticket": DAY_TICKET},
    {"entries": 6, "seats": 3, "satellite": FINAL_TICKET, "ticket": DAY_TICKET, **LATE, "entries_per_player": 3},
    {"house": "akpoker", "entries": 5, "seats": 6, "bounty": 100, "rebuy": REBUY, "rules": PROTECTED},
    {"house": "akpoker", "entries": 9, "seats": 3, "rules": HOUSE_PAYS, **LATE},
    {"house": "planet", "entries": 8, "seats": 2, "buy_in": 0, "fee": 0, "guarantee": 3000, "hand_for_hand": 8},
    {"house": "pacific", "entries": 6, "seats": 4, "ticket": DAY_TICKET, **LATE, "rebuy": REBUY, "bounty": 0},
)
"""The tournaments that a run may have."""


@cache
def announcement(number: int) -> Terms:
    """Return the announcement of this number: short stacks, levels of two minutes, a break after the second."""
    said = dict(ANNOUNCED[number])
    house = said.pop("house", "modern")
    rulebook = changed(load(house), said.pop("rules", {}))
    schedule = levels(rulebook, count=10, seconds=120)
    said["levels"] = (schedule[0], replace(schedule[1], break_seconds=60), *schedule[2:])
    return terms(house, rulebook=rulebook, starting_chips=400, **said)
