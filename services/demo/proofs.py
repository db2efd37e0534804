"""What anybody can check about hands from their events alone, without trusting who dealt them.

Three things: no chip was made or lost; every card that was turned up lay, before anybody posted a blind, at the place
of the deck from which it was dealt; and the events by themselves lead to the table as it stands. The first two share no
code with the rules that made the events, but for the hash functions and the places of the deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engine.poker.dealing import BoardPlaces, board_places
from engine.poker.deck import ShownCard, verify_shown
from engine.table import events
from engine.table.evolve import evolve
from engine.table.state import Table
from services.demo.record import Recorded
from services.demo.words import money


class Proof(msgspec.Struct, frozen=True, gc=False):
    """A claim and whether it holds."""

    holds: bool
    text: str


def prove(history: Sequence[Recorded], table: Table) -> tuple[Proof, ...]:
    """Return the three proofs for a table and its whole history, which begins with `TableCreated`."""
    happened = [recorded.event for recorded in history]
    return (*chips_conserved(happened, table), cards_committed(happened, table), replayed(history, table))


def chips_conserved(happened: Iterable[events.TableEvent], table: Table) -> Iterator[Proof]:
    """Yield for each hand that ended: stacks before = stacks after + rake."""
    before = rake = 0
    for event in happened:
        match event:
            case events.HandStarted():
                before, rake = sum(event.stacks), 0
            case events.RakeTaken():
                rake = sum(event.amounts)
            case events.HandEnded():
                after = sum(event.stacks)
                sums = f"{money(table, after)} in stacks + {money(table, rake)} rake"
                if before == after + rake:
                    yield Proof(holds=True, text=f"No chip was made or lost: {money(table, before)} = {sums}.")
                else:
                    yield Proof(holds=False, text=f"CHIPS ARE NOT CONSERVED: {money(table, before)} became {sums}.")
            case _:
                continue


def cards_committed(happened: Iterable[events.TableEvent], table: Table) -> Proof:
    """Prove that each card turned up matches the root of its hand, at the place that was dealt to it."""
    good = total = 0
    hand_id, root = "", b""
    places: dict[int, tuple[int, ...]] = {}
    board = BoardPlaces((0, 0, 0), 0, 0)
    for event in happened:
        match event:
            case events.HandStarted():
                hand_id, root = event.hand_id, event.deck_root
                board = board_places(len(event.seats), table.config.rulebook.deal.burn)
            case events.HoleCardsDealt():
                places = dict(zip(event.seats, event.places, strict=True))
            case events.StreetDealt(cards=cards, street=street):
                expected = {"flop": board.flop, "turn": (board.turn,), "river": (board.river,)}[street]
                total += len(cards)
                good += _count_good(cards, expected, hand_id, root)
            case events.HandShown(cards=cards, seat=seat):
                total += len(cards)
                good += _count_good(cards, places[seat], hand_id, root)
            case _:
                continue
    if good == total:
        return Proof(holds=True, text=f"All {total} cards turned up match the deck that was fixed beforehand.")
    return Proof(holds=False, text=f"{total - good} OF {total} CARDS DO NOT MATCH the deck that was fixed beforehand.")


def replayed(history: Sequence[Recorded], table: Table) -> Proof:
    """Prove that the events by themselves lead to the table, byte for byte."""
    rebuilt: Table | None = None
    for recorded in history:
        rebuilt = evolve(rebuilt, recorded.event, recorded.at_ms)
    if msgspec.json.encode(rebuilt) == msgspec.json.encode(table):
        return Proof(holds=True, text=f"The {len(history)} events alone rebuild the table, byte for byte.")
    return Proof(holds=False, text="THE EVENTS DO NOT REBUILD the table.")


def _count_good(cards: Iterable[ShownCard], places: Iterable[int], hand_id: str, root: bytes) -> int:
    allowed = frozenset(places)
    return sum(shown.index in allowed and verify_shown(shown, hand_id, root) for shown in cards)
