"""Submissions: found in every layout, copied without anything that is not theirs."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Mapping
from errno import EACCES, ENOSPC
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from bourre_referee.evaluation.grade.grade_class import folder_name
from bourre_referee.evaluation.grade.intake import class_zip, submissions
from bourre_referee.evaluation.grade.intake.class_folder import find_submissions, single_submission
from bourre_referee.evaluation.grade.intake.submissions import BadSubmission, Submission, copy_submission
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import DEEPEST

LAUNCHERS = ("python", "node")


def copied(path: Path, place: Path) -> tuple[str, ...]:
    """Copies ada's submission, and returns the command that starts it."""
    return copy_submission(Submission("ada", path), place, LAUNCHERS)


def put(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", "surrogateescape")
    return file


def test_files_bots_and_folders_of_students_are_found(tmp_path: Path) -> None:
    put(tmp_path / "ada.py")
    put(tmp_path / "bob" / "bot.js")
    put(tmp_path / "class" / "cy" / "bot.py")
    put(tmp_path / "class" / "Dee, D" / "notes.txt")
    put(tmp_path / "class" / "eve.py")
    put(tmp_path / "class" / ".DS_Store")
    put(tmp_path / "class" / "README.md")
    known = find_submissions([tmp_path / "ada.py", tmp_path / "bob", tmp_path / "class"], tmp_path / "unzipped")
    assert [submission.student for submission in known.submissions] == ["ada", "bob", "Dee, D", "cy", "eve"]
    assert known.skipped == ("README.md",)


def test_a_bot_py_is_called_after_its_folder(tmp_path: Path) -> None:
    assert find_submissions([put(tmp_path / "ada" / "bot.py")], tmp_path / "unzipped").submissions[0].student == "ada"


@pytest.mark.parametrize("words", [("none",), ("empty",), ("ada", "other/ada")])
def test_what_cannot_be_meant_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "empty").mkdir()
    put(tmp_path / "ada" / "bot.py")
    put(tmp_path / "other" / "ada" / "bot.py")
    with pytest.raises(ContestError, match=r"Cannot find|is empty|Two submissions are called 'ada'"):
        find_submissions([tmp_path / word for word in words], tmp_path / "unzipped")


@pytest.mark.parametrize("zipped", [False, True], ids=["a folder", "a zip"])
def test_a_submission_may_lie_a_folder_deeper_beside_what_a_system_adds(tmp_path: Path, zipped: bool) -> None:
    """Forges put a folder at the top of a download, and file managers files of their own."""
    handed = tmp_path / "handed"
    for name in ("mybot-main/bot.py", "mybot-main/lib/._a.py", "__MACOSX/mybot-main/bot.py", ".DS_Store"):
        put(handed / name)
    put(handed / "mybot-main" / "lib" / "a.py")
    (found,) = find_submissions([zip_of(handed) if zipped else handed], tmp_path / "unzipped").submissions
    alone = single_submission(found.path)
    for one in (found, alone):
        assert copy_submission(one, tmp_path / "work", LAUNCHERS) == ("python", "work/bot.py")
        assert {path.name for path in (tmp_path / "work").rglob("*")} == {"bot.py", "lib", "a.py"}


def zip_of(folder: Path) -> Path:
    return Path(shutil.make_archive(str(folder), "zip", folder))


def test_a_file_of_another_name_keeps_its_name(tmp_path: Path) -> None:
    """Errors and the commands for home then name the file that the student knows."""
    put(tmp_path / "ada" / "Mine.py", "from bourre import Bot, run\nrun(Bot)\n")
    put(tmp_path / "ada" / "helper.py")
    assert copied(tmp_path / "ada", tmp_path / "work") == ("python", "work/Mine.py")
    put(tmp_path / "bob" / "Bot.py")
    assert copied(tmp_path / "bob", tmp_path / "work") == ("python", "work/Bot.py")


def test_archives_are_submissions_and_those_that_are_no_zip_are_named(tmp_path: Path) -> None:
    put(tmp_path / "class" / "ada.ZIP", "PK")
    (tmp_path / "class" / "bob.tar.gz").write_bytes(b"\x1f\x8b")
    put(tmp_path / "class" / "CY.PY")
    found = find_submissions([tmp_path / "class"], tmp_path / "unzipped").submissions
    assert [one.student for one in found] == ["CY", "ada", "bob.tar"]
    for one, told in zip(
        found[1:], ["Cannot read this zip", "This is a .gz file.\nhint: use a zip instead"], strict=True
    ):
        with pytest.raises(BadSubmission, match=told):
            copy_submission(one, tmp_path / "work", LAUNCHERS)


