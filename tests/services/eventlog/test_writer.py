"""The writer of a partition on the log in a file: what it answers, what it writes, and what it knows afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.account.commands import ReceiveFunds, UnfreezeAccount
from engine.errors import InsufficientFunds, NotFound
from engine.inbox import Delivery
from engine.ledger import Posting
from engine.reactions import Command
from services.eventlog import aggregates
from services.eventlog.envelope import EnvelopeTooLargeError
from services.eventlog.log_events import DeliveryAnswered
from services.eventlog.reader import Counted
from services.eventlog.requests import Reply, Request, RequestIdReusedError
from services.eventlog.sqlite import SqliteLog
from tests.services.eventlog.owners import (
    ADDRESS,
    PAY,
    PLACE,
    SizedLog,
    ask,
    cents_of,
    on_file,
    opened,
    owned,
    withdraw,
    written,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the log is."""
    return tmp_path / "events.log"


def told(answers: Sequence[object]) -> list[str]:
    """Return what callers heard: a result, or the name of what was raised."""
    return [each.result.decode() if isinstance(each, Reply) else type(each).__name__ for each in answers]


def test_what_is_acknowledged_is_on_the_log(path: Path) -> None:
    """P1, I1: at the sequence that was told, with the request and its result."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            reply = await ask(writer, "w1", withdraw(40))
        record = (await written(log))[reply.sequence - 1].envelope
        assert (record.aggregate, record.command_id, record.version) == (ADDRESS, "w1", 3)
        assert record.result == reply.result == b"FundsWithdrawn"

    on_file(path, story)


def test_a_repeated_request_gets_the_stored_answer(path: Path) -> None:
    """M13, T-IDEM-1, I2: from this writer or the next one, whatever came between."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            first = await ask(writer, "w1", withdraw(60))
            assert await ask(writer, "w1", withdraw(60)) == first
        async with owned(log) as successor:
            assert await ask(successor, "w1", withdraw(60)) == first
            assert cents_of(successor) == 40

    on_file(path, story)


def test_a_repeated_request_waits_for_the_first(path: Path) -> None:
    """I2: while it is under way it is not decided a second time."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            several = await asyncio.gather(*(ask(writer, "w1", withdraw(60)) for _ in range(3)))
            assert len(set(map(repr, several))) == 1
            assert cents_of(writer) == 40

    on_file(path, story)


@pytest.mark.parametrize("pending", [False, True])
def test_an_id_is_not_used_for_something_else(path: Path, *, pending: bool) -> None:
    """M15, T-IDEM-2: the same id with another amount is refused and nothing is written, pending or stored."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            first = asyncio.create_task(ask(writer, "w1", withdraw(10)))
            await asyncio.wait((first,), timeout=0 if pending else None)
            with pytest.raises(RequestIdReusedError):
                await ask(writer, "w1", withdraw(11))
            assert (await first).result
            assert cents_of(writer) == 90

    on_file(path, story)


def test_commands_are_decided_against_what_is_pending(path: Path) -> None:
    """P3: two withdrawals that come together are not both paid from one balance."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            both = (ask(writer, f"w{number}", withdraw(60)) for number in range(2))
            assert told(await asyncio.gather(*both, return_exceptions=True)) == ["FundsWithdrawn", "InsufficientFunds"]
            assert cents_of(writer) == 40

    on_file(path, story)


def test_a_refusal_writes_nothing_and_is_not_remembered(path: Path) -> None:
    """`trust.md` section 5: sent again, the command is decided again."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            with pytest.raises(NotFound):
                await ask(writer, "w1", withdraw(40))
            await opened(writer)
            with pytest.raises(InsufficientFunds):
                await ask(writer, "w1", withdraw(101))
            assert (await ask(writer, "w1", withdraw(100))).sequence == 4
            assert len(await written(log)) == 4

    on_file(path, story)


