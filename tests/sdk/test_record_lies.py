"""Well-formed records that are false: the replay names match, deal and the first difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bourre.record import RecordError, read, replay
from bourre.rules.events import Reneged
from tests.sdk.recorded import changed, header, recorded

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
        list(replay(read(changed(text, 4, lie))))
    assert caught.value.deal == 4


def test_the_last_line_is_compared_too() -> None:
    text, _ = recorded(header())
    lie = changed(text, -1, lambda last: last["final"].append(last["final"].pop(0)))
    with pytest.raises(RecordError, match=r"^match demo-3: the final balances are .+, not ") as caught:
        list(replay(read(lie)))
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
        list(replay(read(changed(text, 2, lambda deal: change(deal["actions"])))))


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
