"""Models behind stand-ins on this machine: `compare` tells them apart, `practice` plays them, and keys stay put."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import dev
from bourre.bot_file import load
from bourre.models import ModelSettings, model_bot
from bourre.models.stand_in_server import StandInServer
from bourre.rules.house import HouseRules
from bourre_referee.evaluation.compare.comparison_contest import compare_in_process, contest_of
from tests.referee.command import called_in
from tests.sdk.models.asking import stand_in

KEY = "sk-planted-0123456789abcdef"
MOST_CALLS = 400
"""How often each of two models may be asked until a comparison tells which is better."""


def command(name: str, server: StandInServer, *more: str) -> str:
    return " ".join(
        [f"{name}={sys.executable}", "-m bourre.models --model", name, "--base-url", server.base_url, *more]
    )


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # kept connections, when the loop ends
def test_two_planted_skills_are_told_apart_in_few_calls(tmp_path: Path) -> None:
    with stand_in("counter") as good, stand_in("tight") as poor:
        models = {
            "good": model_bot(ModelSettings("m", good.base_url)),
            "poor": model_bot(ModelSettings("m", poor.base_url)),
        }
        bots = {**models, "random": load(str(dev.ROOT / "examples/random_bot.py"))}
        contest = contest_of({bot: Path(bot) for bot in bots}, 2, 60, HouseRules.preset("limit"), tmp_path)
        found = compare_in_process(contest, 2, bots, "good", "poor")
        calls = good.answers, poor.answers
    assert found.better == "good"
    assert MOST_CALLS / 10 < min(calls) <= max(calls) <= MOST_CALLS


def test_commands_are_compared_and_no_file_has_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", KEY)
    with stand_in("counter") as good, stand_in("tight") as poor:
        models = (command("good", good, "--key-variable PLANTED"), command("poor", poor))
        words = ("--seats", "2", "--deals", "2", "--seed", "2", "--decision-seconds", "60", "--json")
        done = called_in(tmp_path, "compare", *models, *words, "--out", "run", "--environment", "PLANTED")
        assert good.answers
        assert poor.answers
    assert done.code == 12, done.err
    assert json.loads(done.out)["first"] == "good"
    kept = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert "manifest.json" in {path.name for path in kept}
    for path in kept:
        assert KEY.encode() not in path.read_bytes()
    assert KEY not in done.out + done.err


def test_practice_plays_a_command_and_shows_why_it_failed(tmp_path: Path) -> None:
    with stand_in("lowest") as server:
        words = ("--against", "lowest", "--deals", "4", "--decision-seconds", "60")
        done = called_in(tmp_path, "practice", command("mini", server, "--no-legal"), *words)
        assert (done.code, done.err) == (0, "")
        rows = {row.split()[0]: row.split() for row in done.out.splitlines()[1:]}
        assert set(rows) == {"mini", "lowest"}
        assert {tuple(row[-2:]) for row in rows.values()} == {("0", "0")}
    gone = called_in(tmp_path, "practice", command("mini", server), *words[:-1], "3")
    assert gone.code == 0
    assert "The referee acts for this seat (R8.5) and counts a fault." in gone.err