def test_what_changes_nothing_is_answered_without_a_record(path: Path) -> None:
    """`design.md` section 4: a command that changes nothing answers OK and writes no record."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            assert await ask(writer, "u1", UnfreezeAccount("operator")) == Reply(b"", 3)
            assert len(await written(log)) == 3

    on_file(path, story)


@pytest.mark.parametrize(
    ("command", "event"),
    [
        (PAY, "FundsSent"),
        (ReceiveFunds("P2", "transfer 1", "USD", 30, "table/T1", "leaving"), "DeliveryAnswered"),
        (UnfreezeAccount("operator"), "DeliveryAnswered"),
    ],
    ids=["carried out", "refused", "nothing to do"],
)
def test_a_delivery_is_handled_once(path: Path, command: Command, event: str) -> None:
    """I12: also by the next writer, and also if the rules refused it or there was nothing to do."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            await asyncio.gather(*(ask(writer, "d", command, PLACE) for _ in range(2)))
        async with owned(log) as successor:
            await ask(successor, "d", command, PLACE)
            assert successor.confirmed(ADDRESS).inbox.marks == (PLACE,)
        delivered = [each.envelope for each in await written(log) if each.envelope.delivery]
        assert [type(each.events[0]).__name__ for each in delivered] == [event]

    on_file(path, story)


def test_the_id_of_a_delivery_is_not_taken_by_a_caller(path: Path) -> None:
    """I12: both ids can be known in advance; used for both at once, each is carried out."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer, asyncio.timeout(10):
            await opened(writer)
            asked, delivered = ask(writer, "d", withdraw(10)), ask(writer, "d", PAY, PLACE)
            assert told(await asyncio.gather(asked, delivered)) == ["FundsWithdrawn", "FundsSent"]
            assert cents_of(writer) == 60
            assert (await ask(writer, "d", withdraw(10))).result == b"FundsWithdrawn"

    on_file(path, story)


def test_an_answered_delivery_says_why(path: Path) -> None:
    """The record of a delivery that was refused names its receiver and the code of the refusal."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await ask(writer, "d", UnfreezeAccount("operator"), PLACE)
            assert (await written(log))[-1].envelope.events == (DeliveryAnswered(ADDRESS, "ACCOUNT_UNKNOWN"),)
            assert writer.confirmed(ADDRESS).version == 0

    on_file(path, story)


def test_a_later_delivery_is_carried_out(path: Path) -> None:
    """I12: the mark of one place covers the places before it and no other."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            for place in (PLACE, Delivery(7, 40, 1), Delivery(8, 1, 0), Delivery(7, 39, 0)):
                await ask(writer, f"{place}", PAY, place)
            assert cents_of(writer) == 10

    on_file(path, story)


def test_the_listener_hears_each_record_once_and_in_order(path: Path) -> None:
    """M35: what is confirmed, before its sender hears of it; of a former owner's records too."""

    async def story(log: SqliteLog) -> None:
        heard: list[Counted] = []
        async with owned(log) as writer:
            await opened(writer)
        async with owned(log, heard.append) as writer:
            await asyncio.gather(*(ask(writer, f"w{number}", withdraw(1)) for number in range(20)))
            await ask(writer, "last", withdraw(1))
            assert heard[-1].envelope.command_id == "last"
        assert heard == await written(log)

    on_file(path, story)


def test_what_waits_is_appended_together(path: Path) -> None:
    """Group commit: a hundred commands that come together are few appends."""

    async def story(log: SqliteLog) -> None:
        sized = SizedLog(log)
        async with owned(sized) as writer:
            await opened(writer)
            await asyncio.gather(*(ask(writer, f"w{number}", withdraw(1)) for number in range(100)))
        assert sized.sizes == [1, 1, 1, 100]

    on_file(path, story)


def test_what_is_too_large_for_a_record_does_not_happen(path: Path) -> None:
    """T-KAF-5: it is found before anything is written, and the next command goes on as if it had not been asked."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            long = Request(ADDRESS, withdraw(1), "w1", tell=lambda _: bytes(70_000))
            with pytest.raises(EnvelopeTooLargeError):
                await writer.submit(long)
            assert (await ask(writer, "w1", withdraw(1))).sequence == 4

    on_file(path, story)


def test_an_assertion_that_fails_writes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`design.md` section 2: the books are checked before the append, and nothing is left half done."""

    async def story(log: SqliteLog) -> None:
        async with owned(log) as writer:
            await opened(writer)
            monkeypatch.setattr(aggregates, "postings", lambda *_: (Posting("cash desk", "USD", 1),))
            with pytest.raises(AssertionError, match="makes or loses"):
                await ask(writer, "w1", withdraw(1))
            monkeypatch.undo()
            assert (await ask(writer, "w1", withdraw(1))).sequence == 4

    on_file(path, story)
