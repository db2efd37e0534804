"""What old logs lead to is pinned to the schema of snapshots (F25)."""

from __future__ import annotations

import pytest

from engine.table.events import HandEnded
from services.eventlog.envelope import decode, kind_of
from services.eventlog.snapshot_rows import SCHEMA
from tests.services.eventlog.chronicles import Kind
from tests.services.eventlog.golden_logs import SEEDS, golden_log, golden_states, hashes_of


@pytest.mark.parametrize("kind", SEEDS)
def test_an_old_log_leads_to_the_state_that_snapshots_of_this_schema_have(kind: Kind) -> None:
    """F25, M18: a changed `evolve`, state or memory must not meet a snapshot that was made before."""
    pinned = golden_states()
    assert pinned.schema == SCHEMA, "pin the states: python -m tests.services.eventlog.golden_logs"
    assert hashes_of(kind) == pinned.hashes[kind], (
        "old events lead to another state, or it is kept in another form: raise SCHEMA in snapshot_rows.py"
    )


def test_the_old_logs_have_hands_and_every_kind_of_aggregate() -> None:
    """F25: whole hands, accounts, and a tournament."""
    envelopes = [decode(stored) for kind in SEEDS for stored in golden_log(kind)]
    assert {kind_of(each.aggregate) for each in envelopes} == {"table", "account", "tournament", "partition"}
    assert sum(isinstance(event, HandEnded) for each in envelopes for event in each.events) > 3
    assert any(each.sealed for each in envelopes)
    assert any(each.delivery for each in envelopes)
