"""Values of every event and command, made from the types of their fields alone.

`values(type)` is a strategy over all values that fit, whether they make sense in a game or not: the codec has no
opinion. `sample(type)` is one value, always the same, in which no two fields can be mistaken for each other: numbers
and texts differ, truths are true unless that is their default, choices are the last of their list, and tuples have two
items.

What fits is written here a second time, apart from the codec: the bounds of a type, and the width of its field.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any, TypeAlias, get_args, get_origin

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import strategies as st
from msgspec import Struct, inspect

from dealer.events.v1 import event_pb2
from engine.account.commands import AccountCommand
from engine.table.commands import TableCommand
from engine.tournament.commands import TournamentCommand
from services.eventlog.codec.events import EVENTS, name_of

Values: TypeAlias = st.SearchStrategy[Any]

EVENT_TYPES: tuple[tuple[str, type[Struct]], ...] = tuple((kind, event) for kind in EVENTS for event in EVENTS[kind])
"""Every event with the kind of its aggregate."""

COMMAND_TYPES: tuple[tuple[str, type[Struct]], ...] = (
    *(("table", command) for command in get_args(TableCommand)),
    *(("account", command) for command in get_args(AccountCommand)),
    *(("tournament", command) for command in get_args(TournamentCommand)),
)
"""Every command with the kind of its aggregate."""

_INT32_TYPES = (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32)


def title(case: object) -> str:
    """Return how a test names an event or a command."""
    return case.__name__ if isinstance(case, type) else str(case)


def message_of(event: type[Struct]) -> Descriptor:
    """Return the message of an event."""
    message = event_pb2.Event.DESCRIPTOR.fields_by_name[name_of(event)].message_type
    assert message is not None
    return message


@cache
def values(event: type[Struct]) -> Values:
    """Return the strategy for an event."""
    return _structs(_shape(event), message_of(event))


@cache
def command_values(command: type[Struct]) -> Values:
    """Return the strategy for a command."""
    return _structs(_shape(command), None)


def sample(struct: type[Struct]) -> Any:  # noqa: ANN401 - it is whatever was asked for.
    """Return one value of an event or a command."""
    return _sample(_shape(struct), struct.__name__, count(1))


def _shape(struct: type[Struct]) -> inspect.StructType:
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    return shape


def _structs(shape: inspect.StructType, message: Descriptor | None) -> Values:
    wires = {field.name: message.fields_by_name[field.name] if message else None for field in shape.fields}
    fields = {field.name: _fitting(field.type, wires[field.name]) for field in shape.fields}
    return st.builds(get_origin(shape.cls) or shape.cls, **fields)


def _fitting(expected: inspect.Type, wire: FieldDescriptor | None) -> Values:
    """Return the values that fit a type and, if there is one, its field in a message."""
    message = wire.message_type if wire else None
    match expected:
        case inspect.StructType():
            return _structs(expected, message)
        case inspect.VarTupleType(item_type=item, min_length=least):
            return st.lists(_fitting(item, wire), min_size=least or 0, max_size=3).map(tuple)
        case inspect.TupleType(item_types=items):
            wires = message.fields if message else [None] * len(items)
            return st.tuples(*[_fitting(item, field) for item, field in zip(items, wires, strict=True)])
        case inspect.UnionType(types=types):
            return st.one_of([_fitting(item, wire) for item in types])
        case _:
            return _scalars(expected, wire)


def _scalars(expected: inspect.Type, wire: FieldDescriptor | None) -> Values:
    match expected:
        case inspect.LiteralType(values=choices):
            return st.sampled_from(choices)
        case inspect.IntType():
            return _numbers(expected, wire)
        case inspect.StrType(min_length=least):
            return st.text(min_size=least or 0, max_size=5)
        case inspect.BytesType():
            return st.binary(max_size=5)
        case inspect.BoolType():
            return st.booleans()
        case _:
            assert isinstance(expected, inspect.NoneType)
            return st.none()


def _numbers(expected: inspect.IntType, wire: FieldDescriptor | None) -> Values:
    if wire and wire.enum_type:
        return st.integers(0, len(wire.enum_type.values) - 2)
    bound = 2**31 if wire and wire.type in _INT32_TYPES else 2**63
    return st.integers(-bound if expected.ge is None else expected.ge, expected.le or bound - 1)


def _sample(expected: inspect.Type, name: str, numbers: Iterator[int]) -> Any:  # noqa: ANN401 - see `sample`.
    match expected:
        case inspect.StructType(cls=cls, fields=fields):
            return (get_origin(cls) or cls)(*[_field_sample(field, numbers) for field in fields])
        case inspect.VarTupleType(item_type=item):
            return _sample(item, name, numbers), _sample(item, name, numbers)
        case inspect.TupleType(item_types=items):
            return tuple(_sample(item, name, numbers) for item in items)
        case inspect.UnionType(types=(stated, _)):
            return _sample(stated, name, numbers)
        case _:
            return _scalar_sample(expected, name, numbers)


def _field_sample(field: inspect.Field, numbers: Iterator[int]) -> object:
    made = _sample(field.type, field.name, numbers)
    return False if made is field.default else made


def _scalar_sample(expected: inspect.Type, name: str, numbers: Iterator[int]) -> object:
    match expected:
        case inspect.LiteralType(values=choices):
            return choices[-1]
        case inspect.BoolType():
            return True
        case inspect.IntType(ge=int(least), le=int(most)):
            return least + next(numbers) % (most - least + 1)
        case inspect.IntType():
            return next(numbers)
        case inspect.StrType():
            return f"{name}-{next(numbers)}"
        case _:
            assert isinstance(expected, inspect.BytesType)
            return f"{name}-{next(numbers)}".encode()
