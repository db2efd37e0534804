"""The canonical bytes of a command, and the hash by which a repeated request is known to be the same one.

The bytes are JSON with sorted keys and without spaces, with seeds and hashes in base64; `type` is the command's name.
Fields that have their default are left out, in values inside the command too. So equal commands have equal bytes,
however they were made, and a version that gives a command one more field, with a default, still finds the old bytes for
an old request: a retry that spans an upgrade is answered, not refused. A field without a default, or another default,
would break that.

A command holds who acts, but no time, no deck and no trace of the request: those stand beside it in the envelope.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import fields

from engine.account.commands import AccountCommand
from engine.table.commands import TableCommand
from engine.tournament.commands import TournamentCommand
from services.eventlog.codec.faults import MalformedRecordError

Command: TypeAlias = TableCommand | AccountCommand | TournamentCommand

DECODERS: Final[Mapping[str, msgspec.json.Decoder[Command]]] = {
    "table": msgspec.json.Decoder(TableCommand),
    "account": msgspec.json.Decoder(AccountCommand),
    "tournament": msgspec.json.Decoder(TournamentCommand),
}
"""What reads the commands of each kind of aggregate. A further kind: a line here and a name in `Command`."""


def canonical(command: Command) -> bytes:
    """Return the canonical bytes of a command."""
    return _ENCODER.encode(_without_defaults(command))


def request_hash(command: bytes) -> bytes:
    """Return the SHA-256 of a command's canonical bytes."""
    return sha256(command).digest()


def command_of(kind: str, command: bytes) -> Command:
    """Return the command with these canonical bytes; `kind` is that of the aggregate it was given to.

    Raises:
        MalformedRecordError: An aggregate of this kind has no such command.
    """
    try:
        return DECODERS[kind].decode(command)
    except (KeyError, RecursionError, msgspec.DecodeError) as error:
        reason = f"the command is none for an aggregate of the kind {kind}"
        raise MalformedRecordError(reason) from error


def _without_defaults(value: object) -> object:
    """Return what JSON holds for a value: a struct as the fields that differ from their defaults."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        bare: dict[str, object] = {"type": tag} if tag else {}
        for name, default in _fields(type(value)):
            given = getattr(value, name)
            if given != default:
                bare[name] = _without_defaults(given)
        return bare
    return [_without_defaults(item) for item in value] if isinstance(value, tuple) else value


@cache
def _fields(struct: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    """Return the names of a struct's fields with their defaults; `NODEFAULT` equals no value."""
    return tuple((field.name, field.default) for field in fields(struct))


_ENCODER: Final = msgspec.json.Encoder(order="sorted")
