"""`bourre rate` and `bourre stats` on a run folder, finished or not."""

import json
from pathlib import Path

import pytest

from bourre_referee.contest.begin import begin, open_store
from bourre_referee.contest.layout import Layout
from bourre_referee.contest.manifest import terms_of
from tests.referee import contests
from tests.referee.command import Bourre, commander

pytestmark = pytest.mark.xdist_group("processes")

HALF = 5


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of ten matches of four deals, three at a table, as when the process was killed."""
    place = tmp_path_factory.mktemp("half")
    contest, layout = contests.small_contest(place / "contest"), Layout(place / "run")
    layout.make()
    beginning = begin(contest, terms_of(contest), layout)
    with open_store(beginning) as store:
        for number, room in enumerate(beginning.rooms[:HALF], start=1):
            store.add(number, 1, contests.played(room.matches[0]))
    return layout.folder


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bourre:
    return commander(monkeypatch, capsys)


def test_a_run_in_progress_is_rated_as_far_as_it_is(bourre: Bourre, half: Path) -> None:
    done = bourre("rate", half)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "small: 5 of 10 matches"
    assert sorted(line.split()[1] for line in lines[3:8]) == sorted(contests.BOTS)


def test_ratings_as_json_are_those_of_the_standings(bourre: Bourre, half: Path) -> None:
    document = json.loads(bourre("rate", half, "--json").out)
    assert list(document) == ["contest", "matches", "draw_probability", "ratings"]
    assert (document["contest"], document["matches"]) == ("small", HALF)
    assert [list(row) for row in document["ratings"]] == [
        ["rank", "bot", "matches", "mu", "sigma", "score", "one_pass"]
    ] * len(contests.BOTS)
    standings = json.loads(bourre("standings", half, "--json").out)["standings"]
    known = {row["bot"]: (row["mu"], row["sigma"], row["score"]) for row in standings}
    assert {row["bot"]: (row["mu"], row["sigma"], row["score"]) for row in document["ratings"]} == known
    assert any(row["one_pass"]["mu"] != row["mu"] for row in document["ratings"])


def test_a_folder_without_a_run_is_told_in_words(bourre: Bourre, tmp_path: Path) -> None:
    ended = bourre("rate", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert str(tmp_path) in ended.err
