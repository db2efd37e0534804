"""The logged hands: where they lie, what a line holds, and which lines a quick run takes.

The folder is `HANDS_DIR`, by default `shared/hands` beside the repository. Its README names every file and field; only
what a replay needs is read here. A quick run takes every line that is unlike others (a tag, a listed exception, a rare
feature) and every 40th of the rest; HANDS=all takes them all.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from engine.poker.money import Chips
from engine.poker.seats import Seat

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("HANDS_DIR") or REPOSITORY.parent / "shared" / "hands")
EVERYTHING = os.environ.get("HANDS") == "all"
SUFFIX = ".jsonl.gz"
SAMPLE_STRIDE = 40
SMALL_FILE = 1000
"""A file with fewer lines is always taken whole."""

RARE = frozenset(
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
"""Features that few hands have, whatever the file."""
RARE_IN_ROOMS = RARE | {"heads_up", "several_winners", "short_all_in_raise", "side_pots"}
"""Features that few hands of real rooms have; among generated hands some of them are common."""

NOT_LISTED = {"fixed_limit_add_unit": frozenset({"acpc_gen/l6/432", "acpc_gen/l9/876"})}
"""Hands that `exceptions.json` misses. After a short all-in another player goes all-in, to more than the full level and
less than one unit above the bet: too much for `full_level`, an all-in for less with `add_unit`."""


class Post(msgspec.Struct, frozen=True):
    """What a player really put in before the cards."""

    p: str
    type: str
    amount: Chips
    all_in: bool = False


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
    """Before rake."""
    finishing_stacks: tuple[float, ...] | None = None
    site_finishing_stacks: tuple[float, ...] | None = None
    site_rake: Chips = 0
    strict_violations: tuple[str, ...] = ()
    decisions: tuple[tuple[int, Chips, Chips | None, Chips | None], ...] | None = None
    """For each action: the player, what a call costs, the least and the largest raise."""

    @property
    def count(self) -> int:
        """How many players were dealt in."""
        return len(self.starting_stacks)

    @property
    def published(self) -> tuple[float, ...] | None:
        """The stacks as the source itself states them: after rake, and with half chips where it splits chips."""
        return self.site_finishing_stacks or self.finishing_stacks

    @property
    def folded_all_in(self) -> frozenset[str]:
        """The players whom the room folded, because they were absent, though a post had put them all-in."""
        if "all_in_player_folded" not in self.features:
            return frozenset()
        return frozenset(post.p for post in self.posts or () if post.all_in)


def seat_of(player: str) -> Seat:
    """Return the seat of a player: p1 sits in seat 0."""
    return int(player[1:]) - 1


def player_at(seat: Seat) -> str:
    """Return the player in a seat: p1 in seat 0."""
    return f"p{seat + 1}"


def file_names() -> list[str]:
    """Return the names of the files, in alphabetical order; none when the folder is missing."""
    return sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))


def read(name: str) -> list[LoggedHand]:
    """Return the hands of a file."""
    decoder = msgspec.json.Decoder(LoggedHand)
    with gzip.open(FOLDER / f"{name}{SUFFIX}") as lines:
        return [decoder.decode(line) for line in lines]


def chosen(hands: Sequence[LoggedHand], *, everything: bool = EVERYTHING) -> list[LoggedHand]:
    """Return the hands of a file that are replayed: all, or those unlike others and every 40th of the rest."""
    if everything or len(hands) < SMALL_FILE:
        return list(hands)
    return [hand for place, hand in enumerate(hands) if place % SAMPLE_STRIDE == 0 or is_unlike_others(hand)]


def is_unlike_others(hand: LoggedHand) -> bool:
    """Say whether a hand has something that an ordinary one has not."""
    rare = RARE if hand.posts is None else RARE_IN_ROOMS
    return bool(
        hand.strict_violations
        or hand.features & rare
        or (hand.posts is not None and hand.variant != "NT")
        or hand.pokerkit_vs_site == "odd_chip"
        or any(hand.id in listed(kind) for kind in exceptions())
    )


@cache
def exceptions() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the ids of `exceptions.json` by kind and file; none when it is missing."""
    path = FOLDER / "exceptions.json"
    content = path.read_bytes() if path.exists() else b"{}"
    return msgspec.json.decode(content, type=dict[str, dict[str, tuple[str, ...]]])


@cache
def listed(kind: str) -> frozenset[str]:
    """Return the ids of the hands that `exceptions.json` lists under `kind`, and of those that it misses."""
    ids = (hand_id for ids in exceptions().get(kind, {}).values() for hand_id in ids)
    return NOT_LISTED.get(kind, frozenset()).union(ids)
