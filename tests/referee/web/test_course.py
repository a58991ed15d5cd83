"""The course of a contest: bounded, evenly spaced points that end at the standings, and a chart of them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.match_sums import Tally
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.chip_curve import MOST_POINTS, SPACE, ChipCurve, ChipCurvePoint, chip_curve_chart, spread
from bourre_referee.web.data.run_page import read_run


def course_of(results: list[MatchResult]) -> tuple[ChipCurvePoint, ...]:
    tally, course = Tally(), ChipCurve()
    for number, result in enumerate(results, start=1):
        tally.add(result, number)
        course.note(tally)
    return course.points(tally)


@pytest.mark.parametrize("matches", [1, 2 * MOST_POINTS - 1, 2 * MOST_POINTS, 1000])
def test_points_are_bounded_and_evenly_spaced_and_end_now(faulty_results: list[MatchResult], matches: int) -> None:
    points = [point.matches for point in course_of((faulty_results * 100)[:matches])]
    assert points[-1] == matches
    assert len(points) <= 2 * MOST_POINTS
    assert len({after - before for before, after in pairwise(points[:-1])}) <= 1
    assert len(points) >= min(matches, MOST_POINTS)


@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_the_course_ends_at_the_standings(run: str, request: pytest.FixtureRequest) -> None:
    data = read_run(Run.open(request.getfixturevalue(run)))
    last = data.course[-1]
    assert last.matches == data.finished
    for row in data.standings.rows:
        lucky = row.adjusted_per_100 is not None
        found = last.estimates[row.bot]
        assert found.chips_per_100 == pytest.approx(row.adjusted_per_100 if lucky else row.chips_per_100, abs=1e-3)
        assert found.ci95 == pytest.approx(row.adjusted_ci95 if lucky else row.ci95, abs=1e-3)


def test_every_bot_has_a_line_within_the_picture_that_ends_at_its_value(faulty_results: list[MatchResult]) -> None:
    points = course_of(faulty_results)
    bots = sorted(points[-1].estimates)
    chart = chip_curve_chart(points, bots, {bot: number for number, bot in enumerate(bots, start=1)})
    assert chart is not None
    assert [one.bot for one in chart.series] == bots
    low, high = chart.values[0], chart.values[-1]
    for one in chart.series:
        numbers = [float(number) for path in (one.line, one.band) for number in re.findall(r"-?\d+", path)]
        assert 0 <= min(numbers) <= max(numbers) <= 1000
        share = (one.last.chips_per_100 - low.value) / (high.value - low.value)
        assert one.end == pytest.approx(100 - 100 * share, abs=0.01)
        assert one.line.rpartition(" ")[2] == f"{10 * one.end:.0f}"
        assert one.last.ci95 is not None
        assert low.value <= one.last.ci95[0] < one.last.ci95[1] <= high.value


def test_names_do_not_cover_each_other_and_stay_on_the_picture() -> None:
    values = {f"bot{number}": float(number // 3) for number in range(14)}
    points = [ChipCurvePoint(at, {bot: Estimate(value, None, at) for bot, value in values.items()}) for at in (1, 2)]
    chart = chip_curve_chart(points, [*values], dict.fromkeys(values, 1))
    assert chart is not None
    labels = sorted(one.label for one in chart.series if one.label is not None)
    assert len(labels) == 14
    assert min(after - before for before, after in pairwise(labels)) >= SPACE - 0.02
    assert labels[-1] <= 98


def test_names_that_would_touch_stand_around_the_middle_of_their_lines() -> None:
    assert spread({"a": 10.0, "b": 50.0, "c": 51.0, "d": 52.0}) == {"a": 10.0, "b": 46.0, "c": 51.0, "d": 56.0}
    assert spread({"a": 97.0, "b": 99.0}) == {"a": 93.0, "b": 98.0}
    assert spread({"a": 10.0, "b": 11.0, "c": 14.0}) == {"a": 6.67, "b": 11.67, "c": 16.67}


def test_values_beyond_all_measure_are_drawn_too() -> None:
    vast = Estimate(1e300, (-1e300, 1e300), 9)
    points = [ChipCurvePoint(at, {"a": vast, "b": replace(vast, chips_per_100=-1e300)}) for at in (1, 2)]
    chart = chip_curve_chart(points, ["a", "b"], {"a": 1, "b": 2})
    assert chart is not None
    assert "nan" not in "".join(one.line for one in chart.series)
    assert chart.series[0].end < chart.series[1].end


def test_one_match_is_no_course(faulty_results: list[MatchResult]) -> None:
    assert chip_curve_chart(course_of(faulty_results[:1]), ["ada"], {"ada": 1}) is None


@pytest.fixture(scope="module")
def faulty_results(request: pytest.FixtureRequest) -> list[MatchResult]:
    return Run.open(request.getfixturevalue("faulty")).results()
