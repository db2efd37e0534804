"""From a TOML file to a `Rulebook`, and from a `Rulebook` to the bytes and the hash that name it for ever.

A file passes three gates: it is TOML, every field is right by itself (`fields.py`), and the fields agree
(`consistency.py`). The first problem refuses it, so a rulebook that exists is a good one. The canonical encoding is
compact JSON: every field in the order of the document, null for a limit type without a value. Two rulebooks are equal
exactly if their bytes are.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

import msgspec

from engine.rulebooks.consistency import contradictions
from engine.rulebooks.fields import Problem, field_problems
from engine.rulebooks.rulebook import Rulebook

HOUSES = ("pacific", "planet", "akpoker", "freeguide", "modern")
"""The ids of the rulebooks that come with the dealer."""

_CHIPS = re.compile(r"[1-9][0-9]{0,18}")


class RulebookError(Exception):
    """A rulebook is refused: says which file, which field, what is wrong and what is allowed."""

    def __init__(self, file: str, field: str, problem: str, allowed: str) -> None:
        """Refuse `field`, a dotted path (empty for the file itself), of `file`."""
        super().__init__(f"{file}: {field} {problem}; allowed: {allowed}" if field else f"{file}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem
        self.allowed = allowed


@cache
def load(rulebook_id: str) -> Rulebook:
    """Return the rulebook of a house.

    Raises:
        RulebookError: There is no such house, or its file is refused.
    """
    file = f"{rulebook_id}.toml"
    if rulebook_id not in HOUSES:
        raise RulebookError(file, "id", "is not a rulebook", f"one of {', '.join(HOUSES)}")
    return parse(resources.files("engine.rulebooks").joinpath(file).read_text("utf-8"), file)


def parse(text: str, file: str) -> Rulebook:
    """Return the rulebook written in TOML; `file` is named when it is refused.

    Raises:
        RulebookError: The text is not TOML, or a field is unknown, missing, impossible or contradicts another.
    """
    try:
        tree = tomllib.loads(text)
    except ValueError as error:
        raise RulebookError(file, "", f"is not TOML: {error}", "TOML 1.0") from error
    return build(tree, file)


def build(tree: Mapping[str, object], file: str) -> Rulebook:
    """Return the rulebook with the values of a parsed file, each in the file's own form.

    Raises:
        RulebookError: A field is unknown, missing, impossible or contradicts another.
    """
    listed = {name: _with_listed_overrides(value) if name == "blinds" else value for name, value in tree.items()}
    _refuse_first(field_problems(listed), file)
    rulebook = msgspec.convert(listed, Rulebook)
    _refuse_first(contradictions(rulebook), file)
    return rulebook


def canonical(rulebook: Rulebook) -> bytes:
    """Return the canonical encoding; `msgspec.json.decode(..., type=Rulebook)` is its inverse."""
    return msgspec.json.encode(rulebook)


def rulebook_hash(rulebook: Rulebook) -> str:
    """Return the SHA-256 of the canonical encoding, in hexadecimal."""
    return hashlib.sha256(canonical(rulebook)).hexdigest()


def _with_listed_overrides(blinds: object) -> object:
    """Turn the file's map of small blinds into the list that the rulebook holds; leave anything else as it is."""
    overrides = blinds.get("small_blind_overrides") if isinstance(blinds, Mapping) else None
    if isinstance(blinds, Mapping) and isinstance(overrides, Mapping):
        return {**blinds, "small_blind_overrides": _listed({str(big): small for big, small in overrides.items()})}
    return blinds


def _listed(overrides: Mapping[str, object]) -> list[dict[str, object]]:
    ascending = sorted(overrides, key=lambda big: (len(big), big))
    return [
        {"big_blind": int(big) if _CHIPS.fullmatch(big) else big, "small_blind": overrides[big]} for big in ascending
    ]


def _refuse_first(problems: Iterator[Problem], file: str) -> None:
    problem = next(problems, None)
    if problem is not None:
        raise RulebookError(file, *problem)
