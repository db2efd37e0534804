"""What a command about a log ends with when it cannot do what it was asked: one sentence, and an exit code.

1   something that must hold does not, or what was asked for is not there
2   the command line makes no sense
3   the log is corrupt: the sentence says at which offset, and why
4   the log cannot be reached or opened
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import click

from services.eventlog.errors import LogCorruptError, LogError
from services.logtool.places import Place


class CorruptLog(click.ClickException):
    """The log is corrupt."""

    exit_code: ClassVar[int] = 3


class UnopenedLog(click.ClickException):
    """The log cannot be reached or opened."""

    exit_code: ClassVar[int] = 4


@contextmanager
def in_one_sentence(place: Place) -> Iterator[None]:
    """Turn errors of a log into the end of the command.

    Raises:
        CorruptLog: The log is corrupt.
        UnopenedLog: It cannot be reached or opened.
    """
    try:
        yield
    except LogCorruptError as error:
        raise CorruptLog(sentence(error, place)) from error
    except LogError as error:
        raise UnopenedLog(str(error)) from error


def sentence(error: LogCorruptError, place: Place) -> str:
    """Return what is wrong; where the first record is, the reason may be that it is another house's."""
    guess = f", unless this is not the log of house {place.house!r}" if error.offset == 1 and place.path else ""
    return f"{error}{guess}"
