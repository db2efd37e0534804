"""The checker finds what it is there for: a sound history is changed in one place, and one finding says what is wrong.

What it finds nothing wrong with is a room of F1 in which money moves between accounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from services.eventlog.requests import Reply
from tests.services.eventlog import virtual_time
from tests.services.eventlog.books import Books
from tests.services.eventlog.checker import Past, findings
from tests.services.eventlog.games import accounts, cash
from tests.services.eventlog.history import Attempt, Sighting
from tests.services.eventlog.rooms import Room
from tests.services.eventlog.simulated import SimulatedLog, fair

SEED = 3


class Told(NamedTuple):
    """A history that could have been."""

    history: list[Attempt]
    sightings: list[Sighting]
    past: Past

    def verdict(self, history: Sequence[Attempt] = (), sightings: Sequence[Sighting] = ()) -> set[str]:
        """Return the invariants that are broken with some attempts and sightings more."""
        found = findings([*self.history, *history], [*self.sightings, *sightings], self.past)
        return {each.what.partition(":")[0] for each in found}

    @property
    def done(self) -> Attempt:
        """The last attempt whose request was carried out then; nobody brought it."""
        return next(each for each in reversed(self.history) if _at_its_place(each, self.past))


def _at_its_place(attempt: Attempt, past: Past) -> bool:
    found = past.at(attempt.answer.sequence) if isinstance(attempt.answer, Reply) else None
    return found is not None and found.envelope.command_id == attempt.request.command_id and not found.envelope.delivery


@pytest.fixture
def told() -> Told:
    """Return what was heard in a room."""

    async def whole() -> Told:
        room, past = Room(SEED), Past()
        await room.play(accounts)
        await room.heal()
        await past.read(SimulatedLog(room.store, fair))
        return Told(room.history, list(room.sightings), past)

    return virtual_time.run(whole())


def test_a_history_that_could_have_been(told: Told) -> None:
    """What is changed below is sound before."""
    assert told.verdict() == set()


def test_an_acknowledged_request_that_is_not_in_the_log(told: Told) -> None:
    """I1: the caller was told that it is done."""
    lost = told.done._replace(request=replace(told.done.request, command_id="lost"))
    assert told.verdict([lost]) == {"I1"}


def test_another_result_than_the_one_in_the_log(told: Told) -> None:
    """I1: the caller was told something else."""
    assert isinstance(told.done.answer, Reply)
    assert told.verdict([told.done._replace(answer=replace(told.done.answer, result=b"Something"))]) == {"I1"}


def test_a_record_twice(told: Told) -> None:
    """I2, I3: one request has two effects, and a sequence is there twice."""
    told.past.counted.append(next(each for each in told.past.counted if each.envelope.command_id))
    assert told.verdict() >= {"I2", "I3"}


def test_a_request_done_before_it_was_asked(told: Told) -> None:
    """I13: what others were told before stands behind it."""
    assert isinstance(told.done.answer, Reply)
    assert told.verdict([told.done._replace(first_asked=told.done.answer.sequence)]) == {"I13"}


def test_a_refusal_that_was_never_so(told: Told) -> None:
    """I13: there is no state in which the rules would have said that."""
    asked = replace(told.done.request, command_id="refused")
    assert told.verdict([told.done._replace(request=asked, answer="NOT_YOUR_TURN")]) == {"I13"}


def test_a_refused_request_that_has_happened(told: Told) -> None:
    """I15: nobody sent it again."""
    name = told.done.request.command_id
    others = [each for each in told.history if each.request.command_id != name]
    refused = told.done._replace(answer="ACCOUNT_FROZEN")
    assert "I15" in Told(others, told.sightings, told.past).verdict([refused])


def test_another_state_than_the_log_makes(told: Told) -> None:
    """I8: somebody who follows the log has applied it otherwise."""
    assert told.verdict(sightings=[told.sightings[-1]._replace(state_hash=bytes(32), who="somebody")]) == {"I8"}


def test_a_position_that_goes_back(told: Told) -> None:
    """I9: somebody who follows the log has read a record again."""
    back = [each for each in told.sightings if each.who == told.sightings[-1].who]
    assert told.verdict(sightings=[back[0]]) == {"I9"}


def test_a_position_that_is_not_of_the_log(told: Told) -> None:
    """I9: somebody was where the log never was."""
    last = told.sightings[-1]
    elsewhere = last._replace(who="somebody", position=replace(last.position, hash=bytes(32)))
    assert told.verdict(sightings=[elsewhere]) == {"I9"}


def test_money_that_does_not_arrive() -> None:
    """I4, I12: a record is taken out of the log of a cash table, and the books no longer balance."""

    async def whole() -> Past:
        room, past = Room(SEED, pace=30), Past()
        await room.play(cash)
        await room.heal()
        await past.read(SimulatedLog(room.store, fair))
        return past

    past = virtual_time.run(whole())
    assert not list(Books().findings(past.counted, settled=True))
    seated = [each for each in past.counted if type(each.envelope.events[0]).__name__ != "PlayerSeated"]
    assert list(Books().findings(seated, settled=True))
