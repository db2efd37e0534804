"""What every command and every event of a tournament has in common: its rule, its effect, its shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.errors import Reason, Rejected
from engine.poker.money import CHIPS_MAX
from engine.table.hand_events import KnockOut
from engine.table.seat_events import Luggage
from engine.tournament import commands
from engine.tournament.commands import TournamentCommand
from engine.tournament.decide import DECIDE, decide, execute
from engine.tournament.events import TournamentCreated, TournamentEvent
from engine.tournament.evolve import EVOLVE, evolve, replay
from tests.engine.tournament.announcements import terms
from tests.engine.tournament.desk import (
    OF_DIRECTOR,
)
from tests.engine.tournament.odd_commands import BAD_TEXTS, PHASES, odd_commands, tournament_in

EACH: tuple[TournamentCommand, ...] = (
    commands.Register("p1"),
    commands.Unregister("p1"),
    commands.Rebuy("p1"),
    commands.AddOn("p1"),
    commands.DeclineRebuy("p1"),
    commands.CreateTournament("T", terms()),
    commands.RequestOverlay(),
    commands.PauseTournament("outage", "ann"),
    commands.ResumeTournament("ann"),
    commands.ReportDisconnected(1, 0),
    commands.CancelTournament("fire", "ann"),
    commands.ApproveCancellation(bytes(32), "ann"),
    commands.RequestCover(),
    commands.AcceptFunds("p1", "transfer", "USD", 5),
    commands.RefuseFunds("p1", "transfer"),
    commands.ReceiveEntry(1, 1, 5, "transfer", "moved", Luggage()),
    commands.ReceiveChips("p1", 5, "transfer"),
    commands.RecordHand(1, 1, 0, 0, 1, (1,), (5,), (5,), ()),
    commands.RecordStacks(1, (1,), (5,)),
    *OF_DIRECTOR,
)
OTHERS = [command for command in EACH if not isinstance(command, commands.CreateTournament)]
TEXTS = [
    (command, field)
    for command in EACH
    for field in command.__struct_fields__
    if isinstance(getattr(command, field), str) and field != "cause"
]
WITH_AMOUNT = [command for command in EACH if hasattr(command, "amount")]
WITH_SEED = [command for command in EACH if hasattr(command, "seed")]


def test_every_command_has_its_rule() -> None:
    """`DECIDE` names each command once, and so does the list of this file."""
    assert set(DECIDE) == set(get_args(TournamentCommand)) == {type(command) for command in EACH}


def test_every_event_has_its_effect() -> None:
    """`EVOLVE` names each event but the first of all."""
    assert set(EVOLVE) | {TournamentCreated} == set(get_args(TournamentEvent))


def test_a_tournament_begins_with_its_announcement() -> None:
    """Design.md section 3: and with nothing else."""
    created, opened = decide(None, commands.CreateTournament("T", terms()), 0)
    assert evolve(None, created, 0).terms == terms()
    with pytest.raises(AssertionError, match="begins"):
        evolve(None, opened, 0)


@pytest.mark.parametrize("command", OTHERS)
def test_what_was_not_announced_is_unknown(command: TournamentCommand) -> None:
    """Operations.md section 2: nothing can be asked of a tournament that is not there."""
    with pytest.raises(Rejected) as caught:
        decide(None, command, 0)
    assert caught.value.reason == Reason.TOURNAMENT_UNKNOWN


@pytest.mark.parametrize("phase", PHASES)
def test_a_tournament_is_announced_once(phase: str) -> None:
    """Operations.md section 2: an announcement is never changed."""
    tournament_in(phase).refuses(commands.CreateTournament("T", terms()), "TOURNAMENT_EXISTS")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("command", "field"), TEXTS)
def test_no_text_is_empty_long_or_unprintable(phase: str, command: TournamentCommand, field: str) -> None:
    """T-ABU-9: whatever the state, for people and couriers alike."""
    desk = tournament_in(phase)
    for text in BAD_TEXTS:
        with pytest.raises(Rejected):
            decide(desk.state, replace(command, **{field: text}), desk.at_ms)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", [commands.PauseTournament, commands.CancelTournament])
def test_a_cause_is_a_text(phase: str, kind: type[commands.PauseTournament | commands.CancelTournament]) -> None:
    """T-ABU-9: it ends up in events, whose records are bounded."""
    for text in BAD_TEXTS:
        refusal = tournament_in(phase).refuses(kind(text, "ann"), "FIELD_INVALID")
        assert refusal.metadata == {"field": "cause"}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", WITH_AMOUNT)
@pytest.mark.parametrize("amount", [0, -1, CHIPS_MAX + 1])
def test_an_amount_is_a_positive_int64(phase: str, command: TournamentCommand, amount: int) -> None:
    """T-ABU-9: nothing, less than nothing and 2^63 are refused in every state."""
    refusal = tournament_in(phase).refuses(replace(command, amount=amount), "FIELD_INVALID")
    assert refusal.metadata == {"field": "amount"}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", WITH_SEED)
def test_a_seed_is_whole(phase: str, command: TournamentCommand) -> None:
    """T-RNG-6: chance comes in 32 bytes."""
    for seed in (b"", bytes(31), bytes(33)):
        tournament_in(phase).refuses(replace(command, seed=seed), "FIELD_INVALID")


HAND = commands.RecordHand(1, 1, 0, 0, 1, (1, 3), (1500, 1500), (1500, 1500), ())
STACKS = commands.RecordStacks(1, (1, 3), (1500, 1500))
HUGE = CHIPS_MAX + 1
CONTRADICTIONS: tuple[TournamentCommand, ...] = (
    *[replace(HAND, table=table) for table in (0, -1, 9, HUGE)],
    *[replace(HAND, number=number) for number in (0, -1, HUGE)],
    *[replace(HAND, button=seat) for seat in (-2, 10, HUGE)],
    *[replace(HAND, small_blind=seat) for seat in (-2, 10, HUGE)],
    *[replace(HAND, big_blind=seat) for seat in (-2, 10, HUGE)],
    *[replace(HAND, entries=entries) for entries in ((1,), (1, 0), (1, -1), (1, 9), (1, 1))],
    *[replace(HAND, stacks=stacks) for stacks in ((), (1500,), (1500, -1), (1500, HUGE))],
    *[replace(HAND, stacks_after=stacks) for stacks in ((), (1500,), (1500, -1), (1500, HUGE))],
    replace(HAND, knock_outs=(KnockOut(2, (1,)),)),
    replace(HAND, stacks_after=(3000, 0), knock_outs=(KnockOut(3, (9,)),)),
    replace(HAND, stacks_after=(3000, 0), knock_outs=(KnockOut(1, (3,)),)),
    replace(HAND, entries=(2, 4), stacks_after=(3000, 0), knock_outs=(KnockOut(4, (2,)),)),
    *[replace(STACKS, table=table) for table in (0, -1, 9, HUGE)],
    *[replace(STACKS, entries=entries) for entries in ((1,), (1, 0), (1, -1), (1, 9), (1, 1))],
    *[replace(STACKS, stacks=stacks) for stacks in ((), (1500,), (1500, -1), (1500, HUGE))],
    *[commands.ReceiveEntry(entry, 1, 1500, "transfer", "removed", Luggage()) for entry in (0, -1, 9)],
    *[commands.ReceiveEntry(1, table, 1500, "transfer", "removed", Luggage()) for table in (0, -1, 9)],
    commands.ReceiveEntry(1, 1, 1500, "transfer", "removed", Luggage(bank_ms=HUGE)),
    commands.ReceiveEntry(1, 1, 1500, "transfer", "removed", Luggage(hands_dealt=HUGE)),
    commands.ReportDisconnected(-1, 0),
    commands.ReportDisconnected(5, 0),
    commands.ReportDisconnected(4, -1),
    commands.ReportDisconnected(4, HUGE),
)


@pytest.mark.parametrize("phase", ["running", "cancelling"])
@pytest.mark.parametrize("report", CONTRADICTIONS)
def test_a_report_does_not_contradict_itself(phase: str, report: TournamentCommand) -> None:
    """T-ABU-9: tables and entries that exist, with stacks for all of them, seats of a table, and amounts that fit."""
    desk = tournament_in(phase)
    with pytest.raises(Rejected):
        decide(desk.state, report, desk.at_ms)


def test_a_sound_report_is_taken() -> None:
    """Design.md section 3: what the table above makes worse is good."""
    for report, phase in ((HAND, "running"), (STACKS, "cancelling")):
        assert decide(tournament_in(phase).state, report, 1000)


@pytest.mark.parametrize("phase", PHASES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_only_refusals_answer_nonsense(phase: str, data: st.DataObject) -> None:
    """T-ABU-9: whatever comes is carried out, with events that fit a record, or refused, and then nothing changes."""
    desk, command = tournament_in(phase), data.draw(odd_commands(phase))
    before = msgspec.msgpack.encode(desk.state)
    try:
        events, after = execute(desk.state, command, desk.at_ms)
    except Rejected:
        events, after = (), desk.state
    assert msgspec.msgpack.encode(desk.state) == before
    assert replay(events, desk.at_ms, desk.state) == after
    for event in events:
        assert len(msgspec.msgpack.encode(event)) < 20_000
        assert all(text.isprintable() and len(text) <= 220 for text in _texts(msgspec.to_builtins(event)))


def _texts(value: object) -> Iterator[str]:
    """Yield all texts in an event that was taken apart."""
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)
        case _:
            return
