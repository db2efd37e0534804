"""Ids of transfers: the same for ever, made from where a transfer begins, never from chance or from its amount."""

from __future__ import annotations

from uuid import NAMESPACE_OID, uuid5

from engine.table.state import Table


def next_transfer_id(table: Table) -> str:
    """Return the id of the next transfer that begins at this table."""
    return str(uuid5(NAMESPACE_OID, f"table/{table.config.table_id}/transfer/{table.desk.transfers + 1}"))
