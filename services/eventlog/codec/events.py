"""Every event that the log can hold, by the kind of aggregate that it happens to.

`EVENTS` is the whole table. To add an event: declare its struct in the union of its aggregate, its message in
`proto/dealer/events/v1/`, and a line in `event.proto`; then `make proto`. To add a field: a line in the struct and a
line in the message. To add a kind of aggregate: a line in `EVENTS`. If struct and message do not agree, or one has no
other, this module cannot be imported.

An event's field in the oneof of `Event` is its name in snake case, unless tables and accounts both have the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, get_args

from google.protobuf.descriptor import Descriptor
from google.protobuf.unknown_fields import UnknownFieldSet
from msgspec import inspect

import engine.account.events as account
import engine.table.events as table
from dealer.events.v1 import event_pb2
from engine.account.events import AccountEvent
from engine.table.events import TableEvent
from engine.tournament.events import TournamentEvent
from services.eventlog.codec.faults import MalformedRecordError, UnknownEventError, UnreadableRecordError
from services.eventlog.codec.shapes import Convert, struct_pair
from services.eventlog.log_events import AuditEvent, PartitionEvent

Event: TypeAlias = PartitionEvent | AuditEvent | TableEvent | AccountEvent | TournamentEvent

EVENTS: Final[Mapping[str, tuple[type, ...]]] = {
    "partition": get_args(PartitionEvent),
    "audit": (AuditEvent,),
    "table": get_args(TableEvent),
    "account": get_args(AccountEvent),
    "tournament": get_args(TournamentEvent),
}
"""The types of events by the kind of aggregate, which is what an aggregate's address begins with."""

NAMES: Final[Mapping[type, str]] = {
    table.ProtectionRefused: "table_protection_refused",
    account.ProtectionRefused: "account_protection_refused",
}


def name_of(event: type) -> str:
    """Return the name of an event's field in the oneof."""
    return NAMES.get(event) or re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


def written(kind: str, event: Event) -> dict[str, Any]:
    """Return the keyword arguments of an event's `Event` message; `kind` is that of the aggregate it happened to."""
    name, write = _WRITERS[kind][type(event)]
    return {name: write(event)}


def read(kind: str, message: event_pb2.Event) -> Event:
    """Return the event in a message.

    Raises:
        UnknownEventError: A later version wrote it.
        MalformedRecordError: An aggregate of this kind has no such event, or the event lacks what it must have.
    """
    (event,) = read_all(kind, (message,))
    return event


def read_all(kind: str, messages: Sequence[event_pb2.Event]) -> tuple[Event, ...]:
    """Return the events in messages. Errors as `read`; one loop, because each record that is replayed comes by here."""
    readers = _READERS[kind]
    events: list[Event] = []
    for message in messages:
        name = message.WhichOneof("event")
        if name not in readers:
            raise _unreadable(kind, name, message)
        events.append(readers[name](getattr(message, name)))
    return tuple(events)


def _unreadable(kind: str, name: str | None, message: event_pb2.Event) -> UnreadableRecordError:
    if name is None:
        return UnknownEventError(_unknown(message))
    return MalformedRecordError(f"{name} does not happen to an aggregate of the kind {kind}")


def _unknown(message: event_pb2.Event) -> str:
    fields = UnknownFieldSet(message)
    return f"this version does not know event number {fields[0].field_number}" if len(fields) else "an event is empty"


def _messages() -> dict[str, Descriptor]:
    """Return the message of each field in the oneof."""
    oneof = event_pb2.Event.DESCRIPTOR.oneofs_by_name["event"]
    return {field.name: field.message_type for field in oneof.fields if field.message_type is not None}


def _writers_and_readers() -> tuple[dict[str, dict[type, tuple[str, Convert]]], dict[str, dict[str, Convert]]]:
    messages = _messages()
    ours = [name_of(event) for events in EVENTS.values() for event in events]
    assert sorted(ours) == sorted(messages), f"not in event.proto or not in EVENTS: {set(ours) ^ set(messages)}"
    writers: dict[str, dict[type, tuple[str, Convert]]] = {kind: {} for kind in EVENTS}
    readers: dict[str, dict[str, Convert]] = {kind: {} for kind in EVENTS}
    for kind, events in EVENTS.items():
        for event in events:
            shape, name = inspect.type_info(event), name_of(event)
            assert isinstance(shape, inspect.StructType), f"{event} is a struct"
            pair = struct_pair(shape, messages[name])
            writers[kind][event] = name, pair.write
            readers[kind][name] = pair.read
    return writers, readers


_WRITERS, _READERS = _writers_and_readers()
