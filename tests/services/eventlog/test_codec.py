"""Every event of the engine and of the log goes into a record and comes back the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from dealer.events.v1 import event_pb2, hand_pb2, table_pb2
from engine.rulebooks.loading import HOUSES, load, rulebook_hash
from engine.rulebooks.opening import with_overrides
from engine.rulebooks.rulebook import Rulebook
from engine.table.events import ButtonDrawn, Called, Folded, TableCreated, TableEvent
from services.eventlog.codec.events import EVENTS, Event, name_of, read, written
from services.eventlog.codec.faults import MalformedRecordError, UnknownEventError
from tests.engine.table.random_play import seeded_play
from tests.services.eventlog.samples import EVENT_TYPES, sample, title, values


def _bytes(kind: str, event: Event) -> bytes:
    return event_pb2.Event(**written(kind, event)).SerializeToString()


def _back(kind: str, stored: bytes) -> Event:
    return read(kind, event_pb2.Event.FromString(stored))


@pytest.mark.parametrize(("kind", "event_type"), EVENT_TYPES, ids=title)
@settings(max_examples=25)
@given(st.data())
def test_every_event_comes_back(kind: str, event_type: type[Struct], data: st.DataObject) -> None:
    """P4: what is read is what was written, for every event and whatever is in it."""
    event = data.draw(values(event_type))
    again = _back(kind, _bytes(kind, event))
    assert again == event
    assert type(again) is event_type


@pytest.mark.parametrize("seed", range(20))
def test_what_tables_say_comes_back(seed: int) -> None:
    """P4: the events of whole plays come back as they were."""
    for step in seeded_play(seed).steps:
        assert tuple(_back("table", _bytes("table", event)) for event in step.events) == step.events


def _created(rulebook: Rulebook) -> TableCreated:
    created: TableCreated = replace(sample(TableCreated), rulebook=rulebook, rulebook_hash=rulebook_hash(rulebook))
    return created


@pytest.mark.parametrize("house", HOUSES)
def test_a_rulebook_keeps_its_hash(house: str) -> None:
    """T-ABU-10: the rules in force come back from the log exactly, so their hash is that of the file."""
    again = _back("table", _bytes("table", _created(load(house))))
    assert isinstance(again, TableCreated)
    assert again.rulebook == load(house)
    assert rulebook_hash(again.rulebook) == again.rulebook_hash


def test_what_a_table_set_for_itself_is_kept() -> None:
    """AMB-42: the effective rulebook is stored, not the house's."""
    rulebook = with_overrides(load("modern"), {"clock.warning_seconds": 3, "table.max_buyin": {}})
    again = _back("table", _bytes("table", _created(rulebook)))
    assert isinstance(again, TableCreated)
    assert again.rulebook == rulebook


def test_an_event_has_one_name() -> None:
    """No two events share a field of the oneof, in all kinds of aggregates."""
    names = [name_of(event) for events in EVENTS.values() for event in events]
    assert len(set(names)) == len(names)


def _from_wire(number: int, payload: bytes = b"") -> bytes:
    """Return an `Event` whose field `number`, below 2,048, has this payload of less than 128 bytes."""
    tag = number << 3 | 2
    return bytes((tag & 0x7F | 0x80, tag >> 7, len(payload))) + payload


def test_an_unknown_event_is_an_error_of_its_own() -> None:
    """M5, T-KAF-3: an event of a later version halts the reader, and the reason names its number."""
    with pytest.raises(UnknownEventError, match="999"):
        _back("table", _from_wire(999, b"\x08\x03"))


def test_an_empty_event_is_unknown() -> None:
    """M5: an event that says nothing is not skipped."""
    with pytest.raises(UnknownEventError, match="empty"):
        _back("table", b"")


@pytest.mark.parametrize("payload", [b"\xf8\x06\x01", b"\xfa\x06\x02hi"], ids=["number", "text"])
def test_an_unknown_field_is_ignored(payload: bytes) -> None:
    """F25: an old reader ignores a field that a new writer has added to an event."""
    folded = hand_pb2.Folded(seat=3, cause=hand_pb2.ACTION_CAUSE_LEFT).SerializeToString()
    number = event_pb2.Event.FOLDED_FIELD_NUMBER
    assert _back("table", _from_wire(number, folded + payload)) == Folded(3, "left")


def test_an_event_happens_to_its_own_kind_of_aggregate() -> None:
    """A table's event in an account's record is damage, not news."""
    with pytest.raises(MalformedRecordError, match="called does not happen to an aggregate of the kind account"):
        _back("account", _bytes("table", Called(3, 600)))


BROKEN: tuple[tuple[dict[str, Any], str], ...] = (
    ({"hand_mucked": {"cause": 99}}, "99 is no value of MuckCause"),
    ({"hand_mucked": {"seat": 3}}, "0 is no value of MuckCause"),
    ({"button_drawn": {"cards": [0]}}, "0 is no value of Card"),
    ({"button_drawn": {"cards": [52, 53]}}, "53 is no value of Card"),
    ({"level_changed": {"level": 2}}, "LevelChanged has no stakes"),
)


@pytest.mark.parametrize(("fields", "reason"), BROKEN)
def test_an_event_that_no_dealer_writes_is_malformed(fields: dict[str, Any], reason: str) -> None:
    """M5: an unknown choice, or a value that is missing, is damage and has a reason."""
    with pytest.raises(MalformedRecordError, match=reason):
        read("table", event_pb2.Event(**fields))


def test_a_default_takes_no_room() -> None:
    """A player who is seated without luggage is stored without it."""
    event = event_pb2.Event()
    event.player_seated.CopyFrom(table_pb2.PlayerSeated(seat=1, player="P", amount=5, transfer_id="t"))
    seated = read("table", event)
    assert _bytes("table", seated) == event.SerializeToString()


def test_all_cards_are_written() -> None:
    """H9: a card is a value from 1 to 52, so that each takes one byte, the first one too."""
    lengths = {len(_bytes("table", ButtonDrawn((0,), (card,), 0))) for card in range(52)}
    assert len(lengths) == 1


def test_a_card_beyond_the_deck_is_not_written() -> None:
    """A mistake of ours fails before the append."""
    with pytest.raises(KeyError):
        _bytes("table", ButtonDrawn((0,), (-1,), 0))


def test_a_number_too_large_for_its_field_is_not_written() -> None:
    """FAULT-115: what does not fit fails before the append and is never cut to size."""
    event: TableEvent = Called(3, 2**63)
    with pytest.raises(ValueError, match="out of range"):
        _bytes("table", event)
