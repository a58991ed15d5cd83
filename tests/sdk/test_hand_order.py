"""A hand as people hold it: trumps first, suits alternating in colour, high cards first."""

from __future__ import annotations

import pytest

from bourre.rules.cards import Suit, parse_cards, show
from bourre.words.table_words import sort_hand


@pytest.mark.parametrize(
    ("hand", "trump", "sorted_hand"),
    [
        ("4C 7C TS JD AC", Suit.C, "AC 7C 4C JD TS"),
        ("3H 3C 5S 5C JC", Suit.C, "JC 5C 3C 3H 5S"),
        ("6S QH TH 7H 5D", Suit.C, "QH TH 7H 6S 5D"),
        ("2C 3S 4H 5D 6D", Suit.H, "4H 3S 6D 5D 2C"),
        ("2D 3H", Suit.D, "2D 3H"),
        ("2C 3S 4H 5D AS", None, "AS 3S 4H 2C 5D"),
        ("", None, ""),
    ],
)
def test_trumps_come_first_and_colours_alternate(hand: str, trump: Suit | None, sorted_hand: str) -> None:
    assert show(sort_hand(parse_cards(hand), trump)) == sorted_hand
