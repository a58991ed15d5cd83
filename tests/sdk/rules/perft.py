"""The number of ways to play out fixed deals by the rules, counted by the literal judge alone.

`python -m tests.sdk.rules.perft` counts again and writes tests/data/perft.json.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bourre.rules.house import HouseRules
from tests.sdk.rules.judge import Case, verdicts

FILE = Path(__file__).parents[2] / "data" / "perft.json"


@dataclass(frozen=True, slots=True)
class Layout:
    """A deal at the first lead: hands in the order of play, the leader first."""

    name: str
    trump: str
    hands: tuple[str, ...]
    dead: str = ""
    preset: str = "pagat"
    keys: dict[str, Any] = field(default_factory=dict)

    @property
    def house(self) -> HouseRules:
        """The house rules by which it is played."""
        return HouseRules.preset(self.preset, **self.keys)


LAYOUTS = (
    Layout(
        "a dead trump makes a cinch", "S", ("AS KS JS 7D 2C", "TS 9S 9D 8D 3C", "8S 4H KD QD 5D"), "QS", "separate_dead"
    ),
    Layout("last with a cinch", "S", ("KH QC 5D 4D JH", "KC TH 7D 6D 9S", "AS KS QS 8S 3C")),
    Layout("two seats", "S", ("KH 7H 9D 4S QC", "AH 6H JD 8S 2C")),
    Layout("a cinch on lead", "S", ("AS KS JS 7D 2C", "QS 6D 9D 8D 3C", "9S 4H KD QD 5D")),
    Layout("three seats, mixed", "H", ("KS 9S 7S 4D 2D", "AS 3S 2S 8D 6D", "QS TS 2H KD JC"), preset="bicycle"),
    Layout(
        "four cards, no duty",
        "D",
        ("KD 9C 4C 3H", "AD 8C 7C 2H", "QC JC TC 5H", "6D 6C 5C 9H"),
        "JD",
        "booray",
    ),
    Layout(
        "slough allowed, five seats",
        "C",
        ("KH 8H 5H 9S", "QH 7H 6C 2S", "JC TC 9D 4S", "3C 2C AS 3D", "AD KD QD JD"),
        keys={"cards": 4, "must_trump": "if_can_win", "cinch_adjacent": False},
    ),
    Layout(
        "any card of the suit, any trump",
        "S",
        ("QS JS 9H 7H 5H", "KS 8S TH 6H 2C", "AS 4S KH 8H 4H"),
        keys={"must_beat": False, "lead_honour": "highest", "lead_honour_when": "first"},
    ),
)


def counts(layout: Layout) -> list[int]:
    """The number of legal sequences of one card, of two cards and so on, up to the whole deal."""
    hands = tuple(tuple(hand.split()) for hand in layout.hands)
    found = [0] * sum(map(len, hands))
    _count(_Played(layout, layout.house, hands, leader=0, trick=(), seen=(), won=(0,) * len(hands)), found)
    return found


@dataclass(frozen=True, slots=True)
class _Played:
    layout: Layout
    house: HouseRules
    hands: tuple[tuple[str, ...], ...]
    leader: int
    trick: tuple[str, ...]
    seen: tuple[str, ...]
    won: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The hand that plays next."""
        return (self.leader + len(self.trick)) % len(self.hands)

    def legal(self) -> list[str]:
        """The cards that the judge allows."""
        found = verdicts(self.case(list(self.hands[self.seat]), list(self.trick)))
        return [card for card, broken in found.items() if broken is None]

    def case(self, hand: list[str], trick: list[str]) -> Case:
        """The question to the judge."""
        layout, won = self.layout, self.won[self.seat]
        return Case(hand, trick, layout.trump, len(self.hands), won, list(self.seen), layout.dead.split(), self.house)

    def after(self, card: str) -> _Played:
        """One card later."""
        rest = tuple(held for held in self.hands[self.seat] if held != card)
        hands = (*self.hands[: self.seat], rest, *self.hands[self.seat + 1 :])
        trick = (*self.trick, card)
        if len(trick) < len(hands):
            return _Played(self.layout, self.house, hands, self.leader, trick, self.seen, self.won)
        winner = (self.leader + self.best(trick)) % len(hands)
        won = tuple(tricks + (seat == winner) for seat, tricks in enumerate(self.won))
        return _Played(self.layout, self.house, hands, winner, (), (*self.seen, *trick), won)

    def best(self, trick: tuple[str, ...]) -> int:
        """The index of the winning card: the one that beats all before it and that none after it beats."""
        return max(at for at, card in enumerate(trick) if at == 0 or self.beats_all(card, trick[:at]))

    def beats_all(self, card: str, before: tuple[str, ...]) -> bool:
        """Whether the judge lets this card win over those before it."""
        return self.case([card], list(before)).wins_over_all_in_the_trick(card)


def _count(played: _Played, found: list[int]) -> None:
    if not played.hands[played.seat]:
        return
    depth = len(played.seen) + len(played.trick)
    for card in played.legal():
        found[depth] += 1
        _count(played.after(card), found)


if __name__ == "__main__":
    told = [{**asdict(layout), "counts": counts(layout)} for layout in LAYOUTS]
    FILE.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
