"""`bourre compare` in one process: what it prints, its exit codes, and what it refuses."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from bourre.bot_code.example_folders import example_folders
from bourre.rules.house import HouseRules
from bourre_referee.cli.comparison_text import print_comparison
from bourre_referee.contest.contest import Contest
from bourre_referee.evaluation.compare import comparison_contest
from bourre_referee.evaluation.compare.comparison import compare_results
from bourre_referee.evaluation.compare.comparison_contest import contest_of
from bourre_referee.model.errors import Interrupted
from bourre_referee.statistics.stopping_boundary import Verdict
from tests.referee.command import Bourre, called
from tests.referee.evaluation.test_comparison import match

BOLD = """\
from bourre import Bot
class Bold(Bot):
    def declare(self, view):
        return True
"""
TIMID = "from bourre import Bot\nclass Timid(Bot):\n    def declare(self, view):\n        return False\n"
TWO = "from bourre import Bot\nclass One(Bot):\n    pass\nclass Other(Bot):\n    pass\n"
CHEAT = "from bourre import Bot\nclass Cheat(Bot):\n    def play(self, view):\n        return view.hand[-1]\n"


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    """Runs the command in a folder with a few bots."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"bold": BOLD, "timid": TIMID, "two": TWO, "cheat": CHEAT}.items():
        Path(f"{name}.py").write_text(text)
    Path("bot.js").write_text("// a bot in another language\n")
    Path("folder").mkdir()
    return called


HERE = ("--in-process", "--seed", 3, "--field", "tight")


