"""`dealer doctor` without Kafka: the machine, and a log in a file. `tests/services/kafka` has the rest."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import apsw
import pytest

from services.eventlog.sqlite_file import open_to_write
from tests.services.logtool.logs import json_of, run, scribe_of


def states(*arguments: str) -> dict[str, str]:
    """Return the state of each thing that the doctor has looked at."""
    return {check["name"]: check["state"] for check in json_of(run("doctor", "--json", *arguments))["checks"]}


def test_a_sound_machine_is_well(tmp_path: Path) -> None:
    """A line for each thing, exit code 0."""
    path = tmp_path / "hands.log"
    scribe_of(path)
    result = run("doctor", "--log", str(path))
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["ok", "assertions:"],
        ["ok", "SQLite:"],
        ["ok", "crc32c:"],
        ["ok", "file:"],
        ["ok", "pages:"],
    ]


def test_an_old_sqlite_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """`reliability.md` section 10: a library that may damage the file; what to do stands with it."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    result = run("doctor")
    assert result.exit_code == 1
    assert "WRONG    SQLite: SQLite 3.51.2 may damage the log: 3.51.3 or newer is needed: install" in result.stdout


def test_a_missing_crc32c_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A7: without it Kafka is several times slower."""
    monkeypatch.setitem(sys.modules, "crc32c", None)
    assert states()["crc32c"] == "WRONG"


def test_a_crc32c_that_computes_otherwise_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A7: a checksum that others do not compute would refuse every record."""
    other = ModuleType("crc32c")
    other.__dict__["crc32c"] = len
    monkeypatch.setitem(sys.modules, "crc32c", other)
    assert "it makes 0x9 of what is 0xe3069283" in run("doctor").stdout


def test_a_file_of_something_else_is_wrong(tmp_path: Path) -> None:
    """A database that is no log, a file that is no database, no file at all."""
    other, noise = tmp_path / "other", tmp_path / "noise"
    db = apsw.Connection(str(other))
    db.execute("CREATE TABLE other (x)")
    db.close()
    noise.write_bytes(b"noise" * 1000)
    assert [states("--log", str(path))["file"] for path in (other, noise, tmp_path / "none")] == ["WRONG"] * 3


def test_damaged_pages_are_wrong(tmp_path: Path) -> None:
    """F13: what SQLite finds is said, with what to do."""
    path = tmp_path / "hands.log"
    scribe_of(path, records=200)
    open_to_write(path).close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(4096) + content[8192:])
    result = run("doctor", "--log", str(path))
    assert result.exit_code == 1
    assert "WRONG    pages: " in result.stdout
    assert "restore a copy" in result.stdout


def test_kafka_needs_a_house() -> None:
    """Exit code 2: whose topics are looked at must be said."""
    assert run("doctor", "--kafka", "127.0.0.1:1").exit_code == 2
