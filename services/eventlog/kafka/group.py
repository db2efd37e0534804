"""The dealer's place in the consumer group that spreads partitions over dealers (`clients.md` A4).

The member consumes nothing. It is in the group to be given partitions, and to lose them when its dealer does not
answer any more: then it leaves, and the others get them at once. If this process hangs too, the brokers miss its
heartbeats or its polls, and come to the same end some seconds later.

What the library calls on a rebalance runs in its own thread, where nothing may wait or ask: it notes the news, and
`run` passes it on. After an exception the consumer is thrown away, because polling it again may never end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from kafka import ConsumerRebalanceListener, KafkaConsumer, TopicPartition
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

from services.eventlog.kafka.clients import keep_going, made
from services.eventlog.kafka.settings import KafkaSettings

POLL_MS: Final = 200
CLOSE_MS: Final = 2_000


class Group:
    """One member, in a thread of its own that runs `run`."""

    def __init__(
        self, settings: KafkaSettings, is_answering: Callable[[], bool], given: Callable[[frozenset[int]], None]
    ) -> None:
        """Join nothing yet.

        Args:
            settings: Which group, and how to get there.
            is_answering: Says whether the dealer has answered lately.
            given: Is told the partitions after each rebalance, and that there are none after this member has left.
        """
        self._settings, self._is_answering, self._given = settings, is_answering, given
        self._consumer: KafkaConsumer | None = None
        self._news = _News()

    def run(self, ending: threading.Event) -> None:
        """Be a member while the dealer answers, until `ending` is set; then leave in good order."""
        keep_going(ending, lambda: self._turn(ending), self._leave)

    def _turn(self, ending: threading.Event) -> None:
        """Poll once, or wait for a dealer that does not answer."""
        if not self._is_answering():
            self._leave()
            ending.wait(POLL_MS / 1000)
            return
        if self._consumer is None:
            self._consumer = self._joined()
        self._consumer.poll(timeout_ms=POLL_MS)
        if (partitions := self._news.taken()) is not None:
            self._given(partitions)

    def _joined(self) -> KafkaConsumer:
        """Return a consumer that asks to be a member. Partitions stay where they are as far as that is fair."""
        strategy = {"partition_assignment_strategy": [StickyPartitionAssignor]}
        consumer = made(KafkaConsumer, self._settings.member() | strategy)
        self._news = _News(consumer)
        consumer.subscribe([self._settings.events], listener=self._news)
        return consumer

    def _leave(self) -> None:
        """Leave the group, if there is a way to say so, and own nothing that is new."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            with suppress(Exception):  # Whatever it complains about: nobody asks it again.
                consumer.close(timeout_ms=CLOSE_MS)
            self._given(frozenset())


class _News(ConsumerRebalanceListener):  # type: ignore[misc]  # It has no types.
    """Notes what a rebalance has brought."""

    def __init__(self, consumer: KafkaConsumer | None = None) -> None:
        self._consumer = consumer
        self._given: frozenset[int] | None = None

    def taken(self) -> frozenset[int] | None:
        """Return the partitions of the last rebalance, once."""
        given, self._given = self._given, None
        return given

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Do nothing: what is taken is served until the next owner claims it."""

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Note all that this member has now, and fetch none of it."""
        given = list(assigned)
        if self._consumer is not None and given:
            self._consumer.pause(*given)
        self._given = frozenset(each.partition for each in given)
