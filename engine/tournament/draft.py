"""A draft: the events that a command has made so far, and the tournament as it is after them.

The rules look at the tournament after each event, so a draft applies every event as it is emitted. When the rules
refuse, the draft is thrown away.
"""

from __future__ import annotations

from uuid import NAMESPACE_OID, uuid5

from engine.tournament.events import TournamentEvent
from engine.tournament.evolve import EVOLVE
from engine.tournament.state import Entry, Tournament


class Draft:
    """The growing answer to one command."""

    __slots__ = ("at_ms", "events", "tournament")

    def __init__(self, tournament: Tournament, at_ms: int) -> None:
        """Begin with the tournament before the command."""
        self.tournament = tournament
        self.at_ms = at_ms
        self.events: list[TournamentEvent] = []

    def emit(self, event: TournamentEvent) -> None:
        """Add an event and apply it."""
        self.events.append(event)
        self.tournament = EVOLVE[type(event)](self.tournament, event, self.at_ms)


def next_transfer_id(tournament: Tournament) -> str:
    """Return the id of the next transfer that the tournament asks somebody for."""
    return str(uuid5(NAMESPACE_OID, f"tournament/{tournament.tournament_id}/transfer/{tournament.transfers + 1}"))


def next_shipment_id(tournament: Tournament, entry: Entry) -> str:
    """Return the id of the next transfer of chips to an entry."""
    return shipment_id(tournament, entry, entry.shipments + 1)


def shipment_id(tournament: Tournament, entry: Entry, number: int) -> str:
    """Return the id of a transfer of chips to an entry; they are numbered from 1."""
    shipment = f"entry/{entry.number}/chips/{number}"
    return str(uuid5(NAMESPACE_OID, f"tournament/{tournament.tournament_id}/{shipment}"))
