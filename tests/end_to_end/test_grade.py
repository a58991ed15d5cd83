"""`bourre grade` with real processes: all students get a mark, the same on every rerun, and see nothing secret."""

from __future__ import annotations

import csv
import fcntl
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import split

import pytest

from bourre.record import read
from bourre.rules.cards import show
from bourre.rules.deck import master_seed
from bourre_referee.cli.exit_codes import INTERRUPTED
from bourre_referee.storage.run.run import Run
from tests.end_to_end.classroom import PLAN, PLAN_OF_TWO, practising, write_class
from tests.referee.command import called_in

pytestmark = pytest.mark.timeout(300)

AGAIN = "To play the practice deals again at home, as here, 2 matches at once:"


@pytest.fixture(scope="module", autouse=True)
def short_practice() -> Iterator[None]:
    """A few practice deals show as much as 100."""
    with practising(50):
        yield


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    (folder / "grade.toml").write_text(PLAN)
    write_class(folder / "class")
    return folder


@pytest.fixture(scope="module")
def grades(course: Path) -> Path:
    first = called_in(course, "grade", "class", "--jobs", "1")
    assert first.code == 0, first.err
    return course / "grades" / "week-3"


def sheet(grades: Path) -> dict[str, dict[str, str]]:
    with (grades / "staff" / "marks.csv").open(newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def seen_by_students(grades: Path) -> dict[str, str]:
    """Everything that each student is given, by the student's folder."""
    return {
        folder.name: "".join(file.read_text() for file in sorted(folder.iterdir()))
        for folder in (grades / "students").iterdir()
    }


def hidden_runs(grades: Path) -> Iterator[Run]:
    for folder in sorted((grades / "staff" / "runs").glob("*/*/hidden")):
        yield Run.open(folder)


def test_a_broken_submission_gets_its_mark_and_stops_nobody(grades: Path) -> None:
    marks = sheet(grades)
    assert len(marks) == 8
    assert float(marks["Ada Lovelace"]["points"]) > 40
    assert float(marks["Bob Aloud"]["legal cards"]) == 0
    reasons = {student: row["remark"] for student, row in marks.items() if row["points"] == "0.0" and row["remark"]}
    assert {student: reason.partition(":")[0] for student, reason in reasons.items()} == {
        "Cy Syntax": "the bot never started",
        "Dee Import": "the bot never started",
        "Eve Loop": "the bot never started",
        "Flo Hangs": "the bot failed too often",
        "Gus Nothing": "it has no bot.py (it is empty). hint",
        "Hal Command": "its command cannot be started",
    }
    assert re.search(r"bot\.py, line \d+, .*: \w+ took longer than ", reasons["Flo Hangs"])


def test_staff_are_told_who_handed_in_an_example(grades: Path) -> None:
    report = (grades / "staff" / "copies.txt").read_text()
    assert "Ada Lovelace: unchanged from what everybody has (loose), or like it in the first " in report
    (bob,) = [line for line in report.splitlines() if line.startswith("Bob Aloud: ")]
    assert "(the starter of 1-legal-play), or like it" in bob, "it plays its hand's last card, legal or not"
    assert bob.endswith("So few decisions mean little. Use more deals")


def test_a_student_is_told_where_the_program_broke(grades: Path) -> None:
    seen = seen_by_students(grades)
    assert "SyntaxError" in next(text for name, text in seen.items() if name.startswith("Cy_"))
    assert "No module named 'there_is_no_such_module'" in next(t for n, t in seen.items() if n.startswith("Dee_"))
    looping = next(text for name, text in seen.items() if name.startswith("Eve_"))
    assert looping.startswith("the bot never started: it was not ready within 10 s, still busy in bot.py")
    assert "  bourre check bot.py --files . " in looping
    assert "no answer within 2 s" in next(text for name, text in seen.items() if name.startswith("Flo_"))


def test_a_student_is_told_the_first_renege_with_hand_rule_and_legal_cards(grades: Path) -> None:
    told = next(text for name, text in seen_by_students(grades).items() if name.startswith("Bob_"))
    assert "Your first illegal card in 50 practice deals (seed 7):" in told
    assert "you renege with " in told
    assert "; legal: " in told
    assert told.startswith("bot.py, line 5: random.Random has no seed, so the bot plays differently each time")
    assert "bourre practice bot.py --against random --deals 2000 --seed 7 --rules limit" in told


def test_students_see_no_seed_no_hidden_deal_and_nobody_else(grades: Path) -> None:
    seen = seen_by_students(grades)
    everything = "".join(seen.values()) + (grades / "leaderboard.csv").read_text()
    secrets = {"5823946712389", master_seed(5823946712389).hex(), str(grades)}
    for run in hidden_runs(grades):
        records = [read(run.record(match)) for match in run.matches()]
        secrets |= {record.header.seed.hex() for record in records}
        secrets |= {show(hand) for record in records for deal in record.deals for hand in deal.dealt}
    assert len(secrets) >= 3 + 1 + 12
    assert [secret for secret in secrets if secret in everything] == []
    for student in sheet(grades):
        name = re.compile(rf"\b{student.split()[0]}\b|{student}")
        others = {folder: text for folder, text in seen.items() if not folder.startswith(student.split()[0])}
        assert len(others) == 7
        assert [folder for folder, text in others.items() if name.search(text)] == []
        assert not name.search((grades / "leaderboard.csv").read_text())


def test_what_a_bot_prints_about_practice_deals_is_shown(grades: Path) -> None:
    """Ensures that the test above would notice if a bot's output about hidden deals were shown."""
    (log,) = (grades / "staff" / "runs").glob("Bob*/*/hidden/logs/submission/m0001.1.log")
    assert "holding" in log.read_text()
    assert "holding" in next(text for name, text in seen_by_students(grades).items() if name.startswith("Bob_"))


def test_only_staff_may_look_at_what_is_theirs(grades: Path) -> None:
    assert (grades / "staff").stat().st_mode & 0o077 == 0
    report = json.loads((grades / "staff" / "marks.json").read_text())
    assert report["seed"] == 5823946712389
    assert len(report["submissions"]) == 8


SHARES_ITS_TABLES = """\
from bourre import Bot, Card, View, run

now: dict[str, int] = {}


class Shares(Bot):
    def draw(self, view: View) -> tuple[Card, ...]:
        now["deal"] = view.deal
        return ()

    def play(self, view: View) -> Card:
        if now["deal"] != view.deal:
            raise KeyError("of another table")
        return view.legal[0]


if __name__ == "__main__":
    run(Shares)
"""


def test_a_mistake_that_only_many_tables_show_is_found_by_the_command_for_home(course: Path, grades: Path) -> None:
    told = next(text for name, text in seen_by_students(grades).items() if name.startswith("Ada_"))
    words = split(told.splitlines()[told.splitlines().index(AGAIN) + 1])[1:]
    assert words[1] == "python bot.py"
    (course / "shared").mkdir()
    (course / "shared" / "bot.py").write_text(SHARES_ITS_TABLES)
    alone, together = (called_in(course / "shared", words[0], bot, *words[2:]) for bot in ("bot.py", words[1]))
    assert (alone.code, alone.err) == (0, "")
    assert "KeyError: 'of another table'" in together.err
    assert "5823946712389" not in together.out + together.err


def test_another_run_finds_the_same_marks_and_the_same_names_in_stored_records(course: Path, grades: Path) -> None:
    before = seen_by_students(grades)
    again = called_in(course, "grade", "class", "--jobs", "1")
    assert again.code == 0, again.err
    assert seen_by_students(grades) == before


def test_a_class_that_is_stopped_and_killed_goes_on_and_has_the_same_marks_side_by_side(
    course: Path, grades: Path, tmp_path: Path
) -> None:
    """A lock holds up the start of one bot, so that it is in play when the signals come."""
    (tmp_path / "grade.toml").write_text(PLAN.replace("start_ms = 10000", "start_ms = 120000"))
    ada, lock = course / "class" / "Ada Lovelace", tmp_path / "lock"
    held_up = f"import fcntl\n\nfcntl.flock(open({str(lock)!r}), fcntl.LOCK_SH)\n"
    (tmp_path / "Zoe").mkdir()
    (tmp_path / "Zoe" / "bot.py").write_text(f"{held_up}{(ada / 'bot.py').read_text()}")
    command = ["grade", str(ada), "Zoe", "--jobs", "2"]
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for number, code in ((signal.SIGTERM, INTERRUPTED), (signal.SIGKILL, -signal.SIGKILL)):
            said = _said_when_one_is_marked(tmp_path, command, number, code)
            assert said.endswith("bourre: Interrupted. The same command continues.\n") == (code == INTERRUPTED), said
    done = called_in(tmp_path, *command)
    assert done.code == 0, done.err
    assert [line.split()[-1] for line in done.out.splitlines()] == ["Lovelace", "Zoe"]
    points = {row["points"] for row in sheet(tmp_path / "grades" / "week-3").values()}
    assert points == {sheet(grades)["Ada Lovelace"]["points"]}


def _said_when_one_is_marked(place: Path, words: list[str], number: signal.Signals, code: int) -> str:
    """What the command says on stderr if it gets this signal when it has printed one mark, until all processes end."""
    command = [sys.executable, "-m", "bourre_referee", *words]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "Ada Lovelace" in process.stdout.readline()
        process.send_signal(number)
        _, said = process.communicate()
    assert process.returncode == code
    return said


def test_every_hidden_run_has_the_same_deals_and_can_be_verified(course: Path, grades: Path) -> None:
    runs = list(hidden_runs(grades))
    assert len(runs) == 2
    dealt = [[deal.dealt for match in run.matches() for deal in read(run.record(match)).deals] for run in runs]
    assert dealt[0] == dealt[1]
    verified = called_in(course, "verify", str(runs[1].path))
    assert verified.code == 0, verified.err


def test_who_takes_too_long_has_no_points_now_and_later(course: Path, tmp_path: Path) -> None:
    (tmp_path / "grade.toml").write_text(PLAN.replace("seed =", "minutes = 0.0005\nseed ="))
    for _ in range(2):
        done = called_in(tmp_path, "grade", str(course / "class" / "Ada Lovelace"))
        assert done.code == 0, done.err
        assert "the bot took more than the 0.0005 minutes" in done.out


def test_calibration_marks_the_staff_bots(tmp_path: Path) -> None:
    (tmp_path / "grade.toml").write_text(PLAN_OF_TWO)
    done = called_in(tmp_path, "grade", "--calibrate", "--seeds", "2")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["coin", "tight"]
    assert "legal cards (40)" in lines
