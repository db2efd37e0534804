"""Random runs of whole card rooms with couriers that work badly: no chip is lost, none is made, nothing gets stuck.

In each run an auditor checks the books after every event. Then the troubles end: everything that is under way arrives,
the tables close, and all money is in accounts again. A run is its seed; `COURIER_SEEDS` says which to try:

    COURIER_SEEDS=17 pytest tests/engine/test_courier_runs.py          the run of seed 17
    COURIER_SEEDS=0-9999 pytest tests/engine/test_courier_runs.py      a campaign
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from engine.ledger import CASH_DESK
from tests.engine.auditor import Auditor
from tests.engine.courier import CardRoom
from tests.engine.stories import story
from tests.engine.troubles import Dice, Troubles
from tests.engine.workload import Workload

FIRST, _, LAST = os.environ.get("COURIER_SEEDS", "0-319").partition("-")
SEEDS = range(int(FIRST), int(LAST or FIRST) + 1)
SHARES = 4
"""Tests among which the seeds are dealt out, for runs on several cores."""
STEPS = 300
ENOUGH = 75
"""So many runs meet everything that a run may meet."""

SOMETIMES = (
    "restart with deliveries waiting",
    "delivery repeated",
    "delivery refused",
    "FundsRefused",
    "SeatReleased",
    "TopUpReleased",
    "ChipsQueued",
    "ChipsReturned",
    "RakeSwept",
    "ProtectionRequested",
    "PlayerProtected",
    "ProtectionRefused",
    "ProtectionGivenBack",
    "HandVoided",
    "rake of a void hand",
    "TableHalted",
    "AccountFrozen",
    "TableClosed",
)
"""What must be met among enough runs, or they would prove nothing (`reliability.md` section 8)."""


def run(seed: int) -> Counter[str]:
    """Let a card room work under troubles, end them, close it, and return what was met."""
    room = CardRoom(partitions=1 + seed % 4)
    auditor, troubles = Auditor(room), Troubles(room, Dice(f"{seed} troubles"))
    try:
        workload = Workload(room, Dice(f"{seed} work"))
        for _ in range(STEPS):
            workload.step()
            troubles.step()
        troubles.heal()
        room.drain()
        auditor.verify_settled()
        workload.go_home()
        auditor.verify_settled()
        verify_all_is_in_accounts(auditor)
    except Exception as error:
        error.add_note(story(f"COURIER_SEEDS={seed} python -m pytest tests/engine/test_courier_runs.py", room))
        raise
    return room.tally


def verify_all_is_in_accounts(auditor: Auditor) -> None:
    """I12, P3: what was paid in is in accounts, to the last chip."""
    lines = {line for (line, _), amount in auditor.books.items() if amount}
    assert all(line == CASH_DESK or "funds" in line for line in lines), lines


@pytest.mark.parametrize("share", range(SHARES))
def test_no_chip_is_lost_whatever_befalls_the_couriers(share: int) -> None:
    """F21, I2, I4, I10, I12, P3: after every event the books are right; when all is well again nothing is left over."""
    seeds, met = SEEDS[share::SHARES], Counter[str]()
    for seed in seeds:
        met += run(seed)
    missing = [name for name in SOMETIMES if not met[name]]
    assert len(seeds) < ENOUGH or not missing, f"the runs never met: {missing}"
