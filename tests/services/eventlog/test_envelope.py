"""The envelope: what comes back, what the judge sees, and what is no envelope."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dealer.events.v1 import envelope_pb2, event_pb2, log_pb2
from engine.inbox import Delivery
from engine.table.events import Called, TableHalted
from services.eventlog.codec.events import EVENTS
from services.eventlog.codec.faults import MalformedRecordError, UnknownEventError
from services.eventlog.envelope import Envelope, EnvelopeTooLargeError, Sealed, decode, encode, header_of
from services.eventlog.judge import Claim, Counts, Header, Position, judge
from services.eventlog.log_events import DeliveriesConfirmed, EpochOpened, SealedAccessed
from services.eventlog.ports import RECORD_BYTES_MAX
from tests.services.eventlog.envelopes import CLAIM, RECORD, message_in, record_of
from tests.services.eventlog.samples import values

_NUMBERS, _HASHES, _TEXTS = st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32), st.text(max_size=40)
_EVENTS = {kind: st.sampled_from(EVENTS[kind]).flatmap(values) for kind in ("account", "table")}


@st.composite
def _records(draw: st.DrawFn) -> Envelope:
    kind = draw(st.sampled_from(sorted(_EVENTS)))
    return Envelope(
        writer_epoch=draw(_NUMBERS),
        sequence=draw(_NUMBERS),
        prev_hash=draw(_HASHES),
        aggregate=f"{kind}/{draw(_TEXTS)}",
        version=draw(_NUMBERS),
        command_id=draw(_TEXTS),
        command=draw(st.binary(max_size=40)),
        request_hash=draw(_HASHES),
        result=draw(st.binary(max_size=40)),
        delivery=draw(st.none() | st.builds(Delivery, st.integers(0, 2**31 - 1), _NUMBERS, st.integers(0, 2**31 - 1))),
        causation_id=draw(_TEXTS),
        correlation_id=draw(_TEXTS),
        occurred_at_ms=draw(_NUMBERS),
        events=tuple(draw(st.lists(_EVENTS[kind], min_size=1, max_size=4))),
        sealed=draw(st.none() | st.builds(Sealed, _TEXTS, st.binary(), st.binary())),
    )


@settings(max_examples=60)
@given(_records())
def test_a_record_comes_back(envelope: Envelope) -> None:
    """P4: every field is read as it was written, and the judge sees the same header before and after."""
    stored = encode(envelope)
    assert decode(stored) == envelope
    assert header_of(stored) == envelope.header


def test_the_judge_sees_place_and_epoch() -> None:
    """The header is the writer's epoch, the sequence and the hash before."""
    assert header_of(encode(RECORD)) == Header(7, 1_234_567, bytes(range(32)), None)


def test_a_claim_says_what_its_writer_had_reached() -> None:
    """The judge gets the claim of a record that opens an epoch, which knows neither its sequence nor its prev_hash."""
    claim = Claim("claim 1", 1_234_567, bytes(range(64, 96)))
    assert header_of(encode(CLAIM)) == Header(8, 0, b"", claim)
    assert decode(encode(CLAIM)) == CLAIM


def test_a_stored_claim_and_a_stored_record_count() -> None:
    """The bytes are what the judge wants: a claim counts behind what it had reached, and a record behind the claim."""
    claim = encode(CLAIM)
    opened = judge(Position(7, 1_234_567, bytes(range(64, 96))), header_of(claim), claim, lambda _: None)
    assert isinstance(opened, Counts)
    at = opened.position
    following = encode(replace(RECORD, writer_epoch=8, sequence=at.sequence + 1, prev_hash=at.hash))
    assert isinstance(judge(at, header_of(following), following, lambda _: None), Counts)


@pytest.mark.parametrize("event", [DeliveriesConfirmed(17), SealedAccessed("T7/1", 3, 3, "A", ("B", "C"), "complaint")])
def test_what_else_the_log_says_is_an_ordinary_record(event: DeliveriesConfirmed | SealedAccessed) -> None:
    """Only `EpochOpened` is a claim; the log's other events have their place in the chain like any record."""
    kind = "audit" if isinstance(event, SealedAccessed) else "partition"
    stored = encode(record_of(kind, event))
    assert header_of(stored).claim is None
    assert decode(stored).events == (event,)


def test_a_void_record_is_judged_whatever_it_holds() -> None:
    """Rule 4 of the judge: a late record of a newer version is void, and its unknown event halts nobody."""
    message = message_in(encode(RECORD))
    message.events.add().MergeFromString(b"\xba\x3e\x02\x08\x03")
    stored = message.SerializeToString()
    assert header_of(stored) == RECORD.header
    with pytest.raises(UnknownEventError, match="999"):
        decode(stored)


