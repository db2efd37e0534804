"""What was written once is still read, and still written, byte for byte (F25)."""

from __future__ import annotations

import pytest

from dealer.events.v1 import event_pb2
from services.eventlog.canonical import canonical, command_of
from services.eventlog.codec.events import read
from services.eventlog.envelope import decode, encode
from tests.services.eventlog.golden import (
    ENVELOPES,
    GoldenCommand,
    GoldenEnvelope,
    GoldenEvent,
    golden_commands,
    golden_envelopes,
    golden_events,
    missing_commands,
    missing_envelopes,
    missing_events,
    stored_event,
)


def _numbered(golden: list[GoldenEvent] | list[GoldenCommand] | list[GoldenEnvelope]) -> list[str]:
    return [str(number) for number, _ in enumerate(golden, start=1)]


@pytest.mark.parametrize("golden", golden_events(), ids=_numbered(golden_events()))
def test_an_old_event_is_still_read(golden: GoldenEvent) -> None:
    """F25: the bytes mean what they meant when they were written; the number is that of the line."""
    assert read(golden.kind, event_pb2.Event.FromString(bytes.fromhex(golden.stored))) == golden.value


@pytest.mark.parametrize("golden", golden_events(), ids=_numbered(golden_events()))
def test_an_event_is_still_written_alike(golden: GoldenEvent) -> None:
    """F25: an older reader gets the bytes that it knows."""
    assert stored_event(golden.kind, golden.value).hex() == golden.stored


@pytest.mark.parametrize("golden", golden_commands(), ids=_numbered(golden_commands()))
def test_a_command_has_the_same_bytes_still(golden: GoldenCommand) -> None:
    """P2: a retry that spans an upgrade has the hash that the first request had."""
    command = bytes(golden.command)
    assert canonical(command_of(golden.kind, command)) == command


@pytest.mark.parametrize("golden", golden_envelopes(), ids=_numbered(golden_envelopes()))
def test_an_old_envelope_is_still_read(golden: GoldenEnvelope) -> None:
    """F25: every field of the envelope means what it meant."""
    assert decode(bytes.fromhex(golden.stored)) == ENVELOPES[golden.name]


@pytest.mark.parametrize("golden", golden_envelopes(), ids=_numbered(golden_envelopes()))
def test_an_envelope_is_still_written_alike(golden: GoldenEnvelope) -> None:
    """F25: an older reader gets the envelope that it knows."""
    assert encode(ENVELOPES[golden.name]).hex() == golden.stored


def test_everything_has_a_golden_line() -> None:
    """F25: each event and command is kept as it is now; `golden.py` says how to add what is missing."""
    assert not [*missing_events(), *missing_commands(), *missing_envelopes()]
