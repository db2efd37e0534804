"""Cards and their text."""

from __future__ import annotations

import pytest

from engine.poker.cards import ALL_CARDS, card_text, cards_text, parse_card, parse_cards, rank_of, suit_of


@pytest.mark.parametrize(("text", "card"), [("2c", 0), ("Ac", 12), ("2d", 13), ("3h", 27), ("Tc", 8), ("As", 51)])
def test_a_card_is_thirteen_times_its_suit_plus_its_rank(text: str, card: int) -> None:
    """T-RNG-10: card index = 13 · suit + rank, suits c d h s, ranks 2 to A."""
    assert parse_card(text) == card
    assert card_text(card) == text


def test_every_card_survives_being_written_and_read() -> None:
    """All 52 cards have texts of their own, and each text names its card."""
    assert parse_cards(cards_text(ALL_CARDS)) == ALL_CARDS


def test_rank_and_suit_make_up_the_card() -> None:
    """Rank 0 to 12 is the deuce to the ace, suit 0 to 3 is clubs to spades."""
    assert [(rank_of(card), suit_of(card)) for card in parse_cards("2cTdAhKs")] == [(0, 0), (8, 1), (12, 2), (11, 3)]


@pytest.mark.parametrize("text", ["10s", "as", "AS", "1s", "0s", "", "A", "s", "sA", "Ax", "A♠", " As", "As ", "AsKd"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    """FAULT-94: unknown text is refused, and never taken for another card."""
    with pytest.raises(ValueError, match="is no card: a card is one of 23456789TJQKA and one of cdhs"):
        parse_card(text)


@pytest.mark.parametrize("text", ["10s", "As10d", "10sA", "AsK", "As Kd", "As,Kd", "askd", "AsKd\n"])
def test_text_that_is_not_cards_throughout_is_refused(text: str) -> None:
    """FAULT-94: one unknown card spoils the text, wherever it stands."""
    with pytest.raises(ValueError, match="is no card"):
        parse_cards(text)


def test_a_card_that_comes_twice_is_refused() -> None:
    """FAULT-94: a text that names a card twice is a mistake, and no hand."""
    with pytest.raises(ValueError, match="'AsKdAs' names a card twice"):
        parse_cards("AsKdAs")


def test_cards_keep_the_order_of_their_text() -> None:
    """Several cards are written without separators, first card first; none are the empty text."""
    assert parse_cards("AsKd") == (51, 24)
    assert cards_text((24, 51)) == "KdAs"
    assert parse_cards("") == ()
