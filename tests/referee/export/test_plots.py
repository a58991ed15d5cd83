"""`bourre plot`: the pictures agree with the standings and are the same every time, whatever was played."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

import bourre_referee.export.plots
from bourre.extras import install_command
from bourre_referee.export.plots.contest_plots import (
    ChipHistory,
    chip_histories,
    chip_history_figure,
    chips_figure,
    cross_figure,
    is_dark,
    rating_figure,
)
from bourre_referee.export.plots.plot_style import save, short_name, signed_chips, use_style
from bourre_referee.model.results import DealResult, MatchResult, SeatResult
from bourre_referee.ratings import rate
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.statistics.standing import Standings
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import finished_run
from tests.referee.matches import match, standings

FILES = [f"{name}.{form}" for name in ("chips", "course", "cross", "rating") for form in ("png", "svg")]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    return finished_run(tmp_path_factory.mktemp("kept"))


def of(results: Sequence[MatchResult], bots: Sequence[str]) -> Standings:
    return standings("small", "session", "ab" * 32, results, bots)


def duplicate() -> MatchResult:
    """Two deals: ada won one chip in each, of which half was luck."""
    blocks = tuple(DealResult((840, -840), (luck, -luck)) for luck in (26880, 13440))
    seats = (SeatResult("ada", 1680, 1, 0, 0, 0, 0, 0), SeatResult("bob", -1680, 2, 0, 0, 0, 0, 0))
    return MatchResult("m0001", 2, seats, 840, blocks)


def places(line: Line2D) -> list[float]:
    """The positions of a line's marks, in the order in which they were given."""
    data: Any = line.get_xdata()
    return [float(place) for place in data]


def texts(figure: Figure) -> list[str]:
    """All texts in a picture once it is drawn."""
    with use_style():
        figure.draw_without_rendering()
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible()]


