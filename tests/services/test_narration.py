"""The story of a table in words: every event has its words, and they say what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec
import pytest

from engine.poker.cards import parse_cards
from engine.poker.deck import ShownCard
from engine.rulebooks.loading import load
from engine.table import events
from engine.table.commands import FreezeTable
from engine.table.events import TableEvent
from services.demo.narrate import WORDS, narrate
from services.demo.record import Recorded
from services.demo.words import Line
from tests.engine.table.game import Game, cash, open_table, tournament

BOARD = "KdKh9s4c2d"


def recorded(happened: Sequence[TableEvent]) -> list[Recorded]:
    """Return events as they are kept, all at one time."""
    return [Recorded(place, 0, event) for place, event in enumerate(happened, start=1)]


def in_words(lines: Iterable[Line]) -> list[str]:
    """Return lines as "who text"."""
    return [f"{line.who} {line.text}".strip() for line in lines]


def heads_up() -> Game:
    """Return a hand before the flop: p0 has the button and the small blind, p1 the big blind."""
    return cash("modern", stacks=[10_000, 10_000], blinds=(100, 200)).start({0: "KsQc", 1: "9h9d"}, BOARD)


def words_of(event: TableEvent) -> list[str]:
    """Return what is said of an event at a heads-up hand in progress."""
    table = heads_up().table
    return in_words(WORDS[type(event)](table, event, table))


def shown(text: str) -> tuple[ShownCard, ...]:
    """Return cards turned up, without proofs."""
    return tuple(ShownCard(0, card, b"", b"") for card in parse_cards(text))


def test_every_event_has_words() -> None:
    """No event of a table is left without words."""
    assert set(WORDS) == set(get_args(TableEvent))


SAID: tuple[tuple[TableEvent, str], ...] = (
    (events.ButtonDrawn((0, 1), parse_cards("2cAs"), 1), "A card each for the first button: p0 2♣, p1 A♠."),
    (events.ButtonDrawn((), (), 1), "p1 has the first button."),
    (events.BlindMissed(1, "big"), "p1 sits out and misses the big blind"),
    (events.AntePosted(0, 25, dead=False), "p0 posts an ante of $0.25"),
    (events.AntePosted(0, 200, dead=True), "p0 posts the ante for all of $2"),
    (events.BlindPosted(0, 100, "small"), "p0 posts the small blind of $1"),
    (events.BlindPosted(0, 200, "big"), "p0 posts the big blind of $2"),
    (events.BlindPosted(0, 200, "entry"), "p0 posts an entry blind of $2"),
    (events.DeadBlindPosted(0, 100), "p0 posts a dead small blind of $1"),
    (events.Folded(0), "p0 folds"),
    (events.Folded(0, "timeout"), "p0 folds (time ran out)"),
    (events.Folded(0, "disconnected"), "p0 folds (connection lost)"),
    (events.Folded(0, "quota_used_up"), "p0 folds (connection lost, no protection left)"),
    (events.Folded(0, "left"), "p0 folds (has left)"),
    (events.Checked(0, "sat_out"), "p0 checks (sitting out)"),
    (events.Checked(0, "tournament_rule"), "p0 checks (absent, tournament rule)"),
    (events.Called(0, 100), "p0 calls $1"),
    (events.Bet(0, 300, 300, full=True), "p0 bets $3"),
    (events.Raised(0, 500, 123_456, full=True), "p0 raises to $1,234.56"),
    (events.TimeBankStarted(0, 1), "p0 takes the time bank"),
    (events.TimeBankUsed(0, 12_000), "p0 used 12 s of the time bank"),
    (events.TurnClockRestarted(1, 0), "The clock of the open turn starts again."),
    (events.ConnectionLost(0, "p0", "o1", house_fault=False), "p0 loses the connection"),
    (events.ConnectionLost(0, "p0", "o1", house_fault=True), "p0 loses the connection (a fault of the house)"),
    (events.ConnectionRestored(0, "p0", 0), "p0 is connected again"),
    (
        events.ProtectionRequested(0, "p0", "T1-1", "o1", "modern", load("modern").protection, "USD"),
        "p0 is away: a disconnection protection is asked for",
    ),
    (events.PlayerProtected(0, 600, counted=True), "p0 is protected: all-in for the $6 in the pot"),
    (events.ProtectionRefused(0), "p0 has no protection left"),
    (events.UncalledBetReturned(1, 250), "p1 takes back $2.50 that nobody called"),
    (events.PotSplit(0, 400, (0, 1)), "Main pot of $4: p0 and p1 play for it."),
    (events.PotSplit(2, 400, (1,)), "Side pot 2 of $4: p1 plays for it."),
    (events.RakeTaken((10, 5)), "The house takes a rake of $0.15."),
    (events.ShowOffered(1), "p1 is asked to show or to muck"),
    (events.HandShown(1, shown("9h"), "chosen"), "p1 shows 9♥"),
    (events.HandShown(1, shown("9h9d"), "timeout"), "p1 shows 9♥ 9♦ (time ran out)"),
    (events.HandShown(1, shown("9h9d"), "not_beaten"), "p1 shows 9♥ 9♦ (would muck, but is not beaten)"),
    (events.HandMucked(1, "auto_muck"), "p1 mucks a beaten hand"),
    (events.HandMucked(1, "chosen"), "p1 mucks a beaten hand"),
    (events.HandMucked(1, "uncontested"), "p1 wins without showing"),
    (events.PotAwarded(0, (1,), (400,), (0,)), "p1 wins $4, the main pot"),
    (events.PotAwarded(1, (1,), (400,), (0,)), "p1 wins $4, side pot 1"),
    (events.PotAwarded(0, (1, 0), (201, 200), (1, 0)), "p0 wins $2, a share of the main pot"),
    (
        events.PotAwarded(0, (1, 0), (201, 200), (1, 0)),
        "p1 wins $2.01, a share of the main pot ($0.01 of it did not divide)",
    ),
    (events.HandVoided("T1-1", "fire", "operator", (), (), (), 0, ()), "The hand is void: fire (ordered by operator)"),
    (events.TableClosing(), "The table is closing: no new hand, no new player."),
    (events.TableClosed(), "The table is closed."),
    (events.TableHalted("disk full"), "The table stands still: disk full"),
    (events.TableResumed("operator"), "The table is back in service (ordered by operator)."),
    (events.HandsLimited(7), "The director lets hands up to number 7 be dealt."),
    (events.StacksReported((1, 2), (10_000, 10_000)), "The stacks as they count: p0 $100 and p1 $100."),
    (events.ClockPaused(), "The clock stands still."),
    (events.ClockResumed(0), "The clock runs again."),
    (events.SeatHeld(1, "p7", 0), "p7 looks at a seat, which is held"),
    (events.SeatReleased(1, "p7", "player"), "p7 gives up the seat"),
    (events.SeatReleased(1, "p7", "expired"), "p7 loses the seat that was held"),
    (events.SeatReleased(1, "p7", "funds_refused"), "p7 gets no seat: the account refused the money"),
    (events.SeatReleased(1, "p7", "table_closing"), "p7 loses the seat: the table closes"),
    (events.PlayerSeated(1, "p7", 500, "t"), "p7 sits down"),
    (events.PlayerLeft(1, "p7", 500, "t", "player"), "p7 leaves with $5"),
    (events.PlayerLeft(1, "p7", 500, "t", "sat_out_too_long"), "p7 leaves after sitting out too long with $5"),
    (events.PlayerLeft(1, "p7", 500, "t", "table_closing"), "p7 leaves the closing table with $5"),
    (events.PlayerLeft(1, "p7", 500, "t", "moved"), "p7 moves to another table with $5"),
    (events.PlayerLeft(1, "p7", 0, "t", "busted"), "p7 is out of the tournament with $0"),
    (events.PlayerLeft(1, "p7", 500, "t", "removed"), "p7 is taken off the table with $5"),
    (events.LeaveRequested(1, "player"), "p1 will leave when the hand is over"),
    (events.PlayerSatOut(1, "player"), "p1 sits out"),
    (events.PlayerSatOut(1, "timeout"), "p1 sits out after a missed turn"),
    (events.PlayerSatOut(1, "disconnected"), "p1 sits out after a lost connection"),
    (events.PlayerSatOut(1, "no_chips"), "p1 sits out without chips"),
    (events.PlayerSatOut(1, "next_big_blind"), "p1 sits out before the big blind"),
    (events.SitOutPlanned(1, ""), "p1 stays in"),
    (events.SitOutPlanned(1, "next_hand"), "p1 will sit out after this hand"),
    (events.SitOutPlanned(1, "next_big_blind"), "p1 will sit out from the next big blind"),
    (events.PlayerSatIn(1, "wait"), "p1 is back"),
    (events.EntryPlanned(1, "post"), "p1 will post at once"),
    (events.EntryPlanned(1, "wait"), "p1 will wait for the big blind"),
    (events.PreferencesSet(1, auto_muck=False, ask_to_show=True), "p1 sets auto muck off, ask to show on"),
    (events.TopUpReleased(1, "p1", "t"), "p1 gets no more chips: the account refused the money"),
    (events.ChipsQueued(1, "p1", 500, "t"), "p1 has $5 on the way into the stack"),
    (events.ChipsAdded(1, 500), "p1 adds $5 to the stack"),
    (events.ChipsReturned(1, "p1", 500, "t"), "p1 gets $5 back into the account"),
    (events.RakeSwept(500, "t"), "Rake of $5 goes to the house."),
)


@pytest.mark.parametrize(("event", "said"), SAID)
def test_event_in_words(event: TableEvent, said: str) -> None:
    """Each event says who did what, for how much, and why when the player did not do it himself."""
    assert said in words_of(event)


@pytest.mark.parametrize(
    "event",
    [
        events.ButtonMoved(0, 0, True, 1),  # noqa: FBT003 - an event has its fields in order.
        events.WentAllIn(0),
        events.SeatReserved(1, "p7", 500, "t", whole_balance_only=False),
        events.TopUpReserved(1, "p1", 500, "t"),
        events.HandReported(1, 0, 0, 1, (1, 2), (10_000, 10_000), (9900, 10_100), ()),
    ],
)
def test_event_that_another_line_tells(event: TableEvent) -> None:
    """An event whose news stands in a neighbouring line has no line of its own."""
    assert words_of(event) == []


def test_table_introduces_itself() -> None:
    """The story begins with house, name, limits, blinds and buy-in."""
    log = heads_up().log
    assert in_words(narrate(recorded(log)))[:2] == [
        "Modern rules, table Test",
        "Hold'em, $1-$2 No Limit. Blinds: $1/$2. Minimum Buy-in $80, Maximum Buy-in $200",
    ]


def test_hand_begins_with_its_commitment() -> None:
    """The commitment to the deck is told before the first blind."""
    said = in_words(narrate(recorded(heads_up().log)))
    root = heads_up().hand.setup.deck_root.hex()
    assert said.index(f"The deck is fixed before anybody posts: {root}") < said.index("p0 posts the small blind of $1")


def test_stacks_at_the_start_name_the_positions() -> None:
    """Each player dealt in is listed with his position and his stack."""
    lines = [line for line in narrate(recorded(heads_up().log)) if line.who and line.stack]
    assert [(line.who, line.text, line.stack) for line in lines[2:4]] == [
        ("p0", "button, small blind", "$100"),
        ("p1", "big blind", "$100"),
    ]


def test_action_tells_pot_and_stack_after_it() -> None:
    """The line of an action has what is in the middle and what the player has left, both after it."""
    game = heads_up().raise_to(600)
    *_, line = narrate(recorded(game.log))
    assert (line.who, line.text, line.pot, line.stack) == ("p0", "raises to $6", "$8", "$94")


def test_all_in_is_told_with_its_action() -> None:
    """Who puts in the last of his chips is all-in in the same line."""
    game = heads_up().all_in()
    assert in_words(narrate(recorded(game.log)))[-1] == "p0 raises to $100 and is all-in"


def test_streets_show_the_board_so_far() -> None:
    """Each street names the cards that lay there before and those turned up now."""
    said = in_words(narrate(recorded(heads_up().all_in().call().log)))
    assert [line for line in said if line.startswith(("The flop", "The turn", "The river"))] == [
        "The flop:  K♦ K♥ 9♠",
        "The turn:  K♦ K♥ 9♠  4♣",
        "The river:  K♦ K♥ 9♠ 4♣  2♦",
    ]


def test_showdown_names_the_hands() -> None:
    """A hand turned up on the river is named in words."""
    log = heads_up().call().check().check().check().check().check().check().check().log
    said = in_words(narrate(recorded(log)))
    assert "p1 shows 9♥ 9♦: full house, nines over kings" in said
    assert "p0 mucks a beaten hand" in said


def test_final_stacks_tell_gains() -> None:
    """The hand closes with every stack and what its owner won or lost."""
    lines = list(narrate(recorded(heads_up().fold().log)))
    assert [(line.who, line.text, line.stack) for line in lines[-2:]] == [
        ("p0", "-$1", "$99"),
        ("p1", "+$1", "$101"),
    ]


def test_nothing_won_is_even() -> None:
    """Who ends with what he began is even."""
    game = cash("modern", stacks=[10_000] * 3, blinds=(100, 200)).start().fold().fold()
    assert "p0 even" in in_words(narrate(recorded(game.log)))


def test_tournament_chips_are_no_dollars() -> None:
    """Tournament amounts are whole chips without a currency."""
    game = tournament("modern", stacks=[10_000, 10_000], blinds=(100, 200)).start()
    assert "p0 posts the small blind of 100" in in_words(narrate(recorded(game.log)))


def test_a_table_where_nobody_sits_has_no_stacks_to_tell() -> None:
    """The table of a tournament that is called off may be empty."""
    game = open_table("modern", kind="tournament").do(FreezeTable("called off", "operator"))
    assert in_words(narrate(recorded(game.log)))[-1] == "The table stands still: called off"


def test_story_goes_on_from_a_table() -> None:
    """Narration can begin in the middle, from the table as it was."""
    game = heads_up()
    before = game.table
    game.fold()
    assert in_words(narrate(recorded(game.events), before))[0] == "p0 folds"


def test_narration_is_repeatable() -> None:
    """The same events give the same lines."""
    history = recorded(heads_up().call().check().log)
    assert msgspec.json.encode(list(narrate(history))) == msgspec.json.encode(list(narrate(history)))
