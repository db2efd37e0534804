"""`make bench`: run the groups, show a table each, and write `build/bench.json`.

A group is a module `bench_<group>.py` with `measures(quick: bool) -> Iterable[Measure]`. It is consumed one measure at
a time, so a generator can prepare each measure just before it yields it, and clean up after.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TextIO

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from tests import bench
from tests.bench.harness import Row, run, short

REPORT = Path("build/bench.json")
PREFIX = "bench_"
ROUNDS = 9
ROUNDS_QUICK = 3
PLAIN_WIDTH = 160
EXIT_USAGE = 2


def main() -> int:
    """Run what ONLY and QUICK say; return the exit code: 2 for an unknown group, otherwise 0, goals met or not."""
    quick = os.environ.get("QUICK", "") not in {"", "0"}
    only = os.environ.get("ONLY", "")
    groups = [name for name in find_groups() if only in {"", name}]
    console, errors = open_console(sys.stdout), open_console(sys.stderr)
    if not groups:
        errors.print(f"There is no group {only!r}. There are: {', '.join(find_groups())}.", markup=False)
        return EXIT_USAGE
    rows = []
    for group in groups:
        rows_of_group = list(run_group(group, quick=quick, errors=errors))
        console.print(to_table(group, rows_of_group, plain=not console.is_terminal))
        rows += rows_of_group
    write_report(rows, REPORT)
    console.print(summary(rows), markup=False)
    return 0


def find_groups() -> list[str]:
    """Return the names of all groups, in alphabetical order."""
    names = (module.name for module in pkgutil.iter_modules(bench.__path__))
    return sorted(name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX))


def open_console(stream: TextIO) -> Console:
    """Return a console on `stream`: as wide as its terminal, or wide enough for whole lines in a file."""
    return Console(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False)


def run_group(group: str, *, quick: bool, errors: Console) -> Iterator[Row]:
    """Yield the rows of one group, and say on `errors` what is being measured and which peers are missing."""
    measures = import_module(f"tests.bench.{PREFIX}{group}").measures

    def warn(missing: str) -> None:
        errors.print(f"PEER MISSING, nothing to compare with: {missing}", style="bold red", markup=False)

    for measure in measures(quick=quick):
        errors.print(f"{group}: {measure.name} ...", markup=False)
        yield run(group, measure, rounds=ROUNDS_QUICK if quick else ROUNDS, warn=warn)


def to_table(group: str, rows: Sequence[Row], *, plain: bool) -> Table:
    """Return the rows of a group as a table for people; `plain` draws it with ASCII."""
    table = Table(title=group, title_justify="left", box=box.ASCII if plain else box.ROUNDED)
    table.add_column("Measure")
    for heading in ("Ours", "Peer", "Ratio", "Goal"):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        ours = f"{short(row.ours)}\n{spread_text(row.ours_spread)}"
        ratio = "" if row.ratio is None else short(row.ratio)
        goal = f"{row.goal_text}\n{met_text(row)}"
        table.add_row(f"{row.name}\n[dim]{row.unit}[/]", ours, peer_text(row), ratio, goal)
    return table


def peer_text(row: Row) -> str:
    """Return the peer's value, name and spread, or that it is missing; nothing where there is no peer."""
    if row.peer is None or row.peer_spread is None:
        return f"{row.peer_name}\n[bold red]missing[/]" if row.peer_name else ""
    return f"{short(row.peer)} {row.peer_name}\n{spread_text(row.peer_spread)}"


def spread_text(spread: tuple[float, float]) -> str:
    """Return the lowest and the highest round."""
    return f"{short(spread[0])}..{short(spread[1])}"


def met_text(row: Row) -> str:
    """Return whether the goal is met; nothing where there is none."""
    if row.goal is None:
        return ""
    return {True: "[green]met[/]", False: "[bold red]MISSED[/]", None: "[yellow]unknown[/]"}[row.met]


def write_report(rows: Sequence[Row], path: Path) -> None:
    """Write the rows as a JSON list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(rows)) + b"\n")


def summary(rows: Sequence[Row]) -> str:
    """Return the closing line: how many goals were met, missed, or could not be judged."""
    met, missed, unknown = (
        sum(row.goal is not None and row.met is state for row in rows) for state in (True, False, None)
    )
    return f"Goals: {met} met, {missed} missed, {unknown} unknown. Written to {REPORT}."


if __name__ == "__main__":
    sys.exit(main())
