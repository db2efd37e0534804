"""What is to be said of a house when its faults are over: the log is read, and what was heard is compared with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from services.eventlog.judge import VoidReason
from services.eventlog.kafka.pages import KafkaReader
from services.eventlog.log_events import EpochOpened
from services.eventlog.partitions import partition_of
from tests.faults.callers import Load
from tests.faults.house import House
from tests.services.eventlog.checker import Past
from tests.services.eventlog.checker import findings as findings_of


class Verdict(NamedTuple):
    """What was found."""

    findings: list[str]
    """What could not have been."""
    void: Counter[VoidReason]
    takeovers: int
    records: int
    acknowledged: int


def verify(house: House, verdict: Verdict, schedule: Iterable[object], command: str) -> None:
    """Assert that nothing was found and no partition was closed; else say what, what was done, and how to do it again.

    Args:
        house: Where it was done.
        verdict: What was found.
        schedule: What was done, in its order. It is drawn from a seed that the command repeats.
        command: Variables and test.
    """
    wrong = [*verdict.findings, *house.halted()]
    done = "\n  ".join(map(str, schedule))
    assert not wrong, "\n".join((*wrong[:20], f"{len(wrong)} in all; what was done:\n  {done}", f"again: {command}"))


async def verdict_on(house: House, load: Load) -> Verdict:
    """Read every partition, and compare what callers have noted with it."""
    reader = KafkaReader(house.settings)
    findings: list[str] = []
    void: Counter[VoidReason] = Counter()
    takeovers = records = 0
    for partition in range(house.partitions):
        past = Past(house.settings.house, partition)
        await past.read(reader)
        history = [each for each in load.history if partition_of(each.request.address, house.partitions) == partition]
        findings += [str(each) for each in findings_of(history, (), past)]
        void.update(past.void)
        takeovers += sum(isinstance(each.envelope.events[0], EpochOpened) for each in past.counted)
        records += len(past.counted)
    await reader.close()
    return Verdict(findings, void, takeovers, records, load.tally["done"])
