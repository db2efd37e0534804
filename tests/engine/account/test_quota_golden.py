"""The houses' quotas, by the numbers of their golden tests: when a protection is granted and how many are left."""

from __future__ import annotations

import pytest

from engine.account.events import ProtectionRefused, ProtectionsReset, ProtectionUsed
from engine.account.quota import available
from engine.account.state import quota_book
from engine.errors import Rejected
from tests.engine.account.passbook import DAY_MS, Passbook, opened, protect, rebuilt, reset, rules

PACIFIC = rules("pacific")
AKPOKER = rules("akpoker")
TENTH_MS = DAY_MS // 10
HOUR_S = 3600


def pacific_at(*hours: int) -> Passbook:
    """Return an account at Pacific after protections at these hours."""
    book = opened()
    for hour in hours:
        book.at(hours=hour).do(protect(f"T1-{hour}", PACIFIC, rulebook_id="pacific"))
    return book


def akpoker_at(*tenths: int, more_resets: int = 0) -> Passbook:
    """Return an account at AKPokerClub after requests at these tenths of a day; a negative one is a reset."""
    book, terms = opened(), rules("akpoker", max_resets=3 + more_resets)
    for tenth in tenths:
        book.at(ms=abs(tenth) * TENTH_MS).do(protect(f"T1-{tenth}", terms) if tenth >= 0 else reset(terms))
    return book


@pytest.mark.parametrize(
    ("uses", "seconds", "left"),
    [
        ((0,), 0, 1),
        ((0, 20), 20 * HOUR_S, 0),
        ((0, 20), 21 * HOUR_S, 0),
        ((0, 20), 24 * HOUR_S - 1, 0),
        ((0, 20), 24 * HOUR_S, 1),
        ((0, 20), 30 * HOUR_S, 1),
        ((0, 20), 44 * HOUR_S, 2),
    ],
)
def test_pacifics_two_in_a_day(uses: tuple[int, ...], seconds: int, left: int) -> None:
    """G-PAC-10, R-PAC-28, AMB-05: any 24 hours, half open: a use exactly a day old no longer counts."""
    assert pacific_at(*uses).at(seconds=seconds).left(PACIFIC, "pacific") == left


def test_the_window_is_half_open_to_the_millisecond() -> None:
    """G-PAC-10, AMB-05: one millisecond before 24 h nothing is left, at 24 h one is."""
    book = pacific_at(0, 20)
    assert book.at(days=1, ms=-1).left(PACIFIC, "pacific") == 0
    assert book.at(days=1).left(PACIFIC, "pacific") == 1


def test_pacifics_third_in_a_day_is_refused() -> None:
    """G-PAC-10, R-PAC-28: at 23 h the quota of two is used up; the table folds (R-PAC-29)."""
    book = pacific_at(0, 20, 23)
    assert book.events == (ProtectionRefused("T1", "T1-23", "pacific", "real", "used_up"),)


def test_a_refusal_costs_nothing() -> None:
    """R-PAC-28: what was refused at 23 h is no use, so at 24 h one is left as if it had not been asked for."""
    assert pacific_at(0, 20, 23).at(hours=24).left(PACIFIC, "pacific") == 1


def test_pacific_bars_until_the_window_is_over() -> None:
    """R-PAC-30, AMB-03: once spent, no disconnection is an all-in until 24 hours after the first of the two."""
    assert not pacific_at(0, 1, 2, 12, 23).granted
    assert pacific_at(0, 1, 2, 12, 23, 24).granted


def test_pacific_has_no_resets() -> None:
    """R-PAC-28: two in a day and no way around it."""
    pacific_at(0, 20).refuses(reset(PACIFIC, rulebook_id="pacific"), "RESETS_USED_UP")


# Uses and resets over eight days. None: refused; else what is left.
DAYS = [
    ("use", 0, 1),
    ("use", 5, 0),
    ("use", 6, None),
    ("reset", 10, 2),
    ("use", 20, 1),
    ("use", 25, 0),
    ("reset", 30, 2),
    ("use", 35, 1),
    ("use", 40, 0),
    ("reset", 45, 2),
    ("use", 50, 1),
    ("use", 55, 0),
    ("use", 56, None),
    ("reset", 57, None),
    ("use", 70, None),
    ("use", 71, None),
    ("reset", 79, None),
    ("reset", 80, 2),
    ("use", 81, 1),
    ("use", 82, 0),
    ("use", 83, None),
]


