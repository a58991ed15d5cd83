"""Questions to the rules in JSON: their shapes, every house key; answers compared with those of the tests' judges."""

from __future__ import annotations

import json
from dataclasses import fields
from random import Random

import pytest

from bourre.rules.house import CHOICES, MAY_BE_NONE, PRESETS, RANGES, HouseRules
from bourre_referee.cli.rules_json import DIGITS, answers, legal, settlement
from tests.referee.rules_questions import LEGAL, SETTLE, Answer, ask_legal, ask_settle, asked
from tests.sdk.rules import judge
from tests.sdk.rules.random_cases import random_case, random_play_keys
from tests.sdk.rules.reckoning import Reckoning
from tests.sdk.rules.test_settlement import random_deal

VALUES: dict[str, list[object]] = {
    **{field.name: [True, False] for field in fields(HouseRules) if isinstance(field.default, bool)},
    **{key: list(words) for key, words in CHOICES.items()},
    **{key: [*span] + ([None, "none"] if key in MAY_BE_NONE else []) for key, span in RANGES.items()},
    "preset": list(PRESETS),
}
"""Values of every house key; of numbers, the least and the greatest."""
VALUES["first_dealer"] += [0, 7]


def test_the_shapes_are_those_of_the_design() -> None:
    assert list(answers([LEGAL.encode(), b"", b"  \r\n", SETTLE.encode()], legal))[:1] == [
        '{"legal":["KH"],"cinch":false,"reneges":{"AS":"R5.2","2C":"R5.2"}}'
    ]
    assert list(answers([SETTLE.encode()], settlement)) == [
        '{"winner":"E","taken":{"E":7},"carry":0,"payments":{"C":7},"exempt":["C"],"tied":[],"forfeit_deal":[],'
        '"next_pot":7}'
    ]


def test_blank_lines_are_skipped_and_every_other_is_answered_in_turn() -> None:
    lines = [LEGAL.encode() + b"\r\n", b"\n", b" \t\r\n", b"nonsense\n", LEGAL.encode()]
    told = [json.loads(answer) for answer in answers(lines, legal)]
    assert [list(answer) for answer in told] == [
        ["legal", "cinch", "reneges"],
        ["error"],
        ["legal", "cinch", "reneges"],
    ]


def test_cards_may_have_signs() -> None:
    codes = {"hand": "AS KH 2C", "trick": "QH", "trump": "S"}
    signs = {key: cards.translate(str.maketrans("CDHS", "♣♦♥♠")) for key, cards in codes.items()}
    assert ask_legal(**signs) == ask_legal(**codes)


def test_what_may_be_left_out() -> None:
    assert ask_legal(hand="AS KH 2C") == {"legal": ["AS", "KH", "2C"], "cinch": False, "reneges": {}}
    assert ask_settle()["winner"] == "E"


def test_cards_are_answered_in_the_order_of_the_hand() -> None:
    told = ask_legal(hand="2H KH AC 9H", trick="QH", house={"must_beat": False})
    assert told == {"legal": ["2H", "KH", "9H"], "cinch": False, "reneges": {"AC": "R5.2"}}


def test_a_cinch_and_the_cards_it_forbids() -> None:
    told = ask_legal(hand="TS KS 8S QS 9S")
    assert told == {"legal": ["KS", "QS"], "cinch": True, "reneges": {"TS": "R6.2", "8S": "R6.2", "9S": "R6.2"}}
    assert ask_legal(hand="KS TS", tricks_won=2, dead="AS")["reneges"] == {"TS": "R6.2"}
    assert ask_legal(hand="KS TS", tricks_won=2, seen="AS 2H 3H 4H")["reneges"] == {"TS": "R6.2"}
    assert ask_legal(hand="KS TS", tricks_won=2)["reneges"] == {}


@pytest.mark.parametrize(
    ("position", "house", "allowed"),
    [
        ({"hand": "KH 6H", "trick": "QH"}, {"must_beat": False}, "KH 6H"),
        ({"hand": "KS 6S", "trick": "QH JS"}, {"must_overtrump": False}, "KS 6S"),
        ({"hand": "6S 5C", "trick": "QH JS"}, {"must_trump": "if_can_win"}, "6S 5C"),
        ({"hand": "KS 5C", "trick": "QH JS"}, {"must_trump": "if_can_win"}, "KS"),
        ({"hand": "KS 5C", "trick": "QH"}, {"must_trump": "never"}, "KS 5C"),
        ({"hand": "KS QS 5C"}, {"lead_honour": "any"}, "KS QS"),
        ({"hand": "KS QS 5C"}, {"lead_honour": "highest"}, "KS"),
        (
            {"hand": "KS 5C", "seen": "2H 3H 4H 5H", "tricks_won": 1},
            {"lead_honour": "any", "lead_honour_when": "first"},
            "KS 5C",
        ),
        ({"hand": "AS KS QS 5C"}, {"cinch": False}, "AS KS QS 5C"),
        ({"hand": "AS KS QS 5C"}, {"cinch_adjacent": False}, "AS"),
        ({"hand": "AS KS QS 5C"}, {"cards": 4}, "AS KS QS"),
        ({"hand": "6S 5C", "trick": "QH"}, {"preset": "booray"}, "6S 5C"),
        ({"hand": "6S 5C", "trick": "QH"}, {"preset": "booray", "must_trump": "always"}, "6S"),
        ({"hand": "KS QS 5C"}, {"preset": "bicycle"}, "KS QS"),
    ],
)
def test_house_keys_decide_what_is_legal(position: Answer, house: Answer, allowed: str) -> None:
    assert ask_legal(**position, house=house)["legal"] == allowed.split()


