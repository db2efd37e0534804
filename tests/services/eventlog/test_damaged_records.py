"""Damaged records: whatever the bytes are, the answer is an envelope or one error with a reason, and no other (F13).

Damage is chance from a seed: a flipped bit, a byte lost or doubled, an end cut off, two records spliced, some noise.
Where it hits a text or a number, the record can often be read all the same: the hash chain finds that, not the codec.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from services.eventlog.canonical import command_of
from services.eventlog.codec.faults import MalformedRecordError, UnreadableRecordError
from services.eventlog.envelope import Envelope, decode, encode, header_of
from services.eventlog.judge import Header
from tests.services.eventlog.envelopes import CLAIM, RECORD, record_of
from tests.services.eventlog.samples import EVENT_TYPES, sample

DAMAGES = 60
"""Of each record, with each seed."""


@cache
def _records() -> list[bytes]:
    """Return a record of every event, and the two of `envelopes.py`."""
    events = [(kind, sample(event)) for kind, event in EVENT_TYPES]
    return [encode(RECORD), encode(CLAIM), *[encode(record_of(kind, event)) for kind, event in events]]


def _damaged(stored: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(stored))
    before, byte, after = stored[:place], stored[place], stored[place + 1 :]
    other = chance.choice(_records())
    noise = chance.randbytes(chance.randrange(1, 20))
    flipped = bytes((byte ^ 1 << chance.randrange(8),))
    instead = (flipped + after, after, bytes((byte, byte)) + after, b"", other[place:], noise + after)
    return before + chance.choice(instead)


def _is_read(stored: bytes) -> bool:
    """Say whether a record can be read, or is refused without a reason; any other error fails the test."""
    try:
        assert isinstance(header_of(stored), Header)
        assert isinstance(decode(stored), Envelope)
    except UnreadableRecordError as fault:
        return not fault.reason
    return True


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_record_is_read_or_has_a_reason(seed: int) -> None:
    """F13, M5: no damage raises anything but the codec's own error, and some is found here, some by the hash chain."""
    chance = random.Random(seed)
    read = [_is_read(_damaged(stored, chance)) for stored in _records() for _ in range(DAMAGES)]
    assert any(read)
    assert not all(read)


def test_noise_is_read_or_has_a_reason() -> None:
    """T-KAF-3: random bytes raise nothing but the codec's own error."""
    chance = random.Random(5)
    assert not any(_is_read(chance.randbytes(chance.randrange(200))) for _ in range(3_000))


def test_every_end_that_is_cut_off_is_noticed() -> None:
    """F13: an envelope is never read from a part of its bytes without its events."""
    stored = encode(CLAIM)
    assert not any(_is_read(stored[:length]) for length in range(len(stored)))


DEEP = b'{"type":"Leave","player":"P","why":' + b"[" * 60_000


@pytest.mark.parametrize("command", [b"", b"{", b"[]", b'{"type":"Bluff"}', b'{"type":"Leave"}', b"\xff", DEEP])
def test_what_is_no_command_is_malformed(command: bytes) -> None:
    """F13: the bytes of a command are a command of its kind, or damage."""
    with pytest.raises(MalformedRecordError, match="kind table"):
        command_of("table", command)
