"""A disk that does as it is told: SQLite's files go through it to real ones, and a test may refuse or count changes.

Before each operation the disk asks `before`, which may raise an error of SQLite, or never return.
It remembers what was written since each file was synced, so that a power cut can take that away again: all of it, or
some, as the disk of a machine may. So a sync need not reach the real disk, which makes thousands of deaths affordable.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple, TypeAlias

import apsw

Operation: TypeAlias = Literal["read", "write", "truncate", "sync", "delete"]


class Undo(NamedTuple):
    """What a file held where something was written, and how long it was."""

    offset: int
    old: bytes
    new: bytes
    length: int


class Disk(apsw.VFS):
    """The default file system of SQLite, from when it is made until `unregister`."""

    def __init__(self, before: Callable[[Operation], None]) -> None:
        """Ask `before` about everything that is done to a file."""
        self.before = before
        self.unsynced: defaultdict[str, list[Undo]] = defaultdict(list)
        super().__init__("disk", "unix", makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's.
        """Open a file."""
        assert name is not None, "a log needs no nameless files"
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's.
        """Delete a file, for good: SQLite does so only when nothing rests on it."""
        self.before("delete")
        self.unsynced.pop(filename, None)
        super().xDelete(filename, syncdir)

    def lose_power(self, chance: Random) -> None:
        """Take back what was not synced: every write, or each one wholly, half, or not at all."""
        fate = chance.choice(("lost", "mixed"))
        for path, undos in self.unsynced.items():
            with open(path, "r+b") as file:  # noqa: PTH123 - SQLite gives names.
                for offset, old, new, _ in reversed(undos):
                    kept = 0 if fate == "lost" else chance.choice((0, len(new) // 2, len(new)))
                    os.pwrite(file.fileno(), new[:kept] + old.ljust(len(new), b"\0")[kept:], offset)
                if fate == "lost" and undos:
                    file.truncate(undos[0].length)


class _File(apsw.VFSFile):
    """A file on the disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk
        self._path = name if isinstance(name, str) else name.filename()

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's.
        self._disk.before("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's.
        self._disk.before("write")
        self._remember(offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's.
        self._disk.before("truncate")
        self._remember(newsize, b"")
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802, ARG002 - SQLite's.
        self._disk.before("sync")
        self._disk.unsynced[self._path].clear()

    def _remember(self, offset: int, new: bytes) -> None:
        """Note what is about to be overwritten, or cut off if nothing new comes there."""
        length = self.xFileSize()
        amount = min(len(new), length - offset) if new else length - offset
        old = super().xRead(amount, offset).ljust(amount, b"\0") if amount > 0 else b""
        self._disk.unsynced[self._path].append(Undo(offset, old, new, length))
