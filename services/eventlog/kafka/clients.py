"""Clients of Kafka are made here, because one that cannot be made must leave nothing behind.

kafka-python starts a thread for the network before it looks for a broker. If it finds none it raises, and the thread
lives on with nobody to end it: one for each attempt while the brokers are away (F27 pins it). So the part that owns
the thread is kept here until the client is there. And since all are made here, this is where production refuses to
connect without encryption (T-KAF-4).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from kafka.net.compat import KafkaNetClient

from services.eventlog.kafka.security import verify_production

PAUSE_S: Final = 1.0
"""How long an error is waited out before new clients are made."""

CLOSE_S: Final = 10
"""How long a producer may take to end; then it is left alone."""

Client = TypeVar("Client")


def made(kind: Callable[..., Client], settings: Mapping[str, Any]) -> Client:
    """Return a new client of a kind, such as KafkaConsumer.

    Raises:
        KafkaError: There is no broker, or the settings are wrong. Nothing is left behind.
    """
    verify_production(settings, os.environ)
    parts: list[Any] = []

    def part(**told: object) -> object:
        parts.append(KafkaNetClient(**told))
        return parts[-1]

    try:
        return kind(**settings, kafka_client=part)
    except BaseException:
        for each in parts:
            each.close()
        raise


def keep_going(ending: threading.Event, turn: Callable[[], None], let_go: Callable[[], None]) -> None:
    """Take one turn after the other until `ending` is set, in the thread that owns some clients.

    Whatever a turn raises, its clients are let go, because one that has raised must not be asked again, and the next
    turn begins anew after a while. They are let go at the end too.
    """
    while not ending.is_set():
        try:
            turn()
        except Exception:  # noqa: BLE001 - see above.
            let_go()
            ending.wait(PAUSE_S)
    let_go()


def end_producer(producer: Any) -> None:  # noqa: ANN401 - kafka-python has no types.
    """End a producer and its thread, even if records of it are stuck; that takes a while, so in a thread of its own."""
    sender = producer._sender  # noqa: SLF001 - `clients.md` A3: nothing else ends a sender that is stuck.
    sender.force_close()
    sender.join(CLOSE_S)
    with suppress(Exception):  # Whatever it complains about: nobody asks it again.
        producer.close(timeout=CLOSE_S)
