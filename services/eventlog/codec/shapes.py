"""From a struct of the engine to the fields of a message, and back: the rules that pair the two.

The struct's type and the message's descriptor are walked once, side by side, when this package is imported. What comes
out are two functions for each type, which know nothing of types any more: `write` makes the keyword arguments of the
message, `read` makes the struct. A struct and a message that do not have the same fields make no pair, and the import
fails; so whoever adds a field to an event adds a line to its message, and nothing here.

    struct                         message
    int, str, bool, bytes          the scalar of that name
    int                            enum: 0 is the value 1 (a card)
    Literal["a", ""]               enum: the value that ends in A; UNSPECIFIED stands for "" and for nothing else
    another struct                 a message
    tuple[int, int]                a message with these fields in order
    tuple[X, ...]                  repeated X
    X | None                       a field with presence, absent for None
    a field with a default         absent for the default: it has presence, or its default is the zero of its type
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias, get_origin

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from msgspec import NODEFAULT, inspect
from msgspec.structs import asdict

from services.eventlog.codec.faults import MalformedRecordError

Convert: TypeAlias = Callable[[Any], Any]


class Pair(NamedTuple):
    """How a value is written, and how it is read."""

    write: Convert
    read: Convert


class Field(NamedTuple):
    """A field of a struct and of its message."""

    name: str
    pair: Pair
    has_presence: bool
    absent: object
    """What a record without the field means; `NODEFAULT` when it must be there."""


class Choices(dict[int, Any]):
    """The values of an enum by their numbers."""

    def __init__(self, enum: EnumDescriptor, values: Iterable[tuple[int, object]]) -> None:
        """Keep the name of the enum to complain with."""
        super().__init__(values)
        self._name = enum.name

    def __missing__(self, number: int) -> object:
        """Refuse a number that is none of them."""
        reason = f"{number} is no value of {self._name}"
        raise MalformedRecordError(reason)


def struct_pair(shape: inspect.StructType, message: Descriptor) -> Pair:
    """Return the functions for a struct and a message; `write` returns the keyword arguments of the message."""
    differing = {field.name for field in shape.fields} ^ set(message.fields_by_name)
    assert not differing, f"{shape.cls} or {message.full_name} lacks {differing}"
    fields = [_field(field, message.fields_by_name[field.name]) for field in shape.fields]
    return Pair(_writer(asdict, fields), _reader(get_origin(shape.cls) or shape.cls, fields))


def _tuple_pair(shape: inspect.TupleType, message: Descriptor) -> Pair:
    assert len(shape.item_types) == len(message.fields), f"{message.full_name} has one field for each item"
    names = [field.name for field in message.fields]
    items = zip(shape.item_types, message.fields, strict=True)
    fields = [_field(inspect.Field(field.name, field.name, item), field) for item, field in items]
    return Pair(_writer(lambda values: dict(zip(names, values, strict=True)), fields), _reader(_as_tuple, fields))


def _field(stated: inspect.Field, wire: FieldDescriptor) -> Field:
    expected, absent = stated.type, stated.default
    if isinstance(expected, inspect.UnionType):
        expected, none = expected.types
        assert isinstance(none, inspect.NoneType), f"{wire.full_name}: the only union is with None"
        absent = None
    pair = _pair(expected, wire)
    if wire.has_presence:
        return Field(stated.name, pair, has_presence=True, absent=absent)
    zero = () if wire.is_repeated else wire.default_value
    assert absent is NODEFAULT or absent == pair.read(zero), f"{wire.full_name} is optional, because of its default"
    return Field(stated.name, pair, has_presence=False, absent=absent)


def _pair(expected: inspect.Type, wire: FieldDescriptor) -> Pair:
    match expected:
        case inspect.VarTupleType(item_type=item):
            assert wire.is_repeated, f"{wire.full_name} is repeated"
            return _repeated_pair(_value_pair(item, wire))
        case _:
            assert not wire.is_repeated, f"{wire.full_name} is not repeated"
            return _value_pair(expected, wire)


def _value_pair(expected: inspect.Type, wire: FieldDescriptor) -> Pair:
    match expected, wire.message_type, wire.enum_type:
        case inspect.LiteralType(values=choices), None, EnumDescriptor() as enum:
            return _choice_pair(choices, enum)
        case inspect.IntType(), None, EnumDescriptor() as enum:
            return _number_pair(enum)
        case inspect.StructType(), Descriptor() as message, None:
            return struct_pair(expected, message)
        case inspect.TupleType(), Descriptor() as message, None:
            return _tuple_pair(expected, message)
        case _:
            assert wire.type in SCALARS.get(type(expected), ()), f"{wire.full_name} does not hold {expected}"
            return AS_IS


def _choice_pair(choices: Sequence[object], enum: EnumDescriptor) -> Pair:
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    names = {choice: prefix + (str(choice).upper() or "UNSPECIFIED") for choice in choices}
    differing = {*names.values(), f"{prefix}UNSPECIFIED"} ^ set(enum.values_by_name)
    assert not differing, f"{enum.full_name} or its choices lack {differing}"
    return _enum_pair(enum, {choice: enum.values_by_name[name].number for choice, name in names.items()})


def _number_pair(enum: EnumDescriptor) -> Pair:
    count = len(enum.values) - 1
    assert set(enum.values_by_number) == set(range(count + 1)), f"{enum.full_name} counts without gaps"
    return _enum_pair(enum, {number: number + 1 for number in range(count)})


def _enum_pair(enum: EnumDescriptor, numbers: Mapping[object, int]) -> Pair:
    values = Choices(enum, ((number, value) for value, number in numbers.items()))
    return Pair(numbers.__getitem__, values.__getitem__)


def _repeated_pair(item: Pair) -> Pair:
    """Return the functions for a repeated field. Its slice is a list that was made in C, twice as fast as iterating."""
    if item is AS_IS:
        return Pair(_as_is, lambda values: tuple(values[:]))
    write, read = item
    return Pair(lambda values: [write(value) for value in values], lambda values: tuple(map(read, values[:])))


def _writer(arguments: Convert, fields: Sequence[Field]) -> Convert:
    """Return the function from a value to the keyword arguments of its message; None leaves a field out."""
    converting = tuple((field.name, _write_unless_absent(field)) for field in fields if _is_converted(field))
    if not converting:
        return arguments

    def write(value: object) -> dict[str, Any]:
        written: dict[str, Any] = arguments(value)
        for name, convert in converting:
            written[name] = convert(written[name])
        return written

    return write


def _is_converted(field: Field) -> bool:
    has_default = field.has_presence and field.absent is not NODEFAULT and field.absent is not None
    return has_default or field.pair.write is not _as_is


def _write_unless_absent(field: Field) -> Convert:
    write, absent = field.pair.write, field.absent
    if not field.has_presence or absent is NODEFAULT:
        return write
    return lambda value: None if value == absent else write(value)


def _reader(make: Callable[..., Any], fields: Sequence[Field]) -> Convert:
    """Return the function from a message to the value that `make` builds from its fields."""
    values_of = _values_of([field.name for field in fields])
    converting = tuple(
        (place, field.pair.read)
        for place, field in enumerate(fields)
        if not field.has_presence and field.pair.read is not _as_is
    )
    present = tuple((place, field) for place, field in enumerate(fields) if field.has_presence)
    if not converting and not present:
        return lambda message: make(*values_of(message))

    def read(message: Message) -> object:
        values = [*values_of(message)]
        for place, convert in converting:
            values[place] = convert(values[place])
        for place, field in present:
            values[place] = _read_present(message, field, values[place])
        return make(*values)

    return read


def _values_of(names: Sequence[str]) -> Callable[[Message], Sequence[Any]]:
    """Return what reads these fields of a message: `attrgetter` in C, which gives a tuple for two or more only."""
    match names:
        case ():
            return lambda _: ()
        case (name,):
            return lambda message: (getattr(message, name),)
        case _:
            return attrgetter(*names)


def _read_present(message: Message, field: Field, value: object) -> object:
    if message.HasField(field.name):
        return field.pair.read(value)
    if field.absent is NODEFAULT:
        reason = f"{message.DESCRIPTOR.name} has no {field.name}"
        raise MalformedRecordError(reason)
    return field.absent


def _as_is(value: object) -> object:
    return value


def _as_tuple(*values: object) -> tuple[object, ...]:
    return values


AS_IS: Final = Pair(_as_is, _as_is)

SCALARS: Final[Mapping[type[inspect.Type], tuple[int, ...]]] = {
    inspect.IntType: (
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_SINT64,
    ),
    inspect.StrType: (FieldDescriptor.TYPE_STRING,),
    inspect.BoolType: (FieldDescriptor.TYPE_BOOL,),
    inspect.BytesType: (FieldDescriptor.TYPE_BYTES,),
}
"""What a scalar of a struct may be on the wire."""
