"""The judge, check by check, with records made by hand: no campaign can see that one check is missing (M1 to M3)."""

from __future__ import annotations

from hashlib import sha256

import pytest
from msgspec.structs import replace

from services.eventlog.judge import (
    REMEMBERED,
    Claim,
    Corrupt,
    Counts,
    Header,
    Position,
    Recent,
    Verdict,
    Void,
    chained,
    genesis,
    judge,
)

HERE = Position(epoch=4, sequence=7, hash=b"h" * 32)
PAST = {5: b"f" * 32, 6: b"g" * 32}
NEXT = Header(epoch=4, sequence=8, prev_hash=HERE.hash, claim=None)
CLAIM = Claim("ann/5", reached_sequence=7, reached_hash=HERE.hash)
OPENING = Header(epoch=5, sequence=0, prev_hash=b"", claim=CLAIM)


def at_here(header: Header) -> Verdict:
    """Return the verdict of a reader that stands at `HERE` and remembers `PAST`."""
    return judge(HERE, header, b"stored", PAST.get)


def claiming(epoch: int, reached_sequence: int, reached_hash: bytes) -> Header:
    """Return the header of a claim."""
    return Header(epoch, 0, b"", Claim("ann/5", reached_sequence, reached_hash))


def reason(verdict: Verdict) -> str:
    """Return why a record does not count."""
    assert not isinstance(verdict, Counts)
    return verdict.reason


def test_the_chain_begins_with_house_and_partition() -> None:
    """`design.md` section 2: the first hash is sha256("dealer/log/v1" ‖ house ‖ partition), partition as four bytes."""
    start = sha256(b"dealer/log/v1" + b"modern" + b"\x00\x00\x00\x0b").digest()
    assert genesis("modern", 11) == Position(0, 0, start)


def test_no_two_partitions_begin_alike() -> None:
    """`design.md` section 2: a record of one house or partition cannot be taken for one of another."""
    starts = {genesis(house, partition).hash for house in ("modern", "modern1", "1") for partition in range(300)}
    assert len(starts) == 900


def test_the_chain_is_over_stored_bytes() -> None:
    """`design.md` section 2: the hash after a record is sha256(hash before ‖ stored bytes)."""
    assert chained(b"h" * 32, b"stored") == sha256(b"h" * 32 + b"stored").digest()


def test_the_next_record_counts() -> None:
    """Judge rule 2: current epoch, next sequence and matching hash count, and move the position by one record."""
    assert at_here(NEXT) == Counts(Position(4, 8, chained(HERE.hash, b"stored")))


def test_a_record_of_an_old_epoch_is_void() -> None:
    """M1: with an old epoch, right sequence and right hash do not help."""
    assert at_here(replace(NEXT, epoch=3)) == Void("old_epoch")


def test_a_record_of_an_epoch_that_nobody_opened_is_void() -> None:
    """M1: nor with one that no claim that counted has opened."""
    assert at_here(replace(NEXT, epoch=5)) == Void("unopened_epoch")


def test_before_the_first_claim_nothing_counts() -> None:
    """Judge rule 2: epoch 0 belongs to nobody."""
    start = genesis("modern", 0)
    assert judge(start, Header(0, 1, start.hash, None), b"stored", PAST.get) == Void("unopened_epoch")


def test_a_record_behind_a_gap_is_void() -> None:
    """M2: with sequence + 2, right epoch and right hash do not help."""
    assert at_here(replace(NEXT, sequence=9)) == Void("gap")


@pytest.mark.parametrize("sequence", [0, 6, 7])
def test_a_sequence_that_is_taken_is_void(sequence: int) -> None:
    """M2: nor with one that has counted: a second copy is harmless."""
    assert at_here(replace(NEXT, sequence=sequence)) == Void("old_sequence")


def test_a_link_that_does_not_fit_is_corrupt() -> None:
    """M3: right epoch and right sequence with a wrong hash is damage, for no healthy writer makes it."""
    assert reason(at_here(replace(NEXT, prev_hash=b"x" * 32))) == "prev_hash"


@pytest.mark.parametrize("change", [{"epoch": 3}, {"epoch": 5}, {"sequence": 7}, {"sequence": 9}])
def test_a_wrong_link_elsewhere_is_void(change: dict[str, int]) -> None:
    """Judge rule 4: a wrong hash with another epoch or sequence is an old owner's, or behind a loss."""
    assert isinstance(at_here(replace(NEXT, prev_hash=b"x" * 32, **change)), Void)


@pytest.mark.parametrize("epoch", [5, 6, 1000])
def test_a_claim_of_a_higher_epoch_counts(epoch: int) -> None:
    """Judge rule 1: any higher epoch will do; the claim takes the next sequence and enters the chain."""
    verdict = at_here(replace(OPENING, epoch=epoch))
    assert verdict == Counts(Position(epoch, 8, chained(HERE.hash, b"stored")))