def test_which_of_two_folders_is_the_submission_is_not_guessed(tmp_path: Path) -> None:
    """A folder without a bot is refused too; the error lists what it holds."""
    put(tmp_path / "handed" / "one" / "bot.py")
    put(tmp_path / "handed" / "other" / "bot.py")
    put(tmp_path / "empty" / "notes" / "readme.txt")
    with pytest.raises(BadSubmission, match=r"one/bot.py and other/bot.py may each be the bot"):
        copied(tmp_path / "handed", tmp_path / "work")
    with pytest.raises(BadSubmission, match=r"it has no bot.py .it holds readme.txt."):
        copied(tmp_path / "empty", tmp_path / "work")


def test_the_command_names_files_by_their_paths_from_above(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "src" / "main.py")
    put(tmp_path / "ada" / "command", "\ufeff# mine\npython -u src/main.py 'a b'\n")
    command = copied(tmp_path / "ada", tmp_path / "work" / "submission")
    assert command == ("python", "-u", "submission/src/main.py", "a b")


def test_a_submission_starts_by_a_launcher_or_a_program_of_its_own(tmp_path: Path) -> None:
    """A file of its own is never taken for a launcher."""
    for name in ("python", "bin/run", "bot.py"):
        put(tmp_path / "ada" / name).chmod(0o755)
    for command, words in {
        "python bot.py": ("python", "submission/bot.py"),
        "./python": ("submission/./python",),
        "bin/run --level 3": ("submission/bin/run", "--level", "3"),
    }.items():
        put(tmp_path / "ada" / "command", command)
        assert copied(tmp_path / "ada", tmp_path / "submission") == words


@pytest.mark.parametrize(
    "command",
    [
        "{private}/bin/python bot.py",
        "{private}/script",
        "~/script",
        "sh bot.py",
        "env python bot.py",
        "SECRET=1 python bot.py",
        "../script",
        "linked",
        "elsewhere/script",
        "python {private}/script",
        "python elsewhere/../../script",
        "python ../script",
        "node --require={private}/script bot.py",
        "node -r{private}/script bot.py",
        "python -c pass ok:{private}/script",
        "lent/bin/python bot.py",
        "bin/python bot.py",
    ],
)
def test_a_command_shows_a_submission_nothing_of_the_host(tmp_path: Path, command: str) -> None:
    """A box holds the program of a command, so students could read a script or environment that is not theirs."""
    private = tmp_path / "private"
    for script in (private / "script", private / "bin" / "python3.11", tmp_path / "script"):
        put(script, "a secret").chmod(0o755)
    put(private / "lib" / "python3.11" / "os.py")
    (private / "bin" / "python").symlink_to("python3.11")
    put(private / "pyvenv.cfg", f"home = {private}/bin\n")
    for lent in ("lent", "."):
        put(tmp_path / "ada" / lent / "bin" / "python").chmod(0o755)
        put(tmp_path / "ada" / lent / "pyvenv.cfg", f"home = {private}/bin\n")
    (tmp_path / "ada" / "linked").symlink_to(private / "script")
    (tmp_path / "ada" / "elsewhere").symlink_to(private)
    put(tmp_path / "ada" / "bot.py")
    put(tmp_path / "ada" / "command", command.format(private=private))
    told = r"its command cannot be started: .*\nhint: use (a path inside|python)"
    with pytest.raises(BadSubmission, match=told) as refused:
        copied(tmp_path / "ada", tmp_path / "submission")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(("file", "command"), [("bot.py", "python"), ("bot.js", "node")])
def test_a_bot_is_run_by_what_its_name_says(tmp_path: Path, file: str, command: str) -> None:
    put(tmp_path / "ada" / file)
    assert copied(tmp_path / "ada", tmp_path / "submission") == (
        command,
        f"submission/{file}",
    )


