"""Golden records: what was written once, kept for ever, so that later code still reads and writes it.

`tests/golden/` has a line for each event (its kind of aggregate, the event as JSON, its `Event` message in
hexadecimal), for each command (its kind, and its canonical bytes, which are JSON), and for whole envelopes.

A line is never changed and never removed. After an event or a command was added, or a field or a choice of one,

    python -m tests.services.eventlog.golden

adds a line for each that has none yet as it is now, and leaves the others alone. If an old line fails, a change has
given old records another meaning: take it back, or give the new field a default.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer.events.v1 import event_pb2
from engine.account.events import AccountEvent
from engine.table.events import TableEvent
from engine.tournament.events import TournamentEvent
from services.eventlog.canonical import canonical, command_of
from services.eventlog.codec.events import Event, written
from services.eventlog.envelope import encode
from services.eventlog.log_events import AuditEvent, PartitionEvent
from tests.services.eventlog.envelopes import CLAIM, RECORD
from tests.services.eventlog.samples import COMMAND_TYPES, EVENT_TYPES, sample

FOLDER: Final = Path(__file__).resolve().parents[2] / "golden"
EVENTS_FILE: Final = FOLDER / "events.jsonl"
COMMANDS_FILE: Final = FOLDER / "commands.jsonl"
ENVELOPES_FILE: Final = FOLDER / "envelopes.jsonl"

ENVELOPES: Final = {"record": RECORD, "claim": CLAIM}

_EVENT_OF: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    "partition": msgspec.json.Decoder(PartitionEvent),
    "audit": msgspec.json.Decoder(AuditEvent),
    "table": msgspec.json.Decoder(TableEvent),
    "account": msgspec.json.Decoder(AccountEvent),
    "tournament": msgspec.json.Decoder(TournamentEvent),
}


class GoldenEvent(msgspec.Struct, frozen=True):
    """A line of `events.jsonl`."""

    kind: str
    event: msgspec.Raw
    stored: str

    @property
    def value(self) -> Event:
        """The event as today's engine has it."""
        event: Event = _EVENT_OF[self.kind].decode(self.event)
        return event


class GoldenCommand(msgspec.Struct, frozen=True):
    """A line of `commands.jsonl`."""

    kind: str
    command: msgspec.Raw


class GoldenEnvelope(msgspec.Struct, frozen=True):
    """A line of `envelopes.jsonl`; `ENVELOPES` has the values."""

    name: str
    stored: str


def golden_events() -> list[GoldenEvent]:
    """Return the golden events."""
    return _lines(EVENTS_FILE, GoldenEvent)


def golden_commands() -> list[GoldenCommand]:
    """Return the golden commands."""
    return _lines(COMMANDS_FILE, GoldenCommand)


def golden_envelopes() -> list[GoldenEnvelope]:
    """Return the golden envelopes."""
    return _lines(ENVELOPES_FILE, GoldenEnvelope)


def stored_event(kind: str, event: Event) -> bytes:
    """Return the bytes of an event alone."""
    return event_pb2.Event(**written(kind, event)).SerializeToString()


def missing_events() -> list[GoldenEvent]:
    """Return a line for each event that has none as it is now."""
    kept = [(golden.kind, golden.value) for golden in golden_events()]
    samples = [(kind, sample(event)) for kind, event in EVENT_TYPES]
    missing = [(kind, event) for kind, event in samples if (kind, event) not in kept]
    return [
        GoldenEvent(kind, msgspec.Raw(msgspec.json.encode(event)), stored_event(kind, event).hex())
        for kind, event in missing
    ]


def missing_commands() -> list[GoldenCommand]:
    """Return a line for each command that has none as it is now."""
    kept = [(golden.kind, command_of(golden.kind, bytes(golden.command))) for golden in golden_commands()]
    samples = [(kind, sample(command)) for kind, command in COMMAND_TYPES]
    missing = [(kind, command) for kind, command in samples if (kind, command) not in kept]
    return [GoldenCommand(kind, msgspec.Raw(canonical(command))) for kind, command in missing]


def missing_envelopes() -> list[GoldenEnvelope]:
    """Return a line for each envelope that has none."""
    kept = {golden.name for golden in golden_envelopes()}
    return [GoldenEnvelope(name, encode(value).hex()) for name, value in ENVELOPES.items() if name not in kept]


def _lines(file: Path, line: type[Any]) -> list[Any]:
    return msgspec.json.Decoder(line).decode_lines(file.read_bytes()) if file.exists() else []


def _add(file: Path, lines: Iterable[msgspec.Struct]) -> None:
    with file.open("ab") as opened:
        opened.write(msgspec.json.Encoder().encode_lines(lines))


def main() -> None:
    """Add the lines that are missing."""
    _add(EVENTS_FILE, missing_events())
    _add(COMMANDS_FILE, missing_commands())
    _add(ENVELOPES_FILE, missing_envelopes())


if __name__ == "__main__":
    main()
