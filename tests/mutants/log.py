"""The planted mutants of the log's writer (`reliability.md` section 7), and the tests that must notice.

M8 is planted where this code could make that mistake: it takes any answer of the log for a record that counts. M11
shows itself before anything is acknowledged, since what is acknowledged was read back in any case. The K mutants are
our own.
"""

from __future__ import annotations

from typing import Final

from tests.mutants.planted import Mutant

TESTS: Final = "tests/services/eventlog"
F1: Final = f"{TESTS}/test_f1.py::test_what_everybody_heard_could_have_been"
EPOCH: Final = "services/eventlog/epoch.py"
WRITER: Final = "services/eventlog/writer.py"
ROWS: Final = "services/eventlog/snapshot_rows.py"
SNAPSHOTS: Final = "services/eventlog/snapshots.py"
OPENING: Final = f"{TESTS}/test_opening.py"
REPLAY: Final = f"{TESTS}/test_snapshots.py::test_a_snapshot_leads_to_what_the_log_says"
DAMAGED: Final = f"{TESTS}/test_snapshots.py::test_what_is_damaged_or_of_another_schema_is_not_read"

APPEND: Final = (
    "            flight.outcomes = await self._log.append("
    "self._reader.partition, [each.stored for each in flight.records])\n"
)
CLAIM: Final = """\
            outcome = await self._claim()
            if not isinstance(outcome, Acknowledged):
                return outcome
            await self._read_on(outcome.offset + 1)
"""

