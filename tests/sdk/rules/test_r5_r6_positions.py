"""R5 and R6 in positions, a line each: which cards may be played, and which rule each of the others breaks."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bourre.rules.cards import Suit, parse_cards
from bourre.rules.tricks import Trick, best_card, trick_of
from tests.sdk.rules.cinch_check import Findings, compare, tables
from tests.sdk.rules.cinch_check import Table as SmallTable
from tests.sdk.rules.positions import cinch, legal, position, reneges
from tests.sdk.rules.scenes import POSITIONS

LINE = re.compile(r"(R\d\.\d+) ([\w ]+?)(?: on ([\w ]+?))?(?: \[(.*)\])? -> (.*)")


def verdict(line: str) -> tuple[str, str]:
    """What the rules say of the position of a line, and what stands there."""
    match = LINE.fullmatch(line)
    assert match, line
    _, hand, trick, settings, expected = match.groups()
    keys: dict[str, Any] = {}
    for setting in (settings or "").split():
        key, _, word = setting.partition("=")
        keys[key] = {"no": False}.get(word, int(word) if word.isdigit() else word.replace("+", " "))
    asked = position(hand, trick or "", **keys)
    broken = "".join(f", not {card} {rule}" for card, rule in reneges(asked).items())
    return f"{legal(asked)}{broken}{' (cinch)' if cinch(asked) else ''}", expected


@pytest.mark.parametrize("line", POSITIONS.read_text(encoding="utf-8").splitlines())
def test_a_position_is_judged_as_it_is_written(line: str) -> None:
    found, expected = verdict(line)
    assert found == expected


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        ("QD", "QD"),
        ("QD KD 2D", "KD"),
        ("QD AH 2D", "QD"),  # another suit cannot win
        ("QD 2S 9S AD 4S", "9S"),
        ("4S AD 9S", "9S"),
    ],
)
def test_r5_1_the_highest_trump_wins_else_the_highest_of_the_suit_led(trick: str, best: str) -> None:
    assert str(best_card(parse_cards(trick), Suit.S)) == best


@pytest.mark.parametrize(
    ("leader", "cards", "winner"), [(1, "QH AD KH", 0), (2, "QH 4S 9S", 1), (0, "2S KH AH", 0), (2, "3D 4C 9D", 1)]
)
def test_r5_1_who_took_a_trick_follows_from_its_leader_and_its_cards(leader: int, cards: str, winner: int) -> None:
    assert trick_of(leader, parse_cards(cards), (1, 2, 0), Suit.S) == Trick(leader, parse_cards(cards), winner)


@pytest.mark.parametrize(
    "table",
    [
        SmallTable(5, (4,), held=3, playing=2, laid=0),
        SmallTable(5, (4,), held=3, playing=3, laid=0),
        SmallTable(5, (4,), held=2, playing=3, laid=1),
        *(
            pytest.param(table, marks=pytest.mark.long)
            for table in (
                SmallTable(7, (4,), held=4, playing=2, laid=0),
                SmallTable(8, (4,), held=5, playing=2, laid=0),
                SmallTable(6, (3, 2), held=4, playing=2, laid=0),
                SmallTable(5, (3, 2), held=3, playing=3, laid=1),
                SmallTable(6, (3,), held=2, playing=4, laid=2),
                SmallTable(5, (5,), held=2, playing=4, laid=2),
            )
        ),
    ],
    ids=str,
)
def test_r6_1_the_formula_is_exact(table: SmallTable) -> None:
    found = compare(table)
    assert 0 < found.cinches < found.asked


@pytest.mark.parametrize("size", [4, 5, 6, pytest.param(7, marks=pytest.mark.long)])
def test_r6_1_the_formula_is_exact_on_every_small_deck(size: int) -> None:
    """`python -m tests.sdk.rules.cinch_check --cards 9` goes further."""
    found = Findings()
    for table in tables(size):
        found.add(compare(table))
    assert 0 < found.cinches < found.asked
