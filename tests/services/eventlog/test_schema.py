"""The schema and the engine agree, or the codec cannot even be imported; and what a number means stays where it is."""

from __future__ import annotations

from typing import Literal

import pytest
from google.protobuf.descriptor import Descriptor
from msgspec import Struct, inspect

from dealer.events.v1 import cards_pb2, event_pb2, hand_end_pb2, hand_pb2, log_pb2, rulebook_pb2, stakes_pb2
from engine.poker.cards import ALL_CARDS, rank_of, suit_of
from services.eventlog.codec.events import EVENTS, name_of
from services.eventlog.codec.shapes import struct_pair

NUMBERS = {
    "partition": range(10, 50),
    "audit": range(10, 50),
    "table": range(100, 200),
    "account": range(200, 300),
    "tournament": range(300, 400),
}
"""The numbers in the oneof that belong to each kind of aggregate."""

RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
SUITS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")


class OneMore(Struct):
    """A field that the message lacks."""

    up_to: int
    since: int = 0


class OneLess(Struct):
    """Lacks a field of the message."""

    claim_id: str
    reached_sequence: int


class OtherType(Struct):
    """A text where the message has a number."""

    up_to: str


class OtherDefault(Struct):
    """A default that an old record without the field would not mean."""

    up_to: int = -1


class MayBeNone(Struct):
    """None where the message has no presence."""

    up_to: int | None = None


class OneForMany(Struct):
    """One value where the message has many."""

    amounts: int


class ManyForOne(Struct):
    """Many values where the message has one."""

    up_to: tuple[int, ...]


class OneChoiceMore(Struct):
    """A choice that the enum lacks."""

    seat: int
    cause: Literal["auto_muck", "chosen", "uncontested", "angry"]


class OneChoiceLess(Struct):
    """Lacks a choice of the enum."""

    seat: int
    cause: Literal["auto_muck", "chosen"]


class ThreeForTwo(Struct):
    """Three items where the message has two."""

    seats: tuple[int, ...]
    places: tuple[tuple[int, int, int], ...]


DISAGREEING: tuple[tuple[type[Struct], Descriptor, str], ...] = (
    (OneMore, log_pb2.DeliveriesConfirmed.DESCRIPTOR, "since"),
    (OneLess, log_pb2.EpochOpened.DESCRIPTOR, "reached_hash"),
    (OtherType, log_pb2.DeliveriesConfirmed.DESCRIPTOR, "up_to does not hold"),
    (OtherDefault, log_pb2.DeliveriesConfirmed.DESCRIPTOR, "up_to is optional"),
    (MayBeNone, log_pb2.DeliveriesConfirmed.DESCRIPTOR, "up_to is optional"),
    (OneForMany, hand_end_pb2.RakeTaken.DESCRIPTOR, "amounts is not repeated"),
    (ManyForOne, log_pb2.DeliveriesConfirmed.DESCRIPTOR, "up_to is repeated"),
    (OneChoiceMore, hand_end_pb2.HandMucked.DESCRIPTOR, "MUCK_CAUSE_ANGRY"),
    (OneChoiceLess, hand_end_pb2.HandMucked.DESCRIPTOR, "MUCK_CAUSE_UNCONTESTED"),
    (ThreeForTwo, hand_pb2.HoleCardsDealt.DESCRIPTOR, "one field for each item"),
)


@pytest.mark.parametrize(("struct", "message", "complaint"), DISAGREEING)
def test_what_disagrees_makes_no_codec(struct: type[Struct], message: Descriptor, complaint: str) -> None:
    """F25: a field, a choice or a type that only one side knows stops the import, with its name."""
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    with pytest.raises(AssertionError, match=complaint):
        struct_pair(shape, message)


def test_the_schema_has_no_event_of_its_own() -> None:
    """Every field of the oneof is an event of the engine or of the log."""
    named = {name_of(event) for events in EVENTS.values() for event in events}
    assert named == set(event_pb2.Event.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize("kind", EVENTS)
def test_numbers_are_in_the_range_of_their_kind(kind: str) -> None:
    """Each kind of aggregate has its range of numbers in the oneof."""
    fields = event_pb2.Event.DESCRIPTOR.fields_by_name
    assert all(fields[name_of(event)].number in NUMBERS[kind] for event in EVENTS[kind])


def test_an_event_is_named_after_its_message() -> None:
    """Whoever knows the name of an event finds its message, and the other way round."""
    for field in event_pb2.Event.DESCRIPTOR.fields:
        assert field.message_type is not None
        assert field.name == "".join(f"_{c.lower()}" if c.isupper() else c for c in field.message_type.name)[1:]


def test_cards_have_their_names() -> None:
    """H9: a card is one more than in the engine, and its name says which it is."""
    names = [f"CARD_{RANKS[rank_of(card)]}_OF_{SUITS[suit_of(card)]}" for card in ALL_CARDS]
    assert [cards_pb2.Card.Name(card + 1) for card in ALL_CARDS] == names  # type: ignore[arg-type]


@pytest.mark.parametrize("enum", [cards_pb2.Card, stakes_pb2.LimitType, hand_pb2.ActionCause])
def test_zero_is_nothing(enum: type) -> None:
    """A value that was never set is none of the choices."""
    assert enum.DESCRIPTOR.values_by_number[0].name.endswith("_UNSPECIFIED")  # type: ignore[attr-defined]


def test_what_a_rulebook_leaves_out_is_none() -> None:
    """A limit type without a clock is absent, and not 0 seconds."""
    message = rulebook_pb2.SecondsByLimitType(no_limit=0)
    assert message.HasField("no_limit")
    assert not message.HasField("pot_limit")
