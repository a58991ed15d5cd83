"""Two bots compared: the same numbers as in the cross-table, seen from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, adjusted_blocks_of, estimate_per_100
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data import versus_page
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.data.versus_page import VersusData, versus_data
from bourre_referee.web.template_filters import signed
from tests.referee.web.reading import PageRead
from tests.referee.web.serving import Served, serving


def two(data: RunData, one: int, other: int) -> VersusData:
    found = versus_data(data, one, other)
    assert found is not None
    return found


def test_two_bots_are_compared_as_in_the_cross_table(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = read_run(Run.open(faulty))
    order = [row.bot for row in data.standings.rows]
    for one in range(1, 6):
        for other in {*range(1, 6)} - {one}:
            found, back = two(data, one, other), two(data, other, one)
            cell = data.standings.cross[order.index(found.one.bot)][order.index(found.other.bot)]
            assert cell is not None
            assert found.estimate.chips_per_100 == pytest.approx(cell.chips_per_100, abs=1e-3)
            assert found.estimate.ci95 == pytest.approx(cell.ci95, abs=1e-3)
            assert back.estimate.chips_per_100 == -found.estimate.chips_per_100
            assert (back.ahead, back.behind) == (found.behind, found.ahead)
            met = [line.match for line in data.matches if {found.one.bot, found.other.bot} <= bots_of(line.seats)]
            assert [meeting.line.match for meeting in found.meetings] == met[::-1]
            won = [meeting.chips[0] - meeting.chips[1] for meeting in found.meetings]
            assert (found.ahead, found.behind) == (sum(chips > 0 for chips in won), sum(chips < 0 for chips in won))
            assert (found.matches, len(met)) == (len(won), len(won))
    whole = two(data, 1, 2)
    monkeypatch.setattr(versus_page, "LAST", 1)
    assert two(data, 1, 2) == replace(whole, meetings=whole.meetings[:1])
    assert len(whole.meetings) > 1


def bots_of(seats: object) -> set[str]:
    assert isinstance(seats, tuple)
    return {seat.bot for seat in seats}


def test_in_duplicate_luck_is_taken_off(duplicate_folder: Path) -> None:
    data = read_run(Run.open(duplicate_folder))
    found = two(data, 1, 2)
    assert found.luckless
    blocks = [
        block for result in data.results for block in adjusted_blocks_of(result, *seats_of(result, data.bots[:2]))
    ]
    assert found.estimate == estimate_per_100(blocks, data.results[0].unit * ADJUSTED_PARTS)
    assert found.estimate.chips_per_100 != two(replace(data, standings=without_luck(data)), 1, 2).estimate.chips_per_100


def seats_of(result: MatchResult, names: Sequence[str]) -> list[int]:
    bots = [seat.bot for seat in result.seats]
    return [bots.index(name) for name in names]


def without_luck(data: RunData) -> Standings:
    rows = (replace(row, adjusted_per_100=None, adjusted_ci95=None) for row in data.standings.rows)
    return replace(data.standings, rows=tuple(rows))


@pytest.mark.parametrize(("one", "other"), [(1, 1), (0, 1), (1, 6), (-1, 2)])
def test_there_are_no_other_pairs(faulty: Path, one: int, other: int) -> None:
    assert versus_data(read_run(Run.open(faulty)), one, other) is None


def test_the_page_shows_them_and_refuses_others(served: Served) -> None:
    page = PageRead(served.text("/versus?one=1&other=2"))
    assert "ada and bob" in page.words
    assert "Choose two bots" in PageRead(served.text("/versus")).words
    assert "ada and bob" not in PageRead(served.text("/versus?one=2&other=3")).words
    for wrong in ("one=1&other=1", "one=1&other=6", "one=1"):
        answer = served.client.get(f"/versus?{wrong}")
        assert answer.status_code == 404
        assert "Choose two different bots, numbered 1 to 5" in answer.text
    assert served.client.get("/versus?one=x&other=1").status_code == 400


def test_the_page_has_the_numbers(faulty: Path) -> None:
    found = two(read_run(Run.open(faulty)), 1, 2)
    with serving(faulty) as it:
        words = PageRead(it.text("/versus?one=1&other=2")).words
    assert signed(found.estimate.chips_per_100, 1) in words
    assert f"{found.ahead} : {found.behind}" in words
