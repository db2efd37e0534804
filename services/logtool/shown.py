"""A record as a person or a program is shown it. What is sealed stays so: only its key is named."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec
from rich.text import Text

from services.eventlog.envelope import Envelope

Plain: TypeAlias = Mapping[str, Any]
ALARM: Final = "bold white on red"
HIDDEN: Final = ("events", "partition", "offset", "bytes")
"""What the lines of a record do not repeat, because the first ones say it."""


def plain_record(partition: int, offset: int, size: int, envelope: Envelope) -> dict[str, Any]:
    """Return a record as JSON has it: bytes in hexadecimal digits, the command as the JSON it is."""
    fields: dict[str, Any] = msgspec.to_builtins(envelope, builtin_types=(bytes,))
    fields["command"] = _command(envelope.command)
    fields["sealed"] = None if envelope.sealed is None else {"key_id": envelope.sealed.key_id}
    return {"partition": partition, "offset": offset, "bytes": size, **_without_bytes(fields)}


def line_of(record: Plain) -> Text:
    """Return a record as one line: when, where, to what, and which events."""
    place = f"{record['partition']}@{record['offset']}"
    names = ", ".join(event["type"] for event in record["events"])
    happened = f"{printable(record['aggregate'])} v{record['version']}"
    number = f"epoch {record['writer_epoch']} sequence {record['sequence'] or '-'}"
    when = time_of(record["occurred_at_ms"])
    return Text.assemble(
        (when, "dim"), f"  {place:<10} ", (f"{number:<26}", "dim"), f" {happened:<18} ", (names, "bold")
    )


def lines_of(record: Plain) -> list[Text]:
    """Return a record as lines: every field that is set, and every field of every event."""
    heading = f"Partition {record['partition']}, offset {record['offset']}, {record['bytes']} bytes"
    lines = [Text(heading, style="bold yellow")]
    lines += [_field(name, value) for name, value in record.items() if name not in HIDDEN and value not in ("", None)]
    for number, event in enumerate(record["events"]):
        lines.append(Text.assemble("  event ", str(record["version"] + number), "  ", (event["type"], "bold")))
        lines += [_field(name, value, "    ") for name, value in event.items() if name != "type"]
    return lines


def time_of(ms: int) -> str:
    """Return a time on the log, UTC; a number that is no date stays one."""
    seconds, milliseconds = divmod(ms, 1000)
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}.{milliseconds:03}Z"
    except (OverflowError, ValueError, OSError):
        return f"{ms} ms"


def printable(text: str) -> str:
    """Return a text in which nothing can move a terminal's cursor or change its colours."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


def _field(name: str, value: object, indent: str = "  ") -> Text:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    when = f"   ({time_of(value)})" if name.endswith("_at_ms") and isinstance(value, int) else ""
    return Text.assemble(indent, (f"{name:<18}", "dim"), " ", printable(text), (when, "dim"))


def _command(command: bytes) -> object:
    try:
        return msgspec.json.decode(command) if command else None
    except (RecursionError, msgspec.DecodeError):
        return command.hex()


def _without_bytes(value: Any) -> Any:  # noqa: ANN401 - whatever JSON has.
    match value:
        case bytes():
            return value.hex()
        case dict():
            return {name: _without_bytes(each) for name, each in value.items()}
        case list() | tuple():
            return [_without_bytes(each) for each in value]
        case _:
            return value


def lines_of_verify(total: Plain) -> list[Text]:
    """Return what a verification found: each partition with its last position, and the sums."""
    lines = []
    for each in _busy(total):
        ok = each["wrong"] is None
        mark = ("ok ", "green") if ok else ("BAD", ALARM)
        place = f"epoch {each['epoch']}, sequence {each['sequence']}, hash {each['hash']}"
        lines.append(Text.assemble(mark, f"  partition {each['partition']}: {_counts(each)}; ", (place, "dim")))
    wrong = sum(each["wrong"] is not None for each in total["partitions"])
    verdict = f"{wrong} partitions are CORRUPT" if wrong else "every record is as it must be"
    lines.append(Text(f"{_counts(total)}; {verdict}", style=ALARM if wrong else "bold"))
    return lines


def lines_of_stat(total: Plain) -> list[Text]:
    """Return what is in a log, with the events by their number."""
    lines = [Text(f"Log of {printable(total['house'])}: {_counts(total)}, {total['bytes']:,} bytes", style="bold")]
    if total["first_ms"] is not None:
        lines.append(Text(f"from {time_of(total['first_ms'])} to {time_of(total['last_ms'])}"))
    lines += [
        Text(f"  partition {each['partition']}: {_counts(each)}, {each['bytes']:,} bytes, epoch {each['epoch']}")
        for each in _busy(total)
    ]
    by_number = sorted(total["events"].items(), key=lambda named: (-named[1], named[0]))
    return lines + [Text(f"  {number:>12,}  {name}") for name, number in by_number]


def _busy(total: Plain) -> list[Plain]:
    """Return the partitions of which there is something to say."""
    return [each for each in total["partitions"] if each["records"] or each["wrong"]]


def _counts(counted: Plain) -> str:
    reasons = ", ".join(f"{reason} {number:,}" for reason, number in counted["void"].items())
    void = f", {sum(counted['void'].values()):,} are void ({reasons})" if reasons else ""
    events = sum(counted["events"].values())
    return f"{counted['counted']:,} of {counted['records']:,} records count{void}, {events:,} events"
