"""`bourre check` without a process: what it refuses, and what its report says in each form."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bourre.rules.house import PRESETS
from bourre_referee.cli.progress_meter import Advance
from bourre_referee.contest import isolation_choice as isolation
from bourre_referee.evaluation.check import examine_bot as examine
from bourre_referee.evaluation.check.check_report import (
    Check,
    CheckReport,
    CheckVerdict,
    Finding,
    document,
    junit,
    make_check,
    report_lines,
)
from bourre_referee.evaluation.check.examine_bot import Subject
from bourre_referee.evaluation.check.trial_matches import (
    REPEATED_MATCHES,
    TESTED_BOT,
    TrialTerms,
    extra_matches,
    trial_matches,
)
from bourre_referee.model.spec import Isolation
from tests.referee.command import Bourre, called

ALL = TrialTerms(("limit", "nba", "wikipedia"), tuple(range(2, 9)), 500, 7, 1000)


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    """Runs the command in a folder with a program in another language."""
    monkeypatch.chdir(tmp_path)
    Path("bot.js").touch()
    return called


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Which bot?\nhint: pass a file, such as mybot.py, or a command"),
        (["tight", "--command", "node bot.js"], "Which bot?"),
        (["nobody.py"], "No file 'nobody.py'."),
        (["nobody"], "Unknown bot 'nobody'. Example bots: "),
        (["bot.js"], "'bot.js' is not a Python file.\nhint: pass the command that starts it: --command"),
        (
            ["some.py:Class"],
            "'some.py:Class' names a class, but a process runs a whole file.\nhint: use a file with one bot",
        ),
        (["--command", ""], "--command is empty.\nhint: pass the command that starts the bot"),
        (["--command", "sh 'bot"], "no closing quotation.\nhint: use quotes as in a shell"),
        (["--command", "nodle bot.js"], "no program 'nodle' on this machine"),
        (["--command", "sh bto.js"], "no file 'bto.js' here."),
        (["tight", "--files", "sdk"], "no file 'sdk' here\n"),
        (["tight", "--rules", "limti"], "Unknown preset 'limti'. Did you mean 'limit'?"),
        (["tight", "--rules", "wikipedia", "--seats", "8"], "Preset 'wikipedia' is for 2 to 7 seats, not 8"),
        (
            ["tight", "--junit", "none/report.xml"],
            "--junit: no folder 'none' here.\nhint: use a file in a folder that exists",
        ),
        (["tight", "--junit", "."], "--junit: '.' is a folder"),
        (["tight", "--deals", "0"], "--deals"),
    ],
)
def test_bad_input_ends_with_2(bourre: Bourre, words: list[str], says: str) -> None:
    done = bourre("check", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


class Examined:
    """Replaces the examination: stores its arguments, and returns this report or raises this error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, report: CheckReport | BaseException) -> None:
        self.report = report
        self.tried: list[tuple[Subject, TrialTerms]] = []
        monkeypatch.setattr(examine, "examine", self.examine)
        monkeypatch.setattr(isolation, "choose_isolation", lambda *_: Isolation())

    def examine(self, subject: Subject, terms: TrialTerms, logs: Path, advance: Advance) -> CheckReport:
        self.tried.append((subject, terms))
        for done in (0, 2, 3):
            advance("at one table", done, 8)
        if isinstance(self.report, BaseException):
            raise self.report
        return self.report


