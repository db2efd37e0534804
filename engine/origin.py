"""Where an event stands: the aggregate that said it, its version there, the time, and the unit of its chips.

From the place alone come the id of an event and the ids of what follows from it: whoever computes them, however often,
gets the same ones, so nothing can happen twice under two names.
"""

from __future__ import annotations

from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec

HOUSE = "house"
"""The id of the house's own account; no player has it."""


class Origin(msgspec.Struct, frozen=True, gc=False):
    """The place of an event."""

    aggregate: str
    """Such as "table/T7" or "account/P3"."""
    version: int
    """The event's number in its aggregate."""
    at_ms: int
    unit: str
    """What a table counts in; accounts name the unit in each event."""


def event_id(origin: Origin) -> UUID:
    """Return the id of the event at this place."""
    return uuid5(NAMESPACE_OID, f"{origin.aggregate}/{origin.version}")


def command_id(origin: Origin, index: int) -> str:
    """Return the id of the command that follows from the event as its reaction number `index`."""
    return str(uuid5(event_id(origin), str(index)))


def chips_unit(tournament_id: str) -> str:
    """Return the unit in which the tables of a tournament count."""
    return f"chips/{tournament_id}"


def account_of(player: str) -> str:
    """Return the address of a player's account."""
    return f"account/{player}"


def table_of(table_id: str) -> str:
    """Return the address of a table."""
    return f"table/{table_id}"


def director_of(origin: Origin) -> tuple[str, int] | None:
    """Return the address of a table's tournament, and which of its tables this is; None for a table without a director.

    The tables of tournament T are named T-1, T-2 and so on, and count in chips/T.
    """
    name, _, number = name_of(origin.aggregate).rpartition("-")
    if name and number.isdecimal() and origin.unit == chips_unit(name):
        return f"tournament/{name}", int(number)
    return None


def name_of(aggregate: str) -> str:
    """Return the second half of an aggregate's address: "T7" of "table/T7"."""
    return aggregate.partition("/")[2]


def return_id(transfer_id: str) -> str:
    """Return the id under which money that found no place goes back (`design.md` section 3)."""
    return str(uuid5(NAMESPACE_OID, f"{transfer_id}/return"))