def test_an_unknown_field_of_the_envelope_is_ignored() -> None:
    """F25: an old reader ignores what a new writer has added."""
    assert decode(encode(RECORD) + b"\xba\x3e\x02\x08\x03") == RECORD


def test_the_largest_envelope_is_taken() -> None:
    """T-KAF-5: an envelope of 64 KiB is encoded and read."""
    spare = RECORD_BYTES_MAX - len(encode(replace(RECORD, result=bytes(60_000)))) + 60_000
    stored = encode(replace(RECORD, result=bytes(spare)))
    assert len(stored) == RECORD_BYTES_MAX
    assert decode(stored).result == bytes(spare)


def test_a_larger_envelope_is_refused_before_it_is_appended() -> None:
    """T-KAF-5: an envelope of 64 KiB and a byte is not encoded."""
    spare = RECORD_BYTES_MAX - len(encode(replace(RECORD, result=bytes(60_000)))) + 60_000
    with pytest.raises(EnvelopeTooLargeError) as refusal:
        encode(replace(RECORD, result=bytes(spare + 1)))
    assert refusal.value.size == RECORD_BYTES_MAX + 1


def test_a_larger_record_is_not_read() -> None:
    """F13: a record above the limit was not written by a dealer."""
    too_much = b"\x4a" + b"\x80\x80\x04" + bytes(RECORD_BYTES_MAX)
    for reading in (header_of, decode):
        with pytest.raises(MalformedRecordError, match="at most 65536"):
            reading(encode(replace(RECORD, result=b"")) + too_much)


def _two_claims(message: envelope_pb2.Envelope) -> None:
    message.aggregate = "partition/5"
    message.events[0].CopyFrom(event_pb2.Event(epoch_opened=log_pb2.EpochOpened(claim_id="c")))
    message.events[1].CopyFrom(message.events[0])


SPOILED: tuple[tuple[Callable[[envelope_pb2.Envelope], object], str], ...] = (
    (lambda message: message.Clear(), "what it follows"),
    (lambda message: message.ClearField("prev_hash"), "what it follows"),
    (lambda message: message.ClearField("events"), "nothing happened"),
    (lambda message: message.ClearField("aggregate"), "no known kind"),
    (lambda message: setattr(message, "aggregate", "casino/1"), "no known kind"),
    (lambda message: setattr(message, "aggregate", "account/1"), "does not happen to"),
    (_two_claims, "stand alone"),
)


@pytest.mark.parametrize(("spoil", "reason"), SPOILED)
def test_an_envelope_that_no_dealer_writes_is_malformed(
    spoil: Callable[[envelope_pb2.Envelope], object], reason: str
) -> None:
    """M5, F13: an envelope without place, kind or events is damage, and the reason says what is missing."""
    message = message_in(encode(RECORD))
    spoil(message)
    with pytest.raises(MalformedRecordError, match=reason):
        decode(message.SerializeToString())


def test_what_is_no_envelope_is_malformed() -> None:
    """M5: an empty record, and bytes of something else."""
    for stored in (b"", b"\xff", b'{"events": []}', bytes(100)):
        with pytest.raises(MalformedRecordError):
            header_of(stored)


def test_a_reason_holds_nothing_of_the_record() -> None:
    """H11: what is wrong is said without the content of the record."""
    message = message_in(encode(record_of("table", TableHalted("secret"))))
    message.aggregate = "casino/secret"
    with pytest.raises(MalformedRecordError) as fault:
        decode(message.SerializeToString())
    assert "secret" not in f"{fault.value} {fault.value.reason}"


def test_a_sealed_seed_is_not_shown() -> None:
    """H11: a record in a log file or an error report names the key and nothing that it sealed."""
    assert repr(RECORD).endswith("sealed=Sealed(key_id='k1'))")


@pytest.mark.parametrize("mistake", [{"events": ()}, {"prev_hash": b""}, {"prev_hash": bytes(31)}])
def test_our_own_mistakes_are_not_encoded(mistake: dict[str, object]) -> None:
    """A record without events, or without its place, fails before the append."""
    with pytest.raises(AssertionError):
        encode(replace(RECORD, **mistake))


def test_events_of_another_kind_are_not_encoded() -> None:
    """A table's event in an account's record fails before the append."""
    with pytest.raises(KeyError):
        encode(record_of("account", Called(3, 600)))


def test_a_claim_is_not_encoded_with_other_events() -> None:
    """A claim stands alone, or the judge would not know it."""
    opened = EpochOpened("claim 1", 0, bytes(32))
    with pytest.raises(AssertionError):
        encode(replace(CLAIM, events=(opened, opened)))
