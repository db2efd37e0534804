"""What is met in the runs of a tournament beside its plain events: situations in which money goes wrong elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from engine.origin import Origin, name_of
from engine.reactions import Event
from engine.tournament import money_events, play_events
from engine.tournament.prizes import CASH
from engine.tournament.state import Tournament
from tests.engine.courier import CardRoom

SITUATIONS = (
    "entry with a ticket",
    "rebuy",
    "add_on",
    "late entry",
    "entered again",
    "tied",
    "taken off a table",
    "money came too late",
    "prize paid as a ticket",
    "guarantee not needed",
    "cancelled before the start",
    "cancelled in play",
    "cancelled in the money",
    "cancelled in a synchronised hand",
    "cancelled while somebody moves",
    "cancelled while money is on its way",
)


class Sightings:
    """Adds situations to the tally of a card room."""

    def __init__(self, room: CardRoom) -> None:
        """Begin to look."""
        self.room = room
        room.witnesses.append(self.see)

    def see(self, origin: Origin, event: Event) -> None:
        """Note what an event of a tournament shows."""
        if origin.aggregate.startswith("tournament/"):
            state = self.room.tournament(name_of(origin.aggregate))
            self.room.tally.update(seen(event, state))


def seen(event: Event, state: Tournament) -> Iterator[str]:
    """Yield the situations that an event shows, given the tournament after it."""
    match event:
        case money_events.PaymentReceived():
            yield from _paid(event, state)
        case play_events.EntrySeated(place=place) if place.luggage.bank_ms < 0:
            yield "late entry"
        case play_events.EntryEliminated(tied=tied) if tied > 1:
            yield "tied"
        case play_events.EntryReceived(cause="removed"):
            yield "taken off a table"
        case money_events.PaymentReturned():
            yield "money came too late"
        case money_events.TicketIssued(paid="prize"):
            yield "prize paid as a ticket"
        case money_events.HousePaid(debt="unused_overlay"):
            yield "guarantee not needed"
        case money_events.CancellationRequested():
            yield from _called_off(state)
        case _:
            pass


def _paid(event: money_events.PaymentReceived, state: Tournament) -> Iterator[str]:
    if event.purpose != "entry":
        yield event.purpose
        return
    if event.form != CASH:
        yield "entry with a ticket"
    if any(entry.player == event.player and entry.status == "out" for entry in state.entries):
        yield "entered again"


def _called_off(state: Tournament) -> Iterator[str]:
    yield "cancelled in play" if state.tables else "cancelled before the start"
    if state.prizes_paid:
        yield "cancelled in the money"
    if state.sync is not None:
        yield "cancelled in a synchronised hand"
    if any(entry.status == "moving" for entry in state.entries):
        yield "cancelled while somebody moves"
    if state.payments:
        yield "cancelled while money is on its way"
