"""Tables as a tournament leaves them: some hands under a house's button rule, with players who bust between them.

So buttons and blinds may lie at empty seats, and wherever they lie, play has brought them there.
"""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st

from engine.poker.button import ButtonRule, HeadsUpBlinds, Positions, Standing, next_positions
from engine.poker.seats import SEATS_MAX, SeatSet, seat_set
from engine.tournament.seating import TableView

Rule: TypeAlias = tuple[ButtonRule, HeadsUpBlinds]
DEAD: Rule = ("dead", "dealer_posts_small")
RULES: tuple[Rule, ...] = (DEAD, ("moving", "dealer_posts_small"), ("moving", "dealer_posts_big"))


def next_hand(taken: SeatSet, previous: Positions | None, rule: Rule) -> Positions | None:
    """Return where button and blinds go when all who sit there play."""
    standings: tuple[Standing | None, ...] = tuple("in" if taken >> seat & 1 else None for seat in range(SEATS_MAX))
    deal = next_positions(
        standings,
        previous,
        0,
        rule=rule[0],
        heads_up=rule[1],
        no_double_big_blind=True,
        between_allowed=False,
        with_blinds=True,
    )
    return None if deal is None else deal.positions


@st.composite
def played_tables(draw: st.DrawFn, number: int, seats: int, rule: Rule, least: int) -> TableView:
    """Draw a table after up to four hands, with `least` players or more."""
    taken, last = draw(st.sets(st.integers(0, seats - 1), min_size=least)), None
    for _ in range(draw(st.integers(0, 4))):
        last = next_hand(seat_set(taken), last, rule) or last
        busted = draw(st.sets(st.sampled_from(sorted(taken)), max_size=len(taken) - least))
        taken = taken - busted
    places = (-1, -1, -1) if last is None else (last.button, last.small_blind, last.big_blind)
    return TableView(number, seats, seat_set(taken), *places)


@st.composite
def rooms(draw: st.DrawFn, rules: tuple[Rule, ...] = RULES, least: int = 1) -> list[TableView]:
    """Draw one to six tables of one size, in any order."""
    seats, rule = draw(st.integers(max(2, least), 10)), draw(st.sampled_from(rules))
    count = draw(st.integers(1, 6))
    tables = [draw(played_tables(number, seats, rule, least)) for number in range(1, count + 1)]
    return draw(st.permutations(tables))


def positions(table: TableView) -> Positions | None:
    """Return where button and blinds are at a table, None before its first hand."""
    if table.button < 0:
        return None
    return Positions(table.button, table.small_blind, small_posts=True, big_blind=table.big_blind)
