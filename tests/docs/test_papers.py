"""README, architecture and decisions: their links lead somewhere, and decisions have the form that was agreed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = sorted((ROOT / "docs/adr").glob("*.md"))
PAPERS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *DECISIONS]
SECTIONS = ["Status", "Context", "Decision", "Consequences", "Rejected"]


def named_paths(paper: Path) -> set[Path]:
    """Return the files that a paper links to, or names as `engine/…`, `services/…` or `tests/…`."""
    text = paper.read_text()
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)", text)
    names = re.findall(r"`((?:engine|services|tests|docs)/[\w/.-]+)`", text)
    return {(paper.parent / link).resolve() for link in links} | {ROOT / name for name in names}


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_named_files_exist(paper: Path) -> None:
    """No paper names a file that is not there."""
    assert [path for path in sorted(named_paths(paper)) if not path.exists()] == []


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.name)
def test_decisions_have_their_form(decision: Path) -> None:
    """A decision has Status, Context, Decision, Consequences and Rejected, and its number is that of its file."""
    text = decision.read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    assert text.startswith(f"# {int(decision.name[:4])}. ")


def test_architecture_lists_every_decision() -> None:
    """Each decision stands in ARCHITECTURE.md, with its price."""
    listed = re.findall(r"\| \[.*?\]\(adr/(.*?)\) \|", (ROOT / "docs/ARCHITECTURE.md").read_text())
    assert listed == [decision.name for decision in DECISIONS]