@pytest.mark.parametrize(
    ("deal", "house", "expected"),
    [
        ({}, {"pot_limit": 5}, {"taken": {"E": 5}, "carry": 2, "payments": {"C": 5}, "next_pot": 7}),
        ({}, {"preset": "limit", "pot_limit": None}, {"taken": {"E": 7}}),
        ({}, {"exempt_bourre": False}, {"exempt": []}),
        ({"uncorrected": ["B"]}, {"renege_multiple": 2}, {"payments": {"B": 14, "C": 7}, "next_pot": 21}),
        ({"uncorrected": ["B"]}, {"preset": "indiana", "cards": 5}, {"payments": {"B": 14, "C": 7}}),
        ({"corrected": ["E", "E"]}, {}, {"winner": None, "carry": 7, "tied": [], "forfeit_deal": ["E", "E"]}),
        (
            {"corrected": ["E"]},
            {"renege_pot": "next_best"},
            {"winner": None, "carry": 7, "tied": ["B", "G"], "exempt": ["B", "C", "G"]},
        ),
        ({"tricks": {"A": 2, "B": 2, "C": 1}}, {}, {"winner": None, "carry": 7, "tied": ["A", "B"], "taken": {}}),
        ({"tricks": {"A": 2, "B": 2, "C": 1}}, {"tie": "divide"}, {"winner": None, "taken": {"A": 3, "B": 3}}),
        ({"tricks": {"A": 2, "B": 2, "C": 1}}, {"exempt_tied": False}, {"exempt": []}),
        ({"tricks": {"A": 4}}, {"cards": 4}, {"winner": "A", "taken": {"A": 7}}),
        ({"tricks": {}}, {"must_hold": "trump_or_club"}, {"winner": None, "carry": 7, "next_pot": 7}),
    ],
)
def test_house_keys_decide_who_is_paid(deal: Answer, house: Answer, expected: Answer) -> None:
    told = ask_settle(**deal, house=house)
    assert {key: told[key] for key in expected} == expected


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in VALUES.items() for value in values])
def test_every_key_of_the_house_is_taken_with_every_value(key: str, value: object) -> None:
    assert set(ask_legal(hand="KH 2C", trick="QH", house={key: value})["legal"]) >= {"KH"}
    assert ask_settle(tricks={"A": 4, "B": 0}, house={key: value})["winner"] == "A"


def test_no_key_of_the_house_is_left_out_above() -> None:
    assert set(VALUES) == {"preset", *(field.name for field in fields(HouseRules))}


def test_the_literal_judge_agrees() -> None:
    rng = Random("questions")
    for _ in range(1_000):
        case = random_case(rng, random_play_keys(rng), dead=True)
        places = {key: " ".join(getattr(case, key)) for key in ("hand", "trick", "seen", "dead")}
        told = ask_legal(
            **places, trump=case.trump, playing=case.playing, tricks_won=case.won, house=differing(case.keys)
        )
        verdicts = judge.verdicts(case)
        assert told["reneges"] == {card: rule for card, rule in verdicts.items() if rule}, case
        assert told["legal"] == [card for card, rule in verdicts.items() if not rule], case
        assert told["cinch"] == judge.cinch(case), case


def test_the_second_reckoning_agrees() -> None:
    rng = Random("questions")
    for _ in range(1_000):
        deal = random_deal(rng)
        compare(deal)


def compare(deal: Reckoning) -> None:
    """Compares the answer with the tests' own settlement."""
    told = ask_settle(
        pot=deal.pot,
        tricks=deal.tricks,
        uncorrected=deal.uncorrected,
        corrected=deal.corrected,
        house=differing(deal.keys),
    )
    deal.settle()
    assert (told["winner"], told["taken"], told["carry"]) == (deal.winner, deal.taken, deal.left), deal
    assert (told["payments"], told["forfeit_deal"]) == (deal.paid, deal.corrected), deal
    assert (set(told["exempt"]), set(told["tied"])) == (deal.exempt, deal.tied), deal
    assert told["next_pot"] == deal.left + sum(deal.paid.values()), deal


def differing(house: HouseRules) -> dict[str, object]:
    """The keys of a house that are not the defaults."""
    return {field.name: value for field in fields(house) if (value := getattr(house, field.name)) != field.default}


def test_a_name_may_be_any_text() -> None:
    names = ["zoë", "\u2660", "a\nb", "", "'\"", "\u2028"]
    told = ask_settle(tricks={**dict.fromkeys(names, 0), "winner": 5})
    assert list(told["payments"]) == names


def test_a_pot_may_be_as_large_as_a_number_is_written() -> None:
    pot = 10**DIGITS - 1
    told = ask_settle(pot=pot, uncorrected=["B"], house={"renege_multiple": 100})
    assert told["payments"] == {"B": 100 * pot, "C": pot}
    said = asked('{"pot":1' + "0" * DIGITS + ',"tricks":{}}', settlement)
    assert said == {"error": "a number has 1001 digits.\nhint: use at most 1000"}
