"""How tests get their Kafka: runs of pytest within the run, in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.kafka.cluster import HERE, Cluster, Node

ROOT = HERE.parents[1]
PLACE = """
from pathlib import Path
from tests.services.kafka import plugin
plugin.FOLDER, plugin.GATE, plugin.PORT_FIRST = Path("nodes").resolve(), Path("users").resolve(), 27_092
"""
WORKERS = """
import pytest
@pytest.mark.parametrize("number", range(8))
def test_kafka(own_kafka, worker_id, number):
    (plugin.GATE / worker_id).write_text(str(own_kafka.nodes[0].pid))
"""
ADDRESS = """
def test_address(kafka_bootstrap):
    assert kafka_bootstrap == "somewhere:9092"
"""


def run(folder: Path, test: str, *options: str, **environment: str) -> str:
    """Run a test file in a folder and return what pytest says."""
    (folder / "test_it.py").write_text(PLACE + test)
    inherited = {name: value for name, value in os.environ.items() if name not in {"CI", "KAFKA_BOOTSTRAP"}}
    command = [sys.executable, "-m", "pytest", "-p", "tests.services.kafka.plugin", *options, "test_it.py"]
    done = subprocess.run(  # noqa: S603 - constant.
        command,
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    return done.stdout


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_missing_kafka_is_told_in_one_line(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Without Java the tests are skipped, and the last lines say so once, whoever skipped them."""
    said = run(tmp_path, WORKERS, *options, JAVA_HOME=str(tmp_path))
    assert "8 skipped" in said
    assert said.count("KAFKA MISSING") == 1
    assert "KAFKA MISSING: Java 17 or newer is needed" in said
    assert "8 tests did not run." in said


def test_missing_kafka_fails_where_ci_is_set(tmp_path: Path) -> None:
    """In CI a Kafka that is missing is an error."""
    said = run(tmp_path, WORKERS, JAVA_HOME=str(tmp_path), CI="true")
    assert "8 errors" in said
    assert "skipped" not in said


def test_named_kafka_is_used(tmp_path: Path) -> None:
    """KAFKA_BOOTSTRAP decides, and nothing is started then."""
    assert "1 passed" in run(tmp_path, ADDRESS, JAVA_HOME=str(tmp_path), KAFKA_BOOTSTRAP="somewhere:9092")


def test_workers_share_one_broker(own_kafka: Cluster, tmp_path: Path) -> None:
    """Two workers use one broker, which runs no more when both are done, and its records are gone."""
    assert own_kafka.nodes[0].runs()
    assert "8 passed" in run(tmp_path, WORKERS, "-n", "2")
    brokers = {worker: (tmp_path / "users" / worker).read_text() for worker in ("gw0", "gw1")}
    assert brokers["gw0"] == brokers["gw1"]
    assert not Node(1, tmp_path / "nodes/node1", 0, 0).runs()
    assert not (tmp_path / "nodes/node1/data").exists()