@pytest.mark.parametrize(("file", "command"), [("ada.py", "python"), ("ada.js", "node"), ("ada", "python")])
def test_a_file_alone_is_played_under_the_name_of_a_bot(tmp_path: Path, file: str, command: str) -> None:
    name = "bot.js" if command == "node" else "bot.py"
    placed = copied(put(tmp_path / file, "mine"), tmp_path / "submission")
    assert placed == (command, f"submission/{name}")
    assert (tmp_path / "submission" / name).read_text() == "mine"


def test_a_word_too_long_to_name_a_file_is_only_a_word(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "command", f"python bot.py {'x' * 300}")
    put(tmp_path / "ada" / "bot.py")
    command = copied(tmp_path / "ada", tmp_path / "submission")
    assert command == ("python", "submission/bot.py", "x" * 300)


def test_links_are_left_out_and_what_was_there_before_goes(tmp_path: Path) -> None:
    put(tmp_path / "secret", "the seed")
    put(tmp_path / "ada" / "bot.py")
    (tmp_path / "ada" / "borrowed.txt").symlink_to(tmp_path / "secret")
    (tmp_path / "ada" / "all").symlink_to(tmp_path)
    put(tmp_path / "submission" / "old.py")
    copied(tmp_path / "ada", tmp_path / "submission")
    assert [path.name for path in (tmp_path / "submission").iterdir()] == ["bot.py"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("readme.txt", "hi", "it has no bot.py .it holds readme.txt."),
        ("command", "python 'bot.py", "cannot be read as a command"),
        ("command", " \n", "is empty"),
        ("command", "\0", "is empty"),
        ("command", "python caf\udce9.py", "is not UTF-8"),
    ],
)
def test_what_cannot_be_started_is_told_the_student(tmp_path: Path, name: str, text: str, told: str) -> None:
    put(tmp_path / "ada" / name, text)
    with pytest.raises(BadSubmission, match=told):
        copied(tmp_path / "ada", tmp_path / "submission")


@pytest.mark.parametrize(("most", "largest"), [(2, 11), (1, 12)], ids=["together too large", "one file too many"])
def test_too_much_is_refused_before_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, largest: int
) -> None:
    monkeypatch.setattr(submissions, "LARGEST_BOT", 12)
    monkeypatch.setattr(submissions, "MAX_FILES", 2)
    put(tmp_path / "ada" / "bot.py", "x" * 6)
    put(tmp_path / "ada" / "run", "x" * 6).chmod(0o755)
    assert copied(tmp_path / "ada", tmp_path / "work") == ("python", "work/bot.py")
    rights = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "work").iterdir()}
    assert rights == {"bot.py": 0o644, "run": 0o755}
    monkeypatch.setattr(submissions, "LARGEST_BOT", largest)
    monkeypatch.setattr(submissions, "MAX_FILES", most)
    with pytest.raises(BadSubmission, match="too large"):
        copied(tmp_path / "ada", tmp_path / "work")
    assert list((tmp_path / "work").iterdir()) == []


def test_a_link_instead_of_a_submission_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.py").symlink_to(put(tmp_path / "secret"))
    (submission,) = find_submissions([tmp_path / "class"], tmp_path / "unzipped").submissions
    with pytest.raises(BadSubmission, match="is a link"):
        copy_submission(submission, tmp_path / "submission", LAUNCHERS)


def test_folders_of_two_students_are_never_the_same() -> None:
    names = ["ada", "Doe, J", "Doe; J", "../ada", "", "x" * 60, "x" * 61]
    folders = [folder_name(name) for name in names]
    assert len(set(folders)) == len(names)
    assert all("/" not in folder and not folder.startswith(".") for folder in folders)


def test_a_submission_of_deep_folders_is_refused_before_anything_is_copied(tmp_path: Path) -> None:
    put(tmp_path / "ada" / "bot.py")
    put(tmp_path.joinpath("ada", *"d" * DEEPEST, "x"))
    assert copied(tmp_path / "ada", tmp_path / "work")[0] == "python"
    put(tmp_path.joinpath("ada", *"e" * (DEEPEST + 1), "x"))
    with pytest.raises(BadSubmission, match="more than 16 folders deep"):
        copied(tmp_path / "ada", tmp_path / "work")
    assert [*(tmp_path / "work").iterdir()] == []


