"""The draw for the first button: one card face up for each player, the highest has it (G-AKP-8)."""

from __future__ import annotations

from engine.poker.cards import DECK_SIZE, parse_cards, rank_of, suit_of
from engine.poker.shuffle import BUTTON_DRAW, draw_order
from engine.table.commands import DrawButton, RemovePlayer
from engine.table.events import ButtonDrawn, HandStarted
from engine.table.start import _draws, needs_button_draw
from tests.engine.table.game import Game, cash, open_table, seat_players, with_button
from tests.engine.table.play import join, places, sit_out

RICH = 10_000
SEEDS = [bytes([number]) * 32 for number in range(256)]
"""Enough for every kind of draw among three."""


def seated(house: str = "modern", players: int = 3, **terms: object) -> Game:
    """Return a tournament table before its draw."""
    game = open_table(house, kind="tournament", unit="chips/SNG1", **terms)  # type: ignore[arg-type]
    return seat_players(game, [RICH] * players)


def draws(game: Game, seed: bytes) -> list[ButtonDrawn]:
    """Draw for the button; return every draw."""
    return game.do(DrawButton(seed)).all(ButtonDrawn)


def draw(game: Game, seed: bytes) -> ButtonDrawn:
    """Draw for the button where one draw is enough."""
    (drawn,) = draws(game, seed)
    return drawn


def first_cards(seed: bytes) -> tuple[int, ...]:
    """Return the first cards of three players."""
    return draw_order(seed, BUTTON_DRAW, "T1", DECK_SIZE)[:3]


def ranks(seed: bytes) -> list[int]:
    """Return the ranks of these cards, the highest first."""
    return sorted((rank_of(card) for card in first_cards(seed)), reverse=True)


TIED = [seed for seed in SEEDS if ranks(seed)[0] == ranks(seed)[1]]
CLEAR = [seed for seed in SEEDS if ranks(seed)[0] > ranks(seed)[1]]


def test_each_player_gets_a_card_of_a_fresh_deck() -> None:
    """O-38, G-AKP-8: the cards come from the randomness that came with the command, and are on the log."""
    drawn = draw(seated(), CLEAR[0])
    assert (drawn.seats, drawn.cards) == ((0, 1, 2), first_cards(CLEAR[0]))


def test_the_highest_card_has_the_button() -> None:
    """R-AKP-5, G-AKP-8: whatever its suit."""
    for seed in CLEAR:
        drawn = draw(seated(), seed)
        assert rank_of(drawn.cards[drawn.button]) == ranks(seed)[0]


def test_equal_ranks_go_by_suit() -> None:
    """G-AKP-8, AMB-43: spades over hearts over diamonds over clubs."""
    for seed in TIED:
        drawn = draw(seated(), seed)
        suits = {seat: suit_of(card) for seat, card in enumerate(drawn.cards) if rank_of(card) == ranks(seed)[0]}
        assert drawn.button == max(suits, key=lambda seat: suits[seat])


def test_a_house_may_draw_again() -> None:
    """AMB-43: `button_draw_tie = redraw`: those that tie draw again, from the same deck; each draw is an event."""
    for seed in TIED:
        first, *_, last = draws(seated(rules={"blinds.button_draw_tie": "redraw"}), seed)
        tied = {seat for seat in range(3) if rank_of(first.cards[seat]) == ranks(seed)[0]}
        assert (first.cards, first.button) == (first_cards(seed), -1)
        assert last.button in set(last.seats) <= tied
        assert not set(last.cards) & set(first.cards)


def test_one_highest_card_ends_the_draw() -> None:
    """AMB-43: `redraw` draws again only for those that tie."""
    rules = {"blinds.button_draw_tie": "redraw"}
    for seed in CLEAR:
        assert len(draws(seated(rules=rules), seed)) == 1
    for seed in TIED:
        assert all(len(drawn.seats) > 1 for drawn in draws(seated(rules=rules), seed))


def test_drawing_again_ends_with_the_deck() -> None:
    """AMB-43: when the deck has no card left for each of them, the suit decides."""
    ranks_left = "QJT98765432"
    order = parse_cards("AcAdAhAsKcKdKhKs" + "".join(f"{rank}c{rank}s{rank}d{rank}h" for rank in ranks_left))
    *earlier, last = _draws(list(range(8)), tuple(order), redraw=True)
    assert [drawn.button for drawn in earlier] == [-1] * 11
    assert last == ButtonDrawn((0, 1, 2, 3), tuple(parse_cards("2c2s2d2h")), 1)


def test_two_players_draw() -> None:
    """G-AKP-8: two are enough for a draw, as for a hand."""
    assert draw(seated(players=2), CLEAR[0]).seats == (0, 1)


def test_the_draw_counts_and_not_who_came_first() -> None:
    """R-AKP-5: where the button is drawn it does not matter who sat down first, also when seat 0 wins."""
    game = open_table("modern")
    for seat in (2, 1, 0):
        join(game, seat)
    assert places(with_button(game, 0).start()) == (0, 1, 2)


def test_the_draw_comes_before_the_first_hand() -> None:
    """G-AKP-8: `ButtonDrawn` is recorded before hand 1, which has its button there."""
    game = seated()
    drawn = draw(game, CLEAR[0])
    assert game.start().last(HandStarted).button == drawn.button


def test_only_players_who_are_ready_draw() -> None:
    """G-AKP-8: who sits out gets no card."""
    game = open_table("modern")
    for seat in range(4):
        join(game, seat)
    assert draw(sit_out(game, 1), CLEAR[0]).seats == (0, 2, 3)


def test_if_the_winner_leaves_the_next_one_has_the_button() -> None:
    """AMB-17: the button goes to the next player who is dealt in."""
    game = seated(players=4)
    button = draw(game, CLEAR[0]).button
    game.do(RemovePlayer(f"p{button}", "moved"))
    assert places(game.start())[0] == (button + 1) % 4


def test_a_seed_has_32_bytes() -> None:
    """`errors.py`: a seed of another length is wrong in every state."""
    for seed in (b"", bytes(31), bytes(33)):
        seated().refuses(DrawButton(seed), "FIELD_INVALID")


def test_the_button_is_drawn_once() -> None:
    """G-AKP-8: a second draw is refused, before the first hand and after it."""
    game = seated()
    draw(game, CLEAR[0])
    game.refuses(DrawButton(CLEAR[1]), "BUTTON_ALREADY_DRAWN")
    game.start().refuses(DrawButton(CLEAR[1]), "BUTTON_ALREADY_DRAWN")


def test_where_the_first_to_sit_deals_nothing_is_drawn() -> None:
    """R-AKP-5: AKPokerClub's cash tables have no draw, its tournaments have."""
    game = seat_players(open_table("akpoker"), [RICH] * 3)
    assert not needs_button_draw(game.table)
    assert needs_button_draw(seated("akpoker").table)
    game.refuses(DrawButton(CLEAR[0]), "BUTTON_ALREADY_DRAWN")


def test_one_player_does_not_draw() -> None:
    """G-AKP-8: with one player there is nothing to draw for."""
    seated(players=1).refuses(DrawButton(CLEAR[0]), "NOT_ENOUGH_PLAYERS")


def test_after_the_draw_nothing_is_left_to_draw() -> None:
    """G-AKP-8: also when the hand that followed was voided, the button has its place."""
    assert not needs_button_draw(cash("modern", [RICH] * 3).table)
