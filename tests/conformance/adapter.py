"""From a logged hand to a table that is about to deal it, and to the commands that play it.

The engine makes no exception for any log. What is odd about a source is a field of the rulebook (`modern` but for what
is said here), or something that happened at the table before. The whole list:

| source | told as |
|---|---|
| p1 sits left of the button, pn on it | p1 in seat 0; the last seat drew the first button |
| short stacks pay the ante first | `ante_order = ante_first` |
| results before rake | `rake.bps = 0` |
| heads-up arrays are reversed | the button posts small; with the larger number first, `dealer_posts_big` |
| one ante, by the big blind alone | ante type `big_blind`; every other ante is `each` |
| p1 posts the big blind, nobody the small | `button_rule = dead`; the last big blind sat behind pn and has left |
| a live post | a newcomer who posts |
| a dead post | a player who missed the small blind and is back |
| a dead and a live post | a player who missed both blinds and is back |
| a post on the button | `post_between_button_and_bb = true` |
| fixed limit: the raise after a short all-in adds one unit | `fl_after_short_all_in = add_unit`, where it is needed |
| `cc` | a check when nothing is owed, else a call |
| a raise that nobody can answer | a raise to everything, which the engine takes as a call |
| the fold of a player who is all-in | nothing, as he is not asked; his cards lose |
| `????` | unused cards; for one who is in at a showdown the weakest that are left |
| a card that the log has twice | the second time in the next suit |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engine.poker import betting as rounds
from engine.poker.betting import LimitType
from engine.poker.betting import player_at as chips_at
from engine.poker.money import Chips
from engine.poker.seats import Seat
from engine.rulebooks.loading import load
from engine.rulebooks.opening import StakesOffer, agree_stakes
from engine.rulebooks.rulebook import AnteType, Kind
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
from tests.conformance.hands import LoggedHand, listed, player_at, seat_of
from tests.engine.table.game import changed

LIMIT_TYPES: dict[str, LimitType] = {"NT": "no_limit", "FT": "fixed_limit", "PT": "pot_limit"}


class Oddities(NamedTuple):
    """The fields of the rulebook in which hands differ."""

    dealer_posts_big: bool
    dead_button: bool
    post_anywhere: bool
    add_unit: bool

    def rules(self) -> dict[str, object]:
        """Return what the rulebook has otherwise than `modern`."""
        rules: dict[str, object] = {"blinds.ante_order": "ante_first", "rake.bps": 0}
        if self.dealer_posts_big:
            rules["blinds.heads_up_blinds"] = "dealer_posts_big"
        if self.dead_button:
            rules["blinds.button_rule"] = {"cash": "dead", "tournament": "dead"}
        if self.post_anywhere:
            rules["blinds.post_between_button_and_bb"] = True
        if self.add_unit:
            rules["betting.fl_after_short_all_in"] = "add_unit"
        return rules


def table_for(hand: LoggedHand, *, add_unit: bool) -> Table:
    """Return the table on which the hand is about to start."""
    oddities = Oddities(
        dealer_posts_big=hand.count == 2 and hand.blinds_or_straddles[0] > hand.blinds_or_straddles[1],
        dead_button=has_dead_small_blind(hand),
        post_anywhere=hand.count - 1 in late_posts(hand),
        add_unit=add_unit,
    )
    kind: Kind = "tournament" if hand.game_kind == "tournament" else "cash"
    seats = hand.count + has_dead_small_blind(hand)
    empty = _empty_table(oddities, _offer(hand), LIMIT_TYPES[hand.variant], kind, seats)
    table = replay(_history(hand, empty), 0, empty)
    assert table is not None
    return table


def actions_of(hand: LoggedHand) -> Iterator[str]:
    """Yield the lines that are decisions of players."""
    dropped = {f"{player} f" for player in hand.folded_all_in}
    for line in hand.actions:
        who, what, *_ = line.split()
        if who != "d" and what != "sm" and line not in dropped:
            yield line


def command_for(line: str, table: Table) -> TableCommand:
    """Return the command that the line of a decision stands for."""
    player, verb, *size = line.split()
    hand = hand_of(table)
    name, turn, chips = hand.setup.hand_id, hand.turn.number, chips_at(hand.players, seat_of(player))
    if verb == "f":
        return commands.Fold(player, name, turn)
    if verb == "cbr":
        return commands.Raise(player, name, turn, _raise_to(hand, seat_of(player), int(size[0])))
    assert verb == "cc", f"no player does {line!r}"
    owes = chips.bet < hand.betting.current_bet
    return commands.Call(player, name, turn) if owes else commands.Check(player, name, turn)


def plays_by_add_unit(hand: LoggedHand) -> bool:
    """Say whether the hand is played with `add_unit`: it is listed, or ACPC's dealer alone allows what is in it."""
    acpc_alone = hand.strict_violations or hand.pokerkit_vs_site == "error"
    by_unit = acpc_alone and hand.variant == "FT" and hand.id.startswith("acpc")
    return bool(by_unit) or hand.id in listed("fixed_limit_add_unit")


