"""F1, one seed: play its game, check what everybody heard and saw, and say what was met; a report if it went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from services.eventlog.envelope import header_of
from services.eventlog.judge import Header
from services.eventlog.log_events import EpochOpened
from services.eventlog.requests import Reply
from tests.services.eventlog.books import Books
from tests.services.eventlog.checker import Past, findings
from tests.services.eventlog.damaged import DamagedRoom
from tests.services.eventlog.games import Game, game_of
from tests.services.eventlog.history import Finding
from tests.services.eventlog.records import PARTITION
from tests.services.eventlog.rooms import Room
from tests.services.eventlog.simulated import SimulatedLog, fair

COUNTED_EVENTS: Final = {
    "EpochOpened": "takeover",
    "DeliveryAnswered": "delivery that changed nothing",
    "FundsSent": "funds sent",
    "FundsRefused": "funds refused",
    "PlayerSeated": "player seated",
    "HandStarted": "hand started",
    "HandEnded": "hand ended",
    "HandVoided": "hand voided",
    "TableOpened": "tournament table opened",
}
"""What is counted of what happened, by the names of events."""

MET: Final = (
    *COUNTED_EVENTS.values(),
    "void old_epoch",
    "void old_sequence",
    "void gap",
    "void late_claim",
    "own record void",
    "owner stepped down",
    "snapshot used",
    "snapshot rejected",
    "two claims of one epoch",
    "epoch opened with nothing to do",
    "unknown outcome that turned out stored",
    "unknown outcome that turned out lost",
    "group commit with more than one command",
    "duplicate request answered from the log",
    "nothing to do",
    "refused",
    "id used for something else",
    "delivery repeated",
    "buy-in refused and seat released",
    "funds in transit across a takeover",
    "damage: end lost",
    "damage: tail torn",
    "damage: bit flipped",
    "damage: foreign bytes",
    "damage noticed",
    "damage that nobody could notice",
)
"""What a run is meant to meet (`reliability.md` section 8): each at least once in a campaign."""

DAMAGED: Final = 0.15
"""So many rooms are damaged."""
SHOWN: Final = 12
"""So many lines of history and schedule are shown of a failure."""


class Played(NamedTuple):
    """What came of a seed."""

    seed: int
    findings: list[Finding]
    met: Counter[str]
    report: str
    """Empty if nothing is wrong."""


async def play(seed: int) -> Played:
    """Play the game of a seed."""
    game = game_of(seed)
    if Random(f"{seed} is damaged").random() < DAMAGED:
        return await _play_damaged(DamagedRoom(seed, game.pace), game)
    room, past, books = Room(seed, game.pace), Past(), Books()
    await room.play(game.players)
    await room.heal()
    await past.read(SimulatedLog(room.store, fair))
    found = [Finding(f"P4: somebody halts: {why}") for why in room.halts]
    found += [Finding("I14: nothing was acknowledged in time")] if room.late else []
    found += findings(room.history, room.sightings, past)
    found += _otherwise_confirmed(room, past)
    found += books.findings(past.counted, settled=True) if game.balanced else []
    met = _met(room, past)
    met["funds in transit across a takeover"] = books.in_transit_at_takeover
    return Played(seed, found, met, _report(room, game, past, found) if found else "")


async def _play_damaged(room: DamagedRoom, game: Game) -> Played:
    """Play until there is damage and everybody has looked at the log again."""
    await room.play(game.players)
    if room.damage is None:
        return Played(room.seed, [], Counter(), "")
    past = await room.look()
    found = room.verdict(past)
    met = Counter({f"damage: {room.damage.kind}": 1, "damage": 1})
    met["damage noticed" if room.halts else "damage that nobody could notice"] = 1
    return Played(room.seed, found, met, _report(room, game, past, found) if found else "")


def _otherwise_confirmed(room: Room, past: Past) -> Iterator[Finding]:
    """I8: the last owner has confirmed what the log says, of every aggregate.

    A claim of a dead owner may have landed since he read the log for the last time.
    """
    owner = room.places[0].writer
    for address in past.states if owner else ():
        assert owner is not None
        read = owner.position.sequence
        if owner.confirmed(address) not in [held for held, _, _ in past.between(address, read, read)]:
            yield Finding(f"I8: the last owner has another {address}", address)


def _met(room: Room, past: Past) -> Counter[str]:
    """Return how often a game has met what it is meant to meet."""
    tally = Counter({name: count for name, count in room.tally.items() if name.startswith("void ")})
    tally["own record void"] = room.tally["own record void"]
    tally["group commit with more than one command"] = room.tally["several in one append"]
    tally += sum((place.tally for place in room.places), Counter())
    tally["delivery repeated"] = room.courier.repeated
    tally += _met_in_log(past)
    tally += _met_in_history(room)
    stored = set(room.store.shelves[PARTITION].records)
    tally["unknown outcome that turned out stored"] = sum(each in stored for each in room.store.unknown)
    tally["unknown outcome that turned out lost"] = sum(each not in stored for each in room.store.unknown)
    headers = [header_of(each) for each in stored]
    epochs = Counter(header.epoch for header in headers if _claims(header))
    tally["two claims of one epoch"] = sum(count > 1 for count in epochs.values())
    tally["records"] = len(room.store.shelves[PARTITION].records)
    return tally


def _claims(header: Header) -> bool:
    return header.claim is not None


def _met_in_log(past: Past) -> Counter[str]:
    tally: Counter[str] = Counter()
    events = [event for counted in past.counted for event in counted.envelope.events]
    for event in events:
        name = COUNTED_EVENTS.get(type(event).__name__)
        tally[name or "other events"] += 1
        released = type(event).__name__ == "SeatReleased" and getattr(event, "cause", "") == "funds_refused"
        tally["buy-in refused and seat released"] += released
    opened = [isinstance(counted.envelope.events[0], EpochOpened) for counted in past.counted]
    tally["epoch opened with nothing to do"] = sum(one and two for one, two in pairwise(opened))
    tally["events"] = len(events)
    return tally


def _met_in_history(room: Room) -> Counter[str]:
    answered = [each for each in room.history if isinstance(each.answer, Reply)]
    asked = Counter((each.request.address, each.request.command_id) for each in answered)
    return Counter(
        {
            "acknowledgements": len(answered),
            "duplicate request answered from the log": sum(asked.values()) - len(asked),
            "nothing to do": sum(isinstance(each.answer, Reply) and not each.answer.result for each in answered),
            "refused": sum(each.refused for each in room.history),
            "unavailable": sum(each.answer == "UnavailableError" for each in room.history),
            "id used for something else": sum(each.answer == "RequestIdReusedError" for each in room.history),
        }
    )


def _report(room: Room, game: Game, past: Past, found: list[Finding]) -> str:
    """Return what somebody needs who wants to understand a failure."""
    first = found[0]
    around = [each for each in room.history if _concerns(each.request.address, each.request.command_id, first)]
    records = [each for each in past.counted if abs(each.bookmark.position.sequence - first.sequence) <= 3]
    lines = [
        f"seed {room.seed}: {game.name}; {room.options}",
        *(f"  {each}" for each in found[:SHOWN]),
        f"replay: F1_SEEDS={room.seed}-{room.seed + 1} python -m pytest tests/services/eventlog/test_f1.py",
        f"history of {first.address or 'everything'}, the last of {len(around)}:",
        *(f"  {each}" for each in around[-SHOWN:]),
        f"log around {first.sequence}:",
        *(f"  {each.bookmark.position.sequence}: {_said(each.envelope)}" for each in records if first.sequence),
        f"what was done, the last of {len(room.schedule)}:",
        *(f"  {each}" for each in room.schedule[-2 * SHOWN :]),
    ]
    return "\n".join(lines)


def _concerns(address: str, command_id: str, found: Finding) -> bool:
    return (not found.address or address == found.address) and (not found.command_id or command_id == found.command_id)


def _said(envelope: object) -> str:
    events = " ".join(type(event).__name__ for event in getattr(envelope, "events", ()))
    about = f"{getattr(envelope, 'aggregate', '')} {getattr(envelope, 'command_id', '')}"
    return f"epoch {getattr(envelope, 'writer_epoch', 0)} {about}: {events}"
