"""A bot that never started: every command and page lists it after all others, without a rank or the house's figures."""

from __future__ import annotations

import csv
import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.derived.run_standings import no_shows, rank_matches, standings_of
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.ratings import rate
from bourre_referee.runner.progress import Progress
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.run_page import read_run
from tests.referee import contests, realistic_rooms
from tests.referee.command import called
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")

WHY = "it did not play"


@pytest.fixture(scope="module")
def leaders() -> list[str]:
    """Every bot that was ever among the leaders while the contest was played."""
    return []


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, leaders: list[str]) -> Path:
    """The run of five bots, of which eve never started."""
    place = tmp_path_factory.mktemp("no_show")
    played = partial(realistic_rooms.played, absent=("eve",))

    def watch(progress: Progress) -> None:
        leaders.extend(progress.leaders())

    run_in_process(contests.small_contest(place / "contest"), place / "run", played, watch=watch)
    return place / "run"


def document(*words: object) -> Any:
    done = called(*words, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def test_the_standings_list_it_last_and_say_why(kept: Path) -> None:
    out = called("standings", kept).out
    table = [line.split() for line in out.splitlines() if line.strip()[:1] in {*"12345-"}]
    assert [line[0] for line in table[:5]] == ["1", "2", "3", "4", "-"]
    assert table[4][:6] == ["-", "eve", "-", "-", "-", "-"]
    assert f"\neve has no rank: {WHY}. The stand-in played for it.\n" in out


def test_the_documents_have_null_and_empty_cells(kept: Path) -> None:
    found = document("standings", kept)
    assert found["no_shows"] == {"eve": WHY}
    assert [row["rank"] for row in found["standings"]] == [1, 2, 3, 4, None]
    last = list(csv.DictReader(called("standings", kept, "--csv").out.splitlines()))[-1]
    assert (last["bot"], last["rank"], last["score"], last["chips"], last["no_show"]) == ("eve", "", "", "", WHY)


def test_the_reason_is_that_of_its_log(kept: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    (folder / "logs" / "eve").mkdir(parents=True)
    (folder / "logs" / "eve" / "m0001.log").write_text("[bourre] never started: <b>\x1b[31m; mend it\nmore\n")
    why = "it never started: <b>\\x1b[31m; mend it"
    assert f"\neve has no rank: {why}. The stand-in played for it.\n" in called("standings", folder).out
    assert document("standings", folder)["no_shows"] == {"eve": why}
    assert called("export", folder, "--format", "site", "--out", tmp_path / "site").code == 0
    for page in ("index.html", "bots/5.html"):
        assert "it never started: &lt;b&gt;\\x1b[31m; mend it" in (tmp_path / "site" / page).read_text()


def test_rate_gives_it_no_rating(kept: Path) -> None:
    last = document("stats", "--ratings", kept)["ratings"][-1]
    none = dict.fromkeys(("mu", "sigma", "score"))
    assert last == {"rank": None, "bot": "eve", "matches": 6, **none, "one_pass": none}
    assert called("stats", "--ratings", kept).out.splitlines()[7].split() == ["-", "eve", "6", *6 * ["-"]]


def test_the_statistics_credit_it_with_nothing_but_its_faults(kept: Path) -> None:
    found = document("stats", kept)
    assert "eve" not in {rank["bot"] for rank in found["ranking"]["ranks"]}
    assert "eve" not in json.dumps([found["pairs"], found["flow"]])
    assert "eve" not in found["style"]
    (conduct,) = (each for each in found["conduct"] if each["bot"] == "eve")
    assert conduct["faults"] == {"start_failure": 6}


def test_it_leads_at_no_time(kept: Path, leaders: list[str]) -> None:
    assert kept.exists()
    assert leaders
    assert "eve" not in leaders


def test_an_export_has_no_rating_of_it(kept: Path, tmp_path: Path) -> None:
    assert called("export", kept, "--format", "csv", "--out", tmp_path / "csv").code == 0
    rated = {row["bot"] for row in csv.DictReader((tmp_path / "csv" / "ratings.csv").read_text().splitlines())}
    assert rated == {"ada", "bob", "cy", "dee"}
    assert f"eve,,,,{24}" in (tmp_path / "csv" / "standings.csv").read_text()


def test_the_pages_say_why_it_has_no_rank(kept: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert called("export", kept, "--format", "site", "--out", site).code == 0
    home = (site / "index.html").read_text()
    assert f"<li><bdi>eve</bdi> has no rank: {WHY}. The referee played for it.</li>" in home
    assert home.index(">dee<") < home.rindex(">eve<")
    bot = (site / "bots" / "5.html").read_text()
    assert f"No rank: {WHY}" in bot
    assert "Over time" not in bot
    assert "of 4" in (site / "bots" / "1.html").read_text()
    assert "They have not met yet." in (site / "versus" / "1-5.html").read_text()
    for page in ("wall.html", "cross.html"):
        assert "None" not in (site / page).read_text()


def test_the_pictures_name_it_without_a_mark(kept: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert called("export", "--format", "plots", kept, "--out", tmp_path / "plots").code == 0
    for plot in ("chips", "rating", "cross"):
        text = (tmp_path / "plots" / f"{plot}.svg").read_text()
        assert "<!-- eve  \N{EN DASH} -->" in text
    assert "eve" not in (tmp_path / "plots" / "course.svg").read_text()


def test_standings_that_ranked_it_still_verify(kept: Path, tmp_path: Path) -> None:
    folder, run = Path(shutil.copytree(kept, tmp_path / "run")), Run.open(kept)
    text = standings_of(run).to_json()
    results, manifest = run.results(), run.manifest
    ratings = rate(results, run.bots)
    older = rank_matches(manifest, manifest.digest or "", tally_of(results), ratings, rank_all=True).to_json()
    assert json.loads(older)["standings"] != json.loads(text)["standings"]
    (folder / "standings.json").write_text(f"{older}\n")
    done = called("verify", folder)
    assert (done.code, done.err) == (0, "")
    assert "eve: place " in done.out
    assert " (now no place)\n" in done.out
    (folder / "standings.json").write_text(older.replace('"wins": ', '"wins": 1'))
    assert called("verify", folder).code == 4


def half(spec: MatchSpec) -> MatchOutcome:
    """A match in which eve is absent if it is one of the first six of the contest."""
    return realistic_rooms.played(spec, absent=("eve",) if spec.match <= "m0006" else ())


def test_a_bot_that_played_a_few_deals_is_told_how_many(tmp_path: Path) -> None:
    run = run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "run", half)
    (row,) = (row for row in standings_of(run).rows if row.bot == "eve")
    played = row.deals - row.house_deals
    assert no_shows(run, standings_of(run)) == ({} if row.rank else {"eve": f"it played {played} of its 24 deals"})


def test_an_older_run_in_which_stand_ins_were_rated_has_the_same_figures_everywhere(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run_in_process(contests.small_contest(tmp_path / "contest"), folder, half)
    Tamperer(folder).forget_log()
    run = Run.open(folder)
    table = standings_of(run)
    given = {row.bot: row.mu for row in table.ranked}
    today = rate(run.results(), run.bots)
    assert given != {bot: round(today[bot].mu, 4) for bot in given}
    assert read_run(run).standings == table
    assert {row["bot"]: row["mu"] for row in document("stats", "--ratings", folder)["ratings"] if row["mu"]} == given
    assert called("export", folder, "--format", "csv", "--table", "ratings", "--out", tmp_path / "csv").code == 0
    rows = list(csv.DictReader((tmp_path / "csv/ratings.csv").read_text().splitlines()))
    assert {row["bot"]: round(float(row["mu"]), 4) for row in rows if row["way"] == "batch"} == given
