"""A dealer that has a log process and does nothing: `python -m tests.services.kafka.log_alone BOOTSTRAP`.

It prints the number of the log process when that has had time to begin its work, and waits to be killed.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from services.eventlog.kafka.log import KafkaLog
from services.eventlog.kafka.settings import KafkaSettings
from tests.services.eventlog.records import HOUSE, PARTITION, Pen, header_of

BEGIN_SECONDS: Final = 3


async def wait(bootstrap: str) -> None:
    """Begin, and wait."""
    log = KafkaLog(KafkaSettings(bootstrap=bootstrap, house=HOUSE), header_of)
    appending = asyncio.create_task(log.append(PARTITION, [Pen().claim()]))
    await asyncio.wait([appending], timeout=BEGIN_SECONDS)
    sys.stdout.write(f"{log.pid}\n")
    sys.stdout.flush()
    await appending
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(wait(sys.argv[1]))
