"""The catalogue of clauses, the tests that prove them, and what is wrong between the two.

A test proves a clause by naming its id in its docstring. Nothing else is looked at, so that a reader finds with `grep`
what this module finds with `ast`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from engine.rulebooks.fields import section_fields

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "docs/clauses.toml"
ID = re.compile(r"\b(?:[RG]-(?:PAC|PLA|AKP|FRE|MOD)-[DC]?\d+|AMB-\d+)\b")


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement of a house, or a golden test."""

    part: Literal["table", "later"]
    fields: tuple[str, ...]
    says: str


class Ambiguity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point that a house leaves open, and what is done about it."""

    fields: tuple[str, ...]
    asks: str
    does: str


class Waiting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses that wait for a part that is not there yet."""

    reason: str
    ids: tuple[str, ...]
    partly: tuple[str, ...] = ()
    """Clauses of which the tests prove what concerns the table; the rest waits."""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`docs/clauses.toml`."""

    clauses: dict[str, Clause]
    ambiguities: dict[str, Ambiguity]
    open: dict[str, Waiting]

    @property
    def waiting(self) -> list[str]:
        """The clauses that wait as a whole, in the order of the file."""
        return [name for entry in self.open.values() for name in entry.ids]

    @property
    def partly(self) -> list[str]:
        """The clauses that wait in part, in the order of the file."""
        return [name for entry in self.open.values() for name in entry.partly]


class Proof(NamedTuple):
    """A test that names a clause."""

    path: str
    name: str


Proofs: TypeAlias = Mapping[str, list[Proof]]


def load_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Return the catalogue; an unknown or missing key is an error."""
    return msgspec.convert(tomllib.loads(path.read_text()), Catalogue)


def find_proofs(folder: Path = ROOT / "tests") -> Proofs:
    """Return the tests below `folder` by the ids that their docstrings name."""
    proofs: dict[str, list[Proof]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for name, docstring in documented_tests(path.read_text()):
            for clause in dict.fromkeys(ID.findall(docstring)):
                proofs.setdefault(clause, []).append(Proof(path.relative_to(folder.parent).as_posix(), name))
    return proofs


def documented_tests(source: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the docstring of each test, in the order of the file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, ast.get_docstring(node) or ""


def problems(catalogue: Catalogue, proofs: Proofs) -> Iterator[str]:
    """Yield what is wrong: clauses without a proof, stale or wrong entries of the open list, unknown ids and fields."""
    listed = catalogue.waiting + catalogue.partly
    for name, clause in catalogue.clauses.items():
        if name not in proofs and name not in catalogue.waiting:
            yield f"{name}: no test names it, and it does not wait as a whole"
        if listed.count(name) > 1:
            yield f"{name}: is on the open list twice"
        if name in listed and clause.part != "later":
            yield f"{name}: is part of the table, so it cannot wait"
        if name in proofs and name in catalogue.waiting:
            yield f"{name}: {proofs[name][0].name} proves it, so it does not wait as a whole"
    yield from unknown_names(catalogue, proofs, listed)


def unknown_names(catalogue: Catalogue, proofs: Proofs, listed: list[str]) -> Iterator[str]:
    """Yield the ids and fields that are named and do not exist."""
    for name in listed:
        if name not in catalogue.clauses:
            yield f"{name}: is on the open list, but there is no such clause"
    for name in sorted(proofs.keys() - catalogue.clauses.keys() - catalogue.ambiguities.keys()):
        yield f"{name}: {proofs[name][0].name} names it, but there is no such clause"
    for name, clause in catalogue.clauses.items():
        yield from unknown_fields(name, clause.fields)
    for name, ambiguity in catalogue.ambiguities.items():
        yield from unknown_fields(name, ambiguity.fields)


def unknown_fields(name: str, fields: Iterable[str]) -> Iterator[str]:
    """Yield the fields that no rulebook has."""
    for field in fields:
        section, _, key = field.partition(".")
        if key not in section_fields().get(section, ()):
            yield f"{name}: there is no field {field}"
