"""The planted mutants of the judge and of what reads by it (`reliability.md` section 7, M1 to M6).

No campaign of lost, late and competing writes can see that a single check of M1 to M3 is missing, because the others
still do its work (section 4): the direct tests of the judge are there for them.
"""

from __future__ import annotations

from typing import Final

from tests.mutants.planted import Mutant

TESTS: Final = "tests/services/eventlog"
DIRECT: Final = f"{TESTS}/test_judge.py"
MODEL: Final = f"{TESTS}/test_judge_properties.py"
F13: Final = f"{TESTS}/test_f13.py"
JUDGE: Final = "services/eventlog/judge.py"

MUTANTS: Final = (
    Mutant(
        "M1",
        "the judge ignores the epoch",
        JUDGE,
        '    if header.epoch < position.epoch:\n        return Void("old_epoch")\n'
        '    if header.epoch > position.epoch or not position.epoch:\n        return Void("unopened_epoch")\n',
        "",
        (f"{DIRECT}::test_a_record_of_an_old_epoch_is_void",),
    ),
    Mutant(
        "M2",
        "the judge ignores the sequence",
        JUDGE,
        "    if header.sequence != following:\n",
        "    if header.sequence < 0:\n",
        (f"{DIRECT}::test_a_record_behind_a_gap_is_void",),
    ),
    Mutant(
        "M3",
        "the judge ignores the hash before a record",
        JUDGE,
        "    if header.prev_hash != position.hash:\n",
        "    if not position.hash:\n",
        (f"{DIRECT}::test_a_link_that_does_not_fit_is_corrupt",),
    ),
    Mutant(
        "M4",
        "a second claim of one epoch counts",
        JUDGE,
        "    if epoch <= position.epoch:\n",
        "    if epoch < position.epoch:\n",
        (
            f"{MODEL}::test_whatever_befalls_a_healthy_log_nobody_halts_and_nothing_is_lost",
            f"{DIRECT}::test_a_claim_of_no_higher_epoch_is_void",
        ),
    ),
    Mutant(
        "M5",
        "a reader skips what it cannot parse",
        "services/eventlog/reader.py",
        "        parsed = self._parsed(record)\n        match judge(",
        "        try:\n"
        "            parsed = self._parsed(record)\n"
        "        except LogCorruptError:\n"
        "            self._next = record.offset + 1\n"
        "            return None\n"
        "        match judge(",
        (f"{F13}::test_a_record_that_no_dealer_of_this_version_writes_halts_everybody",),
    ),
    Mutant(
        "M6",
        "a claim is not asked what its writer had reached",
        JUDGE,
        "    if loss is not None:\n",
        "    if loss is not None and not position.hash:\n",
        (
            f"{F13}::test_a_claim_of_one_who_had_read_more_gives_the_loss_away",
            f"{DIRECT}::test_a_claim_that_had_read_more_is_corrupt",
        ),
    ),
)
