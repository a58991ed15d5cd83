"""Texts that are not records, and records that lie: each error names the line or the action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bourre.record import RecordError, read, replay
from bourre.record.played_record import play, play_exactly, play_text
from bourre.rules.events import Reneged
from tests.sdk.recorded import changed, header, recorded

BAD: list[tuple[str, Callable[[str], str], str]] = [
    ("empty", lambda text: "", "this record is incomplete: it is empty"),
    ("cut in a line", lambda text: text[:-9], "line 8: the record ends in the middle of this line"),
    ("cut between lines", lambda text: "".join(text.splitlines(True)[:4]), "it ends before deal 4 of 6"),
    ("no last line", lambda text: "".join(text.splitlines(True)[:-1]), "its last line, .+, is missing"),
    ("line missing", lambda text: "".join(text.splitlines(True)[:2] + text.splitlines(True)[3:]), "line 3: deal 2 is"),
    ("more lines", lambda text: text + '{"deal":7}\n', "line 9: nothing may follow the final balances"),
    ("more text", lambda text: text + "!\n", "line 9: this is not JSON"),
    ("blank line", lambda text: text.replace("\n", "\n\n", 1), "line 2: this is not JSON"),
    ("no JSON", lambda text: text.replace('{"deal":3', '{"deal":3,', 1), r"line 4: this is not JSON \("),
    ("deep JSON", lambda text: text.replace('{"deal":3', "[" * 100_000, 1), "line 4: this is not JSON"),
    ("long number", lambda text: text.replace('"deal":3', '"deal":' + "3" * 5000, 1), "line 4: this is not JSON"),
    (
        "long line",
        lambda text: text.replace('{"deal":3', " " * 1_000_001, 1),
        "line 4: it has 1,00.,... characters, but a",
    ),
    ("last line", lambda text: text.replace('"final":[', '"final":[ ', 1), "line 8: not written .+ from column 11"),
    ("no object", lambda text: "[]\n" + text, "line 1: this is not a JSON object"),
    ("half a letter", lambda text: text.replace('"match":"', '"match":"\\ud800', 1), "line 1: it contains half of a"),
    ("other file", lambda text: '{"name":1}\n', "line 1: 'bourre' is missing"),
    (
        "space",
        lambda text: text.replace('"deal":3', '"deal": 3', 1),
        r"line 4: not written .+ from column 9 it should read '3",
    ),
    ("windows", lambda text: text.replace("\n", "\r\n"), "line 1: not written as version 1 writes it: from column"),
    (
        "bad action",
        lambda text: text.replace('"actions":["', '"actions":["1 7X","', 1),
        "line 2: action '1 7X': '7X' is",
    ),
    ("two cards", lambda text: text.replace('"actions":["', '"actions":["1 7C 8C","', 1), "line 2: action '1 7C 8C': "),
    ("bad seat", lambda text: text.replace('"actions":["', '"actions":["5 2C","', 1), "line 2: action '5 2C' does not"),
    (
        "odd digit",
        lambda text: text.replace('"actions":["', '"actions":["² 2C","', 1),
        "line 2: action '² 2C' does not",
    ),
]


@pytest.mark.parametrize(("spoil", "words"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_text_that_is_no_record_is_refused_with_its_line(spoil: Callable[[str], str], words: str) -> None:
    text, _ = recorded(header())
    with pytest.raises(RecordError, match=words):
        read(spoil(text))
    assert play_exactly(spoil(text)) is None


VALUES: list[tuple[int, str, object, str]] = [
    (0, "bourre", 2, "line 1: this is a record of format version 2, but this package reads version 1"),
    (0, "bourre", True, "line 1: 'bourre' must be a whole number"),
    (0, "match", 5, "line 1: 'match' must be a string"),
    (0, "bots", ["alone"], "line 1: 1 seats cannot play"),
    (0, "bots", ["a", 2], "line 1: 'bots' must hold strings"),
    (0, "bots", "ab", "line 1: 'bots' must be a list"),
    (0, "deals", 0, "line 1: a match has at least one deal, not 0"),
    (0, "deals", 10**9, "its last line|it ends before|line 8: 'deal' is missing"),
    (0, "seed", "xy", "line 1: 'seed' must be written in hexadecimal digits"),
    (0, "seed", "AB", "line 1: not written as version 1 writes it"),
    (0, "house", [], "line 1: 'house' must be an object"),
    (0, "house", {"ant": 2}, "line 1: Unknown house rule 'ant'. Did you mean 'ante'"),
    (0, "house", {"name": "limit"}, "line 1: Unknown house rule 'name'"),
    (0, "house", {"cls": 1}, "line 1: Unknown house rule 'cls'"),
    (0, "house", {"ante": [1]}, r"line 1: ante = \[1\]"),
    (0, "house", {"tie": {}}, "line 1: tie = {} is not allowed"),
    (0, "house", {"ante": -1}, "line 1: ante = -1"),
    (0, "house", {"ante": 1}, "line 1: not written as version 1 writes it"),
    (1, "deal", 2, "line 2: deal 1 is expected here, not 2"),
    (1, "dealer", "0", "line 2: 'dealer' must be a whole number"),
    (1, "dealer", 0.0, "line 2: 'dealer' must be a whole number"),
    (1, "dealt", ["2C"], "line 2: 'dealt' must be a list of 5"),
    (1, "dealt", ["2C", "3C", "4C", "5C", "1C"], "line 2: 'dealt': '1C' is not a card"),
    (1, "dealt", ["2C 2C", "3C", "4C", "5C", "6C"], "line 2: 'dealt': '2C 2C' names a card twice"),
    (1, "turned", "", "line 2: '' is not a card"),
    (1, "taken", [0, 0, 0, 0, None], "line 2: 'taken' must hold whole numbers"),
    (1, "balances", [0, 0, 0, 0, False], "line 2: 'balances' must hold whole numbers"),
    (1, "more", 1, "line 2: not written as version 1 writes it"),
    (-1, "final", [0], "line 8: 'final' must be a list of 5"),
]


@pytest.mark.parametrize(("line", "key", "value", "words"), VALUES)
def test_a_wrong_value_is_named_with_line_and_key(line: int, key: str, value: object, words: str) -> None:
    text, _ = recorded(header())
    with pytest.raises(RecordError, match=words):
        read(changed(text, line, lambda values: values.update({key: value})))


@given(
    at=st.integers(0, 10_000), size=st.integers(0, 3), new=st.text(alphabet='0123459CDHS?!inpas {}[]",:\n', max_size=3)
)
@example(at=2762, size=1, new="C")  # a card not held, of a seat that owes its match already: the lowest is played
@settings(max_examples=300)
def test_no_damage_to_a_record_raises_anything_else(at: int, size: int, new: str) -> None:
    """Cards and chips in a record are fixed; names are free, and so is an answer with the same effect."""
    at %= len(DAMAGED)
    text = DAMAGED[:at] + new + DAMAGED[at + size :]
    exact = play_exactly(text)
    try:
        record = read(text)
        list(replay(record))
    except RecordError:
        assert exact is None
        return
    assert exact == play(record)
    known = read(DAMAGED)
    assert [replace(deal, actions=()) for deal in record.deals] == [replace(deal, actions=()) for deal in known.deals]
    assert record.final == known.final
    assert text == DAMAGED or record != known


DAMAGED, _ = recorded(header(deals=3))


LIES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("dealer", lambda deal: deal.update(dealer=(deal["dealer"] + 1) % 5)),
    ("dealt", lambda deal: deal["dealt"].reverse()),
    ("turned", lambda deal: deal.update(turned="2C" if deal["turned"] != "2C" else "3C")),
    ("received", lambda deal: deal["received"].append(deal["received"].pop(0))),
    ("taken", lambda deal: deal["taken"].append(deal["taken"].pop(0))),
    ("balances", lambda deal: deal["balances"].append(deal["balances"].pop(0))),
    ("pot", lambda deal: deal.update(pot=deal["pot"] + 1)),
]


@pytest.mark.parametrize(("field", "lie"), LIES, ids=[field for field, _ in LIES])
def test_a_lie_is_found_and_its_place_named(field: str, lie: Callable[[dict[str, Any]], object]) -> None:
    text, _ = recorded(header(), mischief=0.0)
    told = rf"^match demo-3, deal 4: {field} is .+ by seed and rules, but recorded as"
    with pytest.raises(RecordError, match=told) as caught:
        play_text(changed(text, 4, lie))
    assert caught.value.deal == 4


def test_the_last_line_is_compared_too() -> None:
    text, _ = recorded(header())
    lie = changed(text, -1, lambda last: last["final"].append(last["final"].pop(0)))
    with pytest.raises(RecordError, match=r"^match demo-3: the final balances are .+, not ") as caught:
        play_text(lie)
    assert caught.value.deal is None


def test_another_seed_deals_other_hands() -> None:
    text, _ = recorded(header())
    other = changed(text, 0, lambda first: first.update(seed="00"))
    with pytest.raises(RecordError, match=r"^match demo-3, deal 1: (dealer|dealt) is "):
        list(replay(read(other)))


def test_steps_come_before_the_lie_is_reached() -> None:
    text, noted = recorded(header())
    steps = replay(read(changed(text, -2, lambda deal: deal.update(pot=-1))))
    assert [tuple(next(steps)) for _ in noted] == noted
    with pytest.raises(RecordError, match="deal 6: pot"):
        next(steps)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda actions: actions.pop(), r"deal 2: the actions stop too early: seat \d was asked to play"),
        (lambda actions: actions.clear(), r"deal 2: the actions stop too early: seat \d was asked to declare"),
        (lambda actions: actions.append("0 2C"), r"deal 2: the deal ends before action \d+, 0 2C"),
        (lambda actions: actions.append("0 !unasked"), r"deal 2: the deal ends before action \d+, 0 !unasked"),
        (lambda actions: actions.insert(0, "0 2C"), r"deal 2: action 1, 0 2C, is impossible: "),
        (lambda actions: actions.insert(0, actions[1]), r"deal 2: action 1, .+, is impossible: seat \d is not asked"),
    ],
)
def test_actions_that_do_not_fit_are_named(change: Callable[[list[str]], object], words: str) -> None:
    text, _ = recorded(header(seed=9), mischief=0.0)
    with pytest.raises(RecordError, match=words):
        play_text(changed(text, 2, lambda deal: change(deal["actions"])))


def deal_with_reneges(text: str) -> int:
    """The number of the first line of a deal in which somebody reneged."""
    return next(number for number, line in enumerate(text.splitlines()) if '"reneges":' in line)


def test_reneges_are_written_down_with_rule_cost_and_legal_cards() -> None:
    text, noted = recorded(header(), mischief=0.5)
    happened = [event for _, _, events in noted for event in events if isinstance(event, Reneged)]
    assert happened
    assert [renege for deal in read(text).deals for renege in deal.reneges] == happened


def test_a_renege_that_never_was_is_found() -> None:
    text, _ = recorded(header(), mischief=0.5)
    number = deal_with_reneges(text)
    hidden = changed(text, number, lambda deal: deal.pop("reneges"))
    with pytest.raises(RecordError, match=rf"deal {number}: reneges is .+, but recorded as"):
        list(replay(read(hidden)))


@pytest.mark.parametrize("renege", ["", "0 2C R5.3", "9 2C R5.3 5 3C", "0 2C R5.3 five 3C", "0 1C R5.3 5 3C"])
def test_a_renege_that_cannot_be_read_is_refused(renege: str) -> None:
    text, _ = recorded(header(), mischief=0.5)
    number = deal_with_reneges(text)
    with pytest.raises(RecordError, match=f"line {number + 1}: "):
        read(changed(text, number, lambda deal: deal.update(reneges=[renege])))
