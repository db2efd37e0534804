"""The log process of a dealer that dies at the point "acknowledged by the broker, not read back" (F5)."""

from __future__ import annotations

import os
import sys

from services.eventlog.kafka.process import main
from services.eventlog.kafka.tickets import Tickets
from tests.faults.points import dying_at_read_back

TURN = "F5_TURN"
"""The environment says the how-manieth outcome it is that is not told."""

if __name__ == "__main__":
    Tickets.settle = dying_at_read_back(Tickets.settle, int(os.environ[TURN]))  # type: ignore[method-assign]  # A fault.
    main(int(sys.argv[1]))