MOODLE = {
    "Ada Lovelace_1815_assignsubmission_file_": {"bot.py": ""},
    "Ada Lovelace_1815_assignsubmission_onlinetext_": {"onlinetext.html": ""},
    "Bob_7_assignsubmission_onlinetext_": {"onlinetext.html": ""},
    "Cy D_Ng_8_assignsubmission_file_bot.py": "",
    "Cy D_Ng_8_assignsubmission_file_weights.bin": "",
    "Ada Lovelace_9_assignsubmission_file_mine.zip": "PK",
    "grades.xlsx": "",
}
CANVAS = {
    "lovelaceada_1815_7_bot.py": "",
    "lovelaceada_1815_8_table.txt": "",
    "ngcy_LATE_9_3_bot-2.py": "",
    "poebob_LATE_11_4_essay.docx": "",
    "by mail": {"bot.py": ""},
    "notes.txt": "",
}
LISTED = """\
---
submission_21:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1815'
    :email: ada@example.org
  :created_at: 2026-11-01
  :results:
    output: |-
      - :name: what a bot printed
      :sid: '1852'
submission_22:
  :submitters:
  - :name: Bob
    :sid: ''
    :email: bob@example.org
  - :name: Cy
    :sid:
    :email: cy@example.org
"""
GRADESCOPE = {
    "submission_metadata.yml": LISTED,
    "submission_21": {"bot.py": ""},
    "submission_22": {"a": {"bot.py": ""}},
    "submission_23": {"bot.py": ""},
}
CLONES = {
    "week-3-ada": {".git": {"HEAD": ""}, "bot.py": ""},
    "week-3-bob-by": {".git": {"HEAD": ""}, "src": {"bot.py": ""}},
}


def lay_out(folder: Path, files: Mapping[str, object]) -> Path:
    for name, inside in files.items():
        if isinstance(inside, dict):
            lay_out(folder / name, inside)
        else:
            put(folder / name, str(inside))
    return folder


@pytest.mark.parametrize("zipped", ["", ".", "class"], ids=["a folder", "a zip", "a zip of a folder"])
@pytest.mark.parametrize(
    ("layout", "students", "skipped"),
    [
        (
            MOODLE,
            {"Ada Lovelace 1815": "1815", "Ada Lovelace 9": "9", "Bob": "7", "Cy D_Ng": "8"},
            ("grades.xlsx",),
        ),
        (CANVAS, {"lovelaceada": "1815", "ngcy": "9", "poebob": "11", "by mail": ""}, ("notes.txt",)),
        (
            GRADESCOPE,
            {"Ada Lovelace": "1815", "Bob and Cy": "bob@example.org,cy@example.org", "submission_23": ""},
            (),
        ),
        (CLONES, {"ada": "", "bob-by": ""}, ()),
    ],
    ids=["Moodle", "Canvas", "Gradescope", "clones"],
)
def test_exports_of_course_systems_give_names_and_ids_and_nobody_vanishes(
    tmp_path: Path, layout: Mapping[str, object], students: dict[str, str], skipped: tuple[str, ...], zipped: str
) -> None:
    folder = lay_out(tmp_path / "class", layout)
    if zipped:
        root = folder if zipped == "." else tmp_path
        folder = Path(shutil.make_archive(str(tmp_path / "export"), "zip", root, zipped))
    found = find_submissions([folder], tmp_path / "unzipped")
    ids = {one.student.removeprefix("week-3-") if zipped else one.student: one.id for one in found.submissions}
    assert ids == students, "a zip has no .git by which folders are clones"
    assert found.skipped == skipped


def test_one_zip_holds_the_folders_and_zips_of_a_class(tmp_path: Path) -> None:
    handed = tmp_path / "week 3"
    put(handed / "ada" / "bot.py", "A")
    put(handed / "bob" / "src" / "bot.js", "B")
    put(tmp_path / "cy" / "bot.py", "C")
    shutil.copy(zip_of(tmp_path / "cy"), handed)
    put(handed / "notes.txt")
    found = find_submissions([zip_of(handed)], tmp_path / "unzipped")
    assert [one.student for one in found.submissions] == ["ada", "bob", "cy"]
    assert found.skipped == ("notes.txt",)
    commands = [copy_submission(one, tmp_path / "work", LAUNCHERS)[1] for one in found.submissions]
    assert commands == ["work/bot.py", "work/bot.js", "work/bot.py"]


