"""Models behind stand-ins on this machine: `compare` tells them apart, `practice` plays them, and keys stay put."""

from __future__ import annotations

import gc
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.practice import practice
from bourre.rules.house import HouseRules
from bourre_referee.derived.model_groups import model_groups
from bourre_referee.evaluation.compare.comparison import Comparison
from bourre_referee.evaluation.compare.comparison_contest import compare_in_process, contest_of, stopping_rule
from bourre_referee.statistics.match_counts import RunCounts, count_record
from bourre_referee.statistics.rule_following import ALL, FAULTS, RuleFollowing
from bourre_referee.storage.run.run import Run
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.stand_in_player import StandInTrouble
from bourre_seats.models.stand_in_server import StandInOptions, StandInServer
from tests.referee.command import called_in
from tests.sdk.models.asking import stand_in

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = "sk-planted-0123456789abcdef"
MOST_CALLS = 300
"""How often two models are asked, both together, until a comparison tells which is better."""


def command(name: str, server: StandInServer, *more: str) -> str:
    return " ".join(
        [f"{name}={sys.executable}", "-m bourre_seats.models --model", name, "--base-url", server.base_url, *more]
    )


def compare_models(folder: Path) -> tuple[Comparison, tuple[int, int]]:
    """Two models as good as `counter` and `tight` at a table of their own, and how often each was asked."""
    with stand_in("counter") as good, stand_in("tight") as poor:
        bots = {
            "good": model_bot(ModelSettings("m", good.base_url)),
            "poor": model_bot(ModelSettings("m", poor.base_url)),
        }
        contest = contest_of({bot: Path(bot) for bot in bots}, 2, 60, HouseRules.preset("limit"), folder)
        found = compare_in_process(contest, 2, bots, "good", "poor", stopping_rule(contest))
        return found, (good.answers, poor.answers)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # kept connections, when the loop ends
def test_two_planted_skills_are_told_apart_in_few_calls(tmp_path: Path) -> None:
    found, calls = compare_models(tmp_path)
    gc.collect()
    assert found.better == "good"
    assert min(calls) > MOST_CALLS / 10
    assert sum(calls) <= MOST_CALLS