@pytest.mark.parametrize("epoch", [0, 3, 4])
def test_a_claim_of_no_higher_epoch_is_void(epoch: int) -> None:
    """M4: of two claims of one epoch the first counts, and a late one does not."""
    assert at_here(replace(OPENING, epoch=epoch)) == Void("late_claim")


@pytest.mark.parametrize("change", [{"sequence": 3}, {"sequence": 8}, {"prev_hash": b"x" * 32}])
def test_the_judge_gives_a_claim_its_sequence(change: dict[str, object]) -> None:
    """Judge rule 1: what a claim says of its sequence and of the hash before it is not looked at."""
    assert at_here(replace(OPENING, **change)) == at_here(OPENING)


@pytest.mark.parametrize("epoch", [3, 5])
def test_a_claim_that_had_read_more_is_corrupt(epoch: int) -> None:
    """M6: its writer read records that are gone; whether the claim itself is late does not matter."""
    assert reason(at_here(claiming(epoch, 8, b"i" * 32))) == "not_reached"


@pytest.mark.parametrize("epoch", [3, 5])
@pytest.mark.parametrize("sequence", [5, 6, 7])
def test_a_claim_that_had_read_something_else_is_corrupt(epoch: int, sequence: int) -> None:
    """M6: its writer read another record at a sequence that this reader remembers."""
    assert reason(at_here(claiming(epoch, sequence, b"x" * 32))) == "other_hash"


@pytest.mark.parametrize(("sequence", "digest"), [(5, PAST[5]), (6, PAST[6]), (7, HERE.hash)])
def test_a_claim_may_land_late(sequence: int, digest: bytes) -> None:
    """Judge rule 5: what the old owner appended since the claimant read counts, and so does the claim."""
    assert isinstance(at_here(claiming(5, sequence, digest)), Counts)


@pytest.mark.parametrize(("epoch", "kind"), [(3, Void), (5, Counts)])
def test_what_is_not_remembered_contradicts_nothing(epoch: int, kind: type) -> None:
    """Judge rule 5: memory never chooses between counts and void."""
    assert isinstance(at_here(claiming(epoch, 4, b"x" * 32)), kind)


def test_a_claim_that_says_it_read_nothing_must_know_the_beginning() -> None:
    """Judge rule 5: a claim of another house or partition is found at once."""
    start = genesis("modern", 0)
    foreign = Header(1, 0, b"", Claim("ann/1", 0, genesis("modern", 1).hash))
    assert reason(judge(start, foreign, b"stored", PAST.get)) == "other_hash"


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (replace(NEXT, prev_hash=b"x" * 32), "7878787878787878 in the record, 6868686868686868 in the chain"),
        (claiming(5, 9, b"x" * 32), "claim ann/5 had read to 9, here is 7"),
        (claiming(5, 6, b"x" * 32), "claim ann/5 had 7878787878787878 at 6, here is 6767676767676767"),
    ],
)
def test_corrupt_says_why(header: Header, words: str) -> None:
    """Judge rule 5, `reliability.md` R7: a reader that halts says why."""
    verdict = at_here(header)
    assert isinstance(verdict, Corrupt)
    assert verdict.why == words


def test_recent_knows_where_it_began() -> None:
    """Judge, memory: a reader knows the hash at its position, and nothing of what was before or will be."""
    recent = Recent(HERE)
    assert [recent.hash_at(sequence) for sequence in (6, 7, 8)] == [None, HERE.hash, None]


def test_recent_knows_what_was_added() -> None:
    """Judge, memory: each record that counts adds a hash."""
    recent = Recent(HERE)
    recent.add(Position(4, 8, b"i" * 32))
    recent.add(Position(5, 9, b"j" * 32))
    assert [recent.hash_at(sequence) for sequence in (7, 8, 9, 10)] == [HERE.hash, b"i" * 32, b"j" * 32, None]


def test_recent_forgets_the_oldest() -> None:
    """Judge, memory: it does not grow with the log."""
    recent = Recent(Position(1, 0, b"h" * 32))
    for sequence in range(1, REMEMBERED + 1):
        recent.add(Position(1, sequence, b"i" * 32))
    assert recent.hash_at(0) is None
    assert recent.hash_at(1) == b"i" * 32


def test_recent_takes_every_record() -> None:
    """Judge, memory: a reader that leaves one out is wrong itself."""
    with pytest.raises(AssertionError, match="sequence 9 does not follow 7"):
        Recent(HERE).add(Position(4, 9, b"j" * 32))
