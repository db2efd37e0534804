"""From a logged hand to a table that is about to deal it, and to the commands that play it.

The engine makes no exception for any log. What is odd about a source is a field of the rulebook, or something that
happened at the table before: it is told here, as rules or as events, and nowhere else.

| source | told as |
|---|---|
| p1 sits left of the button, pn on it | p1 in seat 0; the last seat drew the first button |
| short stacks pay the ante first | `ante_order = ante_first` |
| what does not divide goes to one winner | `odd_chip_rule = all_to_first_left_of_dealer` |
| results before rake | `rake.bps = 0` |
| pot limit counts what is in the pot | `pot_limit_short_blinds = as_posted` |
| heads-up arrays are reversed | the button posts small; with the larger number first, `dealer_posts_big` |
| one ante, by the big blind alone | ante type `big_blind`; every other ante is `each` |
| p1 posts the big blind, nobody the small | `button_rule = dead`; last hand's big blind sat behind pn and has left |
| a live post | a newcomer who posts |
| a dead post | a player who missed the small blind and is back |
| a dead and a live post | a player who missed both blinds and is back |
| a post on the button | `post_between_button_and_bb = true` |
| the raise after a short all-in adds one unit | `fl_after_short_all_in = add_unit` |
| `cc` | a check when nothing is owed, else a call |
| a raise that nobody can answer | that raise: the engine takes "everything" as a call |
| the fold of a player who is all-in | no command, as he is never asked; his cards must not win |
| `????` | unused cards; at a showdown the weakest that are left, because such a hand may not win |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.poker import betting as rounds
from engine.poker.betting import player_at
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.loading import load
from engine.rulebooks.opening import Stakes, StakesOffer, agree_stakes
from engine.rulebooks.rulebook import AnteType, Kind, LimitType, Rulebook
from engine.table import commands
from engine.table.commands import TableCommand
from engine.table.decide import decide
from engine.table.events import (
    BlindMissed,
    ButtonDrawn,
    ButtonMoved,
    EntryPlanned,
    HandEnded,
    HandStarted,
    PlayerLeft,
    PlayerSatIn,
    PlayerSatOut,
    PlayerSeated,
    TableEvent,
)
from engine.table.evolve import replay
from engine.table.state import Hand, Table, hand_of
from tests.conformance.hands import LoggedHand, player_name, seat_of
from tests.engine.table.game import changed

LIMIT_TYPES: dict[str, LimitType] = {"NT": "no_limit", "FT": "fixed_limit", "PT": "pot_limit"}
RULES: dict[str, object] = {
    "blinds.ante_order": "ante_first",
    "rake.bps": 0,
    "betting.pot_limit_short_blinds": "as_posted",
}
"""What all sources have in common and `modern` has otherwise."""


def table_for(hand: LoggedHand, *, add_unit: bool) -> Table:
    """Return the table on which the hand is about to start; `add_unit` is the sizing of a raise after a short all-in."""
    rulebook = _rulebook(
        dealer_posts_big=hand.count == 2 and hand.blinds_or_straddles[0] > hand.blinds_or_straddles[1],
        dead_button=has_dead_small_blind(hand),
        post_anywhere=hand.count - 1 in late_posts(hand),
        add_unit=add_unit,
    )
    kind: Kind = "tournament" if hand.game_kind == "tournament" else "cash"
    stakes = agree_stakes(rulebook, _offer(hand), LIMIT_TYPES[hand.variant], kind)
    empty = _empty_table(rulebook, stakes, kind, hand.count + has_dead_small_blind(hand))
    table = replay(_history(hand, empty), 0, empty)
    assert table is not None
    return table


def command_for(line: str, table: Table) -> TableCommand | None:
    """Return the command that an action line stands for; None where the engine acts by itself, or nobody is asked."""
    player, verb, *rest = line.split()
    if player == "d" or verb == "sm":
        return None
    hand = hand_of(table)
    name, turn, chips = hand.setup.hand_id, hand.turn.number, player_at(hand.players, seat_of(player))
    if verb == "cbr":
        return commands.Raise(player, name, turn, _raise_to(hand, seat_of(player), int(rest[0])))
    if verb == "f":
        return commands.Fold(player, name, turn) if chips.stack else None
    assert verb == "cc", f"there is no action {line!r}"
    owes = chips.bet < hand.betting.current_bet
    return commands.Call(player, name, turn) if owes else commands.Check(player, name, turn)


def _raise_to(hand: Hand, seat: Seat, amount: Chips) -> Chips:
    """Return the size of a logged raise: everything, if nothing but that nobody can answer it is wrong with it."""
    limits, betting, chips = hand.setup.terms.limits, hand.betting, player_at(hand.players, seat)
    minimum, _ = rounds.raise_range(limits, betting, chips, hand.street, hand.pot)
    right = amount >= minimum and rounds.is_reopened(limits, betting, chips)
    return chips.stack + chips.bet if right and not rounds.can_be_answered(betting, hand.players, seat) else amount


def has_dead_small_blind(hand: LoggedHand) -> bool:
    """Say whether nobody posts the small blind because its seat is empty."""
    return hand.count > 2 and hand.blinds_or_straddles[0] == hand.big_blind


@cache
def _rulebook(*, dealer_posts_big: bool, dead_button: bool, post_anywhere: bool, add_unit: bool) -> Rulebook:
    rules = dict(RULES)
    if dealer_posts_big:
        rules["blinds.heads_up_blinds"] = "dealer_posts_big"
    if dead_button:
        rules["blinds.button_rule"] = {"cash": "dead", "tournament": "dead"}
    if post_anywhere:
        rules["blinds.post_between_button_and_bb"] = True
    if add_unit:
        rules["betting.fl_after_short_all_in"] = "add_unit"
    return changed(load("modern"), rules)


def _offer(hand: LoggedHand) -> StakesOffer:
    ante_type: AnteType = "none"
    if hand.ante:
        ante_type = "each" if hand.antes[0] else "big_blind"
    return StakesOffer(
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        small_bet=hand.small_bet,
        big_bet=hand.big_bet,
        ante_type=ante_type,
        ante=hand.ante,
    )


def _empty_table(rulebook: Rulebook, stakes: Stakes, kind: Kind, seats: int) -> Table:
    """Return a table that was just opened; the many hands with the same terms share it."""
    key = (id(rulebook), stakes, kind, seats)
    if key not in _EMPTY_TABLES:
        unit = "USD" if kind == "cash" else "chips/T"
        create = commands.CreateTable("T", "Table", kind, unit, seats, rulebook, stakes)
        table = replay(decide(None, create, 0), 0)
        assert table is not None
        _EMPTY_TABLES[key] = table
    return _EMPTY_TABLES[key]


_EMPTY_TABLES: dict[tuple[int, Stakes, Kind, int], Table] = {}


def late_posts(hand: LoggedHand) -> dict[Seat, set[str]]:
    """Return who posts because he comes late, with `post_live`, `post_dead` or both."""
    late: dict[Seat, set[str]] = {}
    for post in hand.posts or ():
        if post.type in {"post_live", "post_dead"}:
            late.setdefault(seat_of(post.p), set()).add(post.type)
    return late


def _history(hand: LoggedHand, table: Table) -> Iterator[TableEvent]:
    """Yield what happened at the table, so that its rules now bring everybody where the log has him."""
    late = late_posts(hand)
    newcomers = [seat for seat, types in late.items() if types == {"post_live"}]
    yield ButtonDrawn((), (), hand.count - 1, 1)
    for seat in range(hand.count):
        if seat not in newcomers:
            yield _seated(hand, seat)
    if late or has_dead_small_blind(hand):
        yield from _last_hands(hand, table, {seat: types for seat, types in late.items() if seat not in newcomers})
    for seat in newcomers:
        yield _seated(hand, seat)
        yield EntryPlanned(seat, "post")


def _seated(hand: LoggedHand, seat: Seat) -> PlayerSeated:
    entry = f"e{seat}" if hand.game_kind == "tournament" else ""
    return PlayerSeated(seat, player_name(seat), _stack(hand, seat), f"t{seat}", entry)


def _stack(hand: LoggedHand, seat: Seat) -> Chips:
    return hand.starting_stacks[seat] if seat < hand.count else 1


def _last_hands(hand: LoggedHand, table: Table, returners: dict[Seat, set[str]]) -> Iterator[TableEvent]:
    """Yield two hands that cost nobody a chip: one with all old players, one in which those who post missed it.

    After them the rules lead to button pn and to the log's blinds: last hand's big blind was p1, or the player behind
    pn who has left since.
    """
    old = [seat for seat in range(hand.count) if seat in returners or seat not in late_posts(hand)]
    big_blind = 0
    if has_dead_small_blind(hand):
        big_blind = hand.count
        old.append(big_blind)
        yield _seated(hand, big_blind)
    yield from _hand_before(hand, table, 1, old, (hand.count - 3, hand.count - 2, hand.count - 1), {})
    yield from (PlayerSatOut(seat, "player") for seat in returners)
    rest = [seat for seat in old if seat not in returners]
    yield from _hand_before(hand, table, 2, rest, (hand.count - 2, hand.count - 1, big_blind), returners)
    yield from (PlayerSatIn(seat, "post") for seat in returners)
    if big_blind:
        yield PlayerLeft(big_blind, player_name(big_blind), 1, "gone", "player")


def _hand_before(
    hand: LoggedHand,
    table: Table,
    number: int,
    seats: list[Seat],
    places: tuple[Seat, Seat, Seat],
    missing: dict[Seat, set[str]],
) -> Iterator[TableEvent]:
    config, name, stacks = table.config, f"T-{number}", tuple(_stack(hand, seat) for seat in seats)
    players = tuple(player_name(seat) for seat in seats)
    rules = (config.rulebook.id, config.rulebook.version, config.rulebook_hash)
    yield HandStarted(name, number, *rules, 0, table.terms.stakes, *places, tuple(seats), players, stacks, bytes(32))
    yield ButtonMoved(places[0], places[1], places[1] in seats, places[2])
    for seat, types in missing.items():
        yield BlindMissed(seat, "small")
        if "post_live" in types:
            yield BlindMissed(seat, "big")
    yield HandEnded(name, tuple(seats), stacks)
