"""Announcements over a real Kafka: what is in the topic that no dealer has put there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest

from services.eventlog.kafka.announcements import Announcements
from services.eventlog.kafka.frames import Announced, framed
from services.eventlog.ownership import Owner
from tests.services.kafka.clients import ACKNOWLEDGED_SECONDS_MAX, producing
from tests.services.kafka.houses import new_house

GOOD = b'{"epoch":7,"address":"a"}'
HUGE = b'{"epoch":1%b,"address":"a"}' % (b"0" * 30)


@contextmanager
def hearing(announcements: Announcements) -> Iterator[None]:
    """Let the thread of announcements run."""
    ending = threading.Event()
    thread = threading.Thread(target=announcements.run, args=(ending,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(ACKNOWLEDGED_SECONDS_MAX)


@pytest.mark.parametrize(
    ("key", "value"),
    [(b"0", None), (b"0", b"{"), (b"x", GOOD), (b"0", HUGE), (b"9" * 30, GOOD)],
    ids=["nothing", "no owner", "no partition", "a huge epoch", "a huge partition"],
)
def test_what_is_no_announcement_is_passed_over(kafka_bootstrap: str, key: bytes, value: bytes | None) -> None:
    """Whatever it is, those behind it are heard; else no dealer would hear of an owner any more."""
    house = new_house(kafka_bootstrap, partitions=1)
    heard: SimpleQueue[bytes] = SimpleQueue()
    with producing(kafka_bootstrap) as producer:
        for each in ((key, value), (b"3", GOOD)):
            producer.send(house.owners, each[1], each[0], partition=0).get(ACKNOWLEDGED_SECONDS_MAX)
    with hearing(Announcements(house, lambda *owner: heard.put(framed(Announced(*owner))))):
        assert heard.get(timeout=ACKNOWLEDGED_SECONDS_MAX) == framed(Announced(3, Owner(7, "a")))
