"""House rules in words: every key, every value, every preset."""

from dataclasses import fields

import pytest

from bourre.rules.house import CHOICES, PRESETS, RANGES, HouseRules
from bourre.words.house_words.house_rule_sentences import CHAPTERS
from bourre.words.house_words.house_rule_statement import Statement
from bourre_referee.text.house_rules.house_rule_lines import WIDTH, house_lines, preset_lines

STATEMENTS = [statement for chapter in CHAPTERS for statement in chapter.statements]
KEYED = [statement for statement in STATEMENTS if statement.key]

LIMIT = """\
limit differs from pagat by (marked * below):
  * Nobody takes more than 20 from a pot, and matching it costs at most 20; the rest
    stays. (R7.4, pot_limit=20)

Dealing
  - 52 cards, ace high; 2 to 8 seats, best 5 to 7; everything runs clockwise. (R1.1)
"""


def text(preset: str) -> str:
    return "".join(f"{line}\n" for line in house_lines(preset))


def test_differences_come_first_and_are_marked_below() -> None:
    assert text("limit").startswith(LIMIT)
    assert "  * Nobody takes more than 20 from a pot" in text("limit").partition("\nChips\n")[2]
    assert text("pagat").startswith("pagat: the base game.\n\nDealing\n")


@pytest.mark.parametrize("preset", PRESETS)
def test_only_what_differs_is_marked(preset: str) -> None:
    chapters = text(preset).partition("\nDealing\n")[2]
    assert ("\n  * " in chapters) == (preset != "pagat")
    assert "  - If all others pass, the dealer must play. (R4.6)" in text("wikipedia")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_key_of_a_preset_is_among_its_differences(preset: str) -> None:
    differences = " ".join(text(preset).partition("\nDealing\n")[0].split())
    for key, value in PRESETS[preset].items():
        assert f"{key}={str(value).lower()}" in differences


@pytest.mark.parametrize("preset", PRESETS)
def test_lines_fit_a_terminal(preset: str) -> None:
    assert max(map(len, [*house_lines(preset), *preset_lines()])) <= WIDTH


def test_every_key_is_explained() -> None:
    assert {statement.key for statement in KEYED} == {field.name for field in fields(HouseRules)}


@pytest.mark.parametrize("statement", KEYED, ids=lambda statement: f"{statement.key} {statement.rule}")
def test_every_value_of_a_key_has_words(statement: Statement) -> None:
    values = CHOICES.get(statement.key, RANGES.get(statement.key, (True, False)))
    assert [value for value in values if value not in statement.words and not statement.number] == []


def test_every_preset_is_listed() -> None:
    listing = list(preset_lines())
    assert [line.split()[0] for line in listing if not line.startswith(" ")] == list(PRESETS)
    assert listing[1].split() == ["limit", "pot_limit=20"]


def test_the_second_pass_has_a_rule_of_its_own_and_its_missing_answer_that_of_all() -> None:
    told = " ".join(text("indiana").partition("\nDealing\n")[2].split())
    assert "The last seat left is not asked, and wins. (R4.9)" in told
    assert "A seat that does not say in time whether it stays passes. (R8.5)" in told


def test_a_preset_for_fewer_seats_says_so() -> None:
    assert "\n  * 2 to 7 seats. (R1.1)\n" in text("wikipedia").partition("\nDealing\n")[0]
    assert [preset for preset in PRESETS if " seats. (R1.1)" in text(preset)] == ["wikipedia"]


def test_what_decides_nothing_is_left_out() -> None:
    assert "overtrumped" not in text("booray")
    assert "next to the highest" not in text("booray")
    assert "overtrumped" in text("pagat")
