"""Properties of every table: each card comes from the committed deck, and stays secret until it is shown.

They are stated about random plays (`random_play.py`), whose steps keep the deck beside the table.
"""

from __future__ import annotations

from base64 import b64encode

import msgspec
from hypothesis import given

from engine.poker.dealing import board_places, deal_order
from engine.poker.deck import Deck, ShownCard, verify_shown
from engine.poker.pots import is_contested
from engine.poker.ranking import strength
from engine.poker.seats import Seat, clockwise, seat_set
from engine.table import events as said
from engine.table.decide import execute
from engine.table.events import TableEvent
from engine.table.state import Hand, hand_of
from tests.engine.table.played import DealtHand, Play
from tests.engine.table.random_play import for_500_hands, for_1000_hands, often, plays


def turned_up(hand: DealtHand) -> list[ShownCard]:
    """Return the cards of board and players that were turned up, with their proofs."""
    events = [event for event in hand.events if isinstance(event, said.StreetDealt | said.HandShown)]
    return [card for event in events for card in event.cards]


def board_of(hand: DealtHand) -> list[ShownCard]:
    """Return the cards of the board."""
    return [card for event in hand.events if isinstance(event, said.StreetDealt) for card in event.cards]


def hole_places(hand: DealtHand) -> dict[Seat, tuple[int, int]]:
    """Return the places of the hole cards, by seat."""
    dealt = next(event for event in hand.events if isinstance(event, said.HoleCardsDealt))
    return dict(zip(dealt.seats, dealt.places, strict=True))


def folded(hand: DealtHand) -> set[Seat]:
    """Return who gave up."""
    return {event.seat for event in hand.events if isinstance(event, said.Folded)}


def was_contested(hand: DealtHand) -> bool:
    """Say whether betting ended with more than one player."""
    return any(isinstance(event, said.PotSplit) for event in hand.events)


@for_1000_hands
@given(plays())
def test_shown_cards_are_those_of_the_committed_deck(play: Play) -> None:
    """T-COM-4, I6: every card that is turned up verifies against the root in HandStarted."""
    for hand in play.hands:
        assert hand.started.deck_root == hand.deck.root
        for shown in turned_up(hand):
            assert shown.card == hand.deck.order[shown.index]
            assert verify_shown(shown, hand.started.hand_id, hand.started.deck_root)


@often
@given(plays())
def test_no_place_of_the_deck_is_dealt_twice(play: Play) -> None:
    """T-COM-6, I6: the places of hole cards and board are all different."""
    for hand in play.hands:
        places = [place for pair in hole_places(hand).values() for place in pair]
        places += [shown.index for shown in board_of(hand)]
        assert len(places) == len(set(places))


@often
@given(plays())
def test_cards_are_dealt_in_the_recorded_order(play: Play) -> None:
    """T-COM-6, R-PAC-31, AMB-46: a reader computes from seats, button and rulebook which place each card came from."""
    for hand in play.hands:
        rules, started = hand.steps[0].before.config.rulebook.deal, hand.started
        big_blind = started.big_blind if started.big_blind >= 0 else None
        order = deal_order(seat_set(started.seats), started.button, big_blind, rules.deal_starts)
        count, board = len(order), board_places(len(order), rules.burn)
        assert hole_places(hand) == {seat: (number, count + number) for number, seat in enumerate(order)}
        dealt = [shown.index for shown in board_of(hand)]
        assert dealt == [*board.flop, board.turn, board.river][: len(dealt)]


@for_500_hands
@given(plays())
def test_nothing_stored_opens_a_card_that_was_not_shown(play: Play) -> None:
    """T-SEC-1, T-SEC-7, T-COM-4, H1: no event, state or text of either holds a salt of a card that nobody has shown."""
    for hand in play.hands:
        secret = {index: hand.deck.salts[index] for index in range(len(hand.deck.salts))}
        for step in hand.steps:
            for card in turned_up(DealtHand([step])):
                secret.pop(card.index)
            public = (step.events, step.after.hand, step.after.seats, step.after.desk)
            stored, text = msgspec.msgpack.encode(public), msgspec.json.encode(public).decode() + repr(public)
            assert not any(salt in stored for salt in secret.values())
            assert not any(b64encode(salt).decode() in text or salt.hex() in text for salt in secret.values())


@often
@given(plays())
def test_the_state_knows_no_card_but_the_board(play: Play) -> None:
    """H1, H4: the state holds places in the deck; the only cards in it are those of the board, in the order dealt."""
    for moment in play.moments:
        if isinstance(moment.event, said.StreetDealt):
            cards = tuple(shown.card for shown in moment.event.cards)
            assert hand_of(moment.after).board == hand_of(moment.before).board + cards
        elif moment.before.hand is not None and moment.after.hand is not None:
            assert moment.after.hand.board == moment.before.hand.board


