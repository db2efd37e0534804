"""The quota as `rulebooks.md` section 1 writes it, over everything that ever happened: nothing is forgotten.

Slow and simple, to hold the engine's books against. Times are milliseconds.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.rulebooks.rulebook import ProtectionRules


class Noted(NamedTuple):
    """A use or a reset."""

    at_ms: int
    kind: Literal["use", "reset"]
    outage_id: str = ""
    hands: tuple[str, ...] = ()


class QuotaModel:
    """All uses and resets of a player under one house's rules."""

    def __init__(self, rules: ProtectionRules) -> None:
        """Begin with none."""
        self.rules = rules
        self.history: list[Noted] = []

    def window(self, at_ms: int) -> list[Noted]:
        """Return what lies in (t - W, t], or in the fixed window that is open at t."""
        window_ms = 1000 * self.rules.window_s
        if self.rules.quota_window == "sliding":
            return [noted for noted in self.history if at_ms - window_ms < noted.at_ms <= at_ms]
        begins: list[int] = []
        for noted in self.history:
            if not begins or noted.at_ms >= begins[-1] + window_ms:
                begins.append(noted.at_ms)
        if not begins or at_ms >= begins[-1] + window_ms:
            return []
        return [noted for noted in self.history if noted.at_ms >= begins[-1]]

    def available(self, at_ms: int) -> int:
        """Return how many uses are left at t."""
        window = self.window(at_ms)
        base = self.rules.reset_to if any(noted.kind == "reset" for noted in window) else self.rules.allotment
        since = 0
        for noted in self.history if self.rules.allotment_refill == "reset_only" else window:
            since = 0 if noted.kind == "reset" else since + 1
        return max(0, min(base - since, self.rules.max_uses - self.recent(at_ms)))

    def recent(self, at_ms: int) -> int:
        """Return the uses in the window."""
        return sum(noted.kind == "use" for noted in self.window(at_ms))

    def can_reset(self, at_ms: int) -> bool:
        """Say whether a reset may be granted at t."""
        return sum(noted.kind == "reset" for noted in self.window(at_ms)) < self.rules.max_resets

    def ask(self, hand_id: str, outage_id: str, at_ms: int) -> bool:
        """Ask for a protection; return whether it is granted."""
        if any(hand_id in noted.hands for noted in self.history):
            return True
        shared = [noted for noted in self.window(at_ms) if noted.kind == "use" and noted.outage_id == outage_id]
        if self.rules.count_per == "outage" and shared:
            place = self.history.index(shared[-1])
            self.history[place] = shared[-1]._replace(hands=(*shared[-1].hands, hand_id))
            return True
        if not self.available(at_ms):
            return False
        self.history.append(Noted(at_ms, "use", outage_id, (hand_id,)))
        return True

    def reset(self, at_ms: int) -> bool:
        """Ask for a reset; return whether it is granted."""
        if not self.can_reset(at_ms):
            return False
        self.history.append(Noted(at_ms, "reset"))
        return True

    def give_back(self, hand_id: str) -> bool:
        """Void a hand; return whether it had a use."""
        used = any(hand_id in noted.hands for noted in self.history)
        kept = [noted._replace(hands=tuple(hand for hand in noted.hands if hand != hand_id)) for noted in self.history]
        self.history = [noted for noted in kept if noted.kind == "reset" or noted.hands]
        return used
