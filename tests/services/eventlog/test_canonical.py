"""The canonical bytes of a command: equal for equal commands, however they were made and by whichever version."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from engine.rulebooks.loading import load
from engine.table.commands import CreateTable, Leave, LoseConnection, Raise, SeatEntry, Show, TableCommand
from engine.table.seat_events import Luggage
from services.eventlog.canonical import canonical, command_of, request_hash
from services.eventlog.codec.faults import MalformedRecordError
from tests.services.eventlog.samples import COMMAND_TYPES, command_values, sample, title


@pytest.mark.parametrize(("kind", "command_type"), COMMAND_TYPES, ids=title)
@settings(max_examples=15)
@given(st.data())
def test_every_command_comes_back(kind: str, command_type: type[Struct], data: st.DataObject) -> None:
    """I3: an auditor reads the command that was decided, so that he can decide it again."""
    command = data.draw(command_values(command_type))
    stored = canonical(command)
    assert command_of(kind, stored) == command
    assert canonical(command_of(kind, stored)) == stored


def test_a_bet_in_bytes() -> None:
    """The bytes are JSON, sorted, without spaces, with the acting player and without time or chance."""
    command = Raise("P3", "T7/12", turn=4, raise_to=600)
    assert canonical(command) == b'{"hand_id":"T7/12","player":"P3","raise_to":600,"turn":4,"type":"Raise"}'


DEFAULTS: tuple[tuple[TableCommand, bytes], ...] = (
    (Show("P", "T/1", 3), b'{"hand_id":"T/1","player":"P","turn":3,"type":"Show"}'),
    (Show("P", "T/1", 3, (1,)), b'{"cards":[1],"hand_id":"T/1","player":"P","turn":3,"type":"Show"}'),
    (LoseConnection("P", "o", house_fault=False), b'{"outage_id":"o","player":"P","type":"LoseConnection"}'),
    (
        SeatEntry("P", 1, 2, 300, "t", Luggage()),
        b'{"amount":300,"entry":1,"player":"P","seat":2,"transfer_id":"t","type":"SeatEntry"}',
    ),
    (
        SeatEntry("P", 1, 2, 300, "t", Luggage(bank_ms=0)),
        b'{"amount":300,"entry":1,"luggage":{"bank_ms":0},"player":"P","seat":2,"transfer_id":"t","type":"SeatEntry"}',
    ),
)


@pytest.mark.parametrize(("command", "stored"), DEFAULTS)
def test_defaults_are_left_out(command: TableCommand, stored: bytes) -> None:
    """A default takes no room, in a value inside the command neither, and a stated default is no other command."""
    assert canonical(command) == stored
    assert command_of("table", stored) == command


def test_the_order_of_a_request_does_not_matter() -> None:
    """P2: the same request with its keys in another order is the same request."""
    stated = {"type": "Raise", "turn": 4, "raise_to": 600, "player": "P3", "hand_id": "T7/12"}
    orders = [stated, dict(reversed(stated.items())), dict(sorted(stated.items()))]
    commands = [msgspec.convert(order, TableCommand) for order in orders]
    assert len({request_hash(canonical(command)) for command in commands}) == 1


def test_other_content_has_another_hash() -> None:
    """F22, M15: the same request id with other content is not the same request; another player is other content."""
    raises = [Raise("P3", "T7/12", 4, 600), Raise("P3", "T7/12", 4, 601), Raise("P4", "T7/12", 4, 600)]
    commands: list[TableCommand] = [*raises, Leave("P3")]
    assert len({request_hash(canonical(command)) for command in commands}) == len(commands)


def test_the_hash_is_that_of_the_bytes() -> None:
    """`design.md` section 2: request_hash is the SHA-256 of `command`."""
    stored = canonical(Leave("P3"))
    assert request_hash(stored) == hashlib.sha256(stored).digest()


class Rename(Struct, frozen=True, tag="Rename"):
    """A command as it was."""

    player: str


class RenameLater(Struct, frozen=True, tag="Rename"):
    """The same command in a later version, with its fields in another order and one more."""

    style: Literal["plain", "bold"] = "plain"
    player: str = ""


def test_a_field_with_a_default_changes_no_old_request() -> None:
    """P2: a retry that spans an upgrade has the hash that the first request had."""
    first, retry = Rename("P3"), RenameLater(player="P3")
    assert canonical(first) == canonical(retry)  # type: ignore[arg-type]


def test_a_rulebook_in_a_command_is_kept() -> None:
    """A limit type without a rule is left out, and comes back as none."""
    command = replace(sample(CreateTable), rulebook=load("pacific"))
    stored = canonical(command)
    assert b"null" not in stored
    assert command_of("table", stored) == command


@pytest.mark.parametrize("kind", ["account", "casino"])
def test_a_command_of_another_kind_is_malformed(kind: str) -> None:
    """A table's command in an account's record, or in that of nothing known, is damage."""
    with pytest.raises(MalformedRecordError, match=f"kind {kind}"):
        command_of(kind, canonical(Leave("P3")))