def test_the_better_one_is_found_whichever_is_first(bourre: Bourre) -> None:
    """At a table of three, a bot that plays every hand beats one that waits for good ones."""
    one = bourre("compare", "bold.py", "tight", *HERE, "--deals", 300, "--json")
    other = bourre("compare", "tight", "bold.py", *HERE, "--deals", 90, "--json")
    assert (one.code, other.code) == (10, 11)
    found, turned = json.loads(one.out), json.loads(other.out)
    assert (found["better"], turned["better"]) == ("bold", "bold")
    assert turned["adjusted"]["always95"][1] < 0 < found["adjusted"]["always95"][0]
    assert found["deals"] < 300
    assert found["playings"] == 3 * found["deals"]
    assert (found["seats"], found["field"], found["seed"]) == (3, ["tight-2"], 3)
    assert (found["sure"], found["losses_in"], found["lopsided"]) == (False, found["deals"] // 5, False)
    assert found["raw"]["always95"] is None


def test_a_sure_verdict_holds_for_all_losses(bourre: Bourre) -> None:
    done = bourre("compare", "bold.py", "timid.py", *HERE, "--deals", 300, "--sure", "--json")
    assert done.code == 10
    found = json.loads(done.out)
    assert (found["verdict"], found["sure"], found["losses_in"], found["lopsided"]) == ("first", True, None, False)
    assert 0 < found["raw"]["always95"][0] < found["raw"]["chips_per_100"]
    assert found["adjusted"]["always95"] is None


def test_for_which_losses_a_verdict_holds_is_said_and_lopsided_differences_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = {name: tmp_path / f"{name}.py" for name in ("ada", "bob", "cy")}
    contest = contest_of(bots, 7, 1000, HouseRules(), tmp_path)
    found = compare_results([match(1, lead=9.0, deals=200)], "ada", "bob")
    print_comparison(found, contest, 1.0)
    said = [
        "ada is better (of equal bots this is said at most 5 times in 100)",
        "It holds for large losses that come at least once in 40 deals, with --sure for all.",
    ]
    assert capsys.readouterr().out.splitlines()[-2:] == said
    print_comparison(replace(found, skewness=-2.9), contest, 1.0)
    warned = ["A few large differences outweigh the others (skewness -2.9).", "hint: add --sure"]
    assert capsys.readouterr().out.splitlines()[-4:] == said + warned
    print_comparison(replace(found, rule=replace(found.rule, bound=1), skewness=-2.9), contest, 1.0)
    assert capsys.readouterr().out.splitlines()[-1] == said[0]
    print_comparison(replace(found, verdict=Verdict.EQUAL, rule=replace(found.rule, margin=60.0)), contest, 1.0)
    equal = "ada and bob are closer than 60 chips per 100 deals (of bots that far apart this is said at most 5 times"
    assert capsys.readouterr().out.splitlines()[-2:] == [f"{equal} in 100)", said[1]]


def test_a_bot_is_not_better_than_its_copy(bourre: Bourre) -> None:
    Path("copy.py").write_text(BOLD)
    done = bourre("compare", "bold.py", "copy.py", *HERE, "--deals", 60)
    assert done.code == 12
    lines = done.out.splitlines()
    assert lines[0] == "bold and copy with tight, practice seed 3"
    assert lines[1].startswith("63 deals, each in 3 seatings: 189 playings in ")
    assert lines[3] == "bold - copy, in chips per 100 deals"
    assert lines[-1].startswith("undecided: ")


def test_two_that_are_closer_than_the_margin_end_it_with_a_code_of_its_own(bourre: Bourre) -> None:
    Path("copy.py").write_text(BOLD)
    words = ("compare", "bold.py", "copy.py", *HERE, "--deals", 1000, "--margin", 150)
    done = bourre(*words, "--json")
    assert done.code == 13
    found = json.loads(done.out)
    assert (found["verdict"], found["margin"], found["better"], found["more_deals"]) == ("equal", 150.0, None, 0)
    assert found["deals"] < 1000
    low, high = found["adjusted"]["always95"]
    assert -150 < low < 0 < high < 150


def test_without_a_margin_the_document_says_that_none_was_asked(bourre: Bourre) -> None:
    done = bourre("compare", "bold.py", "timid.py", *HERE, "--deals", 6, "--json")
    assert json.loads(done.out)["margin"] is None


def test_bots_that_never_differ_are_undecided_and_that_is_said(bourre: Bourre) -> None:
    """Two copies of one bot always do alike; a margin does not change that result."""
    Path("copy.py").write_text(TIMID)
    words = ("compare", "timid.py", "copy.py", "--in-process", "--seed", 3, "--seats", 2, "--deals", 60)
    done = bourre(*words, "--margin", 5)
    assert done.code == 12
    told = "undecided: no deal came out differently for the two, so nothing shows how far apart they may be"
    assert done.out.splitlines()[-1] == told


def test_the_same_seed_gives_the_same_document_and_none_a_seed_that_is_told(bourre: Bourre) -> None:
    words = ("compare", "bold.py", "timid.py", "--in-process", "--field", "lowest", "--deals", 6, "--json")
    drawn = json.loads(bourre(*words).out)
    assert drawn["seed_text"] == str(drawn["seed"])
    again = bourre(*words, "--seed", drawn["seed"])
    assert json.loads(again.out) == drawn
    others = (json.loads(bourre(*words, "--seed", drawn["seed"] + step).out) for step in range(1, 6))
    assert any(other["raw"] != drawn["raw"] for other in others)  # six deals may well end alike once


def test_the_field_is_made_of_other_examples(bourre: Bourre) -> None:
    words = ("compare", "tight", "counter", "--in-process", "--seed", 1, "--deals", 2, "--json")
    assert json.loads(bourre(*words).out)["field"] == ["loose", "follower", "pot_aware"]
    assert json.loads(bourre(*words, "--seats", 2).out)["field"] == []
    assert len(json.loads(bourre(*words, "--seats", 8).out)["field"]) == 6


def test_a_class_can_be_picked_in_one_process(bourre: Bourre) -> None:
    done = bourre("compare", "two.py:One", "two.py:Other", *HERE, "--deals", 3, "--json")
    assert (json.loads(done.out)["first"], json.loads(done.out)["second"]) == ("One", "Other")


def test_an_illegal_card_stops_it_and_is_explained(bourre: Bourre) -> None:
    done = bourre("compare", "cheat.py", "timid.py", "--in-process", "--seed", 3, "--field", "loose", "--deals", 100)
    assert (done.code, done.out) == (1, "")
    assert "cheat" in done.err
    assert "which breaks R" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nobody.py", "tight"], "No file 'nobody.py'.\nhint: pass the path of a bot's file"),
        (["folder", "tight"], "folder is a folder.\nhint: pass the bot's file, such as folder/bot.py"),
        (["nobody", "tight"], "Unknown bot 'nobody'. "),
        (["bold.py", "tight", "--field", "tihgt"], "Unknown bot 'tihgt'. Did you mean 'tight'? Example bots: "),
        (
            ["bold.py", "tight", "--field", "loose", "--seats", "5"],
            "--seats 5 needs 3 bots in --field, which has 1.\nhint: remove --seats",
        ),
        (["bold.py", "tight", "--in-process", "--out", "run"], "hint: remove --out, --jobs"),
        (
            ["two.py:One", "tight"],
            "'two.py:One' names a class, but a process runs a whole file.\nhint: use one file per bot, or add",
        ),
        (
            ["bot.js", "tight"],
            "'bot.js' is not a Python file.\nhint: pass the command that starts it: 'node bot.js'",
        ),
        (["bold.py", "tight", "--field", "./bot.js"], "bot.js' is not a Python file"),
        (["bold.py", "tight", "--rules", "limti"], "Unknown preset 'limti'. Did you mean 'limit'?"),
        (
            ["bold.py", "tight", "--rules", "wikipedia", "--seats", "8"],
            "Preset 'wikipedia' is for 2 to 7 seats, not 8",
        ),
        (["bold.py", "tight", "--deals", "0"], "--deals"),
        (["bold.py", "tight", "--margin", "0"], "--margin 0: must be more than 0, in chips per 100 deals"),
        (["bold.py", "tight", "--margin", "-2.5"], "--margin -2.5: must be more than 0"),
        (["bold.py", "tight", "--margin", "nan"], "--margin nan: must be more than 0"),
        (["bold.py", "tight", "--margin", "inf"], "--margin inf: must be more than 0"),
        (["bold.py", "tight", "--margin", "near"], "--margin"),
    ],
)
def test_bad_input_ends_with_2(bourre: Bourre, words: list[str], says: str) -> None:
    done = bourre("compare", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def interrupt(*_: object, **__: object) -> NoReturn:
    """Replaces a comparison: the user presses Ctrl-C before there is a run folder, or where there is none."""
    raise KeyboardInterrupt


def interrupt_run(contest: Contest, folder: Path, *_: object, **__: object) -> NoReturn:
    """Replaces a comparison in a run folder: the user presses Ctrl-C."""
    raise Interrupted(3, 20, folder)


AGAIN = "bourre:   bourre compare bold.py tight --deals 9 --field {field} --rules limit --seed 5 --out"
STORED = "bourre: interrupted: 3 of 20 matches are stored in runs/bold. Run again to go on."
GOES_ON = "bourre: Interrupted. Nothing is kept. This command plays the same comparison and keeps it:"


@pytest.mark.parametrize(
    ("words", "compare", "told"),
    [
        (["--in-process"], interrupt, ["bourre: Interrupted. Nothing is kept."]),
        ([], interrupt, [GOES_ON, f"{AGAIN} DIR"]),
        ([], interrupt_run, [GOES_ON, f"{AGAIN} DIR"]),
        (["--out", "runs/bold"], interrupt_run, [STORED, f"{AGAIN} runs/bold"]),
        (
            ["--out", "runs/bold"],
            interrupt,
            ["bourre: Interrupted. Finished matches are stored. To continue:", f"{AGAIN} runs/bold"],
        ),
        (
            ["--out", "runs/bold", "--sure"],
            interrupt_run,
            [STORED, f"{AGAIN} runs/bold".replace("--deals", "--sure --deals")],
        ),
        (
            ["--out", "runs/bold", "--margin", "12.5"],
            interrupt_run,
            [STORED, f"{AGAIN} runs/bold".replace("--out", "--margin 12.5 --out")],
        ),
    ],
)
def test_who_interrupts_it_is_told_the_command_that_goes_on_if_there_is_one(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch, words: list[str], compare: Callable[..., NoReturn], told: list[str]
) -> None:
    monkeypatch.setattr(comparison_contest, "compare_in_process", compare)
    monkeypatch.setattr(comparison_contest, "compare", compare)
    monkeypatch.setattr(secrets, "randbelow", lambda _: 5)
    done = bourre("compare", "bold.py", "tight", "--field", "lowest", "--deals", 9, *words)
    assert (done.code, done.out) == (130, "")
    (lowest,) = (folder / "lowest.py" for folder in example_folders() if (folder / "lowest.py").is_file())
    assert done.err.splitlines() == [line.format(field=lowest) for line in told]