@pytest.mark.parametrize("steps", range(1, len(DAYS) + 1))
def test_akpokerclubs_eight_in_a_week(steps: int) -> None:
    """G-AKP-D10, R-AKP-28, R-AKP-29, AMB-04: allotment, resets and the week's limits, step by step."""
    book, (what, tenth, left) = eight_days(steps), DAYS[steps - 1]
    event = book.log[-1][1] if book.log[-1][0] == tenth * TENTH_MS else None
    if left is not None:
        assert isinstance(event, ProtectionUsed if what == "use" else ProtectionsReset)
        assert event.remaining == left
    else:
        assert isinstance(event, ProtectionRefused) if what == "use" else event is None
    assert book.left(AKPOKER) == (left or 0)


def eight_days(steps: int) -> Passbook:
    """Return the account after the first steps."""
    book = opened()
    for what, tenth, left in DAYS[:steps]:
        book.at(ms=tenth * TENTH_MS)
        if what == "use":
            book.do(protect(f"T1-{tenth}"))
        elif left is None:
            book.refuses(reset(), "RESETS_USED_UP")
        else:
            book.do(reset())
    return book


def test_a_week_is_seven_times_a_day() -> None:
    """AMB-06: a use stops counting when it is 7 x 24 hours old, and the allotment is whole again by itself."""
    book = akpoker_at(0, 5)
    assert [book.at(ms=7 * DAY_MS + ms).left(AKPOKER) for ms in (-1, 0)] == [0, 1]
    assert [book.at(ms=7 * DAY_MS + 5 * TENTH_MS + ms).left(AKPOKER) for ms in (-1, 0)] == [1, 2]


def test_a_reset_wastes_what_was_left() -> None:
    """AMB-04: a reset restores two, also when one was left; eight is an upper bound."""
    assert akpoker_at(0, -1).left(AKPOKER) == 2


def test_each_request_for_a_reset_is_checked() -> None:
    """R-AKP-28: the fourth within seven days is refused, and says how many there are."""
    book = akpoker_at(-10, -20, -30).at(ms=79 * TENTH_MS)
    assert book.refuses(reset(), "RESETS_USED_UP").metadata == {"max_resets": 3}
    assert book.at(ms=80 * TENTH_MS).do(reset()).all(ProtectionsReset)[-1].remaining == 2


def test_the_ninth_in_a_week_is_refused_whatever_was_reset() -> None:
    """T-ABU-2, AMB-04, R-AKP-29: both limits are enforced: a fourth reset would not bring a ninth use."""
    book = akpoker_at(0, 1, -2, 3, 4, -5, 6, 7, -8, 9, 10, -11, more_resets=1)
    assert book.all(ProtectionsReset)[-1].remaining == 0
    assert not book.do(protect("T1-12", rules("akpoker", max_resets=4))).granted


def test_the_readers_clock_does_not_matter() -> None:
    """T-ABU-2, `rulebooks.md` section 11.8: a replay years later counts by the times of the events, and the same."""
    book = eight_days(len(DAYS))
    account = rebuilt(book.log)
    assert account == book.account
    assert available(quota_book(account, "akpoker", "real"), AKPOKER, 80 * TENTH_MS) == 0


def test_order_beats_the_clock() -> None:
    """AMB-04: of a use and a reset in the same millisecond the log's order says which came first."""
    book = opened().do(protect("T1-1")).do(reset()).do(protect("T1-2"))
    assert book.left(AKPOKER) == 1
    assert opened().do(protect("T1-1")).do(protect("T1-2")).do(reset()).left(AKPOKER) == 2


def test_a_refused_reset_is_no_reset() -> None:
    """R-AKP-28: what is refused is not on record and counts for nothing."""
    book = akpoker_at(-10, -20, -30)
    with pytest.raises(Rejected):
        book.do(reset())
    assert len(book.all(ProtectionsReset)) == 3
