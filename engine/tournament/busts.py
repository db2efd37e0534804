"""Who is out, and in which place: entries that have lost their last chips (O-34, O-35).

Who may buy new chips gets some time to think. All others that lost theirs in one hand, or in one synchronised hand
over all tables, go out together: who started that hand with more chips ranks higher, and equals are tied. The k-th
entry to go out of n has place n - k + 1; so a place is known as soon as nobody can enter any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from engine.errors import IllegalAction, Reason
from engine.tournament import commands
from engine.tournament.draft import Draft
from engine.tournament.paying import pay_bounty
from engine.tournament.play_events import EntryBusted, EntryEliminated
from engine.tournament.prizes import rank_busts
from engine.tournament.shares import EntryId
from engine.tournament.state import Entry, Tournament, entry_of, left, paying
from engine.tournament.terms import ChipSale

SETTLED_MAX = 40
"""Events of one command, so that its record stays small: entries that go out, and the bounties on their heads."""


def undecided(tournament: Tournament, at_ms: int) -> list[Entry]:
    """Return the entries without chips about which it is time to decide.

    Not before a synchronised hand is over at all tables. Nobody goes out before those who lost their chips in the same
    hand, or earlier, have decided about a rebuy: else it would pay to think for long. The last one has won, with chips
    or without: all others were taken off the table.
    """
    if tournament.sync is not None or left(tournament) == 1:
        return []
    entries = [entry_of(tournament, number) for number in tournament.busted]
    asked = paying(tournament)
    thinking = [entry for entry in entries if entry.number in asked or is_offered(tournament, entry, at_ms)]
    first = min([entry.bust_round for entry in thinking], default=tournament.bust_rounds + 1)
    return [
        entry
        for entry in entries
        if entry not in thinking and (entry.bust_round < first or _needs_offer(tournament, entry))
    ]


def decided(tournament: Tournament, at_ms: int) -> list[Entry]:
    """Return the entries without chips that go out now."""
    return [entry for entry in undecided(tournament, at_ms) if not _needs_offer(tournament, entry)]


def is_offered(tournament: Tournament, entry: Entry, at_ms: int) -> bool:
    """Say whether an offer that was made to an entry still stands; none ends during a pause (O-42)."""
    paused_at_ms = tournament.clock.paused_at_ms
    stands = entry.offer_ends_ms > (at_ms if paused_at_ms is None else paused_at_ms)
    return stands and may_rebuy(tournament, entry)


def _needs_offer(tournament: Tournament, entry: Entry) -> bool:
    return not entry.offer_ends_ms and may_rebuy(tournament, entry)


def may_rebuy(tournament: Tournament, entry: Entry) -> bool:
    """Say whether an entry that has lost its chips may buy new ones."""
    sale = tournament.terms.rebuy
    return sale is not None and is_sold(tournament, sale) and entry.rebuys < sale.most


def is_sold(tournament: Tournament, sale: ChipSale) -> bool:
    """Say whether chips are sold at this level, its break included."""
    now = sale.first_level <= tournament.clock.level <= sale.last_level
    return now and tournament.phase == "running" and tournament.prizes is None


def settle_busts(draft: Draft, _command: commands.SettleBusts) -> None:
    """Offer rebuys to those who may have them, and let the others go, the worst places first."""
    entries = undecided(draft.tournament, draft.at_ms)
    if not entries:
        raise IllegalAction(Reason.NOTHING_DUE, "nobody is to be decided about")
    # From here on the command succeeds.
    offered = [entry for entry in entries if _needs_offer(draft.tournament, entry)]
    for entry in offered[:SETTLED_MAX]:
        draft.emit(EntryBusted(entry.number, draft.at_ms + 1000 * draft.tournament.terms.rebuy_seconds))
    if not offered:
        eliminate(draft, entries)


def eliminate(draft: Draft, entries: Sequence[Entry]) -> None:
    """Let entries go, those that busted first in the worst places, and pay the bounties on their heads.

    The last one stays, tied or not: with all others out, he has won.
    """
    for tied_group in _worst_first(entries):
        everybody = len(tied_group) == left(draft.tournament)
        group = tied_group[1:] if everybody else tied_group
        if not group:
            return
        gone = _tied_and_out(draft.tournament, group[0])
        out_number, tied = draft.tournament.outs + len(group), gone + len(group)
        for number in group:
            entry = entry_of(draft.tournament, number)
            bounties = len(entry.knocked_out_by) if entry.bounty else 0
            if len(draft.events) + 1 + bounties > SETTLED_MAX:
                return
            draft.emit(EntryEliminated(number, entry.player, out_number, tied))
            pay_bounty(draft, entry)


def _tied_and_out(tournament: Tournament, number: EntryId) -> int:
    """Return how many that are tied with an entry went out by an earlier command."""
    entry = entry_of(tournament, number)
    alike = (entry.bust_round, entry.chips_at_bust, "out")
    found = [(other.bust_round, other.chips_at_bust, other.status) == alike for other in tournament.entries]
    return sum(found) if entry.bust_round else 0


def _worst_first(entries: Sequence[Entry]) -> Iterator[tuple[EntryId, ...]]:
    """Yield the entries in groups of the tied: round by round, and within a round by chips at its start."""
    for _, together in groupby(sorted(entries, key=attrgetter("bust_round")), key=attrgetter("bust_round")):
        yield from reversed(rank_busts([(entry.number, entry.chips_at_bust) for entry in together]))