@often
@given(plays())
def test_cards_that_nobody_looked_at_have_no_influence(play: Play) -> None:
    """H1, H4: with other cards at the places that nobody looked at, the same commands make the same events."""
    for hand in play.hands:
        unseen = sorted(set(range(52)) - looked_at(hand))
        order = list(hand.deck.order)
        for place, other in zip(unseen, reversed(unseen), strict=True):
            order[place] = hand.deck.order[other]
        table, deck = hand.steps[0].before, Deck.from_order(tuple(order), bytes(32), hand.started.hand_id)
        for step in hand.steps:
            events, table = execute(table, step.command, step.at_ms, deck)
            assert [without_proof(event) for event in events] == [without_proof(event) for event in step.events]


def looked_at(hand: DealtHand) -> set[int]:
    """Return the places of the cards that were turned up, and of those that were compared at a showdown."""
    places = {shown.index for shown in turned_up(hand)}
    compared = set(hole_places(hand)) - folded(hand) if was_contested(hand) else set()
    return places | {place for seat in compared for place in hole_places(hand)[seat]}


def without_proof(event: TableEvent) -> TableEvent:
    """Return an event without what depends on the whole deck: the root and the hashes on the way to it."""
    if isinstance(event, said.HandStarted):
        return msgspec.structs.replace(event, deck_root=b"")
    if isinstance(event, said.StreetDealt | said.HandShown):
        cards = tuple(msgspec.structs.replace(card, siblings=b"") for card in event.cards)
        return msgspec.structs.replace(event, cards=cards)
    return event


@often
@given(plays())
def test_only_hands_that_may_be_shown_are_shown(play: Play) -> None:
    """G-PAC-11, R-FRE-9: no folded hand is shown, and after everybody folded at most the winner's, by his choice."""
    for hand in play.hands:
        shown = [event for event in hand.events if isinstance(event, said.HandShown)]
        assert not {event.seat for event in shown} & folded(hand)
        if not was_contested(hand):
            assert [event.cause for event in shown] in ([], ["chosen"])


@often
@given(plays())
def test_each_live_hand_is_shown_or_mucked_once(play: Play) -> None:
    """Section 4, show and muck: at a showdown every live hand is shown or mucked, and none of them twice."""
    for hand in play.hands:
        decided = [event.seat for event in hand.events if isinstance(event, said.HandShown | said.HandMucked)]
        assert len(decided) == len(set(decided))
        if was_contested(hand) and hand.was_played_out:
            assert set(decided) == set(hole_places(hand)) - folded(hand)


@often
@given(plays())
def test_who_wins_a_contested_pot_shows_his_hand(play: Play) -> None:
    """AMB-29, R-PAC-23: nobody wins a contested pot with a hand that was mucked."""
    for hand in play.hands:
        contested = {e.pot for e in hand.events if isinstance(e, said.PotSplit) and len(e.seats) > 1}
        awards = [e for e in hand.events if isinstance(e, said.PotAwarded) and e.pot in contested]
        if hand.was_played_out:
            shown = {e.seat for e in hand.events if isinstance(e, said.HandShown) and len(e.cards) == 2}
            assert {seat for award in awards for seat in award.seats} <= shown


@often
@given(plays())
def test_each_pot_goes_to_its_best_claimants(play: Play) -> None:
    """AMB-38, R-PAC-20, R-AKP-13: the best hands among a pot's claimants share it, first the one left of the button."""
    for moment in play.moments:
        hand = moment.before.hand
        if isinstance(moment.event, said.PotAwarded) and hand is not None and hand.settlement.pots:
            pot = hand.settlement.pots[moment.event.pot]
            if is_contested(pot):
                ranked = strengths(hand, moment.deck)
                claimants = clockwise(pot.claimants, hand.setup.button)
                best = max(ranked[seat] for seat in claimants)
                assert moment.event.seats == tuple(seat for seat in claimants if ranked[seat] == best)


def strengths(hand: Hand, deck: Deck | None) -> dict[Seat, int]:
    """Return the strength of each hand with the whole board, by seat."""
    assert deck is not None
    pairs = {seat: pair for seat, pair in enumerate(hand.places) if pair is not None}
    return {s: strength((deck.order[one], deck.order[two]), hand.board) for s, (one, two) in pairs.items()}


@often
@given(plays())
def test_a_pot_is_shared_as_evenly_as_the_house_says(play: Play) -> None:
    """R-PAC-22, R-MOD-5, AMB-26: shares differ by the odd chips alone, which go out from the left of the button."""
    for moment in play.moments:
        if isinstance(moment.event, said.PotAwarded):
            shares = [a - odd for a, odd in zip(moment.event.amounts, moment.event.odd_chips, strict=True)]
            assert len(set(shares)) == 1
            assert list(moment.event.odd_chips) == sorted(moment.event.odd_chips, reverse=True)
            config = moment.after.config
            cents = config.kind == "cash" or config.rulebook.showdown.odd_chip_unit.tournament == "minor_unit"
            if cents or hand_of(moment.after).setup.terms.stakes.smallest_chip == 1:
                one_each = config.rulebook.showdown.odd_chip_rule == "one_each_from_left"
                assert sum(moment.event.odd_chips) < len(shares)
                assert not one_each or max(moment.event.odd_chips) <= 1
