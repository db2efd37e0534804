"""What a table says of a hand, from the button to the last award, in the order in which things happen."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.poker.cards import Card
from engine.poker.deck import ShownCard
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.opening import Stakes
from engine.rulebooks.rulebook import ProtectionRules

Cause: TypeAlias = Literal["", "timeout", "disconnected", "quota_used_up", "sat_out", "left", "tournament_rule"]
"""Why the dealer acted for a player; empty when the player acted himself."""

ShowCause: TypeAlias = Literal["showdown", "all_in", "not_beaten", "chosen", "timeout"]
MuckCause: TypeAlias = Literal["auto_muck", "chosen", "uncontested"]


# Button, blinds and the deal.


class ButtonDrawn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """One card face up per seat, from a deck of its own: the highest has the first button (G-AKP-8).

    Where the house draws again, each draw is an event, and all but the last decide nothing.
    """

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    """The cards of `seats`."""
    button: Seat
    """-1 when the highest tie and draw again."""


class HandStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A hand began. Rules, stakes, stacks, positions and the commitment to the deck are fixed from here on."""

    hand_id: str
    number: int
    rulebook_id: str
    rulebook_version: int
    rulebook_hash: str
    level: int
    stakes: Stakes
    button: Seat
    small_blind: Seat
    """The small blind's seat, also when nobody sits there; -1 without blinds."""
    big_blind: Seat
    """-1 without blinds."""
    seats: tuple[Seat, ...]
    """Who is dealt in, in the order in which the cards go round."""
    players: tuple[str, ...]
    stacks: tuple[Chips, ...]
    deck_root: bytes


