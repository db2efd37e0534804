"""What happened at a table, in words, from its events alone.

`narrate` is a pure function: the same events give the same lines, whoever recorded them and whenever it is asked. It
follows the table with `evolve`, so that each line can say what is in the pot and what a player has left. The words are
in `hand_words.py` and `seat_words.py`, which together name every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.table.evolve import evolve
from engine.table.state import Table
from services.demo.hand_words import HAND_WORDS
from services.demo.record import Recorded
from services.demo.seat_words import SEAT_WORDS
from services.demo.words import Line, Words

WORDS: dict[type, Words] = {**SEAT_WORDS, **HAND_WORDS}


def narrate(history: Iterable[Recorded], table: Table | None = None) -> Iterator[Line]:
    """Yield the story of `history`, which goes on from `table`, or begins with `TableCreated`."""
    for recorded in history:
        before, table = table, evolve(table, recorded.event, recorded.at_ms)
        yield from WORDS[type(recorded.event)](before, recorded.event, table)
