"""F3, the machine: three writers and a log that does to their records what a real one may do.

Writers follow the rules of `design.md` section 2. They read at their own pace through the judge, claim, append without
waiting, acknowledge what they read back as counting, and give up what is pending when anything is unclear. Between them
and the log records are delayed, overtake each other, come twice, or never. Whatever the order, no reader of such a log
may halt, all must hear what the model says, and what was acknowledged must stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final, Literal, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from services.eventlog.judge import Counts, Recent, Verdict, genesis, judge
from tests.services.eventlog.judge_model import History, Made, Model, answer_of
from tests.services.eventlog.records import HOUSE, PARTITION

WRITERS: Final = 3

Fate: TypeAlias = Literal["arrives", "comes twice", "vanishes"]


class Moment(NamedTuple):
    """What happens at a time: first to a writer, then to records on their way."""

    who: int
    impatient: bool
    """An append took too long, or reported an error, whatever has become of it."""
    lag: int
    """How many records at the end of the log the writer does not see yet."""
    records: int
    """How many it appends, if it owns the partition."""
    whim: bool
    """Whether it claims although there is an owner."""
    fates: list[tuple[int, Fate]]
    """Of which record on its way, 0 being the one that was sent first."""


moments = st.builds(
    Moment,
    who=st.integers(0, WRITERS - 1),
    impatient=st.sampled_from((False,) * 7 + (True,)),
    lag=st.sampled_from((0, 0, 0, 1, 3)),
    records=st.integers(0, 4),
    whim=st.sampled_from((False,) * 7 + (True,)),
    fates=st.lists(
        st.tuples(
            st.sampled_from((0, 0, 0, 0, 0, 1, 2, 5)),
            st.sampled_from(("arrives",) * 8 + ("comes twice", "vanishes")),
        ),
        max_size=8,
    ),
)


class Reader:
    """Somebody who judges the records of the log in its order."""

    def __init__(self) -> None:
        """Begin at the beginning."""
        self.position = genesis(HOUSE, PARTITION)
        self.recent = Recent(self.position)
        self.counted: History = ()
        self.read = 0
        """How many records of the log it has seen."""

    def see(self, made: Made) -> Verdict:
        """Judge the next record."""
        self.read += 1
        verdict = judge(self.position, made.header, made.stored, self.recent.hash_at)
        if isinstance(verdict, Counts):
            self.position = verdict.position
            self.recent.add(self.position)
            self.counted += (made.stored,)
        return verdict


class Writer(Reader):
    """A reader that also appends: pending is what it knows if all that it has appended counts."""

    def __init__(self) -> None:
        """Begin as a reader that owns nothing."""
        super().__init__()
        self.pending: History | None = None
        """None for a writer that does not own the partition, or no longer knows."""
        self.own: set[str] = set()
        """Names of the records that it waits for."""
        self.claimed: str | None = None
        """The name of the claim that it waits for."""
        self.acknowledged: list[tuple[int, bytes]] = []

    def see(self, made: Made) -> Verdict:
        """Judge the next record, and find out what it means."""
        verdict = super().see(made)
        counts = isinstance(verdict, Counts)
        if made.name == self.claimed:
            self.claimed = None
            self.pending = self.counted if counts else None
        elif made.name in self.own and counts:
            self.own.remove(made.name)
            self.acknowledged.append((len(self.counted), made.stored))
        elif made.name in self.own or (counts and self.pending is not None):
            self.give_up()
        return verdict

    def give_up(self) -> None:
        """Treat the outcome of all that is pending as unknown."""
        self.pending = self.claimed = None
        self.own.clear()


class LogInTrouble(RuleBasedStateMachine):
    """The log, the writers, and the records between them."""

    @initialize()
    def begin(self) -> None:
        """Start with an empty log."""
        self.log: list[Made] = []
        self.flying: list[Made] = []
        self.writers = [Writer() for _ in range(WRITERS)]
        self.reader = Reader()
        self.model = Model()
        self.numbers = count()

    @rule(moment=moments)
    def pass_by(self, moment: Moment) -> None:
        """A moment passes. It is the only rule, because hypothesis would leave out each of several in half its runs."""
        writer = self.writers[moment.who]
        if moment.impatient:
            writer.give_up()
        self._see(writer, self.log[writer.read : max(len(self.log) - moment.lag, 0)])
        self._work(writer, moment)
        self._carry(moment.fates)

    @invariant()
    def what_counts_is_what_the_model_says(self) -> None:
        """The reader has counted the model's history, and a second copy never counts."""
        assert self.reader.counted == self.model.counted
        assert len(set(self.model.counted)) == len(self.model.counted)

    @invariant()
    def what_was_acknowledged_stays(self) -> None:
        """I1: it counts, at that sequence."""
        for writer in self.writers:
            for sequence, stored in writer.acknowledged:
                assert self.model.counted[sequence - 1] == stored

    def teardown(self) -> None:
        """At the end everybody reads to the end, and one more from the beginning: all have heard the same."""
        for reader in (*self.writers, Reader()):
            self._see(reader, self.log[reader.read :])
            assert reader.position == self.reader.position

    def _work(self, writer: Writer, moment: Moment) -> None:
        """Let an owner append, and another claim, if there is no owner or on a whim."""
        if writer.pending is not None:
            for _ in range(moment.records):
                self._append(writer, writer.pending)
        elif writer.claimed is None and (moment.whim or all(other.pending is None for other in self.writers)):
            writer.claimed = self._made(writer.position.epoch + 1, writer.counted, claims=True).name

    def _carry(self, fates: list[tuple[int, Fate]]) -> None:
        """Let records arrive, out of turn perhaps, and perhaps not for the last time."""
        for place, fate in fates[: len(self.flying)]:
            made = self.flying[place % len(self.flying)]
            if fate != "comes twice":
                self.flying.remove(made)
            if fate != "vanishes":
                self.log.append(made)
                assert answer_of(self.reader.see(made)) == self.model.answer(made)

    def _append(self, writer: Writer, pending: History) -> None:
        """Let a writer append one record."""
        made = self._made(writer.position.epoch, pending, claims=False)
        writer.pending = (*pending, made.stored)
        writer.own.add(made.name)

    def _made(self, epoch: int, knew: History, *, claims: bool) -> Made:
        """Make a record and send it on its way."""
        made = Made(f"record {next(self.numbers)}", epoch, len(knew) + 1, knew, claims=claims)
        self.flying.append(made)
        return made

    def _see(self, reader: Reader, records: Sequence[Made]) -> None:
        """Let somebody read: a log of healthy writers halts nobody."""
        for made in records:
            assert answer_of(reader.see(made)) != "corrupt"
