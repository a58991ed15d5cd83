"""The number of ways to play out fixed deals: the rules compared with the counts of the literal judge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bourre.rules.actions import Play
from bourre.rules.card_play import Tricks
from bourre.rules.cards import Suit, card_set, cards_in, parse_cards
from bourre.rules.house import HouseRules
from tests.sdk.rules.perft import FILE, LAYOUTS, Layout, counts

STORED: dict[str, Any] = {stored["name"]: stored for stored in json.loads(FILE.read_text(encoding="utf-8"))}


def test_every_layout_is_stored_as_it_is_written() -> None:
    assert [layout.name for layout in LAYOUTS] == list(STORED)
    for layout in LAYOUTS:
        stored = STORED[layout.name]
        assert (stored["trump"], stored["dead"]) == (layout.trump, layout.dead)
        assert HouseRules.preset(stored["preset"], **stored["keys"]) == layout.house
        assert tuple(stored["hands"]) == layout.hands


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_rules_find_as_many_ways_as_the_judge(layout: Layout) -> None:
    assert ways(first_lead(layout)) == STORED[layout.name]["counts"]


def test_the_stored_counts_are_those_of_the_judge() -> None:
    for layout in LAYOUTS[:2]:
        assert STORED[layout.name]["counts"] == counts(layout)


def first_lead(layout: Layout) -> Tricks:
    """The deal in the words of the rules."""
    hands = [card_set(parse_cards(hand)) for hand in layout.hands]
    dead = card_set(parse_cards(layout.dead))
    return Tricks(hands, tuple(range(len(hands))), Suit.parse(layout.trump), dead, 10, layout.house)


def ways(start: Tricks) -> list[int]:
    """The number of legal sequences of one card, of two cards and so on."""
    found = [0] * sum(hand.bit_count() for hand in start.hands)

    def count(tricks: Tricks, depth: int) -> None:
        if tricks.over:
            return
        for card in cards_in(tricks.legal):
            found[depth] += 1
            branch = branched(tricks)
            branch.apply(Play(card))
            count(branch, depth + 1)

    count(start, 0)
    return found


def branched(tricks: Tricks) -> Tricks:
    """A copy of the state of play, which can be played on separately."""
    branch = Tricks(list(tricks.hands), tricks.order, tricks.trump, tricks.dead, tricks.pot, tricks.house)
    for name in ("leader", "to_act", "seen", "shown", "over", "legal", "best", "_taker"):
        setattr(branch, name, getattr(tricks, name))
    branch.trick, branch.completed, branch.won = list(tricks.trick), list(tricks.completed), dict(tricks.won)
    return branch
