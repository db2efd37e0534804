"""Judging each field of a rulebook by its type: known, present, and inside its allowed set.

The types in `rulebook.py` are the only list of fields, choices and ranges; this file walks over them and over the
parsed file side by side. Nothing is converted on the way: true is no number, 2.0 is not 2, a number is no text.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from msgspec import inspect

from engine.rulebooks.rulebook import Rulebook


class Problem(NamedTuple):
    """One thing that is wrong with a rulebook."""

    field: str
    """Dotted path: "table.min_buyin.no_limit.times", "rake.caps_fixed_limit[0].cap"."""
    problem: str
    allowed: str
    """The values that would do: a list of choices, or a range."""


def field_problems(tree: Mapping[str, object]) -> Iterator[Problem]:
    """Yield what is wrong with the fields of a parsed rulebook, in the order of the document."""
    return _problems(tree, _rulebook_type(), "")


@cache
def section_fields() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the fields of every section, both in the order of the document."""
    return {
        section.name: tuple(field.name for field in section.type.fields)
        for section in _rulebook_type().fields
        if isinstance(section.type, inspect.StructType)
    }


@cache
def _rulebook_type() -> inspect.StructType:
    rulebook_type = inspect.type_info(Rulebook)
    assert isinstance(rulebook_type, inspect.StructType)
    return rulebook_type


def _problems(value: object, expected: inspect.Type, path: str) -> Iterator[Problem]:
    match expected, value:
        case inspect.StructType(), Mapping():
            yield from _struct_problems(value, expected, path)
        case inspect.VarTupleType(), list() | tuple():
            yield from _list_problems(value, expected, path)
        case inspect.UnionType(types=(stated, _)), _:
            if value is not None:
                yield from _problems(value, stated, path)
        case _:
            if not _is_allowed(value, expected):
                yield Problem(path, f"cannot be {reprlib.repr(value)}", _allowed(expected))


def _struct_problems(values: Mapping[object, object], expected: inspect.StructType, path: str) -> Iterator[Problem]:
    known = {field.name: field for field in expected.fields}
    for name in values:
        if name not in known:
            yield Problem(_join(path, str(name)), "is not known", _one_of(known))
    for name, field in known.items():
        if name in values:
            yield from _problems(values[name], field.type, _join(path, name))
        elif field.required:
            yield Problem(_join(path, name), "is missing", _allowed(field.type))


def _list_problems(
    values: list[object] | tuple[object, ...], expected: inspect.VarTupleType, path: str
) -> Iterator[Problem]:
    if len(values) < (expected.min_length or 0):
        yield Problem(path, "is empty", _allowed(expected))
    for place, value in enumerate(values):
        yield from _problems(value, expected.item_type, f"{path}[{place}]")
        if isinstance(expected.item_type, inspect.LiteralType) and value in values[:place]:
            yield Problem(f"{path}[{place}]", f"repeats {reprlib.repr(value)}", "each value once")


def _is_allowed(value: object, expected: inspect.Type) -> bool:
    match expected:
        case inspect.IntType(ge=int(least), le=int(most)):
            return type(value) is int and least <= value <= most
        case inspect.LiteralType(values=choices):
            return type(value) is str and value in choices
        case inspect.StrType():
            return type(value) is str and value != ""
        case _:
            return isinstance(expected, inspect.BoolType) and type(value) is bool


def _allowed(expected: inspect.Type) -> str:
    match expected:
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.LiteralType(values=choices):
            return _one_of(choices)
        case inspect.StrType():
            return "a text that is not empty"
        case inspect.StructType(fields=fields):
            return f"a table of {', '.join(field.name for field in fields)}"
        case inspect.VarTupleType(item_type=item):
            return f"a list, each entry {_allowed(item)}"
        case _:
            return "true or false"


def _one_of(names: Mapping[str, object] | tuple[object, ...]) -> str:
    return f"one of {', '.join(str(name) for name in names)}"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
