"""The drawings of the statistics page: one for each figure, small, in words that are not drawn as markup."""

import re
from xml.etree import ElementTree

import pytest

import dev
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.storage.run.run import Run
from docs.pictures import figures
from docs.pictures.drawing import Drawing
from tests.referee.in_process import finished_run

COMPARED = {
    "first": "ada",
    "second": "<b>",
    "raw": {"chips_per_100": 74.5, "ci95": [45.3, 103.7]},
    "adjusted": {"chips_per_100": 57.2, "ci95": [47.3, 67.0]},
}
PAGE = (dev.ROOT / "docs/statistics.md").read_text("utf-8")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Ten matches of five bots."""
    return Run.open(finished_run(tmp_path_factory.mktemp("run")))


def words_of(drawing: Drawing) -> list[str]:
    """The words that a reader sees."""
    return [text.text or "" for text in ElementTree.fromstring(drawing.svg()).iter(f"{SVG}text")]


def test_each_figure_has_its_drawing_on_the_page(run: Run) -> None:
    drawn = figures.drawings_of(standings_of(run), run.results(), COMPARED)
    assert re.findall(r"!\[[^\]]+\]\(pictures/(\w+)\.svg\)", PAGE) == list(drawn)
    files = {path.stem: path for path in (dev.ROOT / "docs/pictures").glob("*.svg")}
    assert set(files) == set(drawn)
    assert all(ElementTree.parse(path).getroot().tag == f"{SVG}svg" for path in files.values())
    assert max(path.stat().st_size for path in files.values()) < 30_000


def test_drawings_show_the_bots_and_their_figures(run: Run) -> None:
    table = standings_of(run)
    drawn = figures.drawings_of(table, run.results(), COMPARED)
    bots = [row.bot for row in table.ranked]
    assert all(words_of(drawn[name])[: len(bots)] == bots for name in ("effect", "bracket", "score"))
    best = table.ranked[0]
    assert f"{best.chips_per_100:+.1f} per 100 deals" in words_of(drawn["chips"])
    assert "ada - <b>, in chips per 100 deals" in words_of(drawn["luck"])


def test_pairs_are_counted_as_the_standings_bracket_them(run: Run) -> None:
    table = standings_of(run)
    tied = {frozenset((one, other)) for bracket in table.ties or () for one in bracket for other in bracket}
    apart = sum(
        frozenset((one.bot, other.bot)) not in tied
        for one in table.ranked
        for other in table.ranked
        if one is not other
    )
    drawing = figures.draw_deals(table, run.results())
    assert words_of(drawing)[-1] == f"{apart // 2} of 10 pairs told apart"
    first = figures.draw_deals(table, run.results()[:1])
    assert words_of(first)[-1] == "0 of 10 pairs told apart"


def test_the_page_names_as_many_pairs_as_its_drawing_shows() -> None:
    drawn = (dev.ROOT / "docs/pictures/deals.svg").read_text("utf-8")
    (shown,) = re.findall(r"(\d+ of \d+) pairs told apart", drawn)
    assert f"![Pairs told apart, up to {shown} after 32 matches]" in PAGE


def test_drawings_follow_the_reader_into_the_dark() -> None:
    assert "prefers-color-scheme:dark" in Drawing(10, 10, "nothing").svg()
