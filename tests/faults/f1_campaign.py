"""The campaign of F1: many seeds, in some processes, resumable; its figures add up in `build/faults/f1.json`.

A chunk of seeds that is done is written down with what it met, so a campaign that is stopped goes on where it was, and
the same command again only prints. Another range of seeds adds to the same figures. A report of each failure has the
seed, its options, what was done to whom, the history around it, and the command that replays it.
"""

from __future__ import annotations

import subprocess
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

import msgspec

from tests.services.eventlog import virtual_time
from tests.services.eventlog.played import MET, play

REPORT: Final = Path("build/faults/f1.json")
CHUNK: Final = 25
"""So many seeds are played by a process before it says what came of them."""
SHOWN_MAX: Final = 5
"""So many failures are shown in full; all are named."""


class Chunk(msgspec.Struct, frozen=True):
    """What came of some seeds."""

    first: int
    last: int
    """Not included."""
    met: dict[str, int]
    failures: dict[int, str]
    """Reports by seeds."""
    cpu_s: float


class Figures(msgspec.Struct, frozen=True):
    """The file."""

    chunks: tuple[Chunk, ...] = ()

    @property
    def seeds(self) -> int:
        """How many seeds were played."""
        return sum(chunk.last - chunk.first for chunk in self.chunks)

    @property
    def met(self) -> Counter[str]:
        """What was met, all in all."""
        return sum((Counter(chunk.met) for chunk in self.chunks), Counter())

    @property
    def failures(self) -> dict[int, str]:
        """All failures, by seeds."""
        return {seed: report for chunk in self.chunks for seed, report in chunk.failures.items()}

    @property
    def missing(self) -> list[str]:
        """What was never met and should have been (`reliability.md` section 8)."""
        return [name for name in MET if not self.met[name]]


def loaded(path: Path = REPORT) -> Figures:
    """Return the figures so far."""
    return msgspec.json.decode(path.read_bytes(), type=Figures) if path.exists() else Figures()


def campaign(seeds: range, processes: int, out: TextIO, path: Path = REPORT) -> Figures:
    """Play the seeds that were not played yet, and return all figures.

    Raises:
        ValueError: The range does not consist of whole chunks.
    """
    if seeds.start % CHUNK or seeds.stop % CHUNK:
        msg = f"seeds are played in chunks: first and last are multiples of {CHUNK}"
        raise ValueError(msg)
    figures = loaded(path)
    done = {chunk.first for chunk in figures.chunks}
    out.write(f"at commit {_commit()}\n")
    wanted = (start for start in range(seeds.start, seeds.stop, CHUNK) if start not in done)
    with ProcessPoolExecutor(processes) as pool:
        for chunk in _as_completed(pool, wanted, 2 * processes):
            figures = Figures((*figures.chunks, chunk))
            _write(path, figures)
            _show_progress(figures, chunk, seeds, out)
    return figures


def _as_completed(pool: ProcessPoolExecutor, starts: Iterator[int], at_once: int) -> Iterator[Chunk]:
    """Yield chunks as they are done; no more are handed out than keep everybody busy."""
    busy: set[Future[Chunk]] = set()
    while True:
        for start in islice(starts, at_once - len(busy)):
            busy.add(pool.submit(played, start, start + CHUNK))
        if not busy:
            return
        done, busy = wait(busy, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


def played(first: int, last: int) -> Chunk:
    """Play some seeds."""
    met: Counter[str] = Counter()
    failures: dict[int, str] = {}
    begun_s = time.process_time()
    for seed in range(first, last):
        try:
            result = virtual_time.run(play(seed))
        except Exception:  # noqa: BLE001 - a mistake of ours in one seed must not end a night's work.
            failures[seed] = f"F1_SEEDS={seed}-{seed + 1}: {traceback.format_exc()}"
            continue
        met += result.met
        if result.findings:
            failures[seed] = result.report
    return Chunk(first, last, dict(met), failures, time.process_time() - begun_s)


def _commit() -> str:
    """Return what the seeds are played with."""
    command = ("git", "describe", "--always", "--dirty")
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - constant.
    return done.stdout.strip() or "unknown"


def _write(path: Path, figures: Figures) -> None:
    """Put a new file in place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_bytes(msgspec.json.format(msgspec.json.encode(figures)))
    written.replace(path)


def _show_progress(figures: Figures, chunk: Chunk, seeds: range, out: TextIO) -> None:
    met = figures.met
    out.write(
        f"seeds {chunk.first}-{chunk.last} of {seeds.start}-{seeds.stop}: {figures.seeds:,} played,"
        f" {met['takeover']:,} takeovers, {met['events']:,} events, {len(figures.failures)} failures\n"
    )
    out.writelines(f"\n{report}\n\n" for report in islice(chunk.failures.values(), SHOWN_MAX))
    out.flush()


def lines_of(figures: Figures) -> Sequence[str]:
    """Return what a campaign says at its end."""
    cpu_s = sum(chunk.cpu_s for chunk in figures.chunks)
    met = figures.met
    rate = met["takeover"] / cpu_s * 60 if cpu_s else 0
    return [
        f"{figures.seeds:,} seeds, {cpu_s:,.0f} s of one core, {rate:,.0f} takeovers a minute",
        *(f"{count:>12,}  {name}" for name, count in sorted(met.items())),
        *(f"       never  {name}" for name in figures.missing),
        f"failing seeds: {', '.join(map(str, sorted(figures.failures))) or 'none'}",
    ]
