"""The page of clauses is what its sources make of it, and every clause is proven or waits for a named part."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.docs.clauses import (
    Ambiguity,
    Catalogue,
    Clause,
    Proof,
    Waiting,
    documented_tests,
    find_proofs,
    load_catalogue,
    problems,
)
from tests.docs.rulebook_page import PAGE, Values, linked, open_list, page, silent_fields, written

NAME = "R-" + "PAC-1"  # In two pieces, so that nobody takes these tests for proofs.
OTHER = "R-" + "PAC-2"
RAKE = "rake.bps"


def test_page_is_what_its_sources_say() -> None:
    """The committed page equals the generated one; `python -m tests.docs.rulebook_page` writes it again."""
    generated = page(load_catalogue(), find_proofs())
    if PAGE.read_text() != generated:
        pytest.fail("docs/rulebooks.md is out of date: run python -m tests.docs.rulebook_page", pytrace=False)


def test_every_clause_is_proven_or_open() -> None:
    """A clause that no test names must be on the open list, with a reason; what is proven must not stay there."""
    found = list(problems(load_catalogue(), find_proofs()))
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def catalogue(
    clause: Clause | None = None,
    *,
    ids: tuple[str, ...] = (),
    partly: tuple[str, ...] = (),
    ambiguity: Ambiguity | None = None,
) -> Catalogue:
    """Return a catalogue of one clause and one open list."""
    clauses = {NAME: clause or Clause("table", (RAKE,), "It rains.")}
    ambiguities = {"AMB-" + "01": ambiguity} if ambiguity else {}
    return Catalogue(clauses, ambiguities, {"accounts": Waiting("Later.", ids, partly)})


def proofs(*names: str) -> Mapping[str, list[Proof]]:
    """Return a proof for each id."""
    return {name: [Proof("tests/test_rain.py", "test_rain")] for name in names}


LATER = Clause("later", (), "It snows.")
WRONG = (
    (catalogue(), proofs(), f"{NAME}: no test names it, and it does not wait as a whole"),
    (catalogue(LATER), proofs(), f"{NAME}: no test names it, and it does not wait as a whole"),
    (catalogue(LATER, partly=(NAME,)), proofs(), f"{NAME}: no test names it, and it does not wait as a whole"),
    (catalogue(LATER, ids=(NAME,)), proofs(NAME), f"{NAME}: test_rain proves it, so it does not wait as a whole"),
    (catalogue(ids=(NAME,)), proofs(), f"{NAME}: is part of the table, so it cannot wait"),
    (catalogue(partly=(NAME,)), proofs(NAME), f"{NAME}: is part of the table, so it cannot wait"),
    (catalogue(ids=(OTHER,)), proofs(NAME), f"{OTHER}: is on the open list, but there is no such clause"),
    (catalogue(LATER, ids=(NAME,), partly=(NAME,)), proofs(), f"{NAME}: is on the open list twice"),
    (catalogue(), proofs(NAME, OTHER), f"{OTHER}: test_rain names it, but there is no such clause"),
    (catalogue(Clause("table", ("rake.wet",), "")), proofs(NAME), f"{NAME}: there is no field rake.wet"),
    (catalogue(ambiguity=Ambiguity(("wet.bps",), "", "")), proofs(NAME), "AMB-" + "01: there is no field wet.bps"),
)


@pytest.mark.parametrize(("broken", "found", "problem"), WRONG)
def test_problem_is_found(broken: Catalogue, found: Mapping[str, list[Proof]], problem: str) -> None:
    """Each way in which clauses and proofs can disagree is named."""
    assert problem in list(problems(broken, found))


@pytest.mark.parametrize(
    ("good", "found"),
    [
        (catalogue(), proofs(NAME)),
        (catalogue(LATER, ids=(NAME,)), proofs()),
        (catalogue(LATER, partly=(NAME,)), proofs(NAME)),
    ],
)
def test_agreement_is_no_problem(good: Catalogue, found: Mapping[str, list[Proof]]) -> None:
    """A clause that is proven, that waits, or that is proven in part while the rest waits, is in order."""
    assert list(problems(good, found)) == []


def test_an_empty_open_list_says_so() -> None:
    """A reader of the page sees that no clause waits."""
    assert list(open_list(Catalogue({}, {}, {}))) == ["Nothing: every clause is proven."]


def test_only_docstrings_of_tests_prove() -> None:
    """Ids in comments, in other functions and in module docstrings prove nothing."""
    source = f'"""{NAME}"""\ndef helper():\n    """{NAME}"""\ndef test_rain():\n    """It rains."""\n    # {NAME}\n'
    assert list(documented_tests(source)) == [("test_rain", "It rains.")]


def test_proofs_are_listed_by_file() -> None:
    """Tests of one file stand together, without line numbers."""
    found = {NAME: [Proof("tests/test_rain.py", "test_rain"), Proof("tests/test_rain.py", "test_hail")]}
    assert linked(found, NAME) == "[test_rain.py](../tests/test_rain.py): `test_rain`, `test_hail`"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (0, "0"),
        ([], "none"),
        ({}, "none"),
        (["FL", "NL"], "FL, NL"),
        ({"cash": "moving", "tournament": "dead"}, "cash: moving, tournament: dead"),
        ({"no_limit": {"times": 20, "of": "big_blind"}}, "no_limit: 20 × big_blind"),
        ([{"pot_bb": 10, "seconds": 60}], "from 10 bb: 60 s"),
        ([{"dealt": 2, "cap": 100}], "from 2 dealt: 100"),
    ],
)
def test_values_read_well(value: object, text: str) -> None:
    """Values are written for readers, not as TOML."""
    assert written(value) == text


def test_silence_of_a_house_is_marked() -> None:
    """A field whose comment says that the house is silent has a mark, any other has none."""
    text = "[rake]\nbps = 0  # silent: our default\nunit = 1\n[words]\nraises = []  # pot limit silent\n"
    assert list(silent_fields(text)) == ["rake.bps", "words.raises"]
    assert Values("pacific").of("deal.burn") == "none°"
    assert Values("pacific").of("betting.fl_max_raises") == "3"
