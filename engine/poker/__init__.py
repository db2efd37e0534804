"""Functions on values: cards, decks, rankings, betting, pots, showdowns, blinds. No table, no player names."""
