"""README.md is true: its program runs, its commands and its links exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
TARGETS = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_famous_hand_ends_as_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    """The program in the README plays the hand to the stacks that are on record."""
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})  # noqa: S102 - the text is ours.
    stacks = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert stacks == {"Ivey": "572,100.00", "Antonius": "1,997,500.00", "Dwan": "1,109,500.00"}


def test_every_target_is_explained() -> None:
    """The README names exactly the targets that make has."""
    assert sorted(re.findall(r"^\| `make ([a-z]+)` \|", README, re.MULTILINE)) == sorted(TARGETS)
