"""`bourre rate` and `bourre stats` on a run folder, finished or not."""

import json
from contextlib import closing
from pathlib import Path
from shutil import copytree
from sqlite3 import connect

import pytest

from bourre.extras import install_command
from tests.referee import contests
from tests.referee.command import Bourre

pytestmark = pytest.mark.xdist_group("processes")

HALF = 5


def test_a_run_in_progress_is_rated_as_far_as_it_is(bourre: Bourre, half: Path) -> None:
    done = bourre("stats", "--ratings", half)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "small: 5 of 10 matches"
    assert sorted(line.split()[1] for line in lines[3:8]) == sorted(contests.BOTS)


def test_ratings_as_json_are_those_of_the_standings(bourre: Bourre, half: Path) -> None:
    document = json.loads(bourre("stats", "--ratings", half, "--json").out)
    assert list(document) == ["contest", "matches", "draw_probability", "ratings"]
    assert (document["contest"], document["matches"]) == ("small", HALF)
    assert [list(row) for row in document["ratings"]] == [
        ["rank", "bot", "matches", "mu", "sigma", "score", "one_pass"]
    ] * len(contests.BOTS)
    standings = json.loads(bourre("standings", half, "--json").out)["standings"]
    known = {row["bot"]: (row["mu"], row["sigma"], row["score"]) for row in standings}
    assert {row["bot"]: (row["mu"], row["sigma"], row["score"]) for row in document["ratings"]} == known
    assert any(row["one_pass"]["mu"] != row["mu"] for row in document["ratings"])


def test_anchors_keep_their_ratings_and_move_all_others(bourre: Bourre, half: Path) -> None:
    first, second, *others = contests.BOTS
    words = ("stats", half, "--ratings", "--json", "--anchor")
    document = json.loads(bourre(*words, f"{first}=30", "--anchor", f"{second}=28,0.5").out)
    rated = {row["bot"]: row for row in document["ratings"]}
    assert document["anchors"] == {first: {"mu": 30.0, "sigma": 0.0}, second: {"mu": 28.0, "sigma": 0.5}}
    for kept, mu, sigma in ((first, 30.0, 0.0), (second, 28.0, 0.5)):
        assert (rated[kept]["mu"], rated[kept]["sigma"]) == (mu, sigma)
        assert (rated[kept]["one_pass"]["mu"], rated[kept]["one_pass"]["sigma"]) == (mu, sigma)
    lower = json.loads(bourre(*words, f"{first}=20", "--anchor", f"{second}=18,0.5").out)
    moved = {row["bot"]: row["mu"] for row in lower["ratings"]}
    for bot in others:  # few matches pull them only part of the way to a scale that is ten lower
        assert 1 < rated[bot]["mu"] - moved[bot] < 10
    assert bourre("stats", "--ratings", half, "--anchor", f"{first}=30").out.endswith(
        f"given: {first}; the standings have none\n"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nobody=25", "Unknown bot 'nobody'. Bots: "),
        (f"{contests.BOTS[0]}", "is not BOT=MU"),
        (f"{contests.BOTS[0]}=nan", "is not BOT=MU"),
        (f"{contests.BOTS[0]}=25,-1", "is not BOT=MU"),
        (f"{contests.BOTS[0]}=25,1,2", "is not BOT=MU"),
    ],
)
def test_an_anchor_that_is_none_is_refused_in_words(bourre: Bourre, half: Path, text: str, why: str) -> None:
    ended = bourre("stats", "--ratings", half, "--anchor", text)
    assert (ended.code, ended.out) == (2, "")
    assert "--anchor" in ended.err
    assert why in " ".join(ended.err.split())


