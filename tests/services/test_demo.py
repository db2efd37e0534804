"""The demonstration: one hand whose story is the same whatever the cards are, and proofs that find what is wrong."""

from __future__ import annotations

from typing import TypeVar

import msgspec
import pytest

from engine.rulebooks.loading import HOUSES, load
from engine.table import events
from services.demo.proofs import Proof, cards_committed, chips_conserved, prove, replayed
from services.demo.story import LIMIT_TYPE, STACKS, Story, play

E = TypeVar("E")

NO_LIMIT_HOUSES = [house for house in HOUSES if LIMIT_TYPE in load(house).table.limit_types]
TIMES = range(5)


def happened(story: Story, kind: type[E]) -> list[E]:
    """Return the events of a type."""
    return [recorded.event for recorded in story.history if isinstance(recorded.event, kind)]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("house", NO_LIMIT_HOUSES)
def test_there_are_always_two_side_pots(house: str, time: int) -> None:
    """Whatever the button and the cards, a main pot and two side pots are played for."""
    pots = happened(play(load(house)), events.PotSplit)
    assert [len(pot.seats) for pot in pots] == [4, 3, 2], f"time {time}"


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("house", NO_LIMIT_HOUSES)
def test_everything_is_proven(house: str, time: int) -> None:
    """Whatever the cards: chips are conserved, cards were committed to, and the events rebuild the table."""
    story = play(load(house))
    assert [proof.holds for proof in prove(story.history, story.table)] == [True, True, True], f"time {time}"


def test_an_uncalled_bet_goes_back() -> None:
    """The last all-in is for more than anybody can call."""
    assert len(happened(play(load("modern")), events.UncalledBetReturned)) == 1


def test_a_missed_turn_folds_and_sits_out() -> None:
    """One player lets his time run out: he is folded for this reason and sits out when the hand ends."""
    story = play(load("modern"))
    seat = list(STACKS).index("Finn")
    assert events.Folded(seat, "timeout") in happened(story, events.Folded)
    assert events.PlayerSatOut(seat, "timeout") in happened(story, events.PlayerSatOut)


def test_cards_differ_every_time() -> None:
    """T-OPS-3: the deck is not chosen, so two demonstrations commit to different decks."""
    roots = [happened(play(load("modern")), events.HandStarted)[0].deck_root for _ in range(2)]
    assert roots[0] != roots[1]


def test_a_chip_too_many_is_found() -> None:
    """Stacks that do not add up to those at the start are no proof, and the sums are named."""
    story = play(load("akpoker"))
    (ended,) = happened(story, events.HandEnded)
    richer = msgspec.structs.replace(ended, stacks=(ended.stacks[0] + 1, *ended.stacks[1:]))
    proofs = list(chips_conserved([*happened(story, events.HandStarted), richer], story.table))
    assert proofs == [Proof(False, "CHIPS ARE NOT CONSERVED: $826.50 became $826.51 in stacks + $0 rake.")]  # noqa: FBT003


def test_a_false_card_is_found() -> None:
    """A card other than the one at its place of the deck does not match the commitment."""
    story = play(load("modern"))
    turn = happened(story, events.StreetDealt)[1]
    false = msgspec.structs.replace(turn.cards[0], card=(turn.cards[0].card + 1) % 52)
    proof = cards_committed(
        [*happened(story, events.HandStarted), msgspec.structs.replace(turn, cards=(false,))], story.table
    )
    assert proof == Proof(False, "1 OF 1 CARDS DO NOT MATCH the deck that was fixed beforehand.")  # noqa: FBT003


def test_a_card_from_the_bottom_of_the_deck_is_found() -> None:
    """A card of this deck, but from a place that is not the street's, is as wrong as a false one."""
    story = play(load("modern"))
    turn, river = happened(story, events.StreetDealt)[1:]
    stolen = msgspec.structs.replace(turn, cards=river.cards)
    assert not cards_committed([*happened(story, events.HandStarted), stolen], story.table).holds


def test_a_changed_history_is_found() -> None:
    """A history that leads elsewhere does not rebuild the table."""
    story = play(load("modern"))
    assert replayed(story.history[:-1], story.table).text == "THE EVENTS DO NOT REBUILD the table."
