"""`bourre check` with real processes: every check fails for the bot that it is made for, and no other check does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bourre.rules.house import PRESETS
from bourre_referee.diagnostics.attacks.attack_room import BOTS as HOSTILE_BOTS
from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, descendants_of
from bourre_referee.evaluation.check.check_report import Check, CheckReport, CheckVerdict, report_lines
from bourre_referee.evaluation.check.examine_bot import Subject, examine
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT, TrialTerms
from bourre_referee.model.spec import BotEntry, Isolation
from tests.end_to_end.processes import started_since
from tests.referee.command import called

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
BROKEN, RAW = HERE / "broken", HERE / "bots"
FAILED, WARNED = CheckVerdict.FAILED, CheckVerdict.WARNED
EVERY = [
    "start",
    "names",
    "end",
    "protocol",
    "decisions",
    "legality",
    "correction",
    "speed",
    "output",
    "memory",
    "again",
    "tables",
]
PRESET = {"raises_on_stay": "indiana", "discards_too_many": "bicycle", "passes": "bicycle"}
"""Broken bots that need a preset other than `limit`."""
BLOCKED = ("sqlmodel", "sqlalchemy", "sqlite3", "trueskill", "matplotlib", "fastapi")
"""Libraries missing with the extra `[cli]` alone; pydantic may be present, because newer versions of Typer need it."""
MODULES = (
    "evaluation.check.examine_bot",
    "evaluation.check.check_report",
    "contest.bot_command",
    "contest.contest",
    "contest.isolation_choice",
)
IMPORTS = f"sys.modules['pydantic'] = None; import {', '.join(f'bourre_referee.{m}' for m in MODULES)}"
COMMAND = "del sys.modules['pydantic']; from bourre_referee.cli import main; main()"
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({BLOCKED!r})); {IMPORTS}; {COMMAND}"


def examined(
    script: Path, logs: Path, *, presets: str = "limit", deals: int = 24, start_ms: int = 30_000
) -> CheckReport:
    """The report on one script, which is played as a plain process."""
    entry = BotEntry(TESTED_BOT, (sys.executable, str(script)), script.parent)
    subject = Subject(entry, script.stem, ("bourre", "check", script.name), Isolation())
    decision_ms = 200 if script.stem == "ponders" else 10_000
    terms = TrialTerms(tuple(presets.split()), (2, 3), deals, 7, decision_ms, start_ms)
    return examine(subject, terms, logs, lambda room, done, total: None)


def others(report: CheckReport) -> dict[str, CheckVerdict]:
    """The checks that did not pass."""
    return {check.name: check.verdict for check in report.checks if check.verdict != CheckVerdict.PASSED}


def named(report: CheckReport, name: str) -> Check:
    """The check with this name."""
    return next(check for check in report.checks if check.name == name)


@pytest.mark.parametrize(
    ("script", "check", "verdict", "says"),
    [
        pytest.param(RAW / "reneger.py", "legality correction", FAILED, "play returned", marks=pytest.mark.long),
        pytest.param(
            *(BROKEN / "discards_too_many.py", "legality", FAILED, "at most 4 may be discarded (R4.3)"),
            marks=pytest.mark.long,
        ),
        (BROKEN / "raises_on_stay.py", "decisions", FAILED, "stay: the bot reported an error: LookupError: no plan"),
        (BROKEN / "passes.py", "decisions correction", WARNED, "never asked: draw and play"),
        (BROKEN / "insists.py", "correction", FAILED, "asked for another card, play returned"),
        (BROKEN / "tosses_real_dice.py", "again", FAILED, "play: answered"),
        (BROKEN / "remembers_other_tables.py", "tables", FAILED, "declare: answered"),
        (BROKEN / "misnames.py", "names", FAILED, "Misnames.Play is never called: did you mean 'play'?"),
        (RAW / "unheld.py", "legality", FAILED, "which is not in its hand (R8.5)"),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else "",
)
def test_each_check_fails_for_the_bot_that_it_is_made_for(
    script: Path, check: str, verdict: CheckVerdict, says: str, tmp_path: Path
) -> None:
    report = examined(script, tmp_path, presets=PRESET.get(script.stem, "limit"))
    names = check.split()
    found = others(report)
    assert [found[name] for name in names] == [verdict] * len(names)
    assert [name for name in found if found[name] == FAILED] == (names if verdict == FAILED else [])
    findings = named(report, names[0]).findings
    assert any(says in finding.what for finding in findings)
    assert report.failed == (verdict == FAILED)


@pytest.mark.parametrize(
    ("script", "says", "printed"),
    [
        ("absent", "it ended with status 1 before it said hello, after printing: no such luck", "no such luck"),
        (
            "outdated",
            "its hello was refused: this referee speaks protocol 1, the bot 99: install a matching bourre",
            "this referee speaks protocol 1, the bot 99: install a matching bourre",
        ),
    ],
)
def test_a_bot_that_does_not_come_is_told_why(script: str, says: str, printed: str, tmp_path: Path) -> None:
    report = examined(RAW / f"{script}.py", tmp_path)
    (start,) = report.checks
    assert (start.name, start.verdict, start.summary) == ("start", FAILED, says)
    assert start.findings[0].printed == printed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("def play(self, view)", "broken.py, line 1: SyntaxError: expected ':'. hint: correct this line"),
        (
            "import nonumpy",
            "broken.py, line 1: ModuleNotFoundError: No module named 'nonumpy'. hint: install the package",
        ),
    ],
)
def test_a_bot_that_python_cannot_load_gets_the_hint_that_suits(line: str, says: str, tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text(f"{line}\nfrom bourre import Bot, run\nrun(Bot)\n")
    (start,) = examined(script, tmp_path / "logs").checks
    assert start.findings[0].what.startswith(says)
    assert line in start.findings[0].printed


@pytest.mark.usefixtures("tireless_host")
def test_a_bot_that_never_says_hello_is_waited_for_as_long_as_it_may_take(tmp_path: Path) -> None:
    report = examined(HOSTILE_BOTS / "silent_at_hello" / "bot.py", tmp_path, start_ms=500)
    assert report.checks[0].findings[0].what.startswith("it was not ready within 0.5 s, still busy in bot.py, line 5")


def test_a_bot_that_leaves_is_followed_no_further(tmp_path: Path) -> None:
    report = examined(RAW / "leaver.py", tmp_path)
    skipped = dict.fromkeys(("correction", "again", "tables"), CheckVerdict.SKIPPED)
    assert others(report) == {"end": FAILED, "decisions": WARNED, **skipped}
    (left,) = named(report, "end").findings
    assert left.what == "left before the last match was over, and did not come back"
    assert left.where.startswith("after 3 questions")


@pytest.mark.usefixtures("tireless_host")
def test_a_bot_that_never_answers_is_asked_no_more_after_a_while(tmp_path: Path) -> None:
    report = examined(BROKEN / "ponders.py", tmp_path)
    assert others(report)["speed"] == FAILED
    speed = named(report, "speed")
    assert speed.times == 5
    late = {finding.what: finding.cost for finding in speed.findings}  # on a busy machine maybe a declaration too
    assert "the lowest legal card is played" in late["play: no answer in time"]


def test_every_breach_of_the_protocol_is_named(tmp_path: Path) -> None:
    report = examined(BROKEN / "breaks_protocol.py", tmp_path, deals=48)
    assert others(report)["protocol"] == FAILED
    assert [finding.what for finding in named(report, "protocol").findings] == [
        "declare: the answer is invalid: '10S' is not a card: use rank then suit, as in AS, TH, 2C",
        "declare: answered 'trump S', but this question needs `plays`, with `discards` where it plays",
        "a second answer to the same question (in, table 1, id 1)",
        "an answer to a question that does not exist (AS, table 1, id 1002)",
        "an answer for a table where it does not sit (AS, table 1001, id 3)",
    ]


def test_a_flood_ends_the_check_of_what_comes_after_it(tmp_path: Path) -> None:
    report = examined(RAW / "flooder.py", tmp_path)
    assert named(report, "protocol").summary == "cut off: it sent more than two answers per question plus 32"
    assert [name for name, found in others(report).items() if found == FAILED] == ["protocol"]


def test_what_is_no_mistake_but_a_bad_habit_is_warned_of(tmp_path: Path) -> None:
    report = examined(BROKEN / "untidy.py", tmp_path)
    assert others(report) == dict.fromkeys(("end", "output", "memory"), WARNED)
    assert named(report, "end").summary == "it ended with status 3 after the goodbye"
    assert named(report, "output").summary.startswith("printed too much: the referee kept the first 262144 of ")
    assert "MiB after the first match" in named(report, "memory").summary
    assert "\x1b" not in "\n".join(report_lines(report))
    assert not report.failed


@pytest.mark.parametrize(
    "bot",
    [
        pytest.param(bot, marks=[pytest.mark.long] * (bot != "random_bot"))  # all are legal in practice
        for bot in sorted(path.stem for path in EXAMPLES.glob("*.py"))
    ],
)
def test_the_examples_pass(bot: str, tmp_path: Path) -> None:
    entry = BotEntry(TESTED_BOT, (sys.executable, f"{bot}.py"), EXAMPLES)
    sizes = tuple(range(2, 9)) if bot == "random_bot" else (5,)
    terms = TrialTerms(tuple(PRESETS), sizes, 1, 7, 30_000, 30_000)
    report = examine(Subject(entry, bot, ("bourre", "check", bot), Isolation()), terms, tmp_path, lambda *step: None)
    assert others(report) == {}
    assert [check.name for check in report.checks] == EVERY


def test_a_finding_says_all_that_it_takes_and_the_command_shows_it_again(tmp_path: Path) -> None:
    report = examined(RAW / "reneger.py", tmp_path, presets="limit bicycle", deals=24)
    (first, *_) = named(report, "legality").findings
    card = first.what.split()[2].strip(",")
    assert card in first.hand.split(", ")[0].split()
    assert card not in first.legal.split()
    assert first.rule.startswith(("R5.", "R6."))
    assert "and this pot, if the card stands (R8.1)" in first.cost
    words = first.again.split()
    options = dict(zip(words[3::2], words[4::2], strict=True))
    terms = TrialTerms((options["--rules"],), (int(options["--seats"]),), int(options["--deals"]), 7, 10_000)
    entry = BotEntry(TESTED_BOT, (sys.executable, str(RAW / "reneger.py")), RAW)
    subject = Subject(entry, "again", tuple(words[:3]), Isolation())
    again = examine(subject, terms, tmp_path, lambda room, done, total: None)
    shown = named(again, "legality").findings[0]
    assert (shown.what, shown.hand, shown.again) == (first.what, first.hand, first.again)
    text = "\n".join(report_lines(report))
    assert f"again  {first.again}" in text
    assert "failed: legality, correction" in text


def test_who_ends_the_check_ends_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(descendants_of(os.getpid()))
    started: list[WatchedProcess] = []

    def end(room: str, done: int, total: int) -> None:
        if done == 1:
            started.append(WatchedProcess(started_since(before)))
            os.kill(os.getpid(), signal.SIGTERM)

    entry = BotEntry(TESTED_BOT, (sys.executable, "lowest.py"), EXAMPLES)
    subject = Subject(entry, "lowest", ("bourre", "check", "lowest"), Isolation())
    with tempfile.TemporaryDirectory() as place:  # not in tmp_path: a socket's path may have at most 107 characters
        monkeypatch.setattr(tempfile, "tempdir", place)
        with pytest.raises(KeyboardInterrupt):
            examine(subject, TrialTerms(("limit",), (3,), 500, 7, 30_000, 30_000), tmp_path / "logs", end)
        (bot,) = started
        assert bot.number > 0
        assert bot.left_after(20) == []
        assert list(Path(place).iterdir()) == []


def test_the_command_needs_no_extra_but_cli(tmp_path: Path) -> None:
    words = ["check", "lowest", "--deals", "1", "--rules", "nba", "--seats", "3", "--json", "--junit", "report.xml"]
    command = [sys.executable, "-c", WITHOUT, *words, "--decision-ms", "30000"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["failed"], told["seed"], told["presets"]) == (False, 7, ["nba"])
    assert [check["name"] for check in told["checks"]] == EVERY
    suite = ElementTree.parse(tmp_path / "report.xml").find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == (str(len(EVERY)), "0")


def test_a_bot_that_no_box_can_hold_is_checked_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere.sh").write_text("exit 9\n")
    (tmp_path / "contest").mkdir()
    (tmp_path / "contest" / "bot.sh").symlink_to("../elsewhere.sh")
    monkeypatch.chdir(tmp_path / "contest")
    done = called("check", "--command", "sh bot.sh", "--deals", 1)
    assert done.code == 3
    assert "warning: checked without the isolation of a contest: " in done.err
    assert "bot.sh leads through a link to something else" in done.err


def test_another_language_is_started_by_its_command_and_a_failure_ends_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.sh").write_text(". ./words\nexit 9\n")
    (tmp_path / "words").write_text("echo 'cannot find module grpc' >&2\n")
    monkeypatch.chdir(tmp_path)
    done = called("check", "--command", "sh bot.sh", "--files", ".", "--deals", 1, "--junit", "report.xml")
    assert done.code == 3
    assert "without isolation: /" not in done.err
    assert "ended with status 9 before it said hello" in done.out
    assert "| cannot find module grpc" in done.out
    assert done.out.endswith("failed: start\n")
    failure = ElementTree.parse(tmp_path / "report.xml").findtext("testsuite/testcase/failure") or ""
    assert "cannot find module grpc" in failure
