"""The shape of what comes in with a command: amounts fit an int64, names and reasons are short printable text.

What is wrong here is wrong in every state. Texts are bounded because they end up in events, whose records are.
"""

from __future__ import annotations

from engine.errors import InvalidCommand, Reason
from engine.poker.money import CHIPS_MAX, Chips
from engine.poker.shuffle import SEED_BYTES

TEXT_MAX = 200
"""Characters."""


def verify_text(field: str, text: str, most: int = TEXT_MAX) -> None:
    """Refuse a text that is empty, longer than `most` characters, or not printable.

    Raises:
        InvalidCommand: With the name of the field.
    """
    if not is_text(text, most):
        raise InvalidCommand(Reason.FIELD_INVALID, f"{field} is 1 to {most} printable characters", field=field)


def verify_texts(command: object, *fields: str, most: int = TEXT_MAX) -> None:
    """Refuse a command if a text in one of these fields is none (`verify_text`).

    Raises:
        InvalidCommand: With the name of the first such field.
    """
    for field in fields:
        verify_text(field, getattr(command, field), most)


def is_text(text: str, most: int = TEXT_MAX) -> bool:
    """Say whether a text is printable, and neither empty nor longer than `most` characters."""
    return 0 < len(text) <= most and text.isprintable()


def verify_amount(field: str, amount: Chips) -> None:
    """Refuse an amount that is not a positive int64 (T-ABU-9, FAULT-115).

    Raises:
        InvalidCommand: With the name of the field.
    """
    if not 0 < amount <= CHIPS_MAX:
        raise InvalidCommand(Reason.FIELD_INVALID, f"{field} is a positive int64", field=field)


def verify_seed(seed: bytes) -> None:
    """Refuse a seed of the wrong length (T-RNG-6).

    Raises:
        InvalidCommand: With the name of the field.
    """
    if len(seed) != SEED_BYTES:
        raise InvalidCommand(Reason.FIELD_INVALID, f"a seed has {SEED_BYTES} bytes", field="seed")
