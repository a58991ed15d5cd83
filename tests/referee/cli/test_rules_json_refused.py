"""Questions that cannot be answered: each error names the key and the fix, and nothing causes a traceback."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.house import HouseRules
from bourre_referee.cli.rules_json import LONGEST, answers, legal, settlement
from tests.referee.rules_questions import LEGAL, SETTLE, Answer, Answerer, ask_legal, ask_settle, asked

KEYS = ["preset", *(field.name for field in fields(HouseRules))]
NUMBER = "'{}' must be a whole number"
BAD_POSITIONS: list[tuple[dict[str, object], str]] = [
    ({"hand": ""}, "'hand' must hold 1 to 5 cards, not 0"),
    ({"hand": "2C 3C 4C 5C 6C 7C"}, "'hand' must hold 1 to 5 cards, not 6"),
    ({"hand": "2C 3C 4C 5C 6C", "house": {"cards": 4}}, "'hand' must hold 1 to 4 cards, not 5"),
    ({"hand": "2C 10H"}, "'hand': '10H' is not a card: use rank then suit, as in AS, TH, 2C"),
    ({"hand": "2C 2C"}, "'hand': '2C 2C' names a card twice"),
    ({"hand": ["2C"]}, "'hand' must be a string"),
    ({"hand": None}, "'hand' must be a string"),
    ({"trick": None}, "'trick' must be a string"),
    ({"trick": "2C"}, "2C is in 'hand' and in 'trick': a card is in one place only"),
    ({"seen": "AH", "dead": "AH"}, "AH is in 'seen' and in 'dead': a card is in one place only"),
    ({"dead": "AH KH"}, "'dead' must hold at most one card, not 2: only one is turned up"),
    ({"trick": "3C 4C 5C 6C"}, "'trick' is complete: 4 cards by 4 seats"),
    ({"trump": "spades"}, "'trump': 'spades' is not a suit: use one of C D H S"),
    ({"trump": ""}, "'trump': '' is not a suit: use one of C D H S"),
    ({"trump": None}, "'trump' must be a string"),
    ({"playing": 1}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": 9}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": True}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": 4.0}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": "4"}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": 10**999}, NUMBER.format("playing") + " from 2 to 8"),
    ({"playing": None}, NUMBER.format("playing") + " from 2 to 8"),
    ({"tricks_won": 6}, NUMBER.format("tricks_won") + " from 0 to 5"),
    ({"tricks_won": -1}, NUMBER.format("tricks_won") + " from 0 to 5"),
    ({"trik": ""}, "Unknown key 'trik'. Did you mean 'trick'?"),
    (
        {"pot": 7},
        "Unknown key 'pot'. Keys: hand, trick, trump, playing, tricks_won, seen, dead, house.",
    ),
    ({"house": "pagat"}, "'house' must be an object of house rules"),
    ({"house": None}, "'house' must be an object of house rules"),
    ({"house": {"preset": "pagta"}}, "'house': Unknown preset 'pagta'. Did you mean 'pagat'?"),
    ({"house": {"preset": 3}}, "'house': 'preset' must be a string"),
    ({"house": {"preset": None}}, "'house': 'preset' must be a string"),
    ({"house": {"must_bet": True}}, "'house': Unknown house rule 'must_bet'. Did you mean 'must_beat'?"),
    ({"house": {"must_beat": 1}}, "'house': must_beat = 1 is not allowed.\nhint: use true or false"),
    ({"house": {"must_beat": None}}, "'house': must_beat = none is not allowed.\nhint: use true or false"),
    ({"house": {"ante": 10**999}}, "'house': ante = 1000"),
    ({"house": {"ante": 1.5}}, "'house': ante = 1.5 is not allowed.\nhint: use a whole number from 0 to 1000000"),
    ({"house": {"tie": "share"}}, "'house': tie = 'share' is not allowed.\nhint: use one of 'carry', 'divide'"),
    ({"house": {"tie": ["carry"]}}, "'house': 'tie' must be a string, a number, true, false or null"),
    ({"house": {"pot_limit": {}}}, "'house': 'pot_limit' must be a string, a number, true, false or null"),
    ({"house": {"name": "pagat"}}, "'house': Unknown house rule 'name'"),
    ({"house": {"self": 1, "cls": 2}}, "'house': Unknown house rule 'self'"),
    ({"house": {"": 1}}, "'house': Unknown house rule ''"),
]
BAD_DEALS: list[tuple[dict[str, object], str]] = [
    ({"pot": -1}, NUMBER.format("pot") + " of at least 0"),
    ({"pot": 7.5}, NUMBER.format("pot") + " of at least 0"),
    ({"pot": "7"}, NUMBER.format("pot") + " of at least 0"),
    ({"pot": False}, NUMBER.format("pot") + " of at least 0"),
    ({"pot": None}, NUMBER.format("pot") + " of at least 0"),
    ({"tricks": ["B"]}, "'tricks' must be an object of numbers by name"),
    ({"tricks": None}, "'tricks' must be an object of numbers by name"),
    ({"tricks": {"B": 6}}, NUMBER.format("tricks.B") + " from 0 to 5"),
    ({"tricks": {"B": None}}, NUMBER.format("tricks.B") + " from 0 to 5"),
    ({"tricks": {"B": 5}, "house": {"cards": 4}}, NUMBER.format("tricks.B") + " from 0 to 4"),
    ({"tricks": {"B": 3, "C": 3}}, "'tricks' holds 6 tricks: a deal has 5"),
    ({"tricks": dict.fromkeys("ABCDEFGHI", 0)}, "'tricks' names 9 seats: at most 8 can play"),
    ({"uncorrected": "B"}, "'uncorrected' must be a list of names"),
    ({"corrected": [1]}, "'corrected' must be a list of names"),
    ({"corrected": None}, "'corrected' must be a list of names"),
    ({"corrected": ["A"]}, "'corrected' names 'A', which is not in 'tricks': only a seat that played can renege"),
    (
        {"uncorrected": ["B", "b"]},
        "'uncorrected' names 'b', which is not in 'tricks': only a seat that played can renege",
    ),
    ({"hand": "AS"}, "Unknown key 'hand'. Keys: pot, tricks, uncorrected, corrected, house.\nhint: use one of them"),
]


@pytest.mark.parametrize(("keys", "said"), BAD_POSITIONS, ids=[f"{said[:50]}" for _, said in BAD_POSITIONS])
def test_a_bad_position_is_told_by_key_and_fix(keys: dict[str, object], said: str) -> None:
    told = ask_legal(**{"hand": "2C", **keys})
    assert list(told) == ["error"]
    assert told["error"].startswith(said)


@pytest.mark.parametrize(("keys", "said"), BAD_DEALS, ids=[said[:50] for _, said in BAD_DEALS])
def test_a_bad_deal_is_told_by_key_and_fix(keys: dict[str, object], said: str) -> None:
    assert ask_settle(**keys) == {"error": said}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("hand", "'hand' must hold 1 to 5 cards, not 0"),
        ("trump", "'trump' is missing"),
        ("playing", "'playing' is missing"),
    ],
)
def test_what_a_position_must_hold(key: str, said: str) -> None:
    question: dict[str, object] = {"hand": "2C", "trump": "S", "playing": 2}
    del question[key]
    assert asked(json.dumps(question), legal) == {"error": said}


@pytest.mark.parametrize("key", ["pot", "tricks"])
def test_what_a_deal_must_hold(key: str) -> None:
    question: dict[str, object] = {"pot": 7, "tricks": {}}
    del question[key]
    assert asked(json.dumps(question), settlement) == {"error": f"{key!r} is missing"}


@pytest.mark.parametrize("answerer", [legal, settlement])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "this line is not JSON: Expecting value at character 1"),
        ('{"hand":', "this line is not JSON: Expecting value at character 9"),
        ("{} {}", "this line is not JSON: Extra data at character 4"),
        ("{'hand': 'AS'}", "this line is not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("[]", "this line is not a JSON object.\nhint: use {...}"),
        ("null", "this line is not a JSON object.\nhint: use {...}"),
        ('"AS"', "this line is not a JSON object.\nhint: use {...}"),
        ('{"house":{},"house":{}}', "the key 'house' appears twice.\nhint: remove one"),
        ('{"house":{"ante":1,"ante":1}}', "the key 'ante' appears twice.\nhint: remove one"),
        ('{"pot":NaN}', "NaN is not JSON.\nhint: use a number"),
        ('{"house":{"ante":-Infinity}}', "-Infinity is not JSON.\nhint: use a number"),
        ('{"pot":' + "9" * 5000 + "}", "a number has 5000 digits.\nhint: use at most 1000"),
        ("[" * 100_000, "this line is nested too deeply: only 'house' holds another object"),
        ('{"house":' * 100_000, "this line is nested too deeply: only 'house' holds another object"),
        (b'{"hand":"\xff"}', "this line is not UTF-8 (byte 10).\nhint: use UTF-8"),
        (b"\x00", "this line is not JSON: Expecting value at character 1"),
        ("\u00a0", "this line is not JSON: Expecting value at character 1"),
        (LEGAL.encode("utf-16-le"), "this line is not JSON: Expecting property name"),
    ],
    ids=range(18),
)
def test_a_line_that_is_no_question(line: str | bytes, said: str, answerer: Answerer) -> None:
    assert asked(line, answerer)["error"].startswith(said)


def test_any_depth_of_nesting_is_an_answer() -> None:
    for depth in range(1, 1_100, 7):
        nest = "[" * depth + "]" * depth
        for line in ('{"house":{"ante":' + nest + "}}", '{"hand":' + nest + "}", '{"tricks":' + nest + "}"):
            assert list(asked(line, legal)) == ["error"]
            assert list(asked(line, settlement)) == ["error"]


def test_an_error_does_not_grow_with_what_it_quotes() -> None:
    for question in ({"hand": "x" * 10_000}, {"x" * 10_000: 1}, {"hand": "2C", "house": {"tie": "x" * 10_000}}):
        assert len(ask_legal(**question)["error"]) == LONGEST + 3


def test_a_mark_of_byte_order_is_read_over() -> None:
    assert asked(b"\xef\xbb\xbf" + LEGAL.encode(), legal)["legal"] == ["KH"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(
    st.dictionaries(st.sampled_from([*json.loads(LEGAL), *json.loads(SETTLE)]), JSON),
    st.dictionaries(st.sampled_from(KEYS) | st.text(), JSON),
    st.booleans(),
)
def test_whatever_is_asked_there_is_an_answer(values: Answer, house: Answer, sound: bool) -> None:
    for base, answerer in ((LEGAL, legal), (SETTLE, settlement)):
        question = {**(json.loads(base) if sound else {}), **values, "house": house}
        told = asked(json.dumps(question), answerer)
        assert list(told) == ["error"] or len(told) in (3, 8)


@given(st.binary())
def test_whatever_bytes_come_there_is_an_answer(line: bytes) -> None:
    assert [list(json.loads(told)) for told in answers([line], legal)] == ([["error"]] if line.strip() else [])
