"""Golden logs: what a card room once wrote, kept for ever, and the states to which it leads.

`tests/golden/log_cash.txt` and `log_tournament.txt` have a stored record in hexadecimal on each line; no line is ever
changed. `tests/golden/states.json` has, for the current schema of snapshots, hashes of all that is known on the way
through each log, by kinds of aggregates. One that differs says that a snapshot of before would not lead to what the log
says now. Then SCHEMA in `services/eventlog/snapshot_rows.py` is raised, and

    python -m tests.services.eventlog.golden_logs

pins the states anew. If nobody meant to change what old events lead to, the change is taken back instead.
"""

from __future__ import annotations

import asyncio
import sys
from hashlib import sha256
from typing import Final, Protocol

import msgspec

from services.eventlog.envelope import kind_of
from services.eventlog.memory import Memory, addresses_of
from services.eventlog.reader import Counted, PartitionReader
from services.eventlog.snapshot_rows import SCHEMA
from tests.services.eventlog.chronicles import Kind, history
from tests.services.eventlog.golden import FOLDER
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import ListedLog

SEEDS: Final[dict[Kind, int]] = {"cash": 28, "tournament": 25}
"""Runs in which much happens: protections, deliveries that change nothing, a tournament from end to end."""
STATES_FILE: Final = FOLDER / "states.json"
STEPS: Final = 60

_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")


class _Hash(Protocol):
    def update(self, content: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


class GoldenStates(msgspec.Struct, frozen=True):
    """`states.json`."""

    schema: int
    """For which snapshots these are the states."""
    hashes: dict[str, dict[str, str]]
    """By log and kind of aggregate."""


def golden_log(kind: Kind) -> list[bytes]:
    """Return the records of a golden log."""
    return [bytes.fromhex(line) for line in (FOLDER / f"log_{kind}.txt").read_text().splitlines()]


def golden_states() -> GoldenStates:
    """Return what was pinned."""
    return msgspec.json.decode(STATES_FILE.read_bytes(), type=GoldenStates)


def hashes_of(kind: Kind) -> dict[str, str]:
    """Return a hash for each kind of aggregate: of all that is known of one after each record that changes it."""
    memory, log, hashes = Memory(), ListedLog(golden_log(kind)), dict[str, _Hash]()

    def apply(counted: Counted) -> None:
        memory.apply(counted)
        for address in addresses_of(counted.envelope):
            known = address.encode() + _ENCODER.encode(memory.known(address))
            hashes.setdefault(kind_of(address), sha256()).update(known)

    asyncio.run(PartitionReader(log, HOUSE, PARTITION).read_on(len(log.records), apply))
    return {kind: digest.hexdigest() for kind, digest in hashes.items()}


def main() -> None:
    """Write the logs if there are none, and pin the states if they are those of another schema."""
    for kind in SEEDS:
        file = FOLDER / f"log_{kind}.txt"
        if not file.exists():
            file.write_text("".join(f"{stored.hex()}\n" for stored in history(SEEDS[kind], kind, STEPS)))
    if STATES_FILE.exists() and golden_states().schema == SCHEMA:
        sys.exit(f"the states of schema {SCHEMA} are pinned already: raise SCHEMA first")
    states = GoldenStates(SCHEMA, {kind: hashes_of(kind) for kind in SEEDS})
    STATES_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(states)) + b"\n")


if __name__ == "__main__":
    main()
