"""A contest file with anchors: their given ratings are terms, and set the scale wherever ratings are shown."""

import json
import re
from pathlib import Path

import pytest

from bourre_referee.contest.contest_file import load
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.export.result_rows import rating_rows
from bourre_referee.model.errors import ContestError
from bourre_referee.ratings import Rating, rate
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.run_page import read_run
from bourre_referee.web.site_writer import write_site
from tests.referee import contests
from tests.referee.command import called
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer

ANCHORS = {"ada": Rating(30, 0), "cy": Rating(20, 0.5)}
GIVEN = {"ada": [30.0, 0.0], "cy": [20, 0.5]}


def anchored(folder: Path, given: dict[str, list[float]] | None = None) -> Path:
    """A contest file in which these bots have ratings."""
    path = contests.write_contest(folder)
    text = path.read_text()
    for bot, rating in (GIVEN if given is None else given).items():
        text = text.replace(f'name = "{bot}"\n', f'name = "{bot}"\nrating = {rating}\n')
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with anchors; nothing writes to it."""
    place = tmp_path_factory.mktemp("anchored")
    run_in_process(load(anchored(place / "contest")), place / "run")
    return place / "run"


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    copied = tmp_path / "run"
    copied.mkdir()
    for file in played.iterdir():
        if file.is_file():
            (copied / file.name).write_bytes(file.read_bytes())
    return copied


def test_anchors_keep_their_ratings_in_the_standings_and_move_all_others(played: Path) -> None:
    run = Run.open(played)
    expected = rate(run.results(), run.bots, anchors=ANCHORS)
    document = json.loads(called("standings", played, "--json").out)
    rated = {row["bot"]: (row["mu"], row["sigma"]) for row in document["standings"]}
    assert rated == {bot: (round(one.mu, 4), round(one.sigma, 4)) for bot, one in expected.items()}
    assert rated["ada"] == (30.0, 0.0)
    assert document["anchors"] == {"ada": [30.0, 0.0], "cy": [20.0, 0.5]}
    stored = json.loads((played / "standings.json").read_text())
    assert stored["standings"] == document["standings"]
    said = called("standings", played).out
    assert "anchors, whose ratings are given and set the scale: ada (30, sigma 0), cy (20, sigma 0.5)\n" in said


def test_rate_has_the_anchors_of_the_contest_and_may_have_others(played: Path) -> None:
    document = json.loads(called("stats", "--ratings", played, "--json").out)
    standings = json.loads(called("standings", played, "--json").out)
    assert document["anchors"]["cy"] == {"mu": 20.0, "sigma": 0.5}
    given = {row["bot"]: row["mu"] for row in standings["standings"]}
    assert {row["bot"]: row["mu"] for row in document["ratings"]} == given
    assert called("stats", "--ratings", played).out.endswith("anchors, whose ratings are given: ada, cy\n")
    other = called("stats", "--ratings", played, "--anchor", "cy=24").out
    assert other.endswith("anchors, whose ratings are given: ada, cy; the standings have ada, cy\n")


def test_pages_and_exports_rate_by_the_anchors_too(played: Path, tmp_path: Path) -> None:
    run = Run.open(played)
    data = read_run(run)
    assert data.anchors == frozenset(ANCHORS)
    assert data.standings.rows == standings_of(run).rows
    assert {point.rating for point in data.rating_histories["ada"]} == {Rating(30, 0)}
    rows = [row for row in rating_rows(run.results(), run.bots, run.manifest.anchors) if row.bot == "cy"]
    assert {(row.mu, row.sigma) for row in rows} == {(20, 0.5)}
    write_site(run, tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text()
    assert len(re.findall(">[^<]*anchor</small>", page)) == len(ANCHORS)
    assert "anchors, whose ratings are given and set the scale" in page


def test_a_rating_that_changes_later_is_noticed(run: Path) -> None:
    assert called("verify", run).code == 0
    tamperer = Tamperer(run)
    tamperer.change_json("manifest.json", lambda values: values["terms"]["bots"][0].update(rating=[31.0, 0.0]))
    done = called("verify", run)
    assert done.code == 4
    assert done.out.startswith("difference: ")


def test_standings_by_other_anchors_are_a_difference(run: Path) -> None:
    without = Run.open(run)
    free = {bot: one.mu for bot, one in rate(without.results(), without.bots).items()}
    tamperer = Tamperer(run)
    tamperer.change_json("standings.json", lambda values: values["standings"][-1].update(mu=round(free["eve"], 4)))
    done = called("verify", run)
    assert (done.code, done.out.startswith("difference: standings.json: ")) == (4, True)


def test_a_run_does_not_go_on_with_another_rating(tmp_path: Path) -> None:
    contest = load(anchored(tmp_path / "contest"))
    heard: list[Progress] = []
    run_in_process(contest, tmp_path / "run", watch=heard.append)
    assert heard[-1].leaders()[0] == "ada", "she is given the best"
    changed = load(anchored(tmp_path / "contest", {"ada": [30, 0], "dee": [25, 1]}))
    with pytest.raises(ContestError) as refused:
        run_in_process(changed, tmp_path / "run")
    assert "bot cy: its rating was [20.0, 0.5], is not set" in str(refused.value)
    assert "bot dee: its rating was not set, is [25.0, 1.0]" in str(refused.value)


def test_without_anchors_the_terms_are_as_ever(tmp_path: Path) -> None:
    bare = terms_of(load(contests.write_contest(tmp_path)))
    assert "rating" not in bare.model_dump_json(exclude_none=True)
    assert bare.hash == terms_of(load(anchored(tmp_path, {}))).hash
    assert bare.hash != terms_of(load(anchored(tmp_path))).hash


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ada": [30]}, "23: [[bots]] ada: rating = [30]: must be mu and sigma, such as [25.0, 1.0]"),
        ({"bob": [5000, 1]}, "27: [[bots]] bob: rating.0 = 5000: "),
        ({"bob": [25, -1]}, "27: [[bots]] bob: rating.1 = -1: "),
        (
            {bot: [25.0, 1.0] for bot in contests.BOTS},
            "23: [[bots]] ada: rating: every bot has a given rating, so the matches rate nobody",
        ),
    ],
    ids=["one number", "beyond range", "negative sigma", "nobody to rate"],
)
def test_what_is_no_anchor_is_refused_with_its_line(tmp_path: Path, given: dict[str, list[float]], said: str) -> None:
    with pytest.raises(ContestError) as refused:
        load(anchored(tmp_path, given))
    assert str(refused.value).startswith(f"{tmp_path / 'contest.toml'}:{said}")