def test_a_folder_without_a_run_is_told_in_words(bourre: Bourre, tmp_path: Path) -> None:
    ended = bourre("stats", "--ratings", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert str(tmp_path) in ended.err


def test_statistics_of_a_run_in_progress(bourre: Bourre, half: Path) -> None:
    done = bourre("stats", half)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("small: 5 of 10 matches of 4 deals\n")
    for heading in ("By chips per 100 deals", "Seats", "Reneges by rule", "Style", "Chips per 100 deals from one bot"):
        assert f"\n{heading}" in done.out
    assert "less the luck of the draw" not in done.out
    assert "and 10 more pairs, less unusual than these: --json has all\n" in done.out


def test_a_session_has_nothing_to_fit(bourre: Bourre, half: Path) -> None:
    ended = bourre("stats", half, "--fitted")
    assert (ended.code, ended.out) == (2, "")
    assert '--fitted needs format = "duplicate"' in ended.err


def test_statistics_as_json_have_the_documented_shape(bourre: Bourre, half: Path) -> None:
    document = json.loads(bourre("stats", half, "--json").out)
    keys = "contest format matches digest tied_groups ranking adjusted_ranking pairs seats conduct rules style flow"
    assert list(document) == keys.split()
    assert document["adjusted_ranking"] is None
    ranks = document["ranking"]["ranks"]
    assert [list(rank) for rank in ranks] == [["bot", "rank", "interval", "again"]] * len(contests.BOTS)
    first, second = ranks[0]["bot"], ranks[1]["bot"]
    above = document["ranking"]["above"]
    assert above[first][second] + above[second][first] == pytest.approx(1, abs=2e-4)
    assert [seat["place"] for seat in document["seats"]] == [1, 2, 0]
    assert sum(seat["deals"] for seat in document["seats"]) == HALF * 4 * 3
    assert {row["bot"] for row in document["conduct"]} == set(document["style"]) == set(contests.BOTS)
    played = HALF * 4 * 3
    assert sum(row["deals"] for rows in document["style"].values() for row in rows) == played
    assert {"payer", "taker", "per_100", "expected_per_100", "p", "p_holm", "suspicious"} < set(document["flow"][0])


def test_the_seed_decides_the_resamples_alone(bourre: Bourre, half: Path) -> None:
    one, same, other = (json.loads(bourre("stats", half, "--json", "--seed", seed).out) for seed in (1, 1, 2))
    assert one == same
    assert one["seats"] == other["seats"]
    assert one["ranking"] != other["ranking"]


def test_statistics_do_not_depend_on_the_number_of_processes(bourre: Bourre, half: Path) -> None:
    assert bourre("stats", half, "--json", "--jobs", 2).out == bourre("stats", half, "--json", "--jobs", 1).out


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_damaged_record_is_told_in_words(jobs: int, bourre: Bourre, half: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "run"
    copytree(half, damaged)
    with closing(connect(damaged / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE number = 2")
    ended = bourre("stats", damaged, "--jobs", jobs)
    assert (ended.code, ended.out) == (2, "")
    assert "m0002" in ended.err


def test_favours_are_judged_on_request(bourre: Bourre, half: Path) -> None:
    judged = json.loads(bourre("stats", half, "--json", "--collusion").out)
    plain = json.loads(bourre("stats", half, "--json").out)
    assert all(list(pair["favours"]) == ["gifts", "comes", "passes", "cards"] for pair in judged["flow"])
    assert not any("favours" in pair for pair in plain["flow"])
    assert {key: value for key, value in judged.items() if key != "flow"} == {
        key: value for key, value in plain.items() if key != "flow"
    }
    kept = "payer", "taker", "deals", "per_100", "p"
    assert sorted([pair[key] for key in kept] for pair in judged["flow"]) == sorted(
        [pair[key] for key in kept] for pair in plain["flow"]
    )
    words = bourre("stats", half, "--collusion")
    assert (words.code, words.err) == (0, "")
    (heading,) = (line for line in words.out.splitlines() if line.startswith("from "))
    favours = "gifts p comes in p passes p cards p p of all pairs"
    assert heading.split()[6:] == favours.split()


def test_without_numpy_only_the_flow_is_tested(bourre: Bourre, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.cli.stats.find_spec", lambda _: None)
    done = bourre("stats", half, "--collusion")
    assert done.code == 0
    assert done.err == f"bourre: Only the flow of chips is tested.\nhint: {install_command('champion')}\n"
    assert done.out == bourre("stats", half).out
