"""Counting verdicts, and the table of results by file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO, get_args

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from tests.conformance.expectations import Excuse, judge
from tests.conformance.hands import FOLDER, LoggedHand

PLAIN_WIDTH = 150
NOT_FOUND = f"The hands to replay are not in {FOLDER.name!r} (HANDS_DIR): NOT ONE LOGGED HAND WAS REPLAYED."


class Tally(msgspec.Struct, frozen=True):
    """The verdicts on hands of one file."""

    file: str
    hands: int = 0
    replayed: int = 0
    refused: int = 0
    excuses: dict[str, int] = {}
    mismatches: tuple[str, ...] = ()
    """One line per hand with a problem."""

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of both parts."""
        kinds = self.excuses.keys() | other.excuses.keys()
        return Tally(
            self.file,
            self.hands + other.hands,
            self.replayed + other.replayed,
            self.refused + other.refused,
            {kind: self.excuses.get(kind, 0) + other.excuses.get(kind, 0) for kind in kinds},
            self.mismatches + other.mismatches,
        )


def tally_of(file: str, hands: Iterable[LoggedHand]) -> Tally:
    """Return the tally of these hands: each is replayed and judged."""
    replayed = refused = 0
    excuses: dict[str, int] = {}
    mismatches = []
    for hand in hands:
        verdict = judge(hand)
        replayed += verdict.outcome == "replayed"
        refused += verdict.outcome == "refused"
        for excuse in verdict.excuses:
            excuses[excuse] = excuses.get(excuse, 0) + 1
        if verdict.problems:
            mismatches.append(f"{hand.id}: {'; '.join(verdict.problems)}")
    return Tally(file, replayed + refused, replayed, refused, excuses, tuple(mismatches))


def by_file(parts: Iterable[Tally]) -> list[Tally]:
    """Return one tally per file, in alphabetical order."""
    files: dict[str, Tally] = {}
    for part in parts:
        files[part.file] = files[part.file] + part if part.file in files else part
    return [files[name] for name in sorted(files)]


def print_table(tallies: Sequence[Tally], stream: TextIO) -> None:
    """Print the results by file, and their sum."""
    console = Console(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False)
    kinds = get_args(Excuse)
    table = Table(title="Conformance", title_justify="left", box=box.ROUNDED if stream.isatty() else box.ASCII)
    table.add_column("File", no_wrap=True)
    for heading in ("Hands", "Replayed", "Refused as tagged", *kinds, "Mismatches"):
        table.add_column(heading.capitalize(), justify="right")
    total = Tally("all")
    for tally in tallies:
        table.add_row(*_row(tally, kinds))
        total += tally
    table.add_section()
    table.add_row(*_row(total, kinds), style="bold")
    console.print(table)


def _row(tally: Tally, kinds: Sequence[str]) -> list[str]:
    numbers = (tally.hands, tally.replayed, tally.refused, *(tally.excuses.get(kind, 0) for kind in kinds))
    mismatches = len(tally.mismatches)
    return [tally.file, *(f"{number:,}" for number in numbers), f"[bold red]{mismatches}[/]" if mismatches else "0"]
