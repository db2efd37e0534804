"""What every adapter of `services.eventlog.ports.Log` must do: one suite for SQLite, Kafka and the simulated log.

    LOG-1   Sequence, prev_hash and sealed are fixed when a command is decided: a log stores the bytes that it is given,
            once, and never assigns, renumbers, alters or re-sends. What is acknowledged is read back so, at its offset,
            and counts to its position.
    LOG-2   There is one outcome for each record, in the order of the records.
    LOG-3   A batch is no unit: what does not count in it leaves the rest as it is.
    LOG-4   Partitions know nothing of each other.
    LOG-5   What is void is not acknowledged: late records, second copies, gaps, late claims.
    LOG-6   What is corrupt is reported as corrupt.
    LOG-7   A claim takes the next sequence, whatever has slipped in before it.
    LOG-8   Calls that overlap are carried out in their order.
    LOG-9   A call that is cancelled disturbs no other.
    LOG-10  The end is behind all that was acknowledged, and reading to it comes to an end.
    LOG-11  Reads respect their limit, begin anywhere, and always return the same.
    LOG-12  At the end nothing is returned; behind it the log is corrupt.
    LOG-13  A log that is opened again has what was acknowledged, and goes on there.
    LOG-14  A reader beside the writer sees what was acknowledged before it asked.
    LOG-15  A record of the largest size is taken; what is larger or cannot be parsed is refused.
    LOG-16  A log that is closed says so; closing it again does nothing.
    LOG-17  Whatever healthy writers do to each other: what was acknowledged is what counts, in that order.

An adapter's tests are a subclass of `LogContract` whose fixture `worlds` makes a `World` for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.judge import Claim, Corrupt, Header, Void
from services.eventlog.ports import RECORD_BYTES_MAX, Acknowledged, Log
from tests.services.eventlog.records import PARTITION, Pen, record
from tests.services.eventlog.worlds import World, acknowledged, counted, last, opened, play

WRITERS: Final = 3


class Move(NamedTuple):
    """What one of several writers does: it appends, and first it may read to the end."""

    who: int
    reads: bool
    records: int


moves = st.builds(Move, st.integers(0, WRITERS - 1), st.booleans(), st.integers(1, 3))


class LogContract:
    """The suite."""

    examples = 25
    """How many are tried where tests have examples; each is a world."""

    @pytest.fixture
    def worlds(self) -> Callable[[], World]:
        """Return what makes an empty world of the adapter."""
        raise NotImplementedError

    @pytest.fixture
    def world(self, worlds: Callable[[], World]) -> World:
        """Return an empty world."""
        return worlds()

    def test_what_is_acknowledged_is_read_back(self, world: World) -> None:
        """LOG-1: whatever bytes a record has, they are found where the outcome says, and count to its position."""

        async def story(log: Log) -> None:
            pen = Pen()
            records = [pen.claim(), pen.record(bytes(range(256))), pen.record(b""), pen.record(b"\x00" * 5000)]
            outcomes = await log.append(PARTITION, records)
            found = await counted(log)
            assert found == list(zip(outcomes, records, strict=True))
            assert found[-1][0].position == pen.at

        play(world, story)

    def test_bytes_are_stored_once_and_as_they_are(self, world: World) -> None:
        """LOG-1: whatever the log does to keep them, there is one copy of each, in this order, and nothing else."""

        async def story(log: Log) -> None:
            pen = Pen()
            batches = [[pen.claim()], [pen.record(b"1"), pen.record(b"2")], [pen.record(bytes(5000))]]
            for batch in batches:
                await log.append(PARTITION, batch)
            found = await log.read(PARTITION, 0, 100)
            assert [each.stored for each in found] == [stored for batch in batches for stored in batch]

        play(world, story)

    def test_each_record_has_an_outcome(self, world: World) -> None:
        """LOG-2: in the order of the records; no records, no outcomes."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            outcomes = await log.append(PARTITION, [pen.record() for _ in range(5)])
            assert list(outcomes) == [entry for entry, _ in await counted(log)][1:]
            assert not await log.append(PARTITION, [])

        play(world, story)

    def test_a_batch_is_no_unit(self, world: World) -> None:
        """LOG-3: a second copy in the middle is void, and what follows counts."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            first, second = pen.record(b"1"), pen.record(b"2")
            outcomes = await log.append(PARTITION, [first, first, second])
            assert acknowledged(outcomes) == [True, False, True]
            assert [stored for _, stored in await counted(log)][1:] == [first, second]

        play(world, story)

    def test_partitions_are_apart(self, world: World) -> None:
        """LOG-4: each has its own beginning, sequences and end."""

        async def story(log: Log) -> None:
            pens = [await opened(log, partition) for partition in (0, 7)]
            left, right = await asyncio.gather(
                log.append(0, [pens[0].record(), pens[0].record()]), log.append(7, [pens[1].record()])
            )
            assert (acknowledged(left), acknowledged(right)) == ([True, True], [True])
            assert [len(await counted(log, partition)) for partition in (0, 7, 1)] == [3, 2, 0]

        play(world, story)

    def test_a_late_record_of_an_old_owner_is_void(self, world: World) -> None:
        """LOG-5: behind a new epoch nothing of the old one is acknowledged."""

        async def story(log: Log) -> None:
            old = await opened(log)
            new = Pen(old.at, "new")
            assert acknowledged(await log.append(PARTITION, [new.claim(), new.record()])) == [True, True]
            assert list(await log.append(PARTITION, [old.record(), old.record()])) == [Void("old_epoch")] * 2
            assert await last(log) == new.at

        play(world, story)

    def test_a_second_copy_is_void(self, world: World) -> None:
        """LOG-5: a record that is sent twice counts once."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            stored = pen.record()
            await log.append(PARTITION, [stored])
            assert list(await log.append(PARTITION, [stored])) == [Void("old_sequence")]
            assert await last(log) == pen.at

        play(world, story)

    def test_what_is_behind_a_loss_is_void(self, world: World) -> None:
        """LOG-5: a record whose forerunner never arrived does not count."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            pen.record(b"never sent")
            assert list(await log.append(PARTITION, [pen.record()])) == [Void("gap")]

        play(world, story)

    def test_a_second_claim_of_an_epoch_is_void(self, world: World) -> None:
        """LOG-5: the first counts."""

        async def story(log: Log) -> None:
            rival = Pen(name="rival").claim(1)
            await opened(log)
            assert list(await log.append(PARTITION, [rival])) == [Void("late_claim")]

        play(world, story)

    @pytest.mark.parametrize("case", ["a link that does not fit", "a claim that had read more"])
    def test_damage_is_reported(self, world: World, case: str) -> None:
        """LOG-6: neither is acknowledged, and the writer learns that the partition is damaged."""

        async def story(log: Log) -> None:
            await opened(log)
            wrong = Header(1, 2, b"x" * 32, None)
            if case == "a claim that had read more":
                wrong = Header(2, 0, b"", Claim("w/2", 2, b"x" * 32))
            (outcome,) = await log.append(PARTITION, [record(wrong)])
            assert isinstance(outcome, Corrupt)

        play(world, story)

    def test_a_claim_takes_the_next_sequence(self, world: World) -> None:
        """LOG-7: its writer need not know what the old owner still appended, and the chain covers that too."""

        async def story(log: Log) -> None:
            old = await opened(log)
            claim = Pen(old.at, "new").claim()
            await log.append(PARTITION, [old.record(), old.record()])
            (outcome,) = await log.append(PARTITION, [claim])
            assert isinstance(outcome, Acknowledged)
            assert (outcome.position.epoch, outcome.position.sequence) == (2, 4)
            assert acknowledged(await log.append(PARTITION, [Pen(outcome.position).record()])) == [True]

        play(world, story)

    def test_calls_are_carried_out_in_their_order(self, world: World) -> None:
        """LOG-8: a writer need not wait for one append before the next."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            calls = [log.append(PARTITION, [pen.record() for _ in range(1 + number % 3)]) for number in range(60)]
            assert all(all(acknowledged(outcomes)) for outcomes in await asyncio.gather(*calls))

        play(world, story)

    def test_a_cancelled_call_disturbs_no_other(self, world: World) -> None:
        """LOG-9: its own record is there or not; a new epoch goes on behind it."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            calls = [asyncio.create_task(log.append(PARTITION, [pen.record()])) for _ in range(3)]
            await asyncio.sleep(0)
            calls[1].cancel()
            with suppress(asyncio.CancelledError):
                await calls[1]
            assert acknowledged(await calls[0]) == [True]
            await calls[2]
            assert acknowledged(await log.append(PARTITION, [Pen(await last(log)).claim()])) == [True]

        play(world, story)

    def test_the_end_is_behind_what_was_acknowledged(self, world: World) -> None:
        """LOG-10: reading to the end that was captured finds them all, and an empty partition has an end too."""

        async def story(log: Log) -> None:
            assert not await log.read(PARTITION, await log.end(PARTITION), 10)
            pen = await opened(log)
            for _ in range(3):
                await log.append(PARTITION, [pen.record()])
                assert await last(log) == pen.at

        play(world, story)

    def test_reads_begin_anywhere_and_repeat(self, world: World) -> None:
        """LOG-11: from each offset come the records from there on, as many as were asked for."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            await log.append(PARTITION, [pen.record() for _ in range(9)])
            whole = list(await log.read(PARTITION, 0, 100))
            assert [each.offset for each in whole] == sorted({each.offset for each in whole})
            for place, each in enumerate(whole):
                assert list(await log.read(PARTITION, each.offset, 3)) == whole[place : place + 3]

        play(world, story)

    def test_behind_the_end_the_log_is_corrupt(self, world: World) -> None:
        """LOG-12: who asks for more than there ever was has read what is gone."""

        async def story(log: Log) -> None:
            await opened(log)
            end = await log.end(PARTITION)
            assert not await log.read(PARTITION, end, 10)
            with pytest.raises(LogCorruptError, match=f"partition {PARTITION} is corrupt at offset {end}"):
                await log.read(PARTITION, end + 1, 10)

        play(world, story)

    def test_a_log_that_is_opened_again_goes_on(self, world: World) -> None:
        """LOG-13: the same records are there, and the next one counts behind them."""
        pen = Pen()

        async def first(log: Log) -> None:
            await log.append(PARTITION, [pen.claim(), pen.record(), pen.record()])

        async def second(log: Log) -> None:
            assert await last(log) == pen.at
            assert acknowledged(await log.append(PARTITION, [pen.record(), pen.claim()])) == [True, True]

        play(world, first)
        play(world, second)

    def test_readers_see_what_was_acknowledged(self, world: World) -> None:
        """LOG-14: at once, record for record."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            reader = world.open_reader()
            for _ in range(5):
                await log.append(PARTITION, [pen.record()])
                assert await last(reader) == pen.at
            await reader.close()

        play(world, story)

    def test_the_largest_record_is_taken(self, world: World) -> None:
        """LOG-15: a record may have 64 KiB."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            around = len(Pen(pen.at).record(bytes(60_000))) - 60_000
            largest = pen.record(bytes(RECORD_BYTES_MAX - around))
            assert len(largest) == RECORD_BYTES_MAX
            assert acknowledged(await log.append(PARTITION, [largest])) == [True]

        play(world, story)

    @pytest.mark.parametrize("wrong", [b"x" * (RECORD_BYTES_MAX + 1), b"no record"])
    def test_what_cannot_be_a_record_is_refused(self, world: World, wrong: bytes) -> None:
        """LOG-15: and with it all that it came with, but nothing else."""

        async def story(log: Log) -> None:
            pen = await opened(log)
            stored = pen.record()
            with pytest.raises((ValueError, msgspec.DecodeError)):
                await log.append(PARTITION, [stored, wrong])
            assert acknowledged(await log.append(PARTITION, [stored])) == [True]

        play(world, story)

    def test_a_closed_log_says_so(self, world: World) -> None:
        """LOG-16: for each thing that can be asked of it, and it may be closed twice."""

        async def story(log: Log) -> None:
            await log.close()
            for call in (log.append(PARTITION, [Pen().claim()]), log.read(PARTITION, 0, 1), log.end(PARTITION)):
                with pytest.raises(LogUnavailableError, match="the log is closed"):
                    await call

        play(world, story)

    def test_closing_waits_for_what_is_under_way(self, world: World) -> None:
        """LOG-16: an append that was made before has its outcome."""

        async def story(log: Log) -> None:
            call = asyncio.create_task(log.append(PARTITION, [Pen().claim()]))
            await asyncio.sleep(0)
            await log.close()
            assert acknowledged(await call) == [True]

        play(world, story)

    def test_what_was_acknowledged_is_what_counts(self, worlds: Callable[[], World]) -> None:
        """LOG-17: several writers claim and append, each on what it knew last, until something is not acknowledged."""

        @settings(max_examples=self.examples, deadline=None)
        @given(tried=st.lists(moves, max_size=25))
        def check(tried: list[Move]) -> None:
            play(worlds(), lambda log: several_writers(log, tried))

        check()


async def several_writers(log: Log, tried: list[Move]) -> None:
    """Let writers take turns, and compare what they were told with what counts."""
    told: list[tuple[Acknowledged, bytes]] = []
    pens: dict[int, Pen] = {}
    for move in tried:
        records = await records_of(move, pens, log)
        outcomes = await log.append(PARTITION, records)
        told += [(o, stored) for o, stored in zip(outcomes, records, strict=True) if isinstance(o, Acknowledged)]
        if not all(acknowledged(outcomes)):
            del pens[move.who]
    assert await counted(log) == told


async def records_of(move: Move, pens: dict[int, Pen], log: Log) -> list[bytes]:
    """Return what a writer appends: behind what it knew, or a claim first if it has lost its way."""
    known = await counted(log) if move.reads or move.who not in pens else []
    if known and (move.who not in pens or known[-1][0].position != pens[move.who].at):
        pens[move.who] = Pen(known[-1][0].position, f"writer {move.who}")
        return [pens[move.who].claim(), *(pens[move.who].record() for _ in range(move.records))]
    pen = pens.setdefault(move.who, Pen(name=f"writer {move.who}"))
    return [pen.record() for _ in range(move.records)] if pen.at.epoch else [pen.claim()]
