"""Shows the results by file at the end of a test run, and in red if there was nothing to replay."""

from __future__ import annotations

import io
from collections.abc import Iterator

import msgspec
import pytest

from tests.conformance.hands import file_names
from tests.conformance.report import NOT_FOUND, Tally, by_file, print_table

PROPERTY = "conformance"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one table for all parts, whichever process replayed them."""
    if not file_names():
        terminalreporter.write_line(NOT_FOUND, red=True, bold=True)
    tallies = by_file(_recorded(terminalreporter))
    if tallies:
        text = io.StringIO()
        print_table(tallies, text)
        terminalreporter.write_line(text.getvalue())


def _recorded(terminalreporter: pytest.TerminalReporter) -> Iterator[Tally]:
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            yield from (msgspec.convert(value, Tally) for name, value in report.user_properties if name == PROPERTY)
