"""The harness measures right: checked with workloads that move a clock of their own, so that no test takes time."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tests.bench.__main__ import main, summary, to_table, write_report
from tests.bench.harness import (
    Goal,
    Measure,
    Reading,
    Row,
    Workload,
    as_returned,
    at_least,
    at_most,
    microseconds_each,
    per_second,
    ratio_at_least,
    ratio_at_most,
    run,
    short,
)


class Stage:
    """A clock that only workloads move, and what happened on it."""

    def __init__(self) -> None:
        """Begin at second 0."""
        self.now = 0.0
        self.played: list[str] = []
        self.warnings: list[str] = []

    def workload(self, name: str, seconds: Iterable[float], work: float = 100) -> Workload:
        """Return a workload whose first, unmeasured call takes no time and whose next ones take `seconds`."""
        durations = iter([0.0, *seconds])

        def play() -> float:
            self.played.append(name)
            self.now += next(durations)
            return work

        return play

    def run(self, measure: Measure, rounds: int = 3) -> Row:
        """Run a measure on this stage."""
        return run("group", measure, rounds=rounds, warn=self.warnings.append, clock=lambda: self.now)


def missing_peer() -> float:
    """Be a peer whose package is not installed."""
    message = "No module named 'peer'"
    raise ModuleNotFoundError(message)


def compare(goal: Goal | None = None, reading: Reading = per_second) -> Row:
    """Return the row for rounds of 1, 2, 4 seconds against 4, 4, 4 seconds, 100 units of work each."""
    stage = Stage()
    ours, peer = stage.workload("ours", [1, 2, 4]), stage.workload("peer", [4, 4, 4])
    return stage.run(Measure(name="n", unit="u", ours=ours, peer=peer, peer_name="p", goal=goal, reading=reading))


def test_rounds_alternate() -> None:
    """After one unmeasured round each, the rounds go ours, peer, ours, peer."""
    stage = Stage()
    ours, peer = stage.workload("ours", [1, 1]), stage.workload("peer", [1, 1])
    stage.run(Measure(name="n", unit="u", ours=ours, peer=peer, peer_name="p"), rounds=2)
    assert stage.played == ["ours", "peer"] * 3


def test_a_rate_is_the_median_of_its_rounds() -> None:
    """The value is the median over the rounds, with the lowest and the highest beside it."""
    row = compare()
    assert (row.ours, row.ours_spread, row.peer, row.peer_spread) == (50, (25, 100), 25, (25, 25))


def test_the_ratio_is_the_median_over_pairs_of_rounds() -> None:
    """A machine that is slow for one pair of rounds does not change the ratio, though it changes both values."""
    stage = Stage()
    ours, peer = stage.workload("ours", [1, 50, 1]), stage.workload("peer", [2, 100, 2])
    row = stage.run(Measure(name="n", unit="u", ours=ours, peer=peer, peer_name="p"))
    assert (row.ratio, row.ours_spread) == (2, (2, 100))


@pytest.mark.parametrize(("reading", "expected"), [(per_second, 50), (microseconds_each, 20_000), (as_returned, 100)])
def test_readings(reading: Reading, expected: float) -> None:
    """A round of 100 units in 2 seconds reads 50 a second, 20,000 µs each, or as the 100 that it returned."""
    assert compare(reading=reading).ours == expected


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (ratio_at_least(2), True),
        (ratio_at_least(2.1), False),
        (ratio_at_most(2), True),
        (ratio_at_most(1.9), False),
        (at_least(50), True),
        (at_least(51), False),
        (at_most(50), True),
        (at_most(49), False),
        (None, None),
    ],
)
def test_goals(goal: Goal | None, met: bool | None) -> None:
    """A goal is a bound, from below or above, of the ratio or of our value; here the ratio is 2 and our value 50."""
    assert compare(goal).met is met


def test_a_missing_peer_is_told_and_leaves_no_ratio() -> None:
    """Where the peer is not installed, ours is measured alone, the goal is undecided and somebody is told."""
    stage = Stage()
    ours = stage.workload("ours", [1, 1, 1])
    measure = Measure(name="n", unit="u", ours=ours, peer=missing_peer, peer_name="p", goal=ratio_at_least(1))
    row = stage.run(measure)
    assert (row.ours, row.peer, row.peer_name, row.ratio, row.goal, row.met) == (100, None, "p", None, 1, None)
    assert stage.warnings == ["group: n: no p: No module named 'peer'"]


def test_our_own_missing_package_is_an_error() -> None:
    """Only the peer may be missing."""
    with pytest.raises(ModuleNotFoundError):
        Stage().run(Measure(name="n", unit="u", ours=missing_peer))


def test_a_measure_without_peer() -> None:
    """A floor of our own needs no peer, and nobody is told that one is missing."""
    stage = Stage()
    row = stage.run(Measure(name="n", unit="bytes", ours=stage.workload("ours", [1, 1, 1]), goal=at_least(100)))
    assert (row.peer, row.ratio, row.met, stage.warnings) == (None, None, True, [])


def test_the_report_is_a_list_of_rows(tmp_path: Path) -> None:
    """The report is a JSON list with one object per row, in a folder that is made if need be."""
    write_report([compare(ratio_at_least(1))], tmp_path / "build" / "bench.json")
    (row,) = msgspec.json.decode((tmp_path / "build" / "bench.json").read_bytes())
    names = ("group", "name", "ours", "peer", "peer_name", "unit", "ratio", "goal", "met")
    assert [row[name] for name in names] == ["group", "n", 50, 25, "p", "u", 2, 1, True]


@pytest.mark.parametrize(("plain", "corner"), [(True, "+"), (False, "╭")])
def test_the_table_shows_value_and_spread(plain: bool, corner: str) -> None:
    """People see the median, its spread, the peer and the goal; in a file without drawing characters."""
    console = Console(file=io.StringIO(), width=160)
    console.print(to_table("group", [compare(ratio_at_least(3))], plain=plain))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert all(part in shown for part in ("50 ", "25..100", "25 p", "25..25", "ratio ≥ 3", "MISSED", corner))


@pytest.mark.parametrize(("value", "text"), [(0.12345, "0.123"), (999.4, "999"), (999.6, "1k"), (72_110_531, "72.1M")])
def test_numbers_are_short(value: float, text: str) -> None:
    """A number has three significant digits."""
    assert short(value) == text


def test_a_goal_is_read_aloud() -> None:
    """A goal says what it bounds, how, and where."""
    assert compare(at_most(20_000)).goal_text == "ours ≤ 20k"


def test_the_summary_counts_goals() -> None:
    """The closing line counts the goals that were met, missed and undecided; a measure without goal is none of them."""
    rows = [compare(ratio_at_least(1)), compare(ratio_at_least(9)), compare()]
    assert summary(rows).startswith("Goals: 1 met, 1 missed, 0 unknown.")


def test_garbage_is_collected_between_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each measured round begins without the garbage of the one before."""
    collected: list[None] = []
    monkeypatch.setattr("tests.bench.harness.gc.collect", lambda: collected.append(None))
    compare()
    assert len(collected) == 6


def test_an_unknown_group_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked for a group that is not there, the command says so and ends with 2."""
    monkeypatch.setenv("ONLY", "nothing")
    assert main() == 2
    assert capsys.readouterr().err.startswith("There is no group 'nothing'.")
