"""The facts from which a cancellation is planned: a tournament's books at the moment it is called off.

The caller answers for them. Stacks are those that the rulebook's `chips_as_of` asks for; in hand-for-hand play they,
and who is out, are those at the start of the synchronised hand, until all its tables have ended it (AMB-12). Earlier
entries of a player who entered again are entries that are out (AMB-11). The prizes of a satellite are the values of
its tickets, because a cancelled one pays cash.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.poker.money import Chips
from engine.tournament.prizes import Form
from engine.tournament.shares import EntryId


class EntryAccount(Struct, frozen=True, gc=False):
    """What an entry has paid and what it has left."""

    entry: EntryId
    player: str
    contributions_pool: Chips
    """All it paid into the prize pool: buy-in, rebuys, add-ons; minor units (AMB-11)."""
    fee: Chips
    """Minor units."""
    bounty_paid: Chips
    """The bounty on its own head, minor units."""
    paid_as: tuple[tuple[Form, Chips], ...]
    """What it paid all that with, in the order of payment; of a ticket the value; minor units."""
    status: Literal["in", "out"]
    chips: Chips
    """The stack that counts, tournament chips."""


class CancellationCase(Struct, frozen=True, gc=False):
    """A tournament at the moment it is called off."""

    tournament_id: str
    unit: str
    """The currency."""
    single_table: bool
    entries: tuple[EntryAccount, ...]
    """All that were ever accepted, those that are out included. A freeroll's have paid nothing."""
    overlay: Chips = 0
    """What the house has paid into the pool, minor units."""
    paid: Chips = 0
    """Prizes already paid, minor units."""
    prizes: tuple[Chips, ...] = ()
    """By place, the first place first, minor units; empty as long as they are not fixed."""

    @property
    def survivors(self) -> tuple[EntryAccount, ...]:
        """The entries still in, by ascending entry id."""
        return tuple(sorted([entry for entry in self.entries if entry.status == "in"], key=lambda entry: entry.entry))

    @property
    def pool(self) -> Chips:
        """All contributions to the prize pool, without overlay, minor units."""
        return sum([entry.contributions_pool for entry in self.entries])

    @property
    def held(self) -> Chips:
        """What is in the pool now, minor units."""
        return self.pool + self.overlay - self.paid

    @property
    def next_prize(self) -> Chips:
        """The prize of the place that is eliminated next, minor units; 0 before the money."""
        place = len(self.survivors)
        return self.prizes[place - 1] if 0 < place <= len(self.prizes) else 0
