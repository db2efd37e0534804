"""Does the suite bite? Each planted mutant is put into a copy of the engine, and the tests named for it must fail.

Production code has no switch for a mutant: the patch is applied to the text of the copy. A control run shows that the
same tests pass where nothing was changed, so that it is the fault which they find.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants import judging, log, money, planted, tournament, tournament_money
from tests.mutants.planted import Mutant

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = (*planted.MUTANTS, *money.MUTANTS, *tournament.MUTANTS, *tournament_money.MUTANTS)
ALL = (*MUTANTS, *judging.MUTANTS, *log.MUTANTS)
"""With those of the log, which `test_log_mutants.py` plants."""

PYTEST_FAILED = 1
"""Exit code of a pytest run in which tests failed; 2 and more would mean that it did not get so far."""

HUNT = '''"""Hypothesis hunts for a planted fault: the same plays in every run, no time for smaller examples."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "hunt",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=200,
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("hunt")
'''


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the engine and the log, and of their tests."""
    for folder in ("engine", "services/eventlog", "tests/engine", "tests/services/eventlog"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "services/__init__.py", "tests/__init__.py", "tests/services/__init__.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "tests/conftest.py").write_text(HUNT)
    return tmp_path


def run(copy: Path, killers: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy to their first failure."""
    command = (sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *killers)
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)  # noqa: S603 - our own tests.


def plant(copy: Path, mutant: Mutant) -> None:
    """Put a fault into the copy."""
    path = copy / mutant.file
    text = path.read_text()
    assert text.count(mutant.old) == 1, f"{mutant.id}: its text stands {text.count(mutant.old)} times in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new))


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.id for mutant in MUTANTS])
def test_the_mutant_is_killed(copy: Path, mutant: Mutant) -> None:
    """`reliability.md` section 7, M19-M27, M32: a planted fault fails the tests that are named for it."""
    plant(copy, mutant)
    done = run(copy, mutant.killers)
    assert done.returncode == PYTEST_FAILED, f"{mutant.fault}: nobody noticed\n{done.stdout}{done.stderr}"


def test_without_a_mutant_the_killers_pass(copy: Path) -> None:
    """`reliability.md` section 7: what kills the mutants passes where nothing was planted."""
    done = run(copy, tuple(sorted({killer for mutant in MUTANTS for killer in mutant.killers})))
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_mutant_has_an_id_of_its_own() -> None:
    """`reliability.md` section 7: an id names one mutant."""
    assert max(Counter(mutant.id for mutant in ALL).values()) == 1


def test_each_mutant_changes_something() -> None:
    """`reliability.md` section 7: no patch leaves the code as it was, and each has tests that must find it."""
    assert all(mutant.old != mutant.new and mutant.killers for mutant in ALL)
