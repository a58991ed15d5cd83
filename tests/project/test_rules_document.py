"""docs/rules.md says what the rules do: its examples, tables and statements are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields

import dev
from bourre.rules.house import CHOICES, MAY_BE_NONE, MIN_SEATS, PRESET_SEATS, PRESETS, RANGES, HouseRules
from bourre.rules.sentences import RENEGE_RULES, SENTENCES
from bourre_referee.cli.rules_json import legal, settlement
from tests.sdk.rules.rule_tests import RULES

TEXT = (dev.ROOT / "docs" / "rules.md").read_text("utf-8")
SOURCES = {"Pagat", "Wikipedia", "card-games site", "Boo-Ray", "collection", "ruling", "harness"}
STATEMENTS = [
    " ".join(item.split())
    for item in re.findall(r"^- (.+?)(?=\n(?:- |\n|#|\|))", TEXT.partition("## House rules")[0], re.M | re.S)
]
KEYS = [field.name for field in fields(HouseRules)]


def examples() -> Iterator[tuple[str, str]]:
    """Each question of the page, and the answer below it."""
    for block in re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE):
        lines = block.splitlines()
        yield from zip(lines[::2], lines[1::2], strict=True)


EXAMPLES = list(examples())


def answer(question: str) -> dict[str, object]:
    """The answer of `bourre rules`."""
    return settlement(question) if "pot" in json.loads(question) else legal(question)


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the first table under a heading, by their first cell."""
    (rows,) = re.findall(rf"^## {heading}$.*?\n\|---.*?\n(.*?)\n\n", f"{TEXT}\n", re.DOTALL | re.MULTILINE)
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows.splitlines()]
    assert len({first for first, *_ in cells}) == len(cells)
    return {first: others for first, *others in cells}


def rule_of(statement: str) -> str:
    """The id of the rule that a statement ends with."""
    return statement.rpartition("(")[2].partition(";")[0]


def spelt(value: object) -> str:
    """A value as the page spells it."""
    return "none" if value is None else str(value).lower()


def test_every_example_is_answered_as_shown() -> None:
    answers = [(told, json.dumps(answer(question), separators=(",", ":"))) for question, told in EXAMPLES]
    assert [pair for pair in answers if len({*pair}) > 1] == []


def test_there_are_examples_of_every_rule_that_a_card_can_break() -> None:
    broken = {rule for _, told in EXAMPLES for rule in json.loads(told).get("reneges", {}).values()}
    assert broken == set(RENEGE_RULES)
    assert len(EXAMPLES) > 30


def test_every_statement_has_its_rule_and_its_source() -> None:
    ends = {statement: re.search(r"\((R\d\.\d+); ([^()]+)\)$", statement) for statement in STATEMENTS}
    assert [
        statement
        for statement, end in ends.items()
        if not end or end[1] not in RULES or not {*end[2].split(", ")} <= SOURCES
    ] == []


def test_every_rule_is_stated() -> None:
    assert len(STATEMENTS) > 100
    assert set(map(rule_of, STATEMENTS)) == set(RULES)


def test_what_format_duplicate_changes_is_stated() -> None:
    changed = {
        statement.rpartition("(")[2].partition(";")[0] for statement in STATEMENTS if "Format `duplicate`" in statement
    }
    assert changed >= {"R1.4", "R2.2", "R4.4", "R7.6"}


def test_a_newcomer_meets_the_game_before_its_rules() -> None:
    headings = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert headings[:4] == [
        "The game in two minutes",
        "One deal, card by card",
        "The rules in full",
        "R1 Players, cards, dealer",
    ]


def test_every_rule_is_in_the_list_in_the_words_of_reports() -> None:
    sentences = {rule: words for rule, (words,) in table("Every rule in a sentence").items()}
    assert list(sentences) == list(RULES)
    assert {rule: sentences[rule] for rule in SENTENCES} == SENTENCES
    assert len(set(sentences.values())) == len(RULES)


def test_every_house_rule_has_its_values_and_its_default() -> None:
    rows = table("House rules")
    assert {key.strip("`") for key in rows} == set(KEYS)
    for key, (values, default, rule) in rows.items():
        name = key.strip("`")
        assert values.replace("`", "") == all_values(name)
        assert default.strip("`") == spelt(getattr(HouseRules(), name))
        assert rule in RULES


def all_values(key: str) -> str:
    """The values of a house rule, as the page lists them."""
    if key in RANGES:
        least, most = RANGES[key]
        span = f"{least}" if least == most else f"{least} to {most}"
        return f"{span}, none" if key in MAY_BE_NONE else span
    words = ", ".join(CHOICES.get(key, ("true", "false")))
    return f"{words}, a seat from 0" if key == "first_dealer" else words


def test_every_value_but_the_default_is_explained_in_a_statement() -> None:
    assert [words for key in KEYS for words in explained(key) if not any(words in text for text in STATEMENTS)] == []


def explained(key: str) -> list[str]:
    """The words that statements must have about the values of a house rule."""
    if key in RANGES:
        return [f"`{key}"]
    others = [value for value in CHOICES.get(key, (True, False)) if value != getattr(HouseRules(), key)]
    return [f"`{key} = {spelt(value)}`" for value in others]


def test_every_preset_sets_what_it_sets() -> None:
    rows = table("Presets")
    assert [name.split("`")[1] for name in rows] == list(PRESETS)
    for cell, (keys, after) in rows.items():
        name, seats = cell.split("`")[1], cell.partition(" (")[2]
        sets = [f"`{key} = {spelt(value)}`" for key, value in PRESETS[name].items()]
        assert keys == (", ".join(sets) or "nothing")
        assert seats == (f"{MIN_SEATS} to {PRESET_SEATS[name]} seats)" if name in PRESET_SEATS else "")
        assert after in SOURCES


def test_the_three_deals_come_to_the_chips_shown() -> None:
    header, _, row = re.search(r"^(\| chips \| A .*)\n(.*)\n(.*)$", TEXT, re.MULTILINE)[0].splitlines()  # type: ignore[index]
    names = header.strip("| ").split(" | ")[1:-1]
    shown = [int(cell) for cell in row.strip("|").split("|")[1:]]
    balances = dict.fromkeys(names, -1)
    deals = [question for question, _ in EXAMPLES if "pot" in json.loads(question) and "house" not in question][:3]
    pot = len(names)
    for deal in deals:
        assert json.loads(deal)["pot"] == pot
        settled = json.loads(json.dumps(answer(deal)))
        for name in names:
            balances[name] += settled["taken"].get(name, 0) - settled["payments"].get(name, 0)
            balances[name] -= name not in settled["exempt"]
        pot = settled["next_pot"] + sum(name not in settled["exempt"] for name in names)
    assert shown == [*balances.values(), pot]


def test_every_source_is_introduced() -> None:
    introduced = set(re.findall(r"^\| ([\w -]+) \| [^|]+ \|$", TEXT.partition("## R1")[0], re.MULTILINE))
    assert introduced == SOURCES | {"source"}
