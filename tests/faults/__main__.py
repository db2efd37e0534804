"""`make faults` and campaigns: the faults of `reliability.md` section 6, at the sizes of its CI column or any other.

python -m tests.faults                                       every fault, at CI size
python -m tests.faults f3 f13                                some
python -m tests.faults f3 --size 50000                       one, at another size
python -m tests.faults f1 --seeds 0-20000 --processes 2      the campaign of F1, which can be stopped and resumed
python -m tests.faults takeovers                             how many takeovers a minute the simulator makes
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.faults import f1_campaign

ROOT: Final = Path(__file__).resolve().parents[2]
EXIT_USAGE: Final = 2
LOG: Final = "tests/services/eventlog"
HERE: Final = "tests/faults"
MEASURED: Final = range(1_000_000, 1_000_100)
"""The seeds by which takeovers are measured."""


class Run(NamedTuple):
    """How a fault is run: tests, and the variable that says how large."""

    tests: str
    variable: str = ""
    size: str = ""
    """That of the CI column."""
    at_once: int = 0
    """No more examples than these are tried by one process; hypothesis keeps all of them in memory."""


RUNS: Final = {
    "f1": Run(f"{LOG}/test_f1.py", "F1_SEEDS", "0-300"),
    "f3": Run(f"{LOG}/test_judge_properties.py", "F3_EXAMPLES", "2000", 2500),
    "f5": Run(f"{HERE}/test_f5_points.py", "F5_TIMES", "5"),
    "f6": Run(f"{HERE}/test_f6_processes.py", "F6_BLOWS", "20"),
    "f7": Run(f"{HERE}/test_f7_two_owners.py", "F7_SECONDS", "180"),
    "f8": Run(f"{HERE}/test_f8_brokers.py", "F8_KILLS", "3"),
    "f9": Run(f"{HERE}/test_f9_slow_brokers.py", "F9_PAUSES", "20"),
    "f13": Run(f"{LOG}/test_f13.py {HERE}/test_f13_garbage.py", "F13_TIMES", "20"),
    "f19": Run(f"{LOG}/test_sqlite_crashes.py", "F19_SEEDS", "2"),
    "f27": Run("tests/services/kafka/test_pins.py"),
}
"""A further fault: a line here, and in `docs/reliability.md`."""


def main() -> int:
    """Run what was asked for, and return the exit code: 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    parser.add_argument("faults", nargs="*", choices=[*RUNS, "takeovers", []], help="default: all")
    parser.add_argument("--size", help="of the one fault that is named")
    parser.add_argument("--seeds", help="FIRST-LAST: the campaign of F1, LAST not included")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    if asked.faults == ["takeovers"]:
        return takeovers()
    if asked.seeds is not None:
        return campaign(asked.seeds, asked.processes)
    if asked.size is not None and len(asked.faults) != 1:
        parser.error("--size belongs to one fault")
    failed = [name for name in asked.faults or RUNS if not passes(name, asked.size)]
    sys.stdout.write(f"failed: {', '.join(failed)}\n" if failed else "all held\n")
    return len(failed) > 0


def passes(name: str, size: str | None) -> bool:
    """Run the tests of a fault, and say whether they passed."""
    run = RUNS[name]
    wanted = size or run.size
    sys.stdout.write(f"{name.upper()} {wanted}\n")
    sys.stdout.flush()
    if not run.at_once:
        return passes_at(run, wanted)
    sizes = [min(run.at_once, int(wanted) - done) for done in range(0, int(wanted), run.at_once)]
    return all(passes_at(run, str(part), f"--hypothesis-seed={seed}") for seed, part in enumerate(sizes))


def passes_at(run: Run, size: str, *options: str) -> bool:
    """Run tests at a size, and say whether they passed."""
    known = {**os.environ, run.variable: size} if run.variable else dict(os.environ)
    command = (sys.executable, "-m", "pytest", "-q", *run.tests.split(), *options)
    return subprocess.run(command, cwd=ROOT, env=known, check=False).returncode == 0  # noqa: S603 - our own tests.


def campaign(seeds: str, processes: int) -> int:
    """Play seeds of F1, and say what came of all that were ever played here."""
    try:
        first, last = map(int, seeds.split("-"))
        figures = f1_campaign.campaign(range(first, last), processes, sys.stdout)
    except ValueError as error:
        sys.stderr.write(f"--seeds {seeds}: {error}\n")
        return EXIT_USAGE
    sys.stdout.write("\n".join(f1_campaign.lines_of(figures)) + "\n")
    return len(figures.failures) + len(figures.missing) > 0


def takeovers() -> int:
    """Measure the simulator."""
    chunk = f1_campaign.played(MEASURED.start, MEASURED.stop)
    figures = f1_campaign.Figures((chunk,))
    sys.stdout.write(f1_campaign.lines_of(figures)[0] + "\n")
    return len(chunk.failures) > 0


if __name__ == "__main__":
    sys.exit(main())
