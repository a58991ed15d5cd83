"""`bourre standings` and `bourre replay` on a run folder, finished or not."""

import csv
import json
import re
from pathlib import Path

import pytest

from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import finished_run
from tests.referee.web.runs import duplicate_run

pytestmark = pytest.mark.xdist_group("processes")

RATING_KEYS = ["rank", "bot", "mu", "sigma", "score"]
ROW_KEYS = [*RATING_KEYS, "deals", "chips", "chips_per_100", "ci95", "wins", "bourres", "reneges", "faults"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten matches of four deals, three at a table."""
    return finished_run(tmp_path_factory.mktemp("finished"), played=contests.played)


def test_standings_of_a_finished_run(bourre: Bourre, finished: Path) -> None:
    done = bourre("standings", finished)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[:3] == ["small: 10 matches of 4 deals", "practice seed 7, not secret", ""]
    assert [line.split()[1] for line in lines[4:9]] != sorted(contests.BOTS)
    (line,) = (line for line in lines if line.startswith("score = mu - 3 sigma (TrueSkill); digest "))
    assert len(line.split()[-1]) == 64


def test_standings_as_json_have_the_documented_shape(bourre: Bourre, finished: Path) -> None:
    done = bourre("standings", finished, "--json")
    document = json.loads(done.out)
    assert list(document) == ["contest", "format", "matches", "digest", "standings", "cross", "ties", "too_few"]
    assert [list(row)[: len(ROW_KEYS)] for row in document["standings"]] == [ROW_KEYS] * 5
    assert (document["contest"], document["format"], document["matches"]) == ("small", "session", 10)
    assert sum(row["chips"] for row in document["standings"]) == 0
    assert document["cross"]["ada"]["bob"]["chips_per_100"] == -document["cross"]["bob"]["ada"]["chips_per_100"]
    assert done.out == (finished / "standings.json").read_text()


def test_standings_as_csv_are_the_same_numbers(bourre: Bourre, finished: Path) -> None:
    rows = list(csv.DictReader(bourre("standings", finished, "--csv").out.splitlines()))
    known = json.loads(bourre("standings", finished, "--json").out)["standings"]
    assert [(row["bot"], int(row["chips"]), float(row["mu"])) for row in rows] == [
        (row["bot"], row["chips"], row["mu"]) for row in known
    ]


def test_standings_of_half_a_run_say_how_far_it_is(bourre: Bourre, half: Path) -> None:
    lines = bourre("standings", half).out.splitlines()
    assert lines[0] == "small: so far 5 of 10 matches of 4 deals"
    assert any(line.endswith("digest when all matches are finished") for line in lines)


@pytest.mark.parametrize("name", ["m0003", "3"])
def test_replay_tells_a_whole_match(bourre: Bourre, finished: Path, name: str) -> None:
    done = bourre("replay", finished, name)
    assert (done.code, done.err) == (0, "")
    assert [line.split(":")[0] for line in done.out.splitlines() if line.startswith("Deal ")] == [
        f"Deal {deal} of 4" for deal in (1, 2, 3, 4)
    ]
    assert "the match ends: " in done.out


def test_replay_tells_one_deal(bourre: Bourre, finished: Path) -> None:
    whole, one = bourre("replay", finished, "3").out, bourre("replay", finished, "3", "--deal", 2).out
    assert one.startswith("Deal 2 of 4: ")
    assert one.count("balances: ") == 1
    assert one.partition("\n\n(D) dealer")[0] in whole


def test_replay_tells_every_seating_of_a_duplicate_deal(bourre: Bourre, tmp_path: Path) -> None:
    run = duplicate_run(tmp_path)
    whole, one = bourre("replay", run, "1").out, bourre("replay", run, "1", "--deal", 2).out
    assert [line.partition(":")[0] for line in one.splitlines() if line.startswith("Deal ")] == [
        f"Deal 2 of 2, seating {seating} of 3" for seating in (1, 2, 3)
    ]
    assert whole.startswith("Format duplicate: each deal is played 3 times, ")
    assert whole.count("\nDeal ") == 6
    assert " carried over" not in whole


def test_replay_as_a_page_holds_the_deals_and_asks_nobody(bourre: Bourre, finished: Path, tmp_path: Path) -> None:
    whole, one = tmp_path / "whole.html", tmp_path / "one.html"
    assert (
        bourre("replay", finished, "1", "--html", whole).err == f"bourre: Written to {whole}. Open it in a browser.\n"
    )
    assert bourre("replay", finished, "1", "--deal", 2, "--html", one).code == 0
    assert re.findall(r'id="(deal-\d+)"', whole.read_text()) == ["deal-1", "deal-2", "deal-3", "deal-4"]
    assert re.findall(r'id="(deal-\d+)"', one.read_text()) == ["deal-2"]
    assert re.search(r"""(src|href)=["'](?!#)""", whole.read_text()) is None


def test_a_page_that_cannot_be_written_is_told(bourre: Bourre, finished: Path, tmp_path: Path) -> None:
    assert bourre("replay", finished, "1", "--html", tmp_path).err == (
        f"bourre: --html: '{tmp_path}' is a folder.\nhint: use a file in a folder that exists\n"
    )
    done = bourre("replay", finished, "1", "--html", tmp_path / "no" / "such.html")
    assert done.code == 2
    assert done.err.startswith(f"bourre: --html: no folder '{tmp_path / 'no'}' here.\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["replay", "RUN", "m0099"], "has no finished match 'm0099'. Finished: m0001 to m0010, 10 in all"),
        (["replay", "RUN", "last"], "has no finished match 'last'"),
        (["replay", "RUN", "1", "--deal", "5"], "Match m0001 has no deal 5.\nhint: use --deal 1 to 4"),
        (["standings", "RUN", "--json", "--csv"], "--json and --csv exclude each other.\nhint: pass one of them"),
        (["standings", "RUN/logs"], "/logs'.\nhint: pass a results folder, such as runs/demo"),
        (["run", "RUN/contest.toml"], "Cannot read"),
        (["run", "RUN"], "Cannot read"),
        (["run", "RUN/manifest.json"], "is not valid TOML"),
    ],
)
def test_bad_input_ends_with_2_and_a_line(bourre: Bourre, finished: Path, words: list[str], says: str) -> None:
    done = bourre(*(word.replace("RUN", str(finished)) for word in words))
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert all(line.startswith(("bourre: ", "hint: ")) for line in done.err.splitlines())


def test_a_record_that_breaks_the_rules_is_told_up_to_there(
    bourre: Bourre, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Run.open(finished).record("m0001")
    final = record.splitlines()[-1]
    forged = record.replace(final, '{"final":[7,0,-7]}')
    monkeypatch.setattr(Run, "record", lambda self, match: forged)
    done = bourre("replay", finished, "1")
    assert done.code == 1
    assert "Deal 3 of 4" in done.out
    assert "match m0001: the final balances are" in done.err


@pytest.mark.parametrize(
    "words",
    [("standings",), ("replay", "m0001"), ("annul", "m0001", "--reason", "none"), ("copy", "--to", "copied")],
)
def test_an_exported_run_is_not_taken_for_one_without_matches(
    words: tuple[str, ...], bourre: Bourre, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exported = tmp_path / "exported"
    assert bourre("export", str(finished), "--format", "jsonl", "--out", str(exported)).code == 0
    ended = bourre(words[0], str(exported), *words[1:])
    assert (ended.code, ended.out) == (2, "")
    assert "is an export, which only bourre verify reads." in ended.err
    assert not Path("copied").exists()
