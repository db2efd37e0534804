"""Reads that the dealer asks for, in the process that has Kafka's clients."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from services.eventlog.errors import LogCorruptError, LogUnavailableError
from services.eventlog.kafka.frames import End, EndIs, Page, Read, Unreadable
from services.eventlog.kafka.pages import Pages
from services.eventlog.kafka.settings import KafkaSettings


class Reading:
    """Answers, in a thread that runs `run`."""

    def __init__(self, settings: KafkaSettings, tell: Callable[[Page | EndIs | Unreadable], None]) -> None:
        """Connect to nothing yet."""
        self._pages, self._tell = Pages(settings), tell
        self._queue: SimpleQueue[Read | End | None] = SimpleQueue()
        """None is the end."""

    def ask(self, question: Read | End) -> None:
        """Have a question answered, from any thread."""
        self._queue.put(question)

    def end(self) -> None:
        """Let `run` come to its end, from any thread."""
        self._queue.put(None)

    def run(self, _ending: threading.Event) -> None:
        """Answer until `end` was called."""
        while (question := self._queue.get()) is not None:
            self._tell(self._answer(question))
        self._pages.close()

    def _answer(self, question: Read | End) -> Page | EndIs | Unreadable:
        try:
            match question:
                case Read(number=number, partition=partition, offset=offset, limit=limit):
                    return Page(number, self._pages.read(partition, offset, limit))
                case End(number=number, partition=partition):
                    return EndIs(number, self._pages.end(partition))
        except LogCorruptError as error:
            return Unreadable(question.number, error.offset, error.why)
        except LogUnavailableError as error:
            return Unreadable(question.number, None, str(error))
