"""Honest bots that a test for collusion could suspect: clones, weak ones, and readers of their opponents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from dumping import EXAMPLES, Makers, shipped_bots

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.rules.cards import Card
from bourre.rules.visibility import View

CHAMPIONS = Path(__file__).parents[2] / "sdk/bourre_lab/champion/bots"
QUEEN, ACE = 12, 14


class Reader(Bot):
    """Remembers how often each seat comes in, and asks for a better hand behind a seat that seldom does."""

    def __init__(self) -> None:
        self._entries: Counter[int] = Counter()
        self._deals = 0
        self._last = 0

    def declare(self, view: View) -> bool:
        """Comes in with a trump or honour for the pot, and nearly another for each seat in, fewer for a loose one."""
        trumps = [card for card in view.hand if card.suit == view.trump]
        strength = len(trumps) + sum(card.rank >= QUEEN for card in trumps)
        inside = [seat for seat in range(view.seats) if view.plays[seat]]
        return strength >= 1 + sum(1.2 - self._share(seat) for seat in inside)

    def _share(self, seat: int) -> float:
        return (self._entries[seat] + 2) / (self._deals + 5)

    def draw(self, view: View) -> Iterable[Card]:
        """Keeps trumps and aces."""
        return [card for card in view.hand if card.suit != view.trump and card.rank < ACE][: view.max_discards]

    def play(self, view: View) -> Card:
        """Counts who came in, once a deal; leads high, follows low."""
        if view.deal != self._last:
            self._last = view.deal
            self._deals += 1
            self._entries.update(seat for seat in range(view.seats) if view.plays[seat])
        return view.legal[0] if view.trick else view.legal[-1]


def _clones() -> Makers:
    bots = shipped_bots()
    return {f"{name}{copy}": bots[name] for name in ("pot_aware", "drawer", "counter") for copy in ("", " 2")}


def _weak() -> Makers:
    random, lowest = (load(find(name, [EXAMPLES])) for name in ("random_bot", "lowest"))
    return {
        "random": random,
        "random 2": random,
        "lowest": lowest,
        "lowest 2": lowest,
        "defaults": Bot,
        **_only("tight"),
    }


def _readers() -> Makers:
    return {"reader": Reader, "reader 2": Reader, "reader 3": Reader, **_only("tight", "loose", "drawer")}


def _champions() -> Makers:
    names = ("champion", "club", "novice")
    return {**{name: load(find(name, [CHAMPIONS])) for name in names}, **_only("tight", "loose", "follower")}


def _only(*names: str) -> Makers:
    bots = shipped_bots()
    return {name: bots[name] for name in names}


FIELDS: Mapping[str, Callable[[], Makers]] = {
    "examples": shipped_bots,
    "clones": _clones,
    "weak": _weak,
    "readers": _readers,
    "champions": _champions,
}
"""Six bots each."""
