"""The rules of a house in words: a sentence for each value, and none for what decides nothing."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bourre.rules.house import CHOICES, PRESETS, RANGES, HouseRules
from bourre.words.house_words import CHAPTERS, DEFAULTS, Chapter, Statement, house_values

DIGESTS = {
    "Dealing": "68a984647cab",
    "Declaring and drawing": "654e3c95ae7d",
    "Play": "b74e217f812b",
    "Chips": "33dfd7cd0306",
    "Reneges": "9d1f5872baf4",
}
"""Of all that each chapter can say: a sentence that is lost, or that stands at another value, changes its digest."""


def told_by(chapter: Chapter) -> list[str]:
    """What a chapter says for each value of its keys, and where it says nothing."""
    told = []
    for one in chapter.statements:
        values = (*CHOICES.get(one.key, RANGES.get(one.key, (True, False))), None) if one.key else ("",)
        others = DEFAULTS | dict.fromkeys(one.unless)
        told += [f"{one.rule} {one.text_for(others | {one.key: value})} {dict(one.unless)}" for value in values]
    return told


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.title)
def test_a_chapter_says_what_it_says_today(chapter: Chapter) -> None:
    assert sha256("\n".join(told_by(chapter)).encode()).hexdigest()[:12] == DIGESTS[chapter.title]


def test_a_statement_says_what_its_house_makes_of_it() -> None:
    one = Statement("R1", key="ante", words={0: "None."}, number="{0} or {0}.", unless={"tie": "carry", "cinch": False})
    ties = {(tie, cinch): {"ante": 7, "tie": tie, "cinch": cinch} for tie in CHOICES["tie"] for cinch in (False, True)}
    said = {key: one.text_for(values) for key, values in ties.items()}
    assert said == {("carry", False): "", ("carry", True): "", ("divide", False): "", ("divide", True): "7 or 7."}
    assert one.text_for({"ante": 0, "tie": "divide", "cinch": True}) == "None."
    assert Statement("R2", "Always.").text_for({}) == "Always."


@pytest.mark.parametrize("preset", PRESETS)
def test_the_values_of_a_house_are_its_own(preset: str) -> None:
    assert house_values(HouseRules.preset(preset)) == DEFAULTS | PRESETS[preset]
