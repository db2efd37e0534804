"""The events of a hand in words: one function per event, each from the table before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.poker.ranking import ranking
from engine.poker.seats import Seat
from engine.table import events
from engine.table.state import Table, hand_of
from services.demo.words import Line, Words, act, cards_in_words, gain, listed, money, name_at, pay, pot_name

CAUSES: dict[str, str] = {
    "": "",
    "timeout": " (time ran out)",
    "disconnected": " (connection lost)",
    "quota_used_up": " (connection lost, no protection left)",
    "sat_out": " (sitting out)",
    "left": " (has left)",
    "tournament_rule": " (absent, tournament rule)",
}
SHOW_CAUSES: dict[str, str] = {
    "showdown": "",
    "all_in": "",
    "not_beaten": " (would muck, but is not beaten)",
    "chosen": "",
    "timeout": " (time ran out)",
}
MUCK_CAUSES: dict[str, str] = {
    "auto_muck": "mucks a beaten hand",
    "chosen": "mucks a beaten hand",
    "uncontested": "wins without showing",
}
BLINDS: dict[str, str] = {"small": "the small blind of ", "big": "the big blind of ", "entry": "an entry blind of "}


def _button_drawn(_before: Table, event: events.ButtonDrawn, after: Table) -> Iterator[Line]:
    drawn = [
        f"{name_at(after, seat)} {cards_in_words([card])}" for seat, card in zip(event.seats, event.cards, strict=True)
    ]
    if drawn:
        yield Line("fact", f"A card each for the first button: {', '.join(drawn)}.")
    if event.button < 0:
        yield Line("fact", "The highest tie and draw again.")
    else:
        yield Line("fact", f"{name_at(after, event.button)} has the first button.")


def _hand_started(before: Table, event: events.HandStarted, after: Table) -> Iterator[Line]:
    rules = before.config.rulebook
    yield Line("heading", f"Hand {event.number}")
    yield Line("fact", f"Rules: {rules.title}, version {event.rulebook_version}, hash {event.rulebook_hash[:16]}")
    yield Line("fact", f"The deck is fixed before anybody posts: {event.deck_root.hex()}")
    for seat, player, stack in sorted(zip(event.seats, event.players, event.stacks, strict=True)):
        yield Line("action", _positions(event, seat), player, stack=money(after, stack))


def _positions(event: events.HandStarted, seat: Seat) -> str:
    named = (("button", event.button), ("small blind", event.small_blind), ("big blind", event.big_blind))
    return ", ".join(name for name, place in named if place == seat)


def _button_moved(_before: Table, _event: events.ButtonMoved, _after: Table) -> Iterator[Line]:
    return iter(())  # The list of players says where button and blinds are.


def _blind_missed(_before: Table, event: events.BlindMissed, after: Table) -> Iterator[Line]:
    yield Line("action", f"sits out and misses the {event.blind} blind", name_at(after, event.seat))


def _ante_posted(_before: Table, event: events.AntePosted, after: Table) -> Iterator[Line]:
    whose = "the ante for all" if event.dead else "an ante"
    yield pay(after, event.seat, f"posts {whose} of {money(after, event.amount)}")


def _blind_posted(_before: Table, event: events.BlindPosted, after: Table) -> Iterator[Line]:
    yield pay(after, event.seat, f"posts {BLINDS[event.blind]}{money(after, event.amount)}")


def _dead_blind_posted(_before: Table, event: events.DeadBlindPosted, after: Table) -> Iterator[Line]:
    yield pay(after, event.seat, f"posts a dead small blind of {money(after, event.amount)}")


def _hole_cards_dealt(_before: Table, event: events.HoleCardsDealt, after: Table) -> Iterator[Line]:
    yield Line("heading", "Before the flop", pot=money(after, hand_of(after).pot))
    yield Line("fact", f"Two cards each, face down, to {listed([name_at(after, seat) for seat in event.seats])}.")


def _street_dealt(before: Table, event: events.StreetDealt, after: Table) -> Iterator[Line]:
    turned = cards_in_words(shown.card for shown in event.cards)
    lying = cards_in_words(hand_of(before).board)
    board = f"{lying}  {turned}" if lying else turned
    yield Line("heading", f"The {event.street}:  {board}", pot=money(after, hand_of(after).pot))


def _folded(_before: Table, event: events.Folded, after: Table) -> Iterator[Line]:
    yield act(after, event.seat, f"folds{CAUSES[event.cause]}")


def _checked(_before: Table, event: events.Checked, after: Table) -> Iterator[Line]:
    yield act(after, event.seat, f"checks{CAUSES[event.cause]}")


def _called(_before: Table, event: events.Called, after: Table) -> Iterator[Line]:
    yield pay(after, event.seat, f"calls {money(after, event.amount)}")


def _bet(_before: Table, event: events.Bet, after: Table) -> Iterator[Line]:
    yield pay(after, event.seat, f"bets {money(after, event.raise_to)}")


def _raised(_before: Table, event: events.Raised, after: Table) -> Iterator[Line]:
    yield pay(after, event.seat, f"raises to {money(after, event.raise_to)}")


def _went_all_in(_before: Table, _event: events.WentAllIn, _after: Table) -> Iterator[Line]:
    return iter(())  # The line of the post, call, bet or raise has said so.


def _uncalled_bet_returned(_before: Table, event: events.UncalledBetReturned, after: Table) -> Iterator[Line]:
    yield act(after, event.seat, f"takes back {money(after, event.amount)} that nobody called")


def _pot_split(_before: Table, event: events.PotSplit, after: Table) -> Iterator[Line]:
    name = pot_name(event.pot).removeprefix("the ").capitalize()
    players = listed([name_at(after, seat) for seat in event.seats])
    verb = "plays" if len(event.seats) == 1 else "play"
    yield Line("fact", f"{name} of {money(after, event.amount)}: {players} {verb} for it.")


def _rake_taken(_before: Table, event: events.RakeTaken, after: Table) -> Iterator[Line]:
    yield Line("fact", f"The house takes a rake of {money(after, sum(event.amounts))}.")


def _show_offered(_before: Table, event: events.ShowOffered, after: Table) -> Iterator[Line]:
    yield Line("action", "is asked to show or to muck", name_at(after, event.seat))


def _hand_shown(_before: Table, event: events.HandShown, after: Table) -> Iterator[Line]:
    cards = tuple(shown.card for shown in event.cards)
    board = hand_of(after).board
    worth = f": {ranking(cards, board).name}" if len(cards) == 2 and board else ""
    text = f"shows {cards_in_words(cards)}{worth}{SHOW_CAUSES[event.cause]}"
    yield Line("action", text, name_at(after, event.seat))


def _hand_mucked(_before: Table, event: events.HandMucked, after: Table) -> Iterator[Line]:
    yield Line("action", MUCK_CAUSES[event.cause], name_at(after, event.seat))


def _pot_awarded(_before: Table, event: events.PotAwarded, after: Table) -> Iterator[Line]:
    for seat, amount, odd in zip(event.seats, event.amounts, event.odd_chips, strict=True):
        share = f", a share of {pot_name(event.pot)}" if len(event.seats) > 1 else f", {pot_name(event.pot)}"
        rest = f" ({money(after, odd)} of it did not divide)" if odd else ""
        yield act(after, seat, f"wins {money(after, amount)}{share}{rest}")


def _hand_ended(before: Table, event: events.HandEnded, _after: Table) -> Iterator[Line]:
    yield from _stacks(before, event, "The hand is over")


def _hand_voided(before: Table, event: events.HandVoided, _after: Table) -> Iterator[Line]:
    yield from _stacks(before, event, f"The hand is void: {event.cause} (ordered by {event.by})")


def _hand_reported(_before: Table, _event: events.HandReported, _after: Table) -> Iterator[Line]:
    return iter(())  # What the director is told here, the end of the hand has said to everybody.


def _stacks(before: Table, event: events.HandEnded | events.HandVoided, heading: str) -> Iterator[Line]:
    setup = hand_of(before).setup
    started = dict(zip(setup.seats, setup.stacks, strict=True))
    yield Line("heading", heading)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        yield Line("action", gain(before, stack - started[seat]), name_at(before, seat), stack=money(before, stack))


def _time_bank_started(_before: Table, event: events.TimeBankStarted, after: Table) -> Iterator[Line]:
    yield Line("action", "takes the time bank", name_at(after, event.seat))


def _time_bank_used(_before: Table, event: events.TimeBankUsed, after: Table) -> Iterator[Line]:
    yield Line("action", f"used {event.used_ms // 1000} s of the time bank", name_at(after, event.seat))


def _turn_clock_restarted(_before: Table, _event: events.TurnClockRestarted, _after: Table) -> Iterator[Line]:
    yield Line("fact", "The clock of the open turn starts again.")


def _connection_lost(_before: Table, event: events.ConnectionLost, _after: Table) -> Iterator[Line]:
    yield Line("action", "loses the connection" + " (a fault of the house)" * event.house_fault, event.player)


def _connection_restored(_before: Table, event: events.ConnectionRestored, _after: Table) -> Iterator[Line]:
    yield Line("action", "is connected again", event.player)


def _protection_requested(_before: Table, event: events.ProtectionRequested, _after: Table) -> Iterator[Line]:
    yield Line("action", "is away: a disconnection protection is asked for", event.player)


def _player_protected(_before: Table, event: events.PlayerProtected, after: Table) -> Iterator[Line]:
    yield act(after, event.seat, f"is protected: all-in for the {money(after, event.contribution)} in the pot")


def _protection_refused(_before: Table, event: events.ProtectionRefused, after: Table) -> Iterator[Line]:
    yield Line("action", "has no protection left", name_at(after, event.seat))


HAND_WORDS: dict[type, Words] = {
    events.ButtonDrawn: _button_drawn,
    events.HandStarted: _hand_started,
    events.ButtonMoved: _button_moved,
    events.BlindMissed: _blind_missed,
    events.AntePosted: _ante_posted,
    events.BlindPosted: _blind_posted,
    events.DeadBlindPosted: _dead_blind_posted,
    events.HoleCardsDealt: _hole_cards_dealt,
    events.StreetDealt: _street_dealt,
    events.Folded: _folded,
    events.Checked: _checked,
    events.Called: _called,
    events.Bet: _bet,
    events.Raised: _raised,
    events.WentAllIn: _went_all_in,
    events.TimeBankStarted: _time_bank_started,
    events.TimeBankUsed: _time_bank_used,
    events.TurnClockRestarted: _turn_clock_restarted,
    events.ConnectionLost: _connection_lost,
    events.ConnectionRestored: _connection_restored,
    events.ProtectionRequested: _protection_requested,
    events.PlayerProtected: _player_protected,
    events.ProtectionRefused: _protection_refused,
    events.UncalledBetReturned: _uncalled_bet_returned,
    events.PotSplit: _pot_split,
    events.RakeTaken: _rake_taken,
    events.ShowOffered: _show_offered,
    events.HandShown: _hand_shown,
    events.HandMucked: _hand_mucked,
    events.PotAwarded: _pot_awarded,
    events.HandEnded: _hand_ended,
    events.HandVoided: _hand_voided,
    events.HandReported: _hand_reported,
}
"""One function per event of a hand; a test holds it complete."""
