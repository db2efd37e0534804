"""Anchors: how far partitions were confirmed, kept every few seconds in a store that is not the log.

A tail that is cut off a log leaves a log in order. Only somebody who has seen more can tell, so whoever opens a
partition compares it with its anchor (`expected.py`). An anchor is evidence, no cache: it never goes back, and one that
cannot be read is an error, which an operator looks into before anything is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from services.eventlog.judge import Position
from services.eventlog.ports import Scheduler
from services.eventlog.threads import OwnThread

ANCHOR_MS: Final = 5_000
"""How often anchors are kept: so much of what was acknowledged may be cut off unnoticed."""

FORMAT: Final = "dealer/anchors/v1"

Positions: TypeAlias = Mapping[int, Position]
"""By partitions."""


class AnchorsUnusableError(Exception):
    """The anchors cannot be read or kept."""


Alarm: TypeAlias = Callable[[AnchorsUnusableError], None]
"""Is told that anchors cannot be kept now."""


class Anchors(Protocol):
    """Where anchors are kept."""

    async def load(self) -> Positions:
        """Return the anchor of each partition that has one.

        Raises:
            AnchorsUnusableError: They cannot be read, or are not what was kept.
        """

    async def keep(self, positions: Positions) -> None:
        """Keep the positions of partitions that are further than their anchors; all others stay.

        Raises:
            AnchorsUnusableError: They cannot be kept now, or what is kept cannot be read.
        """


async def keep_anchors(
    anchors: Anchors, positions: Callable[[], Positions], scheduler: Scheduler, alarm: Alarm
) -> None:
    """Keep what is confirmed, which `positions` tells, every few seconds for ever.

    What cannot be kept is tried again; meanwhile the log is as good as ever, but nobody would notice if it were not.
    """
    while True:
        await scheduler.sleep(ANCHOR_MS)
        try:
            await anchors.keep(positions())
        except AnchorsUnusableError as error:
            alarm(error)


class AnchorFile:
    """Anchors in a file beside the dealer, which writes it alone."""

    def __init__(self, path: Path, house: str) -> None:
        """Know where the anchors of a house are; the directory must exist."""
        self._path, self._house = path, house
        self._thread = OwnThread("anchors")

    async def load(self) -> Positions:
        """See `Anchors.load`; before there is a file, there are no anchors."""
        return await self._thread.run(self._read)

    async def keep(self, positions: Positions) -> None:
        """See `Anchors.keep`. Either the old file is there or the new one, whenever the process or the power ends."""
        await self._thread.run(lambda: self._replace(positions))

    async def close(self) -> None:
        """End the thread; may be called twice."""
        await self._thread.end(lambda: None)

    def _read(self) -> dict[int, Position]:
        try:
            kept = _FILE.decode(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            msg = f"the anchors in {self._path} cannot be read: {error}"
            raise AnchorsUnusableError(msg) from error
        if (kept.format, kept.house) != (FORMAT, self._house):
            msg = f"{self._path} does not hold the anchors of {self._house}: it says {kept.format} of {kept.house}"
            raise AnchorsUnusableError(msg)
        return kept.positions

    def _replace(self, positions: Positions) -> None:
        """Write the file anew, if anything has gone on."""
        kept = self._read()
        further = {
            partition: position
            for partition, position in positions.items()
            if partition not in kept or position.sequence > kept[partition].sequence
        }
        if not further:
            return
        try:
            self._write(msgspec.json.encode(_Kept(FORMAT, self._house, kept | further)))
        except OSError as error:
            msg = f"the anchors in {self._path} cannot be kept: {error}"
            raise AnchorsUnusableError(msg) from error

    def _write(self, content: bytes) -> None:
        """Put another file in place of this one, on the disk before it has the name and after it."""
        written = self._path.with_name(f"{self._path.name}.new")
        with written.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        written.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    format: str
    house: str
    positions: dict[int, Position]


_FILE: Final = msgspec.json.Decoder(_Kept)
