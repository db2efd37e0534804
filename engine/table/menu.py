"""What a player sees: the bet prompt (R-PLA-4) and the information box of a table (R-PLA-5).

Both are pure functions of the table. The bet prompt and `decide` ask the same functions of `engine/poker/betting.py`,
so a menu never offers what would be refused. The one thing that is accepted and not on the menu: "everything he has"
where no raise is possible is a call.
"""

from __future__ import annotations

import msgspec

from engine.poker import betting as rounds
from engine.poker.betting import player_at
from engine.poker.money import Chips
from engine.poker.pots import Pot, build_pots, visible_pots
from engine.poker.seats import Seat
from engine.table.state import Hand, Table, is_awarded


class RaiseRange(msgspec.Struct, frozen=True, gc=False):
    """The sizes of a bet or raise, as totals for this street in chips."""

    minimum: Chips
    maximum: Chips
    default: Chips
    """Where the prompt starts: the minimum."""
    label: str
    """The house's word for it."""


class LegalActions(msgspec.Struct, frozen=True, gc=False):
    """What the player to act may do."""

    seat: Seat
    turn: int
    fold: bool
    check: bool
    call: Chips
    """What a call costs; 0 when there is nothing to call."""
    bet_or_raise: RaiseRange | None


class TableInfo(msgspec.Struct, frozen=True, gc=False):
    """What a player is told on joining a table, in the house's words."""

    name: str
    house: str
    game: str
    limits: str
    blinds: str
    buyin: str


LIMIT_NAMES = {"fixed_limit": "Fixed Limit", "pot_limit": "Pot Limit", "no_limit": "No Limit"}


def legal_actions(table: Table, seat: Seat) -> LegalActions | None:
    """Return what the seat may do now, or None when it is not to act."""
    hand = table.hand
    if hand is None or seat < 0 or hand.betting.to_act != seat or hand.lost.waiting or table.desk.halted:
        return None
    limits, betting = hand.setup.terms.limits, hand.betting
    player = player_at(hand.players, seat)
    raises = None
    if rounds.may_raise(limits, betting, hand.players, seat):
        pot = pot_for_limit(table, hand)
        minimum, maximum = rounds.raise_range(limits, betting, player, hand.street, pot)
        raises = RaiseRange(minimum, maximum, minimum, raise_label(table, hand, seat))
    free = rounds.is_free(betting, player)
    may_fold = not free or table.config.rulebook.betting.fold_when_check_free
    call = 0 if free else rounds.to_call(betting, player)
    return LegalActions(seat, hand.turn.number, may_fold, free, call, raises)


def pot_for_limit(table: Table, hand: Hand) -> Chips:
    """Return the pot as pot limit counts it: in round 1 short blinds may count as full (AMB-58)."""
    if hand.street == 0 and table.config.rulebook.betting.pot_limit_short_blinds == "as_full":
        return hand.pot + hand.short_blinds
    return hand.pot


def pots_in_view(table: Table) -> tuple[Pot, ...]:
    """Return the pots as players see them, as far as the house shows them; the engine plays them all (R-PAC-26)."""
    hand = table.hand
    if hand is None or hand.pot == 0:
        return ()
    contributions = tuple([player.contribution if player is not None else 0 for player in hand.players])
    pots = build_pots(contributions, hand.betting.live, hand.dead)
    rakes = hand.settlement.rake or (0,) * len(pots)
    unpaid = [
        Pot(pot.amount - rakes[number], pot.claimants)
        for number, pot in enumerate(pots)
        if not is_awarded(hand.settlement, number)
    ]
    return visible_pots(tuple(unpaid), table.config.rulebook.showdown.max_visible_pots)


def raise_label(table: Table, hand: Hand, seat: Seat) -> str:
    """Return the house's word for a bet or raise (R-PAC-16, R-PLA-18)."""
    words, betting = table.config.rulebook.words, hand.betting
    if betting.current_bet == 0:
        return "Bet"
    if hand.street == 0 and seat == hand.setup.big_blind and player_at(hand.players, seat).bet == betting.current_bet:
        return words.bb_option
    number = betting.raises or 1  # A bet for less than a full one is not counted.
    return words.raises[number - 1] if number < len(words.raises) else words.raises[-1]


def table_info(table: Table) -> TableInfo:
    """Return the information box (R-PLA-5)."""
    config, stakes = table.config, table.terms.stakes
    if stakes.limit_type == "fixed_limit":
        sizes = f"{_amount(table, stakes.small_bet)}-{_amount(table, stakes.big_bet)}"
    elif stakes.big_blind:
        sizes = f"{_amount(table, stakes.small_blind)}-{_amount(table, stakes.big_blind)}"
    else:
        sizes = _amount(table, stakes.min_bet)
    return TableInfo(
        name=config.name,
        house=config.rulebook.title,
        game="Hold'em",
        limits=f"{sizes} {LIMIT_NAMES[stakes.limit_type]}",
        blinds=_blinds(table),
        buyin=_buyin(table),
    )


def _blinds(table: Table) -> str:
    stakes = table.terms.stakes
    ante = f"Ante: {_amount(table, stakes.ante)}" if stakes.ante else ""
    if not stakes.big_blind:
        return ante
    blinds = f"Blinds: {_amount(table, stakes.small_blind)}/{_amount(table, stakes.big_blind)}"
    return ", ".join(part for part in (blinds, ante) if part)


def _buyin(table: Table) -> str:
    config = table.config
    parts = [f"Minimum Buy-in {_amount(table, config.buyin_min)}"] if config.buyin_min else []
    if config.buyin_max:
        parts.append(f"Maximum Buy-in {_amount(table, config.buyin_max)}")
    return ", ".join(parts)


def _amount(table: Table, chips: Chips) -> str:
    """Write an amount: "$4", "$.05", "$2.50", "2.50 EUR"; tournament chips as they are."""
    if table.config.kind == "tournament":
        return f"{chips:,}"
    whole, cents = divmod(chips, 100)
    number = f"{whole:,}" if not cents else f"{whole:,}.{cents:02}" if whole else f".{cents:02}"
    currency = table.config.unit.partition("/")[0]
    return f"${number}" if currency == "USD" else f"{number} {currency}"
