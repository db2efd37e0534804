"""The quota's other readings (fixed windows, refill by reset only), and what a book remembers."""

from __future__ import annotations

import msgspec
import pytest

from engine.account.commands import GiveBackProtection
from engine.account.events import ProtectionUsed
from engine.account.quota import Reset, Use
from engine.account.state import quota_book
from engine.rulebooks.rulebook import ProtectionRules
from tests.engine.account.passbook import Passbook, opened, protect, reset, rules

DAY_S = 86_400
FIXED = rules("akpoker", window_s=10, quota_window="fixed_from_first_use", max_uses=3, max_resets=1)
UNTIL_RESET = rules("akpoker", window_s=10, allotment_refill="reset_only", max_resets=1)


def played(terms: ProtectionRules, *seconds: int) -> Passbook:
    """Return the account after requests at these seconds; a negative one is a reset. The hand's id has the second."""
    book = opened()
    for second in seconds:
        book.at(seconds=abs(second)).do(reset(terms) if second < 0 else protect(f"T1-{second}", terms))
    return book


def remembered(book: Passbook) -> list[int]:
    """Return the seconds of the entries in the book of AKPokerClub; a negative one is a reset."""
    entries = quota_book(book.account, "akpoker", "real").entries
    return [entry.at_ms // 1000 * (-1 if isinstance(entry, Reset) else 1) for entry in entries]


# Fixed windows.


@pytest.mark.parametrize(
    ("seconds", "at", "left"),
    [
        ((), 0, 2),
        ((100,), 100, 1),
        ((100, 109), 109, 0),
        ((100, 109), 110, 2),
        ((100, 109, 112), 112, 1),
        ((100, 109, 112), 119, 1),
        ((100, 109, 112), 121, 1),
        ((100, 109, 112), 122, 2),
        ((100, 109, 110), 119, 1),
        ((100, -101, 102), 109, 1),
        ((100, -101, 102), 110, 2),
        ((100, 101, -102, 103), 103, 0),
    ],
)
def test_a_fixed_window_begins_with_the_first_use(seconds: tuple[int, ...], at: int, left: int) -> None:
    """AMB-05: `fixed_from_first_use` opens a window of W with the first use after the last one closed."""
    assert played(FIXED, *seconds).at(seconds=at).left(FIXED) == left


def test_a_fixed_window_lets_more_into_some_window() -> None:
    """AMB-05: that is why sliding is the default: four uses within two seconds of two windows."""
    book = played(FIXED, 100, 108, 109, 110, 111)
    assert [event.hand_id for event in book.all(ProtectionUsed)] == ["T1-100", "T1-108", "T1-110", "T1-111"]


def test_a_reset_opens_a_fixed_window_too() -> None:
    """R-AKP-28: so that resets are limited also before the first use."""
    book = played(FIXED, -100)
    book.at(seconds=109).refuses(reset(FIXED), "RESETS_USED_UP")
    assert book.at(seconds=110).do(reset(FIXED)).left(FIXED) == 2


def test_a_use_given_back_leaves_its_fixed_window_open() -> None:
    """I10: the use no longer counts; the window that it opened closes when it would have."""
    book = played(FIXED, 100, 105).do(GiveBackProtection("T1-100"))
    assert [book.at(seconds=at).left(FIXED) for at in (105, 109, 110)] == [1, 1, 2]


def test_a_lone_use_given_back_leaves_no_window() -> None:
    """I10: as if it had not been."""
    book = played(FIXED, 100).do(GiveBackProtection("T1-100")).at(seconds=108).do(protect("T1-108", FIXED))
    assert [book.at(seconds=at).left(FIXED) for at in (110, 117, 118)] == [1, 1, 2]


def test_a_shared_use_keeps_its_fixed_window() -> None:
    """AMB-32: a hand that joins a use does not move the window in which the use lies."""
    terms = msgspec.structs.replace(FIXED, count_per="outage")
    book = played(terms, 100).at(seconds=105).do(protect("T2-1", terms, outage_id="other"))
    book.do(protect("T3-1", terms, outage_id="other"))
    assert [book.at(seconds=at).left(terms) for at in (109, 110)] == [0, 2]


# Until a reset.


@pytest.mark.parametrize(
    ("seconds", "at", "left"),
    [
        ((0, 1), 999, 0),
        ((0,), 999, 1),
        ((0, 1, -2), 2, 2),
        ((0, 1, -2), 999, 2),
        ((0, 1, -2, 3, 4), 999, 0),
        ((0, 1, -2, 3, -20), 20, 2),
    ],
)
def test_a_use_may_count_until_a_reset(seconds: tuple[int, ...], at: int, left: int) -> None:
    """AMB-06: with `reset_only` a use counts against the base whatever its age, until a reset."""
    assert played(UNTIL_RESET, *seconds).at(seconds=at).left(UNTIL_RESET) == left


def test_the_base_of_an_old_reset_is_the_allotment() -> None:
    """`rulebooks.md` section 1, quota: reset_to holds while the reset is in the window, also with `reset_only`."""
    terms = rules("akpoker", window_s=10, allotment_refill="reset_only", reset_to=4)
    book = played(terms, 0, -1, 2)
    assert [book.at(seconds=at).left(terms) for at in (10, 11)] == [3, 1]


@pytest.mark.parametrize(("at", "left"), [(9, 1), (10, 0), (11, 0), (12, 1)])
def test_nothing_is_left_but_never_less(at: int, left: int) -> None:
    """`rulebooks.md` section 1, quota: more uses than the base, once a generous reset is old, leave nothing."""
    terms = rules("akpoker", window_s=10, reset_to=4)
    book = opened().do(reset(terms))
    for second in (1, 2, 3):
        book.at(seconds=second).do(protect(f"T1-{second}", terms))
    assert book.at(seconds=at).left(terms) == left


def test_the_windows_limit_holds_until_a_reset_too() -> None:
    """AMB-04: max_uses counts the uses in the window, whatever was reset."""
    terms = rules("akpoker", window_s=10, allotment_refill="reset_only", max_uses=3)
    book = played(terms, 0, 1, -2, 3)
    assert [book.at(seconds=at).left(terms) for at in (9, 10, 11)] == [0, 1, 1]


# What a book remembers.


def test_a_book_forgets_what_no_rule_sees() -> None:
    """A use drops the entries that have left the window; one exactly W old has."""
    terms = rules("akpoker", window_s=10)
    assert remembered(played(terms, 0, 1, -2, 10)) == [1, -2, 10]
    assert remembered(played(terms, 0, 1, -2, -12)) == [-12]


def test_a_refusal_makes_a_book_forget_nothing() -> None:
    """An answer that changes nothing leaves the book alone."""
    assert remembered(played(rules("akpoker", window_s=10), 0, 1, 2)) == [0, 1]


def test_a_book_keeps_what_only_a_reset_ends() -> None:
    """AMB-06: with `reset_only` old uses stay, until a reset and the window are past."""
    assert remembered(played(UNTIL_RESET, 0, 100)) == [0, 100]
    assert remembered(played(UNTIL_RESET, 0, 1, -2, 11)) == [-2, 11]
    assert remembered(played(UNTIL_RESET, 0, 1, -2, 13, 113)) == [13, 113]


def test_an_entry_knows_its_fixed_window() -> None:
    """AMB-05: so that a book which has forgotten earlier windows still knows when the open one began."""
    entries = quota_book(played(FIXED, 100, 109, 112, -113).account, "akpoker", "real").entries
    assert entries[-2:] == (Use(112_000, 112_000, "outage", ("T1-112",)), Reset(113_000, 112_000))


def test_a_year_of_outages_leaves_a_small_book() -> None:
    """Two protections a day at Pacific for a year: two are remembered."""
    book, terms = opened(), rules("pacific")
    for day in range(365):
        for hand in range(2):
            book.at(seconds=day * DAY_S + hand).do(protect(f"T1-{day}-{hand}", terms, rulebook_id="pacific"))
    assert len(book.all(ProtectionUsed)) == 730
    assert len(quota_book(book.account, "pacific", "real").entries) == 2
