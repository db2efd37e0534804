"""Does the suite of the log's writer bite? Each planted mutant must be found by each of the tests named for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.mutants import judging, log
from tests.mutants.planted import Mutant
from tests.mutants.test_mutants import HUNT, PYTEST_FAILED, ROOT, plant

MUTANTS: Final = (*judging.MUTANTS, *log.MUTANTS)
COPIED: Final = ("engine", "services", "gen", "tests/engine", "tests/services")
SEEDS: Final = "0-40"
"""Games of F1 in which each mutant of its list shows."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the engine, the services and their tests."""
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "tests/conftest.py").write_text(HUNT)
    return tmp_path


def run(copy: Path, *killers: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy to their first failure."""
    command = (sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *killers)
    known = {**os.environ, "F1_SEEDS": SEEDS, "PYTHONPATH": os.pathsep.join((str(copy), str(copy / "gen")))}
    return subprocess.run(command, cwd=copy, env=known, capture_output=True, text=True, check=False)  # noqa: S603 - ours.


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.id for mutant in MUTANTS])
def test_the_mutant_is_killed(copy: Path, mutant: Mutant) -> None:
    """`reliability.md` section 7, M1-M15, M18, M28, M31, M33, M34: each test named for a fault fails because of it."""
    plant(copy, mutant)
    for killer in mutant.killers:
        done = run(copy, killer)
        assert done.returncode == PYTEST_FAILED, f"{mutant.fault}: {killer} did not notice\n{done.stdout}{done.stderr}"


def test_without_a_mutant_the_killers_pass(copy: Path) -> None:
    """`reliability.md` section 7: what kills the mutants passes where nothing was planted."""
    done = run(copy, *sorted({killer for mutant in MUTANTS for killer in mutant.killers}))
    assert done.returncode == 0, done.stdout + done.stderr
