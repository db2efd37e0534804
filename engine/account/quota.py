"""How often a player may be protected: a book of uses and resets, and what a house's rules read in it.

At time t, with the window (t - W, t] of W = window_s (`rulebooks.md` section 1, quota):

    base      = reset_to if there is a reset in the window, else allotment
    recent    = uses in the window;  since = those of them after the last reset in it
    available = max(0, min(base - since, max_uses - recent))

A use exactly W old no longer counts (AMB-05). With `allotment_refill = reset_only` a use counts against the base until
a reset, whatever its age. With `quota_window = fixed_from_first_use` the window opens with the first entry after the
last one closed, and closes W later.

Times are those of the account's own events, never a reader's clock, so every replay counts alike. A book is in the
order of the log: entries of one millisecond are still one before the other. Each entry that is added drops those that
no rule looks at any more, so a book holds about one window.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Literal, TypeAlias

import msgspec

from engine.rulebooks.rulebook import AllotmentRefill, ProtectionRules

MoneyKind: TypeAlias = Literal["real", "play"]
PLAY_MONEY = "/play"
"""How the units of play money end."""


class Use(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A protection that was used."""

    at_ms: int
    opened_ms: int
    """When the fixed window opened that it lies in; giving back the use that opened it does not move the window."""
    outage_id: str
    hands: tuple[str, ...]
    """The hands that were protected by it: several only with `count_per = outage`."""


class Reset(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A reset that was granted."""

    at_ms: int
    opened_ms: int


Entry: TypeAlias = Use | Reset


class QuotaBook(msgspec.Struct, frozen=True, gc=False):
    """Uses and resets in the order of the log."""

    entries: tuple[Entry, ...] = ()


def money_of(unit: str) -> MoneyKind:
    """Return what kind of money a unit is."""
    return "play" if unit.endswith(PLAY_MONEY) else "real"


def quota_of(money: MoneyKind, rules: ProtectionRules) -> MoneyKind:
    """Return whose quota a kind of money uses: its own, or that of real money (AMB-53)."""
    return "real" if rules.play_money_uses_quota else money


# What the rules read in a book.


def available(book: QuotaBook, rules: ProtectionRules, at_ms: int) -> int:
    """Return how many uses are left at `at_ms`, which is not before the last entry."""
    seen = _seen(book, rules, at_ms)
    base = rules.reset_to if _resets(seen) else rules.allotment
    counting = book.entries if rules.allotment_refill == "reset_only" else seen
    recent = len(seen) - _resets(seen)
    return max(0, min(base - _uses_since_reset(counting), rules.max_uses - recent))


def can_reset(book: QuotaBook, rules: ProtectionRules, at_ms: int) -> bool:
    """Say whether a reset may be granted at `at_ms`, which is not before the last entry."""
    return _resets(_seen(book, rules, at_ms)) < rules.max_resets


def covers(book: QuotaBook, rules: ProtectionRules, hand_id: str, outage_id: str, at_ms: int) -> bool:
    """Say whether a use that counts already protects this hand: its own (I10), or that of its outage (AMB-32)."""
    if any(hand_id in use.hands for use in _uses(book.entries)):
        return True
    if rules.count_per == "hand" or not outage_id:
        return False
    return any(use.outage_id == outage_id for use in _uses(_seen(book, rules, at_ms)))


def use_of(book: QuotaBook, hand_id: str) -> Use | None:
    """Return the use that protected a hand, or None."""
    return next((use for use in _uses(book.entries) if hand_id in use.hands), None)


def _seen(book: QuotaBook, rules: ProtectionRules, at_ms: int) -> tuple[Entry, ...]:
    """Return the entries in the window."""
    if rules.quota_window == "sliding":
        return _younger(book.entries, rules.window_s, at_ms)
    opened_ms = _opened_ms(book, rules.window_s, at_ms)
    return tuple(entry for entry in book.entries if entry.at_ms >= opened_ms)


def _younger(entries: tuple[Entry, ...], window_s: int, at_ms: int) -> tuple[Entry, ...]:
    """Return the entries in (t - W, t]."""
    return tuple(entry for entry in entries if entry.at_ms > at_ms - 1000 * window_s)


def _opened_ms(book: QuotaBook, window_s: int, at_ms: int) -> int:
    """Return when the fixed window opened that is open at `at_ms`: then, if none is."""
    if book.entries and at_ms < book.entries[-1].opened_ms + 1000 * window_s:
        return book.entries[-1].opened_ms
    return at_ms


def _uses(entries: tuple[Entry, ...]) -> tuple[Use, ...]:
    return tuple(entry for entry in entries if isinstance(entry, Use))


def _resets(entries: tuple[Entry, ...]) -> int:
    return len(entries) - len(_uses(entries))


def _uses_since_reset(entries: tuple[Entry, ...]) -> int:
    return len(tuple(takewhile(lambda entry: isinstance(entry, Use), reversed(entries))))


# How a book changes.


def with_use(  # noqa: PLR0913, PLR0917 - one argument for each fact.
    book: QuotaBook, hand_id: str, outage_id: str, window_s: int, refill: AllotmentRefill, at_ms: int
) -> QuotaBook:
    """Return the book after a use that counts, without what a window of `window_s` no longer shows."""
    use = Use(at_ms, _opened_ms(book, window_s, at_ms), outage_id, (hand_id,))
    return _with_entry(book, use, window_s, refill)


def with_reset(book: QuotaBook, window_s: int, refill: AllotmentRefill, at_ms: int) -> QuotaBook:
    """Return the book after a reset, without what a window of `window_s` no longer shows."""
    return _with_entry(book, Reset(at_ms, _opened_ms(book, window_s, at_ms)), window_s, refill)


def _with_entry(book: QuotaBook, entry: Entry, window_s: int, refill: AllotmentRefill) -> QuotaBook:
    """Add an entry; of the older ones keep those in the window and, with `reset_only`, every use since the last reset.

    Both are at the end of the book. A fixed window is never longer than the sliding one, so it is kept whole.
    """
    entries = (*book.entries, entry)
    kept = len(_younger(entries, window_s, entry.at_ms))
    if refill == "reset_only":
        kept = max(kept, _uses_since_reset(entries))
    return QuotaBook(entries[-kept:])


def with_hand(book: QuotaBook, hand_id: str, outage_id: str) -> QuotaBook:
    """Return the book after a hand was protected without another use: its outage has one, or the hand itself."""
    if use_of(book, hand_id) is not None:
        return book
    shared = [use for use in _uses(book.entries) if use.outage_id == outage_id][-1]
    return _exchanged(book, shared, (*shared.hands, hand_id))


def without_hand(book: QuotaBook, hand_id: str) -> QuotaBook:
    """Return the book as if a hand had not been protected; its use is gone unless another hand shares it."""
    use = use_of(book, hand_id)
    assert use is not None, "only a protection that was used is given back"
    return _exchanged(book, use, tuple(hand for hand in use.hands if hand != hand_id))


def _exchanged(book: QuotaBook, old: Use, hands: tuple[str, ...]) -> QuotaBook:
    """Return the book with other hands for a use, and without it when there are none."""
    new = (Use(old.at_ms, old.opened_ms, old.outage_id, hands),) if hands else ()
    place = book.entries.index(old)
    return QuotaBook((*book.entries[:place], *new, *book.entries[place + 1 :]))