MUTANTS: Final = (
    Mutant(
        "M7",
        "acknowledge at append",
        EPOCH,
        APPEND,
        """\
            records, flight.records = flight.records, []
            for record in records:
                self._confirm(record, Acknowledged(record.position, self._reader.bookmark.offset + 1))
            await self._log.append(self._reader.partition, [each.stored for each in records])
            flight.outcomes = []
""",
        (F1,),
    ),
    Mutant(
        "M8",
        "acknowledge on any answer, without looking whether the record counts",
        EPOCH,
        """\
            if not isinstance(outcome, Acknowledged):
                self.give_up(outcome)
                return
            self._confirm(record, outcome)
""",
        """\
            if isinstance(outcome, Unknown):
                self.give_up(outcome)
                return
            self._confirm(record, Acknowledged(record.position, self._reader.bookmark.offset + 1))
""",
        (F1, f"{TESTS}/test_writer_ownership.py::test_an_owner_that_was_replaced_steps_down"),
    ),
    Mutant(
        "M9",
        "what is unknown is reported as refused",
        "services/eventlog/pending.py",
        "            raise UnavailableError(why)\n",
        "            raise IllegalAction(Reason.TABLE_CLOSED, why)\n",
        (F1,),
    ),
    Mutant(
        "M10",
        "an owner keeps what was pending when it lost the partition",
        "services/eventlog/pending.py",
        "        self._last.clear()\n",
        "        for address, record in self._last.items():\n"
        "            self._memory._held[address] = record.changes[address]\n"
        "        self._last.clear()\n",
        (F1,),
    ),
    Mutant(
        "M11",
        "a writer serves before its claim was read back",
        WRITER,
        "            self._epoch = await self._opened(begun=begun)\n            self.serving.set()\n",
        "            self.serving.set()\n            self._epoch = await self._opened(begun=begun)\n",
        (f"{TESTS}/test_writer_outcomes.py::test_nothing_is_served_before_the_claim_was_read_back",),
    ),
    Mutant(
        "M12",
        "a new owner skips what lies between its replayed end and its claim",
        WRITER,
        "            await self._read_on(outcome.offset + 1)\n",
        "            bookmark = Bookmark(outcome.position, outcome.offset)\n"
        '            self._reader = PartitionReader(self._world.log, "", self.partition, bookmark)\n'
        "            self._owner = next(iter(self._claims))\n",
        (F1, f"{TESTS}/test_writer_outcomes.py::test_what_lies_before_the_claim_is_known"),
    ),
    Mutant(
        "M13",
        "no memory of request ids",
        "services/eventlog/memory.py",
        "        return answers.find(command_id) if answers else None\n",
        "        return None\n",
        (F1, f"{TESTS}/test_writer.py::test_a_repeated_request_gets_the_stored_answer"),
    ),
    Mutant(
        "M14",
        "the memory of request ids is not in the snapshot",
        ROWS,
        "    return row, Known(held, content.answers, content.sealed)\n",
        "    return row, Known(held, Answers(), content.sealed)\n",
        (
            F1,
            REPLAY,
            f"{OPENING}::test_a_repeated_request_gets_the_stored_answer_after_a_restart_from_a_snapshot",
            f"{OPENING}::test_a_writer_that_restarts_from_snapshots_knows_what_the_log_says",
        ),
    ),
    Mutant(
        "M15",
        "request ids are matched without their content",
        EPOCH,
        "    if first != digest:\n",
        "    if not digest:\n",
        (F1, f"{TESTS}/test_writer.py::test_an_id_is_not_used_for_something_else"),
    ),
    Mutant(
        "M18a",
        "a snapshot is loaded in spite of a wrong hash",
        ROWS,
        "    if sha256(rest).digest() != digest:\n",
        "    if not digest:\n",
        (DAMAGED,),
    ),
    Mutant(
        "M18b",
        "a snapshot is loaded in spite of a wrong schema",
        ROWS,
        '    if int.from_bytes(schema, "big") != SCHEMA:\n',
        "    if not schema:\n",
        (DAMAGED,),
    ),
    Mutant(
        "M28",
        "the time of events is taken from the clock as it is",
        "services/eventlog/event_time.py",
        "        return self._parts // SLEW\n",
        "        return self._clock.wall_ms()\n",
        (F1, f"{TESTS}/test_event_time.py::test_whatever_the_wall_does_time_goes_on"),
    ),
    Mutant(
        "M31",
        "a refusal is released before the pending record it rests on was read back",
        EPOCH,
        "            await self._settled(request.address)\n            raise\n",
        "            raise\n",
        (F1, f"{TESTS}/test_writer_outcomes.py::test_a_refusal_that_rests_on_what_was_lost_is_unknown"),
    ),
    Mutant(
        "M33",
        "a writer appends in its old epoch after an unknown outcome",
        WRITER,
        CLAIM,
        """\
            outcome = Acknowledged(self.position, 0) if begun else await self._claim()
            if not isinstance(outcome, Acknowledged):
                return outcome
            if not begun:
                await self._read_on(outcome.offset + 1)
""",
        (F1, f"{TESTS}/test_writer_outcomes.py::test_after_an_unknown_outcome_a_new_epoch_is_opened"),
    ),
    Mutant(
        "M34",
        "a valid snapshot or anchor ahead of the log is ignored",
        WRITER,
        "Expected(partition, known.expected, self._reader.position)",
        "Expected(partition, (), self._reader.position)",
        (
            f"{TESTS}/test_f13.py::test_a_tail_that_is_gone_is_found",
            f"{OPENING}::test_a_log_that_ends_before_its_anchor_does_not_open",
            f"{OPENING}::test_a_log_that_ends_before_a_row_does_not_open",
            f"{OPENING}::test_a_log_with_other_records_than_its_anchor_has_seen_does_not_open",
        ),
    ),
    Mutant(
        "K1",
        "a delivery that changed nothing leaves no mark",
        EPOCH,
        '            return await self._sent(self._pending.answer(order, ""))\n',
        '            return await self._nothing_done(request.address, b"")\n',
        (F1, f"{TESTS}/test_writer.py::test_a_delivery_is_handled_once"),
    ),
    Mutant(
        "K2",
        "a reader skips what it cannot read",
        "services/eventlog/reader.py",
        "                envelope = self._envelope(parsed, record.offset)\n",
        "                envelope = self._envelope(parsed, record.offset) if self.halted else None\n",
        (f"{TESTS}/test_reader.py::test_what_counts_and_cannot_be_read_halts",),
    ),
    Mutant(
        "K3",
        "a record takes effect again on an aggregate whose row has seen it",
        "services/eventlog/memory.py",
        "if self._ahead.get(address, 0) >= sequence]",
        "if self._ahead.get(address, 0) > sequence]",
        (REPLAY, f"{OPENING}::test_a_writer_that_restarts_from_snapshots_knows_what_the_log_says"),
    ),
    Mutant(
        "K4",
        "a manifest says that its rows are as they were at the end of the pass",
        SNAPSHOTS,
        "[manifest_entry(manifest)]",
        "[manifest_entry(msgspec.structs.replace(manifest, bookmark=self._bookmark()))]",
        (REPLAY,),
    ),
    Mutant(
        "K5",
        "what a pass that failed was to write is forgotten",
        SNAPSHOTS,
        "            self._changed = dict.fromkeys(self._memory) if lost else changed | self._changed\n",
        "            assert lost is not None\n",
        (f"{TESTS}/test_snapshots.py::test_a_pass_that_fails_is_made_up_for",),
    ),
    Mutant(
        "K6",
        "an older row replaces a later one",
        "services/eventlog/snapshot_file.py",
        " WHERE excluded.sequence >= sequence",
        "",
        (f"{TESTS}/test_snapshot_file.py::TestSnapshotFile::test_an_older_entry_replaces_nothing",),
    ),
)
