"""`bourre grade` in one process: what it refuses, and what it prints if the machine fails or staff stop it."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.isolation_choice import choose_isolation
from bourre_referee.evaluation.grade import grade_class as grade
from bourre_referee.evaluation.grade.marks import contest_player
from bourre_referee.model.errors import ContestFailed, Interrupted
from bourre_referee.model.spec import BotEntry, Isolation
from bourre_referee.runner.interrupt import SIGNALS
from bourre_referee.runner.progress import Progress, Watch
from bourre_referee.storage.run.run import Run
from tests.referee.command import Bourre, called
from tests.referee.plans import PLAN, written


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    """Runs the command in a folder with a plan and two submissions."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    for student in ("ada", "bob"):
        Path("class", student).mkdir(parents=True)
        Path("class", student, "bot.py").touch()
    Path("notes").mkdir()
    Path("notes", "read.me").touch()
    return called


@pytest.fixture
def heeded() -> Iterator[None]:
    """Restores the signal handlers afterwards: an interrupted command leaves them changed until its process ends."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def fail(contest: Contest, folder: Path, *, watch: Watch, **_: object) -> Run:
    """Replaces a run with a staff bot named room: the host is out of memory."""
    void = "room m0001 is void (attempt 1 of 3): no memory"
    watch(Progress(0, 1, 0, 0, None, ("room reneged for the first time in m0001",)))
    watch(Progress(0, 1, 0, 0, None, (void,), room_failed=True))
    raise ContestFailed("room m0001 failed three times: no memory")


def interrupt(contest: Contest, folder: Path, **_: object) -> Run:
    """Replaces a run: the user presses Ctrl-C."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise Interrupted(0, 1, folder) from None
    raise AssertionError("nobody hears the signal")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Which submissions?"),
        (
            ["--calibrate", "class"],
            "--calibrate marks only the reference bots.\nhint: remove the submissions and --results",
        ),
        (["--calibrate", "--results", "r.json"], "--calibrate marks only the reference bots."),
        (
            ["class/ada", "class/bob", "--results", "r.json"],
            "--results is for one submission.\nhint: pass one file or folder",
        ),
        (["class", "--out", "class"], "class contains ada."),
        (["class", "--out", "grade.toml"], "grade.toml (File exists)."),
        (["nobody"], "Cannot find nobody."),
        (["nobody", "--results", "r.json"], "Cannot find nobody."),
        (["class/ada", "--results", "none/r.json"], "--results: no folder 'none' here"),
        (["class/ada", "--results", "class"], "--results: 'class' is a folder"),
        (
            ["class", "--handed-in", "tomorrow"],
            "--handed-in 'tomorrow' is not a date and a time.\nhint: --handed-in 20",
        ),
        (["class", "--handed-in", "2026-11-20"], "--handed-in '2026-11-20' is not a date and a time."),
        (["class", "--handed-in", "2962-11-20T18:00"], "--handed-in '2962-11-20T18:00' is in the future."),
        (["notes"], "notes: it has no bot.py, and no student's folder or file (it holds read.me)."),
    ],
)
def test_bad_input_ends_with_2(bourre: Bourre, words: list[str], says: str) -> None:
    done = bourre("grade", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err
    assert not Path("grades").exists()


@pytest.mark.parametrize(
    ("salt", "says"),
    [("ab\n", "is damaged."), ("not hexadecimal\n", "Cannot read ")],
)
def test_a_salt_that_is_no_secret_is_not_used(bourre: Bourre, salt: str, says: str) -> None:
    Path("grade.salt").write_text(salt)
    done = bourre("grade", "class")
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "grade.salt" in done.err
    assert "restore it, or remove it to give all students new names" in done.err
    assert Path("grade.salt").read_text() == salt


def test_where_this_machine_fails_nobody_is_marked_and_staff_hear_why(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_player, "run", fail)
    done = bourre("grade", "class", "--jobs", "1")
    assert (done.code, done.out) == (1, "     not marked  ada\n     not marked  bob\n")
    assert done.err.count("bourre: room m0001 is void (attempt 1 of 3): no memory\n") == 2
    assert "bourre: bob: room m0001 failed three times: no memory\n" in done.err
    assert "reneged" not in done.err


def test_a_file_that_is_no_submission_is_named_first_and_last_and_in_the_exit_code(bourre: Bourre) -> None:
    Path("handed/eve").mkdir(parents=True)
    assert bourre("grade", "handed").code == 0
    Path("handed/essay\x1b.docx").write_text("")
    done = bourre("grade", "handed")
    assert (done.code, done.out.split()[:3]) == (1, ["0", "of", "100"])
    first, *_, last = [line for line in done.err.splitlines() if "Skipped" in line]
    assert first == r"bourre: Skipped, because no submission is called so: essay\x1b.docx"
    assert last == r"bourre: Skipped: essay\x1b.docx"


def test_who_handed_in_nothing_has_no_points_on_gradescope(bourre: Bourre) -> None:
    Path("handed").mkdir()
    written(Path(), f"{PLAN}\n[term]\nversions_a_day = 1\n")
    done = bourre("grade", "handed", "--results", "r.json")
    assert (done.code, done.out.split()[:3]) == (0, ["0", "of", "100"])
    assert "versions_a_day limits nothing with --results" in done.err
    assert '"score": 0' in Path("r.json").read_text()


def test_who_is_marked_later_leaves_the_others_their_feedback_and_rows(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_player, "run", fail)
    bourre("grade", "class", "--jobs", "1")
    Path("late", "cyd").mkdir(parents=True)
    Path("late", "cyd", "bot.py").touch()
    bourre("grade", "late")
    kept = Path("grades", "week-3")
    assert {place.name for place in (kept / "students").iterdir()} == {"ada", "bob", "cyd"}
    sheet = (kept / "staff" / "marks.csv").read_text().splitlines()
    assert [line.split(",")[1] for line in sheet] == ["student", "ada", "bob", "cyd"]


def test_a_term_is_told_and_a_version_over_the_limit_is_no_failure(bourre: Bourre) -> None:
    """An empty folder has no points without a match, and each further file makes another version of it."""
    written(Path(), f"{PLAN}\n[term]\ndeadline = 2001-01-01T00:00:00Z\nversions_a_day = 1\nextra_days = {{eve = 1}}\n")
    place = Path("handed", "cyd\udcff")
    place.mkdir(parents=True)
    first = bourre("grade", "handed")
    assert (first.code, first.out.split()[:4]) == (0, ["0", "of", "100", r"cyd\udcff"])
    assert "bourre: warning: nobody in [term.extra_days] is called eve\n" in first.err
    assert "bourre: warning: 1 late by the time when grade first saw the version.\nhint: " in first.err
    assert (
        "bourre: 1 of 1 students have a mark, median 0 of 100 points, 1 without points because of a mistake, 1 late: "
        in first.err
    )
    (place / "bot.py").touch()
    second = bourre("grade", "handed")
    assert (second.code, second.out.split()[:2]) == (0, ["waits", r"cyd\udcff"])
    (kept,) = Path("grades", "week-3", "students").iterdir()
    assert "as many versions were marked today as the plan allows (1)." in (kept / "feedback.txt").read_text()
    (place / "bot.py").unlink()
    third = bourre("grade", "handed", "--handed-in", "2000-12-31T23:59:59Z")
    assert third.code == 0
    assert "late" not in third.err


def test_a_damaged_record_is_told_before_anything_is_played(bourre: Bourre, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest_player, "run", fail)
    bourre("grade", "class", "--jobs", "1")
    record = Path("grades", "week-3", "staff", "marks.json")
    record.write_text("{")
    done = bourre("grade", "class", "--jobs", "1")
    assert (done.code, done.out) == (2, "")
    assert "marks.json is damaged (" in done.err
    assert record.read_text() == "{"


def test_ctrl_c_ends_with_130_and_says_how_it_goes_on(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch, heeded: None
) -> None:
    monkeypatch.setattr(contest_player, "run", interrupt)
    done = bourre("grade", "class", "--jobs", "1")
    assert (done.code, done.out) == (130, "")
    assert done.err.endswith("bourre: Interrupted. The same command continues.\n")


WHY = "bwrap is not installed"


@pytest.fixture
def unboxed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a machine without sandboxes; nothing is played."""

    def no_box(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
        return WHY if isolation.level == "bwrap" else None

    monkeypatch.setattr(grade, "choose_isolation", partial(choose_isolation, probe=no_box))
    monkeypatch.setattr(contest_player, "run", fail)


@pytest.mark.parametrize(
    ("isolation", "says"),
    [
        ("", "submissions need isolation, and this machine has none: "),
        ('[isolation]\nlevel = "best"\n', "submissions need isolation, and this machine has none: "),
        ('[isolation]\nlevel = "bwrap"\n', '[isolation] level = "bwrap" is not available here: '),
    ],
)
def test_where_there_is_no_box_strangers_are_not_played(
    bourre: Bourre, unboxed: None, isolation: str, says: str
) -> None:
    written(Path(), PLAN.replace('[isolation]\nlevel = "none"\n', isolation))
    done = bourre("grade", "class")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bourre: {says}{WHY}")
    if "bwrap" not in isolation:
        assert 'use --allow-unboxed, or [isolation] level = "none" in the plan' in done.err
        assert "can read and change the terms, the seed, all results and one another" in done.err.replace("\n", " ")
    assert not Path("grades").exists()


@pytest.mark.parametrize(
    ("level", "words"), [("best", ["--allow-unboxed"]), ("none", []), ("none", ["--allow-unboxed"])]
)
def test_an_explicit_word_lets_them_play_without_and_says_what_it_costs(
    bourre: Bourre, unboxed: None, level: str, words: list[str]
) -> None:
    written(Path(), PLAN.replace('"none"', f'"{level}"'))
    done = bourre("grade", "class/ada", *words)
    assert (done.code, done.out) == (1, "     not marked  ada\n")
    assert done.err.startswith("bourre: warning: submissions run without isolation, and can read and change the terms,")


def test_a_box_that_is_asked_for_by_name_is_never_left_out(bourre: Bourre, unboxed: None) -> None:
    written(Path(), PLAN.replace('"none"', '"bwrap"'))
    assert bourre("grade", "class", "--allow-unboxed").code == 2
