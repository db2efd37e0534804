"""Anchors in a file: evidence that never goes back, and is never quietly made anew."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from services.eventlog.anchors import ANCHOR_MS, AnchorFile, AnchorsUnusableError, Positions, keep_anchors
from services.eventlog.judge import Position
from tests.services.eventlog import virtual_time
from tests.services.eventlog.owners import LoopScheduler
from tests.services.eventlog.records import HOUSE
from tests.services.eventlog.simulated_snapshots import AnchorShelf
from tests.services.eventlog.test_killed_writer import ROOT


def at(sequence: int, epoch: int = 1) -> Position:
    """Return a position."""
    return Position(epoch, sequence, sequence.to_bytes(32, "big"))


def play(path: Path, *stories: Callable[[AnchorFile], Awaitable[None]], house: str = HOUSE) -> None:
    """Let stories happen, each to a process of its own that has the file."""

    async def whole() -> None:
        for story in stories:
            anchors = AnchorFile(path, house)
            try:
                await story(anchors)
            finally:
                await anchors.close()

    asyncio.run(whole())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is."""
    return tmp_path / "dealer.anchors"


def test_what_was_kept_is_loaded(path: Path) -> None:
    """M34: by the next process, and before there is a file there are no anchors."""

    async def first(anchors: AnchorFile) -> None:
        assert await anchors.load() == {}
        await anchors.keep({0: at(5), 7: at(3)})

    async def second(anchors: AnchorFile) -> None:
        assert await anchors.load() == {0: at(5), 7: at(3)}

    play(path, first, second)


def test_an_anchor_never_goes_back(path: Path) -> None:
    """M34: and those of partitions that others write stay as they are, whatever the epoch."""

    async def first(anchors: AnchorFile) -> None:
        await anchors.keep({0: at(5, epoch=3), 7: at(3)})

    async def second(anchors: AnchorFile) -> None:
        await anchors.keep({0: at(4, epoch=4), 1: at(1)})
        await anchors.keep({1: at(2)})
        assert await anchors.load() == {0: at(5, epoch=3), 1: at(2), 7: at(3)}

    play(path, first, second)


@pytest.mark.parametrize("spoil", [lambda kept: kept[:-1], lambda _: b"", lambda _: b"{}", lambda kept: b"\xff" + kept])
def test_a_file_that_is_torn_is_an_error(path: Path, spoil: Callable[[bytes], bytes]) -> None:
    """M34: nothing is opened, and nothing written, before somebody has looked into it."""

    async def spoilt(anchors: AnchorFile) -> None:
        with pytest.raises(AnchorsUnusableError, match="cannot be read"):
            await anchors.load()
        with pytest.raises(AnchorsUnusableError, match="cannot be read"):
            await anchors.keep({0: at(6)})

    play(path, lambda anchors: anchors.keep({0: at(5)}))
    path.write_bytes(spoil(path.read_bytes()))
    play(path, spoilt)


def test_the_anchors_of_another_house_are_an_error(path: Path) -> None:
    """M34: they say nothing about this log."""

    async def foreign(anchors: AnchorFile) -> None:
        with pytest.raises(AnchorsUnusableError, match=f"does not hold the anchors of {HOUSE}"):
            await anchors.load()

    play(path, lambda anchors: anchors.keep({0: at(5)}), house="other")
    play(path, foreign)


def test_where_nothing_can_be_written_nothing_is_kept(path: Path) -> None:
    """F11: what was kept before stays."""

    async def story(anchors: AnchorFile) -> None:
        with pytest.raises(AnchorsUnusableError, match="cannot be kept"):
            await anchors.keep({0: at(6)})
        assert await anchors.load() == {0: at(5)}

    play(path, lambda anchors: anchors.keep({0: at(5)}))
    Path(f"{path}.new").mkdir()
    play(path, story)


KEEPING = """
import asyncio, sys
from pathlib import Path
from itertools import count
from services.eventlog.anchors import AnchorFile
from tests.services.eventlog.test_anchors import at
async def keep():
    anchors = AnchorFile(Path(sys.argv[1]), "riverboat")
    for sequence in count(1):
        await anchors.keep({0: at(sequence)})
        print(sequence, flush=True)
asyncio.run(keep())
"""


def test_a_process_that_is_killed_leaves_what_it_has_kept(path: Path) -> None:
    """F5: either the old file is there or the new one."""
    command = (sys.executable, "-c", KEEPING, str(path))
    with subprocess.Popen(command, cwd=ROOT, env={"PYTHONPATH": "gen"}, stdout=subprocess.PIPE) as process:  # noqa: S603 - ours.
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(20)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()

    async def afterwards(anchors: AnchorFile) -> None:
        assert (await anchors.load())[0].sequence in {len(told), len(told) + 1}

    play(path, afterwards)


def alarmed(error: AnchorsUnusableError) -> None:
    """Fail: nothing is wrong."""
    raise AssertionError(error)


class Unkept(AnchorShelf):
    """A store that cannot be written at first."""

    tries = 0

    async def keep(self, positions: Positions) -> None:
        """See `Anchors.keep`."""
        self.tries += 1
        if self.tries == 1:
            msg = "the disk is full"
            raise AnchorsUnusableError(msg)
        await super().keep(positions)


def test_positions_are_kept_every_few_seconds() -> None:
    """`design.md` section 2: so what can be cut off unnoticed is what was acknowledged since."""

    async def story() -> None:
        anchors, here = AnchorShelf(), {3: at(5)}
        keeping = asyncio.create_task(keep_anchors(anchors, lambda: here, LoopScheduler(), alarmed))
        await asyncio.sleep(ANCHOR_MS / 1000 + 0.001)
        assert anchors.positions == here
        here = {3: at(6)}
        await asyncio.sleep(ANCHOR_MS / 1000)
        assert anchors.positions == here
        keeping.cancel()

    virtual_time.run(story())


def test_what_could_not_be_kept_is_tried_again() -> None:
    """F11: with an alarm meanwhile."""

    async def story() -> None:
        anchors, heard = Unkept(), list[AnchorsUnusableError]()
        keeping = asyncio.create_task(keep_anchors(anchors, lambda: {3: at(5)}, LoopScheduler(), heard.append))
        await asyncio.sleep(2 * ANCHOR_MS / 1000 + 0.001)
        assert (len(heard), anchors.positions) == (1, {3: at(5)})
        keeping.cancel()

    virtual_time.run(story())
