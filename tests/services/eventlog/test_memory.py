"""How long a writer remembers what callers were told, and what a record makes of aggregates."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from engine.account.commands import Deposit
from engine.account.events import AccountOpened, FundsDeposited
from engine.inbox import Delivery, Inbox
from engine.reactions import Command
from engine.table.commands import Fold, SitOut
from engine.table.events import PlayerSatOut
from services.eventlog.aggregates import DAY_MS, YEAR_MS, plays
from services.eventlog.canonical import canonical, request_hash
from services.eventlog.codec.events import Event
from services.eventlog.envelope import Envelope
from services.eventlog.judge import Position
from services.eventlog.log_events import DeliveryAnswered
from services.eventlog.memory import Held, Memory, changes_of
from services.eventlog.ports import Bookmark
from services.eventlog.reader import Counted, PartitionReader
from tests.services.eventlog.chronicles import Kind, history
from tests.services.eventlog.records import HOUSE, PARTITION
from tests.services.eventlog.scribe import ListedLog

HASH = bytes(32)
DEPOSIT = Deposit("USD", 100, "cash")


def counted(sequence: int, address: str, command: Command, at_ms: int, *events: Event) -> Counted:
    """Return the record of a request."""
    content = canonical(command)
    envelope = Envelope(
        writer_epoch=1,
        sequence=sequence,
        prev_hash=HASH,
        aggregate=address,
        version=sequence,
        command_id=f"id {sequence}",
        command=content,
        request_hash=request_hash(content),
        result=b"told",
        occurred_at_ms=at_ms,
        events=events,
    )
    return Counted(envelope, Bookmark(Position(1, sequence, HASH), sequence))


def remembered(memory: Memory, address: str, count: int) -> list[int]:
    """Return the sequences of the requests whose answers are remembered."""
    answers = (memory.answer(address, f"id {sequence}") for sequence in range(1, count + 1))
    return [answer.reply.sequence for answer in answers if answer]


@pytest.mark.parametrize(("address", "kept_ms"), [("account/P1", YEAR_MS), ("table/T1", DAY_MS)])
def test_answers_are_remembered_by_event_time(address: str, kept_ms: int) -> None:
    """`trust.md` section 5: a year for accounts, a day for tables, and then no longer."""
    memory, command = Memory(), SitOut("P1", "now") if address == "table/T1" else DEPOSIT
    for sequence, at_ms in enumerate((0, 1, kept_ms, kept_ms + 1), start=1):
        memory.confirm(counted(sequence, address, command, at_ms, PlayerSatOut(0, "player")), {})
    assert remembered(memory, address, 4) == [2, 3, 4]


def test_answers_in_a_hand_are_remembered_until_the_hand_after_the_next() -> None:
    """`trust.md` section 5: those for the running hand and the one before it."""
    memory = Memory()
    for sequence, hand in enumerate((1, 1, 2, 3, 3), start=1):
        memory.confirm(counted(sequence, "table/T1", Fold("P1", f"T1/{hand}", 1), 0, PlayerSatOut(0, "player")), {})
    assert remembered(memory, "table/T1", 5) == [3, 4, 5]


def test_records_lead_to_states() -> None:
    """R1: events take effect in order, and each counts one version."""
    memory = Memory()
    memory.apply(counted(1, "account/P1", DEPOSIT, 5, AccountOpened("P1"), FundsDeposited("USD", 100, "cash")))
    assert (memory.held("account/P1").version, memory.at_ms) == (2, 5)


def test_missing_events_are_noticed() -> None:
    """R1: a record whose version does not follow is not applied."""
    with pytest.raises(AssertionError, match="lacks events"):
        Memory().apply(counted(2, "account/P1", DEPOSIT, 0, AccountOpened("P1")))


def test_an_answered_delivery_marks_its_receiver() -> None:
    """I12: and nothing else of it changes."""
    place = Delivery(7, 40, 0)
    record = counted(1, "partition/3", DEPOSIT, 0, DeliveryAnswered("account/P1", ""))
    changes = changes_of(replace(record.envelope, delivery=place), lambda _: Held())
    assert changes["account/P1"] == Held(inbox=Inbox((place,)))


@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_the_seed_of_a_hand_is_known_while_the_hand_is_in_progress(kind: Kind) -> None:
    """H4: with the sequence of the record that has it, and no longer."""
    memory, sequences = Memory(), list[int]()

    def apply(counted: Counted) -> None:
        memory.apply(counted)
        envelope = counted.envelope
        sequences.extend([counted.bookmark.position.sequence] if envelope.sealed else [])
        sealed = memory.sealed(envelope.aggregate)
        assert (sealed is not None) == plays(memory.held(envelope.aggregate).state)
        assert sealed is None or sealed.sequence in sequences
        assert not envelope.sealed or sealed is None or sealed.sealed == envelope.sealed

    log = ListedLog(history(4, kind))
    asyncio.run(PartitionReader(log, HOUSE, PARTITION).read_on(len(log.records), apply))
    assert len(sequences) > 1
