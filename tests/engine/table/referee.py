"""A second opinion on betting: who is to act and what he may do, from the rulebook and the events of the hand alone.

The referee keeps what was said on this street as a list and reads the rules off it again at every turn, as
`rulebooks.md` states them: no set of pending seats, no level, no state of the engine. He is slow and simple on purpose.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.poker.seats import Seat
from engine.rulebooks.rulebook import Rulebook
from engine.table import events as said
from engine.table.events import TableEvent


class Said(NamedTuple):
    """What a player did on this street, and the price of a call afterwards."""

    seat: Seat
    price: int
    raised: bool
    counts: bool
    """It was a full bet or raise."""


class Opinion(NamedTuple):
    """What a player may do: fold, check, what a call costs, the least and the largest total of a raise."""

    fold: bool
    check: bool
    call: int
    raise_to: tuple[int, int] | None


class Referee:
    """The betting of one hand."""

    def __init__(self, rules: Rulebook, started: said.HandStarted) -> None:
        """Begin a hand."""
        self.rules, self.started, self.stakes = rules, started, started.stakes
        self.fixed = started.stakes.limit_type == "fixed_limit"
        self.order = sorted(started.seats)
        self.stack = dict(zip(started.seats, started.stacks, strict=True))
        self.bet = dict.fromkeys(started.seats, 0)
        self.folded: set[Seat] = set()
        self.protected: set[Seat] = set()
        self.waiting: set[Seat] = set()
        self.pot = self.missing_blinds = self.street = 0
        self.dealt = self.over = False
        self.heads_up = len(started.seats) == 2
        self.said: list[Said] = []

    def hear(self, event: TableEvent) -> None:  # noqa: C901 - one case for each kind of event.
        """Take note of an event."""
        match event:
            case said.ButtonMoved(small_posts=small_posts) if self.started.big_blind >= 0:
                self.missing_blinds = self.stakes.big_blind + small_posts * self.stakes.small_blind
            case said.AntePosted(seat=seat, amount=amount) | said.DeadBlindPosted(seat=seat, amount=amount):
                self._pay(seat, amount, live=False)
            case said.BlindPosted(seat=seat, amount=amount, blind=blind):
                self._pay(seat, amount)
                self.missing_blinds -= 0 if blind == "entry" else amount
            case said.HoleCardsDealt():
                self.dealt = True
            case said.StreetDealt():
                self.street, self.bet, self.said = self.street + 1, dict.fromkeys(self.bet, 0), []
                self.heads_up = len(self.live) == 2
            case said.PotSplit() | said.PotAwarded():
                self.over = True
            case said.Folded(seat=seat) | said.Checked(seat=seat) | said.Called(seat=seat):
                self.said.append(Said(seat, self.price, raised=False, counts=False))
                self.folded |= {seat} if isinstance(event, said.Folded) else set()
                self._pay(seat, event.amount if isinstance(event, said.Called) else 0)
            case said.Bet(seat=seat, amount=amount) | said.Raised(seat=seat, amount=amount):
                to = self.bet[seat] + amount
                self.said.append(Said(seat, to, raised=True, counts=self.counts(to)))
                self._pay(seat, amount)
            case said.ProtectionRequested(seat=seat):
                self.waiting.add(seat)
            case said.ProtectionRefused(seat=seat):
                self.waiting.discard(seat)
            case said.PlayerProtected(seat=seat):
                self.waiting.discard(seat)
                self.protected.add(seat)
            case _:
                return

    def _pay(self, seat: Seat, amount: int, *, live: bool = True) -> None:
        self.stack[seat] -= amount
        self.bet[seat] += amount if live else 0
        self.pot += amount

    @property
    def live(self) -> list[Seat]:
        """Who can still win."""
        return [seat for seat in self.order if seat not in self.folded]

    @property
    def able(self) -> list[Seat]:
        """Who can still put chips in."""
        return [seat for seat in self.live if self.stack[seat] and seat not in self.protected]

    @property
    def price(self) -> int:
        """What one must have in on this street: the full big blind in round 1, however short it was posted."""
        blind = self.stakes.big_blind if self.street == 0 and self.started.big_blind >= 0 else 0
        return max([blind, *(done.price for done in self.said)])

    @property
    def counted(self) -> int:
        """How many bets and raises of this street count, the big blind among them."""
        return sum(done.counts for done in self.said) + (self.street == 0 and self.started.big_blind >= 0)

    @property
    def increment(self) -> int:
        """The largest full bet or raise of this street, never less than the least bet."""
        largest, before = self.stakes.min_bet, self.price_before(0)
        for done in self.said:
            if done.counts:
                largest = max(largest, done.price - before)
            before = done.price
        return largest

    def price_before(self, number: int) -> int:
        """Return the price before the action of this number."""
        if number:
            return self.said[number - 1].price
        return self.stakes.big_blind if self.street == 0 and self.started.big_blind >= 0 else 0

    @property
    def unit_raise(self) -> int:
        """Fixed limit: where the next bet or raise goes."""
        unit = self.stakes.small_bet if self.street < 2 else self.stakes.big_bet
        if self.rules.betting.fl_after_short_all_in == "full_level":
            return (self.counted + 1) * unit
        return self.price + unit

    def counts(self, to: int) -> bool:
        """Say whether a bet or raise to a total is a full one."""
        if not self.fixed:
            return to >= self.price + self.increment
        half = self.rules.betting.fl_short_all_in_counts == "half_unit"
        unit = self.stakes.small_bet if self.street < 2 else self.stakes.big_bet
        return to >= self.unit_raise - (unit // 2 if half else 0)

    def is_open_to(self, seat: Seat) -> bool:
        """Say whether a player may raise again: he has not acted, or enough has been raised since he did."""
        own = [number for number, done in enumerate(self.said) if done.seat == seat]
        if not own:
            return True
        since = self.said[own[-1] + 1 :]
        if self.fixed or self.rules.betting.short_all_in_reopens == "single_full_raise":
            return any(done.counts for done in since)
        if self.rules.betting.short_all_in_reopens == "always":
            return any(done.raised for done in since)
        return self.price - self.said[own[-1]].price >= self.increment

    @property
    def to_act(self) -> Seat:
        """Whose action is waited for; -1 for nobody's."""
        if not self.dealt or self.over or self.waiting or len(self.live) < 2 or not self.able:
            return -1
        if len(self.able) == 1 and self.bet[self.able[0]] >= max(self.bet[seat] for seat in self.live):
            return -1
        start = self.order.index(self._first())
        for seat in self.order[start:] + self.order[:start]:
            if seat in self.able and self._owes(seat):
                return seat
        return -1

    def _first(self) -> Seat:
        """Return the seat with which to look for the next one to act."""
        if self.said:
            return self._clockwise_from(self.said[-1].seat + 1)
        if self.street == 0 and self.started.big_blind >= 0:
            return self._clockwise_from(self.started.big_blind + 1)
        if self.street and self.rules.betting.postflop_first == "small_blind_poster" and self.started.small_blind >= 0:
            return self._clockwise_from(self.started.small_blind)
        return self._clockwise_from(self.started.button + 1)

    def _clockwise_from(self, seat: Seat) -> Seat:
        return min(self.order, key=lambda other: (other < seat, other))

    def _owes(self, seat: Seat) -> bool:
        """Say whether a player has not acted since the last bet or raise."""
        for done in reversed(self.said):
            if done.seat == seat:
                return False
            if done.raised:
                return True
        return True

    def opinion(self) -> Opinion:
        """Return what the player to act may do."""
        seat = self.to_act
        owed, everything = self.price - self.bet[seat], self.stack[seat] + self.bet[seat]
        free = owed <= 0
        return Opinion(
            fold=not free or self.rules.betting.fold_when_check_free,
            check=free,
            call=0 if free else min(owed, self.stack[seat]),
            raise_to=self._raise_to(seat, everything) if self._may_raise(seat, everything) else None,
        )

    def _may_raise(self, seat: Seat, everything: int) -> bool:
        rules = self.rules.betting
        capped = self.fixed and not (rules.uncapped_heads_up and self.heads_up) and self.counted > rules.fl_max_raises
        answered = any(self.stack[other] + self.bet[other] > self.price for other in self.able if other != seat)
        return everything > self.price and not capped and answered and self.is_open_to(seat)

    def _raise_to(self, seat: Seat, everything: int) -> tuple[int, int]:
        if self.fixed:
            exact = min(self.unit_raise, everything)
            return exact, exact
        least, most = self.price + self.increment, everything
        if self.stakes.limit_type == "pot_limit":
            full_blinds = self.street == 0 and self.rules.betting.pot_limit_short_blinds == "as_full"
            pot = self.pot + (self.missing_blinds if full_blinds else 0)
            if self.rules.betting.pot_limit_raise_basis == "pot_after_call":
                pot += self.price - self.bet[seat]
            most = min(everything, max(least, self.price + pot))
        return min(least, most), most
