"""The betting of a hand without the engine: a queue of players to ask, and tuples of numbers. It only counts.

Written against `rulebooks.md` section 4 for the `modern` house: seat 0 has the button, nobody posts an ante. Instead of
sets of pending seats it keeps the queue of those who have still to be asked; instead of a level it remembers at what
price, and after how many raises, each player last said something.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.poker.betting import LimitType


class TinyGame(NamedTuple):
    """A game to be counted; stacks by seat."""

    limit: LimitType
    stacks: tuple[int, ...]
    small_blind: int = 1
    big_blind: int = 2
    most_raises: int = 3
    pot_after_call: bool = True
    free_folds: bool = True

    def unit(self, street: int) -> int:
        """Return the fixed-limit unit of a street."""
        return self.big_blind if street < 2 else 2 * self.big_blind


class Count(NamedTuple):
    """How many different hands there are, how many of them have a showdown, and how many actions make the tree."""

    hands: int
    showdowns: int
    actions: int


NOTHING = Count(0, 0, 0)


class Place(NamedTuple):
    """A place in the tree."""

    street: int
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    folded: frozenset[int]
    queue: tuple[int, ...]
    """Who is still to be asked, in order."""
    price: int
    step: int
    """The largest full bet or raise of the street."""
    counted: int
    """Bets and raises that count towards the cap."""
    heard: tuple[tuple[int, int] | None, ...]
    """Price and number of counted raises when each player last acted on this street."""

    @property
    def live(self) -> list[int]:
        """Who can still win."""
        return [seat for seat in range(len(self.stacks)) if seat not in self.folded]

    @property
    def able(self) -> list[int]:
        """Who has chips behind."""
        return [seat for seat in self.live if self.stacks[seat]]


def added(total: Count, branch: Count, *, action: int = 0) -> Count:
    """Return the sum of two counts, with the action between them."""
    hands, showdowns = total.hands + branch.hands, total.showdowns + branch.showdowns
    return Count(hands, showdowns, total.actions + branch.actions + action)


def count(game: TinyGame) -> Count:
    """Return how often hands can go one way or another."""
    players = len(game.stacks)
    small, big = (0, 1) if players == 2 else (1, 2)
    due = {small: game.small_blind, big: game.big_blind}
    bets = tuple(min(due.get(seat, 0), stack) for seat, stack in enumerate(game.stacks))
    stacks = tuple(stack - bet for stack, bet in zip(game.stacks, bets, strict=True))
    queue = tuple(seat for seat in clockwise(players, big + 1) if stacks[seat])
    nobody = (None,) * players
    return below(game, Place(0, stacks, bets, frozenset(), queue, game.big_blind, game.big_blind, 1, nobody))


def clockwise(players: int, start: int) -> list[int]:
    """Return all seats, beginning with one of them."""
    return [(start + step) % players for step in range(players)]


def below(game: TinyGame, place: Place) -> Count:
    """Return what is below a place in the tree."""
    live, able = place.live, place.able
    if len(live) == 1:
        return Count(1, 0, 0)
    alone = len(able) == 1 and place.bets[able[0]] >= max(place.bets[seat] for seat in live)
    if place.queue and not alone:
        total = NOTHING
        for after in actions(game, place):
            total = added(total, below(game, after), action=1)
        return total
    return Count(1, 1, 0) if place.street == 3 else below(game, next_street(game, place))


def next_street(game: TinyGame, place: Place) -> Place:
    """Return the beginning of the next street."""
    players, able = len(game.stacks), place.able
    queue = tuple(seat for seat in clockwise(players, 1) if seat in able) if len(able) > 1 else ()
    bets, nobody = (0,) * players, (None,) * players
    return Place(place.street + 1, place.stacks, bets, place.folded, queue, 0, game.big_blind, 0, nobody)


def actions(game: TinyGame, place: Place) -> list[Place]:
    """Return the places to which the next player can go: fold, check or call, every raise."""
    seat, *rest = place.queue
    bet, price = place.bets[seat], place.price
    done = place._replace(queue=tuple(rest), heard=replaced(place.heard, seat, (price, place.counted)))
    after = [paid(done, seat, min(max(price, bet), bet + place.stacks[seat]))]
    if game.free_folds or bet < price:
        after.append(done._replace(folded=place.folded | {seat}))
    return after + [raised(game, place, to) for to in raises(game, place)]


def raised(game: TinyGame, place: Place, to: int) -> Place:
    """Return the place after a bet or raise to a total: everybody else who has chips is asked again."""
    seat, more, unit = place.queue[0], to - place.price, game.unit(place.street)
    nearly = 2 * ((place.counted + 1) * unit - to) <= unit
    counts = nearly if game.limit == "fixed_limit" else more >= place.step
    counted = place.counted + counts
    return paid(place, seat, to)._replace(
        queue=tuple(other for other in clockwise(len(game.stacks), seat + 1) if other in place.able and other != seat),
        price=to,
        step=max(place.step, more) if counts else place.step,
        counted=counted,
        heard=replaced(place.heard, seat, (to, counted)),
    )


def replaced(
    heard: tuple[tuple[int, int] | None, ...], seat: int, said: tuple[int, int]
) -> tuple[tuple[int, int] | None, ...]:
    """Return what was heard, with the last word of one player."""
    return (*heard[:seat], said, *heard[seat + 1 :])


def paid(place: Place, seat: int, to: int) -> Place:
    """Return a place after a player has brought his bet to a total."""
    stacks = list(place.stacks)
    stacks[seat] -= to - place.bets[seat]
    return place._replace(stacks=tuple(stacks), bets=(*place.bets[:seat], to, *place.bets[seat + 1 :]))


def raises(game: TinyGame, place: Place) -> range:
    """Return every total to which the next player may raise."""
    seat = place.queue[0]
    everything, price = place.bets[seat] + place.stacks[seat], place.price
    answered = any(place.stacks[other] + place.bets[other] > price for other in place.able if other != seat)
    if not (answered and everything > price and is_open(game, place)):
        return range(0)
    if game.limit == "fixed_limit":
        exact = min((place.counted + 1) * game.unit(place.street), everything)
        return range(exact, exact + 1)
    least, most = price + place.step, everything
    if game.limit == "pot_limit":
        pot = sum(game.stacks) - sum(place.stacks) + (price - place.bets[seat] if game.pot_after_call else 0)
        most = min(everything, max(least, price + pot))
    return range(min(least, most), most + 1)


def is_open(game: TinyGame, place: Place) -> bool:
    """Say whether the next player may raise: he has not acted, or enough was raised since; fixed limit has a cap."""
    last = place.heard[place.queue[0]]
    if game.limit == "fixed_limit":
        return place.counted <= game.most_raises and (last is None or place.counted > last[1])
    return last is None or place.price - last[0] >= place.step