@pytest.mark.parametrize(
    "files",
    [
        ("bot.py", "examples/bot.py", "other/bot.py", "a_1_2_b.txt"),
        ("main.py", "helper.py", "data/table.txt"),
        ("mine/bot.py", "mine/lib/bot.py"),
        ("mine/src/bot.py", "mine/weights.zip"),
    ],
)
def test_the_zip_of_one_bot_is_one_submission(tmp_path: Path, files: tuple[str, ...]) -> None:
    for file in files:
        put(tmp_path / "ada" / file)
    (one,) = find_submissions([zip_of(tmp_path / "ada")], tmp_path / "unzipped").submissions
    assert (one.student, one.path) == ("ada", tmp_path / "ada.zip")


def test_a_hostile_file_in_the_zip_of_a_class_is_named_and_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = ZipInfo("cy/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with ZipFile(tmp_path / "class.zip", "w") as packed:
        for name in ("../out", "ada/bot.py", "bob/bot.py", "bob/bot.py/x", "cy/bot.py", "cy/\u202e.py"):
            packed.writestr(name, "x")
        packed.writestr(link, "/etc/passwd")
    found = find_submissions([tmp_path / "class.zip"], tmp_path / "in" / "unzipped")
    assert [one.student for one in found.submissions] == ["ada", "bob", "cy"]
    assert found.skipped == ("../out", "bob/bot.py/x", r"cy/\u202e.py", "cy/link")
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["unzipped"]
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))
    monkeypatch.setattr(class_zip, "LARGEST_CLASS", 2)
    with pytest.raises(ContestError, match=r"class.zip is larger than .*\nhint: unzip it"):
        find_submissions([tmp_path / "class.zip"], tmp_path / "again")


def test_a_full_disk_is_named_before_a_student_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with ZipFile(tmp_path / "class.zip", "w") as packed:
        for student in ("ada", "bob"):
            packed.writestr(f"{student}/bot.py", "")
    monkeypatch.setattr(class_zip.ClassZip, "_write", full)
    with pytest.raises(ContestError, match=r"class.zip .No space left on device..\nhint: free disk space in "):
        find_submissions([tmp_path / "class.zip"], tmp_path / "unzipped")


def test_the_files_of_a_student_are_put_together_by_their_own_names(tmp_path: Path) -> None:
    def played(students: Mapping[str, object]) -> dict[str, object]:
        told: dict[str, object] = {}
        for one in find_submissions([lay_out(tmp_path / "class", students)], tmp_path / "unzipped").submissions:
            try:
                told[one.student] = copy_submission(one, tmp_path / "work", LAUNCHERS)[1]
            except BadSubmission as error:
                told[one.student] = str(error).splitlines()[0]
            told[one.student] = told[one.student], sorted(path.name for path in (tmp_path / "work").iterdir())
        shutil.rmtree(tmp_path / "class")
        return told

    moodle, canvas = played(MOODLE), played(CANVAS)
    assert moodle["Cy D_Ng"] == ("work/bot.py", ["bot.py", "weights.bin"])
    assert moodle["Bob"] == ("it has no bot.py (it holds onlinetext.html).", ["onlinetext.html"])
    assert canvas["lovelaceada"] == ("work/bot.py", ["bot.py", "table.txt"])
    assert canvas["ngcy"] == ("work/bot.py", ["bot.py"])
    assert canvas["poebob"] == ("a .docx file cannot be a bot.", [])


@pytest.mark.parametrize("name", ["x_1_assignsubmission_file_..", "x_1_2_..", "x_1_2_.", "x_1_2_command"])
def test_no_name_in_an_export_leads_out_of_the_place_of_play(tmp_path: Path, name: str) -> None:
    put(tmp_path / "class" / name, "python bot.py")
    put(tmp_path / "class" / f"{name[: name.rindex('_')]}_bot.py")
    (found,) = find_submissions([tmp_path / "class"], tmp_path / "unzipped").submissions
    copy_submission(found, tmp_path / "play" / "work", LAUNCHERS)
    assert [path.name for path in (tmp_path / "play").iterdir()] == ["work"]
    assert all(path.parent == tmp_path / "play" / "work" for path in (tmp_path / "play").rglob("*") if path.is_file())


def test_a_zip_that_staff_cannot_read_is_not_the_students_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "ada.zip", "PK")

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError):
        copied(tmp_path / "ada.zip", tmp_path / "work")
