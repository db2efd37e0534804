"""The director: what a tournament must do next, and when to look again.

Pure, like everything else: whoever runs a tournament asks `due` after each event and at the time that `wakes_at_ms`
names, and gives the answer to `decide` as a command. Chance comes in as a seed, fresh each time.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.tournament import commands
from engine.tournament.arranging import arrange
from engine.tournament.busts import undecided
from engine.tournament.calling_off import can_pay_refunds, can_plan
from engine.tournament.commands import TournamentCommand
from engine.tournament.draft import Draft
from engine.tournament.ending import can_finish, can_fix_prizes, can_pay_prizes
from engine.tournament.running import is_level_over, startable, tables_to_open
from engine.tournament.state import Tournament, entry_of, is_time, paying

TOO_FEW = "too few entries"


def due(tournament: Tournament, at_ms: int, seed: bytes) -> TournamentCommand | None:
    """Return the next command to give at `at_ms`, or None when there is nothing to do before something happens.

    Args:
        tournament: The tournament.
        at_ms: Milliseconds on the log.
        seed: 32 fresh bytes, used only where chance decides.
    """
    if can_pay_prizes(tournament, at_ms):
        return commands.PayPrizes()
    match tournament.phase:
        case "registering":
            return _due_before_start(tournament, at_ms, seed)
        case "seating":
            return commands.OpenTable() if tables_to_open(tournament) else commands.BeginPlay()
        case "running":
            return _due_in_play(tournament, at_ms, seed)
        case "cancelling":
            return _due_in_cancellation(tournament, at_ms)
        case _:
            return None


def _due_before_start(tournament: Tournament, at_ms: int, seed: bytes) -> TournamentCommand | None:
    """Start; or call it off when too few have come at the time of the start, and nobody else is on his way."""
    if startable(tournament, at_ms):
        return commands.StartTournament(seed)
    too_few = is_time(tournament, at_ms) and not tournament.payments
    return commands.CancelTournament(TOO_FEW, "director") if too_few else None


def _due_in_play(tournament: Tournament, at_ms: int, seed: bytes) -> TournamentCommand | None:
    if undecided(tournament, at_ms):
        return commands.SettleBusts()
    if can_fix_prizes(tournament):
        return commands.FixPrizes()
    if can_finish(tournament):
        return commands.FinishTournament()
    if is_level_over(tournament, at_ms):
        return commands.AdvanceLevel()
    draft = Draft(tournament, at_ms)
    arrange(draft, seed)
    return commands.Arrange(seed) if draft.events else None


def _due_in_cancellation(tournament: Tournament, at_ms: int) -> TournamentCommand | None:
    if undecided(tournament, at_ms):
        return commands.SettleBusts()
    if can_fix_prizes(tournament):
        return commands.FixPrizes()
    if can_plan(tournament, at_ms):
        return commands.PlanCancellation()
    return commands.PayRefunds() if can_pay_refunds(tournament) else None


def wakes_at_ms(tournament: Tournament) -> int | None:
    """Return when time alone makes something due, in milliseconds on the log; None if only events can."""
    return min(_times(tournament), default=None)


def _times(tournament: Tournament) -> Iterator[int]:
    """Yield the start, the end of the level or break, and the ends of offers of rebuys."""
    clock, terms = tournament.clock, tournament.terms
    waits = tournament.payments and not (terms.late_levels and tournament.entered >= terms.entries_min)
    if tournament.phase == "registering" and terms.starts_at_ms is not None and not waits:
        yield terms.starts_at_ms
    if tournament.phase != "running":
        return
    if clock.paused:
        return
    if clock.on_break == "on":
        yield clock.break_ends_ms
    if clock.runs_since_ms is not None and clock.level + 1 < len(terms.levels):
        yield clock.runs_since_ms + 1000 * terms.levels[clock.level].seconds - clock.used_ms
    yield from _ends_of_offers(tournament)


def _ends_of_offers(tournament: Tournament) -> Iterator[int]:
    """Yield when all have decided about a rebuy who lost their chips first, unless one of them is paying for it."""
    busted = [entry_of(tournament, number) for number in tournament.busted]
    first = min([entry.bust_round for entry in busted], default=0)
    thinking = [entry for entry in busted if entry.bust_round == first]
    asked = paying(tournament)
    last_ms = max([entry.offer_ends_ms for entry in thinking], default=0)
    if last_ms and not any(entry.number in asked for entry in thinking):
        yield last_ms