class ButtonMoved(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Button and blinds have new places."""

    button: Seat
    small_blind: Seat
    small_posts: bool
    """The small blind is posted: somebody plays at its seat, and owes no entry post instead."""
    big_blind: Seat


class BlindMissed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A blind passed a player who sits out; he owes it on return."""

    seat: Seat
    blind: Literal["small", "big"]


class AntePosted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An ante. `dead` antes (big blind, button) belong to nobody's contribution and go into the main pot."""

    seat: Seat
    amount: Chips
    dead: bool


class BlindPosted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A live blind: the small, the big, or the entry post of one who comes in."""

    seat: Seat
    amount: Chips
    blind: Literal["small", "big", "entry"]


class DeadBlindPosted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A missed small blind, paid into the middle."""

    seat: Seat
    amount: Chips


class HoleCardsDealt(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Two cards each, as places in the deck (`rulebooks.md`, Deck places)."""

    seats: tuple[Seat, ...]
    places: tuple[tuple[int, int], ...]


class StreetDealt(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Flop, turn or river, each card with its proof."""

    street: Literal["flop", "turn", "river"]
    cards: tuple[ShownCard, ...]


# What players do.


class Folded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player gave up his hand."""

    seat: Seat
    cause: Cause = ""


class Checked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player passed without a bet to call."""

    seat: Seat
    cause: Cause = ""


class Called(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player matched the bet, or put in all he had."""

    seat: Seat
    amount: Chips


class Bet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player opened the betting of a street."""

    seat: Seat
    amount: Chips
    raise_to: Chips
    full: bool
    """At least the least bet: it reopens the betting and counts towards the cap."""


class Raised(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player raised to `raise_to`, putting in `amount`."""

    seat: Seat
    amount: Chips
    raise_to: Chips
    full: bool
    """At least the last full bet or raise (fixed limit: counted as a raise)."""


class WentAllIn(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player has no chips behind. Comes with the post, call, bet or raise that took the last one; moves nothing."""

    seat: Seat


# Time and connections.


class TimeBankStarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player asked for his time bank on this turn."""

    seat: Seat
    turn: int


class TimeBankUsed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A turn went on into the time bank and used this much of it."""

    seat: Seat
    used_ms: int


class TurnClockRestarted(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An open turn got new time because we were not there (`design.md` section 8)."""

    turn: int
    ends_at_ms: int
    """When it ends now; 0 while the clock stands still."""


class ConnectionLost(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The gateway reports a player's connection as gone."""

    seat: Seat
    player: str
    outage_id: str
    house_fault: bool
    """Half a gateway fell over at once: a protection does not count as a use (AMB-33)."""


class ConnectionRestored(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The player is back."""

    seat: Seat
    player: str
    turn_floor_ms: int
    """His open turn does not end its time to act before this; 0 when it needs no more time."""


class ProtectionRequested(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The table asks the player's account for a disconnection protection; the hand waits for the answer."""

    seat: Seat
    player: str
    hand_id: str
    outage_id: str
    rulebook_id: str
    rules: ProtectionRules
    """The house's terms, by which the account counts uses (`rulebooks.md` section 4, quota)."""
    unit: str
    """What is played for; in a tournament the currency of its prizes."""


class PlayerProtected(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A lost player is all-in for what he has in the pot, and keeps his stack (R-AKP-22, AMB-32)."""

    seat: Seat
    contribution: Chips
    counted: bool
    """A use of his quota; not when the outage was the house's fault."""


class ProtectionRefused(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The account had no use left."""

    seat: Seat


# The end of a hand.


class UncalledBetReturned(msgspec.Struct, frozen=True, gc=False, tag=True):
    """What nobody called, or matched as an ante, goes back before pots are built."""

    seat: Seat
    amount: Chips


class PotSplit(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Betting is over: this pot (0 is the main pot) is played for by these seats."""

    pot: int
    amount: Chips
    seats: tuple[Seat, ...]


class RakeTaken(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Rake per pot, main pot first; the table holds it until it is swept."""

    amounts: tuple[Chips, ...]


class ShowOffered(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player is asked whether he shows or mucks; his clock runs."""

    seat: Seat


class HandShown(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player's cards face up, with their proofs."""

    seat: Seat
    cards: tuple[ShownCard, ...]
    cause: ShowCause


class HandMucked(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A player's cards stay secret."""

    seat: Seat
    cause: MuckCause


class PotAwarded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A pot, less its rake, went to the winners, first the one left of the button."""

    pot: int
    seats: tuple[Seat, ...]
    amounts: tuple[Chips, ...]
    odd_chips: tuple[Chips, ...]
    """How much of each amount is chips that did not divide."""


class HandEnded(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The hand is over; the stacks are those with which the next one can begin."""

    hand_id: str
    seats: tuple[Seat, ...]
    stacks: tuple[Chips, ...]


class KnockOut(msgspec.Struct, frozen=True, gc=False):
    """An entry that lost its last chips."""

    entry: int
    winners: tuple[int, ...]
    """The entries that got chips of the last pot it was in; never itself (where a pot has fewer chips than winners)."""


class HandReported(msgspec.Struct, frozen=True, gc=False, tag=True):
    """What the director of a tournament must know of a hand that has ended or was voided."""

    number: int
    button: Seat
    small_blind: Seat
    big_blind: Seat
    """Where they are now: after a void hand where they were before it. -1 for all three before the first hand."""
    entries: tuple[int, ...]
    """Who was dealt in, in the order of the deal."""
    stacks: tuple[Chips, ...]
    """What each of them had when the hand started (O-35)."""
    stacks_after: tuple[Chips, ...]
    """What each of them has now, without chips that he has just bought."""
    knock_outs: tuple[KnockOut, ...]
    voided: bool = False


class HandVoided(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The hand never was: stacks and blinds owed are those at its start, its rake and its protections go back."""

    hand_id: str
    cause: str
    by: str
    seats: tuple[Seat, ...]
    stacks: tuple[Chips, ...]
    """What `seats` had when the hand started."""
    refunds: tuple[Chips, ...]
    """What each of `seats` gets back out of the pot; negative for who had already won something."""
    rake: Chips
    """Rake that goes back into the pot first."""
    protected: tuple[str, ...]
    """Players who get back the protection that was asked for in this hand."""
