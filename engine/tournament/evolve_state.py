"""Small changes of a tournament's state that many events make. See `evolve.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.poker.money import Chips
from engine.tournament.shares import EntryId
from engine.tournament.state import DirectedTable, Entry, Tournament, entry_of, level_used_ms

replace = msgspec.structs.replace
NEVER_BUSTED: Mapping[str, Any] = {"bust_round": 0, "chips_at_bust": 0, "knocked_out_by": ()}


def with_entry(tournament: Tournament, number: EntryId, **changes: Any) -> Tournament:  # noqa: ANN401 - fields of Entry.
    """Return the tournament with changed fields of an entry."""
    return with_entries(tournament, {number: replace(entry_of(tournament, number), **changes)})


def with_entries(tournament: Tournament, changed: Mapping[EntryId, Entry]) -> Tournament:
    """Return the tournament with other entries in the places of these."""
    entries = list(tournament.entries)
    for number, entry in changed.items():
        entries[number - 1] = entry
    return replace(tournament, entries=tuple(entries))


def with_table(tournament: Tournament, number: int, **changes: Any) -> Tournament:  # noqa: ANN401 - DirectedTable's fields.
    """Return the tournament with changed fields of a table."""
    tables: list[DirectedTable] = list(tournament.tables)
    tables[number - 1] = replace(tables[number - 1], **changes)
    return replace(tournament, tables=tuple(tables))


def with_due(tournament: Tournament, number: EntryId, chips: Chips) -> Tournament:
    """Return the tournament with chips that an entry owns and the director has; without a seat it waits for one."""
    entry = entry_of(tournament, number)
    status = entry.status if entry.status in {"seated", "moving"} else "waiting"
    due = tournament.due if number in tournament.due else (*tournament.due, number)
    busted = tuple([other for other in tournament.busted if other != number])
    changes = {"due": entry.due + chips, "status": status, "offer_ends_ms": 0, **NEVER_BUSTED}
    return with_entry(replace(tournament, due=due, busted=busted), number, **changes)


def without_due(tournament: Tournament, number: EntryId) -> tuple[EntryId, ...]:
    """Return who is still due chips when this entry is not."""
    return tuple([other for other in tournament.due if other != number])


def stopped(tournament: Tournament, at_ms: int) -> Tournament:
    """Return the tournament with its clock at a stand."""
    clock = tournament.clock
    used_ms = level_used_ms(clock, at_ms)
    return replace(tournament, clock=replace(clock, used_ms=used_ms, runs_since_ms=None))