def play_spoiled(*, legal: bool) -> tuple[RuleFollowing, int]:
    """How a model follows the rules that breaks one with every twentieth answer, and how many were planted."""
    with stand_in("counter", StandInOptions(StandInTrouble.WRONG_CARD, every=20)) as server:
        bot = model_bot(ModelSettings("m", server.base_url, legal=legal))
        played = practice({"model": bot, "loose": "loose", "lowest": "lowest"}, deals=20, matches=6, strict=False)
        planted = server.answers // 20
    counts = RunCounts()
    for number, match in enumerate(played.matches, start=1):
        counts.add(number, count_record(match.record))
    return counts.rules.summarise(["model"])[0], planted


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("legal", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_planted_share_of_illegal_cards_is_found_with_the_list_and_without(legal: bool) -> None:
    found, planted = play_spoiled(legal=legal)
    gc.collect()
    rate, faults = found.rate_of(ALL), found.rate_of(FAULTS)
    assert rate
    assert rate.ci95
    assert 10 < 0.75 * planted <= rate.times <= planted  # some of them at a second try
    assert rate.ci95[0] < 5 < rate.ci95[1]
    assert faults
    assert faults.times == 0


def test_commands_are_compared_and_no_file_has_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED", KEY)
    with stand_in("counter") as good:
        bots = (command("good", good, "--key-variable PLANTED"), f"poor={sys.executable} {EXAMPLES / 'tight.py'}")
        words = ("--seats", "2", "--deals", "1", "--seed", "2", "--decision-seconds", "60", "--jobs", "1", "--json")
        done = called_in(tmp_path, "compare", *bots, *words, "--out", "run", "--environment", "PLANTED")
        assert good.answers
    assert done.code == 12, done.err
    assert json.loads(done.out)["first"] == "good"
    kept = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert "manifest.json" in {path.name for path in kept}
    for path in kept:
        assert KEY.encode() not in path.read_bytes()
    assert KEY not in done.out + done.err


CONTEST = """
[contest]
name = "models"
seed = 1
[table]
seats = 2
deals = 3
[schedule]
rounds = 1
[clock]
decision_ms = 60_000
[isolation]
level = "none"
[[bots]]
name = "quitter"
command = ["python", "quitter.py"]
[[models]]
name = "mini"
model = "m-1"
base_url = "{base_url}"
key_variable = "PLANTED"
options = {{temperature = 0}}
most_calls = 2
"""
QUITTER = """
import os
from bourre import Bot, run

class Quitter(Bot):
    def play(self, view):
        os._exit(75)

run(Quitter)
"""


def test_a_cap_ends_a_models_play_without_a_fault_and_another_bot_cannot_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED", KEY)
    (tmp_path / "quitter.py").write_text(QUITTER)
    with stand_in("lowest") as server:
        (tmp_path / "models.toml").write_text(CONTEST.format(base_url=server.base_url))
        done = called_in(tmp_path, "run", "models.toml", "--json")
        assert server.answers == 1
    assert done.code == 0, done.err
    [log, *_] = sorted((tmp_path / "runs/models/logs/mini").iterdir())
    assert log.read_text().splitlines() == [
        "The contest allows this model no more calls: most_calls = 2",
        "[bourre] a cap allows no more calls: the stand-in plays for it until the room ends",
    ]
    standings = json.loads(done.out)
    assert "its model reached most_calls = 2" in standings["no_shows"]["mini"]
    assert "mini reached most_calls = 2, so the stand-in plays on for it, without a fault" in done.err
    assert called_in(tmp_path, "verify", "runs/models").code == 0
    assert called_in(tmp_path, "copy", "runs/models", "--to", "runs/copy").code == 0
    out = called_in(tmp_path, "export", "runs/copy", "--format", "jsonl", "--table", "calls", "--out", "out")
    assert out.code == 0, out.err
    call, trial = map(json.loads, (tmp_path / "out/tables/calls.jsonl").read_text().splitlines())
    assert (trial["call"], trial["bot"], trial["match"], trial["status"]) == (1, "mini", None, 200)
    assert call["call"] == 2
    assert call["match"]
    assert (call["bot"], call["status"], call["server_model"]) == ("mini", 200, "m-1")
    assert json.loads(call["prompt"])["temperature"] == 0
    assert json.loads(json.loads(call["reply"])["choices"][0]["message"]["content"])
    seats = [seat for match in Run.open(tmp_path / "runs/models").results() for seat in match.seats]
    assert {seat.faults for seat in seats if seat.bot == "mini"} == {0}
    assert max(seat.faults for seat in seats if seat.bot == "quitter") == 1
    assert called_in(tmp_path, "export", "runs/models", "--format", "site", "--out", "site").code == 0
    page = (tmp_path / "site/models.html").read_text("utf-8")
    assert "<bdi>m-1</bdi>, temperature <bdi>0</bdi>, stopped at most_calls = 2 (prompts: SHA-256 " in page
    run = Run.open(tmp_path / "runs/models")
    assert model_groups(repeated(run, "both")) == {"both": ("quitter", "mini")}
    assert model_groups(repeated(run, "mini")) == {"quitter": ("quitter",), "mini": ("mini",)}


def repeated(run: Run, name: str) -> Run:
    """The run as if all its bots were repeats of a model of this name."""
    (model,) = [bot.model for bot in run.manifest.terms.bots if bot.model]
    same = model.model_copy(update={"name": name})
    bots = tuple(bot.model_copy(update={"model": same}) for bot in run.manifest.terms.bots)
    terms = run.manifest.terms.model_copy(update={"bots": bots})
    return replace(run, manifest=run.manifest.model_copy(update={"terms": terms}))


@pytest.mark.long
def test_practice_plays_a_command_and_shows_why_it_failed(tmp_path: Path) -> None:
    with stand_in("lowest") as server:
        words = ("--against", "lowest", "--deals", "4", "--decision-seconds", "60")
        done = called_in(tmp_path, "practice", command("mini", server, "--no-legal"), *words)
        assert (done.code, done.err) == (0, "")
        rows = {row.split()[0]: row.split() for row in done.out.splitlines()[1:3]}
        assert {tuple(rows[bot][-2:]) for bot in ("mini", "lowest")} == {("0", "0")}
        assert re.search(
            rf"^mini used {server.answers} calls, [1-9][0-9,]+ tokens in, [1-9][0-9,]* out$", done.out, re.M
        )
    gone = called_in(tmp_path, "practice", command("mini", server), *words[:-1], "3")
    assert gone.code == 0
    assert "The referee acts for this seat (R8.5) and counts a fault." in gone.err
