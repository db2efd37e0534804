"""The shape of what comes in with a command: amounts fit an int64, names and reasons are short printable text.

What is wrong here is wrong in every state. Texts are bounded because they end up in events, whose records are.
"""

from __future__ import annotations

from engine.errors import InvalidCommand, Reason
from engine.poker.money import CHIPS_MAX, Chips

TEXT_MAX = 200
"""Characters."""


def verify_text(field: str, text: str) -> None:
    """Refuse a text that is empty, too long, or not printable.

    Raises:
        InvalidCommand: With the name of the field.
    """
    if not 0 < len(text) <= TEXT_MAX or not text.isprintable():
        raise InvalidCommand(Reason.FIELD_INVALID, f"{field} is 1 to {TEXT_MAX} printable characters", field=field)


def verify_amount(field: str, amount: Chips) -> None:
    """Refuse an amount that is not a positive int64 (T-ABU-9, FAULT-115).

    Raises:
        InvalidCommand: With the name of the field.
    """
    if not 0 < amount <= CHIPS_MAX:
        raise InvalidCommand(Reason.FIELD_INVALID, f"{field} is a positive int64", field=field)
