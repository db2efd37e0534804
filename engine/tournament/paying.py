"""What a tournament pays: obligations, each once, under an id that is made of entry and reason and never of the amount.

Money leaves the purses that a line names. A ticket leaves as a ticket, and the money that stands for it goes to the
house, which answers for it from then on.
"""

from __future__ import annotations

from typing import Literal

from engine.poker.money import Chips
from engine.tournament import money_events as events
from engine.tournament.cancellation_case import EntryAccount
from engine.tournament.draft import Draft
from engine.tournament.prizes import CASH, Prize, average_prizes, share_bounty
from engine.tournament.refund_plan import PlanLine, Sources, obligation_id
from engine.tournament.state import Entry, Tournament, entry_of

NOBODY = 0
"""Stands for the entry where the house is paid."""
PRIZE = "prize"
"""The reason of a prize, in ordinary play and where one entry is left of a cancelled tournament."""


def account_of_entry(entry: Entry, chips: Chips = 0) -> EntryAccount:
    """Return what an entry has paid, and the chips that count."""
    status: Literal["in", "out"] = "out" if entry.status == "out" else "in"
    paid = (entry.pool, entry.fee, entry.bounty, entry.paid_as)
    return EntryAccount(entry.number, entry.player, *paid, status, chips)


def pay_line(draft: Draft, line: PlanLine, paid: events.Paid) -> None:
    """Pay one obligation."""
    name = draft.tournament.tournament_id
    transfer_id = obligation_id(name, line.entry, line.reason)
    about = (line.entry, line.player, line.reason, paid)
    if line.form == CASH:
        draft.emit(events.ObligationPaid(*about, line.sources, transfer_id))
        return
    draft.emit(events.TicketIssued(*about, line.form, line.amount, transfer_id))
    pay_house(draft, "ticket", line.sources, transfer_id=obligation_id(name, line.entry, f"{line.reason}/ticket"))


def pay_house(
    draft: Draft, debt: events.HouseDebt, sources: Sources, *, overlay: int = 0, transfer_id: str = ""
) -> None:
    """Pay the house what is its own, if it is anything."""
    if sources.amount + overlay:
        transfer_id = transfer_id or obligation_id(draft.tournament.tournament_id, NOBODY, debt)
        draft.emit(events.HousePaid(debt, sources, overlay, transfer_id))


def pay_prize(draft: Draft, entry: Entry) -> None:
    """Pay the prize of an entry's place; tied entries share the prizes of their places (O-35).

    Their share of a few cents may be nothing; that is paid, too.
    """
    prize = _prize_of(draft.tournament, entry)
    pay_line(draft, PlanLine(entry.number, entry.player, PRIZE, prize.form, Sources(pool=prize.amount)), "prize")


def _prize_of(tournament: Tournament, entry: Entry) -> Prize:
    prizes, first = tournament.prizes, tournament.entered - entry.out_number
    assert prizes is not None, "prizes are fixed before they are paid"
    of_places = prizes[first : first + entry.tied]
    if of_places and of_places == (of_places[0],) * entry.tied:
        return of_places[0]
    tied = [other.number for other in tournament.entries if other.out_number == entry.out_number]
    amounts = average_prizes([prize.amount for prize in of_places], tied)
    return Prize(CASH, amounts[tied.index(entry.number)])


def pay_bounty(draft: Draft, entry: Entry) -> None:
    """Pay the bounty on an entry's head to those who knocked it out; who was never knocked out keeps his own."""
    if not entry.bounty:
        return
    if not entry.knocked_out_by:
        own = PlanLine(entry.number, entry.player, "bounty", CASH, Sources(bounty_pool=entry.bounty))
        pay_line(draft, own, "bounty")
        return
    winners = [entry_of(draft.tournament, number) for number in entry.knocked_out_by]
    shares = share_bounty(entry.bounty, [(winner.number, winner.chips) for winner in winners])
    for winner, share in zip(winners, shares, strict=True):
        if share:
            reason = f"knock_out/{entry.number}"
            line = PlanLine(winner.number, winner.player, reason, CASH, Sources(bounty_pool=share))
            pay_line(draft, line, "bounty")