def has_dead_small_blind(hand: LoggedHand) -> bool:
    """Say whether nobody posts the small blind because its seat is empty."""
    return hand.count > 2 and hand.blinds_or_straddles[0] == hand.big_blind


def late_posts(hand: LoggedHand) -> dict[Seat, set[str]]:
    """Return who posts because he comes late, with `post_live`, `post_dead` or both."""
    late: dict[Seat, set[str]] = {}
    for post in hand.posts or ():
        if post.type in {"post_live", "post_dead"}:
            late.setdefault(seat_of(post.p), set()).add(post.type)
    return late


def _raise_to(hand: Hand, seat: Seat, amount: Chips) -> Chips:
    """Return the size of a logged raise: everything, where nothing but that nobody can answer is wrong with it."""
    limits, betting, chips = hand.setup.terms.limits, hand.betting, chips_at(hand.players, seat)
    if rounds.can_be_answered(betting, hand.players, seat):
        return amount
    minimum, _ = rounds.raise_range(limits, betting, chips, hand.street, hand.pot)
    right = amount >= minimum and rounds.is_reopened(limits, betting, chips)
    return chips.stack + chips.bet if right else amount


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


@cache
def _empty_table(oddities: Oddities, offer: StakesOffer, limit_type: LimitType, kind: Kind, seats: int) -> Table:
    rulebook = changed(load("modern"), oddities.rules())
    stakes = agree_stakes(rulebook, offer, limit_type, kind)
    unit = "USD" if kind == "cash" else "chips/T"
    table = replay(decide(None, commands.CreateTable("T", "Table", kind, unit, seats, rulebook, stakes), 0), 0)
    assert table is not None
    return table


def _history(hand: LoggedHand, table: Table) -> Iterator[TableEvent]:
    """Yield what happened at the table, so that its rules now bring everybody where the log has him."""
    late = late_posts(hand)
    newcomers = [seat for seat, types in late.items() if types == {"post_live"}]
    yield ButtonDrawn((), (), hand.count - 1)
    for seat in range(hand.count):
        if seat not in newcomers:
            yield _seated(hand, seat)
    if late or has_dead_small_blind(hand):
        yield from _last_hands(hand, table, {seat: types for seat, types in late.items() if seat not in newcomers})
    for seat in newcomers:
        yield _seated(hand, seat)
        yield EntryPlanned(seat, "post")


def _last_hands(hand: LoggedHand, table: Table, returners: dict[Seat, set[str]]) -> Iterator[TableEvent]:
    """Yield two hands that cost nobody a chip: one of all old players, and one that those who post now missed.

    After them the rules lead to button pn and to the log's blinds: the last big blind was p1, or the player behind pn
    who has left since.
    """
    old = [seat for seat in range(hand.count) if seat in returners or seat not in late_posts(hand)]
    big_blind = hand.count if has_dead_small_blind(hand) else 0
    if big_blind:
        old.append(big_blind)
        yield _seated(hand, big_blind)
    yield from _hand_before(hand, table, 1, old, (hand.count - 3, hand.count - 2, hand.count - 1), {})
    yield from (PlayerSatOut(seat, "player") for seat in returners)
    rest = [seat for seat in old if seat not in returners]
    yield from _hand_before(hand, table, 2, rest, (hand.count - 2, hand.count - 1, big_blind), returners)
    yield from (PlayerSatIn(seat, "post") for seat in returners)
    if big_blind:
        yield PlayerLeft(big_blind, player_at(big_blind), _stack(hand, big_blind), "gone", "player")


def _hand_before(  # noqa: PLR0913, PLR0917 - one argument for each fact of a hand.
    hand: LoggedHand,
    table: Table,
    number: int,
    seats: list[Seat],
    places: tuple[Seat, Seat, Seat],
    missing: dict[Seat, set[str]],
) -> Iterator[TableEvent]:
    """Yield a hand with these `places` of button, small and big blind."""
    rulebook, name = table.config.rulebook, f"T-{number}"
    rules = (rulebook.id, rulebook.version, table.config.rulebook_hash)
    players, stacks = tuple(map(player_at, seats)), tuple(_stack(hand, seat) for seat in seats)
    yield HandStarted(name, number, *rules, 0, table.terms.stakes, *places, tuple(seats), players, stacks, bytes(32))
    yield ButtonMoved(places[0], places[1], places[1] in seats, places[2])
    for seat, types in missing.items():
        yield BlindMissed(seat, "small")
        if "post_live" in types:
            yield BlindMissed(seat, "big")
    yield HandEnded(name, tuple(seats), stacks)


def _seated(hand: LoggedHand, seat: Seat) -> PlayerSeated:
    entry = seat + 1 if hand.game_kind == "tournament" else 0
    return PlayerSeated(seat, player_at(seat), _stack(hand, seat), f"t{seat}", entry)


def _stack(hand: LoggedHand, seat: Seat) -> Chips:
    """Return the stack of a player; the one who has left had a single chip."""
    return hand.starting_stacks[seat] if seat < hand.count else 1
