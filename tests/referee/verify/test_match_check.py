"""A record of format `duplicate` compared with its place in the schedule, and documents with the true ones."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.model.spec import Level, MatchSpec
from bourre_referee.verify.difference import Difference, json_differences
from bourre_referee.verify.expected_matches import ExpectedMatch
from bourre_referee.verify.match_check import check_record
from tests.sdk.bots import Drawing, Keen

LIMIT = HouseRules.preset("limit")
SPEC = MatchSpec("m0001", ("keen", "drawing"), LIMIT, 2, master_seed(7))
EXPECTED = ExpectedMatch(
    number=1,
    match="m0001",
    bots=("drawing", "keen"),
    seats=2,
    deals=2,
    house=LIMIT,
    format="duplicate",
    stakes=(0,),
    max_faults=10,
    level=Level.NONE,
    spec=SPEC,
)


@pytest.fixture(scope="module")
def record() -> str:
    """Two deals, each in both seatings."""
    return practice_duplicate({"keen": Keen, "drawing": Drawing}, 2, seatings, seed=7, house=LIMIT)


def test_an_honest_record_comes_to_what_its_deals_come_to(record: str) -> None:
    found = check_record(record, EXPECTED)
    assert [seat.chips for seat in found.result.seats] == list(read(record).final)
    assert (found.result.unit, found.result.playings, found.amounts.deals) == (UNIT, 4, 4)
    assert [seat.bot for seat in found.seats] == ["keen", "drawing"]


def test_bots_that_sat_elsewhere_are_found_in_their_deal(record: str) -> None:
    lines = record.splitlines(keepends=True)
    number = next(place for place, line in enumerate(lines) if '"deal":2,"seating":1' in line)
    lines[number] = re.sub(r'"line_up":\[(\d),(\d)\]', r'"line_up":[\2,\1]', lines[number])
    with pytest.raises(Difference, match=r"who sits where in seating 1 is 1 0, should be 0 1") as found:
        check_record("".join(lines), EXPECTED)
    assert (found.value.match, found.value.deal) == ("m0001", 2)


def test_bots_of_another_contest_are_found(record: str) -> None:
    strangers = replace(EXPECTED, bots=("drawing", "lowest"), spec=None)
    with pytest.raises(Difference, match="keen, drawing sit there, not 2 bots of the contest"):
        check_record(record, strangers)


def test_two_documents_differ_where_a_value_or_its_type_does_and_fractions_may_by_the_tolerance() -> None:
    true: dict[str, object] = {"a": [1, 2.0, {"b": None, "c": "x"}], "d": 1e9}
    found: dict[str, object] = {"a": [True, 2.0009, {"b": 0, "c": "x"}], "d": 1e9 + 1e5}
    assert list(json_differences(true, true)) == []
    assert list(json_differences(found, true, 1e-3)) == ["a[0] is true, should be 1", "a[2].b is 0, should be null"]
    assert [each.partition(" is ")[0] for each in json_differences(found, true)] == ["a[0]", "a[1]", "a[2].b", "d"]
    assert [each.partition(" is ")[0] for each in json_differences(found, true, 1e-4)] == ["a[0]", "a[1]", "a[2].b"]
    assert list(json_differences([1], [1, 2])) == ["the document is [1], should be [1, 2]"]
    assert list(json_differences({"a": {"b": 1}}, {"a": {"c": 1}})) == ['a is {"b": 1}, should be {"c": 1}']
