"""Why a stored record cannot be read.

    UnreadableRecordError
    ├── MalformedRecordError   the bytes are no envelope, or an envelope that no dealer writes
    └── UnknownEventError      an envelope of a later version, with an event that this one does not know

A reader halts at either of them and says where it is. It never skips: what it cannot read may have moved chips.
"""

from __future__ import annotations


class UnreadableRecordError(Exception):
    """A stored record cannot be read."""

    def __init__(self, reason: str) -> None:
        """Say why, in a sentence for operators that holds nothing of the record's content."""
        super().__init__(reason)
        self.reason = reason


class MalformedRecordError(UnreadableRecordError):
    """The bytes are damaged, or no dealer ever wrote them."""


class UnknownEventError(UnreadableRecordError):
    """The record holds an event that this version does not know: it is older than the writer."""
