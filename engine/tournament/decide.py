"""The rules of a tournament: may this command be carried out now, and what happens then?

`decide` answers with events, or refuses; a refused command changes nothing. Setting a tournament up is here. Entries
and what they pay are in `registration.py`; the draw, what tables report, levels and breaks in `running.py`; seats,
moves and who plays on in `arranging.py`; who is out in `busts.py`; prizes and the end in `ending.py`; cancellation in
`calling_off.py`. What is due next, and when, says `director.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import IllegalAction, NotFound, Reason
from engine.rulebooks.loading import rulebook_hash
from engine.shape import verify_text
from engine.tournament import arranging, calling_off, commands, ending, registration, running
from engine.tournament.commands import CreateTournament, TournamentCommand
from engine.tournament.draft import Draft, next_transfer_id
from engine.tournament.events import OverlayRequested, RegistrationOpened, TournamentCreated, TournamentEvent
from engine.tournament.evolve import evolve
from engine.tournament.state import Tournament
from engine.tournament.terms import NAME_MAX, verify_terms


def decide(tournament: Tournament | None, command: TournamentCommand, at_ms: int) -> tuple[TournamentEvent, ...]:
    """Return what happens when `command` arrives at `at_ms` (milliseconds on the log).

    Args:
        tournament: The tournament, or None when it does not exist.
        command: What is asked for.
        at_ms: The time of the command's events.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    return execute(tournament, command, at_ms)[0]


def execute(
    tournament: Tournament | None, command: TournamentCommand, at_ms: int
) -> tuple[tuple[TournamentEvent, ...], Tournament]:
    """Return `decide`'s events and the tournament after them: `decide` and `evolve` in one step, at the price of one.

    Raises:
        Rejected: The command was refused, and nothing has changed.
    """
    if tournament is None:
        if not isinstance(command, CreateTournament):
            raise NotFound(Reason.TOURNAMENT_UNKNOWN, "no such tournament")
        return _create(command, at_ms)
    draft = Draft(tournament, at_ms)
    DECIDE[type(command)](draft, command)
    return tuple(draft.events), draft.tournament


def _create(command: CreateTournament, at_ms: int) -> tuple[tuple[TournamentEvent, ...], Tournament]:
    """Set a tournament up; it is announced once its guarantee is paid in."""
    verify_text("tournament_id", command.tournament_id, most=NAME_MAX)
    verify_terms(command.terms)
    # From here on the command succeeds.
    created = TournamentCreated(command.tournament_id, command.terms, rulebook_hash(command.terms.rulebook))
    draft = Draft(evolve(None, created, at_ms), at_ms)
    if command.terms.guarantee:
        _ask_for_guarantee(draft)
    else:
        draft.emit(RegistrationOpened())
    return (created, *draft.events), draft.tournament


def _ask_for_guarantee(draft: Draft) -> None:
    transfer_id = next_transfer_id(draft.tournament)
    draft.emit(OverlayRequested(transfer_id, draft.tournament.terms.guarantee))


def _create_again(_draft: Draft, _command: CreateTournament) -> None:
    raise IllegalAction(Reason.TOURNAMENT_EXISTS, "the tournament exists already")


def _request_overlay(draft: Draft, _command: commands.RequestOverlay) -> None:
    """Ask the house again for the guarantee."""
    tournament = draft.tournament
    if tournament.phase != "funding":
        raise IllegalAction(Reason.NOTHING_DUE, "the guarantee is there")
    if tournament.overlay_id:
        raise IllegalAction(Reason.PAYMENT_PENDING, "the house was asked")
    # From here on the command succeeds.
    _ask_for_guarantee(draft)


DECIDE: dict[type, Callable[[Draft, Any], None]] = {
    commands.CreateTournament: _create_again,
    commands.RequestOverlay: _request_overlay,
    **registration.COMMANDS,
    **running.COMMANDS,
    **arranging.COMMANDS,
    **ending.COMMANDS,
    **calling_off.COMMANDS,
}
"""One function per command type; a test holds it complete."""
