"""The quota over random lives: never more than the rules allow, and always what the slow model says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.account.commands import GiveBackProtection
from engine.account.events import ProtectionsReset, ProtectionUsed
from engine.account.state import quota_book
from engine.errors import Rejected
from engine.rulebooks.rulebook import ProtectionRules
from tests.engine.account.passbook import Passbook, opened, protect, rebuilt, reset, rules
from tests.engine.account.quota_model import QuotaModel

WINDOW_S = 3
SLIDING = rules("akpoker", window_s=WINDOW_S)


class Step(NamedTuple):
    """Something that a player or his table does, some time after the step before."""

    wait_ms: int
    what: str
    hand: int
    outage: int

    @property
    def hand_id(self) -> str:
        """The hand."""
        return f"T{self.hand}-1"


waits = st.integers(0, 2000) | st.sampled_from([0, 1, 999, 1000, 1000 * WINDOW_S - 1, 1000 * WINDOW_S])
steps = st.builds(
    Step, waits, st.sampled_from(["use", "use", "use", "reset", "void"]), st.integers(0, 9), st.integers(0, 5)
)
lives = st.lists(steps, max_size=40)
numbers = st.integers(0, 4)


@st.composite
def houses(draw: st.DrawFn) -> ProtectionRules:
    """Draw the rules of a house with sliding windows."""
    allotment, reset_to = draw(numbers), draw(numbers)
    return msgspec.structs.replace(
        SLIDING,
        allotment=allotment,
        reset_to=reset_to,
        max_uses=max(allotment, reset_to) + draw(numbers),
        max_resets=draw(numbers),
        allotment_refill=draw(st.sampled_from(["aged", "reset_only"])),
        count_per=draw(st.sampled_from(["hand", "outage"])),
    )


def take(book: Passbook, step: Step, terms: ProtectionRules) -> bool:
    """Take a step; return whether it was granted."""
    book.at_ms += step.wait_ms
    if step.what == "void":
        return bool(book.do(GiveBackProtection(step.hand_id)).events)
    if step.what == "use":
        return book.do(protect(step.hand_id, terms, outage_id=f"outage {step.outage}")).granted
    try:
        book.do(reset(terms))
    except Rejected:
        return False
    return True


def follow(model: QuotaModel, step: Step, at_ms: int) -> bool:
    """Let the model take the same step; return whether it was granted."""
    if step.what == "void":
        return model.give_back(step.hand_id)
    if step.what == "use":
        return model.ask(step.hand_id, f"outage {step.outage}", at_ms)
    return model.reset(at_ms)


def told_apart(life: list[Step], *, voids: bool = True) -> Iterator[Step]:
    """Yield the steps of a life in which every use is in a hand of its own, and one of the last hands is voided."""
    hand = 0
    for step in life:
        if step.what == "void":
            if voids:
                yield step._replace(hand=hand - step.hand % 4)
        else:
            hand += 1
            yield step._replace(hand=hand)


def lived(life: list[Step], terms: ProtectionRules) -> Passbook:
    """Return the account after a life."""
    book = opened()
    for step in life:
        take(book, step, terms)
    return book


@given(houses(), lives)
def test_the_books_say_what_the_formula_says(terms: ProtectionRules, life: list[Step]) -> None:
    """`rulebooks.md` section 1, quota: at every step, void hands included, although a book forgets what is over."""
    book, model = opened(), QuotaModel(terms)
    for step in told_apart(life):
        assert take(book, step, terms) is follow(model, step, book.at_ms) or step.what == "void"
        assert book.left(terms) == model.available(book.at_ms)


@given(houses(), lives, st.integers(0, 4000))
def test_a_fixed_window_says_what_the_formula_says(terms: ProtectionRules, life: list[Step], later_ms: int) -> None:
    """AMB-05, `rulebooks.md` section 1: the same with `fixed_from_first_use`, while no hand is voided."""
    terms = msgspec.structs.replace(terms, quota_window="fixed_from_first_use")
    book, model = opened(), QuotaModel(terms)
    for step in told_apart(life, voids=False):
        assert take(book, step, terms) is follow(model, step, book.at_ms)
    book.at_ms += later_ms
    assert book.left(terms) == model.available(book.at_ms)


@given(houses(), lives)
def test_no_window_has_more_than_its_uses_and_resets(terms: ProtectionRules, life: list[Step]) -> None:
    """R-PAC-28, R-AKP-28, R-AKP-29, T-ABU-2: in any window of length W, whatever the times."""
    log = lived(list(told_apart(life, voids=False)), terms).log
    uses = [at_ms for at_ms, event in log if isinstance(event, ProtectionUsed) and event.counted]
    resets = [at_ms for at_ms, event in log if isinstance(event, ProtectionsReset)]
    for end_ms in (*uses, *resets):
        start_ms = end_ms - 1000 * terms.window_s
        assert sum(start_ms < at_ms <= end_ms for at_ms in uses) <= terms.max_uses
        assert sum(start_ms < at_ms <= end_ms for at_ms in resets) <= terms.max_resets


@given(houses(), lives, st.integers(0, 4000))
def test_what_is_left_never_exceeds_the_limit(terms: ProtectionRules, life: list[Step], later_ms: int) -> None:
    """AMB-04: available(t) is at most max_uses less the uses in the window, and never below zero."""
    book, model = opened(), QuotaModel(terms)
    for step in told_apart(life):
        take(book, step, terms)
        follow(model, step, book.at_ms)
    book.at_ms += later_ms
    assert 0 <= book.left(terms) <= terms.max_uses - model.recent(book.at_ms)


@given(houses(), lives)
def test_each_hand_counts_at_most_once(terms: ProtectionRules, life: list[Step]) -> None:
    """I10: of one hand, never two uses that both count."""
    book = lived(life, terms)
    hands = [hand for use in book_uses(book) for hand in use]
    assert len(hands) == len(set(hands))


@given(houses(), lives)
def test_what_remains_is_what_the_event_says(terms: ProtectionRules, life: list[Step]) -> None:
    """A reader of the event need not count: `remaining` is what is left just after it."""
    book = opened()
    for step in life:
        take(book, step, terms)
        if book.events and isinstance(book.events[-1], ProtectionUsed | ProtectionsReset):
            assert book.events[-1].remaining == book.left(terms)


@given(houses(), lives)
def test_a_book_holds_one_window(terms: ProtectionRules, life: list[Step]) -> None:
    """A book never holds more than a window allows, and with `reset_only` the uses since the last reset."""
    book = lived(life, terms)
    kept = len(quota_book(book.account, "akpoker", "real").entries)
    assert kept <= terms.max_uses + terms.max_resets + max(terms.allotment, terms.reset_to)


@given(houses(), lives)
def test_a_replay_counts_alike(terms: ProtectionRules, life: list[Step]) -> None:
    """`rulebooks.md` section 11.8, P4: quotas depend on the times of the account's own events and on nothing else."""
    book = lived(life, terms)
    assert rebuilt(book.log) == book.account


@pytest.mark.parametrize("house", ["pacific", "akpoker"])
@given(life=st.lists(st.integers(0, 40_000), min_size=1, max_size=40))
def test_the_houses_keep_their_word(house: str, life: list[int]) -> None:
    """R-PAC-28, R-AKP-29: at most two in any 24 hours, eight in any seven days, for random times in seconds."""
    terms, book, second = rules(house), opened(), 0
    for number, wait_s in enumerate(life):
        second += wait_s
        take(book.at(seconds=second), Step(0, "reset", 0, 0), terms)
        book.do(protect(f"T1-{number}", terms))
    used = [at_ms for at_ms, event in book.log if isinstance(event, ProtectionUsed)]
    window_ms = 1000 * terms.window_s
    assert all(sum(end_ms - window_ms < at_ms <= end_ms for at_ms in used) <= terms.max_uses for end_ms in used)


def book_uses(book: Passbook) -> list[tuple[str, ...]]:
    """Return the hands of each use in the book of AKPokerClub."""
    entries = quota_book(book.account, "akpoker", "real").entries
    return [hands for entry in entries if (hands := getattr(entry, "hands", ()))]
