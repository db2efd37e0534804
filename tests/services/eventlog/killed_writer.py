"""A small F4: a process whose writer serves callers on a log in a file, until it is killed.

`python -m tests.services.eventlog.killed_writer LOG LIFE` prints a line of JSON for each request that was acknowledged:
its id, its sequence and its result. Callers start with the requests that the life before cannot have finished, so some
come a second time.
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count
from pathlib import Path
from typing import Final

from engine.account.commands import OpenAccount
from services.eventlog.requests import Request
from services.eventlog.sqlite import SqliteLog
from services.eventlog.writer import PartitionWriter
from tests.services.eventlog.owners import deposit, names_of, on_file, owned

CALLERS: Final = 20
REPEATED: Final = 40
"""So many of a caller's last requests are sent again by the next life."""


async def caller(writer: PartitionWriter, number: int, first: int) -> None:
    """Ask for one thing after the other, and tell what was acknowledged."""
    address = f"account/P{number}"
    for turn in count(first):
        command = deposit(turn) if turn else OpenAccount(f"P{number}")
        reply = await writer.submit(Request(address, command, f"{number}/{turn}", tell=names_of))
        line = {"id": f"{number}/{turn}", "sequence": reply.sequence, "result": reply.result.decode()}
        sys.stdout.write(f"{json.dumps(line)}\n")
        sys.stdout.flush()


async def serve(log: SqliteLog) -> None:
    """Serve for ever."""
    async with owned(log) as writer:
        await asyncio.gather(*(caller(writer, number, _first(writer, number)) for number in range(CALLERS)))


def _first(writer: PartitionWriter, number: int) -> int:
    """Return where a caller begins: some way back."""
    return max(0, writer.confirmed(f"account/P{number}").version - REPEATED)


if __name__ == "__main__":
    on_file(Path(sys.argv[1]), serve)
