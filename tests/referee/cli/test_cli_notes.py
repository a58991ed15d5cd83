"""What bots said, at the command line: told to whoever holds the run, published only once everyone may read it."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet
import pytest

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.storage.run.run import Run
from tests.referee import contests, talking_rooms
from tests.referee.command import Bourre
from tests.referee.talking_rooms import FORMULA, HOSTILE, PLAIN
from tests.referee.tampering import Tamperer

ESCAPED = "\\x1b[2J<script>alert('&')</script>"


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose seed is still secret."""
    return talking_rooms.run_half(tmp_path_factory.mktemp("half"))


@pytest.fixture(scope="module", params=[contests.FILE, talking_rooms.SECRET], ids=["public", "revealed"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, whose seed everyone knows by now."""
    return talking_rooms.run_to_the_end(tmp_path_factory.mktemp("whole"), request.param)


def files_of(folder: Path) -> Iterator[str]:
    """The text of every file of an export."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            yield str(pyarrow.parquet.read_table(path).to_pylist())
        elif path.is_file():
            yield path.read_text(encoding="utf-8")


def test_a_replay_tells_each_note_below_its_deal(bourre: Bourre, whole: Path) -> None:
    said = bourre("replay", whole, 2).out
    first, second, *_ = said.split("Deal ")[1:]
    action = Run.open(whole).record("m0002").partition('"actions":["')[2].partition('"')[0].partition(" ")[2]
    assert f", action 1 ({action}): {PLAIN}\n" in first
    assert f": {ESCAPED}\n    =cmd|' /C calc'!A0\\u202edlrow\n" in first
    assert first.count("\nnotes\n") == second.count("\nnotes\n") == 1
    assert said.rstrip().endswith("were not kept: all notes of a match take 1 MiB at most")
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert HOSTILE.partition("=")[2][:3] in bourre("replay", whole, 2, "--deal", 1).out


def test_whoever_holds_the_run_reads_notes_at_any_time(bourre: Bourre, half: Path) -> None:
    assert PLAIN in bourre("replay", half, 2).out


def test_a_page_to_give_away_has_notes_once_the_seed_is_public(
    bourre: Bourre, half: Path, whole: Path, tmp_path: Path
) -> None:
    for folder, shown in ((half, False), (whole, True)):
        page = tmp_path / f"{shown}.html"
        assert bourre("replay", folder, 2, "--html", page).code == 0
        text = page.read_text(encoding="utf-8")
        assert (PLAIN in text, "/C calc" in text) == (shown, shown)
        assert "<script>alert" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "site"])
def test_an_export_has_notes_once_the_seed_is_public(
    bourre: Bourre, half: Path, whole: Path, tmp_path: Path, form: str
) -> None:
    for folder, shown in ((half, False), (whole, True)):
        out = tmp_path / f"{shown}"
        assert bourre("export", folder, "--format", form, "--out", out).code == 0
        texts = list(files_of(out))
        assert (any(PLAIN in text for text in texts), any("/C calc" in text for text in texts)) == (shown, shown)
        assert not any("\x1b" in text or "\u202e" in text for text in texts)
        assert not any("<script>alert" in text for text in texts if text.startswith("<!doctype html>"))


def test_a_note_in_a_spreadsheet_is_no_formula(bourre: Bourre, whole: Path, tmp_path: Path) -> None:
    bourre("export", whole, "--format", "csv", "--table", "notes", "--out", tmp_path / "out")
    with (tmp_path / "out" / "notes.csv").open(encoding="utf-8", newline="") as file:
        notes = list(csv.DictReader(file))
    assert len(notes) == 4 * 10
    assert [note["text"] for note in notes[:4]] == [
        PLAIN,
        f"{ESCAPED}\n=cmd|' /C calc'!A0\\u202edlrow",
        f"'{FORMULA}",
        PLAIN,
    ]
    assert [(note["deal"], note["number"]) for note in notes[:4]] == [("1", "1"), ("1", "2"), ("1", "3"), ("2", "2")]


def test_an_export_with_notes_is_verified_like_the_run(bourre: Bourre, whole: Path, tmp_path: Path) -> None:
    bourre("export", whole, "--format", "jsonl", "--out", tmp_path / "out")
    for place in (whole, tmp_path / "out"):
        assert bourre("verify", place).code == 0
    usage = [json.loads(line) for line in (tmp_path / "out" / "tables" / "usage.jsonl").read_text().splitlines()]
    assert [(row["calls"], row["notes"], row["notes_dropped"]) for row in usage[:2]] == [(2, 2, 3), (0, 2, 0)]


def test_stats_tell_chips_for_what_was_used(bourre: Bourre, whole: Path) -> None:
    run = Run.open(whole)
    told = json.loads(bourre("stats", whole, "--json").out)["usage"]
    assert {row["bot"] for row in told} == set(run.usage())
    for row in told:
        used, chips = (
            run.usage()[row["bot"]],
            next(one.chips for one in standings_of(run).rows if one.bot == row["bot"]),
        )
        assert chips is not None
        assert (row["chips"], row["cost"]) == (chips, 2.5 * used.calls / 2)
        assert row["per_100_calls"] == pytest.approx(100 * chips / used.calls)
        assert row["per_1000_tokens"] == pytest.approx(1000 * chips / (1050 * used.calls / 2), abs=1e-4)
        assert row["per_unit_of_money"] == pytest.approx(chips / (2.5 * used.calls / 2), abs=1e-4)
    words = bourre("stats", whole).out
    assert "The usage that bots reported, and their chips per unit\n" in words
    assert "chips/1,000 tokens" in words


def test_stats_of_silent_bots_say_nothing_of_usage(bourre: Bourre, half: Path, tmp_path: Path) -> None:
    silent = Path(shutil.copytree(half, tmp_path / "run"))
    Tamperer(silent).execute("DELETE FROM remark")
    assert "The usage that bots reported" not in bourre("stats", silent).out
    assert "usage" not in json.loads(bourre("stats", silent, "--json").out)
