"""The logged hands: where they lie, what a line holds, and which lines a quick run takes.

The folder is `HANDS_DIR`, by default `shared/hands` beside the repository. Its README names every field and every file;
only what a replay needs is read here. A quick run takes every line that is unlike others (a tag, a listed exception, a
rare feature) and every so many of the rest; HANDS=all takes them all.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from engine.poker.money import Chips

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("HANDS_DIR") or REPOSITORY.parent / "shared" / "hands")
SUFFIX = ".jsonl.gz"
SAMPLE_STRIDE = 40
"""A quick run takes every 40th of the ordinary lines."""
SMALL_FILE = 1000
"""A file with fewer lines is always taken whole."""

RARE_FEATURES = frozenset(
    {
        "all_in_player_folded",
        "ante_short_all_in",
        "big_blind_all_in_on_ante",
        "big_blind_short_all_in",
        "dead_post",
        "dead_small_blind",
        "fold_when_check_possible",
        "live_post",
        "multiway_all_in",
        "over_shove",
        "pokerkit_suspect_preflop_short_all_in",
        "small_blind_short_all_in",
    }
)
"""Features that are few in all files."""
RARE_IN_ROOMS = frozenset({"heads_up", "several_winners", "short_all_in_raise", "side_pots"})
"""Features that are few in the logs of rooms, and common in generated hands."""


class Post(msgspec.Struct, frozen=True):
    """What a player really put in before the cards."""

    p: str
    type: str
    amount: Chips


class LoggedHand(msgspec.Struct, frozen=True):
    """One line of a file; amounts are chips, arrays go from p1, left of the button, to pn."""

    id: str
    variant: str
    """NT, FT or PT: no, fixed, pot limit."""
    antes: tuple[Chips, ...]
    blinds_or_straddles: tuple[Chips, ...]
    starting_stacks: tuple[Chips, ...]
    actions: tuple[str, ...]
    small_blind: Chips
    big_blind: Chips
    ante: Chips
    features: frozenset[str] = frozenset()
    game_kind: str = "cash"
    small_bet: Chips | None = None
    big_bet: Chips | None = None
    posts: tuple[Post, ...] | None = None
    pokerkit_vs_site: str = ""
    pokerkit_finishing_stacks: tuple[Chips, ...] | None = None
    finishing_stacks: tuple[float, ...] | None = None
    site_finishing_stacks: tuple[float, ...] | None = None
    site_rake: Chips = 0
    strict_violations: tuple[str, ...] = ()
    decisions: tuple[tuple[int, Chips, Chips | None, Chips | None], ...] | None = None
    """For each action of a player: who, what a call costs, the least and the largest raise."""

    @property
    def count(self) -> int:
        """How many players were dealt in."""
        return len(self.starting_stacks)

    @property
    def published(self) -> tuple[float, ...] | None:
        """The stacks after the hand as the source states them, after rake, half chips and all."""
        return self.site_finishing_stacks or self.finishing_stacks


def file_names() -> list[str]:
    """Return the names of the files, in alphabetical order; none when the folder is missing."""
    return sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))


@cache
def listed(kind: str) -> frozenset[str]:
    """Return the ids of the hands that `exceptions.json` lists under `kind`."""
    by_file = exceptions()[kind]
    return frozenset(hand_id for ids in by_file.values() for hand_id in ids)


@cache
def exceptions() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the exceptions by kind and file."""
    return msgspec.json.decode((FOLDER / "exceptions.json").read_bytes(), type=dict[str, dict[str, tuple[str, ...]]])


def read(name: str) -> list[LoggedHand]:
    """Return the hands of a file."""
    decoder = msgspec.json.Decoder(LoggedHand)
    with gzip.open(FOLDER / f"{name}{SUFFIX}") as lines:
        return [decoder.decode(line) for line in lines]


def chosen(hands: Sequence[LoggedHand], *, everything: bool) -> list[LoggedHand]:
    """Return the hands that are replayed: all, or those that are unlike others and every 40th of the rest."""
    if everything or len(hands) < SMALL_FILE:
        return list(hands)
    return [hand for place, hand in enumerate(hands) if place % SAMPLE_STRIDE == 0 or is_unlike_others(hand)]


def is_unlike_others(hand: LoggedHand) -> bool:
    """Say whether a hand has something that an ordinary one has not."""
    rare = RARE_FEATURES if hand.posts is None else RARE_FEATURES | RARE_IN_ROOMS
    return bool(
        hand.strict_violations
        or hand.features & rare
        or hand.pokerkit_vs_site.startswith("odd_chip")
        or any(hand.id in listed(kind) for kind in exceptions())
    )


def seat_of(player: str) -> int:
    """Return the seat of a player: p1 sits in seat 0."""
    return int(player[1:]) - 1


def player_name(seat: int) -> str:
    """Return who sits in a seat: p1 in seat 0."""
    return f"p{seat + 1}"
