"""The five files as text, and rulebooks that differ from them in a few fields."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from engine.rulebooks.loading import build
from engine.rulebooks.rulebook import Rulebook


def text_of(house: str) -> str:
    """Return the TOML text of a house."""
    return resources.files("engine.rulebooks").joinpath(f"{house}.toml").read_text("utf-8")


def changed(house: str, changes: Mapping[str, object]) -> Rulebook:
    """Return the rulebook of a house with other values in some fields ("table.seats_min", "version")."""
    tree: dict[str, Any] = tomllib.loads(text_of(house))
    for name, value in changes.items():
        section, dot, field = name.rpartition(".")
        (tree[section] if dot else tree)[field] = value
    return build(tree, f"{house}.toml")
