"""What the errors of kafka-python mean for us: one table (`clients.md` A5).

    step down    somebody else writes with our name, or may
    stop         a setting or a right is wrong: nobody but the operator can help
    ahead        our clock is ahead of the broker's, by more than it takes
    damaged      the log is not what it was: whoever reads halts
    unavailable  everything else: the outcome is unknown, the client is thrown away, the log is read

After its first failure a producer raises a plain `KafkaError` that names the first one in its text, so the text is
looked at where the class says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from kafka import errors as kafka

Meaning: TypeAlias = Literal["step down", "stop", "ahead", "damaged", "unavailable"]

MEANINGS: Final[Mapping[type[Exception], Meaning]] = {
    kafka.InvalidProducerEpochError: "step down",
    kafka.ProducerFencedError: "step down",
    kafka.TopicAuthorizationFailedError: "stop",
    kafka.ClusterAuthorizationFailedError: "stop",
    kafka.GroupAuthorizationFailedError: "stop",
    kafka.SaslAuthenticationFailedError: "stop",
    kafka.UnsupportedSaslMechanismError: "stop",
    kafka.KafkaConfigurationError: "stop",
    kafka.InvalidTopicError: "stop",
    kafka.UnknownTopicOrPartitionError: "stop",
    kafka.MessageSizeTooLargeError: "stop",
    kafka.RecordListTooLargeError: "stop",
    kafka.InvalidTimestampError: "ahead",
    kafka.CorruptRecordError: "damaged",
    kafka.OffsetOutOfRangeError: "damaged",
    kafka.LogTruncationError: "damaged",
}
"""What is not listed is "unavailable"."""


def meaning_of(error: BaseException) -> Meaning:
    """Return what an error of kafka-python means for us."""
    for kind, meaning in MEANINGS.items():
        if isinstance(error, kind) or kind.__name__ in str(error):
            return meaning
    return "unavailable"


def said(error: BaseException) -> str:
    """Return an error in a sentence for the operator."""
    name, text = type(error).__name__, str(error)
    return text if text.startswith(name) else f"{name}: {text}" if text else name
