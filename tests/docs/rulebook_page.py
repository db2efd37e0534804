"""Writes docs/rulebooks.md: `python -m tests.docs.rulebook_page`.

The page joins three sources that are edited, and is never edited itself: the clauses (docs/clauses.toml), the values
(engine/rulebooks/*.toml, where the comment "silent" marks our defaults), and the tests whose docstrings name the ids.
Tests are named, without line numbers, so that the page changes only when a proof comes, goes or gets another name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence

from engine.rulebooks.fields import section_fields
from engine.rulebooks.loading import HOUSES, load
from tests.docs.clauses import ROOT, Catalogue, Proofs, find_proofs, load_catalogue

PAGE = ROOT / "docs/rulebooks.md"
PREFIXES = dict(zip(("PAC", "PLA", "AKP", "FRE", "MOD"), HOUSES, strict=True))
TOP_LEVEL = ("title", "version", "table_may_set")
DEFAULT = "°"
HEADER = f"""# Rulebooks: every clause, its field, its proof

<!-- Generated from docs/clauses.toml, engine/rulebooks/*.toml and the docstrings of the tests. Do not edit.
     To write it again: .venv/bin/python -m tests.docs.rulebook_page -->

The dealer plays by one of five rulebooks. Each clause of a house (R-…) and each golden test (G-…) has a permanent
number; a test proves it by naming that number in its docstring, and `make test` fails when a clause has no proof. A
clause may wait for a part that is not there yet, as a whole or in part: see [Open](#open). Amounts are minor units.
`{DEFAULT}` marks a value on which the house's text is silent: it is our default. `modern` has no marks, since all its
values are our choice.
"""


def page(catalogue: Catalogue, proofs: Proofs) -> str:
    """Return the whole page."""
    parts: list[str] = [HEADER, *summary(catalogue, proofs)]
    for prefix, house in PREFIXES.items():
        parts += [f"\n## {load(house).title}\n", *house_table(catalogue, proofs, prefix, Values(house))]
    parts += ["\n## All fields\n", *field_matrix()]
    parts += ["\n## Ambiguities\n", *ambiguity_table(catalogue, proofs)]
    parts += ["\n## Open\n", *open_list(catalogue)]
    return "\n".join(parts) + "\n"


class Values:
    """The values of a house as its file states them."""

    def __init__(self, house: str) -> None:
        """Read the file of a house."""
        text = (ROOT / f"engine/rulebooks/{house}.toml").read_text()
        self._tree = tomllib.loads(text)
        self._silent = set(silent_fields(text))

    def of(self, field: str) -> str:
        """Return a field's value for the page, with a mark when the house is silent."""
        section, _, name = field.rpartition(".")
        values = self._tree[section] if section else self._tree
        return written(values[name]) + DEFAULT * (field in self._silent)


def silent_fields(text: str) -> Iterator[str]:
    """Yield the fields of a rulebook file whose comment says that the house is silent."""
    section = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            section = heading[1]
        elif field := re.match(r"(\w+) = .*#.*\bsilent\b", line):
            yield f"{section}.{field[1]}"


def written(value: object) -> str:
    """Return a value of a rulebook as a reader of the page sees it."""
    match value:
        case bool():
            text = "yes" if value else "no"
        case {"times": times, "of": unit}:
            text = f"{times} × {unit}"
        case {"pot_bb": pot_bb, "seconds": seconds}:
            text = f"from {pot_bb} bb: {seconds} s"
        case {"dealt": dealt, "cap": cap}:
            text = f"from {dealt} dealt: {cap}"
        case dict():
            text = ", ".join(f"{key}: {written(entry)}" for key, entry in value.items()) or "none"
        case list():
            text = ", ".join(written(entry) for entry in value) or "none"
        case _:
            text = str(value)
    return text


def summary(catalogue: Catalogue, proofs: Proofs) -> Iterator[str]:
    """Yield how many clauses each house has, and how many are proven, proven in part, and waiting."""
    rows = []
    for prefix, house in PREFIXES.items():
        ids = set(clauses_of(catalogue, prefix))
        partly, waiting = ids.intersection(catalogue.partly), ids.intersection(catalogue.waiting)
        counts = (ids, ids.intersection(proofs) - partly, partly, waiting)
        title = load(house).title
        rows.append((f"[{title}](#{anchor(title)})", *(str(len(names)) for names in counts)))
    yield from table(("House", "Clauses and golden tests", "Proven", "In part", "Waiting"), rows)


def house_table(catalogue: Catalogue, proofs: Proofs, prefix: str, values: Values) -> Iterator[str]:
    """Yield the clauses of a house, each with the values of its fields and its proofs."""
    rest = {name: part for part, entry in catalogue.open.items() for name in (*entry.ids, *entry.partly)}
    rows = []
    for name in clauses_of(catalogue, prefix):
        clause = catalogue.clauses[name]
        fields = "<br>".join(f"`{field}` = {values.of(field)}" for field in clause.fields)
        waits = f"waits for [{rest[name]}](#open)" if name in rest else ""
        proven = "<br>".join(part for part in (linked(proofs, name), waits) if part) or "**none**"
        rows.append((name, clause.says, fields, proven))
    yield from table(("Clause", "What it says", "Fields", "Proven by"), rows)


def clauses_of(catalogue: Catalogue, prefix: str) -> list[str]:
    """Return the ids of a house, requirements first."""
    return [name for name in catalogue.clauses if name.split("-")[1] == prefix]


def field_matrix() -> Iterator[str]:
    """Yield every field with its value in the five houses, one table per section."""
    values = [Values(house) for house in HOUSES]
    yield from table(("Field", *HOUSES), [(f"`{name}`", *(house.of(name) for house in values)) for name in TOP_LEVEL])
    yield ""
    for section, names in section_fields().items():
        yield f"### {section}\n"
        rows = [(f"`{name}`", *(house.of(f"{section}.{name}") for house in values)) for name in names]
        yield from table(("Field", *HOUSES), rows)
        yield ""


def ambiguity_table(catalogue: Catalogue, proofs: Proofs) -> Iterator[str]:
    """Yield the points that a house leaves open, with what is done, the flags that change it, and the tests."""
    rows = []
    for name, ambiguity in catalogue.ambiguities.items():
        flags = "<br>".join(f"`{field}`" for field in ambiguity.fields)
        rows.append((name, ambiguity.asks, ambiguity.does, flags, linked(proofs, name)))
    yield from table(("No.", "Question", "What is done", "Flags", "Tests"), rows)


def open_list(catalogue: Catalogue) -> Iterator[str]:
    """Yield the clauses that wait, by what they wait for."""
    if not catalogue.open:
        yield "Nothing: every clause is proven."
    for part, entry in catalogue.open.items():
        yield f"* **{part}**: {entry.reason} As a whole: {', '.join(entry.ids)}."
        if entry.partly:
            yield f"  Proven for the table's part: {', '.join(entry.partly)}."


def linked(proofs: Proofs, name: str) -> str:
    """Return the tests that name a clause, by file."""
    files: dict[str, list[str]] = {}
    for proof in proofs.get(name, []):
        files.setdefault(proof.path, []).append(f"`{proof.name}`")
    return "<br>".join(
        f"[{path.removeprefix('tests/')}](../{path}): {', '.join(files[path])}" for path in sorted(files)
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    yield from (f"| {' | '.join(row)} |" for row in rows)


def anchor(title: str) -> str:
    """Return the address of a heading on its page."""
    return title.lower().replace(" ", "-")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(load_catalogue(), find_proofs()))


if __name__ == "__main__":
    main()