@pytest.mark.xdist_group("processes")
def test_a_run_is_drawn(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    done = bourre("export", "--format", "plots", kept, "--out", tmp_path / "one")
    assert (done.code, done.out) == (0, "")
    assert f"Written to {tmp_path / 'one'}. It has chips, rating, cross and course" in done.err
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == FILES
    for name in ("chips", "rating", "cross", "course"):
        svg = (tmp_path / "one" / f"{name}.svg").read_text()
        assert all(re.search(rf"<!-- .*\b{bot}\b.* -->", svg) for bot in contests.BOTS)
        assert "date" not in svg
        assert (tmp_path / "one" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.xdist_group("processes")
def test_a_folder_that_is_there_is_left_alone(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all my work")
    done = bourre("export", "--format", "plots", kept, "--out", tmp_path)
    assert done.code == 2
    assert "already exists." in done.err
    assert (tmp_path / "thesis.txt").read_text() == "all my work"


@pytest.mark.xdist_group("processes")
def test_without_the_extra_it_is_refused_in_words(
    bourre: Bourre, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bourre_referee.export, "plots", bourre_referee.export.plots
    )  # imported anew below: to be restored
    for name in [name for name in sys.modules if name.startswith("bourre_referee.export.plots")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = bourre("export", "--format", "plots", kept, "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"bourre: This command needs more packages.\nhint: {install_command('export')}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_intervals_drawn_are_those_of_the_standings() -> None:
    table = of([match({"ada": 20, "bob": -20}), match({"ada": 10, "bob": -10}, name="m0002")], ["ada", "bob"])
    axes = chips_figure(table, "").axes[0]
    assert places(axes.lines[0]) == [row.effect for row in table.rows] == [30.0, -30.0]
    assert drawn_intervals(axes) == [row.effect95 for row in table.rows]


def test_a_run_without_effects_has_chips_and_their_intervals() -> None:
    results = [match({"ada": 20, "bob": -20}), match({"ada": 10, "bob": -10}, name="m0002")]
    table = by_older_method(results)
    axes = chips_figure(table, "").axes[0]
    assert places(axes.lines[0]) == [row.chips_per_100 for row in table.rows] == [30.0, -30.0]
    assert drawn_intervals(axes) == [row.ci95 for row in table.rows]


def by_older_method(results: Sequence[MatchResult]) -> Standings:
    bots = ["ada", "bob"]
    return rank_bots("small", "any", "", tally_of(results), rate(results, bots, version=3), level=None)


def drawn_intervals(axes: Axes) -> list[tuple[float, float]]:
    segments = [collection.get_segments() for collection in axes.collections if len(collection.get_segments()) == 2]  # type: ignore[attr-defined]
    return [(float(start[0]), float(end[0])) for start, end in segments[-1]]


def test_raw_and_adjusted_stand_side_by_side_in_duplicate() -> None:
    table = by_older_method([duplicate()])
    raw, adjusted, _ = chips_figure(table, "").axes[0].lines
    assert places(raw) == [50.0, -50.0]
    assert places(adjusted) == [row.adjusted_per_100 for row in table.rows] == [23.75, -23.75]
    assert (raw.get_marker(), adjusted.get_marker()) == ("s", "o")


def test_sigma_is_drawn_as_no_bar() -> None:
    table = of([match({"ada": 20, "bob": -20})], ["ada", "bob"])
    figure = rating_figure(table, "")
    mus, scores = figure.axes[0].lines
    assert places(mus) == [row.mu for row in table.rows]
    assert places(scores) == [row.score for row in table.rows]
    assert {line.get_linestyle() for line in (mus, scores)} == {"None"}
    assert any("not a confidence interval" in text for text in texts(figure))


def test_the_cross_table_has_its_numbers_bold_where_the_interval_leaves_out_0() -> None:
    results = [
        match({"ada": 20 + number, "bob": -20, "cy": -number}, name=f"m{number}") for number in (-40, -20, 0, 20, 40)
    ]
    table = of(results, ["ada", "bob", "cy", "dee"])
    axes = cross_figure(table, "").axes[0]
    drawn = {text.get_position(): (text.get_text(), text.get_fontweight()) for text in axes.texts}
    told = {
        (x, y): (signed_chips(cell.chips_per_100), "normal" if cell.ci95[0] <= 0 <= cell.ci95[1] else "bold")
        for y, line in enumerate(table.cross)
        for x, cell in enumerate(line)
        if cell and cell.ci95
    }
    assert drawn == told
    assert {weight for _, weight in told.values()} == {"normal", "bold"}


def test_a_large_cross_table_has_colours_alone() -> None:
    chips = {f"bot{number}": number - 12 for number in range(25)}
    figure = cross_figure(of([match(chips)], list(chips)), "the note")
    assert not figure.axes[0].texts
    assert any(text.get_text() == "Grey: never at one table.\nthe note" for text in figure.texts)


def test_the_course_goes_through_every_block() -> None:
    results = [match({"ada": 20, "bob": -20}, 50), match({"bob": 5, "ada": -5}, 30, "m0002")]
    assert chip_histories(results, ["bob", "ada", "cy"], 10) == [
        ChipHistory("bob", (0, 50, 80), (0.0, -20.0, -15.0)),
        ChipHistory("ada", (0, 50, 80), (0.0, 20.0, 15.0)),
        ChipHistory("cy", (0,), (0.0,)),
    ]
    assert chip_histories([duplicate()], ["ada", "bob"], 10)[0] == ChipHistory("ada", (0, 2, 4), (0.0, 1.0, 2.0))


def test_a_long_course_has_few_points_and_its_last() -> None:
    results = [match({"ada": 1, "bob": -1}, 1, f"m{number}") for number in range(1003)]
    (course, _) = chip_histories(results, ["ada", "bob"], 100)
    assert len(course.deals) <= 102
    assert (course.deals[0], course.deals[-1], course.chips[-1]) == (0, 1003, 1003.0)
    assert all(deals == chips for deals, chips in zip(course.deals, course.chips, strict=True))


def test_chips_beyond_all_measure_and_names_of_strangers_are_drawn(tmp_path: Path) -> None:
    odd = "$x^{$" + "\x1b[31m" + "x" * 30
    results = [match({"ada": 10**400, odd: -(10**400)}), match({"ada": -5, odd: 5}, name="m0002")]
    table = of(results, ["ada", odd, "idle"])
    with use_style():
        figures = [chips_figure(table, ""), cross_figure(table, ""), rating_figure(table, "")]
        figures.append(chip_history_figure(table, chip_histories(results, [row.bot for row in table.rows], 10), ""))
        for number, figure in enumerate(figures):
            save(figure, tmp_path / str(number))
    written = [text for figure in figures for text in texts(figure)]
    assert not any("mathdefault" in text or "\x1b" in text for text in written)
    assert any(text.startswith(short_name(odd)) for text in written)


def test_nothing_played_is_drawn_too_and_twice_the_same(tmp_path: Path) -> None:
    table = of([], ["ada", "bob"])
    with use_style():
        course = partial(chip_history_figure, table, chip_histories([], ["ada"], 9), "")
        for draw in (partial(chips_figure, table, ""), partial(cross_figure, table, ""), course):
            for name in ("one", "two"):
                save(draw(), tmp_path / name)
            for form in ("png", "svg"):
                assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()
            assert "ada" in " ".join(texts(draw()))


@pytest.mark.parametrize(
    ("chips", "text"), [(0.4, "0"), (-0.4, "0"), (12.6, "+13"), (-12.6, "\N{MINUS SIGN}13"), (2e7, "+2e+07")]
)
def test_chips_have_their_sign(chips: float, text: str) -> None:
    assert signed_chips(chips) == text


def test_white_is_for_dark_cells_only() -> None:
    assert [is_dark(*colour) for colour in ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.2, 0.0, 0.3), (1.0, 0.7, 0.4))] == [
        *(True, False, True, False)
    ]
