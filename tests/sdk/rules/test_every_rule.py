"""Every rule has a test, every test a known rule, and every value of a key is set by some test."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import dev
from bourre.rules import tricks
from bourre.rules.house import CHOICES, MAY_BE_NONE, RANGES, HouseRules
from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.export.table_rows import SeatTableRow
from tests.sdk.rules.rule_tests import RULES, document, rule_tests

HERE = Path(__file__).parent
PATHS = [*sorted(HERE.glob("test_r*.py")), *sorted(HERE.glob("scenes/*.txt"))]
TEXTS = "\n".join(path.read_text(encoding="utf-8") for path in PATHS)
LAST_ID = {"R1": 4, "R2": 5, "R3": 2, "R4": 9, "R5": 6, "R6": 4, "R7": 6, "R8": 6}
FLAGS = [field.name for field in fields(HouseRules) if isinstance(field.default, bool)]


def test_the_rules_of_each_section_are_numbered_through() -> None:
    assert list(RULES) == [f"{section}.{rule}" for section, last in LAST_ID.items() for rule in range(1, last + 1)]


def test_no_rule_is_without_a_test_and_no_test_names_an_unknown_rule() -> None:
    assert {test.rule for test in rule_tests()} - set(LAST_ID) == set(RULES)
    assert {test.rule for test in rule_tests()} & set(LAST_ID) <= set(LAST_ID)


def test_the_rules_are_those_of_the_document() -> None:
    told = (dev.ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bR\d+\.\d+\b", told)) == set(RULES)


def test_every_rule_that_a_card_can_break_has_a_sentence_and_a_column() -> None:
    named = re.findall(r'"(R\d+\.\d+)"', Path(tricks.__file__).read_text(encoding="utf-8"))
    columns = [field.name for field in fields(SeatTableRow) if field.name.startswith("reneges_")]
    assert set(named) == set(RENEGE_RULES)
    assert columns == [f"reneges_{rule.lower().replace('.', '_')}" for rule in RENEGE_RULES]


def test_no_two_tests_of_a_file_bear_the_same_name() -> None:
    tests = list(rule_tests())
    assert len(set(tests)) == len(tests)


def test_the_list_names_each_rule_and_each_test_once() -> None:
    lines = document().splitlines()
    assert [line.split()[0].strip("*") for line in lines if line.startswith("**") and "." in line.split()[0]] == list(
        RULES
    )
    listed = sorted(line for line in lines if line.startswith("- "))
    assert listed == sorted(f"- {test.words} (`{test.file}`)" for test in rule_tests())


@pytest.mark.parametrize(("key", "word"), [(key, word) for key, words in CHOICES.items() for word in words[1:]])
def test_every_word_but_the_default_of_every_key_is_set_by_a_test(key: str, word: str) -> None:
    set_alone, set_with_others = f'"{word}"' in TEXTS, re.search(rf"{key}=(\S*\|)?{word}\b", TEXTS)
    assert set_alone or set_with_others, f"no test of a rule sets {key} = {word}"


@pytest.mark.parametrize("key", [*FLAGS, *RANGES])
def test_every_other_key_is_set_by_a_test(key: str) -> None:
    assert f"{key}=" in TEXTS or f'"{key}": ' in TEXTS


@pytest.mark.parametrize("key", MAY_BE_NONE)
def test_a_key_that_may_be_none_is_none_by_default(key: str) -> None:
    assert getattr(HouseRules(), key) is None