def test_the_files_and_presets_that_are_named_are_those_that_are_tried(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("words.txt", ".hidden", "more.txt"):
        Path(name).touch()
    examined = Examined(monkeypatch, report(SPEED))
    presets = ("--rules", "nba", "--rules", "limit", "--rules", "nba")
    assert bourre("check", "--command", "sh bot.js", "--files", "words.txt", *presets).code == 0
    assert bourre("check", "--command", "sh bot.js", "--files", ".", "--seats", "3").code == 0
    (one, terms), (all_of_it, of_three) = examined.tried
    assert (one.entry.files, one.words[-2:]) == (("bot.js", "words.txt"), ("--files", "words.txt"))
    assert all_of_it.entry.files == ("bot.js", "more.txt", "words.txt")
    assert (terms.presets, terms.seats) == (("nba", "limit"), tuple(range(2, 9)))
    assert (set(of_three.presets), of_three.seats) == (set(PRESETS), (3,))


def test_a_failed_check_ends_with_3_and_an_interrupted_one_with_130(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    Examined(monkeypatch, report(LEGALITY))
    failed = bourre("check", "tight", "--junit", "report.xml")
    assert (failed.code, failed.out.splitlines()[-1]) == (3, "failed: legality")
    assert failed.err.count("bourre: at one table: 8 matches\n") == 1
    assert 'failures="1"' in Path("report.xml").read_text("utf-8")
    Examined(monkeypatch, KeyboardInterrupt())
    stopped = bourre("check", "tight")
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err.endswith("bourre: Interrupted. Nothing is kept.\n")


def test_in_a_terminal_a_bar_shows_how_far_it_is(bourre: Bourre, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    Examined(monkeypatch, report(SPEED))
    done = bourre("check", "tight")
    assert done.code == 0
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", done.err)
    assert re.search("at one table .*3/8", shown)
    assert "8 matches" not in shown
    assert "3/8" not in done.out


def test_every_preset_is_played_with_every_number_of_seats_that_it_has_room_for() -> None:
    played = trial_matches(ALL)
    kinds = [(trial.preset, trial.seats) for trial in played]
    assert set(kinds) == {(preset, seats) for preset in ALL.presets for seats in ALL.seats} - {("wikipedia", 8)}
    assert len(played) == len({trial.match for trial in played}) >= REPEATED_MATCHES
    assert max(map(kinds.count, kinds)) == min(map(kinds.count, kinds))
    assert 500 - len(played) < sum(trial.deals for trial in played) <= 500


def test_the_first_matches_mix_presets_and_seats() -> None:
    first = trial_matches(ALL)[:REPEATED_MATCHES]
    assert {trial.preset for trial in first} == set(ALL.presets)
    assert {trial.seats for trial in first} == set(ALL.seats)


def test_a_match_is_the_same_whatever_is_played_beside_it() -> None:
    narrow = TrialTerms(("nba",), (5,), 10_000, 7, 1000)
    (wide,) = [trial for trial in trial_matches(ALL) if trial.match == "nba-5"]
    (alone, *_) = trial_matches(narrow)
    assert replace(alone.spec(7), deals=wide.deals) == wide.spec(7)
    assert alone.spec(7).seed != alone.spec(8).seed
    assert TESTED_BOT in alone.spec(7).line_up


def test_reneges_are_met_in_words_and_in_silence() -> None:
    assert [trial.spec(7).house.renege_policy for trial in extra_matches(ALL)] == ["prompt", "silent"]


def report(*checks: Check) -> CheckReport:
    """A report about a bot whose name is hostile."""
    return CheckReport("\x1b[2J<b>", ("python", "bot.py"), 7, 498, ("limit",), "none", checks, "hello")


HELD = Finding(
    "play returned AS, which breaks R5.2", "R5.2, follow suit", "preset limit", "AS KH", "KH", again="bourre ..."
)
LEGALITY = make_check("legality", "plays by the rules", "", [HELD, HELD, replace(HELD, rule="R5.3, beat it")])
SPEED = make_check("speed", "decides in time", "median 1 ms", [])


def test_findings_of_a_kind_are_told_once_and_counted() -> None:
    assert (LEGALITY.verdict, LEGALITY.times) == (CheckVerdict.FAILED, 3)
    assert [finding.rule for finding in LEGALITY.findings] == ["R5.2, follow suit", "R5.3, beat it"]
    lines = list(report_lines(report(SPEED, LEGALITY)))
    assert lines[0] == "\\x1b[2J<b>: 498 deals under limit, seed 7, isolation none"
    assert "passed  speed       median 1 ms" in lines
    assert "failed  legality    plays by the rules" in lines
    assert "          hand   AS KH" in lines
    assert "        and 1 more" in lines
    assert lines[-1] == "failed: legality"


def test_the_json_document_holds_all_of_it() -> None:
    told = json.loads(document(report(SPEED, LEGALITY)))
    assert told["failed"] is True
    assert [check["verdict"] for check in told["checks"]] == ["passed", "failed"]
    assert told["checks"][1]["findings"][0]["legal"] == "KH"
    assert json.loads(document(report(SPEED)))["failed"] is False


def test_the_json_document_holds_every_digit_of_the_seed() -> None:
    told = json.loads(document(replace(report(SPEED), seed=2**53 + 1)), parse_int=float)
    assert (told["seed"], told["seed_text"]) == (2.0**53, "9007199254740993")


def test_junit_holds_a_case_for_each_check_that_was_made() -> None:
    skipped = Check("again", "the same", CheckVerdict.SKIPPED, "not tried")
    suite = ElementTree.fromstring(junit(report(SPEED, LEGALITY, skipped))).find("testsuite")
    assert suite is not None
    assert [case.get("name") for case in suite] == ["speed: decides in time", "legality: plays by the rules"]
    assert "hand   AS KH" in (suite.findtext("testcase/failure") or "")
    assert suite.findtext("testcase/system-out") == "passed: median 1 ms"


def test_a_warning_does_not_fail() -> None:
    warned = make_check("output", "prints little", "", [Finding("too much")], CheckVerdict.WARNED)
    assert not report(SPEED, warned).failed
    assert list(report_lines(report(warned)))[-1] == "passed: ready for a contest, worth a look: output"
