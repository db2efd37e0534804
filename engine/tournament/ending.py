"""Prizes and the end of a tournament (O-36)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from engine.errors import IllegalAction, Reason
from engine.poker.money import Chips
from engine.tournament import commands
from engine.tournament.arranging import is_decided, is_still
from engine.tournament.busts import is_sold, undecided
from engine.tournament.draft import Draft
from engine.tournament.money_events import OverlayAdded, PrizeRow, PrizesFixed
from engine.tournament.paying import pay_bounty, pay_house, pay_prize
from engine.tournament.payouts import payout
from engine.tournament.play_events import TablesClosed, TournamentFinished
from engine.tournament.prizes import CASH, Prize, prizes_from, satellite_prizes
from engine.tournament.refund_plan import Sources
from engine.tournament.registration import is_late_registration_open
from engine.tournament.state import Tournament, accepted, entry_of, left, numbers, open_tables

PRIZES_MAX = 20
"""Prizes paid by one command, so that its record stays small."""


def can_fix_prizes(tournament: Tournament) -> bool:
    """Say whether nobody can enter or buy chips any more, so that the pool is what it is.

    That is so as well when a tournament is called off that one entry has won (rulebooks.md section 4, step 2).
    """
    if tournament.prizes is not None or tournament.payments:
        return False
    if tournament.phase == "cancelling":
        return left(tournament) == 1 and tournament.outs > 0
    if tournament.phase != "running":
        return False
    terms, level = tournament.terms, tournament.clock.level
    sales = [sale for sale in (terms.rebuy, terms.add_on) if sale is not None]
    to_come = any(is_sold(tournament, sale) or level < sale.first_level for sale in sales)
    return not is_late_registration_open(tournament) and (not to_come or is_decided(tournament))


def _fix_prizes(draft: Draft, _command: commands.FixPrizes) -> None:
    """Say what each place wins: all that is in the pool, and what the guarantee adds."""
    tournament, held = draft.tournament, draft.tournament.purses
    if not can_fix_prizes(tournament):
        raise IllegalAction(Reason.NOTHING_DUE, "the pool can still grow, or the prizes are fixed")
    # From here on the command succeeds.
    overlay = overlay_needed(tournament)
    rows = tuple(_rows(_prizes(tournament, held.pool + overlay)))
    draft.emit(PrizesFixed(tournament.entered, held.pool + overlay, rows))
    if overlay:
        draft.emit(OverlayAdded(overlay))
    pay_house(draft, "unused_overlay", Sources(), overlay=held.overlay - overlay)


def overlay_needed(tournament: Tournament) -> Chips:
    """Return what the pool lacks of the guarantee; in a satellite no more than makes a ticket for all but one."""
    held, terms = tournament.purses, tournament.terms
    wanted = terms.guarantee
    if terms.satellite is not None:
        wanted = min(wanted, terms.satellite.value * (tournament.entered - 1))
    return min(held.overlay, max(0, wanted - held.pool))


def _prizes(tournament: Tournament, pool: Chips) -> list[Prize]:
    """Return the prizes by place; there is no prize of nothing. A pool with a ticket for everybody is paid in money."""
    terms, entered = tournament.terms, tournament.entered
    ticket = terms.satellite
    if ticket is not None and pool < ticket.value * entered:
        prizes = list(satellite_prizes(pool, pool // ticket.value, Prize(ticket.form, ticket.value)))
    else:
        amounts = prizes_from(pool, payout(terms.payout_table, entered))
        prizes = [Prize(CASH, amount) for amount in amounts]
    return [prize for prize in prizes if prize.amount]


def _rows(prizes: list[Prize]) -> Iterator[PrizeRow]:
    for prize, places in groupby(prizes):
        yield PrizeRow(len(list(places)), prize.form, prize.amount)


def can_finish(tournament: Tournament) -> bool:
    """Say whether it is decided, and everything that led there is settled."""
    still = all(is_still(table) for table in open_tables(tournament))
    undecided = tournament.busted and left(tournament) > 1
    settled = not undecided and not tournament.payments and tournament.sync is None
    fixed = tournament.phase == "running" and tournament.prizes is not None
    return fixed and still and settled and is_decided(tournament)


def _finish(draft: Draft, _command: commands.FinishTournament) -> None:
    """Say who has won, close the tables, and give the house its fees."""
    tournament = draft.tournament
    if not can_finish(tournament):
        raise IllegalAction(Reason.NOTHING_DUE, "the tournament is not decided")
    # From here on the command succeeds.
    winners = [entry.number for entry in accepted(tournament) if entry.status != "out"]
    draft.emit(TournamentFinished(tuple(winners)))
    draft.emit(TablesClosed(numbers(open_tables(tournament))))
    pay_house(draft, "fee", Sources(fees=tournament.purses.fees))


def can_pay_prizes(tournament: Tournament, at_ms: int) -> bool:
    """Say whether prizes are due, and all are out who are tied with those that have won them."""
    return bool(tournament.unpaid) and not undecided(tournament, at_ms)


def _pay_prizes(draft: Draft, _command: commands.PayPrizes) -> None:
    """Pay the next prizes that are due; who was never knocked out gets the bounty on his own head, too."""
    if not can_pay_prizes(draft.tournament, draft.at_ms):
        raise IllegalAction(Reason.NOTHING_DUE, "no prize can be paid now")
    # From here on the command succeeds.
    for number in draft.tournament.unpaid[:PRIZES_MAX]:
        entry = entry_of(draft.tournament, number)
        pay_prize(draft, entry)
        if entry.status == "won":
            pay_bounty(draft, entry)


COMMANDS: dict[type, Callable[[Draft, Any], None]] = {
    commands.FixPrizes: _fix_prizes,
    commands.FinishTournament: _finish,
    commands.PayPrizes: _pay_prizes,
}
